"""The archive: a month of boards that have settled, what came of them, and what a player made of them.

Boards that haven't settled aren't even read here, so that nothing of them can show.
"""

from __future__ import annotations

import datetime
import re
from dataclasses import dataclass
from enum import StrEnum

from django.db.models import Count
from django.utils.translation import gettext as _

from bakers.days import FIRST_DAY, Day
from bakers.problems import NotFound
from bakers.rules.variants import Variant
from config import clock
from daily import boards
from daily.models import Board, Result


class Own(StrEnum):
    """What a player made of a board."""

    NONE = "none"
    BEGUN = "begun"
    WON = "won"


@dataclass(frozen=True, order=True)
class Month:
    """A month in which there are days with boards."""

    first: datetime.date

    @classmethod
    def of(cls, date: datetime.date) -> Month:
        """Return the month of a day."""
        return cls(date.replace(day=1))

    @classmethod
    def parse(cls, text: str) -> Month:
        """Return the month that an address names, as `2026-03`.

        Raises:
            NotFound: it names none.
        """
        found = re.fullmatch(r"([0-9]{4})-([0-9]{2})", text)
        if found is None or found[1] == "0000" or not 1 <= int(found[2]) <= 12:
            raise NotFound(_("There is no board of that month."))
        return cls(datetime.date(int(found[1]), int(found[2]), 1))

    @property
    def text(self) -> str:
        """How an address names it."""
        return f"{self.first:%Y-%m}"

    @property
    def last(self) -> datetime.date:
        """Its last day."""
        return self.following.first - datetime.timedelta(days=1)

    @property
    def previous(self) -> Month:
        """The month before."""
        return Month.of(self.first - datetime.timedelta(days=1))

    @property
    def following(self) -> Month:
        """The month after."""
        return Month.of(self.first + datetime.timedelta(days=31))


@dataclass(frozen=True)
class Settled:
    """What is told of a board that has settled.

    Attributes:
        rating: how hard it is, 1 to 5; None where that isn't known.
        par: moves of the shortest line known; None as long as none is. `par_proven` if none is shorter.
        players: those with a first move; `winners` of them won it in time.
    """

    rating: int | None
    par: int | None
    par_proven: bool
    players: int
    winners: int


@dataclass(frozen=True)
class ArchiveDay:
    """A day of a month.

    Attributes:
        date: which.
        settled: its board, if there is one and it has settled.
        is_today: whether its board is the one to play now.
        own: what the player made of its board, in so many `own_moves` if they won it.
    """

    date: datetime.date
    settled: Settled | None = None
    is_today: bool = False
    own: Own = Own.NONE
    own_moves: int | None = None

    @property
    def has_page(self) -> bool:
        """Whether its board can be looked at: it has settled, is today's, or the player is still at it."""
        return self.settled is not None or self.is_today or self.own is not Own.NONE


def latest_month() -> Month:
    """Return the month of today."""
    return Month.of(Day.of(clock.now()).date)


def read_month(*, variant: Variant, month: Month, user_id: int | None) -> list[ArchiveDay]:
    """Return the days of a month with their boards, in at most three queries.

    Raises:
        NotFound: in that month no day with a board has begun.
    """
    now = clock.now()
    today = Day.of(now)
    if not Month.of(FIRST_DAY) <= month <= Month.of(today.date):
        raise NotFound(_("There is no board of that month."))
    first, last = Day(month.first).number, Day(month.last).number
    settled = _read_settled(variant, first, min(last, boards.first_unsettled(now).number - 1))
    own = _read_own(variant, first, min(last, today.number), user_id)
    days = []
    for number in range(first, last + 1):
        result, moves = own.get(number, (Own.NONE, None))
        day = Day.numbered(number)
        days.append(ArchiveDay(day.date, settled.get(number), day == today, result, moves))
    return days


def _read_settled(variant: Variant, first: int, last: int) -> dict[int, Settled]:
    """Return the boards from one number to another."""
    rows = list(
        Board.objects.filter(variant=variant.slug, number__gte=first, number__lte=last).values_list(
            "pk", "number", "rating", "par", "par_proven", "players", "winners"
        )
    )
    # What has just settled is counted by regular work within minutes.
    uncounted = [row[0] for row in rows if row[5] is None]
    counts: dict[int, tuple[int, int]] = {}
    if uncounted:
        found = Result.objects.filter(board__in=uncounted).values_list("board").order_by()
        counts = {
            board: (players, winners)
            for board, players, winners in found.annotate(Count("pk"), Count("won_at"))
        }
    settled = {}
    for pk, number, rating, par, par_proven, players, winners in rows:
        if players is None or winners is None:
            players, winners = counts.get(pk, (0, 0))  # noqa: PLW2901 (counted now)
        settled[number] = Settled(rating, par, par_proven, players, winners)
    return settled


def _read_own(
    variant: Variant, first: int, last: int, user_id: int | None
) -> dict[int, tuple[Own, int | None]]:
    if user_id is None:
        return {}
    rows = Result.objects.filter(
        user_id=user_id, variant=variant.slug, number__gte=first, number__lte=last
    ).values_list("number", "won_at", "moves")
    return {number: (Own.BEGUN if won_at is None else Own.WON, moves) for number, won_at, moves in rows}
