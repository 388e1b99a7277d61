"""What is deleted, and what is not yet: each sort of row just before and just after its day."""

from __future__ import annotations

import datetime
import uuid

import pytest
from django.contrib.sessions.models import Session
from django.core.management import call_command
from django.utils import timezone
from django_tasks_db.models import DBTaskResult, get_date_max

from bakers import games, tasks
from bakers.games import new_deal
from bakers.models import Game, GameRequest
from bakers.rules.variants import VARIANTS
from tests.database import counts, rows

pytestmark = pytest.mark.django_db

DAY = datetime.timedelta(days=1)
A_MOMENT = datetime.timedelta(seconds=1)


@pytest.fixture
def now(frozen_clock):
    return frozen_clock.now()


def stored_game(**fields):
    game = new_deal(variant=VARIANTS["bakers-dozen"], number=2).game
    for name, value in {"guest": uuid.uuid4(), **fields}.items():
        setattr(game, name, value)
    game.save(force_insert=True)
    return game


def played(when):
    return {"started_at": when, "first_move_at": when, "last_move_at": when}


class TestGuestsGames:
    @pytest.mark.parametrize("age", [30 * DAY, 30 * DAY - A_MOMENT, A_MOMENT])
    def test_open_ones_stay_for_30_days(self, now, age):
        stored_game(**played(now - age))
        stored_game(started_at=now - age)

        assert games.tidy_games() == 0
        assert Game.objects.count() == 2

    def test_open_ones_go_after_30_days(self, now):
        stored_game(**played(now - 30 * DAY - A_MOMENT))
        stored_game(started_at=now - 30 * DAY - A_MOMENT)

        assert games.tidy_games() == 2
        assert counts() == {}

    def test_open_ones_are_as_young_as_their_last_move(self, now):
        stored_game(started_at=now - 80 * DAY, first_move_at=now - 80 * DAY, last_move_at=now - 29 * DAY)

        assert games.tidy_games() == 0

    @pytest.mark.parametrize("status", ["won", "lost"])
    def test_ended_ones_stay_for_90_days(self, now, status):
        stored_game(status=status, finished_at=now - 90 * DAY, **played(now - 100 * DAY))

        assert games.tidy_games() == 0

    @pytest.mark.parametrize("status", ["won", "lost"])
    def test_ended_ones_go_after_90_days(self, now, status):
        stored_game(status=status, finished_at=now - 90 * DAY - A_MOMENT, **played(now - 100 * DAY))

        assert games.tidy_games() == 1
        assert counts() == {}

    def test_go_with_the_requests_that_changed_them(self, now):
        game = stored_game(**played(now - 31 * DAY))
        GameRequest.objects.create(game=game, request_id="batch-0001", digest="", version=1)

        games.tidy_games()

        assert counts() == {}


@pytest.mark.parametrize("fields", [{}, {"status": "lost", "finished_at": timezone.now() - 3_000 * DAY}])
def test_users_games_stay_for_ever(now, new_user, fields):
    stored_game(user=new_user(), guest=None, **played(now - 3_000 * DAY), **fields)

    assert games.tidy_games() == 0
    assert Game.objects.count() == 1


class TestRequestIds:
    def request_of(self, **fields):
        GameRequest.objects.create(game=stored_game(**fields), request_id="batch-0001", digest="", version=1)

    @pytest.mark.parametrize(
        ("touched", "gone"), [(DAY, False), (DAY - A_MOMENT, False), (DAY + A_MOMENT, True), (20 * DAY, True)]
    )
    def test_go_a_day_after_their_game_was_last_played(self, now, touched, gone):
        self.request_of(**played(now - touched))

        assert games.tidy_games() == int(gone)
        assert GameRequest.objects.exists() is not gone
        assert Game.objects.count() == 1

    @pytest.mark.parametrize(("touched", "gone"), [(DAY, False), (DAY + A_MOMENT, True)])
    def test_of_a_resignation_go_a_day_after_it(self, now, touched, gone):
        self.request_of(status="lost", finished_at=now - touched, **played(now - 10 * DAY))
        self.request_of(status="lost", finished_at=now - touched, started_at=now - 10 * DAY)

        assert games.tidy_games() == 2 * gone
        assert GameRequest.objects.exists() is not gone

    def test_that_are_gone_cannot_make_a_request_count_twice(self, api, frozen_clock):
        state = api.play(api.start(), "96", request_id="batch-0001")
        frozen_clock.advance(days=2)
        assert games.tidy_games() == 1
        before = rows()

        response = api.moves({**state, "version": 0, "ply": 0}, "96", request_id="batch-0001")

        assert response.status_code == 409
        assert rows() == before


def test_sessions_go_once_they_have_expired():
    now = timezone.now()
    for name, expires in (("old", now - A_MOMENT), ("young", now + DAY)):
        Session.objects.create(session_key=name, session_data="", expire_date=expires)

    assert tasks.tidy_once() == 1
    assert [session.session_key for session in Session.objects.all()] == ["young"]


def stored_result(status, **times):
    return DBTaskResult.objects.create(
        status=status, task_path=tasks.tidy.module_path, args_kwargs={"args": [], "kwargs": {}},
        queue_name="later", backend_name="default", run_after=get_date_max(),
        exception_class_path="", traceback="", **times,
    )  # fmt: skip


def test_results_of_tasks_go_a_week_after_they_finished():
    now = timezone.now()
    week = 7 * DAY
    for status in ("SUCCESSFUL", "FAILED"):
        stored_result(status, finished_at=now - week - A_MOMENT)
    kept = [
        stored_result("SUCCESSFUL", finished_at=now - week + DAY),
        stored_result("FAILED", finished_at=now - week + DAY),
        stored_result("READY"),
        stored_result("RUNNING", started_at=now - 2 * week),
    ]

    assert tasks.tidy_once() == 2
    assert set(DBTaskResult.objects.all()) == set(kept)


def test_a_round_takes_so_many_rows_of_each_sort_at_most(now):
    for _ in range(5):
        stored_game(**played(now - 31 * DAY))
        Session.objects.create(
            session_key=uuid.uuid4().hex, session_data="", expire_date=timezone.now() - DAY
        )

    assert [tasks.tidy_once(limit=2) for _ in range(4)] == [4, 4, 2, 0]


def test_the_command_tidies_until_nothing_is_left(now, monkeypatch, capsys):
    for _ in range(5):
        stored_game(**played(now - 31 * DAY))
    young = stored_game(**played(now - DAY))
    tidy_once = tasks.tidy_once
    monkeypatch.setattr(tasks, "tidy_once", lambda: tidy_once(limit=2))

    call_command("tidy")

    assert capsys.readouterr().out == "5 rows deleted.\n"
    assert list(Game.objects.all()) == [young]


def test_what_a_guest_comes_back_to_in_the_last_moment_is_not_deleted(now, monkeypatch):
    """The rows are looked up and then deleted; a move may come in between."""
    game = stored_game(**played(now - 31 * DAY))
    looked_up = Game.objects.none().__class__.values_list

    def looking_up(self, *fields, **options):
        keys = list(looked_up(self, *fields, **options))
        Game.objects.filter(pk=game.pk).update(last_move_at=now)
        return keys

    monkeypatch.setattr("django.db.models.query.QuerySet.values_list", looking_up)

    assert games.tidy_games() == 0
    assert Game.objects.get() == game
