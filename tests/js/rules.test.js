import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { describe, test } from "node:test";

import {
  bestMove,
  columnName,
  columnTargets,
  finishingLine,
  firstPosition,
  isAwaiting,
  isLegal,
  isStuck,
  isWon,
  legalMoves,
  lineage,
  play,
  RANKS,
  safeMoves,
  targets,
  whyNot,
} from "../../static/js/rules.js";
import { VARIANTS, variantOf } from "./variants.js";

/**
 * @typedef {import("../../static/js/rules.js").Variant} Variant
 * @typedef {import("../../static/js/rules.js").Position} Position
 * @typedef {import("../../static/js/rules.js").Dealt} Dealt
 */

/** @param {string} name @returns {any} */
const read = (name) => JSON.parse(readFileSync(new URL(`../data/${name}`, import.meta.url), "utf8"));

const CASES = read("cases/rules.json");
const WINNING = read("cases/lines.json").lines;
const [BAKERS, ORIGINAL, MEASURE, SPANISH, PORTUGUESE] = Object.keys(VARIANTS).map(variantOf);
if (!BAKERS || !ORIGINAL || !MEASURE || !SPANISH || !PORTUGUESE) throw new Error("a variant is missing");

/** @param {string} text "H-0 C-A D-T S-0" */
function foundationsOf(text) {
  const foundations = { C: 0, D: 0, H: 0, S: 0 };
  for (const [, suit, rank] of text.matchAll(/([CDHS])-(\w+)/g)) {
    const home = rank === "0" ? 0 : rank === "10" ? 10 : RANKS.indexOf(rank ?? "") + 1;
    foundations[/** @type {"C"} */ (suit)] = home;
  }
  return foundations;
}

/** @param {string} text */
const cardsOf = (text) => (text === "" ? [] : text.split(" "));

/** @param {string[]} columns @param {string} [foundations] @returns {Dealt} */
const dealtOf = (columns, foundations = "") => ({
  columns: columns.map(cardsOf),
  foundations: foundationsOf(foundations),
});

/** @param {Variant} variant @param {string[]} columns @param {string} [foundations] @returns {Position} */
const positionOf = (variant, columns, foundations) => firstPosition(variant, dealtOf(columns, foundations));

/**
 * The dealt columns of a covered deal in which only the first turned cards are known: sunk kings go back on top.
 * @param {string[]} shown columns as shown at the start
 * @returns {Dealt}
 */
function redealt(shown) {
  return {
    columns: shown.map((text) => {
      const cards = cardsOf(text);
      const covered = cards.indexOf("##");
      if (covered < 0) return cards;
      return [...cards.slice(covered), ...cards.slice(0, covered)];
    }),
    foundations: foundationsOf(""),
  };
}

/** @param {any} deal */
const dealtCase = (deal) =>
  deal.variant === "original-1883" ? redealt(deal.columns) : dealtOf(deal.columns, deal.foundations);

/** @param {string} slug @param {string} number */
function dealOf(slug, number) {
  const found = CASES.deals.find((/** @type {any} */ deal) => deal.variant === slug && deal.deal === number);
  assert.ok(found, `the cases hold no deal ${number} of ${slug}`);
  return dealtCase(found);
}

/** @param {Position} position */
const shownOf = (position) => position.columns.map((cards) => cards.join(" "));

/** @param {Variant} variant @param {Position} position @param {number} depth @returns {number} */
function perft(variant, position, depth) {
  if (depth === 0) return 1;
  const moves = legalMoves(variant, position);
  if (depth === 1) return moves.length;
  return moves.reduce((sum, move) => sum + perft(variant, play(variant, position, move), depth - 1), 0);
}

describe("the known deals", () => {
  for (const deal of CASES.deals) {
    test(`deal ${deal.deal} of ${deal.variant} has its columns, legal moves and number of lines`, () => {
      const variant = variantOf(deal.variant);
      const position = firstPosition(variant, dealtCase(deal));
      assert.deepEqual(shownOf(position), deal.columns);
      assert.deepEqual(legalMoves(variant, position), deal.legal);
      // In a covered variant what a move uncovers is not known here, so only the first count can be right.
      const depths = variant.covered ? 1 : 3;
      const counts = deal.perft
        .slice(0, depths)
        .map((/** @type {number} */ _, /** @type {number} */ at) => perft(variant, position, at + 1));
      assert.deepEqual(counts, deal.perft.slice(0, depths));
    });
  }
});

