"""Verdicts on whole decks, against lists that other programs made."""

from __future__ import annotations

import csv

import pytest

from bakers.rules.cards import CARDS_BY_NAME
from bakers.rules.deals import deal, deal_columns
from bakers.rules.positions import Position
from bakers.rules.variants import BAKERS_DOZEN, ORIGINAL_1883, SPANISH_PATIENCE, VARIANTS, Variant
from bakers.solver import Outcome, Reason, decide
from tests.conftest import DATA

CASES = DATA / "cases"
#: How many decks of each list are tried; the others are under the long mark.
TRIED = {"bakers-dozen": 120, "good-measure": 50, "portuguese-solitaire": 60, "spanish-patience": 100}


def _rows(name: str) -> list[dict[str, str]]:
    with (CASES / f"{name}.csv").open() as file:
        return list(csv.DictReader(file))


def _position(variant: Variant, cards: str) -> Position:
    deck = [CARDS_BY_NAME[cards[start : start + 2]] for start in range(0, len(cards), 2)]
    return Position.dealt(variant, *deal_columns(variant, deck))


def _assert_no_contradiction(variant: Variant, rows: list[dict[str, str]], budget: int) -> int:
    """Decide each deck, replay what is won, and return how many stayed open."""
    left_open = 0
    for row in rows:
        position = _position(variant, row["deck"])
        before = position.text()
        verdict = decide(position, budget)
        assert position.text() == before
        assert verdict.expanded <= budget
        if verdict.outcome is Outcome.UNKNOWN:
            left_open += 1
            continue
        assert verdict.outcome == row["verdict"], row["deck"]
        if verdict.outcome is Outcome.WON:
            assert verdict.line is not None
            position.play_line(verdict.line)
            assert position.is_won()
        else:
            assert verdict.line is None
            assert verdict.explain()
    return left_open


@pytest.mark.parametrize("slug", TRIED)
def test_verdicts_agree_with_the_lists(slug: str) -> None:
    rows = _rows(f"{slug}_verdicts")
    lost = [row for row in rows if row["verdict"] == "lost"]
    assert _assert_no_contradiction(VARIANTS[slug], rows[: TRIED[slug]] + lost[:15], 300_000) <= 1


@pytest.mark.long
@pytest.mark.parametrize("slug", TRIED)
def test_verdicts_agree_with_the_whole_lists(slug: str) -> None:
    # How many are open within the budget is a figure for a benchmark; a contradiction is a fault.
    _assert_no_contradiction(VARIANTS[slug], _rows(f"{slug}_verdicts"), 300_000)


def test_the_hard_decks_are_all_decided() -> None:
    assert _assert_no_contradiction(BAKERS_DOZEN, _rows("bakers-dozen_hard"), 1_000_000) == 0


@pytest.mark.parametrize("number", [1, 2, 33, 477, 31999])
def test_original_1883_has_the_verdict_of_the_open_game_and_a_line_of_its_own(number: int) -> None:
    covered, seen = deal(ORIGINAL_1883, number), deal(BAKERS_DOZEN, number)
    verdict = decide(covered)
    assert verdict.outcome == decide(seen).outcome
    if verdict.line is not None:
        covered.play_line(verdict.line)
        assert covered.is_won()


def test_a_position_that_is_won_already_needs_no_line() -> None:
    verdict = decide(Position(BAKERS_DOZEN, [[] for _ in range(13)], (13, 13, 13, 13)))
    assert (verdict.outcome, verdict.line) == (Outcome.WON, [])


def test_a_budget_that_is_spent_is_unknown_and_says_why() -> None:
    hard = _position(BAKERS_DOZEN, _rows("bakers-dozen_hard")[0]["deck"])
    verdict = decide(hard, 50)
    assert (verdict.outcome, verdict.line, verdict.reason) == (Outcome.UNKNOWN, None, Reason.BUDGET)
    assert verdict.expanded <= 50


def test_a_search_can_be_cancelled_and_knows_deadlines() -> None:
    hard = _position(BAKERS_DOZEN, _rows("bakers-dozen_hard")[1]["deck"])
    assert decide(hard, cancelled=lambda: True).reason is Reason.CANCELLED
    assert decide(hard, deadline=0.0).reason is Reason.DEADLINE


@pytest.mark.parametrize("variant", [BAKERS_DOZEN, SPANISH_PATIENCE], ids=lambda variant: variant.slug)
def test_the_same_question_gets_the_same_answer(variant: Variant) -> None:
    first, second = (decide(deal(variant, 12345)) for _ in range(2))
    assert (first.outcome, first.line, first.expanded) == (second.outcome, second.line, second.expanded)
