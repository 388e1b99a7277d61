"""How hard a deal is, in five levels.

The score of a position that can be won is

    L  +  2 × mean of log2(1 + states)

L is the bound of `bounds`: no line has fewer column moves. States are what the relaxed search (`relax`) looks at until
it is home; in Spanish Patience, where there is no relaxed search, what the thrifty best-first search (`bestfirst`)
looks at until its first line. A long way asks for more looking ahead; a search that goes astray more often meets more
ways that look good and lead nowhere, and so does a player.

One search alone says little: among ways that look equally good it takes the one whose card has the first suit, which
is luck. So the mean is over searches with the suits in each of their 24 orders, and L is the largest of theirs. The
searches draw no random numbers but those that are the same each time, and the order of columns plays no part in them:
deals that differ by the names of their suits and the order of their columns have the same score. docs/difficulty.md has
figures.

The levels' limits are the quintiles of a thousand winnable deals of each variant, so a level says how hard a deal is
among those of its own variant.
"""

from __future__ import annotations

import bisect
import itertools
import math
import statistics
from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np

from bakers.rules.positions import Position
from bakers.rules.variants import Fill

from .bestfirst import BestFirst
from .board import Board, Packed, pack
from .bounds import SCRATCH_ROWS, least_moves
from .playing import WON
from .relax import RUNNING, Relaxation
from .verdicts import QUICK_BUDGET, Outcome, decide

NAMES = ("easy", "fairly easy", "middling", "hard", "very hard")
#: Scores above which the levels 2, 3, 4 and 5 begin.
LIMITS: dict[str, tuple[float, float, float, float]] = {
    "bakers-dozen": (19.68, 21.32, 22.67, 24.82),
    "original-1883": (19.68, 21.32, 22.69, 24.84),
    "good-measure": (21.50, 23.45, 25.26, 27.61),
    "spanish-patience": (18.93, 20.74, 22.15, 23.83),
    "portuguese-solitaire": (19.68, 21.33, 22.76, 24.89),
}
#: What a doubling of the states counts for, in column moves; found by trial: the more, the more luck is in a level.
WEIGHT = 2
#: All orders of the suits: in each, the new number of each suit.
SUIT_ORDERS = tuple(itertools.permutations(range(4)))
#: States after which a search counts as that many: few go so far.
MOST_STATES = 2_000


@dataclass(frozen=True)
class Rating:
    """How hard a deal is.

    Attributes:
        level: 1 (easy) to 5 (very hard).
        name: the same in words.
        score: what the level comes from; see the module's docstring.
        least_moves: no line has fewer column moves.
        states: the mean of log2(1 + states) over the searches.
    """

    level: int
    name: str
    score: float
    least_moves: int
    states: float


def rate(position: Position, budget: int = QUICK_BUDGET) -> Rating | None:
    """The rating of a position, or None if it is lost or isn't decided within a budget of expansions."""
    if decide(position, budget).outcome is not Outcome.WON:
        return None
    return rate_won(position)


def rate_won(position: Position, orders: Sequence[tuple[int, ...]] = SUIT_ORDERS) -> Rating:
    """The rating of a position that is known to be won. It takes some 3 to 20 ms, and is the same each time.

    Args:
        position: what is rated.
        orders: the orders of the suits to search in. All of them, unless their weight is measured.
    """
    board = Board.of(position)
    bounds, states = [], []
    for order in orders:
        renamed = with_suits(board, order)
        packed = pack(renamed)
        bounds.append(_bound(packed))
        states.append(_thrifty(renamed) if board.fill is Fill.ANY else _relaxed(packed))
    # The mean is the same whatever the order of what it is taken of: `fmean` adds up exactly.
    mean = statistics.fmean(math.log2(1 + count) for count in states)
    score = max(bounds) + WEIGHT * mean
    level = 1 + bisect.bisect_left(LIMITS[position.variant.slug], score)
    return Rating(level, NAMES[level - 1], score, max(bounds), mean)


def with_suits(board: Board, order: tuple[int, ...]) -> Board:
    """The same board with other names of its suits: `order` says the new number of each."""
    first, second, third, fourth = (board.foundations[order.index(suit)] for suit in range(4))
    return replace(
        board,
        columns=tuple(tuple(card & ~3 | order[card & 3] for card in column) for column in board.columns),
        foundations=(first, second, third, fourth),
    )


def _bound(packed: Packed) -> int:
    start = packed.start
    scratch = np.zeros((SCRATCH_ROWS, 64), dtype=np.int64)
    return int(least_moves(packed.static, start[0], start[1], start[2], start[4], start[5], scratch))


def _relaxed(packed: Packed) -> int:
    relaxation = Relaxation(packed)
    while relaxation.used < MOST_STATES and relaxation.run(MOST_STATES - relaxation.used) == RUNNING:
        pass
    return relaxation.used


def _thrifty(board: Board) -> int:
    search = BestFirst(board, thrifty=True)
    spent = 0
    while spent < MOST_STATES:
        answer = search.run(MOST_STATES - spent)
        spent += search.spent
        if answer == WON:
            break
    return spent
