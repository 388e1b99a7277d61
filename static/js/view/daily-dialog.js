/** The dialog with what came of a board: par, how others did, the streak, and when the next one comes. */

import { barName, bars, boardName, countdownText, DAILY, shareWords, standingWords } from "../daily.js";
import { againstPar, parText } from "../par.js";
import { dialog as dialogNamed, find, openDialog } from "./dialogs.js";

/**
 * @typedef {object} Facts
 * @property {import("../daily.js").Board} board
 * @property {import("../api.js").GameState} game on the table
 * @property {string} variant its name
 * @property {import("../par.js").Par | null} par
 * @property {boolean} signedIn
 */

/** @param {string} name @param {string} className @param {string} [text] */
function element(name, className, text = "") {
  const made = document.createElement(name);
  made.className = className;
  made.textContent = text;
  return made;
}

/** @param {number} count @param {string} one */
const counted = (count, one) => `${count} ${count === 1 ? one : `${one}s`}`;

/** @param {string} date as 2026-03-01 */
const dateText = (date) =>
  new Date(`${date}T00:00:00Z`).toLocaleDateString("en-GB", { dateStyle: "full", timeZone: "UTC" });

/**
 * @param {object} parts
 * @param {import("../day-clock.js").DayClock} parts.clock
 */
export function dailyDialog({ clock }) {
  const dialog = dialogNamed("daily");
  /** @type {HTMLElement} */
  const countdown = find(dialog, "[data-daily-countdown]");
  /** @type {HTMLElement} */
  const next = find(dialog, "[data-daily-next]");
  /** @type {HTMLElement} */
  const status = find(dialog, "[data-daily-status]");
  /** @type {ReturnType<typeof setInterval> | undefined} */
  let ticking;

  /** @param {string} name @param {string} text nothing hides it */
  function fact(name, text) {
    const row = /** @type {HTMLElement} */ (find(dialog, `[data-daily-fact="${name}"]`));
    row.hidden = text === "";
    find(row, "dd").textContent = text;
  }

  /** @param {string} name @param {string} text nothing hides it */
  function words(name, text) {
    const line = /** @type {HTMLElement} */ (find(dialog, `[data-daily-${name}]`));
    line.hidden = text === "";
    line.textContent = text;
  }

  function tick() {
    const isOut = clock.phase !== "open";
    next.dataset.out = String(isOut);
    countdown.textContent = countdownText(clock.toClosing);
    for (const each of next.querySelectorAll("[data-when]")) {
      const part = /** @type {HTMLElement} */ (each);
      part.hidden = (part.dataset.when === "out") !== isOut;
    }
  }

  /** @param {Facts} facts */
  function drawBars({ board, game }) {
    const own = game.kind === DAILY && game.status === "won" ? game.ply : null;
    const found = board.outcome ? bars(board.outcome, own) : [];
    const most = Math.max(1, ...found.map(({ players }) => players));
    const picture = /** @type {HTMLElement} */ (find(dialog, "[data-daily-bars]"));
    /** @type {HTMLElement} */ (find(dialog, "[data-daily-picture]")).hidden = found.length === 0;
    picture.setAttribute(
      "aria-label",
      `How many winners needed how many moves${own === null ? "" : `; you needed ${own}`}. The table below says the same.`,
    );
    picture.replaceChildren(
      ...found.map((bar) => {
        const column = element("span", bar.own ? "bars__bar bars__bar--own" : "bars__bar");
        const fill = element("span", "bars__fill");
        fill.style.setProperty("--part", String(bar.players / most));
        column.append(
          element("span", "bars__count", bar.players > 0 ? String(bar.players) : ""),
          fill,
          element("span", "bars__name", String(bar.from)),
        );
        return column;
      }),
    );
    find(dialog, "[data-daily-rows]").replaceChildren(
      ...found.map((bar) => {
        const row = document.createElement("tr");
        const head = element("th", "", barName(bar) + (bar.own ? ", you" : ""));
        head.setAttribute("scope", "row");
        row.append(head, element("td", "", String(bar.players)));
        return row;
      }),
    );
  }

  /** @param {import("../daily.js").Days} days */
  function drawDays({ won, picture, months }) {
    setDaysHidden(won === 0);
    const read = new DOMParser().parseFromString(picture, "image/svg+xml");
    find(dialog, "[data-days-picture]").replaceChildren(document.importNode(read.documentElement, true));
    find(dialog, "[data-days-won]").textContent = `${counted(won, "day")} won in the last year.`;
    find(dialog, "[data-days-rows]").replaceChildren(
      ...months.map(({ name, won: count, days }) => {
        const row = document.createElement("tr");
        const head = element("th", "", name);
        head.setAttribute("scope", "row");
        row.append(head, element("td", "", String(count)), element("td", "", days));
        return row;
      }),
    );
  }

  /** @param {boolean} is */
  function setDaysHidden(is) {
    /** @type {HTMLElement} */ (find(dialog, "[data-daily-days]")).hidden = is;
  }

  /** @param {Facts} facts */
  function draw(facts) {
    const { board, game, variant, signedIn } = facts;
    const isOwn = game.kind === DAILY;
    const isWon = isOwn && game.status === "won";
    const isLate = isWon && board.result !== null && !board.result.won;
    const how = isWon ? ": won" : isOwn && game.status === "lost" ? ": given up" : "";
    find(dialog, "h2").textContent = `${boardName(board)}${how}`;
    words("lead", [variant, dateText(board.date), board.rating?.name].filter(Boolean).join(" · "));
    fact("moves", isWon ? String(game.ply) : "");
    fact("par", parFact(facts));
    fact("streak", signedIn ? counted(board.streak.current, "day") : "");
    fact("best", signedIn ? counted(board.streak.best, "day") : "");
    words("late", isLate ? "Won after the board had settled: it doesn’t count for your streak." : "");
    words(
      "share",
      board.outcome ? shareWords(board.outcome) : "How others did is told when the board settles.",
    );
    words("standing", board.outcome && isWon && !isLate ? standingWords(board.outcome, game.ply) : "");
    drawBars(facts);
    /** @type {HTMLElement} */ (find(dialog, "[data-daily-share-button]")).hidden = !isWon;
    tick();
  }

  dialog.addEventListener("close", () => {
    clearInterval(ticking);
    status.textContent = "";
  });

  return {
    get isOpen() {
      return dialog.open;
    },

    /** Draws it anew, if it is open. @param {Facts} facts */
    draw(facts) {
      if (dialog.open) draw(facts);
    },

    drawDays,

    /** Where they couldn't be had. */
    hideDays: () => setDaysHidden(true),

    /** @param {Facts} facts */
    open(facts) {
      draw(facts);
      // Its place is kept while it is asked for.
      setDaysHidden(!facts.signedIn);
      openDialog("daily");
      clearInterval(ticking);
      ticking = setInterval(tick, 1000);
    },

    /** Says something within it. @param {string} words */
    tell(words) {
      status.textContent = words;
    },
  };
}

/** @param {Facts} facts */
function parFact({ board, game, par }) {
  const isWon = game.kind === DAILY && game.status === "won";
  if (par === null)
    return isWon || board.phase === "settled" ? "still being looked for" : "told after the win";
  if (!isWon) return `${par.moves}${par.proven ? ", proven" : ", best known"}`;
  const text = againstPar(game.ply, par);
  return text.includes(String(par.moves)) ? text : `${text} (${parText(par)})`;
}
