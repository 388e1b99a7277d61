import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { describe, it } from "node:test";
import { ApiError } from "../../static/js/api.js";
import { Settings } from "../../static/js/settings.js";
import { CHOICES, chosenIn, DEFAULTS } from "../../static/js/settings-names.js";
import { FakeLocalStorage, FakeLocks } from "./fake_browser.js";
import { FakeClock, settle } from "./fake_clock.js";

/**
 * @typedef {import("../../static/js/settings-names.js").Chosen} Chosen
 * @typedef {import("../../static/js/settings-names.js").Values} Values
 */

const GUEST = "bakers.settings";
const ACCOUNT = "bakers.settings.account";

/** The settings of one account on the server, and what stands between it and the pages. */
class FakeAccount {
  /** @type {Chosen} */ chosen = {};
  /** What came in, in order. @type {Chosen[]} */ calls = [];
  /** What is answered instead, call by call. @type {(ApiError | null)[]} */ problems = [];
  /** A call that is under way ends when this is called. @type {(() => void) | null} */ release = null;
  #time = 0;
  holds = false;

  constructor(name = "account-1") {
    this.name = name;
  }

  get answer() {
    this.#time += 1;
    const as_of = new Date(this.#time * 1000).toISOString();
    const chosen = Object.keys(this.chosen).length > 0;
    return { settings: /** @type {Values} */ ({ ...DEFAULTS, ...this.chosen }), chosen, as_of };
  }

  /** What a page brings along. */
  get page() {
    return { account: this.name, ...this.answer };
  }

  /** @param {Chosen} changes */
  change = async (changes) => {
    this.calls.push(changes);
    if (this.holds) await new Promise((resolve) => (this.release = () => resolve(undefined)));
    const problem = this.problems.shift();
    if (problem) throw problem;
    this.chosen = { ...this.chosen, ...changes };
    return this.answer;
  };
}

/** A browser: its tabs share storage and locks, and hear of each other's writing. */
class FakeBrowser {
  clock = new FakeClock();
  local = new FakeLocalStorage();
  locks = new FakeLocks();
  /** @type {EventTarget[]} */ pages = [];

  /** @param {FakeAccount} account @param {Partial<ReturnType<FakeBrowser["outside"]>>} [more] */
  open(account, more = {}) {
    return new Settings({ ...this.outside(account), account: account.page, ...more });
  }

  /** @param {Partial<ReturnType<FakeBrowser["outside"]>>} [more] */
  openAsGuest(more = {}) {
    return new Settings({ ...this.outside(new FakeAccount()), ...more });
  }

  /** @param {FakeAccount} account */
  outside(account) {
    const page = new EventTarget();
    this.pages.push(page);
    const tell = (/** @type {string | null} */ key) => {
      for (const other of this.pages)
        if (other !== page) other.dispatchEvent(Object.assign(new Event("storage"), { key }));
    };
    const { local } = this;
    return {
      storage: /** @type {any} */ ({
        getItem: (/** @type {string} */ key) => local.getItem(key),
        setItem: (/** @type {string} */ key, /** @type {string} */ value) => {
          local.setItem(key, value);
          tell(key);
        },
        removeItem: (/** @type {string} */ key) => {
          local.removeItem(key);
          tell(key);
        },
      }),
      changeSettings: account.change,
      locks: /** @type {any} */ (this.locks.of(page)),
      setTimeout: this.clock.setTimeout,
      clearTimeout: this.clock.clearTimeout,
      page,
    };
  }

