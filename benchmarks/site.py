"""The site for a benchmark: set up when this module is imported, with a throw-away database on demand."""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import contextmanager

import django

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings")
# A line of log for each request would be part of what is measured.
os.environ.setdefault("LOG_LEVEL", "ERROR")
django.setup()


@contextmanager
def throwaway_database(root_urlconf: str | None = None) -> Iterator[None]:
    """Make an empty database beside the one of DATABASE_URL, and answer with other addresses if asked."""
    from django.conf import settings  # noqa: PLC0415 (these need Django set up, which this module does)
    from django.test.utils import get_runner, setup_test_environment, teardown_test_environment  # noqa: PLC0415

    setup_test_environment()
    runner = get_runner(settings)(verbosity=0, interactive=False)
    databases = runner.setup_databases()
    if root_urlconf is not None:
        settings.ROOT_URLCONF = root_urlconf
    try:
        yield
    finally:
        runner.teardown_databases(databases)
        teardown_test_environment()
