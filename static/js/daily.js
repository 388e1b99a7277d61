/** The daily board in words and numbers: what it is called, what came of it, what is shared of it. Pure. */

/**
 * @typedef {import("./par.js").Par} Par
 * @typedef {{level: number, name: string}} Rating
 * @typedef {"open" | "closing" | "settled"} Phase
 * @typedef {{won: boolean, first_move_at: string, won_at: string | null, moves: number | null}} Result
 * @typedef {{players: number, winners: number, moves: Array<{moves: number, players: number}>}} Outcome
 *
 * A board as the server tells a player of it, without the game.
 * @typedef {object} Board
 * @property {string} variant
 * @property {string} date
 * @property {number} number
 * @property {string} opens_at
 * @property {string} closes_at the last first move
 * @property {string} settles_at the last win, and when help and archive open
 * @property {string} now the server's time
 * @property {Phase} phase
 * @property {Rating | null} rating
 * @property {Result | null} result what the player made of it; null without a first move
 * @property {Par | null} par after the own win, and once it has settled
 * @property {Outcome | null} outcome what all made of it; null as long as it isn't told
 * @property {{current: number, best: number}} streak
 */

/**
 * The days of a year that a player has won.
 * @typedef {object} Days
 * @property {number} won how many
 * @property {string} picture SVG
 * @property {Array<{name: string, won: number, days: string}>} months
 */

export const DAILY = "daily";

/** @param {number} count @param {string} one @param {string} [more] */
const counted = (count, one, more = `${one}s`) => `${count} ${count === 1 ? one : more}`;

/** @param {number} moves */
const movesText = (moves) => counted(moves, "move");

/** @param {{number: number}} board */
export const boardName = ({ number }) => `Daily #${number}`;

/**
 * What the table shows in place of the deal number.
 *
 * @param {{number: number, rating?: Rating | null}} board
 * @param {string} kind
 */
export function nameOnTable({ number, rating = null }, kind) {
  const more = kind === DAILY ? rating?.name : "practice";
  return [boardName({ number }), more].filter(Boolean).join(", ");
}

/**
 * Time that is left, by the second.
 *
 * @param {number} ms
 * @returns {string} "07:12:33"
 */
export function countdownText(ms) {
  // Up, so that nought is shown when it is over and not before.
  const seconds = Math.max(0, Math.ceil(ms / 1000));
  const two = (/** @type {number} */ value) => String(value).padStart(2, "0");
  return `${two(Math.floor(seconds / 3600))}:${two(Math.floor(seconds / 60) % 60)}:${two(seconds % 60)}`;
}

/**
 * @param {Outcome} outcome
 * @returns {string} "12 of 30 players won it (40 %)."
 */
export function shareWords({ players, winners }) {
  if (players === 0) return "Nobody played it.";
  if (winners === 0) return `None of ${counted(players, "player")} won it.`;
  if (players === 1) return "One player played it, and won.";
  // A share that isn't whole is never told as all or as none.
  const percent = Math.min(winners < players ? 99 : 100, Math.max(1, Math.round((100 * winners) / players)));
  return `${winners} of ${players} players won it (${percent}\u00a0%).`;
}

/**
 * Where a player stands among all who won.
 *
 * @param {Outcome} outcome
 * @param {number} moves the player's own
 */
export function standing({ moves: rows }, moves) {
  const sum = (/** @type {(needed: number) => boolean} */ test) =>
    rows.filter((row) => test(row.moves)).reduce((total, { players }) => total + players, 0);
  return {
    fewer: sum((needed) => needed < moves),
    same: Math.max(0, sum((needed) => needed === moves) - 1),
    more: sum((needed) => needed > moves),
  };
}

/** @param {Outcome} outcome @param {number} moves the player's own */
export function standingWords(outcome, moves) {
  const { fewer, same, more } = standing(outcome, moves);
  if (fewer + same + more === 0) return "You are the only winner so far.";
  const parts = [
    fewer > 0
      ? `${counted(fewer, "winner")} needed fewer moves than you`
      : "Nobody needed fewer moves than you",
    same > 0 ? `${same} as many` : "",
    more > 0 ? `${more} more` : "",
  ].filter(Boolean);
  const last = parts.pop();
  return `${parts.length > 0 ? `${parts.join(", ")} and ${last}` : last}.`;
}

/** The most bars of the picture: on a phone each is wide enough to be told from the next. */
const MOST_BARS = 12;

/**
 * The distribution as bars of equal width, from the fewest moves to the most.
 *
 * @param {Outcome} outcome
 * @param {number | null} own the player's own moves
 * @returns {Array<{from: number, to: number, players: number, own: boolean}>}
 */
export function bars({ moves: rows }, own) {
  const first = rows[0]?.moves;
  const last = rows.at(-1)?.moves;
  if (first === undefined || last === undefined) return [];
  const width = Math.ceil((last - first + 1) / MOST_BARS);
  const count = Math.ceil((last - first + 1) / width);
  return Array.from({ length: count }, (_, index) => {
    const from = first + index * width;
    const to = from + width - 1;
    const isIn = (/** @type {number} */ moves) => from <= moves && moves <= to;
    const players = rows.filter((row) => isIn(row.moves)).reduce((sum, row) => sum + row.players, 0);
    return { from, to, players, own: own !== null && isIn(own) };
  });
}

/** @param {{from: number, to: number}} bar @returns {string} "66", or "66 to 69" */
export const barName = ({ from, to }) => (from === to ? String(from) : `${from} to ${to}`);

/** How many moves over par still fill so many of the squares. */
const SQUARES = [
  { over: 0, filled: 5 },
  { over: 3, filled: 4 },
  { over: 8, filled: 3 },
  { over: 15, filled: 2 },
];

/** @param {number} moves @param {Par | null} par @returns {string} five squares, or none where there is no par yet */
export function squares(moves, par) {
  if (par === null) return "";
  const over = moves - par.moves;
  const filled = SQUARES.find((step) => over <= step.over)?.filled ?? 1;
  return "🟩".repeat(filled) + "⬜".repeat(5 - filled);
}

/**
 * What is shared of a won board. It gives nothing of the cards away, and not par: five squares say how near it came.
 *
 * @param {object} won
 * @param {string} won.variantName
 * @param {number} won.number
 * @param {number} won.moves
 * @param {Par | null} won.par
 * @param {number} won.streak
 * @param {string} won.url of the board
 */
export function shareText({ variantName, number, moves, par, streak, url }) {
  const bar = [squares(moves, par) || "🏁", streak > 1 ? `${streak} days in a row` : ""]
    .filter(Boolean)
    .join(" ");
  return [`${variantName} daily #${number}`, movesText(moves), bar, url].join("\n");
}

/**
 * What giving up means.
 *
 * @param {number | null} streak days won in a row up to the day before
 */
export function lossWords(streak) {
  const cost = streak
    ? `It ends your streak of ${streak === 1 ? "1 day" : `${streak} days`} won.`
    : "You have no streak to lose.";
  return `Today’s board can’t be won any more then, and nobody gets it twice. ${cost}`;
}

/** Why there is no help. */
export const NO_HELP = "The daily board is played without help until it settles.";
