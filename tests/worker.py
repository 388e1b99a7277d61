"""The task worker, run until nothing is left to do."""

from __future__ import annotations

from django.core.management import call_command


def run_worker(*arguments: str) -> None:
    """Run every task that is queued, and those that they queue."""
    call_command("db_worker", "--batch", "--no-startup-delay", "--interval=0", "--queue-name=*", *arguments)
