/** Par in words: the length of the shortest known winning line of a deal. */

/**
 * @typedef {object} Par
 * @property {number} moves foundation moves included
 * @property {boolean} proven whether no winning line is shorter
 * @property {number | null} [lower_bound] no winning line is shorter than this
 */

/**
 * @param {Par} par
 * @returns {string} "par 66, proven", or "best known 66 (at least 63)"
 */
export function parText({ moves, proven, lower_bound: least = null }) {
  if (proven) return `par ${moves}, proven`;
  return least !== null && least > 0 && least < moves
    ? `best known ${moves} (at least ${least})`
    : `best known ${moves}`;
}

/**
 * A player's own moves beside par.
 *
 * @param {number} moves of the line that won
 * @param {Par} par
 * @returns {string}
 */
export function againstPar(moves, par) {
  const than = par.proven ? "par" : "the best known line";
  if (moves < par.moves) return `${par.moves - moves} fewer than ${than}, ${par.moves}`;
  if (moves === par.moves) return par.proven ? "as few as can be" : "as few as the best known line";
  return `${moves - par.moves} over ${parText(par)}`;
}
