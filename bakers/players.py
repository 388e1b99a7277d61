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
    """The owner of games: exactly one of the two is set."""

    user_id: int | None = None
    guest: uuid.UUID | None = None

    def owns(self) -> Q:
        """Return the condition on `Game` that it is this player's."""
        return Q(user_id=self.user_id) if self.user_id is not None else Q(guest=self.guest)

    def fields(self) -> dict[str, Any]:
        """Return the owner fields of a new `Game`."""
        return {"user_id": self.user_id, "guest": self.guest}


def find_player(request: HttpRequest) -> Player | None:
    """Return who asks, or None for somebody who never started a game here; creates nothing."""
    if request.user.is_authenticated:
        return Player(user_id=request.user.pk)
    guest = request.session.get(_SESSION_KEY)
    return Player(guest=uuid.UUID(guest)) if guest else None


def find_or_invite_player(request: HttpRequest) -> Player:
    """Return who asks; for somebody new, a guest whom nothing knows until `remember_player` is called."""
    return find_player(request) or Player(guest=uuid.uuid4())


def remember_player(request: HttpRequest, player: Player) -> None:
    """Keep who a guest is in the session, once a game of theirs has started: a refused start leaves no trace.

    Each game renews the session, so that it lasts as long as the game is kept.
    """
    if player.guest is not None:
        request.session[_SESSION_KEY] = str(player.guest)
