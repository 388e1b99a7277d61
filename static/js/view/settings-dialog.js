/** The settings panel: its switches and lists, and where it says that they are kept. */

import { dialog, find, openDialog } from "./dialogs.js";

/** @typedef {HTMLInputElement | HTMLSelectElement} Control */

/** @type {Record<import("../settings.js").Place, string>} */
const KEPT = {
  account: "Kept in your account, for every browser in which you sign in.",
  waiting: "Kept in this browser, and sent to your account as soon as it can be reached.",
  browser: "Kept in this browser. Sign in, and your account takes them over unless it has its own.",
  page: "This browser lets nothing be kept: they hold until the page is left.",
};

/** @param {Control} control @returns {any} */
function chosenWith(control) {
  if (control instanceof HTMLSelectElement) return control.value;
  return control.checked ? (control.dataset.on ?? true) : (control.dataset.off ?? false);
}

/** @param {Control} control @param {boolean | string} value */
function draw(control, value) {
  if (control instanceof HTMLSelectElement) control.value = String(value);
  else control.checked = value === (control.dataset.on ?? true);
}

/**
 * @param {import("../settings.js").Settings} settings
 * @returns {{open: () => void}}
 */
export function settingsDialog(settings) {
  const element = dialog("settings");
  const kept = find(element, "[data-settings-kept]");
  const controls = [...element.querySelectorAll("[data-setting]")].map((each) => {
    const control = /** @type {Control} */ (each);
    return { control, name: /** @type {import("../settings-names.js").Name} */ (control.dataset.setting) };
  });
  function drawAll() {
    for (const { control, name } of controls) draw(control, settings.get(name));
    const words = KEPT[settings.place];
    // The same words again would be read out again.
    if (kept.textContent !== words) kept.textContent = words;
  }
  for (const { control, name } of controls)
    control.addEventListener("change", () => settings.set(name, chosenWith(control)));
  settings.addEventListener("change", drawAll);
  drawAll();
  return { open: () => openDialog("settings") };
}
