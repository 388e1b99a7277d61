import assert from "node:assert/strict";
import { test } from "node:test";

import { fitWork } from "../../static/js/recover.js";
import { FakeServer } from "./fake_server.js";

/** @typedef {import("../../static/js/storage.js").Work} Work */

test("work that builds on more than an old page shows is kept whole", () => {
  const state = {
    ...new FakeServer().unstarted("bakers-dozen", "5"),
    id: "game-1",
    version: 1,
    line: ["4h"],
  };
  /** @type {Work} */
  const work = {
    game: "game-1",
    start: null,
    base: { version: 3, line: ["4h", "b4", "5h"], redo: [] },
    sent: null,
    waiting: [{ request_id: "request-4", at: 3, moves: ["1h"] }],
    resign: null,
  };
  assert.deepEqual(fitWork(work, state), { work, lost: false });
});
