"""Help with a game or a deal: hints, verdicts, the move that lost it, solutions, deals that can be won.

Help is asked of the registry of kinds and of all guards before anything is looked up. Help with a running game marks
the game, except for the verdict, which tells no move. Searches are short here; longer ones go on in the background,
and the caller asks again.
"""

from __future__ import annotations

import time
import uuid
from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from django.utils.translation import gettext as _

from bakers import answers, games, kinds, limits, tasks
from bakers.answers import Known, Par
from bakers.kinds import HelpRequest, HelpSort
from bakers.models import Game, Search
from bakers.problems import BadPly, Busy, IllegalMove, Invalid, StaleVersion, Throttled
from bakers.rules.cards import CARD_NAMES, Card
from bakers.rules.deals import deal_columns, deck
from bakers.rules.errors import IllegalMoveError
from bakers.rules.moves import HOME, Move, parse_line
from bakers.rules.positions import Position
from bakers.rules.variants import Variant
from bakers.solver import LAST_RESORT, QUICK_BUDGET, Outcome, Reason

if TYPE_CHECKING:
    from bakers.players import Player

#: Earlier positions of a game that a hint looks at for a line that goes on from them, and that a verdict looks at.
HINT_BACK = 30
VERDICT_BACK = 8
#: Expansions a GET of a deal's page may cost.
PAGE_BUDGET = 3_000
#: Deals that are tried for one that can be won; of a hundred deals of the hardest variant 95 can.
MOST_SHUFFLES = 30
#: Seconds that a deal which can be won may wait for other searches.
WINNABLE_TURN_SECONDS = 5.0
#: Searches of one caller a minute: quick ones, whose answers weren't known, and such as go on in the background.
SEARCHES_A_MINUTE = 240
DEEP_SEARCHES_A_MINUTE = 30
#: So many times as much may all users at one address together: a school may be behind one, or one with many accounts.
USERS_AN_ADDRESS = 5
#: Searches of one caller that may go on in the background at a time.
DEEP_AT_A_TIME = 4
#: Seconds after which one of them may have ended.
DEEP_RETRY_SECONDS = 5
#: Seconds that a post-mortem may wait for other searches, all its positions together.
POSTMORTEM_TURN_SECONDS = 2.0
#: Positions that a post-mortem leaves to background searches at a time.
DEEP_AT_ONCE = 2


#: Whose searches are counted together, as `bakers.limits.callers` says it: an address, or a user and an address.
Callers = tuple[str, ...]


@dataclass(frozen=True)
class Lost:
    """Where a game was lost: from `last_won_ply` it could be won, at `first_lost_ply` it couldn't any more.

    Plies between them aren't decided; `busy` says that some weren't even looked at, since others searched.
    `last_won_ply` is None when no position is known that could be won.
    """

    last_won_ply: int | None
    first_lost_ply: int | None
    busy: bool = False


@dataclass(frozen=True)
class Hint:
    """The next move of a line that wins, or why there is none."""

    game: Game
    outcome: Outcome
    why: str
    pending: bool = False
    move: Move | None = None
    card: str | None = None
    target: str | None = None
    moves_left: int | None = None
    back_to: Lost | None = None


@dataclass(frozen=True)
class LampVerdict:
    """Whether a game can still be won."""

    game: Game
    outcome: Outcome
    reason: str | None
    pending: bool = False


@dataclass(frozen=True)
class Postmortem:
    """Where a game was lost, and how it would have been won from the last position where it could be."""

    game: Game
    outcome: Outcome
    lost: Lost
    why: str
    pending: bool = False
    losing_move: Move | None = None
    card: str | None = None
    target: str | None = None
    line: tuple[Move, ...] = ()


@dataclass(frozen=True)
class Solution:
    """A line that wins from a ply of a game's own line; `start` is the position at that ply."""

    game: Game
    ply: int
    start: Position
    outcome: Outcome
    reason: str
    line: tuple[Move, ...] | None
    par: Par | None
    pending: bool = False


