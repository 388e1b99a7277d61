"""`manage.py dailies` and the scheduler: copies at once, crashes, clocks that jump, and what they tell."""

from __future__ import annotations

import io
import json
import logging
import signal
from collections import Counter
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Any

import pytest
import yaml
from django.core.management import call_command
from django.db import DatabaseError

from bakers.rules.variants import VARIANTS
from config.log import logging_config
from daily import boards, pars
from daily.management.commands import dailies
from daily.models import Board, Solution
from tests.daily.days import at
from tests.parallel import at_once

pytestmark = pytest.mark.django_db
ROOT = Path(__file__).parents[2]


class Terminal(io.StringIO):
    """A stream that somebody looks at."""

    def isatty(self) -> bool:
        return True


def run(stderr: io.StringIO | None = None, **options: Any) -> str:
    out = io.StringIO()
    call_command("dailies", stdout=out, stderr=stderr or io.StringIO(), **{"ahead": 1, **options})
    return out.getvalue()


def expect_boards(first: int, last: int) -> None:
    """Check that there is one board a variant and number, each with its solution, and no other row."""
    numbers = range(first, last + 1)
    expected = {(slug, number): 1 for slug in VARIANTS for number in numbers}
    assert Counter(Board.objects.values_list("variant", "number")) == expected
    assert Solution.objects.count() == len(expected)


@pytest.mark.django_db(transaction=True)
def test_copies_at_once_make_each_board_once(frozen_clock):
    said = at_once([run] * 3)
    expect_boards(60, 61)
    made = [int(text.split("Boards made: ")[1].split(".")[0]) for text in said]
    assert sum(made) == 10


@pytest.mark.parametrize("calls", [1, 2, 7])
def test_a_board_is_stored_with_its_solution_or_not_at_all(frozen_clock, monkeypatch, calls):
    """A crash between the two leaves neither, and the next run makes both."""
    create, count = Solution.objects.create, iter(range(1, 100))

    def crash(**fields: Any) -> Solution:
        if next(count) == calls:
            raise RuntimeError("killed")
        return create(**fields)

    with monkeypatch.context() as patched:
        patched.setattr(Solution.objects, "create", crash)
        with pytest.raises(RuntimeError):
            run()
    assert Board.objects.count() == Solution.objects.count() == calls - 1
    run()
    expect_boards(60, 61)


class TestLoop:
    @pytest.fixture
    def loop(self, frozen_clock, monkeypatch) -> Callable[[list[str]], list[float]]:
        """Runs `dailies --loop` with the clock at one moment after the other, and returns its pauses."""
        handlers: dict[int, Any] = {}
        monkeypatch.setattr(dailies.signal, "signal", handlers.__setitem__)
        monkeypatch.setattr(dailies, "close_old_connections", lambda: None)

        def go(moments: list[str]) -> list[float]:
            left, pauses = list(moments), []

            class Event(dailies.threading.Event):
                def wait(self, timeout: float | None = None) -> bool:
                    pauses.append(timeout or 0.0)
                    if left:
                        frozen_clock.time = at(left.pop(0))
                    else:
                        handlers[signal.SIGTERM](signal.SIGTERM, None)
                    return self.is_set()

            frozen_clock.time = at(left.pop(0))
            monkeypatch.setattr(dailies.threading, "Event", Event)
            run(loop=60.0, ahead=0)
            return pauses

        return go

    def test_makes_the_board_of_each_day_until_it_is_stopped(self, loop):
        assert loop(["2026-03-01 23:59", "2026-03-02 00:00", "2026-03-02 00:01"]) == [60.0] * 3
        expect_boards(60, 61)

    def test_a_clock_that_jumps_forth_and_back_makes_no_second_board(self, loop):
        loop(["2026-03-02 00:00", "2026-03-01 12:00", "2026-03-02 12:00", "2026-03-01 23:59"])
        expect_boards(60, 61)

    def test_goes_on_when_the_database_comes_back(self, loop, monkeypatch):
        make, failures = boards.make_board, [DatabaseError("gone")]

        def fail_once(*given: Any, **options: Any) -> Any:
            if failures:
                raise failures.pop()
            return make(*given, **options)

        monkeypatch.setattr(boards, "make_board", fail_once)
        loop(["2026-03-01 12:00", "2026-03-01 12:01"])
        expect_boards(60, 60)


def test_progress_is_shown_on_a_terminal_and_nowhere_else(frozen_clock):
    elsewhere, terminal = io.StringIO(), Terminal()
    run(elsewhere, ahead=0)
    Board.objects.all().delete()
    run(terminal, ahead=0)
    assert elsewhere.getvalue() == ""
    assert terminal.getvalue() == "".join(f"\r{made} of 5 boards made" for made in range(1, 6)) + "\n"


def lines_of(caplog: pytest.LogCaptureFixture) -> list[dict[str, Any]]:
    """Return what has been logged as production writes it."""
    config = logging_config(json=True, level="INFO")["formatters"]["structured"]
    formatter = config["()"](foreign_pre_chain=config["foreign_pre_chain"], processors=config["processors"])
    return [json.loads(formatter.format(record)) for record in caplog.records]


def test_a_log_has_a_line_for_each_board_and_each_deal_that_was_refused_and_why(
    frozen_clock, caplog, monkeypatch
):
    caplog.set_level(logging.INFO)
    verdicts = iter([0, 0])

    def decide(position: Any, budget: int) -> Any:
        # Of no budget nothing is known.
        return boards_decide(position, next(verdicts, budget))

    boards_decide = boards.decide
    monkeypatch.setattr(boards, "decide", decide)
    run(ahead=0)
    lines = [line for line in lines_of(caplog) if line["logger"] == "daily.boards"]
    refused = [line for line in lines if line["event"] == "board deal refused"]
    made = [line for line in lines if line["event"] == "board made"]
    assert {(line["variant"], line["day"], line["outcome"]) for line in refused[:2]} == {
        ("bakers-dozen", "2026-03-01", "unknown")
    }
    assert [line["variant"] for line in made] == list(VARIANTS)
    assert (made[0]["day"], made[0]["quick"]) == ("2026-03-01", False)
    assert made[0]["deals"] >= 3


def test_the_scheduler_makes_boards_and_orders_their_par(frozen_clock, monkeypatch):
    monkeypatch.setattr(boards, "AHEAD", 1)
    ordered: list[Any] = []
    monkeypatch.setattr(pars.tasks, "enqueue_search", lambda *given, **options: ordered.append(given))
    call_command("scheduler", once=True)
    call_command("scheduler", once=True)
    expect_boards(60, 61)
    todays = Board.objects.filter(number=60).order_by("pk")[: pars.SEARCHES]
    assert {position.text() for position, _purpose in ordered} == {
        boards.first_position(board).text() for board in todays
    }


def test_containers_run_the_server_the_worker_and_the_scheduler():
    services = yaml.safe_load((ROOT / "docker-compose.yml").read_text())["services"]
    commands = {name: service.get("command") for name, service in services.items()}
    for name in ("worker", "scheduler"):
        assert commands[name] == ["python", "manage.py", name]
    assert "ports" in services["web"]


def test_tasks_are_kept_in_the_database_and_done_by_any_number_of_workers(settings, frozen_clock):
    assert settings.TASKS["default"]["BACKEND"] == "django_tasks_db.DatabaseBackend"
    make = partial(boards.make_board, VARIANTS["bakers-dozen"])
    assert make(boards.Day.numbered(60)).is_new
    pars.look_for_par()
    from django_tasks_db.models import DBTaskResult

    [task] = DBTaskResult.objects.all()
    assert (task.queue_name, task.status) == ("later", "READY")
