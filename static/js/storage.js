/**
 * Keeps in the browser what the server has not acknowledged, so that a reload, a crash or a closed tab loses nothing.
 *
 * Every page has its own records and holds a lock for as long as it lives. Another page may take the records over
 * when it gets that lock, that is when the page is gone; so no two live pages ever send from one record. Storage
 * that is full, forbidden or broken makes no difference to play, only to what survives a crash.
 */

import { randomId } from "./ids.js";

/**
 * @typedef {import("./track.js").Batch} Batch
 * @typedef {import("./api.js").StartBody} StartBody
 * @typedef {import("./api.js").MovesBody} MovesBody
 */

/**
 * What is still to be sent for one game, in the order of sending: start, sent, waiting, resign.
 *
 * @typedef {object} Work
 * @property {string | null} game null until the server has started it
 * @property {StartBody | null} start the request that starts the game, until it is answered
 * @property {{version: number, line: ReadonlyArray<string>, redo: ReadonlyArray<string>}} base what the server is
 *   known to hold, on which the rest builds
 * @property {MovesBody | null} sent the batch under way; it is sent again as it is until it is answered
 * @property {ReadonlyArray<Batch>} waiting
 * @property {{request_id: string, version: number | null} | null} resign version null until first sent
 */

/**
 * @typedef {object} WorkStorage
 * @property {() => string} newKey
 * @property {(key: string, work: Work) => void} save
 * @property {(key: string) => void} remove
 * @property {(handle: (work: Work) => void) => void} adopt calls `handle` for each record of a page that is gone,
 *   now or when it goes; `handle` has saved what it wants to keep when it returns
 */

/** @typedef {Pick<Storage, "getItem" | "setItem" | "removeItem" | "key" | "length">} LocalStorage */

const PREFIX = "bakers.work.";
/** Changes with the form of the records; records of another form are thrown away. */
const FORM = 1;
/**
 * Without locks (very old browsers, plain http) a page counts as gone when its record is this old. A live page with
 * work writes on each attempt, and attempts are at most 30 s apart, or a minute in a background tab.
 */
const ABANDONED_MS = 90_000;

/** @param {any} batch */
const isBatch = (batch) =>
  typeof batch?.request_id === "string" && Number.isInteger(batch.at) && Array.isArray(batch.moves);

/** @param {any} work @returns {work is Work} */
const isWork = (work) =>
  Boolean(work) &&
  (typeof work.game === "string" || typeof work.start?.request_id === "string") &&
  Number.isInteger(work.base?.version) &&
  Array.isArray(work.base.line) &&
  Array.isArray(work.base.redo) &&
  Array.isArray(work.waiting) &&
  work.waiting.every(isBatch) &&
  (work.sent === null || isBatch(work.sent));

/**
 * @param {object} outside
 * @param {() => LocalStorage} outside.local a function, since browsers may throw when storage is only touched
 * @param {Pick<LockManager, "request"> | null} [outside.locks]
 * @param {() => number} [outside.now] milliseconds
 * @param {() => string} [outside.newId]
 * @returns {WorkStorage}
 */
export function createStorage({ local, locks = null, now = Date.now, newId = randomId }) {
  const page = newId();
  let records = 0;
  // Never released: the browser does that when the page goes.
  locks?.request(PREFIX + page, () => new Promise(() => {})).catch(() => {});

  /** @template T @param {() => T} use @param {T} otherwise @returns {T} */
  function attempt(use, otherwise) {
    try {
      return use();
    } catch {
      return otherwise;
    }
  }

  /** @returns {string[]} */
  const keys = () =>
    attempt(() => {
      const storage = local();
      const all = Array.from({ length: storage.length }, (_, index) => storage.key(index) ?? "");
      return all.filter((key) => key.startsWith(PREFIX));
    }, []);

  /** @param {string} key @returns {{saved: number, work: Work} | null} */
  const load = (key) =>
    attempt(() => {
      const record = JSON.parse(local().getItem(key) ?? "null");
      return record?.form === FORM && isWork(record.work) ? record : null;
    }, null);

  /** @param {string} key */
  const remove = (key) => attempt(() => local().removeItem(key), undefined);

  // Also what seems to come from the future: a clock was set right since, and the record would live for years.
  const isOld = (/** @type {number} */ saved) => Math.abs(now() - saved) > ABANDONED_MS;

  /** @param {string} key */
  const pageOf = (key) => key.slice(PREFIX.length).split(".")[0] ?? "";

  return {
    newKey() {
      records += 1;
      return `${PREFIX}${page}.${records}`;
    },

    save(key, work) {
      attempt(() => local().setItem(key, JSON.stringify({ form: FORM, saved: now(), work })), undefined);
    },

    remove,

    adopt(handle) {
      for (const gone of new Set(keys().map(pageOf))) {
        if (gone === page) continue;
        const ofPage = () => keys().filter((key) => pageOf(key) === gone);
        const take = () => {
          for (const key of ofPage()) {
            const record = load(key);
            if (record) handle(record.work);
            remove(key);
          }
        };
        if (locks) {
          locks.request(PREFIX + gone, take).catch(() => {});
        } else if (ofPage().every((key) => isOld(load(key)?.saved ?? 0))) {
          take();
        }
      }
    },
  };
}
