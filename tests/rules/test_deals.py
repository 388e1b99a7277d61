"""Deal numbers and dealing."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from bakers.rules.cards import FULL_DECK, KING, make_card, rank_of, suit_of
from bakers.rules.deals import LAST_DEAL_NUMBER, deal, deal_columns, deck, parse_deal_number, sink_kings
from bakers.rules.errors import UnreadableError
from bakers.rules.variants import BAKERS_DOZEN, GOOD_MEASURE, ORIGINAL_1883, VARIANTS

from . import naive
from .strategies import deal_numbers, variants
from .tables import cards, naive_form, value_or_error

packs = st.permutations(range(52))


class TestDealNumbers:
    @pytest.mark.parametrize(
        ("value", "number"),
        [
            ("1", 1),
            (1, 1),
            ("477", 477),
            ("0000000000000000000000001", 1),
            ("99999999999999999999", LAST_DEAL_NUMBER),
            (LAST_DEAL_NUMBER, LAST_DEAL_NUMBER),
        ],
    )
    def test_digits_and_integers_are_read(self, value: str | int, number: int) -> None:
        assert parse_deal_number(value) == number

    @pytest.mark.parametrize(
        "value",
        [
            "",
            " 1",
            "1 ",
            "+1",
            "-1",
            "1.0",
            "1e3",
            "1_000",
            "0x10",
            "٣",
            "１",
            "²",
            "①",
            "1\x00",
            "\u200f1",
            "1" * 26,
            "9" * 100_000,
        ],
    )
    def test_what_is_not_written_in_digits_is_refused(self, value: str) -> None:
        with pytest.raises(UnreadableError) as caught:
            parse_deal_number(value)
        assert caught.value.reason == "A deal number is a whole number, written in digits."
        assert len(caught.value.token) <= 20

    @pytest.mark.parametrize(
        "value", ["0", "00", "100000000000000000000", 0, -1, LAST_DEAL_NUMBER + 1, True, False, -(10**30)]
    )
    def test_numbers_outside_the_range_are_refused(self, value: str | int) -> None:
        with pytest.raises(UnreadableError) as caught:
            parse_deal_number(value)
        assert caught.value.reason == "Deal numbers go from 1 to 99999999999999999999."
        assert caught.value.token

    @pytest.mark.parametrize("sign", [1, -1])
    def test_an_integer_too_long_to_be_written_out_is_refused_too(self, sign: int) -> None:
        with pytest.raises(UnreadableError, match="Deal numbers go from 1"):
            parse_deal_number(sign * 10**5_000)

    @given(st.text(max_size=30) | st.text("0123456789", max_size=30) | st.integers())
    def test_any_text_or_integer_is_a_deal_number_or_unreadable(self, value: str | int) -> None:
        number = value_or_error(parse_deal_number, value)
        if isinstance(number, UnreadableError):
            assert number.reason.endswith(".")
        else:
            assert 1 <= number <= LAST_DEAL_NUMBER
            assert number == int(value)


class TestDealing:
    @settings(deadline=None, max_examples=50)
    @given(deal_numbers)
    def test_a_deck_is_the_whole_pack_and_always_the_same(self, number: int) -> None:
        assert set(deck(number)) == FULL_DECK
        assert deck(number) == deck(number)

    @settings(deadline=None, max_examples=50)
    @given(variants, deal_numbers)
    def test_a_deal_lies_as_the_naive_counter_deals_it(self, variant, number) -> None:
        assert naive_form(deal(variant, number)) == naive.deal(variant.slug, number)

    @given(variants, packs)
    def test_dealing_uses_each_card_once_and_fills_the_columns_evenly(self, variant, pack) -> None:
        columns, foundations = deal_columns(variant, pack)
        assert [len(column) for column in columns] == [variant.column_size] * variant.columns
        home = [make_card(1, suit) for suit in range(4) if foundations[suit]]
        assert sorted([card for column in columns for card in column] + home) == list(range(52))

    @given(packs)
    def test_cards_go_row_by_row(self, pack) -> None:
        columns, foundations = deal_columns(ORIGINAL_1883, pack)
        assert [columns[place % 13][place // 13] for place in range(52)] == pack
        assert foundations == [0, 0, 0, 0]

    @given(packs)
    def test_the_original_deals_what_is_sunk_in_the_others(self, pack) -> None:
        covered, _ = deal_columns(ORIGINAL_1883, pack)
        opened, _ = deal_columns(BAKERS_DOZEN, pack)
        assert [sink_kings(column) for column in covered] == opened

    @given(packs)
    def test_good_measure_starts_with_the_first_two_aces_met_and_no_others(self, pack) -> None:
        columns, foundations = deal_columns(GOOD_MEASURE, pack)
        aces = [card for card in pack if rank_of(card) == 1]
        assert [foundations[suit_of(ace)] for ace in aces] == [1, 1, 0, 0]
        dealt = [card for card in pack if card not in aces[:2]]
        assert columns == [sink_kings(dealt[first::10]) for first in range(10)]

    def test_the_table_of_each_variant_differs_only_where_its_rule_does(self) -> None:
        bakers, _, _, spanish, portuguese = [deal(variant, 477) for variant in VARIANTS.values()]
        assert bakers.columns == spanish.columns == portuguese.columns


class TestSinkingKings:
    @given(st.lists(st.integers(0, 51), unique=True, max_size=13))
    def test_kings_come_first_and_each_kind_keeps_its_order(self, column: list[int]) -> None:
        sunk = sink_kings(column)
        kings = [card for card in column if rank_of(card) == KING]
        assert sunk[: len(kings)] == kings
        assert sunk[len(kings) :] == [card for card in column if rank_of(card) != KING]
        assert sink_kings(sunk) == sunk

    def test_the_column_given_stays_as_it_was(self) -> None:
        column = cards("5C KH 7D KS")
        sink_kings(column)
        assert column == cards("5C KH 7D KS")
