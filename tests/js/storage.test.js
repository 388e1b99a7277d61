import assert from "node:assert/strict";
import { describe, test } from "node:test";

import { GameStore } from "../../static/js/state.js";
import { createStorage } from "../../static/js/storage.js";
import { FakeLocalStorage, FakeLocks } from "./fake_browser.js";
import { settle } from "./fake_clock.js";
import { FakeServer } from "./fake_server.js";
import { VARIANTS } from "./variants.js";

/** @typedef {import("../../static/js/storage.js").Work} Work */

/** @type {Work} */
const WORK = {
  game: "game-1",
  start: null,
  base: { version: 3, line: ["4h"], redo: [] },
  sent: { request_id: "request-1", version: 3, at: 1, moves: ["12"] },
  waiting: [{ request_id: "request-2", at: 1, moves: [] }],
  resign: null,
};

/** @param {ReturnType<typeof createStorage>} storage @returns {Work[]} */
function adopted(storage) {
  /** @type {Work[]} */
  const works = [];
  storage.adopt((work) => works.push(work));
  return works;
}

describe("with locks", () => {
  function browser() {
    const local = new FakeLocalStorage();
    const locks = new FakeLocks();
    const open = () => {
      const page = {};
      const storage = createStorage({ local: () => local, locks: locks.of(page) });
      return { page, storage };
    };
    return { local, locks, open };
  }

  test("the work of a page that is gone is taken over once, as it was", async () => {
    const { local, locks, open } = browser();
    const first = open();
    first.storage.save(first.storage.newKey(), WORK);
    await settle();
    locks.release(first.page);
    const works = [...[open(), open()].map(({ storage }) => adopted(storage))];
    await settle();
    assert.deepEqual(works.flat(), [WORK]);
    assert.equal(local.length, 0);
  });

  test("the work of a live page is left to it until it is gone", async () => {
    const { local, locks, open } = browser();
    const first = open();
    await settle();
    first.storage.save(first.storage.newKey(), WORK);
    const works = adopted(open().storage);
    await settle();
    assert.deepEqual(works, []);
    assert.equal(local.length, 1);
    locks.release(first.page);
    await settle();
    assert.deepEqual(works, [WORK]);
  });

  test("what was acknowledged is not taken over", async () => {
    const { locks, open } = browser();
    const first = open();
    const key = first.storage.newKey();
    first.storage.save(key, WORK);
    first.storage.remove(key);
    await settle();
    locks.release(first.page);
    const works = adopted(open().storage);
    await settle();
    assert.deepEqual(works, []);
  });

  test("records that nobody can read are thrown away", async () => {
    const { local, open } = browser();
    local.setItem("bakers.work.gone.1", "not JSON");
    local.setItem("bakers.work.gone.2", JSON.stringify({ form: 1, saved: 0, work: { game: 5 } }));
    local.setItem("bakers.work.gone.3", JSON.stringify({ form: 99, saved: 0, work: WORK }));
    for (const [number, part] of [{ waiting: [5] }, { sent: {} }, { waiting: null }].entries()) {
      const work = { ...WORK, ...part };
      local.setItem(`bakers.work.gone.${4 + number}`, JSON.stringify({ form: 1, saved: 0, work }));
    }
    local.setItem("another", "thing");
    const works = adopted(open().storage);
    await settle();
    assert.deepEqual(works, []);
    assert.deepEqual([local.length, local.getItem("another")], [1, "thing"]);
  });
});

describe("without locks", () => {
  test("a record is taken over when it is too old to be a live page's", () => {
    const local = new FakeLocalStorage();
    let time = 0;
    const open = () => createStorage({ local: () => local, now: () => time });
    const first = open();
    first.save(first.newKey(), WORK);
    time = 60_000;
    assert.deepEqual(adopted(open()), []);
    time = 91_000;
    assert.deepEqual(adopted(open()), [WORK]);
    assert.deepEqual(adopted(open()), []);
  });

  test("a record written while the clock was years ahead is taken over when it has been set right", () => {
    const local = new FakeLocalStorage();
    let time = Date.UTC(2099, 0, 1);
    const open = () => createStorage({ local: () => local, now: () => time });
    const first = open();
    first.save(first.newKey(), WORK);
    time = Date.UTC(2026, 0, 1);
    assert.deepEqual(adopted(open()), [WORK]);
  });
});

test("a browser without usable storage plays all the same", async () => {
  const server = new FakeServer();
  const broken = () => {
    throw new DOMException("denied", "SecurityError");
  };
  const answer = async (/** @type {string} */ path, /** @type {object} */ body) =>
    server.handle("POST", path, JSON.parse(JSON.stringify(body))).body;
  const store = new GameStore({
    game: server.unstarted("bakers-dozen", "5"),
    variants: VARIANTS,
    api: /** @type {any} */ ({
      start: (/** @type {object} */ body) => answer("/api/games", body),
      moves: (/** @type {string} */ id, /** @type {object} */ body) => answer(`/api/games/${id}/moves`, body),
    }),
    storage: createStorage({ local: broken }),
  });
  const move = store.game.legal[0] ?? "";
  assert.ok(store.play(move));
  await store.flush();
  assert.deepEqual(server.find("game-1").line, [move]);
});
