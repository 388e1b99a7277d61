/** Asks again while the server still searches, less and less often, and then leaves it. */

/** Milliseconds before each further question: a search that takes longer than all of them is none to wait for. */
export const DELAYS = [500, 1000, 2000, 4000];

/**
 * @template {{pending: boolean}} Answer
 * @param {object} options
 * @param {() => Promise<Answer>} options.ask
 * @param {(answer: Answer, isLast: boolean) => boolean | void} options.answered called with each answer; true ends it
 * @param {AbortSignal} [options.signal] no longer wanted: nothing more is asked, and no answer told
 * @param {(run: () => void, ms: number) => any} [options.setTimeout]
 * @returns {Promise<void>} rejected when a question fails
 */
export async function poll({
  ask,
  answered,
  signal,
  setTimeout = (run, ms) => globalThis.setTimeout(run, ms),
}) {
  for (let times = 0; ; times += 1) {
    const answer = await ask();
    if (signal?.aborted) return;
    const isLast = !answer.pending || times === DELAYS.length;
    if (answered(answer, isLast) === true || isLast) return;
    await new Promise((resolve) => setTimeout(() => resolve(undefined), DELAYS[times]));
    if (signal?.aborted) return;
  }
}
