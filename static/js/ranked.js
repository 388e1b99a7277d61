/** Ranked games: how one is started, and what is said about it. */

import { ApiError } from "./api.js";
import { randomId } from "./ids.js";

/** @typedef {import("./api.js").GameState} GameState */

/**
 * What came of asking for a ranked game: a game to play, one with moves in its way, or nobody has signed in.
 *
 * @typedef {{outcome: "started", game: GameState}
 *   | {outcome: "open", game: GameState, streak: number}
 *   | {outcome: "guest"}} Started
 */

export const RANKED = "ranked";

/**
 * @param {Pick<import("./api.js").Api, "start">} api
 * @param {string} variant
 * @param {{replace?: boolean, newId?: () => string}} [options] `replace`: lose the one that is open
 * @returns {Promise<Started>}
 */
export async function startRanked(api, variant, { replace = false, newId = randomId } = {}) {
  try {
    const body = { variant, kind: RANKED, request_id: newId(), ...(replace ? { replace } : {}) };
    return { outcome: "started", game: await api.start(body) };
  } catch (problem) {
    if (!(problem instanceof ApiError)) throw problem;
    if (problem.code === "ranked_open") {
      return { outcome: "open", game: problem.detail.game, streak: problem.detail.streak };
    }
    if (problem.code === "sign_in_required") return { outcome: "guest" };
    throw problem;
  }
}

/** @param {Pick<GameState, "kind" | "status">} game */
export const isOpenRanked = ({ kind, status }) => kind === RANKED && status === "open";

/** What the table shows in place of the deal number. @param {number | null} streak */
export const rankedName = (streak) => (streak ? `Ranked, streak ${streak}` : "Ranked");

/** What losing an open game means. @param {number | null} streak */
export function lossWords(streak) {
  if (!streak) return "It counts as a lost ranked game. You have no streak to lose.";
  const games = streak === 1 ? "1 ranked game" : `${streak} ranked games`;
  return `It counts as a lost ranked game and ends your streak of ${games} won.`;
}

/** What an ended game has made of the streak, and which deal it was. @param {GameState} game */
export function endWords({ status, streak, deal }) {
  const number = deal === null ? "" : ` Deal ${deal}.`;
  if (status === "won") return `Ranked streak: ${streak ?? 0}.${number}`;
  return `${streak ? `Your streak of ${streak} has ended.` : "A ranked game lost."}${number}`;
}

/** Why there is no help. */
export const NO_HELP = "A ranked game is played without help. Hints and solutions open when it ends.";
/** Why there is nothing to share. */
export const NO_SHARING = "A ranked deal can be shared when its game has ended.";
/** What is said when one lies on the table. */
export const BEGIN = "Ranked: this deal can be won, and there is no help until the game ends.";
