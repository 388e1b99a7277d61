/** Moves and plies in the words of help. */

import { cardName, columnIndex, HOME } from "../rules.js";

/** @typedef {import("../rules.js").Position} Position */

/** @param {Position} position @param {string} move @returns {string} the card that moves, "7H" */
export const movedCard = (position, move) => position.columns[columnIndex(move.charAt(0))]?.at(-1) ?? "";

/**
 * @param {Position} position before the move
 * @param {string} move
 * @returns {string} "the 7 of hearts onto the 8 of spades in column 4"
 */
export function moveWords(position, move) {
  const card = `the ${cardName(movedCard(position, move))}`;
  if (move.charAt(1) === HOME) return `${card} to its foundation`;
  const target = columnIndex(move.charAt(1));
  const top = position.columns[target]?.at(-1);
  if (top === undefined) return `${card} into the empty column ${target + 1}`;
  return `${card} onto the ${cardName(top)} in column ${target + 1}`;
}

/** @param {number} ply @returns {string} a position of the line, by the move that led to it */
export const plyWords = (ply) => (ply === 0 ? "the deal" : `move ${ply}`);
