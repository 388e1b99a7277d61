"""What can be done with a game: start, play, resign, list, tidy.

Each use case that writes is one transaction: lock the game's row, check, change, and record the request that did
it, so that a repeated request finds its record and changes nothing. Lock order: the game's row, then the player's
statistics row (taken by a ledger), then nothing else; CONTRIBUTING.md tells where a user's own row comes.
"""

from __future__ import annotations

import datetime
import hashlib
import json
import secrets
import uuid
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from dataclasses import replace as replace_fields
from typing import Any

from django.db import IntegrityError, transaction
from django.db.models import Q, QuerySet
from django.utils.translation import gettext as _

from bakers import kinds
from bakers.answers import canonical
from bakers.models import MAX_PLIES, REMEMBERED_REQUESTS, Game, GameRequest
from bakers.players import Player
from bakers.problems import (
    BadPly,
    GameOpen,
    GameOver,
    IllegalMove,
    Invalid,
    NotFound,
    RequestIdReused,
    StaleVersion,
    TooManyPlies,
    UnreadableLayout,
)
from bakers.rules.cards import KING, rank_of
from bakers.rules.deals import LAST_DEAL_NUMBER, deal_columns, deck
from bakers.rules.errors import IllegalMoveError, UnreadableError
from bakers.rules.layouts import Layout, parse_layout
from bakers.rules.moves import Move, pack_line, parse_line
from bakers.rules.positions import Position
from bakers.rules.variants import VARIANTS, Variant
from config import clock

#: A pause longer than this counts as this long: the player has left the table.
LONGEST_PAUSE = datetime.timedelta(seconds=60)
#: Random deals have numbers up to this one: short enough to tell a friend, and too many to meet one twice.
LAST_RANDOM_DEAL = 999_999_999
#: How long guests' games are kept after they were last touched, and after they ended.
GUEST_OPEN_AGE = datetime.timedelta(days=30)
GUEST_FINISHED_AGE = datetime.timedelta(days=90)
#: How long a request may be repeated without effect, after the last move of its game.
REQUEST_AGE = datetime.timedelta(days=1)
#: How many games a player's list shows.
LISTED_GAMES = 30


@dataclass(frozen=True)
class Table:
    """A game with its position, as a use case leaves them.

    `game` may be unsaved: a deal that lies on the table before its first move.
    `replayed` is true when the request had been carried out before and changed nothing now.
    """

    game: Game
    position: Position
    replayed: bool = False
    created: bool = False


# Reading


def new_deal(*, variant: Variant, number: int | None = None) -> Table:
    """Lay a deal on the table without storing anything; a random one if no number is given."""
    game, position = _build(variant=variant, kind="casual", deal_number=number)
    return Table(game, position)


def new_board(*, variant: Variant, number: int, day: datetime.date, kind: str) -> Table:
    """Lay the deal of a board on the table without storing anything, for a game of that kind."""
    game, position = _build(variant=variant, kind=kind, deal_number=number)
    game.source, game.board_day = Game.Source.BOARD, day
    return Table(game, position)


def new_layout(*, layout: Layout) -> Table:
    """Lay an imported layout on the table without storing anything."""
    game, position = _build(variant=layout.variant, kind="practice", layout=layout)
    return Table(game, position)


def read_layout(*, variant: Variant, text: str, sink_kings: bool = False) -> Layout:
    """Return the layout that a text shows.

    Raises:
        UnreadableLayout: with line and token of what is wrong.
    """
    try:
        return parse_layout(variant, text, sink=sink_kings)
    except UnreadableError as error:
        raise UnreadableLayout(error.reason, detail={"line": error.line, "token": error.token}) from None


def find_game(*, player: Player | None, game_id: uuid.UUID) -> Table:
    """Return a player's own game.

    Raises:
        NotFound: it isn't there, or isn't theirs.
    """
    game = None if player is None else Game.objects.filter(player.owns(), pk=game_id).first()
    if game is None:
        raise NotFound(_("There is no such game, or it isn’t yours."))
    return Table(game, current_position(game))


def list_games(*, player: Player | None) -> list[Game]:
    """Return a player's games that have a move, the one played last first."""
    if player is None:
        return []
    games = Game.objects.filter(player.owns(), first_move_at__isnull=False).order_by("-last_move_at")
    return list(games[:LISTED_GAMES])


