"""Short lines and par.

`shortest` looks for a line with few column moves: beams of growing width, then iterative deepening, which proves.
A line's moves are its plies, moves home included; since every card that isn't home goes home once, few plies and few
column moves are the same thing.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from bakers.rules.moves import Move
from bakers.rules.positions import Position
from bakers.rules.variants import Fill

from .beam import LAYERS, Beam
from .bestfirst import BestFirst
from .board import ALL_RULES, USE_D1, USE_L, Board, pack
from .bounds import SCRATCH_ROWS, least_moves
from .hanging import TO_FOUNDATION
from .lines import checked_line, trail_moves, with_safe_moves
from .playing import WON
from .relax import DEAD, RUNNING, Relaxation
from .shortest import Deepening
from .slices import Sliced, Stage, Stop
from .verdicts import BoardSearch, Outcome, Reason

#: Widths of the beams, narrow first, so that there is a line soon.
WIDTHS = (20, 80, 320)
#: The beam for boards where these find nothing.
WIDE = 1280


@dataclass(frozen=True)
class Par:
    """What is known of a position's shortest line.

    Attributes:
        outcome: won, lost (proved) or unknown.
        reason: how the outcome is known.
        line: the shortest line found, replayed by the rules; None unless won.
        moves: its number of moves, moves home included.
        proven: whether none is shorter.
        lower_bound: no line has fewer moves.
        expanded: positions expanded so far.
        cpu_seconds: processor time of this thread so far.
    """

    outcome: Outcome
    reason: Reason
    line: list[Move] | None
    moves: int | None
    proven: bool
    lower_bound: int
    expanded: int
    cpu_seconds: float


class BoardPar(Sliced):
    """The search for the shortest line of one board.

    Attributes:
        outcome, reason: what is known, and how.
        trail: the best line so far, each move card * 64 + target; None if there is none.
        best: its number of column moves.
        bound: no line has fewer column moves.
    """

    def __init__(self, board: Board, rules: int = ALL_RULES) -> None:
        """Make ready; only the bound L of the position is worked out. `rules` are those of `BoardSearch`."""
        self.board = board
        self.rules = rules
        self.outcome = Outcome.UNKNOWN
        self.reason = Reason.BUDGET
        self.trail: list[int] | None = None
        self.best = LAYERS
        self._packed = pack(board, rules)
        start = self._packed.start
        scratch = np.zeros((SCRATCH_ROWS, 64), dtype=np.int64)
        self.bound = 0
        if rules & USE_L:
            self.bound = int(
                least_moves(self._packed.static, start[0], start[1], start[2], start[4], start[5], scratch)
            )
        self._prepare(self._refilled() if board.fill is Fill.ANY else self._narrow_down())

    def _take(self, trail: list[int]) -> None:
        moves = sum(entry & 63 != TO_FOUNDATION for entry in trail)
        self.outcome, self.reason = Outcome.WON, Reason.LINE
        if self.trail is None or moves < self.best:
            self.trail, self.best = trail, moves

    def _with_safe_moves(self, steps: list[int]) -> list[int]:
        return with_safe_moves(self.board, steps, settling=bool(self.rules & USE_D1))

    def _narrow_down(self) -> Stage:
        relaxation = Relaxation(self._packed)
        answer = yield from self._follow(relaxation)
        if answer == DEAD:
            self.outcome, self.reason = Outcome.LOST, Reason.RELAXED
            return
        for width in WIDTHS:
            yield from self._beam(relaxation, width)
        if self.trail is None:
            yield from self._any_line()
            if self.outcome is not Outcome.WON:
                return
            yield from self._beam(relaxation, WIDE)
        deepening = Deepening(self._packed)
        # A line with more column moves than the deepening has room for is left unproven. No deal has one.
        while max(self.bound, deepening.bound) < min(self.best, LAYERS):
            answer = deepening.run(self._limit)
            self._spend(deepening.spent)
            self.bound = max(self.bound, deepening.bound)
            if answer == WON:
                self._take(self._with_safe_moves(deepening.steps))
                self.bound = self.best
            yield

    def _beam(self, relaxation: Relaxation, width: int) -> Stage:
        beam = Beam(self._packed, relaxation, width, self.best)
        answer = yield from self._follow(beam)
        if answer == WON:
            self._take(self._with_safe_moves(beam.steps))

    def _any_line(self) -> Stage:
        search = BoardSearch(self.board, self.rules)
        while not search.done:
            before = search.expanded
            search.advance(before + max(self._limit, 1))
            self._spend(search.expanded - before)
            yield
        search.close()
        self.outcome, self.reason = search.outcome, search.reason
        if search.outcome is Outcome.WON:
            self._take(search.trail)

    def _refilled(self) -> Stage:
        """Best-first runs that also count the moves, with more and more weight on them."""
        search = BestFirst(self.board, self.rules, thrifty=True)
        while self.bound < self.best:
            answer = search.run(self._limit)
            self._spend(search.spent)
            if answer == WON:
                self._take(self._with_safe_moves(search.steps))
            elif answer != RUNNING and self.trail is None:
                self.outcome, self.reason = Outcome.LOST, Reason.OPEN
                return
            yield


class ParSearch:
    """The search for one position's shortest line; ask it again with more budget and it goes on."""

    def __init__(self, position: Position) -> None:
        """Make ready. The position is copied; covered cards are known to the search."""
        self._position = position.copy()
        self._search = BoardPar(Board.of(position))
        self._home = 52 - position.cards_home()
        self._cpu = 0.0
        self._checked: list[int] | None = None
        self._line: list[Move] = []

    def __del__(self) -> None:
        """Free the tables of a search that isn't done."""
        self._search.close()

    def advance(
        self,
        budget: int,
        deadline: float | None = None,
        cancelled: Callable[[], bool] | None = None,
    ) -> Par:
        """Search until `budget` positions are expanded since the beginning, and say what is known.

        Raises:
            WrongLineError: a line that was found doesn't win by the rules.
        """
        search = self._search
        begun = time.thread_time()
        stop: Stop | None = search.go_on(budget, deadline, cancelled)
        if search.trail is not None and search.trail is not self._checked:
            self._line = checked_line(self._position, trail_moves(search.board, search.trail))
            self._checked = search.trail
        self._cpu += time.thread_time() - begun
        found = self._checked is not None
        return Par(
            search.outcome,
            search.reason,
            list(self._line) if found else None,
            len(self._line) if found else None,
            stop is None and found and search.bound >= search.best,
            self._home + min(search.bound, search.best),
            search.expanded,
            self._cpu,
        )


def shortest(
    position: Position,
    budget: int = 2_000_000,
    *,
    deadline: float | None = None,
    cancelled: Callable[[], bool] | None = None,
) -> Par:
    """A short winning line, and whether it is proven to be the shortest.

    Args:
        position: any reachable position of any variant; in `original-1883` covered cards count as known.
        budget: positions that may be expanded; 50,000 are enough for a good line, millions for most proofs.
        deadline: a time of `time.monotonic` at which to stop with what there is.
        cancelled: asked every few milliseconds; stops the search when it says true.

    Raises:
        WrongLineError: the solver found a line that doesn't win by the rules (a fault, never seen).
    """
    return ParSearch(position).advance(budget, deadline, cancelled)
