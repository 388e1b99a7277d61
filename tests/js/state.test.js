import assert from "node:assert/strict";
import { describe, test } from "node:test";

import { COVERED, isAwaiting } from "../../static/js/rules.js";
import { settle } from "./fake_clock.js";
import { FakeWorld } from "./fake_page.js";
import { dealtCards, problem } from "./fake_server.js";
import { variantOf } from "./variants.js";

/**
 * @typedef {import("./fake_page.js").FakePage} FakePage
 * @typedef {import("./fake_page.js").Fate} Fate
 * @typedef {import("../../static/js/rules.js").Dealt} Dealt
 */

/** A deal in which a 7 can go back and forth between two 8s, and a 9 onto a 10. */
const SEESAW = {
  columns: [["8D", "7C"], ["8H"], ["KS", "TS"], ["9S"]],
  foundations: { C: 6, D: 7, H: 7, S: 8 },
};
/** Three moves from the end. */
const NEARLY_WON = {
  columns: [["KS"], ["QS"], ["KH"]],
  foundations: { C: 13, D: 13, H: 12, S: 11 },
};
/** A 7 can leave its column, which is covered; so can the 5, and the 2. */
const COVERED_DEAL = {
  columns: [
    ["9S", "4H", "7D"],
    ["KD", "TS", "8C"],
    ["3S", "JD", "5C"],
    ["QC", "6D"],
    ["9C", "2H"],
    ["JC", "3D"],
  ],
  foundations: { C: 0, D: 0, H: 0, S: 0 },
};

/** @param {string} [slug] @param {string} [deal] */
function openDeal(slug = "bakers-dozen", deal = "5") {
  const world = new FakeWorld();
  const page = world.open(world.server.unstarted(slug, deal));
  return { world, page, store: page.store };
}

/** @param {Dealt} dealt @param {{slug?: string}} [options] */
function openLayout(dealt, { slug = "bakers-dozen" } = {}) {
  const world = new FakeWorld();
  const page = world.open(world.server.unstartedLayout("the layout", dealt, slug), { layout: "the layout" });
  return { world, page, store: page.store };
}

const BOARD = { variant: "bakers-dozen", date: "2026-03-01", number: 60 };

/** @param {string} kind @param {string | null} [deal] */
function openBoard(kind, deal = null) {
  const world = new FakeWorld();
  const page = world.open({ ...world.server.unstarted("bakers-dozen", "5"), kind, deal, board: BOARD });
  return { world, page };
}

/** A page with a started game, and a second page of the same game. */
async function openTwice() {
  const { world, page } = openDeal();
  playAny(page);
  await world.finish([page]);
  const other = world.open(stateOf(world, page));
  world.calls.length = 0;
  page.events.length = 0;
  return { world, page, other };
}

/** @param {FakeWorld} world @param {FakePage} page */
const gameOf = (world, page) => world.server.find(page.address ?? "");

/** @param {FakeWorld} world @param {FakePage} page */
const stateOf = (world, page) => world.server.state(gameOf(world, page));

/** Plays a legal move that doesn't undo the last one. @param {FakePage} page @param {number} [which] */
function playAny(page, which = 0) {
  const { legal } = page.store.game;
  const move = legal[which % legal.length] ?? "";
  assert.ok(page.store.play(move));
  return move;
}

/** Lets each request meet the next of these fates, and later ones arrive. @param {FakeWorld} world @param {Fate[]} fates */
function withFates(world, ...fates) {
  world.fate = () => fates.shift() ?? {};
}

/** @param {FakeWorld} world */
const sentMoves = (world) =>
  world.calls.filter(({ path }) => path.endsWith("/moves")).map(({ body }) => body);