def latest_open_game(*, player: Player | None) -> Game | None:
    """Return the unfinished game that a player touched last."""
    if player is None:
        return None
    return (
        Game.objects.filter(player.owns(), first_move_at__isnull=False, status=Game.Status.OPEN)
        .order_by("-last_move_at")
        .first()
    )


def current_position(game: Game) -> Position:
    """Return the position of a game as stored; it has no moves to take back."""
    return Position.from_text(VARIANTS[game.variant], game.position)


def first_position(game: Game) -> Position:
    """Return the position before the first move, with its cards turned if the variant covers them."""
    dealt = Position.from_text(VARIANTS[game.variant], game.layout)
    return Position.dealt(dealt.variant, dealt.columns, dealt.foundations)


def random_deal_number(*, hidden: bool = False) -> int:
    """Return a deal number that nobody can foresee.

    One that is hidden from whoever plays it is one of so many that it can't be found by its cards either: of a covered
    deal those that lie open tell it from a few thousand million others.
    """
    return 1 + secrets.randbelow(LAST_DEAL_NUMBER if hidden else LAST_RANDOM_DEAL)


def deal_key(columns: Sequence[Sequence[int]]) -> str:
    """Return the hash by which a deal is known again.

    Neither the order of the columns nor that of the kings at their bottom plays a part, and a covered variant's
    kings count as sunk: one deal has one key in all variants of its number of columns.
    """
    canonical = sorted(
        sorted(card for card in column if rank_of(card) == KING)
        + [card for card in column if rank_of(card) != KING]
        for column in columns
    )
    return hashlib.sha256(json.dumps(canonical).encode()).hexdigest()


# Writing


def start_game(
    *,
    player: Player,
    variant: Variant,
    kind: str,
    deal_number: int | None = None,
    layout_text: str | None = None,
    sink_kings: bool = False,
    from_game: uuid.UUID | None = None,
    board: datetime.date | None = None,
    request_id: str | None = None,
    helped: bool = False,
    replace: bool = False,
    choose_deal: Callable[[], int] | None = None,
) -> Table:
    """Start a game and return it. Of random deals, `choose_deal` returns the one to play.

    A `request_id` that already started a game of this player returns that game, so that a repeated request starts
    no second one. Of a kind with one game at a time, an unplayed one is returned again; one that was played is refused
    by the kind, or with `replace` lost in the transaction that starts the new one.

    Raises:
        Invalid, NotFound, GameOpen, UnreadableLayout, RequestIdReused: nothing was stored.
        Problem: the kind refuses; nothing was stored.
    """
    plug = kinds.get(kind)
    start = kinds.Start(
        variant=variant.slug,
        deal_number=deal_number,
        has_layout=layout_text is not None,
        from_game=from_game is not None,
        board=board,
    )
    digest = body_digest(
        {
            "variant": variant.slug,
            "kind": kind,
            "deal": deal_number,
            "layout": layout_text,
            "sink_kings": sink_kings,
            "from_game": str(from_game) if from_game else None,
            "chosen": choose_deal is not None,
            "helped": helped,
            "replace": replace,
            # Only where there is one, so that requests of before there were boards keep their hash.
            **({"board": str(board)} if board else {}),
        }
    )
    asked = _Start(player, variant, kind, replace, request_id, digest)
    if earlier := asked.earlier():
        return earlier
    plug.may_start(player=player, start=start)
    board_deal = plug.board_of(start)
    if board_deal is not None:
        asked = replace_fields(asked, board_day=board_deal.day)
    # Before a deal is searched for, which takes its time and is no work for a transaction.
    if offered := asked.offered():
        return offered
    if board_deal is not None:
        laid = new_board(variant=variant, number=board_deal.deal_number, day=board_deal.day, kind=kind)
        game, position = laid.game, laid.position
    elif from_game is not None:
        game, position = _build_again(player=player, variant=variant, kind=kind, game_id=from_game)
    elif layout_text is not None:
        layout = read_layout(variant=variant, text=layout_text, sink_kings=sink_kings)
        if sum(layout.foundations) == 52:
            raise Invalid(
                _("All cards of this layout are home already."),
                detail={"fields": {"layout": ["Nothing to play."]}},
            )
        game, position = _build(variant=variant, kind=kind, layout=layout)
    else:
        if deal_number is None and choose_deal is not None:
            deal_number = choose_deal()
        game, position = _build(variant=variant, kind=kind, deal_number=deal_number)
    for name, value in player.fields().items():
        setattr(game, name, value)
    game.start_id, game.start_digest = request_id, digest
    game.helped = helped
    plug.on_start(game)
    while True:
        try:
            with transaction.atomic():
                if offered := asked.offered(lose=True):
                    return offered
                game.save(force_insert=True)
        except IntegrityError:
            # Another copy of this request came first; the constraint on start_id let one of them through.
            if earlier := asked.earlier():
                return earlier
            # Or another start of a kind with one game at a time did, and now there is a game to be offered.
            if not asked.finds_open_game():
                raise
        else:
            return Table(game, position, created=True)


