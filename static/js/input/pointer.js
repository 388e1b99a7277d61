/**
 * Mouse, pen and finger. A press that stays where it is counts as a tap, one that moves drags the top card; a drag
 * ends over a place that takes the card, or the card glides back.
 */

import { columnName, HOME, suitOf } from "../rules.js";
import { glide } from "../view/motion.js";

/**
 * @typedef {object} Press
 * @property {number} pointer
 * @property {number} x
 * @property {number} y
 * @property {number} column -1 outside the columns
 * @property {boolean} home whether it began on a foundation
 * @property {HTMLElement | null} card the top card, if it began on that
 * @property {boolean} buried whether it began on a card that others cover
 * @property {boolean} mouse
 * @property {boolean} moved
 * @property {boolean} ignored
 */

/**
 * @typedef {object} Drag
 * @property {HTMLElement} card
 * @property {number} column
 * @property {number} x where the pointer is when the card lies in its place
 * @property {number} y
 * @property {string[]} places that take the card
 */

/** Pixels a press may wander before it drags: a hand trembles on a mouse less than a fingertip rolls. */
const MOUSE_SLACK = 4;
const TOUCH_SLACK = 8;
/** Milliseconds in which a second click of a mouse on the same column is the end of a double click, no new move. */
const DOUBLE_CLICK = 400;

export class PointerInput {
  /** @type {import("../view/table.js").Table} */ #table;
  /** @type {import("./actions.js").Actions} */ #actions;
  /** @type {Press | null} */ #press = null;
  /** @type {Drag | null} */ #drag = null;
  #lastPlayed = { column: -1, at: 0 };
  #lastType = "mouse";

  /**
   * @param {import("../view/table.js").Table} table
   * @param {import("./actions.js").Actions} actions
   */
  constructor(table, actions) {
    this.#table = table;
    this.#actions = actions;
    const board = table.board;
    board.addEventListener("pointerdown", (event) => this.#down(event));
    board.addEventListener("mousedown", (event) => this.#secondClick(event));
    board.addEventListener("pointermove", (event) => this.#move(event));
    board.addEventListener("pointerup", (event) => this.#up(event));
    board.addEventListener("pointercancel", () => this.cancel());
    board.addEventListener("lostpointercapture", (event) => {
      if (event.target === board) this.cancel();
    });
    board.addEventListener("dragstart", (event) => event.preventDefault());
    // A long press on a card is no wish for the browser's menu.
    board.addEventListener("contextmenu", (event) => {
      if (this.#press || this.#lastType !== "mouse") event.preventDefault();
    });
    // Assistive technology presses the buttons without any pointer.
    board.addEventListener("click", (event) => {
      if (event.detail !== 0 || !(event.target instanceof HTMLElement) || !event.target.dataset.stop) return;
      const column = table.columnOf(event.target);
      actions.activate(column < 0 ? HOME : columnName(column));
    });
    // A second finger beside the felt calls a drag off as one on it does.
    document.addEventListener("pointerdown", (event) => {
      if (event.target instanceof Node && !board.contains(event.target)) this.cancel();
    });
    window.addEventListener("blur", () => this.cancel());
    document.addEventListener("visibilitychange", () => {
      if (document.visibilityState === "hidden") this.cancel();
    });
  }

  /** @param {PointerEvent} event */
  #down(event) {
    this.#lastType = event.pointerType;
    const target = this.#meant(event);
    if (this.#press) {
      this.cancel();
      return;
    }
    if (target.closest(".strip, .info")) return;
    if (!event.isPrimary || event.button !== 0) return;
    const column = this.#table.columnOf(target);
    const node = /** @type {HTMLElement | null} */ (target.closest(".card"));
    const top = column < 0 ? undefined : this.#table.topNode(column);
    this.#press = {
      pointer: event.pointerId,
      x: event.clientX,
      y: event.clientY,
      column,
      home: target.closest(".foundation") !== null,
      card: node !== null && node === top ? node : null,
      buried: node !== null && column >= 0 && node !== top,
      mouse: event.pointerType === "mouse",
      moved: false,
      ignored: false,
    };
  }

  /**
   * What a press is meant for. A card in flight takes no press while it crosses another column: that one was aimed at.
   *
   * @param {PointerEvent} event
   * @returns {Element}
   */
  #meant(event) {
    const target = /** @type {Element} */ (event.target);
    const isPassing = (/** @type {Element} */ element) => {
      const home = element.closest(".card--moving")?.parentElement?.getBoundingClientRect();
      return home !== undefined && (event.clientX < home.left || event.clientX > home.right);
    };
    if (!isPassing(target)) return target;
    const below = document.elementsFromPoint(event.clientX, event.clientY);
    return below.find((element) => !isPassing(element)) ?? target;
  }

  /** @param {MouseEvent} event */
  #secondClick(event) {
    const press = this.#press;
    if (!press || event.detail < 2 || press.column !== this.#lastPlayed.column) return;
    press.ignored = event.timeStamp - this.#lastPlayed.at < DOUBLE_CLICK;
  }

  /** @param {PointerEvent} event */
  #move(event) {
    const press = this.#press;
    if (!press || event.pointerId !== press.pointer) return;
    if (!press.moved) {
      const slack = press.mouse ? MOUSE_SLACK : TOUCH_SLACK;
      if (Math.hypot(event.clientX - press.x, event.clientY - press.y) <= slack) return;
      press.moved = true;
      if (press.card && !press.ignored) this.#start(event, press, press.card);
    }
    if (this.#drag) this.#follow(event);
  }

  /**
   * @param {PointerEvent} event
   * @param {Press} press
   * @param {HTMLElement} card
   */
  #start(event, press, card) {
    // The card may have left while the press waited, by a key or an answer of the server.
    if (this.#table.topNode(press.column) !== card) return;
    const moves = this.#actions.lift(press.column);
    if (moves === null) return;
    const seen = card.getBoundingClientRect();
    for (const animation of card.getAnimations()) animation.cancel();
    const place = card.getBoundingClientRect();
    const places = moves.map((move) => move.charAt(1));
    this.#drag = {
      card,
      column: press.column,
      x: press.x - (seen.left - place.left),
      y: press.y - (seen.top - place.top),
      places,
    };
    this.#table.inHand = card;
    card.classList.add("card--held");
    this.#table.state("dragging", "");
    this.#table.markTargets(places, suitOf(card.dataset.card ?? ""));
    this.#table.board.setPointerCapture(event.pointerId);
  }

  /** @param {PointerEvent} event */
  #follow(event) {
    const drag = /** @type {Drag} */ (this.#drag);
    drag.card.style.transform = `translate(${event.clientX - drag.x}px, ${event.clientY - drag.y}px)`;
    const place = this.#placeFor(event, drag);
    const over = drag.places.includes(place) ? place : "";
    this.#table.markOver(over, suitOf(drag.card.dataset.card ?? ""));
  }

  /**
   * @param {PointerEvent} event
   * @param {Drag} drag
   * @returns {string} where a drop here would go: where the pointer is, or else the place the card covers most
   */
  #placeFor(event, drag) {
    const place = this.#table.placeAt(event.clientX, event.clientY);
    if (drag.places.includes(place)) return place;
    return this.#table.placeUnder(drag.card.getBoundingClientRect(), drag.places) || place;
  }

