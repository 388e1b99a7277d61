/** Time that passes only when told to. */

/** @typedef {{at: number, order: number, run: () => void}} Timer */

export class FakeClock {
  /** Milliseconds. */
  time = 0;
  #order = 0;
  /** @type {Set<Timer>} */
  #timers = new Set();

  now = () => this.time;

  /** @param {() => void} run @param {number} ms @returns {Timer} */
  setTimeout = (run, ms) => {
    this.#order += 1;
    const timer = { at: this.time + ms, order: this.#order, run };
    this.#timers.add(timer);
    return timer;
  };

  /** @param {Timer} timer */
  clearTimeout = (timer) => {
    this.#timers.delete(timer);
  };

  /** The time until the next timer, in milliseconds; null if there is none. */
  get untilNext() {
    const next = this.#next();
    return next ? next.at - this.time : null;
  }

  #next() {
    let first = null;
    for (const timer of this.#timers) {
      if (!first || timer.at < first.at || (timer.at === first.at && timer.order < first.order))
        first = timer;
    }
    return first;
  }

  /** Moves on to the next timer, runs it and all that follows at once. @returns {Promise<boolean>} if there was one */
  async step() {
    await settle();
    const next = this.#next();
    if (!next) return false;
    this.#timers.delete(next);
    this.time = next.at;
    next.run();
    await settle();
    return true;
  }

  /** Lets time pass until no timer is left. */
  async runOut() {
    for (let steps = 0; await this.step(); steps += 1) {
      if (steps > 2_000) throw new Error("Timers never run out.");
    }
  }
}

/** Lets everything happen that waits for no timer. */
export const settle = () => new Promise((resolve) => setImmediate(resolve));
