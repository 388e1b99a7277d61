"""Days as addresses name them."""

from __future__ import annotations

import datetime

from django.utils.translation import gettext as _

from bakers.problems import NotFound


def parse_date(text: str) -> datetime.date:
    """Return the day that an address names.

    Raises:
        NotFound: it is none.
    """
    try:
        day = datetime.date.fromisoformat(text)
    except ValueError:
        day = None
    # One day has one address: what else Python reads, such as 2026-W09-7, is none.
    if day is None or day.isoformat() != text:
        raise NotFound(_("There is no board of that day."))
    return day
