/** Puts the page's game on the table and connects its parts. */

import { Announcer, moveAndResult, moveInWords, turnedInWords } from "./announce.js";
import { createApi } from "./api.js";
import { Clock, clockText } from "./clock.js";
import { DAILY, lossWords as dayLossWords, NO_HELP as NO_DAILY_HELP } from "./daily.js";
import { tendDaily } from "./daily-table.js";
import { tendHelp } from "./help.js";
import { randomId } from "./ids.js";
import { Actions } from "./input/actions.js";
import { listenToKeys } from "./input/keyboard.js";
import { PointerInput } from "./input/pointer.js";
import { againstPar } from "./par.js";
import {
  BEGIN,
  endWords,
  isOpenRanked,
  lossWords,
  NO_HELP,
  NO_SHARING,
  RANKED,
  rankedName,
} from "./ranked.js";
import { refusalWords } from "./refusals.js";
import { Settings } from "./settings.js";
import { GameStore } from "./state.js";
import { createStorage } from "./storage.js";
import { csrfToken } from "./token.js";
import { provedWords } from "./verdict-words.js";
import { capital } from "./view/cards.js";
import { chooseDialog } from "./view/choose-dialog.js";
import { dialog, find, openDialog, tendDialogs } from "./view/dialogs.js";
import { gamesDialog } from "./view/games-dialog.js";
import { importDialog } from "./view/import-dialog.js";
import { Marks } from "./view/marks.js";
import { tendMenus } from "./view/menus.js";
import { rankedDialogs } from "./view/ranked-dialog.js";
import { settingsDialog } from "./view/settings-dialog.js";
import { layoutText, share } from "./view/share.js";
import { solutionDialog } from "./view/solution.js";
import { Strip } from "./view/strip.js";
import { Table } from "./view/table.js";
import { WonPar } from "./won-par.js";

/**
 * @typedef {import("./api.js").GameState} GameState
 * @typedef {import("./state.js").Change} Change
 * @typedef {import("./state.js").Refused} Refused
 */

/** Milliseconds before saving is mentioned: a server that answers at once needs no words. */
const SAVING_QUIET = 700;
/** Session storage's name for the plies that were played for the player. */
const AUTOMATIC = "bakers.automatic";

/** @type {HTMLElement} */
const main = find(document, "main#table");
/** @type {{game: GameState, variants: Record<string, import("./rules.js").Variant>, daily?: import("./daily.js").Board}} */
const boot = JSON.parse(main.dataset.boot ?? "null");

/** @returns {Storage | null} */
function browserStorage() {
  try {
    return window.localStorage;
  } catch {
    return null;
  }
}

const api = createApi({
  fetch: (input, init) => window.fetch(input, init),
  csrfToken,
  locks: navigator.locks ?? null,
});
const settings = new Settings({
  storage: browserStorage(),
  account: JSON.parse(document.documentElement.dataset.settings ?? "null"),
  changeSettings: api.changeSettings,
  locks: navigator.locks ?? null,
});
const store = new GameStore({
  game: boot.game,
  variants: boot.variants,
  api,
  storage: createStorage({ local: () => window.localStorage, locks: navigator.locks ?? null }),
});

const table = new Table(main);
const announcer = new Announcer(find(main, "[data-live]"));
const strip = new Strip(find(main, "[data-strip]"));
const clock = new Clock({
  show: (text) => {
    find(main, "[data-clock]").textContent = text;
  },
});

/** @param {string} words */
function tell(words) {
  strip.message(words);
  announcer.say(words);
}

const actions = new Actions({
  store,
  table,
  settings,
  tell,
  say: (words) => announcer.say(words),
  changed: () => drawStrip(),
  mayPlay: () => daily.mayPlay(),
});
const pointer = new PointerInput(table, actions);
const marks = new Marks({
  store,
  table,
  settings,
  say: (words) => announcer.say(words),
  show: (words) => strip.message(words),
});

const daily = tendDaily({
  board: boot.daily,
  store,
  api,
  strip,
  signedIn: main.dataset.signedIn !== undefined,
  say: (words) => announcer.say(words),
  tell,
  changed: () => {
    drawNames();
    drawState();
  },
});