describe("the known lines", () => {
  for (const [at, known] of CASES.lines.entries()) {
    if (known.variant === "original-1883") continue;
    test(`line ${at} of ${known.variant}, deal ${known.deal}, ends in its position`, () => {
      const variant = variantOf(known.variant);
      let position = firstPosition(variant, dealOf(known.variant, known.deal));
      for (const move of known.line.split(" ")) {
        assert.ok(isLegal(variant, position, move), `${move}: ${whyNot(variant, position, move)}`);
        position = play(variant, position, move);
      }
      assert.deepEqual(shownOf(position), known.columns);
      assert.deepEqual(position.foundations, foundationsOf(known.foundations));
      assert.deepEqual(legalMoves(variant, position), known.legal);
      assert.equal(isStuck(variant, position), known.stuck);
    });
  }

  for (const { variant: slug, deal, line } of WINNING) {
    if (slug === "original-1883") continue;
    test(`the winning line of ${slug}, deal ${deal}, wins, and ends with foundation moves found by themselves`, () => {
      const variant = variantOf(slug);
      const moves = line.split(" ");
      const positions = lineage(variant, dealOf(slug, deal), moves);
      for (const [at, move] of moves.entries()) {
        const position = /** @type {Position} */ (positions[at]);
        assert.equal(whyNot(variant, position, move), null);
        assert.equal(isWon(position), false);
      }
      assert.ok(isWon(/** @type {Position} */ (positions.at(-1))));
      const beforeLast = /** @type {Position} */ (positions.at(-2));
      assert.deepEqual(finishingLine(variant, beforeLast), moves.slice(-1));
    });
  }
});

describe("turning cards in Original 1883", () => {
  for (const { dealt_face_down: dealt, becomes } of CASES.turn_1883) {
    test(`${dealt} becomes ${becomes}`, () => {
      assert.deepEqual(shownOf(positionOf(ORIGINAL, [dealt])), [becomes]);
    });

    test(`${dealt} becomes ${becomes} when only the turned cards are known`, () => {
      const known = cardsOf(dealt).map((card) => (becomes.includes(card) ? card : "##"));
      assert.deepEqual(shownOf(positionOf(ORIGINAL, [known.join(" ")])), [becomes]);
    });
  }

  test("a card that becomes the top turns up, and a king among them goes under the earlier kings", () => {
    let position = positionOf(ORIGINAL, ["5C KH 7D KS", "8C"]);
    assert.deepEqual(shownOf(position), ["KS ## ## 7D", "8C"]);
    position = play(ORIGINAL, position, "12");
    assert.deepEqual(shownOf(position), ["KH KS 5C", "8C 7D"]);
  });

  test("the last covered king stays on top of the sunk ones", () => {
    const position = positionOf(ORIGINAL, ["KD 5C 7D KS", "8C", "6C"]);
    assert.deepEqual(
      shownOf(
        lineage(ORIGINAL, { ...dealtOf(["KD 5C 7D KS", "8C", "6C"]) }, ["12", "13"]).at(-1) ?? position,
      ),
      ["KS KD", "8C 7D", "6C 5C"],
    );
  });

  test("kings that only lay on kings turn up one by one as they go home", () => {
    const known = dealtOf(["## ## KH KS", "QC"], "S-Q H-Q");
    assert.deepEqual(shownOf(firstPosition(ORIGINAL, known)), ["## ## ## KS", "QC"]);
    assert.deepEqual(
      lineage(ORIGINAL, known, ["1h", "1h"])
        .map(shownOf)
        .map(([first]) => first),
      ["## ## ## KS", "## ## KH", "## ##"],
    );
  });

  test("a column waits for an unknown card: it gives and takes nothing, and the others stay playable", () => {
    const start = positionOf(ORIGINAL, ["## ## ## 7D", "## ## ## 8C", "## ## ## 6D", "## ## ## 9C"]);
    assert.equal(isAwaiting(start), false);
    const position = play(ORIGINAL, start, "12");
    assert.deepEqual(shownOf(position), ["## ## ##", "## ## ## 8C 7D", "## ## ## 6D", "## ## ## 9C"]);
    assert.ok(isAwaiting(position));
    assert.deepEqual(legalMoves(ORIGINAL, position), ["32"]);
    assert.deepEqual(targets(ORIGINAL, position, 0), []);
    assert.equal(bestMove(ORIGINAL, position, 0), null);
    assert.equal(whyNot(ORIGINAL, position, "12"), "The next card of column 1 is still being turned up.");
    assert.equal(whyNot(ORIGINAL, position, "41"), "The next card of column 1 is still being turned up.");
    assert.equal(isStuck(ORIGINAL, play(ORIGINAL, position, "32")), false);
    assert.equal(finishingLine(ORIGINAL, position), null);
  });
});

