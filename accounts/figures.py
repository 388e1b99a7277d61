"""A player's games in figures: computed from the games when somebody looks, in a handful of queries however many.

Only streaks are stored: they depend on the order of the games, and `accounts.statistics` keeps them.
"""

from __future__ import annotations

import datetime
from collections import Counter, defaultdict
from collections.abc import Callable, Iterable
from dataclasses import dataclass

from django.db.models import Avg, Count, IntegerField, Min, OuterRef, Q, QuerySet, Subquery
from django.db.models.functions import Coalesce, Length, TruncDate

from accounts.counted import Counted, counted_kinds
from accounts.models import Statistics
from bakers.models import Answer, Game
from bakers.rules.variants import VARIANTS
from config import clock

#: A casual game that has a move and was left for so long counts as played; it can be taken up again all the same.
LEFT_AFTER = datetime.timedelta(hours=24)
#: Periods of time that a picture shows at most; above that they become longer.
MOST_PERIODS = 32


@dataclass(frozen=True)
class AgainstPar:
    """Wins without help whose par is known, and by how many moves they are over it.

    Par that isn't proven is the best line known, and a player's own line may have fewer moves.
    """

    overs: tuple[tuple[int, int], ...]

    @property
    def games(self) -> int:
        """How many there are; at least one."""
        return sum(count for _over, count in self.overs)

    @property
    def at_par(self) -> int:
        """How many have as few moves as par, or fewer."""
        return sum(count for over, count in self.overs if over <= 0)

    @property
    def average(self) -> float:
        """Moves over par of a game, on average."""
        return sum(over * count for over, count in self.overs) / self.games

    @property
    def best(self) -> int:
        """Moves over par of the best game."""
        return self.overs[0][0]


@dataclass(frozen=True)
class Figures:
    """A player's games of one variant and kind.

    Attributes:
        variant: its slug.
        kind: which kind, and what its streaks count.
        played: games that ended, and casual ones that were left.
        won: how many of them were won.
        streak: the present streak; `best_streak` the longest there was, reached at `best_streak_at`.
        fewest_moves: of a win without help; None without one.
        best_ms: milliseconds at the table of the fastest win without help; None without one.
        average_ms: milliseconds at the table of a win, with help or not; None without one.
        par: moves against par; None as long as no win without help has a known par.
    """

    variant: str
    kind: Counted
    played: int = 0
    won: int = 0
    streak: int = 0
    best_streak: int = 0
    best_streak_at: datetime.datetime | None = None
    fewest_moves: int | None = None
    best_ms: int | None = None
    average_ms: float | None = None
    par: AgainstPar | None = None

    @property
    def win_rate(self) -> float | None:
        """The share of games that were won, 0 to 1; None of no games."""
        return self.won / self.played if self.played else None


def read_figures(*, user_id: int) -> list[Figures]:
    """Return a player's figures of every variant and counted kind, those without a game too; in three queries."""
    won = _won()
    alone = won & Q(helped=False)
    totals = {
        (row["variant"], row["kind"]): row
        for row in _played(user_id)
        .values("variant", "kind")
        .annotate(
            played=Count("pk"),
            won=Count("pk", filter=won),
            fewest_plies=Min(Length("line"), filter=alone),
            best_ms=Min("played_ms", filter=alone),
            average_ms=Avg("played_ms", filter=won),
        )
    }
    streaks = {(row.variant, row.kind): row for row in Statistics.objects.filter(user_id=user_id)}
    overs = read_overs(user_id=user_id)
    figures = []
    for variant in VARIANTS:
        for kind in counted_kinds():
            total = totals.get((variant, kind.slug), {})
            row = streaks.get((variant, kind.slug))
            plies, average = total.get("fewest_plies"), total.get("average_ms")
            figures.append(
                Figures(
                    variant=variant,
                    kind=kind,
                    played=total.get("played", 0),
                    won=total.get("won", 0),
                    streak=0 if row is None else kind.alive(row),
                    best_streak=0 if row is None else row.best_streak,
                    best_streak_at=None if row is None else row.best_streak_at,
                    fewest_moves=None if plies is None else plies // 2,
                    best_ms=total.get("best_ms"),
                    # PostgreSQL's average of whole numbers is a decimal.
                    average_ms=None if average is None else float(average),
                    par=against_par([overs.get((variant, kind.slug), {})]),
                )
            )
    return figures


def read_overs(*, user_id: int) -> dict[tuple[str, str], dict[int, int]]:
    """Return, by variant and kind, how many wins without help have how many moves over par; in one query.

    A player may know the par of any deal that they have won, whoever else is still to solve it.
    """
    par = Answer.objects.filter(
        variant=OuterRef("variant"),
        key=OuterRef("answer_key"),
        moves__isnull=False,
        # The first line that comes along is no par.
        lower_bound__isnull=False,
    ).values("moves")[:1]
    rows = (
        Game.objects.filter(_won(), user_id=user_id, helped=False)
        .exclude(answer_key="")
        .annotate(over=Length("line") / 2 - Subquery(par, output_field=IntegerField()))
        .filter(over__isnull=False)
        .order_by()
        .values_list("variant", "kind", "over")
        .annotate(games=Count("pk"))
    )
    overs: dict[tuple[str, str], dict[int, int]] = defaultdict(dict)
    for variant, kind, over, games in rows:
        overs[variant, kind][over] = games
    return dict(overs)