// What the page says about the game

/** @param {number} count */
const moves = (count) => (count === 1 ? "1 move" : `${count} moves`);

function dealName() {
  const { deal, kind, source, streak } = store.game;
  if (daily.name) return daily.name;
  if (deal !== null) return `Deal ${deal}`;
  if (kind === RANKED) return rankedName(streak);
  return source === "layout" ? "Imported layout" : "";
}

function drawNames() {
  const { name, slug, summary } = store.variant;
  const deal = dealName();
  document.title = deal ? `${name}, ${deal.toLowerCase()}` : name;
  find(main, "[data-title]").textContent = name;
  const label = /** @type {HTMLElement} */ (find(main, "[data-deal]"));
  label.textContent = deal;
  label.title = deal;
  /** @type {HTMLElement} */ (find(main, "[data-honour-note]")).hidden = !(
    store.variant.covered &&
    store.game.kind === "casual" &&
    store.status === "open"
  );
  const about = /** @type {HTMLAnchorElement} */ (find(main, "[data-about-deal]"));
  const hasPage = store.game.deal !== null && store.game.source !== "layout";
  if (hasPage) about.href = `/deal/${slug}/${store.game.deal}`;
  /** @type {HTMLElement} */ (about.parentElement).hidden = !hasPage;
  for (const each of document.querySelectorAll("[data-variant-name]")) each.textContent = name;
  find(document, "[data-summary]").textContent = summary;
  /** @type {HTMLElement} */ (find(document, "[data-covered-help]")).hidden = !store.variant.covered;
  for (const each of document.querySelectorAll("[data-variant-link]")) {
    const link = /** @type {HTMLElement} */ (each);
    if (link.dataset.variantLink === slug) link.setAttribute("aria-current", "page");
    else link.removeAttribute("aria-current");
  }
  for (const each of document.querySelectorAll("[data-of-variant]")) {
    const link = /** @type {HTMLAnchorElement} */ (each);
    link.href = `${link.dataset.ofVariant}${slug}`;
  }
  for (const each of document.querySelectorAll("[data-rules-link]")) {
    const link = /** @type {HTMLAnchorElement} */ (each);
    link.href = `/rules/${slug}`;
    link.textContent = `Rules of ${name}`;
  }
}

/** @param {string} action @param {boolean} enabled */
function enable(action, enabled) {
  // Not the disabled attribute: a button that has the focus would lose it.
  const button = find(main, `.toolbar [data-action="${action}"]`);
  button.setAttribute("aria-disabled", String(!enabled));
}

function drawState() {
  const { ply, status, stuck } = store;
  table.state("ply", String(ply));
  table.state("status", status);
  table.state("stuck", stuck ? "" : null);
  find(main, "[data-moves]").textContent = String(ply);
  find(main, "[data-moves-word]").textContent = ply === 1 ? "move" : "moves";
  enable("undo", store.canUndo);
  enable("redo", store.canRedo);
  enable("restart", store.canUndo);
  enable("resign", status === "open" && (store.started || ply > 0));
  drawSolutionEntry();
  find(main, '.toolbar [data-action="ranked"]').textContent = isOpenRanked(store.game)
    ? "New ranked game…"
    : "Ranked game";
  // A ranked game that is offered has an address, but begins with its first move as all do.
  clock.run(status === "open" && (ply > 0 || store.game.version > 0));
  help.draw();
  drawStrip();
}

/** Ranked and daily games say why they show no solution; where there is none for other reasons, it isn't offered. */
function drawSolutionEntry() {
  const { help: allowed, kind } = store.game;
  const entry = /** @type {HTMLElement} */ (find(main, "[data-solution-entry]"));
  const button = /** @type {HTMLElement} */ (find(entry, "button"));
  entry.hidden = !allowed.solution && kind !== RANKED && kind !== DAILY;
  button.setAttribute("aria-disabled", String(!allowed.solution));
  button.dataset.reason = allowed.solution ? "" : kind === DAILY ? NO_DAILY_HELP : NO_HELP;
}