describe("a deal that isn't started", () => {
  test("takes its first move at once, then starts the game and plays in it", async () => {
    const { world, page, store } = openDeal();
    assert.equal(store.started, false);
    const move = playAny(page);
    assert.deepEqual(store.line, [move]);
    assert.equal(store.sync, "sending");
    await world.finish([page]);
    const [start, moves] = world.calls;
    assert.deepEqual(
      { ...start?.body, request_id: "" },
      { variant: "bakers-dozen", kind: "casual", deal: "5", request_id: "" },
    );
    assert.equal(start?.token, "token");
    assert.deepEqual(
      { ...moves?.body, request_id: "" },
      { request_id: "", version: 0, at: 0, moves: [move] },
    );
    assert.deepEqual(page.seen("started"), [{ id: "game-1" }]);
    assert.ok(store.started);
    assert.equal(store.game.id, "game-1");
    assert.equal(store.sync, "idle");
  });

  test("stores nothing before the first move", () => {
    const { world, store } = openDeal();
    assert.equal(store.undo(), false);
    assert.equal(store.restart(), false);
    assert.equal(store.play("zz"), false);
    assert.equal(world.calls.length + world.local.length, 0);
  });

  test("is started once when the answer to the start is lost", async () => {
    const { world, page } = openDeal();
    withFates(world, { unanswered: true }, { unanswered: true, breaks: true });
    playAny(page);
    await world.finish([page]);
    const starts = world.calls.filter(({ path }) => path === "/api/games");
    assert.equal(new Set(starts.map(({ body }) => JSON.stringify(body))).size, 1);
    assert.equal(world.server.games.size, 1);
  });

  test("is put back when the server refuses to start it", async () => {
    const { world, page, store } = openDeal();
    world.fate = () => ({ instead: problem(400, "invalid", "There is no such deal.") });
    playAny(page);
    await world.clock.runOut();
    assert.deepEqual(page.seen("refused"), [
      { code: "invalid", message: "There is no such deal.", kept: false },
    ]);
    assert.equal(store.ply, 0);
    assert.equal(page.seen("change").at(-1).reason, "server");
    world.mend();
    playAny(page);
    await world.finish([page]);
    assert.equal(gameOf(world, page).line.length, 1);
  });

  test("is started with its layout if it has no number", async () => {
    const { world, page, store } = openLayout(SEESAW);
    store.play("12");
    await world.finish([page]);
    assert.equal(world.calls[0]?.body.layout, "the layout");
    assert.equal(world.calls[0]?.body.kind, "practice");
    assert.deepEqual(gameOf(world, page).line, ["12"]);
  });

  test("is started by its day if it is a board's, whether its number is known or not", async () => {
    for (const [kind, deal] of /** @type {const} */ ([
      ["daily", null],
      ["practice", "5"],
    ])) {
      const { world, page } = openBoard(kind, deal);
      page.store.play(page.store.game.legal[0] ?? "");
      await settle();
      const { request_id: _, ...start } = world.calls[0]?.body ?? {};
      assert.deepEqual(start, { variant: "bakers-dozen", kind, board: BOARD.date });
    }
  });
});

