"""Layouts: a table of cards as text, in and out.

`parse_layout` takes what people paste: our own form, boards as fc-solve, KPatience and PySolFC write them, and the
words `PySolFC 12345`. Whatever can't be right is named: the line, the card and the reason.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from pysol_cards.cards import CardRenderer
from pysol_cards.deal_game import Game as PysolGame
from pysol_cards.random_base import RandomBase

from .cards import (
    CARD_NAMES,
    COVERED,
    FULL_DECK,
    KING,
    RANK_NAMES,
    RANKS,
    SUIT_NAMES,
    SUITS,
    Card,
    make_card,
    names,
    parse_card,
    rank_of,
    shorten,
)
from .deals import parse_deal_number, sink_kings
from .errors import UnreadableError
from .positions import Position
from .variants import Variant

#: More than any board of 52 cards needs with all its marks, and little enough to be read in a moment.
MAX_LAYOUT_CHARACTERS = 2_000

_FOUNDATIONS = re.compile(r"^(?:foundations?|founds?)\s*:(.*)$", re.IGNORECASE)
_OTHER_PILES = re.compile(r"^(free\s?cells?|fc|talon|stock|reserves?|waste)\s*:(.*)$", re.IGNORECASE)
_COLUMN_MARK = re.compile(r"^(?:(?:column|stack|pile)?\s*\d{0,2}\s*)?:\s*", re.IGNORECASE)
_PYSOLFC = re.compile(r"^pysolfc(?:\s+deal)?\s*:?\s*#?\s*(\S+)$", re.IGNORECASE | re.ASCII)
_NOTHING = {"", "-", "--", "(empty)", "[]"}


@dataclass(frozen=True)
class Layout:
    """A layout that was understood.

    Attributes:
        variant: whose columns it has.
        columns: the cards of each column, first dealt card first.
        foundations: cards home of clubs, diamonds, hearts, spades.
        king_above: whether a king lies above another card, so that the rules' deal would have sunk it.
        notes: sentences about what a player might not expect.
    """

    variant: Variant
    columns: tuple[tuple[Card, ...], ...]
    foundations: tuple[int, ...] = (0, 0, 0, 0)
    king_above: bool = False
    notes: tuple[str, ...] = ()

    def position(self) -> Position:
        """The first position: as it lies, but a covered variant turns its top cards up."""
        return Position.dealt(self.variant, self.columns, self.foundations)

    def text(self) -> str:
        """The layout in our own form; `parse_layout` is its inverse."""
        return layout_text(self.columns, self.foundations)


def layout_text(columns: Iterable[Sequence[Card]], foundations: Sequence[int] = (0, 0, 0, 0)) -> str:
    """A layout as text: one line a column, `-` for an empty one, and the foundations first if they hold cards."""
    lines = [names(column) or "-" for column in columns]
    if any(foundations):
        lines.insert(0, "Foundations: " + foundations_text(foundations))
    return "\n".join(lines)


def foundations_text(foundations: Sequence[int]) -> str:
    """Foundations in the order and form of fc-solve: `H-0 C-A D-0 S-0`."""
    return " ".join(f"{suit}-{('0' + RANKS)[foundations[SUITS.index(suit)]]}" for suit in "HCDS")


def parse_layout(variant: Variant, text: str, *, sink: bool = False) -> Layout:
    """The layout that a text shows.

    A layout stands as given: no king is moved unless `sink` is true, and the notes say so where one lies above
    another card.

    Raises:
        UnreadableError: the text can't be read, or its cards aren't the 52; `line` and `token` say where.
    """
    if len(text) > MAX_LAYOUT_CHARACTERS:
        raise UnreadableError(
            f"A layout has at most {MAX_LAYOUT_CHARACTERS:,} characters; this has {len(text):,}."
        )
    named = _PYSOLFC.match(text.strip())
    if named:
        if variant.columns != 13:
            raise UnreadableError(
                f"PySolFC’s own layout has 13 columns of 4; {variant.name} has {variant.columns} columns.",
                token=shorten(text.strip()),
            )
        text = pysolfc_layout(parse_deal_number(named.group(1)))
    columns, foundations = _read_lines(variant, text)
    king_above = any(
        rank_of(card) == KING and any(rank_of(below) != KING for below in column[:index])
        for column in columns
        for index, card in enumerate(column)
    )
    notes = _notes(variant, columns, foundations, king_above=king_above, sink=sink)
    if sink:
        columns = [sink_kings(column) for column in columns]
    return Layout(
        variant=variant,
        columns=tuple(map(tuple, columns)),
        foundations=tuple(foundations),
        king_above=king_above and not sink,
        notes=tuple(notes),
    )


def pysolfc_layout(number: int) -> str:
    """The text of PySolFC's own `bakers_dozen` layout of a deal number, with that package's way of moving kings."""
    game = PysolGame("bakers_dozen", number, RandomBase.DEALS_PYSOLFC)
    text: str = game.calc_layout_string(CardRenderer(True))
    return text


def _read_lines(variant: Variant, text: str) -> tuple[list[list[Card]], list[int]]:
    columns: list[list[Card]] = []
    foundations: list[int] | None = None
    seen: dict[Card, str] = {}
    for number, line in _telling_lines(variant, text):
        home = _FOUNDATIONS.match(line)
        if home:
            if foundations is not None:
                raise UnreadableError(
                    f"Line {number}: the foundations are given twice.", token=shorten(line), line=number
                )
            foundations = _read_foundations(home.group(1), number)
            for suit, count in enumerate(foundations):
                for rank in range(1, count + 1):
                    _see(seen, make_card(rank, suit), f"in the foundations (line {number})", number)
            continue
        other = _OTHER_PILES.match(line)
        if other:
            if all(token in _NOTHING for token in other.group(2).split()):
                continue
            raise UnreadableError(
                f"Line {number}: this game has columns and foundations only, no “{shorten(other.group(1))}”.",
                token=shorten(line),
                line=number,
            )
        if len(columns) == variant.columns:
            raise UnreadableError(
                f"Line {number}: {variant.name} has {variant.columns} columns, and this would be one more.",
                token=shorten(line),
                line=number,
            )
        column = _read_column(_COLUMN_MARK.sub("", line, count=1), number)
        for card in column:
            _see(seen, card, f"in column {len(columns) + 1} (line {number})", number)
        columns.append(column)
    if not columns:
        raise UnreadableError("There are no cards: a layout has one line a column, as in 6H JH 5C AD.")
    missing = sorted(FULL_DECK - seen.keys(), key=lambda card: (card & 3, card >> 2))
    if missing:
        shown = names(missing[:8]) + (f" and {len(missing) - 8} more" if len(missing) > 8 else "")
        many = "cards are" if len(missing) > 1 else "card is"
        raise UnreadableError(f"{len(missing)} {many} missing: {shown}.", token=CARD_NAMES[missing[0]])
    if len(columns) < variant.columns:
        raise UnreadableError(
            f"{variant.name} has {variant.columns} columns; the layout has {len(columns)}. Write - for an empty one."
        )
    return columns, foundations or [0, 0, 0, 0]


def _telling_lines(variant: Variant, text: str) -> list[tuple[int, str]]:
    """The lines that say something, with their numbers from 1.

    KPatience and PySolFC write an empty column as an empty line. People put empty lines where they like, so these
    count as columns only if the lines under the last heading are then as many as the columns.
    """
    lines = [raw.strip().lstrip("\ufeff").strip() for raw in text.splitlines()]
    headings = (
        n for n, line in enumerate(lines, start=1) if _FOUNDATIONS.match(line) or _OTHER_PILES.match(line)
    )
    start = max(headings, default=0)
    if len(lines) - start == variant.columns and any(lines[start:]):
        lines[start:] = [line or "-" for line in lines[start:]]
    return [(number, line) for number, line in enumerate(lines, start=1) if line]


def _read_column(text: str, number: int) -> list[Card]:
    if text in _NOTHING:
        return []
    column = []
    for token in text.replace(",", " ").split():
        if token in (COVERED, "<>"):
            raise UnreadableError(
                f"Line {number}: {token} is a covered card; a layout names every card.",
                token=token,
                line=number,
            )
        # Some boards put face-down cards in angle brackets: what lies there is known all the same.
        try:
            column.append(parse_card(token.strip("<>")))
        except UnreadableError as error:
            raise UnreadableError(
                f"Line {number}: {error.reason}", token=shorten(token), line=number
            ) from None
    return column


def _read_foundations(text: str, number: int) -> list[int]:
    foundations: dict[int, int] = {}
    for token in text.replace(",", " ").split():
        if token in _NOTHING:
            continue
        suit_char, hyphen, rank_text = (token.upper() if token.isascii() else token).partition("-")
        rank_char = "T" if rank_text == "10" else rank_text
        if not hyphen or suit_char not in SUITS or len(suit_char) != 1 or rank_char not in set("0" + RANKS):
            raise UnreadableError(
                f"Line {number}: “{shorten(token)}” is no foundation; write its suit and highest card, as in H-0, C-A.",
                token=shorten(token),
                line=number,
            )
        suit = SUITS.index(suit_char)
        if suit in foundations:
            raise UnreadableError(
                f"Line {number}: the {SUIT_NAMES[suit]} foundation is given twice.",
                token=shorten(token),
                line=number,
            )
        foundations[suit] = ("0" + RANKS).index(rank_char)
    return [foundations.get(suit, 0) for suit in range(4)]


def _see(seen: dict[Card, str], card: Card, where: str, number: int) -> None:
    if card in seen:
        raise UnreadableError(
            f"Line {number}: {CARD_NAMES[card]} is there twice, {seen[card]} and {where}.",
            token=CARD_NAMES[card],
            line=number,
        )
    seen[card] = where


def _notes(
    variant: Variant,
    columns: Sequence[Sequence[Card]],
    foundations: Sequence[int],
    *,
    king_above: bool,
    sink: bool,
) -> list[str]:
    notes = []
    if king_above and sink:
        notes.append("Kings were moved to the bottom of their columns.")
    elif king_above and variant.covered:
        notes.append("A king lies above another card; it goes to the bottom of its column when it turns up.")
    elif king_above:
        notes.append("A king lies above another card; it stays there, though the deal would have sunk it.")
    home = [
        f"{SUIT_NAMES[suit]} up to the {RANK_NAMES[count - 1]}"
        for suit, count in enumerate(foundations)
        if count
    ]
    if home:
        notes.append(f"Already home: {', '.join(home)}.")
    empty = sum(not column for column in columns)
    if empty:
        notes.append(f"{empty} {'columns are' if empty > 1 else 'column is'} empty.")
    if sum(foundations) == 52:
        notes.append("All cards are home already: there is nothing left to play.")
    return notes