  /** @param {string} key @returns {any} */
  stored(key) {
    return JSON.parse(this.local.getItem(key) ?? "null");
  }
}

/** @param {string} code @param {number} status */
const problem = (code, status) => new ApiError({ status, code, message: code });
const OFFLINE = problem("network", 0);
/** @param {EventTarget} target */
const changesOf = (target) => {
  const seen = { count: 0 };
  target.addEventListener("change", () => {
    seen.count += 1;
  });
  return seen;
};

describe("The settings there are", () => {
  it("are those that the server knows", () => {
    const written = JSON.parse(readFileSync(new URL("../data/settings.json", import.meta.url), "utf8"));
    const known = Object.fromEntries(
      Object.entries(DEFAULTS).map(([name, value]) => [
        name,
        CHOICES[name] ? { default: value, choices: CHOICES[name] } : { default: value },
      ]),
    );
    assert.deepEqual(known, written);
  });

  it("are all that is read of what somebody stored", () => {
    assert.deepEqual(
      chosenIn({ theme: "dark", ask: true, clock: "no", tap: "home", gone: 1, suits: ["four"] }),
      {
        theme: "dark",
        ask: true,
      },
    );
    for (const stored of [null, undefined, "x", 3, [], true]) assert.deepEqual(chosenIn(stored), {});
  });
});

describe("A guest's settings", () => {
  it("are the defaults until something is chosen, and outlast the page", () => {
    const browser = new FakeBrowser();
    const settings = browser.openAsGuest();
    assert.equal(settings.get("theme"), "system");
    settings.set("theme", "dark");
    assert.equal(settings.get("theme"), "dark");
    assert.deepEqual(browser.stored(GUEST), { theme: "dark" });
    assert.equal(browser.openAsGuest().get("theme"), "dark");
    assert.equal(settings.place, "browser");
  });

  it("are followed by the other tabs, and lose nothing to them", () => {
    const browser = new FakeBrowser();
    const [one, other] = [browser.openAsGuest(), browser.openAsGuest()];
    const seen = changesOf(other);
    one.set("ask", true);
    assert.equal(seen.count, 1);
    assert.equal(other.get("ask"), true);
    other.set("lamp", true);
    one.set("clock", false);
    assert.deepEqual(browser.stored(GUEST), { ask: true, lamp: true, clock: false });
  });

  it("hold until the page goes where the browser keeps nothing", () => {
    const refusing = { getItem: () => null, removeItem() {} };
    const full = { ...refusing, setItem() { throw new Error("full"); } }; // biome-ignore format: as short as it is
    for (const storage of [null, /** @type {any} */ (full)]) {
      const settings = new FakeBrowser().openAsGuest({ storage });
      settings.set("suits", "four");
      settings.set("ask", true);
      assert.equal(settings.get("suits"), "four");
      assert.equal(settings.get("ask"), true);
      assert.equal(settings.place, "page");
    }
  });

  it("survive nonsense under their name", () => {
    for (const text of ["", "{", "null", "[]", '"x"', "7"]) {
      const browser = new FakeBrowser();
      browser.local.setItem(GUEST, text);
      const settings = browser.openAsGuest();
      assert.equal(settings.get("speed"), "system");
      settings.set("speed", "fast");
      assert.deepEqual(browser.stored(GUEST), { speed: "fast" });
    }
  });

  it("are not mixed with what an account has left behind", () => {
    const browser = new FakeBrowser();
    const account = new FakeAccount();
    account.chosen = { theme: "dark" };
    browser.open(account);
    assert.equal(browser.openAsGuest().get("theme"), "system");
    assert.equal(browser.stored(ACCOUNT), null);
  });
});

describe("An account's settings", () => {
  it("come with the page and go to the server", async () => {
    const browser = new FakeBrowser();
    const account = new FakeAccount();
    account.chosen = { theme: "dark" };
    const settings = browser.open(account);
    assert.equal(settings.get("theme"), "dark");
    settings.set("ask", true);
    assert.equal(settings.get("ask"), true);
    await settle();
    assert.deepEqual(account.calls, [{ ask: true }]);
    assert.equal(settings.place, "account");
    assert.equal(new FakeBrowser().open(account).get("ask"), true);
  });

  it("take a guest's along, once, where the account has none", async () => {
    const browser = new FakeBrowser();
    const account = new FakeAccount();
    browser.openAsGuest().set("theme", "dark");
    const settings = browser.open(account);
    assert.equal(settings.get("theme"), "dark");
    await settle();
    assert.deepEqual(account.calls, [{ theme: "dark" }]);
    assert.equal(browser.stored(GUEST), null);
    browser.open(account);
    await settle();
    assert.equal(account.calls.length, 1);
  });

  it("go before a guest's where the account has some", async () => {
    const browser = new FakeBrowser();
    const account = new FakeAccount();
    account.chosen = { ask: true };
    browser.openAsGuest().set("theme", "dark");
    const settings = browser.open(account);
    await settle();
    assert.equal(settings.get("theme"), "system");
    assert.equal(settings.get("ask"), true);
    assert.deepEqual(account.calls, []);
    assert.equal(browser.stored(GUEST), null);
  });

  it("are kept without a connection, and sent later", async () => {
    const browser = new FakeBrowser();
    const account = new FakeAccount();
    account.problems = [OFFLINE, OFFLINE];
    const settings = browser.open(account);
    settings.set("speed", "slow");
    await settle();
    assert.equal(settings.place, "waiting");
    settings.set("ask", true);
    await settle();
    assert.equal(settings.get("speed"), "slow");
    await browser.clock.runOut();
    assert.deepEqual(account.chosen, { speed: "slow", ask: true });
    assert.equal(settings.place, "account");
    assert.deepEqual(browser.stored(ACCOUNT).unsent, {});
  });

  it("that weren't sent go before those of the next page, and are sent from there", async () => {
    const browser = new FakeBrowser();
    const account = new FakeAccount();
    account.problems = [OFFLINE];
    browser.open(account).set("theme", "light");
    await settle();
    const settings = browser.open(account);
    assert.equal(settings.get("theme"), "light");
    await settle();
    assert.deepEqual(account.chosen, { theme: "light" });
  });

  it("are sent again no sooner than the server asks for", async () => {
    const browser = new FakeBrowser();
    const account = new FakeAccount();
    account.problems = [new ApiError({ status: 429, code: "throttled", message: "", retryAfter: 90 })];
    browser.open(account).set("ask", true);
    await settle();
    assert.equal(browser.clock.untilNext, 90_000);
  });

  it("changed while they are being sent are sent after that", async () => {
    const browser = new FakeBrowser();
    const account = new FakeAccount();
    const settings = browser.open(account);
    account.holds = true;
    settings.set("theme", "dark");
    await settle();
    settings.set("theme", "light");
    settings.set("ask", true);
    account.holds = false;
    account.release?.();
    await settle();
    assert.equal(settings.get("theme"), "light");
    assert.deepEqual(account.calls, [{ theme: "dark" }, { theme: "light", ask: true }]);
    assert.deepEqual(account.chosen, { theme: "light", ask: true });
  });

  it("are followed by the other tabs, and sent by one of them", async () => {
    const browser = new FakeBrowser();
    const account = new FakeAccount();
    const [one, other] = [browser.open(account), browser.open(account)];
    one.set("theme", "dark");
    assert.equal(other.get("theme"), "dark");
    other.set("suits", "four");
    one.set("ask", true);
    await settle();
    assert.deepEqual(account.chosen, { theme: "dark", suits: "four", ask: true });
    for (const tab of [one, other]) assert.equal(tab.get("suits"), "four");
    const sent = account.calls.flatMap((call) => Object.keys(call));
    assert.deepEqual(sent.sort(), ["ask", "suits", "theme"]);
  });

  it("are not set back by a page that the browser had kept", async () => {
    const browser = new FakeBrowser();
    const account = new FakeAccount();
    const old = account.page;
    browser.open(account).set("theme", "dark");
    await settle();
    assert.equal(browser.open(account, { .../** @type {any} */ ({ account: old }) }).get("theme"), "dark");
  });

  it("are those of the newer page, when another browser has changed them", () => {
    const browser = new FakeBrowser();
    const account = new FakeAccount();
    browser.open(account);
    account.chosen = { theme: "dark" };
    assert.equal(browser.open(account).get("theme"), "dark");
  });

  it("leave the browser with whoever signs out elsewhere", async () => {
    const browser = new FakeBrowser();
    const account = new FakeAccount();
    account.chosen = { theme: "dark" };
    account.problems = [problem("sign_in_required", 403)];
    const settings = browser.open(account);
    settings.set("ask", true);
    await settle();
    assert.equal(browser.stored(ACCOUNT), null);
    assert.equal(settings.get("theme"), "system");
    assert.equal(browser.clock.untilNext, null);
  });

  it("of one account never reach another", async () => {
    const browser = new FakeBrowser();
    const [first, second] = [new FakeAccount("account-1"), new FakeAccount("account-2")];
    first.problems = [OFFLINE];
    browser.open(first).set("theme", "dark");
    await settle();
    const settings = browser.open(second);
    await settle();
    assert.equal(settings.get("theme"), "system");
    assert.deepEqual(second.calls, []);
  });

  it("that the server wants none of are given up", async () => {
    const browser = new FakeBrowser();
    const account = new FakeAccount();
    account.problems = [problem("invalid", 400)];
    const settings = browser.open(account);
    settings.set("speed", "slow");
    await settle();
    assert.equal(settings.get("speed"), "system");
    assert.deepEqual(browser.stored(ACCOUNT).unsent, {});
    assert.equal(account.calls.length, 1);
  });

  it("are sent without locks too", async () => {
    const account = new FakeAccount();
    const refusing = /** @type {any} */ ({ request: () => Promise.reject(new Error("no")) });
    for (const [index, locks] of [null, refusing].entries()) {
      new FakeBrowser().open(account, { locks }).set("clock", index === 1);
      await settle();
    }
    assert.deepEqual(account.calls, [{ clock: false }, { clock: true }]);
  });

  it("are read again when a page comes back from the browser's memory", () => {
    const browser = new FakeBrowser();
    const account = new FakeAccount();
    const outside = browser.outside(account);
    const settings = new Settings({ ...outside, account: account.page });
    // It hears nothing while it sleeps.
    browser.pages = [];
    browser.open(account).set("theme", "dark");
    assert.equal(settings.get("theme"), "system");
    outside.page.dispatchEvent(Object.assign(new Event("pageshow"), { persisted: true }));
    assert.equal(settings.get("theme"), "dark");
  });
});
