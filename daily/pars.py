"""Par of boards, looked for in the background by the same searches that serve games."""

from __future__ import annotations

import structlog
from django.db.models import Q

from bakers import answers, tasks
from bakers.days import Day
from bakers.models import Search
from bakers.rules.moves import pack_line
from bakers.solver import rate_won
from config import clock
from daily import boards
from daily.models import Board, Solution

log = structlog.get_logger(__name__)

#: Boards that are looked at in one round.
ROUND = 20
#: Searches that go on at the same time. Most take a second or two, and the next are ordered in the next round.
SEARCHES = 4


def look_for_par() -> None:
    """Take what searches have found, and order the next ones, as regular work.

    Today's boards go first, then those that come next, then the past from yesterday on.
    """
    today = Day.of(clock.now()).date
    waiting = Board.objects.filter(status=Board.Status.SEARCHING)
    coming = waiting.filter(day__gte=today).order_by("day", "pk")
    past = waiting.filter(day__lt=today).order_by("-day", "pk")
    searching = 0
    for board in [*coming[:ROUND], *past[:ROUND]][:ROUND]:
        if board.rating is None:
            _rate(board)
        position = boards.first_position(board)
        known = answers.find(position)
        _take(board, known)
        if (
            known is not None
            and known.par is not None
            and not answers.is_searching(position, Search.Purpose.PAR)
        ):
            Board.objects.filter(pk=board.pk).update(status=Board.Status.READY)
            log.info("par search ended", variant=board.variant, day=str(board.day), proven=known.par.proven)
            continue
        tasks.enqueue_search(position, Search.Purpose.PAR, patient=True)
        searching += 1
        if searching == SEARCHES:
            return


def _rate(board: Board) -> None:
    # Boards are rated as they are made; those of another formula are once more, where it is taken from them.
    rating = rate_won(boards.first_position(board))
    Board.objects.filter(pk=board.pk).update(rating=rating.level)
    log.info("board rated", variant=board.variant, day=str(board.day))


def _take(board: Board, known: answers.Known | None) -> None:
    if known is None or known.line is None or known.par is None:
        return
    par = known.par
    # Only ever better: two copies of this may look at the same moment.
    better = Q(par__isnull=True) | Q(par__gt=par.moves) | Q(par=par.moves, par_proven=False)
    taken = Board.objects.filter(better, pk=board.pk).update(par=par.moves, par_proven=par.proven)
    if taken:
        Solution.objects.filter(board=board).update(line=pack_line(known.line))
        # Not the number: a log may be read before the board settles.
        log.info("par found", variant=board.variant, day=str(board.day), proven=par.proven)
