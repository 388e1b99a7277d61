"""The registry of kinds of game, and of what guards the help with a deal.

An app plugs a kind in from its `AppConfig.ready()`. `bakers.games` calls the kind inside its own transaction with the
game's row locked, so that a win and whatever a kind makes of it are one; a handler that raises undoes the move.

A kind decides on help in its own games. The same cards can be laid out anywhere else, so whoever has a deal to protect
plugs in a guard too, which is asked about every position that anybody wants help with.
"""

from __future__ import annotations

import datetime
from collections.abc import Callable, Collection, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal, NoReturn, Protocol, TypeVar

from django.utils.translation import gettext as _

from bakers.problems import GameOpen, HelpRefused, Invalid

if TYPE_CHECKING:
    from bakers.games import Table
    from bakers.models import Game
    from bakers.players import Player
    from bakers.rules.positions import Position


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
    board: datetime.date | None = None


@dataclass(frozen=True)
class BoardDeal:
    """The deal of the board of a day: its day, and the number that it is dealt from."""

    day: datetime.date
    deal_number: int


class Kind:
    """A kind of game; a subclass a kind, and one object of it registered."""

    #: The name in the API and the database.
    slug: str
    #: Whether the API shows a running game's deal number.
    shows_deal: bool = True
    #: Whether every deal is a random one that was proved to be winnable.
    deals_winnable: bool = False
    #: Whether a player has one open game of this kind in a variant: an unplayed one is offered again.
    one_at_a_time: bool = False
    #: Whether a player has one game of this kind on a board, which is offered again whatever became of it.
    one_a_board: bool = False

    def may_start(self, *, player: Player, start: Start) -> None:
        """Refuse a start by raising a `bakers.problems.Problem`."""

    def board_of(self, start: Start) -> BoardDeal | None:
        """Return the deal of the board that is to be played, or None where none is.

        Raises:
            Problem: there is no such board for a game of this kind.
        """
        if start.board is not None:
            raise Invalid(
                _("No board is played so."), detail={"fields": {"board": [_("Use daily or practice.")]}}
            )
        return None

    def on_start(self, game: Game) -> None:
        """Take note of a game that is about to be stored, or refuse it by raising a `bakers.problems.Problem`."""

    def may_repeat(self, game: Game) -> None:
        """Refuse, by raising a `bakers.problems.Problem`, that the deal of an ended game is played again."""

    def hides_deal(self, game: Game) -> bool:
        """Whether the API hides a game's deal number."""
        return not self.shows_deal and game.finished_at is None

    def tells_par(self, game: Game) -> bool:
        """Whether the par of an ended game is told even where there is no help with its deal yet."""
        return False

    def refuse_second(self, table: Table) -> NoReturn:
        """Refuse to start another game beside one that has been played, of a kind of which there is one at a time."""
        raise GameOpen(_("You have such a game open already."), table=table)

    def help_allowed(self, game: Game | None) -> Help:
        """Return the help that is allowed; None stands for a game that hasn't started."""
        return Help()

    def address(self, game: Game) -> str | None:
        """Return the path of the page that shows such a game, where that isn't the game's own."""
        return None

    def streak(self, game: Game) -> int | None:
        """Return how many games in a row were won up to this one, it included; None where nobody counts.

        For an open game that is what is at stake, for a lost one what was.
        """
        return None

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
    """An imported layout, a deal from history or a settled board; counts for nothing."""

    slug = "practice"

    def may_start(self, *, player: Player, start: Start) -> None:
        """Refuse a bare deal number, which is a casual game."""
        if not start.has_layout and not start.from_game and start.board is None:
            raise Invalid(
                "A practice game needs a layout, a board or an earlier game.",
                detail={"fields": {"layout": ["Give a layout, a board or from_game."]}},
            )

    def board_of(self, start: Start) -> BoardDeal | None:
        """Return the deal of a board of the archive."""
        if start.board is None:
            return None
        if _archive is None:
            return super().board_of(start)
        return BoardDeal(start.board, _archive(start.variant, start.board))


