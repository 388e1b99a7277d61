/**
 * The game on the table: what the player sees at once, and what the server has said.
 *
 * The server's last state is the base; the moves it has not acknowledged wait in an outbox and are played on top.
 * What is shown is always the base with those moves, so an answer changes nothing on screen unless it brings
 * something new: a card that turned up, or a game that went another way in another tab.
 */

import { randomId } from "./ids.js";
import { Outbox } from "./outbox.js";
import { fitWork, startsSame } from "./recover.js";
import {
  COVERED,
  firstPosition,
  isLegal,
  isStuck,
  isWon,
  legalMoves,
  play as playMove,
  uncovered,
} from "./rules.js";
import { MAX_PLIES, sameMoves } from "./track.js";

/**
 * @typedef {import("./api.js").Api} Api
 * @typedef {import("./api.js").GameState} GameState
 * @typedef {import("./api.js").StartBody} StartBody
 * @typedef {import("./outbox.js").Refusal} Refusal
 * @typedef {import("./outbox.js").Sync} Sync
 * @typedef {import("./rules.js").Dealt} Dealt
 * @typedef {import("./rules.js").Position} Position
 * @typedef {import("./rules.js").Variant} Variant
 * @typedef {import("./storage.js").Work} Work
 * @typedef {import("./storage.js").WorkStorage} WorkStorage
 * @typedef {import("./track.js").Track} Track
 */

/**
 * @typedef {"play" | "undo" | "redo" | "restart" | "jump" | "server" | "load"} Reason
 *
 * @typedef {object} Change
 * @property {Reason} reason
 * @property {string[]} moves the moves played, or taken back (in the order in which they were played)
 * @property {Position} from
 * @property {Position} to
 *
 * @typedef {{code: string, message: string, kept: boolean}} Refused `kept` if the moves stay on the table and will be
 *   sent later; otherwise the table shows the server's state
 */

/** @type {Record<string, string>} */
const REFUSALS = {
  stale_version: "This game was played on in another tab or on another device. Here it is as it stands now.",
  game_over: "This game has already ended. Here it is as it ended.",
  csrf_failed: "This page is out of date. Reload it to go on; your moves are kept.",
  too_many_plies: "A game holds at most 2,000 moves. Undo or restart to go on.",
  gone: "This game is no longer on the server. Start a new deal to play on.",
  gone_afresh: "This game is no longer on the server. Its deal starts afresh.",
};
const REFUSED = "The server did not take that. Here is the game as it stands.";

/**
 * All that was ever seen of the same deal: the server tells only the cards turned in the current line, but a player
 * who has undone a move has seen the card it turned.
 *
 * @param {Dealt} known
 * @param {Dealt} told
 * @returns {Dealt} `known` itself if nothing is new
 */
function withSeen(known, told) {
  const isNew = told.columns.some((cards, column) =>
    cards.some((card, index) => card !== COVERED && known.columns[column]?.[index] === COVERED),
  );
  if (!isNew) return known;
  const columns = told.columns.map((cards, column) =>
    cards.map((card, index) => (card === COVERED ? (known.columns[column]?.[index] ?? COVERED) : card)),
  );
  return { columns, foundations: told.foundations };
}

/** @param {Position} one @param {Position} other */
const looksSame = (one, other) =>
  JSON.stringify([one.columns, one.foundations]) === JSON.stringify([other.columns, other.foundations]);

export class GameStore extends EventTarget {
  #variants;
  #api;
  #storage;
  #timers;
  #newId;
  /** @type {GameState} */
  #state;
  /** @type {Variant} */
  #variant;
  /** @type {Dealt} */
  #dealt;
  /** @type {Outbox} */
  #outbox;
  /** Outboxes of games that have left the table before all was acknowledged. @type {Set<Outbox>} */
  #others = new Set();
  /** The last answers for games that aren't on the table, by id. @type {Map<string | null, GameState>} */
  #news = new Map();
  /** The line with what waits, as it was when the positions were worked out. @type {Track} */
  #track = { line: [], redo: [] };
  /**
   * Positions by ply. They end early while a move of the line waits for a card that only the server knows.
   * @type {Position[]}
   */
  #positions = [];
  #layout = "";
  #gone = false;
  #ended = false;

