"""The handed verdicts: whole decks with what is known of them."""

from __future__ import annotations

import csv
import random
from pathlib import Path

from bakers.rules.cards import parse_card
from bakers.rules.deals import deal_columns
from bakers.rules.positions import Position
from bakers.rules.variants import get_variant

CASES = Path(__file__).parent.parent / "data/cases"
#: Variants with a list of verdicts.
LISTED = ("bakers-dozen", "good-measure", "portuguese-solitaire", "spanish-patience")


def listed(variant: str, name: str | None = None) -> list[tuple[Position, dict[str, str]]]:
    """First positions of a list's decks, each with its row."""
    rules = get_variant(variant)
    with (CASES / f"{name or variant + '_verdicts'}.csv").open() as lines:
        rows = list(csv.DictReader(lines))
    found = []
    for row in rows:
        deck = [parse_card(row["deck"][start : start + 2]) for start in range(0, 104, 2)]
        found.append((Position.dealt(rules, *deal_columns(rules, deck)), row))
    return found


def with_other_names(position: Position, seed: int) -> Position:
    """The same position but for the order of its columns and the names of its suits."""
    source = random.Random(seed)
    suits = source.sample(range(4), 4)
    order = source.sample(range(len(position.columns)), len(position.columns))
    return Position(
        position.variant,
        [[card & ~3 | suits[card & 3] for card in position.columns[index]] for index in order],
        [position.foundations[suits.index(suit)] for suit in range(4)],
        covered=[position.covered[index] for index in order],
        sunk=[position.sunk[index] for index in order],
    )