def play(
    *,
    player: Player | None,
    game_id: uuid.UUID,
    request_id: str,
    version: int,
    at: int,
    moves: Sequence[Move],
) -> Table:
    """Take the line of a game back to ply `at`, then play `moves`: all of it or nothing.

    Raises:
        NotFound, RequestIdReused, GameOver, StaleVersion, BadPly, TooManyPlies, IllegalMove: nothing was changed.
    """
    digest = body_digest({"version": version, "at": at, "moves": pack_line(moves)})
    with _locked(player, game_id, request_id, digest, version) as locked:
        game = locked.game
        if locked.replayed:
            return Table(game, current_position(game), replayed=True)
        line = game.line
        ply = len(line) // 2
        if at > ply:
            raise BadPly(
                _("The line has %(ply)d moves; it can’t be taken back to move %(at)d.")
                % {"ply": ply, "at": at},
                table=Table(game, current_position(game)),
            )
        if at + len(moves) > MAX_PLIES:
            raise TooManyPlies(
                _("A game has at most %(limit)d moves.") % {"limit": MAX_PLIES}, detail={"limit": MAX_PLIES}
            )
        if at == ply and not moves:
            return Table(game, current_position(game))

        position = current_position(game) if at == ply else _position_at(game, at)
        try:
            position.play_line(moves)
        except IllegalMoveError as error:
            reason = _speakable(position, moves[: error.index + 1], error.reason)
            raise IllegalMove(
                reason,
                detail={"index": error.index, "move": moves[error.index].text, "reason": reason},
                table=Table(game, current_position(game)),
            ) from None

        now = clock.now()
        game.redo = _redo_after(tail=line[at * 2 :], redo=game.redo, moves=moves)
        game.line = line[: at * 2] + pack_line(moves)
        game.position = position.text()
        if game.last_move_at is not None:
            game.played_ms += _milliseconds(
                min(max(now - game.last_move_at, datetime.timedelta()), LONGEST_PAUSE)
            )
        game.last_move_at = now
        if game.first_move_at is None:
            game.first_move_at = now
            kinds.get(game.kind).on_first_move(game)
        if position.is_won():
            _verify_win(game)
            _finish(game, Game.Status.WON, now)
        locked.store()
        if game.status != Game.Status.OPEN:
            kinds.record_end(game)
    return Table(game, position)


def resign(*, player: Player | None, game_id: uuid.UUID, request_id: str, version: int) -> Table:
    """End an open game as lost.

    Raises:
        NotFound, RequestIdReused, GameOver, StaleVersion: nothing was changed.
    """
    digest = body_digest({"version": version, "resign": True})
    with _locked(player, game_id, request_id, digest, version) as locked:
        game = locked.game
        if not locked.replayed:
            _finish(game, Game.Status.LOST, clock.now())
            locked.store()
            kinds.record_end(game)
    return Table(game, current_position(game), replayed=locked.replayed)


