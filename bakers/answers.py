"""What is known of positions, and the searches that find out.

Answers are stored by position and variant and serve every game. A web process runs one search at a time: threads share
its processor, and a second search would only make both late. Nothing here searches inside a transaction.
"""

from __future__ import annotations

import datetime
import hashlib
import threading
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from enum import StrEnum
from typing import TypedDict

import structlog
from django.db import IntegrityError, transaction
from django.db.models import F, Q
from django.db.models.functions import Greatest
from django.utils.crypto import salted_hmac

from bakers.models import CHEAP, Answer, Game, Search
from bakers.rules.moves import COLUMN_CHARS, HOME_CHAR, MOVES_BY_TEXT, Move, pack_line
from bakers.rules.positions import Position
from bakers.solver import (
    DEFAULT_BUDGET,
    QUICK_BUDGET,
    Decision,
    Outcome,
    ParSearch,
    Reason,
    decide,
    rate_won,
    short_line,
)
from config import clock

log = structlog.get_logger(__name__)

#: Seconds of its processor's time that a request's search may take, and a search for a line that is good to follow.
REQUEST_SECONDS = 0.05
LINE_SECONDS = 0.08
#: On a busy machine it may take so many times as long by the clock.
BUSY_FACTOR = 5
#: Seconds that a request's search waits for another one to end first.
TURN_SECONDS = 0.1
#: Seconds a background task searches; it ends in two.
TASK_SECONDS = 1.5
#: Seconds between two looks at whether a background search is still wanted.
ASK_SECONDS = 0.2
#: Rounds a background search may take: about a minute for a verdict, a quarter of that for a short line.
VERDICT_ROUNDS = 40
PAR_ROUNDS = 10
PAR_BUDGET = 50_000_000
#: A search whose task hasn't been seen for this long is queued again.
LOST_AFTER = datetime.timedelta(seconds=60)
#: By how much the clocks of two machines may differ.
CLOCK_SKEW = datetime.timedelta(seconds=10)
#: How long an answer is kept that a moment would find again.
ANSWER_AGE = datetime.timedelta(days=60)
#: Searches of each purpose that a worker keeps in memory between two rounds: a verdict doesn't wait for a short line.
KEPT_SEARCHES = 1


@dataclass(frozen=True)
class Par:
    """The moves of the shortest line known of a deal, and the bound below which there is none."""

    moves: int
    proven: bool
    lower_bound: int


@dataclass(frozen=True)
class Known:
    """What is known of a position.

    Attributes:
        outcome: won, lost or unknown.
        reason: how the outcome is known, or why it isn't; a sentence is `explanation`.
        line: the shortest line known that wins, in the position's own columns; None unless won.
        lower_bound: no line has fewer moves; None until that was looked into.
        expanded: expansions spent on the verdict.
        level: how hard it is, 1 to 5, if that was asked.
        par_expanded: expansions spent on short lines; of a line for which it is 0 nobody knows whether it is short.
    """

    outcome: Outcome
    reason: Reason
    line: tuple[Move, ...] | None = None
    lower_bound: int | None = None
    expanded: int = 0
    par_expanded: int = 0
    level: int | None = None

    @property
    def moves(self) -> int | None:
        """The length of the line."""
        return None if self.line is None else len(self.line)

    @property
    def proven(self) -> bool:
        """Whether no line is shorter."""
        return self.line is not None and len(self.line) == self.lower_bound

    @property
    def short_line(self) -> tuple[Move, ...] | None:
        """The line if it is one to show to people: one that was only to prove a verdict takes cards there and back."""
        return self.line if self.par_expanded else None

    @property
    def par(self) -> Par | None:
        """Par as far as it was looked into: the first line that comes along is none."""
        if self.line is None or self.lower_bound is None:
            return None
        return Par(len(self.line), self.proven, self.lower_bound)

    @property
    def explanation(self) -> str:
        """One sentence: how the outcome is known, or why it isn't."""
        return self.reason.sentence


@dataclass(frozen=True)
class Canonical:
    """A position with its columns sorted, which stands for all that differ in their order alone.

    Attributes:
        key: the hash of the sorted position and its variant.
        text: the sorted position, in the form of `Position.text`.
        order: for each column of the sorted position its index in the given one.
    """

    key: str
    text: str
    order: tuple[int, ...]

    def own(self, line: str) -> tuple[Move, ...]:
        """Return a stored line in the columns of the given position."""
        names = {COLUMN_CHARS[new]: COLUMN_CHARS[old] for new, old in enumerate(self.order)}
        names[HOME_CHAR] = HOME_CHAR
        return tuple(MOVES_BY_TEXT[names[line[at]] + names[line[at + 1]]] for at in range(0, len(line), 2))

    def stored(self, line: Sequence[Move]) -> str:
        """Return a line of the given position as it is stored."""
        names = {COLUMN_CHARS[old]: COLUMN_CHARS[new] for new, old in enumerate(self.order)}
        names[HOME_CHAR] = HOME_CHAR
        return "".join(names[char] for char in pack_line(line))