describe("moves on their way", () => {
  test("leave together when they are played together", async () => {
    const { world, page } = openDeal();
    const moves = [playAny(page), playAny(page, 1), playAny(page, 2)];
    await world.finish([page]);
    assert.deepEqual(
      sentMoves(world).map((body) => body.moves),
      [moves],
    );
  });

  test("gather while a request is under way, and leave together after it", async () => {
    const { world, page } = openDeal();
    world.fate = () => ({ there: 500 });
    const first = playAny(page);
    await world.clock.step();
    await settle();
    const rest = [playAny(page, 1), playAny(page, 2)];
    await world.finish([page]);
    assert.deepEqual(
      sentMoves(world).map((body) => body.moves),
      [[first], rest],
    );
    assert.deepEqual(
      sentMoves(world).map(({ version, at }) => [version, at]),
      [
        [0, 0],
        [1, 1],
      ],
    );
  });

  test("are not thinned out by undo: the redo tail is the one that playing and undoing leaves", async () => {
    const { world, page, store } = openLayout(SEESAW);
    for (const move of ["12", "21", "12"]) store.play(move);
    await world.finish([page]);
    store.undo();
    store.undo();
    assert.deepEqual(store.redoLine, ["21", "12"]);
    assert.ok(store.play("43"));
    assert.deepEqual(store.redoLine, []);
    store.undo();
    assert.deepEqual(store.redoLine, ["43"]);
    await world.finish([page]);
    assert.deepEqual(
      sentMoves(world)
        .slice(1)
        .map(({ at, moves }) => [at, moves]),
      [
        [1, ["43"]],
        [1, []],
      ],
    );
    assert.deepEqual(gameOf(world, page).redo, ["43"]);
  });

  test("are split into batches that the server takes", async () => {
    const { world, page, store } = openLayout(SEESAW);
    for (let ply = 0; ply < 450; ply += 1) store.play(ply % 2 ? "21" : "12");
    await world.finish([page]);
    assert.deepEqual(
      sentMoves(world).map(({ at, moves }) => [at, moves.length]),
      [
        [0, 200],
        [200, 200],
        [400, 50],
      ],
    );
    store.restart();
    store.goTo(430);
    await world.finish([page]);
    assert.equal(gameOf(world, page).line.length, 430);
    assert.equal(gameOf(world, page).redo.length, 20);
  });

  test("end at 2,000 plies, and the player is told", async () => {
    const { world, page, store } = openLayout(SEESAW);
    for (let ply = 0; ply < 2000; ply += 1) assert.ok(store.play(ply % 2 ? "21" : "12"));
    assert.equal(store.play("12"), false);
    assert.equal(page.seen("refused")[0].code, "too_many_plies");
    assert.equal(page.seen("refused")[0].kept, true);
    await world.finish([page]);
    assert.equal(gameOf(world, page).line.length, 2000);
  });

  test("are sent again unchanged until they are answered, and count once", async () => {
    const { world, page, store } = openDeal();
    playAny(page);
    await world.finish([page]);
    world.calls.length = 0;
    withFates(
      world,
      { lost: true },
      { unanswered: true },
      // Longer than the page waits: the answer comes when the request counts as lost.
      { back: 45_000 },
      { unanswered: true, breaks: true },
    );
    const move = playAny(page, 1);
    await settle();
    playAny(page, 2);
    await world.clock.runOut();
    const [first, ...again] = sentMoves(world).filter(({ moves }) => moves[0] === move);
    assert.equal(again.length, 4);
    for (const body of again) assert.deepEqual(body, first);
    assert.deepEqual(gameOf(world, page).line, store.line);
    assert.equal(gameOf(world, page).version, 3);
  });

  test("that arrive again much later change nothing", async () => {
    const { world, page, store } = openDeal();
    world.fate = () => ({ again: 60_000 });
    playAny(page);
    await settle();
    playAny(page, 1);
    store.undo();
    await world.clock.runOut();
    assert.deepEqual(gameOf(world, page).line, store.line);
    assert.deepEqual(gameOf(world, page).redo, store.redoLine);
  });

  test("change nothing on screen when the server confirms them", async () => {
    const { world, page } = openDeal();
    playAny(page);
    const before = page.store.position;
    await world.finish([page]);
    assert.deepEqual(
      page.seen("change").map(({ reason }) => reason),
      ["play"],
    );
    assert.equal(page.store.position, before);
  });
});