#: Returns the deal number of a variant's settled board of a day, or raises a `bakers.problems.Problem`.
Archive = Callable[[str, datetime.date], int]

_archive: Archive | None = None


def register_archive(archive: Archive) -> None:
    """Plug in what knows the boards of the past."""
    global _archive  # noqa: PLW0603 (there is one, as of the other registries)
    _archive = archive


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


_AKind = TypeVar("_AKind", bound=Kind)


@contextmanager
def registered(kind: _AKind) -> Iterator[_AKind]:
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


# Ledgers


class Ledger(Protocol):
    """Keeps account of games that have ended.

    Called inside the transaction that ends a game, with the game's row locked and stored: what a ledger writes is
    stored together with the result or not at all, and a ledger that raises undoes the result.
    """

    def ended(self, game: Game) -> None:
        """Take note of a game that was won or lost; called once a game."""

    def adopted(self, user_id: int, results: Collection[tuple[str, str]]) -> None:
        """Take note of a guest's ended games that are a user's now: of these variants and kinds."""


_ledgers: list[Ledger] = []


def register_ledger(ledger: Ledger) -> None:
    """Plug a ledger in; one of the same class takes the place of the one before, as when an app is loaded again."""
    _ledgers[:] = [*(known for known in _ledgers if type(known) is not type(ledger)), ledger]


def record_end(game: Game) -> None:
    """Tell every ledger of a game that has ended and is stored."""
    for ledger in _ledgers:
        ledger.ended(game)


def record_adoption(user_id: int, results: Collection[tuple[str, str]]) -> None:
    """Tell every ledger of ended games, by variant and kind, that came from a guest to a user."""
    if results:
        for ledger in _ledgers:
            ledger.adopted(user_id, results)


# Guards

#: What a player may be told: the next move, whether a position can be won, a whole line or where the game was lost.
HelpSort = Literal["hint", "verdict", "solution"]


@dataclass(frozen=True)
class HelpRequest:
    """A position that somebody wants help with.

    Attributes:
        player: who asks, or None for somebody who never started a game here.
        variant: the slug of the rules that the position is to be judged by.
        position: the cards, all of them known.
        deal_key: the key of the deal that the position is said to come from (`bakers.games.deal_key`), if any.
        game: the caller's game that it is a position of, if any.
    """

    player: Player | None
    variant: str
    position: Position
    deal_key: str | None = None
    game: Game | None = None


#: Raises `bakers.problems.HelpRefused` when there must be no help; anything else it raises is a fault, and no help
#: is given either.
Guard = Callable[[HelpRequest], None]

_AGuard = TypeVar("_AGuard", bound=Guard)

_guards: list[Guard] = []


def register_guard(guard: Guard) -> None:
    """Plug a guard in; the same one twice counts once, as when an app is loaded again."""
    if guard not in _guards:
        _guards.append(guard)


@contextmanager
def registered_guard(guard: _AGuard) -> Iterator[_AGuard]:
    """Plug a guard in for the length of a `with` block, for tests."""
    was_there = guard in _guards
    register_guard(guard)
    try:
        yield guard
    finally:
        if not was_there:
            _guards.remove(guard)


def check_help(request: HelpRequest, sort: HelpSort) -> None:
    """Let help through that nobody objects to: neither the game's kind nor any guard.

    To be asked before an answer is looked up, searched or marked on the game.

    Raises:
        HelpRefused: with the time from which the help is open, if whoever refused knows it.
    """
    if request.game is not None:
        allowed = get(request.game.kind).help_allowed(request.game)
        if not getattr(allowed, sort):
            raise HelpRefused(opens_at=allowed.opens_at)
    for guard in _guards:
        guard(request)


def allows_help(request: HelpRequest, sort: HelpSort) -> bool:
    """Whether `check_help` lets help through, for what is left out where it doesn't."""
    try:
        check_help(request, sort)
    except HelpRefused:
        return False
    return True
