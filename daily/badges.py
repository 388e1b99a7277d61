"""Badges for milestones of days. They are computed from results whenever somebody looks, and go when those go."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass

from django.db.models import Count, F

from accounts.models import Statistics
from bakers.rules.variants import VARIANTS
from config import clock
from daily import boards, results
from daily.models import Result

#: Days won in a row, in one variant, that are a milestone.
MILESTONES = (7, 30, 100, 365)


@dataclass(frozen=True)
class Badge:
    """A badge, and how a player has come by it.

    Attributes:
        slug: its name in the page.
        mark: what its picture says, in a few characters.
        name: its name on screen.
        words: what it is given for.
        held: how the player came by it; empty for who doesn't have it.
    """

    slug: str
    mark: str
    name: str
    words: str
    held: str = ""


def read_badges(*, user_id: int, statistics: Collection[Statistics]) -> list[Badge]:
    """Return every badge and whether a player has it, in two queries.

    Args:
        statistics: the player's rows, which are counted from results too.
    """
    rows = {row.variant: row for row in statistics if row.kind == results.SLUG}
    own = [(VARIANTS[variant].name, rows[variant]) for variant in VARIANTS if variant in rows]
    found = [
        Badge(
            f"streak-{days}",
            str(days),
            f"{days} days in a row",
            f"Win {days} days in a row in one variant.",
            ", ".join(name for name, row in own if row.best_streak >= days),
        )
        for days in MILESTONES
    ]
    for slug, variant in VARIANTS.items():
        won = rows[slug].won if slug in rows else 0
        found.append(
            Badge(
                f"variant-{slug}",
                _initials(variant.name),
                variant.name,
                f"Win a day of {variant.name}.",
                f"{_times(won, 'day')} won" if won else "",
            )
        )
    at_par, five = _count_at_par(user_id), _count_five(user_id)
    return [
        *found,
        Badge(
            "par",
            "par",
            "Par met",
            "Win a day in as few moves as its par, or fewer; par counts once the board has settled.",
            _times(at_par, "board") if at_par else "",
        ),
        Badge(
            "five",
            "5/5",
            "All five in a day",
            "Win the boards of all five variants of one day.",
            _times(five, "day") if five else "",
        ),
    ]


def _count_at_par(user_id: int) -> int:
    """Return how many boards a player won in par or fewer moves.

    Until a board has settled its par may still change, and is nothing to tell others of.
    """
    return Result.objects.filter(
        user_id=user_id,
        won_at__isnull=False,
        moves__lte=F("board__par"),
        number__lt=boards.first_unsettled(clock.now()).number,
    ).count()


def _count_five(user_id: int) -> int:
    """Return on how many days a player won every board."""
    won = Result.objects.filter(user_id=user_id, won_at__isnull=False).order_by().values("number")
    return won.annotate(boards=Count("pk")).filter(boards=len(VARIANTS)).count()


def _initials(name: str) -> str:
    """Return a variant in a few characters: its year, or the first letters of its words."""
    *_others, last = name.split()
    return last if last.isdigit() else "".join(word[0] for word in name.split())


def _times(count: int, noun: str) -> str:
    return f"{count:,} {noun}" if count == 1 else f"{count:,} {noun}s"
