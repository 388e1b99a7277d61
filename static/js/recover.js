/** Fits the work of a page that is gone to the game as the server has it now. */

import { applyBatch, sameMoves } from "./track.js";

/**
 * @typedef {import("./api.js").GameState} GameState
 * @typedef {import("./api.js").StartBody} StartBody
 * @typedef {import("./storage.js").Work} Work
 */

/**
 * Whether a page's request to start a game would have started this deal.
 *
 * @param {StartBody} asked
 * @param {StartBody} deal
 */
export const startsSame = (asked, deal) =>
  asked.variant === deal.variant &&
  asked.kind === deal.kind &&
  asked.deal === deal.deal &&
  asked.board === deal.board &&
  asked.layout === deal.layout;

/**
 * What of the work can still be done.
 *
 * @param {Work} work of a game that has been started
 * @param {GameState} state
 * @returns {{work: Work | null, lost: boolean}} null if nothing can be; `lost` if something was that is not in the
 *   game now
 */
export function fitWork(work, state) {
  const { base, sent, waiting, resign } = work;
  const now = { version: state.version, line: state.line, redo: state.redo };
  if (state.status === "open") {
    // A page out of the browser's cache shows how the game stood before that work began.
    if (state.version < base.version) return { work, lost: false };
    if (state.version === base.version && sameMoves(state.line, base.line)) return { work, lost: false };
    const arrived = sent !== null && state.version === base.version + 1;
    if (arrived && sameMoves(state.line, applyBatch(base, sent).line)) {
      const rest = waiting.length > 0 || resign !== null;
      return { work: rest ? { ...work, base: now, sent: null } : null, lost: false };
    }
  }
  const done = sent ? applyBatch(base, sent).line : base.line;
  const missing = waiting.length > 0 || !sameMoves(done, state.line.slice(0, done.length));
  return { work: null, lost: missing };
}
