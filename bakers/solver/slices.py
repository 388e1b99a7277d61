"""Searches in slices: pieces of a few milliseconds, between which a deadline or a cancel is seen.

Nothing a search finds depends on where its slices end, so the same budget gives the same answer.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Generator
from enum import StrEnum
from typing import Protocol

from .relax import RUNNING

#: Expansions between two looks at deadline and cancel: a few milliseconds.
SLICE = 2_000

#: A generator that yields whenever its slice is spent, and ends when its work is done.
Stage = Generator[None, None, None]


class Search(Protocol):
    """What is run in slices; `spent` are the expansions of the last call, which says RUNNING while it isn't done."""

    spent: int

    def run(self, limit: int) -> int: ...


class Stop(StrEnum):
    """Why a search isn't done."""

    BUDGET = "budget spent"
    DEADLINE = "deadline passed"
    CANCELLED = "cancelled"


class Sliced:
    """Work that can be stopped and gone on with.

    Attributes:
        expanded: positions expanded so far.
        done: whether there is nothing left to do.
    """

    expanded: int
    done: bool
    _limit: int
    _work: Stage

    def _prepare(self, work: Stage) -> None:
        self.expanded = 0
        self.done = False
        self._limit = 0
        self._work = work

    def _follow(self, search: Search) -> Generator[None, None, int]:
        """Run a search to its end, over as many slices as that takes, and return its answer."""
        while True:
            answer = search.run(self._limit)
            self._spend(search.spent)
            if answer != RUNNING:
                return answer
            yield

    def _spend(self, expansions: int) -> None:
        self.expanded += expansions
        self._limit -= expansions

    def close(self) -> None:
        """Drop the work and its memory at once.

        The work's generator refers to this object and this object to it, so that otherwise tables of many megabytes
        would wait for the garbage collector.
        """
        self._work.close()

    def go_on(
        self,
        budget: int,
        deadline: float | None = None,
        cancelled: Callable[[], bool] | None = None,
    ) -> Stop | None:
        """Work until done (None), or until something stops it.

        Args:
            budget: positions that may be expanded since the work began, earlier calls included.
            deadline: a time of `time.monotonic`.
            cancelled: asked between slices.
        """
        while not self.done:
            self._limit = min(SLICE, budget - self.expanded)
            if self._limit <= 0:
                return Stop.BUDGET
            if deadline is not None and time.monotonic() >= deadline:
                return Stop.DEADLINE
            if cancelled is not None and cancelled():
                return Stop.CANCELLED
            if next(self._work, self) is self:
                self.done = True
        return None
