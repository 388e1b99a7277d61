import assert from "node:assert/strict";
import { describe, test } from "node:test";

import { ApiError } from "../../static/js/api.js";
import { kinks, kinksInWords, needsAces, nextCards, nextCardsInWords } from "../../static/js/kinks.js";
import { refusalWords } from "../../static/js/refusals.js";
import { RANKS, SUITS } from "../../static/js/rules.js";
import { provedWords, verdictWords } from "../../static/js/verdict-words.js";
import { WonPar } from "../../static/js/won-par.js";
import { FakeClock } from "./fake_clock.js";
import { Random } from "./random.js";
import { variantOf } from "./variants.js";

/** @param {string[]} texts */
const columnsOf = (...texts) => texts.map((text) => (text === "" ? [] : text.split(" ")));

describe("a kink", () => {
  test("is a card that lies above a lower card of its suit", () => {
    assert.deepEqual([...kinks(columnsOf("2H 9S 7H 3H", "KS QS JS", "3D 4C"))], ["7H", "3H"]);
  });

  test("needs no neighbour, and no order of the others", () => {
    assert.deepEqual([...kinks(columnsOf("4C KD 9H 5C"))], ["5C"]);
    assert.deepEqual([...kinks(columnsOf("9C 4C 7C"))], ["7C"]);
  });

  test("is never told of a covered card, nor by one", () => {
    assert.deepEqual([...kinks(columnsOf("## ## 7H", "KH ## 9H"))], []);
  });

  test("is found as the definition says, on random columns", () => {
    const random = new Random(3);
    for (let round = 0; round < 200; round += 1) {
      const deck = random.shuffled([...RANKS].flatMap((rank) => SUITS.map((suit) => rank + suit)));
      const columns = Array.from({ length: 13 }, (_, at) => deck.slice(4 * at, 4 * at + 4));
      const expected = columns.flatMap((column) =>
        column.filter((card, at) =>
          column
            .slice(0, at)
            .some(
              (under) =>
                under.charAt(1) === card.charAt(1) &&
                RANKS.indexOf(under.charAt(0)) < RANKS.indexOf(card.charAt(0)),
            ),
        ),
      );
      assert.deepEqual([...kinks(columns)], expected);
    }
  });

  test("is counted in words", () => {
    assert.match(kinksInWords(0), /^No kinks/);
    assert.match(kinksInWords(1), /^1 kink: a card/);
    assert.match(kinksInWords(7), /^7 kinks: cards/);
  });
});

describe("the cards needed next", () => {
  const position = {
    columns: columnsOf("AC KH", "KD AD", "## 3S", "5H 2C"),
    covered: columnsOf("", "", "##", ""),
    foundations: { C: 0, D: 0, H: 13, S: 0 },
  };

  test("are found with what lies above them", () => {
    const { seen, unseen } = nextCards(position);
    assert.deepEqual(seen, [
      { card: "AC", column: 0, above: 1 },
      { card: "AD", column: 1, above: 0 },
    ]);
    assert.deepEqual(unseen, ["AS"]);
  });

  test("are told in words, and a covered one only as covered", () => {
    assert.equal(
      nextCardsInWords(position),
      "Needed next: ace of clubs in column 1, under 1 card; ace of diamonds in column 2, on top; ace of spades covered.",
    );
  });

  test("are aces until a foundation has its own", () => {
    assert.ok(needsAces(position));
    assert.ok(!needsAces({ ...position, foundations: { C: 1, D: 0, H: 13, S: 0 } }));
  });

  test("are none when all are home", () => {
    const foundations = { C: 13, D: 13, H: 13, S: 13 };
    assert.equal(nextCardsInWords({ columns: [[]], covered: [[]], foundations }), "All cards are home.");
  });
});

