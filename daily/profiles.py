"""What everybody may see of a player: of those alone who are active, have a display name, and said yes to be listed."""

from __future__ import annotations

from dataclasses import dataclass

from accounts import names, ranked
from accounts.models import Statistics, User
from bakers.rules.variants import VARIANTS, Variant
from config import clock
from daily import badges, calendars, results
from daily.badges import Badge
from daily.calendars import Year


@dataclass(frozen=True)
class Streaks:
    """A player's streaks of one variant: of days and of ranked games, present and best ones."""

    variant: Variant
    days: int
    best_days: int
    ranked: int
    best_ranked: int


@dataclass(frozen=True)
class Record:
    """A player's streaks, their year, and their badges."""

    streaks: tuple[Streaks, ...]
    year: Year
    badges: tuple[Badge, ...]


def find_listed(name: str) -> User | None:
    """Return the listed player of a name, however it is written; None if there is none, or they aren't to be shown."""
    # Longer than any name is before look-alikes are put in the place of letters; and PostgreSQL takes no NUL.
    if len(name) > 4 * names.MAX_LENGTH or "\0" in name:
        return None
    return User.objects.filter(name_key=names.key(name), is_listed=True, is_active=True).first()


def read_statistics(*, user_id: int) -> list[Statistics]:
    """Return a player's rows of the two kinds that have leaderboards, in one query."""
    return list(Statistics.objects.filter(user_id=user_id, kind__in=[results.SLUG, ranked.SLUG]))


def read_record(*, user_id: int, statistics: list[Statistics]) -> Record:
    """Return what a player's results come to, in three queries.

    Args:
        statistics: what `read_statistics` returned of them.
    """
    return Record(
        tuple(_streaks(statistics)),
        calendars.read_year(user_id=user_id),
        tuple(badges.read_badges(user_id=user_id, statistics=statistics)),
    )


def _streaks(rows: list[Statistics]) -> list[Streaks]:
    now = clock.now()
    by_kind = {(row.variant, row.kind): row for row in rows}
    found = []
    for slug, variant in VARIANTS.items():
        days, games = by_kind.get((slug, results.SLUG)), by_kind.get((slug, ranked.SLUG))
        streaks = Streaks(
            variant,
            results.streak_alive(days, now),
            0 if days is None else days.best_streak,
            0 if games is None else games.streak,
            0 if games is None else games.best_streak,
        )
        if streaks.best_days or streaks.best_ranked:
            found.append(streaks)
    return found
