/** What the page of a deal does beyond being read: share, search deeper, show a solution. */

import { createApi } from "./api.js";
import { parText } from "./par.js";
import { poll } from "./polling.js";
import { refusalWords } from "./refusals.js";
import { csrfToken } from "./token.js";
import { verdictWords } from "./verdict-words.js";
import { find, openDialog, tendDialogs } from "./view/dialogs.js";
import { tendMenus } from "./view/menus.js";
import { share } from "./view/share.js";
import { showSolution } from "./view/solution.js";

/**
 * @typedef {import("./api.js").SolveAnswer} SolveAnswer
 * @typedef {import("./rules.js").Dealt} Dealt
 * @typedef {import("./rules.js").Variant} Variant
 *
 * @typedef {object} Deal
 * @property {string} number
 * @property {Dealt["columns"]} columns as seen
 * @property {Dealt["foundations"]} foundations
 * @property {import("./api.js").Outcome} outcome
 * @property {import("./par.js").Par | null} par
 * @property {{level: number, name: string} | null} rating
 * @property {string | null} refused why there is no help with it
 */

/** @type {HTMLElement} */
const main = find(document, "main#main");
/** @type {{variant: Variant, deal: Deal}} */
const { variant, deal } = JSON.parse(main.dataset.boot ?? "null");
const api = createApi({ fetch: (input, init) => window.fetch(input, init), csrfToken });

/** @type {HTMLElement} */
const status = find(main, "[data-status]");
/** @type {HTMLButtonElement} */
const deeper = find(main, '[data-action="deeper"]');
/** @type {HTMLButtonElement} */
const solution = find(main, '[data-action="solution"]');
/** What is known now. @type {Pick<Deal, "outcome" | "par">} */
let known = deal;

/** @param {string} words */
function tell(words) {
  status.textContent = words;
}

/** @param {string} name @param {string} words */
function fill(name, words) {
  find(main, `[data-${name}]`).textContent = words;
  /** @type {HTMLElement} */ (find(main, `[data-${name}-row]`)).hidden = words === "";
}

function drawButtons() {
  const { outcome, par } = known;
  const isOpen = outcome === "unknown" || (outcome === "won" && !par?.proven);
  deeper.hidden = !isOpen || deal.refused !== null;
  deeper.textContent = outcome === "won" ? "Look for a shorter line" : "Search deeper";
  solution.hidden = outcome === "lost" || deal.refused !== null;
}

/** @param {SolveAnswer} answer */
function take(answer) {
  known = { outcome: answer.outcome, par: answer.par ?? known.par };
  const rating = answer.rating ?? deal.rating;
  main.dataset.outcome = answer.outcome;
  const line = /** @type {HTMLElement} */ (find(main, ".deal__verdict"));
  line.dataset.verdict = answer.outcome;
  find(main, "[data-verdict-words]").textContent = verdictWords({ outcome: answer.outcome }, { variant });
  fill("par", known.par ? parText(known.par) : "");
  fill("rating", rating ? `${rating.name}, ${rating.level} of 5` : "");
  fill("reason", answer.reason);
  drawButtons();
}

/** @param {SolveAnswer} before @param {SolveAnswer} now @returns {string} what the search has brought */
function newsWords(before, now) {
  if (now.pending) return "The search goes on. Look again in a while.";
  if (now.outcome === "unknown") return "Not decided yet.";
  if (now.outcome === "won" && before.outcome === "won") {
    return now.par?.proven
      ? "No line is shorter: that is proved."
      : "No shorter line was found in the time there was.";
  }
  return verdictWords({ outcome: now.outcome }, { variant });
}

/** Has the server rate the deal: its page is sent before that, for it takes longer than a page may. */
async function rate() {
  try {
    take(await api.solve({ variant: variant.slug, deal: deal.number, rating: true }));
  } catch {
    // A page without a rating is whole.
  }
}

let searching = false;

/** Has the server search on what its short search has left open. */
async function search() {
  if (searching) return;
  searching = true;
  deeper.setAttribute("aria-disabled", "true");
  tell("Searching…");
  /** @type {SolveAnswer | null} */
  let first = null;
  try {
    await poll({
      ask: () => api.solve({ variant: variant.slug, deal: deal.number, par: true, deeper: true }),
      answered: (answer, isLast) => {
        take(answer);
        first ??= answer;
        if (isLast) tell(newsWords(first, answer));
      },
    });
  } catch (problem) {
    tell(refusalWords(problem));
  } finally {
    searching = false;
    deeper.removeAttribute("aria-disabled");
  }
}

function showIt() {
  showSolution({
    variant,
    dealt: deal,
    played: [],
    ask: async (deep) => {
      const answer = await api.solve({
        variant: variant.slug,
        deal: deal.number,
        par: true,
        ...(deep ? { deeper: true } : {}),
        ...(variant.covered ? { line_of_covered: true } : {}),
      });
      take(answer);
      return answer;
    },
  });
}

/** @type {Record<string, () => unknown>} */
const commands = {
  share: () => {
    const url = `${location.origin}/deal/${variant.slug}/${deal.number}`;
    const title = `${variant.name}, deal ${deal.number}`;
    return share({ title, text: url, url, copied: "The link to this deal is copied." }, tell);
  },
  deeper: search,
  solution: () => {
    if (!variant.covered) return showIt();
    covered.returnValue = "";
    return openDialog("covered");
  },
};

const covered = /** @type {HTMLDialogElement} */ (document.getElementById("dialog-covered"));
covered?.addEventListener("close", () => {
  if (covered.returnValue === "show") showIt();
});

main.addEventListener("click", (event) => {
  const button = /** @type {Element} */ (event.target).closest("[data-action]");
  if (!(button instanceof HTMLElement) || button.getAttribute("aria-disabled") === "true") return;
  commands[button.dataset.action ?? ""]?.();
});

tendMenus();
tendDialogs();
/** @type {HTMLElement} */ (find(main, '[data-action="share"]')).hidden = false;
drawButtons();
if (deal.outcome === "won" && !deal.rating && deal.refused === null) rate();
document.documentElement.dataset.ready = "true";
