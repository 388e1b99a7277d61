"""Background work: what is queued, what is queued again, and that a worker does it."""

from __future__ import annotations

import datetime
import functools

import pytest
from django.core.management import call_command
from django.db import InterfaceError, OperationalError
from django.utils import timezone
from django_tasks_db.models import DBTaskResult, get_date_max

from bakers import tasks
from bakers.management.commands import worker
from bakers.models import Game
from tests.parallel import at_once
from tests.worker import run_worker

MINUTE = datetime.timedelta(seconds=60)
A_MOMENT = datetime.timedelta(seconds=1)


def stored_result(status, **fields):
    return DBTaskResult.objects.create(
        **{
            "status": status, "task_path": tasks.tidy.module_path, "args_kwargs": {"args": [], "kwargs": {}},
            "queue_name": "later", "backend_name": "default", "run_after": get_date_max(),
            "exception_class_path": "", "traceback": "", **fields,
        }
    )  # fmt: skip


class TestTidying:
    @pytest.mark.django_db(transaction=True)
    def test_is_done_by_a_worker(self, api, frozen_clock):
        api.play(api.start(), "96")
        frozen_clock.advance(days=31)
        assert tasks.enqueue_tidy() is True

        run_worker()

        result = DBTaskResult.objects.get()
        assert (result.status, result.return_value, result.queue_name) == ("SUCCESSFUL", 2, "later")
        assert not Game.objects.exists()

    def test_waits_in_the_queue_for_which_nobody_waits(self, db):
        tasks.enqueue_tidy()

        assert DBTaskResult.objects.get().queue_name == "later"

    def test_is_queued_once_while_it_waits(self, db):
        assert [tasks.enqueue_tidy() for _ in range(3)] == [True, False, False]
        assert DBTaskResult.objects.count() == 1

    @pytest.mark.parametrize("status", ["RUNNING", "SUCCESSFUL", "FAILED"])
    def test_is_queued_again_once_a_round_has_begun(self, db, status):
        stored_result(status)

        assert tasks.enqueue_tidy() is True

    def test_is_queued_whatever_else_waits(self, db):
        stored_result("READY", task_path="bakers.tasks.other")

        assert tasks.enqueue_tidy() is True

    @pytest.mark.django_db(transaction=True)
    def test_goes_on_in_another_round_while_there_is_more(self, monkeypatch):
        left = [2, 2, 1]
        monkeypatch.setattr(tasks, "TIDY_LIMIT", 2)
        monkeypatch.setattr(tasks, "tidy_once", lambda: left.pop(0))
        tasks.enqueue_tidy()

        run_worker()

        assert left == []
        assert [result.return_value for result in DBTaskResult.objects.order_by("finished_at")] == [2, 2, 1]


class TestALostTask:
    """One whose worker was killed: it says running, and nothing runs."""

    def test_is_queued_again_after_a_minute(self, db):
        lost = stored_result("RUNNING", started_at=timezone.now() - MINUTE - A_MOMENT, worker_ids=["gone"])

        assert tasks.requeue_lost() == 1

        lost.refresh_from_db()
        assert (lost.status, lost.started_at) == ("READY", None)
        assert list(DBTaskResult.objects.ready()) == [lost]

    def test_is_given_its_minute(self, db):
        stored_result("RUNNING", started_at=timezone.now() - MINUTE + 5 * A_MOMENT)

        assert tasks.requeue_lost() == 0
        assert DBTaskResult.objects.get().status == "RUNNING"

    @pytest.mark.parametrize("status", ["READY", "SUCCESSFUL", "FAILED"])
    def test_is_one_that_was_running(self, db, status):
        stored_result(status, started_at=timezone.now() - 10 * MINUTE)

        assert tasks.requeue_lost() == 0
        assert DBTaskResult.objects.get().status == status

    @pytest.mark.django_db(transaction=True)
    def test_is_done_by_the_next_worker(self):
        lost = stored_result("RUNNING", started_at=timezone.now() - 2 * MINUTE, worker_ids=["gone"])
        run_worker()
        lost.refresh_from_db()
        assert lost.status == "RUNNING"

        tasks.requeue_lost()
        run_worker("--worker-id=next")

        lost.refresh_from_db()
        assert lost.status == "SUCCESSFUL"
        assert lost.worker_ids == ["gone", "next"]

    @pytest.mark.django_db(transaction=True)
    def test_is_queued_again_by_one_of_many_schedulers(self):
        for _ in range(3):
            stored_result("RUNNING", started_at=timezone.now() - 2 * MINUTE)

        assert sorted(at_once([functools.partial(tasks.requeue_lost)] * 4)) == [0, 0, 0, 3]


