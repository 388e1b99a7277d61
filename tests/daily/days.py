"""Boards and players for tests of days."""

from __future__ import annotations

import datetime
from typing import Any

from bakers.days import Day
from bakers.rules.variants import VARIANTS
from daily import boards
from daily.models import Board, Result
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
