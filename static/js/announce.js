/** Says what happens: in words for those who listen, and in the strip for those who look. */

import { COVERED, cardName, columnIndex, HOME, rankOf, SUIT_NAMES, suitOf } from "./rules.js";
import { capital } from "./view/cards.js";

/** @typedef {import("./rules.js").Position} Position */

/** Sentences kept in the region: what is said in quick succession is all heard, and old news isn't read again. */
const KEPT = 4;

export class Announcer {
  /** @type {HTMLElement} */ #region;

  /** @param {HTMLElement} region the live region */
  constructor(region) {
    this.#region = region;
  }

  /** @param {string} words */
  say(words) {
    // A new element each time: the same sentence said twice is heard twice.
    const line = document.createElement("p");
    line.textContent = words;
    while (this.#region.children.length >= KEPT) this.#region.firstElementChild?.remove();
    this.#region.append(line);
  }
}

/**
 * @param {Position} from
 * @param {string} move
 * @returns {string} "7 of hearts to column 4"
 */
export function moveInWords(from, move) {
  const source = columnIndex(move.charAt(0));
  const column = from.columns[source] ?? [];
  const card = column[column.length - 1];
  if (card === undefined) return "";
  const target = columnIndex(move.charAt(1));
  const place =
    move.charAt(1) === HOME ? `the foundation of ${SUIT_NAMES[suitOf(card)]}` : `column ${target + 1}`;
  return `${capital(cardName(card))} to ${place}`;
}

/**
 * What a move did, for the live region: the move, and the column it emptied or the card it uncovered.
 *
 * @param {Position} from
 * @param {Position} to
 * @param {string} move
 * @returns {string}
 */
export function moveAndResult(from, to, move) {
  const source = columnIndex(move.charAt(0));
  const left = to.columns[source] ?? [];
  const words = `${moveInWords(from, move)}.`;
  if (left.length === 0) return `${words} Column ${source + 1} empty.`;
  const top = left[left.length - 1];
  return rankOf(top) > 0 ? `${words} ${capital(cardName(top))} uncovered.` : words;
}

/**
 * What the server has turned up.
 *
 * @param {Position} from
 * @param {Position} to
 * @returns {string} "Column 3: 9 of hearts turned up.", or ""
 */
export function turnedInWords(from, to) {
  const turned = [];
  for (const [index, column] of to.columns.entries()) {
    const before = from.columns[index] ?? [];
    const top = column[column.length - 1];
    if (top === undefined || top === COVERED || before[before.length - 1] !== COVERED) continue;
    turned.push(`Column ${index + 1}: ${cardName(top)} turned up.`);
  }
  return turned.join(" ");
}
