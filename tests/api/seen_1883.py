"""Original 1883 as a player sees it, told apart from the engine: slow, plain, straight from the rules' words.

Cards are names; the card of a covered place may be unknown ("##") as long as it isn't turned. No unknown card is taken
for a reason to sink a king: had there been another card under it, that one would have turned, and so be known.
"""

from __future__ import annotations

from typing import Any

from bakers.rules.moves import COLUMN_CHARS

UNKNOWN = "##"


class Table:
    """Columns of face-down cards that turn up as they become top cards.

    Each column is a list of [card, face up] pairs, the top card last.
    """

    def __init__(self, dealt: list[list[str]]) -> None:
        self.columns: list[list[list[Any]]] = [[[card, False] for card in column] for column in dealt]
        for column in self.columns:
            self._turn(column)

    def play(self, move: str) -> None:
        """Play a legal move."""
        source, target = move[0], move[1]
        column = self.columns[COLUMN_CHARS.index(source)]
        card = column.pop()
        if target != "h":
            self.columns[COLUMN_CHARS.index(target)].append(card)
        self._turn(column)

    def seen(self) -> list[list[str]]:
        """Return what a player sees: names of cards, and backs."""
        return [[card if up else UNKNOWN for card, up in column] for column in self.columns]

    def covered(self) -> set[str]:
        """Return the cards that lie face down."""
        return {card for column in self.columns for card, up in column if not up}

    def _turn(self, column: list[list]) -> None:
        while column and not column[-1][1]:
            card = column[-1]
            assert card[0] != UNKNOWN, "a card was turned that the server kept to itself"
            card[1] = True
            if card[0][0] == "K" and any(other[0][0] not in "K#" for other in column[:-1]):
                column.pop()
                column.insert(0, card)
