"""manage.py survey: parallel, resumable, exact."""

from __future__ import annotations

import json
import os
import re
import signal
import subprocess
import sys
from io import StringIO
from pathlib import Path
from typing import Any

import pytest
from django.core.management import CommandError, call_command
from django_tasks_db.models import DBTaskResult

from bakers.management.commands import survey
from bakers.rules.deals import deal
from bakers.rules.variants import VARIANTS
from bakers.solver import decide
from bakers.surveys import rounds
from bakers.surveys.rows import Effort, decide_deals
from tests.worker import run_worker

ROOT = Path(__file__).resolve().parent.parent.parent
#: Seconds that a loaded machine may take for any of this.
PATIENCE = 300


def run(folder: Path, deals: str, variant: str = "bakers-dozen", **options: Any) -> str:
    """Run a survey in this process, and return what it prints."""
    out = StringIO()
    options.setdefault("jobs", 1)
    options.setdefault("output", folder / "survey.csv")
    call_command("survey", variant, deals=deals, stdout=out, **options)
    return out.getvalue()


def rows(path: Path) -> list[list[str]]:
    """The rows of a survey without processor times, which are never the same twice."""
    return [
        [cell for place, cell in enumerate(line.split(",")) if place != 5]
        for line in path.read_text().splitlines()[1:]
    ]


class TestCounting:
    def test_a_survey_says_of_each_deal_what_the_solver_says(self, tmp_path: Path) -> None:
        said = run(tmp_path, "470-480", "good-measure", budget=20_000)
        found = rows(tmp_path / "survey.csv")
        assert [int(row[1]) for row in found] == list(range(470, 481))
        for row in found:
            verdict = decide(deal(VARIANTS["good-measure"], int(row[1])), 20_000)
            assert row == [
                "good-measure", row[1], verdict.outcome, verdict.reason, str(verdict.expanded), "", ""
            ]  # fmt: skip
        won = sum(row[2] == "won" for row in found)
        lost = sum(row[2] == "lost" for row in found)
        assert f"deals 470–480: 11 deals, {won} won, {lost} lost, {11 - won - lost} unknown" in said
        assert f"can be won     {100 * won / 11:.2f} % (95 % interval " in said

    def test_the_number_of_processes_changes_nothing(self, tmp_path: Path) -> None:
        for jobs in (1, 3):
            run(tmp_path, "1-130", jobs=jobs, output=tmp_path / f"{jobs}.csv")
        assert rows(tmp_path / "1.csv") == rows(tmp_path / "3.csv")

    def test_a_process_that_runs_out_of_time_is_given_the_rest_again(self) -> None:
        numbers = list(range(1, 8))
        given: list[int] = []
        while numbers:
            rows_now = decide_deals(VARIANTS["bakers-dozen"], numbers, Effort(20_000), seconds=0)
            assert [row.deal for row in rows_now] == numbers[:1]
            given += [row.deal for row in rows_now]
            numbers = numbers[len(rows_now) :]
        assert given == list(range(1, 8))

    def test_deals_that_take_longer_than_a_turn_are_all_decided(self, tmp_path: Path) -> None:
        # Each of these takes seconds, and they are given out together.
        run(tmp_path, "1-12", shortest=400_000, jobs=2)
        assert [int(row[1]) for row in rows(tmp_path / "survey.csv")] == list(range(1, 13))

    def test_numbers_may_be_larger_than_machines_count(self, tmp_path: Path) -> None:
        last = 10**20 - 1
        run(tmp_path, f"{last - 1}-{last}")
        assert [row[1] for row in rows(tmp_path / "survey.csv")] == [str(last - 1), str(last)]

    def test_short_lines_are_looked_for_on_request(self, tmp_path: Path) -> None:
        said = run(tmp_path, "1-2", shortest=60_000)
        first, second = rows(tmp_path / "survey.csv")
        assert first[-2:] == ["66", "yes"]
        assert int(second[-2]) < 75
        assert "shortest line  median" in said

    def test_figures_and_picture_are_written(self, tmp_path: Path) -> None:
        summary = tmp_path / "new folder" / "figures.json"
        run(tmp_path, "470-480", summary=summary)
        figures = json.loads(summary.read_text())
        assert (figures["variant"], figures["first"], figures["last"]) == ("bakers-dozen", "470", "480")
        assert (figures["deals"], figures["won"], figures["lost_deals"]) == (11, 10, ["477"])
        assert (tmp_path / "survey.svg").read_text().startswith("<svg ")

    def test_without_a_name_the_file_is_in_the_folder_of_data(self, tmp_path: Path, settings: Any) -> None:
        settings.DATA_DIR = str(tmp_path)
        run(tmp_path, "1", output=None)
        assert (tmp_path / "surveys" / "bakers-dozen.csv").exists()


