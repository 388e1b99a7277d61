import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { describe, test } from "node:test";

import { LinePlayer, PACE } from "../../static/js/line-player.js";
import { againstPar, parText } from "../../static/js/par.js";
import { DELAYS, poll } from "../../static/js/polling.js";
import { firstPosition, isWon, lineage } from "../../static/js/rules.js";
import { FakeClock, settle } from "./fake_clock.js";
import { variantOf } from "./variants.js";

/** @typedef {import("../../static/js/rules.js").Dealt} Dealt */

const BAKERS = variantOf("bakers-dozen");
const ORIGINAL = variantOf("original-1883");

/** @param {string} name @returns {any} */
const read = (name) => JSON.parse(readFileSync(new URL(`../data/cases/${name}`, import.meta.url), "utf8"));

const NOTHING_HOME = { C: 0, D: 0, H: 0, S: 0 };
/** Deal 2 of bakers-dozen @type {Dealt} */
const DEAL = {
  columns: read("rules.json")
    .deals.find((/** @type {any} */ deal) => deal.variant === "bakers-dozen" && deal.deal === "2")
    .columns.map((/** @type {string} */ text) => text.split(" ")),
  foundations: NOTHING_HOME,
};
/** @type {string[]} */
const LINE = read("lines.json").lines[0].line.split(" ");

/** @param {Partial<ConstructorParameters<typeof LinePlayer>[0]>} [options] */
function playerOf(options) {
  const clock = new FakeClock();
  const seen = { changes: 0 };
  const player = new LinePlayer({
    variant: BAKERS,
    start: DEAL,
    line: LINE,
    changed: () => {
      seen.changes += 1;
    },
    setTimeout: clock.setTimeout,
    clearTimeout: clock.clearTimeout,
    ...options,
  });
  return { player, clock, seen };
}

describe("going through a line", () => {
  test("begins at the deal and ends with all cards home", () => {
    const { player } = playerOf();
    assert.equal(player.length, LINE.length);
    assert.equal(player.at, 0);
    assert.equal(player.words, `Before ${LINE.length} moves.`);
    player.last();
    assert.ok(isWon(player.position));
  });

  test("shows the position after each move, forth and back", () => {
    const { player } = playerOf();
    const positions = lineage(BAKERS, DEAL, LINE);
    for (let ply = 1; ply <= LINE.length; ply += 1) {
      assert.ok(player.step());
      assert.deepEqual(player.position, positions[ply]);
    }
    assert.ok(!player.step());
    for (let ply = LINE.length - 1; ply >= 0; ply -= 1) {
      assert.ok(player.back());
      assert.deepEqual(player.position, positions[ply]);
    }
    assert.ok(!player.back());
  });

  test("tells the move in words and the card that moved", () => {
    const { player } = playerOf();
    const [column] = DEAL.columns.slice(8, 9);
    player.step();
    assert.equal(player.card, column?.at(-1));
    assert.match(player.words, new RegExp(`^Move 1 of ${LINE.length}: .+ to column 6\\.$`));
  });

  test("stays within the line wherever it is sent", () => {
    const { player } = playerOf();
    player.goTo(10_000);
    assert.equal(player.at, LINE.length);
    player.goTo(-3);
    assert.equal(player.at, 0);
    assert.equal(playerOf({ at: 500 }).player.at, LINE.length);
  });

  test("begins where it is told to, or at a position", () => {
    const { player } = playerOf({ at: 7 });
    assert.deepEqual(player.position, lineage(BAKERS, DEAL, LINE)[7]);
    const start = lineage(BAKERS, DEAL, LINE)[7];
    assert.ok(start);
    const { player: rest } = playerOf({ start, line: LINE.slice(7) });
    rest.last();
    assert.ok(isWon(rest.position));
  });

  test("ends before a card that nobody has named, and says so", () => {
    const seen = firstPosition(ORIGINAL, {
      columns: DEAL.columns.map((cards) => cards.map((card, at) => (at === cards.length - 1 ? card : "##"))),
      foundations: NOTHING_HOME,
    });
    const { player } = playerOf({ variant: ORIGINAL, start: seen, line: ["96", "96"] });
    assert.equal(player.length, 1);
    assert.ok(player.isCut);
    player.last();
    assert.match(player.words, /The cards that follow are covered\.$/);
  });

  test("goes through 2,000 moves", () => {
    // The same card to and fro, in a variant in which an empty column takes it.
    const spanish = variantOf("spanish-patience");
    const columns = [["2H"], [], ...DEAL.columns.slice(2)];
    const line = Array.from({ length: 2000 }, (_, at) => (at % 2 === 0 ? "12" : "21"));
    const { player } = playerOf({ variant: spanish, start: { columns, foundations: NOTHING_HOME }, line });
    assert.equal(player.length, 2000);
    player.last();
    assert.equal(player.at, 2000);
    assert.match(player.words, /^Move 2000 of 2000: 2 of hearts to column 1/);
  });
});

