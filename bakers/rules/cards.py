"""Cards: small integers with names.

A card is `rank_index * 4 + suit`, from 0 (ace of clubs) to 51 (king of spades), so that cards of one rank are
neighbours and comparing ranks is a shift. Ranks run from 1 (ace) to 13 (king) wherever they are given as ranks.
"""

from __future__ import annotations

from collections.abc import Sequence

from .errors import UnreadableError

Card = int

RANKS = "A23456789TJQK"
SUITS = "CDHS"
KING = 13
COVERED = "##"

RANK_NAMES = ("ace", "2", "3", "4", "5", "6", "7", "8", "9", "10", "jack", "queen", "king")
SUIT_NAMES = ("clubs", "diamonds", "hearts", "spades")

_SUIT_SYMBOLS = {"♣": "C", "♦": "D", "♥": "H", "♠": "S", "♧": "C", "♢": "D", "♡": "H", "♤": "S"}

#: The name of every card, indexed by card: `CARD_NAMES[0] == "AC"`.
CARD_NAMES: tuple[str, ...] = tuple(rank + suit for rank in RANKS for suit in SUITS)
#: The card of every canonical name, the inverse of `CARD_NAMES`.
CARDS_BY_NAME: dict[str, Card] = {name: card for card, name in enumerate(CARD_NAMES)}
#: All 52 cards.
FULL_DECK: frozenset[Card] = frozenset(range(52))


def make_card(rank: int, suit: int) -> Card:
    """The card of rank 1–13 and suit 0–3 (clubs, diamonds, hearts, spades)."""
    return (rank - 1) * 4 + suit


def rank_of(card: Card) -> int:
    """The rank of a card, 1 (ace) to 13 (king)."""
    return (card >> 2) + 1


def suit_of(card: Card) -> int:
    """The suit of a card, 0–3 in the order of `SUITS`."""
    return card & 3


def card_name(card: Card) -> str:
    """The two-character name of a card, `TH` for the ten of hearts."""
    return CARD_NAMES[card]


def names(cards: Sequence[Card]) -> str:
    """Names of several cards with spaces between them."""
    return " ".join(CARD_NAMES[card] for card in cards)


def parse_card(text: str) -> Card:
    """The card that a text names: `TH`, `10H`, `th`, `T♥`.

    Raises:
        UnreadableError: the text names no card; the reason says whether rank or suit is wrong.
    """
    card = CARDS_BY_NAME.get(text)
    if card is not None:
        return card
    # Text and emoji presentation selectors follow suit symbols that are copied from a screen.
    tidy = text.strip().replace("\ufe0e", "").replace("\ufe0f", "")
    for symbol, letter in _SUIT_SYMBOLS.items():
        tidy = tidy.replace(symbol, letter)
    # Not of every text: `upper` makes an S of the old letter ſ.
    if tidy.isascii():
        tidy = tidy.upper()
    rank, suit = tidy[:-1], tidy[-1:]
    if rank == "10":
        rank = "T"
    card = CARDS_BY_NAME.get(rank + suit)
    if card is not None:
        return card
    shown = shorten(text)
    if suit not in SUITS or not suit:
        raise UnreadableError(f"“{shown}” is no card: a card ends in its suit, C, D, H or S.", token=text)
    raise UnreadableError(f"“{shown}” is no card: the rank is one of A 2 3 4 5 6 7 8 9 T J Q K.", token=text)


def shorten(text: str, limit: int = 20) -> str:
    """A text short enough to be quoted in a message, without control characters."""
    clean = "".join(char if char.isprintable() else "�" for char in text)
    return clean if len(clean) <= limit else clean[: limit - 1] + "…"


def rank_with_article(rank: int) -> str:
    """`an ace`, `a 7`, `an 8`: for sentences about a rank of 1–13."""
    name = RANK_NAMES[rank - 1]
    return f"{'an' if rank in (1, 8) else 'a'} {name}"
