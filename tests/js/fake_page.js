/** A page of the browser with a table on it, and the line between it and the server. */

import { createApi } from "../../static/js/api.js";
import { GameStore } from "../../static/js/state.js";
import { createStorage } from "../../static/js/storage.js";
import { FakeLocalStorage, FakeLocks } from "./fake_browser.js";
import { FakeClock } from "./fake_clock.js";
import { FakeServer } from "./fake_server.js";
import { VARIANTS } from "./variants.js";

/**
 * @typedef {import("../../static/js/api.js").GameState} GameState
 * @typedef {import("./fake_server.js").Answer} Answer
 *
 * What happens to one request: what arrives when, and what comes back.
 * @typedef {object} Fate
 * @property {number} [there] milliseconds to the server
 * @property {number} [back] milliseconds from the server
 * @property {boolean} [lost] it never arrives
 * @property {boolean} [unanswered] its answer never comes
 * @property {boolean} [breaks] what is lost fails at once, instead of staying silent
 * @property {number} [again] it arrives once more, this many milliseconds later
 * @property {Answer} [instead] something in between answers, and it never arrives
 *
 * @typedef {{method: string, path: string, body: any, token: string | undefined}} Call
 * @typedef {{type: string, detail: any}} Seen
 */

/** What never comes: a promise without end. @returns {Promise<any>} */
const silence = () => new Promise(() => {});

export class FakeWorld {
  clock = new FakeClock();
  server = new FakeServer();
  local = new FakeLocalStorage();
  locks = new FakeLocks();
  /** Calls in the order in which pages made them. @type {Call[]} */
  calls = [];
  /** @type {(call: Call) => Fate} */
  fate = () => ({});
  #ids = 0;

  newId = () => {
    this.#ids += 1;
    return `request-${String(this.#ids).padStart(4, "0")}`;
  };

  /** @param {GameState} game @param {{layout?: string}} [options] @returns {FakePage} */
  open(game, options) {
    return new FakePage(this, game, options);
  }

  /** From now on all requests and answers arrive. */
  mend() {
    this.fate = () => ({});
  }

  /** Lets time pass until all that the pages did is acknowledged. @param {ReadonlyArray<FakePage>} pages */
  async finish(pages) {
    const flushed = Promise.all(pages.map((page) => page.store.flush()));
    await this.clock.runOut();
    await flushed;
  }
}

export class FakePage {
  #world;
  #alive = true;
  /** @type {Seen[]} */
  events = [];
  /** @type {GameStore} */
  store;
  /** The game that the address names. @type {string | null} */
  address;

  /** @param {FakeWorld} world @param {GameState} game @param {{layout?: string}} [options] */
  constructor(world, game, options = {}) {
    this.#world = world;
    this.address = game.id;
    const { clock, newId } = world;
    const timers = {
      setTimeout: (/** @type {() => void} */ run, /** @type {number} */ ms) =>
        clock.setTimeout(() => this.#alive && run(), ms),
      clearTimeout: clock.clearTimeout,
    };
    const fetch = /** @type {any} */ (this.#fetch.bind(this));
    this.store = new GameStore({
      game,
      variants: VARIANTS,
      api: createApi({ fetch, csrfToken: () => "token", ...timers }),
      storage: createStorage({
        local: this.#local,
        locks: world.locks.of(this),
        now: clock.now,
        newId,
      }),
      newId,
      ...timers,
      ...options,
    });
    for (const type of ["change", "refused", "started", "finished", "confirmed", "recovered", "sync"]) {
      this.store.addEventListener(type, (event) => {
        const { detail } = /** @type {CustomEvent} */ (event);
        if (type === "started") this.address = detail.id;
        this.events.push({ type, detail });
      });
    }
  }

  /** @param {string} type @returns {any[]} details of the events so far, of that type */
  seen(type) {
    return this.events.filter((event) => event.type === type).map(({ detail }) => detail);
  }

  /** The page is gone without a word; what it has sent may still arrive. */
  crash() {
    this.#alive = false;
    this.#world.locks.release(this);
  }

  /** A page that is gone writes nothing any more. */
  #local = () => {
    if (!this.#alive) throw new Error("This page is gone.");
    return this.#world.local;
  };

  /** @param {string} path @param {any} options @returns {Promise<any>} */
  async #fetch(path, { method, body, headers, signal }) {
    if (!this.#alive) return silence();
    const { clock, server, calls } = this.#world;
    const call = { method, path, body: body && JSON.parse(body), token: headers["X-CSRFToken"] };
    calls.push(call);
    const fate = this.#world.fate(call);
    const gone = new Promise((_, reject) => {
      signal.addEventListener("abort", () => reject(new DOMException("aborted", "AbortError")));
    });
    const pass = (/** @type {number} */ ms) =>
      ms === 0 ? Promise.resolve() : new Promise((resolve) => clock.setTimeout(() => resolve(undefined), ms));
    // Runs on though the page may have stopped waiting, as a request on its way does.
    const journey = async () => {
      await pass(fate.there ?? 0);
      if (fate.lost) return fate.breaks ? Promise.reject(new TypeError("network")) : silence();
      if (fate.instead) return fate.instead;
      const answer = server.handle(method, path, call.body);
      if (fate.again !== undefined) {
        clock.setTimeout(() => server.handle(method, path, call.body), fate.again);
      }
      await pass(fate.back ?? 0);
      if (fate.unanswered) return fate.breaks ? Promise.reject(new TypeError("network")) : silence();
      return answer;
    };
    const answer = await Promise.race([journey(), gone]);
    if (!this.#alive) return silence();
    return {
      ok: answer.status < 400,
      status: answer.status,
      headers: { get: (/** @type {string} */ name) => answer.headers?.[name] ?? null },
      json: async () => {
        if (typeof answer.body === "string") throw new SyntaxError("not JSON");
        return structuredClone(answer.body);
      },
    };
  }
}
