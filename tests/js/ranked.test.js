import assert from "node:assert/strict";
import { describe, test } from "node:test";

import { ApiError } from "../../static/js/api.js";
import { endWords, isOpenRanked, lossWords, rankedName, startRanked } from "../../static/js/ranked.js";
import { FakeServer } from "./fake_server.js";

/** @typedef {import("../../static/js/api.js").StartBody} StartBody */

const GAME = { ...new FakeServer().unstarted("bakers-dozen", "2"), id: "game", kind: "ranked", deal: null };

/** @param {() => any} answer */
function apiThat(answer) {
  /** @type {StartBody[]} */
  const asked = [];
  return {
    asked,
    /** @param {StartBody} body */
    start: async (body) => {
      asked.push(body);
      return answer();
    },
  };
}

/** @param {number} status @param {string} code @param {Record<string, any>} [detail] @returns {() => never} */
const refusing = (status, code, detail) => () => {
  throw new ApiError({ status, code, message: code, ...(detail ? { detail } : {}) });
};

describe("starting a ranked game", () => {
  test("asks for no deal, with an id of its own each time", async () => {
    const api = apiThat(() => GAME);
    let number = 0;
    const newId = () => {
      number += 1;
      return `request-${number}`;
    };

    assert.deepEqual(await startRanked(api, "good-measure", { newId }), { outcome: "started", game: GAME });
    await startRanked(api, "good-measure", { newId });

    assert.deepEqual(api.asked, [
      { variant: "good-measure", kind: "ranked", request_id: "request-1" },
      { variant: "good-measure", kind: "ranked", request_id: "request-2" },
    ]);
  });

  test("loses the open one only when that is wished", async () => {
    const api = apiThat(() => GAME);
    await startRanked(api, "bakers-dozen", { replace: true });
    await startRanked(api, "bakers-dozen", { replace: false });

    assert.deepEqual(
      api.asked.map(({ replace }) => replace),
      [true, undefined],
    );
  });

  test("tells of the game in the way and the streak at stake", async () => {
    const api = apiThat(refusing(409, "ranked_open", { id: "game", streak: 3, game: GAME }));

    assert.deepEqual(await startRanked(api, "bakers-dozen"), { outcome: "open", game: GAME, streak: 3 });
  });

  test("tells that the session has ended meanwhile", async () => {
    assert.deepEqual(await startRanked(apiThat(refusing(403, "sign_in_required")), "bakers-dozen"), {
      outcome: "guest",
    });
  });

  test("passes other refusals on, and faults", async () => {
    await assert.rejects(startRanked(apiThat(refusing(429, "throttled")), "bakers-dozen"), { status: 429 });
    const broken = apiThat(() => {
      throw new TypeError("broken");
    });
    await assert.rejects(startRanked(broken, "bakers-dozen"), TypeError);
  });
});

describe("what is said", () => {
  test("in place of the deal number", () => {
    assert.equal(rankedName(0), "Ranked");
    assert.equal(rankedName(null), "Ranked");
    assert.equal(rankedName(1), "Ranked, streak 1");
    assert.equal(rankedName(12), "Ranked, streak 12");
  });

  test("before a game is lost", () => {
    assert.match(lossWords(0), /no streak to lose/);
    assert.match(lossWords(1), /streak of 1 ranked game won/);
    assert.match(lossWords(7), /streak of 7 ranked games won/);
  });

  test("after the end, with the deal number if it is known", () => {
    const ended = { ...GAME, deal: "477", streak: 3 };
    assert.equal(endWords({ ...ended, status: "won" }), "Ranked streak: 3. Deal 477.");
    assert.equal(endWords({ ...ended, status: "lost" }), "Your streak of 3 has ended. Deal 477.");
    assert.equal(endWords({ ...ended, status: "lost", streak: 0 }), "A ranked game lost. Deal 477.");
    assert.equal(endWords({ ...ended, status: "won", deal: null }), "Ranked streak: 3.");
  });

  test("only of ranked games that are open", () => {
    assert.equal(isOpenRanked({ kind: "ranked", status: "open" }), true);
    assert.equal(isOpenRanked({ kind: "ranked", status: "lost" }), false);
    assert.equal(isOpenRanked({ kind: "casual", status: "open" }), false);
  });
});
