"""How often somebody may try to get in: counted before anything is hashed, looked up or mailed.

Two limits stand behind each other. An address may knock often enough for a household or a school behind one, and too
seldom to guess. An account may be knocked at from anywhere only a few times within five minutes, which is as long as
somebody who knocks on purpose can keep its owner out.
"""

from __future__ import annotations

from django.http import HttpRequest

from bakers import limits

#: Forms that one address may send in a minute.
ADDRESS_A_MINUTE = 30
#: Forms with one e-mail address, from wherever they come, and the seconds within which they are counted.
ACCOUNT_TRIES = 10
ACCOUNT_SECONDS = 5 * 60
#: The fields of forms in which somebody says who they are.
NAMES = ("login", "email")


def count(request: HttpRequest) -> None:
    """Count a form that was sent to the entrance.

    Raises:
        Throttled: there were too many.
    """
    limits.take("entrance", limits.client_address(request), limit=ADDRESS_A_MINUTE, seconds=60)
    for name in NAMES:
        given = request.POST.get(name, "").strip().lower()
        if given:
            limits.take("entrance account", given, limit=ACCOUNT_TRIES, seconds=ACCOUNT_SECONDS)