describe("a server that doesn't answer", () => {
  test("is tried again after 1, 2, 4 … and at most 30 seconds", async () => {
    const { world, page, store } = openDeal();
    world.fate = () => ({ lost: true, breaks: true });
    playAny(page);
    await settle();
    assert.equal(store.sync, "offline");
    const waits = [];
    for (let tries = 0; tries < 7; tries += 1) {
      waits.push(world.clock.untilNext);
      await world.clock.step();
    }
    assert.deepEqual(waits, [1_000, 2_000, 4_000, 8_000, 16_000, 30_000, 30_000]);
    assert.equal(store.sync, "offline");
    world.mend();
    await world.finish([page]);
    assert.equal(store.sync, "idle");
  });

  test("is tried after the time it asks for, up to 30 seconds", async () => {
    const { world, page, store } = openDeal();
    const asks = ["7", "3600", "0"];
    world.fate = () => {
      const seconds = asks.shift();
      const busy = { ...problem(503, "busy"), headers: { "Retry-After": seconds ?? "" } };
      return seconds ? { instead: busy } : {};
    };
    playAny(page);
    await settle();
    assert.equal(store.sync, "retrying");
    const waits = [];
    for (let tries = 0; tries < 3; tries += 1) {
      waits.push(world.clock.untilNext);
      await world.clock.step();
    }
    assert.deepEqual(waits, [7_000, 30_000, 1_000]);
    assert.equal(store.sync, "idle");
  });

  test("is tried at once when the page is told that it may be back", async () => {
    const { world, page, store } = openDeal();
    withFates(world, { lost: true, breaks: true });
    playAny(page);
    await settle();
    store.retryNow();
    await settle();
    assert.equal(world.clock.time, 0);
    assert.equal(store.sync, "idle");
  });

  test("is not mistaken for one that refuses when something between them answers", async () => {
    const { world, page } = openDeal();
    withFates(
      world,
      { instead: { status: 404, body: "<html>" } },
      { instead: { status: 200, body: "<html>" } },
      { instead: { status: 403, body: "<html>" } },
    );
    const move = playAny(page);
    await world.finish([page]);
    assert.deepEqual(page.seen("refused"), []);
    assert.deepEqual(gameOf(world, page).line, [move]);
  });

  test("that finds the page out of date is told of once, and all moves are kept", async () => {
    const { world, page } = openDeal();
    const outdated = { instead: problem(403, "csrf_failed") };
    withFates(world, outdated, outdated, outdated);
    const move = playAny(page);
    await world.finish([page]);
    assert.equal(page.seen("refused").length, 1);
    assert.equal(page.seen("refused")[0].kept, true);
    assert.deepEqual(gameOf(world, page).line, [move]);
  });
});

describe("a refusal", () => {
  test("of moves made for another state puts the server's state on the table", async () => {
    const { world, page, other } = await openTwice();
    const theirs = playAny(other);
    await world.finish([other]);
    playAny(page, 1);
    playAny(page, 2);
    await world.finish([page]);
    assert.equal(page.seen("refused")[0].code, "stale_version");
    assert.equal(page.seen("refused")[0].kept, false);
    assert.equal(page.store.line.at(-1), theirs);
    assert.deepEqual(page.store.game.columns, stateOf(world, page).columns);
    assert.deepEqual(gameOf(world, page).line, page.store.line);
    playAny(page);
    await world.finish([page]);
    assert.deepEqual(gameOf(world, page).line, page.store.line);
  });

  test("is not needed to see that the game went on elsewhere behind a lost answer", async () => {
    const { world, page, other } = await openTwice();
    withFates(world, { unanswered: true, breaks: true });
    const mine = playAny(page);
    await settle();
    playAny(page, 1);
    await other.store.refresh();
    const theirs = playAny(other, 2);
    await settle();
    await world.finish([page, other]);
    assert.deepEqual(gameOf(world, page).line.slice(1), [mine, theirs]);
    assert.equal(sentMoves(world).length, 3);
    assert.equal(page.seen("refused")[0].code, "stale_version");
    assert.deepEqual(page.store.line, gameOf(world, page).line);
  });

  test("of an illegal move shows the server's reason and state", async () => {
    const { world, page, store } = openDeal();
    playAny(page);
    await world.finish([page]);
    const game = stateOf(world, page);
    withFates(world, { instead: problem(422, "illegal_move", "A 7 needs an 8.", { game, index: 0 }) });
    playAny(page, 1);
    await world.finish([page]);
    assert.deepEqual(page.seen("refused"), [
      { code: "illegal_move", message: "A 7 needs an 8.", kept: false },
    ]);
    assert.deepEqual(store.line, game.line);
  });

  test("that brings no state makes the page fetch it, even if that takes several tries", async () => {
    const { world, page, store } = openDeal();
    playAny(page);
    await world.finish([page]);
    withFates(world, { instead: problem(422, "request_id_reused") }, { lost: true, breaks: true });
    playAny(page, 1);
    await settle();
    assert.equal(store.play(store.game.legal[0] ?? ""), false);
    await world.finish([page]);
    assert.equal(world.calls.at(-1)?.method, "GET");
    assert.equal(store.ply, 1);
    assert.equal(page.seen("refused")[0].code, "request_id_reused");
  });

  test("because the game is no longer there deals it afresh", async () => {
    const { world, page, store } = openDeal();
    playAny(page);
    await world.finish([page]);
    world.server.games.clear();
    playAny(page, 1);
    await world.clock.runOut();
    assert.equal(store.started, false);
    assert.equal(store.ply, 0);
    assert.equal(page.seen("refused")[0].code, "not_found");
    assert.equal(world.local.length, 0);
    const move = playAny(page);
    await world.finish([page]);
    assert.deepEqual(gameOf(world, page).line, [move]);
  });

  test("because a game without number is no longer there closes it", async () => {
    const { world, page, store } = openLayout(SEESAW);
    store.play("12");
    await world.finish([page]);
    world.server.games.clear();
    store.play("21");
    await world.clock.runOut();
    assert.equal(page.seen("refused")[0].code, "not_found");
    assert.equal(store.play("21"), false);
    assert.equal(store.canUndo, false);
  });
});