def adopt(*, guest: uuid.UUID, user_id: int) -> int:
    """Hand a guest's games over to a user, and return how many there were.

    The games keep their ids. Requests that play them at the same moment come before or after, never in between.
    """
    with transaction.atomic():
        games = Game.objects.filter(guest=guest)
        adopted = list(games.select_for_update().order_by("pk").only("pk", "variant", "kind", "status"))
        count = _hand_over(games.filter(pk__in=[game.pk for game in adopted]), user_id)
        kinds.record_adoption(
            user_id, {(game.variant, game.kind) for game in adopted if game.status != Game.Status.OPEN}
        )
        return count


def erase_games(*, player: Player) -> int:
    """Delete all games of a player, with what hangs on them, and return how many games there were.

    Part of a larger erasure, in whose transaction their rows stay locked. Requests that play them at the same moment
    come before, and are deleted too, or find no game any more.
    """
    with transaction.atomic():
        games = Game.objects.filter(player.owns())
        keys = list(games.select_for_update().order_by("pk").values_list("pk", flat=True))
        games.delete()
        return len(keys)


def tidy_games(*, limit: int = 1_000) -> int:
    """Delete what nobody will come back to, up to `limit` rows of each sort, and return how many rows went.

    Guests' open games go 30 days after they were last touched and their finished ones after 90. Request ids go
    when their game has been untouched for a day, its end counted: no browser repeats a request that long.
    """
    now = clock.now()
    old_games = Game.objects.filter(guest__isnull=False).filter(
        Q(status=Game.Status.OPEN) & _played_before(now - GUEST_OPEN_AGE)
        | Q(finished_at__lt=now - GUEST_FINISHED_AGE)
    )
    yesterday = now - REQUEST_AGE
    old_requests = GameRequest.objects.filter(
        _played_before(yesterday, prefix="game__"),
        Q(game__finished_at__isnull=True) | Q(game__finished_at__lt=yesterday),
    )
    gone = 0
    for rows in (old_games, old_requests):
        keys = list(rows.values_list("pk", flat=True)[:limit])
        # Only what is still old: a guest may come back between the two statements.
        gone += rows.filter(pk__in=keys).delete()[0]
    return gone


# Inside


def _played_before(moment: datetime.datetime, *, prefix: str = "") -> Q:
    """Return the condition that a game was last played before a moment; an unplayed one, that it was started."""
    return Q(**{f"{prefix}last_move_at__lt": moment}) | Q(
        **{f"{prefix}last_move_at__isnull": True, f"{prefix}started_at__lt": moment}
    )


@dataclass
class _Locked:
    """A game whose row is locked, on behalf of one request."""

    game: Game
    request_id: str
    digest: str
    replayed: bool = False

    def store(self) -> None:
        """Store the changed game and the request that changed it."""
        game = self.game
        game.version += 1
        game.save(update_fields=_CHANGING_FIELDS)
        try:
            GameRequest.objects.create(
                game=game, request_id=self.request_id, digest=self.digest, version=game.version
            )
        except IntegrityError:
            # The version is current, so this id belongs to another request. Raising rolls everything back.
            raise _reused() from None
        if game.version % REMEMBERED_REQUESTS == 0:
            game.requests.filter(version__lte=game.version - REMEMBERED_REQUESTS).delete()


_CHANGING_FIELDS = [
    "status", "version", "line", "redo", "position", "first_move_at", "last_move_at", "finished_at", "played_ms",
]  # fmt: skip


@contextmanager
def _locked(
    player: Player | None, game_id: uuid.UUID, request_id: str, digest: str, version: int
) -> Iterator[_Locked]:
    """Lock a player's game for a request that was made for that version of it.

    The lock makes parallel requests take turns, so that each sees what the one before it did.
    """
    if player is None:
        raise NotFound(_("There is no such game, or it isn’t yours."))
    with transaction.atomic():
        try:
            game = Game.objects.select_for_update().get(player.owns(), pk=game_id)
        except Game.DoesNotExist:
            raise NotFound(_("There is no such game, or it isn’t yours.")) from None
        if player.user_id is not None and game.user_id is None:
            _hand_over(Game.objects.filter(pk=game.pk), player.user_id)
            game.refresh_from_db()
            if game.status != Game.Status.OPEN:
                kinds.record_adoption(player.user_id, {(game.variant, game.kind)})
        locked = _Locked(game, request_id, digest)
        if game.version != version or game.status != Game.Status.OPEN:
            # Only then can the request have been carried out before: doing so raised the version.
            earlier = game.requests.filter(
                request_id=request_id, version__gt=game.version - REMEMBERED_REQUESTS
            ).first()
            if earlier is not None and earlier.digest != digest:
                raise _reused()
            locked.replayed = earlier is not None
            if not locked.replayed and game.status != Game.Status.OPEN:
                raise GameOver(_("This game has ended."), table=Table(game, current_position(game)))
            if not locked.replayed:
                raise StaleVersion(
                    _("The game has moved on: it was played in another tab or on another device."),
                    table=Table(game, current_position(game)),
                )
        yield locked


