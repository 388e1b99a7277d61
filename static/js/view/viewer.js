/**
 * The viewer: a line of moves on a table of its own, in a dialog over the page.
 *
 * Hooks for tests and style sheets:
 *
 *   dialog#dialog-line[data-line]     the viewer; data-ply is the move shown, data-playing is there while it plays
 *   [data-line-action="first"] …      first, back, play, step, last
 *   [data-line-slider]                goes to any move
 *   [data-line-move]                  the move in words; [data-line-live] says it
 *   [data-line-par]                   par, or the best known line
 *   [data-line-message]               what is said instead of a line, with [data-line-choice="…"] buttons
 */

import { Announcer } from "../announce.js";
import { LinePlayer } from "../line-player.js";
import { parText } from "../par.js";
import { dialog, find, openDialog } from "./dialogs.js";
import { Table } from "./table.js";

/**
 * @typedef {import("../par.js").Par} Par
 * @typedef {import("../rules.js").Dealt} Dealt
 * @typedef {import("../rules.js").Position} Position
 * @typedef {import("../rules.js").Variant} Variant
 *
 * @typedef {object} Line
 * @property {Variant} variant
 * @property {Dealt | Position} start a deal as dealt, or a position
 * @property {ReadonlyArray<string>} line from there
 * @property {number} [at] the ply to begin with
 * @property {Par | null} [par] of the deal
 * @property {string} [title]
 *
 * @typedef {{name: string, label: string, strong?: boolean, act: () => void}} Choice
 */

/** @typedef {"first" | "back" | "toggle" | "step" | "last"} Act */

/** @type {Record<string, Act>} */
const KEYS = { ArrowLeft: "back", ArrowRight: "step", Home: "first", End: "last", " ": "toggle" };

/** @param {string} className */
function box(className) {
  const element = document.createElement("div");
  element.className = className;
  return element;
}

/** @param {KeyboardEvent} event @returns {boolean} whether the focused control does something with the key itself */
function isControls({ target, key }) {
  if (!(target instanceof HTMLElement)) return false;
  return key === " " ? target.matches("button") : target.matches("input");
}

class Viewer {
  /** @type {HTMLDialogElement} */ #element = dialog("line");
  /** @type {HTMLElement} */ #stage = find(this.#element, "[data-line-stage]");
  /** @type {HTMLInputElement} */ #slider = find(this.#element, "[data-line-slider]");
  #announcer = new Announcer(find(this.#element, "[data-line-live]"));
  /** @type {LinePlayer | null} */ #player = null;
  /** @type {Table | null} */ #table = null;
  #whose = "";
  /** What was drawn last. */
  #drawn = { at: -1, playing: false };
  /** @type {AbortController} */ #opening = new AbortController();

