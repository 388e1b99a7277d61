/** The page of a game that has ended: go through its moves, look up its par, play its deal again. */

import { createApi } from "./api.js";
import { randomId } from "./ids.js";
import { againstPar, parText } from "./par.js";
import { refusalWords } from "./refusals.js";
import { csrfToken } from "./token.js";
import { find, tendDialogs } from "./view/dialogs.js";
import { tendMenus } from "./view/menus.js";
import { showLocalTimes } from "./view/times.js";
import { showLine } from "./view/viewer.js";
import { WonPar } from "./won-par.js";

/** @typedef {import("./api.js").GameState} GameState */

/** @type {HTMLElement} */
const main = find(document, "main#main");
/** @type {{game: GameState, variant: import("./rules.js").Variant}} */
const { game, variant } = JSON.parse(main.dataset.boot ?? "null");
const api = createApi({ fetch: (input, init) => window.fetch(input, init), csrfToken });
const wonPar = new WonPar({ store: { game }, api, changed: drawPar });

/** @type {HTMLElement} */
const status = find(main, "[data-status]");

function drawPar() {
  const { par } = wonPar;
  if (!par) return;
  find(main, "[data-par]").textContent =
    game.status === "won" ? againstPar(game.line.length, par) : parText(par);
  /** @type {HTMLElement} */ (find(main, "[data-par-row]")).hidden = false;
}

/** One request, however often it is pressed or sent again. */
const startId = randomId();

async function playAgain() {
  status.textContent = "Dealing…";
  try {
    const { id } = await api.start({
      variant: game.variant,
      kind: "practice",
      from_game: game.id ?? "",
      request_id: startId,
    });
    location.assign(`/game/${id}`);
  } catch (problem) {
    status.textContent = refusalWords(problem);
  }
}

/** @type {Record<string, () => unknown>} */
const commands = {
  replay: () => showLine({ variant, start: game.dealt, line: game.line, par: wonPar.par, title: "Replay" }),
  again: playAgain,
};

for (const element of main.querySelectorAll("[data-action]")) {
  const button = /** @type {HTMLElement} */ (element);
  button.addEventListener("click", () => commands[button.dataset.action ?? ""]?.());
  button.hidden = false;
}
for (const hint of main.querySelectorAll("[data-again-hint], [data-keys-hint]")) {
  /** @type {HTMLElement} */ (hint).hidden = false;
}

showLocalTimes();
tendMenus();
tendDialogs();
wonPar.ask();
document.documentElement.dataset.ready = "true";
