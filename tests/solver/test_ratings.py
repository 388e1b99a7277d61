"""How hard deals are."""

from __future__ import annotations

import statistics
from collections import Counter

import pytest

from bakers.rules.deals import deal
from bakers.rules.positions import Position
from bakers.rules.variants import VARIANTS
from bakers.solver import decide, rate
from bakers.solver.ratings import LIMITS, NAMES
from tests.solver.decks import listed

FIRST = 6_000_001


@pytest.mark.parametrize("variant", VARIANTS.values(), ids=VARIANTS)
def test_each_level_holds_its_share_of_deals_and_has_a_name(variant):
    ratings = [rating for number in range(FIRST, FIRST + 120) if (rating := rate(deal(variant, number)))]
    shares = Counter(rating.level for rating in ratings)
    assert set(shares) == {1, 2, 3, 4, 5}
    assert all(0.08 <= count / len(ratings) <= 0.37 for count in shares.values()), shares
    assert all(rating.name == NAMES[rating.level - 1] for rating in ratings)
    assert list(LIMITS[variant.slug]) == sorted(LIMITS[variant.slug])


@pytest.mark.long
@pytest.mark.parametrize("variant", VARIANTS.values(), ids=VARIANTS)
def test_each_level_holds_between_a_tenth_and_a_third_of_a_thousand_deals(variant):
    ratings = [rating for number in range(FIRST, FIRST + 1_000) if (rating := rate(deal(variant, number)))]
    shares = Counter(rating.level for rating in ratings)
    assert all(0.1 <= shares[level] / len(ratings) <= 0.35 for level in range(1, 6)), shares


def test_harder_levels_take_more_moves_and_more_expansions():
    variant = VARIANTS["bakers-dozen"]
    effort: dict[int, list[int]] = {level: [] for level in range(1, 6)}
    moves: dict[int, list[int]] = {level: [] for level in range(1, 6)}
    for number in range(FIRST, FIRST + 200):
        rating = rate(deal(variant, number))
        if rating is not None:
            effort[rating.level].append(decide(deal(variant, number)).expanded)
            moves[rating.level].append(rating.column_moves)
    for by_level in (effort, moves):
        medians = [statistics.median(by_level[level]) for level in range(1, 6)]
        assert medians == sorted(medians)
        assert medians[0] < medians[4]


def test_a_rating_is_the_same_each_time():
    for variant in VARIANTS.values():
        assert rate(deal(variant, 7)) == rate(deal(variant, 7))


def test_what_is_lost_or_not_decided_has_no_rating():
    for position, row in listed("bakers-dozen", "bakers-dozen_hard"):
        if row["verdict"] == "lost":
            assert rate(position) is None
    assert rate(deal(VARIANTS["bakers-dozen"], 1), budget=1) is None


def test_a_finished_game_is_easy():
    variant = VARIANTS["good-measure"]
    rating = rate(Position(variant, [[] for _ in range(variant.columns)], (13, 13, 13, 13)))
    assert rating is not None
    assert (rating.level, rating.column_moves) == (1, 0)
