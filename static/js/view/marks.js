/** Marks on the table that a player asks for: kinks, for as long as wanted, and the cards needed next, for a look. */

import { kinks, kinksInWords, needsAces, nextCards, nextCardsInWords } from "../kinks.js";
import { cardTitle } from "./cards.js";

/** Milliseconds the needed cards stay marked, unless a press ends it: enough to look at four places. */
export const LOOK_MS = 10_000;

export class Marks {
  /** @type {import("../state.js").GameStore} */ #store;
  /** @type {import("./table.js").Table} */ #table;
  /** @type {import("../settings.js").Settings} */ #settings;
  /** @type {(words: string) => void} */ #say;
  /** @type {(words: string) => void} */ #show;
  /** @type {ReturnType<typeof setTimeout> | null} */ #looking = null;
  #hasKinks;

  /**
   * @param {object} parts
   * @param {import("../state.js").GameStore} parts.store
   * @param {import("./table.js").Table} parts.table
   * @param {import("../settings.js").Settings} parts.settings
   * @param {(words: string) => void} parts.say says it to those who listen
   * @param {(words: string) => void} parts.show shows it to those who look
   */
  constructor({ store, table, settings, say, show }) {
    this.#store = store;
    this.#table = table;
    this.#settings = settings;
    this.#say = say;
    this.#show = show;
    this.#hasKinks = settings.get("kinks");
    settings.addEventListener("change", () => this.#settingChanged());
    // Captured: the press that ends it may do something else as well, and that may be looking again.
    for (const press of ["pointerdown", "keydown"])
      document.addEventListener(press, () => this.stopLooking(), { capture: true });
  }

  /** Another position is on the table. */
  positionChanged() {
    this.stopLooking();
    this.draw();
  }

  /** Marks the kinks, or takes their marks away. */
  draw() {
    const on = this.#settings.get("kinks") && this.#store.status === "open";
    this.#table.markKinks(on ? kinks(this.#store.position.columns) : new Set());
    for (const entry of document.querySelectorAll('[data-action="kinks"]'))
      entry.setAttribute("aria-pressed", String(this.#settings.get("kinks")));
    for (const label of document.querySelectorAll("[data-find-label]"))
      label.textContent = needsAces(this.#store.position) ? "Find the aces" : "Find the next cards";
  }

  toggleKinks() {
    this.#settings.set("kinks", !this.#settings.get("kinks"));
  }

  #settingChanged() {
    const on = this.#settings.get("kinks");
    if (on === this.#hasKinks) return;
    this.#hasKinks = on;
    this.draw();
    const words = on ? kinksInWords(kinks(this.#store.position.columns).size) : "Kinks no longer marked.";
    this.#say(words);
    this.#show(words);
  }

  /** Marks the cards that the foundations need next. */
  find() {
    this.stopLooking();
    const { seen, unseen } = nextCards(this.#store.position);
    const words = nextCardsInWords(this.#store.position);
    this.#say(words);
    if (seen.length === 0) {
      this.#show(words);
      return;
    }
    // The outlines tell where; what they can't tell is what lies covered.
    if (unseen.length > 0) this.#show(`Still covered: ${unseen.map(cardTitle).join(", ")}.`);
    this.#table.markFound(seen.map(({ card }) => card));
    this.#looking = setTimeout(() => this.stopLooking(), LOOK_MS);
  }

  stopLooking() {
    if (this.#looking === null) return;
    clearTimeout(this.#looking);
    this.#looking = null;
    this.#table.markFound([]);
  }
}
