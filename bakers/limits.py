"""How often somebody may ask for what makes the site work.

A limit is counted in the database, which all processes and machines share, by one statement a call: however many come
at the same moment, exactly as many pass as may. (A counter that is read and then written lets ten times as many pass.)

Time is cut into windows of equal length, counted from 1970, and each has a count of its own: at worst twice the limit
passes within one length of time, half at the end of a window and half at the beginning of the next. A call that is
refused costs nothing, so asking on and on keeps nobody out longer.
"""

from __future__ import annotations

import ipaddress
import re

from django.conf import settings
from django.db import connection, transaction
from django.db.models import Q, QuerySet
from django.http import HttpRequest
from django.utils.crypto import salted_hmac

from bakers.models import Limit
from bakers.problems import Throttled
from config import clock

#: No window is longer, so no trace of a caller is kept longer than this and the time between two rounds of tidying.
LONGEST_WINDOW = 24 * 60 * 60
#: Seconds by which the clocks of two machines may differ. A window that begins later than that is of a clock that was
#: set back, and is forgotten: its count would keep callers out until that time comes again.
CLOCK_SKEW = 10
#: Stands for every caller whose address can't be told.
UNKNOWN_ADDRESS = "unknown"

_WITH_PORT = re.compile(r"\[([^][]+)\](?::[0-9]{1,5})?|([^][:]+):[0-9]{1,5}")

# Whether the window that is stored is still running for this caller.
_RUNNING = "bakers_limit.starts BETWEEN %(starts)s AND %(latest)s"
# The part after WHERE makes the statement change no row when the count would go over the limit.
_TAKE = f"""
INSERT INTO bakers_limit (scope, who, starts, ends, count)
VALUES (%(scope)s, %(who)s, %(starts)s, %(ends)s, %(cost)s)
ON CONFLICT (scope, who) DO UPDATE SET
    count = CASE WHEN {_RUNNING} THEN bakers_limit.count + excluded.count ELSE excluded.count END,
    starts = CASE WHEN {_RUNNING} THEN bakers_limit.starts ELSE excluded.starts END,
    ends = CASE WHEN {_RUNNING} THEN bakers_limit.ends ELSE excluded.ends END
WHERE NOT ({_RUNNING}) OR bakers_limit.count + excluded.count <= %(limit)s
"""  # noqa: S608 (of constants)


def take(scope: str, who: str, *, limit: int, seconds: int, cost: int = 1) -> None:
    """Count a call against a limit, or refuse it.

    To be called before anything else is done and outside of every transaction, so that no lock is held for longer than
    the one statement, and what it counted stays counted whatever happens then.

    Args:
        scope: what is limited, at most 32 characters.
        who: whose calls are counted together: an address, a user. Only a keyed hash of it is stored.
        limit: what may pass within one window.
        seconds: the length of a window.
        cost: how much of the limit this call takes.

    Raises:
        Throttled: with the seconds until the window ends; nothing was counted.
        ValueError: no window could ever let the call through, or one would be longer than `LONGEST_WINDOW`.
        RuntimeError: a transaction is open.
    """
    if not 1 <= cost <= limit or not 1 <= seconds <= LONGEST_WINDOW:
        raise ValueError(f"A limit of {limit} in {seconds} s lets no call that costs {cost} through.")
    now = clock.now().timestamp()
    starts = int(now // seconds) * seconds
    # durable: refuses to run inside of another transaction.
    with transaction.atomic(durable=True), connection.cursor() as cursor:
        cursor.execute(
            _TAKE,
            {
                "scope": scope,
                "who": salted_hmac(f"bakers.limits.{scope}", who, algorithm="sha256").hexdigest(),
                "starts": starts,
                "ends": starts + seconds,
                "latest": int(now) + CLOCK_SKEW,
                "cost": cost,
                "limit": limit,
            },
        )
        passed = cursor.rowcount == 1
    if not passed:
        raise Throttled(retry_after=starts + seconds - int(now))


def old_limits() -> QuerySet[Limit]:
    """Return the counts that say nothing any more: their window is over, or of a clock that was set back."""
    now = int(clock.now().timestamp())
    return Limit.objects.filter(Q(ends__lte=now) | Q(starts__gt=now + CLOCK_SKEW))


def callers(request: HttpRequest) -> tuple[str, ...]:
    """Return the names that a call counts against: the user, if there is one, and the address.

    An address alone would let one of many who share it use up the limit of all; a user alone, somebody with many
    accounts multiply it.
    """
    address = client_address(request)
    return (user_caller(request.user.pk), address) if request.user.is_authenticated else (address,)


def user_caller(user_id: int) -> str:
    """Return the name that the calls of a user count against, wherever they come from."""
    return f"user {user_id}"


def client_address(request: HttpRequest) -> str:
    """Return whose calls are to be counted together, by the address that they come from.

    Behind a proxy (`TRUST_PROXY`) that is the last entry of X-Forwarded-For, the only one that the proxy wrote itself.
    Of an IPv6 address the first half: one household or server has the whole of the other half to choose from.
    What is no address counts as one caller.
    """
    given = request.META.get("REMOTE_ADDR", "")
    if settings.TRUST_PROXY:
        given = request.META.get("HTTP_X_FORWARDED_FOR", "").rpartition(",")[2] or given
    try:
        address = ipaddress.ip_address(_without_port(given.strip()))
    except ValueError:
        return UNKNOWN_ADDRESS
    if isinstance(address, ipaddress.IPv4Address):
        return str(address)
    if address.ipv4_mapped is not None:
        return str(address.ipv4_mapped)
    return str(ipaddress.IPv6Network((address.packed, 64), strict=False))


def _without_port(text: str) -> str:
    """Return an address as `ipaddress` reads it: some proxies write 192.0.2.1:4711 and [2001:db8::1]:4711."""
    found = _WITH_PORT.fullmatch(text)
    return (found[1] or found[2]) if found else text
