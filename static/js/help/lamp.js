/**
 * The verdict lamp: says after each move whether the game can still be won.
 *
 * It asks a moment after the last move, waits for nothing and nothing waits for it.
 */

import { refusalWords } from "../refusals.js";
import { Question, TIMERS } from "./question.js";

/**
 * @typedef {"off" | "asking" | "silent" | import("../api.js").Outcome} Light
 * `silent` if there is no answer to be had
 */

/** Milliseconds after a move before its position is asked about: quick moves cost one question. */
export const REST_MS = 400;

/** Kinds of game that have a lamp; a daily one from when its board has settled. */
const KINDS = ["casual", "practice", "daily"];

export class Lamp {
  #store;
  #api;
  #question;
  #timers;
  #show;
  #on = false;
  /** @type {Light} */
  #light = "off";
  #mark = "";
  /** @type {any} */
  #rest;

  /**
   * @param {object} outside
   * @param {import("../state.js").GameStore} outside.store
   * @param {import("../api.js").Api} outside.api
   * @param {(light: Light, reason: string) => void} outside.show `reason`: a sentence, or empty
   * @param {(run: () => void, ms: number) => any} [outside.setTimeout]
   * @param {(timer: any) => void} [outside.clearTimeout]
   */
  constructor({ store, api, show, ...timers }) {
    this.#store = store;
    this.#api = api;
    this.#show = show;
    this.#timers = { ...TIMERS, ...timers };
    this.#question = new Question({ store, ...timers });
    store.addEventListener("change", () => {
      if (this.#mark !== this.#question.mark) this.#restart();
    });
  }

  /** @returns {Light} */
  get light() {
    return this.#light;
  }

  /** @param {boolean} on whether the player wants it */
  switch(on) {
    if (on === this.#on) return;
    this.#on = on;
    this.#restart();
  }

  /** Asks again where the last question had no answer: the browser may be online again. */
  retry() {
    if (this.#light === "silent") this.#restart();
  }

  get #isWanted() {
    const { kind, help } = this.#store.game;
    return this.#on && help.verdict && KINDS.includes(kind) && this.#store.status === "open";
  }

  #restart() {
    this.#question.abandon();
    this.#timers.clearTimeout(this.#rest);
    this.#mark = this.#question.mark;
    if (this.#isWanted) {
      this.#set("asking");
      this.#rest = this.#timers.setTimeout(() => this.#ask(), REST_MS);
    } else {
      this.#set("off");
    }
  }

  /** @param {Light} light @param {string | null} [reason] */
  #set(light, reason = "") {
    this.#light = light;
    this.#show(light, reason ?? "");
  }

  /**
   * @param {import("./question.js").About} about
   * @returns {Promise<Pick<import("../api.js").VerdictAnswer, "outcome" | "pending" | "reason">>}
   */
  #send({ id, version, deal }) {
    return id === null ? this.#api.solve({ ...deal, deeper: true }) : this.#api.verdict(id, version);
  }

  async #ask() {
    try {
      const answer = await this.#question.ask((about) => this.#send(about));
      if (answer) this.#set(answer.outcome, answer.reason);
    } catch (problem) {
      this.#set("silent", refusalWords(problem));
    }
  }
}
