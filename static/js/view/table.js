/**
 * The table: foundations, columns and the cards on them.
 *
 * Hooks that browser tests and style sheets may rely on:
 *
 *   html[data-ready="true"]           the table can be played
 *   main#table[data-sync]             idle | sending | retrying | offline
 *   main#table[data-status]           open | won | lost
 *   main#table[data-ply]              moves in the current line
 *   main#table[data-stuck]            present while no legal move is left
 *   main#table[data-dragging]         present while a card is dragged
 *   main#table[data-finishing]        present while auto-complete plays
 *   [data-column="1"] … "13"          a column, as people count; it holds its cards in order, the top card last
 *   [data-column] > button            what the keyboard focuses
 *   [data-foundation="H"]             a foundation, its newest card last
 *   [data-card="7H"], [data-card="##"] a card, face up and face down
 *   [data-target]                     on columns and foundations that take the card in hand
 *   .card--picked                     the card that keys or a tap have picked up
 *   .card--hinted, [data-hint-target] the card that a hint names, and the column or foundation that takes it
 *   .card--kink                       cards above a lower card of their suit, where kinks are shown
 *   .card--found                      cards that the foundations need next, while they are looked for
 *   [data-action="undo"] …            new, choose, undo, redo, restart, hint, solution, kinks, find, share, import, games,
 *                                     settings, help, resign;
 *                                     one button each, aria-disabled when they can't be used
 *   [data-panel="stuck"] …            what the strip shows: stuck, won, lost, finish, finishing, restarted,
 *                                     resume, recovered, hint-card, hint-move, hint-lost, hint-unknown,
 *                                     hint-searching
 *   [data-panel-action="undo"] …      its buttons: undo, restart, new, again, share, finish, skip, unrestart,
 *                                     recovered, dismiss-resume, hint, hint-deeper, hint-back, hint-close, postmortem
 *   [data-toast]                      the short message in the strip
 *   [data-live]                       the live region
 *   [data-setting="autoplay"] …       the controls of the panel, named as in settings-names.js
 *   [data-lamp="won"] …               off, asking, won, lost, unknown, silent
 *   [data-moves], [data-clock], [data-deal], [data-sync-text]
 *   dialog#dialog-choose, -import, -settings, -help, -games, -resign, -share, -postmortem
 */

import { COVERED, cardName, columnIndex, columnName, RANKS, SUIT_NAMES, SUIT_SIZE } from "../rules.js";
import { back, capital, faceOf, icon } from "./cards.js";
import { flip } from "./motion.js";

/**
 * @typedef {import("../rules.js").Position} Position
 * @typedef {import("../rules.js").Suit} Suit
 */

/**
 * @typedef {object} Shown a column on the screen
 * @property {HTMLElement} element
 * @property {HTMLButtonElement} button
 * @property {ReadonlyArray<string>} cards
 * @property {HTMLElement[]} nodes
 *
 * @typedef {{element: HTMLElement, button: HTMLButtonElement, count: number}} Home a foundation on the screen
 */

/** Left to right, colours taking turns. @type {ReadonlyArray<Suit>} */
const FOUNDATIONS = ["S", "H", "C", "D"];

/** How much of a covered card shows when there is room, in card heights: its index and a little air. */
const FAN = 0.325;

/**
 * @param {string} name
 * @param {string} className
 * @returns {HTMLElement}
 */
function make(name, className) {
  const element = document.createElement(name);
  element.className = className;
  return element;
}

/** @param {string} className @returns {HTMLButtonElement} */
function makeButton(className) {
  const button = document.createElement("button");
  button.type = "button";
  button.className = className;
  button.tabIndex = -1;
  return button;
}

