"""Moves and lines, and their text forms."""

from __future__ import annotations

from collections.abc import Iterable
from typing import NamedTuple

from .cards import shorten
from .errors import UnreadableError

#: One character a column, from the left.
COLUMN_CHARS = "123456789abcd"
#: The target of a move to the foundation.
HOME = -1
HOME_CHAR = "h"


class Move(NamedTuple):
    """One card from the top of a column to another column or home.

    Attributes:
        source: index of the column, from 0.
        target: index of the column, or `HOME`.
    """

    source: int
    target: int

    @property
    def text(self) -> str:
        """Two characters, as in `4h` or `a3`; `parse_move` is the exact inverse."""
        return _TEXT_OF[self]

    def __str__(self) -> str:
        return _TEXT_OF[self]


#: Every move there can be, by its text. Moves are made once, since making them is what costs when they are counted.
MOVES_BY_TEXT: dict[str, Move] = {
    source_char + target_char: Move(source, target)
    for source, source_char in enumerate(COLUMN_CHARS)
    for target, target_char in [*enumerate(COLUMN_CHARS), (HOME, HOME_CHAR)]
}
_TEXT_OF: dict[Move, str] = {move: text for text, move in MOVES_BY_TEXT.items()}
#: `MOVES[source][target]`; the last entry of a row is the move home, which `HOME` as an index finds.
MOVES: tuple[tuple[Move, ...], ...] = tuple(
    tuple(MOVES_BY_TEXT[source_char + target_char] for target_char in COLUMN_CHARS + HOME_CHAR)
    for source_char in COLUMN_CHARS
)


def parse_move(text: str) -> Move:
    """The move of a two-character text. Whether it is legal depends on a position.

    Raises:
        UnreadableError: the text is no move.
    """
    try:
        return MOVES_BY_TEXT[text]
    except KeyError:
        raise UnreadableError(
            f"“{shorten(text)}” is no move: a move is a column (1–9, a–d) and a column or h, as in 4h or a3.",
            token=text,
        ) from None


def parse_line(text: str) -> list[Move]:
    """The moves of a line, written with spaces between the moves or without.

    Raises:
        UnreadableError: some token is no move; `line` of the error is the number of the move, from 1.
    """
    tokens: list[str] = []
    for word in text.split():
        tokens.extend(word[start : start + 2] for start in range(0, len(word), 2))
    moves = []
    for number, token in enumerate(tokens, start=1):
        try:
            moves.append(parse_move(token))
        except UnreadableError as error:
            raise UnreadableError(f"Move {number}: {error.reason}", token=token, line=number) from None
    return moves


def line_text(moves: Iterable[Move]) -> str:
    """A line for people: moves with spaces between them."""
    return " ".join(_TEXT_OF[move] for move in moves)


def pack_line(moves: Iterable[Move]) -> str:
    """A line as it is stored: moves without spaces. `parse_line` reads both."""
    return "".join(_TEXT_OF[move] for move in moves)
