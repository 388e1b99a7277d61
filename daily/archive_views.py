"""The pages of the archive."""

from __future__ import annotations

from typing import Any

from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils import dateformat

from bakers.days import FIRST_DAY
from bakers.problems import NotFound
from bakers.solver.ratings import NAMES as RATING_NAMES
from bakers.views import find_variant
from daily import archive, pages
from daily.archive import ArchiveDay, Month, Own

WEEKDAYS = ("Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday", "Sunday")


@pages.page
def month(request: HttpRequest, variant: str, month: str | None = None) -> HttpResponse:
    """Show the boards of a month, of the present one if none is named."""
    known = find_variant(variant)
    latest = archive.latest_month()
    try:
        chosen = latest if month is None else Month.parse(month)
        days = archive.read_month(variant=known, month=chosen, user_id=pages.user_id(request))
    except NotFound as problem:
        raise Http404(problem.message) from None
    context = {
        **pages.frame(known),
        "month": _month_data(chosen),
        "previous": _month_data(chosen.previous) if chosen > Month.of(FIRST_DAY) else None,
        "following": _month_data(chosen.following) if chosen < latest else None,
        "is_latest": chosen == latest,
        "weekdays": [{"name": name, "short": name[:3]} for name in WEEKDAYS],
        "weeks": _weeks(days),
        "has_settled": any(day.settled for day in days),
        "is_known": request.user.is_authenticated,
    }
    return render(request, "daily/archive.html", context)


def _month_data(month: Month) -> dict[str, Any]:
    return {"text": month.text, "name": dateformat.format(month.first, "F Y")}


def _weeks(days: list[ArchiveDay]) -> list[list[dict[str, Any] | None]]:
    """Return the days of a month in weeks from Monday to Sunday, with None for those of other months."""
    before = days[0].date.weekday()
    cells: list[dict[str, Any] | None] = [None] * before + [_day_data(day) for day in days]
    cells += [None] * (-len(cells) % 7)
    return [cells[start : start + 7] for start in range(0, len(cells), 7)]


def _day_data(day: ArchiveDay) -> dict[str, Any]:
    facts = []
    if day.settled is not None:
        if day.settled.rating is not None:
            facts.append(RATING_NAMES[day.settled.rating - 1])
        if day.settled.par is not None:
            facts.append(f"{'par' if day.settled.par_proven else 'best known'} {day.settled.par}")
        facts.append(
            f"{day.settled.winners:,} of {day.settled.players:,} won" if day.settled.players else "not played"
        )
    return {
        "date": day.date.isoformat(),
        "number": day.date.day,
        "weekday": WEEKDAYS[day.date.weekday()][:3],
        "month": dateformat.format(day.date, "F"),
        "has_page": day.has_page,
        "is_today": day.is_today,
        "facts": facts,
        "own": day.own.value,
        "own_words": _own_words(day),
    }


def _own_words(day: ArchiveDay) -> str:
    if day.own is Own.WON:
        return f"Won in {day.own_moves:,}"
    if day.own is Own.BEGUN:
        return "Begun"
    return ""
