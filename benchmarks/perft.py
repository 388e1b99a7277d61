"""How fast the engine counts lines, beside the naive counter of the tests, in one run.

Perft counts how many lines of exactly n moves a position has. A node is a line counted, of any length up to n; CPU time
of this process is counted. `script/bench perft` runs it.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from functools import partial

from bakers.rules.deals import deal
from bakers.rules.positions import Position
from bakers.rules.variants import VARIANTS
from tests.rules import naive

DEALS = (1, 2, 477, 31999)
#: Moves deep: the engine goes further, since it gets further in a second.
DEPTH = 5
NAIVE_DEPTH = 3


def perft(position: Position, depth: int) -> int:
    """Return the nodes of a position's tree down to a depth, by playing moves and taking them back."""
    if depth == 1:
        return position.legal_moves.count()
    nodes = 0
    for move in position.legal_moves:
        position.push(move)
        nodes += 1 + perft(position, depth - 1)
        position.pop()
    return nodes


def naive_perft(variant: str, position: str, depth: int) -> int:
    """Return the same by the naive counter, which makes a new string for each position."""
    moves = naive.moves(variant, position)
    if depth == 1:
        return len(moves)
    return sum(1 + naive_perft(variant, naive.after(position, move), depth - 1) for move in moves)


def main() -> None:
    """Print nodes a second for each variant, and how many times faster than the naive counter that is."""
    print(f"perft {DEPTH} of deals {', '.join(map(str, DEALS))}")
    for slug, variant in VARIANTS.items():
        positions = [deal(variant, number) for number in DEALS]
        nodes, seconds = _timed(partial(_count, positions))
        texts = [naive.deal(slug, number) for number in DEALS]
        slow_nodes, slow_seconds = _timed(partial(_count_naively, slug, texts))
        rate, slow_rate = nodes / seconds, slow_nodes / slow_seconds
        print(
            f"  {slug:22} {nodes:>9,} nodes  {rate:>9,.0f} nodes/s"
            f"  {rate / slow_rate:5.0f} × the naive counter ({slow_rate:,.0f} nodes/s)"
        )


def _count(positions: list[Position]) -> int:
    return sum(perft(position, DEPTH) for position in positions)


def _count_naively(variant: str, positions: list[str]) -> int:
    return sum(naive_perft(variant, position, NAIVE_DEPTH) for position in positions)


def _timed(count: Callable[[], int]) -> tuple[int, float]:
    began = time.process_time()
    nodes = count()
    return nodes, time.process_time() - began


if __name__ == "__main__":
    main()