  /** @param {PointerEvent} event */
  #up(event) {
    const press = this.#press;
    if (!press || event.pointerId !== press.pointer) return;
    const drag = this.#drag;
    this.#press = null;
    if (drag) {
      const place = this.#placeFor(event, drag);
      this.#end();
      if (place === "" || place === columnName(drag.column) || !this.#actions.drop(drag.column, place)) {
        this.#glideBack(drag.card);
      }
      return;
    }
    if (press.moved || press.ignored) return;
    const played = this.#actions.tap(press.home ? HOME : columnName(press.column), press.buried);
    if (played && press.mouse) this.#lastPlayed = { column: press.column, at: event.timeStamp };
  }

  /** Clears what a drag has marked; the card stays where it was let go, for the table to take it from there. */
  #end() {
    const drag = this.#drag;
    this.#drag = null;
    if (!drag) return;
    this.#table.letGo();
    this.#table.state("dragging", null);
    this.#table.markTargets([]);
    this.#table.markOver("");
  }

  /** @param {HTMLElement} card */
  #glideBack(card) {
    const from = card.getBoundingClientRect();
    this.#table.putBack(card);
    const to = card.getBoundingClientRect();
    glide(card, from.left - to.left, from.top - to.top);
  }

  /** Ends the press, and a drag with the card back in its place. @returns {boolean} whether a card was in hand */
  cancel() {
    const press = this.#press;
    const drag = this.#drag;
    this.#press = null;
    if (!drag) return false;
    this.#end();
    this.#glideBack(drag.card);
    if (press && this.#table.board.hasPointerCapture(press.pointer)) {
      this.#table.board.releasePointerCapture(press.pointer);
    }
    return true;
  }

  /** The position changed under the hand: a card that is still its column's top may be carried on. */
  positionChanged() {
    const drag = this.#drag;
    if (!drag) return;
    const moves = this.#table.topNode(drag.column) === drag.card ? this.#actions.placesOf(drag.column) : null;
    if (moves === null) {
      this.cancel();
      return;
    }
    drag.places = moves.map((move) => move.charAt(1));
    this.#table.markTargets(drag.places, suitOf(drag.card.dataset.card ?? ""));
  }
}
