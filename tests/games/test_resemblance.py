"""Which positions show a deal in disguise, and that none does which doesn't."""

from __future__ import annotations

import random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from bakers.resemblance import MIN_PAIRS, appearances, pairs, resembles
from bakers.rules.cards import CARDS_BY_NAME, KING, rank_of, suit_of
from bakers.rules.deals import deal, deal_columns, deck
from bakers.rules.layouts import layout_text, parse_layout
from bakers.rules.positions import Position
from bakers.rules.variants import VARIANTS, Variant
from tests.rules.strategies import deal_numbers, variants

THIRTEEN = [variant for variant in VARIANTS.values() if variant.columns == 13]
#: A column in which nothing is a build, read from either end.
EIGHT_PAIRS = "2C 9D 5S TH 3C 7S QC 4D 8C"
choices = st.lists(st.integers(0, 2**16), max_size=12)


def cards(*columns: str) -> list[list[int]]:
    return [[CARDS_BY_NAME[name] for name in column.split()] for column in columns]


def play(position: Position, choices: list[int]) -> Position:
    """Play legal moves, each chosen by a number."""
    for choice in choices:
        moves = list(position.legal_moves)
        if not moves:
            break
        position.push(moves[choice % len(moves)])
    return position


def play_home(position: Position, most: int) -> Position:
    """Play moves of which as many as can be go home, until so many cards are there."""
    rng = random.Random(most)
    for _ in range(200):
        moves = list(position.legal_moves)
        if not moves or position.cards_home() >= most:
            break
        home = [move for move in moves if move.target < 0]
        position.push(home[0] if home else rng.choice(moves))
    return position


def lay_out(position: Position) -> tuple[list[list[int]], list[int]]:
    """Lay what has gone home on the columns again, so that it could go home at once and makes pairs with them."""
    columns, home = [list(column) for column in position.columns], list(position.foundations)
    while any(home):
        suit = home.index(max(home))
        [card] = [
            each for each in CARDS_BY_NAME.values() if (rank_of(each), suit_of(each)) == (home[suit], suit)
        ]
        fits = [column for column in columns if column and rank_of(card) + 1 != rank_of(column[-1])]
        (fits or columns)[0].append(card)
        home[suit] -= 1
    return columns, home


class TestPairs:
    def test_are_a_card_and_the_card_right_under_it(self):
        assert pairs(cards("2C 9D 5S", "", "AH")) == {
            (CARDS_BY_NAME["9D"], CARDS_BY_NAME["2C"]),
            (CARDS_BY_NAME["5S"], CARDS_BY_NAME["9D"]),
        }

    def test_are_no_builds_of_any_suit(self):
        assert pairs(cards("9D 8D", "7C 6H 5S", "AS 2S")) == {(CARDS_BY_NAME["2S"], CARDS_BY_NAME["AS"])}

    def test_are_taken_without_the_kings(self):
        assert (
            pairs(cards("KS KH 5C 7D", "QD KD"))
            == pairs(cards("5C KH 7D KS", "KD QD"))
            == pairs(cards("5C 7D"))
        )


