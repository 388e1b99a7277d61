"""Delete what nobody needs any more."""

from __future__ import annotations

from typing import Any

from django.core.management.base import BaseCommand

from bakers import tasks


class Command(BaseCommand):
    """Tidies until nothing old is left; the scheduler has the same done in small rounds by the worker."""

    help = (
        "Delete guests' open games after 30 days and finished ones after 90, old request ids, expired sessions, "
        "sign-ins whose session has ended, the counts of limits whose time is over, answers of the solver that "
        "are 60 days old and quickly found again, and the results of tasks after 7 days. Safe to run at any time."
    )

    def handle(self, *args: Any, **options: Any) -> None:
        """Tidy round after round."""
        total = 0
        while gone := tasks.tidy_once():
            total += gone
        self.stdout.write(f"{total} rows deleted.")
