"""Small games in which every line is tried: all searches must agree with that, whichever rules are left out."""

from __future__ import annotations

import os
import subprocess
import sys

import numpy as np
import pytest

from bakers.rules.variants import Fill
from bakers.solver import reference, verdicts
from bakers.solver.beam import Beam, settle_bare
from bakers.solver.board import ALL_RULES, USE_D1, USE_D2, USE_D3, USE_L, USE_P3, USE_P4, USE_P5, USE_R, pack
from bakers.solver.bounds import SCRATCH_ROWS, least_moves
from bakers.solver.lines import with_safe_moves
from bakers.solver.pars import BoardPar
from bakers.solver.playing import WON
from bakers.solver.relax import Relaxation
from bakers.solver.verdicts import BoardSearch, Outcome
from tests.solver.small import FILLS, fewest_moves, replay, small_game

#: Games with more positions than this are left to smaller ones.
LIMIT = 8_000
QUICK, LONG = range(90), range(90, 4_000)
#: Stages that decide every small game by themselves, and others that must only never be wrong.
EXACT = ((), ("open",), ("classes",), ("relaxed", "classes"))
PARTIAL = (("root test",), ("relaxed", "playing"), ("counting",), ("beam",))
#: Everything, and each rule left out. Refilled boards know neither classes nor counting.
RULES = (ALL_RULES, *(ALL_RULES - rule for rule in (USE_D1, USE_D2, USE_D3, USE_P3, USE_P4, USE_P5)))
REFILLED_RULES = RULES[:4]
PAR_RULES = (*RULES[:4], ALL_RULES - USE_L, ALL_RULES - USE_R)
REFERENCE_RULES = (reference.ALL_RULES, *({*reference.ALL_RULES} - {rule} for rule in ("D1", "D2", "D3")))
#: Enough for any small game.
BUDGET = 300_000


def check(numbers: range, fill: Fill, monkeypatch: pytest.MonkeyPatch) -> int:
    """Compare everything on these games; returns how many were small enough."""
    compared = 0
    for number in numbers:
        # So small, few boards have many loose cards; half of them are searched as if they had.
        monkeypatch.setattr(verdicts, "MANY_LOOSE", 0 if number % 2 else 52)
        board = small_game(number, fill)
        fewest = fewest_moves(board, LIMIT)
        if fewest is None:
            continue
        compared += 1
        won = fewest >= 0
        columns = fewest - sum(board.ranks - home for home in board.foundations)
        refilled = fill is Fill.ANY
        for stages in ((), ("open",)) if refilled else EXACT + PARTIAL:
            for rules in REFILLED_RULES if refilled else RULES:
                search = BoardSearch(board, rules, frozenset(stages))
                search.advance(BUDGET)
                told = (number, fill, stages, rules)
                if search.outcome is Outcome.UNKNOWN:
                    assert stages in PARTIAL, told
                else:
                    assert (search.outcome is Outcome.WON) == won, told
                if search.outcome is Outcome.WON:
                    assert replay(board, search.trail) >= columns, told
        for chosen in REFERENCE_RULES:
            if not refilled:
                assert reference.relaxed_search(board, rules=frozenset(chosen))[0] or not won, (
                    number,
                    chosen,
                )
            line, _ = reference.best_first(board, rules=frozenset(chosen))
            assert (line is not None) == won, (number, chosen)
        if won and not refilled:
            _check_short_lines(board, columns)
        for rules in PAR_RULES if not refilled else (ALL_RULES,):
            tried = (number, fill, rules)
            par = BoardPar(board, rules)
            # Where columns take any card no line is ever proven shortest, so the search for one has no end.
            par.go_on(1_000 if refilled and won else BUDGET)
            if won and par.outcome is Outcome.WON:
                assert par.trail is not None, tried
                assert replay(board, par.trail) == par.best, tried
                assert par.bound <= columns <= par.best, tried
                assert refilled or par.bound == columns == par.best, tried
            else:
                assert par.outcome is (Outcome.UNKNOWN if won else Outcome.LOST), tried
                assert refilled or not won, tried
    return compared


def _check_short_lines(board, columns):
    packed = pack(board)
    start = settle_bare(packed.static, *packed.start)
    scratch = np.zeros((SCRATCH_ROWS, 64), dtype=np.int64)
    assert least_moves(packed.static, start[0], start[1], start[2], start[4], start[5], scratch) <= columns
    beam = Beam(packed, Relaxation(packed), 40)
    if beam.run(BUDGET) == WON:
        assert replay(board, with_safe_moves(board, beam.steps)) == beam.column_moves >= columns


@pytest.mark.parametrize("fill", FILLS)
def test_every_search_agrees_with_trying_every_line(fill, monkeypatch):
    assert check(QUICK, fill, monkeypatch) >= 60


@pytest.mark.long
@pytest.mark.parametrize("fill", FILLS)
def test_every_search_agrees_with_trying_every_line_in_thousands_of_games(fill, monkeypatch):
    assert check(LONG, fill, monkeypatch) >= 2_500


_TRACE = """
from bakers.solver.pars import BoardPar
from bakers.solver.verdicts import BoardSearch
from tests.solver.small import FILLS, small_game
for fill in FILLS:
    for number in range(6):
        board = small_game(number, fill)
        for stages in ((), ("classes",), ("relaxed", "playing"), ("beam",), ("counting",), ("open",)):
            if fill == "any" and stages not in ((), ("open",)):
                continue
            search = BoardSearch(board, only=frozenset(stages))
            search.advance(2_000)
            print(fill, number, stages, search.outcome, search.reason, search.expanded, search.trail)
        par = BoardPar(board)
        par.go_on(100)
        print(par.outcome, par.best, par.bound, par.expanded, par.trail)
"""


def test_the_kernels_do_the_same_compiled_and_as_plain_python():
    def trace(**extra: str) -> str:
        done = subprocess.run(
            [sys.executable, "-W", "error", "-c", _TRACE],
            env={**os.environ, **extra},
            capture_output=True,
            text=True,
            check=True,
        )
        return done.stdout

    plain = trace(NUMBA_DISABLE_JIT="1")
    assert plain.count("\n") > 60
    assert trace() == plain
