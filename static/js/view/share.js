/** Sharing: the system's sheet on touch screens, the clipboard elsewhere, text to copy by hand where neither works. */

import { COVERED, RANKS } from "../rules.js";
import { dialog, find, openDialog } from "./dialogs.js";

/**
 * @typedef {object} Message
 * @property {string} title
 * @property {string} text what is shared
 * @property {string} [url] instead of the text, where there is an address
 * @property {string} copied what to say when it is on the clipboard
 */

/**
 * @param {Message} message
 * @param {(words: string) => void} tell
 */
export async function share({ title, text, url, copied }, tell) {
  if (matchMedia("(pointer: coarse)").matches && typeof navigator.share === "function") {
    try {
      await navigator.share(url ? { title, url } : { title, text });
      return;
    } catch (problem) {
      // Closing the sheet is an answer; everything else is no sheet at all.
      if (problem instanceof DOMException && problem.name === "AbortError") return;
    }
  }
  try {
    await navigator.clipboard.writeText(url ?? text);
    tell(copied);
  } catch {
    showText(url ?? text, title);
  }
}

/** @param {string} text @param {string} title */
function showText(text, title) {
  const element = dialog("share");
  /** @type {HTMLTextAreaElement} */
  const field = find(element, "[data-share-text]");
  find(element, "[data-share-note]").textContent = `${title}: copy it from here.`;
  field.value = text;
  field.rows = Math.min(14, text.split("\n").length + 1);
  openDialog("share");
  field.focus();
  field.select();
}

/**
 * @param {import("../rules.js").Dealt} dealt
 * @returns {string | null} the layout as text that can be imported; null while cards of it are covered
 */
export function layoutText({ columns, foundations }) {
  if (columns.some((column) => column.includes(COVERED))) return null;
  const ranks = `0${RANKS}`;
  const suits = /** @type {const} */ (["H", "C", "D", "S"]);
  const lines = columns.map((column) => column.join(" ") || "-");
  if (suits.some((suit) => foundations[suit] > 0)) {
    const home = suits.map((suit) => `${suit}-${ranks.charAt(foundations[suit])}`);
    lines.unshift(`Foundations: ${home.join(" ")}`);
  }
  return lines.join("\n");
}