const wonPar = new WonPar({ store, api, changed: () => drawStrip() });

/** Moves that a restart has just taken back. */
let restarted = 0;

/** The game that was found unsent from an earlier visit and has reached the server now. @type {GameState | null} */
let recovered = null;

/** @returns {import("./view/strip.js").Choice[]} */
const askWhatWentWrong = () => (help.mayAsk ? [{ action: "postmortem", label: "What went wrong?" }] : []);

function drawStrip() {
  const { ply, status } = store;
  const isRanked = store.game.kind === RANKED;
  const next = [
    isRanked
      ? { action: "ranked", label: "Ranked game", strong: true }
      : { action: "new", label: "New deal", strong: true },
  ];
  if (status === "won") {
    const time = settings.get("clock") ? `, ${clockText(clock.seconds)}` : "";
    const known = daily.par ?? wonPar.par;
    const par = known ? `, ${againstPar(ply, known)}` : "";
    const helped = store.game.helped ? ", with help" : "";
    // The server tells, once it has the last move.
    const streak = isRanked && store.game.finished_at !== null ? `. ${endWords(store.game)}` : "";
    const solution = store.game.help.solution ? [{ action: "solution", label: "Solution" }] : [];
    const day = daily.ended(solution);
    const words = `${moves(ply)}${par}${time}${helped}${streak}${day?.text ? `. ${day.text}` : ""}`;
    strip.show(
      "won",
      "Won!",
      words,
      day?.choices ?? [
        ...next,
        { action: "again", label: "Play again" },
        ...solution,
        { action: "share", label: "Share" },
      ],
    );
  } else if (status === "lost") {
    const day = daily.ended(askWhatWentWrong());
    strip.show(
      "lost",
      "Given up.",
      day?.text ?? (isRanked ? endWords(store.game) : ""),
      day?.choices ?? [...next, ...askWhatWentWrong(), { action: "again", label: "Play again" }],
    );
  } else if (actions.isFinishing) {
    strip.show("finishing", "", "The rest goes home by itself.", [{ action: "skip", label: "Skip" }]);
  } else if (help.showHint()) {
    // It was asked for, so it goes before what the strip says by itself.
  } else if (store.stuck) {
    strip.show("stuck", "Stuck.", "No move is left.", [
      { action: "undo", label: "Undo", strong: true, disabled: !store.canUndo },
      ...askWhatWentWrong(),
      { action: "restart", label: "Restart", disabled: !store.canUndo },
      { action: "new", label: "New deal" },
    ]);
  } else if (actions.canFinish) {
    strip.show("finish", "", "Only foundation moves are left.", [
      { action: "finish", label: "Finish", strong: true },
    ]);
  } else if (restarted > 0) {
    strip.show("restarted", "", `${capital(moves(restarted))} taken back.`, [
      { action: "unrestart", label: "Bring them back" },
    ]);
  } else if (daily.showNote()) {
    // A board's page is about that board.
  } else if (recovered && ply === 0) {
    const name = boot.variants[recovered.variant]?.name ?? "";
    strip.show("recovered", "", `Your last moves in a game of ${name} have been saved.`, [
      { action: "recovered", label: "Continue", strong: true },
    ]);
  } else if (strip.showing === "resume" && ply === 0 && !store.started) {
    strip.showResume();
  } else {
    strip.clear();
  }
}

/** @type {ReturnType<typeof setTimeout> | undefined} */
let savingTimer;
/** Whether moves have been waiting for a connection since all was saved last. */
let wasOffline = false;

function drawSync() {
  const { sync } = store;
  const line = /** @type {HTMLElement} */ (find(main, "[data-sync-text]"));
  const before = main.dataset.sync;
  table.state("sync", sync);
  clearTimeout(savingTimer);
  if (sync === "idle") line.textContent = "";
  else if (sync === "offline") line.textContent = "Offline, moves kept";
  else if (sync === "retrying") line.textContent = "Saving again…";
  else if (before !== "offline" && before !== "retrying") {
    savingTimer = setTimeout(() => {
      line.textContent = "Saving…";
    }, SAVING_QUIET);
  }
  if (sync === "offline" && !wasOffline) {
    tell("Offline – your moves are kept and sent later.");
  }
  if (sync === "idle" && wasOffline) announcer.say("Online again, all moves are saved.");
  wasOffline = sync === "offline" || (wasOffline && sync !== "idle");
}

