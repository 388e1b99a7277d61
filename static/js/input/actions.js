/**
 * What a player can do on the table, whatever the hand does it with: play, pick up and put down, undo, finish.
 *
 * Moves that are played for the player (safe cards going home, auto-complete) are ordinary moves. Their plies are
 * noted, so that one undo goes back to before the player's own move; and after an undo nothing plays by itself until
 * the next own move.
 */

import {
  bestMove,
  COVERED,
  cardName,
  columnIndex,
  columnName,
  columnTargets,
  finishingLine,
  HOME,
  rankOf,
  safeMoves,
  suitOf,
  targets,
  whyNot,
} from "../rules.js";
import { cardTitle } from "../view/cards.js";
import { isStill, pace, refuse } from "../view/motion.js";

/** Milliseconds between the moves of auto-complete at normal speed: each is seen to leave, and 52 don't take long. */
const FINISH_STEP = 110;

const AUTOPLAY_OFF =
  "Autoplay is off: drag the card, or switch “Autoplay (click to play)” on in the settings.";

export class Actions {
  /** @type {import("../state.js").GameStore} */ #store;
  /** @type {import("../view/table.js").Table} */ #table;
  /** @type {import("../settings.js").Settings} */ #settings;
  /** @type {(words: string) => void} */ #tell;
  /** @type {(words: string) => void} */ #say;
  /** @type {() => void} */ #changed;
  /** @type {() => boolean} */ #mayPlay;
  /** The column whose card is picked up, and whether by keys or because a tap asks where to. */
  /** @type {{column: number, card: string, asked: boolean} | null} */ #picked = null;
  /** Indexes in the line of moves that were played for the player. @type {Set<number>} */ #automatic =
    new Set();
  /** Whether the last thing done was an own move, so that others may follow by themselves. */
  #mayFollow = false;
  /** @type {ReturnType<typeof setTimeout> | null} */ #finishing = null;

  /**
   * @param {object} parts
   * @param {import("../state.js").GameStore} parts.store
   * @param {import("../view/table.js").Table} parts.table
   * @param {import("../settings.js").Settings} parts.settings
   * @param {(words: string) => void} parts.tell shows and says why something didn't happen
   * @param {(words: string) => void} parts.say says it only
   * @param {() => void} parts.changed told when what the strip offers may have changed without a move
   * @param {() => boolean} [parts.mayPlay] asked before an own move that is legal; false if it mustn't be played, and
   *   then it has been said why
   */
  constructor({ store, table, settings, tell, say, changed, mayPlay = () => true }) {
    this.#store = store;
    this.#table = table;
    this.#settings = settings;
    this.#tell = tell;
    this.#say = say;
    this.#changed = changed;
    this.#mayPlay = mayPlay;
  }

  /** @returns {boolean} whether auto-complete is playing */
  get isFinishing() {
    return this.#finishing !== null;
  }

  /** @returns {boolean} whether the game may be finished by foundation moves alone */
  get canFinish() {
    return this.#store.status === "open" && finishingLine(this.#store.variant, this.#store.position) !== null;
  }

