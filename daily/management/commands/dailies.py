"""Make boards ahead of their days."""

from __future__ import annotations

import signal
import threading
from typing import Any

import structlog
from django.core.management.base import BaseCommand, CommandError, CommandParser
from django.db import DatabaseError, close_old_connections

from bakers.days import Day
from config import clock
from daily import boards, days, pars

log = structlog.get_logger(__name__)

#: Days that one call may make: more would be a slip of the finger.
MOST_DAYS = 4_000


class Command(BaseCommand):
    """Makes what is missing and says what it made; however often it runs, there is one board a variant and day.

    1. For each day from `--back` before today to `--ahead` after it, and each variant, make the board if there is none.
    2. Count what players made of boards that have settled.
    3. Look for the par of a board, in the background.
    4. With `--loop`, wait and start over, until SIGTERM or SIGINT.
    """

    help = "Make the boards of today and of days to come, and of days past for the archive of a new site."

    def add_arguments(self, parser: CommandParser) -> None:
        """Take which days, and whether to go on."""
        parser.add_argument(
            "--ahead", type=int, default=boards.AHEAD, help="days after today (default %(default)s)"
        )
        parser.add_argument("--back", type=int, default=0, help="days before today (default %(default)s)")
        parser.add_argument(
            "--loop", type=float, metavar="SECONDS", help="do it again after so many seconds, until stopped"
        )

    def handle(self, *args: Any, **options: Any) -> None:
        """Go round once, or until told to stop."""
        ahead, back, pause = options["ahead"], options["back"], options["loop"]
        if not 0 <= ahead <= MOST_DAYS or not 0 <= back <= MOST_DAYS:
            raise CommandError(f"--ahead and --back are from 0 to {MOST_DAYS}.")
        if pause is not None and not 1 <= pause <= 86_400:
            raise CommandError("--loop is from 1 to 86400 seconds.")
        if pause is None:
            self._round(ahead, back)
            return
        stop = threading.Event()
        for number in (signal.SIGTERM, signal.SIGINT):
            signal.signal(number, lambda *_args: stop.set())
        while not stop.is_set():
            try:
                close_old_connections()
                self._round(ahead, back)
            except DatabaseError as error:
                log.warning("boards not made", reason=type(error).__name__)
            stop.wait(pause)

    def _round(self, ahead: int, back: int) -> None:
        today = Day.of(clock.now()).number
        first, last = today - back, today + ahead
        wanted = boards.missing(first, last)
        made = 0
        for variant, day in wanted:
            made += boards.make_board(variant, day).is_new
            if self.stderr.isatty():
                # Not in the colour of errors.
                self.stderr.write(f"\r{made} of {len(wanted)} boards made", str, ending="")
        if wanted and self.stderr.isatty():
            self.stderr.write("")
        counted = days.count_settled()
        pars.look_for_par()
        number = len(boards.days_between(first, last))
        self.stdout.write(f"Days: {number}. Boards made: {made}. Settled boards counted: {counted}.")
