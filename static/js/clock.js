/** The clock of a game: runs from the first move while the tab can be seen and the game is open. */

/** @param {number} seconds @returns {string} "4:07", "1:02:33" */
export function clockText(seconds) {
  const whole = Math.max(0, Math.floor(seconds));
  const two = (/** @type {number} */ value) => String(value).padStart(2, "0");
  const hours = Math.floor(whole / 3600);
  const minutes = Math.floor(whole / 60) % 60;
  const rest = two(whole % 60);
  return hours > 0 ? `${hours}:${two(minutes)}:${rest}` : `${minutes}:${rest}`;
}

export class Clock {
  /** @type {(text: string) => void} */ #show;
  /** @type {() => number} */ #now;
  #before = 0;
  /** @type {number | null} */ #since = null;
  #wanted = false;
  /** @type {ReturnType<typeof setInterval> | null} */ #timer = null;

  /**
   * @param {object} outside
   * @param {(text: string) => void} outside.show
   * @param {() => number} [outside.now] milliseconds, never going back
   */
  constructor({ show, now = () => performance.now() }) {
    this.#show = show;
    this.#now = now;
    document.addEventListener("visibilitychange", () => this.#adjust());
  }

  /** @returns {number} */
  get seconds() {
    return this.#before + (this.#since === null ? 0 : (this.#now() - this.#since) / 1000);
  }

  /**
   * @param {number} seconds played so far
   * @param {boolean} running
   */
  set(seconds, running) {
    this.#before = seconds;
    if (this.#since !== null) this.#since = this.#now();
    this.run(running);
  }

  /** @param {boolean} running whether the game goes on */
  run(running) {
    this.#wanted = running;
    this.#adjust();
  }

  #adjust() {
    const runs = this.#wanted && document.visibilityState === "visible";
    if (runs && this.#since === null) {
      this.#since = this.#now();
      this.#timer = setInterval(() => this.#draw(), 1000);
    } else if (!runs && this.#since !== null) {
      this.#before = this.seconds;
      this.#since = null;
    }
    if (!runs && this.#timer !== null) {
      clearInterval(this.#timer);
      this.#timer = null;
    }
    this.#draw();
  }

  #draw() {
    this.#show(clockText(this.seconds));
  }
}
