"""A player's year of days won: as a picture with a square a day, and as the rows of the table that stands behind it.

The picture is SVG with classes, as those of `accounts.charts` are: no style, no script.
"""

from __future__ import annotations

import datetime
from collections import defaultdict
from collections.abc import Collection, Iterator
from dataclasses import dataclass
from html import escape
from typing import Any

from django.utils import dateformat

from bakers.days import Day
from bakers.rules.variants import VARIANTS
from config import clock
from daily.archive import Month
from daily.models import Result

#: Whole weeks before the present one: with it, every day of a year is in the picture.
WEEKS = 52
#: A square and the gap after it, in the picture's own units.
SQUARE, STEP = 10, 12
LEFT, TOP = 0, 18
#: The weekdays are named after the last week: where a page has no room for the whole year, that end of it is seen.
NAMES = 40
WIDTH, HEIGHT = LEFT + (WEEKS + 1) * STEP + NAMES, TOP + 7 * STEP
#: Weeks from one name of a month to the next at least, so that they don't run together.
LABEL_WEEKS = 4
ONE_DAY = datetime.timedelta(days=1)


@dataclass(frozen=True)
class Year:
    """The last year, week by week, and the days that a player won in it.

    Attributes:
        first: its first day, a Monday.
        last: its last day, today.
        won: by variant, the days; only variants of which the player won any.
    """

    first: datetime.date
    last: datetime.date
    won: dict[str, frozenset[datetime.date]]

    def days(self) -> Iterator[datetime.date]:
        """Yield each of its days."""
        day = self.first
        while day <= self.last:
            yield day
            day += ONE_DAY


def read_year(*, user_id: int) -> Year:
    """Return a player's last year, in one query."""
    today = Day.of(clock.now())
    first = today.date - datetime.timedelta(days=today.date.weekday(), weeks=WEEKS)
    rows = Result.objects.filter(
        user_id=user_id,
        # Names them all, so that the index of a player's results of a variant is walked from the first day on.
        variant__in=list(VARIANTS),
        number__gte=max(1, Day(first).number),
        number__lte=today.number,
        won_at__isnull=False,
    ).values_list("variant", "number")
    won = defaultdict(set)
    for variant, number in rows:
        won[variant].add(Day.numbered(number).date)
    return Year(
        first, today.date, {variant: frozenset(won[variant]) for variant in VARIANTS if variant in won}
    )


def draw(year: Year, won: Collection[datetime.date], title: str) -> str:
    """Draw a year with a square a day, in columns of weeks from Monday to Sunday; days won stand out."""
    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {HEIGHT}" role="img" class="plot" '
        f'font-size="11"><title>{escape(title)}</title>'
    ]
    for row, name in ((0, "Mon"), (2, "Wed"), (4, "Fri")):
        parts.append(
            f'<text class="plot__text" x="{WIDTH}" y="{TOP + row * STEP + 9}" text-anchor="end">{name}</text>'
        )
    squares, others, labelled = [], [], -LABEL_WEEKS
    for index, day in enumerate(year.days()):
        week, row = divmod(index, 7)
        x, y = LEFT + week * STEP, TOP + row * STEP
        if day.day == 1 and week - labelled >= LABEL_WEEKS:
            labelled = week
            parts.append(
                f'<text class="plot__text" x="{x}" y="{TOP - 6}">{dateformat.format(day, "M")}</text>'
            )
        square = f"M{x} {y}h{SQUARE}v{SQUARE}h-{SQUARE}z"
        if day in won:
            squares.append(f'<path d="{square}"><title>{dateformat.format(day, "j F Y")}: won</title></path>')
        else:
            others.append(square)
    # All other days are one path: there may be hundreds, and they have nothing to say.
    parts.append(f'<path class="plot__no-day" d="{"".join(others)}"/>')
    parts.append(f'<g class="plot__day">{"".join(squares)}</g>')
    return "".join([*parts, "</svg>"])


def month_rows(year: Year, won: Collection[datetime.date]) -> list[dict[str, Any]]:
    """Return the table behind a picture: each month of the year, how many of its days were won, and which."""
    days: dict[Month, list[int]] = {Month.of(day): [] for day in year.days()}
    for day in sorted(won):
        days[Month.of(day)].append(day.day)
    return [
        {
            "name": dateformat.format(month.first, "F Y"),
            "count": len(of_month),
            "days": days_text(of_month) or "–",
        }
        for month, of_month in days.items()
    ]


def days_text(days: Collection[int]) -> str:
    """Return days of a month, in order, in words: "1, 3 to 7, 9"."""
    runs: list[list[int]] = []
    for day in days:
        if runs and runs[-1][-1] == day - 1:
            runs[-1].append(day)
        else:
            runs.append([day])
    return ", ".join(_run_text(run) for run in runs)


def _run_text(run: list[int]) -> str:
    if len(run) > 2:
        return f"{run[0]} to {run[-1]}"
    return ", ".join(map(str, run))
