/** The daily board on the table: who may play it, how far its day has got, and what came of it. */

import { boardName, DAILY, nameOnTable, shareText } from "./daily.js";
import { DayClock } from "./day-clock.js";
import { parText } from "./par.js";
import { capital } from "./view/cards.js";
import { dailyDialog } from "./view/daily-dialog.js";
import { openDialog } from "./view/dialogs.js";
import { share } from "./view/share.js";

/**
 * @typedef {import("./api.js").GameState} GameState
 * @typedef {import("./daily.js").Board} Board
 * @typedef {import("./view/strip.js").Choice} Choice
 */

/** Milliseconds before the server is asked again where it couldn't be reached, or where its clock was behind. */
const AGAIN_MS = 5_000;

/** @param {string} moment @returns {string} the time of day in the reader's own zone */
const timeOfDay = (moment) =>
  new Date(moment).toLocaleTimeString("en-GB", { hour: "2-digit", minute: "2-digit" });

/** @type {Choice} */
const TODAY = { action: "daily-today", label: "Today’s board", strong: true };
/** @type {Choice} */
const PLAY_ON = { action: "daily-dismiss", label: "Play on" };

/**
 * @param {object} parts
 * @param {Board | undefined} parts.board the board whose page this is
 * @param {import("./state.js").GameStore} parts.store
 * @param {import("./api.js").Api} parts.api
 * @param {import("./view/strip.js").Strip} parts.strip
 * @param {boolean} parts.signedIn
 * @param {(words: string) => void} parts.say says it aloud only
 * @param {(words: string) => void} parts.tell shows and says it
 * @param {() => void} parts.changed told when there is something else to show
 */
