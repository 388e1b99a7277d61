/** The server's calls, one function each. They answer with what the server sent or reject with an `ApiError`. */

/**
 * @typedef {import("./rules.js").Dealt} Dealt
 * @typedef {import("./rules.js").Foundations} Foundations
 */

/**
 * @typedef {object} GameState
 * @property {string | null} id null for a deal that isn't started
 * @property {string} variant
 * @property {string} kind
 * @property {"open" | "won" | "lost"} status
 * @property {number} version
 * @property {number} ply
 * @property {string[]} line
 * @property {string[]} redo
 * @property {string[][]} columns
 * @property {Foundations} foundations
 * @property {Dealt} dealt
 * @property {string[]} legal
 * @property {boolean} stuck
 * @property {string | null} deal
 * @property {{variant: string, date: string, number: number} | null} board whose deal it is, if it is a board's
 * @property {string} source
 * @property {boolean} helped
 * @property {string | null} started_at
 * @property {string | null} finished_at
 * @property {number} seconds
 * @property {import("./par.js").Par | null} par of an ended game's deal, if it is known
 * @property {{hint: boolean, verdict: boolean, solution: boolean, opens_at: string | null}} help
 * @property {number | null} streak ranked games or days won in a row up to this one, it included
 * @property {boolean} [replayed]
 */

/**
 * @typedef {object} StartBody
 * @property {string} variant
 * @property {string} kind
 * @property {string} [deal]
 * @property {string} [layout]
 * @property {boolean} [sink_kings]
 * @property {string} [from_game]
 * @property {string} [board] the date of the board to play
 * @property {boolean} [helped] whether help was taken with the deal before
 * @property {boolean} [replace] ranked: lose the open game of the variant, if it has a move
 * @property {string} [request_id]
 *
 * @typedef {{request_id: string, version: number, at: number, moves: string[]}} MovesBody
 * @typedef {{request_id: string, version: number}} ResignBody
 * @typedef {{variant: string, layout: string, sink_kings?: boolean}} LayoutBody
 * @typedef {{game: GameState, layout: string, text: string, notes: string[], kings_above: boolean}} ReadLayout
 *
 * @typedef {object} GameSummary
 * @property {string} id
 * @property {string} variant
 * @property {string} kind
 * @property {string} status
 * @property {number} ply
 * @property {string | null} deal
 * @property {{variant: string, date: string, number: number} | null} board
 * @property {string} source
 * @property {number} seconds
 * @property {number} home
 * @property {boolean} helped
 * @property {string | null} started_at
 * @property {string | null} finished_at
 * @property {string | null} last_move_at
 */

/**
 * What is known of a position; `pending` while a search for it goes on, and then the same call tells more later.
 *
 * @typedef {"won" | "lost" | "unknown"} Outcome
 * @typedef {{version: number, deeper?: boolean}} HelpBody
 *
 * @typedef {object} HintAnswer
 * @property {number} version
 * @property {Outcome} outcome
 * @property {boolean} pending
 * @property {string | null} move the next move of a winning line
 * @property {string} why a sentence
 * @property {{last_won_ply: number | null, first_lost_ply: number | null} | null} back_to of a lost position
 * @property {boolean} [helped] whether the game is marked as helped
 *
 * @typedef {object} VerdictAnswer
 * @property {number} version
 * @property {Outcome} outcome
 * @property {boolean} pending
 * @property {string | null} reason
 *
 * @typedef {object} PostMortemAnswer
 * @property {number} version
 * @property {Outcome} outcome of the position as the game stands
 * @property {boolean} pending
 * @property {number | null} last_won_ply
 * @property {number | null} first_lost_ply
 * @property {string | null} losing_move
 * @property {boolean} exact whether the one is the move after the other
 * @property {string} why a sentence
 * @property {string[] | null} line wins from the last won ply
 * @property {boolean} [helped] whether the game is marked as helped
 *
 * @typedef {object} SolutionAnswer
 * @property {number} version
 * @property {number} ply
 * @property {Outcome} outcome
 * @property {boolean} pending
 * @property {string[] | null} line wins from that ply
 * @property {number | null} moves
 * @property {string | null} reason
 * @property {{moves: number, proven: boolean, lower_bound: number} | null} par of the whole deal
 * @property {import("./rules.js").Position | null} start where the line begins, with its covered cards named, if the
 *   line uncovers any
 */

