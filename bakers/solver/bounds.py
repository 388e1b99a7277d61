"""How many column moves a position needs at least.

L = (a) + (b), a lower bound for every variant:

(a) A *kink* is a card above a lower card of its own suit in the same column. It can't go home from where it is, as
    that card must go first and lies under it; so each kink moves to another column at least once.
(b) In thought, send home what can go, and set kinks aside, for (a) pays for them, whenever they are on top. When that
    is stuck, the next card of each unfinished suit lies under some column's top. That top isn't a kink, so it waits
    for its own suit's next card, under another top, and so on: following the arrows ends in a cycle of tops none of
    which can go home first. One of them must make a column move, which (a) doesn't count: add 1. Set the cycle's tops
    aside and go on; cards set aside only make things easier, and no top is paid for twice.
"""

from __future__ import annotations

from .board import ALL, BELOW, COLUMN, FACTS, KINGS, ONES, UNDER, Words, next_cards
from .hanging import host_of
from .jit import highest, kernel, lowest

#: Rows of scratch: the column of a loose card, the cards in the stump under its chain, top card by column.
S_COLUMN, S_BELOW, S_TOP = 0, 1, 2
SCRATCH_ROWS = 3
#: Loose kings lie in columns of their own, numbered by suit after the columns that were dealt.
FIRST_KING_COLUMN = 13
LAST_COLUMN = 17


@kernel
def own_lower(card: int) -> int:
    """The lower cards of a card's suit."""
    return (ONES << (card & 3)) & ((1 << (card & ~3)) - 1)


@kernel
def lie(static: Words, homes: int, stumps: int, tops: int, low: int, high: int, scratch: Words) -> None:
    """Write down in which column each loose card lies, and each column's top card."""
    facts = static[FACTS]
    columns, below, top = scratch[S_COLUMN], scratch[S_BELOW], scratch[S_TOP]
    for column in range(LAST_COLUMN):
        top[column] = -1
    cards = tops
    while cards:
        card = lowest(cards)
        cards &= cards - 1
        top[static[COLUMN, card]] = card
    cards = facts[ALL] & ~stumps & ~homes
    # Highest first: a host is placed before what hangs on it, and the last of a chain is the top.
    while cards:
        card = highest(cards)
        bit = 1 << card
        cards ^= bit
        if facts[KINGS] & bit:
            columns[card] = FIRST_KING_COLUMN + (card & 3)
            below[card] = 0
        else:
            host = host_of(card, low, high)
            if stumps & (1 << host):
                columns[card] = static[COLUMN, host]
                below[card] = static[BELOW, host]
            else:
                columns[card] = columns[host]
                below[card] = below[host]
        top[columns[card]] = card


@kernel
def least_moves(
    static: Words, homes: int, stumps: int, tops: int, low: int, high: int, scratch: Words
) -> int:
    """The bound L of a real position."""
    lie(static, homes, stumps, tops, low, high, scratch)
    everything, kings = static[FACTS, ALL], static[FACTS, KINGS]
    columns, below, top = scratch[S_COLUMN], scratch[S_BELOW], scratch[S_TOP]
    bound = 0
    aside = 0
    while True:
        moved = True
        while moved:
            moved = False
            for column in range(LAST_COLUMN):
                card = top[column]
                while card >= 0:
                    bit = 1 << card
                    following = next_cards(homes, everything)
                    if following & bit:
                        homes |= bit
                    elif own_lower(card) & (static[BELOW, card] if stumps & bit else below[card]):
                        bound += 1
                        aside |= bit
                    else:
                        break
                    moved = True
                    if stumps & bit:
                        card = static[UNDER, card]
                    elif kings & bit:
                        card = -1
                    else:
                        card = host_of(card, low, high)
                top[column] = card
            gain = next_cards(homes, everything) & aside
            while gain:
                homes |= gain
                moved = True
                gain = next_cards(homes, everything) & aside
        following = next_cards(homes, everything)
        if following == 0:
            return bound
        # Each suit points to the suit of the top over its next card. Four steps lead into the cycle.
        suit = lowest(following) & 3
        for _ in range(4):
            suit = _blocking(static, following, suit, stumps, scratch) & 3
        bound += 1
        first = suit
        while True:
            card = _blocking(static, following, suit, stumps, scratch)
            bit = 1 << card
            aside |= bit
            column = static[COLUMN, card] if stumps & bit else columns[card]
            if stumps & bit:
                top[column] = static[UNDER, card]
            elif kings & bit:
                top[column] = -1
            else:
                top[column] = host_of(card, low, high)
            suit = card & 3
            if suit == first:
                break


@kernel
def _blocking(static: Words, following: int, suit: int, stumps: int, scratch: Words) -> int:
    card = lowest(following & (ONES << suit))
    column = static[COLUMN, card] if stumps & (1 << card) else scratch[S_COLUMN, card]
    return int(scratch[S_TOP, column])
