/**
 * Random games over a bad network. Whatever is lost, delayed or doubled, and whenever the page dies, in the end the
 * server holds exactly what the player did.
 */

import assert from "node:assert/strict";
import { describe, test } from "node:test";

import { COVERED, lineage } from "../../static/js/rules.js";
import { settle } from "./fake_clock.js";
import { FakeWorld } from "./fake_page.js";
import { problem } from "./fake_server.js";
import { Random } from "./random.js";
import { VARIANTS, variantOf } from "./variants.js";

/**
 * @typedef {import("./fake_page.js").FakePage} FakePage
 * @typedef {import("./fake_page.js").Fate} Fate
 * @typedef {{line: string[], redo: string[]}} Model
 */

const ACTIONS = 50;

/** @param {Random} random @returns {Fate} */
function badLuck(random) {
  /** @returns {number} */
  const delay = () => random.pick([0, 0, 5, 300, 2_000, 35_000]);
  const way = { there: delay(), back: delay() };
  switch (random.below(12)) {
    case 0:
      return { ...way, lost: true, breaks: random.happens(0.5) };
    case 1:
    case 2:
      return { ...way, unanswered: true, breaks: random.happens(0.5) };
    case 3:
      return { ...way, again: random.below(60_000) };
    case 4:
      return { ...way, instead: { ...problem(503, "busy"), headers: { "Retry-After": "2" } } };
    case 5:
      return { ...way, instead: { status: random.pick([403, 404, 502]), body: "<html>proxy</html>" } };
    case 6:
      return { ...way, instead: problem(429, "throttled") };
    default:
      return way;
  }
}

/** @param {Model} model @param {number} at */
function goBack(model, at) {
  model.redo = [...model.line.slice(at), ...model.redo];
  model.line = model.line.slice(0, at);
}

/** @param {Model} model @param {string} move */
function goOn(model, move) {
  model.redo = model.redo[0] === move ? model.redo.slice(1) : [];
  model.line = [...model.line, move];
}

/** Does something a player may do, in the page and in the model. @param {Random} random @param {FakePage} page @param {Model} model */
function act(random, page, model) {
  const { store } = page;
  const { ply } = store;
  switch (random.below(8)) {
    case 0:
      if (store.undo()) goBack(model, ply - 1);
      break;
    case 1:
      if (store.redo()) goOn(model, model.redo[0] ?? "");
      break;
    case 2:
      if (random.happens(0.3) && store.restart()) goBack(model, 0);
      break;
    case 3: {
      const target = random.below(store.line.length + store.redoLine.length + 1);
      if (!store.goTo(target)) break;
      if (target < ply) goBack(model, target);
      else for (const move of model.redo.slice(0, target - ply)) goOn(model, move);
      break;
    }
    default:
      for (let left = 1 + random.below(4); left > 0; left -= 1) {
        const { legal } = store.game;
        if (legal.length === 0) break;
        const move = random.pick(legal);
        assert.equal(store.play(move), store.status !== "open" || store.line.at(-1) === move);
        if (store.line.at(-1) === move && store.ply === model.line.length + 1) goOn(model, move);
      }
  }
}

/** @param {FakeWorld} world @param {FakePage} page @param {string} slug @param {string} deal */
const stateForReload = (world, page, slug, deal) =>
  page.address ? world.server.state(world.server.find(page.address)) : world.server.unstarted(slug, deal);

/** What the page shows is true, apart from columns that wait for a card. @param {FakeWorld} world @param {FakePage} page */
function assertShowsTruth(world, page) {
  const { store } = page;
  const game = store.game.id === null ? null : world.server.games.get(store.game.id);
  if (game?.status !== "open") return;
  const truth = lineage(variantOf(game.variant), game.dealt, store.line).at(-1);
  for (const [column, cards] of store.position.columns.entries()) {
    if (cards.at(-1) !== COVERED) assert.deepEqual(cards, truth?.columns[column]);
  }
  assert.deepEqual(store.position.foundations, truth?.foundations);
}

