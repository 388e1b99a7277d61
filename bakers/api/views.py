"""The API's operations. Each reads its input, calls one use case and shows what came of it."""

from __future__ import annotations

import uuid
from typing import Any

from drf_spectacular.types import OpenApiTypes
from drf_spectacular.utils import OpenApiParameter, OpenApiResponse, extend_schema
from rest_framework.exceptions import ValidationError
from rest_framework.request import Request
from rest_framework.response import Response

from bakers import games, kinds
from bakers import help as helping
from bakers.api import serializers
from bakers.api.base import ApiView, errors
from bakers.help import Proof
from bakers.limits import callers
from bakers.players import find_or_invite_player, find_player, remember_player
from bakers.presenters import game_state, game_summary
from bakers.problems import NotFound
from bakers.rules.deals import parse_deal_number
from bakers.rules.errors import UnreadableError
from bakers.rules.variants import VARIANTS, Variant

_VARIANT = OpenApiParameter("variant", OpenApiTypes.STR, OpenApiParameter.PATH, enum=list(VARIANTS))
_WINNABLE = OpenApiParameter("winnable", OpenApiTypes.BOOL, OpenApiParameter.QUERY)
_NUMBER = OpenApiParameter("number", {"type": "string", "pattern": "^[0-9]{1,25}$"}, OpenApiParameter.PATH)


class RandomDealView(ApiView):
    """A random deal, laid on the table."""

    @extend_schema(
        operation_id="random_deal",
        parameters=[_VARIANT, _WINNABLE],
        responses={200: serializers.DealtGameOutput, **errors(400, 404, 429, 503)},
    )
    def get(self, request: Request, variant: str) -> Response:
        """Lay out a random deal, of those proved to be winnable if wished. No game starts before its first move."""
        known = find_variant(variant)
        asked = serializers.RandomDealInput().run_validation(request.query_params.dict())
        if not asked["winnable"]:
            return Response(game_state(games.new_deal(variant=known)))
        number, proof = helping.winnable_deal(
            player=find_player(request), who=callers(request), variant=known
        )
        return Response(
            {**game_state(games.new_deal(variant=known, number=number)), "winnable": _proof(proof)}
        )


class DealView(ApiView):
    """A deal by its number, laid on the table."""

    @extend_schema(
        operation_id="deal",
        parameters=[_VARIANT, _NUMBER],
        responses={200: serializers.GameOutput, **errors(400, 404)},
    )
    def get(self, request: Request, variant: str, number: str) -> Response:
        """Lay out the deal of a number. Nothing is stored before its first move."""
        known = find_variant(variant)
        try:
            deal_number = parse_deal_number(number)
        except UnreadableError as error:
            raise ValidationError({"deal": [error.reason]}) from None
        return Response(game_state(games.new_deal(variant=known, number=deal_number)))


class ReadLayoutView(ApiView):
    """A pasted layout, read and echoed."""

    @extend_schema(
        operation_id="read_layout",
        request=serializers.ReadLayoutInput,
        responses={200: serializers.LayoutOutput, **errors(400, 403, 413, 415)},
    )
    def post(self, request: Request) -> Response:
        """Read a layout and lay it on the table. Nothing is stored."""
        data = self.read(serializers.ReadLayoutInput, request)
        layout = games.read_layout(
            variant=data["variant"], text=data["layout"], sink_kings=data["sink_kings"]
        )
        return Response(
            {
                "game": game_state(games.new_layout(layout=layout)),
                "layout": layout.text(),
                "text": layout.text(),
                "notes": list(layout.notes),
                "kings_above": layout.king_above,
            }
        )


class GamesView(ApiView):
    """A player's games."""

    @extend_schema(operation_id="list_games", responses={200: serializers.GamesOutput})
    def get(self, request: Request) -> Response:
        """List the caller's open and recent games, the one played last first."""
        listed = games.list_games(player=find_player(request))
        return Response({"games": [game_summary(game) for game in listed]})

    @extend_schema(
        operation_id="start_game",
        request=serializers.StartInput,
        responses={
            200: OpenApiResponse(
                serializers.GameOutput,
                description="This request had started that game before, or an unplayed ranked game is offered again.",
            ),
            201: serializers.GameOutput,
            **errors(400, 403, 404, 409, 413, 415, 422, 429, 503),
        },
    )
    def post(self, request: Request) -> Response:
        """Start a game."""
        data = self.read(serializers.StartInput, request)
        player = find_or_invite_player(request)
        kind = kinds.get(data["kind"])

        def choose_winnable() -> int:
            number, _proved = helping.winnable_deal(
                player=player, who=callers(request), variant=data["variant"], hidden=not kind.shows_deal
            )
            return number

        is_proved = data["winnable"] or kind.deals_winnable
        table = games.start_game(
            player=player,
            variant=data["variant"],
            kind=data["kind"],
            deal_number=data.get("deal"),
            choose_deal=choose_winnable if is_proved else None,
            layout_text=data.get("layout"),
            sink_kings=data["sink_kings"],
            from_game=data.get("from_game"),
            board=data.get("board"),
            helped=data["helped"],
            replace=data["replace"],
            request_id=data.get("request_id"),
        )
        if table.created:
            remember_player(request, player)
        return _changed(table, status=201 if table.created else 200)


class GameView(ApiView):
    """One game."""

    @extend_schema(operation_id="game", responses={200: serializers.GameOutput, **errors(404)})
    def get(self, request: Request, game_id: uuid.UUID) -> Response:
        """Show a game of the caller's."""
        return Response(game_state(games.find_game(player=find_player(request), game_id=game_id)))


class MovesView(ApiView):
    """The moves of a game."""

    @extend_schema(
        operation_id="play",
        request=serializers.PlayInput,
        responses={200: serializers.GameOutput, **errors(400, 403, 404, 409, 413, 415, 422, 503)},
    )
    def post(self, request: Request, game_id: uuid.UUID) -> Response:
        """Take the line back to a ply, then play moves: all or nothing."""
        data = self.read(serializers.PlayInput, request)
        return _changed(
            games.play(
                player=find_player(request),
                game_id=game_id,
                request_id=data["request_id"],
                version=data["version"],
                at=data["at"],
                moves=data["moves"],
            )
        )


class ResignView(ApiView):
    """Giving up."""

    @extend_schema(
        operation_id="resign",
        request=serializers.ResignInput,
        responses={200: serializers.GameOutput, **errors(400, 403, 404, 409, 413, 415, 422, 503)},
    )
    def post(self, request: Request, game_id: uuid.UUID) -> Response:
        """End a game as lost."""
        data = self.read(serializers.ResignInput, request)
        return _changed(
            games.resign(
                player=find_player(request),
                game_id=game_id,
                request_id=data["request_id"],
                version=data["version"],
            )
        )


def find_variant(slug: str) -> Variant:
    """Return the variant of an address.

    Raises:
        NotFound: there is none.
    """
    variant = VARIANTS.get(slug)
    if variant is None:
        raise NotFound("There is no variant of that name.")
    return variant


def _changed(table: games.Table, *, status: int = 200) -> Response:
    return Response({**game_state(table), "replayed": table.replayed}, status=status)


def _proof(proof: Proof) -> dict[str, Any]:
    return {
        "shuffles": proof.shuffles,
        "ms": round(proof.milliseconds, 1),
        "expanded": proof.expanded,
    }
