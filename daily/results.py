"""What players made of boards: counted from results, whatever the order they come in.

A result is there from a player's first move on a board, and becomes a win if the 52nd card goes home before the board
settles. Streaks are days won one after the other; they are computed anew from all results of a player and variant
whenever one comes, changes or goes, under the lock of the player's statistics.
"""

from __future__ import annotations

import datetime
from collections.abc import Iterable, Iterator
from typing import Any

from django.db import connection
from django.db.models import Q, QuerySet

from accounts import statistics
from accounts.counted import Counted, Key, Tally
from accounts.models import Statistics, User
from accounts.streak_check import read_moment
from bakers.days import GRACE, Day
from bakers.models import Game
from config import clock
from daily.models import Board, Result

SLUG = "daily"


# 1. Wins whose board numbers grow by one with each are a run: number less place is the same for all of them.
# 2. Make runs of them, each with its length, its last board and the time of the last win.
# 3. The last run is the streak, the longest the best, and of the longest the first.
_WINDOWS = """
WITH wins AS (
    SELECT user_id, variant, number, won_at,
        number - ROW_NUMBER() OVER (PARTITION BY user_id, variant ORDER BY number) AS run
    FROM daily_result
    WHERE won_at IS NOT NULL {more}
), runs AS (
    SELECT user_id, variant, run, COUNT(*) AS days, MAX(number) AS last_number
    FROM wins
    GROUP BY user_id, variant, run
), ends AS (
    SELECT runs.*, wins.won_at AS reached_at,
        ROW_NUMBER() OVER (PARTITION BY runs.user_id, runs.variant ORDER BY days DESC, last_number) AS by_length,
        ROW_NUMBER() OVER (PARTITION BY runs.user_id, runs.variant ORDER BY last_number DESC) AS by_end
    FROM runs JOIN wins ON wins.user_id = runs.user_id AND wins.variant = runs.variant
        AND wins.number = runs.last_number
), played AS (
    SELECT user_id, variant, COUNT(*) AS played, COUNT(won_at) AS won,
        MAX(COALESCE(won_at, first_move_at)) AS last_at
    FROM daily_result
    WHERE 1 = 1 {more}
    GROUP BY user_id, variant
)
SELECT played.user_id, played.variant, played.played, played.won,
    COALESCE(present.days, 0), COALESCE(best.days, 0),
    present.reached_at, best.reached_at, played.last_at, present.last_number
FROM played
LEFT JOIN ends AS present ON present.user_id = played.user_id AND present.variant = played.variant
    AND present.by_end = 1
LEFT JOIN ends AS best ON best.user_id = played.user_id AND best.variant = played.variant AND best.by_length = 1
"""


# Writing


def record_first_move(*, user_id: int, game: Game, board: Board, moment: datetime.datetime) -> None:
    """Note that a player has begun a board."""
    Result.objects.create(
        user_id=user_id,
        board=board,
        game=game,
        variant=board.variant,
        number=board.number,
        first_move_at=moment,
    )
    _count_again(Board.objects.filter(pk=board.pk))
    statistics.recompute(user_id=user_id, variant=board.variant, kind=SLUG)


