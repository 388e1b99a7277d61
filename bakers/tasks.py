"""Background work; the one module that imports the tasks API.

A task runs for two seconds at most, may run twice without harm, and queues itself again when more is left: a worker
runs one task at a time, and never takes back a task whose worker was killed.
"""

from __future__ import annotations

import datetime
from collections.abc import Callable, Collection, Iterator, Sequence
from typing import Any, Protocol

import structlog
from django.contrib.sessions.models import Session
from django.db import DatabaseError
from django.db.models import QuerySet
from django.utils import timezone
from django_tasks import task
from django_tasks.base import Task, TaskResultStatus
from django_tasks_db.models import DBTaskResult, get_date_max

from bakers import answers, games, limits
from bakers.answers import Next
from bakers.models import Game, Search
from bakers.rules.positions import Position
from bakers.surveys.rounds import Round, decide_for_a_round
from bakers.surveys.rows import Effort

log = structlog.get_logger(__name__)

#: Rows of each sort that one round deletes: well under two seconds of a slow disk's work.
TIDY_LIMIT = 1_000
#: No task runs this long, so one that seems to has lost its worker.
LOST_AFTER = datetime.timedelta(seconds=60)
#: How long a search waits that would have to begin from the start, since its worker is busy with others.
WAIT_FOR_ROOM = datetime.timedelta(seconds=3)
#: How long the results of finished tasks are kept, for an operator to look at.
RESULT_AGE = datetime.timedelta(days=7)


class Tidying(Protocol):
    """Deletes up to `limit` rows that nobody needs any more, and returns how many went."""

    def __call__(self, *, limit: int) -> int: ...


_tidyings: list[Tidying] = []


def register_tidying(tidying: Tidying) -> None:
    """Plug in what another app tidies; the same one twice counts once, as when an app is loaded again."""
    if tidying not in _tidyings:
        _tidyings.append(tidying)


#: Regular work of other apps, done by the scheduler between two looks at the clock; it may run twice at once.
Regular = Callable[[], object]

_regular: list[Regular] = []


def register_regular(work: Regular) -> None:
    """Plug in what another app has to do now and then; the same one twice counts once."""
    if work not in _regular:
        _regular.append(work)


def do_regular_work() -> None:
    """Do what other apps plugged in, each whatever becomes of the others."""
    for work in _regular:
        try:
            work()
        except DatabaseError:
            raise
        except Exception:
            log.exception("regular work failed", work=f"{work.__module__}.{work.__name__}")


def tidy_once(limit: int = TIDY_LIMIT) -> int:
    """Delete up to `limit` rows of each sort that nobody needs any more, and return how many went."""
    # Task results and sessions carry the machine's own time, which CLOCK_OFFSET doesn't shift.
    real_now = timezone.now()
    gone = sum(tidying(limit=limit) for tidying in _tidyings)
    gone += games.tidy_games(limit=limit)
    gone += answers.tidy_answers(limit=limit)
    gone += _delete_some(limits.old_limits(), limit)
    gone += _delete_some(Session.objects.filter(expire_date__lt=real_now), limit)
    gone += _delete_some(DBTaskResult.objects.finished().filter(finished_at__lt=real_now - RESULT_AGE), limit)
    return gone


@task(queue_name="later")
def tidy() -> int:
    """Tidy one round, and queue another while there is more to do."""
    gone = tidy_once()
    log.info("tidied", rows=gone)
    if gone >= TIDY_LIMIT:
        tidy.enqueue()
    return gone


@task(queue_name="now", priority=10)
def search(search_id: int) -> str:
    """Search for a round, and queue another while the search is wanted and not done."""
    return _search_on(search, search_id)


@task(queue_name="later")
def patient_search(search_id: int) -> str:
    """Search for a round as `search` does, for whom nobody waits."""
    return _search_on(patient_search, search_id)


def _search_on(again: Task, search_id: int) -> str:
    what_next = answers.search_on(search_id)
    if what_next is Next.ON:
        again.enqueue(search_id)
    elif what_next is Next.LATER:
        again.using(run_after=timezone.now() + WAIT_FOR_ROOM).enqueue(search_id)
    return what_next.value


def enqueue_search(
    position: Position,
    purpose: Search.Purpose,
    *,
    budget: int | None = None,
    game: Game | None = None,
    who: str = "",
    patient: bool = False,
) -> None:
    """See to it that a search goes on in the background; one that does already isn't queued twice.

    A patient one comes after all that somebody waits for.
    """
    search_id = answers.order_search(position, purpose, budget=budget, game=game, who=who)
    if search_id is not None:
        (patient_search if patient else search).enqueue(search_id)


def enqueue_tidy() -> bool:
    """Queue a round of tidying unless one is seen waiting, and say whether it was queued.

    Two schedulers may look at the same moment and queue one each: tidying twice does no harm.
    """
    if DBTaskResult.objects.ready().filter(task_path=tidy.module_path).exists():
        return False
    tidy.enqueue()
    return True


@task(queue_name="later")
def survey(variant: str, numbers: list[str], budget: int, shortest: int) -> dict[str, Any]:
    """Decide deals for a round; whoever ordered them orders again what is left."""
    return decide_for_a_round(variant, list(map(int, numbers)), Effort(budget, shortest)).as_json()


def enqueue_survey(variant: str, numbers: Sequence[int], effort: Effort) -> str:
    """Order the decision of some deals, and return the id under which `take_surveys` gives the outcome."""
    return survey.enqueue(variant, list(map(str, numbers)), effort.budget, effort.shortest).id


def take_surveys(ids: Collection[str]) -> Iterator[tuple[str, Round | None]]:
    """Yield what has come of orders, and delete it; None for one that failed or is gone."""
    known = {str(row.pk): row for row in DBTaskResult.objects.filter(pk__in=ids)}
    for task_id in ids:
        row = known.get(task_id)
        if row is None:
            yield task_id, None
        elif row.status == TaskResultStatus.FAILED:
            log.error("survey task failed", traceback=row.traceback)
            row.delete()
            yield task_id, None
        elif row.status == TaskResultStatus.SUCCESSFUL:
            row.delete()
            yield task_id, Round.from_json(row.return_value)


def forget_surveys(ids: Collection[str]) -> None:
    """Take back orders that nobody has begun, and drop what came of the others so far."""
    DBTaskResult.objects.filter(pk__in=ids).exclude(status=TaskResultStatus.RUNNING).delete()


def requeue_lost() -> int:
    """Queue again the tasks whose worker was killed, and return how many there were."""
    lost = DBTaskResult.objects.running().filter(started_at__lt=timezone.now() - LOST_AFTER)
    # One conditional update: of two schedulers only one finds a task still running.
    count = lost.update(status=TaskResultStatus.READY, started_at=None, run_after=get_date_max())
    if count:
        log.warning("tasks queued again", count=count)
    return count


def _delete_some(rows: QuerySet, limit: int) -> int:
    keys = list(rows.values_list("pk", flat=True)[:limit])
    return rows.filter(pk__in=keys).delete()[0]