export class Table {
  /** @type {HTMLElement} */ #root;
  /** @type {HTMLElement} */ #board;
  /** @type {HTMLElement} */ #felt;
  /** @type {HTMLElement} */ #tableau;
  /** @type {HTMLElement} */ #home;
  /** @type {Shown[]} */ #columns = [];
  /** @type {Map<Suit, Home>} */ #foundations = new Map();
  /** @type {Map<string, HTMLElement>} */ #faces = new Map();
  /** @type {HTMLButtonElement | null} */ #stop = null;
  /** Follows the pointer. @type {HTMLElement | null} */ inHand = null;
  /** Let go, but still where the pointer left it. @type {HTMLElement | null} */ #loose = null;
  /** @type {boolean} */ #playable;
  /** @type {ReadonlySet<string>} */ #kinks = new Set();

  /**
   * @param {HTMLElement} root the main element
   * @param {{playable?: boolean}} [options] `playable`: false for a table that is only looked at
   */
  constructor(root, { playable = true } = {}) {
    this.#root = root;
    this.#playable = playable;
    const find = (/** @type {string} */ selector) =>
      /** @type {HTMLElement} */ (root.querySelector(selector));
    this.#board = find(".board");
    this.#felt = find(".felt");
    this.#tableau = find(".tableau");
    this.#home = find(".foundations");
    for (const suit of FOUNDATIONS) this.#addFoundation(suit);
    new ResizeObserver(() => this.layout()).observe(this.#tableau);
  }

  /** @returns {HTMLElement} everything on the felt */
  get board() {
    return this.#board;
  }

  /** @returns {number} columns a row of the screen holds */
  get perRow() {
    return Number(getComputedStyle(this.#felt).getPropertyValue("--per")) || this.#columns.length;
  }

  /** @param {Suit} suit */
  #addFoundation(suit) {
    const element = make("div", "foundation");
    element.dataset.foundation = suit;
    const slot = make("div", "slot");
    slot.append(icon(`suit-${suit}`));
    const button = makeButton("foundation__button");
    button.dataset.stop = `foundation-${suit}`;
    button.hidden = !this.#playable;
    if (!this.#playable) element.setAttribute("role", "img");
    element.append(slot, button);
    this.#home.append(element);
    this.#foundations.set(suit, { element, button, count: 0 });
    this.#labelFoundation(suit);
  }

  /** @param {number} count */
  #setColumns(count) {
    if (count === this.#columns.length) return;
    this.#board.dataset.columns = String(count);
    for (const { element } of this.#columns.splice(count)) element.remove();
    while (this.#columns.length < count) {
      const number = this.#columns.length + 1;
      const element = make("div", "column");
      element.dataset.column = String(number);
      element.setAttribute("role", this.#playable ? "group" : "img");
      const button = makeButton("column__button");
      button.dataset.stop = `column-${number}`;
      button.hidden = !this.#playable;
      element.append(make("div", "slot"), button);
      this.#tableau.append(element);
      this.#columns.push({ element, button, cards: [], nodes: [] });
      this.#labelColumn(number - 1);
    }
    this.setStop(this.#columns[0].button);
  }

  /** @returns {HTMLElement[]} the cards on the table */
  cards() {
    return [...this.#felt.querySelectorAll(".card")].map((card) => /** @type {HTMLElement} */ (card));
  }

  /**
   * Puts a position on the table, touching only the columns that differ.
   *
   * @param {Position} position
   * @param {{animate?: boolean}} [options]
   */
  show(position, { animate = true } = {}) {
    const change = () => {
      if (this.#loose) this.putBack(this.#loose);
      this.#place(position);
    };
    if (animate && this.#columns.length > 0) flip(() => this.cards(), change, this.inHand);
    else change();
  }

  /** @param {Position} position */
  #place(position) {
    this.#setColumns(position.columns.length);
    for (const suit of FOUNDATIONS) this.#placeHome(suit, position.foundations[suit]);
    for (const [index, cards] of position.columns.entries()) this.#placeColumn(index, cards);
    this.layout();
  }

  /** @param {string} card @returns {HTMLElement} */
  #face(card) {
    let face = this.#faces.get(card);
    if (!face) {
      face = faceOf(card);
      this.#faces.set(card, face);
    }
    return face;
  }

  /**
   * @param {Suit} suit
   * @param {number} count cards home
   */
  #placeHome(suit, count) {
    const foundation = /** @type {Home} */ (this.#foundations.get(suit));
    for (let rank = count; rank < foundation.count; rank += 1) {
      const card = this.#face(RANKS.charAt(rank) + suit);
      card.classList.remove("card--buried");
      if (card.parentElement === foundation.element) card.remove();
    }
    for (let rank = 0; rank < count; rank += 1) {
      const card = this.#face(RANKS.charAt(rank) + suit);
      if (rank >= foundation.count || card.parentElement !== foundation.element)
        foundation.element.append(card);
      card.style.setProperty("--at", "0");
      card.classList.toggle("card--buried", rank < count - 2);
    }
    if (foundation.count === count) return;
    foundation.count = count;
    this.#labelFoundation(suit);
  }

  /**
   * @param {number} index
   * @param {ReadonlyArray<string>} cards
   */
  #placeColumn(index, cards) {
    const column = this.#columns[index];
    const same =
      cards.length === column.cards.length &&
      cards.every(
        (card, at) => card === column.cards[at] && column.nodes[at].parentElement === column.element,
      );
    if (same) return;
    const backs = column.nodes.filter((node) => node.dataset.card === COVERED);
    const nodes = cards.map((card) => (card === COVERED ? (backs.shift() ?? back()) : this.#face(card)));
    for (const node of column.nodes) {
      if (!nodes.includes(node) && node.parentElement === column.element) node.remove();
    }
    const first = 2; // after the outline and the button
    for (const [at, node] of nodes.entries()) {
      node.style.setProperty("--at", String(at));
      node.classList.remove("card--buried");
      const there = column.element.children[first + at] ?? null;
      if (there !== node) column.element.insertBefore(node, there);
    }
    column.cards = cards;
    column.nodes = nodes;
    column.element.style.setProperty("--top-at", String(Math.max(cards.length - 1, 0)));
    this.#labelColumn(index);
  }

  /** @param {number} index */
  #labelColumn(index) {
    const { element, button, cards } = this.#columns[index];
    const number = index + 1;
    const top = cards[cards.length - 1];
    if (top === undefined) {
      element.setAttribute("aria-label", `Column ${number}, empty`);
      button.setAttribute("aria-label", `Empty column ${number}`);
      return;
    }
    const count = cards.length === 1 ? "1 card" : `${cards.length} cards`;
    const names = cards.map((card) => (this.#kinks.has(card) ? `${cardName(card)} (kink)` : cardName(card)));
    element.setAttribute("aria-label", `Column ${number}, ${count}: ${names.join(", ")}`);
    button.setAttribute("aria-label", `${capital(cardName(top))}, top of column ${number}`);
  }

  /** @param {Suit} suit */
  #labelFoundation(suit) {
    const foundation = this.#foundations.get(suit);
    if (!foundation) return;
    const { element, button, count } = foundation;
    let holds = "empty";
    if (count === SUIT_SIZE) holds = "complete";
    else if (count > 0) holds = `up to the ${cardName(RANKS.charAt(count - 1) + suit).split(" ")[0]}`;
    const label = `Foundation of ${SUIT_NAMES[suit]}, ${holds}`;
    (this.#playable ? button : element).setAttribute("aria-label", label);
  }

  /**
   * Fits the columns into the room there is. A column shows as much of each card as it can; where rows of columns
   * share the height, the one with longer columns gets more of it.
   */
  layout() {
    const room = this.#tableau.clientHeight;
    const height = this.#home.clientHeight;
    if (room <= 0 || height <= 0 || this.#columns.length === 0) return;
    const per = this.perRow;
    const rows = [];
    for (let at = 0; at < this.#columns.length; at += per) rows.push(this.#columns.slice(at, at + per));
    const steps = rows.map((row) => Math.max(0, ...row.map(({ cards }) => cards.length - 1)));
    const heights = this.#rowHeights(steps, height, room);
    heights.forEach((value, index) => {
      this.#tableau.style.setProperty(`--row-${index + 1}`, `${value}px`);
    });
    rows.forEach((row, index) => {
      for (const { element, cards } of row) {
        const fit = (heights[index] - height - 2) / Math.max(1, cards.length - 1);
        const step = Math.max(2, Math.min(FAN * height, fit));
        element.style.setProperty("--step", `${Math.round(step * 10) / 10}px`);
      }
    });
  }

  /**
   * @param {number[]} steps of each row's longest column
   * @param {number} card its height
   * @param {number} room
   * @returns {number[]} pixels
   */
  #rowHeights(steps, card, room) {
    if (steps.length === 1) return [room];
    const gap = Number.parseFloat(getComputedStyle(this.#tableau).rowGap) || 0;
    const free = room - gap;
    const [first, second] = steps.map((count) => card + count * FAN * card + 2);
    if (first + second > free) {
      const slack = Math.max(0, free - 2 * card);
      const share = (slack * steps[0]) / Math.max(1, steps[0] + steps[1]);
      return [card + share, free - card - share];
    }
    const half = Math.max(first, Math.min(free / 2, free - second));
    return [half, free - half];
  }

  /** The card in hand is let go: what happens next takes it from where it lies. */
  letGo() {
    this.#loose = this.inHand;
    this.inHand = null;
  }

  /** @param {HTMLElement} card puts a card that was dragged in its place */
  putBack(card) {
    card.style.transform = "";
    card.classList.remove("card--held");
    if (this.#loose === card) this.#loose = null;
  }

  // Who is where

  /** @param {number} index @returns {HTMLElement | undefined} the top card's element */
  topNode(index) {
    const nodes = this.#columns[index]?.nodes ?? [];
    return nodes[nodes.length - 1];
  }

  /** @param {Element} element @returns {number} the index of the column it stands in, or -1 */
  columnOf(element) {
    const column = /** @type {HTMLElement | null} */ (element.closest("[data-column]"));
    return column ? Number(column.dataset.column) - 1 : -1;
  }

  /**
   * The place under a point: a column's name, "h" for the foundations, "" for none. Columns and foundations count in
   * their whole height and up to half the gap beside them.
   *
   * @param {number} x
   * @param {number} y
   * @returns {string}
   */
  placeAt(x, y) {
    const margin = (Number.parseFloat(getComputedStyle(this.#tableau).columnGap) || 0) / 2 + 0.5;
    const holds = (/** @type {Element} */ element) => {
      const { left, right, top, bottom } = element.getBoundingClientRect();
      return x >= left - margin && x < right + margin && y >= top - margin && y < bottom + margin;
    };
    if (holds(this.#home)) return "h";
    const index = this.#columns.findIndex(({ element }) => holds(element));
    return index < 0 ? "" : columnName(index);
  }

  /**
   * The wanted place that a card held over the table covers most.
   *
   * @param {DOMRect} card
   * @param {ReadonlyArray<string>} wanted places
   * @returns {string} a place, or ""
   */
  placeUnder(card, wanted) {
    let best = "";
    // Less than this share of a card's width is a brush, not a drop.
    let most = card.width * card.height * 0.12;
    for (const place of wanted) {
      const element = place === "h" ? this.#home : this.#columns[columnIndex(place)]?.element;
      if (!element) continue;
      const { left, right, top, bottom } = element.getBoundingClientRect();
      const width = Math.min(right, card.right) - Math.max(left, card.left);
      const height = Math.min(bottom, card.bottom) - Math.max(top, card.top);
      if (width > 0 && height > 0 && width * height > most) {
        most = width * height;
        best = place;
      }
    }
    return best;
  }

  // Marks

  /**
   * @param {ReadonlyArray<string>} places that take the card in hand
   * @param {Suit | null} suit the card's, for its foundation
   */
  markTargets(places, suit = null) {
    this.#columns.forEach(({ element }, index) => {
      element.toggleAttribute("data-target", places.includes(columnName(index)));
    });
    for (const [each, { element }] of this.#foundations) {
      element.toggleAttribute("data-target", each === suit && places.includes("h"));
    }
  }

  /**
   * @param {string} place the one under the card in hand
   * @param {Suit | null} suit
   */
  markOver(place, suit = null) {
    this.#columns.forEach(({ element }, index) => {
      element.toggleAttribute("data-over", place === columnName(index));
    });
    for (const [each, { element }] of this.#foundations) {
      element.toggleAttribute("data-over", place === "h" && each === suit);
    }
  }

  /** @param {number} column whose top card is picked up; -1 for none */
  markPicked(column) {
    for (const card of this.#felt.querySelectorAll(".card--picked")) card.classList.remove("card--picked");
    this.topNode(column)?.classList.add("card--picked");
  }

  /** @param {ReadonlySet<string>} cards those that lie above a lower card of their suit */
  markKinks(cards) {
    const changed = cards.size !== this.#kinks.size || [...cards].some((card) => !this.#kinks.has(card));
    this.#kinks = cards;
    // On a foundation no card is one, so the marks of those that have gone home go as well.
    for (const [card, face] of this.#faces) face.classList.toggle("card--kink", cards.has(card));
    if (changed) for (const index of this.#columns.keys()) this.#labelColumn(index);
  }

  /** @param {ReadonlyArray<string>} cards those looked for; the others step back as long as there are any */
  markFound(cards) {
    this.#board.toggleAttribute("data-finding", cards.length > 0);
    for (const [card, face] of this.#faces) face.classList.toggle("card--found", cards.includes(card));
  }

  /** @param {string | null} card the one that moved last; null for none */
  markMoved(card) {
    for (const each of this.#felt.querySelectorAll(".card--moved")) each.classList.remove("card--moved");
    if (card !== null) this.#faces.get(card)?.classList.add("card--moved");
  }

  // Focus: one stop for the tab key, the arrows do the rest

  /** @param {HTMLButtonElement} button */
  setStop(button) {
    if (this.#stop) this.#stop.tabIndex = -1;
    this.#stop = button;
    button.tabIndex = 0;
  }

  /** @param {string} place a column's name */
  setStopAt(place) {
    const column = this.#columns[columnIndex(place)];
    if (column) this.setStop(column.button);
  }

  /** @param {HTMLButtonElement} button */
  #focus(button) {
    this.setStop(button);
    button.focus();
  }

  /** @returns {string} the focused place: a column's name, "h", or "" */
  get focused() {
    const active = document.activeElement;
    if (!(active instanceof HTMLElement) || !active.dataset.stop) return "";
    const column = this.columnOf(active);
    return column < 0 ? "h" : columnName(column);
  }

  /** Focuses where the keyboard was last. */
  focusStop() {
    (this.#stop ?? this.#columns[0]?.button)?.focus();
  }

  /**
   * Moves the focus by an arrow key, Home or End.
   *
   * @param {string} key
   */
  step(key) {
    const active = document.activeElement;
    const column = active ? this.columnOf(active) : -1;
    const homes = [...this.#foundations.values()].map(({ button }) => button);
    const home = homes.indexOf(/** @type {HTMLButtonElement} */ (active));
    if (column < 0 && home < 0) {
      this.focusStop();
      return;
    }
    const row = column < 0 ? homes : this.#columns.map(({ button }) => button);
    const at = column < 0 ? home : column;
    const per = this.perRow;
    /** @type {HTMLButtonElement | undefined} */
    let next;
    if (key === "ArrowLeft") next = row[at - 1];
    else if (key === "ArrowRight") next = row[at + 1];
    else if (key === "Home") next = row[0];
    else if (key === "End") next = row[row.length - 1];
    else if (key === "ArrowUp" && column >= 0) {
      next = column >= per ? row[column - per] : homes[Math.min(column, homes.length - 1)];
    } else if (key === "ArrowDown") {
      const last = row.length - 1;
      if (column < 0) next = this.#columns[home]?.button;
      else if (Math.floor(column / per) < Math.floor(last / per)) next = row[Math.min(column + per, last)];
    }
    if (next) this.#focus(next);
  }

  /** @param {string} name @param {string | null} value a data attribute of the main element; null takes it away */
  state(name, value) {
    if (value === null) this.#root.removeAttribute(`data-${name}`);
    else this.#root.setAttribute(`data-${name}`, value);
  }
}
