"""Deciding deals in several processes."""

from __future__ import annotations

import itertools
import multiprocessing
import signal
from collections.abc import Generator, Iterable, Iterator
from concurrent.futures import FIRST_COMPLETED, Future, ProcessPoolExecutor, wait
from contextlib import contextmanager
from multiprocessing.synchronize import Event

from bakers.rules.variants import VARIANTS, Variant
from bakers.solver import compile_all

from .rows import Effort, Row, decide_deals

#: Deals that a process is given at a time: enough that handing them over costs little, few enough that a stop is soon.
CHUNK = 50
#: Seconds after which it gives back what it has: so much work is lost at most when the machine stops.
CHUNK_SECONDS = 1.0
#: Seconds after which whoever waits for rows is given none, to look at something else.
LOOK_SECONDS = 0.25

_stop: Event | None = None


def decide_in_parallel(
    variant: Variant, numbers: Iterable[int], effort: Effort, *, jobs: int
) -> Generator[list[Row]]:
    """Decide deals in processes, and yield their rows in the order in which they come, and none now and then.

    When the generator is closed, searches under way stop within milliseconds. It is to be closed where it yields: an
    exception out of a signal handler may come while a lock of the pool is held, and then its processes are waited for
    without end.

    Args:
        numbers: deal numbers; taken a few at a time.
        jobs: processes.
    """
    # Started anew and not forked: this process has a database, and may have threads.
    context = multiprocessing.get_context("spawn")
    stop = context.Event()
    left = iter(numbers)
    with ProcessPoolExecutor(jobs, mp_context=context, initializer=_begin, initargs=(stop,)) as pool:
        running: dict[Future[list[Row]], list[int]] = {}

        def order(chunk: list[int]) -> None:
            with _sheltered():
                running[pool.submit(_work, variant.slug, chunk, effort)] = chunk

        try:
            while True:
                # Twice as many chunks as processes, so that none waits for this one.
                while len(running) < 2 * jobs and (chunk := list(itertools.islice(left, CHUNK))):
                    order(chunk)
                if not running:
                    return
                done, _ = wait(running, timeout=LOOK_SECONDS, return_when=FIRST_COMPLETED)
                if not done:
                    yield []
                for future in done:
                    chunk, rows = running.pop(future), future.result()
                    yield rows
                    if len(rows) < len(chunk):
                        order(chunk[len(rows) :])
        finally:
            stop.set()
            pool.shutdown(cancel_futures=True)


@contextmanager
def _sheltered() -> Iterator[None]:
    """Start no process that hears Ctrl-C.

    It goes to every process of a terminal, and these are told to stop by the one that started them. What is blocked
    stays so in a process that is started meanwhile; here the signal comes when the block is lifted.
    """
    before = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT, signal.SIGTERM})
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)


def _begin(stop: Event) -> None:
    global _stop  # noqa: PLW0603 (one a process, set once: an event can't be handed over with each chunk)
    _stop = stop
    # Whoever ends this process alone may do so.
    signal.pthread_sigmask(signal.SIG_UNBLOCK, {signal.SIGTERM})
    compile_all()


def _work(slug: str, numbers: list[int], effort: Effort) -> list[Row]:
    assert _stop is not None  # noqa: S101 (set by _begin, which runs before)
    return decide_deals(VARIANTS[slug], numbers, effort, seconds=CHUNK_SECONDS, cancelled=_stop.is_set)
