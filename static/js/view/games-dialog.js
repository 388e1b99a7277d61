/** The list of the player's own open and recent games. */

import { clockText } from "../clock.js";
import { nameOnTable } from "../daily.js";
import { RANKED } from "../ranked.js";
import { dialog, find, openDialog } from "./dialogs.js";

/**
 * @typedef {import("../api.js").Api} Api
 * @typedef {import("../api.js").GameSummary} GameSummary
 * @typedef {import("../rules.js").Variant} Variant
 */

/** @type {Record<string, string>} */
const STATUS = { open: "Open", won: "Won", lost: "Given up" };

/** @param {string} className @param {string} text */
function words(className, text) {
  const element = document.createElement("span");
  element.className = className;
  element.textContent = text;
  return element;
}

/** @param {string} text */
function note(text) {
  const element = document.createElement("p");
  element.textContent = text;
  return element;
}

/** @param {GameSummary} game */
function dealName({ board, deal, kind, source }) {
  if (board) return `, ${nameOnTable(board, kind).toLowerCase()}`;
  if (deal !== null) return `, deal ${deal}`;
  return source === "layout" ? ", imported layout" : "";
}

/**
 * @param {GameSummary} game
 * @param {Record<string, Variant>} variants
 * @param {string | null} current the game on the table
 */
function item(game, variants, current) {
  const link = document.createElement("a");
  link.href = `/game/${game.id}`;
  link.dataset.game = game.id;
  if (game.id === current) link.setAttribute("aria-current", "true");
  const name = variants[game.variant]?.name ?? game.variant;
  const kind = game.kind === RANKED ? ", ranked" : "";
  const when = game.last_move_at ?? game.started_at;
  const parts = [
    game.ply === 1 ? "1 move" : `${game.ply} moves`,
    `${game.home} of 52 home`,
    clockText(game.seconds),
    game.helped ? "with help" : "",
    when ? new Date(when).toLocaleString("en-GB", { dateStyle: "medium", timeStyle: "short" }) : "",
  ];
  link.append(
    words("games__name", name + kind + dealName(game)),
    words("games__status", STATUS[game.status] ?? game.status),
    words("games__more", parts.filter(Boolean).join(" · ")),
  );
  const element = document.createElement("li");
  element.className = "games__item";
  element.append(link);
  return element;
}

/**
 * @param {object} parts
 * @param {Api} parts.api
 * @param {Record<string, Variant>} parts.variants
 * @returns {{open: (current: string | null) => Promise<void>}}
 */
export function gamesDialog({ api, variants }) {
  /** @type {HTMLElement} */
  const list = find(dialog("games"), "[data-games]");
  return {
    async open(current) {
      list.replaceChildren(note("Looking…"));
      openDialog("games");
      try {
        const { games } = await api.games();
        if (games.length === 0) {
          list.replaceChildren(note("None yet. A game is kept from its first move on."));
          return;
        }
        const items = document.createElement("ul");
        items.className = "games__list";
        items.append(...games.map((game) => item(game, variants, current)));
        list.replaceChildren(items);
      } catch (problem) {
        list.replaceChildren(note(problem instanceof Error ? problem.message : String(problem)));
      }
    },
  };
}
