"""How a player's games went, in numbers: counted from the games themselves and kept beside them.

What is kept is a cache. Whenever a result comes, goes or changes hands, it is computed anew from all results of that
player, variant and kind, under the lock of its own row: results that come late, twice or at the same moment can't
make it wrong. (Lock order: the game's row, the user's where this one is new, then this one.)
"""

from __future__ import annotations

import datetime
from collections.abc import Callable, Collection, Iterable

from django.db import transaction
from django.db.models import Q, QuerySet

from accounts import listing
from accounts.counted import FIELDS, Tally, find_kind
from accounts.models import Statistics
from bakers.models import Game


class StatisticsLedger:
    """Keeps the numbers true, within the transaction that changes a result (`bakers.kinds.Ledger`)."""

    def ended(self, game: Game) -> None:
        """Count a game that has ended."""
        if game.user_id is not None and find_kind(game.kind):
            recompute(user_id=game.user_id, variant=game.variant, kind=game.kind)

    def adopted(self, user_id: int, results: Collection[tuple[str, str]]) -> None:
        """Count a guest's ended games for the user who they are now."""
        counted = sorted((variant, kind) for variant, kind in results if find_kind(kind))
        if counted:
            # Before the rows, of which some may be new.
            listing.hold(user_id)
        # Sorted, so that of two that take the same rows none waits for the other.
        for variant, kind in counted:
            recompute(user_id=user_id, variant=variant, kind=kind)


def recompute(*, user_id: int, variant: str, kind: str) -> Statistics:
    """Compute a player's numbers anew from the games, and store them.

    Raises:
        ValueError: games of this kind count for nothing.
    """
    counter = find_kind(kind)
    if counter is None:
        raise ValueError(f"{kind!r} isn't a kind that counts.")
    # No savepoint: a result that can't be counted isn't to be stored either.
    with transaction.atomic(savepoint=False):
        # The lock comes before the games are read: whoever ends another one then waits, and reads this one too.
        rows = Statistics.objects.select_for_update()
        key = {"user_id": user_id, "variant": variant, "kind": kind}
        row = rows.filter(**key).first()
        if row is None:
            row, _created = rows.get_or_create(**key, defaults=listing.find(user_id))
        counted = counter.of_player(user_id, variant)
        if tally_of(row) != counted:
            for name in FIELDS:
                setattr(row, name, getattr(counted, name))
            row.save(update_fields=FIELDS)
        return row


def count_games(kind: str) -> Callable[[int, str], Tally]:
    """Return what counts a player's ended games of a kind, one after the other."""
    return lambda user_id, variant: tally(
        results(user_id, variant, kind).values_list("status", "finished_at")
    )


def results(user_id: int, variant: str, kind: str) -> QuerySet[Game]:
    """Return a player's ended games of one variant and kind, in the order that streaks count."""
    return Game.objects.filter(
        user_id=user_id, variant=variant, kind=kind, finished_at__isnull=False
    ).order_by("finished_at", "pk")


def tally(ended: Iterable[tuple[str, datetime.datetime | None]]) -> Tally:
    """Count results.

    Args:
        ended: status and end of each game, in order.
    """
    played = won = streak = best = 0
    streak_at = best_at = last_at = None
    for status, finished_at in ended:
        played, last_at = played + 1, finished_at
        if status != Game.Status.WON:
            streak, streak_at = 0, None
            continue
        won, streak, streak_at = won + 1, streak + 1, finished_at
        if streak > best:
            best, best_at = streak, finished_at
    return Tally(played, won, streak, best, streak_at, best_at, last_at)


def tally_of(row: Statistics | None) -> Tally:
    """Return what a stored row says; where there is none, no game has ended."""
    return Tally() if row is None else Tally(**{name: getattr(row, name) for name in FIELDS})


# Reading


def streak_at_stake(user_id: int, variant: str) -> int:
    """Return the ranked games that a player has won in a row: a streak lives until a game is lost."""
    kept = Statistics.objects.filter(user_id=user_id, variant=variant, kind="ranked")
    return kept.values_list("streak", flat=True).first() or 0


def streak_up_to(game: Game) -> int:
    """Return how many games a player had won in a row with an ended game, or before it if it was lost."""
    if game.user_id is None:
        return 0
    before = results(game.user_id, game.variant, game.kind).filter(
        Q(finished_at__lt=game.finished_at) | Q(finished_at=game.finished_at, pk__lt=game.pk)
    )
    loss = before.filter(status=Game.Status.LOST).last()
    wins = before.filter(status=Game.Status.WON)
    if loss is not None:
        wins = wins.filter(
            Q(finished_at__gt=loss.finished_at) | Q(finished_at=loss.finished_at, pk__gt=loss.pk)
        )
    return wins.count() + (game.status == Game.Status.WON)
