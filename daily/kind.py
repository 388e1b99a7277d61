"""The daily kind: one game a player on the board of the day, without help until the board settles."""

from __future__ import annotations

import datetime
from functools import lru_cache
from typing import TYPE_CHECKING

from django.urls import reverse
from django.utils.translation import gettext as _

from bakers.days import Day
from bakers.games import deal_key
from bakers.kinds import BoardDeal, Help, HelpRequest, Kind, Start
from bakers.models import Game
from bakers.problems import HelpRefused, Invalid, Problem, SignInRequired
from bakers.resemblance import appearances, resembles
from bakers.rules.positions import Position
from bakers.rules.variants import VARIANTS
from config import clock
from daily import boards, results
from daily.models import Board

if TYPE_CHECKING:
    from bakers.players import Player
    from bakers.rules.cards import Card


class BoardClosed(Problem):
    """The board takes no first move any more; `detail` has its day, today's, and when help with it opens."""

    code = "board_closed"
    status = 409


class Daily(Kind):
    """Games on boards, which count for the daily streak."""

    slug = results.SLUG
    shows_deal = False
    one_a_board = True

    def may_start(self, *, player: Player, start: Start) -> None:
        """Refuse guests, and any deal that somebody chose."""
        if player.user_id is None:
            raise SignInRequired(_("The daily board counts for players who have signed in."))
        if start.deal_number is not None or start.has_layout or start.from_game:
            raise Invalid(
                _("The deal of a board can’t be chosen."),
                detail={"fields": {"kind": [_("Leave out deal, layout and from_game.")]}},
            )

    def board_of(self, start: Start) -> BoardDeal:
        """Return the deal of today's board, or of an earlier one on which the player may have a game."""
        now = clock.now()
        variant = VARIANTS[start.variant]
        board = boards.board_for(variant, now)
        if start.board is not None and start.board != board.day:
            board = boards.find_board(variant, start.board, now)
        return BoardDeal(board.day, int(board.deal))

    def on_start(self, game: Game) -> None:
        """Refuse a board of another day than today."""
        _refuse_closed(game, clock.now())

    def help_allowed(self, game: Game | None) -> Help:
        """Allow help once the board has settled."""
        if game is None or game.board_day is None:
            return Help(hint=False, verdict=False, solution=False)
        settles_at = Day(game.board_day).settles_at
        is_open = clock.now() >= settles_at
        return Help(is_open, is_open, is_open, opens_at=None if is_open else settles_at)

    def hides_deal(self, game: Game) -> bool:
        """Hide the deal number from everybody until the board settles."""
        return not _is_settled(game)

    def tells_par(self, game: Game) -> bool:
        """Tell who has won what the par is."""
        return game.status == Game.Status.WON

    def may_repeat(self, game: Game) -> None:
        """Refuse practice on a board that hasn't settled."""
        if not _is_settled(game):
            raise BoardClosed(_("The board opens for practice when it has settled."), detail=_instants(game))

    def address(self, game: Game) -> str | None:
        """Return the board's page, which tells what came of it as well."""
        if game.board_day is None:
            return None
        return reverse("board", args=[game.variant, game.board_day.isoformat()])

    def streak(self, game: Game) -> int:
        """Return the streak that is at stake, or that the game made."""
        return results.streak_up_to(game)

    def on_first_move(self, game: Game) -> None:
        """Count who plays; a first move after the day's end comes too late."""
        if game.user_id is None or game.board_day is None or game.first_move_at is None:
            raise ValueError(f"Game {game.pk} has no player, board or first move.")
        _refuse_closed(game, game.first_move_at)
        results.record_first_move(
            user_id=game.user_id,
            game=game,
            board=Board.objects.get(variant=game.variant, day=game.board_day),
            moment=game.first_move_at,
        )

    def on_finish(self, game: Game) -> None:
        """Count a win, if it came before the board settled."""
        if game.status == Game.Status.WON:
            results.record_win(game)


def guard(request: HelpRequest) -> None:
    """Refuse help with a board that hasn't settled, and with what comes from one.

    Raises:
        HelpRefused: with the time from which there is help, if the board can be seen already.
    """
    now = clock.now()
    keys = {deal_key(request.position.columns), request.deal_key} - {None}
    looks = appearances(request.position)
    unsettled = Board.objects.filter(number__gte=boards.first_unsettled(now).number)
    for variant, number, key, layout in unsettled.values_list("variant", "number", "deal_key", "layout"):
        day = Day.numbered(number)
        is_seen = day.opens_at <= now
        if key in keys or (is_seen and any(resembles(look, _columns(variant, layout)) for look in looks)):
            raise HelpRefused(
                _("There is no help with a daily board until it settles."),
                # A board to come isn't told from a game of somebody's.
                opens_at=day.settles_at if is_seen else None,
            )


def settled_deal(variant: str, date: datetime.date) -> int:
    """Return the deal number of a settled board, for practice.

    Raises:
        NotFound: there is no such board.
        BoardClosed: it hasn't settled.
    """
    now = clock.now()
    board = boards.find_board(VARIANTS[variant], date, now)
    day = Day(board.day)
    if now < day.settles_at:
        raise BoardClosed(
            _("The board opens for practice when it has settled."),
            detail={"settles_at": day.settles_at.isoformat()},
        )
    return int(board.deal)


def _is_settled(game: Game) -> bool:
    return game.board_day is not None and clock.now() >= Day(game.board_day).settles_at


def _refuse_closed(game: Game, now: datetime.datetime) -> None:
    if game.board_day is not None and now >= Day(game.board_day).closes_at:
        raise BoardClosed(
            _("This board has closed: a new day has begun, and a new board is out."), detail=_instants(game)
        )


def _instants(game: Game) -> dict[str, str | None]:
    day = None if game.board_day is None else Day(game.board_day)
    return {
        "date": None if day is None else day.date.isoformat(),
        "today": Day.of(clock.now()).date.isoformat(),
        "settles_at": None if day is None else day.settles_at.isoformat(),
    }


@lru_cache(maxsize=32)
def _columns(variant: str, layout: str) -> tuple[tuple[Card, ...], ...]:
    return tuple(tuple(column) for column in Position.from_text(variant, layout).columns)
