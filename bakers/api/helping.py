"""The API's help: hints, verdicts, post-mortems, solutions, and what is known of any deal."""

from __future__ import annotations

import uuid
from typing import Any

from drf_spectacular.types import OpenApiTypes
from drf_spectacular.utils import OpenApiParameter, extend_schema
from rest_framework.request import Request
from rest_framework.response import Response

from bakers import help as helping
from bakers.answers import Par
from bakers.api import serializers
from bakers.api.base import ApiView, errors
from bakers.help import Lost, Solved
from bakers.limits import callers
from bakers.players import find_player
from bakers.presenters import open_position
from bakers.rules.moves import Move
from bakers.rules.positions import Position
from bakers.rules.variants import VARIANTS
from bakers.solver.ratings import NAMES as RATING_NAMES

#: Milliseconds until asking again makes sense; a page doubles them each time, and gives up after the fourth.
RETRY_MS = 500
_VERSION = OpenApiParameter("version", OpenApiTypes.INT, OpenApiParameter.QUERY, required=True)


class GameHelpView(ApiView):
    """Help with a game: who asks, for which game, and what the form says."""

    def asked(
        self, form: type[serializers.StrictSerializer], request: Request, game_id: uuid.UUID
    ) -> dict[str, Any]:
        """Return the arguments of a use case, which has one for each field of the form."""
        return {**self.read(form, request), **_caller(request), "game_id": game_id}


class HintView(GameHelpView):
    """The next move."""

    @extend_schema(
        operation_id="hint",
        request=serializers.HintInput,
        responses={200: serializers.HintOutput, **errors(400, 403, 404, 409, 413, 415, 429, 503)},
    )
    def post(self, request: Request, game_id: uuid.UUID) -> Response:
        """Tell the next move of a line that wins. Marks a running game as helped."""
        hint = helping.hint(**self.asked(serializers.HintInput, request, game_id))
        return Response(
            {
                "version": hint.game.version,
                **_pending(hint.outcome, pending=hint.pending),
                "move": None if hint.move is None else hint.move.text,
                "card": hint.card,
                "target": hint.target,
                "moves_left": hint.moves_left,
                "why": hint.why,
                "back_to": None if hint.back_to is None else _lost(hint.back_to),
                "helped": hint.game.helped,
            }
        )


class VerdictView(ApiView):
    """Whether a game can still be won."""

    @extend_schema(
        operation_id="verdict",
        parameters=[_VERSION],
        responses={200: serializers.VerdictOutput, **errors(400, 403, 404, 409, 429, 503)},
    )
    def get(self, request: Request, game_id: uuid.UUID) -> Response:
        """Tell whether a game can still be won at that version of it. What is found is kept for everybody."""
        data = serializers.VerdictInput().run_validation(request.query_params.dict())
        verdict = helping.verdict(**_caller(request), **data, game_id=game_id)
        return Response(
            {
                "version": verdict.game.version,
                **_pending(verdict.outcome, pending=verdict.pending),
                "reason": verdict.reason,
            }
        )


class PostmortemView(GameHelpView):
    """The move that lost a game."""

    @extend_schema(
        operation_id="postmortem",
        request=serializers.PostmortemInput,
        responses={200: serializers.PostmortemOutput, **errors(400, 403, 404, 409, 413, 415, 429, 503)},
    )
    def post(self, request: Request, game_id: uuid.UUID) -> Response:
        """Find the move that lost a game. Marks a running game as helped."""
        found = helping.postmortem(**self.asked(serializers.PostmortemInput, request, game_id))
        return Response(
            {
                "version": found.game.version,
                **_pending(found.outcome, pending=found.pending),
                **_lost(found.lost),
                "exact": found.losing_move is not None,
                "losing_move": None if found.losing_move is None else found.losing_move.text,
                "card": found.card,
                "target": found.target,
                "why": found.why,
                "line": _line(found.line),
                "helped": found.game.helped,
            }
        )


class SolutionView(GameHelpView):
    """A line that wins."""

    @extend_schema(
        operation_id="solution",
        request=serializers.SolutionInput,
        responses={200: serializers.SolutionOutput, **errors(400, 403, 404, 409, 413, 415, 422, 429, 503)},
    )
    def post(self, request: Request, game_id: uuid.UUID) -> Response:
        """Show a line that wins from a ply, and the deal's par. Marks a running game as helped."""
        found = helping.solution(**self.asked(serializers.SolutionInput, request, game_id))
        return Response(
            {
                "version": found.game.version,
                "ply": found.ply,
                **_pending(found.outcome, pending=found.pending),
                "reason": found.reason,
                "line": None if found.line is None else _line(found.line),
                "moves": None if found.line is None else len(found.line),
                "par": _par(found.par),
                "start": None if found.line is None else _start(found.start),
                "helped": found.game.helped,
            }
        )


class SolveView(ApiView):
    """What is known of any deal."""

    @extend_schema(
        operation_id="solve",
        request=serializers.SolveInput,
        responses={200: serializers.SolvedOutput, **errors(400, 403, 413, 415, 422, 429, 503)},
    )
    def post(self, request: Request) -> Response:
        """Decide a deal, a layout, or a position that moves lead to from one."""
        data = self.read(serializers.SolveInput, request)
        solved = helping.solve(
            **_caller(request),
            variant=data["variant"],
            deal_number=data.get("deal"),
            layout_text=data.get("layout"),
            sink_kings=data["sink_kings"],
            line=data["line"],
            budget=data["budget"],
            deeper=data["deeper"],
            with_par=data["par"],
            with_rating=data["rating"],
        )
        return Response(solved_data(solved, line_of_covered=data["line_of_covered"]))


def solved_data(solved: Solved, *, line_of_covered: bool = False) -> dict[str, Any]:
    """Return what is known of a deal as the API shows it; where cards are covered, a line only if it is wished for."""
    line = start = None
    if solved.line is not None and (line_of_covered or not VARIANTS[solved.variant.slug].covered):
        line, start = _line(solved.line), _start(solved.position)
    return {
        "variant": solved.variant.slug,
        "deal": None if solved.deal_number is None else str(solved.deal_number),
        **_pending(solved.outcome, pending=solved.pending),
        "reason": solved.reason,
        "move": None if solved.move is None else solved.move.text,
        "line": line,
        "moves": None if solved.line is None else len(solved.line),
        "expanded": solved.expanded,
        "par": _par(solved.par),
        "rating": _rating(solved.level),
        "start": start,
    }


def _caller(request: Request) -> dict[str, Any]:
    return {"player": find_player(request), "who": callers(request)}


def _pending(outcome: str, *, pending: bool) -> dict[str, Any]:
    return {"outcome": str(outcome), "pending": pending, "retry_ms": RETRY_MS if pending else None}


def _lost(lost: Lost) -> dict[str, Any]:
    return {"last_won_ply": lost.last_won_ply, "first_lost_ply": lost.first_lost_ply}


def _line(line: tuple[Move, ...]) -> list[str]:
    return [move.text for move in line]


def _start(position: Position) -> dict[str, Any] | None:
    """Return what a line needs to be followed, where a player can't see it: the covered cards it uncovers."""
    return open_position(position) if position.variant.covered else None


def _rating(level: int | None) -> dict[str, Any] | None:
    return None if level is None else {"level": level, "name": RATING_NAMES[level - 1]}


def _par(par: Par | None) -> dict[str, Any] | None:
    if par is None:
        return None
    return {"moves": par.moves, "proven": par.proven, "lower_bound": par.lower_bound}
