"""Days and boards by their numbers, and the instants of a day. Nothing here knows what day it is."""

from __future__ import annotations

import datetime
from dataclasses import dataclass

#: The day of board number 1.
FIRST_DAY = datetime.date(2026, 1, 1)
#: How long after a day's end a game that was begun on it may still be won for it.
GRACE = datetime.timedelta(hours=2)


@dataclass(frozen=True)
class Day:
    """A UTC day on which every variant has one board."""

    date: datetime.date

    @property
    def number(self) -> int:
        """The number of its boards: 1 on the first day, below 1 before it."""
        return (self.date - FIRST_DAY).days + 1

    @property
    def opens_at(self) -> datetime.datetime:
        """When its boards can be seen."""
        return datetime.datetime.combine(self.date, datetime.time(), datetime.UTC)

    @property
    def closes_at(self) -> datetime.datetime:
        """Until when a first move counts, itself not included."""
        return self.opens_at + datetime.timedelta(days=1)

    @property
    def settles_at(self) -> datetime.datetime:
        """Until when a win counts, itself not included, and from when help and archive are open."""
        return self.closes_at + GRACE

    @classmethod
    def of(cls, moment: datetime.datetime) -> Day:
        """Return the day that a moment belongs to, whatever the moment's own time zone."""
        return cls(moment.astimezone(datetime.UTC).date())

    @classmethod
    def numbered(cls, number: int) -> Day:
        """Return the day of the boards of that number."""
        return cls(FIRST_DAY + datetime.timedelta(days=number - 1))
