"""How hard deals are."""

from __future__ import annotations

import random
import statistics
from collections import Counter

import pytest

from bakers.rules.deals import deal
from bakers.rules.moves import HOME
from bakers.rules.positions import Position
from bakers.rules.variants import VARIANTS
from bakers.solver import decide, rate
from bakers.solver.board import Board
from bakers.solver.ratings import LIMITS, NAMES, SUIT_ORDERS, WEIGHT, rate_won, with_suits
from tests.solver.decks import listed, with_other_names

FIRST = 6_000_001
#: Levels of the deals from number 1 on; a hyphen stands for one that is lost. Boards are stored with their levels, so
#: a change here is a change of what they say.
LEVELS = {
    "bakers-dozen": "224114532541352435554213332532",
    "original-1883": "224114532541352435554213332532",
    "good-measure": "-45-13-44331-5214545-12-221531",
    "spanish-patience": "235115532442252535555513342532",
    "portuguese-solitaire": "224114532541452435554213332532",
}

of_each_variant = pytest.mark.parametrize("variant", VARIANTS.values(), ids=VARIANTS)


def ratings_of(variant, count):
    """The ratings of deals that have one, by deal number."""
    numbers = range(FIRST, FIRST + count)
    return {number: found for number in numbers if (found := rate(deal(variant, number))) is not None}


class TestLevels:
    @of_each_variant
    def test_each_level_holds_its_share_of_deals_and_has_a_name(self, variant):
        ratings = ratings_of(variant, 120).values()
        shares = Counter(rating.level for rating in ratings)
        assert set(shares) == {1, 2, 3, 4, 5}
        assert all(0.08 <= count / len(ratings) <= 0.37 for count in shares.values()), shares
        assert all(rating.name == NAMES[rating.level - 1] for rating in ratings)

    @pytest.mark.long
    @of_each_variant
    def test_each_level_holds_between_a_tenth_and_a_third_of_a_thousand_deals(self, variant):
        ratings = ratings_of(variant, 1_000).values()
        shares = Counter(rating.level for rating in ratings)
        assert all(0.1 <= shares[level] / len(ratings) <= 0.35 for level in range(1, 6)), shares

    @of_each_variant
    def test_a_level_lies_between_its_limits(self, variant):
        limits = (-1.0, *LIMITS[variant.slug], 1_000.0)
        assert list(limits) == sorted(set(limits))
        for rating in ratings_of(variant, 60).values():
            assert limits[rating.level - 1] < rating.score <= limits[rating.level]

    def test_harder_levels_take_more_moves_and_more_expansions(self):
        variant = VARIANTS["bakers-dozen"]
        effort: dict[int, list[int]] = {level: [] for level in range(1, 6)}
        moves: dict[int, list[int]] = {level: [] for level in range(1, 6)}
        for number, rating in ratings_of(variant, 200).items():
            effort[rating.level].append(decide(deal(variant, number)).expanded)
            moves[rating.level].append(rating.least_moves)
        for by_level in (effort, moves):
            medians = [statistics.median(by_level[level]) for level in range(1, 6)]
            assert medians == sorted(medians)
            assert medians[0] < medians[4]


class TestScores:
    @of_each_variant
    def test_a_score_is_the_bound_and_the_logarithm_of_the_states(self, variant):
        number, rating = next(iter(ratings_of(variant, 20).items()))
        assert rating.score == rating.least_moves + WEIGHT * rating.states
        line = decide(deal(variant, number)).line
        assert line is not None
        assert 0 < rating.least_moves <= sum(move.target != HOME for move in line)
        assert rating.states > 0

    @of_each_variant
    def test_a_rating_is_the_same_each_time(self, variant):
        ratings = ratings_of(variant, 10)
        assert ratings == ratings_of(variant, 10)
        assert all(rate_won(deal(variant, number)) == rating for number, rating in ratings.items())

    @of_each_variant
    def test_the_order_of_columns_and_the_names_of_suits_change_nothing(self, variant):
        for number, rating in ratings_of(variant, 40).items():
            other = with_other_names(deal(variant, number), seed=number)
            assert other.columns != deal(variant, number).columns
            assert rate_won(other) == rating

    @of_each_variant
    def test_half_of_the_searches_say_nearly_the_same(self, variant):
        source = random.Random(5)
        ratings = ratings_of(variant, 100)
        halved = {
            number: rate_won(deal(variant, number), source.sample(SUIT_ORDERS, 12)) for number in ratings
        }
        assert sum(ratings[number].level == halved[number].level for number in ratings) >= 0.93 * len(ratings)
        assert all(abs(ratings[number].level - halved[number].level) <= 1 for number in ratings)
        assert any(ratings[number].score != halved[number].score for number in ratings)

    def test_suits_are_renamed_on_columns_and_foundations_alike(self):
        board = Board(columns=((51, 4), (8, 9, 10)), foundations=(1, 2, 3, 0))
        renamed = with_suits(board, (2, 0, 3, 1))
        assert renamed.columns == ((49, 6), (10, 8, 11))
        assert renamed.foundations == (2, 0, 1, 3)
        assert {with_suits(board, order).foundations for order in SUIT_ORDERS} == {
            with_suits(renamed, order).foundations for order in SUIT_ORDERS
        }


class TestKnownPositions:
    @pytest.mark.parametrize(("slug", "levels"), LEVELS.items())
    def test_the_levels_of_the_first_deals_stay_what_they_are(self, slug, levels):
        ratings = [rate(deal(VARIANTS[slug], number)) for number in range(1, len(levels) + 1)]
        assert "".join("-" if rating is None else str(rating.level) for rating in ratings) == levels

    def test_what_is_lost_or_not_decided_has_no_rating(self):
        for position, row in listed("bakers-dozen", "bakers-dozen_hard"):
            if row["verdict"] == "lost":
                assert rate(position) is None
        assert rate(deal(VARIANTS["bakers-dozen"], 1), budget=1) is None

    @of_each_variant
    def test_a_finished_game_is_easy(self, variant):
        rating = rate(Position(variant, [[] for _ in range(variant.columns)], (13, 13, 13, 13)))
        assert rating is not None
        assert (rating.level, rating.least_moves) == (1, 0)

    def test_suits_in_order_are_easy(self):
        variant = VARIANTS["spanish-patience"]
        # Each column holds the next cards of a suit, the lowest on top.
        cards = [rank * 4 + suit for suit in range(4) for rank in range(13)]
        columns = [cards[place : place + 4][::-1] for place in range(0, 52, 4)]
        random.Random(4).shuffle(columns)
        rating = rate(Position(variant, columns))
        assert rating is not None
        assert (rating.level, rating.name, rating.least_moves) == (1, "easy", 0)
