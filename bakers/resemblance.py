"""Whether a position shows a deal, whatever was done to hide that.

A guard of a deal that must be solved without help compares every position that somebody wants help with. Cards only
leave a column from its top, and a card that is put on a column there lies on one that is exactly one rank higher. So
of the pairs (a card, the card right under it), those that are no such *builds* were all dealt: a position reached from
a deal has no others, however its columns are ordered, and a deal of other cards shares next to none of them.

Kings are left out of the columns before the pairs are taken. They go to the bottom whatever lies there, at once or when
they turn up, so that a king's place tells nothing, and the order in which kings lie can be chosen freely.

Suits are compared under every renaming: exchange two suits everywhere, and the same line wins.

Cards that have gone home can be laid on the columns again, where they make pairs of any sort and are in nobody's way:
so a position is also looked at without the cards that can go home at once.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from itertools import pairwise, permutations

from .rules.cards import KING, Card, rank_of, suit_of
from .rules.positions import Position

#: So few pairs may stand in two deals by chance, and a position with so few left is all but won.
MIN_PAIRS = 8

Pair = tuple[Card, Card]

_RENAMINGS = tuple(permutations(range(4)))


def pairs(columns: Iterable[Sequence[Card]]) -> frozenset[Pair]:
    """Return the pairs (card, card right under it) that are no builds, with the kings taken out of the columns.

    Args:
        columns: the cards of each column, the top card last.
    """
    found = set()
    for column in columns:
        rest = [card for card in column if rank_of(card) != KING]
        for under, card in pairwise(rest):
            if rank_of(card) + 1 != rank_of(under):
                found.add((card, under))
    return frozenset(found)


def resembles(position: Iterable[Sequence[Card]], layout: Iterable[Sequence[Card]]) -> bool:
    """Return whether a position is likely to come from a deal: help with the one would be help with the other.

    It is when more than half of its pairs, and at least `MIN_PAIRS`, are pairs of the deal.

    Args:
        position: the columns of the position, the top card last.
        layout: the columns of the deal, in the same form.
    """
    mine, dealt = pairs(position), pairs(layout)
    needed = max(MIN_PAIRS, len(mine) // 2 + 1)
    # No renaming brings more pairs together than there are of the same two ranks. Two deals that have nothing to do
    # with each other nearly always end here, in a tenth of the time.
    if (_rank_pairs(mine) & _rank_pairs(dealt)).total() < needed:
        return False
    return any(len(_renamed(mine, suits) & dealt) >= needed for suits in _RENAMINGS)


def appearances(position: Position) -> list[list[list[Card]]]:
    """Return the columns that are to be compared to know where a position comes from: as they lie, and sent home."""
    lying = [list(column) for column in position.columns]
    left, home = [list(column) for column in lying], list(position.foundations)
    while columns := [column for column in left if column and _goes_home(column[-1], home)]:
        for column in columns:
            home[suit_of(column.pop())] += 1
    return [lying] if left == lying else [lying, left]


def _goes_home(card: Card, home: Sequence[int]) -> bool:
    return rank_of(card) == home[suit_of(card)] + 1


def _rank_pairs(found: frozenset[Pair]) -> Counter[tuple[int, int]]:
    return Counter((rank_of(card), rank_of(under)) for card, under in found)


def _renamed(found: frozenset[Pair], suits: tuple[int, ...]) -> frozenset[Pair]:
    return frozenset((_rename(card, suits), _rename(under, suits)) for card, under in found)


def _rename(card: Card, suits: tuple[int, ...]) -> Card:
    return card - suit_of(card) + suits[suit_of(card)]
