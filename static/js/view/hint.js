/**
 * A hint on the table: rings around the card and the place it goes to, and words with buttons in the strip.
 *
 *   .card--hinted        the card to be moved
 *   [data-hint-target]   the column or foundation that takes it
 */

import { plyWords } from "../help/words.js";
import { columnIndex, HOME, suitOf } from "../rules.js";

/**
 * @typedef {import("../help/hints.js").Hints} Hints
 * @typedef {import("./strip.js").Choice} Choice
 */

/** @type {Choice} */
const CLOSE = { action: "hint-close", label: "Close" };

/**
 * @param {import("./table.js").Table} table
 * @param {Hints} hints
 */
export function markHint(table, { stage, move }) {
  const { board } = table;
  for (const each of board.querySelectorAll(".card--hinted")) each.classList.remove("card--hinted");
  for (const each of board.querySelectorAll("[data-hint-target]")) each.removeAttribute("data-hint-target");
  if (move === null) return;
  const card = table.topNode(columnIndex(move.charAt(0)));
  card?.classList.add("card--hinted");
  if (stage !== "move" || !card) return;
  const target = move.charAt(1);
  const place =
    target === HOME
      ? `[data-foundation="${suitOf(card.dataset.card ?? "")}"]`
      : `[data-column="${columnIndex(target) + 1}"]`;
  board.querySelector(place)?.setAttribute("data-hint-target", "");
}

/** @param {Hints} hints @returns {Choice[]} what can be done with it */
function choices({ stage, backTo }) {
  if (stage === "card") return [{ action: "hint", label: "Where to?", strong: true }, CLOSE];
  if (stage === "move") return [{ action: "hint", label: "Play it", strong: true }, CLOSE];
  if (stage === "unknown") return [{ action: "hint-deeper", label: "Search deeper", strong: true }, CLOSE];
  if (stage === "lost" && backTo !== null) {
    return [{ action: "hint-back", label: `Back to ${plyWords(backTo)}`, strong: true }, CLOSE];
  }
  return [CLOSE];
}

/**
 * @param {import("./strip.js").Strip} strip
 * @param {Hints} hints
 * @returns {boolean} whether there is something to be shown
 */
export function showHint(strip, hints) {
  if (hints.words === "") return false;
  strip.show(`hint-${hints.stage}`, "", hints.words, choices(hints));
  return true;
}
