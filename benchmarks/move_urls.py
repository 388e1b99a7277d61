"""The site's addresses with the two views that the move endpoint is compared with."""

from __future__ import annotations

import json
import uuid

from django.db import transaction
from django.http import HttpRequest, JsonResponse
from django.urls import include, path

from bakers.models import Game, GameRequest


def empty(request: HttpRequest) -> JsonResponse:
    """Answer at once: what every request costs."""
    return JsonResponse({})


def bare(request: HttpRequest, game_id: uuid.UUID) -> JsonResponse:
    """Lock a guest's game, update it and insert a row: what storing a move safely costs at least."""
    body = json.loads(request.body)
    with transaction.atomic():
        game = Game.objects.select_for_update().get(guest=request.session["guest"], pk=game_id)
        game.line += body["moves"][0]
        game.version += 1
        game.save(update_fields=["line", "version"])
        GameRequest.objects.create(game=game, request_id=body["request_id"], digest="", version=game.version)
    return JsonResponse({"version": game.version})


urlpatterns = [
    path("empty", empty),
    path("bare/<uuid:game_id>", bare),
    path("", include("bakers.urls")),
]
