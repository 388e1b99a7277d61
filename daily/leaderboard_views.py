"""The pages of leaderboards."""

from __future__ import annotations

from typing import Any

from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import render

from accounts.models import User
from bakers.problems import Invalid
from bakers.views import find_variant
from daily import leaderboards, pages
from daily.leaderboards import Contest, Entry, Leaderboard, Page, Span

CONTESTS = {Contest.DAILY: "Days", Contest.RANKED: "Ranked"}
SPANS = {Span.CURRENT: "Now", Span.BEST: "Best ever"}
#: What a streak of each list counts, and what keeps it there.
WORDS = {
    (Contest.DAILY, Span.CURRENT): (
        "Days won in a row, up to today or yesterday. Whoever misses a day begins again."
    ),
    (Contest.DAILY, Span.BEST): "The most days that each player has ever won in a row.",
    (Contest.RANKED, Span.CURRENT): (
        "Ranked games won in a row, up to the last one. A loss ends the streak; "
        "after 30 days without a ranked game it isn’t shown here."
    ),
    (Contest.RANKED, Span.BEST): "The most ranked games that each player has ever won in a row.",
}


@pages.page
def leaderboard(request: HttpRequest, contest: str, variant: str) -> HttpResponse:
    """List the longest streaks; `?span=` chooses present or best ones, `?after=` the rows after those of a page."""
    known = find_variant(variant)
    if contest not in {each.value for each in Contest}:
        raise Http404("There is no such leaderboard.")
    span = request.GET.get("span", "")
    which = Leaderboard(Contest(contest), Span.BEST if span == Span.BEST.value else Span.CURRENT, known)
    shown, is_first = _read(which, request.GET.get("after", ""))
    own = _own(request, which, shown)
    rows = [
        _row(entry, which, is_own=own is not None and own["on_page"] == entry.name) for entry in shown.entries
    ]
    context = {
        **pages.frame(known),
        "contest": which.contest.value,
        "span": which.span.value,
        "contests": [{"slug": each.value, "name": name} for each, name in CONTESTS.items()],
        "spans": [{"slug": each.value, "name": name} for each, name in SPANS.items()],
        "words": WORDS[which.contest, which.span],
        "counts": "Days in a row" if which.contest is Contest.DAILY else "Games in a row",
        "rows": rows,
        "own": own,
        "next": shown.next,
        "is_first": is_first,
    }
    response = render(request, "daily/leaderboard.html", context)
    # Names that a search engine keeps would not go when their owners take them away.
    response["X-Robots-Tag"] = "noindex"
    return response


def _read(which: Leaderboard, after: str) -> tuple[Page, bool]:
    """Return the page after a mark and whether it is the first, which stands in for one that there isn't."""
    if after:
        try:
            return leaderboards.read_page(which, after=after), False
        except Invalid:
            pass
    return leaderboards.read_page(which), True


def _own(request: HttpRequest, which: Leaderboard, shown: Page) -> dict[str, Any] | None:
    """Return what is said of the visitor; None of a guest."""
    user = request.user
    # The request's own is an object that looks the user up when it is used.
    if not isinstance(user, User):
        return None
    entry = leaderboards.read_own(which, user_id=user.pk)
    on_page = entry is not None and user.is_listed and any(each.name == entry.name for each in shown.entries)
    return {
        "row": None
        if entry is None or on_page
        else _row(entry, which, is_own=True, is_listed=user.is_listed),
        "has_streak": entry is not None,
        "on_page": user.display_name if on_page else None,
        "is_listed": user.is_listed,
        "has_name": bool(user.display_name),
    }


def _row(entry: Entry, which: Leaderboard, *, is_own: bool, is_listed: bool = True) -> dict[str, Any]:
    noun = "day" if which.contest is Contest.DAILY else "game"
    return {
        "rank": f"{entry.rank:,}" if entry.rank is not None else f"over {leaderboards.LAST_RANK:,}",
        "name": entry.name,
        "streak": f"{entry.streak:,}",
        "noun": noun if entry.streak == 1 else f"{noun}s",
        "reached_at": entry.reached_at,
        "is_own": is_own,
        "is_listed": is_listed,
    }
