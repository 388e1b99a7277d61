/** The strip beside or below the columns: short messages, and what can be done when a game is stuck or won. */

/**
 * @typedef {object} Choice
 * @property {string} action
 * @property {string} label
 * @property {boolean} [strong]
 * @property {boolean} [disabled]
 */

/** Milliseconds a message stays; enough to read two lines. */
const MESSAGE_MS = 4200;

export class Strip {
  /** @type {HTMLElement} */ #element;
  /** @type {ReturnType<typeof setTimeout> | undefined} */ #timer;
  #showing = "";

  /** @param {HTMLElement} element */
  constructor(element) {
    this.#element = element;
  }

  /** @returns {HTMLElement | null} */
  get #panel() {
    return this.#element.querySelector("[data-panel]");
  }

  /**
   * @param {string} name
   * @param {string} title
   * @param {string} text
   * @param {Choice[]} choices
   */
  show(name, title, text, choices) {
    const key = [name, title, text, ...choices.map(({ action, disabled }) => `${action}${disabled}`)].join(
      "|",
    );
    if (key === this.#showing) return;
    this.#showing = key;
    const panel = document.createElement("div");
    panel.className = `panel panel--${name}`;
    panel.dataset.panel = name;
    const words = document.createElement("p");
    words.className = "panel__text";
    const strong = document.createElement("strong");
    strong.textContent = title;
    words.append(strong, text ? ` ${text}` : "");
    const buttons = document.createElement("div");
    buttons.className = "panel__buttons";
    buttons.append(...choices.map(choiceButton));
    panel.append(words, buttons);
    const had = this.hasFocus;
    this.#panel?.remove();
    this.#element.append(panel);
    if (had) panel.querySelector("button")?.focus();
  }

  /** Shows the bar the page came with, if it has one. @returns {boolean} */
  showResume() {
    const bar = this.#panel;
    if (bar?.dataset.panel !== "resume") return false;
    bar.hidden = false;
    this.#showing = "resume";
    return true;
  }

  /** Takes the panel away. */
  clear() {
    this.#showing = "";
    this.#panel?.remove();
  }

  /** @returns {string} the name of what is shown */
  get showing() {
    return this.#panel?.dataset.panel ?? "";
  }

  /** @returns {boolean} whether one of its buttons has the focus */
  get hasFocus() {
    return this.#element.contains(document.activeElement);
  }

  /** @param {string} text a short message; the live region says it to those who listen */
  message(text) {
    clearTimeout(this.#timer);
    this.#element.querySelector("[data-toast]")?.remove();
    const toast = document.createElement("p");
    toast.className = "toast";
    toast.dataset.toast = "";
    toast.setAttribute("aria-hidden", "true");
    toast.textContent = text;
    this.#element.append(toast);
    this.#timer = setTimeout(() => toast.remove(), MESSAGE_MS);
  }

  /** Takes the message away: the player has moved on. */
  hush() {
    clearTimeout(this.#timer);
    this.#element.querySelector("[data-toast]")?.remove();
  }
}

/** @param {Choice} choice */
function choiceButton({ action, label, strong = false, disabled = false }) {
  const button = document.createElement("button");
  button.type = "button";
  button.className = strong ? "button button--strong" : "button";
  button.dataset.panelAction = action;
  button.textContent = label;
  button.disabled = disabled;
  return button;
}
