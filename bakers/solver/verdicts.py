"""Won with a line, lost with a proof, unknown only when a stated budget is spent.

`decide` answers for a position. A `Decision` is the same in pieces: it can be given more budget later and goes on
where it was. Between slices of a search a deadline and a cancel are looked at, and nothing else depends on slices: the
same position and budget give the same answer.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import dataclass
from enum import StrEnum
from functools import cache

from bakers.rules.moves import Move
from bakers.rules.positions import Position
from bakers.rules.variants import Fill

from .beam import Beam
from .bestfirst import BestFirst
from .board import ALL, ALL_RULES, FACTS, HOMES, STUMPS, USE_D1, USE_D3, Board, pack
from .classes import Classes
from .counting import Counting
from .jit import popcount
from .lines import checked_line, trail_moves, with_safe_moves
from .playing import EMPTIED, WON, Playing
from .relax import ALIVE, DEAD, RUNNING, Relaxation, reachable
from .slices import Sliced, Stage, Stop

#: Expansions that decide nearly every position, and that a request can afford.
QUICK_BUDGET = 20_000
#: Expansions after which few deals in a thousand are open.
DEFAULT_BUDGET = 300_000
#: Expansions of the last resort: at most about a minute.
LAST_RESORT = 20_000_000
#: How far the last search goes: as far as the budget.
UNLIMITED = 1 << 60

#: The searches in turn, and how far each goes before the next has its turn: the number of a playing run, the width of
#: a beam, else expansions in all. Each goes on where it was. Found by trial. Deals are nearly all won.
DEAL_SCHEDULE = (
    ("playing", 12),
    ("open", 500),
    ("counting", 2_000),
    ("classes", 1_500),
    ("beam", 80),
    ("playing", 36),
    ("beam", 320),
    ("classes", 20_000),
    ("counting", 60_000),
    ("beam", 1_280),
    ("playing", 144),
    ("classes", 400_000),
    ("open", UNLIMITED),
)
#: In the middle of games many positions are lost, and loose cards are locked from the start: it takes the exact
#: searches to see that, and often not for long.
MIDDLE_SCHEDULE = (
    ("playing", 4),
    ("open", 1_000),
    ("playing", 8),
    ("classes", 600),
    ("counting", 1_000),
    ("playing", 14),
    ("classes", 2_500),
    ("open", 2_000),
    ("beam", 80),
    ("counting", 4_000),
    ("open", 6_000),
    ("playing", 30),
    ("classes", 12_000),
    ("open", 20_000),
    ("beam", 320),
    ("counting", 20_000),
    ("playing", 40),
    ("classes", 60_000),
    ("counting", 60_000),
    ("beam", 1_280),
    ("playing", 144),
    ("classes", 400_000),
    ("open", UNLIMITED),
)
#: A position with so many loose cards isn't a deal: deals have one or two.
MANY_LOOSE = 4


class Outcome(StrEnum):
    """What a verdict says."""

    WON = "won"
    LOST = "lost"
    UNKNOWN = "unknown"


class Reason(StrEnum):
    """How an outcome is known, or why it isn't."""

    LINE = "a line"
    ROOT_TEST = "root test"
    RELAXED = "finished search: relaxed"
    PLAYING = "finished search: playing"
    COUNTING = "finished search: counting"
    CLASSES = "finished search: classes"
    OPEN = "finished search: all positions"
    BUDGET = "budget spent"
    DEADLINE = "deadline passed"
    CANCELLED = "cancelled"

    @property
    def sentence(self) -> str:
        """The same for people."""
        return _EXPLANATIONS[self]


_EXPLANATIONS = {
    Reason.LINE: "A line that wins was found and replayed.",
    Reason.ROOT_TEST: "Some cards can’t be reached even if every card ever uncovered stayed uncovered.",
    Reason.RELAXED: "No way home is left even if loose cards could hang anywhere: all ways were tried.",
    Reason.PLAYING: "All ways to play were tried, and none leads home.",
    Reason.COUNTING: "No way home is left even if only the number of locked cards counted: all ways were tried.",
    Reason.CLASSES: "All ways to play, and all ways to lock cards, were tried, and none leads home.",
    Reason.OPEN: "Every position that can be reached was tried, and none leads home.",
    Reason.BUDGET: "The search was not finished within its budget.",
    Reason.DEADLINE: "The search was not finished in time.",
    Reason.CANCELLED: "The search was cancelled.",
}


