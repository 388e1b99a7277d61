"""The registry of kinds of game.

An app plugs a kind in from its `AppConfig.ready()`. `bakers.games` calls the kind inside its own transaction with the
game's row locked, so that a win and whatever a kind makes of it are one; a handler that raises undoes the move.
"""

from __future__ import annotations

import datetime
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import TYPE_CHECKING

from bakers.problems import Invalid

if TYPE_CHECKING:
    from bakers.models import Game
    from bakers.players import Player


@dataclass(frozen=True)
class Help:
    """Which help a game's kind allows, and when the rest opens if it does."""

    hint: bool = True
    verdict: bool = True
    solution: bool = True
    opens_at: datetime.datetime | None = None


@dataclass(frozen=True)
class Start:
    """What a player asks for when starting a game, after its form was checked."""

    variant: str
    deal_number: int | None = None
    has_layout: bool = False
    from_game: bool = False


class Kind:
    """A kind of game; a subclass a kind, and one object of it registered."""

    #: The name in the API and the database.
    slug: str
    #: Whether the API shows a running game's deal number.
    shows_deal: bool = True

    def may_start(self, *, player: Player, start: Start) -> None:
        """Refuse a start by raising a `bakers.problems.Problem`."""

    def help_allowed(self, game: Game | None) -> Help:
        """Return the help that is allowed; None stands for a game that hasn't started."""
        return Help()

    def on_first_move(self, game: Game) -> None:
        """Take note of a game's first accepted move; called once a game, before the batch is stored."""

    def on_finish(self, game: Game) -> None:
        """Take note of a game that was won or lost; called once a game, before that is stored."""


class Casual(Kind):
    """A deal number, chosen or random; anyone plays, and help is always allowed."""

    slug = "casual"

    def may_start(self, *, player: Player, start: Start) -> None:
        """Refuse layouts: an imported deal proves nothing about play."""
        if start.has_layout or start.from_game:
            raise Invalid(
                "A casual game is dealt from a number; an imported layout or an earlier game is played as practice.",
                detail={"fields": {"kind": ["Use practice."]}},
            )


class Practice(Kind):
    """An imported layout or a deal from history; counts for nothing."""

    slug = "practice"

    def may_start(self, *, player: Player, start: Start) -> None:
        """Refuse a bare deal number, which is a casual game."""
        if not start.has_layout and not start.from_game:
            raise Invalid(
                "A practice game needs a layout or an earlier game.",
                detail={"fields": {"layout": ["Give a layout, or from_game."]}},
            )


_kinds: dict[str, Kind] = {}


def register(kind: Kind) -> None:
    """Plug a kind in.

    Raises:
        ValueError: another kind has that slug.
    """
    known = _kinds.get(kind.slug)
    if known is not None and type(known) is not type(kind):
        raise ValueError(f"There are two kinds of game called {kind.slug!r}.")
    _kinds[kind.slug] = kind


def get(slug: str) -> Kind:
    """Return the kind of that slug; a KeyError says that there is none."""
    return _kinds[slug]


def slugs() -> list[str]:
    """Return the slugs of all kinds, in the order in which they were plugged in."""
    return list(_kinds)


@contextmanager
def registered(kind: Kind) -> Iterator[Kind]:
    """Plug a kind in for the length of a `with` block, for tests."""
    before = _kinds.get(kind.slug)
    _kinds[kind.slug] = kind
    try:
        yield kind
    finally:
        if before is None:
            del _kinds[kind.slug]
        else:
            _kinds[kind.slug] = before
