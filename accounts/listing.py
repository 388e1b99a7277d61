"""Whom leaderboards show: kept beside each of a player's streaks too, so that a page is a walk along one index.

`Statistics.listed_as` is the display name of who is listed and active, and `listed_key` its key; both are empty for
everybody else.
Whatever decides that is changed here alone, under the lock of the user's row; who makes a new row of statistics takes
that lock first, too. (Lock order: the game's row, the user's where one is needed, those of statistics. Only an erasure
takes the user's once more at its end, and so may have to begin anew.)
"""

from __future__ import annotations

from typing import Any

from django.db import transaction
from django.db.models import F, OuterRef, Q, QuerySet, Subquery, Value
from django.db.models.functions import Coalesce

from accounts.models import Statistics, User

_LISTED = Q(is_listed=True, is_active=True)


def change(users: QuerySet[User], **values: Any) -> bool:
    """Change one user's name, listing or being active, and say whether there was one to change.

    Args:
        users: the user, under the condition on which the change is made.
        values: the new values by column; without any, the rows of statistics are made to agree.

    Raises:
        IntegrityError: they can't stand beside those of others; nothing was changed.
    """
    with transaction.atomic():
        # The key, since the condition holds no longer afterwards.
        pk = users.select_for_update(no_key=True).values_list("pk", flat=True).first()
        if pk is None:
            return False
        if values:
            User.objects.filter(pk=pk).update(**values)
        Statistics.objects.filter(user=pk).update(**_listing_of_user())
    return True


def hold(user_id: int) -> User | None:
    """Have a user's name, and whether they are listed, stay as they are until the transaction ends; return the user."""
    return User.objects.select_for_update(no_key=True).filter(pk=user_id).first()


def find(user_id: int) -> dict[str, str]:
    """Return what new rows of a user's statistics are to hold, which stays true until the transaction ends."""
    # Who isn't listed is held as well: they may be about to be.
    user = hold(user_id)
    if user is None or not (user.is_listed and user.is_active):
        return {"listed_as": "", "listed_key": ""}
    return {"listed_as": user.display_name, "listed_key": user.name_key or ""}


def find_wrong() -> QuerySet[Statistics]:
    """Return the rows that say something else than their users do."""
    right = _listing_of_user()
    rows = Statistics.objects.alias(name=right["listed_as"], key=right["listed_key"])
    return rows.exclude(listed_as=F("name"), listed_key=F("key"))


def mend() -> int:
    """Make true what isn't, and return how many players that were."""
    users = set(find_wrong().values_list("user_id", flat=True))
    return sum(change(User.objects.filter(pk=pk)) for pk in sorted(users))


def _listing_of_user() -> dict[str, Coalesce]:
    listed = User.objects.filter(_LISTED, pk=OuterRef("user_id"))
    columns = {"listed_as": "display_name", "listed_key": "name_key"}
    return {
        name: Coalesce(Subquery(listed.values(column)[:1]), Value("")) for name, column in columns.items()
    }
