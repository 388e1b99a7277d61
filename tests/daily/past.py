"""Boards of past days, and what players made of them, stored in bulk."""

from __future__ import annotations

import datetime
from collections.abc import Iterable
from typing import Any

from accounts import names, statistics
from accounts.models import User
from bakers.days import Day
from bakers.models import Game
from daily.models import Board, Result
from tests.daily.days import VARIANT

#: Par of every board here, unless a test says otherwise.
PAR = 80


def player(name: str, *, listed: bool = True) -> User:
    """Make somebody with a display name."""
    email = f"{name.lower().replace(' ', '-')}@example.org"
    user = User.objects.create_user(email)
    names.choose(user_id=user.pk, name=name, is_listed=listed)
    return User.objects.get(pk=user.pk)


def make_boards(numbers: Iterable[int], variant: str = VARIANT, **fields: Any) -> None:
    """Store boards whose cards don't matter; a layout that names one shows where it leaks."""
    values = {"par": PAR, "par_proven": True, "rating": 3, "status": "ready", **fields}
    Board.objects.bulk_create(
        Board(
            variant=variant,
            number=number,
            day=Day.numbered(number).date,
            deal=f"77{number:06}77",
            layout=f"layout of {number}",
            deal_key=f"deal key {variant} {number}",
            answer_key=f"answer key {number}",
            **values,
        )
        for number in numbers
    )


def play_days(
    user: User, numbers: Iterable[int], variant: str = VARIANT, *, won: bool = True, moves: int = 90
) -> None:
    """Store that a player won boards at noon of their days, or began them; boards that aren't there are made."""
    numbers = list(numbers)
    there = set(Board.objects.filter(variant=variant, number__in=numbers).values_list("number", flat=True))
    make_boards([number for number in numbers if number not in there], variant)
    boards = Board.objects.filter(variant=variant, number__in=numbers).defer("layout")
    noon = datetime.timedelta(hours=12)
    games = [
        Game(
            user=user, variant=variant, kind="daily", source="board", deal_number="2", deal_key="", layout="",
            position="", board_day=board.day, status="won" if won else "open",
            first_move_at=Day(board.day).opens_at + noon, last_move_at=Day(board.day).opens_at + noon,
            finished_at=Day(board.day).opens_at + noon if won else None, line="1h" * moves if won else "1h",
        )
        for board in boards
    ]  # fmt: skip
    Game.objects.bulk_create(games)
    Result.objects.bulk_create(
        Result(
            user=user, board=board, game=game, variant=variant, number=board.number,
            first_move_at=Day(board.day).opens_at + noon, won_at=game.finished_at, moves=moves if won else None,
        )
        for board, game in zip(boards, games, strict=True)
    )  # fmt: skip
    statistics.recompute(user_id=user.pk, variant=variant, kind="daily")
