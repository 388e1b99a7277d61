/** Keys: arrows go over the table, Enter and Space act there, letters are shortcuts. */

const ARROWS = ["ArrowLeft", "ArrowRight", "ArrowUp", "ArrowDown", "Home", "End"];

/** @param {EventTarget | null} target @returns {boolean} whether what is typed there is text */
function takesText(target) {
  return (
    target instanceof HTMLElement &&
    (target.isContentEditable || target.matches("input, textarea, select, [role='textbox']"))
  );
}

/** @param {KeyboardEvent} event */
const isPlain = (event) => !event.ctrlKey && !event.metaKey && !event.altKey;

/** @param {KeyboardEvent} event @returns {boolean} a key that presses the focused button */
const isPress = (event) => event.key === "Enter" || event.key === " ";

/** @param {KeyboardEvent} event @returns {boolean} Ctrl, or the command key, and nothing else */
const isCommand = (event) => event.ctrlKey !== event.metaKey && !event.altKey && !event.shiftKey;

/**
 * @param {object} parts
 * @param {import("../view/table.js").Table} parts.table
 * @param {import("./actions.js").Actions} parts.actions
 * @param {import("./pointer.js").PointerInput} parts.pointer
 * @param {import("../settings.js").Settings} parts.settings
 * @param {Record<string, () => unknown>} parts.commands undo, redo, new, help, hint, closeHint, kinks, find
 */
export function listenToKeys({ table, actions, pointer, settings, commands }) {
  /** @param {KeyboardEvent} event */
  function onTable(event) {
    if (ARROWS.includes(event.key)) table.step(event.key);
    else if (!isPress(event) || table.focused === "") return false;
    else if (event.repeat) return true;
    else if (event.key === "Enter") actions.enter(table.focused);
    else actions.space(table.focused);
    return true;
  }

  /** @param {KeyboardEvent} event */
  function shortcut(event) {
    if (!settings.get("shortcuts")) return false;
    const key = event.key.toLowerCase();
    if (key === "?") {
      if (!event.repeat) commands.help();
      return true;
    }
    if (event.shiftKey) return false;
    if (key === "u") commands.undo();
    else if (key === "r") commands.redo();
    else if (key === "n" && !event.repeat) commands.new();
    else if (key === "f" && !event.repeat) actions.home(table.focused);
    else if (key === "h" && !event.repeat) commands.hint();
    else if (key === "k" && !event.repeat) commands.kinks();
    else if (key === "a" && !event.repeat) commands.find();
    else return false;
    return true;
  }

  /** @param {KeyboardEvent} event */
  function handle(event) {
    // The browser itself presses a button whatever else is held down.
    if (isPress(event) && table.focused !== "" && (event.shiftKey || !isPlain(event))) return true;
    if (isCommand(event)) {
      const key = event.key.toLowerCase();
      if (key === "z") commands.undo();
      else if (key === "y") commands.redo();
      else return false;
      return true;
    }
    if (!isPlain(event)) return false;
    if (event.key === "Escape")
      return pointer.cancel() || actions.cancelPick() || commands.closeHint() === true;
    if (!event.shiftKey && onTable(event)) return true;
    return shortcut(event);
  }

  document.addEventListener("keydown", (event) => {
    if (event.defaultPrevented || event.isComposing || takesText(event.target)) return;
    if (document.querySelector("dialog[open], .menu[open]")) return;
    if (handle(event)) event.preventDefault();
  });
  // Some browsers press a button when the space bar comes up, whatever its going down did.
  document.addEventListener("keyup", (event) => {
    if (event.key === " " && event.target instanceof HTMLElement && event.target.dataset.stop) {
      event.preventDefault();
    }
  });
}
