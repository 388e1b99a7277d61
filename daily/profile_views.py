"""Public profiles, and the section about days on the page of a player's own statistics."""

from __future__ import annotations

from typing import Any

from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils.safestring import mark_safe

from accounts.models import User
from accounts.sections import Section
from bakers.rules.variants import VARIANTS
from daily import calendars, pages, profiles, results
from daily.calendars import Year


@pages.page
def profile(request: HttpRequest, name: str) -> HttpResponse:
    """Show what everybody may see of a player; the address has the name as its owner writes it."""
    player = profiles.find_listed(name)
    if player is None:
        raise Http404("There is no such player.")
    if player.display_name != name:
        return redirect("profile", name=player.display_name)
    record = profiles.read_record(user_id=player.pk, statistics=profiles.read_statistics(user_id=player.pk))
    context = {
        **pages.frame(),
        "name": player.display_name,
        "is_own": player.pk == pages.user_id(request),
        "streaks": record.streaks,
        "years": _years(record.year),
        "badges": [badge for badge in record.badges if badge.held],
    }
    response = render(request, "daily/profile.html", context)
    # What a search engine keeps would not go when its owner takes it away.
    response["X-Robots-Tag"] = "noindex"
    return response


def section(user: User) -> Section | None:
    """Return a player's own days: their year, and every badge, also those that they don't have yet."""
    statistics = profiles.read_statistics(user_id=user.pk)
    if not any(row.won for row in statistics if row.kind == results.SLUG):
        return None
    record = profiles.read_record(user_id=user.pk, statistics=statistics)
    context = {
        "years": _years(record.year),
        "badges": record.badges,
        "held": sum(1 for badge in record.badges if badge.held),
        "profile_name": user.display_name if user.is_listed else "",
    }
    return Section("daily/_section.html", context)


def _years(year: Year) -> list[dict[str, Any]]:
    """Return the year of each variant that was won in it: a picture, and the table behind it."""
    found = []
    for slug, won in year.won.items():
        name = VARIANTS[slug].name
        picture = calendars.draw(year, won, f"Days of {name} won in the last year")
        found.append(
            {
                "slug": slug,
                "name": name,
                "count": f"{len(won):,} {'day' if len(won) == 1 else 'days'}",
                "picture": mark_safe(picture),  # noqa: S308 (made of numbers and our own words)
                "rows": calendars.month_rows(year, won),
            }
        )
    return found
