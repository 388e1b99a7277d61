/**
 * The line of a game with its redo tail, and the batches that change it, counted exactly as the server counts.
 *
 * A batch takes the line back to ply `at` and then plays `moves`. What `at` cuts off goes in front of the redo tail;
 * playing the first move of the tail shortens it, another move drops it.
 */

/**
 * @typedef {object} Track
 * @property {ReadonlyArray<string>} line
 * @property {ReadonlyArray<string>} redo
 *
 * @typedef {object} Batch
 * @property {string} request_id
 * @property {number} at
 * @property {ReadonlyArray<string>} moves
 */

/** The most moves the server takes in a batch. */
export const MAX_BATCH = 200;
/** The most plies the server takes in a line. */
export const MAX_PLIES = 2000;

/** @param {Track} track @param {number} at @returns {Track} */
const cutBack = ({ line, redo }, at) =>
  at >= line.length ? { line, redo } : { line: line.slice(0, at), redo: [...line.slice(at), ...redo] };

/**
 * @param {Track} track
 * @param {{at: number, moves: ReadonlyArray<string>}} batch
 * @returns {Track}
 */
export function applyBatch(track, { at, moves }) {
  const back = cutBack(track, at);
  let kept = 0;
  while (kept < moves.length && back.redo[kept] === moves[kept]) kept += 1;
  return { line: [...back.line, ...moves], redo: kept < moves.length ? [] : back.redo.slice(kept) };
}

/** @param {Track} track @param {ReadonlyArray<{at: number, moves: ReadonlyArray<string>}>} batches @returns {Track} */
export const applyBatches = (track, batches) => batches.reduce(applyBatch, track);

/** @param {ReadonlyArray<string>} one @param {ReadonlyArray<string>} other */
export const sameMoves = (one, other) =>
  one.length === other.length && one.every((move, index) => move === other[index]);

/**
 * Batches with one more move. It joins the last batch, which was not sent yet, while there is room.
 *
 * @param {ReadonlyArray<Batch>} batches
 * @param {number} ply where the move is played
 * @param {string} move
 * @param {() => string} newId
 * @returns {Batch[]}
 */
export function withMove(batches, ply, move, newId) {
  const last = batches[batches.length - 1];
  if (last && last.moves.length < MAX_BATCH) {
    return [...batches.slice(0, -1), { ...last, moves: [...last.moves, move] }];
  }
  return [...batches, { request_id: newId(), at: ply, moves: [move] }];
}

/**
 * Batches with one more step back. It joins only a batch without moves: taking moves out of a batch that was to play
 * them would leave another redo tail than playing and undoing them.
 *
 * @param {ReadonlyArray<Batch>} batches
 * @param {number} at
 * @param {() => string} newId
 * @returns {Batch[]}
 */
export function withStepBack(batches, at, newId) {
  const last = batches[batches.length - 1];
  if (last && last.moves.length === 0) return [...batches.slice(0, -1), { ...last, at }];
  return [...batches, { request_id: newId(), at, moves: [] }];
}
