"""Makes a player with a past in the database of a running site, and prints the key of a session of theirs.

python -m tests.browser.past_players NAME COUNT DAYS
"""

from __future__ import annotations

import sys

import django

django.setup()

from django.conf import settings  # noqa: E402
from django.contrib.auth import BACKEND_SESSION_KEY, HASH_SESSION_KEY, SESSION_KEY, get_user_model  # noqa: E402
from django.contrib.sessions.backends.db import SessionStore  # noqa: E402

from config import clock  # noqa: E402
from tests.accounts.past import play_for_years  # noqa: E402


def main(name: str, count: int, days: int) -> None:
    """Make the player."""
    user = get_user_model().objects.create_user(f"{name}@example.org")
    play_for_years(user, count, until=clock.now(), days=days)
    session = SessionStore()
    session[SESSION_KEY] = str(user.pk)
    session[BACKEND_SESSION_KEY] = settings.AUTHENTICATION_BACKENDS[0]
    session[HASH_SESSION_KEY] = user.get_session_auth_hash()
    session.create()
    sys.stdout.write(str(session.session_key))


if __name__ == "__main__":
    main(sys.argv[1], int(sys.argv[2]), int(sys.argv[3]))