/** @param {FakeWorld} world @param {FakePage} page */
function assertAgrees(world, page) {
  const { store } = page;
  const state = world.server.state(world.server.find(store.game.id ?? ""));
  const { line, redo, columns, foundations, status, version, legal, stuck } = store.game;
  assert.deepEqual(
    { line, redo, columns, foundations, status, version, legal, stuck },
    {
      line: state.line,
      redo: state.redo,
      columns: state.columns,
      foundations: state.foundations,
      status: state.status,
      version: state.version,
      legal: state.legal,
      stuck: state.stuck,
    },
  );
  assert.equal(store.sync, "idle");
}

/** @param {FakeWorld} world */
function assertNothingTwice(world) {
  for (const [id, times] of world.server.carriedOut) assert.equal(times, 1, id);
  assert.equal(world.local.length, 0, "everything acknowledged is forgotten");
}

for (const slug of Object.keys(VARIANTS)) {
  describe(`one page of ${slug} over a bad network`, () => {
    for (let seed = 1; seed <= 25; seed += 1) {
      test(`the server ends with exactly what the player did (seed ${seed})`, async () => {
        const random = new Random(seed);
        const world = new FakeWorld();
        const deal = String(seed);
        const trouble = random.next();
        world.fate = () => (random.happens(trouble) ? badLuck(random) : { back: random.below(100) });
        let page = world.open(world.server.unstarted(slug, deal));
        /** @type {Model} */
        const model = { line: [], redo: [] };
        for (let action = 0; action < ACTIONS; action += 1) {
          act(random, page, model);
          const { store } = page;
          assert.deepEqual([...store.line, ...store.redoLine], [...model.line, ...model.redo]);
          assertShowsTruth(world, page);
          for (let steps = random.below(4); steps > 0; steps -= 1) await world.clock.step();
          if (random.happens(0.1)) {
            const state = stateForReload(world, page, slug, deal);
            page.crash();
            assert.deepEqual(page.seen("refused"), []);
            page = world.open(state);
            await settle();
          }
          if (random.happens(0.05)) page.store.retryNow();
        }
        world.mend();
        await world.finish([page]);
        assert.deepEqual(page.seen("refused"), []);
        if (model.line.length + model.redo.length === 0) return;
        const game = world.server.find(page.address ?? "");
        assert.deepEqual({ line: game.line, redo: game.redo }, model);
        assertAgrees(world, page);
        assertNothingTwice(world);
        assert.equal(world.server.games.size, 1);
      });
    }
  });
}

for (const slug of ["bakers-dozen", "original-1883", "spanish-patience"]) {
  describe(`two pages of ${slug} over a bad network`, () => {
    for (let seed = 1; seed <= 25; seed += 1) {
      test(`both end with what the server has, and nothing counts twice (seed ${seed})`, async () => {
        const random = new Random(seed * 7919);
        const world = new FakeWorld();
        const deal = String(seed);
        const first = world.open(world.server.unstarted(slug, deal));
        first.store.play(first.store.game.legal[0] ?? "");
        await world.finish([first]);
        const trouble = random.next() / 2;
        world.fate = () => (random.happens(trouble) ? badLuck(random) : { back: random.below(100) });
        const pages = [first, world.open(world.server.state(world.server.find(first.address ?? "")))];
        for (let action = 0; action < ACTIONS; action += 1) {
          const at = random.below(2);
          const page = /** @type {FakePage} */ (pages[at]);
          const { line, redoLine } = page.store;
          act(random, page, { line: [...line], redo: [...redoLine] });
          assertShowsTruth(world, page);
          for (let steps = random.below(5); steps > 0; steps -= 1) await world.clock.step();
          if (random.happens(0.08)) {
            const state = stateForReload(world, page, slug, deal);
            page.crash();
            pages[at] = world.open(state);
            if (random.happens(0.5)) await settle();
          }
          if (random.happens(0.1)) page.store.refresh();
        }
        world.mend();
        await world.finish(pages);
        for (const page of pages) {
          const refreshed = page.store.refresh();
          await world.clock.runOut();
          await refreshed;
          assertAgrees(world, page);
        }
        assertNothingTwice(world);
      });
    }
  });
}
