"""The kinds of game that count: one list, by which statistics are kept and pages are made."""

from __future__ import annotations

import datetime
from collections.abc import Callable
from dataclasses import dataclass, field, fields

from django.db.models import Q

from accounts.models import Statistics


@dataclass(frozen=True)
class Tally:
    """What a sequence of results comes to.

    Attributes:
        played: results.
        won: those that were won.
        streak: the games won since the last one that was lost.
        best_streak: the most games ever won in a row.
        streak_at: when the present streak became as long as it is, None if it has no length.
        best_streak_at: when the best streak was first reached, None if nothing was won.
        last_at: when the last result came, None without one.
        last_number: of boards, the number of the last one that was won; else None.
    """

    played: int = 0
    won: int = 0
    streak: int = 0
    best_streak: int = 0
    streak_at: datetime.datetime | None = None
    best_streak_at: datetime.datetime | None = None
    last_at: datetime.datetime | None = None
    last_number: int | None = None


#: The fields of a tally, which are columns of `Statistics` too.
FIELDS = tuple(field.name for field in fields(Tally))

#: A player, a variant and a kind.
Key = tuple[int, str, str]


def _as_stored(row: Statistics) -> int:
    return row.streak


@dataclass(frozen=True)
class Counted:
    """A kind of game that counts for statistics.

    Attributes:
        slug: the kind's name in the API and the database.
        name: its name on screen.
        streak: what its streak is a number of.
        of_player: returns what a player's results of a variant come to.
        of_everybody: returns what the results of all players come to, or those of one key, as the database counts it:
            another way to the same numbers.
        counts_left: whether a game that was left for `figures.LEFT_AFTER` counts as played.
        won: which of the games that were won count as won.
        alive: returns how long the present streak is, of those that end by themselves 0 once they have.
    """

    slug: str
    name: str
    streak: str
    of_player: Callable[[int, str], Tally]
    of_everybody: Callable[[Key | None], dict[Key, Tally]]
    counts_left: bool = False
    won: Q = field(default_factory=Q)
    alive: Callable[[Statistics], int] = _as_stored


_counted: dict[str, Counted] = {}


def count_kind(kind: Counted) -> None:
    """Count one more kind, from an app's `ready()`; the same slug again takes the place of the one before."""
    _counted[kind.slug] = kind


def counted_kinds() -> list[Counted]:
    """Return the kinds that count, in the order in which pages list them."""
    return list(_counted.values())


def find_kind(slug: str) -> Counted | None:
    """Return the kind of a name, if it counts: practice doesn't."""
    return _counted.get(slug)