class TestGoingOn:
    def test_only_what_is_missing_is_decided(self, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
        run(tmp_path, "1-20")
        before = (tmp_path / "survey.csv").read_text()
        asked: list[int] = []
        decide_in_parallel = survey.decide_in_parallel

        def listening(variant: Any, numbers: Any, effort: Any, *, jobs: int) -> Any:
            wanted = list(numbers)
            asked.extend(wanted)
            return decide_in_parallel(variant, wanted, effort, jobs=jobs)

        monkeypatch.setattr(survey, "decide_in_parallel", listening)
        run(tmp_path, "11-30")
        run(tmp_path, "1-30")
        assert asked == list(range(21, 31))
        assert (tmp_path / "survey.csv").read_text().startswith(before)

    def test_a_larger_budget_goes_on_with_what_was_open(self, tmp_path: Path) -> None:
        run(tmp_path, "1-40", budget=100)
        first = {row[1]: row for row in rows(tmp_path / "survey.csv")}
        still_open = {number for number, row in first.items() if row[2] == "unknown"}
        assert still_open
        run(tmp_path, "1-40", budget=20_000)
        second = {row[1]: row for row in rows(tmp_path / "survey.csv")}
        left = {number for number, row in second.items() if row[2] == "unknown"}
        assert left < still_open
        assert all(int(second[number][4]) >= 20_000 for number in left)
        assert {n: r for n, r in second.items() if n not in still_open} == {
            n: r for n, r in first.items() if n not in still_open
        }

    @pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
    def test_a_survey_that_is_stopped_keeps_what_it_has_and_goes_on_to_the_same_end(
        self, tmp_path: Path, number: signal.Signals
    ) -> None:
        command = [
            *(sys.executable, "manage.py", "survey", "bakers-dozen", "--jobs", "2", "--budget", "20000"),
            *("--output", str(tmp_path / "survey.csv")),
        ]
        environment = {
            "PATH": os.environ["PATH"],
            "DATA_DIR": str(tmp_path / "data"),
            "PYTHONUNBUFFERED": "1",
        }
        # So many deals that it is surely stopped before the end.
        process = subprocess.Popen(
            [*command, "--deals", "1-1000000"],
            cwd=ROOT,
            env=environment,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
            # A group of its own, to which the signal goes as from a terminal's Ctrl-C.
            start_new_session=True,
        )
        watched = subprocess.Popen(
            [
                *("timeout", str(PATIENCE), "sh", "-c"),
                f"tail -n +1 -F '{tmp_path}/survey.csv' | head -n 151 >/dev/null",
            ],
            stderr=subprocess.DEVNULL,
        )
        assert watched.wait() == 0
        os.killpg(process.pid, number) if number == signal.SIGINT else process.send_signal(number)
        out, err = process.communicate(timeout=PATIENCE)
        assert process.returncode == 130, err
        assert "Traceback" not in err
        stopped = re.search(r"Stopped with ([\d,]+) of 1,000,000 deals; the same command goes on.", err)
        assert stopped
        kept = rows(tmp_path / "survey.csv")
        count = int(stopped[1].replace(",", ""))
        assert len(kept) == len({row[1] for row in kept}) == count >= 150
        assert f"{count:,} deals" in out
        # Where it goes on, and where nothing ever stopped it.
        last = max(int(row[1]) for row in kept) + 20
        subprocess.run([*command, "--deals", f"1-{last}"], cwd=ROOT, env=environment, check=True)
        went_on = rows(tmp_path / "survey.csv")
        assert [int(row[1]) for row in went_on] == list(range(1, last + 1))
        assert [row for row in went_on if row in kept] == kept


class TestOnManyMachines:
    @pytest.fixture(autouse=True)
    def workers_at_work(self, monkeypatch: pytest.MonkeyPatch) -> list[int]:
        """Workers that do what is queued whenever the command waits; the list holds how much was."""
        queued: list[int] = []

        def wait(_seconds: float) -> None:
            queued.append(DBTaskResult.objects.ready().count())
            run_worker()

        monkeypatch.setattr(survey, "_pause", wait)
        return queued

    @pytest.mark.django_db(transaction=True)
    def test_the_workers_find_what_one_machine_finds(
        self, tmp_path: Path, workers_at_work: list[int], monkeypatch: pytest.MonkeyPatch
    ) -> None:
        monkeypatch.setattr(survey, "TASK_DEALS", 25)
        run(tmp_path, "1-130", output=tmp_path / "here.csv")
        run(tmp_path, "1-130", output=tmp_path / "there.csv", queue=True)
        assert rows(tmp_path / "there.csv") == rows(tmp_path / "here.csv")
        assert workers_at_work[0] == 6
        assert not DBTaskResult.objects.exists()

    @pytest.mark.django_db(transaction=True)
    def test_what_a_task_has_no_time_for_is_queued_again(
        self, tmp_path: Path, workers_at_work: list[int], monkeypatch: pytest.MonkeyPatch
    ) -> None:
        monkeypatch.setattr(rounds, "BEGIN_SECONDS", 0)
        run(tmp_path, "1-4", queue=True)
        # Each round does the first of its deals.
        assert len(rows(tmp_path / "survey.csv")) == 4
        assert workers_at_work == [1, 1, 1, 1]

    @pytest.mark.django_db(transaction=True)
    def test_a_deal_that_is_too_long_for_a_task_is_decided_here(
        self, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        monkeypatch.setattr(rounds, "TASK_SECONDS", -1)
        run(tmp_path, "1-3", queue=True)
        assert [row[2] for row in rows(tmp_path / "survey.csv")] == ["won"] * 3

    @pytest.mark.django_db(transaction=True)
    def test_a_task_that_fails_or_disappears_loses_no_deal(
        self, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        monkeypatch.setattr(survey, "TASK_DEALS", 2)
        spoilt: list[str] = []

        def spoil(_seconds: float) -> None:
            if not spoilt:
                gone, failed, _ = DBTaskResult.objects.ready()
                gone.delete()
                failed.set_failed(ValueError("spoilt"))
                spoilt.extend([gone.status, failed.status])
            run_worker()

        monkeypatch.setattr(survey, "_pause", spoil)
        run(tmp_path, "1-6", queue=True)
        assert spoilt == ["READY", "FAILED"]
        assert [int(row[1]) for row in rows(tmp_path / "survey.csv")] == list(range(1, 7))

    @pytest.mark.django_db(transaction=True)
    def test_what_waits_in_the_queue_is_taken_back_when_it_is_stopped(
        self, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        def stop(_seconds: float) -> None:
            assert DBTaskResult.objects.ready().count() == 1
            raise KeyboardInterrupt

        monkeypatch.setattr(survey, "_pause", stop)
        with pytest.raises(CommandError, match="Stopped with 0 of 5 deals") as stopped:
            run(tmp_path, "1-5", queue=True)
        assert stopped.value.returncode == 130
        assert not DBTaskResult.objects.exists()


class TestWrongArguments:
    @pytest.mark.parametrize(
        ("deals", "words"),
        [
            ("5-3", "the first deal number is larger than the last"),
            ("0-3", "Deal numbers go from 1"),
            ("a-b", "A deal number is a whole number"),
            ("1-2-3", "A deal number is a whole number"),
            ("", "A deal number is a whole number"),
        ],
    )
    def test_a_range_that_is_none_is_named(self, tmp_path: Path, deals: str, words: str) -> None:
        with pytest.raises(CommandError, match=words) as refused:
            run(tmp_path, deals)
        assert refused.value.returncode == 2
        assert list(tmp_path.iterdir()) == []

    @pytest.mark.parametrize("options", [{"budget": 0}, {"jobs": 0}, {"shortest": -1}])
    def test_an_effort_that_is_none_is_refused(self, tmp_path: Path, options: dict[str, Any]) -> None:
        with pytest.raises(CommandError, match="1 or more") as refused:
            run(tmp_path, "1-2", **options)
        assert refused.value.returncode == 2

    def test_a_file_that_cannot_be_written_is_named(self, tmp_path: Path) -> None:
        with pytest.raises(CommandError, match="can’t be written: Not a directory"):
            run(tmp_path, "1-2", output=Path("/dev/null/folder/survey.csv"))

    def test_a_file_that_holds_something_else_is_named(self, tmp_path: Path) -> None:
        (tmp_path / "survey.csv").write_text("something else\n")
        with pytest.raises(CommandError, match="is no survey"):
            run(tmp_path, "1-2")
