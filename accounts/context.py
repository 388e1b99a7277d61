"""What every page is told of its visitor's account."""

from __future__ import annotations

from typing import Any

from django.db import Error
from django.http import HttpRequest
from django.utils.functional import SimpleLazyObject

from accounts import preferences
from accounts.models import User


def account_settings(request: HttpRequest) -> dict[str, Any]:
    """Give pages `account_settings`: those of the visitor's account as JSON, or nothing for a guest.

    In the page itself, since a page that had to ask for them would be drawn in other colours first. The database is
    asked only where a template uses it.
    """
    return {"account_settings": SimpleLazyObject(lambda: _account_settings(request))}


def _account_settings(request: HttpRequest) -> str:
    try:
        user = getattr(request, "user", None)
        return preferences.page_settings(user) if isinstance(user, User) else ""
    except Error:
        # The page that says that the database doesn't answer can do without them.
        return ""
