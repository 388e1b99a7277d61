"""How the levels of difficulty are spread, what rises with them, and how much they hang on the search.

`script/bench ratings` prints for winnable deals of each variant: the share that each level holds; what share keeps its
level when the columns are shuffled and the suits renamed at random, when it is rated by as many searches that one or
another seed draws, and when half of the searches rate it; and for each level the median of the score and of the
expansions that the verdict took (`decide`, all its searches together), the medians of
the column moves of a short line and of the bound below which there is none, the first moves that lose, and the share
of lost positions after ten random moves.

After `--` it takes arguments: `--deals` is the number of winnable deals of each variant, `--variant` picks variants,
`--first` is the first deal number, `--par` the expansions that may go into the short line of a deal, and `--verdict`
those that may go into the verdict after a first move or after random ones. What isn't decided by then doesn't count as
lost; how many there are is printed. `--limits` prints the quintiles of the scores alone.
"""

from __future__ import annotations

import argparse
import functools
import random
import statistics
import time
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass

from bakers.rules.deals import deal
from bakers.rules.positions import Position
from bakers.rules.variants import VARIANTS, Variant
from bakers.solver import Outcome, ParSearch, compile_all, decide, rate
from bakers.solver.ratings import NAMES, SUIT_ORDERS, Rating, rate_won
from bakers.solver.verdicts import QUICK_BUDGET
from benchmarks.solver import share, wander
from tests.solver.decks import with_other_names

LEVELS = range(1, 6)
#: Games played at random from each deal, and the moves of each.
WALKS, WALK = 5, 10


@dataclass(frozen=True)
class Rated:
    """A deal, its rating, and what else is known of it.

    Attributes:
        rating: as people see it.
        renamed: the rating of the same deal with columns shuffled and suits renamed.
        drawn: the levels by searches in orders drawn at random, with two seeds.
        half: the level by half of the searches, drawn at random.
        expanded: expansions of the verdict.
        short: column moves of the shortest line known.
        bound: no line has fewer.
        first: verdicts on the first moves.
        walks: verdicts on positions after random moves.
    """

    rating: Rating
    renamed: Rating
    drawn: tuple[int, int]
    half: int
    expanded: int
    short: int
    bound: int
    first: Counter[Outcome]
    walks: Counter[Outcome]

    @property
    def losing(self) -> float:
        """The share of first moves that lose, in per cent."""
        return 100 * self.first[Outcome.LOST] / max(self.first.total(), 1)


def winnable(variant: Variant, first: int, count: int) -> Iterator[tuple[int, Position, Rating]]:
    """Deals that have a rating, from a deal number on."""
    number = first
    while count:
        position = deal(variant, number)
        rating = rate(position)
        if rating is not None:
            yield number, position, rating
            count -= 1
        number += 1


