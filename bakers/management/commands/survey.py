"""Find out what share of a variant's deals can be won."""

from __future__ import annotations

import itertools
import json
import os
import signal
import sys
import time
from collections.abc import Generator, Iterator
from pathlib import Path
from typing import Any

from django.conf import settings
from django.core.management.base import BaseCommand, CommandError, CommandParser

from bakers import tasks
from bakers.management.progress import Progress
from bakers.rules.deals import parse_deal_number
from bakers.rules.errors import UnreadableError
from bakers.rules.variants import VARIANTS, Variant
from bakers.solver import DEFAULT_BUDGET, Outcome
from bakers.surveys.files import SurveyFile
from bakers.surveys.parallel import decide_in_parallel
from bakers.surveys.plots import histogram
from bakers.surveys.rows import Effort, Row
from bakers.surveys.summaries import Summary, summarise, wilson
from config import clock


class Command(BaseCommand):
    """Decides a range of deals, and writes down each.

    1. Read what the file holds already: only deals that aren't there are decided, and those left open by a smaller
       budget.
    2. Decide them, in processes of this machine or, with --queue, by all machines that run a task worker. Each row is
       on disk before it is counted.
    3. When all are there, or somebody stops it, put the file in order and print the counts of the range. Started
       again it goes on where it was.
    """

    help = (
        "Decide a range of deals of a variant, in parallel; stopped and started again it goes on. Writes a CSV of "
        "verdicts and a plot, and prints the share that can be won with its 95 %% Wilson interval. "
        "Exit status: 0 finished; 1 something went wrong, rows are kept; 2 wrong arguments; 130 stopped, rows are kept."
    )

    def add_arguments(self, parser: CommandParser) -> None:
        """Take the range, the effort and where everything goes."""
        parser.add_argument("variant", choices=list(VARIANTS), metavar="VARIANT")
        parser.add_argument("--deals", required=True, metavar="A-B", help="deal numbers, both included")
        parser.add_argument(
            "--budget",
            type=int,
            default=DEFAULT_BUDGET,
            metavar="N",
            help="positions to expand for each deal at most",
        )
        parser.add_argument(
            "--shortest",
            type=int,
            default=0,
            metavar="N",
            help="expansions for a short line of each won deal",
        )
        parser.add_argument("--jobs", type=int, default=_processors(), metavar="N", help="processes")
        parser.add_argument(
            "--queue", action="store_true", help="let the task workers of all machines do the work"
        )
        parser.add_argument("--output", type=Path, metavar="FILE", help="the CSV; by default in DATA_DIR")
        parser.add_argument("--plot", type=Path, metavar="FILE", help="the SVG; by default beside the CSV")
        parser.add_argument(
            "--summary", type=Path, metavar="FILE", help="write the figures as JSON, as the pages read them"
        )

    def handle(self, *args: Any, **options: Any) -> None:
        """Survey the range."""
        variant = VARIANTS[options["variant"]]
        numbers = _range(options["deals"])
        effort = Effort(options["budget"], options["shortest"])
        if effort.budget < 1 or effort.shortest < 0 or options["jobs"] < 1:
            raise CommandError("--budget and --jobs must be 1 or more, --shortest 0 or more.", returncode=2)
        output = options["output"] or Path(settings.DATA_DIR) / "surveys" / f"{variant.slug}.csv"
        try:
            file = SurveyFile(output, variant)
        except BlockingIOError:
            raise CommandError(f"Another survey writes to {output}.", returncode=2) from None
        except OSError as error:
            raise CommandError(f"{output} can’t be written: {error.strerror}.", returncode=2) from None
        except UnreadableError as error:
            raise CommandError(error.reason, returncode=2) from None
        with file:
            stopped = self._survey(file, numbers, effort, options)
            file.put_in_order()
            rows = [row for row in file.rows.values() if row.deal in numbers]
        if rows:
            summary = summarise(variant.slug, rows, date=clock.now().date().isoformat(), budget=effort.budget)
            self._tell(summary, variant, rows)
            plot = options["plot"] or output.with_suffix(".svg")
            if not stopped or options["plot"]:
                _write(plot, histogram(summary, f"{variant.name}: {summary.deals:,} deals by effort") + "\n")
            if options["summary"] and not stopped:
                _write(options["summary"], json.dumps(summary.as_json(), indent=1) + "\n")
        if stopped:
            done = sum(row.is_done(effort) for row in rows)
            raise CommandError(
                f"Stopped with {done:,} of {_length(numbers):,} deals; the same command goes on.",
                returncode=130,
            )

    def _survey(self, file: SurveyFile, numbers: range, effort: Effort, options: dict[str, Any]) -> bool:
        """Decide what is missing; return whether somebody stopped it."""
        known = [row for row in file.rows.values() if row.deal in numbers and row.is_done(effort)]
        done = len(known)
        if done == _length(numbers):
            return False
        won = sum(row.outcome is Outcome.WON for row in known)
        missing = (
            number for number in numbers if number not in file.rows or not file.rows[number].is_done(effort)
        )
        progress = Progress(sys.stderr, _length(numbers))
        work = (
            _decide_on_workers(file.variant, missing, effort, jobs=options["jobs"])
            if options["queue"]
            else decide_in_parallel(file.variant, missing, effort, jobs=options["jobs"])
        )
        asked_to_stop = False

        def ask_to_stop(*_args: object) -> None:
            nonlocal asked_to_stop
            asked_to_stop = True
            # Whoever asks twice doesn't want to wait.
            signal.signal(signal.SIGINT, signal.default_int_handler)

        # A service manager stops it as a person does.
        before = {number: signal.signal(number, ask_to_stop) for number in (signal.SIGINT, signal.SIGTERM)}
        try:
            progress.show(done)
            for rows in work:
                if rows:
                    file.add(rows)
                    done += len(rows)
                    won += sum(row.outcome is Outcome.WON for row in rows)
                    progress.show(done, f"  {100 * won / done:.2f} % won")
                if asked_to_stop:
                    return True
        except KeyboardInterrupt:
            return True
        finally:
            # Ends the processes and takes back what waits in the queue.
            work.close()
            progress.clear()
            for number, handler in before.items():
                signal.signal(number, handler)
        return False

    def _tell(self, summary: Summary, variant: Variant, rows: list[Row]) -> None:
        self.stdout.write(
            f"{variant.name}, deals {summary.first}–{summary.last}: {summary.deals:,} deals, {summary.won:,} won, "
            f"{summary.lost:,} lost, {summary.unknown:,} unknown"
        )
        self.stdout.write(
            f"  can be won     {100 * summary.share:.2f} % "
            f"(95 % interval {100 * summary.low:.2f}–{100 * summary.high:.2f})"
        )
        for name, spread, digits in (("expansions", summary.expanded, 0), ("CPU ms", summary.cpu_ms, 2)):
            figures = (
                ("median", spread.median),
                ("mean", spread.mean),
                ("p90", spread.p90),
                ("p99", spread.p99),
                ("p99.9", spread.p999),
                ("max", spread.max),
            )
            told = "  ".join(f"{label} {value:,.{digits}f}" for label, value in figures)
            self.stdout.write(f"  {name:14} {told}")
        lengths = sorted(row.moves for row in rows if row.moves is not None)
        if lengths:
            proven = sum(row.proven for row in rows)
            low, high = wilson(proven, len(lengths))
            self.stdout.write(
                f"  shortest line  median {lengths[len(lengths) // 2]} moves, {lengths[0]} to {lengths[-1]}; "
                f"{100 * proven / len(lengths):.1f} % proven ({100 * low:.1f}–{100 * high:.1f})"
            )
        if summary.lost_deals:
            more = summary.lost - len(summary.lost_deals)
            tail = f" and {more:,} more" if more else ""
            self.stdout.write(f"  lost           {', '.join(map(str, summary.lost_deals))}{tail}")
        if summary.unknown_deals:
            self.stdout.write(f"  unknown        {', '.join(map(str, summary.unknown_deals))}")


