"""What the table does by itself, said slowly: finishing, safe cards, and the move a tap plays.

Only what a player sees goes in: columns of names, the top card last, `##` for a covered card, and how many cards of
each suit are home. No code of `bakers.rules` is used, so that the browser's rules are compared with something else.
"""

from __future__ import annotations

ORDER = "A23456789TJQK"
COLUMNS = "123456789abcd"
COVERED = "##"

Columns = list[list[str]]
Foundations = dict[str, int]


def rank(card: str) -> int:
    """1 for an ace to 13 for a king."""
    return ORDER.index(card[0]) + 1


def goes_home(card: str, home: Foundations) -> bool:
    """Whether a card is the next one of its suit."""
    return card != COVERED and rank(card) == home[card[1]] + 1


def is_safe(card: str, home: Foundations) -> bool:
    """Whether a card that goes home loses nothing by going at once (section 2 of the design)."""
    return rank(card) <= 2 or all(count >= rank(card) - 2 for count in home.values())


def sent_home(columns: Columns, home: Foundations, *, only_safe: bool) -> tuple[list[str], Foundations]:
    """Send cards home, always from the leftmost column that can, until none can.

    What lies under a covered card isn't known: a column that shows a covered card sends nothing more.

    Returns:
        The moves, and how many cards are home after them.
    """
    left = [list(column) for column in columns]
    now = dict(home)
    moves: list[str] = []
    while True:
        able = [
            index
            for index, column in enumerate(left)
            if column and goes_home(column[-1], now) and (not only_safe or is_safe(column[-1], now))
        ]
        if not able:
            return moves, now
        card = left[able[0]].pop()
        now[card[1]] += 1
        moves.append(COLUMNS[able[0]] + "h")


def finishing(columns: Columns, home: Foundations) -> list[str] | None:
    """The foundation moves that finish the game; None if they don't, if a card is covered or if it is won."""
    if not any(columns) or any(COVERED in column for column in columns):
        return None
    moves, end = sent_home(columns, home, only_safe=False)
    return moves if sum(end.values()) == 52 else None


def safe(columns: Columns, home: Foundations) -> list[str]:
    """The foundation moves of safe cards."""
    return sent_home(columns, home, only_safe=True)[0]


def best(columns: Columns, home: Foundations, legal: list[str]) -> dict[str, str]:
    """The move that a tap on each column plays, for the columns where it plays one.

    Home if the card fits there; otherwise the column where it hides least, that with the fewest cards of a lower
    rank, the leftmost of equals; an empty column, the leftmost, only when nothing else fits.
    """
    taps = {}
    for index, column in enumerate(columns):
        source = COLUMNS[index]
        moves = [move for move in legal if move[0] == source]
        if not moves:
            continue
        if source + "h" in moves:
            taps[source] = source + "h"
            continue
        choices = []
        for move in moves:
            target = columns[COLUMNS.index(move[1])]
            lower = [card for card in target if card != COVERED and rank(card) < rank(column[-1])]
            choices.append((not target, len(lower), COLUMNS.index(move[1]), move))
        taps[source] = min(choices)[-1]
    return taps
