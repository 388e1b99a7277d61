"""Boards and results as staff see them: a board from its day on, its deal once it has settled, its solution never."""

from __future__ import annotations

from django.contrib import admin
from django.db.models import QuerySet
from django.http import HttpRequest
from django.utils.translation import gettext_lazy as _

from accounts.admin import ReadOnlyAdmin
from bakers.days import Day
from config import clock
from daily import boards
from daily.models import Board, Result


@admin.register(Board)
class BoardAdmin(ReadOnlyAdmin):
    """Boards. Those of days to come are there for nobody: staff play, too."""

    list_display = ("variant", "number", "day", "status", "shown_par", "rating", "players", "winners")
    list_filter = ("variant", "status")
    ordering = ("-number", "variant")
    fields = (
        "variant",
        "number",
        "day",
        "shown_deal",
        "status",
        "shown_par",
        "rating",
        "players",
        "winners",
        "made_at",
    )
    readonly_fields = ("shown_deal", "shown_par")

    def get_queryset(self, request: HttpRequest) -> QuerySet[Board]:
        """Leave out what isn't there yet."""
        return super().get_queryset(request).filter(number__lte=Day.of(clock.now()).number)

    @admin.display(description=_("deal"))
    def shown_deal(self, board: Board) -> str:
        """Return the deal number of a settled board."""
        return board.deal if _has_settled(board) else str(_("shown when the board has settled"))

    @admin.display(description=_("par"))
    def shown_par(self, board: Board) -> str:
        """Return the par of a settled board."""
        if not _has_settled(board):
            return str(_("shown when the board has settled"))
        return "–" if board.par is None else f"{board.par}{', proven' if board.par_proven else ''}"


@admin.register(Result)
class ResultAdmin(ReadOnlyAdmin):
    """Who played which board."""

    list_display = ("user", "variant", "number", "first_move_at", "won_at", "moves")
    list_filter = ("variant",)
    search_fields = ("=user__public_id",)
    ordering = ("-number", "variant", "pk")
    list_select_related = ("user",)
    fields = ("user", "variant", "number", "first_move_at", "won_at", "moves")


def _has_settled(board: Board) -> bool:
    return board.number < boards.first_unsettled(clock.now()).number
