"""Boards and leaderboards in the API."""

from __future__ import annotations

import datetime
from typing import Any

from django.utils.translation import gettext as _
from drf_spectacular.types import OpenApiTypes
from drf_spectacular.utils import OpenApiParameter, extend_schema
from rest_framework.request import Request
from rest_framework.response import Response

from accounts.signed_in import caller
from bakers.api.base import ApiView, errors
from bakers.api.views import find_variant
from bakers.problems import NotFound
from bakers.rules.variants import VARIANTS
from daily import calendars, days, leaderboards, presenters
from daily.api import serializers
from daily.dates import parse_date
from daily.leaderboards import Contest, Leaderboard, Span

_VARIANT = OpenApiParameter("variant", OpenApiTypes.STR, OpenApiParameter.PATH, enum=list(VARIANTS))
_DATE = OpenApiParameter("date", OpenApiTypes.DATE, OpenApiParameter.PATH)
_CONTEST = OpenApiParameter(
    "contest", OpenApiTypes.STR, OpenApiParameter.PATH, enum=[each.value for each in Contest]
)
_SPAN = OpenApiParameter("span", OpenApiTypes.STR, OpenApiParameter.QUERY, enum=[each.value for each in Span])
_AFTER = OpenApiParameter("after", OpenApiTypes.STR, OpenApiParameter.QUERY)


class TodayView(ApiView):
    """Today's board."""

    @extend_schema(
        operation_id="todays_board",
        parameters=[_VARIANT],
        responses={200: serializers.BoardViewOutput, **errors(404, 503)},
    )
    def get(self, request: Request, variant: str) -> Response:
        """Show today's board as the caller may see it."""
        return _shown(request, variant, None)


class BoardView(ApiView):
    """The board of a day."""

    @extend_schema(
        operation_id="board",
        parameters=[_VARIANT, _DATE],
        responses={200: serializers.BoardViewOutput, **errors(404, 503)},
    )
    def get(self, request: Request, variant: str, date: str) -> Response:
        """Show the board of a day as the caller may see it. Before its day begins there is none."""
        return _shown(request, variant, parse_date(date))


class MyDaysView(ApiView):
    """The caller's days of the last year."""

    @extend_schema(
        operation_id="days",
        parameters=[_VARIANT],
        responses={200: serializers.YearOutput, **errors(403, 404)},
    )
    def get(self, request: Request, variant: str) -> Response:
        """Show which days of the last year the caller has won, as a picture and month by month."""
        known = find_variant(variant)
        year = calendars.read_year(user_id=caller(request).pk)
        return Response(presenters.year_data(year, known))


class LeaderboardView(ApiView):
    """A list of streaks."""

    @extend_schema(
        operation_id="leaderboard",
        parameters=[_CONTEST, _VARIANT, _SPAN, _AFTER],
        responses={200: serializers.LeaderboardOutput, **errors(400, 404)},
    )
    def get(self, request: Request, contest: str, variant: str) -> Response:
        """List the longest streaks of days or ranked games, present or best ones, and the caller's own row."""
        known = find_variant(variant)
        if contest not in {each.value for each in Contest}:
            raise NotFound(_("There is no such leaderboard."))
        asked = serializers.LeaderboardInput().run_validation(request.query_params.dict())
        which = Leaderboard(Contest(contest), Span(asked["span"]), known)
        page = leaderboards.read_page(which, after=asked.get("after"))
        own = None
        if request.user.is_authenticated:
            own = leaderboards.read_own(which, user_id=request.user.pk)
        return Response(
            {
                "contest": contest,
                "variant": known.slug,
                "span": asked["span"],
                "entries": [presenters.entry_data(entry) for entry in page.entries],
                "next": page.next,
                "own": None if own is None else presenters.entry_data(own),
            }
        )


def _shown(request: Request, variant: str, date: datetime.date | None) -> Response:
    user_id = request.user.pk if request.user.is_authenticated else None
    view = days.look_at_board(user_id=user_id, variant=find_variant(variant), date=date)
    shown: dict[str, Any] = presenters.board_data(view)
    return Response(shown)
