"""The pages of a player's own play: statistics, history and replays."""

from __future__ import annotations

import json
import uuid
from typing import Any

from django.conf import settings
from django.contrib.auth.decorators import login_required
from django.http import Http404, HttpRequest, HttpResponse
from django.middleware.csrf import get_token
from django.shortcuts import render
from django.utils.safestring import mark_safe
from django.views.decorators.gzip import gzip_page
from django.views.decorators.http import require_safe

from accounts import charts, figures, history, sections, tables
from accounts.counted import counted_kinds
from accounts.signed_in import visitor
from bakers import kinds
from bakers.models import Game
from bakers.players import find_player
from bakers.presenters import game_state, variant_data
from bakers.problems import NotFound
from bakers.rules.variants import VARIANTS


@require_safe
@gzip_page
@login_required
def statistics(request: HttpRequest) -> HttpResponse:
    """Show the visitor's games in figures and pictures; `?variant=` and `?kind=` choose what the pictures show."""
    user_id = visitor(request).pk
    found = figures.read_figures(user_id=user_id)
    counted = counted_kinds()
    variant = _choice(request, "variant", VARIANTS)
    kind = _choice(request, "kind", [each.slug for each in counted])
    played = sum(each.played for each in found)
    won = sum(each.won for each in found)
    context = {
        "played": f"{played:,}",
        "won": f"{won:,}",
        "win_rate": tables.percent(won / played if played else None),
        "has_games": played > 0,
        "groups": _groups(found),
        "unplayed": [
            each
            for each in VARIANTS.values()
            if not any(one.variant == each.slug and one.played for one in found)
        ],
        "kinds": counted,
        "chosen": {"variant": variant, "kind": kind},
        "left_hours": int(figures.LEFT_AFTER.total_seconds()) // 3600,
    }
    if played:
        context["sections"] = sections.sections(visitor(request))
        days = [
            day
            for day in figures.read_days(user_id=user_id)
            if variant in (None, day.variant) and kind in (None, day.kind)
        ]
        periods = figures.periods(days)
        par = figures.against_par(
            dict(each.par.overs)
            for each in found
            if each.par and variant in (None, each.variant) and kind in (None, each.kind.slug)
        )
        if periods:
            context["rates"] = {
                "picture": mark_safe(charts.win_rates(periods)),  # noqa: S308 (made of numbers and our own words)
                "rows": tables.period_rows(periods),
            }
        if par is not None:
            bars = charts.bars(par)
            context["overs"] = {
                "picture": mark_safe(charts.moves_over_par(bars)),  # noqa: S308 (made of numbers and our own words)
                "rows": [{"name": each.words, "games": f"{each.games:,}"} for each in bars],
                "games": f"{par.games:,}",
                "noun": "game" if par.games == 1 else "games",
                "at_par": f"{par.at_par:,}",
            }
    return render(request, "accounts/statistics.html", context)


@require_safe
@gzip_page
@login_required
def list_history(request: HttpRequest) -> HttpResponse:
    """List the visitor's ended games, the newest first; `?variant=`, `?kind=` and `?result=` choose some of them."""
    kind_slugs = kinds.slugs()
    chosen = {
        "variant": _choice(request, "variant", VARIANTS),
        "kind": _choice(request, "kind", kind_slugs),
        "result": _choice(request, "result", [Game.Status.WON, Game.Status.LOST]),
    }
    page = history.read_page(
        user_id=visitor(request).pk,
        variant=chosen["variant"],
        kind=chosen["kind"],
        status=chosen["result"],
        older=history.Mark.parse(request.GET.get("older", "")),
        newer=history.Mark.parse(request.GET.get("newer", "")),
    )
    names = _kind_names()
    context = {
        "games": [tables.game_row(game, names) for game in page.games],
        "older": page.older,
        "newer": page.newer,
        "kinds": [{"slug": slug, "name": tables.kind_name(slug, names)} for slug in kind_slugs],
        "chosen": chosen,
        "is_chosen": any(chosen.values()),
        # What the addresses of other pages go on with.
        "choice": "".join(f"&{name}={value}" for name, value in chosen.items() if value),
    }
    return render(request, "accounts/history.html", context)


@require_safe
@gzip_page
@login_required
def replay(request: HttpRequest, game_id: uuid.UUID) -> HttpResponse:
    """Show an ended game of the visitor's own, and let it be gone through move by move."""
    try:
        table = history.find_ended_game(player=find_player(request), game_id=game_id)
    except NotFound as problem:
        raise Http404(problem.message) from None
    state = game_state(table)
    variant = variant_data(VARIANTS[table.game.variant])
    # The page's own calls need the token; making it sets a cookie and no row.
    get_token(request)
    context = {
        "variant": variant,
        "game": tables.game_row(table.game, _kind_names()),
        "par": tables.par_words(table.game, state["par"]),
        "line": " ".join(state["line"]),
        "boot_json": json.dumps({"game": state, "variant": variant}, separators=(",", ":")),
        "csrf_cookie": settings.CSRF_COOKIE_NAME,
    }
    return render(request, "accounts/replay.html", context)


def _choice(request: HttpRequest, name: str, known: Any) -> str | None:
    """Return what a query parameter chooses; what isn't known chooses nothing."""
    value = request.GET.get(name, "")
    return value if value in known else None


def _kind_names() -> dict[str, str]:
    return {kind.slug: kind.name for kind in counted_kinds()}


def _groups(found: list[figures.Figures]) -> list[dict[str, Any]]:
    """Return the figures of each variant that has been played, with a column for each kind of it."""
    groups = []
    for variant in VARIANTS.values():
        columns = [each for each in found if each.variant == variant.slug]
        if any(each.played for each in columns):
            groups.append(
                {
                    "variant": variant,
                    "kinds": [each.kind for each in columns],
                    "rows": tables.figures_rows(columns),
                }
            )
    return groups