  /** @param {number} column @returns {string} its top card, or "" */
  #top(column) {
    const cards = this.#store.position.columns[column] ?? [];
    return cards[cards.length - 1] ?? "";
  }

  /** @param {number} column @returns {string[]} the moves of its top card */
  #moves(column) {
    return targets(this.#store.variant, this.#store.position, column);
  }

  /** @param {number} column @returns {string[] | null} the moves of a card in hand; null if it can't be held */
  placesOf(column) {
    const card = this.#top(column);
    return card === "" || card === COVERED || this.#store.status !== "open" ? null : this.#moves(column);
  }

  /** @param {number} column @returns {string[] | null} the moves of the card, when a drag may begin */
  lift(column) {
    this.stopFinishing();
    this.cancelPick();
    return this.placesOf(column);
  }

  // Moves

  /**
   * @param {string} move
   * @param {(reason: string) => void} [otherwise] called with why it isn't possible
   * @returns {boolean}
   */
  #play(move, otherwise = () => {}) {
    const { ply, redoLine, status, variant, position } = this.#store;
    const isPossible = status === "open" && whyNot(variant, position, move) === null;
    if (isPossible && !this.#mayPlay()) return false;
    this.#forget(redoLine[0] === move ? [ply] : null, ply);
    this.#mayFollow = true;
    if (this.#store.play(move)) {
      this.#follow();
      return true;
    }
    this.#mayFollow = false;
    otherwise(this.#reason(move));
    return false;
  }

  /** @param {string} move plays it for the player */
  #playAlong(move) {
    const { ply, redoLine } = this.#store;
    this.#forget(redoLine[0] === move ? [] : null, ply);
    const played = this.#store.play(move);
    if (played) this.#automatic.add(ply);
    return played;
  }

  /**
   * @param {number[] | null} plies moves that are no longer automatic; null for all from `from` on
   * @param {number} from
   */
  #forget(plies, from) {
    for (const ply of plies ?? [...this.#automatic].filter((each) => each >= from))
      this.#automatic.delete(ply);
  }

  /** Plays what follows an own move by itself, if anything does. */
  #follow() {
    if (!this.#mayFollow || this.#store.status !== "open" || this.isFinishing) return;
    if (this.#settings.get("autocomplete") && this.canFinish) {
      this.finish();
      return;
    }
    if (!this.#settings.get("safeHome")) return;
    for (const move of safeMoves(this.#store.variant, this.#store.position)) {
      if (!this.#playAlong(move)) return;
    }
  }

  /** @returns {number[]} moves of the line that were played for the player, to be remembered over a reload */
  get automatic() {
    return [...this.#automatic];
  }

  /** @param {number[]} plies */
  remember(plies) {
    this.#automatic = new Set(plies);
  }

  /** The server has turned a card up: what waited for it may follow now. */
  serverAnswered() {
    if (this.#picked && this.#top(this.#picked.column) !== this.#picked.card) this.cancelPick();
    this.#follow();
  }

  /** Another game is on the table. */
  forgetAll() {
    this.stopFinishing();
    this.cancelPick();
    this.#automatic.clear();
    this.#mayFollow = false;
  }

  /**
   * @param {number} column
   * @param {string} place
   * @returns {boolean} whether the card went there; if not, the reason has been told
   */
  drop(column, place) {
    this.stopFinishing();
    return this.#play(columnName(column) + place, this.#tell);
  }

  /** @param {string} move @returns {string} */
  #reason(move) {
    if (this.#store.status !== "open") return "This game has ended. Deal a new one to play on.";
    return whyNot(this.#store.variant, this.#store.position, move) ?? "The table waits for the server.";
  }

  /**
   * A tap or click.
   *
   * @param {string} place a column's name, "h", or "" for the bare felt
   * @param {boolean} buried whether a card was meant that others cover
   * @returns {boolean} whether it played a card
   */
  tap(place, buried) {
    if (this.isFinishing) {
      this.stopFinishing();
      return false;
    }
    if (this.#picked) return this.#tapTarget(place);
    const column = columnIndex(place);
    const card = column < 0 ? "" : this.#top(column);
    if (card === "") return false;
    if (this.#store.status !== "open") {
      this.#tell("This game has ended. Deal a new one to play on.");
      return false;
    }
    if (card === COVERED) {
      this.#tell(`The next card of column ${column + 1} is being turned up.`);
      return false;
    }
    if (buried) {
      this.#tell("Only the top card of a column can move: the last one, which no card covers.");
      return false;
    }
    this.#table.setStopAt(place);
    return this.#tapCard(column, card);
  }

  /** @param {number} column @param {string} card @returns {boolean} */
  #tapCard(column, card) {
    const { variant, position } = this.#store;
    const move = bestMove(variant, position, column, { prefer: this.#settings.get("tap") });
    if (move === null) {
      this.#refuse(column, this.#nowhere(column, card));
      return false;
    }
    if (!this.#settings.get("autoplay")) {
      this.#tell(AUTOPLAY_OFF);
      return false;
    }
    if (move.charAt(1) !== HOME && this.#settings.get("ask") && this.#choices(column).length > 1) {
      this.#pick(column, true);
      return false;
    }
    return this.#play(move);
  }

  /** @param {number} column @returns {string[]} columns worth asking about: empty ones are all alike */
  #choices(column) {
    const { variant, position } = this.#store;
    const moves = columnTargets(variant, position, column);
    const isEmpty = (/** @type {string} */ move) =>
      position.columns[columnIndex(move.charAt(1))].length === 0;
    return moves.every(isEmpty) ? moves.slice(0, 1) : moves;
  }

  /** @param {number} column @param {string} card @returns {string} why a card has no place now */
  #nowhere(column, card) {
    const { position } = this.#store;
    if (rankOf(card) === 13 && position.columns[column].length > 0) {
      return `The ${cardName(card)} goes home last; no card takes it.`;
    }
    return `There is no place for the ${cardName(card)} now.`;
  }

  /** @param {number} column @param {string} words */
  #refuse(column, words) {
    const node = this.#table.topNode(column);
    if (node) refuse(node);
    this.#tell(words);
  }

  /** @param {string} place @returns {boolean} */
  #tapTarget(place) {
    const picked = /** @type {{column: number}} */ (this.#picked);
    if (place === "" || place === columnName(picked.column)) {
      this.cancelPick();
      return false;
    }
    if (!this.#settings.get("autoplay")) {
      this.#tell(AUTOPLAY_OFF);
      return false;
    }
    return this.putDown(place);
  }

  /** @param {string} place a focused place: F sends its top card home */
  home(place) {
    this.stopFinishing();
    const column = this.#picked?.column ?? columnIndex(place);
    if (column < 0) {
      this.#tell("Go to a column with the arrow keys first.");
      return;
    }
    this.cancelPick();
    this.#play(columnName(column) + HOME, (reason) => this.#refuse(column, reason));
  }

  // Pick up and put down

  /** @param {number} column @param {boolean} asked */
  #pick(column, asked) {
    const card = this.#top(column);
    if (card === "") {
      this.#tell(`Column ${column + 1} is empty.`);
      return;
    }
    const moves = this.placesOf(column);
    if (moves === null) {
      this.#tell(this.#reason(columnName(column) + HOME));
      return;
    }
    if (moves.length === 0) {
      this.#refuse(column, this.#nowhere(column, card));
      return;
    }
    const places = (asked ? this.#choices(column) : moves).map((move) => move.charAt(1));
    this.#picked = { column, card, asked };
    this.#table.markPicked(column);
    this.#table.markTargets(places, suitOf(card));
    const words = places.map((place) =>
      place === HOME ? "its foundation" : `column ${columnIndex(place) + 1}`,
    );
    const list = words.length > 1 ? `${words.slice(0, -1).join(", ")} or ${words.at(-1)}` : words[0];
    if (asked) this.#tell(`Where to? Tap ${list}.`);
    else this.#say(`${cardTitle(card)} picked up. It fits on ${list}.`);
  }

  /** @param {string} place @returns {boolean} */
  putDown(place) {
    if (!this.#picked) return false;
    const { column } = this.#picked;
    if (place === columnName(column)) {
      this.cancelPick();
      return false;
    }
    const move = columnName(column) + place;
    const reason = whyNot(this.#store.variant, this.#store.position, move);
    if (reason !== null) {
      this.#tell(reason);
      return false;
    }
    this.#clearPick();
    return this.#play(move);
  }

  #clearPick() {
    this.#picked = null;
    this.#table.markPicked(-1);
    this.#table.markTargets([]);
  }

  /** @returns {boolean} whether a card was picked up and lies in its place again */
  cancelPick() {
    if (!this.#picked) return false;
    const { card } = this.#picked;
    this.#clearPick();
    this.#say(`${cardTitle(card)} put back.`);
    return true;
  }

  /** @param {string} place Enter there: as a tap does, and where taps don't play, as Space does */
  enter(place) {
    if (this.#picked || !this.#settings.get("autoplay")) this.space(place);
    else this.tap(place, false);
  }

  /** @param {string} place Space there: picks the top card up or puts down the one in hand */
  space(place) {
    this.stopFinishing();
    if (this.#picked) this.putDown(place);
    else if (place !== HOME) this.#pick(columnIndex(place), false);
  }

  /** @param {string} place assistive technology pressed the button there */
  activate(place) {
    this.enter(place);
  }

  // Back and forth

  undo() {
    this.stopFinishing();
    this.cancelPick();
    this.#mayFollow = false;
    const { ply } = this.#store;
    let to = ply - 1;
    while (to > 0 && this.#automatic.has(to)) to -= 1;
    if (to < 0 || !(to === ply - 1 ? this.#store.undo() : this.#store.goTo(to))) this.#nothing("undo");
  }

  redo() {
    this.stopFinishing();
    this.cancelPick();
    this.#mayFollow = false;
    const { ply, redoLine } = this.#store;
    let to = ply + 1;
    while (to - ply < redoLine.length && this.#automatic.has(to)) to += 1;
    const done = this.#store.canRedo && (to === ply + 1 ? this.#store.redo() : this.#store.goTo(to));
    if (!done) this.#nothing("redo");
  }

  restart() {
    this.stopFinishing();
    this.cancelPick();
    this.#mayFollow = false;
    this.#store.restart();
  }

  /** @param {number} ply @returns {boolean} whether the table shows that ply of the line now, and didn't before */
  goTo(ply) {
    this.stopFinishing();
    this.cancelPick();
    this.#mayFollow = false;
    return this.#store.goTo(ply);
  }

  /** @param {"undo" | "redo"} what */
  #nothing(what) {
    if (this.#store.status !== "open") this.#tell("This game has ended; it stays as it is.");
    else this.#say(`Nothing to ${what}.`);
  }

  // Auto-complete

  /** Plays the foundation moves that finish the game, one after another. */
  finish() {
    if (!this.canFinish || this.isFinishing) return;
    this.cancelPick();
    this.#table.state("finishing", "");
    if (isStill()) {
      this.#finishRest();
      return;
    }
    this.#finishing = setTimeout(() => this.#finishNext(), FINISH_STEP * pace());
    this.#changed();
  }

  #finishNext() {
    const [move] = finishingLine(this.#store.variant, this.#store.position) ?? [];
    if (move === undefined || !this.#playAlong(move) || this.#store.status !== "open") {
      this.stopFinishing();
      return;
    }
    this.#finishing = setTimeout(() => this.#finishNext(), FINISH_STEP * pace());
  }

  #finishRest() {
    for (const move of finishingLine(this.#store.variant, this.#store.position) ?? []) {
      if (!this.#playAlong(move)) break;
    }
    this.stopFinishing();
  }

  /** Plays the rest of auto-complete at once. */
  skip() {
    if (!this.isFinishing) return;
    clearTimeout(this.#finishing ?? undefined);
    this.#finishRest();
  }

  stopFinishing() {
    const was = this.isFinishing;
    clearTimeout(this.#finishing ?? undefined);
    this.#finishing = null;
    this.#table.state("finishing", null);
    // What was stopped doesn't start again until an own move asks for it.
    if (was) {
      this.#mayFollow = false;
      this.#changed();
    }
  }
}
