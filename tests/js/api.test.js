import assert from "node:assert/strict";
import { describe, test } from "node:test";

import { ApiError, createApi } from "../../static/js/api.js";
import { randomId } from "../../static/js/ids.js";
import { FakeClock, settle } from "./fake_clock.js";

/** @typedef {{path: string, options: RequestInit}} Request */

/** @param {() => Promise<Response>} answer @param {Pick<LockManager, "request"> | null} [locks] */
function apiWith(answer, locks = null) {
  const clock = new FakeClock();
  /** @type {Request[]} */
  const requests = [];
  let token = "first";
  const api = createApi({
    fetch: /** @type {any} */ (
      (/** @type {string} */ path, /** @type {RequestInit} */ options) => {
        requests.push({ path, options });
        return Promise.race([
          answer(),
          new Promise((_, reject) => {
            options.signal?.addEventListener("abort", () =>
              reject(new DOMException("aborted", "AbortError")),
            );
          }),
        ]);
      }
    ),
    csrfToken: () => token,
    locks,
    setTimeout: clock.setTimeout,
    clearTimeout: clock.clearTimeout,
  });
  return {
    api,
    clock,
    requests,
    signIn: () => {
      token = "second";
    },
  };
}

/** @param {object} body @param {ResponseInit} [init] */
const json = (body, init) => async () => Response.json(body, init);

/** @param {Promise<unknown>} promise @returns {Promise<ApiError>} */
async function problemOf(promise) {
  /** @type {unknown} */
  const error = await promise.then(
    () => assert.fail("it was answered"),
    (reason) => reason,
  );
  assert.ok(error instanceof ApiError);
  return error;
}

describe("a call", () => {
  test("goes to its address with its body and the current token", async () => {
    const { api, requests, signIn } = apiWith(json({ id: "1" }));
    const moves = { request_id: "request-1", version: 0, at: 0, moves: ["4h"] };
    await api.moves("1", moves);
    signIn();
    await api.resign("1", { request_id: "request-2", version: 1 });
    await api.start({ variant: "bakers-dozen", kind: "casual" });
    await api.readLayout({ variant: "bakers-dozen", layout: "AC" });
    assert.deepEqual(
      requests.map(({ path, options }) => [options.method, path]),
      [
        ["POST", "/api/games/1/moves"],
        ["POST", "/api/games/1/resign"],
        ["POST", "/api/games"],
        ["POST", "/api/deals"],
      ],
    );
    assert.deepEqual(JSON.parse(String(requests[0]?.options.body)), moves);
    const headers = requests.map(({ options }) => /** @type {Record<string, string>} */ (options.headers));
    assert.deepEqual(
      headers.map((each) => each["X-CSRFToken"]),
      ["first", "second", "second", "second"],
    );
    assert.equal(headers[0]?.["Content-Type"], "application/json");
  });

  test("that only reads carries neither body nor token", async () => {
    const { api, requests } = apiWith(json({}));
    await api.newDeal("bakers-dozen");
    await api.deal("bakers-dozen", "4 77");
    await api.game("1");
    await api.games();
    assert.deepEqual(
      requests.map(({ path }) => path),
      ["/api/deals/bakers-dozen", "/api/deals/bakers-dozen/4%2077", "/api/games/1", "/api/games"],
    );
    for (const { options } of requests) {
      assert.equal(options.body, undefined);
      assert.deepEqual(options.headers, { Accept: "application/json" });
    }
  });

  test("gives up only after the server would have said that it is busy", async () => {
    const { api, clock } = apiWith(() => new Promise(() => {}));
    const problem = problemOf(api.games());
    assert.equal(clock.untilNext, 30_000);
    await clock.step();
    const { status, code, isTemporary } = await problem;
    assert.deepEqual([status, code, isTemporary], [0, "timeout", true]);
  });

  test("leaves no timer behind", async () => {
    const { api, clock } = apiWith(json({}));
    await api.games();
    await settle();
    assert.equal(clock.untilNext, null);
  });
});

describe("starts", () => {
  const body = { variant: "bakers-dozen", kind: "casual" };

  /** @returns {Pick<LockManager, "request">} one lock, whatever its name */
  function oneLock() {
    let last = Promise.resolve();
    const request = (/** @type {string} */ _name, /** @type {() => Promise<void>} */ run) => {
      const mine = last.then(run);
      last = mine.catch(() => {});
      return mine;
    };
    return /** @type {any} */ ({ request });
  }

  test("of two tabs go one after another, since the first one's answer brings the session of both", async () => {
    /** @type {Array<() => void>} */
    const answers = [];
    const answer = () =>
      new Promise((/** @type {(response: Response) => void} */ resolve) => {
        answers.push(() => resolve(Response.json({})));
      });
    const locks = oneLock();
    const [one, other] = [apiWith(answer, locks), apiWith(answer, locks)];
    const started = Promise.all([one.api.start(body), other.api.start(body)]);
    await settle();
    assert.equal(answers.length, 1);
    answers[0]?.();
    await settle();
    assert.equal(answers.length, 2);
    answers[1]?.();
    await started;
  });

  test("that fail let the next one pass, and are not made twice", async () => {
    let requests = 0;
    const { api } = apiWith(() => {
      requests += 1;
      return Promise.reject(new TypeError("failed"));
    }, oneLock());
    const problems = await Promise.all([problemOf(api.start(body)), problemOf(api.start(body))]);
    assert.deepEqual(
      problems.map(({ code }) => code),
      ["network", "network"],
    );
    assert.equal(requests, 2);
  });

  test("go out where the browser refuses locks", async () => {
    const refused = () => Promise.reject(new DOMException("denied", "SecurityError"));
    const { api, requests } = apiWith(json({ id: "1" }), /** @type {any} */ ({ request: refused }));
    assert.deepEqual(await api.start(body), { id: "1" });
    assert.equal(requests.length, 1);
  });
});

describe("a problem", () => {
  test("carries what the server said", async () => {
    const error = { code: "illegal_move", message: "A 7 needs an 8.", detail: { index: 0 } };
    const { api } = apiWith(json({ error }, { status: 422 }));
    const { status, code, message, detail, retryAfter, isTemporary } = await problemOf(api.games());
    assert.deepEqual(
      { status, code, message, detail, retryAfter, isTemporary },
      { status: 422, ...error, retryAfter: null, isTemporary: false },
    );
  });

  for (const status of [408, 429, 500, 503]) {
    test(`with status ${status} may pass`, async () => {
      const error = { code: "busy", message: "Busy." };
      const { api } = apiWith(json({ error }, { status, headers: { "Retry-After": "3" } }));
      const problem = await problemOf(api.games());
      assert.deepEqual([problem.isTemporary, problem.retryAfter], [true, 3]);
    });
  }

  for (const status of [200, 302, 404, 502]) {
    test(`that isn't in the server's form, with status ${status}, may pass`, async () => {
      const { api } = apiWith(async () => new Response("<html>", { status }));
      const problem = await problemOf(api.games());
      assert.deepEqual([problem.isTemporary, problem.code], [true, "unreadable"]);
    });
  }

  test("of the network may pass", async () => {
    const { api } = apiWith(() => Promise.reject(new TypeError("failed")));
    const problem = await problemOf(api.games());
    assert.deepEqual([problem.isTemporary, problem.code], [true, "network"]);
  });
});

test("a random id is one that the server takes, and never the same", () => {
  const ids = Array.from({ length: 100 }, randomId);
  for (const id of ids) assert.match(id, /^[A-Za-z0-9_-]{8,64}$/);
  assert.equal(new Set(ids).size, 100);
});
