"""What a survey says: counts, the share that can be won and how sure it is, and how hard deals are."""

from __future__ import annotations

import math
import statistics
from collections import Counter
from collections.abc import Collection, Sequence
from dataclasses import asdict, dataclass
from typing import Any

from bakers.solver import Outcome

from .rows import Row

#: The 97.5 % quantile of the normal distribution, for intervals of 95 %.
Z = 1.959963984540054
#: Lost deals that a summary lists by number.
LISTED = 40


def wilson(hits: int, total: int) -> tuple[float, float]:
    """The 95 % interval of a share by Wilson's score, from 0 to 1.

    Source: E. B. Wilson, Probable inference, the law of succession, and statistical inference (1927).
    """
    if not total:
        return 0.0, 1.0
    share = hits / total
    scale = 1 + Z * Z / total
    middle = (share + Z * Z / (2 * total)) / scale
    half = Z * math.sqrt(share * (1 - share) / total + Z * Z / (4 * total * total)) / scale
    # Exactly none or all leave an end that is 0 or 1, but for the last digit of the arithmetic.
    low = 0.0 if hits == 0 else max(0.0, middle - half)
    high = 1.0 if hits == total else min(1.0, middle + half)
    return low, high


@dataclass(frozen=True)
class Spread:
    """How some values are spread."""

    median: float
    mean: float
    p90: float
    p99: float
    p999: float
    max: float

    @classmethod
    def of(cls, values: Collection[float]) -> Spread:
        """Return the spread of one value or more; a quantile is the value that this share of them doesn't exceed."""
        ordered = sorted(values)

        def quantile(share: float) -> float:
            return ordered[max(0, math.ceil(share * len(ordered)) - 1)]

        mean = round(statistics.fmean(ordered), 3)
        return cls(quantile(0.5), mean, quantile(0.9), quantile(0.99), quantile(0.999), ordered[-1])


@dataclass(frozen=True)
class Bin:
    """Deals whose verdict cost from `low` to `high` expansions, by outcome."""

    low: int
    high: int
    won: int
    lost: int
    unknown: int


@dataclass(frozen=True)
class Summary:
    """A survey of deals `first` to `last` of a variant.

    Attributes:
        date: the day on which it was made (UTC), year first.
        deals, won, lost, unknown: how many deals; the first is the sum of the others.
        budget: expansions that each deal was given at most.
        low, high: the 95 % interval of the share that can be won, from 0 to 1. A deal that isn't decided counts
            as lost below and as won above.
        lost_deals: the first few lost deals.
        unknown_deals: all that aren't decided.
        expanded, cpu_ms: what verdicts cost.
        bins: the same in powers of two.
    """

    variant: str
    first: int
    last: int
    date: str
    deals: int
    won: int
    lost: int
    unknown: int
    budget: int
    low: float
    high: float
    lost_deals: tuple[int, ...]
    unknown_deals: tuple[int, ...]
    expanded: Spread
    cpu_ms: Spread
    bins: tuple[Bin, ...]

    @property
    def share(self) -> float:
        """The share of deals that can be won, from 0 to 1; what isn't decided counts as lost."""
        return self.won / self.deals

    def as_json(self) -> dict[str, Any]:
        """The summary as it is published. Deal numbers are strings, since JSON's numbers may be too small for them."""
        data = asdict(self)
        for name in ("first", "last"):
            data[name] = str(data[name])
        for name in ("lost_deals", "unknown_deals"):
            data[name] = [str(number) for number in data[name]]
        return data

    @classmethod
    def from_json(cls, data: dict[str, Any]) -> Summary:
        """Read what `as_json` wrote."""
        return cls(
            **{
                **data,
                "first": int(data["first"]),
                "last": int(data["last"]),
                "lost_deals": tuple(map(int, data["lost_deals"])),
                "unknown_deals": tuple(map(int, data["unknown_deals"])),
                "expanded": Spread(**data["expanded"]),
                "cpu_ms": Spread(**data["cpu_ms"]),
                "bins": tuple(Bin(**each) for each in data["bins"]),
            }
        )


def summarise(variant: str, rows: Sequence[Row], *, date: str, budget: int) -> Summary:
    """Sum up one row or more.

    Args:
        date: the day on which the survey was made, year first.
        budget: expansions that each deal was given at most.
    """
    counts = Counter(row.outcome for row in rows)
    won, lost, unknown = (counts[outcome] for outcome in (Outcome.WON, Outcome.LOST, Outcome.UNKNOWN))
    numbers = {
        outcome: sorted(row.deal for row in rows if row.outcome is outcome)
        for outcome in (Outcome.LOST, Outcome.UNKNOWN)
    }
    return Summary(
        variant=variant,
        first=min(row.deal for row in rows),
        last=max(row.deal for row in rows),
        date=date,
        deals=len(rows),
        won=won,
        lost=lost,
        unknown=unknown,
        budget=budget,
        low=round(wilson(won, len(rows))[0], 6),
        high=round(wilson(won + unknown, len(rows))[1], 6),
        lost_deals=tuple(numbers[Outcome.LOST][:LISTED]),
        unknown_deals=tuple(numbers[Outcome.UNKNOWN]),
        expanded=Spread.of([row.expanded for row in rows]),
        cpu_ms=Spread.of([row.cpu_ms for row in rows]),
        bins=_bins(rows),
    )


def _bins(rows: Sequence[Row]) -> tuple[Bin, ...]:
    # The length of a number in bits is the power of two it lies under: 0, 1, 2–3, 4–7, …
    counts = Counter((row.expanded.bit_length(), row.outcome) for row in rows)
    return tuple(
        Bin(
            low=0 if bits == 0 else 1 << (bits - 1),
            high=(1 << bits) - 1,
            won=counts[bits, Outcome.WON],
            lost=counts[bits, Outcome.LOST],
            unknown=counts[bits, Outcome.UNKNOWN],
        )
        for bits in range(max(row.expanded.bit_length() for row in rows) + 1)
    )
