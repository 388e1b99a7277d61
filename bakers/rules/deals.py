"""Deals: from a deal number to the first position."""

from __future__ import annotations

from collections.abc import Sequence

from pysol_cards.cards import createCards
from pysol_cards.random import shuffle
from pysol_cards.random_base import RandomBase

from .cards import KING, SUITS, Card, make_card, rank_of, shorten, suit_of
from .errors import UnreadableError
from .positions import Position
from .variants import Variant

#: Deal numbers go from 1 to this one, the largest that the shuffle of PySolFC takes.
LAST_DEAL_NUMBER = 10**20 - 1


def parse_deal_number(value: str | int) -> int:
    """A deal number from a string of digits or an integer.

    Raises:
        UnreadableError: it isn't a whole number from 1 to `LAST_DEAL_NUMBER`.
    """
    if isinstance(value, str):
        # isdecimal alone would take the digits of every script; 25 digits are already too many.
        if not (value.isascii() and value.isdecimal() and len(value) <= 25):
            raise UnreadableError("A deal number is a whole number, written in digits.", token=shorten(value))
        value = int(value)
    if isinstance(value, bool) or not 1 <= value <= LAST_DEAL_NUMBER:
        # Python refuses to write out an integer of thousands of digits.
        token = shorten(str(value)) if value.bit_length() < 1_000 else ""
        raise UnreadableError(f"Deal numbers go from 1 to {LAST_DEAL_NUMBER}.", token=token)
    return value


def deck(number: int) -> list[Card]:
    """The 52 cards of a deal number in dealing order, shuffled as PySolFC shuffles them."""
    shuffled = shuffle(createCards(1, 13), number, RandomBase.DEALS_PYSOLFC)
    return [make_card(card.rank, SUITS.index(card.suit_s())) for card in shuffled]


def deal(variant: Variant, number: int) -> Position:
    """The first position of a deal number."""
    return Position.dealt(variant, *deal_columns(variant, deck(number)))


def deal_columns(variant: Variant, cards: Sequence[Card]) -> tuple[list[list[Card]], list[int]]:
    """Columns and foundations of a deck as dealt: row by row, kings sunk unless the variant covers its cards.

    Args:
        cards: the 52 cards in dealing order.
    """
    foundations = [0, 0, 0, 0]
    columns: list[list[Card]] = [[] for _ in range(variant.columns)]
    place = 0
    for card in cards:
        if rank_of(card) == 1 and sum(foundations) < variant.aces_start:
            foundations[suit_of(card)] = 1
            continue
        columns[place % variant.columns].append(card)
        place += 1
    if not variant.covered:
        columns = [sink_kings(column) for column in columns]
    return columns, foundations


def sink_kings(column: Sequence[Card]) -> list[Card]:
    """The column with its kings at the bottom; kings and other cards each keep the order in which they were dealt."""
    kings = [card for card in column if rank_of(card) == KING]
    return kings + [card for card in column if rank_of(card) != KING]