/**
 * @typedef {object} SolveBody
 * @property {string} variant
 * @property {string} [deal]
 * @property {string} [layout]
 * @property {boolean} [sink_kings]
 * @property {string[]} [line] moves played from it
 * @property {number} [budget] expansions
 * @property {boolean} [deeper]
 * @property {boolean} [par] whether par is wanted
 * @property {boolean} [rating] whether a rating is wanted
 * @property {boolean} [line_of_covered] whether a line is wanted though cards are covered
 *
 * @typedef {object} SolveAnswer
 * @property {string} variant
 * @property {string | null} deal
 * @property {Outcome} outcome
 * @property {boolean} pending
 * @property {string} reason a sentence
 * @property {string | null} move the first one of a line that wins
 * @property {string[] | null} line
 * @property {number | null} moves
 * @property {{moves: number, proven: boolean, lower_bound: number} | null} par
 * @property {{level: number, name: string} | null} [rating]
 * @property {import("./rules.js").Position | null} start where the line begins, with its covered cards named, if the
 *   line uncovers any
 */

/** @typedef {{shuffles: number, ms: number, expanded: number}} Winnable how a deal was found that can be won */

/**
 * @typedef {object} Api
 * @property {(variant: string) => Promise<GameState>} newDeal a random deal, not started
 * @property {(variant: string) => Promise<GameState & {winnable: Winnable}>} newWinnableDeal one that can be won
 * @property {(variant: string, number: string) => Promise<GameState>} deal a deal by number, not started
 * @property {(body: LayoutBody) => Promise<ReadLayout>} readLayout
 * @property {(body: StartBody) => Promise<GameState>} start
 * @property {(id: string) => Promise<GameState>} game
 * @property {() => Promise<{games: GameSummary[]}>} games
 * @property {(variant: string, date: string) => Promise<import("./daily.js").Board & {game: GameState | null}>} board
 *   a daily board as the player may see it now
 * @property {(variant: string) => Promise<import("./daily.js").Days>} days which days of the last year the caller has won
 * @property {(id: string, body: MovesBody) => Promise<GameState>} moves
 * @property {(id: string, body: ResignBody) => Promise<GameState>} resign
 * @property {(id: string, body: HelpBody) => Promise<HintAnswer>} hint
 * @property {(id: string, version: number) => Promise<VerdictAnswer>} verdict
 * @property {(id: string, body: HelpBody) => Promise<PostMortemAnswer>} postMortem
 * @property {(id: string, body: HelpBody & {ply?: number}) => Promise<SolutionAnswer>} solution
 * @property {(body: SolveBody) => Promise<SolveAnswer>} solve
 * @property {(changes: import("./settings-names.js").Chosen) => Promise<import("./settings-names.js").Answer>} changeSettings
 */

/** The lock under which games are started. */
const START_LOCK = "bakers.start";
/**
 * After this long without an answer a request counts as lost and may be sent again, in milliseconds: longer than the
 * 20 s that the server waits for a lock before it says that it is busy.
 */
const TIMEOUT_MS = 30_000;

export class ApiError extends Error {
  /**
   * @param {object} problem
   * @param {number} problem.status HTTP status; 0 if the server was not reached or what came wasn't from it
   * @param {string} problem.code the server's word for what went wrong, or "network", "timeout", "unreadable"
   * @param {string} problem.message for people
   * @param {Record<string, any>} [problem.detail]
   * @param {number | null} [problem.retryAfter] seconds the server asks to wait
   */
  constructor({ status, code, message, detail = {}, retryAfter = null }) {
    super(message);
    this.name = "ApiError";
    this.status = status;
    this.code = code;
    this.detail = detail;
    this.retryAfter = retryAfter;
  }

  /** Whether the same request may succeed later. */
  get isTemporary() {
    return this.status === 0 || this.status === 408 || this.status === 429 || this.status >= 500;
  }
}

/**
 * Reads an answer. What isn't in the server's own form comes from something between (a proxy being restarted, a
 * hotel's sign-in page) and says nothing about the game, whatever its status.
 *
 * @param {Response} response
 * @returns {Promise<any>}
 */
