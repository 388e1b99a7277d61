/**
 * The rules of the five variants, for the browser. Pure: no page, no network, no clock.
 *
 * A card is two characters ("TH"), a covered card is "##", a move is two characters ("4h", "a3"): the source
 * column, then the target column or "h" for home. Positions are never changed; `play` makes a new one.
 */

/**
 * @typedef {"none" | "any" | "kings"} Fill
 * What may go into an emptied column.
 */

/**
 * @typedef {object} Variant
 * @property {string} slug
 * @property {string} name
 * @property {number} columns
 * @property {Fill} fill
 * @property {boolean} covered
 * @property {boolean | number} aces_start how many aces start their foundations while dealing
 * @property {number} column_size
 * @property {string} summary
 */

/**
 * @typedef {"C" | "D" | "H" | "S"} Suit
 * @typedef {Readonly<Record<Suit, number>>} Foundations
 * How many cards of each suit are home.
 */

/**
 * @typedef {object} Dealt
 * @property {ReadonlyArray<ReadonlyArray<string>>} columns
 * @property {Foundations} foundations
 */

/**
 * @typedef {object} Position
 * @property {ReadonlyArray<ReadonlyArray<string>>} columns as seen, lowest card first, "##" for a covered card
 * @property {ReadonlyArray<ReadonlyArray<string>>} covered the covered cards of each column, lowest first,
 *   named where they are known and "##" where not
 * @property {Foundations} foundations
 */

export const RANKS = "A23456789TJQK";
export const COVERED = "##";
export const HOME = "h";
/** Cards in a suit; a suit with this many home is complete. */
export const SUIT_SIZE = RANKS.length;

const COLUMN_NAMES = "123456789abcd";
const KING = SUIT_SIZE;
/** @type {ReadonlyArray<Suit>} */
export const SUITS = ["C", "D", "H", "S"];
/** @type {Readonly<Record<Suit, string>>} */
export const SUIT_NAMES = { C: "clubs", D: "diamonds", H: "hearts", S: "spades" };
const RANK_NAMES = ["ace", "2", "3", "4", "5", "6", "7", "8", "9", "10", "jack", "queen", "king"];

/** @param {string} card @returns {number} 1 for an ace to 13 for a king; 0 for a covered card */
export const rankOf = (card) => RANKS.indexOf(card.charAt(0)) + 1;

/** @param {string} card @returns {Suit} */
export const suitOf = (card) => /** @type {Suit} */ (card.charAt(1));

/** @param {number} index from 0 @returns {string} the character a move names the column by */
export const columnName = (index) => COLUMN_NAMES.charAt(index);

/** @param {string} name one character @returns {number} from 0; -1 if it names no column */
export const columnIndex = (name) => (name.length === 1 ? COLUMN_NAMES.indexOf(name) : -1);

/** @param {number} rank 1 to 13 @returns {string} "ace", "7", "queen" */
export const rankName = (rank) => RANK_NAMES[rank - 1] ?? "";

/** @param {string} card @returns {string} "7 of hearts"; "covered card" */
export const cardName = (card) =>
  card === COVERED ? "covered card" : `${rankName(rankOf(card))} of ${SUIT_NAMES[suitOf(card)]}`;

/** @param {ReadonlyArray<string>} column @returns {string | undefined} */
const topOf = (column) => column[column.length - 1];

/**
 * Turns up covered cards until a known card that stays is the top.
 *
 * A king that turns up goes under the whole column unless only kings lie below it. Cards are known from the top
 * down, and whoever named a king that sank also named the cards turned after it, down to the first that is no
 * king. So a known card that is no king, among those still covered, is what tells that this king sinks.
 *
 * @param {ReadonlyArray<string>} column
 * @param {ReadonlyArray<string>} covered
 * @returns {[ReadonlyArray<string>, ReadonlyArray<string>]}
 */
function turnUp(column, covered) {
  let shown = column;
  let hidden = covered;
  while (topOf(shown) === COVERED) {
    const card = topOf(hidden);
    if (card === undefined || card === COVERED) break;
    hidden = hidden.slice(0, -1);
    const sinks =
      rankOf(card) === KING && hidden.some((under) => under !== COVERED && rankOf(under) !== KING);
    shown = sinks ? [card, ...shown.slice(0, -1)] : [...shown.slice(0, -1), card];
  }
  return [shown, hidden];
}

/**
 * The position before the first move.
 *
 * @param {Variant} variant
 * @param {Dealt} dealt for covered variants the cards as they were dealt, face down, "##" for those not known
 * @returns {Position}
 */
export function firstPosition(variant, dealt) {
  if (!variant.covered) {
    return { columns: dealt.columns, covered: dealt.columns.map(() => []), foundations: dealt.foundations };
  }
  const turned = dealt.columns.map((cards) =>
    turnUp(
      cards.map(() => COVERED),
      cards,
    ),
  );
  return {
    columns: turned.map(([shown]) => shown),
    covered: turned.map(([, hidden]) => hidden),
    foundations: dealt.foundations,
  };
}

