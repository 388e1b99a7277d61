"""What a move costs the server, beside two views that do less, in one run.

- *empty*: a view that answers `{}`; what every request costs.
- *bare*: a plain view that finds the session's guest, locks the game's row, updates it and inserts a row: what
  storing a move safely costs at least, without rules, checks, or showing the game.
- *move*: the real endpoint, playing a winning line move by move.

Requests go through the whole stack of middleware in this process, without network. Rounds of the three alternate,
and CPU time of this process is counted, so that a busy machine disturbs the ratios little. `script/bench moves` runs
it; DATABASE_URL chooses the database, beside which a throw-away one is made.
"""

from __future__ import annotations

import json
import statistics
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

from benchmarks.site import throwaway_database

# isort: split
from django.db import connection
from django.test import Client

ROUNDS = 30
REQUESTS = 60

_LINES = Path(__file__).parent.parent / "tests/data/cases/lines.json"


class Player:
    """A guest's browser that plays a winning line of deal 2."""

    def __init__(self) -> None:
        lines = json.loads(_LINES.read_text())["lines"]
        self.line: list[str] = next(
            entry["line"].split() for entry in lines if entry["variant"] == "bakers-dozen"
        )
        self._client = Client()
        self._client.get("/")
        self._headers = {"X-CSRFToken": self._client.cookies["csrftoken"].value}
        self._requests = 0

    def start(self) -> dict[str, Any]:
        """Start a game."""
        return self._post("/api/games", {"variant": "bakers-dozen", "kind": "casual", "deal": "2"})

    def empty(self, _game: dict[str, Any], _number: int) -> None:
        """Ask for nothing."""
        self._post("/empty", {})

    def bare(self, game: dict[str, Any], number: int) -> None:
        """Store a move and nothing else."""
        self._post(f"/bare/{game['id']}", self._body(number))

    def move(self, game: dict[str, Any], number: int) -> None:
        """Play a move."""
        self._post(f"/api/games/{game['id']}/moves", self._body(number))

    def _body(self, number: int) -> dict[str, Any]:
        self._requests += 1
        request_id = f"benchmark-{self._requests}"
        return {"request_id": request_id, "version": number, "at": number, "moves": [self.line[number]]}

    def _post(self, path: str, body: dict[str, Any]) -> dict[str, Any]:
        response = self._client.post(
            path, json.dumps(body), content_type="application/json", headers=self._headers
        )
        if response.status_code not in (200, 201):
            raise RuntimeError(f"{path} answered {response.status_code}: {response.content!r}")
        answer: dict[str, Any] = response.json()
        return answer


def main() -> None:
    """Run the rounds and print CPU milliseconds a request, and the ratios."""
    with throwaway_database("benchmarks.move_urls"):
        player = Player()
        calls: dict[str, Callable[[dict[str, Any], int], None]] = {
            "empty": player.empty,
            "bare": player.bare,
            "move": player.move,
        }
        figures: dict[str, list[float]] = {name: [] for name in calls}
        for _ in range(ROUNDS):
            for name, call in calls.items():
                figures[name].append(_round(player, call))
        vendor = connection.vendor
    bare = statistics.median(figures["bare"])
    print(f"CPU a request on {vendor}, median of {ROUNDS} rounds of {REQUESTS} requests")
    for name, values in figures.items():
        median = statistics.median(values)
        print(
            f"  {name:6} {median:6.3f} ms  (rounds {min(values):.3f}–{max(values):.3f})"
            f"  {median / bare:5.2f} × bare"
        )


def _round(player: Player, call: Callable[[dict[str, Any], int], None]) -> float:
    """Return the CPU milliseconds a request of one round, without the start of its game."""
    game = player.start()
    call(game, 0)
    began = time.process_time()
    for number in range(1, REQUESTS + 1):
        call(game, number)
    return (time.process_time() - began) * 1000 / REQUESTS


if __name__ == "__main__":
    main()
