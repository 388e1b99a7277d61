"""A line that is good to follow, soon: what a hint needs.

The playing search's lines win, but take every other card there and back. A narrow beam gives a line nearly as short
as the best in a few milliseconds when it gives one, so widths are tried from the narrowest.
"""

from __future__ import annotations

import time
from collections.abc import Callable

from bakers.rules.moves import Move
from bakers.rules.positions import Position
from bakers.rules.variants import Fill

from .beam import Beam
from .board import Board, pack
from .lines import checked_line, trail_moves, with_safe_moves
from .pars import ParSearch
from .playing import WON
from .relax import DEAD, RUNNING, Relaxation
from .slices import SLICE

#: Widths of the beams; the first finds a line for two deals of three.
WIDTHS = (8, 20, 80)
#: Expansions of best-first runs where empty columns take any card: a line of about seventy moves.
REFILLED_BUDGET = 800


def short_line(
    position: Position,
    *,
    deadline: float | None = None,
    cancelled: Callable[[], bool] | None = None,
) -> list[Move] | None:
    """A short line that wins, or None if none was found in time; None says nothing about the position.

    Args:
        position: any reachable position of any variant; it isn't changed.
        deadline: a time of `time.monotonic` at which to give up; seen every few milliseconds.
        cancelled: asked as often; gives up when it says true.

    Raises:
        WrongLineError: the line found doesn't win by the rules (a fault, never seen).
    """
    if position.variant.fill is Fill.ANY:
        return ParSearch(position).advance(REFILLED_BUDGET, deadline, cancelled).line

    def stopped() -> bool:
        return (deadline is not None and time.monotonic() >= deadline) or (
            cancelled is not None and cancelled()
        )

    board = Board.of(position)
    packed = pack(board)
    relaxation = Relaxation(packed)
    answer = relaxation.run(SLICE)
    while answer == RUNNING:
        if stopped():
            return None
        answer = relaxation.run(SLICE)
    if answer == DEAD:
        return None
    for width in WIDTHS:
        beam = Beam(packed, relaxation, width)
        answer = RUNNING
        while answer == RUNNING:
            if stopped():
                return None
            answer = beam.run(SLICE)
        if answer == WON:
            return checked_line(position, trail_moves(board, with_safe_moves(board, beam.steps)))
    return None
