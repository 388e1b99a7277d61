import assert from "node:assert/strict";
import { test } from "node:test";

import { DayClock } from "../../static/js/day-clock.js";

const HOUR = 3_600_000;
const BOARD = {
  now: "2026-03-01T22:00:00+00:00",
  closes_at: "2026-03-02T00:00:00+00:00",
  settles_at: "2026-03-02T02:00:00+00:00",
};

test("a board closes and settles by the server's time, counted on from when it was told", () => {
  let passed = 5_000;
  const clock = new DayClock(BOARD, () => passed);
  assert.deepEqual([clock.phase, clock.toClosing, clock.toSettling], ["open", 2 * HOUR, 4 * HOUR]);
  passed += 2 * HOUR - 1;
  assert.deepEqual([clock.phase, clock.toChange], ["open", 1]);
  passed += 1;
  assert.deepEqual([clock.phase, clock.toClosing, clock.toChange], ["closing", 0, 2 * HOUR]);
  passed += 2 * HOUR;
  assert.deepEqual([clock.phase, clock.toChange], ["settled", null]);
});

test("what the server tells later counts: a device that slept counts too little", () => {
  const passed = 0;
  const clock = new DayClock(BOARD, () => passed);
  clock.set({ ...BOARD, now: "2026-03-02T01:00:00+00:00" });
  assert.deepEqual([clock.phase, clock.toChange], ["closing", HOUR]);
});

test("the device's own date is never asked", () => {
  const { now } = Date;
  Date.now = () => assert.fail("the device's date");
  try {
    assert.equal(new DayClock(BOARD).phase, "open");
  } finally {
    Date.now = now;
  }
});
