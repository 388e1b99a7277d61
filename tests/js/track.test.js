import assert from "node:assert/strict";
import { describe, test } from "node:test";

import { applyBatch, applyBatches, MAX_BATCH, withMove, withStepBack } from "../../static/js/track.js";
import { Random } from "./random.js";

/** @param {string} line @param {string} [redo] */
const track = (line, redo = "") => ({ line: [...line], redo: [...redo] });

let ids = 0;
const newId = () => {
  ids += 1;
  return `id-${ids}`;
};

describe("a batch", () => {
  test("puts what it cuts off in front of the redo tail", () => {
    assert.deepEqual(applyBatch(track("abc", "de"), { at: 1, moves: [] }), track("a", "bcde"));
  });

  test("shortens the redo tail by playing its first moves", () => {
    assert.deepEqual(applyBatch(track("a", "bcde"), { at: 1, moves: ["b", "c"] }), track("abc", "de"));
  });

  test("drops the redo tail by playing another move, even if a later one would fit", () => {
    assert.deepEqual(applyBatch(track("a", "bcd"), { at: 1, moves: ["b", "x", "c"] }), track("abxc"));
  });
});

describe("what waits", () => {
  test("takes moves into its last batch while there is room", () => {
    let batches = withMove([], 5, "a", newId);
    for (let ply = 6; ply < 5 + MAX_BATCH; ply += 1) batches = withMove(batches, ply, "b", newId);
    assert.equal(batches.length, 1);
    batches = withMove(batches, 5 + MAX_BATCH, "c", newId);
    assert.deepEqual(
      batches.map(({ at, moves }) => [at, moves.length]),
      [
        [5, MAX_BATCH],
        [5 + MAX_BATCH, 1],
      ],
    );
    assert.notEqual(batches[0]?.request_id, batches[1]?.request_id);
  });

  test("joins steps back that follow each other, and moves after them", () => {
    const batches = withMove(withStepBack(withStepBack([], 4, newId), 3, newId), 3, "a", newId);
    assert.deepEqual(
      batches.map(({ at, moves }) => [at, moves]),
      [[3, ["a"]]],
    );
  });

  test("has the same effect as the single steps, whatever they are", () => {
    const random = new Random(1883);
    for (let run = 0; run < 500; run += 1) {
      const base = track("abcab", "ca");
      /** @type {import("../../static/js/track.js").Track} */
      let single = base;
      /** @type {import("../../static/js/track.js").Batch[]} */
      let batches = [];
      for (let step = 0; step < 12; step += 1) {
        const ply = single.line.length;
        if (ply > 0 && random.happens(0.4)) {
          const at = random.below(ply);
          batches = withStepBack(batches, at, newId);
          single = applyBatch(single, { at, moves: [] });
        } else {
          const move = random.happens(0.5) && single.redo[0] ? single.redo[0] : random.pick(["a", "b", "c"]);
          batches = withMove(batches, ply, move, newId);
          single = applyBatch(single, { at: ply, moves: [move] });
        }
      }
      assert.deepEqual(applyBatches(base, batches), single);
    }
  });
});
