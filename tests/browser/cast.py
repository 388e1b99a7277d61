"""Everybody whom the pages of a running site are shown to, made in its database.

python manage.py shell -c "from tests.browser.cast import make; make()" prints them as JSON.
"""

from __future__ import annotations

import json
import sys
import time
from importlib import import_module
from typing import Any

from allauth.account.internal.flows.login import AUTHENTICATION_METHODS_SESSION_KEY, record_authentication
from allauth.account.models import EmailAddress
from allauth.mfa.recovery_codes.internal.auth import RecoveryCodes
from allauth.mfa.totp.internal.auth import TOTP, generate_totp_secret
from allauth.usersessions.models import UserSession
from django.conf import settings
from django.contrib.auth import BACKEND_SESSION_KEY, HASH_SESSION_KEY, SESSION_KEY
from django.test import RequestFactory

from accounts.models import Statistics, User
from bakers.days import Day
from config import clock
from daily.models import Result
from tests.accounts.past import past_game, store
from tests.browser.people import PASSWORD
from tests.daily.past import play_days

#: Seconds for which a session counts as one in which somebody has just shown who they are: longer than tests take.
FRESH = 24 * 60 * 60


def make() -> None:
    """Make everybody, and print the keys of their sessions and of what they have."""
    # With all that an account may have but for a passkey, which only a browser can make.
    ann = _user("ann", PASSWORD)
    ann.display_name, ann.name_key, ann.is_listed = "Ann", "ann", True
    ann.save()
    # Who has won the last two days; today's board is one that can be played.
    today = Day.of(clock.now()).number
    play_days(ann, [today - 2, today - 1], moves=100)
    result = Result.objects.filter(user=ann).latest("number")
    TOTP.activate(ann, generate_totp_secret())
    RecoveryCodes.activate(ann)
    bob = _user("bob", PASSWORD)
    # Who has no password, and an app to show who they are.
    carl = _user("carl", None)
    TOTP.activate(carl, generate_totp_secret())
    root = _user("root", PASSWORD, is_staff=True, is_superuser=True)
    now = clock.now()
    ended, played = store(
        past_game(ann, status="lost", line="96", at=now), past_game(ann, status="open", line="96", at=now)
    )
    statistics = Statistics.objects.create(user=ann, variant="bakers-dozen", kind="casual", played=1)
    cast = {
        "sessions": {
            "ann": _session(ann, time.time() + FRESH),
            # Whoever is asked who they are, since they came long ago.
            "ann of old": _session(ann, time.time() - FRESH),
            "bob": _session(bob, time.time() + FRESH),
            "carl": _session(carl, time.time() + FRESH),
            "root": _session(root, time.time() + FRESH),
        },
        "email": ann.email,
        "user": ann.pk,
        "statistics": statistics.pk,
        "result": result.pk,
        "board": result.board_id,
        "ended": str(ended.pk),
        "open": str(played.pk),
    }
    sys.stdout.write(json.dumps(cast))


def _user(name: str, password: str | None, **fields: Any) -> User:
    user = User.objects.create_user(f"{name}-of-the-cast@example.org", password, **fields)
    EmailAddress.objects.create(user=user, email=user.email, primary=True, verified=True)
    return user


def _session(user: User, shown_at: float) -> str:
    session = import_module(settings.SESSION_ENGINE).SessionStore()
    session[SESSION_KEY] = str(user.pk)
    session[BACKEND_SESSION_KEY] = settings.AUTHENTICATION_BACKENDS[0]
    session[HASH_SESSION_KEY] = user.get_session_auth_hash()
    request = RequestFactory().get("/")
    request.session = session
    record_authentication(request, user, "password", reauthenticated=True)
    session[AUTHENTICATION_METHODS_SESSION_KEY][-1]["at"] = shown_at
    session.create()
    key = str(session.session_key)
    UserSession.objects.create(user=user, session_key=key, ip="0.0.0.0", user_agent="Firefox/140.0 Linux")  # noqa: S104
    return key