@dataclass(frozen=True)
class Solved:
    """What is known of a deal, a layout, or a position that moves lead to from one.

    `move` is the first of some line that wins, which may be longer than `line`, a short one, or come before it.
    """

    variant: Variant
    position: Position
    deal_number: int | None
    outcome: Outcome
    reason: str
    move: Move | None
    line: tuple[Move, ...] | None
    expanded: int
    par: Par | None
    level: int | None
    pending: bool = False


@dataclass(frozen=True)
class Proof:
    """What it took to find a deal that can be won.

    Attributes:
        shuffles: deals looked at, the one found included.
        expanded: expansions of all of them.
        milliseconds: processor time of all of them.
    """

    shuffles: int
    expanded: int
    milliseconds: float


# Of a game


def hint(
    *, player: Player | None, who: Callers, game_id: uuid.UUID, version: int, deeper: bool = False
) -> Hint:
    """Return the next move of a line that wins from where a game stands.

    Whoever plays nothing but hints wins, and meets no position twice: of what is known a hint takes the shortest line,
    and a line that is being followed is known at every step.

    Args:
        player: who asks.
        who: whose searches are counted together.
        game_id: a game of theirs.
        version: the version of the game that is asked about.
        deeper: go on searching in the background if it isn't decided yet.

    Raises:
        NotFound, StaleVersion, HelpRefused, Throttled: nothing was changed.
    """
    table = _table(player, game_id, version)
    game, position = table.game, table.position
    _check(player, table, "hint")
    if position.is_won():
        return Hint(game, Outcome.WON, _("All cards are home."))
    start, line = games.first_position(game), parse_line(game.line)
    known = answers.follow(start, line, back=HINT_BACK)
    if known is None or known.outcome is Outcome.UNKNOWN:
        _count_search(who)
        known = answers.settle(position)
    if known is not None and known.outcome is Outcome.WON:
        # The lamp, or whoever asked before, may have been content with any line.
        known = answers.shorten(position, known)
    if known is None or (known.outcome is not Outcome.LOST and not known.line):
        pending = deeper and _go_deeper(who, position)
        return Hint(
            game,
            Outcome.UNKNOWN,
            _("It isn’t decided yet whether this can be won."),
            pending or known is None,
        )
    if not known.line:
        lost = _bisect(start, line)
        return Hint(game, Outcome.LOST, _lost_sentence(lost), lost.busy, back_to=lost)
    _mark_helped(game)
    move = known.line[0]
    card, target = _card_and_target(position, move)
    return Hint(
        game,
        Outcome.WON,
        _("The next move of a line that wins in %(moves)d moves.") % {"moves": len(known.line)},
        move=move,
        card=card,
        target=target,
        moves_left=len(known.line),
    )


def verdict(*, player: Player | None, who: Callers, game_id: uuid.UUID, version: int) -> LampVerdict:
    """Return whether a game can still be won: now if a short search decides it, or later by asking again.

    Raises:
        NotFound, StaleVersion, HelpRefused, Throttled: nothing was changed.
    """
    table = _table(player, game_id, version)
    game, position = table.game, table.position
    _check(player, table, "verdict")
    if position.is_won():
        return LampVerdict(game, Outcome.WON, None)
    line = parse_line(game.line)
    known = answers.follow(games.first_position(game), line, back=VERDICT_BACK)
    if known is None or (known.outcome is Outcome.UNKNOWN and known.expanded < QUICK_BUDGET):
        _count_search(who)
        known = answers.settle(position)
    if known is None:
        return LampVerdict(game, Outcome.UNKNOWN, None, pending=True)
    if known.outcome is not Outcome.UNKNOWN:
        return LampVerdict(game, known.outcome, known.explanation)
    pending = _deepen_lamp(who, game, position, known)
    return LampVerdict(game, Outcome.UNKNOWN, known.explanation, pending=pending)


