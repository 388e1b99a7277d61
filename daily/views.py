"""The pages of boards."""

from __future__ import annotations

import datetime
from typing import Any

from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import render
from django.views.decorators.http import require_safe

from bakers.presenters import variant_data
from bakers.problems import Busy, NotFound
from bakers.views import busy, compressed, find_variant, own_game, show_table
from daily import days, presenters
from daily.dates import parse_date


@require_safe
@compressed
@own_game
def today(request: HttpRequest, variant: str) -> HttpResponse:
    """Show today's board of a variant on the table."""
    return _show(request, variant, None)


@require_safe
@compressed
@own_game
def board(request: HttpRequest, variant: str, date: str) -> HttpResponse:
    """Show the board of a day on the table: to play, as the visitor's own game on it, or for practice."""
    try:
        day = parse_date(date)
    except NotFound as problem:
        raise Http404(problem.message) from None
    return _show(request, variant, day)


def _show(request: HttpRequest, slug: str, date: datetime.date | None) -> HttpResponse:
    variant = find_variant(slug)
    user_id = request.user.pk if request.user.is_authenticated else None
    try:
        view = days.look_at_board(user_id=user_id, variant=variant, date=date)
    except NotFound as problem:
        raise Http404(problem.message) from None
    except Busy:
        return busy(request)
    facts: dict[str, Any] = presenters.board_data(view)
    del facts["game"]
    if view.table is None:
        context = {
            "variant": variant_data(variant),
            "daily": facts,
            "settles_at": view.day.settles_at,
        }
        return render(request, "daily/closed.html", context)
    return show_table(request, view.table, board=facts)
