"""What the solver decides, how soon, and with how much memory.

`script/bench solver` prints, for the handed lists and for fresh deals by number: the decided share with its Wilson
interval, expansions and processor time; the same for positions in the middle of games; short lines and proven pars;
memory and start-up time. After `--` it takes arguments: `--deals`, `--middle` and `--pars` set the samples, `--first`
the first deal number, `--variant` picks variants; `--no-lists`, `--no-start` and `--no-resort` leave out parts, the
last one the searches to the end of what 300,000 expansions leave open.
"""

from __future__ import annotations

import argparse
import os
import random
import resource
import statistics
import subprocess
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Iterator
from dataclasses import asdict

from bakers.rules.deals import deal
from bakers.rules.positions import Position
from bakers.rules.variants import VARIANTS, Variant
from bakers.solver import (
    DEFAULT_BUDGET,
    LAST_RESORT,
    Decision,
    Outcome,
    ParSearch,
    Verdict,
    compile_all,
    decide,
)
from bakers.solver.board import (
    ALL_RULES,
    USE_D1,
    USE_D2,
    USE_D3,
    USE_L,
    USE_P3,
    USE_P4,
    USE_P5,
    USE_R,
    Board,
)
from bakers.solver.pars import BoardPar
from bakers.solver.verdicts import BoardSearch
from bakers.surveys.summaries import Spread, wilson
from tests.solver.decks import LISTED, listed

#: Budgets at which the decided share is shown.
BUDGETS = (3_000, 20_000, 100_000, 300_000)


def share(hits: int, total: int) -> str:
    """A share with its 95 % Wilson interval, in per cent."""
    low, high = wilson(hits, total)
    return f"{100 * hits / total:.2f} % ({100 * low:.2f}–{100 * high:.2f})"


def spread(values: list[float]) -> str:
    """Median, mean and upper quantiles of some values."""
    return "  ".join(f"{name} {value:,.2f}" for name, value in asdict(Spread.of(values)).items())


def memory() -> str:
    """The most memory this process ever held."""
    return f"{resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024:.0f} MB"


def report(title: str, verdicts: list[Verdict]) -> None:
    """Print what a list of verdicts says."""
    counts = Counter(verdict.outcome for verdict in verdicts)
    print(f"\n{title}: {len(verdicts)} positions, {dict(counts)}", flush=True)
    for budget in BUDGETS:
        decided = sum(v.outcome is not Outcome.UNKNOWN and v.expanded <= budget for v in verdicts)
        print(f"  decided within {budget:,} expansions: {share(decided, len(verdicts))}")
    print("  expansions  ", spread([verdict.expanded for verdict in verdicts]))
    print("  CPU ms      ", spread([1000 * verdict.cpu_seconds for verdict in verdicts]))
    by_stage = Counter(f"{verdict.stage}: {verdict.outcome}" for verdict in verdicts)
    print("  decided by  ", ", ".join(f"{name} {count}" for name, count in by_stage.most_common()))
    print("  memory      ", memory(), flush=True)


def deals(variant: Variant, numbers: range, resort: bool) -> None:
    """Decide fresh deals."""
    verdicts = []
    still_open = []
    for number in numbers:
        decision = Decision(deal(variant, number))
        verdicts.append(decision.advance(DEFAULT_BUDGET))
        if verdicts[-1].outcome is Outcome.UNKNOWN:
            still_open.append(number)
    report(f"{variant.slug}, deals {numbers[0]}–{numbers[-1]}", verdicts)
    print("  open at that budget:", still_open or "none")
    if resort:
        for number in still_open:
            verdict = decide(deal(variant, number), LAST_RESORT)
            print(
                f"  last resort, deal {number}: {verdict.outcome} ({verdict.stage}) after "
                f"{verdict.expanded:,} expansions, {verdict.cpu_seconds:.1f} s",
                flush=True,
            )


def lists() -> None:
    """Decide the decks of the handed lists, the hard ones to the end, and compare."""
    every = [(slug, f"{slug}_verdicts", DEFAULT_BUDGET) for slug in LISTED]
    for slug, name, budget in [*every, ("bakers-dozen", "bakers-dozen_hard", LAST_RESORT)]:
        rows = listed(slug, name)
        verdicts = [decide(position, budget) for position, _ in rows]
        report(f"{name}.csv", verdicts)
        answers = [verdict.outcome for verdict in verdicts]
        known = [Outcome(row["verdict"]) for _, row in rows]
        contradicted = sum(
            {answer, right} == {Outcome.WON, Outcome.LOST}
            for answer, right in zip(answers, known, strict=True)
        )
        print(
            f"  the list says {known.count(Outcome.WON)} won, {known.count(Outcome.LOST)} lost; "
            f"contradicted: {contradicted}",
            flush=True,
        )


