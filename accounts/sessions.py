"""Sessions by their keys, wherever they are stored."""

from __future__ import annotations

from importlib import import_module

from django.conf import settings
from django.contrib.sessions.backends.base import SessionBase


def stored_session(key: str | None = None) -> SessionBase:
    """Return the session of a key as it is stored, read when it is first used; a new one without a key."""
    store: SessionBase = import_module(settings.SESSION_ENGINE).SessionStore(key)
    return store
