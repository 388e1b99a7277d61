"""Ranked games of known deals, for tests of what is done with them."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from accounts import statistics
from bakers.models import Game
from tests.conftest import ApiClient

VARIANT = "bakers-dozen"


def start_ranked(api: ApiClient, variant: str = VARIANT, **body: Any) -> Any:
    """Ask for a ranked game and return the response."""
    return api.post("games", {"variant": variant, "kind": "ranked", **body})


def streak(user: Any, variant: str = VARIANT) -> int:
    """Return a user's streak as it is stored."""
    return statistics.streak_at_stake(user.pk, variant)


def wins(user: Any, count: int, at: Any, variant: str = VARIANT) -> None:
    """Store ranked wins of a user, and count them."""
    for _ in range(count):
        Game.objects.create(
            user=user, variant=variant, kind="ranked", source="number", deal_number="2", deal_key="", layout="",
            position="", status="won", first_move_at=at, finished_at=at,
        )  # fmt: skip
    statistics.recompute(user_id=user.pk, variant=variant, kind="ranked")


def deal_only(monkeypatch: pytest.MonkeyPatch, *numbers: int) -> Callable[[], int]:
    """Let these deals be the ones that are found to be winnable, one after the other and the last for ever.

    Returns how many were looked for.
    """
    asked: list[int] = []

    def find(**_asked: Any) -> tuple[int, None]:
        asked.append(numbers[min(len(asked), len(numbers) - 1)])
        return asked[-1], None

    monkeypatch.setattr("bakers.help.winnable_deal", find)
    return lambda: len(asked)
