"""What is kept about a user: all of it on request, and none of it once they delete their account.

Each app that keeps something registers how to export and to erase it. A row that points to the user and has no meaning
without them needs no erasure of its own: deleting the user deletes it.
"""

from __future__ import annotations

import datetime
import json
import tempfile
import uuid
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import IO, Any

import structlog
from allauth.account.models import EmailAddress
from allauth.mfa.models import Authenticator
from allauth.usersessions.models import UserSession
from django.contrib.sessions.models import Session
from django.core.serializers.json import DjangoJSONEncoder
from django.db import IntegrityError, OperationalError, connection, transaction

from accounts import listing
from accounts.models import Preferences, Statistics, User
from accounts.sessions import stored_session
from bakers import answers, games, limits
from bakers.models import Game
from bakers.players import Player
from bakers.presenters import game_record
from config import clock

log = structlog.get_logger(__name__)

#: Returns what JSON can say; an iterator is written as a list, one item after the other.
Export = Callable[[User], Any]
#: Deletes what an app keeps about a user, inside the transaction that deletes the user.
Erasure = Callable[[User], object]

#: Bytes of an export that are kept in memory; what is longer is written to a file.
IN_MEMORY = 1 << 20
#: How long an account is kept whose address nobody has confirmed.
UNCONFIRMED_AGE = datetime.timedelta(days=30)
#: So many of them one round deletes: each takes a transaction of its own, and a task two seconds at most.
UNCONFIRMED_ROUND = 50
#: How often an erasure begins again, when something of the user's was stored while it went on.
ATTEMPTS = 5
# PostgreSQL's state for transactions that wait for each other.
_DEADLOCK = "40P01"

_exports: dict[str, Export] = {}
_erasures: list[Erasure] = []


def register_export(name: str, function: Export) -> None:
    """Add a part to the export of everything; the same name again takes the place of the one before."""
    _exports[name] = function


def register_erasure(function: Erasure) -> None:
    """Add a step to the deletion of an account; the same one twice counts once, as when an app is loaded again.

    The rows of the user's games, of their statistics and of the user are locked by then, in this order.
    """
    if function not in _erasures:
        _erasures.append(function)


# Export


def export(user: User) -> IO[bytes]:
    """Return everything about a user as JSON, in a file that stands at its beginning and is deleted when closed.

    All of it is as it was at one moment, and no more of it than one game is made at a time.
    """
    file = tempfile.SpooledTemporaryFile(max_size=IN_MEMORY)  # noqa: SIM115 (whoever sends it closes it)
    with _one_moment():
        file.write(f'{{"exported_at":{_json(clock.now())},"everything":{{'.encode())
        for index, (name, function) in enumerate(_exports.items()):
            file.write(f"{',' if index else ''}\n{_json(name)}:".encode())
            _write(file, function(user))
        file.write(b"\n}}\n")
    file.seek(0)
    return file


def _write(file: IO[bytes], value: Any) -> None:
    if not isinstance(value, Iterator):
        file.write(_json(value).encode())
        return
    file.write(b"[")
    for index, item in enumerate(value):
        file.write(f"{',' if index else ''}\n{_json(item)}".encode())
    file.write(b"]")


def _json(value: Any) -> str:
    return json.dumps(value, cls=DjangoJSONEncoder, ensure_ascii=False, separators=(",", ":"))


@contextmanager
def _one_moment() -> Iterator[None]:
    """Read everything inside as it is when the first of it is read, and keep nobody from writing meanwhile."""
    connection.ensure_connection()
    outermost = not connection.in_atomic_block
    sqlite: Any = connection if connection.vendor == "sqlite" and outermost else None
    mode = sqlite and sqlite.transaction_mode
    try:
        if sqlite:
            # The mode of all other transactions takes the lock for writing at once.
            sqlite.transaction_mode = "DEFERRED"
        with transaction.atomic():
            if connection.vendor == "postgresql" and outermost:
                with connection.cursor() as cursor:
                    cursor.execute("SET TRANSACTION ISOLATION LEVEL REPEATABLE READ READ ONLY")
            yield
    finally:
        if sqlite:
            sqlite.transaction_mode = mode


def _export_account(user: User) -> dict[str, Any]:
    return {
        "id": user.public_id,
        "email": user.email,
        "display_name": user.display_name,
        "listed": user.is_listed,
        "staff": user.is_staff,
        "joined_at": user.date_joined,
        "last_signed_in_at": user.last_login,
    }


def _export_addresses(user: User) -> list[dict[str, Any]]:
    rows = EmailAddress.objects.filter(user=user).order_by("pk")
    return list(rows.values("email", "verified", "primary"))


def _export_settings(user: User) -> Any:
    row = Preferences.objects.filter(user=user).first()
    return {} if row is None else row.values


def _export_statistics(user: User) -> list[Any]:
    rows = Statistics.objects.filter(user=user).order_by("variant", "kind")
    return list(
        rows.values(
            "variant", "kind", "played", "won", "streak", "streak_at", "best_streak", "best_streak_at"
        )
    )