  constructor() {
    this.#element.addEventListener("close", () => this.#closed());
    this.#element.addEventListener("keydown", (event) => this.#key(event));
    this.#element.addEventListener("click", (event) => {
      const button = /** @type {Element} */ (event.target).closest("[data-line-action]");
      if (!(button instanceof HTMLElement) || button.getAttribute("aria-disabled") === "true") return;
      this.#act(
        /** @type {Act} */ (button.dataset.lineAction === "play" ? "toggle" : button.dataset.lineAction),
      );
    });
    this.#slider.addEventListener("input", () => this.#player?.goTo(Number(this.#slider.value)));
    document.addEventListener("visibilitychange", () => {
      if (document.visibilityState === "hidden") this.#player?.pause();
    });
  }

  /**
   * Opens the viewer, empty.
   *
   * @param {string} title
   * @param {{whose?: string}} [about] whose par it is that is shown, where the line isn't the deal's: "the deal: "
   * @returns {AbortSignal} aborted when it closes or shows something else
   */
  open(title, { whose = "" } = {}) {
    this.#whose = whose;
    this.#opening.abort();
    this.#opening = new AbortController();
    this.#clear();
    find(this.#element, "[data-line-title]").textContent = title;
    this.par(null);
    openDialog("line");
    return this.#opening.signal;
  }

  /** @param {Par | null} par */
  par(par) {
    const words = par ? `${this.#whose}${parText(par)}` : "";
    find(this.#element, "[data-line-par]").textContent = words.charAt(0).toUpperCase() + words.slice(1);
  }

  /** @param {string} words what is being waited for */
  wait(words) {
    this.#message(words);
  }

  /**
   * Says something instead of a line.
   *
   * @param {string} words
   * @param {Choice[]} [choices]
   */
  say(words, choices = []) {
    this.#clear();
    this.#element.dataset.said = "";
    this.#message(words, [...choices, { name: "close", label: "Close", act: () => this.#element.close() }]);
  }

  /** @param {string} words @param {Choice[]} [choices] */
  #message(words, choices = []) {
    const message = this.#find("[data-line-message]");
    const had = message.contains(document.activeElement);
    message.hidden = false;
    find(message, "[data-line-words]").textContent = words;
    const buttons = choices.map(({ name, label, strong, act }) => {
      const button = document.createElement("button");
      button.type = "button";
      button.className = strong ? "button button--strong" : "button";
      button.dataset.lineChoice = name;
      button.textContent = label;
      button.addEventListener("click", act);
      return button;
    });
    find(message, "[data-line-choices]").replaceChildren(...buttons);
    if (had) (buttons[0] ?? this.#find("h2")).focus();
    this.#announcer.say(words);
  }

  /** @param {Line} line */
  show({ variant, start, line, at = 0, par = null }) {
    const waited = !this.#find("[data-line-message]").hidden;
    this.#clear();
    this.par(par);
    const board = box("board");
    const felt = box("felt");
    const foundations = box("foundations");
    const tableau = box("tableau");
    for (const [part, label] of /** @type {const} */ ([
      [foundations, "Foundations"],
      [tableau, "Columns"],
    ])) {
      part.setAttribute("role", "group");
      part.setAttribute("aria-label", label);
    }
    felt.append(foundations, tableau);
    board.append(felt);
    this.#stage.replaceChildren(board);
    this.#table = new Table(this.#stage, { playable: false });
    this.#player = new LinePlayer({ variant, start, line, at, changed: () => this.#draw() });
    this.#find("[data-line-controls]").hidden = false;
    this.#draw();
    if (waited || document.activeElement?.matches("h2")) this.#find('[data-line-action="play"]').focus();
  }

  /**
   * A shorter line from the same start, taken over as long as nobody has gone along the first one.
   *
   * @param {ReadonlyArray<string>} line
   * @param {number} at where the first one began
   */
  improve(line, at) {
    const player = this.#player;
    if (player && player.at === at && !player.isPlaying) player.replace(line, at);
  }

  /** @param {string} selector @returns {HTMLElement} */
  #find(selector) {
    return find(this.#element, selector);
  }

  #clear() {
    this.#player?.pause();
    this.#player = null;
    this.#table = null;
    this.#drawn = { at: -1, playing: false };
    // Its columns and cards bear the names of those on the page's own table.
    this.#stage.replaceChildren();
    this.#find("[data-line-message]").hidden = true;
    this.#find("[data-line-controls]").hidden = true;
    delete this.#element.dataset.said;
    delete this.#element.dataset.ply;
    delete this.#element.dataset.playing;
  }

  #closed() {
    // Told late, when it may have been opened anew.
    if (this.#element.open) return;
    this.#opening.abort();
    this.#clear();
  }

  /** @param {KeyboardEvent} event */
  #key(event) {
    const act = KEYS[event.key];
    if (!act || !this.#player || event.ctrlKey || event.metaKey || event.altKey || event.shiftKey) return;
    if (isControls(event)) return;
    event.preventDefault();
    if (act !== "toggle" || !event.repeat) this.#act(act);
  }

  /** @param {Act} act */
  #act(act) {
    this.#player?.[act]();
  }

  #draw() {
    const player = this.#player;
    const table = this.#table;
    if (!player || !table) return;
    const { at, isPlaying, length, words } = player;
    const before = this.#drawn;
    this.#drawn = { at, playing: isPlaying };
    table.show(player.position, { animate: Math.abs(at - before.at) === 1 });
    table.markMoved(player.card);
    this.#element.dataset.ply = String(at);
    if (isPlaying) this.#element.dataset.playing = "";
    else delete this.#element.dataset.playing;
    this.#find("[data-line-move]").textContent = words;
    this.#slider.max = String(length);
    this.#slider.value = String(at);
    this.#slider.setAttribute("aria-valuetext", words);
    const atStart = String(at === 0);
    const atEnd = String(at === length);
    this.#find('[data-line-action="first"]').setAttribute("aria-disabled", atStart);
    this.#find('[data-line-action="back"]').setAttribute("aria-disabled", atStart);
    this.#find('[data-line-action="step"]').setAttribute("aria-disabled", atEnd);
    this.#find('[data-line-action="last"]').setAttribute("aria-disabled", atEnd);
    this.#find('[data-line-action="play"]').setAttribute("aria-label", isPlaying ? "Pause" : "Play");
    this.#find("[data-line-icon]").setAttribute("href", isPlaying ? "#icon-pause" : "#icon-play");
    // While it plays, one sentence would cut off the other; where it stops is said.
    if (!isPlaying && document.activeElement !== this.#slider) this.#announcer.say(words);
  }
}

/** @type {Viewer | null} */
let viewer = null;

/** @returns {Viewer} the page's viewer */
export function theViewer() {
  viewer ??= new Viewer();
  return viewer;
}

/**
 * Shows a line in the viewer.
 *
 * @param {Line} line
 */
export function showLine(line) {
  theViewer().open(line.title ?? "Solution");
  theViewer().show(line);
}