async function read(response) {
  const seconds = Number.parseInt(response.headers.get("Retry-After") ?? "", 10);
  const retryAfter = Number.isNaN(seconds) ? null : seconds;
  /** @type {any} */
  let body = null;
  try {
    body = await response.json();
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error;
  }
  if (response.ok && body !== null && typeof body === "object") return body;
  if (!response.ok && typeof body?.error?.code === "string") {
    const { code, message, detail } = body.error;
    throw new ApiError({ status: response.status, code, message, detail: detail ?? {}, retryAfter });
  }
  throw new ApiError({
    status: response.status >= 500 ? response.status : 0,
    code: "unreadable",
    message: "The server’s answer could not be read.",
    retryAfter,
  });
}

/**
 * @param {object} outside
 * @param {typeof globalThis.fetch} outside.fetch
 * @param {() => string} outside.csrfToken read anew for each call, since signing in changes it
 * @param {Pick<LockManager, "request"> | null} [outside.locks] shared by the tabs of a browser
 * @param {(run: () => void, ms: number) => any} [outside.setTimeout]
 * @param {(timer: any) => void} [outside.clearTimeout]
 * @returns {Api}
 */
export function createApi({
  fetch,
  csrfToken,
  locks = null,
  setTimeout = (run, ms) => globalThis.setTimeout(run, ms),
  clearTimeout = (timer) => globalThis.clearTimeout(timer),
}) {
  /**
   * @param {"GET" | "POST" | "PATCH"} method
   * @param {string} path
   * @param {object} [body]
   * @returns {Promise<any>}
   */
  async function call(method, path, body) {
    const abort = new AbortController();
    const timer = setTimeout(() => abort.abort(), TIMEOUT_MS);
    /** @type {Record<string, string>} */
    const headers = { Accept: "application/json" };
    if (body !== undefined) {
      headers["Content-Type"] = "application/json";
      headers["X-CSRFToken"] = csrfToken();
    }
    try {
      const response = await fetch(path, {
        method,
        headers,
        body: body === undefined ? undefined : JSON.stringify(body),
        credentials: "same-origin",
        signal: abort.signal,
      });
      return await read(response);
    } catch (error) {
      if (error instanceof ApiError) throw error;
      throw new ApiError(
        abort.signal.aborted
          ? { status: 0, code: "timeout", message: "The server did not answer in time." }
          : { status: 0, code: "network", message: "The server can’t be reached." },
      );
    } finally {
      clearTimeout(timer);
    }
  }

  /**
   * Starts go one after another, from whichever tab: a newcomer's first one makes the session that the others then
   * belong to. Side by side each would make its own, and the browser keeps one.
   *
   * @param {() => Promise<any>} start
   */
  async function inTurn(start) {
    if (!locks) return start();
    let begun = false;
    try {
      return await locks.request(START_LOCK, () => {
        begun = true;
        return start();
      });
    } catch (error) {
      if (begun) throw error;
      return start(); // the browser refuses locks here
    }
  }

  const part = encodeURIComponent;
  return {
    newDeal: (variant) => call("GET", `/api/deals/${part(variant)}`),
    newWinnableDeal: (variant) => call("GET", `/api/deals/${part(variant)}?winnable=1`),
    deal: (variant, number) => call("GET", `/api/deals/${part(variant)}/${part(number)}`),
    readLayout: (body) => call("POST", "/api/deals", body),
    start: (body) => inTurn(() => call("POST", "/api/games", body)),
    game: (id) => call("GET", `/api/games/${part(id)}`),
    games: () => call("GET", "/api/games"),
    board: (variant, date) => call("GET", `/api/daily/${part(variant)}/${part(date)}`),
    days: (variant) => call("GET", `/api/me/days/${part(variant)}`),
    moves: (id, body) => call("POST", `/api/games/${part(id)}/moves`, body),
    resign: (id, body) => call("POST", `/api/games/${part(id)}/resign`, body),
    hint: (id, body) => call("POST", `/api/games/${part(id)}/hint`, body),
    verdict: (id, version) => call("GET", `/api/games/${part(id)}/verdict?version=${version}`),
    postMortem: (id, body) => call("POST", `/api/games/${part(id)}/postmortem`, body),
    solution: (id, body) => call("POST", `/api/games/${part(id)}/solution`, body),
    solve: (body) => call("POST", "/api/solve", body),
    changeSettings: (changes) => call("PATCH", "/api/me/settings", changes),
  };
}