@dataclass(frozen=True)
class Verdict:
    """What is known of a position.

    Attributes:
        outcome: won, lost or unknown.
        line: moves that win, replayed by the rules; None unless won. It isn't short; see `pars.shortest`.
        expanded: positions expanded so far, all searches together.
        cpu_seconds: processor time of this thread so far.
        reason: how the outcome is known.
        stage: the search that decided, or was at work when the budget was spent.
    """

    outcome: Outcome
    line: list[Move] | None
    expanded: int
    cpu_seconds: float
    reason: Reason
    stage: str

    def explain(self) -> str:
        """One sentence: how this is known."""
        return self.reason.sentence


class BoardSearch(Sliced):
    """All searches for one board, one after another.

    Attributes:
        outcome, reason: what is known.
        stage: the search at work.
        trail: the line that wins, each move card * 64 + target.
    """

    def __init__(self, board: Board, rules: int = ALL_RULES, only: frozenset[str] = frozenset()) -> None:
        """Make ready; nothing is searched yet.

        Args:
            board: what is searched.
            rules: which of the exact rules D1, D2, D3 are used (tests leave some out).
            only: names of the stages to run (tests pick some); all of them when empty.
        """
        self.board = board
        self.rules = rules
        self.outcome = Outcome.UNKNOWN
        self.reason = Reason.BUDGET
        self.stage = "root test"
        self.trail: list[int] = []
        self._only = only
        self._run = 0
        self._explored = 0
        self._counted_alive = False
        self._prepare(self._refilled() if board.fill is Fill.ANY else self._cascade())

    def advance(
        self,
        budget: int,
        deadline: float | None = None,
        cancelled: Callable[[], bool] | None = None,
    ) -> None:
        """Go on until decided or stopped; the arguments are those of `Sliced.go_on`."""
        stop = self.go_on(budget, deadline, cancelled)
        if self.outcome is Outcome.UNKNOWN:
            self.reason = Reason(stop or Stop.BUDGET)

    def _refilled(self) -> Stage:
        if self._wants("open"):
            self.stage = "open"
            yield from self._explore(BestFirst(self.board, self.rules), UNLIMITED)

    def _cascade(self) -> Stage:
        packed = pack(self.board, self.rules)
        relaxation = Relaxation(packed)
        start = relaxation.start
        tested = self._wants("root test") and self.rules & USE_D3
        if tested and not reachable(packed.static, start[0], start[1], start[2]):
            self._lose(Reason.ROOT_TEST)
            return
        if self._wants("relaxed"):
            self.stage = "relaxed"
            answer = yield from self._follow(relaxation)
            if answer == DEAD:
                self._lose(Reason.RELAXED)
                return
        loose = packed.static[FACTS, ALL] & ~start[STUMPS] & ~start[HOMES]
        in_play = popcount(int(loose)) >= MANY_LOOSE
        # Most positions are decided by the first few searches, so the others are made when their turn comes; and they
        # are made here, not kept by this object, so that their tables go as soon as the work is done.
        playing = cache(lambda: Playing(packed, relaxation))
        counting = cache(lambda: Counting(packed, relaxation))
        classes = cache(lambda: Classes(packed, relaxation))
        best_first = cache(lambda: BestFirst(self.board, self.rules))
        stages: dict[str, Callable[[int], Stage]] = {
            "playing": lambda end: self._play(playing(), end),
            "beam": lambda width: self._beam(Beam(packed, relaxation, width)),
            "counting": lambda nodes: self._count(counting(), nodes),
            "classes": lambda nodes: self._exhaust(classes(), nodes),
            "open": lambda expansions: self._explore(best_first(), expansions),
        }
        for name, extent in MIDDLE_SCHEDULE if in_play else DEAL_SCHEDULE:
            if self._wants(name):
                self.stage = name
                yield from stages[name](extent)
            if self.outcome is not Outcome.UNKNOWN:
                return

    def _play(self, playing: Playing, end: int) -> Stage:
        """Runs of the playing search up to number `end`."""
        while self._run < end:
            playing.begin(self._run)
            answer = yield from self._follow(playing)
            if answer == WON:
                self._win(playing.line)
                return
            if answer == EMPTIED and playing.is_exact:
                self._lose(Reason.PLAYING)
                return
            self._run += 1
            yield

    def _beam(self, beam: Beam) -> Stage:
        answer = yield from self._follow(beam)
        if answer == WON:
            self._win(with_safe_moves(self.board, beam.steps, settling=bool(self.rules & USE_D1)))

    def _count(self, counting: Counting, nodes: int) -> Stage:
        """The counting search up to so many states."""
        if self._counted_alive:
            return
        counting.extend(nodes)
        answer = yield from self._follow(counting)
        if answer == DEAD:
            self._lose(Reason.COUNTING)
        self._counted_alive = answer == ALIVE

    def _exhaust(self, classes: Classes, nodes: int) -> Stage:
        """The search over classes up to so many positions."""
        classes.extend(nodes)
        answer = yield from self._follow(classes)
        if answer == WON:
            self._win(classes.line)
        elif answer == EMPTIED:
            self._lose(Reason.CLASSES)

    def _explore(self, search: BestFirst, expansions: int) -> Stage:
        """Best-first search up to so many expansions in all."""
        answer = RUNNING
        while answer == RUNNING and self._explored < expansions:
            answer = search.run(min(self._limit, expansions - self._explored))
            self._spend(search.spent)
            self._explored += search.spent
            if answer == RUNNING:
                yield
        if answer == WON:
            self._win(with_safe_moves(self.board, search.steps, settling=bool(self.rules & USE_D1)))
        elif answer == EMPTIED:
            self._lose(Reason.OPEN)

    def _wants(self, stage: str) -> bool:
        return not self._only or stage in self._only

    def _win(self, trail: list[int]) -> None:
        self.outcome, self.reason, self.trail = Outcome.WON, Reason.LINE, trail

    def _lose(self, reason: Reason) -> None:
        self.outcome, self.reason = Outcome.LOST, reason