def canonical(position: Position) -> Canonical:
    """Return what a position is stored by. Covered cards count as what they are, and as covered."""
    order = tuple(
        sorted(
            range(len(position.columns)),
            key=lambda index: (position.columns[index], position.covered[index], position.sunk[index]),
        )
    )
    text = Position(
        position.variant,
        [position.columns[index] for index in order],
        position.foundations,
        covered=[position.covered[index] for index in order],
        sunk=[position.sunk[index] for index in order],
    ).text()
    key = hashlib.sha256(f"{position.variant.slug} {text}".encode()).hexdigest()
    return Canonical(key, text, order)


# Reading


def find(position: Position) -> Known | None:
    """Return what is stored of a position; None if nothing is."""
    return find_all([position])[0]


def find_all(positions: Sequence[Position]) -> list[Known | None]:
    """Return what is stored of each of some positions of one variant, in one query."""
    forms = [canonical(position) for position in positions]
    rows = {
        row.key: row
        for row in Answer.objects.filter(
            variant=positions[0].variant.slug, key__in=[form.key for form in forms]
        )
    }
    return [_known(rows[form.key], form) if form.key in rows else None for form in forms]


def follow(start: Position, line: Sequence[Move], *, back: int) -> Known | None:
    """Return what is known of the position at the end of a line, also by what is known of up to `back` before it.

    The one right before is looked at first: whoever follows a line has asked there. What follows from it is stored, so
    that the next one finds it here.

    Once lost, always lost; and while the moves follow a line that wins, the rest of it wins. Of several lines the
    shortest is taken, so that whoever follows from position to position meets ever shorter ones; but none that leads
    back to a position of the last `back`, as long as there is another.
    """
    shortest_way = None
    looked_at = 0
    found: Sequence[Known | None] = [None]
    for count in (2, back + 1):
        positions = _last_positions(start, line, count)
        if len(positions) == looked_at:
            break
        looked_at = len(positions)
        found = find_all(positions)
        own = found[-1]
        lost = next((known for known in found if known and known.outcome is Outcome.LOST), None)
        if lost is not None:
            given = Known(Outcome.LOST, lost.reason, expanded=lost.expanded)
            return lost if lost is own else learn(positions[-1], given)
        ways = _ways(found, line)
        shortest_way = shortest_way or next(iter(ways), None)
        # The earlier positions are worked out only where a line isn't simply followed.
        before: list[Position] = []
        for way in ways:
            goes_on = _goes_on(found, line, way)
            before = before if before or goes_on else _last_positions(start, line, back + 1)[:-1]
            if goes_on or not _leads_back(positions[-1], way, before):
                is_new = own is None or own.line is None or len(own.line) > len(way.line or ())
                return learn(positions[-1], way) if is_new else way
    return shortest_way or found[-1]


def _last_positions(start: Position, line: Sequence[Move], count: int) -> list[Position]:
    """Return the last `count` positions of a line, or as many as there are."""
    position = start.copy()
    first = max(len(line) + 1 - count, 0)
    for move in line[:first]:
        position.push(move)
    positions = [position.copy()]
    for move in line[first:]:
        position.push(move)
        positions.append(position.copy())
    return positions


def _ways(found: Sequence[Known | None], line: Sequence[Move]) -> list[Known]:
    """Return the lines that win from the end of a line, by what is known of its last positions.

    Each stands there once, the shortest first.
    """
    first = len(line) - len(found) + 1
    own = found[-1]
    ways = [own] if own is not None and own.line is not None else []
    for index, known in enumerate(found[:-1]):
        played = tuple(line[first + index :])
        if known is None or known.line is None or known.line[: len(played)] != played:
            continue
        rest = known.line[len(played) :]
        # The rest of a shortest line is shortest from where it starts.
        bound = len(rest) if known.proven else own.lower_bound if own is not None else None
        ways.append(Known(Outcome.WON, known.reason, rest, bound, known.expanded, known.par_expanded))
    different: dict[tuple[Move, ...] | None, Known] = {}
    for way in ways:
        different.setdefault(way.line, way)
    return sorted(different.values(), key=lambda way: len(way.line or ()))


