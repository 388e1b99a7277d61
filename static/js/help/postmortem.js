/** What went wrong: which move of a game lost it. */

import { refusalWords } from "../refusals.js";
import { Question } from "./question.js";
import { moveWords, plyWords } from "./words.js";

/**
 * @typedef {import("../api.js").PostMortemAnswer} PostMortemAnswer
 *
 * @typedef {"closed" | "confirm" | "asking" | "told" | "unknown" | "failed"} Stage
 */

export class PostMortem {
  #store;
  #api;
  #question;
  #changed;
  /** @type {Stage} */
  #stage = "closed";
  /** @type {PostMortemAnswer | null} */
  #answer = null;
  #words = "";
  #mark = "";

  /**
   * @param {object} outside
   * @param {import("../state.js").GameStore} outside.store
   * @param {import("../api.js").Api} outside.api
   * @param {() => void} outside.changed told when there is something else to show
   * @param {(run: () => void, ms: number) => any} [outside.setTimeout]
   * @param {(timer: any) => void} [outside.clearTimeout]
   */
  constructor({ store, api, changed, ...timers }) {
    this.#store = store;
    this.#api = api;
    this.#changed = changed;
    this.#question = new Question({ store, ...timers });
    store.addEventListener("change", () => {
      if (this.#mark !== this.#question.mark) this.close();
    });
  }

  /** @returns {Stage} */
  get stage() {
    return this.#stage;
  }

  /** What there is to be read. */
  get words() {
    return this.#words;
  }

  /** The last ply from which the game could be won, if there is one. */
  get lastWonPly() {
    return this.#answer?.last_won_ply ?? null;
  }

  /** The line that wins from there. @returns {string[] | null} */
  get line() {
    return this.#answer?.line ?? null;
  }

  /** Whether a longer search may tell more. */
  get mayGoDeeper() {
    const answer = this.#answer;
    return (
      answer !== null &&
      (answer.outcome === "unknown" ||
        (answer.outcome === "lost" && !answer.exact && answer.first_lost_ply !== 0))
    );
  }

  /** Begins. A game that goes on asks first: the answer is help. */
  open() {
    if (this.#stage !== "closed") return;
    const { status, helped } = this.#store.game;
    if (status === "open" && !(helped && !this.#store.variant.covered)) this.#show("confirm", "");
    else this.ask();
  }

  /** @param {{deeper?: boolean}} [options] */
  async ask({ deeper = false } = {}) {
    this.#answer = null;
    this.#show("asking", "Looking for the move that lost the game…");
    const more = deeper ? { deeper } : {};
    try {
      const answer = await this.#question.ask(
        ({ id, version }) => {
          if (id === null) throw new Error("A deal without a move has no move that lost it.");
          return this.#api.postMortem(id, { version, ...more });
        },
        (partly) => {
          if (partly.outcome !== "unknown") this.#show("asking", `${this.#told(partly)} Looking closer…`);
        },
      );
      // Null if another position is on the table: then this was closed.
      if (answer) this.#take(answer);
    } catch (problem) {
      this.#show("failed", refusalWords(problem));
    }
  }

  close() {
    if (this.#stage === "closed") return;
    this.#question.abandon();
    this.#answer = null;
    this.#show("closed", "");
  }

  /** @param {Stage} stage @param {string} words */
  #show(stage, words) {
    this.#mark = this.#question.mark;
    this.#stage = stage;
    this.#words = words;
    this.#changed();
  }

  /** @param {PostMortemAnswer} answer */
  #take(answer) {
    this.#answer = answer;
    if (answer.outcome === "unknown") this.#show("unknown", answer.why || "Not decided yet.");
    else this.#show("told", this.#told(answer));
  }

  /** @param {PostMortemAnswer} answer @returns {string} */
  #told({ outcome, last_won_ply: won, first_lost_ply: lost, losing_move: move, exact }) {
    const running = this.#store.status === "open";
    if (outcome === "won") {
      return running
        ? "Nothing yet: this position can still be won."
        : `The game could still be won when it was given up, after ${plyWords(this.#store.ply)}.`;
    }
    if (lost === 0) return "This deal can’t be won, whatever is played: no move of yours lost it.";
    if (lost === null) return "This position can’t be won. Which move lost it is not decided.";
    if (won === null) {
      return `The game was lost by move ${lost} at the latest. Whether the deal could be won is not decided.`;
    }
    const before = won === 0 ? "The deal could be won." : `The game could still be won until move ${won}.`;
    if (!exact || move === null) return `${before} It was lost between move ${won + 1} and move ${lost}.`;
    return `${before} Move ${lost}, ${moveWords(this.#store.positionAt(won), move)}, lost it.`;
  }
}