  /**
   * @param {object} options
   * @param {GameState} options.game
   * @param {Record<string, Variant>} options.variants by slug
   * @param {Api} options.api
   * @param {WorkStorage} options.storage
   * @param {string} [options.layout] the text to start the game with, if its deal has no number
   * @param {(run: () => void, ms: number) => any} [options.setTimeout]
   * @param {(timer: any) => void} [options.clearTimeout]
   * @param {() => string} [options.newId]
   */
  constructor({
    game,
    variants,
    api,
    storage,
    layout = "",
    setTimeout = (run, ms) => globalThis.setTimeout(run, ms),
    clearTimeout = (timer) => globalThis.clearTimeout(timer),
    newId = randomId,
  }) {
    super();
    this.#variants = variants;
    this.#api = api;
    this.#storage = storage;
    this.#timers = { setTimeout, clearTimeout };
    this.#newId = newId;
    this.#state = game;
    this.#dealt = game.dealt;
    this.#variant = this.#variantOf(game);
    this.#layout = layout;
    this.#outbox = this.#outboxFor(game);
    this.#replay();
    this.#ended = this.status !== "open";
    storage.adopt((work) => this.#adopt(work));
  }

  // What is on the table

  get variant() {
    return this.#variant;
  }

  /** The server's last state with what the player has done since. @returns {GameState} */
  get game() {
    const position = this.position;
    return {
      ...this.#state,
      id: this.#outbox.game,
      status: this.status,
      ply: this.ply,
      line: [...this.line],
      redo: [...this.redoLine],
      columns: position.columns.map((column) => [...column]),
      foundations: position.foundations,
      dealt: this.#dealt,
      legal: this.status === "open" ? legalMoves(this.#variant, position) : [],
      stuck: this.stuck,
    };
  }

  /** @returns {Position} */
  get position() {
    return /** @type {Position} */ (this.#positions[this.ply]);
  }

  /** @returns {ReadonlyArray<string>} */
  get line() {
    return this.#track.line.slice(0, this.ply);
  }

  get ply() {
    return this.#positions.length - 1;
  }

  /** @returns {ReadonlyArray<string>} what redo would play, first move first */
  get redoLine() {
    return [...this.#track.line.slice(this.ply), ...this.#track.redo];
  }

  /** @returns {"open" | "won" | "lost"} a win shows at once, before the server has confirmed it */
  get status() {
    if (this.#state.status !== "open") return this.#state.status;
    return isWon(this.position) ? "won" : "open";
  }

  get stuck() {
    return this.status === "open" && isStuck(this.#variant, this.position);
  }

  /** @returns {Set<number>} columns, from 0, whose next card only the server knows */
  get awaiting() {
    const { columns } = this.position;
    return new Set([...columns.keys()].filter((column) => columns[column]?.at(-1) === COVERED));
  }

  /** Whether the server has this game. */
  get started() {
    return this.#outbox.game !== null;
  }

  /** Seconds played, as of the server's last answer. */
  get seconds() {
    return this.#state.seconds;
  }

  /** @returns {Sync} */
  get sync() {
    return this.#outbox.sync;
  }

  get canUndo() {
    return this.#open && this.ply > 0;
  }

  get canRedo() {
    const [next] = this.#track.redo;
    return this.#canPlay && next !== undefined && isLegal(this.#variant, this.position, next);
  }

  /**
   * The position at any ply of the line and its redo tail, or the last one known before it.
   *
   * @param {number} ply
   * @returns {Position}
   */
  positionAt(ply) {
    const known = this.#positions[Math.max(0, ply)];
    if (known) return known;
    const ahead = this.redoLine.slice(0, ply - this.ply);
    return this.#follow(this.position, ahead).at(-1) ?? this.position;
  }

  // What the player does

  /** @param {string} move @returns {boolean} whether it was legal and is played */
  play(move) {
    if (!this.#canPlay || !isLegal(this.#variant, this.position, move)) return false;
    return this.#advance("play", [move]);
  }

  undo() {
    return this.canUndo && this.#goBack("undo", this.ply - 1);
  }

  redo() {
    return this.canRedo && this.#advance("redo", this.redoLine.slice(0, 1));
  }

  /** Goes back to the first position; the whole line can be redone. */
  restart() {
    return this.canUndo && this.#goBack("restart", 0);
  }

  /**
   * Goes to a ply of the line or its redo tail. Where a move waits for a card that only the server knows, the table
   * follows when the card has come.
   *
   * @param {number} ply
   * @returns {boolean} whether there is such a ply, and it is not the current one
   */
  goTo(ply) {
    if (!this.#open || !Number.isInteger(ply) || ply < 0 || ply === this.ply) return false;
    if (ply < this.ply) return this.#goBack("jump", ply);
    const ahead = this.redoLine.slice(0, ply - this.ply);
    return this.#canPlay && ahead.length === ply - this.ply && this.#advance("jump", ahead);
  }

  /** Gives the game up, after all moves have arrived. @returns {Promise<boolean>} whether it is lost by that */
  async resign() {
    if (!this.#open || (!this.started && this.#outbox.idle)) return false;
    const outbox = this.#outbox;
    outbox.resign();
    await outbox.flush();
    return this.#outbox === outbox && this.#state.status === "lost";
  }

  /**
   * Puts another game or deal on the table. What the old one has not acknowledged is sent all the same.
   *
   * @param {GameState} state
   * @param {{layout?: string}} [options] `layout`: the text to start the game with, if its deal has no number
   * @returns {void}
   */
  load(state, { layout = "" } = {}) {
    const news = this.#news.get(state.id);
    // The state was fetched while moves of that game were still arriving.
    if (news && news.version > state.version) return this.load(news);
    const from = this.position;
    this.#leaveTable(this.#outbox);
    this.#layout = layout;
    this.#dealt = state.dealt;
    this.#put(state);
    const same = [...this.#others].find((outbox) => outbox.game !== null && outbox.game === state.id);
    if (same) {
      this.#others.delete(same);
      this.#outbox = same;
      same.listener = this.#listenerFor(() => same);
    } else {
      this.#outbox = this.#outboxFor(state);
    }
    this.#replay();
    this.#ended = this.status !== "open";
    this.#changed("load", [], from);
    this.#emit("sync");
  }

  /** The deal by number or layout, as the server is asked about one that isn't started. */
  get dealBody() {
    return { variant: this.#state.variant, ...this.#dealtFrom };
  }

  /** Notes that help was taken with a deal that isn't started yet: its game counts as helped from the start. */
  noteHelp() {
    if (!this.started) this.#state = { ...this.#state, helped: true };
  }

  /** Takes a state that came with an answer to another question: somebody else may have played. @param {GameState} state */
  hear(state) {
    const { line } = this;
    this.#hear(state);
    if (!sameMoves(line, this.line)) this.#refused("stale_version", REFUSALS.stale_version, false);
  }

  /** Fetches the game anew if nothing is under way: another tab may have played it. */
  async refresh() {
    const outbox = this.#outbox;
    if (!outbox.game || !outbox.idle) return;
    try {
      this.#hear(await this.#api.game(outbox.game));
    } catch {
      // The next move will tell what is wrong; looking may fail unseen.
    }
  }

  /** @returns {Promise<void>} fulfilled when all that was done is acknowledged or refused */
  async flush() {
    await Promise.all([this.#outbox, ...this.#others].map((outbox) => outbox.flush()));
  }

  /** Tries again at once, for instance when the browser is online again. */
  retryNow() {
    for (const outbox of [this.#outbox, ...this.#others]) outbox.retryNow();
  }

  // Moves

  get #open() {
    return this.status === "open" && this.#outbox.open && !this.#gone;
  }

  get #canPlay() {
    return this.#open && this.ply === this.#track.line.length;
  }

  /** @param {Reason} reason @param {ReadonlyArray<string>} moves @returns {boolean} */
  #advance(reason, moves) {
    const from = this.position;
    if (this.ply + moves.length > MAX_PLIES) {
      this.#refused("too_many_plies", REFUSALS.too_many_plies, true);
      return false;
    }
    const played = this.#follow(from, moves);
    this.#outbox.start(this.#startBody);
    for (const move of moves) this.#outbox.play(move);
    this.#track = this.#outbox.track;
    this.#positions.push(...played);
    this.#changed(reason, moves.slice(0, played.length), from);
    return true;
  }

  /** @param {Reason} reason @param {number} ply @returns {true} */
  #goBack(reason, ply) {
    const from = this.position;
    const moves = this.line.slice(ply);
    this.#outbox.stepBack(ply);
    this.#track = this.#outbox.track;
    this.#positions.length = ply + 1;
    this.#changed(reason, moves, from);
    return true;
  }

  /**
   * The positions after each move, as far as the cards are known.
   *
   * @param {Position} position
   * @param {ReadonlyArray<string>} moves
   * @returns {Position[]}
   */
  #follow(position, moves) {
    const positions = [];
    let now = position;
    for (const move of moves) {
      if (!isLegal(this.#variant, now, move)) break;
      now = playMove(this.#variant, now, move);
      positions.push(now);
    }
    return positions;
  }

  #replay() {
    const first = firstPosition(this.#variant, this.#dealt);
    this.#track = this.#outbox.track;
    this.#positions = [first, ...this.#follow(first, this.#track.line)];
    if (this.#state.status !== "open") this.#positions.push(uncovered(this.#positions.pop() ?? first));
  }

  // The server

  /** @param {GameState} state @returns {Variant} */
  #variantOf({ variant }) {
    const found = this.#variants[variant];
    if (!found) throw new Error(`No variant “${variant}”.`);
    return found;
  }

  /** @returns {StartBody} */
  get #startBody() {
    const { variant, kind, board, helped } = this.#state;
    const dealt = board ? { board: board.date } : this.#dealtFrom;
    return { variant, kind, ...dealt, ...(helped ? { helped } : {}) };
  }

  /** @returns {{layout?: string, deal?: string}} */
  get #dealtFrom() {
    const { deal } = this.#state;
    if (this.#layout) return { layout: this.#layout };
    return deal === null ? {} : { deal };
  }

  /** @param {{id: string | null, version: number, line: ReadonlyArray<string>, redo: ReadonlyArray<string>}} game */
  #outboxFor(game) {
    /** @type {Outbox} */
    const outbox = new Outbox(
      { api: this.#api, storage: this.#storage, newId: this.#newId, ...this.#timers },
      this.#listenerFor(() => outbox),
      game,
    );
    return outbox;
  }

  /** @param {() => Outbox} its @returns {import("./outbox.js").Listener} */
  #listenerFor(its) {
    const onTable = () => its() === this.#outbox;
    return {
      started: (state) => {
        if (onTable()) this.#emit("started", { id: state.id });
      },
      answered: (state) => {
        if (onTable()) this.#take(state);
        else this.#hear(state);
      },
      refused: (refusal) => {
        if (onTable()) this.#takeRefusal(refusal);
        else if (refusal.state) this.#hear(refusal.state);
      },
      blocked: (error) => {
        if (onTable()) this.#refused(error.code, REFUSALS[error.code] ?? error.message, true);
      },
      synced: () => {
        if (onTable()) this.#emit("sync");
      },
    };
  }

  /** @param {Outbox} outbox */
  #leaveTable(outbox) {
    if (outbox.idle) return;
    this.#others.add(outbox);
    outbox.flush().then(() => this.#others.delete(outbox));
  }

  /** @param {GameState} state of the game whose dealt cards are known already */
  #put(state) {
    this.#state = state;
    this.#variant = this.#variantOf(state);
    this.#dealt = withSeen(this.#dealt, state.dealt);
    this.#gone = false;
  }

  /** Takes an answer for the game on the table. @param {GameState} state */
  #take(state) {
    const from = this.position;
    const { line, redoLine: redo, status } = this;
    const dealt = this.#dealt;
    const confirmed = this.#state.status === "open" && state.status !== "open";
    this.#put(state);
    if (confirmed || this.#dealt !== dealt || !sameMoves(this.#outbox.track.line, this.#track.line))
      this.#replay();
    this.#track = this.#outbox.track;
    const unchanged =
      this.status === status &&
      sameMoves(this.line, line) &&
      sameMoves(this.redoLine, redo) &&
      looksSame(this.position, from);
    if (!unchanged) this.#changed("server", [], from);
    if (confirmed) this.#emit("confirmed", { status: state.status });
  }

  /** Takes a state that came by another way, if it is news of the game on the table. @param {GameState} state */
  #hear(state) {
    const outbox = this.#outbox;
    this.#news.set(state.id, state);
    if (state.id !== outbox.game || !outbox.idle || state.version < outbox.version) return;
    outbox.rebase(state);
    this.#take(state);
  }

  /** @param {Refusal} refusal */
  async #takeRefusal({ code, message, state, starting }) {
    if (state) {
      this.#take(state);
      this.#refused(code, REFUSALS[code] ?? (message || REFUSED), false);
    } else if (starting) {
      this.#take(this.#state);
      this.#refused(code, message || REFUSED, false);
    } else {
      await this.#startAfresh();
    }
  }

  /** Puts the deal of a game on the table that the server no longer has. */
  async #startAfresh() {
    const outbox = this.#outbox;
    const { kind, variant, deal } = this.#state;
    this.#gone = true;
    /** @type {GameState | null} */
    let afresh = null;
    if (kind === "casual" && deal !== null) afresh = await this.#api.deal(variant, deal).catch(() => null);
    if (outbox !== this.#outbox) return;
    if (afresh) this.load(afresh);
    else this.#take({ ...this.#state });
    this.#gone = afresh === null;
    const code = afresh ? "gone_afresh" : "gone";
    this.#refused("not_found", /** @type {string} */ (REFUSALS[code]), false);
  }

  /**
   * Goes on with what a page that is gone had not sent.
   *
   * @param {Work} work
   */
  #adopt(work) {
    const outbox = this.#outbox;
    if (outbox.idle && work.game !== null && work.game === outbox.game) {
      const { work: rest, lost } = fitWork(work, this.#state);
      if (rest) outbox.take(rest);
      this.#take(this.#state);
      if (lost) this.#refused("stale_version", /** @type {string} */ (REFUSALS.stale_version), false);
    } else if (outbox.idle && !outbox.game && work.start && startsSame(work.start, this.#startBody)) {
      outbox.take(work);
      this.#take(this.#state);
    } else {
      this.#sendForAnother(work);
    }
  }

  /** Sends the work of a game that isn't on the table, and tells when that is done. @param {Work} work */
  async #sendForAnother(work) {
    /** @type {GameState | null} */
    let last = null;
    const outbox = this.#outboxFor({ id: work.game, ...work.base });
    const { answered, refused } = outbox.listener;
    outbox.listener = {
      ...outbox.listener,
      answered: (state) => {
        last = state;
        answered(state);
      },
      refused: (refusal) => {
        last = refusal.state;
        refused(refusal);
        // There is no game that could tell: a board that has closed, for instance.
        if (refusal.starting && outbox !== this.#outbox) this.#refused(refusal.code, refusal.message, true);
      },
    };
    outbox.take(work);
    this.#leaveTable(outbox);
    await outbox.flush();
    if (last && outbox.game !== this.#outbox.game) this.#emit("recovered", { game: last });
  }

  // Events

  /** @param {Reason} reason @param {ReadonlyArray<string>} moves @param {Position} from */
  #changed(reason, moves, from) {
    this.#emit("change", { reason, moves: [...moves], from, to: this.position });
    const { status } = this;
    const ended = status !== "open";
    if (ended && !this.#ended) this.#emit("finished", { status });
    this.#ended = ended;
  }

  /** @param {string} code @param {string | undefined} message @param {boolean} kept */
  #refused(code, message, kept) {
    this.#emit("refused", { code, message: message ?? REFUSED, kept });
  }

  /** @param {string} type @param {object} [detail] */
  #emit(type, detail = {}) {
    this.dispatchEvent(new CustomEvent(type, { detail }));
  }
}
