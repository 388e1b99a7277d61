"""What leaderboards, wins and the archive cost the database, with a million players and ten million results.

Everything is made by the database itself, without the games behind the results: nothing here reads them. Printed is
the time that statements took, as the connection sees it, over many players and pages.

`script/bench leaderboards` runs it on a PostgreSQL of its own, or on that of TEST_DATABASE_URL, whose data it deletes;
`-- --players N --results N` makes it smaller.
"""

from __future__ import annotations

import argparse
import os
import statistics as numbers
import sys
import time
from collections.abc import Callable
from functools import partial
from typing import Any

PLAYERS = 1_000_000
RESULTS = 10_000_000
BOARDS = 1_000
#: Players whose own rows and wins are measured.
SAMPLE = 200

if "TEST_DATABASE_URL" not in os.environ:
    os.execv(  # noqa: S606 (a program of this project)
        "script/with-postgres",
        ["script/with-postgres", sys.executable, "-m", "benchmarks.leaderboards", *sys.argv[1:]],
    )
os.environ["DATABASE_URL"] = os.environ["TEST_DATABASE_URL"]
os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings")

import django  # noqa: E402

django.setup()

from django.core.management import call_command  # noqa: E402
from django.db import connection, transaction  # noqa: E402

from accounts import statistics  # noqa: E402
from accounts.models import Statistics  # noqa: E402
from bakers.days import Day  # noqa: E402
from bakers.rules.variants import BAKERS_DOZEN, VARIANTS  # noqa: E402
from config import clock  # noqa: E402
from daily import archive, leaderboards  # noqa: E402
from daily.leaderboards import Contest, Leaderboard, Span  # noqa: E402

VARIANT = BAKERS_DOZEN


def fill(players: int, results: int) -> None:
    """Make players, boards, results and statistics."""
    today = Day.of(clock.now()).number
    with connection.cursor() as cursor:
        # Nobody checks the games that aren't there.
        cursor.execute("SET session_replication_role = replica")
        cursor.execute(
            "INSERT INTO accounts_user (public_id, email, password, is_superuser, is_staff, is_active, date_joined,"
            " display_name, name_key, is_listed, generation)"
            " SELECT gen_random_uuid(), 'p' || n || '@example.org', '!', false, false, true, now(),"
            " 'Player ' || n, 'player ' || n, n %% 10 < 7, 0 FROM generate_series(1, %s) AS n",
            [players],
        )
        cursor.execute(
            "INSERT INTO daily_board (variant, number, day, deal, layout, deal_key, answer_key, status, par_proven,"
            " made_at, players, winners)"
            " SELECT variant, %s - back, DATE '2026-01-01' + (%s - back - 1), '1', '', variant || back, '', 'ready',"
            " false, now(), 100, 60 FROM unnest(%s::text[]) AS variant, generate_series(0, %s) AS back",
            [today, today, list(VARIANTS), min(BOARDS, today) - 1],
        )
        # Each player has played some days in a row, begun at one time or another.
        cursor.execute(
            "INSERT INTO daily_result (user_id, board_id, game_id, variant, number, first_move_at, won_at, moves)"
            " SELECT first + player, board.id, gen_random_uuid(), board.variant, board.number,"
            " board.day + interval '12 hours', CASE WHEN luck < 0.8 THEN board.day + interval '13 hours' END,"
            " CASE WHEN luck < 0.8 THEN 60 + (luck * 75)::int END"
            " FROM (SELECT n %% %s AS player, n / %s AS nth, random() AS luck"
            " FROM generate_series(0, %s - 1) AS n) AS play"
            " CROSS JOIN (SELECT min(id) AS first FROM accounts_user) AS users"
            " JOIN daily_board AS board ON board.variant = %s AND board.number = %s - (player * 37 + nth) %% %s",
            [players, players, results, VARIANT.slug, today, min(BOARDS, today)],
        )
        for kind, latest in (("daily", today), ("ranked", None)):
            cursor.execute(
                "INSERT INTO accounts_statistics (user_id, variant, kind, played, won, streak, best_streak, streak_at,"
                " best_streak_at, last_number, last_at, listed_as, listed_key)"
                " SELECT id, variant, %s, 100, 90, streak, streak + (random() * 20)::int, moment, moment,"
                " %s - (random() * 40)::int, moment,"
                " CASE WHEN is_listed THEN display_name ELSE '' END, CASE WHEN is_listed THEN name_key ELSE '' END"
                " FROM (SELECT id, variant, display_name, name_key, is_listed,"
                " (power(random(), 8) * 60)::int + 1 AS streak, now() - random() * interval '60 days' AS moment"
                " FROM accounts_user, unnest(%s::text[]) AS variant) AS row",
                [kind, latest, list(VARIANTS)],
            )
        cursor.execute("SET session_replication_role = DEFAULT")
        # As a database does by itself in time.
        cursor.execute("VACUUM ANALYZE")


class Watch:
    """Adds up what statements take."""

    def __init__(self) -> None:
        self.milliseconds = 0.0
        self.queries = 0

    def __call__(self, execute: Callable[..., Any], *arguments: Any) -> Any:
        began = time.perf_counter()
        try:
            return execute(*arguments)
        finally:
            self.milliseconds += (time.perf_counter() - began) * 1000
            self.queries += 1


def measure(name: str, calls: list[Callable[[], object]]) -> None:
    """Print what each of some calls took in the database."""
    took, queries = [], 0
    for call in calls:
        watch = Watch()
        with connection.execute_wrapper(watch):
            call()
        took.append(watch.milliseconds)
        queries = max(queries, watch.queries)
    took.sort()
    print(
        f"{name:44} median {numbers.median(took):7.2f} ms · p95 {took[int(len(took) * 0.95)]:7.2f} ms"
        f" · max {took[-1]:7.2f} ms · queries {queries}"
    )


def pages(which: Leaderboard, count: int) -> list[Callable[[], object]]:
    """Return calls that read a list's first pages, one after the other."""
    after: list[str | None] = [None]

    def read() -> None:
        page = leaderboards.read_page(which, after=after[0])
        after[0] = page.next

    return [read] * count


def win(user_id: int) -> None:
    """Count a player's win anew, as its recording does under the lock of their row."""
    with transaction.atomic():
        statistics.recompute(user_id=user_id, variant=VARIANT.slug, kind="daily")


def main() -> None:
    """Fill the database, and measure."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else "")
    parser.add_argument("--players", type=int, default=PLAYERS)
    parser.add_argument("--results", type=int, default=RESULTS)
    options = parser.parse_args()
    call_command("migrate", verbosity=0)
    began = time.perf_counter()
    fill(options.players, options.results)
    print(
        f"{options.players:,} players, {options.results:,} results, made in {time.perf_counter() - began:.0f} s"
    )
    users = list(
        Statistics.objects.filter(kind="daily", variant=VARIANT.slug)
        .order_by("?")
        .values_list("user_id", flat=True)[:SAMPLE]
    )
    for contest in Contest:
        for span in Span:
            which = Leaderboard(contest, span, VARIANT)
            measure(f"page of {contest.value}, {span.value}", pages(which, 40))
            measure(
                f"own row of {contest.value}, {span.value}",
                [partial(leaderboards.read_own, which, user_id=user) for user in users],
            )
    measure("recording a win", [partial(win, user) for user in users])
    month = archive.Month.of(Day.of(clock.now()).date)
    measure(
        "month of the archive",
        [partial(archive.read_month, variant=VARIANT, month=month, user_id=user) for user in users],
    )


if __name__ == "__main__":
    main()
