/** The dialog that says which move lost a game. */

import { plyWords } from "../help/words.js";
import { dialog, find, openDialog } from "./dialogs.js";

/** @typedef {import("../help/postmortem.js").PostMortem} PostMortem */

/** @typedef {"confirm" | "again" | "deeper" | "line" | "jump"} Act */

/**
 * @param {PostMortem} postMortem
 * @param {boolean} running
 * @returns {Partial<Record<Act, string>>} labels of the buttons to be shown, the main one last
 */
function buttons({ stage, lastWonPly, line, mayGoDeeper }, running) {
  if (stage === "confirm") return { confirm: "Show it" };
  if (stage === "failed") return { again: "Try again" };
  if (stage !== "told" && stage !== "unknown") return {};
  /** @type {Partial<Record<Act, string>>} */
  const labels = {};
  if (mayGoDeeper) labels.deeper = "Search deeper";
  if (line && line.length > 0) labels.line = "Show how to win";
  if (lastWonPly !== null) {
    labels.jump = running ? `Back to ${plyWords(lastWonPly)}` : `Play on from ${plyWords(lastWonPly)}`;
  }
  return labels;
}

/**
 * @param {object} parts
 * @param {import("../state.js").GameStore} parts.store
 * @param {PostMortem} parts.postMortem
 * @param {() => void} parts.showLine shows the line that wins
 * @param {(ply: number) => void} parts.jump
 * @returns {{draw: () => void}}
 */
export function postMortemDialog({ store, postMortem, showLine, jump }) {
  const element = dialog("postmortem");
  /** @type {HTMLElement} */
  const confirm = find(element, "[data-postmortem-confirm]");
  /** @type {HTMLElement} */
  const cancel = find(element, "[data-postmortem-cancel]");
  /** @type {HTMLElement} */
  const covered = find(element, "[data-postmortem-covered]");
  /** @type {HTMLElement} */
  const words = find(element, "[data-postmortem-words]");
  const all = [...element.querySelectorAll("[data-postmortem]")].map(
    (each) => /** @type {HTMLButtonElement} */ (each),
  );

  /** @type {Record<Act, () => void>} */
  const acts = {
    confirm: () => postMortem.ask(),
    again: () => postMortem.ask(),
    deeper: () => postMortem.ask({ deeper: true }),
    line: showLine,
    jump: () => {
      const ply = postMortem.lastWonPly;
      if (ply === null) return;
      element.close();
      jump(ply);
    },
  };
  for (const button of all) {
    button.addEventListener("click", () => acts[/** @type {Act} */ (button.dataset.postmortem)]());
  }
  element.addEventListener("close", () => postMortem.close());

  function draw() {
    const { stage } = postMortem;
    if (stage === "closed") {
      if (element.open) element.close();
      return;
    }
    element.dataset.stage = stage;
    confirm.hidden = stage !== "confirm";
    cancel.hidden = stage !== "confirm";
    covered.hidden = !store.variant.covered;
    words.textContent = postMortem.words;
    const labels = buttons(postMortem, store.status === "open");
    const main = Object.keys(labels).at(-1);
    const focused = document.activeElement;
    for (const button of all) {
      const name = /** @type {Act} */ (button.dataset.postmortem);
      button.hidden = labels[name] === undefined;
      button.textContent = labels[name] ?? "";
      button.classList.toggle("button--strong", name === main);
    }
    if (!element.open) openDialog("postmortem");
    // A button that goes takes the focus along.
    else if (focused instanceof HTMLElement && focused.hidden)
      /** @type {HTMLElement} */ (find(element, "h2")).focus();
  }

  return { draw };
}
