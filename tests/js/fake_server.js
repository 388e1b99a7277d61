/**
 * The server as the page knows it, in memory: versions, request ids, redo tails and covered cards as the design has
 * them. It shares the rules with the page, and nothing of how the page keeps its line.
 */

import {
  COVERED,
  isLegal,
  isStuck,
  isWon,
  legalMoves,
  lineage,
  RANKS,
  rankOf,
  SUITS,
  whyNot,
} from "../../static/js/rules.js";
import { Random } from "./random.js";
import { variantOf } from "./variants.js";

/**
 * @typedef {import("../../static/js/rules.js").Variant} Variant
 * @typedef {import("../../static/js/rules.js").Position} Position
 * @typedef {import("../../static/js/rules.js").Dealt} Dealt
 * @typedef {import("../../static/js/api.js").GameState} GameState
 *
 * @typedef {object} Game
 * @property {string | null} id
 * @property {string} variant
 * @property {string} kind
 * @property {string | null} deal
 * @property {Dealt} dealt with all cards named
 * @property {string[]} line
 * @property {string[]} redo
 * @property {number} version
 * @property {"open" | "won" | "lost"} status
 * @property {boolean} [helped]
 * @property {Map<string, string>} requests bodies by request id
 *
 * @typedef {{status: number, body: any, headers?: Record<string, string>}} Answer
 */

const REMEMBERED = 100;
const MAX_PLIES = 2000;

/** @param {number} status @param {string} code @param {string} [message] @param {object} [detail] @returns {Answer} */
export const problem = (status, code, message = code, detail = {}) => ({
  status,
  body: { error: { code, message, detail } },
});

/** @param {Variant} variant @param {string} number @returns {Dealt} */
export function dealtCards(variant, number) {
  const deck = new Random(Number(number)).shuffled(
    [...RANKS].flatMap((rank) => SUITS.map((suit) => rank + suit)),
  );
  const foundations = { C: 0, D: 0, H: 0, S: 0 };
  /** @type {string[][]} */
  const columns = Array.from({ length: variant.columns }, () => []);
  let aces = variant.aces_start ? 2 : 0;
  let at = 0;
  for (const card of deck) {
    if (aces > 0 && rankOf(card) === 1) {
      foundations[/** @type {"C"} */ (card.charAt(1))] = 1;
      aces -= 1;
      continue;
    }
    columns[at % variant.columns]?.push(card);
    at += 1;
  }
  if (variant.covered) return { columns, foundations };
  const sunk = columns.map((cards) => [
    ...cards.filter((card) => rankOf(card) === 13),
    ...cards.filter((card) => rankOf(card) !== 13),
  ]);
  return { columns: sunk, foundations };
}

export class FakeServer {
  /** @type {Map<string, Game>} */
  games = new Map();
  /** @type {Map<string, {body: string, game: Game}>} */
  #starts = new Map();
  /** How often each request was carried out. @type {Map<string, number>} */
  carriedOut = new Map();
  /** Layouts that can be played, by the text that starts them. @type {Map<string, Dealt>} */
  layouts = new Map();

  /** @param {string} slug @param {string} number @returns {GameState} */
  unstarted(slug, number) {
    return this.state(this.#newGame(slug, "casual", number, dealtCards(variantOf(slug), number)));
  }

  /** @param {string} text @param {Dealt} dealt @param {string} slug @returns {GameState} */
  unstartedLayout(text, dealt, slug) {
    this.layouts.set(text, dealt);
    return this.state(this.#newGame(slug, "practice", null, dealt));
  }

  /** @param {string} id @returns {Game} */
  find(id) {
    const game = this.games.get(id);
    if (!game) throw new Error(`No game ${id}.`);
    return game;
  }

  /** @param {Game} game @returns {GameState} */
  state(game) {
    const variant = variantOf(game.variant);
    const position = this.#position(game);
    const running = game.status === "open";
    const open = position.columns.map((cards, column) => {
      const hidden = [...(position.covered[column] ?? [])];
      return cards.map((card) => (card === COVERED ? (hidden.shift() ?? COVERED) : card));
    });
    const known = game.dealt.columns.map((cards, column) => {
      const hidden = position.covered[column]?.length ?? 0;
      return cards.map((card, index) => (index < hidden ? COVERED : card));
    });
    /** @type {any} */
    const state = {
      id: game.id,
      variant: game.variant,
      kind: game.kind,
      status: game.status,
      version: game.version,
      ply: game.line.length,
      line: game.line,
      redo: game.redo,
      columns: running ? position.columns : open,
      foundations: position.foundations,
      dealt: running ? { columns: known, foundations: game.dealt.foundations } : game.dealt,
      legal: running ? legalMoves(variant, position) : [],
      stuck: running && isStuck(variant, position),
      deal: game.deal,
      board: null,
      source: game.deal === null ? "layout" : "number",
      helped: game.helped ?? false,
      started_at: null,
      finished_at: null,
      seconds: game.version,
      par: null,
      help: { hint: true, verdict: true, solution: true, opens_at: null },
      streak: null,
    };
    return structuredClone(state);
  }

  /** @param {string} method @param {string} path @param {any} body @returns {Answer} */
  handle(method, path, body) {
    const [, , noun, id, verb] = path.split("/");
    if (noun === "deals" && method === "GET" && id && verb) {
      return { status: 200, body: this.unstarted(id, verb) };
    }
    if (noun !== "games") return problem(404, "not_found");
    if (!id) return this.#start(body);
    const game = this.games.get(id);
    if (!game) return problem(404, "not_found");
    if (method === "GET") return { status: 200, body: this.state(game) };
    return this.#change(
      game,
      body,
      verb === "resign" ? () => this.#resign(game) : () => this.#play(game, body),
    );
  }

  /** @param {Game} game @returns {Position} */
  #position(game) {
    return /** @type {Position} */ (lineage(variantOf(game.variant), game.dealt, game.line).at(-1));
  }

