/**
 * Sends one game's moves to the server: in order, one request at a time, until each is answered.
 *
 * 1. What the player does is added to the work and stored before anything else.
 * 2. The first thing not yet sent gets its final form, is stored in that form and goes out. Whatever piles up
 *    meanwhile goes out together.
 * 3. Without an answer, or when the server is busy, the very same request goes out again, later and later. The server
 *    knows it by its `request_id`, so it counts once even if only the answer was lost.
 * 4. An answer becomes the new base. If the line isn't the one this page expected, somebody else plays the game too:
 *    what waits was meant for another position and is dropped.
 * 5. A refusal drops everything that waits, for the same reason. The server's state comes with it or is fetched.
 */

import { ApiError } from "./api.js";
import { randomId } from "./ids.js";
import { applyBatch, applyBatches, sameMoves, withMove, withStepBack } from "./track.js";

/**
 * @typedef {import("./api.js").Api} Api
 * @typedef {import("./api.js").GameState} GameState
 * @typedef {import("./api.js").StartBody} StartBody
 * @typedef {import("./storage.js").Work} Work
 * @typedef {import("./storage.js").WorkStorage} WorkStorage
 * @typedef {import("./track.js").Track} Track
 */

/**
 * Whether everything is acknowledged, a request is under way, the server was busy, or it can't be reached.
 * @typedef {"idle" | "sending" | "retrying" | "offline"} Sync
 */

/**
 * @typedef {object} Refusal
 * @property {string} code
 * @property {string} message the server's, or empty
 * @property {GameState | null} state the game as the server has it; null if the server has no such game
 * @property {boolean} starting whether it was the start that was refused
 */

/**
 * @typedef {object} Listener
 * @property {(state: GameState) => void} started
 * @property {(state: GameState) => void} answered
 * @property {(refusal: Refusal) => void} refused nothing is left to send
 * @property {(error: ApiError) => void} blocked the server doesn't accept this page's requests; all is kept
 * @property {() => void} synced `sync` has changed
 */

/**
 * @typedef {object} Outside
 * @property {Api} api
 * @property {WorkStorage} storage
 * @property {(run: () => void, ms: number) => any} setTimeout
 * @property {(timer: any) => void} clearTimeout
 * @property {() => string} [newId]
 */

/** Waits between attempts, in milliseconds: doubled each time, short enough to notice that the server is back. */
const FIRST_WAIT_MS = 1_000;
const LONGEST_WAIT_MS = 30_000;

/** @param {Work["base"]} state @returns {Work["base"]} */
const baseOf = ({ version, line, redo }) => ({ version, line, redo });

/** @param {Work} work */
const isDone = (work) => !work.start && !work.sent && work.waiting.length === 0 && !work.resign;

export class Outbox {
  #api;
  #storage;
  #setTimeout;
  #clearTimeout;
  #newId;
  #key;
  /** @type {Work} */
  #work;
  /** @type {Track | null} */
  #track = null;
  /** @type {Sync} */
  #sync = "idle";
  #running = false;
  #refusing = false;
  #failures = 0;
  #blocked = false;
  /** @type {(() => void) | null} */
  #wake = null;
  /** @type {Array<() => void>} */
  #flushed = [];

  /** @type {Listener} */
  listener;

  /**
   * @param {Outside} outside
   * @param {Listener} listener
   * @param {{id: string | null, version: number, line: ReadonlyArray<string>, redo: ReadonlyArray<string>}} game as
   *   the server has it; the id is null if it isn't started
   */
  constructor({ api, storage, setTimeout, clearTimeout, newId = randomId }, listener, game) {
    this.#api = api;
    this.#storage = storage;
    this.#setTimeout = setTimeout;
    this.#clearTimeout = clearTimeout;
    this.#newId = newId;
    this.#key = storage.newKey();
    this.listener = listener;
    this.#work = { game: game.id, start: null, base: baseOf(game), sent: null, waiting: [], resign: null };
  }

  /** The line and redo tail as they will be when all is acknowledged. @returns {Track} */
  get track() {
    const { base, sent, waiting } = this.#work;
    this.#track ??= applyBatches(base, sent ? [sent, ...waiting] : waiting);
    return this.#track;
  }

  get game() {
    return this.#work.game;
  }

  get version() {
    return this.#work.base.version;
  }