def against_par(overs: Iterable[dict[int, int]]) -> AgainstPar | None:
    """Return what comes of several counts of moves over par together; None of none."""
    total: Counter[int] = Counter()
    for each in overs:
        total.update(each)
    return AgainstPar(tuple(sorted(total.items()))) if total else None


# Over time


@dataclass(frozen=True)
class Day:
    """The games of one variant and kind that ended, or were left, on one UTC day."""

    variant: str
    kind: str
    day: datetime.date
    played: int
    won: int


@dataclass(frozen=True)
class Period:
    """Some days of play.

    Attributes:
        first: its first day; the next period's is the day after its last.
        step: `day`, `week`, `month`, `quarter` or `year`.
        played: games of the period; `won` of them were won.
        played_so_far: games up to its end; `won_so_far` of them were won.
    """

    first: datetime.date
    step: str
    played: int
    won: int
    played_so_far: int
    won_so_far: int

    @property
    def win_rate(self) -> float | None:
        """The share of its games that were won, 0 to 1; None of no games."""
        return self.won / self.played if self.played else None

    @property
    def win_rate_so_far(self) -> float:
        """The share of all games up to its end that were won."""
        return self.won_so_far / self.played_so_far


def read_days(*, user_id: int) -> list[Day]:
    """Return a player's days of play, the first one first; in one query.

    A game that was left belongs to the day of its last move.
    """
    rows = (
        _played(user_id)
        .annotate(day=TruncDate(Coalesce("finished_at", "last_move_at"), tzinfo=datetime.UTC))
        .values_list("variant", "kind", "day")
        .annotate(played=Count("pk"), won=Count("pk", filter=_won()))
        .order_by("day")
    )
    return [Day(*row) for row in rows]


_STEPS: dict[str, Callable[[datetime.date], datetime.date]] = {
    "day": lambda day: day,
    "week": lambda day: day - datetime.timedelta(days=day.weekday()),
    "month": lambda day: day.replace(day=1),
    "quarter": lambda day: day.replace(month=day.month - (day.month - 1) % 3, day=1),
    "year": lambda day: day.replace(month=1, day=1),
}
#: So many days after the first day of a step the next one has begun, and the one after it hasn't.
_LONGER = {"day": 1, "week": 7, "month": 32, "quarter": 93, "year": 367}


def periods(days: Iterable[Day]) -> list[Period]:
    """Return days of play as periods without a gap: single days, or whatever makes no more than `MOST_PERIODS`."""
    played: Counter[datetime.date] = Counter()
    won: Counter[datetime.date] = Counter()
    for each in days:
        played[each.day] += each.played
        won[each.day] += each.won
    if not played:
        return []
    for step in _STEPS:
        starts = _starts(step, min(played), max(played))
        if len(starts) <= MOST_PERIODS:
            break
    sums: dict[datetime.date, list[int]] = {start: [0, 0] for start in starts}
    for day, games in played.items():
        of_period = sums[_STEPS[step](day)]
        of_period[0] += games
        of_period[1] += won[day]
    found = []
    played_so_far = won_so_far = 0
    for start, (of_played, of_won) in sums.items():
        played_so_far += of_played
        won_so_far += of_won
        found.append(Period(start, step, of_played, of_won, played_so_far, won_so_far))
    return found


def _starts(step: str, first: datetime.date, last: datetime.date) -> list[datetime.date]:
    """Return the first days of the periods from one day to another."""
    start_of = _STEPS[step]
    starts = [start_of(first)]
    while (following := start_of(starts[-1] + datetime.timedelta(days=_LONGER[step]))) <= last:
        starts.append(following)
    return starts


# Inside


def _won() -> Q:
    """Return the condition that a game counts as won."""
    won = Q()
    for kind in counted_kinds():
        won |= Q(kind=kind.slug) & kind.won
    return Q(won, status=Game.Status.WON)


def _played(user_id: int) -> QuerySet[Game]:
    """Return the games that count as played: those that ended, and of some kinds those that were left."""
    left = Q(
        kind__in=[kind.slug for kind in counted_kinds() if kind.counts_left],
        first_move_at__isnull=False,
        last_move_at__lte=clock.now() - LEFT_AFTER,
    )
    return Game.objects.filter(
        Q(finished_at__isnull=False) | left, user_id=user_id, kind__in=[kind.slug for kind in counted_kinds()]
    ).order_by()
