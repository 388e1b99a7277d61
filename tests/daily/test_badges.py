"""Badges: what they are given for, and that they go when the results go that they were given for."""

from __future__ import annotations

import pytest

from accounts.models import Statistics, User
from bakers.rules.variants import VARIANTS
from daily import badges, results
from daily.models import Board, Result
from tests.daily.days import VARIANT, at
from tests.daily.past import PAR, make_boards, play_days, player

pytestmark = pytest.mark.django_db
TODAY = 424


@pytest.fixture(autouse=True)
def _noon(frozen_clock):
    frozen_clock.time = at("2027-02-28 12:00")


@pytest.fixture
def ann() -> User:
    return player("Ann")


def held(user: User) -> dict[str, str]:
    """Return the badges that a player has, and how they came by each."""
    rows = list(Statistics.objects.filter(user=user))
    return {
        each.slug: each.held for each in badges.read_badges(user_id=user.pk, statistics=rows) if each.held
    }


def streak_badges(user: User) -> set[str]:
    return {slug for slug in held(user) if slug.startswith("streak-")}


def test_who_has_won_nothing_has_none(ann):
    assert held(ann) == {}
    play_days(ann, range(1, 40), won=False)
    assert held(ann) == {}


@pytest.mark.parametrize("milestone", badges.MILESTONES)
def test_so_many_days_in_a_row_and_not_one_less(ann, milestone):
    slugs = {f"streak-{days}" for days in badges.MILESTONES if days < milestone}
    play_days(ann, range(1, milestone))
    assert streak_badges(ann) == slugs
    play_days(ann, [milestone])
    assert streak_badges(ann) == {*slugs, f"streak-{milestone}"}


def test_days_in_a_row_are_those_of_one_variant(ann):
    play_days(ann, range(1, 5))
    play_days(ann, range(5, 9), "good-measure")
    assert streak_badges(ann) == set()
    play_days(ann, range(9, 12), "good-measure")
    assert held(ann)["streak-7"] == "Good Measure"


def test_a_streak_that_ended_keeps_its_badge(ann):
    play_days(ann, range(1, 8))
    play_days(ann, [20])
    assert held(ann)["streak-7"] == "Baker’s Dozen"


def test_a_day_of_each_variant(ann):
    for count, variant in enumerate(VARIANTS, 1):
        play_days(ann, range(10 * count, 11 * count), variant)
        assert len([slug for slug in held(ann) if slug.startswith("variant-")]) == count
    assert held(ann)["variant-bakers-dozen"] == "1 day won"
    assert held(ann)["variant-original-1883"] == "2 days won"


def test_ranked_and_casual_wins_give_none(ann):
    for kind in ("ranked", "casual"):
        Statistics.objects.create(
            user=ann, variant=VARIANT, kind=kind, played=400, won=400, streak=400, best_streak=400
        )
    assert held(ann) == {}


@pytest.mark.parametrize(("moves", "has_it"), [(PAR - 1, True), (PAR, True), (PAR + 1, False)])
def test_par_is_met_in_as_many_moves_or_fewer(ann, moves, has_it):
    play_days(ann, [1], moves=moves)
    assert ("par" in held(ann)) is has_it


def test_par_that_is_not_known_is_not_met(ann):
    make_boards([1], par=None, par_proven=False)
    play_days(ann, [1], moves=52)
    assert "par" not in held(ann)


def test_par_counts_once_it_is_for_everybody_to_know(ann, frozen_clock):
    play_days(ann, [TODAY], moves=PAR)
    assert "par" not in held(ann)
    frozen_clock.time = at("2027-03-01 01:59")
    assert "par" not in held(ann)
    frozen_clock.time = at("2027-03-01 02:00")
    assert held(ann)["par"] == "1 board"


def test_all_five_in_a_day(ann):
    *most, last = VARIANTS
    for variant in most:
        play_days(ann, [1, 2], variant)
    play_days(ann, [3], last)
    play_days(ann, [1], last, won=False)
    assert "five" not in held(ann)
    play_days(ann, [2], last)
    assert held(ann)["five"] == "1 day"


def test_badges_go_with_what_they_were_given_for(ann):
    for variant in VARIANTS:
        play_days(ann, range(1, 8), variant, moves=PAR)
    assert set(held(ann)) == {"streak-7", "par", "five", *(f"variant-{slug}" for slug in VARIANTS)}
    for variant in VARIANTS:
        results.delete_result(Result.objects.get(user=ann, variant=variant, number=4))
    assert streak_badges(ann) == set()
    for row in Result.objects.filter(user=ann).exclude(variant=VARIANT):
        results.delete_result(row)
    assert held(ann) == {"variant-bakers-dozen": "6 days won", "par": "6 boards"}
    Board.objects.update(par=PAR - 1)
    assert set(held(ann)) == {"variant-bakers-dozen"}
    for row in Result.objects.filter(user=ann):
        results.delete_result(row)
    assert held(ann) == {}


def test_they_are_everybody_s_own(ann):
    play_days(player("Ben"), range(1, 8), moves=PAR)
    assert held(ann) == {}


def test_they_cost_two_queries_however_many_results(ann, django_assert_num_queries):
    for variant in VARIANTS:
        play_days(ann, range(1, 100), variant)
    rows = list(Statistics.objects.filter(user=ann))
    with django_assert_num_queries(2):
        badges.read_badges(user_id=ann.pk, statistics=rows)