export function tendDaily({ board: first, store, api, strip, signedIn, say, tell, changed }) {
  let board = first;
  const clock = first ? new DayClock(first) : null;
  /** The panels that the player has put away. @type {Set<string>} */
  const dismissed = new Set();
  /** @type {ReturnType<typeof setTimeout> | undefined} */
  let timer;
  let asking = false;
  /** Whether the first move came too late. */
  let isTurnedAway = false;

  const dialog = clock ? dailyDialog({ clock }) : null;

  const todaysPage = () => `/daily/${store.variant.slug}`;
  const phase = () => clock?.phase ?? "settled";
  const isPlayed = () => store.ply > 0 || store.game.version > 0;

  /** @returns {Board | null} the page's board, while a game on it lies on the table */
  function shown() {
    const { board: on } = store.game;
    return board && on?.date === board.date && on.variant === board.variant ? board : null;
  }

  /** Asks the server how things stand. */
  async function refresh() {
    if (!board || asking) return;
    asking = true;
    try {
      const { game, ...facts } = await api.board(board.variant, board.date);
      board = facts;
      clock?.set(facts);
      if (!store.started && store.ply === 0 && shown() && game && game.kind !== store.game.kind) {
        // It has settled and nobody has touched it: from now on it is practice.
        store.load(game);
      } else {
        await store.refresh();
      }
    } catch {
      // The clock goes on by itself, and the next look tells more.
    } finally {
      asking = false;
    }
    if (shown()) changed();
    dialog?.draw(facts());
    tellDays();
    watch();
  }

  /** Asks for the player's year while the dialog shows it. */
  async function tellDays() {
    if (!signedIn || !board || !dialog?.isOpen) return;
    try {
      dialog.drawDays(await api.days(board.variant));
    } catch {
      dialog.hideDays();
    }
  }

  /** Waits for the day's end, and for the board to settle. */
  function watch() {
    clearTimeout(timer);
    const left = clock?.toChange ?? null;
    if (left !== null) timer = setTimeout(passed, Math.max(left, 1));
    else if (board && board.phase !== "settled") timer = setTimeout(refresh, AGAIN_MS);
  }

  function passed() {
    changed();
    const panel = note();
    if (panel) say(`${panel.title} ${panel.text}`);
    else if (shown() && phase() === "closing") say("A new board is out.");
    if (phase() === board?.phase) watch();
    else refresh();
  }

  const facts = () => ({
    board: /** @type {Board} */ (board),
    game: store.game,
    variant: store.variant.name,
    par: par(),
    signedIn,
  });

  function showResult() {
    dialog?.open(facts());
    tellDays();
  }

  /** Par by the board or by the game, whichever knows it better. */
  function par() {
    const [one, other] = [board?.par ?? null, store.game.kind === DAILY ? store.game.par : null];
    if (!one || !other) return one ?? other;
    return other.moves < one.moves || (other.moves === one.moves && other.proven) ? other : one;
  }

  /** What there is to be said of the board itself, before or while it is played. */
  function note() {
    const on = shown();
    if (!on || store.status !== "open") return null;
    const name = boardName(on);
    if (store.game.kind !== DAILY) {
      if (store.ply > 0) return null;
      const known = par();
      const text = `Practice with help; it counts for nothing.${known ? ` ${capital(parText(known))}.` : ""}`;
      const solution = store.game.help.solution ? [{ action: "solution", label: "Solution" }] : [];
      return {
        name: "daily-practice",
        title: `${name}.`,
        text,
        choices: [RESULT("How it went"), ...solution],
      };
    }
    if (!isPlayed() && phase() !== "open") {
      const text = isTurnedAway
        ? "Your move came after the day’s end and was not played. A new board is out."
        : "A new day has begun, and a new board is out.";
      return { name: "daily-closed", title: `${name} has closed.`, text, choices: [TODAY] };
    }
    if (!signedIn) {
      const choices = [
        { action: "daily-sign-in", label: "Sign in", strong: true },
        { action: "daily-sign-up", label: "Sign up" },
      ];
      return { name: "daily-guest", title: "", text: "Sign in to play today’s board.", choices };
    }
    if (phase() === "open") return null;
    const choices = [TODAY, PLAY_ON];
    if (phase() === "closing") {
      const text = `Yours counts until ${timeOfDay(on.settles_at)}.`;
      return { name: "daily-closing", title: "A new board is out.", text, choices };
    }
    const text = "It can be played on with help, and counts for nothing now.";
    return { name: "daily-settled", title: `${name} has settled.`, text, choices };
  }

  /** @param {string} label @returns {Choice} */
  const RESULT = (label) => ({ action: "daily-result", label, strong: true });

  function shareBoard() {
    const on = shown();
    if (!on) return undefined;
    const url = `${location.origin}/daily/${on.variant}/${on.date}`;
    const title = `${store.variant.name} daily #${on.number}`;
    const say = dialog?.isOpen ? dialog.tell : tell;
    const { kind, status, ply, streak } = store.game;
    if (kind !== DAILY || status !== "won") {
      return share({ title, text: url, url, copied: "The link to this board is copied." }, say);
    }
    const text = shareText({
      variantName: store.variant.name,
      number: on.number,
      moves: ply,
      par: par(),
      streak: on.result?.won ? (streak ?? 0) : 0,
      url,
    });
    return share({ title, text, copied: "Your result is copied, with the link." }, say);
  }

  /** @param {string} page of accounts */
  const enter = (page) => location.assign(`${page}?next=${encodeURIComponent(location.pathname)}`);

  watch();
  if (board) {
    document.addEventListener("visibilitychange", () => {
      if (document.visibilityState === "visible") refresh();
    });
    window.addEventListener("pageshow", (event) => {
      if (event.persisted) refresh();
    });
  }

  return {
    /** @type {Record<string, () => unknown>} */
    commands: {
      "daily-result": () => {
        dialog?.open(facts());
        return refresh();
      },
      "daily-today": () => location.assign(todaysPage()),
      "daily-share": shareBoard,
      "daily-sign-in": () => enter("/accounts/login/"),
      "daily-sign-up": () => enter("/accounts/signup/"),
      "daily-dismiss": () => {
        dismissed.add(strip.showing);
        changed();
      },
    },

    /** Whether the page's board lies on the table. */
    get isOn() {
      return shown() !== null;
    },

    /** What stands in place of the deal number; empty for a deal that is no board's. */
    get name() {
      const { board: on, kind } = store.game;
      return on ? nameOnTable({ number: on.number, rating: shown()?.rating ?? null }, kind) : "";
    },

    /** Whether a win still counts. */
    get counts() {
      return store.game.kind === DAILY && phase() !== "settled";
    },

    get par() {
      return shown() ? par() : null;
    },

    /** Whether a move may be played; if not, it has been said why. */
    mayPlay() {
      const on = shown();
      if (signedIn || !on || store.game.kind !== DAILY) return true;
      if (phase() === "open") openDialog("daily-guest");
      else tell(`${boardName(on)} has closed. A new board is out.`);
      return false;
    },

    /** Shows in the strip what there is to be said. @returns {boolean} whether there is anything */
    showNote() {
      const panel = note();
      if (!panel || dismissed.has(panel.name)) return false;
      strip.show(panel.name, panel.title, panel.text, panel.choices);
      return true;
    },

    /**
     * What the strip says of an ended game on the board, and offers.
     *
     * @param {Choice[]} more what else may be offered once the board has settled
     * @returns {{text: string, choices: Choice[]} | null} null for any other game
     */
    ended(more) {
      const { kind, finished_at, streak, status } = store.game;
      const on = shown();
      if (!on || kind !== DAILY) return null;
      const isSettled = phase() === "settled";
      const isLate = finished_at !== null && on.result !== null && !on.result.won && isSettled;
      let text = "";
      if (status === "won" && isLate) text = "After the board had settled: it doesn’t count.";
      else if (status === "won" && finished_at !== null)
        text = `Streak: ${streak === 1 ? "1 day" : `${streak ?? 0} days`}.`;
      else if (status === "lost") text = isSettled ? "" : "The next board comes at midnight UTC.";
      return {
        text,
        choices: [
          RESULT("Result"),
          ...(status === "won" ? [{ action: "daily-share", label: "Share" }] : []),
          ...(isSettled ? [{ action: "again", label: "Practise" }, ...more] : []),
          phase() === "open" ? { action: "new", label: "New deal" } : { ...TODAY, strong: false },
        ],
      };
    },

    /** The server has confirmed that the game ended: what came of it is shown. */
    async confirmed() {
      if (!shown() || store.game.kind !== DAILY) return;
      const { id } = store.game;
      await refresh();
      if (store.game.id === id && store.status === "won") showResult();
    },

    /** Shows what came of a game that was won before. */
    recall() {
      if (shown() && store.game.kind === DAILY && store.status === "won") showResult();
    },

    /**
     * Says why the server took no move.
     *
     * @param {{code: string, message: string, kept: boolean}} refused
     * @returns {boolean} whether that was its matter
     */
    refused({ code, message, kept }) {
      // What a page that is gone had kept for another board is none of this one's.
      if (!shown() || kept) return false;
      if (code === "sign_in_required") {
        openDialog("daily-guest");
        return true;
      }
      if (code !== "board_closed") return false;
      isTurnedAway = true;
      say(message);
      refresh();
      return true;
    },
  };
}
