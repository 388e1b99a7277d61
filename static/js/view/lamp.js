/** The verdict lamp beside the count of moves: its light never stands alone, there are always words with it. */

/** @typedef {import("../help/lamp.js").Light} Light */

/** @type {Record<Light, string>} */
const WORDS = {
  off: "",
  asking: "Asking…",
  won: "Winnable",
  lost: "Can’t be won",
  unknown: "Not decided yet",
  silent: "No verdict",
};

/** What is said aloud, where it isn't what was said last. @type {Partial<Record<Light, string>>} */
const SAID = {
  won: "The game can still be won.",
  lost: "The game can’t be won.",
  unknown: "It is not decided yet whether the game can be won.",
};

const KNOWS = "It knows the covered cards.";

/**
 * @param {HTMLElement} element
 * @param {(words: string) => void} say
 * @param {() => boolean} hasCovered whether the game is played with covered cards, which the solver knows
 * @returns {(light: Light, reason: string) => void}
 */
export function lampView(element, say, hasCovered) {
  const words = document.createElement("span");
  element.replaceChildren(words);
  let last = "";
  return (light, reason) => {
    element.hidden = light === "off";
    element.dataset.lamp = light;
    words.textContent = WORDS[light];
    element.title = reason && hasCovered() ? `${reason} ${KNOWS}` : reason;
    const said = SAID[light];
    if (said !== undefined && said !== last) say(hasCovered() ? `${said} ${KNOWS}` : said);
    if (said !== undefined || light === "off") last = said ?? "";
  };
}