function drawSwitches() {
  for (const each of main.querySelectorAll('[data-action="winnable"]'))
    each.setAttribute("aria-checked", String(settings.get("winnable")));
}

function drawLook() {
  const [theme, suits, speed] = [settings.get("theme"), settings.get("suits"), settings.get("speed")];
  document.dispatchEvent(new CustomEvent("bakers:look", { detail: { theme, suits, speed } }));
}

function drawClock() {
  /** @type {HTMLElement} */ (find(main, "[data-clock]")).hidden = !settings.get("clock");
}

/** @param {Change} change */
function announce({ reason, moves: done, from, to }) {
  if (reason === "server") {
    const words = turnedInWords(from, to);
    if (words) announcer.say(words);
    return;
  }
  if (reason === "load") {
    announcer.say([store.variant.name, dealName()].filter(Boolean).join(", "));
    return;
  }
  const [move] = done;
  const one = done.length === 1;
  if (reason === "play" && move && !actions.isFinishing) announcer.say(moveAndResult(from, to, move));
  else if (reason === "redo" && move) announcer.say(`Again: ${moveInWords(from, move)}.`);
  else if (reason === "undo" && move) announcer.say(`Undone: ${moveInWords(to, move)}.`);
  else if (reason === "restart") announcer.say(`Restarted, ${moves(done.length)} taken back.`);
  else if (reason === "jump" && !one) {
    announcer.say(store.ply > 0 ? `Now after ${moves(store.ply)}.` : "Back at the deal.");
  }
}

// The store's events

store.addEventListener("change", (event) => {
  const change = /** @type {CustomEvent<Change>} */ (event).detail;
  const { reason } = change;
  if (reason !== "server") strip.hush();
  table.show(change.to);
  pointer.positionChanged();
  marks.positionChanged();
  restarted = reason === "restart" ? change.moves.length : reason === "server" ? restarted : 0;
  if (reason === "load") {
    actions.forgetAll();
    recovered = null;
    clock.set(store.seconds, false);
    drawNames();
  }
  announce(change);
  drawState();
  if (store.stuck) announcer.say("Stuck: no move is left. Undo, restart, or deal anew.");
  if (reason === "server") actions.serverAnswered();
});

store.addEventListener("finished", () => {
  pointer.cancel();
  const won = store.status === "won";
  announcer.say(won ? `Won, in ${moves(store.ply)}.` : "Given up. The game counts as lost.");
});

store.addEventListener("confirmed", () => {
  // What the clock showed was this page's; from now on the game has a time.
  clock.set(store.seconds, false);
  drawNames();
  drawState();
  wonPar.ask();
  daily.confirmed();
});

store.addEventListener("refused", (event) => {
  const { code, message, kept } = /** @type {CustomEvent<Refused>} */ (event).detail;
  if (!daily.refused({ code, message, kept })) tell(message);
  if (code === "not_found" && !store.started && store.game.deal !== null) {
    history.replaceState(null, "", `/play/${store.variant.slug}/${store.game.deal}`);
  }
  clock.set(Math.max(store.seconds, clock.seconds), store.status === "open" && store.started);
});

store.addEventListener("started", () => {
  history.replaceState(null, "", addressOf(store.game));
  drawNames();
});

store.addEventListener("recovered", (event) => {
  recovered = /** @type {CustomEvent<{game: GameState}>} */ (event).detail.game;
  if (store.ply === 0) drawStrip();
});

store.addEventListener("sync", drawSync);

// Deals

/** @param {GameState} game that is started */
const addressOf = ({ id, kind, board, variant }) =>
  kind === DAILY && board ? `/daily/${variant}/${board.date}` : `/game/${id}`;

/**
 * @param {GameState} state
 * @param {string} [layout] the text it starts with, if it has no number
 */
