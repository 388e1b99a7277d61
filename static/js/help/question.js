/**
 * Asks the server about the position on the table.
 *
 * 1. Moves on their way are waited for, so that the server's version of the game is the position that is shown.
 * 2. The question goes out. If the game was played on elsewhere, the store takes the newer state.
 * 3. While the answer is that a search goes on, the same question goes out again, later and later, and then no more.
 * 4. As soon as the table shows another position, or another question is put, what comes is dropped.
 */

import { ApiError } from "../api.js";

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

/** Milliseconds before a question is put again: a search that takes longer than all of them is not waited for. */
export const WAITS_MS = [500, 1000, 2000, 4000];

/** @type {Timers} */
export const TIMERS = {
  setTimeout: (run, ms) => globalThis.setTimeout(run, ms),
  clearTimeout: (timer) => globalThis.clearTimeout(timer),
};

/** @param {number} seconds @returns {string} "1 second", "3 minutes" */
function waitWords(seconds) {
  const [count, unit] = seconds < 120 ? [seconds, "second"] : [Math.ceil(seconds / 60), "minute"];
  return count === 1 ? `1 ${unit}` : `${count} ${unit}s`;
}

/** @param {string} instant @returns {string} on the player's own clock */
const instantWords = (instant) =>
  new Date(instant).toLocaleString("en-GB", { dateStyle: "medium", timeStyle: "short" });

/** @param {string | null} opensAt @returns {string} why a game is played without help */
export const refusedWords = (opensAt) =>
  opensAt === null
    ? "There is no help with this deal as long as the game goes on."
    : `Help with this deal opens on ${instantWords(opensAt)}.`;

/** @param {unknown} problem @returns {string} why there is no answer, for people */
export function problemWords(problem) {
  if (!(problem instanceof ApiError)) throw problem;
  const { status, code, message, detail, retryAfter } = problem;
  if (status === 0) return "Help needs a connection, and the server can’t be reached.";
  if (status === 429 && retryAfter !== null) {
    return `That was asked too often. Try again in ${waitWords(retryAfter)}.`;
  }
  if (code === "help_refused" && detail.opens_at) return refusedWords(detail.opens_at);
  return message;
}

export class Question {
  #store;
  #timers;
  /** Counts what was put on the table: two deals may have the same line. */
  #loads = 0;
  /** The question under way. @type {object | null} */
  #current = null;
  /** @type {any} */
  #timer;

  /** @param {{store: import("../state.js").GameStore} & Partial<Timers>} outside */
  constructor({ store, ...timers }) {
    this.#store = store;
    this.#timers = { ...TIMERS, ...timers };
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
    this.#current = null;
    this.#timers.clearTimeout(this.#timer);
  }

  /**
   * @template {{pending: boolean}} Answer
   * @param {(about: About) => Promise<Answer>} send
   * @param {(answer: Answer) => void} [heard] told of each answer that isn't the last one
   * @returns {Promise<Answer | null>} the last answer; null if the position is no longer the one asked about
   * @throws {ApiError} there is no answer
   */
  async ask(send, heard = () => {}) {
    this.abandon();
    const question = {};
    const { mark } = this;
    const holds = () => this.#current === question && this.mark === mark;
    this.#current = question;
    try {
      for (let asked = 0; ; asked += 1) {
        const answer = await this.#send(send, holds);
        const wait = WAITS_MS[asked];
        if (!holds()) return null;
        if (!answer?.pending || wait === undefined) return answer;
        heard(answer);
        await new Promise((resolve) => {
          this.#timer = this.#timers.setTimeout(() => resolve(undefined), wait);
        });
      }
    } catch (problem) {
      if (!holds()) return null;
      throw problem;
    }
  }

  /**
   * @template Answer
   * @param {(about: About) => Promise<Answer>} send
   * @param {() => boolean} holds
   * @returns {Promise<Answer | null>}
   */
  async #send(send, holds) {
    for (let stale = false; ; stale = true) {
      await this.#saved();
      if (!holds()) return null;
      const { id, version } = this.#store.game;
      try {
        return await send({ id, version, deal: this.#store.dealBody });
      } catch (problem) {
        if (!(problem instanceof ApiError) || !problem.detail.game) throw problem;
        this.#store.hear(problem.detail.game);
        // The same line with another version: somebody went away from it and came back.
        if (!holds()) return null;
        if (stale) throw problem;
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
