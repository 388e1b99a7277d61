"""Boards and players for tests of days."""

from __future__ import annotations

import datetime
from typing import Any

from accounts import statistics
from bakers.days import Day
from bakers.rules.variants import VARIANTS
from daily import boards
from daily.models import Board, Result
from tests.accounts.past import past_game
from tests.conftest import ApiClient

VARIANT = "bakers-dozen"


def deal_boards(monkeypatch: Any, *numbers: int) -> None:
    """Let boards be made of these deals, one after the other and the last for ever."""
    left = list(numbers)
    monkeypatch.setattr("daily.boards.pick_number", lambda: left.pop(0) if len(left) > 1 else left[0])


def at(text: str) -> datetime.datetime:
    """Return a moment in UTC, as 2026-03-01 23:59."""
    return datetime.datetime.fromisoformat(text).replace(tzinfo=datetime.UTC)


def make(day: str, variant: str = VARIANT) -> Board:
    """Make a board of a day."""
    return boards.make_board(VARIANTS[variant], Day(datetime.date.fromisoformat(day))).board


def start_daily(api: ApiClient, variant: str = VARIANT, **body: Any) -> Any:
    """Ask for the player's game on a board and return the response."""
    return api.post("games", {"variant": variant, "kind": "daily", **body})


def win(api: ApiClient, line: list[str], variant: str = VARIANT, **body: Any) -> dict[str, Any]:
    """Start a player's game on a board and win it."""
    response = start_daily(api, variant, **body)
    assert response.status_code in {200, 201}, response.content
    return api.play(response.json(), *line)


def results(user: Any) -> list[tuple[int, bool]]:
    """Return number and win of each of a player's results."""
    rows = Result.objects.filter(user=user).order_by("variant", "number")
    return [(row.number, row.won_at is not None) for row in rows]


def board(number: int, variant: str = VARIANT) -> Board:
    """Return a board of that number whose cards don't matter."""
    made, _created = Board.objects.get_or_create(
        variant=variant,
        number=number,
        defaults={
            "day": Day.numbered(number).date, "deal": "2", "layout": "", "deal_key": f"{variant} {number}",
            "answer_key": "",
        },
    )  # fmt: skip
    return made


def result(user: Any, number: int, *, won: bool = True, variant: str = VARIANT, late: int = 0) -> Result:
    """Store what a player made of a board, at noon of its day or some minutes later, and count it."""
    day = Day.numbered(number)
    moment = day.opens_at + datetime.timedelta(hours=12, minutes=late)
    game = past_game(
        user,
        variant=variant,
        kind="daily",
        status="won" if won else "lost",
        at=moment,
        source="board",
        board_day=day.date,
    )
    game.save(force_insert=True)
    row = Result.objects.create(
        user=user, board=board(number, variant), game=game, variant=variant, number=number, first_move_at=moment,
        won_at=moment if won else None, moves=90 if won else None,
    )  # fmt: skip
    statistics.recompute(user_id=user.pk, variant=variant, kind="daily")
    return row
