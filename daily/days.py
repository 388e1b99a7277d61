"""What a day shows to a player: its board, how far it has got, and what came of it."""

from __future__ import annotations

import datetime
from collections import Counter
from dataclasses import dataclass
from enum import StrEnum

from django.db.models import Count

from accounts.models import Statistics
from bakers import answers, games
from bakers.days import Day
from bakers.games import Table
from bakers.models import Game
from bakers.rules.variants import Variant
from config import clock
from daily import boards, results
from daily.models import Board, Result

#: How long after a board has settled it is counted: a win in its last moment may still be on its way to be stored.
COUNTED_AFTER = datetime.timedelta(minutes=1)


class Phase(StrEnum):
    """How far a board has got."""

    #: A first move counts.
    OPEN = "open"
    #: Only who has begun can still win it, and see it.
    CLOSING = "closing"
    #: It is in the archive, and help with it is open.
    SETTLED = "settled"


@dataclass(frozen=True)
class Outcome:
    """What players made of a board.

    Attributes:
        players: those with a first move.
        winners: those of them who won it in time.
        moves: how many of them won in how many moves, fewest first.
    """

    players: int
    winners: int
    moves: tuple[tuple[int, int], ...]

    def with_more_moves(self, moves: int) -> int:
        """Return how many needed more moves than so many."""
        return sum(count for needed, count in self.moves if needed > moves)


@dataclass(frozen=True)
class BoardView:
    """A board as one player may see it now.

    Attributes:
        board: the board; its deal, par and solution aren't for everybody.
        day: its day.
        phase: how far it has got.
        now: the server's time.
        table: the player's game on it, or the board before its first move; None for who mustn't see it any more.
        result: what the player made of it; None without a first move.
        outcome: what all made of it; None as long as the player might learn something from it.
        streak: days that the player has won in a row, 0 if that isn't alive; `best_streak` the most ever.
    """

    board: Board
    day: Day
    phase: Phase
    now: datetime.datetime
    table: Table | None
    result: Result | None
    outcome: Outcome | None
    streak: int = 0
    best_streak: int = 0

    @property
    def par(self) -> tuple[int, bool] | None:
        """Par, and whether it is proven, if the player may know it: after the own win, or once it has settled."""
        known = self.phase is Phase.SETTLED or (self.result is not None and self.result.won_at is not None)
        return (self.board.par, self.board.par_proven) if known and self.board.par is not None else None


def phase_of(day: Day, now: datetime.datetime) -> Phase:
    """Return how far the boards of a day have got."""
    if now < day.closes_at:
        return Phase.OPEN
    return Phase.CLOSING if now < day.settles_at else Phase.SETTLED


def look_at_board(*, user_id: int | None, variant: Variant, date: datetime.date | None) -> BoardView:
    """Return a board, today's if no day is named.

    Raises:
        NotFound: there is none, or its day hasn't begun.
        Busy: today's is still being made.
    """
    now = clock.now()
    board = boards.board_for(variant, now) if date is None else boards.find_board(variant, date, now)
    day = Day(board.day)
    phase = phase_of(day, now)
    game = result = statistics = None
    if user_id is not None:
        game = Game.objects.filter(
            user_id=user_id, variant=variant.slug, kind=results.SLUG, board_day=board.day
        ).first()
        result = Result.objects.filter(user_id=user_id, board=board).first()
        statistics = Statistics.objects.filter(
            user_id=user_id, variant=variant.slug, kind=results.SLUG
        ).first()
    table: Table | None
    if game is not None and (game.first_move_at is not None or phase is Phase.OPEN):
        table = Table(game, games.current_position(game))
    elif phase is Phase.CLOSING:
        table = None
    else:
        kind = results.SLUG if phase is Phase.OPEN else "practice"
        table = games.new_board(variant=variant, number=int(board.deal), day=board.day, kind=kind)
    may_know = phase is Phase.SETTLED or (result is not None and result.won_at is not None)
    if may_know and board.par is None:
        # The board's turn in the background may not have come, though somebody has asked for its deal's solution.
        known = answers.find(boards.first_position(board))
        if known is not None and known.par is not None:
            board.par, board.par_proven = known.par.moves, known.par.proven
    return BoardView(
        board,
        day,
        phase,
        now,
        table,
        result,
        outcome_of(board) if may_know else None,
        results.streak_alive(statistics, now),
        0 if statistics is None else statistics.best_streak,
    )


def outcome_of(board: Board) -> Outcome:
    """Return what players made of a board so far; in one query."""
    counted: Counter[int | None] = Counter(
        dict(Result.objects.filter(board=board).values_list("moves").annotate(Count("pk")).order_by())
    )
    players = counted.total()
    unfinished = counted.pop(None, 0)
    won = tuple(sorted((moves, count) for moves, count in counted.items() if moves is not None))
    return Outcome(players, players - unfinished, won)


def count_settled(limit: int = 50) -> int:
    """Store what came of boards that have settled, as regular work, and return how many there were."""
    moment = clock.now() - COUNTED_AFTER
    rows = Board.objects.filter(players__isnull=True, number__lt=boards.first_unsettled(moment).number)
    found = list(rows.order_by("day", "pk")[:limit])
    for board in found:
        outcome = outcome_of(board)
        Board.objects.filter(pk=board.pk).update(players=outcome.players, winners=outcome.winners)
    return len(found)
