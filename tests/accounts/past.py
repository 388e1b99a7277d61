"""Games that somebody played long ago, made in bulk: with results, times and lines as long as they should be."""

from __future__ import annotations

import datetime
import random
from typing import Any

from accounts.models import Statistics
from bakers import games
from bakers.models import Answer, Game
from bakers.rules.variants import VARIANTS
from bakers.solver import Reason

NOON = datetime.datetime(2026, 3, 1, 12, 0, tzinfo=datetime.UTC)


def past_game(
    user: Any,
    *,
    variant: str = "bakers-dozen",
    kind: str = "casual",
    status: str = "won",
    at: datetime.datetime = NOON,
    moves: int = 90,
    seconds: float = 300,
    **fields: Any,
) -> Game:
    """Return an unsaved game that was played last, and ended unless it is open, at a moment.

    Its line is as long as asked, and nothing that could be replayed.
    """
    game = games.new_deal(variant=VARIANTS[variant], number=fields.pop("deal", 2)).game
    values = {
        "user": user,
        "kind": kind,
        "status": status,
        "line": "1h" * moves,
        "played_ms": int(seconds * 1000),
        "started_at": at - datetime.timedelta(seconds=seconds),
        "first_move_at": at - datetime.timedelta(seconds=seconds),
        "last_move_at": at,
        "finished_at": None if status == "open" else at,
        **fields,
    }
    for name, value in values.items():
        setattr(game, name, value)
    return game


def store(*past: Game) -> list[Game]:
    """Store games."""
    return Game.objects.bulk_create(past, batch_size=200)


def learn_par(game: Game, moves: int, *, lower_bound: int | None = 60) -> None:
    """Store what a search found out of a game's deal: a line of so many moves."""
    Answer.objects.create(
        variant=game.variant,
        key=game.answer_key,
        outcome=Answer.Outcome.WON,
        reason=Reason.LINE,
        line="1h" * moves,
        moves=moves,
        lower_bound=lower_bound,
    )


def play_for_years(user: Any, count: int, *, until: datetime.datetime, days: int = 1500) -> list[Game]:
    """Store so many games of a player, who gets better, over some days; and par of some of their deals."""
    dice = random.Random(count)
    made = [
        games.new_deal(variant=variant, number=number).game
        for variant in VARIANTS.values()
        for number in range(1, 9)
    ]
    # A few deals are played again and again.
    Answer.objects.bulk_create(
        (
            Answer(
                variant=game.variant,
                key=game.answer_key,
                outcome=Answer.Outcome.WON,
                reason=Reason.LINE,
                line="1h" * (68 + int(game.deal_number or 0)),
                moves=68 + int(game.deal_number or 0),
                lower_bound=60,
            )
            for game in made[::2]
        ),
        # Another player may have played them before.
        ignore_conflicts=True,
    )
    past = []
    for index in range(count):
        deal = made[min(int(dice.expovariate(1 / 8)), len(made) - 1)]
        age = days * (1 - (index + dice.random()) / count)
        won = dice.random() < 0.3 + 0.5 * index / count
        past.append(
            past_game(
                user,
                variant=deal.variant,
                deal=int(deal.deal_number or 0),
                kind="ranked" if dice.random() < 0.3 else "casual",
                status="won" if won else "lost",
                at=until - datetime.timedelta(days=age),
                moves=int(dice.gammavariate(5, 5)) + 66,
                seconds=dice.gammavariate(4, 90),
                helped=dice.random() < 0.1,
            )
        )
    for variant in VARIANTS:
        for kind in ("casual", "ranked"):
            results = [game.status == "won" for game in past if (game.variant, game.kind) == (variant, kind)]
            now, best = _streaks(results)
            Statistics.objects.create(
                user=user, variant=variant, kind=kind, played=len(results), won=sum(results),
                streak=now, best_streak=best, best_streak_at=until - datetime.timedelta(days=9) if best else None,
            )  # fmt: skip
    return store(*past)


def _streaks(results: list[bool]) -> tuple[int, int]:
    now = best = 0
    for won in results:
        now = now + 1 if won else 0
        best = max(best, now)
    return now, best
