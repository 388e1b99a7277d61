/** Goes through a line of moves, by steps or by itself. No page: what is shown is the listener's business. */

import { moveInWords } from "./announce.js";
import { columnIndex, firstPosition, isLegal, play } from "./rules.js";

/**
 * @typedef {import("./rules.js").Dealt} Dealt
 * @typedef {import("./rules.js").Position} Position
 * @typedef {import("./rules.js").Variant} Variant
 */

/** Milliseconds a move stays before the next one: the eye finds the card, follows it and sees where it lies. */
export const PACE = 750;

/**
 * @param {Variant} variant
 * @param {Dealt | Position} start
 * @param {ReadonlyArray<string>} line
 * @returns {Position[]} from before the first move on; they end before a move that can't be played, as when the card
 *   is covered and not known
 */
function follow(variant, start, line) {
  let position = "covered" in start ? start : firstPosition(variant, start);
  const positions = [position];
  for (const move of line) {
    if (!isLegal(variant, position, move)) break;
    position = play(variant, position, move);
    positions.push(position);
  }
  return positions;
}

export class LinePlayer {
  /** @type {Variant} */ #variant;
  /** @type {Dealt | Position} */ #start;
  /** @type {ReadonlyArray<string>} */ #line;
  /** @type {Position[]} */ #positions;
  #at;
  #changed;
  #timers;
  /** @type {any} */ #timer = null;

  /**
   * @param {object} options
   * @param {Variant} options.variant
   * @param {Dealt | Position} options.start a deal as dealt, or a position
   * @param {ReadonlyArray<string>} options.line
   * @param {number} [options.at] the ply to begin with
   * @param {() => void} options.changed called after each step, and when playing starts or stops
   * @param {(run: () => void, ms: number) => any} [options.setTimeout]
   * @param {(timer: any) => void} [options.clearTimeout]
   */
  constructor({
    variant,
    start,
    line,
    at = 0,
    changed,
    setTimeout = (run, ms) => globalThis.setTimeout(run, ms),
    clearTimeout = (timer) => globalThis.clearTimeout(timer),
  }) {
    this.#variant = variant;
    this.#start = start;
    this.#line = line;
    this.#positions = follow(variant, start, line);
    this.#at = Math.max(0, Math.min(at, this.length));
    this.#changed = changed;
    this.#timers = { setTimeout, clearTimeout };
  }

  /** @returns {number} moves that can be shown */
  get length() {
    return this.#positions.length - 1;
  }

  /** @returns {boolean} whether the line goes on where the cards aren't known */
  get isCut() {
    return this.length < this.#line.length;
  }

  /** @returns {number} moves played so far */
  get at() {
    return this.#at;
  }

  /** @returns {Position} */
  get position() {
    return /** @type {Position} */ (this.#positions[this.#at]);
  }

  /** @returns {string | null} the move played last */
  get move() {
    return this.#line[this.#at - 1] ?? null;
  }

  /** @returns {string | null} the card that moved last */
  get card() {
    const source = this.#positions[this.#at - 1]?.columns[columnIndex(this.move?.charAt(0) ?? "")];
    return source?.at(-1) ?? null;
  }

  /** @returns {boolean} */
  get isPlaying() {
    return this.#timer !== null;
  }

  /** @returns {string} "Move 12 of 66: 9 of hearts to column 4." */
  get words() {
    if (this.#line.length === 0) return "No move is left to play.";
    if (this.#at === 0) return this.length === 1 ? "Before the only move." : `Before ${this.length} moves.`;
    const before = /** @type {Position} */ (this.#positions[this.#at - 1]);
    const last = this.#at === this.length && this.isCut ? " The cards that follow are covered." : "";
    return `Move ${this.#at} of ${this.length}: ${moveInWords(before, this.move ?? "")}.${last}`;
  }

  /** @param {number} ply @returns {boolean} whether that is another place than before */
  goTo(ply) {
    this.#halt();
    return this.#go(ply);
  }

  step() {
    return this.goTo(this.#at + 1);
  }

  back() {
    return this.goTo(this.#at - 1);
  }

  first() {
    return this.goTo(0);
  }

  last() {
    return this.goTo(this.length);
  }

  /** Plays on by itself; from the start if the line has been played to its end. */
  play() {
    if (this.isPlaying || this.length === 0) return;
    if (this.#at === this.length) this.#at = 0;
    this.#wait();
    this.#changed();
  }

  pause() {
    if (!this.isPlaying) return;
    this.#halt();
    this.#changed();
  }

  toggle() {
    if (this.isPlaying) this.pause();
    else this.play();
  }

  /**
   * Another line from the same start, for whom the first one hasn't begun to be looked at.
   *
   * @param {ReadonlyArray<string>} line
   * @param {number} [at]
   */
  replace(line, at = 0) {
    this.#halt();
    this.#line = line;
    this.#positions = follow(this.#variant, this.#start, line);
    this.#at = Math.max(0, Math.min(at, this.length));
    this.#changed();
  }

  /** @param {number} ply @returns {boolean} */
  #go(ply) {
    const to = Math.max(0, Math.min(Math.round(ply), this.length));
    const moved = to !== this.#at;
    this.#at = to;
    this.#changed();
    return moved;
  }

  #wait() {
    this.#timer = this.#timers.setTimeout(() => {
      this.#timer = null;
      if (this.#at + 1 < this.length) this.#wait();
      this.#go(this.#at + 1);
    }, PACE);
  }

  #halt() {
    if (this.#timer !== null) this.#timers.clearTimeout(this.#timer);
    this.#timer = null;
  }
}