describe("undo, redo and jumps", () => {
  test("go back and forth in the line without limit", async () => {
    const { world, page, store } = openDeal();
    const moves = [0, 1, 2, 3, 4].map((which) => playAny(page, which));
    assert.ok(store.goTo(2));
    assert.deepEqual(store.redoLine, moves.slice(2));
    assert.ok(store.redo());
    assert.ok(store.goTo(5));
    assert.equal(store.canRedo, false);
    assert.ok(store.restart());
    assert.deepEqual(store.redoLine, moves);
    assert.equal(store.goTo(6), false);
    assert.equal(store.goTo(-1), false);
    assert.equal(store.goTo(0), false);
    await world.finish([page]);
    assert.deepEqual(gameOf(world, page).redo, moves);
  });

  test("say what they moved", () => {
    const { page, store } = openDeal();
    const moves = [playAny(page), playAny(page, 1)];
    store.undo();
    store.redo();
    store.restart();
    store.goTo(1);
    const told = page.seen("change").map(({ reason, moves: moved }) => [reason, moved]);
    assert.deepEqual(told.slice(2), [
      ["undo", [moves[1]]],
      ["redo", [moves[1]]],
      ["restart", moves],
      ["jump", [moves[0]]],
    ]);
    const last = page.seen("change").at(-1);
    assert.equal(last.from, store.positionAt(0));
    assert.equal(last.to, store.position);
  });

  test("any position of line and redo tail can be looked at", () => {
    const { page, store } = openDeal();
    const seen = [store.position];
    for (const which of [0, 1, 2]) {
      playAny(page, which);
      seen.push(store.position);
    }
    store.goTo(1);
    for (const [ply, position] of seen.entries()) assert.deepEqual(store.positionAt(ply), position);
  });
});

