"""The pages: the table, the rules, questions, and errors."""

from __future__ import annotations

import json
import sys
import uuid
from typing import Any

from django.conf import settings
from django.contrib.sessions.exceptions import SessionInterrupted
from django.http import Http404, HttpRequest, HttpResponse
from django.middleware.csrf import get_token
from django.shortcuts import redirect, render
from django.views.decorators.cache import cache_control
from django.views.decorators.gzip import gzip_page
from django.views.decorators.http import require_safe

from bakers import games, kinds
from bakers import help as helping
from bakers.api.errors import RETRY_AFTER, is_api, is_busy, json_error
from bakers.api.helping import solved_data
from bakers.limits import callers
from bakers.players import find_player
from bakers.presenters import game_state, shown_board, shown_deal, variant_data
from bakers.problems import HelpRefused, NotFound
from bakers.questions import questions_data
from bakers.rules.cards import SUITS
from bakers.rules.deals import parse_deal_number
from bakers.rules.errors import UnreadableError
from bakers.rules.texts import sections
from bakers.rules.variants import BAKERS_DOZEN, VARIANTS, Variant

# A table is its player's own, and the next visit gets another deal. (no-store would keep it out of the browser's
# back and forward cache, and lose the place of somebody who only looked up a rule.)
own_page = cache_control(private=True, no_cache=True)
# On the way back, or with its windows of yesterday, a browser shows what it has kept without asking. Of a game that
# would be how it once stood, and the next move a move for another version.
own_game = cache_control(private=True, no_store=True)
# Pages shrink to a quarter. (The API's answers are small, and compressing each move's would cost more than it saves.)
# Nothing secret stands in them beside what a stranger can put there, so their length tells nothing.
compressed = gzip_page


@require_safe
@compressed
@own_page
def home(request: HttpRequest) -> HttpResponse:
    """Show a random deal at once, of the variant that `?variant=` names."""
    variant = VARIANTS.get(request.GET.get("variant", ""), BAKERS_DOZEN)
    return show_table(request, games.new_deal(variant=variant))


@require_safe
@compressed
@own_page
def play(request: HttpRequest, variant: str, number: str | None = None) -> HttpResponse:
    """Show a deal by its number, or a random one."""
    known = find_variant(variant)
    try:
        deal_number = None if number is None else parse_deal_number(number)
    except UnreadableError as error:
        raise Http404(error.reason) from None
    return show_table(request, games.new_deal(variant=known, number=deal_number))


@require_safe
@compressed
@own_game
def game(request: HttpRequest, game_id: uuid.UUID) -> HttpResponse:
    """Show a game of the visitor's own."""
    try:
        table = games.find_game(player=find_player(request), game_id=game_id)
    except NotFound as problem:
        raise Http404(problem.message) from None
    address = kinds.get(table.game.kind).address(table.game)
    return show_table(request, table) if address is None else redirect(address)


@require_safe
@compressed
def rules(request: HttpRequest, variant: str) -> HttpResponse:
    """Show the rules of a variant."""
    known = find_variant(variant)
    context = {
        "variant": variant_data(known),
        "sections": sections(known),
    }
    return render(request, "bakers/rules.html", context)


@require_safe
@compressed
def questions(request: HttpRequest) -> HttpResponse:
    """Answer questions about the game, with figures from the surveys."""
    return render(request, "bakers/questions.html", questions_data())