def _hand_over(games: QuerySet[Game], user_id: int) -> int:
    """Make a guest's games, whose rows are locked, a user's."""
    # The id of a start need only be new to its player. The user's own stays, the guest's has served its purpose.
    starts = list(games.filter(start_id__isnull=False).values_list("start_id", flat=True))
    taken = Game.objects.filter(user_id=user_id, start_id__in=starts).values_list("start_id", flat=True)
    games.filter(start_id__in=list(taken)).update(start_id=None)
    return games.update(guest=None, user_id=user_id)


def _reused() -> RequestIdReused:
    return RequestIdReused(_("This request id was used before, for another request."))


def body_digest(body: dict[str, Any]) -> str:
    """Return the hash by which a repeated request is told from another with the same id."""
    return hashlib.sha256(json.dumps(body, sort_keys=True).encode()).hexdigest()


@dataclass(frozen=True)
class _Start:
    """A request to start a game."""

    player: Player
    variant: Variant
    kind: str
    replace: bool
    request_id: str | None
    digest: str
    #: The day of the board that is to be played, if it is one.
    board_day: datetime.date | None = None

    def earlier(self) -> Table | None:
        """Return the game that this request was answered with before."""
        if self.request_id is None:
            return None
        game = Game.objects.filter(self.player.owns(), start_id=self.request_id).first()
        digest = "" if game is None else game.start_digest
        if game is None and self._one_at_a_time:
            games = Game.objects.filter(self.player.owns(), kind=self.kind)
            note = GameRequest.objects.filter(game__in=games, request_id=self._note_id).first()
            if note is not None:
                game, digest = note.game, note.digest
        if game is None:
            return None
        if digest != self.digest:
            raise _reused()
        return Table(game, current_position(game), replayed=True)

    def offered(self, *, lose: bool = False) -> Table | None:
        """Return the game that answers this request, of a kind with one game at a time or a board; it is locked.

        A player's game on a board is offered again whatever became of it. Where one game at a time is open, one that
        was played is refused by its kind; if it may be replaced, `lose` ends it.
        """
        if self._one_a_board:
            game = self._games_on_board().first()
            return None if game is None else Table(game, current_position(game))
        if not self._one_at_a_time:
            return None
        with transaction.atomic():
            return self._offered(lose=lose)

    def _offered(self, *, lose: bool) -> Table | None:
        game = self._open_games().select_for_update().first()
        if game is None:
            return None
        # Only now is it certain that no copy of this request is on its way to lose what the first has started.
        if earlier := self.earlier():
            return earlier
        table = Table(game, current_position(game))
        if game.first_move_at is None:
            if self.request_id is not None:
                # Repeated after the first move, the request mustn't be refused, and still less lose the game.
                game.requests.create(request_id=self._note_id, digest=self.digest, version=game.version)
            return table
        if not self.replace:
            kinds.get(self.kind).refuse_second(table)
        if lose:
            _finish(game, Game.Status.LOST, clock.now())
            game.version += 1
            game.save(update_fields=_CHANGING_FIELDS)
            kinds.record_end(game)
        return None

    def finds_open_game(self) -> bool:
        """Return whether the player has a game that is to be offered."""
        if self._one_a_board:
            return self._games_on_board().exists()
        return self._one_at_a_time and self._open_games().exists()

    @property
    def _one_a_board(self) -> bool:
        return kinds.get(self.kind).one_a_board

    def _games_on_board(self) -> QuerySet[Game]:
        return Game.objects.filter(
            self.player.owns(), variant=self.variant.slug, kind=self.kind, board_day=self.board_day
        )

    @property
    def _one_at_a_time(self) -> bool:
        return kinds.get(self.kind).one_at_a_time

    @property
    def _note_id(self) -> str:
        # Another word than the id itself, which may be that of a move too.
        return body_digest({"offered": self.request_id})

    def _open_games(self) -> QuerySet[Game]:
        return Game.objects.filter(
            self.player.owns(), variant=self.variant.slug, kind=self.kind, status=Game.Status.OPEN
        )


