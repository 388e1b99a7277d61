"""How hard a deal is, in five levels.

The score of a position that can be won is

    column moves of a short line  +  2 log2(states of the relaxed search)

A long way asks for more looking ahead; a search that goes astray more often meets more ways that look good and lead
nowhere, and so does a player. Both numbers come from searches that draw no random numbers, so a rating is always the
same. The short line is that of a beam of width 80: within a move or two of par at a hundredth of its cost. In Spanish
Patience, where there is no relaxed search, both come from the thrifty best-first search.

The levels' limits are the quintiles of a thousand winnable deals of each variant, so a level says how hard a deal is
among those of its own variant.
"""

from __future__ import annotations

import bisect
import math
from dataclasses import dataclass

from bakers.rules.positions import Position
from bakers.rules.variants import Fill

from .beam import Beam
from .bestfirst import BestFirst
from .board import Board, pack
from .hanging import TO_FOUNDATION
from .playing import WON
from .relax import RUNNING, Relaxation
from .verdicts import QUICK_BUDGET, Outcome, decide

NAMES = ("easy", "fairly easy", "middling", "hard", "very hard")
#: Scores above which the levels 2, 3, 4 and 5 begin.
LIMITS: dict[str, tuple[float, float, float, float]] = {
    "bakers-dozen": (24.7, 28.3, 31.8, 38.5),
    "original-1883": (24.7, 28.3, 31.8, 38.5),
    "good-measure": (29.4, 34.8, 41.0, 51.0),
    "spanish-patience": (27.7, 31.4, 34.3, 37.8),
    "portuguese-solitaire": (24.7, 28.3, 31.9, 38.8),
}
WIDTH = 80
#: Counted for a position for which the beam finds no line: more than nearly any line has.
LONG = 40
#: Expansions of the thrifty search, which goes on for a shorter line after its first.
THRIFTY = 800


@dataclass(frozen=True)
class Rating:
    """How hard a deal is.

    Attributes:
        level: 1 (easy) to 5 (very hard).
        name: the same in words.
        score: what the level comes from; see the module's docstring.
        column_moves: of a short line, not proven shortest.
        states: states of the relaxed search.
    """

    level: int
    name: str
    score: float
    column_moves: int
    states: int


def rate(position: Position, budget: int = QUICK_BUDGET) -> Rating | None:
    """The rating of a position, or None if it is lost or isn't decided within a budget of expansions.

    It takes some 10 to 50 ms, and gives the same each time.
    """
    if decide(position, budget).outcome is not Outcome.WON:
        return None
    board = Board.of(position)
    moves, states = _thrifty(board) if board.fill is Fill.ANY else _beam(board)
    score = moves + 2 * math.log2(states + 1)
    level = 1 + bisect.bisect_left(LIMITS[position.variant.slug], score)
    return Rating(level, NAMES[level - 1], score, moves, states)


def _beam(board: Board) -> tuple[int, int]:
    packed = pack(board)
    relaxation = Relaxation(packed)
    while relaxation.run(QUICK_BUDGET) == RUNNING:
        pass
    states = relaxation.used
    beam = Beam(packed, relaxation, WIDTH)
    answer = RUNNING
    while answer == RUNNING:
        answer = beam.run(QUICK_BUDGET)
    return beam.column_moves if answer == WON else LONG, states


def _thrifty(board: Board) -> tuple[int, int]:
    search = BestFirst(board, thrifty=True)
    fewest = LONG
    first = spent = 0
    while spent < THRIFTY:
        answer = search.run(THRIFTY - spent)
        spent += search.spent
        if answer == WON:
            first = first or spent
            fewest = min(fewest, sum(step & 63 != TO_FOUNDATION for step in search.steps))
    return fewest, first or spent