class TestTheScheduler:
    def test_does_its_round(self, db):
        lost = stored_result(
            "RUNNING", started_at=timezone.now() - 2 * MINUTE, task_path="bakers.tasks.other"
        )

        call_command("scheduler", "--once")
        call_command("scheduler", "--once")

        lost.refresh_from_db()
        assert lost.status == "READY"
        assert DBTaskResult.objects.filter(task_path=tasks.tidy.module_path).count() == 1

    def test_goes_round_and_round_and_tidies_once_an_hour(self, scheduler):
        scheduler.run(rounds=240)

        assert scheduler.calls.count("requeue_lost") == 240
        assert scheduler.calls.count("enqueue_tidy") == 2

    def test_outlives_a_database_that_does_not_answer(self, scheduler):
        scheduler.failures = 3

        scheduler.run(rounds=10)

        assert scheduler.calls.count("requeue_lost") == 10
        assert scheduler.calls.count("enqueue_tidy") == 1

    def test_ends_when_it_is_told_to(self, scheduler):
        scheduler.run(rounds=1)

        assert scheduler.calls == ["requeue_lost", "enqueue_tidy"]

    @pytest.fixture
    def scheduler(self, monkeypatch):
        """The command with a clock and signals of its own, so that hours pass at once."""
        from bakers.management.commands import scheduler as module

        class Harness:
            calls: list[str] = []
            failures = 0
            seconds = 0.0
            handlers: list = []

            def run(self, rounds: int) -> None:
                self.rounds = rounds
                call_command("scheduler")

            def requeue_lost(self) -> int:
                self.calls.append("requeue_lost")
                if self.failures:
                    self.failures -= 1
                    raise OperationalError("database is locked")
                return 0

            def wait(self, seconds: float) -> None:
                self.seconds += seconds
                self.rounds -= 1
                if not self.rounds:
                    self.handlers[0]()

        harness = Harness()
        harness.calls, harness.handlers = [], []

        class Event:
            told = False

            def set(self) -> None:
                self.told = True

            def is_set(self) -> bool:
                return self.told

            def wait(self, seconds: float) -> None:
                harness.wait(seconds)

        monkeypatch.setattr(module.threading, "Event", Event)
        monkeypatch.setattr(
            module.signal, "signal", lambda _number, handler: harness.handlers.append(handler)
        )
        monkeypatch.setattr(module.time, "monotonic", lambda: harness.seconds)
        monkeypatch.setattr(module, "close_old_connections", lambda: None)
        monkeypatch.setattr(tasks, "requeue_lost", harness.requeue_lost)
        monkeypatch.setattr(tasks, "enqueue_tidy", lambda: harness.calls.append("enqueue_tidy"))
        return harness


class TestWorker:
    @pytest.fixture
    def outages(self, monkeypatch):
        """Lets the worker meet what stands in a list, and notes how long it waits for its database."""
        monkeypatch.setattr(worker, "call_command", lambda *_, **options: self.work(options))
        monkeypatch.setattr(worker.time, "sleep", self.waits.append)
        monkeypatch.setattr(worker.signal, "signal", lambda *_: None)
        monkeypatch.setattr(worker.connection, "close", lambda: self.waits.append("closed"))
        return self.met

    def setup_method(self):
        self.waits, self.met, self.options = [], [], []

    def work(self, options):
        self.options.append(options)
        if self.met:
            raise self.met.pop(0)

    def test_outlives_a_database_that_does_not_answer(self, outages):
        outages += [OperationalError("database is locked"), InterfaceError("connection already closed")]

        call_command("worker")

        assert self.waits == ["closed", worker.PAUSE] * 2
        assert self.options == [{"queue_name": "now,later", "reload": False}] * 3

    def test_ends_when_it_is_told_to(self, outages):
        outages += [SystemExit(0)]

        with pytest.raises(SystemExit):
            call_command("worker")

        assert self.waits == []

    def test_says_so_when_something_else_is_wrong(self, outages):
        outages += [RuntimeError("no database of that name in the settings")]

        with pytest.raises(RuntimeError):
            call_command("worker")
