"""What goes wrong in a use case, with what a caller needs to know about it."""

from __future__ import annotations

import datetime
from typing import TYPE_CHECKING, Any

from django.utils.translation import gettext as _

if TYPE_CHECKING:
    from bakers.games import Table


class Problem(Exception):
    """A use case that was refused; nothing was changed.

    Attributes:
        code: a word for machines, part of the API.
        status: the HTTP status that says the same.
        message: a sentence for people, translated.
        detail: data that goes with the code.
        table: the game as it stands, where knowing it helps the caller; the API shows it as `detail.game`.
    """

    code = "problem"
    status = 400

    def __init__(
        self, message: str, *, detail: dict[str, Any] | None = None, table: Table | None = None
    ) -> None:
        super().__init__(message)
        self.message = message
        self.detail = detail or {}
        self.table = table


class NotFound(Problem):
    """There is no such thing, or it isn't the caller's."""

    code = "not_found"
    status = 404


class SignInRequired(Problem):
    """Only somebody who has signed in may do this."""

    code = "sign_in_required"
    status = 403


class HelpRefused(Problem):
    """There is no help with this deal for this player now; `detail.opens_at` is when there will be, or None."""

    code = "help_refused"
    status = 403

    def __init__(self, message: str = "", *, opens_at: datetime.datetime | None = None) -> None:
        if not message:
            message = (
                _("There is no help with this deal now.")
                if opens_at is None
                else _("Help with this deal isn’t open yet.")
            )
        super().__init__(message, detail={"opens_at": None if opens_at is None else opens_at.isoformat()})
        self.opens_at = opens_at


class Throttled(Problem):
    """The caller has asked more often than a limit allows.

    Attributes:
        retry_after: whole seconds, at least 1, after which asking again makes sense.
    """

    code = "throttled"
    status = 429

    def __init__(self, message: str = "", *, retry_after: int) -> None:
        super().__init__(
            message or _("That was asked too often. Please wait a little and try again."),
            detail={"retry_after": retry_after},
        )
        self.retry_after = retry_after


class Invalid(Problem):
    """The input can be read, but asks for what there isn't; `detail.fields` says where."""

    code = "invalid"
    status = 400


class UnreadableLayout(Problem):
    """A layout can't be read; `detail` has the line and the token."""

    code = "unreadable_layout"
    status = 400


class StaleVersion(Problem):
    """The game has moved on since the caller saw it; `detail.game` is how it stands."""

    code = "stale_version"
    status = 409


class GameOver(Problem):
    """The game has ended; `detail.game` is how."""

    code = "game_over"
    status = 409


class GameOpen(Problem):
    """The game hasn't ended yet."""

    code = "game_open"
    status = 409


class IllegalMove(Problem):
    """A move of the batch isn't legal; `detail` has its index, the move, the reason and the game."""

    code = "illegal_move"
    status = 422


class BadPly(Problem):
    """The line isn't that long; `detail.game` is how it stands."""

    code = "bad_ply"
    status = 422


class TooManyPlies(Problem):
    """The line would become longer than a game may be."""

    code = "too_many_plies"
    status = 422


class RequestIdReused(Problem):
    """The request id was used before, with another body."""

    code = "request_id_reused"
    status = 422


class Busy(Problem):
    """Others keep the server busy; the same call may succeed in a moment."""

    code = "busy"
    status = 503