  /** @param {string} variant @param {string} kind @param {string | null} deal @param {Dealt} dealt @returns {Game} */
  #newGame(variant, kind, deal, dealt) {
    return {
      id: null,
      variant,
      kind,
      deal,
      dealt,
      line: [],
      redo: [],
      version: 0,
      status: "open",
      requests: new Map(),
    };
  }

  /** @param {string} id */
  #count(id) {
    this.carriedOut.set(id, (this.carriedOut.get(id) ?? 0) + 1);
  }

  /** @param {any} body @returns {Answer} */
  #start(body) {
    const known = this.#starts.get(body.request_id);
    if (known) {
      if (known.body !== JSON.stringify(body)) return problem(422, "request_id_reused");
      return { status: 200, body: { ...this.state(known.game), replayed: true } };
    }
    const { variant, kind, deal = null, layout, helped } = body;
    const dealt = layout === undefined ? dealtCards(variantOf(variant), deal) : this.layouts.get(layout);
    if (!dealt) return problem(400, "unreadable_layout", "Line 1 can’t be read.");
    const id = `game-${this.games.size + 1}`;
    const game = { ...this.#newGame(variant, kind, deal, dealt), id, helped };
    this.games.set(game.id, game);
    this.#starts.set(body.request_id, { body: JSON.stringify(body), game });
    this.#count(body.request_id);
    return { status: 201, body: this.state(game) };
  }

  /** @param {Game} game @param {any} body @param {() => Answer | null} change @returns {Answer} */
  #change(game, body, change) {
    const earlier = game.requests.get(body.request_id);
    if (earlier !== undefined) {
      if (earlier !== JSON.stringify(body)) return problem(422, "request_id_reused");
      return { status: 200, body: { ...this.state(game), replayed: true } };
    }
    if (game.status !== "open") return problem(409, "game_over", "Over.", { game: this.state(game) });
    if (game.version !== body.version)
      return problem(409, "stale_version", "Stale.", { game: this.state(game) });
    const refused = change();
    if (refused) return refused;
    game.version += 1;
    game.requests.set(body.request_id, JSON.stringify(body));
    for (const id of [...game.requests.keys()].slice(0, -REMEMBERED)) game.requests.delete(id);
    this.#count(body.request_id);
    return { status: 200, body: { ...this.state(game), replayed: false } };
  }

  /** @param {Game} game @returns {null} */
  #resign(game) {
    game.status = "lost";
    return null;
  }

  /** @param {Game} game @param {{at: number, moves: string[]}} body @returns {Answer | null} */
  #play(game, { at, moves }) {
    const variant = variantOf(game.variant);
    if (moves.length > 200) return problem(400, "invalid");
    if (at > game.line.length) return problem(422, "bad_ply", "Bad ply.", { game: this.state(game) });
    if (at + moves.length > MAX_PLIES) return problem(422, "too_many_plies");
    if (at === game.line.length && moves.length === 0)
      throw new Error("A batch that changes nothing was sent.");
    const line = game.line.slice(0, at);
    let redo = [...game.line.slice(at), ...game.redo];
    for (const [index, move] of moves.entries()) {
      const position = /** @type {Position} */ (lineage(variant, game.dealt, line).at(-1));
      if (!isLegal(variant, position, move)) {
        const reason = whyNot(variant, position, move) ?? "";
        return problem(422, "illegal_move", reason, { index, move, reason, game: this.state(game) });
      }
      line.push(move);
      redo = redo[0] === move ? redo.slice(1) : [];
    }
    game.line = line;
    game.redo = redo;
    if (isWon(this.#position(game))) game.status = "won";
    return null;
  }
}
