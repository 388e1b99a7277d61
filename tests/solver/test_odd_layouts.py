"""Layouts that no deal has: each is decided like any other, and never wrongly."""

from __future__ import annotations

import random

import pytest

from bakers.rules.cards import FULL_DECK
from bakers.rules.deals import deal
from bakers.rules.moves import HOME, Move
from bakers.rules.positions import Position
from bakers.rules.variants import ORIGINAL_1883, VARIANTS, Fill
from bakers.solver import Outcome, Reason, decide, reference, shortest
from bakers.solver.board import Board
from tests.solver.odd import odd_position

QUICK, LONG = range(60), range(60, 2_000)
EACH = pytest.mark.parametrize("variant", VARIANTS.values(), ids=VARIANTS)


def _known(board, positions, states):
    """What the reference says within so many positions, or, of a loss, abstract states; None if nothing."""
    try:
        line, _ = reference.best_first(board, positions)
    except reference.OutOfBudgetError:
        if board.fill is Fill.ANY:
            return None
    else:
        return Outcome.LOST if line is None else Outcome.WON
    try:
        winnable, _ = reference.relaxed_search(board, states)
    except reference.OutOfBudgetError:
        return None
    return None if winnable else Outcome.LOST


def _agree(variant, numbers, positions):
    compared = 0
    for number in numbers:
        position = odd_position(variant, number)
        verdict = decide(position, 20_000)
        assert (verdict.line is not None) == (verdict.outcome is Outcome.WON)
        if verdict.line is not None:
            played = position.copy()
            played.play_line(verdict.line)
            assert played.is_won(), repr(position)
        known = _known(Board.of(position), positions, 3 * positions)
        compared += known is not None and verdict.outcome is not Outcome.UNKNOWN
        assert known is None or verdict.outcome in (known, Outcome.UNKNOWN), repr(position)
        par = shortest(position, 2_000)
        assert Outcome.UNKNOWN in (par.outcome, verdict.outcome) or par.outcome is verdict.outcome
        assert par.moves is None or 52 - position.cards_home() <= par.lower_bound <= par.moves
    return compared


@EACH
def test_heaps_and_half_sorted_columns_are_judged_as_the_reference_judges_them(variant):
    assert _agree(variant, QUICK, 200) >= 0.9 * len(QUICK)


@pytest.mark.long
@EACH
def test_thousands_of_odd_layouts_are_judged_as_the_reference_judges_them(variant):
    assert _agree(variant, LONG, 2_000) >= 0.95 * len(LONG)


@EACH
def test_a_finished_game_is_won_by_no_moves(variant):
    position = Position(variant, [[] for _ in range(variant.columns)], (13, 13, 13, 13))
    verdict = decide(position)
    assert (verdict.outcome, verdict.line, verdict.reason) == (Outcome.WON, [], Reason.LINE)
    par = shortest(position)
    assert (par.line, par.moves, par.proven, par.lower_bound) == ([], 0, True, 0)


@EACH
def test_the_last_card_goes_home(variant):
    for column in range(variant.columns):
        columns: list[list[int]] = [[] for _ in range(variant.columns)]
        columns[column] = [51]
        position = Position.dealt(variant, columns, (13, 13, 13, 12))
        assert decide(position).line == shortest(position).line == [Move(column, HOME)]


@EACH
def test_a_deck_in_one_column_goes_home_when_aces_are_on_top_and_else_needs_empty_columns(variant):
    aces_last = sorted(FULL_DECK, reverse=True)
    others: list[list[int]] = [[] for _ in range(variant.columns - 1)]
    assert decide(Position(variant, [aces_last, *others])).outcome is Outcome.WON
    par = shortest(Position(variant, [aces_last, *others]))
    assert (par.moves, par.proven) == (52, True)
    # The other way, kings first go where they may go at all, and the rest on them.
    kings_last = Position(variant, [aces_last[::-1], *others])
    outcome = Outcome.LOST if variant.fill is Fill.NONE else Outcome.WON
    assert decide(kings_last).outcome is shortest(kings_last, 20_000).outcome is outcome


@EACH
def test_a_stump_of_forty_cards_is_searched_exactly(variant):
    # One heap of whatever is left, and a card in every other column; the packed depths must not run into each other.
    for number in range(30):
        source = random.Random(number)
        deck = sorted(FULL_DECK)
        source.shuffle(deck)
        columns = [[card] for card in deck[: variant.columns - 1]] + [deck[variant.columns - 1 :]]
        position = Position.dealt(variant, columns)
        verdict = decide(position, 5_000)
        known = _known(Board.of(position), 100, 400)
        assert known is None or verdict.outcome in (known, Outcome.UNKNOWN), repr(position)


def test_the_foreseen_order_of_covered_cards_is_that_in_which_they_turn_up():
    for number in range(300):
        position = odd_position(ORIGINAL_1883, number) if number % 2 else deal(ORIGINAL_1883, number + 1)
        foreseen = Board.of(position).columns
        for index, column in enumerate(foreseen):
            taken = position.copy()
            for card in reversed(column):
                assert taken.columns[index][-1] == card, repr(position)
                taken.push(Move(index, HOME))
            assert not taken.columns[index]
