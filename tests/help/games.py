"""Games that are lost, or hard to decide, for tests of the help with them."""

from __future__ import annotations

import csv
import random
from dataclasses import dataclass
from functools import cache

from bakers.rules.cards import CARDS_BY_NAME
from bakers.rules.deals import deal, deal_columns
from bakers.rules.layouts import layout_text
from bakers.rules.positions import Position
from bakers.rules.variants import VARIANTS
from bakers.solver import Outcome, decide
from tests.conftest import DATA


@dataclass(frozen=True)
class LostGame:
    """A line that loses a deal.

    Attributes:
        number: the deal.
        line: moves up to a position that can't be won.
        losing_ply: after so many of them it can't be won for the first time.
    """

    number: int
    line: tuple[str, ...]
    losing_ply: int


@cache
def lost_game(variant: str, *, more: int = 6) -> LostGame:
    """Play random moves until one loses, and up to `more` after it; the same game every time."""
    for number in range(2, 200):
        chosen = random.Random(f"{variant} {number}")
        position = deal(VARIANTS[variant], number)
        line: list[str] = []
        losing_ply = None
        while len(line) < 40 and position.legal_moves:
            move = chosen.choice(list(position.legal_moves))
            position.push(move)
            line.append(move.text)
            if losing_ply is None:
                outcome = decide(position, 20_000).outcome
                if outcome is Outcome.UNKNOWN:
                    break
                if outcome is Outcome.LOST:
                    losing_ply = len(line)
            elif len(line) == losing_ply + more:
                break
        if losing_ply is not None and losing_ply > 3 and len(line) > losing_ply:
            return LostGame(number, tuple(line), losing_ply)
    raise AssertionError(f"no game of {variant} was lost")


@cache
def lost_deal(variant: str) -> int:
    """Return the number of a deal that can't be won."""
    for number in range(2, 2_000):
        if decide(deal(VARIANTS[variant], number), 3_000).outcome is Outcome.LOST:
            return number
    raise AssertionError(f"no deal of {variant} is lost")


@cache
def hard_layout() -> str:
    """Return the layout of a Baker's Dozen deck that a request's search doesn't decide."""
    variant = VARIANTS["bakers-dozen"]
    with (DATA / "cases/bakers-dozen_hard.csv").open() as file:
        for row in csv.DictReader(file):
            cards = [CARDS_BY_NAME[row["deck"][at : at + 2]] for at in range(0, 104, 2)]
            columns, foundations = deal_columns(variant, cards)
            layout = layout_text(columns, foundations)
            if decide(Position.dealt(variant, columns, foundations), 20_000).outcome is Outcome.UNKNOWN:
                return layout
    raise AssertionError("every hard deck is decided at once")
