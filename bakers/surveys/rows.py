"""Deciding deals: one row a deal."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable
from dataclasses import dataclass

from bakers.rules.deals import deal
from bakers.rules.variants import Variant
from bakers.solver import Outcome, Reason, decide, shortest


@dataclass(frozen=True, slots=True)
class Effort:
    """How much is spent on a deal.

    Attributes:
        budget: expansions for the verdict.
        shortest: expansions for a short line of a deal that can be won; 0 when none is wanted.
    """

    budget: int
    shortest: int = 0


@dataclass(frozen=True, slots=True)
class Row:
    """What a survey found of a deal.

    Attributes:
        deal: its number.
        outcome: won, lost or unknown.
        reason: how the outcome is known, or why it isn't.
        expanded: expansions the verdict cost.
        cpu_ms: processor time the verdict cost, in milliseconds; the only part that differs from run to run.
        moves: the length of the shortest line found, moves home included; None if none was looked for.
        proven: whether no line is shorter.
    """

    deal: int
    outcome: Outcome
    reason: Reason
    expanded: int
    cpu_ms: float
    moves: int | None = None
    proven: bool = False

    def is_done(self, effort: Effort) -> bool:
        """Whether this much effort would find nothing more."""
        if self.outcome is Outcome.UNKNOWN:
            return self.expanded >= effort.budget
        return self.outcome is Outcome.LOST or self.moves is not None or not effort.shortest


def decide_deal(
    variant: Variant,
    number: int,
    effort: Effort,
    *,
    deadline: float | None = None,
    cancelled: Callable[[], bool] | None = None,
) -> Row | None:
    """Decide one deal; None if it was stopped first.

    Args:
        deadline: a time of `time.monotonic` at which to give up.
        cancelled: asked every few milliseconds; gives up when it says true.
    """
    position = deal(variant, number)
    verdict = decide(position, effort.budget, deadline=deadline, cancelled=cancelled)
    if verdict.reason in {Reason.DEADLINE, Reason.CANCELLED}:
        return None
    moves, proven = None, False
    if verdict.outcome is Outcome.WON and effort.shortest:
        par = shortest(position, effort.shortest, deadline=deadline, cancelled=cancelled)
        stopped = (cancelled is not None and cancelled()) or (
            deadline is not None and time.monotonic() >= deadline
        )
        if stopped and not par.proven:
            return None
        # A search for short lines may find none where the other one found a long one.
        moves, proven = (par.moves, par.proven) if par.moves is not None else (len(verdict.line or ()), False)
    return Row(
        number,
        verdict.outcome,
        verdict.reason,
        verdict.expanded,
        round(1000 * verdict.cpu_seconds, 3),
        moves,
        proven,
    )


def decide_deals(
    variant: Variant,
    numbers: Iterable[int],
    effort: Effort,
    *,
    seconds: float,
    cancelled: Callable[[], bool] | None = None,
) -> list[Row]:
    """Decide deals one after another; the first of them, if there is no time for all.

    Args:
        seconds: time after which no other deal is begun.
        cancelled: as for `decide_deal`.
    """
    begun = time.monotonic()
    rows: list[Row] = []
    for number in numbers:
        if rows and time.monotonic() >= begun + seconds:
            break
        row = decide_deal(variant, number, effort, cancelled=cancelled)
        if row is None:
            break
        rows.append(row)
    return rows
