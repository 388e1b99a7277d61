/** The switches of the settings panel. */

import { dialog, openDialog } from "./dialogs.js";

/**
 * @param {import("../settings.js").Settings} settings
 * @returns {{open: () => void}}
 */
export function settingsDialog(settings) {
  const switches = [...dialog("settings").querySelectorAll("[data-setting]")].map(
    (each) => /** @type {HTMLInputElement} */ (each),
  );
  const nameOf = (/** @type {HTMLInputElement} */ input) =>
    /** @type {import("../settings.js").Name} */ (input.dataset.setting);
  function draw() {
    for (const input of switches) input.checked = settings.get(nameOf(input));
  }
  for (const input of switches)
    input.addEventListener("change", () => settings.set(nameOf(input), input.checked));
  settings.addEventListener("change", draw);
  draw();
  return { open: () => openDialog("settings") };
}