describe("verdicts in words", () => {
  test("say won, lost with the reason, and that something isn’t known", () => {
    assert.equal(verdictWords({ outcome: "won" }), "This deal can be won.");
    assert.equal(
      verdictWords({ outcome: "lost", reason: "All ways were tried." }, { thing: "layout" }),
      "This layout can’t be won. All ways were tried.",
    );
    assert.match(verdictWords({ outcome: "unknown", reason: "Late." }), /^Not known yet/);
    assert.equal(
      verdictWords({ outcome: "won" }, { variant: variantOf("original-1883") }),
      "This deal can be won, with all cards known.",
    );
  });

  test("say how a winnable deal was found", () => {
    assert.equal(provedWords({ shuffles: 1, ms: 2.3 }), "Proved winnable at shuffle 1, in 2 ms.");
    assert.equal(provedWords({ shuffles: 3, ms: 0.4 }), "Proved winnable at shuffle 3, in less than 1 ms.");
  });
});

describe("help that is refused", () => {
  /** @param {Partial<ConstructorParameters<typeof ApiError>[0]>} problem */
  const refused = (problem) =>
    refusalWords(new ApiError({ status: 403, code: "help_refused", message: "No help now.", ...problem }));

  test("says when help opens", () => {
    assert.equal(refused({}), "No help now.");
    assert.match(
      refused({ detail: { opens_at: "2026-12-03T02:00:00Z" } }),
      /^No help now\. Help opens on \d+ Dec 2026/,
    );
  });

  test("says how long to wait", () => {
    const many = { status: 429, code: "throttled", message: "Too often." };
    assert.equal(
      refused({ ...many, retryAfter: 12 }),
      "That was a lot of questions. Ask again in 12 seconds.",
    );
    assert.equal(refused({ ...many, retryAfter: 0 }), "That was a lot of questions. Ask again in a second.");
    assert.equal(
      refused({ ...many, retryAfter: 600 }),
      "That was a lot of questions. Ask again in 10 minutes.",
    );
    assert.equal(refused({ ...many, retryAfter: null }), "That was a lot of questions. Ask again later.");
    assert.equal(
      refused({ status: 503, code: "busy", message: "Busy.", retryAfter: 2 }),
      "The server is busy. Ask again in 2 seconds.",
    );
  });

  test("says what is wrong otherwise", () => {
    const message = "The server can’t be reached.";
    assert.equal(refused({ status: 0, code: "network", message }), message);
    assert.equal(refusalWords(new Error("Something.")), "Something.");
  });
});

describe("par after a win", () => {
  /** @param {any} game @param {(times: number) => any} answer */
  function wonWith(game, answer) {
    const clock = new FakeClock();
    let times = 0;
    let changes = 0;
    const store = {
      game: { id: "g", status: "won", version: 4, par: null, help: { solution: true }, ...game },
    };
    const wonPar = new WonPar({
      store: /** @type {any} */ (store),
      api: /** @type {any} */ ({
        solution: async () => {
          times += 1;
          return answer(times);
        },
      }),
      changed: () => {
        changes += 1;
      },
      setTimeout: clock.setTimeout,
    });
    return { wonPar, clock, store, count: () => ({ times, changes }) };
  }

  test("is asked for until it is settled, and told each time it gets better", async () => {
    const { wonPar, clock, count } = wonWith({}, (times) =>
      times === 1
        ? { pending: true, par: { moves: 70, proven: false, lower_bound: 60 } }
        : { pending: false, par: { moves: 66, proven: true, lower_bound: 66 } },
    );
    const asked = wonPar.ask();
    await clock.runOut();
    await asked;
    assert.deepEqual(wonPar.par, { moves: 66, proven: true, lower_bound: 66 });
    assert.deepEqual(count(), { times: 2, changes: 2 });
  });

  test("isn’t asked for where it is proven, where help is refused, or before the game has ended", async () => {
    for (const game of [
      { par: { moves: 66, proven: true } },
      { help: { solution: false } },
      { status: "open" },
      { id: null },
    ]) {
      const { wonPar, count } = wonWith(game, () => assert.fail("it was asked for"));
      await wonPar.ask();
      assert.equal(count().times, 0);
    }
  });

  test("is that of the game on the table, and a refusal is no trouble", async () => {
    const { wonPar, store } = wonWith({}, () => ({ pending: false, par: { moves: 66, proven: true } }));
    await wonPar.ask();
    store.game = { ...store.game, id: "another" };
    assert.equal(wonPar.par, null);
    const refused = wonWith({}, () => Promise.reject(new Error("no")));
    await refused.wonPar.ask();
    assert.equal(refused.wonPar.par, null);
  });
});
