/** The dialog in which a variant and a deal are chosen. */

import { refusalWords } from "../refusals.js";
import { dialog, find, openDialog } from "./dialogs.js";
import { VerdictLine } from "./verdict-line.js";

/**
 * @typedef {import("../api.js").Api} Api
 * @typedef {import("../rules.js").Variant} Variant
 * @typedef {import("../settings.js").Settings} Settings
 */

/** @param {string} text @returns {string | null} the digits of a deal number, "" for any deal, null for neither */
function dealNumber(text) {
  // People copy numbers with a sign before them and their thousands apart. (“1.5” is no such number.)
  const copied = text.replace(/^\s*#?\s*|\s+$/g, "");
  const grouped = /^\d{1,3}(?:[\s,.'’_]\d{3})+$/.test(copied);
  const digits = (grouped ? copied.replace(/\D/g, "") : copied).replace(/^0+(?=\d)/, "");
  if (digits === "") return "";
  return /^[1-9]\d{0,19}$/.test(digits) ? digits : null;
}

/**
 * @param {object} parts
 * @param {Api} parts.api
 * @param {Settings} parts.settings
 * @param {Record<string, Variant>} parts.variants
 * @param {(variant: string, number: string) => Promise<void>} parts.deal deals, a random one for the number ""
 * @param {(variant: string) => Promise<void>} parts.ranked starts a ranked game
 * @returns {{open: (variant: string) => void}}
 */
export function chooseDialog({ api, settings, variants, deal, ranked }) {
  const element = dialog("choose");
  /** @type {HTMLFormElement} */
  const form = find(element, "form");
  /** @type {HTMLInputElement} */
  const number = find(element, "input[name='number']");
  /** @type {HTMLElement} */
  const error = find(element, "[data-error]");
  /** @type {HTMLElement} */
  const honour = find(element, "[data-honour]");
  /** @type {HTMLButtonElement} */
  const submit = find(element, "button[type='submit']");
  /** @type {HTMLButtonElement} */
  const rankedButton = find(element, "[data-choose-ranked]");
  /** @type {HTMLInputElement} */
  const winnable = find(element, "input[name='winnable']");
  const verdict = new VerdictLine(find(element, "[data-verdict]"), api);
  for (const each of element.querySelectorAll("[data-variant-summary]")) {
    const { variantSummary = "" } = /** @type {HTMLElement} */ (each).dataset;
    each.textContent = variants[variantSummary]?.summary ?? "";
  }
  const chosen = () => String(new FormData(form).get("variant") ?? "");

  function refresh() {
    honour.hidden = !variants[chosen()]?.covered;
    error.textContent = "";
    number.removeAttribute("aria-invalid");
    const digits = dealNumber(number.value);
    // A number is a deal, not a wish.
    /** @type {HTMLElement} */ (find(element, "[data-winnable-row]")).hidden = digits !== "";
    if (!digits) verdict.clear();
    else {
      const variant = variants[chosen()];
      verdict.ask({ variant: chosen(), deal: digits }, { variant, thing: "deal", typed: true });
    }
  }

  /** @param {string} words */
  function complain(words) {
    error.textContent = words;
    number.setAttribute("aria-invalid", "true");
    number.focus();
  }

  form.addEventListener("input", (event) => {
    if (event.target === winnable) settings.set("winnable", winnable.checked);
    else refresh();
  });
  element.addEventListener("close", () => verdict.clear());
  form.addEventListener("submit", async (event) => {
    event.preventDefault();
    const digits = dealNumber(number.value);
    if (digits === null) {
      complain("A deal number is a whole number from 1 on, of at most 20 digits.");
      return;
    }
    submit.disabled = true;
    try {
      await deal(chosen(), digits);
      element.close();
    } catch (problem) {
      complain(problem instanceof Error ? problem.message : String(problem));
    } finally {
      submit.disabled = false;
    }
  });

  rankedButton.addEventListener("click", async () => {
    rankedButton.disabled = true;
    error.textContent = "";
    try {
      await ranked(chosen());
      element.close();
    } catch (problem) {
      error.textContent = refusalWords(problem);
    } finally {
      rankedButton.disabled = false;
    }
  });

  return {
    open(variant) {
      for (const radio of form.querySelectorAll("input[name='variant']")) {
        const input = /** @type {HTMLInputElement} */ (radio);
        input.checked = input.value === variant;
      }
      number.value = "";
      winnable.checked = settings.get("winnable");
      refresh();
      openDialog("choose");
    },
  };
}
