/** Help on the table: puts hints, the verdict lamp and the post-mortem together with the page. */

import { ApiError } from "./api.js";
import { DAILY, NO_HELP as NO_DAILY_HELP } from "./daily.js";
import { Hints } from "./help/hints.js";
import { Lamp } from "./help/lamp.js";
import { PostMortem } from "./help/postmortem.js";
import { plyWords } from "./help/words.js";
import { randomId } from "./ids.js";
import { NO_HELP, RANKED } from "./ranked.js";
import { refusalWords } from "./refusals.js";
import { columnIndex } from "./rules.js";
import { MAX_BATCH } from "./track.js";
import { find } from "./view/dialogs.js";
import { markHint, showHint } from "./view/hint.js";
import { lampView } from "./view/lamp.js";
import { postMortemDialog } from "./view/postmortem.js";
import { showSolution } from "./view/solution.js";

/** @typedef {import("./api.js").GameState} GameState */

/** Why there is none in games of these kinds. @type {Record<string, string>} */
const NO_HELP_IN = { [RANKED]: NO_HELP, [DAILY]: NO_DAILY_HELP };
/** Clicks so close together were meant as one, in milliseconds. */
const DOUBLE_CLICK = 300;

/**
 * A practice game of the same deal as an ended one, with the first moves of its line played.
 *
 * @param {import("./api.js").Api} api
 * @param {GameState} ended
 * @param {number} ply
 * @returns {Promise<GameState>}
 */
async function practise(api, { id, variant, line }, ply) {
  let game = await api.start({
    variant,
    kind: "practice",
    from_game: id ?? "",
    request_id: randomId(),
  });
  for (let at = 0; at < ply && game.id !== null; at += MAX_BATCH) {
    const moves = line.slice(at, Math.min(ply, at + MAX_BATCH));
    game = await api.moves(game.id, { request_id: randomId(), version: game.version, at, moves });
  }
  return game;
}

/**
 * @param {object} parts
 * @param {HTMLElement} parts.main
 * @param {import("./state.js").GameStore} parts.store
 * @param {import("./api.js").Api} parts.api
 * @param {import("./settings.js").Settings} parts.settings
 * @param {import("./view/table.js").Table} parts.table
 * @param {import("./view/strip.js").Strip} parts.strip
 * @param {import("./input/actions.js").Actions} parts.actions
 * @param {(words: string) => void} parts.say says it aloud only
 * @param {(words: string) => void} parts.tell shows and says it
 * @param {() => void} parts.drawStrip
 * @param {(fetchGame: () => Promise<GameState>) => unknown} parts.put puts a game on the table
 * @param {() => unknown} parts.again puts the same deal on the table, not started
 */
export function tendHelp({
  main,
  store,
  api,
  settings,
  table,
  strip,
  actions,
  say,
  tell,
  drawStrip,
  put,
  again,
}) {
  /** @type {HTMLElement} */
  const button = find(main, '.toolbar [data-action="hint"]');

  const hints = new Hints({ store, api, tell, changed: drawHint });
  const shine = lampView(find(main, "[data-lamp]"), say, () => store.variant.covered);
  const lamp = new Lamp({ store, api, show: shine });
  const postMortem = new PostMortem({ store, api, changed: () => report.draw() });
  const report = postMortemDialog({
    store,
    postMortem,
    jump: (ply) => (store.status === "open" ? goBack(ply) : playOn(ply)),
    showLine: () => {
      const { id, version, dealt } = store.game;
      const ply = postMortem.lastWonPly;
      if (id === null || ply === null) return;
      showSolution({
        variant: store.variant,
        dealt,
        played: store.line.slice(0, ply),
        title: `How to win after ${plyWords(ply)}`,
        ask: (deeper) => api.solution(id, { version, ply, ...(deeper ? { deeper } : {}) }),
      });
    },
  });

  function drawHint() {
    const { move, words } = hints;
    markHint(table, hints);
    if (move !== null && table.focused === "") table.setStopAt(move.charAt(0));
    const hadFocus = strip.hasFocus;
    if (words) strip.hush();
    drawStrip();
    // Its buttons are gone, and the next thing that is wanted may well be the next hint.
    if (hadFocus && !strip.hasFocus) button.focus();
    if (words) say(words);
  }

  /** @returns {string} why there is no hint now; empty if there may be one */
  function noHint() {
    if (store.status !== "open") return "This game has ended; there is nothing to hint at.";
    const { hint, opens_at } = store.game.help;
    if (hint) return "";
    const message = NO_HELP_IN[store.game.kind] ?? "This game is played without hints.";
    return refusalWords(new ApiError({ status: 403, code: "help_refused", message, detail: { opens_at } }));
  }

  let pressedAt = Number.NEGATIVE_INFINITY;

  /** @param {Event} [event] */
  function pressHint(event) {
    const reason = noHint();
    if (reason) {
      tell(reason);
      return;
    }
    if (actions.isFinishing) return;
    // A double click meant one press, and would play a move that nobody has read.
    const isDouble =
      event instanceof MouseEvent && event.detail > 1 && event.timeStamp - pressedAt < DOUBLE_CLICK;
    if (hints.stage === "move" && isDouble) return;
    pressedAt = event?.timeStamp ?? Number.NEGATIVE_INFINITY;
    actions.cancelPick();
    strip.hush();
    const move = hints.press();
    if (move !== null) actions.drop(columnIndex(move.charAt(0)), move.charAt(1));
  }

  /** @param {number} ply */
  function goBack(ply) {
    if (actions.goTo(ply)) tell(`Back after ${plyWords(ply)}: from here the game can be won.`);
  }

  /** @param {number} ply */
  function playOn(ply) {
    const { game } = store;
    if (ply === 0) again();
    else put(() => practise(api, game, ply));
  }

  const switchLamp = () => lamp.switch(settings.get("lamp"));
  settings.addEventListener("change", switchLamp);
  window.addEventListener("online", () => lamp.retry());
  switchLamp();

  return {
    /** @type {Record<string, (event?: Event) => void>} */
    commands: {
      hint: pressHint,
      "hint-deeper": () => hints.deeper(),
      "hint-back": () => {
        if (hints.backTo !== null) goBack(hints.backTo);
      },
      "hint-close": () => void hints.close(),
      postmortem: () => postMortem.open(),
    },

    /** Puts a hint away. @returns {boolean} whether there was one */
    closeHint: () => hints.close(),

    /** Shows a hint in the strip. @returns {boolean} whether there is one */
    showHint: () => showHint(strip, hints),

    /** Whether there is a game to ask what went wrong in. */
    get mayAsk() {
      return store.game.help.solution && (store.started || store.ply > 0);
    },

    draw() {
      const reason = noHint();
      button.setAttribute("aria-disabled", String(reason !== ""));
      button.title = reason;
      button.dataset.reason = reason;
    },
  };
}
