/** The browser's rules agree with the server's on random positions, which the server's rules wrote down. */

import assert from "node:assert/strict";
import { existsSync, readFileSync } from "node:fs";
import { test } from "node:test";

import {
  bestMove,
  columnName,
  finishingLine,
  firstPosition,
  isStuck,
  isWon,
  legalMoves,
  lineage,
  safeMoves,
  whyNot,
} from "../../static/js/rules.js";
import { VARIANTS, variantOf } from "./variants.js";

/**
 * @typedef {object} Vector
 * @property {string} variant
 * @property {import("../../static/js/rules.js").Dealt} dealt
 * @property {string[]} line
 * @property {string[][]} columns
 * @property {import("../../static/js/rules.js").Foundations} foundations
 * @property {string[]} legal
 * @property {boolean} stuck
 * @property {boolean} won
 * @property {string[] | null} finishing
 * @property {string[]} safe
 * @property {Record<string, string>} best
 * @property {[string, string][]} why_not
 */

const FILE = new URL("../data/rules_vectors.json", import.meta.url);

/** @returns {Vector[]} */
function readVectors() {
  assert.ok(
    existsSync(FILE),
    "tests/data/rules_vectors.json is missing: write it with tests/write_vectors.py",
  );
  return JSON.parse(readFileSync(FILE, "utf8")).vectors;
}

test("there are vectors of every variant", () => {
  const found = new Set(readVectors().map(({ variant }) => variant));
  assert.deepEqual([...found].sort(), Object.keys(VARIANTS).sort());
});

for (const slug of Object.keys(VARIANTS)) {
  test(`${slug}: the browser's rules say what the server's say`, () => {
    const variant = variantOf(slug);
    for (const [at, vector] of readVectors().entries()) {
      if (vector.variant !== slug) continue;
      const where = `vector ${at}: ${vector.line.join(" ")}`;
      const position =
        lineage(variant, vector.dealt, vector.line).at(-1) ?? firstPosition(variant, vector.dealt);
      /** @type {Record<string, string>} */
      const best = {};
      for (const column of position.columns.keys()) {
        const move = bestMove(variant, position, column);
        if (move) best[columnName(column)] = move;
      }
      assert.deepEqual(
        {
          columns: position.columns,
          foundations: position.foundations,
          legal: legalMoves(variant, position),
          stuck: isStuck(variant, position),
          won: isWon(position),
          finishing: finishingLine(variant, position),
          safe: safeMoves(variant, position),
          best,
          why_not: vector.why_not.map(([move]) => [move, whyNot(variant, position, move)]),
        },
        {
          columns: vector.columns,
          foundations: vector.foundations,
          legal: vector.legal,
          stuck: vector.stuck,
          won: vector.won,
          finishing: vector.finishing,
          safe: vector.safe,
          best: vector.best,
          why_not: vector.why_not,
        },
        where,
      );
    }
  });
}
