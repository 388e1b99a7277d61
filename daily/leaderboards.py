"""Who has won most in a row: days, or ranked games.

A list is the rows of `Statistics` in the order of an index: longer streaks first, of equal ones that which was reached
earlier, then by name. A page goes on from the last row of the one before it, so that results which arrive meanwhile
neither repeat a player nor leave one out, but for who moved up past the reader.

Listed are active players who have said yes. Of present streaks only those that are alive are: a streak of days as long
as days follow, a ranked one as long as its player has ended a game within thirty days.
"""

from __future__ import annotations

import datetime
import heapq
from collections.abc import Iterator
from dataclasses import dataclass
from enum import StrEnum
from functools import reduce
from itertools import islice
from operator import or_

from django.core import signing
from django.db.models import F, Q, QuerySet

from accounts.models import Statistics
from bakers.problems import Invalid
from bakers.rules.variants import Variant
from config import clock
from daily import results

PAGE_SIZE = 50
#: Players who haven't ended a ranked game for so long leave the list of present streaks, not that of the best.
IDLE = datetime.timedelta(days=30)
#: A rank that lies further down is told as being below this one: counting further would cost too much.
LAST_RANK = 1_000


class Contest(StrEnum):
    """What is won in a row."""

    DAILY = "daily"
    RANKED = "ranked"


class Span(StrEnum):
    """Which streaks are compared."""

    CURRENT = "current"
    BEST = "best"


@dataclass(frozen=True)
class Leaderboard:
    """Which list."""

    contest: Contest
    span: Span
    variant: Variant

    @property
    def salt(self) -> str:
        """What its marks are signed with, so that one of another list is none of this."""
        return f"daily.leaderboards {self.contest} {self.span} {self.variant.slug}"


@dataclass(frozen=True)
class Entry:
    """A row of a list.

    Attributes:
        rank: 1, 1, 3: as many players have a longer streak, and one more. None below `LAST_RANK`.
        name: the display name; empty for who has none, as the own row may.
        streak: its length, in days or games.
        reached_at: when it became so long.
    """

    rank: int | None
    name: str
    streak: int
    reached_at: datetime.datetime


@dataclass(frozen=True)
class Page:
    """A page of a list, and what the next one goes on from; None on the last."""

    entries: tuple[Entry, ...]
    next: str | None


@dataclass(frozen=True)
class _Mark:
    """Where a page ends: its last row, and how many there are before the next."""

    streak: int
    reached_at: datetime.datetime
    name_key: str
    rank: int
    count: int

    def text(self, which: Leaderboard) -> str:
        return signing.dumps(
            [self.streak, self.reached_at.isoformat(), self.name_key, self.rank, self.count],
            salt=which.salt,
        )

    @classmethod
    def parse(cls, text: str, which: Leaderboard) -> _Mark:
        try:
            streak, reached_at, name_key, rank, count = signing.loads(text, salt=which.salt)
            return cls(streak, datetime.datetime.fromisoformat(reached_at), name_key, rank, count)
        except (signing.BadSignature, TypeError, ValueError):
            raise Invalid(
                "There is no such page.", detail={"fields": {"after": ["Not a mark of a page."]}}
            ) from None


def read_page(which: Leaderboard, *, after: str | None = None) -> Page:
    """Return a page of a list, the first one or that after a mark.

    Raises:
        Invalid: the mark is none that a page of this list gave.
    """
    mark = _Mark.parse(after, which) if after else None
    rows = list(islice(_rows(which, clock.now(), mark), PAGE_SIZE + 1))
    entries = []
    rank, count = (mark.rank, mark.count) if mark else (0, 0)
    streak = mark.streak if mark else None
    for row in rows[:PAGE_SIZE]:
        count += 1
        if row.length != streak:
            rank, streak = count, row.length
        entries.append(Entry(rank, row.name, row.length, row.reached_at))
    more = len(rows) > PAGE_SIZE
    last = rows[PAGE_SIZE - 1] if more else None
    following = (
        None if last is None else _Mark(last.length, last.reached_at, last.name_key, rank, count).text(which)
    )
    return Page(tuple(entries), following)


def read_own(which: Leaderboard, *, user_id: int) -> Entry | None:
    """Return a player's own row, listed or not; None without a streak."""
    parts, column = _parts(which, clock.now()), _column(which.span)
    own = (
        _streaks(which)
        .filter(reduce(or_, parts), user_id=user_id)
        .values_list(column, f"{column}_at", "user__display_name")
        .first()
    )
    if own is None:
        return None
    length, reached_at, name = own
    longer = 0
    for part in parts:
        left = LAST_RANK - longer
        longer += _listed(which).filter(part, **{f"{column}__gt": length})[:left].count()
    return Entry(longer + 1 if longer < LAST_RANK else None, name, length, reached_at)


@dataclass(frozen=True)
class _Row:
    length: int
    reached_at: datetime.datetime
    name_key: str
    name: str

    @property
    def place(self) -> tuple[int, datetime.datetime, str]:
        return -self.length, self.reached_at, self.name_key


def _rows(which: Leaderboard, now: datetime.datetime, after: _Mark | None) -> Iterator[_Row]:
    """Return the rows of a list in order, after a mark; each part of it is read in the order of its index."""
    return heapq.merge(*(_read(which, part, after) for part in _parts(which, now)), key=_place)


def _place(row: _Row) -> tuple[int, datetime.datetime, str]:
    return row.place


def _read(which: Leaderboard, part: Q, after: _Mark | None) -> Iterator[_Row]:
    column, moment = _column(which.span), f"{_column(which.span)}_at"
    stretches = [part]
    if after is not None:
        later = Q(**{f"{moment}__gt": after.reached_at}) | Q(listed_key__gt=after.name_key)
        # An index can begin at either; at both in one question it would go through all of one length.
        stretches = [
            part & later & Q(**{column: after.streak, f"{moment}__gte": after.reached_at}),
            part & Q(**{f"{column}__lt": after.streak}),
        ]
    for stretch in stretches:
        rows = _listed(which).filter(stretch).order_by(F(column).desc(), moment, "listed_key")
        # Nothing but what the index holds.
        for row in rows.values_list(column, moment, "listed_key", "listed_as")[: PAGE_SIZE + 1]:
            yield _Row(*row)


def _column(span: Span) -> str:
    return "streak" if span is Span.CURRENT else "best_streak"


def _streaks(which: Leaderboard) -> QuerySet[Statistics]:
    return Statistics.objects.filter(
        kind=which.contest.value, variant=which.variant.slug, **{f"{_column(which.span)}__gt": 0}
    )


def _listed(which: Leaderboard) -> QuerySet[Statistics]:
    return _streaks(which).filter(listed_key__gt="")


def _parts(which: Leaderboard, now: datetime.datetime) -> list[Q]:
    """Return which streaks belong to a list, in parts that an index has in order."""
    if which.span is Span.BEST:
        return [Q()]
    if which.contest is Contest.RANKED:
        return [Q(last_number__isnull=True, last_at__gte=now - IDLE)]
    return [Q(last_number=number) for number in results.alive_numbers(now)]