function put(state, layout = "") {
  if (state.id) history.pushState(null, "", addressOf(state));
  // A layout has no address: the browser keeps its text with this one, over a reload and on the way back.
  else if (state.deal === null) history.pushState({ layout }, "", `/play/${state.variant}`);
  else history.pushState(null, "", `/play/${state.variant}/${state.deal}`);
  store.load(state, { layout });
}

/** Whether a deal is on its way, so that an impatient finger doesn't fetch two. */
let dealing = false;

/** @param {() => Promise<void>} fetchDeal */
async function orTell(fetchDeal) {
  if (dealing) return;
  dealing = true;
  try {
    await fetchDeal();
  } catch (problem) {
    tell(refusalWords(problem));
  } finally {
    dealing = false;
  }
}

/** Puts an imported layout back that lay on the table, untouched, before a reload. */
async function restoreLayout() {
  const layout = history.state?.layout;
  if (typeof layout !== "string" || layout === "" || boot.game.id !== null) return;
  await orTell(async () => {
    const read = await api.readLayout({ variant: boot.game.variant, layout });
    store.load(read.game, { layout: read.layout });
  });
}

/** @param {string} variant puts a random deal on the table, one that can be won if the player wants that */
async function putRandom(variant) {
  if (!settings.get("winnable")) {
    put(await api.newDeal(variant));
    return;
  }
  const { winnable, ...state } = await api.newWinnableDeal(variant);
  put(state);
  tell(provedWords(winnable));
}

function newDeal() {
  const leaves = daily.counts && daily.isOn && store.status === "open" && store.ply > 0;
  return orTell(async () => {
    await putRandom(store.variant.slug);
    if (leaves) tell("Your daily game stays open: “Daily” leads back to it.");
  });
}

function playAgain() {
  return orTell(async () => {
    const { board, deal, source, dealt } = store.game;
    const { slug } = store.variant;
    if (board) {
      const body = { variant: slug, kind: "practice", board: board.date, request_id: randomId() };
      put(await api.start(body));
      return;
    }
    if (deal !== null && source !== "layout") {
      put(await api.deal(slug, deal));
      return;
    }
    const read = await api.readLayout({ variant: slug, layout: layoutText(dealt) ?? "" });
    put(read.game, read.layout);
  });
}

function shareDeal() {
  const { deal, dealt, source } = store.game;
  const { name, slug } = store.variant;
  if (isOpenRanked(store.game)) {
    tell(NO_SHARING);
    return undefined;
  }
  if (daily.isOn) return daily.commands["daily-share"]?.();
  if (deal !== null && source !== "layout") {
    const url = `${location.origin}/play/${slug}/${deal}`;
    return share(
      { title: `${name}, deal ${deal}`, text: url, url, copied: "The link to this deal is copied." },
      tell,
    );
  }
  const text = layoutText(dealt);
  if (text === null) {
    tell("This layout can be shared when its game has ended: its cards are still covered.");
    return undefined;
  }
  return share(
    { title: `${name}, layout`, text, copied: "An imported layout has no link; its text is copied instead." },
    tell,
  );
}

const rankedGames = rankedDialogs({
  api,
  variants: boot.variants,
  signedIn: main.dataset.signedIn !== undefined,
  current: () => store.game.id,
  put: (game) => {
    if (game.id !== store.game.id) put(game);
    if (store.ply === 0) tell(BEGIN);
  },
});
const choose = chooseDialog({
  api,
  settings,
  variants: boot.variants,
  deal: async (variant, number) =>
    number === "" ? putRandom(variant) : put(await api.deal(variant, number)),
  ranked: (variant) => rankedGames.start(variant),
});
const importing = importDialog({ api, variants: boot.variants, play: (read) => put(read.game, read.layout) });
const games = gamesDialog({ api, variants: boot.variants });
const settingsPanel = settingsDialog(settings);
const help = tendHelp({
  main,
  store,
  api,
  settings,
  table,
  strip,
  actions,
  say: (words) => announcer.say(words),
  tell,
  drawStrip,
  put: (fetchGame) => orTell(async () => put(await fetchGame())),
  again: playAgain,
});
const solution = solutionDialog({
  api,
  store,
  tell,
});

