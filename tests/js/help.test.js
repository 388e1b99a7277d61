import assert from "node:assert/strict";
import { describe, test } from "node:test";

import { ApiError } from "../../static/js/api.js";
import { Hints } from "../../static/js/help/hints.js";
import { Lamp, REST_MS } from "../../static/js/help/lamp.js";
import { PostMortem } from "../../static/js/help/postmortem.js";
import { refusalWords } from "../../static/js/refusals.js";
import { settle } from "./fake_clock.js";
import { FakeWorld } from "./fake_page.js";
import { variantOf } from "./variants.js";

/** A deal in which a 7 can go back and forth between two 8s, and a 9 onto a 10. */
const SEESAW = {
  columns: [["8D", "7C"], ["8H"], ["KS", "TS"], ["9S"]],
  foundations: { C: 6, D: 7, H: 7, S: 8 },
};
const WON = { outcome: "won", pending: false, move: "43", why: "", back_to: null };
const PENDING = { outcome: "unknown", pending: true, move: null, why: "Not decided yet.", back_to: null };
const UNKNOWN = { ...PENDING, pending: false };

/** @param {number | null} last_won_ply @param {number} first_lost_ply */
const lost = (last_won_ply, first_lost_ply) => ({
  ...UNKNOWN,
  outcome: "lost",
  back_to: { last_won_ply, first_lost_ply },
});

/**
 * Answers the questions of help: with the next of what is given, and the last of it again and again.
 *
 * @param {FakeWorld} world
 * @param {any[]} answers an error is thrown
 * @param {number} ms that each takes
 */
function fakeApi(world, answers, ms = 0) {
  /** @type {{name: string, args: any[], at: number}[]} */
  const calls = [];
  const ask =
    (/** @type {string} */ name) =>
    async (/** @type {any[]} */ ...args) => {
      calls.push({ name, args, at: world.clock.time });
      const answer = answers.length > 1 ? answers.shift() : answers[0];
      if (ms > 0) await new Promise((resolve) => world.clock.setTimeout(() => resolve(undefined), ms));
      if (answer instanceof Error) throw answer;
      return structuredClone(answer);
    };
  const api = {
    hint: ask("hint"),
    verdict: ask("verdict"),
    postMortem: ask("postMortem"),
    solve: ask("solve"),
  };
  return { api: /** @type {any} */ (api), calls };
}

/** @param {{deal?: import("../../static/js/rules.js").Dealt, slug?: string}} [options] */
function openTable({ deal, slug = "bakers-dozen" } = {}) {
  const world = new FakeWorld();
  const page = deal
    ? world.open(world.server.unstartedLayout("the layout", deal, slug), { layout: "the layout" })
    : world.open(world.server.unstarted(slug, "5"));
  const { setTimeout, clearTimeout } = world.clock;
  return { world, page, store: page.store, timers: { setTimeout, clearTimeout } };
}

/** Moves a card onto another and has it saved. @param {ReturnType<typeof openTable>} table @param {string} [move] */
async function playAndSave({ world, page, store }, move = store.game.legal[0] ?? "") {
  assert.ok(store.play(move));
  await world.finish([page]);
}

/** @param {ReturnType<typeof openTable>} table @param {any[]} answers @param {number} [ms] */
function openHints(table, answers, ms) {
  const { store, timers, world } = table;
  const { api, calls } = fakeApi(world, answers, ms);
  /** @type {string[]} */
  const told = [];
  /** @type {string[]} */
  const shown = [];
  const hints = new Hints({
    store,
    api,
    changed: () => shown.push(hints.stage),
    tell: (words) => told.push(words),
    ...timers,
  });
  return { hints, calls, told, shown };
}

/** @param {ReturnType<typeof openTable>} table @param {any[]} answers @param {number} [ms] */
function openLamp({ store, timers, world }, answers, ms) {
  const { api, calls } = fakeApi(world, answers, ms);
  /** @type {string[]} */
  const lights = [];
  const lamp = new Lamp({ store, api, show: (light) => lights.push(light), ...timers });
  return { lamp, calls, lights };
}