def middles(variant: Variant, count: int, first: int) -> None:
    """Decide positions some random moves into a game, and one random move off a line that wins."""
    for moves in (5, 10, 20, 40):
        verdicts = [
            decide(wander(deal(variant, first + index), moves, index), DEFAULT_BUDGET)
            for index in range(count)
        ]
        report(f"{variant.slug}, {moves} random moves", verdicts)
    report(
        f"{variant.slug}, a line that wins, then one random move",
        [decide(position, DEFAULT_BUDGET) for position in deviations(variant, count, first)],
    )


def wander(position: Position, moves: int, seed: int) -> Position:
    """The position after some random legal moves, or as many as there are."""
    source = random.Random(seed)
    for _ in range(moves):
        legal = list(position.legal_moves)
        if not legal:
            break
        position.push(source.choice(legal))
    return position


def deviations(variant: Variant, count: int, first: int) -> Iterator[Position]:
    """Positions one random move off a line that wins, at a random place of it."""
    number = first
    source = random.Random(variant.slug)
    while count:
        position = deal(variant, number)
        number += 1
        line = decide(position, DEFAULT_BUDGET).line
        if line is None:
            continue
        for move in line[: source.randrange(len(line) - 10)]:
            position.push(move)
        position.push(source.choice(list(position.legal_moves)))
        count -= 1
        yield position


def pars(variant: Variant, count: int, first: int, seconds: tuple[float, ...]) -> None:
    """Look for short lines within 0.1 s of processor time, and for proofs within longer times."""
    found: list[int] = []
    proven: Counter[float] = Counter()
    asked = 0
    number = first
    while asked < count:
        position = deal(variant, number)
        number += 1
        if decide(position, DEFAULT_BUDGET).outcome is not Outcome.WON:
            continue
        asked += 1
        home = 52 - position.cards_home()
        search = ParSearch(position)
        seen = False
        while True:
            before = search.advance(0)
            known = search.advance(before.expanded + 1_000)
            if known.moves is not None and not seen and known.cpu_seconds > 0.1 - 0.005:
                found.append(known.moves - home)
                seen = True
            if known.proven:
                if not seen and known.moves is not None:
                    found.append(known.moves - home)
                for limit in seconds:
                    proven[limit] += known.cpu_seconds <= limit
                break
            if not seen and known.cpu_seconds > 0.1:
                seen = True
            if known.cpu_seconds > max(seconds):
                break
    print(f"\n{variant.slug}, short lines of {count} winnable deals")
    print(
        f"  a line within 0.1 s: {share(len(found), count)}, median {statistics.median(found):.0f} column moves"
    )
    for limit in seconds:
        print(f"  proven shortest within {limit:g} s: {share(proven[limit], count)}")
    print("  memory      ", memory(), flush=True)


def ablations(title: str, positions: list[Position]) -> None:
    """Leave out one rule or stage at a time: what each is worth, and that no verdict changes."""
    every = ("root test", "relaxed", "playing", "beam", "counting", "classes", "open")
    kinds = {
        "everything": (ALL_RULES, frozenset(every)),
        "without D1": (ALL_RULES - USE_D1, frozenset(every)),
        "without D2": (ALL_RULES - USE_D2, frozenset(every)),
        "without D3": (ALL_RULES - USE_D3, frozenset(every)),
        "without P3": (ALL_RULES - USE_P3, frozenset(every)),
        "without P4 and P5": (ALL_RULES - USE_P4 - USE_P5, frozenset(every)),
        "without P5": (ALL_RULES - USE_P5, frozenset(every)),
        **{f"without {stage}": (ALL_RULES, frozenset(every) - {stage}) for stage in every},
        "best-first alone": (ALL_RULES, frozenset({"open"})),
    }
    known: dict[int, Outcome] = {}
    print(f"\n{title}, {len(positions)} positions, {DEFAULT_BUDGET:,} expansions at most")
    for kind, (rules, stages) in kinds.items():
        searches = []
        begun = time.thread_time()
        for number, position in enumerate(positions):
            search = BoardSearch(Board.of(position), rules, stages)
            search.advance(DEFAULT_BUDGET)
            searches.append(search)
            if search.outcome is not Outcome.UNKNOWN:
                assert known.setdefault(number, search.outcome) is search.outcome, (number, kind)
        decided = [
            sum(s.outcome is not Outcome.UNKNOWN and s.expanded <= b for s in searches) for b in BUDGETS
        ]
        shares = " / ".join(f"{100 * count / len(searches):.2f}" for count in decided)
        mean = statistics.fmean(search.expanded for search in searches)
        cpu = 1000 * (time.thread_time() - begun) / len(searches)
        print(f"  {kind:22} {shares} %  mean {mean:,.0f} expansions, {cpu:.2f} ms", flush=True)


