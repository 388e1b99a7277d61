"""Layouts that no deal has but that people may bring: everything in one column, kings on top, cards home."""

from __future__ import annotations

import random

from bakers.rules.positions import Position
from bakers.rules.variants import Variant


def odd_position(variant: Variant, number: int) -> Position:
    """A valid position of a number: 1–52 cards not home, heaped in one, two, some or all columns.

    In some the columns are nearly sorted, so that cards hang in sequence from the start; some are a few moves on.
    """
    source = random.Random(f"{variant.slug} {number}")
    left = source.choice((1, 2, 3, 5, 8, 10, 12, 16, 20, 30, 40, 52, 52))
    homes = [0, 0, 0, 0]
    while sum(homes) < 52 - left:
        suit = source.randrange(4)
        homes[suit] = min(13, homes[suit] + 1)
    cards = [rank * 4 + suit for suit in range(4) for rank in range(homes[suit], 13)]
    source.shuffle(cards)
    heaps = source.choice((1, 2, source.randint(3, variant.columns), variant.columns))
    weights = [source.random() ** 3 for _ in range(heaps)]
    columns: list[list[int]] = [[] for _ in range(variant.columns)]
    for card in cards:
        source.choices(columns[:heaps], weights)[0].append(card)
    if source.random() < 0.3:
        columns = [
            sorted(column, key=lambda card: source.choice((0, 0, 0, 4, -4)) - (card >> 2))
            for column in columns
        ]
    source.shuffle(columns)
    position = Position.dealt(variant, columns, homes)
    for _ in range(source.choice((0, 0, 0, 5, 15))):
        moves = list(position.legal_moves)
        if not moves:
            break
        position.push(source.choice(moves))
    return position
