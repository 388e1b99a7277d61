/** “Show solution”: asks where it would do harm, has the server look for a line, and shows what comes of it. */

import { poll } from "../polling.js";
import { refusalWords } from "../refusals.js";
import { sameMoves } from "../track.js";
import { dialog, find, openDialog } from "./dialogs.js";
import { theViewer } from "./viewer.js";

/**
 * @typedef {import("../api.js").Api} Api
 * @typedef {import("../api.js").SolveAnswer | import("../api.js").SolutionAnswer} Solved
 * @typedef {import("../rules.js").Dealt} Dealt
 * @typedef {import("../rules.js").Variant} Variant
 *
 * @typedef {object} Wanted
 * @property {Variant} variant
 * @property {Dealt} dealt
 * @property {ReadonlyArray<string>} played the moves before the solution; it is shown after them
 * @property {string} [title] of a solution that begins after moves
 * @property {(deeper: boolean) => Promise<Solved>} ask
 * @property {() => void} [fromDeal] shows the solution of the whole deal instead
 */

/** @param {Solved} found @param {boolean} here whether moves have been played */
function lostWords({ reason }, here) {
  const words = here ? "From here the game can’t be won any more." : "This deal can’t be won.";
  return reason ? `${words} ${reason}` : words;
}

/**
 * Looks for a solution and shows it in the viewer.
 *
 * @param {Wanted} wanted
 */
export function showSolution(wanted) {
  const { variant, dealt, played, title, ask, fromDeal } = wanted;
  const viewer = theViewer();
  const here = played.length > 0;
  const signal = here
    ? viewer.open(title ?? "Solution from here", { whose: "the whole deal: " })
    : viewer.open("Solution");
  /** @type {ReadonlyArray<string> | null} */
  let shown = null;

  /** @param {Solved} found @param {ReadonlyArray<string>} solution */
  function showLine({ start, par }, solution) {
    // A start of its own has the covered cards that the solution uncovers, and no moves before it.
    const line = start ? solution : [...played, ...solution];
    const at = line.length - solution.length;
    if (shown === null) viewer.show({ variant, start: start ?? dealt, line, at, par });
    else {
      viewer.par(par);
      if (!sameMoves(solution, shown)) viewer.improve(line, at);
    }
    shown = solution;
  }

  /** @param {boolean} deeper */
  async function look(deeper) {
    viewer.wait(deeper ? "Searching deeper…" : "Looking for a solution…");
    try {
      await poll({
        signal,
        ask: () => ask(deeper),
        answered: (found, isLast) => {
          if (found.line) showLine(found, found.line);
          else if (found.outcome === "lost") sayLost(found);
          else if (isLast) sayOpen(found, deeper);
        },
      });
    } catch (problem) {
      // A line that is shown stays; only its par might have become better.
      if (signal.aborted || shown !== null) return;
      viewer.say(refusalWords(problem), [
        { name: "again", label: "Try again", strong: true, act: () => look(deeper) },
      ]);
    }
  }

  /** @param {Solved} found */
  function sayLost(found) {
    const choices = fromDeal ? [{ name: "deal", label: "Solution from the deal", act: fromDeal }] : [];
    viewer.say(lostWords(found, here), choices);
  }

  /** @param {Solved} found @param {boolean} deeper whether it has been searched deeper already */
  function sayOpen(found, deeper) {
    const won =
      found.outcome === "won" ? "It can be won, but its line is not worked out yet." : "Not decided yet.";
    const more = deeper && found.pending ? " The search goes on; ask again in a while." : "";
    viewer.say(won + more, [
      { name: "deeper", label: deeper ? "Ask again" : "Search deeper", strong: true, act: () => look(true) },
    ]);
  }

  look(false);
}

/** Milliseconds to wait for moves that are still on their way to the server. */
const SAVING = 5000;

/**
 * @param {object} parts
 * @param {Api} parts.api
 * @param {import("../state.js").GameStore} parts.store
 * @param {(words: string) => void} parts.tell
 * @returns {{open: () => void}}
 */
export function solutionDialog({ api, store, tell }) {
  const element = dialog("solution");
  /** @type {HTMLElement} */
  const from = find(element, "[data-solution-from]");
  /** @type {HTMLElement} */
  const helped = find(element, "[data-solution-helped]");
  /** @type {HTMLElement} */
  const covered = find(element, "[data-solution-covered]");
  /** @type {HTMLFormElement} */
  const form = find(element, "form");

  element.addEventListener("close", () => {
    if (element.returnValue === "show") show(new FormData(form).get("from") === "here" ? store.ply : 0);
  });

  /** @param {number} ply */
  async function show(ply) {
    if (!store.started && store.ply === 0) {
      showDeal();
      return;
    }
    if (!(await isSaved())) {
      tell("The solution needs the server, and your last moves have not reached it yet.");
      return;
    }
    const { id, version, dealt } = store.game;
    if (id === null) return;
    const { variant, line } = store;
    showSolution({
      variant,
      dealt,
      played: line.slice(0, ply),
      ask: async (deeper) => {
        const body = ply === 0 ? { version } : { version, ply };
        const found = await api.solution(id, deeper ? { ...body, deeper } : body);
        store.refresh();
        return found;
      },
      fromDeal: ply === 0 ? undefined : () => show(0),
    });
  }

  function showDeal() {
    const { variant } = store;
    const body = { ...store.dealBody, par: true };
    showSolution({
      variant,
      dealt: store.game.dealt,
      played: [],
      ask: async (deeper) => {
        const found = await api.solve({
          ...body,
          ...(deeper ? { deeper } : {}),
          ...(variant.covered ? { line_of_covered: true } : {}),
        });
        if (found.line !== null) store.noteHelp();
        return found;
      },
    });
  }

  /** @returns {Promise<boolean>} whether the server knows all moves, now or soon */
  async function isSaved() {
    if (store.sync === "offline") return false;
    await Promise.race([store.flush(), new Promise((resolve) => setTimeout(resolve, SAVING))]);
    return store.sync === "idle";
  }

  return {
    open() {
      const runs = store.status === "open" && (store.started || store.ply > 0);
      const marks = runs && !store.game.helped;
      const { covered: hasCovered } = store.variant;
      const asks = marks || (hasCovered && store.status === "open") || (runs && store.ply > 0);
      if (!asks) {
        show(0);
        return;
      }
      helped.hidden = !marks;
      covered.hidden = !hasCovered;
      from.hidden = store.ply === 0;
      form.reset();
      element.returnValue = "";
      openDialog("solution");
    },
  };
}