_pause = time.sleep

#: Seconds between two looks at what the workers have done.
LOOK_EVERY = 0.5
#: Deals in a task, and tasks waiting at once: enough for many machines, and few to take back.
TASK_DEALS = 200
TASKS_WAITING = 64


def _decide_on_workers(
    variant: Variant, numbers: Iterator[int], effort: Effort, *, jobs: int
) -> Generator[list[Row]]:
    """Decide deals by tasks, and yield their rows. What is too long for a task is decided here, in the end."""
    waiting: dict[str, list[int]] = {}
    hard: list[int] = []

    def order(chunk: list[int]) -> None:
        if chunk:
            waiting[tasks.enqueue_survey(variant.slug, chunk, effort)] = chunk

    try:
        while True:
            while len(waiting) < TASKS_WAITING and (chunk := list(itertools.islice(numbers, TASK_DEALS))):
                order(chunk)
            if not waiting:
                break
            for task_id, found in list(tasks.take_surveys(list(waiting))):
                chunk = waiting.pop(task_id)
                if found is None:
                    # What fails there may work here, or at least says here why it doesn't.
                    hard += chunk
                    continue
                if found.rows:
                    yield found.rows
                hard += found.hard
                order(found.left)
            if waiting:
                yield []
                _pause(LOOK_EVERY)
    finally:
        tasks.forget_surveys(list(waiting))
    if hard:
        yield from decide_in_parallel(variant, hard, effort, jobs=jobs)


def _range(text: str) -> range:
    first_text, _, last_text = text.replace("–", "-").partition("-")
    try:
        first = parse_deal_number(first_text)
        last = parse_deal_number(last_text) if last_text else first
    except UnreadableError as error:
        raise CommandError(f"--deals {text}: {error.reason}", returncode=2) from None
    if first > last:
        raise CommandError(f"--deals {text}: the first deal number is larger than the last.", returncode=2)
    return range(first, last + 1)


def _length(numbers: range) -> int:
    """How many numbers there are; `len` takes none of these sizes."""
    return numbers.stop - numbers.start


def _processors() -> int:
    """How many processors this process may use."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


def _write(path: Path, text: str) -> None:
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")
    except OSError as error:
        raise CommandError(f"{path} can’t be written: {error.strerror}.", returncode=1) from None
