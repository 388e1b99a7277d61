/** The dialogs of ranked games: who may play them, and what a new one would cost. */

import { lossWords, startRanked } from "../ranked.js";
import { refusalWords } from "../refusals.js";
import { dialog, find, openDialog } from "./dialogs.js";

/**
 * @typedef {import("../api.js").GameState} GameState
 * @typedef {import("../rules.js").Variant} Variant
 */

/** @type {import("../ranked.js").Started} */
const GUEST = { outcome: "guest" };

/**
 * @param {object} parts
 * @param {import("../api.js").Api} parts.api
 * @param {Record<string, Variant>} parts.variants
 * @param {boolean} parts.signedIn
 * @param {(game: GameState) => void} parts.put puts a game on the table
 * @param {() => string | null} parts.current the game on the table
 * @returns {{start: (variant: string) => Promise<void>}}
 */
export function rankedDialogs({ api, variants, signedIn, put, current }) {
  const element = dialog("ranked-open");
  /** @type {HTMLElement} */
  const error = find(element, "[data-error]");
  /** @type {HTMLButtonElement} */
  const replaceButton = find(element, "[data-ranked='replace']");
  /** @type {GameState | null} */
  let open = null;

  /** @param {GameState} game @param {number} streak */
  function ask(game, streak) {
    open = game;
    const count = game.ply === 1 ? "1 move" : `${game.ply} moves`;
    const name = variants[game.variant]?.name ?? "";
    find(element, "[data-ranked-game]").textContent =
      `You have a ranked game of ${name} open, with ${count}.`;
    find(element, "[data-ranked-loss]").textContent = `A new one replaces it. ${lossWords(streak)}`;
    find(element, "[data-ranked='continue']").textContent =
      game.id === current() ? "Play on" : "Go on with it";
    error.textContent = "";
    openDialog("ranked-open");
  }

  /** @param {string} variant @param {{replace?: boolean}} [options] */
  async function start(variant, options) {
    const started = signedIn ? await startRanked(api, variant, options) : GUEST;
    if (started.outcome === "guest") openDialog("ranked-guest");
    else if (started.outcome === "open") ask(started.game, started.streak);
    else {
      element.close();
      put(started.game);
    }
  }

  find(element, "[data-ranked='continue']").addEventListener("click", () => {
    element.close();
    if (open && open.id !== current()) put(open);
  });
  replaceButton.addEventListener("click", async () => {
    if (!open) return;
    replaceButton.disabled = true;
    try {
      await start(open.variant, { replace: true });
    } catch (problem) {
      error.textContent = refusalWords(problem);
    } finally {
      replaceButton.disabled = false;
    }
  });

  return { start };
}
