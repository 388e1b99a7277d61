/**
 * The player's settings. A guest's are kept in this browser. Those of an account are kept by the server and follow it
 * to every browser; here lies a copy, with the changes that the server hasn't acknowledged. What the tabs of a browser
 * share is its storage alone, so each change begins and ends there.
 *
 * Whoever signs in takes a guest's settings along, once, unless the account has some of its own.
 */

import { ApiError } from "./api.js";
import { chosenIn, DEFAULTS } from "./settings-names.js";

/**
 * @typedef {import("./settings-names.js").Answer} Answer
 * @typedef {import("./settings-names.js").Chosen} Chosen
 * @typedef {import("./settings-names.js").Name} Name
 * @typedef {import("./settings-names.js").Values} Values
 *
 * @typedef {Answer & {account: string}} Account the same as a page brings it along
 * @typedef {Account & {unsent: Chosen}} Kept the same as it is kept here
 *
 * @typedef {"account" | "waiting" | "browser" | "page"} Place where the settings are: in the account, or not all there
 *   yet; in this browser; or nowhere, so that they go with the page
 */

/** What look.js reads too. */
const GUEST = "bakers.settings";
const ACCOUNT = "bakers.settings.account";
/** The lock under which tabs send, one after another. */
const LOCK = "bakers.settings";
/** Milliseconds until what couldn't be sent is sent again: twice as long each time, up to the last. */
const FIRST_WAIT = 2_000;
const LAST_WAIT = 60_000;

const isEmpty = (/** @type {object} */ chosen) => Object.keys(chosen).length === 0;

/** @param {any} stored @returns {Kept | null} */
function keptIn(stored) {
  if (typeof stored?.account !== "string" || Number.isNaN(Date.parse(stored.as_of))) return null;
  return {
    account: stored.account,
    as_of: stored.as_of,
    chosen: stored.chosen === true,
    settings: { ...DEFAULTS, ...chosenIn(stored.settings) },
    unsent: chosenIn(stored.unsent),
  };
}

/** Fires "change" when a value changed, here or in another tab, and when they are kept elsewhere than before. */
export class Settings extends EventTarget {
  /** @type {Storage | null} */ #storage;
  /** What the storage doesn't take. @type {Map<string, string>} */ #unstored = new Map();
  #changeSettings;
  #locks;
  #timers;
  /** @type {Kept | null} */ #kept = null;
  /** @type {Chosen} */ #guest = {};
  /** @type {Values} */ #values = DEFAULTS;
  #sending = false;
  /** How often sending has failed since it last succeeded. */
  #failures = 0;
  /** @type {any} */ #timer;

  /**
   * @param {object} outside
   * @param {Storage | null} outside.storage null where the browser gives none
   * @param {Account | null} [outside.account] null for a guest
   * @param {(changes: Chosen) => Promise<Answer>} outside.changeSettings
   * @param {Pick<LockManager, "request"> | null} [outside.locks]
   * @param {(run: () => void, ms: number) => any} [outside.setTimeout]
   * @param {(timer: any) => void} [outside.clearTimeout]
   * @param {Pick<EventTarget, "addEventListener">} [outside.page] where the browser's events are heard
   */
  constructor({
    storage,
    account = null,
    changeSettings,
    locks = null,
    setTimeout = (run, ms) => globalThis.setTimeout(run, ms),
    clearTimeout = (timer) => globalThis.clearTimeout(timer),
    page = globalThis,
  }) {
    super();
    this.#storage = storage;
    this.#changeSettings = changeSettings;
    this.#locks = locks;
    this.#timers = { setTimeout, clearTimeout };
    if (account) this.#arrive(account);
    // Somebody has signed out without this browser being told.
    else this.#write(ACCOUNT, null);
    this.#take();
    page.addEventListener("storage", (event) => {
      const { key } = /** @type {StorageEvent} */ (event);
      if (key === GUEST || key === ACCOUNT || key === null) this.#follow();
    });
    page.addEventListener("pageshow", (event) => {
      // While it lay in the browser's memory it heard of nothing.
      if (/** @type {PageTransitionEvent} */ (event).persisted) this.#follow();
    });
    this.retryNow();
  }

  /** @template {Name} N @param {N} name @returns {Values[N]} */
  get(name) {
    return this.#values[name];
  }