describe("playing by itself", () => {
  test("makes a move at a time until the end", async () => {
    const { player, clock } = playerOf({ line: LINE.slice(0, 3) });
    player.play();
    assert.ok(player.isPlaying);
    assert.equal(player.at, 0);
    assert.equal(clock.untilNext, PACE);
    await clock.step();
    assert.equal(player.at, 1);
    await clock.runOut();
    assert.equal(player.at, 3);
    assert.ok(!player.isPlaying);
  });

  test("is stopped by a pause and by every step of one’s own", async () => {
    const { player, clock } = playerOf();
    for (const stop of [
      () => player.pause(),
      () => player.step(),
      () => player.back(),
      () => player.goTo(5),
    ]) {
      player.play();
      await clock.step();
      assert.ok(player.isPlaying);
      stop();
      assert.ok(!player.isPlaying);
      const { at } = player;
      await clock.runOut();
      assert.equal(player.at, at);
    }
  });

  test("begins anew at the end, and two presses play no faster", async () => {
    const { player, clock } = playerOf({ line: LINE.slice(0, 2) });
    player.last();
    player.play();
    assert.equal(player.at, 0);
    player.play();
    await clock.step();
    assert.equal(player.at, 1);
    assert.equal(clock.untilNext, PACE);
  });

  test("has nothing to play in a line without moves", () => {
    const { player, seen } = playerOf({ line: [] });
    player.toggle();
    assert.ok(!player.isPlaying);
    assert.equal(player.words, "No move is left to play.");
    assert.equal(seen.changes, 0);
  });

  test("gives way to another line", async () => {
    const { player, clock } = playerOf();
    player.play();
    player.replace(LINE.slice(0, 2));
    assert.equal(player.length, 2);
    assert.equal(player.at, 0);
    await clock.runOut();
    assert.equal(player.at, 0);
  });
});

describe("par in words", () => {
  test("is proven, or the best known with what it can’t go below", () => {
    assert.equal(parText({ moves: 66, proven: true, lower_bound: 66 }), "par 66, proven");
    assert.equal(parText({ moves: 66, proven: false, lower_bound: 63 }), "best known 66 (at least 63)");
    assert.equal(parText({ moves: 66, proven: false }), "best known 66");
    assert.equal(parText({ moves: 66, proven: false, lower_bound: 0 }), "best known 66");
  });

  test("stands beside a player’s own moves", () => {
    const proven = { moves: 66, proven: true };
    const known = { moves: 66, proven: false, lower_bound: 63 };
    assert.equal(againstPar(70, proven), "4 over par 66, proven");
    assert.equal(againstPar(66, proven), "as few as can be");
    assert.equal(againstPar(70, known), "4 over best known 66 (at least 63)");
    assert.equal(againstPar(66, known), "as few as the best known line");
    assert.equal(againstPar(65, known), "1 fewer than the best known line, 66");
  });
});

describe("asking again", () => {
  /** @param {boolean[]} pending of each answer in turn @param {AbortSignal} [signal] */
  function asking(pending, signal) {
    const clock = new FakeClock();
    /** @type {number[]} */
    const times = [];
    /** @type {Array<[boolean, boolean]>} */
    const answers = [];
    const done = poll({
      ask: async () => {
        times.push(clock.time);
        return { pending: pending[times.length - 1] ?? true };
      },
      answered: (answer, isLast) => {
        answers.push([answer.pending, isLast]);
      },
      signal,
      setTimeout: clock.setTimeout,
    });
    return { clock, times, answers, done };
  }

  test("goes on after 0.5, 1, 2 and 4 s, and then no more", async () => {
    const { clock, times, answers, done } = asking([]);
    await clock.runOut();
    await done;
    assert.deepEqual(DELAYS, [500, 1000, 2000, 4000]);
    assert.deepEqual(times, [0, 500, 1500, 3500, 7500]);
    assert.deepEqual(answers.at(-1), [true, true]);
  });

  test("ends with the first answer that isn’t pending", async () => {
    const { clock, times, answers, done } = asking([true, false]);
    await clock.runOut();
    await done;
    assert.deepEqual(times, [0, 500]);
    assert.deepEqual(answers, [
      [true, false],
      [false, true],
    ]);
  });

  test("ends when nobody wants to know any more, and tells nothing", async () => {
    const abort = new AbortController();
    const { clock, times, answers, done } = asking([], abort.signal);
    await settle();
    abort.abort();
    await clock.runOut();
    await done;
    assert.equal(times.length, 1);
    assert.equal(answers.length, 1);
  });

  test("ends when the one who is told has heard enough", async () => {
    const clock = new FakeClock();
    let times = 0;
    const done = poll({
      ask: async () => {
        times += 1;
        return { pending: true };
      },
      answered: () => true,
      setTimeout: clock.setTimeout,
    });
    await clock.runOut();
    await done;
    assert.equal(times, 1);
  });
});
