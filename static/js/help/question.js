/**
 * Asks the server about the position on the table.
 *
 * 1. Moves on their way are waited for, so that the server's version of the game is the position that is shown.
 * 2. The question goes out. If the game was played on elsewhere, the store takes the newer state.
 * 3. While the answer is that a search goes on, the same question goes out again, later and later, and then no more.
 * 4. As soon as the table shows another position, or another question is put, what comes is dropped.
 */

import { ApiError } from "../api.js";
import { poll } from "../polling.js";

/**
 * @typedef {object} About what a question is about
 * @property {string | null} id of the game; null for a deal that isn't started
 * @property {number} version
 * @property {Omit<import("../api.js").StartBody, "kind">} deal
 *
 * @typedef {object} Timers
 * @property {(run: () => void, ms: number) => any} setTimeout
 * @property {(timer: any) => void} clearTimeout
 */

/** @type {Timers} */
export const TIMERS = {
  setTimeout: (run, ms) => globalThis.setTimeout(run, ms),
  clearTimeout: (timer) => globalThis.clearTimeout(timer),
};

export class Question {
  #store;
  #setTimeout;
  /** Counts what was put on the table: two deals may have the same line. */
  #loads = 0;
  /** Of the question under way. */
  #current = new AbortController();

  /** @param {{store: import("../state.js").GameStore} & Partial<Timers>} outside */
  constructor({ store, ...timers }) {
    this.#store = store;
    this.#setTimeout = timers.setTimeout ?? TIMERS.setTimeout;
    store.addEventListener("change", (event) => {
      if (/** @type {CustomEvent} */ (event).detail.reason === "load") this.#loads += 1;
    });
  }

  /** What is on the table: another text for another position. The server's turning a card up makes no other. */
  get mark() {
    const { status, line } = this.#store;
    return [this.#loads, status, ...line].join(" ");
  }

  /** Drops the question that is under way, and its answer. */
  abandon() {
    this.#current.abort();
  }

  /**
   * @template {{pending: boolean, helped?: boolean}} Answer
   * @param {(about: About) => Promise<Answer>} send
   * @param {(answer: Answer) => void} [heard] told of each answer that isn't the last one
   * @returns {Promise<Answer | null>} the last answer; null if the position is no longer the one asked about
   * @throws {ApiError} there is no answer
   */
  async ask(send, heard = () => {}) {
    this.abandon();
    const current = new AbortController();
    this.#current = current;
    const { mark } = this;
    const { signal } = current;
    const holds = () => {
      if (this.mark !== mark) current.abort();
      return !signal.aborted;
    };
    /** @type {Answer | null} */
    let last = null;
    try {
      await poll({
        signal,
        setTimeout: this.#setTimeout,
        ask: () => this.#send(send, holds),
        answered: (answer, isLast) => {
          if (isLast) last = answer;
          else heard(answer);
        },
      });
    } catch (problem) {
      if (holds()) throw problem;
    }
    return last;
  }

  /**
   * @template {{helped?: boolean}} Answer
   * @param {(about: About) => Promise<Answer>} send
   * @param {() => boolean} holds
   * @returns {Promise<Answer>}
   */
  async #send(send, holds) {
    for (let stale = false; ; stale = true) {
      await this.#saved();
      if (!holds()) throw new Error("The position has changed.");
      const { id, version } = this.#store.game;
      try {
        const answer = await send({ id, version, deal: this.#store.dealBody });
        // Some answers mark the game, which is the store's to know.
        if (answer.helped && !this.#store.game.helped) this.#store.refresh();
        if (!holds()) throw new Error("The position has changed.");
        return answer;
      } catch (problem) {
        if (!(problem instanceof ApiError) || !problem.detail.game) throw problem;
        this.#store.hear(problem.detail.game);
        // The same line with another version: somebody went away from it and came back.
        if (stale || !holds()) throw problem;
      }
    }
  }

  /** Fulfilled when the server has all moves; rejected when it can't be reached. */
  async #saved() {
    const store = this.#store;
    let look = () => {};
    const offline = new Promise((_, reject) => {
      look = () => {
        if (store.sync !== "offline") return;
        reject(new ApiError({ status: 0, code: "network", message: "The server can’t be reached." }));
      };
    });
    store.addEventListener("sync", look);
    look();
    try {
      await Promise.race([store.flush(), offline]);
    } finally {
      store.removeEventListener("sync", look);
    }
  }
}
