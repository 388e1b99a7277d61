"""How the database finds what leaderboards, wins and the archive ask for: by an index, whatever lies beside it."""

from __future__ import annotations

import datetime
import json
from collections.abc import Callable, Iterator
from functools import partial
from typing import Any

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from accounts import statistics
from accounts.models import Statistics, User
from bakers.days import Day
from bakers.rules.variants import BAKERS_DOZEN
from daily import archive, leaderboards
from daily.leaderboards import Contest, Leaderboard, Span
from tests.daily.days import at

pytestmark = pytest.mark.django_db
NOW = at("2026-03-01 12:00")
TODAY = Day.of(NOW).number
PLAYERS = 3_000
#: Which index a list is read in the order of.
LISTS = [
    (Contest.DAILY, Span.CURRENT, "accounts_statistics_days"),
    (Contest.DAILY, Span.BEST, "accounts_statistics_best"),
    (Contest.RANKED, Span.CURRENT, "accounts_statistics_present"),
    (Contest.RANKED, Span.BEST, "accounts_statistics_best"),
]


@pytest.fixture(autouse=True)
def players(frozen_clock) -> list[User]:
    """Many players with streaks, more than half of them listed, and what the database knows of its tables."""
    frozen_clock.time = NOW
    users = User.objects.bulk_create(
        User(
            email=f"p{n}@example.org",
            display_name=f"Player {n}",
            name_key=f"player {n}",
            is_listed=n % 5 > 1,
        )
        for n in range(PLAYERS)
    )
    Statistics.objects.bulk_create(
        Statistics(
            user=user, variant=BAKERS_DOZEN.slug, kind=kind, played=n, won=n,
            streak=n % 97, best_streak=n % 97 + n // 97 % 3,
            streak_at=NOW - datetime.timedelta(minutes=n), best_streak_at=NOW - datetime.timedelta(minutes=n),
            last_at=NOW - datetime.timedelta(minutes=n), last_number=TODAY - n % 4 if kind == "daily" else None,
            listed_as=user.display_name if user.is_listed else "",
            listed_key=(user.name_key or "") if user.is_listed else "",
        )
        for kind in ("daily", "ranked")
        for n, user in enumerate(users, 200)
    )  # fmt: skip
    with connection.cursor() as cursor:
        cursor.execute("ANALYZE")
    return users


def plans(call: Callable[[], object]) -> list[list[str]]:
    """Return the steps of the plan of each question that a call asks."""
    with CaptureQueriesContext(connection) as asked:
        call()
    explained = []
    for query in asked.captured_queries:
        sql = query["sql"]
        if not sql.startswith(("SELECT", "UPDATE")):
            continue
        with connection.cursor() as cursor:
            if connection.vendor == "postgresql":
                cursor.execute(f"EXPLAIN (FORMAT JSON) {sql}")
                told = cursor.fetchone()[0]
                [root] = json.loads(told) if isinstance(told, str) else told
                explained.append(list(steps(root["Plan"])))
            else:
                cursor.execute(f"EXPLAIN QUERY PLAN {sql}")
                explained.append([row[3] for row in cursor.fetchall()])
    assert explained
    return explained


def steps(plan: dict[str, Any]) -> Iterator[str]:
    """Return the steps of a plan of PostgreSQL, each with what it reads."""
    yield " ".join(plan[name] for name in ("Node Type", "Relation Name", "Index Name") if name in plan)
    for inner in plan.get("Plans", []):
        yield from steps(inner)


def goes_through_a_table(step: str) -> bool:
    # Of SQLite's, the second one counts what a question within the question has found.
    return step.startswith("Seq Scan") or (
        step.startswith("SCAN") and "INDEX" not in step and step != "SCAN subquery"
    )


@pytest.mark.parametrize(("contest", "span", "index"), LISTS)
def test_a_page_is_read_in_the_order_of_an_index(contest, span, index):
    which = Leaderboard(contest, span, BAKERS_DOZEN)
    first = leaderboards.read_page(which)
    assert first.next is not None
    for after in (None, first.next):
        for plan in plans(partial(leaderboards.read_page, which, after=after)):
            assert any(index in step for step in plan), plan
            assert not any(
                goes_through_a_table(step) or "Sort" in step or "B-TREE" in step for step in plan
            ), plan


@pytest.fixture
def _small_tables_too():
    """Have indexes used where a whole table would be read faster, so that one that is missing shows."""
    if connection.vendor == "postgresql":
        with connection.cursor() as cursor:
            cursor.execute("SET LOCAL enable_seqscan = off")


@pytest.mark.usefixtures("_small_tables_too")
@pytest.mark.parametrize("contest", Contest)
@pytest.mark.parametrize("span", Span)
def test_the_own_row_and_its_rank_are_found_by_an_index(contest, span):
    which = Leaderboard(contest, span, BAKERS_DOZEN)
    rows = Statistics.objects.filter(kind=contest.value, streak__gt=50)
    row = rows.filter(last_number=TODAY).first() or rows[0]
    own = leaderboards.read_own(which, user_id=row.user_id)
    assert own is not None
    assert own.rank is not None
    for plan in plans(lambda: leaderboards.read_own(which, user_id=row.user_id)):
        assert not any(map(goes_through_a_table, plan)), plan


@pytest.mark.usefixtures("_small_tables_too")
def test_a_win_is_counted_by_indexes(players):
    def win() -> None:
        statistics.recompute(user_id=players[0].pk, variant=BAKERS_DOZEN.slug, kind="daily")

    for plan in plans(win):
        assert not any(map(goes_through_a_table, plan)), plan


@pytest.mark.usefixtures("_small_tables_too")
def test_a_month_of_the_archive_is_read_by_indexes(players):
    month = archive.Month.of(NOW.date())

    def read() -> None:
        archive.read_month(variant=BAKERS_DOZEN, month=month, user_id=players[0].pk)

    for plan in plans(read):
        assert not any(map(goes_through_a_table, plan)), plan