def par_ablations(variant: Variant, numbers: range) -> None:
    """Leave out one bound at a time in the search for par: what each is worth, and that no par changes."""
    known: dict[int, int] = {}
    print(f"\n{variant.slug}, par of deals {numbers[0]}–{numbers[-1]}, 300,000 expansions at most")
    for title, rules in {
        "everything": ALL_RULES,
        "without L": ALL_RULES - USE_L,
        "without R*": ALL_RULES - USE_R,
        "without D1": ALL_RULES - USE_D1,
        "without D2": ALL_RULES - USE_D2,
    }.items():
        proven = expanded = 0
        begun = time.thread_time()
        for number in numbers:
            search = BoardPar(Board.of(deal(variant, number)), rules)
            if (
                search.go_on(300_000) is None
                and search.outcome is Outcome.WON
                and search.bound >= search.best
            ):
                proven += 1
                assert known.setdefault(number, search.best) == search.best, (number, title)
            expanded += search.expanded
            search.close()
        cpu = (time.thread_time() - begun) / len(numbers)
        print(
            f"  {title:22} {100 * proven / len(numbers):.1f} % proven, mean {expanded / len(numbers):,.0f} "
            f"expansions, {cpu:.2f} s",
            flush=True,
        )


def start_up() -> None:
    """Say how long a new process takes until nothing needs compiling, and what that adds to its memory."""
    script = (
        "import resource,time; peak = lambda: resource.getrusage(resource.RUSAGE_SELF).ru_maxrss // 1024\n"
        "import bakers.rules.deals\nbefore = peak(); begun = time.perf_counter()\n"
        "import bakers.solver; loaded = time.perf_counter(); bakers.solver.compile_all()\n"
        "print(f'import {loaded - begun:.2f} s, kernels {time.perf_counter() - loaded:.2f} s,',"
        "f'memory {before} MB before and {peak()} MB after')"
    )
    with tempfile.TemporaryDirectory() as folder:
        for title in ("start-up (cold, everything is compiled)", "start-up (from the cache)"):
            done = subprocess.run(
                [sys.executable, "-c", script],
                env={**os.environ, "NUMBA_CACHE_DIR": folder},
                capture_output=True,
                text=True,
                check=True,
            )
            print(f"{title}: {done.stdout.strip()}", flush=True)


def main() -> None:
    """Run what the arguments ask for."""
    parser = argparse.ArgumentParser(prog="benchmarks.solver", description=__doc__)
    either = argparse.BooleanOptionalAction
    parser.add_argument(
        "--deals",
        type=int,
        help="fresh deals of each variant; 10,000 of Baker's Dozen and 2,000 of the others",
    )
    parser.add_argument(
        "--lists", action=either, default=True, help="the handed lists, the hard decks to the end"
    )
    parser.add_argument(
        "--middle", type=int, default=200, help="positions of each kind in the middle of games"
    )
    parser.add_argument("--pars", type=int, default=200, help="winnable deals whose par is looked for")
    parser.add_argument(
        "--ablations", type=int, default=0, help="deals on which rules and stages are left out"
    )
    parser.add_argument("--first", type=int, default=1_000_001, help="the first deal number")
    parser.add_argument("--variant", action="append", choices=list(VARIANTS), help="only these variants")
    parser.add_argument(
        "--resort", action=either, default=True, help="go on with open deals to the last resort"
    )
    parser.add_argument("--seconds", type=float, nargs="+", default=[1.0, 10.0], help="times for pars")
    parser.add_argument("--start", action=either, default=True, help="start-up times and memory")
    options = parser.parse_args()
    if options.start:
        start_up()
    compile_all()
    begun = time.perf_counter()
    if options.lists:
        lists()
    for slug in options.variant or VARIANTS:
        variant = VARIANTS[slug]
        count = (10_000 if slug == "bakers-dozen" else 2_000) if options.deals is None else options.deals
        if count:
            deals(variant, range(options.first, options.first + count), options.resort)
        if options.middle and slug != "original-1883":
            middles(variant, options.middle, options.first)
        if options.ablations and slug != "original-1883":
            numbers = range(options.first, options.first + options.ablations)
            ablations(f"{slug}, deals", [deal(variant, number) for number in numbers])
            middle = [wander(deal(variant, number), 40, number) for number in numbers]
            ablations(f"{slug}, 40 random moves", middle)
    if options.ablations:
        par_ablations(VARIANTS["bakers-dozen"], range(options.first, options.first + options.ablations // 25))
    if options.pars:
        pars(VARIANTS["bakers-dozen"], options.pars, options.first, tuple(options.seconds))
    print(f"\nall in {time.perf_counter() - begun:.0f} s")


if __name__ == "__main__":
    main()
