/** A line in a dialog that says whether a deal can be won, as soon as that is known. Nothing waits for it. */

import { poll } from "../polling.js";
import { refusalWords } from "../refusals.js";
import { verdictWords } from "../verdict-words.js";

/**
 * @typedef {import("../api.js").Api} Api
 * @typedef {import("../api.js").SolveBody} SolveBody
 * @typedef {import("../rules.js").Variant} Variant
 */

/** Milliseconds after the last key before a number is asked about: who types one doesn't mean its beginnings. */
const REST_MS = 400;

export class VerdictLine {
  /** @type {HTMLElement} */ #element;
  /** @type {Api} */ #api;
  #asking = new AbortController();
  /** @type {ReturnType<typeof setTimeout> | undefined} */ #rest;

  /**
   * @param {HTMLElement} element
   * @param {Api} api
   */
  constructor(element, api) {
    this.#element = element;
    this.#api = api;
  }

  /** Empties the line, and drops what is still under way. */
  clear() {
    this.#asking.abort();
    this.#asking = new AbortController();
    clearTimeout(this.#rest);
    this.#show("", "");
  }

  /**
   * @param {SolveBody} body
   * @param {{variant: Variant | undefined, thing: string, typed?: boolean}} about `typed`: more may follow at once
   */
  ask(body, { variant, thing, typed = false }) {
    this.clear();
    const { signal } = this.#asking;
    const look = async () => {
      this.#show("asking", `Looking whether this ${thing} can be won…`);
      try {
        await poll({
          signal,
          ask: () => this.#api.solve(body),
          answered: (verdict, isLast) => {
            if (verdict.outcome === "unknown" && !isLast) return false;
            // How it is known stands on the deal's page; here is a choice to be made.
            this.#show(verdict.outcome, verdictWords({ outcome: verdict.outcome }, { variant, thing }));
            return true;
          },
        });
      } catch (problem) {
        if (signal.aborted) return;
        this.#show("unknown", `Not known whether this ${thing} can be won. ${refusalWords(problem)}`);
      }
    };
    if (typed) this.#rest = setTimeout(look, REST_MS);
    else look();
  }

  /** @param {string} state asking, won, lost, unknown or "" @param {string} words */
  #show(state, words) {
    this.#element.dataset.verdict = state;
    this.#element.textContent = words;
  }
}