def _goes_on(found: Sequence[Known | None], line: Sequence[Move], way: Known) -> bool:
    """Whether a way is the rest of the line that was known one move before: then it was looked at there."""
    before = found[-2] if len(found) > 1 else None
    return before is not None and before.line is not None and before.line == (line[-1], *(way.line or ()))


def _leads_back(position: Position, way: Known, before: Sequence[Position]) -> bool:
    """Whether a way from a position comes by one of the positions before it."""
    seen = {earlier.key() for earlier in before}
    position = position.copy()
    for move in way.line or ():
        position.push(move)
        if position.key() in seen:
            return True
    return False


# Searching


_turn = threading.Lock()


def settle(
    position: Position,
    *,
    budget: int = QUICK_BUDGET,
    wait: float | None = None,
) -> Known | None:
    """Decide a position within a request, and store what came of it; a stored answer is taken as it is.

    Args:
        position: what to decide; it isn't changed.
        budget: expansions it may cost.
        wait: seconds to wait for another search of this process to end, `TURN_SECONDS` unless told.

    Returns:
        what is known now, or None when other searches left no time for this one: it is worth asking again.
    """
    known = find(position)
    if known is not None and (known.outcome is not Outcome.UNKNOWN or known.expanded >= budget):
        return known
    if not _turn.acquire(timeout=TURN_SECONDS if wait is None else wait):
        return None
    try:
        verdict = decide(position, budget, **_within(REQUEST_SECONDS))
    finally:
        _turn.release()
    # The processor's time is watched by a cancel, but nobody cancelled.
    reason = Reason.DEADLINE if verdict.reason is Reason.CANCELLED else verdict.reason
    line = None if verdict.line is None else tuple(verdict.line)
    return learn(position, Known(verdict.outcome, reason, line, expanded=verdict.expanded))


def shorten(position: Position, known: Known) -> Known:
    """Look for a line that is good to follow from a position that can be won, unless that was done, and store it."""
    if known.par_expanded or not _turn.acquire(timeout=TURN_SECONDS):
        return known
    try:
        line = short_line(position, **_within(LINE_SECONDS))
    finally:
        _turn.release()
    if line is None:
        return known
    best = tuple(line)
    if known.line is not None and len(known.line) <= len(best):
        best = known.line
    return learn(position, Known(Outcome.WON, Reason.LINE, best, par_expanded=1))


def rate_deal(position: Position, known: Known) -> Known:
    """Rate how hard a deal is that can be won, and store it; it stays unrated while other searches leave no time."""
    if known.outcome is not Outcome.WON or known.level is not None:
        return known
    if not _turn.acquire(timeout=TURN_SECONDS):
        return known
    try:
        rating = rate_won(position)
    finally:
        _turn.release()
    Answer.objects.filter(variant=position.variant.slug, key=canonical(position).key).update(
        level=rating.level
    )
    return replace(known, level=rating.level)


class _Limits(TypedDict):
    deadline: float
    cancelled: Callable[[], bool]


def _within(seconds: float) -> _Limits:
    """Return what stops a search after so much of this thread's processor time, or much more by the clock."""
    ends = time.thread_time() + seconds
    return {
        "deadline": time.monotonic() + seconds * BUSY_FACTOR,
        "cancelled": lambda: time.thread_time() >= ends,
    }


# Storing


