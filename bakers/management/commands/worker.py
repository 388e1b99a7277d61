"""Run background tasks."""

from __future__ import annotations

import signal
import time
from typing import Any

import structlog
from django.core.management import call_command
from django.core.management.base import BaseCommand
from django.db import Error, connection

from bakers.warming import warm_up

log = structlog.get_logger(__name__)

#: Seconds until a database that didn't answer is asked again: it is soon found to be back, and isn't pressed meanwhile.
PAUSE = 5.0


class Command(BaseCommand):
    """Runs beside the server until it is told to stop.

    The worker of django-tasks-db ends when the database is restarted, locked for long or full. Then this one waits and
    starts it anew: the site without its database is busy, and comes back with it. A task that was under way counts as
    one whose worker was killed, and the scheduler queues it again.
    """

    help = "Run background tasks until stopped."

    def handle(self, *args: Any, **options: Any) -> None:
        """Work until SIGTERM or SIGINT, which the worker hears itself."""
        # A task ends within two seconds, so none may have to compile first.
        warm_up()
        while True:
            try:
                call_command("db_worker", queue_name="now,later", reload=False)
            except Error as error:
                log.warning("worker lost the database", reason=type(error).__name__)
            else:
                return
            # A signal ends the wait at once; the worker's own handlers would first wait for its task.
            for number in (signal.SIGTERM, signal.SIGINT):
                signal.signal(number, signal.SIG_DFL)
            connection.close()
            time.sleep(PAUSE)