describe("moves", () => {
  test("playing leaves the position before as it was", () => {
    const before = positionOf(BAKERS, ["AC", "3D 2D", "3C"], "D-A");
    const copy = structuredClone(before);
    play(BAKERS, before, "1h");
    play(BAKERS, before, "23");
    assert.deepEqual(before, copy);
  });

  test("an empty column takes nothing, any card or kings only, by the variant", () => {
    const columns = ["", "4C KD", "5H"];
    assert.deepEqual(legalMoves(BAKERS, positionOf(BAKERS, columns)), []);
    assert.deepEqual(legalMoves(SPANISH, positionOf(SPANISH, columns)), ["21", "31"]);
    assert.deepEqual(legalMoves(PORTUGUESE, positionOf(PORTUGUESE, columns)), ["21"]);
  });

  test("a position without legal moves is stuck unless it is won", () => {
    assert.ok(isStuck(BAKERS, positionOf(BAKERS, ["4C KD", "5H 2S"])));
    const won = positionOf(BAKERS, [""], "C-K D-K H-K S-K");
    assert.ok(isWon(won));
    assert.equal(isStuck(BAKERS, won), false);
    assert.equal(finishingLine(BAKERS, won), null);
  });

  test("columns ten to thirteen are a to d", () => {
    assert.equal([...Array(13).keys()].map(columnName).join(""), "123456789abcd");
  });
});

describe("the move a tap plays", () => {
  test("it goes home first, or onto a column first when that is preferred", () => {
    const position = positionOf(BAKERS, ["2C", "3D"], "C-A");
    assert.equal(bestMove(BAKERS, position, 0), "1h");
    assert.equal(bestMove(BAKERS, position, 0, { prefer: "column" }), "12");
  });

  test("of several columns it takes the one with the fewest lower cards beneath, the leftmost of equals", () => {
    const position = positionOf(BAKERS, ["5C", "2D 3D 6D", "2S 9D 6S", "4S TS 6H"]);
    assert.equal(bestMove(BAKERS, position, 0), "13");
    assert.deepEqual(columnTargets(BAKERS, position, 0), ["12", "13", "14"]);
  });

  test("it takes an empty column only when nothing else fits", () => {
    const columns = ["", "7C 5C", "2D 3D 6D", ""];
    assert.equal(bestMove(SPANISH, positionOf(SPANISH, columns), 1), "23");
    assert.equal(bestMove(SPANISH, positionOf(SPANISH, columns), 2), "31");
    assert.deepEqual(columnTargets(SPANISH, positionOf(SPANISH, columns), 1), ["23"]);
    assert.deepEqual(columnTargets(SPANISH, positionOf(SPANISH, columns), 2), ["31", "34"]);
    const home = positionOf(SPANISH, ["", "4C", "2S"], "C-3");
    assert.equal(bestMove(SPANISH, home, 1, { prefer: "column" }), "2h");
  });

  test("there is none for a card that fits nowhere and for an empty column", () => {
    const position = positionOf(BAKERS, ["", "5C", "7D"]);
    assert.equal(bestMove(BAKERS, position, 0), null);
    assert.equal(bestMove(BAKERS, position, 1), null);
  });
});

describe("safe cards", () => {
  test("aces and twos are always safe", () => {
    assert.deepEqual(safeMoves(BAKERS, positionOf(BAKERS, ["3C 2C AC"])), ["1h", "1h"]);
  });

  test("a higher card is safe when every suit has at least the cards two ranks lower home", () => {
    assert.deepEqual(safeMoves(BAKERS, positionOf(BAKERS, ["5C", "4D"], "C-4 D-3 H-3 S-2")), ["2h"]);
    assert.deepEqual(safeMoves(BAKERS, positionOf(BAKERS, ["5C", "4D"], "C-4 D-3 H-3 S-3")), ["1h", "2h"]);
  });
});

test("a finishing line is found only when foundation moves alone are enough", () => {
  const foundations = "C-K D-K H-K S-J";
  assert.deepEqual(finishingLine(BAKERS, positionOf(BAKERS, ["KS", "QS"], foundations)), ["2h", "1h"]);
  assert.equal(finishingLine(BAKERS, positionOf(BAKERS, ["QS KS"], foundations)), null);
});
