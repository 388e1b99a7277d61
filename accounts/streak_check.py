"""Whether the stored statistics are what the games say, found out by another way than they were computed.

The database counts here, with window functions over all games at once; `accounts.statistics` counts one player's in
Python. What both agree on is right, or wrong twice over.
"""

from __future__ import annotations

import datetime
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any

from django.db import connection, transaction
from django.utils.dateparse import parse_datetime

from accounts import listing
from accounts.counted import Key, Tally, counted_kinds
from accounts.models import Statistics
from accounts.statistics import recompute, tally_of

# 1. Give each result the number of losses up to it: wins with the same number follow one another.
# 2. Make runs of them, each with its wins and the time of the last one.
# 3. The last run is the present streak, the longest one the best, and of the longest ones the first to get there.
_WINDOWS = """
WITH numbered AS (
    SELECT user_id, variant, kind, status, finished_at,
        SUM(CASE WHEN status = 'lost' THEN 1 ELSE 0 END) OVER (
            PARTITION BY user_id, variant, kind ORDER BY finished_at, id
        ) AS losses
    FROM bakers_game
    WHERE user_id IS NOT NULL AND finished_at IS NOT NULL AND kind = %s {more}
), runs AS (
    SELECT user_id, variant, kind, losses,
        COUNT(*) AS games,
        SUM(CASE WHEN status = 'won' THEN 1 ELSE 0 END) AS wins,
        MAX(CASE WHEN status = 'won' THEN finished_at END) AS reached_at,
        MAX(finished_at) AS last_at
    FROM numbered
    GROUP BY user_id, variant, kind, losses
), ranked AS (
    SELECT *,
        MAX(losses) OVER (PARTITION BY user_id, variant, kind) AS last_run,
        MAX(wins) OVER (PARTITION BY user_id, variant, kind) AS longest
    FROM runs
)
SELECT user_id, variant, kind,
    SUM(games), SUM(wins),
    MAX(CASE WHEN losses = last_run THEN wins END), MAX(longest),
    MAX(CASE WHEN losses = last_run THEN reached_at END), MIN(CASE WHEN wins = longest THEN reached_at END),
    MAX(last_at)
FROM ranked
GROUP BY user_id, variant, kind
"""


@dataclass(frozen=True)
class Difference:
    """Numbers that are stored and not what the games say."""

    key: Key
    stored: Tally
    counted: Tally

    def __str__(self) -> str:
        user_id, variant, kind = self.key
        return (
            f"user {user_id}, {variant}, {kind}: stored {_words(self.stored)}; counted {_words(self.counted)}"
        )


def count_games(kind: str) -> Callable[[Key | None], dict[Key, Tally]]:
    """Return what counts the ended games of a kind of all players, or of one key, in the database."""

    def count(key: Key | None) -> dict[Key, Tally]:
        more, values = ("", ()) if key is None else ("AND user_id = %s AND variant = %s", key[:2])
        with connection.cursor() as cursor:
            # Only marks for values are put in here.
            cursor.execute(_WINDOWS.format(more=more), [kind, *values])
            return {
                (user_id, variant, kind): Tally(
                    int(played),
                    int(won),
                    int(streak),
                    int(best),
                    read_moment(streak_at),
                    read_moment(best_at),
                    read_moment(last_at),
                )
                for user_id, variant, kind, played, won, streak, best, streak_at, best_at, last_at in (
                    cursor.fetchall()
                )
            }

    return count


def count(key: Key | None = None) -> dict[Key, Tally]:
    """Return what the results of all players say, or those of one key, as the database counts them."""
    counted: dict[Key, Tally] = {}
    for kind in counted_kinds():
        if key is None or key[2] == kind.slug:
            counted |= kind.of_everybody(key)
    return counted


def differences() -> Iterator[Difference]:
    """Find what is stored and differs from what the games say."""
    counted = count()
    stored = {(row.user_id, row.variant, row.kind): tally_of(row) for row in Statistics.objects.iterator()}
    for key in sorted(counted.keys() | stored.keys()):
        if counted.get(key, Tally()) != stored.get(key, Tally()) and (found := _look_again(key)):
            yield found


def rebuild() -> int:
    """Compute anew what differs, and return how much that was."""
    mended = listing.mend()
    for difference in list(differences()):
        user_id, variant, kind = difference.key
        recompute(user_id=user_id, variant=variant, kind=kind)
        mended += 1
    return mended


def _look_again(key: Key) -> Difference | None:
    """Compare one row under its lock: a game may have ended between the two looks at everything."""
    user_id, variant, kind = key
    rows = Statistics.objects.filter(user_id=user_id, variant=variant, kind=kind)
    with transaction.atomic():
        row = rows.select_for_update().first()
        stored, counted = tally_of(row), count(key).get(key, Tally())
    if row is None and rows.exists():
        # It wasn't there to be locked, and has been made since.
        return _look_again(key)
    return None if stored == counted else Difference(key, stored, counted)


def read_moment(value: Any) -> datetime.datetime | None:
    """Return a time as Django reads it: SQLite gives the text that it has stored, in UTC."""
    if isinstance(value, str):
        read = parse_datetime(value)
        return None if read is None else read.replace(tzinfo=datetime.UTC)
    return None if value is None else value.astimezone(datetime.UTC)


def _words(tally: Tally) -> str:
    streak, best = f"{tally.streak} ({tally.streak_at})", f"{tally.best_streak} ({tally.best_streak_at})"
    return f"{tally.won} of {tally.played} won, streak {streak}, best {best}"
