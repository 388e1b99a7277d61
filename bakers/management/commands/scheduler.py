"""See to it that regular work is done."""

from __future__ import annotations

import signal
import threading
import time
from typing import Any

import structlog
from django.core.management.base import BaseCommand, CommandParser
from django.db import DatabaseError, close_old_connections

from bakers import tasks

log = structlog.get_logger(__name__)

#: Seconds between two looks at the clock; a lost task waits this long at most on top of its own minute.
ROUND = 30.0
#: Seconds between two roundups of old rows.
TIDY_EVERY = 3_600.0


class Command(BaseCommand):
    """Runs beside the server until it is told to stop.

    1. Queue tasks again whose worker was killed.
    2. Once an hour queue a round of tidying, unless one waits already.
    3. Do what other apps plugged in.
    4. Wait, and start over. A database that doesn't answer is logged and tried again in the next round.

    Any number of copies may run: each step is one that a second copy finds done.
    """

    help = "Queue regular background work until stopped."

    def add_arguments(self, parser: CommandParser) -> None:
        """Take `--once`."""
        parser.add_argument("--once", action="store_true", help="do one round and end")

    def handle(self, *args: Any, **options: Any) -> None:
        """Go round until SIGTERM or SIGINT."""
        if options["once"]:
            self._round(tidy=True)
            return
        stop = threading.Event()
        for number in (signal.SIGTERM, signal.SIGINT):
            signal.signal(number, lambda *_args: stop.set())
        log.info("scheduler started")
        next_tidy = time.monotonic()
        while not stop.is_set():
            due = time.monotonic() >= next_tidy
            try:
                close_old_connections()
                self._round(tidy=due)
                if due:
                    next_tidy = time.monotonic() + TIDY_EVERY
            except DatabaseError as error:
                log.warning("scheduler round failed", reason=type(error).__name__)
            stop.wait(ROUND)
        log.info("scheduler stopped")

    def _round(self, *, tidy: bool) -> None:
        tasks.requeue_lost()
        if tidy:
            tasks.enqueue_tidy()
        tasks.do_regular_work()