  /** @template {Name} N @param {N} name @param {Values[N]} value */
  set(name, value) {
    // Another tab's change may be there before its event is.
    this.#take();
    if (this.#values[name] === value) return;
    const change = { [name]: value };
    if (this.#kept) this.#write(ACCOUNT, { ...this.#kept, unsent: { ...this.#kept.unsent, ...change } });
    else this.#write(GUEST, { ...this.#guest, ...change });
    this.#follow();
    this.retryNow();
  }

  /** @returns {Place} */
  get place() {
    if (this.#kept) return this.#failures > 0 && !isEmpty(this.#kept.unsent) ? "waiting" : "account";
    return this.#storage === null || this.#unstored.has(GUEST) ? "page" : "browser";
  }

  /** Sends what the account doesn't have yet, if there is anything. */
  retryNow() {
    if (this.#sending || !this.#kept || isEmpty(this.#kept.unsent)) return;
    this.#timers.clearTimeout(this.#timer);
    this.#sending = true;
    this.#inTurn(() => this.#send()).finally(() => {
      this.#sending = false;
      this.dispatchEvent(new Event("change"));
    });
  }

  // Storage

  /** @param {string} key @returns {any} */
  #read(key) {
    try {
      return JSON.parse(this.#unstored.get(key) ?? this.#storage?.getItem(key) ?? "null");
    } catch {
      // Somebody else's text under our name, or no access: as if nothing were there.
      return null;
    }
  }

  /** @param {string} key @param {object | null} value */
  #write(key, value) {
    this.#unstored.delete(key);
    try {
      if (value === null) this.#storage?.removeItem(key);
      else if (this.#storage) this.#storage.setItem(key, JSON.stringify(value));
      else this.#unstored.set(key, JSON.stringify(value));
    } catch {
      // Full or forbidden: it holds until the page goes.
      if (value !== null) this.#unstored.set(key, JSON.stringify(value));
    }
  }

  #take() {
    this.#guest = chosenIn(this.#read(GUEST));
    // Also when another tab has signed in or out meanwhile: the browser is one and the same.
    this.#kept = keptIn(this.#read(ACCOUNT));
    this.#values = this.#kept
      ? { ...this.#kept.settings, ...this.#kept.unsent }
      : { ...DEFAULTS, ...this.#guest };
  }

  #follow() {
    this.#take();
    this.dispatchEvent(new Event("change"));
  }

  /** @param {Account} account whose page this is */
  #arrive(account) {
    const before = keptIn(this.#read(ACCOUNT));
    const same = before?.account === account.account ? before : null;
    // A page that comes from the browser's own memory may be older than what the server has answered since.
    const newest = same && Date.parse(same.as_of) > Date.parse(account.as_of) ? same : account;
    const { as_of, chosen, settings } = newest;
    const brought = chosen ? {} : chosenIn(this.#read(GUEST));
    const unsent = { ...brought, ...same?.unsent };
    this.#write(ACCOUNT, { account: account.account, as_of, chosen, settings, unsent });
    this.#write(GUEST, null);
  }

  // The server

  /** @param {() => Promise<void>} send */
  async #inTurn(send) {
    let begun = false;
    try {
      await this.#locks?.request(LOCK, () => {
        begun = true;
        return send();
      });
    } catch (error) {
      if (begun) throw error;
      // The browser refuses locks here.
    }
    if (!begun) await send();
  }

  async #send() {
    for (;;) {
      this.#take();
      const kept = this.#kept;
      if (!kept || isEmpty(kept.unsent)) return;
      /** @type {Answer | null} */
      let answer = null;
      try {
        answer = await this.#changeSettings(kept.unsent);
      } catch (problem) {
        if (!(problem instanceof ApiError)) throw problem;
        if (!this.#isFinal(problem)) return;
      }
      this.#failures = 0;
      this.#acknowledge(kept, answer);
    }
  }

  /** @param {Kept} sent @param {Answer | null} answer null if the server wants none of it */
  #acknowledge(sent, answer) {
    this.#take();
    const now = this.#kept;
    if (now?.account !== sent.account) return;
    const left = Object.entries(now.unsent).filter(
      ([name, value]) => sent.unsent[/** @type {Name} */ (name)] !== value,
    );
    this.#write(ACCOUNT, { ...now, ...answer, unsent: Object.fromEntries(left) });
    this.#follow();
  }

  /** @param {ApiError} problem @returns {boolean} whether the server has read the changes and wants none of them */
  #isFinal({ code, isTemporary, retryAfter }) {
    if (code === "sign_in_required") {
      // Signed out elsewhere; nothing of the account's stays.
      this.#write(ACCOUNT, null);
      this.#follow();
      return false;
    }
    if (!isTemporary && code !== "csrf_failed") return true;
    const wait = Math.min(FIRST_WAIT * 2 ** this.#failures, LAST_WAIT);
    this.#failures += 1;
    this.#timer = this.#timers.setTimeout(() => this.retryNow(), Math.max(wait, (retryAfter ?? 0) * 1000));
    return false;
  }
}