describe("covered cards", () => {
  /** @param {FakePage} page */
  const shown = (page) => page.store.position.columns.map((cards) => cards.join(" "));

  test("a column waits for the server's answer, and the others stay playable", async () => {
    const { world, page, store } = openLayout(COVERED_DEAL, { slug: "original-1883" });
    assert.ok(store.play("12"));
    assert.deepEqual([...store.awaiting], [0]);
    assert.equal(store.stuck, false);
    assert.deepEqual(shown(page).slice(0, 2), ["## ##", "## ## 8C 7D"]);
    assert.ok(store.play("34"));
    assert.deepEqual([...store.awaiting], [0, 2]);
    await world.finish([page]);
    assert.deepEqual([...store.awaiting], []);
    assert.deepEqual(shown(page), ["## 4H", "## ## 8C 7D", "## JD", "## 6D 5C", "## 2H", "## 3D"]);
    assert.deepEqual(
      page.seen("change").map(({ reason }) => reason),
      ["play", "play", "server"],
    );
  });

  test("an uncovering that isn't acknowledged can be undone, and the card that came is known from then on", async () => {
    const { world, page, store } = openLayout(COVERED_DEAL, { slug: "original-1883" });
    store.play("12");
    await settle();
    store.undo();
    assert.deepEqual([...store.awaiting], []);
    await world.finish([page]);
    assert.equal(stateOf(world, page).dealt.columns[0]?.[1], COVERED);
    assert.ok(store.redo());
    assert.deepEqual([...store.awaiting], []);
    assert.equal(shown(page)[0], "## 4H");
    await world.finish([page]);
    assert.deepEqual(store.game.columns, stateOf(world, page).columns);
  });

  test("a new page doesn't know the cards of the redo tail, and follows a jump when they come", async () => {
    const { world, page } = openLayout(COVERED_DEAL, { slug: "original-1883" });
    page.store.play("12");
    await world.finish([page]);
    for (const move of ["61", "51"]) assert.ok(page.store.play(move) || move === "51");
    await world.finish([page]);
    const { line } = gameOf(world, page);
    page.store.restart();
    await world.finish([page]);
    page.crash();
    const next = world.open(stateOf(world, page));
    assert.deepEqual(next.store.redoLine, line);
    assert.ok(next.store.goTo(line.length));
    assert.equal(next.store.ply, 1);
    assert.deepEqual(next.store.redoLine, line.slice(1));
    assert.ok(isAwaiting(next.store.position));
    assert.equal(next.store.canRedo, false);
    assert.equal(next.store.play("34"), false);
    await world.finish([next]);
    assert.equal(next.store.ply, line.length);
    assert.deepEqual(next.store.game.columns, stateOf(world, page).columns);
  });

  test("of a game given up are all shown", async () => {
    const { world, page, store } = openLayout(COVERED_DEAL, { slug: "original-1883" });
    store.play("12");
    const resigned = store.resign();
    await world.finish([page]);
    assert.ok(await resigned);
    assert.deepEqual(store.game.columns, stateOf(world, page).columns);
    assert.deepEqual(shown(page).slice(0, 2), ["9S 4H", "KD TS 8C 7D"]);
    assert.ok(store.positionAt(0).columns[0]?.includes(COVERED));
  });

  test("never reach the page while the game runs", async () => {
    const { world, page } = openDeal("original-1883");
    for (let moves = 0; moves < 10; moves += 1) {
      playAny(page, moves);
      await world.finish([page]);
    }
    const named = JSON.stringify(page.store.game.dealt);
    const hidden = stateOf(world, page)
      .columns.flat()
      .filter((card) => card === COVERED).length;
    const all = dealtCards(variantOf("original-1883"), "5").columns.flat();
    assert.equal(all.filter((card) => !named.includes(card)).length, hidden);
  });
});

describe("the end of a game", () => {
  test("a win shows at once and is confirmed by the server", async () => {
    const { world, page, store } = openLayout(NEARLY_WON);
    for (const move of ["2h", "1h", "3h"]) assert.ok(store.play(move));
    assert.equal(store.status, "won");
    assert.equal(store.stuck, false);
    assert.deepEqual(page.seen("finished"), [{ status: "won" }]);
    assert.deepEqual(page.seen("confirmed"), []);
    assert.equal(store.undo(), false);
    assert.equal(store.restart(), false);
    assert.equal(await store.resign(), false);
    await world.finish([page]);
    assert.deepEqual(page.seen("confirmed"), [{ status: "won" }]);
    assert.equal(page.seen("finished").length, 1);
    assert.equal(gameOf(world, page).status, "won");
  });

  test("a win that comes after the game was given up in another tab is taken back", async () => {
    const { world, page, store } = openLayout(NEARLY_WON);
    store.play("2h");
    await world.finish([page]);
    const other = world.open(stateOf(world, page));
    const resigned = other.store.resign();
    await world.finish([other]);
    assert.ok(await resigned);
    store.play("1h");
    store.play("3h");
    assert.equal(store.status, "won");
    await world.finish([page]);
    assert.equal(store.status, "lost");
    assert.equal(page.seen("refused")[0].code, "game_over");
    assert.deepEqual(store.line, ["2h"]);
  });

  test("giving up comes after the moves before it, and counts once if its answer is lost", async () => {
    const { world, page, store } = openDeal();
    world.fate = ({ path }) =>
      path.endsWith("resign") && world.clock.time < 5_000 ? { unanswered: true } : {};
    const move = playAny(page);
    const resigned = store.resign();
    assert.equal(store.play(store.game.legal[0] ?? ""), false);
    assert.equal(store.undo(), false);
    await world.clock.runOut();
    assert.ok(await resigned);
    const resigns = world.calls.filter(({ path }) => path.endsWith("resign"));
    assert.equal(resigns.length, 2);
    assert.deepEqual(resigns[0]?.body, resigns[1]?.body);
    assert.deepEqual(gameOf(world, page).line, [move]);
    assert.equal(store.status, "lost");
    assert.deepEqual(page.seen("finished"), [{ status: "lost" }]);
    assert.equal(await store.resign(), false);
  });

  test("there is nothing to give up before the first move", async () => {
    const { world, store } = openDeal();
    assert.equal(await store.resign(), false);
    assert.equal(world.calls.length, 0);
  });
});