/** @param {ReturnType<typeof openTable>} table @param {any[]} answers */
function openPostMortem({ store, timers, world }, answers) {
  const { api, calls } = fakeApi(world, answers);
  const postMortem = new PostMortem({ store, api, changed: () => {}, ...timers });
  return { postMortem, calls };
}

const OFFLINE = new ApiError({ status: 0, code: "network", message: "The server can’t be reached." });

describe("a hint", () => {
  test("names the card, then the place, and is then to be played", async () => {
    const { hints, calls } = openHints(openTable({ deal: SEESAW }), [{ ...WON, move: "43", reason: "" }]);
    assert.equal(hints.press(), null);
    await settle();
    assert.deepEqual([hints.stage, hints.move, hints.words], ["card", "43", "Move the 9 of spades."]);
    assert.equal(hints.press(), null);
    assert.equal(hints.stage, "move");
    assert.equal(hints.words, "Move the 9 of spades onto the 10 of spades in column 3.");
    assert.equal(hints.press(), "43");
    assert.equal(calls.length, 1);
  });

  test("for a deal that isn't started is solved from its number or layout, and starts nothing", async () => {
    for (const [options, deal] of /** @type {const} */ ([
      [{}, { variant: "bakers-dozen", deal: "5" }],
      [{ deal: SEESAW }, { variant: "bakers-dozen", layout: "the layout" }],
    ])) {
      const table = openTable(options);
      const { hints, calls } = openHints(table, [
        { outcome: "lost", pending: false, move: null, reason: "" },
      ]);
      hints.press();
      await settle();
      assert.deepEqual(
        calls.map(({ name, args }) => [name, args[0]]),
        [["solve", deal]],
      );
      assert.equal(table.world.server.games.size, 0);
      assert.equal(hints.words, "This deal can’t be won.");
    }
  });

  test("for a deal that isn't started counts as help with the game that is", async () => {
    for (const move of [null, "43"]) {
      const table = openTable({ deal: SEESAW });
      const outcome = move === null ? "lost" : "won";
      const { hints } = openHints(table, [{ outcome, pending: false, move, reason: "" }]);
      hints.press();
      await settle();
      assert.equal(table.store.game.helped, move !== null);
      assert.equal("helped" in table.store.dealBody, false);
      await playAndSave(table);
      assert.equal(table.world.server.games.get("game-1")?.helped ?? false, move !== null);
      assert.equal(table.store.game.helped, move !== null);
    }
  });

  test("says in Original 1883 that it knows what is covered", async () => {
    const table = openTable({ slug: "original-1883" });
    const { hints } = openHints(table, [{ ...WON, move: table.store.game.legal[0], reason: "" }]);
    hints.press();
    await settle();
    assert.match(hints.words, /^Move the .+; the hint knows the covered cards\.$/);
  });

  test("is asked for when the moves on their way have arrived, for the version they made", async () => {
    const table = openTable();
    const { hints, calls } = openHints(table, [WON]);
    table.world.fate = () => ({ there: 300, back: 300 });
    table.store.play(table.store.game.legal[0] ?? "");
    hints.press();
    await settle();
    assert.equal(calls.length, 0);
    await table.world.clock.runOut();
    assert.deepEqual(
      calls.map(({ name, args }) => [name, ...args]),
      [["hint", "game-1", { version: 1 }]],
    );
    assert.equal(calls[0]?.at, 1200);
  });

  test("is dropped when the position has changed meanwhile", async () => {
    const table = openTable();
    await playAndSave(table);
    const { hints, shown } = openHints(table, [WON], 100);
    hints.press();
    await settle();
    table.store.undo();
    await table.world.clock.runOut();
    assert.equal(hints.stage, "none");
    assert.ok(!shown.includes("card"));
  });

  test("goes when a move is played", async () => {
    const table = openTable();
    await playAndSave(table);
    const { hints } = openHints(table, [{ ...WON, move: table.store.game.legal[0] }]);
    hints.press();
    await settle();
    assert.equal(hints.stage, "card");
    table.store.undo();
    assert.equal(hints.stage, "none");
    assert.equal(hints.close(), false);
  });

  test("stays when the server turns a card up in the position it was asked for", async () => {
    const table = openTable({ slug: "original-1883" });
    const first =
      table.store.game.legal.find((move) => move.charAt(1) === "h") ?? table.store.game.legal[0] ?? "";
    table.world.fate = ({ path }) => (path.endsWith("/moves") ? { back: 500 } : {});
    table.store.play(first);
    const { hints } = openHints(table, [WON]);
    hints.press();
    await table.world.clock.runOut();
    assert.ok(table.page.seen("change").some(({ reason }) => reason === "server"));
    assert.equal(hints.stage, "card");
  });

  test("is asked for once however often it is pressed", async () => {
    const table = openTable();
    await playAndSave(table);
    const { hints, calls } = openHints(table, [WON], 1_000);
    for (let press = 0; press < 3; press += 1) assert.equal(hints.press(), null);
    await table.world.clock.runOut();
    assert.equal(calls.length, 1);
    assert.equal(hints.stage, "card");
  });

  test("can be called off, and its answer is dropped", async () => {
    const table = openTable();
    await playAndSave(table);
    const { hints } = openHints(table, [WON], 1_000);
    hints.press();
    assert.equal(hints.close(), true);
    await table.world.clock.runOut();
    assert.equal(hints.stage, "none");
  });

  test("that takes long says so, and one that comes at once doesn't", async () => {
    const table = openTable();
    await playAndSave(table);
    const quick = openHints(table, [WON], 300);
    quick.hints.press();
    await table.world.clock.runOut();
    assert.deepEqual(quick.shown, ["card"]);
    quick.hints.close();
    const slow = openHints(table, [WON], 800);
    slow.hints.press();
    await table.world.clock.runOut();
    assert.deepEqual(slow.shown, ["searching", "card"]);
  });

  test("that marks the game lets the store know", async () => {
    const table = openTable();
    await playAndSave(table);
    table.world.calls.length = 0;
    const { hints } = openHints(table, [{ ...WON, helped: true }]);
    hints.press();
    await settle();
    assert.deepEqual(
      table.world.calls.map(({ method, path }) => `${method} ${path}`),
      ["GET /api/games/game-1"],
    );
    assert.equal(hints.stage, "card");
  });

  test("in a lost position says from where the game could be won", async () => {
    const table = openTable();
    await playAndSave(table);
    const { hints } = openHints(table, [lost(0, 1)]);
    hints.press();
    await settle();
    assert.deepEqual([hints.stage, hints.backTo], ["lost", 0]);
    assert.equal(hints.words, "This position can’t be won. After the deal it still could.");
  });

  test("in a deal that can't be won says so", async () => {
    const table = openTable();
    await playAndSave(table);
    const { hints } = openHints(table, [lost(null, 0)]);
    hints.press();
    await settle();
    assert.deepEqual([hints.stage, hints.backTo, hints.words], ["lost", null, "This deal can’t be won."]);
  });

  test("where nothing is decided offers a deeper search, which is asked about after 0.5, 1, 2 and 4 s", async () => {
    const table = openTable();
    await playAndSave(table);
    const { hints, calls, shown } = openHints(table, [UNKNOWN, PENDING]);
    hints.press();
    await settle();
    assert.deepEqual([hints.stage, hints.words], ["unknown", "Not decided yet."]);
    const from = table.world.clock.time;
    hints.deeper();
    await table.world.clock.runOut();
    const times = calls.slice(1).map(({ at }) => at - from);
    assert.deepEqual(times, [0, 500, 1500, 3500, 7500]);
    assert.deepEqual(calls[1]?.args, ["game-1", { version: 1, deeper: true }]);
    assert.equal(shown.at(-1), "unknown");
  });

  test("comes as soon as the search has found a line", async () => {
    const table = openTable();
    await playAndSave(table);
    const { hints, calls } = openHints(table, [PENDING, PENDING, WON]);
    hints.press();
    await table.world.clock.runOut();
    assert.equal(calls.length, 3);
    assert.equal(hints.stage, "card");
  });

  test("that is refused says why", async () => {
    const refused = { status: 403, code: "help_refused", message: "There is no help with this deal now." };
    for (const [problem, words] of /** @type {const} */ ([
      [new ApiError(refused), "There is no help with this deal now."],
      [
        new ApiError({ status: 429, code: "throttled", message: "", retryAfter: 12 }),
        "Ask again in 12 seconds.",
      ],
      [
        new ApiError({ status: 429, code: "throttled", message: "", retryAfter: 600 }),
        "Ask again in 10 minutes.",
      ],
      [
        new ApiError({ status: 503, code: "busy", message: "The server is busy." }),
        "The server is busy. Ask again later.",
      ],
      [OFFLINE, "The server can’t be reached."],
    ])) {
      const table = openTable();
      await playAndSave(table);
      const { hints, told } = openHints(table, [problem]);
      hints.press();
      await settle();
      assert.equal(hints.stage, "none");
      assert.equal(told.length, 1);
      assert.ok(told[0]?.includes(words), told[0]);
    }
  });

  test("isn't waited for while moves can't be sent", async () => {
    const table = openTable();
    await playAndSave(table);
    const { hints, told, calls } = openHints(table, [WON]);
    table.world.fate = () => ({ lost: true, breaks: true });
    table.store.undo();
    hints.press();
    await settle();
    assert.equal(table.store.sync, "offline");
    assert.deepEqual([told.length, calls.length, hints.stage], [1, 0, "none"]);
  });

  test("puts the game on the table as another tab left it", async () => {
    const table = openTable();
    await playAndSave(table);
    const other = table.world.open(table.world.server.state(table.world.server.find("game-1")));
    other.store.play(other.store.game.legal[0] ?? "");
    await table.world.finish([other]);
    const game = table.world.server.state(table.world.server.find("game-1"));
    const stale = new ApiError({ status: 409, code: "stale_version", message: "Stale.", detail: { game } });
    const { hints, told } = openHints(table, [stale]);
    hints.press();
    await settle();
    assert.deepEqual(table.store.line, other.store.line);
    assert.deepEqual([hints.stage, told], ["none", []]);
    assert.equal(table.page.seen("refused")[0]?.code, "stale_version");
  });

  test("is asked for again where another tab went away and came back", async () => {
    const table = openTable();
    await playAndSave(table);
    const other = table.world.open(table.world.server.state(table.world.server.find("game-1")));
    other.store.undo();
    other.store.redo();
    await table.world.finish([other]);
    const game = table.world.server.state(table.world.server.find("game-1"));
    const stale = new ApiError({ status: 409, code: "stale_version", message: "Stale.", detail: { game } });
    const { hints, calls } = openHints(table, [stale, WON]);
    hints.press();
    await settle();
    assert.deepEqual(
      calls.map(({ args }) => args[1].version),
      [1, game.version],
    );
    assert.equal(hints.stage, "card");
    assert.deepEqual(table.page.seen("refused"), []);
  });
});