def _export_games(user: User) -> Iterator[dict[str, Any]]:
    return map(game_record, Game.objects.filter(user=user).order_by("started_at", "pk").iterator(500))


def _export_authenticators(user: User) -> list[dict[str, Any]]:
    # A name and dates alone: the rest are keys and codes.
    return [
        {
            "type": row.type,
            "name": str(row) if row.type == Authenticator.Type.WEBAUTHN else None,
            "added_at": row.created_at,
            "last_used_at": row.last_used_at,
        }
        for row in Authenticator.objects.filter(user=user).order_by("pk")
    ]


def _export_sign_ins(user: User) -> list[dict[str, Any]]:
    return [
        {"browser": row.user_agent, "signed_in_at": row.created_at, "last_seen_at": row.last_seen_at}
        for row in UserSession.objects.filter(user=user).order_by("pk")
    ]


register_export("account", _export_account)
register_export("email_addresses", _export_addresses)
register_export("settings", _export_settings)
register_export("statistics", _export_statistics)
register_export("authenticators", _export_authenticators)
register_export("sign_ins", _export_sign_ins)
register_export("games", _export_games)


# Erasure


def erase(*, user_id: int, guest: uuid.UUID | None = None) -> bool:
    """Delete a user and everything about them at once, and say whether there was such a user.

    Every browser is signed out. `guest` is who they were in this browser before signing in, of whom a game may be
    left that was started in the same moment.

    Requests of theirs that run meanwhile either come before, and what they stored is deleted too, or fail. Doing it
    twice does no harm.
    """
    for attempt in range(1, ATTEMPTS + 1):
        try:
            with transaction.atomic():
                user, keys = _erase(user_id, guest)
            break
        except (IntegrityError, OperationalError) as error:
            if attempt == ATTEMPTS or not _came_between(error):
                raise
    _forget_sessions(keys)
    if user is not None:
        # Neither a name nor an address: what is gone isn't to live on in a log.
        log.info("account erased")
    return user is not None


def _erase(user_id: int, guest: uuid.UUID | None) -> tuple[User | None, list[str]]:
    # Games, user, statistics: the order in which all others take them. Only then is the user's own row locked against
    # everything, from which moment nothing new of theirs can be stored.
    games.erase_games(player=Player(user_id=user_id, guest=guest))
    listing.hold(user_id)
    list(Statistics.objects.select_for_update().filter(user_id=user_id).order_by("pk").values_list("pk"))
    user = User.objects.select_for_update().filter(pk=user_id).first()
    if user is None:
        return None, []
    keys = _session_keys(user_id)
    Session.objects.filter(session_key__in=keys).delete()
    answers.forget_searches(limits.user_caller(user_id))
    for erasure in _erasures:
        erasure(user)
    user.delete()
    return user, keys


def _came_between(error: Exception) -> bool:
    """Whether a row that points to the user was stored by another transaction, or each waited for the other."""
    return isinstance(error, IntegrityError) or getattr(error.__cause__, "sqlstate", None) == _DEADLOCK


# Active or not


def deactivate(*, user_id: int) -> bool:
    """Keep a user out, whom nothing shows from now on, and say whether that changed anything."""
    with transaction.atomic():
        changed = listing.change(User.objects.filter(pk=user_id, is_active=True), is_active=False)
        keys = _session_keys(user_id) if changed else []
        Session.objects.filter(session_key__in=keys).delete()
        UserSession.objects.filter(session_key__in=keys).delete()
    _forget_sessions(keys)
    return changed


def reactivate(*, user_id: int) -> bool:
    """Let a user in again, and say whether that changed anything."""
    return listing.change(User.objects.filter(pk=user_id, is_active=False), is_active=True)


def tidy_sign_ins(*, limit: int) -> int:
    """Forget up to `limit` sign-ins whose session has ended, and return how many there were."""
    ended = UserSession.objects.exclude(session_key__in=Session.objects.values("session_key"))
    keys = list(ended.values_list("pk", flat=True)[:limit])
    gone: int = ended.filter(pk__in=keys).delete()[0]
    return gone


def tidy_unconfirmed(*, limit: int) -> int:
    """Delete up to `limit` accounts whose address nobody confirmed, and return how many there were.

    Whoever typed the address can sign up again; and whose address it is never asked for an account.
    """
    old = User.objects.filter(
        last_login=None, is_staff=False, date_joined__lt=clock.now() - UNCONFIRMED_AGE
    ).exclude(emailaddress__verified=True)
    return sum(
        erase(user_id=pk) for pk in list(old.values_list("pk", flat=True)[: min(limit, UNCONFIRMED_ROUND)])
    )


def _session_keys(user_id: int) -> list[str]:
    return list(UserSession.objects.filter(user_id=user_id).values_list("session_key", flat=True))


def _forget_sessions(keys: list[str]) -> None:
    # A cache may hold what the table no longer does.
    store = stored_session()
    for key in keys:
        store.delete(key)