describe("another game on the table", () => {
  test("doesn't stop the moves of the first one", async () => {
    const { world, page, store } = openDeal();
    world.fate = () => ({ there: 2_000 });
    const move = playAny(page);
    store.load(world.server.unstarted("bakers-dozen", "6"));
    assert.equal(store.ply, 0);
    assert.equal(page.seen("change").at(-1).reason, "load");
    const second = playAny(page);
    await world.finish([page]);
    assert.deepEqual(
      [...world.server.games.values()].map(({ deal, line }) => [deal, line]),
      [
        ["5", [move]],
        ["6", [second]],
      ],
    );
    assert.deepEqual(page.seen("started"), [{ id: "game-2" }]);
  });

  test("and back again goes on with what the first one had not sent", async () => {
    const { world, page, store } = openDeal();
    const moves = [playAny(page)];
    await world.finish([page]);
    world.fate = () => ({ lost: true, breaks: true });
    moves.push(playAny(page, 1));
    await settle();
    store.load(world.server.unstarted("bakers-dozen", "6"));
    store.load(world.server.state(world.server.find("game-1")));
    assert.deepEqual(store.line, moves);
    assert.equal(store.sync, "offline");
    moves.push(playAny(page, 2));
    world.mend();
    await world.finish([page]);
    assert.deepEqual(world.server.find("game-1").line, moves);
  });

  test("and back again shows the newest state, though an older one was fetched", async () => {
    const { world, page, store } = openDeal();
    playAny(page);
    await world.finish([page]);
    const older = stateOf(world, page);
    world.fate = () => ({ back: 100 });
    playAny(page, 1);
    await settle();
    store.load(world.server.unstarted("bakers-dozen", "6"));
    await world.finish([page]);
    store.load(older);
    assert.equal(store.ply, 2);
    playAny(page);
    await world.finish([page]);
    assert.deepEqual(page.seen("refused"), []);
  });

  test("of the same variant keeps nothing of the cards that were known", () => {
    const { world, store } = openDeal("original-1883");
    const state = world.server.unstarted("original-1883", "9");
    store.load(state);
    assert.deepEqual(store.game.columns, state.columns);
    assert.deepEqual(store.game.dealt, state.dealt);
  });
});

describe("another tab", () => {
  test("is followed when the page looks", async () => {
    const { world, page, other } = await openTwice();
    playAny(other);
    await world.finish([other]);
    await page.store.refresh();
    assert.deepEqual(page.store.line, other.store.line);
    assert.equal(page.seen("change")[0].reason, "server");
    assert.deepEqual(page.seen("refused"), []);
  });

  test("leaves a live tab's moves alone, and sends them when that tab is gone", async () => {
    const { world, page, other } = await openTwice();
    other.crash();
    world.fate = () => ({ lost: true, breaks: true });
    const move = playAny(page);
    await settle();
    const third = world.open(stateOf(world, page));
    await settle();
    assert.equal(third.store.ply, 1);
    page.crash();
    await settle();
    assert.equal(third.store.ply, 2);
    assert.equal(page.store.line.at(-1), move);
    world.mend();
    await world.finish([third]);
    assert.deepEqual(gameOf(world, page).line, third.store.line);
    assert.equal(world.local.length, 0);
  });
});