def record_win(game: Game) -> None:
    """Note that a player has won their board, if that was in time; the ledger of statistics counts it then."""
    if game.first_move_at is None or game.finished_at is None or game.board_day is None:
        return
    if game.finished_at < Day(game.board_day).settles_at:
        # No clock is right for ever, and those of two machines never agree: a win isn't to fail for that.
        won_at = max(game.first_move_at, game.finished_at)
        Result.objects.filter(game=game).update(won_at=won_at, moves=len(game.line) // 2)
        _count_again(Board.objects.filter(variant=game.variant, day=game.board_day))


def delete_result(result: Result) -> None:
    """Take a result away, as an operator may have to; the game stays."""
    key = result.user_id, result.variant
    board_id = result.board_id
    result.delete()
    _count_again(Board.objects.filter(pk=board_id))
    statistics.recompute(user_id=key[0], variant=key[1], kind=SLUG)


def _count_again(boards: QuerySet[Board]) -> None:
    """Forget what came of boards that have been counted: regular work does it again."""
    boards.filter(players__isnull=False).update(players=None, winners=None)


# Counting


def count_player(user_id: int, variant: str) -> Tally:
    """Return what a player's results of a variant come to."""
    rows = Result.objects.filter(user_id=user_id, variant=variant).order_by("number")
    return tally(rows.values_list("number", "first_move_at", "won_at"))


def tally(
    rows: Iterable[tuple[int, datetime.datetime, datetime.datetime | None]],
) -> Tally:
    """Count results.

    Args:
        rows: number of the board, first move and win of each, in the order of the numbers.
    """
    played = won = streak = best = 0
    streak_at = best_at = last_at = last_number = None
    for number, first_move_at, won_at in rows:
        played += 1
        moment = won_at or first_move_at
        last_at = moment if last_at is None else max(last_at, moment)
        if won_at is None:
            continue
        won += 1
        streak = streak + 1 if last_number == number - 1 else 1
        streak_at, last_number = won_at, number
        if streak > best:
            best, best_at = streak, won_at
    return Tally(played, won, streak, best, streak_at, best_at, last_at, last_number)


def count_everybody(key: Key | None = None) -> dict[Key, Tally]:
    """Return what the results of all players come to, or those of one key, as the database counts it."""
    more, values = ("", ()) if key is None else ("AND user_id = %s AND variant = %s", key[:2])
    with connection.cursor() as cursor:
        # Only marks for values are put in here.
        cursor.execute(_WINDOWS.format(more=more), [*values, *values])
        return {
            (user_id, variant, SLUG): Tally(
                played,
                won,
                streak,
                best,
                read_moment(streak_at),
                read_moment(best_at),
                read_moment(last_at),
                last,
            )
            for user_id, variant, played, won, streak, best, streak_at, best_at, last_at, last in cursor.fetchall()
        }


# Reading


def oldest_alive(now: datetime.datetime) -> int:
    """Return the number of the oldest board with which a streak that ends there is still alive."""
    return Day.of(now - GRACE).number - 1


def alive_numbers(now: datetime.datetime) -> range:
    """Return the numbers of the boards with which a streak that ends there is alive: two, or three after midnight."""
    return range(oldest_alive(now), Day.of(now).number + 1)


def streak_alive(row: Statistics | None, now: datetime.datetime) -> int:
    """Return how many days in a row a player has won, if the streak is still alive."""
    if row is None or row.last_number is None or row.last_number < oldest_alive(now):
        return 0
    return row.streak


def streak_up_to(game: Game) -> int:
    """Return how many days in a row a player had won with a board, it included, or up to the day before it."""
    if game.user_id is None or game.board_day is None:
        return 0
    number = Day(game.board_day).number
    won = set(
        Result.objects.filter(
            user_id=game.user_id, variant=game.variant, won_at__isnull=False, number__lte=number
        ).values_list("number", flat=True)
    )
    last = number if number in won else number - 1
    streak = 0
    while last - streak in won:
        streak += 1
    return streak


def export(user: User) -> Iterator[dict[str, Any]]:
    """Return a user's results, for their export."""
    for row in Result.objects.filter(user=user).order_by("number", "variant").iterator(500):
        yield {
            "variant": row.variant,
            "number": row.number,
            "date": Day.numbered(row.number).date.isoformat(),
            "first_move_at": row.first_move_at,
            "won_at": row.won_at,
            "moves": row.moves,
        }


# The kind that is counted so


def _alive_now(row: Statistics) -> int:
    return streak_alive(row, clock.now())


COUNTED = Counted(
    SLUG,
    "Daily",
    "days won in a row",
    count_player,
    count_everybody,
    counts_left=True,
    # A win after its board has settled counts for nothing.
    won=Q(daily_result__won_at__isnull=False),
    alive=_alive_now,
)
