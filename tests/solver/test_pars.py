"""Short lines and par."""

from __future__ import annotations

import pytest

from bakers.rules.deals import deal
from bakers.rules.variants import VARIANTS
from bakers.solver import Outcome, ParSearch, shortest
from bakers.solver.shortest import ASK_LIMIT
from bakers.solver.slices import SLICE
from tests.solver.decks import listed


def _check(position, row, budget):
    par = shortest(position, budget)
    assert (par.line is None) == (par.moves is None)
    if row["verdict"] == "lost":
        assert par.line is None
        return False
    fewest = int(row["fewest_column_moves_known"]) + 52 - position.cards_home()
    assert par.lower_bound <= fewest
    if par.moves is not None and row["proven"] == "1":
        assert par.moves >= fewest
    assert not par.proven or par.moves == par.lower_bound
    return par.proven


def test_par_agrees_with_the_proven_pars_of_the_list():
    known = [case for case in listed("bakers-dozen") if case[1]["fewest_column_moves_known"]][:16]
    assert sum(_check(position, row, 200_000) for position, row in known) >= 5


@pytest.mark.long
def test_par_agrees_with_the_list_when_it_has_time():
    known = [case for case in listed("bakers-dozen") if case[1]["fewest_column_moves_known"]][:100]
    assert sum(_check(position, row, 3_000_000) for position, row in known) >= 80


@pytest.mark.parametrize("variant", VARIANTS.values(), ids=VARIANTS)
def test_short_lines_win_in_their_own_variant(variant):
    for number in range(1, 5):
        position = deal(variant, number)
        par = shortest(position, 50_000)
        if par.line is None:
            assert par.outcome is not Outcome.WON
            continue
        assert par.moves == len(par.line) >= par.lower_bound
        position.play_line(par.line)
        assert position.is_won()


@pytest.mark.parametrize("variant", VARIANTS.values(), ids=VARIANTS)
def test_par_is_the_same_however_its_budget_is_given(variant):
    for number in range(2, 6):
        piecewise = ParSearch(deal(variant, number))
        for budget in (1, 50, 333, 1_000, 4_321, 9_999, 20_000):
            par = piecewise.advance(budget)
        at_once = shortest(deal(variant, number), 20_000)
        assert (par.line, par.lower_bound, par.proven, par.expanded) == (
            at_once.line,
            at_once.lower_bound,
            at_once.proven,
            at_once.expanded,
        )


def test_a_cancel_stops_the_search_for_par_between_slices_and_keeps_what_was_found():
    asked = []

    def cancelled():
        asked.append(True)
        return len(asked) > 5

    search = ParSearch(deal(VARIANTS["bakers-dozen"], 3))
    par = search.advance(10_000_000, cancelled=cancelled)
    # A question about R* may be answered to its end.
    assert 0 < par.expanded <= 5 * SLICE + ASK_LIMIT
    assert not par.proven
    assert search.advance(300_000).expanded > par.expanded


def test_more_budget_goes_on_where_the_search_was_and_never_makes_the_line_longer():
    search = ParSearch(deal(VARIANTS["bakers-dozen"], 3))
    shorter = search.advance(10_000)
    longer = search.advance(300_000)
    assert longer.expanded > shorter.expanded
    assert shorter.moves is not None
    assert longer.moves is not None
    assert longer.moves <= shorter.moves
    assert longer.lower_bound >= shorter.lower_bound
