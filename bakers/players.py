"""Who plays: a signed-in user, or a guest who is a random id in a session."""

from __future__ import annotations

import uuid
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from django.db.models import Q

if TYPE_CHECKING:
    from django.http import HttpRequest

_SESSION_KEY = "guest"


@dataclass(frozen=True)
class Player:
    """The owner of games: a user, a guest, or a user together with the guest who they were in this browser.

    Signing in hands a guest's games over at once. A game that was started in the same moment may still be the guest's
    then, and is the user's all the same.
    """

    user_id: int | None = None
    guest: uuid.UUID | None = None

    def owns(self) -> Q:
        """Return the condition on `Game` that it is this player's."""
        if self.user_id is None:
            return Q(guest=self.guest)
        return (
            Q(user_id=self.user_id) if self.guest is None else Q(user_id=self.user_id) | Q(guest=self.guest)
        )

    def fields(self) -> dict[str, Any]:
        """Return the owner fields of a new `Game`."""
        return {"user_id": self.user_id, "guest": self.guest if self.user_id is None else None}


def find_player(request: HttpRequest) -> Player | None:
    """Return who asks, or None for somebody who never started a game here; creates nothing."""
    guest = request.session.get(_SESSION_KEY)
    known = uuid.UUID(guest) if guest else None
    if request.user.is_authenticated:
        return Player(user_id=request.user.pk, guest=known)
    return Player(guest=known) if known else None


def find_or_invite_player(request: HttpRequest) -> Player:
    """Return who asks; for somebody new, a guest whom nothing knows until `remember_player` is called."""
    return find_player(request) or Player(guest=uuid.uuid4())


def remember_player(request: HttpRequest, player: Player) -> None:
    """Keep who a guest is in the session, once a game of theirs has started: a refused start leaves no trace.

    Each game renews the session, so that it lasts as long as the game is kept.
    """
    if player.user_id is None:
        request.session[_SESSION_KEY] = str(player.guest)