describe("the lamp", () => {
  test("asks nothing while it is off", async () => {
    const table = openTable();
    const { lamp, calls, lights } = openLamp(table, [WON]);
    await playAndSave(table);
    assert.equal(lamp.light, "off");
    lamp.switch(true);
    lamp.switch(false);
    await table.world.clock.runOut();
    assert.deepEqual([calls, lights.at(-1)], [[], "off"]);
  });

  test("asks about a position 400 ms after the last move", async () => {
    const table = openTable();
    const { lamp, calls } = openLamp(table, [WON]);
    lamp.switch(true);
    await table.world.clock.runOut();
    assert.deepEqual(
      calls.map(({ name, at }) => [name, at]),
      [["solve", REST_MS]],
    );
    await playAndSave(table);
    const [, { name, args, at } = { name: "", args: [], at: 0 }] = calls;
    assert.deepEqual([name, args, at], ["verdict", ["game-1", 1], 2 * REST_MS]);
    assert.equal(lamp.light, "won");
  });

  test("asks once about moves in quick succession, for the version of the last", async () => {
    const table = openTable();
    const { lamp, calls } = openLamp(table, [WON]);
    lamp.switch(true);
    table.world.fate = () => ({ there: 150 });
    for (let move = 0; move < 3; move += 1) {
      table.store.play(table.store.game.legal[0] ?? "");
      await new Promise((resolve) => {
        table.world.clock.setTimeout(() => resolve(undefined), 200);
        table.world.clock.step().then(() => table.world.clock.step());
      });
    }
    await table.world.clock.runOut();
    const server = table.world.server.find("game-1");
    assert.equal(server.line.length, 3);
    assert.deepEqual(
      calls.map(({ args }) => args),
      [["game-1", server.version]],
    );
  });

  test("polls after 0.5, 1, 2 and 4 s while the search goes on, then says that it isn't decided", async () => {
    const table = openTable();
    await playAndSave(table);
    const from = table.world.clock.time + REST_MS;
    const { lamp, calls, lights } = openLamp(table, [PENDING]);
    lamp.switch(true);
    await table.world.clock.runOut();
    assert.deepEqual(
      calls.map(({ at }) => at - from),
      [0, 500, 1500, 3500, 7500],
    );
    assert.deepEqual(lights, ["asking", "unknown"]);
  });

  test("gives a position up that isn't on the table any more", async () => {
    const table = openTable();
    await playAndSave(table);
    const { lamp, calls, lights } = openLamp(table, [PENDING, PENDING, { ...WON, outcome: "lost" }]);
    lamp.switch(true);
    for (let steps = 0; steps < 2; steps += 1) await table.world.clock.step();
    assert.equal(calls.length, 2);
    table.store.undo();
    await table.world.clock.runOut();
    assert.deepEqual(
      calls.map(({ args }) => args[1]),
      [1, 1, 2],
    );
    assert.deepEqual(lights, ["asking", "asking", "lost"]);
  });

  test("takes no answer for another position", async () => {
    const table = openTable();
    await playAndSave(table);
    const { lamp, lights } = openLamp(table, [{ ...WON, outcome: "lost" }, WON], 300);
    lamp.switch(true);
    await table.world.clock.step();
    table.store.undo();
    await table.world.clock.runOut();
    assert.deepEqual(lights, ["asking", "asking", "won"]);
  });

  test("never makes a move wait", async () => {
    const table = openTable();
    await playAndSave(table);
    const { lamp } = openLamp(table, [PENDING], 100_000);
    lamp.switch(true);
    await table.world.clock.step();
    const { time } = table.world.clock;
    table.store.undo();
    await settle();
    await settle();
    assert.equal(table.store.sync, "idle");
    assert.equal(table.world.server.find("game-1").line.length, 0);
    assert.equal(table.world.clock.time, time);
  });

  test("is silent without a connection and asks again when it is back", async () => {
    const table = openTable();
    await playAndSave(table);
    const { lamp, lights } = openLamp(table, [OFFLINE, WON]);
    lamp.switch(true);
    await table.world.clock.runOut();
    assert.equal(lamp.light, "silent");
    lamp.retry();
    await table.world.clock.runOut();
    assert.deepEqual(lights, ["asking", "silent", "asking", "won"]);
    lamp.retry();
    assert.equal(lamp.light, "won");
  });

  test("is off in a game that has ended, and where verdicts or lamps aren't allowed", async () => {
    const table = openTable();
    await playAndSave(table);
    const { lamp, calls } = openLamp(table, [WON]);
    lamp.switch(true);
    await table.world.clock.runOut();
    await Promise.all([table.store.resign(), table.world.clock.runOut()]);
    assert.equal(lamp.light, "off");
    assert.equal(calls.length, 1);
    const state = table.world.server.unstarted("bakers-dozen", "6");
    table.store.load({ ...state, kind: "ranked" });
    assert.equal(lamp.light, "off");
    table.store.load({ ...state, help: { ...state.help, verdict: false } });
    assert.equal(lamp.light, "off");
    table.store.load(state);
    assert.equal(lamp.light, "asking");
  });
});

