"""A part of a survey as background work: as many deals as go into one task, which may not take long."""

from __future__ import annotations

import time
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from bakers.rules.variants import VARIANTS
from bakers.solver import Outcome, Reason

from .rows import Effort, Row, decide_deal

#: Seconds after which no deal is begun, and after which the one at work is given up: a task ends in two.
BEGIN_SECONDS = 0.8
TASK_SECONDS = 1.7


@dataclass(frozen=True)
class Round:
    """What came of a round.

    Attributes:
        rows: deals that were decided.
        left: deals that weren't begun, or didn't end in time.
        hard: deals that don't end in time even if a round begins with them.
    """

    rows: list[Row]
    left: list[int]
    hard: list[int]

    def as_json(self) -> dict[str, Any]:
        """The round as a task returns it; numbers of deals as strings, as everywhere in JSON."""
        rows = [
            [str(row.deal), row.outcome, row.reason, row.expanded, row.cpu_ms, row.moves, row.proven]
            for row in self.rows
        ]
        return {"rows": rows, "left": list(map(str, self.left)), "hard": list(map(str, self.hard))}

    @classmethod
    def from_json(cls, data: dict[str, Any]) -> Round:
        """Read what `as_json` wrote."""
        rows = [
            Row(int(number), Outcome(outcome), Reason(reason), *rest)
            for number, outcome, reason, *rest in data["rows"]
        ]
        return cls(rows, list(map(int, data["left"])), list(map(int, data["hard"])))


def decide_for_a_round(slug: str, numbers: Sequence[int], effort: Effort) -> Round:
    """Decide deals one after another until the time of a task is over."""
    begun = time.monotonic()
    rows: list[Row] = []
    for place, number in enumerate(numbers):
        if place and time.monotonic() >= begun + BEGIN_SECONDS:
            return Round(rows, list(numbers[place:]), [])
        row = decide_deal(VARIANTS[slug], number, effort, deadline=begun + TASK_SECONDS)
        if row is not None:
            rows.append(row)
        elif place:
            # It gets the whole time of another round.
            return Round(rows, list(numbers[place:]), [])
        else:
            return Round([], list(numbers[1:]), [number])
    return Round(rows, [], [])
