"""Boards: which there is, and how one comes to be.

`board_for` is the one place that knows what day it is. A board exists for nobody before its day begins: whatever shows
boards asks here, and the rows of days to come are for the scheduler and the guard of help alone.
"""

from __future__ import annotations

import datetime
import secrets
import time
from dataclasses import dataclass

import structlog
from django.db import IntegrityError, transaction
from django.utils.translation import gettext as _

from bakers import games
from bakers.days import GRACE, Day
from bakers.problems import Busy, NotFound
from bakers.rules.deals import LAST_DEAL_NUMBER
from bakers.rules.moves import pack_line
from bakers.rules.positions import Position
from bakers.rules.variants import VARIANTS, Variant
from bakers.solver import Outcome, decide, rate_won
from config import clock
from daily.models import Board, Solution

log = structlog.get_logger(__name__)

#: Days ahead of today for which boards are made.
AHEAD = 14
#: Expansions that a deal may cost when there is time, and when somebody waits: of deals that can be won the first
#: search decides nearly all with far fewer.
BUDGET = 300_000
QUICK_BUDGET = 3_000
#: Seconds of the processor that somebody who waits for a board may cost, all deals that are tried together.
QUICK_SECONDS = 0.1
#: Deals that are tried for a board: of a hundred of the hardest variant 95 can be won.
MOST_DEALS = 200


@dataclass(frozen=True)
class Made:
    """What came of a wish for a board.

    Attributes:
        board: the board that there is now.
        is_new: whether this call made it.
        deals: how many deals were looked at for it.
    """

    board: Board
    is_new: bool
    deals: int


# Reading


def board_for(variant: Variant, now: datetime.datetime) -> Board:
    """Return today's board, making it if nobody has.

    Raises:
        NotFound: it is before the first day.
        Busy: no deal was found that can be won, in the little time that there is while somebody waits.
    """
    day = Day.of(now)
    if day.number < 1:
        raise _no_board()
    board = Board.objects.filter(variant=variant.slug, number=day.number).first()
    if board is None:
        board = make_board(variant, day, quick=True).board
    return board


def find_board(variant: Variant, date: datetime.date, now: datetime.datetime) -> Board:
    """Return the board of a day that has begun.

    Raises:
        NotFound: there is none, or its day hasn't begun, which look the same.
    """
    day = Day(date)
    if day == Day.of(now):
        return board_for(variant, now)
    board = None
    if day.number >= 1 and day.opens_at <= now:
        board = Board.objects.filter(variant=variant.slug, number=day.number).first()
    if board is None:
        raise _no_board()
    return board


def first_unsettled(now: datetime.datetime) -> Day:
    """Return the first day whose boards haven't settled: today, or in its first hours the day before."""
    return Day.of(now - GRACE)


def _no_board() -> NotFound:
    return NotFound(_("There is no board of that day."))


# Making


def make_board(variant: Variant, day: Day, *, quick: bool = False) -> Made:
    """Make a variant's board of a day, or return the one that there is already.

    1. Pick a deal number by chance that nobody can foresee, and decide its deal; again until it can be won.
    2. Rate it.
    3. Store it. The constraints let one of several copies of this through, and the others take what it stored.

    Args:
        quick: spend no more time than somebody may be kept waiting.

    Raises:
        Busy: no deal was found that can be won.
    """
    existing = Board.objects.filter(variant=variant.slug, number=day.number).first()
    if existing is not None:
        return Made(existing, is_new=False, deals=0)
    ends = time.thread_time() + QUICK_SECONDS
    for deals in range(1, MOST_DEALS + 1):
        if quick and time.thread_time() >= ends:
            break
        number = pick_number()
        table = games.new_deal(variant=variant, number=number)
        found = decide(table.position, QUICK_BUDGET if quick else BUDGET)
        if found.outcome is not Outcome.WON or found.line is None:
            log.info(
                "board deal refused", variant=variant.slug, day=str(day.date), outcome=found.outcome.value
            )
            continue
        board = Board(
            variant=variant.slug,
            number=day.number,
            day=day.date,
            deal=str(number),
            layout=table.game.layout,
            deal_key=table.game.deal_key,
            answer_key=table.game.answer_key,
            rating=rate_won(table.position).level,
        )
        try:
            with transaction.atomic():
                board.save(force_insert=True)
                Solution.objects.create(board=board, line=pack_line(found.line))
        except IntegrityError:
            existing = Board.objects.filter(variant=variant.slug, number=day.number).first()
            if existing is not None:
                return Made(existing, is_new=False, deals=deals)
            # The deal was another day's board, which must not be twice.
            continue
        log.info("board made", variant=variant.slug, day=str(day.date), deals=deals, quick=quick)
        return Made(board, is_new=True, deals=deals)
    raise Busy(_("Today’s board isn’t ready yet. Please try again in a moment."))


def pick_number() -> int:
    """Return a deal number that nobody can foresee, of so many that no random game will meet it."""
    return 1 + secrets.randbelow(LAST_DEAL_NUMBER)


def look_ahead() -> None:
    """Make the boards of today and of the days to come, as regular work."""
    today = Day.of(clock.now()).number
    for variant, day in missing(today, today + AHEAD):
        make_board(variant, day)


def missing(first: int, last: int) -> list[tuple[Variant, Day]]:
    """Return the boards that there ought to be from one number to another and aren't, those of early days first."""
    rows = Board.objects.filter(number__gte=first, number__lte=last)
    there = set(rows.values_list("variant", "number"))
    return [
        (variant, day)
        for day in days_between(first, last)
        for variant in VARIANTS.values()
        if (variant.slug, day.number) not in there
    ]


def days_between(first: int, last: int) -> list[Day]:
    """Return the days of the boards from one number to another, both included; there is none before number 1."""
    return [Day.numbered(number) for number in range(max(first, 1), last + 1)]


def first_position(board: Board) -> Position:
    """Return the first position of a board, with its cards turned if the variant covers them."""
    return games.new_deal(variant=VARIANTS[board.variant], number=int(board.deal)).position
