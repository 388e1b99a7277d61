/** The dialog in which a layout is pasted, read back and put on the table. */

import { SUIT_SIZE } from "../rules.js";
import { dialog, find, openDialog } from "./dialogs.js";
import { VerdictLine } from "./verdict-line.js";

/**
 * @typedef {import("../api.js").Api} Api
 * @typedef {import("../api.js").ReadLayout} ReadLayout
 */

/**
 * @param {object} parts
 * @param {Api} parts.api
 * @param {Record<string, import("../rules.js").Variant>} parts.variants
 * @param {(read: ReadLayout) => void} parts.play
 * @returns {{open: (variant: string) => void}}
 */
export function importDialog({ api, variants, play }) {
  const element = dialog("import");
  /** @type {HTMLFormElement} */
  const form = find(element, "form");
  /** @type {HTMLSelectElement} */
  const variant = find(element, "select");
  /** @type {HTMLTextAreaElement} */
  const text = find(element, "textarea");
  /** @type {HTMLInputElement} */
  const sink = find(element, "input[name='sink']");
  /** @type {HTMLElement} */
  const sinkRow = find(element, "[data-sink]");
  /** @type {HTMLElement} */
  const echo = find(element, "[data-echo]");
  /** @type {HTMLElement} */
  const error = find(element, "[data-error]");
  /** @type {HTMLButtonElement} */
  const playButton = find(element, "[data-play]");
  const verdict = new VerdictLine(find(element, "[data-verdict]"), api);
  /** @type {ReadLayout | null} */
  let understood = null;
  // Answers may overtake each other; only the newest question's counts.
  let asked = 0;

  function forget() {
    asked += 1;
    understood = null;
    verdict.clear();
    playButton.disabled = true;
    echo.hidden = true;
    error.textContent = "";
    text.removeAttribute("aria-invalid");
  }

  /** @param {ReadLayout} read */
  function show(read) {
    understood = read;
    find(element, "[data-echo-text]").textContent = read.text;
    const notes = read.notes.map((words) => {
      const note = document.createElement("li");
      note.textContent = words;
      return note;
    });
    find(element, "[data-echo-notes]").replaceChildren(...notes);
    sinkRow.hidden = !read.kings_above && !sink.checked;
    echo.hidden = false;
    // A layout whose cards are all home is read, but there is nothing to play; its notes say so.
    const isOver = Object.values(read.game.foundations).every((count) => count === SUIT_SIZE);
    playButton.disabled = isOver;
    const { variant: slug } = read.game;
    if (!isOver)
      verdict.ask({ variant: slug, layout: read.layout }, { variant: variants[slug], thing: "layout" });
    echo.scrollIntoView({ block: "start" });
  }

  async function read() {
    const wanted = sink.checked;
    forget();
    const question = asked;
    if (text.value.trim() === "") {
      error.textContent = "Paste a layout first.";
      text.focus();
      return;
    }
    const body = { variant: variant.value, layout: text.value };
    try {
      const answer = await api.readLayout(wanted ? { ...body, sink_kings: true } : body);
      if (question === asked) show(answer);
    } catch (problem) {
      if (question !== asked) return;
      error.textContent = problem instanceof Error ? problem.message : String(problem);
      text.setAttribute("aria-invalid", "true");
      text.focus();
    }
  }

  function startOver() {
    sink.checked = false;
    sinkRow.hidden = true;
    forget();
  }

  text.addEventListener("input", startOver);
  variant.addEventListener("change", startOver);
  sink.addEventListener("change", read);
  form.addEventListener("submit", (event) => {
    event.preventDefault();
    read();
  });
  playButton.addEventListener("click", () => {
    if (!understood) return;
    play(understood);
    element.close();
  });

  element.addEventListener("close", () => verdict.clear());

  return {
    open(slug) {
      variant.value = slug;
      startOver();
      openDialog("import");
      text.focus();
    },
  };
}