/**
 * The position after a move, which is not checked; `isLegal` and `whyNot` do that.
 *
 * @param {Variant} _variant
 * @param {Position} position
 * @param {string} move
 * @returns {Position}
 */
export function play(_variant, position, move) {
  const source = columnIndex(move.charAt(0));
  const from = position.columns[source] ?? [];
  const card = topOf(from) ?? COVERED;
  const columns = [...position.columns];
  const covered = [...position.covered];
  const [shown, hidden] = turnUp(from.slice(0, -1), position.covered[source] ?? []);
  columns[source] = shown;
  covered[source] = hidden;
  if (move.charAt(1) === HOME) {
    const suit = suitOf(card);
    const foundations = { ...position.foundations, [suit]: position.foundations[suit] + 1 };
    return { columns, covered, foundations };
  }
  const target = columnIndex(move.charAt(1));
  columns[target] = [...(columns[target] ?? []), card];
  return { columns, covered, foundations: position.foundations };
}

/** @param {Position} position @param {string} card */
const fitsHome = (position, card) => position.foundations[suitOf(card)] === rankOf(card) - 1;

/**
 * @param {Variant} variant
 * @param {ReadonlyArray<string>} column the target
 * @param {string} card
 */
function fitsOn(variant, column, card) {
  const top = topOf(column);
  if (top === COVERED) return false;
  if (top !== undefined) return rankOf(top) === rankOf(card) + 1;
  return variant.fill === "any" || (variant.fill === "kings" && rankOf(card) === KING);
}

/**
 * The moves of a column's top card: target columns from left to right, then home.
 *
 * @param {Variant} variant
 * @param {Position} position
 * @param {number} column from 0
 * @returns {string[]}
 */
export function targets(variant, position, column) {
  const card = topOf(position.columns[column] ?? []);
  if (card === undefined || card === COVERED) return [];
  const source = columnName(column);
  const moves = [];
  for (const [index, cards] of position.columns.entries()) {
    if (index !== column && fitsOn(variant, cards, card)) moves.push(source + columnName(index));
  }
  if (fitsHome(position, card)) moves.push(source + HOME);
  return moves;
}

/**
 * All legal moves: by source column, then by target column, then home.
 *
 * @param {Variant} variant
 * @param {Position} position
 * @returns {string[]}
 */
export const legalMoves = (variant, position) =>
  position.columns.flatMap((_, column) => targets(variant, position, column));

/** @param {Variant} variant @param {Position} position @param {string} move @returns {boolean} */
export const isLegal = (variant, position, move) =>
  targets(variant, position, columnIndex(move.charAt(0))).includes(move);

/** @param {number} rank */
const withArticle = (rank) => `${rank === 1 || rank === 8 ? "an" : "a"} ${rankName(rank)}`;

/** @param {string} column its name */
const awaited = (column) => `The next card of column ${column} is still being turned up.`;

/**
 * Why a move is not legal, for people, in the words of the server.
 *
 * @param {Variant} variant
 * @param {Position} position
 * @param {string} move
 * @returns {string | null} null if the move is legal
 */
export function whyNot(variant, position, move) {
  if (isLegal(variant, position, move)) return null;
  const [from = "", to = ""] = move;
  const source = columnIndex(from);
  const target = columnIndex(to);
  if (move.length !== 2 || source < 0 || (target < 0 && to !== HOME)) {
    return `“${move}” is no move: a move is a column (1–9, a–d) and a column or h, as in 4h or a3.`;
  }
  const count = position.columns.length;
  for (const index of [source, target]) {
    if (index >= count) return `There is no column ${columnName(index)}; ${variant.name} has ${count}.`;
  }
  const card = topOf(position.columns[source] ?? []);
  if (card === undefined) return `Column ${from} is empty.`;
  if (card === COVERED) return awaited(from);
  const rank = rankOf(card);
  if (to === HOME) {
    const suit = suitOf(card);
    const next = rankName(position.foundations[suit] + 1);
    return `The ${SUIT_NAMES[suit]} foundation needs the ${next}; column ${from} ends in ${withArticle(rank)}.`;
  }
  if (source === target) return "A card can’t move onto its own column.";
  const top = topOf(position.columns[target] ?? []);
  if (top === COVERED) return awaited(to);
  if (top === undefined) {
    return variant.fill === "kings"
      ? `Only a king fills an empty column; column ${from} ends in ${withArticle(rank)}.`
      : `An empty column is never filled in ${variant.name}.`;
  }
  if (rank === KING) return "A king goes on no other card, only home.";
  const mover = withArticle(rank);
  const needs = withArticle(rank + 1);
  return `${mover.charAt(0).toUpperCase()}${mover.slice(1)} needs ${needs}; column ${to} ends in ${withArticle(rankOf(top))}.`;
}

/**
 * The position with its covered cards laid open, as far as they are known: a game that has ended hides nothing.
 *
 * @param {Position} position
 * @returns {Position}
 */
