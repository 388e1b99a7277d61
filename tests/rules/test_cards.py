"""Cards and their names."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bakers.rules.cards import (
    CARD_NAMES,
    FULL_DECK,
    RANKS,
    SUITS,
    card_name,
    make_card,
    names,
    parse_card,
    rank_of,
    rank_with_article,
    shorten,
    suit_of,
)
from bakers.rules.errors import UnreadableError

from .tables import value_or_error


def test_a_card_is_made_from_its_rank_and_suit_and_gives_both_back() -> None:
    made = {make_card(rank, suit) for rank in range(1, 14) for suit in range(4)}
    assert made == FULL_DECK == set(range(52))
    for card in FULL_DECK:
        assert make_card(rank_of(card), suit_of(card)) == card
        assert card_name(card) == RANKS[rank_of(card) - 1] + SUITS[suit_of(card)]


def test_every_name_is_read_as_its_card() -> None:
    assert len(set(CARD_NAMES)) == 52
    for card in FULL_DECK:
        assert parse_card(card_name(card)) == card


def test_several_cards_are_named_with_spaces_between_them() -> None:
    assert names([parse_card("TH"), parse_card("AC")]) == "TH AC"
    assert names([]) == ""


@pytest.mark.parametrize(
    ("text", "name"),
    [
        ("10H", "TH"),
        ("10h", "TH"),
        ("th", "TH"),
        ("Th", "TH"),
        ("tH", "TH"),
        (" 7c ", "7C"),
        ("\t7C\r\n", "7C"),
        ("A♣", "AC"),
        ("a♦", "AD"),
        ("10♥", "TH"),
        ("k♠", "KS"),
        ("Q♧", "QC"),
        ("Q♢", "QD"),
        ("Q♡", "QH"),
        ("Q♤", "QS"),
        ("5♥\ufe0f", "5H"),
        ("5♠\ufe0e", "5S"),
        ("\u00a05S", "5S"),
    ],
)
def test_other_ways_to_write_a_card_are_read(text: str, name: str) -> None:
    assert card_name(parse_card(text)) == name


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("", "“” is no card: a card ends in its suit, C, D, H or S."),
        ("7", "“7” is no card: a card ends in its suit, C, D, H or S."),
        ("1Z", "“1Z” is no card: a card ends in its suit, C, D, H or S."),
        ("H7", "“H7” is no card: a card ends in its suit, C, D, H or S."),
        ("7h8c9d", "“7h8c9d” is no card: the rank is one of A 2 3 4 5 6 7 8 9 T J Q K."),
        ("1H", "“1H” is no card: the rank is one of A 2 3 4 5 6 7 8 9 T J Q K."),
        ("11H", "“11H” is no card: the rank is one of A 2 3 4 5 6 7 8 9 T J Q K."),
        ("0C", "“0C” is no card: the rank is one of A 2 3 4 5 6 7 8 9 T J Q K."),
        ("H", "“H” is no card: the rank is one of A 2 3 4 5 6 7 8 9 T J Q K."),
        ("##", "“##” is no card: a card ends in its suit, C, D, H or S."),
        ("7\x00H", "“7�H” is no card: the rank is one of A 2 3 4 5 6 7 8 9 T J Q K."),
        ("\u200f7H", "“�7H” is no card: the rank is one of A 2 3 4 5 6 7 8 9 T J Q K."),
        ("٧H", "“٧H” is no card: the rank is one of A 2 3 4 5 6 7 8 9 T J Q K."),
        ("７H", "“７H” is no card: the rank is one of A 2 3 4 5 6 7 8 9 T J Q K."),
        ("aſ", "“aſ” is no card: a card ends in its suit, C, D, H or S."),
    ],
)
def test_what_is_no_card_is_refused_with_the_part_that_is_wrong(text: str, reason: str) -> None:
    with pytest.raises(UnreadableError) as caught:
        parse_card(text)
    assert caught.value.reason == str(caught.value) == reason
    assert caught.value.token == text


def test_a_long_text_is_quoted_in_short() -> None:
    with pytest.raises(UnreadableError) as caught:
        parse_card("x" * 10_000)
    assert len(caught.value.reason) < 100
    assert shorten("x" * 30) == "x" * 19 + "…"
    assert shorten("x" * 20) == "x" * 20
    assert shorten("a\x1b[31mb\u202e") == "a�[31mb�"


def test_ranks_are_named_with_the_article_that_is_spoken() -> None:
    assert [rank_with_article(rank) for rank in (1, 7, 8, 10, 11, 13)] == [
        "an ace",
        "a 7",
        "an 8",
        "a 10",
        "a jack",
        "a king",
    ]


@given(st.text(max_size=8) | st.text("A23456789TJQK10cdhsCDHS♥♠\ufe0f ", max_size=5))
def test_any_text_is_a_card_or_unreadable(text: str) -> None:
    card = value_or_error(parse_card, text)
    if isinstance(card, UnreadableError):
        assert card.reason.endswith(".")
        assert card.token == text
    else:
        assert card in FULL_DECK
        assert parse_card(card_name(card)) == card
