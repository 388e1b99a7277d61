"""Hypothesis strategies: deals, imported layouts and the positions that legal lines lead to."""

from __future__ import annotations

import random

from hypothesis import strategies as st

from bakers.rules.cards import make_card
from bakers.rules.deals import LAST_DEAL_NUMBER, deal
from bakers.rules.layouts import Layout
from bakers.rules.positions import Position
from bakers.rules.variants import VARIANTS, Variant

variants = st.sampled_from(list(VARIANTS.values()))
deal_numbers = st.integers(1, 50_000) | st.integers(1, LAST_DEAL_NUMBER)


@st.composite
def layouts(draw: st.DrawFn, variant: Variant) -> Layout:
    """Any layout of 52 cards: cards home, uneven and empty columns, kings wherever they fall."""
    # From few or from many cards home, so that hypothesis also finds games that are nearly won.
    most = draw(st.sampled_from([0, 2, 13]))
    foundations = tuple(draw(st.integers(max(0, most - 6), most)) for _ in range(4))
    rest = [make_card(rank, suit) for suit in range(4) for rank in range(foundations[suit] + 1, 14)]
    columns: list[list[int]] = [[] for _ in range(variant.columns)]
    used = draw(st.integers(1, variant.columns))
    # Drawing a shuffle of 52 cards choice by choice would take most of the time of a test.
    rng = random.Random(draw(st.integers(0, 2**32)))
    rng.shuffle(rest)
    for card in rest:
        columns[rng.randrange(used)].append(card)
    rng.shuffle(columns)
    return Layout(variant=variant, columns=tuple(map(tuple, columns)), foundations=foundations)


def first_positions(variant: Variant) -> st.SearchStrategy[Position]:
    """First positions, of deal numbers or of imported layouts."""
    return deal_numbers.map(lambda number: deal(variant, number)) | layouts(variant).map(Layout.position)


@st.composite
def positions(draw: st.DrawFn, variant: Variant | None = None, *, most_moves: int = 60) -> Position:
    """Positions after a legal line, of a given variant or of any."""
    position = draw(first_positions(variant or draw(variants)))
    for choice in draw(st.lists(st.integers(0, 2**16), max_size=most_moves)):
        moves = list(position.legal_moves)
        if not moves:
            break
        position.push(moves[choice % len(moves)])
    return position
