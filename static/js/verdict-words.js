/** Verdicts on deals, in words. */

/**
 * @typedef {import("./api.js").Outcome} Outcome
 * @typedef {import("./rules.js").Variant} Variant
 */

/**
 * @param {{outcome: Outcome, reason?: string | null}} verdict
 * @param {{variant?: Pick<Variant, "covered">, thing?: string}} [about] `thing`: "deal" or "layout"
 * @returns {string}
 */
export function verdictWords({ outcome, reason = null }, { variant, thing = "deal" } = {}) {
  const known = variant?.covered ? ", with all cards known" : "";
  if (outcome === "won") return `This ${thing} can be won${known}.`;
  if (outcome === "lost") return `This ${thing} can’t be won.${reason ? ` ${reason}` : ""}`;
  return `Not known yet whether this ${thing} can be won.`;
}

/**
 * How a deal was found that can be won.
 *
 * @param {{shuffles: number, ms: number}} winnable `shuffles`: which shuffle was the first one that can be won
 * @returns {string}
 */
export function provedWords({ shuffles, ms }) {
  const time = ms < 1 ? "in less than 1 ms" : `in ${Math.round(ms)} ms`;
  return `Proved winnable at shuffle ${shuffles}, ${time}.`;
}
