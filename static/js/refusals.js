/** Why the server gave no help, in words. */

import { ApiError } from "./api.js";

/** @param {number} seconds @returns {string} "in 12 seconds", "in 3 minutes" */
function inTime(seconds) {
  if (seconds <= 90) return seconds === 1 ? "in a second" : `in ${seconds} seconds`;
  const minutes = Math.ceil(seconds / 60);
  return minutes <= 90 ? `in ${minutes} minutes` : `in ${Math.ceil(minutes / 60)} hours`;
}

/** @param {string} moment ISO 8601 @returns {string} in the reader's own time */
const atTime = (moment) =>
  new Date(moment).toLocaleString("en-GB", { dateStyle: "medium", timeStyle: "short" });

/**
 * @param {unknown} problem what a call was rejected with
 * @returns {string}
 */
export function refusalWords(problem) {
  if (!(problem instanceof ApiError)) return problem instanceof Error ? problem.message : String(problem);
  const { code, status, message, detail, retryAfter } = problem;
  if (code === "help_refused") {
    const opens = typeof detail.opens_at === "string" ? ` Help opens on ${atTime(detail.opens_at)}.` : "";
    return `${message}${opens}`;
  }
  if (status === 429 || status === 503) {
    const when = retryAfter === null ? "later" : inTime(Math.max(1, retryAfter));
    const what = status === 429 ? "That was a lot of questions." : "The server is busy.";
    return `${what} Ask again ${when}.`;
  }
  return message;
}
