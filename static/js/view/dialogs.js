/** What all dialogs have in common. */

/** @param {string} name @returns {HTMLDialogElement} */
export const dialog = (name) => /** @type {HTMLDialogElement} */ (document.getElementById(`dialog-${name}`));

/**
 * @template {Element} T
 * @param {ParentNode} within
 * @param {string} selector
 * @returns {T}
 */
export function find(within, selector) {
  const found = within.querySelector(selector);
  if (!found) throw new Error(`The page has no ${selector}.`);
  return /** @type {T} */ (found);
}

/** @param {string} name */
export function openDialog(name) {
  const element = dialog(name);
  if (element.open) return;
  for (const other of document.querySelectorAll("dialog")) other.close();
  element.showModal();
  // The title is read first; the first control would be the button that closes again.
  const first = /** @type {HTMLElement} */ (element.querySelector("[data-first]") ?? find(element, "h2"));
  if (!first.matches("button, input")) first.tabIndex = -1;
  first.focus();
}

/** Closes by a dialog's close buttons, and by a press beside it. */
export function tendDialogs() {
  for (const each of document.querySelectorAll("dialog")) {
    let beside = false;
    each.addEventListener("pointerdown", (event) => {
      beside = event.target === each;
    });
    each.addEventListener("click", (event) => {
      const target = /** @type {Element} */ (event.target);
      if (target.closest("[data-close]") || (beside && target === each)) each.close();
    });
  }
}