export function uncovered({ columns, covered, foundations }) {
  const open = columns.map((cards, column) => {
    const hidden = covered[column] ?? [];
    const sunk = cards.indexOf(COVERED);
    return hidden.length === 0
      ? cards
      : [...cards.slice(0, sunk), ...hidden, ...cards.slice(sunk + hidden.length)];
  });
  return { columns: open, covered: columns.map(() => []), foundations };
}

/** @param {Position} position @returns {boolean} whether some column's top card is covered and not yet known */
export const isAwaiting = (position) => position.columns.some((column) => topOf(column) === COVERED);

/** @param {Position} position @returns {boolean} */
export const isWon = (position) => SUITS.every((suit) => position.foundations[suit] === SUIT_SIZE);

/**
 * Whether no legal move is left. A column that still waits for its card might give one, so it is not judged.
 *
 * @param {Variant} variant
 * @param {Position} position
 * @returns {boolean}
 */
export const isStuck = (variant, position) =>
  !isWon(position) && !isAwaiting(position) && legalMoves(variant, position).length === 0;

/** @param {Position} position @param {string} move @returns {ReadonlyArray<string>} the target column */
const targetColumn = (position, move) => position.columns[columnIndex(move.charAt(1))] ?? [];

/**
 * The column moves worth choosing between for a column's top card: onto cards, or into empty columns if it fits
 * on no card.
 *
 * @param {Variant} variant
 * @param {Position} position
 * @param {number} column from 0
 * @returns {string[]}
 */
export function columnTargets(variant, position, column) {
  const moves = targets(variant, position, column).filter((move) => move.charAt(1) !== HOME);
  const ontoCards = moves.filter((move) => targetColumn(position, move).length > 0);
  return ontoCards.length > 0 ? ontoCards : moves;
}

/**
 * The move a tap on a column plays. Of several columns it takes the one where the card hides least: with the fewest
 * lower cards beneath it, and of equals the leftmost. An empty column is taken only when nothing else fits.
 *
 * @param {Variant} variant
 * @param {Position} position
 * @param {number} column from 0
 * @param {{prefer?: "foundation" | "column"}} [options]
 * @returns {string | null}
 */
export function bestMove(variant, position, column, { prefer = "foundation" } = {}) {
  const moves = targets(variant, position, column);
  const home = moves.find((move) => move.charAt(1) === HOME) ?? null;
  if (home !== null && prefer === "foundation") return home;
  const rank = rankOf(topOf(position.columns[column] ?? []) ?? COVERED);
  /** @type {string | null} */
  let best = null;
  let fewest = Number.POSITIVE_INFINITY;
  for (const move of columnTargets(variant, position, column)) {
    const cards = targetColumn(position, move);
    if (cards.length === 0 && home !== null) return home;
    const hidden = cards.filter((card) => card !== COVERED && rankOf(card) < rank).length;
    if (hidden < fewest) {
      best = move;
      fewest = hidden;
    }
  }
  return best ?? home;
}

/**
 * Plays foundation moves of wanted cards, leftmost column first, until none is left.
 *
 * @param {Variant} variant
 * @param {Position} position
 * @param {(position: Position, card: string) => boolean} wanted
 * @returns {{moves: string[], position: Position}}
 */
function sendHome(variant, position, wanted) {
  const moves = [];
  let now = position;
  for (;;) {
    const at = now.columns.findIndex((column) => {
      const card = topOf(column);
      return card !== undefined && card !== COVERED && fitsHome(now, card) && wanted(now, card);
    });
    if (at < 0) return { moves, position: now };
    const move = columnName(at) + HOME;
    moves.push(move);
    now = play(variant, now, move);
  }
}

/**
 * Foundation moves that finish the game.
 *
 * @param {Variant} variant
 * @param {Position} position
 * @returns {string[] | null} null if they don't, if a card is covered, or if the game is won already
 */
export function finishingLine(variant, position) {
  if (isWon(position) || position.columns.some((column) => column.includes(COVERED))) return null;
  const { moves, position: end } = sendHome(variant, position, () => true);
  return isWon(end) ? moves : null;
}

/** @param {Position} position @param {string} card whether nothing can be lost by sending a card home at once */
const isSafe = (position, card) =>
  rankOf(card) <= 2 || SUITS.every((suit) => position.foundations[suit] >= rankOf(card) - 2);

/**
 * Foundation moves of safe cards, until none is left.
 *
 * @param {Variant} variant
 * @param {Position} position
 * @returns {string[]}
 */
export const safeMoves = (variant, position) => sendHome(variant, position, isSafe).moves;

/**
 * The positions of a line, from before its first move to after its last.
 *
 * @param {Variant} variant
 * @param {Dealt} dealt
 * @param {ReadonlyArray<string>} line
 * @returns {Position[]} one more than the line has moves
 */
export function lineage(variant, dealt, line) {
  let position = firstPosition(variant, dealt);
  const positions = [position];
  for (const move of line) {
    position = play(variant, position, move);
    positions.push(position);
  }
  return positions;
}
