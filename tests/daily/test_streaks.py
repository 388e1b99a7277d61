"""Days won in a row: whatever order results come in, and counted by two ways that agree."""

from __future__ import annotations

import datetime
import random
from functools import partial
from typing import Any

import pytest
from django.db import IntegrityError, transaction
from hypothesis import given, settings
from hypothesis import strategies as st

from accounts import statistics, streak_check
from accounts.counted import Tally
from accounts.models import Statistics
from bakers.days import Day
from bakers.rules.variants import VARIANTS
from daily import results
from daily.models import Result
from tests.daily.days import VARIANT, board, result
from tests.parallel import at_once

pytestmark = pytest.mark.django_db


def streaks(user: Any, variant: str = VARIANT) -> tuple[int, int, int | None]:
    """Return the present streak, the best one, and the last board that was won."""
    row = Statistics.objects.get(user=user, variant=variant, kind="daily")
    return row.streak, row.best_streak, row.last_number


@pytest.fixture
def user(new_user):
    return new_user()


@pytest.mark.parametrize(
    ("days", "expected"),
    [
        ({1: True, 2: True}, (2, 2, 2)),
        ({1: True, 3: True}, (1, 1, 3)),
        ({1: True, 2: True, 3: False}, (2, 2, 2)),
        ({1: True, 2: True, 3: False, 4: True}, (1, 2, 4)),
        ({1: False}, (0, 0, None)),
        ({5: True, 6: True, 7: True, 9: True, 10: True}, (2, 3, 10)),
    ],
)
def test_days_make_streaks_in_whatever_order_they_are_stored(user, days, expected):
    for number in reversed(list(days)):
        result(user, number, won=days[number])
    assert streaks(user) == expected


def test_a_late_day_joins_what_it_lies_between(user):
    result(user, 1)
    result(user, 3)
    result(user, 2)
    assert streaks(user) == (3, 3, 3)


def test_a_deleted_result_takes_the_same_way(user):
    rows = [result(user, number) for number in (1, 2, 3)]
    results.delete_result(rows[1])
    assert streaks(user) == (1, 1, 3)
    results.delete_result(rows[2])
    results.delete_result(rows[0])
    assert streaks(user) == (0, 0, None)


def test_variants_and_players_have_their_own(user, new_user):
    other = new_user()
    result(user, 1)
    result(user, 2, variant="good-measure")
    result(other, 2)
    assert streaks(user) == (1, 1, 1)
    assert streaks(user, "good-measure") == (1, 1, 2)
    assert streaks(other) == (1, 1, 2)


def test_when_a_streak_was_reached(user):
    for number in (1, 2, 4, 5, 6, 8):
        result(user, number)
    row = Statistics.objects.get(user=user)
    assert row.best_streak_at == Day.numbered(6).opens_at + datetime.timedelta(hours=12)
    assert row.streak_at == row.last_at == Day.numbered(8).opens_at + datetime.timedelta(hours=12)


@settings(max_examples=200, deadline=None)
@given(days=st.lists(st.tuples(st.integers(1, 40), st.booleans()), max_size=40))
def test_counting_is_what_a_list_of_days_says(days):
    by_day = dict(days)
    moment = datetime.datetime(2026, 1, 1, tzinfo=datetime.UTC)
    rows = [
        (number, moment, moment + datetime.timedelta(days=number) if by_day[number] else None)
        for number in sorted(by_day)
    ]
    counted = results.tally(rows)

    best = run = 0
    last = None
    for number in range(1, 41):
        run = run + 1 if by_day.get(number) else 0
        best = max(best, run)
        last = number if by_day.get(number) else last
    present = 0
    while last is not None and by_day.get(last - present):
        present += 1
    assert (counted.played, counted.won) == (len(by_day), sum(by_day.values()))
    assert (counted.streak, counted.best_streak, counted.last_number) == (present, best, last)


def test_what_is_stored_is_what_the_database_counts(new_user):
    numbers = random.Random(7)
    users = [new_user() for _ in range(4)]
    for user in users:
        for number in numbers.sample(range(1, 60), 40):
            variant = numbers.choice(list(VARIANTS))
            result(user, number, won=numbers.random() < 0.7, variant=variant, late=numbers.randrange(600))
    assert list(streak_check.differences()) == []
    row = Statistics.objects.order_by("pk").first()
    assert row is not None
    Statistics.objects.filter(pk=row.pk).update(streak=0, streak_at=None, last_number=None)
    assert [difference.key[0] for difference in streak_check.differences()] == [row.user_id]
    assert streak_check.rebuild() == 1
    assert list(streak_check.differences()) == []


def test_who_never_played_has_no_row_and_no_difference(user):
    assert list(streak_check.differences()) == []
    assert results.count_everybody() == {}
    assert results.count_player(user.pk, VARIANT) == Tally()


@pytest.mark.django_db(transaction=True)
def test_results_that_come_at_once_late_twice_and_go_are_all_counted(new_user):
    users = [new_user() for _ in range(3)]
    for number in range(1, 101):
        board(number)

    def some(seed: int) -> int:
        numbers = random.Random(seed)
        refused = 0
        for _ in range(400):
            user, number = numbers.choice(users), numbers.randint(1, 100)
            if numbers.random() < 0.1:
                mine = Result.objects.filter(user=user, number__gte=number).order_by("number").first()
                if mine is not None and Result.objects.filter(pk=mine.pk).exists():
                    results.delete_result(mine)
                continue
            try:
                with transaction.atomic():
                    result(user, number, won=numbers.random() < 0.8, late=numbers.randrange(700))
            except IntegrityError:
                # The player has a result of that board.
                refused += 1
        return refused

    refused = at_once([partial(some, seed) for seed in range(4)])

    assert sum(refused) > 100
    assert list(streak_check.differences()) == []
    for user in users:
        counted = results.count_player(user.pk, VARIANT)
        assert counted == statistics.tally_of(Statistics.objects.get(user=user))
        assert counted.played == Result.objects.filter(user=user).count() > 10
