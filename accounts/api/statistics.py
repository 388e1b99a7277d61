"""`GET /api/me/stats`: the caller's games in figures."""

from __future__ import annotations

from typing import Any

from drf_spectacular.utils import extend_schema
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response

from accounts.figures import Figures, read_figures
from accounts.signed_in import caller
from bakers.api.base import ApiView, errors
from bakers.rules.variants import VARIANTS


class StreakOutput(serializers.Serializer[Any]):
    """Games won one after another."""

    counts = serializers.CharField(help_text="What it is a number of, for people.")
    current = serializers.IntegerField(min_value=0)
    best = serializers.IntegerField(min_value=0)
    best_at = serializers.DateTimeField(allow_null=True, help_text="When the best one was reached.")


class AgainstParOutput(serializers.Serializer[Any]):
    """Wins without help whose par is known; par that isn't proven is the best line known."""

    games = serializers.IntegerField(min_value=1)
    at_par = serializers.IntegerField(min_value=0, help_text="Won in as few moves as par, or fewer.")
    average_over = serializers.FloatField(help_text="Moves over par of a game.")
    best_over = serializers.IntegerField(help_text="Moves over par of the best game; negative is fewer.")


class FiguresOutput(serializers.Serializer[Any]):
    """The games of one variant and kind."""

    variant = serializers.ChoiceField(choices=list(VARIANTS))
    kind = serializers.CharField()
    played = serializers.IntegerField(
        min_value=0, help_text="Games that ended; casual ones also when left for 24 hours after a move."
    )
    won = serializers.IntegerField(min_value=0)
    win_rate = serializers.FloatField(
        allow_null=True, min_value=0, max_value=1, help_text="Null of no games."
    )
    streak = StreakOutput()
    fewest_moves = serializers.IntegerField(allow_null=True, help_text="Of a win without help.")
    best_seconds = serializers.IntegerField(allow_null=True, help_text="Of a win without help.")
    average_seconds = serializers.FloatField(allow_null=True, help_text="Of all wins.")
    par = AgainstParOutput(allow_null=True)


class StatisticsOutput(serializers.Serializer[Any]):
    """A player's figures of every variant and kind that counts."""

    figures = FiguresOutput(many=True)


class StatisticsView(ApiView):
    """The caller's games in figures."""

    @extend_schema(operation_id="statistics", responses={200: StatisticsOutput, **errors(403)})
    def get(self, request: Request) -> Response:
        """Show the caller's games in figures, by variant and kind."""
        return Response({"figures": [_shown(each) for each in read_figures(user_id=caller(request).pk)]})


def _shown(figures: Figures) -> dict[str, Any]:
    par = figures.par
    return {
        "variant": figures.variant,
        "kind": figures.kind.slug,
        "played": figures.played,
        "won": figures.won,
        "win_rate": figures.win_rate,
        "streak": {
            "counts": figures.kind.streak,
            "current": figures.streak,
            "best": figures.best_streak,
            "best_at": None if figures.best_streak_at is None else figures.best_streak_at.isoformat(),
        },
        "fewest_moves": figures.fewest_moves,
        # Whole ones, as a game shows them.
        "best_seconds": None if figures.best_ms is None else figures.best_ms // 1000,
        "average_seconds": None if figures.average_ms is None else round(figures.average_ms / 1000, 1),
        "par": None
        if par is None
        else {
            "games": par.games,
            "at_par": par.at_par,
            "average_over": round(par.average, 2),
            "best_over": par.best,
        },
    }
