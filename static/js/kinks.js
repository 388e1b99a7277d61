/** What a table can be searched for by eye: kinks, and the cards that the foundations need next. Pure. */

import { COVERED, cardName, RANKS, rankOf, SUIT_SIZE, SUITS, suitOf } from "./rules.js";

/**
 * @typedef {import("./rules.js").Position} Position
 *
 * @typedef {object} Found
 * @property {string} card
 * @property {number} column from 0
 * @property {number} above how many cards lie above it
 */

/**
 * Cards that lie above a lower card of their suit, and so must leave the column before the column's lower card can go
 * home. Covered cards have no part in it, neither as the one nor as the other.
 *
 * @param {ReadonlyArray<ReadonlyArray<string>>} columns as seen
 * @returns {Set<string>}
 */
export function kinks(columns) {
  /** @type {Set<string>} */
  const found = new Set();
  for (const column of columns) {
    /** @type {Map<string, number>} */
    const lowest = new Map();
    for (const card of column) {
      if (card === COVERED) continue;
      const least = lowest.get(suitOf(card)) ?? Number.POSITIVE_INFINITY;
      if (rankOf(card) > least) found.add(card);
      lowest.set(suitOf(card), Math.min(least, rankOf(card)));
    }
  }
  return found;
}

/**
 * The card that each foundation needs next, as far as it can be seen.
 *
 * @param {Position} position
 * @returns {{seen: Found[], unseen: string[]}} `unseen`: those that are still covered
 */
export function nextCards({ columns, foundations }) {
  const wanted = SUITS.filter((suit) => foundations[suit] < SUIT_SIZE).map(
    (suit) => RANKS.charAt(foundations[suit]) + suit,
  );
  const seen = columns.flatMap((cards, column) =>
    cards.flatMap((card, index) =>
      wanted.includes(card) ? [{ card, column, above: cards.length - 1 - index }] : [],
    ),
  );
  return { seen, unseen: wanted.filter((card) => !seen.some((found) => found.card === card)) };
}

/** @param {Position} position @returns {boolean} whether every foundation that isn't complete waits for its ace */
export const needsAces = ({ foundations }) =>
  SUITS.every((suit) => foundations[suit] === 0 || foundations[suit] === SUIT_SIZE);

/**
 * @param {Position} position
 * @returns {string} a sentence a card, or why there is none
 */
export function nextCardsInWords(position) {
  const { seen, unseen } = nextCards(position);
  const places = seen.map(({ card, column, above }) => {
    const under = above === 0 ? "on top" : `under ${above === 1 ? "1 card" : `${above} cards`}`;
    return `${cardName(card)} in column ${column + 1}, ${under}`;
  });
  const hidden = unseen.map((card) => `${cardName(card)} covered`);
  const all = [...places, ...hidden];
  return all.length > 0 ? `Needed next: ${all.join("; ")}.` : "All cards are home.";
}

/** @param {number} count @returns {string} */
export function kinksInWords(count) {
  if (count === 0) return "No kinks: no card lies above a lower card of its suit.";
  return count === 1
    ? "1 kink: a card above a lower card of its suit."
    : `${count} kinks: cards above a lower card of their suit.`;
}
