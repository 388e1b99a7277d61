/**
 * Hints in levels: first which card, then where to, then the move is played.
 *
 * A hint is for the position it was asked in and goes as soon as another is on the table.
 */

import { refusalWords } from "../refusals.js";
import { cardName } from "../rules.js";
import { Question, TIMERS } from "./question.js";
import { movedCard, moveWords, plyWords } from "./words.js";

/**
 * @typedef {import("../api.js").HintAnswer} HintAnswer
 * @typedef {import("./question.js").About} About
 *
 * @typedef {"none" | "asking" | "searching" | "card" | "move" | "lost" | "unknown"} Stage
 * `searching` is a question whose answer takes long; `lost` also stands for a deal that can't be won.
 */

/** Milliseconds before a question is mentioned: an answer at once needs no words. */
const QUIET_MS = 400;

const NOTHING = { move: null, backTo: null, words: "" };

export class Hints {
  #store;
  #api;
  #question;
  #timers;
  #changed;
  #tell;
  /** @type {{stage: Stage, move: string | null, backTo: number | null, words: string}} */
  #hint = { stage: "none", ...NOTHING };
  #mark = "";
  /** @type {any} */
  #quiet;

  /**
   * @param {object} outside
   * @param {import("../state.js").GameStore} outside.store
   * @param {import("../api.js").Api} outside.api
   * @param {() => void} outside.changed told when there is something else to show
   * @param {(words: string) => void} outside.tell shows and says why there is no hint
   * @param {(run: () => void, ms: number) => any} [outside.setTimeout]
   * @param {(timer: any) => void} [outside.clearTimeout]
   */
  constructor({ store, api, changed, tell, ...timers }) {
    this.#store = store;
    this.#api = api;
    this.#changed = changed;
    this.#tell = tell;
    this.#timers = { ...TIMERS, ...timers };
    this.#question = new Question({ store, ...timers });
    store.addEventListener("change", () => {
      if (this.#mark !== this.#question.mark) this.close();
    });
  }

  /** @returns {Stage} */
  get stage() {
    return this.#hint.stage;
  }

  /** The move that is hinted at, if there is one. */
  get move() {
    return this.#hint.move;
  }

  /** The last ply from which a lost game could be won, if it is known. */
  get backTo() {
    return this.#hint.backTo;
  }

  /** What there is to be read. */
  get words() {
    return this.#hint.words;
  }

  /** Asks for a hint or goes on to its next level. @returns {string | null} the move to be played now */
  press() {
    const { stage, move } = this.#hint;
    if (stage === "asking" || stage === "searching") return null;
    if (stage === "card" && move !== null) {
      this.#show("move", { move, words: `Move ${moveWords(this.#store.position, move)}.` });
      return null;
    }
    if (stage === "move") return move;
    this.#ask(false);
    return null;
  }

  /** Asks again for a position that isn't decided yet, with a longer search. */
  deeper() {
    if (this.stage === "unknown") this.#ask(true);
  }

  /** Puts the hint away, or calls the question off. @returns {boolean} whether there was one */
  close() {
    if (this.stage === "none") return false;
    this.#question.abandon();
    this.#show("none");
    return true;
  }

  /** @param {Stage} stage @param {Partial<typeof NOTHING> | {move?: string, backTo?: number | null, words?: string}} [hint] */
  #show(stage, hint = {}) {
    this.#timers.clearTimeout(this.#quiet);
    this.#mark = this.#question.mark;
    this.#hint = { stage, ...NOTHING, ...hint };
    this.#changed();
  }

  /** @param {boolean} deeper */
  async #ask(deeper) {
    this.#hint = { stage: "asking", ...NOTHING };
    this.#mark = this.#question.mark;
    const searching = () => this.#show("searching", { words: "Looking for a way to win…" });
    if (deeper) searching();
    else this.#quiet = this.#timers.setTimeout(searching, QUIET_MS);
    try {
      const answer = await this.#question.ask((about) => this.#send(about, deeper), searching);
      if (answer) this.#take(answer);
    } catch (problem) {
      this.#show("none");
      this.#tell(refusalWords(problem));
    }
  }

  /** @param {About} about @param {boolean} deeper @returns {Promise<HintAnswer>} */
  async #send({ id, version, deal }, deeper) {
    const more = deeper ? { deeper } : {};
    if (id !== null) return this.#api.hint(id, { version, ...more });
    const { outcome, pending, reason, move } = await this.#api.solve({ ...deal, ...more });
    if (move !== null) this.#store.noteHelp();
    const back_to = outcome === "lost" ? { last_won_ply: null, first_lost_ply: 0 } : null;
    return { version, outcome, pending, move, why: reason, back_to };
  }

  /** @param {HintAnswer} answer */
  #take({ outcome, move, why, back_to }) {
    if (outcome === "won" && move !== null) {
      const card = cardName(movedCard(this.#store.position, move));
      const knows = this.#store.variant.covered ? "; the hint knows the covered cards" : "";
      this.#show("card", { move, words: `Move the ${card}${knows}.` });
    } else if (outcome === "lost") {
      const backTo = back_to?.last_won_ply ?? null;
      this.#show("lost", { backTo, words: this.#lostWords(back_to) });
    } else {
      this.#show("unknown", { words: why || "Not decided yet." });
    }
  }

  /** @param {HintAnswer["back_to"]} backTo */
  #lostWords(backTo) {
    if (!backTo) return "This position can’t be won.";
    if (backTo.last_won_ply !== null) {
      return `This position can’t be won. After ${plyWords(backTo.last_won_ply)} it still could.`;
    }
    return backTo.first_lost_ply === 0 ? "This deal can’t be won." : "This position can’t be won.";
  }
}
