/** Which settings there are: their names, values and defaults, as on the server (`accounts/preferences.py`). */

/**
 * @typedef {object} Values
 * @property {boolean} autoplay a click or tap plays a card
 * @property {"foundation" | "column"} tap where a tap sends a card that its foundation and another card both take
 * @property {boolean} ask let the player choose when several columns fit
 * @property {boolean} autocomplete finish by itself when only foundation moves are needed
 * @property {boolean} safeHome send safe cards home after a move
 * @property {boolean} winnable new deals are ones that can be won
 * @property {boolean} clock show the time
 * @property {boolean} lamp show whether the game can still be won
 * @property {boolean} kinks mark cards that lie above a lower card of their suit
 * @property {"system" | "light" | "dark"} theme
 * @property {"two" | "four"} suits how many colours tell the suits apart
 * @property {"system" | "off" | "fast" | "normal" | "slow"} speed of what moves on the screen
 * @property {boolean} shortcuts single keys do something
 */

/** @typedef {keyof Values} Name */
/** @typedef {Partial<Values>} Chosen the settings that somebody has chosen; the others have their defaults */

/**
 * @typedef {object} Answer the settings of an account as the server shows them
 * @property {Values} settings
 * @property {boolean} chosen whether the account has any of its own
 * @property {string} as_of by the server's clock; no change made before is missing
 */

/** @type {Readonly<Values>} */
export const DEFAULTS = {
  autoplay: true,
  tap: "foundation",
  ask: false,
  autocomplete: true,
  safeHome: false,
  winnable: false,
  clock: true,
  lamp: false,
  kinks: false,
  theme: "system",
  suits: "two",
  speed: "system",
  shortcuts: true,
};

/** The values of those that aren't switches. @type {Readonly<Record<string, ReadonlyArray<string>>>} */
export const CHOICES = {
  tap: ["foundation", "column"],
  theme: ["system", "light", "dark"],
  suits: ["two", "four"],
  speed: ["system", "off", "fast", "normal", "slow"],
};

export const NAMES = /** @type {Name[]} */ (Object.keys(DEFAULTS));

/**
 * @param {any} stored what somebody may have stored under our name, or an older release
 * @returns {Chosen} what of it are settings
 */
export function chosenIn(stored) {
  const isValue = (/** @type {Name} */ name) =>
    CHOICES[name] ? CHOICES[name].includes(stored[name]) : typeof stored[name] === "boolean";
  if (stored === null || typeof stored !== "object") return {};
  return Object.fromEntries(NAMES.filter(isValue).map((name) => [name, stored[name]]));
}