def learn(position: Position, known: Known) -> Known:
    """Store what was found of a position, unless more is known already, and return what is known then.

    Answers only ever get better: an outcome doesn't become unknown again, and a line gives way to a shorter one only.
    """
    form = canonical(position)
    line = "" if known.line is None else form.stored(known.line)
    now = clock.now()
    try:
        with transaction.atomic():
            Answer.objects.create(
                variant=position.variant.slug,
                key=form.key,
                outcome=known.outcome.value,
                reason=known.reason.value,
                line=line,
                moves=known.moves,
                lower_bound=known.lower_bound,
                expanded=known.expanded,
                par_expanded=known.par_expanded,
                updated_at=now,
            )
    except IntegrityError:
        pass
    else:
        return known
    rows = Answer.objects.filter(variant=position.variant.slug, key=form.key)
    # Each statement is one step forward whatever others do at the same time.
    contradicted = 0
    if known.line is not None:
        won = {"outcome": "won", "reason": known.reason.value, "line": line, "moves": known.moves}
        contradicted = rows.filter(outcome="lost").update(**won, updated_at=now)
        rows.filter(Q(outcome="unknown") | Q(moves__gt=len(known.line))).update(**won, updated_at=now)
    elif known.outcome is Outcome.LOST:
        rows.filter(outcome="unknown").update(outcome="lost", reason=known.reason.value, updated_at=now)
    if known.lower_bound is not None:
        rows.filter(Q(lower_bound__isnull=True) | Q(lower_bound__lt=known.lower_bound)).filter(
            Q(moves__isnull=True) | Q(moves__gte=known.lower_bound)
        ).update(lower_bound=known.lower_bound)
    rows.filter(Q(expanded__lt=known.expanded) | Q(par_expanded__lt=known.par_expanded)).update(
        expanded=Greatest(F("expanded"), known.expanded),
        par_expanded=Greatest(F("par_expanded"), known.par_expanded),
        updated_at=now,
    )
    row = rows.first()
    if row is None:
        # It was tidied away in between.
        return known
    stored = _known(row, form)
    if contradicted or (known.outcome is Outcome.LOST and stored.outcome is Outcome.WON):
        # Impossible while the proofs hold; the line was replayed by the rules, so it is believed.
        log.critical("contradicting answers", variant=position.variant.slug, position=form.text)
    return stored


def tidy_answers(*, limit: int) -> int:
    """Delete up to `limit` old answers that cost little, and as many searches that were lost and nobody asks for."""
    now = clock.now()
    old = Answer.objects.filter(CHEAP, updated_at__lt=now - ANSWER_AGE)
    gone = old.filter(pk__in=list(old.values_list("pk", flat=True)[:limit])).delete()[0]
    lost = Search.objects.filter(Q(queued_at__lt=now - LOST_AFTER * 60) | Q(queued_at__gt=now + CLOCK_SKEW))
    return gone + lost.filter(pk__in=list(lost.values_list("pk", flat=True)[:limit])).delete()[0]


# Searching in the background


def order_search(
    position: Position,
    purpose: Search.Purpose,
    *,
    budget: int | None = None,
    game: Game | None = None,
    who: str = "",
) -> int | None:
    """Note that a search is wanted, and return the id of the row if a task has to be queued for it.

    For a game there is one search at a time: an order for a newer version takes the place of the older one.
    """
    form = canonical(position)
    now = clock.now()
    if budget is None:
        budget = PAR_BUDGET if purpose is Search.Purpose.PAR else DEFAULT_BUDGET
    if game is not None:
        Search.objects.filter(game=game).exclude(game_version=game.version, key=form.key).delete()
    order = Search(
        variant=position.variant.slug,
        key=form.key,
        purpose=purpose,
        position=form.text,
        budget=budget,
        who=_hash(who) if who else "",
        game=game,
        game_version=None if game is None else game.version,
        # As if lost long ago, so that the update below finds it whoever made it.
        queued_at=now - LOST_AFTER * 2,
    )
    try:
        with transaction.atomic():
            Search.objects.bulk_create([order], ignore_conflicts=True)
    except IntegrityError:
        # The game was deleted meanwhile: nobody waits.
        return None
    row = Search.objects.filter(variant=position.variant.slug, key=form.key, purpose=purpose).first()
    if row is None:
        # Another game of this player's lamp holds the place; it goes first.
        return None
    if game is None and row.game_id is not None:
        # Somebody waits for it now, whatever becomes of that game.
        Search.objects.filter(pk=row.pk).update(game=None, game_version=None)
    Search.objects.filter(pk=row.pk, budget__lt=budget).update(budget=budget)
    taken = Search.objects.filter(pk=row.pk).exclude(_going_on()).update(queued_at=now)
    return row.pk if taken else None


def is_searching(position: Position, purpose: Search.Purpose) -> bool:
    """Whether a search for this goes on."""
    return Search.objects.filter(
        _going_on(), variant=position.variant.slug, key=canonical(position).key, purpose=purpose
    ).exists()


def _going_on() -> Q:
    """Return the condition on `Search` that its task can't be lost: it was queued or done lately.

    A time to come is of a clock that was set back, and says nothing.
    """
    now = clock.now()
    return Q(queued_at__gte=now - LOST_AFTER, queued_at__lte=now + CLOCK_SKEW)


def searches_of(who: str) -> int:
    """Return how many background searches go on by order of a caller."""
    return Search.objects.filter(_going_on(), who=_hash(who)).count()


def forget_searches(who: str) -> int:
    """Take back the background searches that a caller ordered, and return how many there were."""
    return Search.objects.filter(who=_hash(who)).delete()[0]