def _build(
    *, variant: Variant, kind: str, deal_number: int | None = None, layout: Layout | None = None
) -> tuple[Game, Position]:
    """Return an unsaved game without an owner, and its first position; a random deal if none is given."""
    columns: Sequence[Sequence[int]]
    foundations: Sequence[int]
    if layout is not None:
        columns, foundations = layout.columns, layout.foundations
    else:
        deal_number = deal_number or random_deal_number()
        columns, foundations = deal_columns(variant, deck(deal_number))
    position = Position.dealt(variant, columns, foundations)
    game = Game(
        variant=variant.slug,
        kind=kind,
        source=Game.Source.NUMBER if layout is None else Game.Source.LAYOUT,
        deal_number=None if deal_number is None else str(deal_number),
        deal_key=deal_key(columns),
        answer_key=canonical(position).key,
        layout=Position(variant, columns, foundations).text(),
        position=position.text(),
    )
    return game, position


def _build_again(*, player: Player, variant: Variant, kind: str, game_id: uuid.UUID) -> tuple[Game, Position]:
    """Return an unsaved game with the deal of an ended one of the same player."""
    earlier = find_game(player=player, game_id=game_id).game
    if earlier.variant != variant.slug:
        raise Invalid(
            _("That game was played in another variant."), detail={"fields": {"variant": [earlier.variant]}}
        )
    if earlier.status == Game.Status.OPEN:
        raise GameOpen(_("That game hasn’t ended yet."))
    kinds.get(earlier.kind).may_repeat(earlier)
    position = first_position(earlier)
    game = Game(
        variant=variant.slug,
        kind=kind,
        source=earlier.source,
        deal_number=earlier.deal_number,
        board_day=earlier.board_day,
        deal_key=earlier.deal_key,
        answer_key=canonical(position).key,
        layout=earlier.layout,
        position=position.text(),
    )
    return game, position


def _position_at(game: Game, ply: int) -> Position:
    """Return the position of a game after the first `ply` moves of its line, which were checked when played."""
    position = first_position(game)
    for move in parse_line(game.line[: ply * 2]):
        position.push(move)
    return position


def _speakable(position: Position, moves: Sequence[Move], reason: str) -> str:
    """Return the reason why the last of these moves isn't legal, if the player may hear it.

    The moves before it may have turned cards up that lie covered as long as the batch isn't played: a batch that is
    refused must not tell which.
    """
    covered = position.covered_cards()
    if not covered:
        return reason
    thought = position.copy()
    *before, last = moves
    for move in before:
        thought.push(move)
    places = [place for place in last if 0 <= place < len(thought.columns)]
    if any(thought.columns[place] and thought.columns[place][-1] in covered for place in places):
        return _("This move isn’t legal after the moves before it.")
    return reason


def _redo_after(*, tail: str, redo: str, moves: Sequence[Move]) -> str:
    """Return the redo tail once `tail` was cut off the line and `moves` were played.

    Playing the first move of the tail shortens it; any other move drops it.
    """
    redo = tail + redo
    for move in moves:
        if not redo:
            break
        redo = redo[2:] if redo.startswith(move.text) else ""
    return redo


def _finish(game: Game, status: Game.Status, now: datetime.datetime) -> None:
    game.status = status
    game.finished_at = now
    kinds.get(game.kind).on_finish(game)


def _verify_win(game: Game) -> None:
    """Replay a won game from its deal, so that no fault of the kept position can make a win."""
    position = first_position(game)
    position.play_line(game.line)
    if not position.is_won():
        raise RuntimeError(f"The line of game {game.pk} doesn't win its deal.")


def _milliseconds(duration: datetime.timedelta) -> int:
    return duration // datetime.timedelta(milliseconds=1)