  /** Whether all is acknowledged. */
  get idle() {
    return isDone(this.#work) && !this.#refusing;
  }

  /** Whether moves can be added. */
  get open() {
    return !this.#refusing && !this.#work.resign;
  }

  get sync() {
    return this.#sync;
  }

  /** Starts the game, if that wasn't asked for yet. @param {StartBody} body without `request_id` */
  start(body) {
    if (this.#work.game || this.#work.start) return;
    this.#change({ start: { ...body, request_id: this.#newId() } });
  }

  /** @param {string} move */
  play(move) {
    const ply = this.track.line.length;
    this.#change({ waiting: withMove(this.#work.waiting, ply, move, this.#newId) });
  }

  /** @param {number} at */
  stepBack(at) {
    this.#change({ waiting: withStepBack(this.#work.waiting, at, this.#newId) });
  }

  resign() {
    this.#change({ resign: { request_id: this.#newId(), version: null } });
  }

  /** Puts the server's newer state under an idle outbox. @param {GameState} state */
  rebase(state) {
    this.#change({ base: baseOf(state) });
  }

  /** Goes on with the work of a page that is gone. @param {Work} work */
  take(work) {
    this.#change(work);
  }

  /** @returns {Promise<void>} fulfilled when all is acknowledged or refused */
  flush() {
    if (this.idle) return Promise.resolve();
    return new Promise((resolve) => this.#flushed.push(resolve));
  }

  /** Doesn't wait any longer to try again. */
  retryNow() {
    this.#wake?.();
  }

  /** @param {Partial<Work>} changes */
  #change(changes) {
    this.#work = { ...this.#work, ...changes };
    this.#track = null;
    if (isDone(this.#work)) this.#storage.remove(this.#key);
    else {
      this.#storage.save(this.#key, this.#work);
      this.#run();
    }
  }

  /** @param {Sync} sync */
  #setSync(sync) {
    if (this.#sync === sync) return;
    this.#sync = sync;
    this.listener.synced();
  }

  async #run() {
    if (this.#running) return;
    this.#running = true;
    this.#setSync("sending");
    // What is done in one go (a king and all that follows it home) leaves in one batch.
    await null;
    while (!isDone(this.#work)) {
      await this.#attempt(
        () => this.#sendNext(),
        (error) => this.#giveUp(error),
      );
    }
    this.#running = false;
    this.#setSync("idle");
    for (const resolve of this.#flushed.splice(0)) resolve();
  }

  /**
   * Tries a request once. After a failure that may pass it waits, and returns.
   *
   * @param {() => Promise<void>} request
   * @param {(error: ApiError) => Promise<void> | void} otherwise what to do when it is refused for good
   */
  async #attempt(request, otherwise) {
    try {
      await request();
    } catch (error) {
      if (!(error instanceof ApiError)) throw error;
      // Signing in in another tab changes the token; the cookie is read anew with each attempt.
      const outOfToken = error.code === "csrf_failed";
      if (outOfToken && !this.#blocked) {
        this.#blocked = true;
        this.listener.blocked(error);
      }
      if (outOfToken || error.isTemporary) await this.#pause(error);
      else await otherwise(error);
      return;
    }
    this.#failures = 0;
    this.#blocked = false;
    if (!isDone(this.#work)) this.#setSync("sending");
  }

  /** @param {ApiError} error */
  async #pause(error) {
    const wait =
      error.retryAfter === null
        ? FIRST_WAIT_MS * 2 ** this.#failures
        : Math.max(error.retryAfter * 1_000, FIRST_WAIT_MS);
    this.#failures += 1;
    this.#setSync(error.status === 0 ? "offline" : "retrying");
    // Written again so that a page without locks sees that this one lives.
    this.#storage.save(this.#key, this.#work);
    /** @type {any} */
    let timer;
    await new Promise((/** @type {(value?: unknown) => void} */ resolve) => {
      this.#wake = () => resolve();
      timer = this.#setTimeout(this.#wake, Math.min(wait, LONGEST_WAIT_MS));
    });
    this.#clearTimeout(timer);
    this.#wake = null;
  }

  async #sendNext() {
    const { game, start, base, sent, waiting, resign } = this.#work;
    if (game === null) {
      if (!start) throw new Error("A game without id and without start can’t be sent.");
      const state = await this.#api.start(start);
      this.#accept(state, base, { game: state.id, start: null });
    } else if (sent) {
      const state = await this.#api.moves(game, sent);
      this.#accept(state, applyBatch(base, sent), { sent: null });
    } else if (waiting[0]) {
      const { request_id, at, moves } = waiting[0];
      const body = { request_id, version: base.version, at, moves: [...moves] };
      this.#change({ sent: body, waiting: waiting.slice(1) });
      await this.#sendNext();
    } else if (resign) {
      const body = { request_id: resign.request_id, version: resign.version ?? base.version };
      this.#change({ resign: body });
      const state = await this.#api.resign(game, body);
      this.#accept(state, base, { resign: null });
    }
  }

  /**
   * @param {GameState} state the answer
   * @param {Track} expected
   * @param {Partial<Work>} changes
   */
  #accept(state, expected, changes) {
    const asExpected = sameMoves(state.line, expected.line) && state.status === "open";
    this.#change({ ...changes, base: baseOf(state) });
    if (changes.game) this.listener.started(state);
    if (!asExpected && !isDone(this.#work)) {
      const code = state.status === "open" ? "stale_version" : "game_over";
      this.#refuse({ code, message: "", state, starting: false });
    } else {
      this.listener.answered(state);
    }
  }

  /** @param {ApiError} error */
  async #giveUp(error) {
    this.#refusing = true;
    const { game } = this.#work;
    /** @type {GameState | null} */
    let state = error.detail.game ?? null;
    let known = game === null || state !== null || error.status === 404;
    while (!known && game !== null) {
      await this.#attempt(
        async () => {
          state = await this.#api.game(game);
          known = true;
        },
        () => {
          known = true;
        },
      );
    }
    this.#refuse({ code: error.code, message: error.message, state, starting: game === null });
  }

  /** @param {Refusal} refusal */
  #refuse(refusal) {
    this.#refusing = false;
    const base = refusal.state ? baseOf(refusal.state) : this.#work.base;
    this.#change({ start: null, base, sent: null, waiting: [], resign: null });
    this.listener.refused(refusal);
  }
}