def _hash(who: str) -> str:
    return salted_hmac("bakers.answers", who, algorithm="sha256").hexdigest()


# A worker goes on where it was, if it is the one that had the search before.
_kept: dict[int, Decision | ParSearch] = {}


class Next(StrEnum):
    """What is to come of a search after a round."""

    DONE = "done"
    #: Another round at once.
    ON = "on"
    #: Another round later: this worker keeps as many searches in memory as it may, and would begin from the start.
    LATER = "later"


def search_on(search_id: int, *, seconds: float = TASK_SECONDS) -> Next:
    """Search for a round, store what was found, and say what is to come."""
    row = Search.objects.filter(pk=search_id).first()
    if row is None or not _is_wanted(row):
        _kept.pop(search_id, None)
        Search.objects.filter(pk=search_id).delete()
        return Next.DONE
    if search_id not in _kept and row.rounds and not _has_room(row.purpose):
        Search.objects.filter(pk=search_id).update(queued_at=clock.now())
        return Next.LATER
    position = Position.from_text(row.variant, row.position)
    search = _kept.pop(search_id, None)
    if search is None:
        search = ParSearch(position) if row.purpose == Search.Purpose.PAR else Decision(position)
    deadline = time.monotonic() + seconds
    stopped = _unwanted(row)
    if isinstance(search, ParSearch):
        more = _look_for_short_line(search, row, position, deadline, stopped)
    else:
        verdict = search.advance(row.budget, deadline, stopped)
        line = None if verdict.line is None else tuple(verdict.line)
        learn(
            position,
            Known(verdict.outcome, verdict.reason, line, expanded=verdict.expanded),
        )
        more = verdict.outcome is Outcome.UNKNOWN and verdict.expanded < row.budget
    rounds = PAR_ROUNDS if row.purpose == Search.Purpose.PAR else VERDICT_ROUNDS
    if (
        more
        and row.rounds + 1 < rounds
        and _is_wanted(row)
        and Search.objects.filter(pk=search_id).update(rounds=row.rounds + 1, queued_at=clock.now())
    ):
        # After its first round a search for which there is no room waits for one.
        if not _has_room(row.purpose):
            return Next.LATER
        _kept[search_id] = search
        return Next.ON
    Search.objects.filter(pk=search_id).delete()
    return Next.DONE


def _has_room(purpose: str) -> bool:
    """Whether another search of a purpose may be kept in memory; those that nobody wants any more are dropped first."""
    if _kept_for(purpose) >= KEPT_SEARCHES:
        wanted = set(Search.objects.filter(_going_on(), pk__in=list(_kept)).values_list("pk", flat=True))
        for search_id in _kept.keys() - wanted:
            del _kept[search_id]
    return _kept_for(purpose) < KEPT_SEARCHES


def _kept_for(purpose: str) -> int:
    is_par = purpose == Search.Purpose.PAR
    return sum(isinstance(search, ParSearch) is is_par for search in _kept.values())


def _look_for_short_line(
    search: ParSearch, row: Search, position: Position, deadline: float, stopped: Callable[[], bool]
) -> bool:
    par = search.advance(row.budget, deadline, stopped)
    bound = par.lower_bound if par.outcome is not Outcome.LOST else None
    learn(
        position,
        Known(
            par.outcome,
            par.reason,
            None if par.line is None else tuple(par.line),
            bound,
            par_expanded=max(par.expanded, 1),
        ),
    )
    return par.outcome is not Outcome.LOST and not par.proven and par.expanded < row.budget


def _is_wanted(row: Search) -> bool:
    if row.game_id is None:
        return Search.objects.filter(pk=row.pk).exists()
    return Search.objects.filter(pk=row.pk, game__version=F("game_version"), game__status="open").exists()


def _unwanted(row: Search) -> Callable[[], bool]:
    """Return what a search asks now and then: whether nobody waits for it any more."""
    next_look = time.monotonic() + ASK_SECONDS

    def ask() -> bool:
        nonlocal next_look
        if time.monotonic() < next_look:
            return False
        next_look = time.monotonic() + ASK_SECONDS
        current = Search.objects.filter(pk=row.pk).first()
        return current is None or not _is_wanted(current)

    return ask


def _known(row: Answer, form: Canonical) -> Known:
    return Known(
        Outcome(row.outcome),
        Reason(row.reason),
        form.own(row.line) if row.outcome == Answer.Outcome.WON else None,
        row.lower_bound,
        row.expanded,
        row.par_expanded,
        row.level,
    )