dialog("resign").addEventListener("close", () => {
  if (dialog("resign").returnValue === "resign") store.resign();
});

/** @type {Record<string, (event: Event) => unknown>} */
const commands = {
  ...help.commands,
  ...daily.commands,
  new: newDeal,
  ranked: () => orTell(() => rankedGames.start(store.variant.slug)),
  choose: () => choose.open(store.variant.slug),
  undo: () => actions.undo(),
  redo: () => actions.redo(),
  restart: () => actions.restart(),
  share: shareDeal,
  solution: () => solution.open(),
  kinks: () => marks.toggleKinks(),
  find: () => marks.find(),
  winnable: () => settings.set("winnable", !settings.get("winnable")),
  import: () => importing.open(store.variant.slug),
  games: () => games.open(store.game.id),
  settings: () => settingsPanel.open(),
  help: () => openDialog("help"),
  resign: () => {
    dialog("resign").returnValue = "";
    const streak = /** @type {HTMLElement} */ (find(dialog("resign"), "[data-resign-streak]"));
    streak.hidden = !isOpenRanked(store.game) && !daily.counts;
    const words = daily.counts ? dayLossWords : lossWords;
    streak.textContent = streak.hidden ? "" : words(store.game.streak);
    openDialog("resign");
  },
  again: playAgain,
  finish: () => actions.finish(),
  skip: () => actions.skip(),
  unrestart: () => store.goTo(restarted),
  recovered: () => {
    if (recovered?.id) location.assign(`/game/${recovered.id}`);
  },
  "dismiss-resume": () => strip.clear(),
};

document.addEventListener("click", (event) => {
  const button = /** @type {Element} */ (event.target).closest("[data-action], [data-panel-action]");
  if (!(button instanceof HTMLElement)) return;
  if (button.getAttribute("aria-disabled") === "true") {
    if (button.dataset.reason) tell(button.dataset.reason);
    return;
  }
  commands[button.dataset.action ?? button.dataset.panelAction ?? ""]?.(event);
});

listenToKeys({
  table,
  actions,
  pointer,
  settings,
  commands: {
    undo: () => actions.undo(),
    redo: () => actions.redo(),
    new: () => void newDeal(),
    help: () => openDialog("help"),
    hint: () => help.commands.hint(),
    closeHint: help.closeHint,
    kinks: () => marks.toggleKinks(),
    find: () => marks.find(),
  },
});

// The page comes and goes

settings.addEventListener("change", () => {
  drawLook();
  drawClock();
  drawSwitches();
  drawStrip();
});
window.addEventListener("online", () => {
  store.retryNow();
  settings.retryNow();
});
document.querySelector(".skip-link")?.addEventListener("click", (event) => {
  // Following it would make an address of its own, and a deal without one would be lost on the way.
  event.preventDefault();
  main.focus();
});
window.addEventListener("popstate", () => location.reload());
window.addEventListener("pagehide", () => {
  const note = { game: store.game.id, automatic: actions.automatic };
  try {
    sessionStorage.setItem(AUTOMATIC, JSON.stringify(note));
  } catch {
    // Then undo takes back one move at a time.
  }
});
window.addEventListener("pageshow", (event) => {
  if (event.persisted) store.refresh();
});
document.addEventListener("visibilitychange", () => {
  if (document.visibilityState !== "visible") return;
  store.retryNow();
  store.refresh();
});

/** Which of the line's moves were automatic before a reload, so that one undo still takes them back together. */
function recallAutomatic() {
  try {
    const note = JSON.parse(sessionStorage.getItem(AUTOMATIC) ?? "null");
    if (note?.game && note.game === store.game.id && Array.isArray(note.automatic)) {
      actions.remember(note.automatic);
    }
  } catch {
    // As above.
  }
}

tendMenus();
recallAutomatic();
tendDialogs();
table.show(store.position, { animate: false });
marks.draw();
drawNames();
drawLook();
drawClock();
drawSwitches();
clock.set(store.seconds, false);
drawSync();
drawState();
wonPar.ask();
daily.recall();
await restoreLayout();
document.documentElement.dataset.ready = "true";
