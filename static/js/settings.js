/** The player's settings, kept in this browser. */

/**
 * @typedef {object} Values
 * @property {boolean} autoplay a click or tap plays a card
 * @property {boolean} ask let the player choose when several columns fit
 * @property {boolean} autocomplete finish by itself when only foundation moves are needed
 * @property {boolean} safeHome send safe cards home after a move
 * @property {boolean} clock show the time
 * @property {boolean} lamp show whether the game can still be won
 * @property {boolean} shortcuts single keys do something
 * @property {boolean} kinks mark cards that lie above a lower card of their suit
 * @property {boolean} winnable new deals are ones that can be won
 */

/** @typedef {keyof Values} Name */

const KEY = "bakers.settings";

/** @type {Readonly<Values>} */
const DEFAULTS = {
  autoplay: true,
  ask: false,
  autocomplete: true,
  safeHome: false,
  clock: true,
  lamp: false,
  shortcuts: true,
  kinks: false,
  winnable: false,
};

/** @param {string | null} text @returns {Values} what can be made of what was stored */
function read(text) {
  const values = { ...DEFAULTS };
  try {
    const stored = JSON.parse(text ?? "{}");
    for (const name of /** @type {Name[]} */ (Object.keys(DEFAULTS))) {
      if (typeof stored?.[name] === "boolean") values[name] = stored[name];
    }
  } catch {
    // Somebody else's text under our name: the defaults serve.
  }
  return values;
}

/** Fires "change" when a value changed, here or in another tab. */
export class Settings extends EventTarget {
  /** @type {Values} */ #values;
  /** @type {Storage | null} */ #storage;

  /** @param {Storage | null} storage null where the browser gives none */
  constructor(storage) {
    super();
    this.#storage = storage;
    this.#values = read(this.#stored());
    globalThis.addEventListener?.("storage", (event) => {
      if (event.key !== KEY && event.key !== null) return;
      this.#values = read(this.#stored());
      this.dispatchEvent(new Event("change"));
    });
  }

  /** @returns {string | null} */
  #stored() {
    try {
      return this.#storage?.getItem(KEY) ?? null;
    } catch {
      return null;
    }
  }

  /** @param {Name} name @returns {boolean} */
  get(name) {
    return this.#values[name];
  }

  /** @param {Name} name @param {boolean} value */
  set(name, value) {
    if (this.#values[name] === value) return;
    this.#values = { ...this.#values, [name]: value };
    try {
      this.#storage?.setItem(KEY, JSON.stringify(this.#values));
    } catch {
      // Full or forbidden: the setting holds until the page goes.
    }
    this.dispatchEvent(new Event("change"));
  }
}
