"""Small games, in which every line is tried, against the solver's searches."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from bakers.rules.variants import Fill
from bakers.solver import Outcome
from bakers.solver.board import ALL_RULES, USE_D1, USE_D3, Board
from bakers.solver.pars import BoardPar
from bakers.solver.verdicts import BoardSearch
from tests.solver.small import FILLS, fewest_moves, replay, small_game

#: Small games of each fill rule that are tried, and positions that the oracle may hold of one.
GAMES = 250
LIMIT = 60_000
BUDGET = 3_000_000


def _games(fill: Fill, count: int = GAMES) -> Iterator[tuple[Board, int]]:
    """Yield boards with their fewest moves, leaving out those too big for the oracle."""
    tried = 0
    for number in range(count):
        board = small_game(number, fill)
        fewest = fewest_moves(board, LIMIT)
        if fewest is not None:
            tried += 1
            yield board, fewest
    assert tried > count * 0.8


@pytest.mark.parametrize("fill", FILLS)
@pytest.mark.parametrize("rules", [ALL_RULES, ALL_RULES & ~USE_D1, ALL_RULES & ~USE_D3])
def test_the_outcome_is_that_of_trying_every_line(fill: Fill, rules: int) -> None:
    outcomes = set()
    for board, fewest in _games(fill, GAMES if rules == ALL_RULES else GAMES // 3):
        search = BoardSearch(board, rules)
        search.advance(BUDGET)
        assert search.outcome is (Outcome.LOST if fewest < 0 else Outcome.WON), board
        if search.outcome is Outcome.WON:
            replay(board, search.trail)
        outcomes.add(search.outcome)
    assert outcomes == {Outcome.WON, Outcome.LOST}


@pytest.mark.parametrize("stage", ["relaxed", "playing", "counting", "classes", "open"])
def test_no_stage_alone_contradicts_it(stage: str) -> None:
    decided = 0
    for board, fewest in _games(Fill.NONE, GAMES // 2):
        # Every stage stands on the relaxed search, which fills the table that the others ask.
        search = BoardSearch(board, only=frozenset({"relaxed", stage}))
        search.advance(BUDGET)
        if search.outcome is Outcome.UNKNOWN:
            continue
        decided += 1
        assert search.outcome is (Outcome.LOST if fewest < 0 else Outcome.WON), board
    assert decided > 0


@pytest.mark.parametrize("fill", FILLS)
def test_par_is_the_length_of_the_shortest_of_all_lines(fill: Fill) -> None:
    proven = 0
    for board, fewest in _games(fill, GAMES // 2):
        par = BoardPar(board)
        par.go_on(200_000)
        if fewest < 0:
            assert par.outcome is not Outcome.WON
            continue
        home = 4 * board.ranks - sum(board.foundations)
        assert par.bound + home <= fewest, board
        if par.trail is not None:
            assert replay(board, par.trail) + home >= fewest
            if par.bound >= par.best:
                proven += 1
                assert par.best + home == fewest, board
    assert proven > 0
