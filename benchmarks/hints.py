"""What hints and verdicts cost the server, as players ask for them.

- *state*: the game as it stands, which asks nothing of the solver: what every call costs.
- *verdict*: the lamp's question after each move of a game.
- *followed*: a hint where the move before was a hint's too: its line is known.
- *fresh*: a hint in a position that nobody has asked about: after random moves from a deal.

Requests go through the whole stack of middleware in this process, without network; CPU time of this process is
counted. `script/bench hints` runs it; DATABASE_URL chooses the database, beside which a throw-away one is made.
"""

from __future__ import annotations

import gc
import json
import random
import statistics
import time
from typing import Any

from benchmarks.site import throwaway_database

# isort: split
from django.db import connection
from django.test import Client
from django.test.client import ClientHandler

from bakers import help as helping
from bakers.rules.deals import deal
from bakers.rules.variants import VARIANTS
from bakers.solver import compile_all

GAMES = 12
FRESH = 150
MOST_RANDOM_MOVES = 25


class TimedHandler(ClientHandler):
    """The whole stack of middleware, with what the last request cost it: making the request is the browser's work."""

    spent = 0.0

    def __call__(self, environ: dict[str, Any]) -> Any:
        """Answer a request."""
        began = time.process_time()
        response = super().__call__(environ)
        self.spent = (time.process_time() - began) * 1000
        return response


class Player:
    """A guest's browser."""

    def __init__(self) -> None:
        self._client = Client()
        self._client.handler = self._timed = TimedHandler()
        self._client.get("/")
        self._headers = {"X-CSRFToken": self._client.cookies["csrftoken"].value}
        self._requests = 0

    def start(self, variant: str, number: int) -> dict[str, Any]:
        """Start a game."""
        return self.post("games", {"variant": variant, "kind": "casual", "deal": str(number)})

    def play(self, game: dict[str, Any], *moves: str) -> dict[str, Any]:
        """Play moves."""
        self._requests += 1
        body = {
            "request_id": f"benchmark-{self._requests}", "version": game["version"], "at": game["ply"],
            "moves": list(moves),
        }  # fmt: skip
        return self.post(f"games/{game['id']}/moves", body)

    def hint(self, game: dict[str, Any], spent: list[float]) -> dict[str, Any]:
        """Ask for a hint, and note the CPU milliseconds that it cost."""
        answer = self.post(f"games/{game['id']}/hint", {"version": game["version"]})
        spent.append(self._timed.spent)
        return answer

    def get(self, path: str, spent: list[float]) -> None:
        """Read an address under /api/, and note the CPU milliseconds that it cost."""
        response = self._client.get(f"/api/{path}")
        spent.append(self._timed.spent)
        if response.status_code != 200:
            raise RuntimeError(f"{path} answered {response.status_code}: {response.content!r}")

    def post(self, path: str, body: dict[str, Any]) -> dict[str, Any]:
        """Send a body to an address under /api/."""
        response = self._client.post(
            f"/api/{path}", json.dumps(body), content_type="application/json", headers=self._headers
        )
        if response.status_code not in (200, 201):
            raise RuntimeError(f"{path} answered {response.status_code}: {response.content!r}")
        answer: dict[str, Any] = response.json()
        return answer


def main() -> None:
    """Print CPU milliseconds a request of each sort, for each variant."""
    # The limits are for people; here one asks for all.
    helping.SEARCHES_A_MINUTE = helping.DEEP_SEARCHES_A_MINUTE = 10**9
    compile_all()
    # As the web server does before it forks.
    gc.collect()
    gc.freeze()
    everything: list[float] = []
    reading: list[float] = []
    with throwaway_database():
        print(f"CPU ms a request on {connection.vendor}: median / p90 / p99 / max of how many")
        for variant in VARIANTS:
            player = Player()
            figures: dict[str, list[float]] = {
                "state": [],
                "verdict": [],
                "followed": [],
                "fresh": [],
            }
            for number in range(1, GAMES + 1):
                _follow(player, player.start(variant, number), figures)
            for number in range(GAMES + 1, GAMES + FRESH + 1):
                game = player.start(variant, number)
                moves = _random_moves(variant, number)
                player.hint(player.play(game, *moves) if moves else game, figures["fresh"])
            for name, spent in figures.items():
                print(f"  {variant:22} {name:9} {_summary(spent)}")
            hints = figures["followed"] + figures["fresh"]
            print(f"  {variant:22} {'all hints':9} {_summary(hints)}")
            everything += hints
            reading += figures["state"]
        print(f"  {'all variants':22} {'all hints':9} {_summary(everything)}")
        share = statistics.median(everything) / statistics.median(reading)
        print(f"  the median hint costs {share:.2f} times what reading the game alone costs")


def _follow(player: Player, game: dict[str, Any], figures: dict[str, list[float]]) -> None:
    """Play hints to the end, with the lamp on."""
    first = True
    while game["status"] == "open":
        answer = player.hint(game, figures["fresh" if first else "followed"])
        if answer["move"] is None:
            return
        game = player.play(game, answer["move"])
        player.get(f"games/{game['id']}/verdict?version={game['version']}", figures["verdict"])
        player.get(f"games/{game['id']}", figures["state"])
        first = False


def _random_moves(variant: str, number: int) -> list[str]:
    chance = random.Random(number)
    position = deal(VARIANTS[variant], number)
    moves: list[str] = []
    for _ in range(chance.randrange(MOST_RANDOM_MOVES)):
        legal = list(position.legal_moves)
        if not legal:
            break
        moves.append(position.play(chance.choice(legal)).text)
    return moves


def _summary(spent: list[float]) -> str:
    spent = sorted(spent)
    p90, p99 = (spent[min(int(len(spent) * share), len(spent) - 1)] for share in (0.9, 0.99))
    return f"{statistics.median(spent):6.1f} / {p90:6.1f} / {p99:6.1f} / {spent[-1]:6.1f}  of {len(spent)}"


if __name__ == "__main__":
    main()
