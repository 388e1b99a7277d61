"""A player's games that have ended, a page at a time."""

from __future__ import annotations

import datetime
import re
import uuid
from dataclasses import dataclass

from django.db.models import Q, QuerySet

from bakers import games
from bakers.models import Game
from bakers.players import Player
from bakers.problems import NotFound

#: Games on a page.
PAGE_SIZE = 50

_MARK = re.compile(r"(\d{1,18})\.([0-9a-f]{32})", re.ASCII)
_EPOCH = datetime.datetime(1970, 1, 1, tzinfo=datetime.UTC)
_MICROSECOND = datetime.timedelta(microseconds=1)


@dataclass(frozen=True)
class Mark:
    """A place between two games: right at one of them, which is told by when it ended and, for ties, its id.

    Games that end later, or are deleted, move no place: pages neither skip nor repeat a game.
    """

    finished_at: datetime.datetime
    game_id: uuid.UUID

    @classmethod
    def of(cls, game: Game) -> Mark:
        """Return the place of a game that has ended."""
        if game.finished_at is None:
            raise ValueError(f"Game {game.pk} hasn't ended.")
        return cls(game.finished_at, game.pk)

    @classmethod
    def parse(cls, text: str) -> Mark | None:
        """Return the place that `str()` of it wrote; None if the text is none."""
        found = _MARK.fullmatch(text)
        if found is None:
            return None
        try:
            return cls(_EPOCH + int(found[1]) * _MICROSECOND, uuid.UUID(found[2]))
        except OverflowError:
            return None

    def __str__(self) -> str:
        return f"{(self.finished_at - _EPOCH) // _MICROSECOND}.{self.game_id.hex}"

    def older(self) -> Q:
        """Return the condition on games that they stand after this place, newest first."""
        return Q(finished_at__lt=self.finished_at) | Q(finished_at=self.finished_at, pk__lt=self.game_id)

    def newer(self) -> Q:
        """Return the condition on games that they stand before this place."""
        return Q(finished_at__gt=self.finished_at) | Q(finished_at=self.finished_at, pk__gt=self.game_id)


@dataclass(frozen=True)
class Page:
    """Some games, newest first.

    Attributes:
        games: at most `PAGE_SIZE`.
        older: where the page of older games begins; None if there are none.
        newer: where the page of newer games ends; None if there are none.
    """

    games: list[Game]
    older: Mark | None
    newer: Mark | None


def read_page(
    *,
    user_id: int,
    variant: str | None = None,
    kind: str | None = None,
    status: str | None = None,
    older: Mark | None = None,
    newer: Mark | None = None,
) -> Page:
    """Return the newest of a player's ended games, or those next to a place.

    Args:
        user_id: whose games.
        variant, kind, status: only games of these, each None for all.
        older: only games that are older than this place, from it on.
        newer: only games that are newer than this place, up to it; of no effect beside `older`.
    """
    wanted = {"variant": variant, "kind": kind, "status": status}
    ended = Game.objects.filter(
        user_id=user_id,
        finished_at__isnull=False,
        **{name: value for name, value in wanted.items() if value is not None},
    ).defer("layout", "redo", "position")
    if older is not None:
        # Whoever comes from a newer game has one to go back to.
        found, more = _first(ended.filter(older.older()).order_by("-finished_at", "-pk"))
        return _page(found, is_older=more, is_newer=True)
    if newer is not None:
        found, more = _first(ended.filter(newer.newer()).order_by("finished_at", "pk"))
        return _page(found[::-1], is_older=True, is_newer=more)
    found, more = _first(ended.order_by("-finished_at", "-pk"))
    return _page(found, is_older=more, is_newer=False)


def find_ended_game(*, player: Player | None, game_id: uuid.UUID) -> games.Table:
    """Return a player's own game that has ended.

    Raises:
        NotFound: it isn't there, isn't theirs, or goes on.
    """
    table = games.find_game(player=player, game_id=game_id)
    if table.game.finished_at is None:
        raise NotFound("This game hasn’t ended yet.")
    return table


def _first(ended: QuerySet[Game]) -> tuple[list[Game], bool]:
    """Return a page's worth of games, and whether there are more."""
    found = list(ended[: PAGE_SIZE + 1])
    return found[:PAGE_SIZE], len(found) > PAGE_SIZE


def _page(found: list[Game], *, is_older: bool, is_newer: bool) -> Page:
    return Page(
        found,
        older=Mark.of(found[-1]) if found and is_older else None,
        newer=Mark.of(found[0]) if found and is_newer else None,
    )