describe("a page that comes after one that died", () => {
  test("sends first what was under way, unchanged, and then the rest", async () => {
    const { world, page } = openDeal();
    playAny(page);
    await world.finish([page]);
    world.fate = () => ({ lost: true });
    playAny(page, 1);
    await settle();
    playAny(page, 2);
    page.store.undo();
    playAny(page, 3);
    const [underWay] = sentMoves(world).slice(-1);
    const { line } = page.store;
    page.crash();
    world.calls.length = 0;
    world.mend();
    const next = world.open(stateOf(world, page));
    await settle();
    assert.deepEqual(next.store.line, line);
    await world.finish([next]);
    assert.deepEqual(sentMoves(world)[0], underWay);
    assert.equal(sentMoves(world).length, 3);
    assert.deepEqual(gameOf(world, page).line, line);
  });

  test("goes on with the rest when what was under way had arrived", async () => {
    const { world, page } = openDeal();
    playAny(page);
    await world.finish([page]);
    world.fate = () => ({ unanswered: true });
    playAny(page, 1);
    await settle();
    playAny(page, 2);
    const { line } = page.store;
    page.crash();
    world.mend();
    const next = world.open(stateOf(world, page));
    await settle();
    assert.deepEqual(next.store.line, line);
    await world.finish([next]);
    assert.deepEqual(gameOf(world, page).line, line);
    assert.deepEqual(next.seen("refused"), []);
  });

  test("says so when the game went on elsewhere meanwhile", async () => {
    const { world, page, other } = await openTwice();
    world.fate = () => ({ lost: true });
    playAny(page);
    await settle();
    page.crash();
    world.mend();
    playAny(other, 1);
    await world.finish([other]);
    const next = world.open(stateOf(world, page));
    await settle();
    assert.equal(next.seen("refused")[0]?.code, "stale_version");
    assert.deepEqual(next.store.line, gameOf(world, page).line);
    assert.equal(world.local.length, 0);
  });

  test("starts the deal that the other one was starting, and plays on in it", async () => {
    const { world, page } = openDeal();
    world.fate = () => ({ unanswered: true });
    const move = playAny(page);
    await settle();
    page.crash();
    world.mend();
    const next = world.open(world.server.unstarted("bakers-dozen", "5"));
    await settle();
    assert.deepEqual(next.store.line, [move]);
    await world.finish([next]);
    assert.equal(world.server.games.size, 1);
    assert.equal(next.address, "game-1");
  });

  test("sends the moves of other games, too, and tells of them", async () => {
    const { world, page } = openDeal();
    world.fate = () => ({ lost: true });
    const move = playAny(page);
    await settle();
    page.crash();
    world.mend();
    const next = world.open(world.server.unstarted("bakers-dozen", "77"));
    await world.finish([next]);
    assert.equal(next.store.ply, 0);
    assert.deepEqual(next.seen("recovered")[0].game.line, [move]);
    assert.equal(world.local.length, 0);
  });

  test("says so when a game can't be started any more", async () => {
    const { world, page } = openBoard("daily");
    world.fate = () => ({ lost: true });
    page.store.play(page.store.game.legal[0] ?? "");
    await settle();
    page.crash();
    world.fate = () => ({ instead: problem(409, "board_closed", "This board has closed.") });
    const next = world.open(world.server.unstarted("bakers-dozen", "77"));
    await world.finish([next]);
    assert.deepEqual(next.seen("refused"), [
      { code: "board_closed", message: "This board has closed.", kept: true },
    ]);
    assert.equal(next.store.ply, 0);
    assert.equal(world.local.length, 0);
  });
});