describe("a post-mortem", () => {
  const LOST = {
    version: 2,
    outcome: "lost",
    pending: false,
    last_won_ply: 1,
    first_lost_ply: 2,
    losing_move: "43",
    exact: true,
    why: "",
    line: ["12"],
  };

  /** A game of two moves. */
  async function openGame() {
    const table = openTable({ deal: SEESAW });
    await playAndSave(table, "12");
    await playAndSave(table, "43");
    return table;
  }

  /** The same, given up. */
  async function openEnded() {
    const table = await openGame();
    await Promise.all([table.store.resign(), table.world.clock.runOut()]);
    assert.equal(table.store.status, "lost");
    return table;
  }

  test("of a running game asks first, and then names the move that lost it", async () => {
    const { postMortem, calls } = openPostMortem(await openGame(), [LOST]);
    postMortem.open();
    await settle();
    assert.deepEqual([postMortem.stage, calls], ["confirm", []]);
    await postMortem.ask();
    assert.deepEqual(
      calls.map(({ args }) => args),
      [["game-1", { version: 2 }]],
    );
    assert.equal(
      postMortem.words,
      "The game could still be won until move 1. Move 2, the 9 of spades onto the 10 of spades in column 3, lost it.",
    );
    assert.deepEqual([postMortem.lastWonPly, postMortem.line], [1, ["12"]]);
  });

  test("of an ended game asks at once", async () => {
    const { postMortem, calls } = openPostMortem(await openEnded(), [LOST]);
    postMortem.open();
    await settle();
    assert.deepEqual([postMortem.stage, calls.length], ["told", 1]);
  });

  /** @type {[string, object, string, number | null][]} */
  const told = [
    [
      "between two moves where not all is decided",
      { last_won_ply: 0, first_lost_ply: 2, exact: false, losing_move: null },
      "The deal could be won. It was lost between move 1 and move 2.",
      0,
    ],
    [
      "in a deal that can't be won that nothing did it",
      { last_won_ply: null, first_lost_ply: 0, exact: false, losing_move: null },
      "This deal can’t be won, whatever is played: no move of yours lost it.",
      null,
    ],
    [
      "in a deal that isn't decided by when it was lost",
      { last_won_ply: null, first_lost_ply: 1, exact: false, losing_move: null },
      "The game was lost by move 1 at the latest. Whether the deal could be won is not decided.",
      null,
    ],
    [
      "in a game given up too early that it could be won",
      { outcome: "won", last_won_ply: 2, first_lost_ply: null, losing_move: null, exact: true },
      "The game could still be won when it was given up, after move 2.",
      2,
    ],
  ];
  for (const [name, answer, words, ply] of told) {
    test(`says ${name}`, async () => {
      const { postMortem } = openPostMortem(await openEnded(), [{ ...LOST, ...answer }]);
      postMortem.open();
      await settle();
      assert.deepEqual([postMortem.words, postMortem.lastWonPly], [words, ply]);
    });
  }

  test("that isn't decided polls, and then offers a deeper search", async () => {
    const table = await openEnded();
    const unknown = { ...LOST, outcome: "unknown", pending: true, why: "Not decided yet.", exact: false };
    const { postMortem, calls } = openPostMortem(table, [unknown]);
    const from = table.world.clock.time;
    postMortem.open();
    await table.world.clock.runOut();
    assert.deepEqual(
      calls.map(({ at }) => at - from),
      [0, 500, 1500, 3500, 7500],
    );
    assert.deepEqual([postMortem.stage, postMortem.mayGoDeeper], ["unknown", true]);
    postMortem.ask({ deeper: true });
    await settle();
    assert.deepEqual(calls.at(-1)?.args[1].deeper, true);
  });

  test("that fails says why", async () => {
    const { postMortem } = openPostMortem(await openEnded(), [OFFLINE]);
    postMortem.open();
    await settle();
    assert.deepEqual([postMortem.stage, postMortem.words], ["failed", refusalWords(OFFLINE)]);
  });

  test("goes when another position is on the table", async () => {
    const table = await openGame();
    const { postMortem } = openPostMortem(table, [LOST]);
    await postMortem.ask();
    assert.equal(postMortem.stage, "told");
    table.store.goTo(1);
    assert.deepEqual([postMortem.stage, postMortem.lastWonPly], ["closed", null]);
    postMortem.open();
    table.store.load(table.world.server.unstarted(variantOf("bakers-dozen").slug, "9"));
    assert.equal(postMortem.stage, "closed");
  });
});
