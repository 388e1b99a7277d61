/** Par of a game that has been won: told with the game where it is known, and otherwise asked for. */

import { poll } from "./polling.js";

/**
 * @typedef {import("./par.js").Par} Par
 */

export class WonPar {
  #store;
  #api;
  #changed;
  #setTimeout;
  #asking = new AbortController();
  /** @type {{game: string, par: Par} | null} */
  #found = null;

  /**
   * @param {object} outside
   * @param {{game: import("./api.js").GameState}} outside.store
   * @param {import("./api.js").Api} outside.api
   * @param {() => void} outside.changed told when par has become known, or better
   * @param {(run: () => void, ms: number) => any} [outside.setTimeout]
   */
  constructor({ store, api, changed, setTimeout }) {
    this.#store = store;
    this.#api = api;
    this.#changed = changed;
    this.#setTimeout = setTimeout;
  }

  /** @returns {Par | null} of the deal of the game on the table */
  get par() {
    const { id, par } = this.#store.game;
    return this.#found?.game === id ? this.#found.par : par;
  }

  /** Asks for it, if the game on the table is won and its par isn't known for good. */
  async ask() {
    this.#asking.abort();
    this.#asking = new AbortController();
    const { id, status, version, help } = this.#store.game;
    if (id === null || status !== "won" || !help.solution || this.par?.proven) return;
    try {
      await poll({
        signal: this.#asking.signal,
        ask: () => this.#api.solution(id, { version }),
        answered: ({ par }) => {
          if (par === null) return;
          this.#found = { game: id, par };
          this.#changed();
        },
        setTimeout: this.#setTimeout,
      });
    } catch {
      // The game is won all the same, and the next look at it asks again.
    }
  }
}
