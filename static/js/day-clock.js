/**
 * The time of a board, as the server tells it: its instants are counted down from the server's own time, and what the
 * device takes for the time plays no part.
 */

/** @typedef {import("./daily.js").Phase} Phase */

/**
 * @typedef {object} Instants
 * @property {string} closes_at
 * @property {string} settles_at
 * @property {string} now
 */

export class DayClock {
  #now;
  #since = 0;
  #closes = 0;
  #settles = 0;

  /**
   * @param {Instants} instants
   * @param {() => number} [now] milliseconds, never going back
   */
  constructor(instants, now = () => performance.now()) {
    this.#now = now;
    this.set(instants);
  }

  /** @param {Instants} instants as the server has just told them */
  set({ closes_at, settles_at, now }) {
    const told = Date.parse(now);
    this.#since = this.#now();
    this.#closes = Date.parse(closes_at) - told;
    this.#settles = Date.parse(settles_at) - told;
  }

  get #passed() {
    return this.#now() - this.#since;
  }

  /** Milliseconds until no game on the board can be begun any more, and the next board is out. */
  get toClosing() {
    return Math.max(0, this.#closes - this.#passed);
  }

  /** Milliseconds until a win counts no more. */
  get toSettling() {
    return Math.max(0, this.#settles - this.#passed);
  }

  /** @returns {Phase} */
  get phase() {
    if (this.toClosing > 0) return "open";
    return this.toSettling > 0 ? "closing" : "settled";
  }

  /** Milliseconds until the phase changes; null if it is the last. */
  get toChange() {
    const { phase } = this;
    if (phase === "settled") return null;
    return phase === "open" ? this.toClosing : this.toSettling;
  }
}
