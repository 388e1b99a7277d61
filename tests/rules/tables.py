"""Short ways to lay cards on a table, and to see a position as the naive counter does."""

from __future__ import annotations

from collections.abc import Callable
from typing import TypeVar

from bakers.rules.cards import CARD_NAMES, RANKS, SUITS, parse_card
from bakers.rules.errors import UnreadableError
from bakers.rules.positions import Position
from bakers.rules.variants import Variant

T = TypeVar("T")


def cards(text: str) -> list[int]:
    """The cards of a text with spaces between their names."""
    return [parse_card(name) for name in text.split()]


def table(variant: Variant, *columns: str, home: str = "0000") -> Position:
    """A position with those columns first and empty ones after them; it needn't hold all 52 cards.

    Args:
        home: the highest card home of clubs, diamonds, hearts and spades, as in `0A2K`.
    """
    rest = [""] * (variant.columns - len(columns))
    return Position.dealt(
        variant, map(cards, [*columns, *rest]), [("0" + RANKS).index(char) for char in home]
    )


def seen(position: Position) -> list[str]:
    """The columns as a player sees them, one string each."""
    return [" ".join(column) for column in position.seen_columns()]


def naive_form(position: Position) -> str:
    """The position as a string of `tests.rules.naive`."""
    home = " ".join(
        suit + ("0" + RANKS)[count] for suit, count in zip(SUITS, position.foundations, strict=True)
    )
    columns = [
        " ".join(
            ("?" if position.is_covered(place, index) else "") + CARD_NAMES[card]
            for index, card in enumerate(column)
        )
        for place, column in enumerate(position.columns)
    ]
    return "|".join([home, *columns])


def exactly(position: Position) -> tuple[object, ...]:
    """Everything a position holds, with what equality overlooks and without sharing any of it."""
    return (
        position.variant,
        [list(column) for column in position.columns],
        list(position.foundations),
        list(position.covered),
        list(position.sunk),
        position.line,
    )


def value_or_error(read: Callable[..., T], *args: object) -> T | UnreadableError:
    """What a reading function returns, or the one kind of error it may raise; any other goes through."""
    try:
        return read(*args)
    except UnreadableError as error:
        return error
