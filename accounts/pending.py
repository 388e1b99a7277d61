"""What waits in a session for a code: a new password, a sign-in half-way, an address to be confirmed.

allauth keeps it in the session of whoever began it, signed in or not, and asks for nothing but the code. Two things
are seen to here.

* It has no force any more once the account has changed: another password or address, everybody signed out, or gone.
  Whoever could read an old mailbox would otherwise take the account back with the code that is in it.
* It isn't kept for as long as a session is, with the address in it: a row says where it waits, so that it goes with the
  account, and after an hour in any case.
"""

from __future__ import annotations

import datetime
from collections.abc import Callable, Mapping
from contextlib import suppress
from dataclasses import dataclass
from typing import Any

from allauth.account.internal.flows.email_verification_by_code import EMAIL_VERIFICATION_CODE_SESSION_KEY
from allauth.account.internal.flows.password_reset_by_code import PASSWORD_RESET_VERIFICATION_SESSION_KEY
from allauth.account.internal.stagekit import LOGIN_SESSION_KEY
from allauth.account.internal.userkit import str_to_user_id
from allauth.account.models import EmailAddress
from allauth.account.utils import url_str_to_user_pk
from django.conf import settings
from django.contrib.sessions.backends.base import UpdateError
from django.http import HttpRequest
from django.utils.crypto import constant_time_compare, salted_hmac

from accounts.models import PendingCode, User
from accounts.sessions import stored_session
from config import clock

#: How long anything may wait: as long as a sign-in may stop half-way.
AGE = datetime.timedelta(seconds=settings.ACCOUNT_LOGIN_TIMEOUT)
#: So many of them one round drops: each is a session to be read and stored.
ROUND = 200
_MARKS = "accounts.pending"
_SALT = "accounts.pending"


@dataclass(frozen=True)
class _Sort:
    """How to read one sort of what waits.

    Attributes:
        begun: the name of its time, which tells one from another.
        user_id: returns whose it is; None where nobody has the address that was typed.
        is_of_address: whether it has no force for another address than the one that it was mailed to.
    """

    begun: str
    user_id: Callable[[Mapping[str, Any]], Any]
    is_of_address: bool = False


def _user_of_code(state: Mapping[str, Any]) -> Any:
    return str_to_user_id(state["user_id"]) if state.get("user_id") else None


def _user_of_login(state: Mapping[str, Any]) -> Any:
    return url_str_to_user_pk(state["user_pk"]) if state.get("user_pk") else None


_SORTS = {
    LOGIN_SESSION_KEY: _Sort("initiated_at", _user_of_login),
    EMAIL_VERIFICATION_CODE_SESSION_KEY: _Sort("at", _user_of_code),
    PASSWORD_RESET_VERIFICATION_SESSION_KEY: _Sort("at", _user_of_code, is_of_address=True),
}


def drop_stale(request: HttpRequest) -> None:
    """Drop what waits in a session for an account that has changed since; to be called before anything reads it."""
    marks = request.session.get(_MARKS, {})
    for key, sort in _SORTS.items():
        state = request.session.get(key)
        if not state or (user_id := sort.user_id(state)) is None:
            continue
        user = User.objects.filter(pk=user_id).first()
        begun, mark = marks.get(key, (None, ""))
        if (
            user is None
            or begun != state[sort.begun]
            or not constant_time_compare(mark, _mark(user))
            or (sort.is_of_address and state["email"].lower() != user.email)
        ):
            del request.session[key]


def remember(request: HttpRequest) -> None:
    """Note what has come to wait in a session; to be called after whatever may have put it there."""
    session = request.session
    waiting = {key: session[key] for key in _SORTS if session.get(key)}
    marks = session.get(_MARKS, {})
    kept = {}
    for key, state in waiting.items():
        sort = _SORTS[key]
        if key in marks and marks[key][0] == state[sort.begun]:
            kept[key] = marks[key]
            continue
        user = User.objects.filter(pk=sort.user_id(state)).first()
        kept[key] = [state[sort.begun], "" if user is None else _mark(user)]
        address = state.get("email") or (None if user is None else user.email)
        if address:
            if session.session_key is None:
                session.save()
            PendingCode.objects.update_or_create(
                session_key=session.session_key, address=_hash(address), defaults={"since": clock.now()}
            )
    if kept != marks:
        if kept:
            session[_MARKS] = kept
        else:
            del session[_MARKS]


def forget_user(user: User) -> None:
    """Drop what waits anywhere for a user who goes."""
    addresses = {user.email, *EmailAddress.objects.filter(user=user).values_list("email", flat=True)}
    for row in list(PendingCode.objects.filter(address__in=[_hash(address) for address in addresses])):
        _drop(row)


def tidy_pending(*, limit: int) -> int:
    """Drop up to `limit` of what has waited too long, and return how many there were."""
    old = list(PendingCode.objects.filter(since__lt=clock.now() - AGE)[: min(limit, ROUND)])
    for row in old:
        _drop(row)
    return len(old)


def _drop(row: PendingCode) -> None:
    store = stored_session(row.session_key)
    waiting = [key for key in (*_SORTS, _MARKS) if key in store]
    for key in waiting:
        del store[key]
    if waiting:
        # It may have ended meanwhile.
        with suppress(UpdateError):
            store.save()
    row.delete()


def _mark(user: User) -> str:
    """Return what changes with the password, with the address, and when everybody is signed out."""
    return salted_hmac(_SALT, f"{user.get_session_auth_hash()} {user.email}", algorithm="sha256").hexdigest()


def _hash(address: str) -> str:
    return salted_hmac(f"{_SALT}.address", address.strip().lower(), algorithm="sha256").hexdigest()
