"""Boards: what the solver solves, apart from any particular variant.

A board is columns of cards, foundations, a rule for empty columns and a number of ranks. The games people play have
13 ranks; tests use smaller ones, where every line can be tried. A suit that a small game lacks counts as home.

`pack` turns a board into words for the kernels. A set of cards is a word with bit `card` for each card, so that the
four cards of a rank are one hexadecimal digit, rank 0 (ace) lowest: what concerns all ranks at once (how many hosts,
how many cards that need one) is arithmetic on digits.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from bakers.rules.cards import Card
from bakers.rules.positions import Position
from bakers.rules.variants import Fill

from .jit import kernel, popcount

Words = NDArray[np.int64]

# Rows of a packed board, each indexed by card. "Leaving" is when the card goes from its stump, home or elsewhere.
NEXT_TOP = 0  # the set with the card that is the fixed top of the stump after this one left, or no card
LOOSENED = 1  # the cards that hang in sequence on that new top, and so are loose at once
WEIGHT = 2  # what leaving takes from the key
VALUE = 3  # how much good leaving does, for the order of children
BELOW = 4  # the cards under this one in its column
LINK_LOW = 5  # of the loosened cards, those whose host's suit is odd
LINK_HIGH = 6  # of the loosened cards, those whose host's suit is 2 or 3
COLUMN = 7  # the column in which the card lies at first
UNDER = 8  # the card right under it in its column at first, or -1
FACTS = 9  # this row is no card's: facts by the numbers that follow
ROWS = 10

ALL = 0  # all cards, home ones too
BASES = 1  # the bottom card of each column
KINGS = 2  # the cards of the highest rank
COLUMNS = 3  # number of columns
FILL = 4  # one of FILL_NONE, FILL_KINGS, FILL_ANY
RULES = 5  # which exact rules are used: a sum of the USE_ numbers
HOME_WEIGHT = 6  # and the three after it: what a suit's next card going home adds to the key

FILL_NONE, FILL_KINGS, FILL_ANY = 0, 1, 2
# Rules that can be left out, to see what they are worth and that no answer changes: D1–D3 (`relax`), one position a
# class P3 (`classes`), counting P4 and its known locks P5 (`counting`), and the bounds L (`bounds`) and R* (`pops`) on
# column moves.
USE_D1, USE_D2, USE_D3, USE_P3, USE_P4, USE_P5, USE_L, USE_R = (1 << bit for bit in range(8))
ALL_RULES = (1 << 8) - 1

# Columns of `start`: the words of a real position.
HOMES, STUMPS, TOPS, KEY, LOW, HIGH = 0, 1, 2, 3, 4, 5
STATE = 6

#: The lowest bit of each of 13 digits, two interleaved halves of each digit, and pairs.
ONES = 0x1111111111111
FIVES = 0x5555555555555
THREES = 0x3333333333333

_FILLS = {Fill.NONE: FILL_NONE, Fill.KINGS: FILL_KINGS, Fill.ANY: FILL_ANY}


@dataclass(frozen=True)
class Board:
    """Columns (bottom card first), foundations (cards home by suit), number of ranks, rule for empty columns."""

    columns: tuple[tuple[Card, ...], ...]
    foundations: tuple[int, int, int, int] = (0, 0, 0, 0)
    ranks: int = 13
    fill: Fill = Fill.NONE

    @classmethod
    def of(cls, position: Position) -> Board:
        """The board of a position; covered cards are known and lie as they will when they are turned up."""
        first, second, third, fourth = position.foundations
        columns = tuple(
            as_turned(column, covered, sunk) if covered else tuple(column)
            for column, covered, sunk in zip(position.columns, position.covered, position.sunk, strict=True)
        )
        return cls(columns, (first, second, third, fourth), fill=position.variant.fill)


def as_turned(column: list[Card], covered: int, sunk: int) -> tuple[Card, ...]:
    """The open column that has, after any number of cards are taken from it, the same top card as a covered one.

    The rule that sinks kings looks at this column alone and at nothing that lies above the covered cards, so the
    order in which its cards become the top is fixed: it is found by taking them off one by one.
    """
    king = 12
    rest = list(column)
    order: list[Card] = []
    while rest:
        order.append(rest.pop())
        if covered and len(rest) == sunk + covered:
            while rest[-1] >> 2 == king and any(card >> 2 != king for card in rest):
                rest.insert(0, rest.pop())
                sunk += 1
                covered -= 1
            covered -= 1
    return tuple(reversed(order))


@dataclass(frozen=True)
class Packed:
    """A board as words.

    Attributes:
        static: shape (ROWS, 64), what stays the same during a search.
        start: shape (STATE,), the position itself.
    """

    static: Words
    start: Words


def pack(board: Board, rules: int = ALL_RULES) -> Packed:
    """Words for a board.

    The key of an abstract state (depth of each stump, cards home of each suit) is a number in mixed radix: one digit
    for each column, of as many values as the column has cards, plus one; and one for each suit. It is exact for any
    layout: with n ≤ 52 cards in c ≤ 13 columns the product of (cards + 1) is at most ((n + c) / c)^c ≤ 5^13, and the
    suits add at most 14^4, which makes less than 2^46 states.
    """
    static = np.zeros((ROWS, 64), dtype=np.int64)
    start = np.zeros(STATE, dtype=np.int64)
    flat = np.zeros(52, dtype=np.int64)
    ends = np.zeros(len(board.columns), dtype=np.int64)
    place = 0
    for index, column in enumerate(board.columns):
        flat[place : place + len(column)] = column
        place += len(column)
        ends[index] = place
    homes = np.array(board.foundations, dtype=np.int64)
    _pack(flat, ends, homes, board.ranks, _FILLS[board.fill], rules, static, start)
    return Packed(static, start)


@kernel
def _pack(
    flat: Words, ends: Words, homes: Words, ranks: int, fill: int, rules: int, static: Words, start: Words
) -> None:
    facts = static[FACTS]
    facts[ALL] = (1 << (4 * ranks)) - 1
    facts[KINGS] = 15 << (4 * (ranks - 1))
    facts[COLUMNS] = ends.shape[0]
    facts[FILL] = fill
    facts[RULES] = rules
    weight = 1
    for suit in range(4):
        facts[HOME_WEIGHT + suit] = weight
        weight *= ranks + 1 - homes[suit]
        for rank in range(homes[suit]):
            start[HOMES] |= 1 << (4 * rank + suit)
    begin = 0
    for column in range(ends.shape[0]):
        end = ends[column]
        below = 0
        if end > begin:
            facts[BASES] |= 1 << flat[begin]
        for place in range(begin, end):
            card = flat[place]
            static[BELOW, card] = below
            static[COLUMN, card] = column
            static[UNDER, card] = flat[place - 1] if place > begin else -1
            lower = below & ((1 << (4 * (card >> 2))) - 1)
            own = lower & (ONES << (card & 3))
            static[VALUE, card] = 4 * popcount(lower) + 6 * popcount(own)
            # What is the fixed top when this card is gone: the first card below that doesn't lie in sequence.
            under = place - 1
            left = 1
            while under > begin and (flat[under - 1] >> 2) == (flat[under] >> 2) + 1:
                _link(static, card, flat[under], flat[under - 1])
                left += 1
                under -= 1
            if under >= begin:
                static[NEXT_TOP, card] = 1 << flat[under]
            static[WEIGHT, card] = left * weight
            below |= 1 << card
        # The column as it lies: the cards in sequence at its end are loose, what is below is its stump.
        if end > begin:
            top = end - 1
            while top > begin and (flat[top - 1] >> 2) == (flat[top] >> 2) + 1:
                host = flat[top - 1] & 3
                start[LOW] |= (host & 1) << flat[top]
                start[HIGH] |= (host >> 1) << flat[top]
                top -= 1
            for place in range(begin, top + 1):
                start[STUMPS] |= 1 << flat[place]
            start[TOPS] |= 1 << flat[top]
            start[KEY] += (top - begin + 1) * weight
        weight *= end - begin + 1
        begin = end


@kernel
def _link(static: Words, card: int, loose: int, host: int) -> None:
    static[LOOSENED, card] |= 1 << loose
    static[LINK_LOW, card] |= (host & 1) << loose
    static[LINK_HIGH, card] |= ((host >> 1) & 1) << loose


@kernel
def digit_counts(cards: int) -> int:
    """How many cards of each rank a set has, one hexadecimal digit a rank."""
    pairs = cards - ((cards >> 1) & FIVES)
    return (pairs & THREES) + ((pairs >> 2) & THREES)


@kernel
def digit_any(cards: int) -> int:
    """The lowest bit of each digit that has any bit."""
    return (cards | (cards >> 1) | (cards >> 2) | (cards >> 3)) & ONES


@kernel
def next_cards(homes: int, everything: int) -> int:
    """The next card of each suit that isn't finished."""
    return ((homes << 4) | 15) & ~homes & everything


@kernel
def fewest_home(homes: int) -> int:
    """How many cards the suit with the fewest has home."""
    return popcount(homes & (homes >> 1) & (homes >> 2) & (homes >> 3) & ONES)


@kernel
def mixed(key: int) -> int:
    """A number that spreads keys over a table; keys and results are below 2^62, so nothing overflows."""
    high = key >> 31
    low = key & 0x7FFFFFFF
    spread = low * 0x5851F42D ^ (high & 0x7FFFFFFF) * 0x4C957F2D ^ (high >> 16)
    return (spread ^ (spread >> 29) ^ (spread >> 13)) & 0x3FFFFFFFFFFFFFFF
