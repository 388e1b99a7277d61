"""Compile everything ahead, so that nothing compiles while somebody waits."""

from __future__ import annotations

from bakers.rules.variants import Fill

from .beam import Beam
from .bestfirst import BestFirst
from .board import Board, pack
from .classes import Classes
from .counting import Counting
from .playing import Playing
from .relax import Relaxation
from .shortest import Deepening


def compile_all() -> None:
    """Run every kernel once on a tiny board: compiles them, or loads them from the cache, which takes a second."""
    board = Board(((4, 0, 8), (5, 1, 9), (6, 2, 10), (7, 3, 11)), ranks=3)
    packed = pack(board)
    relaxation = Relaxation(packed)
    relaxation.run(10)
    relaxation.grow()
    playing = Playing(packed, relaxation)
    playing.begin(1)
    playing.run(100)
    Beam(packed, relaxation, 20).run(100)
    counting = Counting(packed, relaxation)
    counting.extend(10)
    counting.run(100)
    classes = Classes(packed, relaxation)
    classes.extend(10)
    classes.run(100)
    deepening = Deepening(packed)
    deepening.run(100)
    deepening.grow()
    BestFirst(Board(board.columns, ranks=3, fill=Fill.ANY)).run(100)
