import assert from "node:assert/strict";
import { describe, test } from "node:test";

import {
  barName,
  bars,
  countdownText,
  lossWords,
  nameOnTable,
  shareText,
  shareWords,
  squares,
  standing,
  standingWords,
} from "../../static/js/daily.js";

/** @param {Array<[number, number]>} moves @param {number} [players] */
const outcome = (moves, players) => {
  const winners = moves.reduce((sum, [, count]) => sum + count, 0);
  return {
    players: players ?? winners,
    winners,
    moves: moves.map(([needed, count]) => ({ moves: needed, players: count })),
  };
};

describe("a board's name", () => {
  test("has its number, how hard it is, and whether it is practice", () => {
    assert.equal(
      nameOnTable({ number: 334, rating: { level: 4, name: "hard" } }, "daily"),
      "Daily #334, hard",
    );
    assert.equal(nameOnTable({ number: 1, rating: null }, "daily"), "Daily #1");
    assert.equal(
      nameOnTable({ number: 1, rating: { level: 1, name: "easy" } }, "practice"),
      "Daily #1, practice",
    );
  });
});

describe("time that is left", () => {
  test("is counted down to nought and never below", () => {
    assert.equal(countdownText(86_400_000), "24:00:00");
    assert.equal(countdownText(25_953_000), "07:12:33");
    assert.equal(countdownText(1), "00:00:01");
    assert.equal(countdownText(0), "00:00:00");
    assert.equal(countdownText(-5_000), "00:00:00");
  });
});

describe("how many won", () => {
  test("is told with the share", () => {
    assert.equal(shareWords(outcome([[60, 12]], 30)), "12 of 30 players won it (40\u00a0%).");
    assert.equal(shareWords(outcome([[60, 1]])), "One player played it, and won.");
    assert.equal(shareWords(outcome([], 3)), "None of 3 players won it.");
    assert.equal(shareWords(outcome([], 1)), "None of 1 player won it.");
    assert.equal(shareWords(outcome([], 0)), "Nobody played it.");
  });

  test("is never rounded to all or none", () => {
    assert.match(shareWords(outcome([[60, 999]], 1000)), /\(99\u00a0%\)/);
    assert.match(shareWords(outcome([[60, 1]], 1000)), /\(1\u00a0%\)/);
    assert.match(shareWords(outcome([[60, 1000]], 1000)), /\(100\u00a0%\)/);
  });
});

describe("where a winner stands", () => {
  const all = outcome([
    [60, 2],
    [66, 3],
    [70, 5],
  ]);

  test("is counted without the winner", () => {
    assert.deepEqual(standing(all, 66), { fewer: 2, same: 2, more: 5 });
    assert.deepEqual(standing(all, 60), { fewer: 0, same: 1, more: 8 });
  });

  test("is told in one sentence", () => {
    assert.equal(standingWords(all, 66), "2 winners needed fewer moves than you, 2 as many and 5 more.");
    assert.equal(standingWords(all, 60), "Nobody needed fewer moves than you, 1 as many and 8 more.");
    assert.equal(
      standingWords(
        outcome([
          [60, 1],
          [61, 1],
        ]),
        61,
      ),
      "1 winner needed fewer moves than you.",
    );
    assert.equal(standingWords(outcome([[60, 1]]), 60), "You are the only winner so far.");
  });
});

describe("the distribution", () => {
  test("has a bar for each number of moves while those are few", () => {
    const found = bars(
      outcome([
        [60, 2],
        [62, 1],
      ]),
      62,
    );
    assert.deepEqual(
      found.map(({ players }) => players),
      [2, 0, 1],
    );
    assert.deepEqual(
      found.map(({ own }) => own),
      [false, false, true],
    );
    assert.deepEqual(found.map(barName), ["60", "61", "62"]);
  });

  test("has at most twelve bars, and leaves nobody out", () => {
    const rows = Array.from(
      { length: 90 },
      (_, index) => /** @type {[number, number]} */ ([52 + index, 1 + (index % 3)]),
    );
    const all = outcome(rows);
    const found = bars(all, 141);
    assert.ok(found.length <= 12);
    assert.equal(
      found.reduce((sum, { players }) => sum + players, 0),
      all.winners,
    );
    assert.deepEqual(
      found.filter(({ own }) => own),
      [found.at(-1)],
    );
    assert.equal(barName(/** @type {any} */ (found[0])), "52 to 59");
  });

  test("is empty where nobody won, and marks nobody who didn't", () => {
    assert.deepEqual(bars(outcome([], 3), null), []);
    assert.equal(bars(outcome([[60, 2]]), null)[0]?.own, false);
  });
});

describe("what is shared", () => {
  const won = {
    variantName: "Baker’s Dozen",
    number: 334,
    moves: 66,
    par: { moves: 64, proven: true },
    streak: 3,
    url: "https://example.org/daily/bakers-dozen/2026-11-30",
  };

  test("has the moves, a bar, the streak and the link", () => {
    assert.equal(
      shareText(won),
      [
        "Baker’s Dozen daily #334",
        "66 moves",
        "🟩🟩🟩🟩⬜ 3 days in a row",
        "https://example.org/daily/bakers-dozen/2026-11-30",
      ].join("\n"),
    );
  });

  test("doesn't tell par, and does without one", () => {
    const unproven = shareText({ ...won, moves: 65, par: { moves: 64, proven: false }, streak: 1 });
    assert.match(unproven, /\n65 moves\n🟩🟩🟩🟩⬜\n/u);
    assert.doesNotMatch(unproven, /64/u);
    assert.match(shareText({ ...won, par: null, streak: 0 }), /\n66 moves\n🏁\n/u);
  });

  test("fills fewer squares the further over par", () => {
    const par = { moves: 64, proven: true };
    const filled = [60, 64, 65, 67, 68, 72, 73, 79, 80, 200].map(
      (moves) => [...squares(moves, par)].filter((each) => each === "🟩").length,
    );
    assert.deepEqual(filled, [5, 5, 4, 4, 3, 3, 2, 2, 1, 1]);
    assert.equal(squares(66, null), "");
  });
});

describe("giving up", () => {
  test("says what it costs", () => {
    assert.match(lossWords(3), /ends your streak of 3 days won/);
    assert.match(lossWords(1), /ends your streak of 1 day won/);
    assert.match(lossWords(0), /no streak to lose/);
    assert.match(lossWords(null), /no streak to lose/);
  });
});