class TestADealIsSeenThrough:
    """Whatever its own rules lead to, and whatever the order of what can be put in another order."""

    @given(variants, deal_numbers, choices)
    def test_a_few_moves(self, variant: Variant, number: int, choices: list[int]):
        dealt = deal(variant, number)

        assert resembles(play(deal(variant, number), choices).columns, dealt.columns)

    @given(variants, deal_numbers, st.lists(st.integers(0, 2**16), max_size=80))
    def test_any_number_of_moves_that_leave_enough_to_compare(self, variant, number, choices):
        dealt = deal(variant, number)
        position = play(deal(variant, number), choices)

        assert pairs(position.columns) <= pairs(dealt.columns)
        assert resembles(position.columns, dealt.columns) == (len(pairs(position.columns)) >= MIN_PAIRS)

    @given(variants, deal_numbers, choices, st.randoms(use_true_random=False))
    def test_columns_in_another_order(self, variant, number, choices, rng):
        dealt = deal(variant, number)
        columns = play(deal(variant, number), choices).columns
        rng.shuffle(columns)

        assert resembles(columns, dealt.columns)

    @given(deal_numbers, choices, st.sampled_from(THIRTEEN), st.sampled_from(THIRTEEN))
    def test_the_rules_of_another_variant(self, number, choices, one, other):
        assert resembles(play(deal(one, number), choices).columns, deal(other, number).columns)

    @given(deal_numbers, choices, st.randoms(use_true_random=False))
    def test_kings_in_another_order_and_at_any_height(self, number, choices, rng):
        variant = VARIANTS["bakers-dozen"]
        columns = [list(column) for column in play(deal(variant, number), choices).columns]
        for column in columns:
            kings = [card for card in column if rank_of(card) == KING]
            column[:] = [card for card in column if rank_of(card) != KING]
            for king in kings:
                column.insert(rng.randint(0, len(column)), king)

        assert resembles(columns, deal(variant, number).columns)

    @given(variants, deal_numbers, choices, st.permutations(range(4)))
    def test_suits_by_other_names(self, variant, number, choices, suits):
        columns = [
            [card - suit_of(card) + suits[suit_of(card)] for card in column]
            for column in play(deal(variant, number), choices).columns
        ]

        assert resembles(columns, deal(variant, number).columns)

    @given(deal_numbers, st.integers(1, 6), st.randoms(use_true_random=False))
    @settings(max_examples=50)
    def test_a_layout_with_cards_home_already(self, number, most, rng):
        variant = VARIANTS["bakers-dozen"]
        dealt = deal(variant, number)
        position = play_home(deal(variant, number), most)
        columns = list(position.columns)
        rng.shuffle(columns)
        layout = parse_layout(variant, layout_text(columns, position.foundations))

        assert resembles(layout.columns, dealt.columns)

    @given(variants, deal_numbers, st.integers(10, 16))
    @settings(max_examples=50)
    def test_a_layout_with_cards_that_were_home_laid_on_its_columns(self, variant, number, most):
        dealt = deal(variant, number)
        position = play_home(deal(variant, number), most)
        columns, home = lay_out(position)

        # Whoever laid them there is left with what they began with.
        assert appearances(Position(variant, columns, home))[-1] == appearances(position)[-1]
        looks = appearances(Position(variant, columns, home))
        assert any(resembles(each, dealt.columns) for each in looks) or len(pairs(looks[-1])) < MIN_PAIRS

    @given(deal_numbers, choices)
    def test_the_columns_of_thirteen_laid_on_each_other_as_ten(self, number, choices):
        """Good Measure takes a layout of any columns: some cards of the deal are then out of reach, most aren't."""
        dealt = deal(VARIANTS["bakers-dozen"], number)
        columns = play(deal(VARIANTS["bakers-dozen"], number), choices).columns
        ten = [[*columns[index], *(columns[10 + index] if index < 3 else ())] for index in range(10)]

        assert resembles(ten, dealt.columns)

    @given(deal_numbers)
    def test_two_columns_dealt_anew(self, number):
        variant = VARIANTS["bakers-dozen"]
        dealt = deal(variant, number).columns
        changed = [*dealt[:-2], dealt[-1][::-1], dealt[-2][::-1]]

        assert resembles(changed, dealt)


class TestAnotherDealIsNotTakenForIt:
    @given(variants, variants, st.lists(deal_numbers, min_size=2, max_size=2, unique=True), choices)
    @settings(max_examples=300)
    def test_of_another_number(self, one, other, numbers, choices):
        position = play(deal(one, numbers[0]), choices)

        assert not resembles(position.columns, deal(other, numbers[1]).columns)

    @given(deal_numbers)
    def test_of_the_same_deck_in_ten_columns(self, number):
        """Its rows are ten cards long, so that other cards lie on each other: a game of its own."""
        ten, thirteen = (deal(VARIANTS[slug], number).columns for slug in ("good-measure", "bakers-dozen"))

        assert not resembles(ten, thirteen)
        assert not resembles(thirteen, ten)

    @given(deal_numbers)
    def test_turned_upside_down(self, number):
        columns, _ = deal_columns(VARIANTS["bakers-dozen"], deck(number))

        assert not resembles([column[::-1] for column in columns], columns)

    def test_of_which_no_more_than_half_is_the_same(self):
        same, other = cards(EIGHT_PAIRS, "AC 6D JC 3H 8S 5D TC 2H 9S")
        dealt = [same, other[::-1]]

        assert len(pairs([same, other])) == 2 * len(pairs([same])) == 16
        assert not resembles([same, other], dealt)
        assert resembles([same, other[:-1]], dealt)

    def test_of_which_too_little_is_left(self):
        [column] = cards(EIGHT_PAIRS)

        assert resembles([column], [column])
        assert not resembles([column[:-1]], [column])

    @pytest.mark.parametrize("columns", [[], [[]], [[0], [1]]])
    def test_of_nothing(self, columns):
        assert not resembles(columns, columns)
