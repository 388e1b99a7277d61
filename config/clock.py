"""The site's clock, the only source of the time."""

import datetime

from django.conf import settings
from django.utils import timezone


def now() -> datetime.datetime:
    """Return the current time in UTC, shifted by `CLOCK_OFFSET` seconds (never in production)."""
    return timezone.now() + datetime.timedelta(seconds=settings.CLOCK_OFFSET)