def look_at(number: int, position: Position, rating: Rating, par: int, budget: int) -> Rated:
    """Search a deal for all that is asked of it."""

    def drawn(seed: int) -> int:
        orders = random.Random(seed).choices(SUIT_ORDERS, k=len(SUIT_ORDERS))
        return rate_won(position, orders).level

    home = 52 - position.cards_home()
    known = ParSearch(position).advance(par)
    # The verdict's own line stands in where no short one was found in time.
    verdict = decide(position, QUICK_BUDGET)
    assert verdict.line is not None
    first: Counter[Outcome] = Counter()
    for move in list(position.legal_moves):
        position.push(move)
        first[decide(position, budget).outcome] += 1
        position.pop()
    walks = Counter(
        decide(wander(position.copy(), WALK, number + walk), budget).outcome for walk in range(WALKS)
    )
    return Rated(
        rating,
        rate_won(with_other_names(position, number)),
        (drawn(2 * number), drawn(2 * number + 1)),
        rate_won(position, random.Random(number).sample(SUIT_ORDERS, len(SUIT_ORDERS) // 2)).level,
        verdict.expanded,
        min(known.moves or len(verdict.line), len(verdict.line)) - home,
        known.lower_bound - home,
        first,
        walks,
    )


def report(rows: list[Rated]) -> None:
    """Print what is true of rated deals."""
    renamed = sum(row.renamed.level == row.rating.level for row in rows)
    scores = sum(row.renamed.score == row.rating.score for row in rows)
    drawn = sum(row.drawn[0] == row.drawn[1] for row in rows)
    half = sum(row.half == row.rating.level for row in rows)
    apart = max(abs(level - row.rating.level) for row in rows for level in (*row.drawn, row.half))
    print(
        f"  same level with columns shuffled, suits renamed: {share(renamed, len(rows))}; same score: {scores}"
    )
    print(f"  same level with searches drawn by another seed: {share(drawn, len(rows))}")
    print(
        f"  same level by half of the searches: {share(half, len(rows))}; these levels are at most {apart} off"
    )
    proven = sum(row.short == row.bound for row in rows)
    print(f"  short lines proven shortest: {share(proven, len(rows))}")
    for what, counts in (
        ("first moves", [row.first for row in rows]),
        ("positions after random moves", [row.walks for row in rows]),
    ):
        total = functools.reduce(lambda one, other: one + other, counts)
        print(f"  {what}: {total.total()}, {total[Outcome.LOST]} lost, {total[Outcome.UNKNOWN]} not decided")
    print(
        "  medians of score, expansions, short line, its bound, first moves that lose; mean of the last; deals with"
    )
    print(f"  such a move; lost after {WALK} random moves")
    for level in LEVELS:
        of_level = [row for row in rows if row.rating.level == level]
        if of_level:
            medians = (
                statistics.median(row.rating.score for row in of_level),
                statistics.median(row.expanded for row in of_level),
                statistics.median(row.short for row in of_level),
                statistics.median(row.bound for row in of_level),
            )
            lost = sum(row.walks[Outcome.LOST] for row in of_level)
            print(
                f"  {level} {NAMES[level - 1]:12} {100 * len(of_level) / len(rows):5.1f} %",
                "".join(f"{median:8,.1f}" for median in medians),
                f"{statistics.median(row.losing for row in of_level):8.2f} %",
                f"{statistics.fmean(row.losing for row in of_level):6.2f} %",
                f"{sum(row.losing > 0 for row in of_level):4} of {len(of_level)}",
                f"{100 * lost / (WALKS * len(of_level)):6.1f} %",
                flush=True,
            )


def main() -> None:
    """Rate deals and print what the arguments ask for."""
    parser = argparse.ArgumentParser(prog="benchmarks.ratings", description=__doc__)
    parser.add_argument("--deals", type=int, default=1_000, help="winnable deals of each variant")
    parser.add_argument("--first", type=int, default=1_000_001, help="the first deal number")
    parser.add_argument("--variant", action="append", choices=list(VARIANTS), help="only these variants")
    parser.add_argument("--par", type=int, default=10_000, help="expansions for the short line of a deal")
    parser.add_argument(
        "--verdict", type=int, default=20_000, help="expansions for a verdict after first or random moves"
    )
    parser.add_argument("--limits", action="store_true", help="print the quintiles of the scores alone")
    options = parser.parse_args()
    compile_all()
    for slug in options.variant or VARIANTS:
        variant = VARIANTS[slug]
        begun = time.process_time()
        deals = list(winnable(variant, options.first, options.deals))
        each = 1_000 * (time.process_time() - begun) / options.deals
        print(
            f"\n{slug}, {options.deals} winnable deals of {options.first}–{deals[-1][0]}, {each:.1f} ms a rating",
            flush=True,
        )
        if options.limits:
            scores = sorted(rating.score for _, _, rating in deals)
            places = [len(scores) * fifth // 5 for fifth in range(1, 5)]
            limits = [(scores[place - 1] + scores[place]) / 2 for place in places]
            print("  quintiles of the score:", ", ".join(f"{limit:.2f}" for limit in limits))
            continue
        report([look_at(*entry, options.par, options.verdict) for entry in deals])
        print(f"  all in {time.process_time() - begun:.0f} s of CPU", flush=True)


if __name__ == "__main__":
    main()