def postmortem(
    *, player: Player | None, who: Callers, game_id: uuid.UUID, version: int, deeper: bool = False
) -> Postmortem:
    """Return the move that lost a game, found by bisection: once lost, always lost.

    Raises:
        NotFound, StaleVersion, HelpRefused, Throttled: nothing was changed.
    """
    table = _table(player, game_id, version)
    game, position = table.game, table.position
    _check(player, table, "solution")
    if position.is_won():
        return Postmortem(game, Outcome.WON, Lost(len(game.line) // 2, None), _("This game was won."))
    _count_search(who)
    start, line = games.first_position(game), parse_line(game.line)
    lost = _bisect(start, line)
    if lost.last_won_ply is not None:
        _check(player, table, "solution", _position_at(start, line, lost.last_won_ply))
    outcome = Outcome.LOST
    if lost.first_lost_ply is None:
        outcome = Outcome.WON if lost.last_won_ply == len(line) else Outcome.UNKNOWN
    pending = lost.busy or (deeper and _deepen_between(who, start, line, lost))
    goes_on: tuple[Move, ...] = ()
    if lost.last_won_ply is not None:
        goes_on = _good_line(who, _position_at(start, line, lost.last_won_ply)) or ()
    move = card = target = None
    if lost.last_won_ply is not None and lost.first_lost_ply == lost.last_won_ply + 1:
        move = line[lost.last_won_ply]
        card, target = _card_and_target(_position_at(start, line, lost.last_won_ply), move)
    _mark_helped(game)
    return Postmortem(
        game, outcome, lost, _lost_sentence(lost, ply=len(line)), pending, move, card, target, goes_on
    )


def solution(
    *,
    player: Player | None,
    who: Callers,
    game_id: uuid.UUID,
    version: int,
    ply: int = 0,
    deeper: bool = False,
) -> Solution:
    """Return a short line that wins from a ply of a game's own line, and what is known of the deal's par.

    Raises:
        NotFound, StaleVersion, HelpRefused, Throttled: nothing was changed.
        BadPly: the line isn't that long.
    """
    table = _table(player, game_id, version)
    game = table.game
    line = parse_line(game.line)
    if ply > len(line):
        raise BadPly(
            _("The line has %(ply)d moves; there is no move %(at)d.") % {"ply": len(line), "at": ply},
            table=table,
        )
    start = games.first_position(game)
    position = _position_at(start, line, ply)
    _check(player, table, "solution", position)
    known, pending = _solve(who, position, deeper=deeper)
    par, par_pending = _par(who, start, asked=False)
    if ply == 0 and par is not None:
        known = answers.find(start) or known
    _mark_helped(game)
    return Solution(
        game,
        ply,
        position,
        known.outcome if known is not None else Outcome.UNKNOWN,
        (known.explanation if known is not None else Reason.DEADLINE.sentence),
        None if known is None else known.short_line,
        par,
        pending or par_pending,
    )


# Of a deal


def solve(
    *,
    player: Player | None,
    who: Callers,
    variant: Variant,
    deal_number: int | None = None,
    layout_text: str | None = None,
    sink_kings: bool = False,
    line: Sequence[Move] = (),
    budget: int = QUICK_BUDGET,
    deeper: bool = False,
    with_par: bool = False,
    with_rating: bool = False,
) -> Solved:
    """Return what is known of a deal or layout, or of the position that a line leads to from it.

    Args:
        player: who asks.
        who: whose searches are counted together.
        variant: the rules.
        deal_number: the deal; or
        layout_text: a layout, of which `sink_kings` sinks the kings.
        sink_kings: see above.
        line: moves to play first.
        budget: expansions that the answer to this call may cost.
        deeper: go on searching in the background if it isn't decided then.
        with_par: look for short lines in the background too.
        with_rating: rate how hard it is, if it is a deal or a layout that can be won.

    Raises:
        UnreadableLayout, IllegalMove, HelpRefused, Throttled: nothing was changed.
    """
    columns: Sequence[Sequence[Card]]
    if layout_text is not None:
        layout = games.read_layout(variant=variant, text=layout_text, sink_kings=sink_kings)
        columns, position = layout.columns, layout.position()
    elif deal_number is not None:
        position, columns = _deal(variant, deal_number)
    else:
        raise Invalid(
            _("Give a deal or a layout."), detail={"fields": {"deal": ["Give a deal or a layout."]}}
        )
    try:
        position.play_line(line)
    except IllegalMoveError as error:
        raise IllegalMove(
            error.reason,
            detail={"index": error.index, "move": line[error.index].text, "reason": error.reason},
        ) from None
    kinds.check_help(
        HelpRequest(player, variant.slug, position, games.deal_key(columns)),
        "solution",
    )
    known, pending = _solve(who, position, budget=budget, deeper=deeper)
    if with_par and known is not None and known.outcome is Outcome.WON:
        _known_par, par_pending = _par(who, position, asked=True)
        known, pending = answers.find(position) or known, pending or par_pending
    if with_rating and known is not None and not line and known.level is None:
        _count_search(who)
        known = answers.rate_deal(position, known)
    return _solved(variant, position, deal_number, known, pending=pending)


def look_at_deal(*, player: Player | None, who: Callers, variant: Variant, deal_number: int) -> Solved:
    """Return what is known of a deal, after a search of `PAGE_BUDGET` expansions at most.

    Raises:
        HelpRefused: somebody guards it.
        Throttled: nothing is known and the caller has asked for many.
    """
    position, columns = _deal(variant, deal_number)
    kinds.check_help(HelpRequest(player, variant.slug, position, games.deal_key(columns)), "solution")
    known = answers.find(position)
    if known is None or (known.outcome is Outcome.UNKNOWN and known.expanded < PAGE_BUDGET):
        _count_search(who)
        known = answers.settle(position, budget=PAGE_BUDGET)
    return _solved(variant, position, deal_number, known, pending=False)


def winnable_deal(
    *, player: Player | None, who: Callers, variant: Variant, hidden: bool = False
) -> tuple[int, Proof]:
    """Return the number of a random deal that is proved to be winnable; `hidden` if its player isn't told it.

    Raises:
        Throttled: the caller has asked for many.
        Busy: other searches took all the time.
    """
    _count_search(who)
    expanded, milliseconds = 0, 0.0
    for shuffles in range(1, MOST_SHUFFLES + 1):
        deal_number = games.random_deal_number(hidden=hidden)
        position, columns = _deal(variant, deal_number)
        asked = HelpRequest(player, variant.slug, position, games.deal_key(columns))
        if not kinds.allows_help(asked, "verdict"):
            continue
        begun = time.thread_time()
        known = answers.settle(position, wait=WINNABLE_TURN_SECONDS)
        milliseconds += (time.thread_time() - begun) * 1000
        if known is None:
            break
        expanded += known.expanded
        if known.outcome is Outcome.WON:
            return deal_number, Proof(shuffles, expanded, milliseconds)
    raise Busy(_("The server is busy. Please try again in a moment."))


# Inside


def _table(player: Player | None, game_id: uuid.UUID, version: int) -> games.Table:
    table = games.find_game(player=player, game_id=game_id)
    if table.game.version != version:
        raise StaleVersion(
            _("The game has moved on: it was played in another tab or on another device."), table=table
        )
    return table


def _check(player: Player | None, table: games.Table, sort: HelpSort, *more: Position) -> None:
    """Ask whether there may be help with a game: with where it stands, where it began, and other positions of it.

    A line from an earlier position is no less help for being asked for when little is left to compare.
    """
    game = table.game
    for position in (table.position, games.first_position(game), *more):
        kinds.check_help(HelpRequest(player, game.variant, position, game.deal_key, game), sort)


def _count_search(who: Callers) -> None:
    _take("search", who, SEARCHES_A_MINUTE)


def _take(scope: str, who: Callers, limit: int) -> None:
    """Count a search against what one caller may a minute, and users also against what their address may."""
    user_or_address, *shared = who
    limits.take(scope, user_or_address, limit=limit, seconds=60)
    for address in shared:
        limits.take(f"{scope} shared", address, limit=limit * USERS_AN_ADDRESS, seconds=60)


def _mark_helped(game: Game) -> None:
    """Note that a running game was helped; what is asked of an ended one changes nothing about it."""
    if game.status == Game.Status.OPEN and not game.helped:
        game.helped = bool(Game.objects.filter(pk=game.pk, status=Game.Status.OPEN).update(helped=True))


def _deal(variant: Variant, number: int) -> tuple[Position, Sequence[Sequence[Card]]]:
    columns, foundations = deal_columns(variant, deck(number))
    return Position.dealt(variant, columns, foundations), columns


def _position_at(start: Position, line: Sequence[Move], ply: int) -> Position:
    position = start.copy()
    for move in line[:ply]:
        position.push(move)
    return position.copy()


def _good_line(who: Callers, position: Position) -> tuple[Move, ...] | None:
    """Return a line that is good to follow from a position that can be won, or see to it that there will be one."""
    known = answers.find(position)
    if known is None or known.outcome is not Outcome.WON:
        return None
    known = answers.shorten(position, known)
    if known.short_line is None:
        _order_if_free(who, position, Search.Purpose.PAR)
    return known.short_line


def _solve(
    who: Callers, position: Position, *, budget: int = QUICK_BUDGET, deeper: bool
) -> tuple[Known | None, bool]:
    """Return what is known of a position after a short search, and whether asking again may tell more.

    Where a short line isn't found at once, the background is left to find one.
    """
    if position.is_won():
        return Known(Outcome.WON, Reason.LINE, (), 0, par_expanded=1), False
    known = answers.find(position)
    if known is None or (known.outcome is Outcome.UNKNOWN and known.expanded < budget):
        _count_search(who)
        known = answers.settle(position, budget=budget)
    if known is None:
        return None, True
    if known.outcome is Outcome.WON:
        known = answers.shorten(position, known)
        if not known.par_expanded:
            return known, _order_if_free(who, position, Search.Purpose.PAR)
        return known, False
    if known.outcome is Outcome.LOST:
        return known, False
    if deeper:
        return known, _go_deeper(who, position)
    return known, answers.is_searching(position, Search.Purpose.VERDICT)


def _par(who: Callers, start: Position, *, asked: bool) -> tuple[Par | None, bool]:
    """Return what is known of a deal's par, and whether a search for it goes on; it is begun if there was none.

    Raises:
        Throttled: it was asked for, and the caller has asked for many.
    """
    known = answers.find(start)
    if known is None or known.outcome is not Outcome.WON:
        return None, False
    if known.lower_bound is None:
        order = _order if asked else _order_if_free
        order(who, start, Search.Purpose.PAR)
    # What was improved for as long as it may be is as good as it gets.
    pending = not known.proven and answers.is_searching(start, Search.Purpose.PAR)
    return known.par, pending


def _go_deeper(who: Callers, position: Position) -> bool:
    """Queue the last resort's search; false when that was done already and decided nothing."""
    known = answers.find(position)
    if known is not None and known.expanded >= LAST_RESORT:
        return False
    _order(who, position, Search.Purpose.VERDICT, budget=LAST_RESORT)
    return True


def _order(
    who: Callers,
    position: Position,
    purpose: Search.Purpose,
    *,
    budget: int | None = None,
    game: Game | None = None,
) -> None:
    """See to it that a search goes on; only one that didn't yet is counted.

    Raises:
        Throttled: the caller has many already.
    """
    if not answers.is_searching(position, purpose):
        _take("deep", who, DEEP_SEARCHES_A_MINUTE)
        if answers.searches_of(who[0]) >= DEEP_AT_A_TIME:
            raise Throttled(retry_after=DEEP_RETRY_SECONDS)
    tasks.enqueue_search(position, purpose, budget=budget, game=game, who=who[0])


def _order_if_free(
    who: Callers, position: Position, purpose: Search.Purpose, *, game: Game | None = None
) -> bool:
    """Do the same for what wasn't asked for by name, and say whether the search goes on: it isn't refused but left."""
    try:
        _order(who, position, purpose, game=game)
    except Throttled:
        return False
    return True


def _deepen_lamp(who: Callers, game: Game, position: Position, known: Known) -> bool:
    """Queue one deep search for where a game stands; false when that was done already and decided nothing."""
    if known.expanded >= answers.DEFAULT_BUDGET or game.status != Game.Status.OPEN:
        return False
    return _order_if_free(who, position, Search.Purpose.VERDICT, game=game)


def _deepen_between(who: Callers, start: Position, line: Sequence[Move], lost: Lost) -> bool:
    """Queue searches for positions that keep a post-mortem from being exact; false when none are left to try."""
    low = -1 if lost.last_won_ply is None else lost.last_won_ply
    high = len(line) + 1 if lost.first_lost_ply is None else lost.first_lost_ply
    between = list(range(low + 1, high))
    # The middle one first: whatever it turns out to be, half of the others need no search.
    between.sort(key=lambda ply: abs(2 * ply - low - high))
    queued = 0
    for ply in between:
        if queued < DEEP_AT_ONCE and _go_deeper(who, _position_at(start, line, ply)):
            queued += 1
    return queued > 0


def _bisect(start: Position, line: Sequence[Move]) -> Lost:
    """Find the last ply that could be won and the first that couldn't, as far as short searches decide.

    What isn't decided is taken for lost while the one is looked for, and for won while the other is.
    """
    decided: dict[int, Outcome] = {}
    gives_up = time.monotonic() + POSTMORTEM_TURN_SECONDS
    busy = False

    def outcome(ply: int) -> Outcome:
        nonlocal busy
        if ply not in decided:
            position = _position_at(start, line, ply)
            known = answers.settle(position, wait=max(gives_up - time.monotonic(), 0.0))
            busy = busy or known is None
            decided[ply] = Outcome.WON if position.is_won() else known.outcome if known else Outcome.UNKNOWN
        return decided[ply]

    low, high = -1, len(line) + 1
    while high - low > 1:
        middle = (low + high) // 2 if high <= len(line) else len(line)
        low, high = (middle, high) if outcome(middle) is Outcome.WON else (low, middle)
    high = len(line) + 1
    while high - low > 1:
        middle = (low + high) // 2 if high <= len(line) else len(line)
        low, high = (low, middle) if outcome(middle) is Outcome.LOST else (middle, high)
    won = [ply for ply, known in decided.items() if known is Outcome.WON]
    lost = [ply for ply, known in decided.items() if known is Outcome.LOST]
    return Lost(max(won, default=None), min(lost, default=None), busy)


def _lost_sentence(lost: Lost, *, ply: int | None = None) -> str:
    won, first = lost.last_won_ply, lost.first_lost_ply
    if first is None:
        if won is not None and won == ply:
            return _("This game can still be won from here.")
        return _("It isn’t decided yet where this game was lost.")
    if first == 0:
        return _("This deal can’t be won.")
    if won is None:
        return _("The game was lost at move %(move)d or before.") % {"move": first}
    if first == won + 1:
        return _("Move %(move)d lost the game: until then it could be won.") % {"move": first}
    return _("The game was lost between move %(first)d and move %(last)d.") % {
        "first": won + 1,
        "last": first,
    }


def _card_and_target(position: Position, move: Move) -> tuple[str, str]:
    """Return the card that a move takes, and what it goes on: a card's name, `home` or `empty`."""
    card = CARD_NAMES[position.columns[move.source][-1]]
    if move.target == HOME:
        return card, "home"
    column = position.columns[move.target]
    return card, CARD_NAMES[column[-1]] if column else "empty"


def _solved(
    variant: Variant,
    position: Position,
    deal_number: int | None,
    known: Known | None,
    *,
    pending: bool,
) -> Solved:
    if known is None:
        known, pending = Known(Outcome.UNKNOWN, Reason.DEADLINE), True
    return Solved(
        variant,
        position,
        deal_number,
        known.outcome,
        known.explanation,
        known.line[0] if known.line else None,
        known.short_line,
        known.expanded,
        known.par,
        known.level,
        pending,
    )