class Decision:
    """The search for the verdict of one position; ask it again with more budget and it goes on."""

    def __init__(self, position: Position) -> None:
        """Make ready. The position is copied; covered cards are known to the search."""
        self._position = position.copy()
        self._search = BoardSearch(Board.of(position))
        self._cpu = 0.0
        self._line: list[Move] | None = None

    def __del__(self) -> None:
        """Free the tables of a search that isn't done."""
        self._search.close()

    def advance(
        self,
        budget: int = DEFAULT_BUDGET,
        deadline: float | None = None,
        cancelled: Callable[[], bool] | None = None,
    ) -> Verdict:
        """Search until `budget` positions are expanded since the beginning, and say what is known.

        Raises:
            WrongLineError: a line that was found doesn't win by the rules. No verdict is better than a wrong one.
        """
        search = self._search
        begun = time.thread_time()
        search.advance(budget, deadline, cancelled)
        if search.outcome is Outcome.WON and self._line is None:
            self._line = checked_line(self._position, trail_moves(search.board, search.trail))
        self._cpu += time.thread_time() - begun
        line_now = None if self._line is None else list(self._line)
        return Verdict(search.outcome, line_now, search.expanded, self._cpu, search.reason, search.stage)


def decide(
    position: Position,
    budget: int = DEFAULT_BUDGET,
    *,
    deadline: float | None = None,
    cancelled: Callable[[], bool] | None = None,
) -> Verdict:
    """Whether a position can still be won, within a budget.

    Args:
        position: any reachable position of any variant; in `original-1883` covered cards count as known.
        budget: positions that may be expanded.
        deadline: a time of `time.monotonic` at which to stop; checked every few milliseconds.
        cancelled: asked as often; stops the search when it says true.

    Raises:
        WrongLineError: the solver found a line that doesn't win by the rules (a fault, never seen).
    """
    return Decision(position).advance(budget, deadline, cancelled)