@require_safe
@compressed
@own_page
def deal(request: HttpRequest, variant: str, number: str) -> HttpResponse:
    """Show a deal and what is known of it, after a short search at most. Search engines are asked to stay away."""
    known = find_variant(variant)
    try:
        deal_number = parse_deal_number(number)
    except UnreadableError as error:
        raise Http404(error.reason) from None
    table = games.new_deal(variant=known, number=deal_number)
    shown: dict[str, Any] = {
        "number": str(deal_number),
        "columns": table.position.seen_columns(),
        "foundations": dict(zip(SUITS, table.position.foundations, strict=True)),
        "refused": None,
    }
    status = 200
    try:
        solved = helping.look_at_deal(
            player=find_player(request), who=callers(request), variant=known, deal_number=deal_number
        )
    except HelpRefused as problem:
        shown |= {"outcome": "unknown", "reason": None, "moves": None, "par": None, "rating": None, "seen": 0}
        shown["refused"], status = problem.message, problem.status
    else:
        facts = solved_data(solved)
        shown |= {name: facts[name] for name in ("outcome", "reason", "moves", "par", "rating")}
        shown["seen"] = facts["expanded"]
    get_token(request)
    boot = {"variant": variant_data(known), "deal": shown}
    context = {
        "variant": variant_data(known),
        "deal": shown,
        "boot_json": json.dumps(boot, separators=(",", ":")),
        "csrf_cookie": settings.CSRF_COOKIE_NAME,
    }
    response = render(request, "bakers/deal.html", context, status=status)
    response["X-Robots-Tag"] = "noindex"
    return response


def show_table(
    request: HttpRequest, table: games.Table, *, board: dict[str, Any] | None = None
) -> HttpResponse:
    """Show a game, or a deal before its first move, on the table.

    Args:
        board: what is known of the daily board that it is played on, without the game, if the page is that board's.
    """
    state = game_state(table)
    # The page's first request already needs the token; making it sets a cookie, and neither session nor row.
    get_token(request)
    variants = {slug: variant_data(variant) for slug, variant in VARIANTS.items()}
    boot = {"game": state, "variants": variants, **({"daily": board} if board else {})}
    context: dict[str, Any] = {
        "variant": variants[table.game.variant],
        "state": state,
        "daily": board,
        "boot_json": json.dumps(boot, separators=(",", ":")),
        # A board's page is about that board, and what it says stands where the offer would.
        "resume": _resume(request) if state["id"] is None and board is None else None,
        "csrf_cookie": settings.CSRF_COOKIE_NAME,
    }
    return render(request, "bakers/table.html", context)


def _resume(request: HttpRequest) -> dict[str, Any] | None:
    unfinished = games.latest_open_game(player=find_player(request))
    if unfinished is None:
        return None
    return {
        "id": str(unfinished.pk),
        "variant_name": VARIANTS[unfinished.variant].name,
        "kind": unfinished.kind,
        "ply": len(unfinished.line) // 2,
        "deal": shown_deal(unfinished),
        "board": shown_board(unfinished),
    }


def find_variant(slug: str) -> Variant:
    """Return the variant that an address names, or raise that there is no such page."""
    variant = VARIANTS.get(slug)
    if variant is None:
        raise Http404("There is no variant of that name.")
    return variant


# Errors: JSON where a program asks, a page where a person does.


def bad_request(request: HttpRequest, exception: Exception) -> HttpResponse:
    """Answer a request that can't be read.

    Or one whose session changed its key meanwhile, since its player signed in: the browser has the new key by now, and
    the same request goes through when it comes again.
    """
    if isinstance(exception, SessionInterrupted):
        return busy(request)
    return json_error(400) if is_api(request) else render(request, "400.html", status=400)


def permission_denied(request: HttpRequest, exception: Exception) -> HttpResponse:
    """Answer a request that isn't allowed."""
    return json_error(403) if is_api(request) else render(request, "403.html", status=403)


def csrf_failure(request: HttpRequest, reason: str = "") -> HttpResponse:
    """Answer a form without a valid token."""
    return permission_denied(request, PermissionError(reason))


def not_found(request: HttpRequest, exception: Exception) -> HttpResponse:
    """Answer a request for what isn't there."""
    return json_error(404) if is_api(request) else render(request, "404.html", status=404)


def server_error(request: HttpRequest) -> HttpResponse:
    """Answer after a fault; the page needs no context, since making one may be what failed.

    A database that can't answer now is none. An API view says so itself; here it shows outside of them: in a page, or
    when a session is read or stored.
    """
    if is_busy(sys.exception()):
        return busy(request)
    return json_error(500) if is_api(request) else render(request, "500.html", status=500)


def busy(request: HttpRequest) -> HttpResponse:
    """Answer that it can't be done now, and soon can."""
    response = json_error(503) if is_api(request) else render(request, "503.html", status=503)
    response["Retry-After"] = str(RETRY_AFTER)
    return response
