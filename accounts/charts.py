"""A player's games as pictures, and as the rows of the table that stands behind each.

The pictures are SVG with classes, which the style sheet fills with the colours of the theme: no style, no script.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from html import escape

from django.utils import dateformat

from accounts.figures import AgainstPar, Period

WIDTH, HEIGHT = 640, 320
# Beside the plot there is room for the larger letters of a narrow page.
LEFT, RIGHT, TOP, BOTTOM = 74, 24, 34, 36
PLOT_WIDTH, PLOT_HEIGHT = WIDTH - LEFT - RIGHT, HEIGHT - TOP - BOTTOM
FLOOR = HEIGHT - BOTTOM
#: A bar is no wider, however few there are.
WIDEST_BAR = 40.0
#: Room that a label under the axis needs, in the letters of a wide page; on a narrow one every other label is left out.
LABEL_WIDTH = 56.0
#: Bars of moves over par at most; above that each stands for several numbers of moves.
MOST_BARS = 24


@dataclass(frozen=True)
class Bar:
    """Wins that are so many moves over par: from `low` to `high`, both included."""

    low: int
    high: int
    games: int

    @property
    def words(self) -> str:
        """The moves in words, as in "3 over", "par", "2 to 5 over", "1 under"."""
        if self.low == self.high:
            return "par" if self.low == 0 else f"{abs(self.low):,} {'over' if self.low > 0 else 'under'}"
        if self.low >= 0:
            return f"{self.low:,} to {self.high:,} over"
        if self.high < 0:
            return f"{-self.high:,} to {-self.low:,} under"
        return f"{-self.low:,} under to {self.high:,} over"


# Win rate over time


def period_name(period: Period) -> str:
    """Return a period in words, as in "week of 2 March 2026" or "Apr–Jun 2026"."""
    first = period.first
    if period.step == "quarter":
        return f"{dateformat.format(first, 'M')}–{dateformat.format(first.replace(month=first.month + 2), 'M Y')}"
    if period.step == "week":
        return f"week of {dateformat.format(first, 'j F Y')}"
    return dateformat.format(first, {"day": "j F Y", "month": "F Y", "year": "Y"}[period.step])


def win_rates(periods: Sequence[Period]) -> str:
    """Draw the win rate of each period as a bar, and that of all games up to its end as a line."""
    plot = _Plot(len(periods), "Win rate over time")
    for percent in (0, 25, 50, 75, 100):
        plot.level(percent / 100, f"{percent} %", minor=percent % 50 > 0)
    step = plot.label_step
    for index, period in enumerate(periods):
        words = f"{period_name(period)}: {period.won:,} of {period.played:,} won"
        if period.win_rate is not None:
            # A bar of no height would be taken for a period without games.
            plot.bar(index, max(period.win_rate, 0.008), words)
        if index % step == 0:
            plot.label(index, _short_name(period), minor=index % (2 * step) > 0)
    plot.line([period.win_rate_so_far for period in periods])
    plot.legend("bar", "each " + periods[0].step if periods else "")
    plot.legend("line", "all games so far")
    return plot.svg()


def _short_name(period: Period) -> str:
    forms = {"day": "j M", "week": "j M", "month": "M y", "quarter": "M y", "year": "Y"}
    return dateformat.format(period.first, forms[period.step])


# Moves over par


def bars(par: AgainstPar) -> list[Bar]:
    """Return moves over par as bars of the same width without a gap, at most `MOST_BARS` of them."""
    counts = dict(par.overs)
    least, most = min(counts), max(counts)
    width = next(width for width in _round_widths() if most // width - least // width < MOST_BARS)
    return [
        Bar(
            first * width,
            first * width + width - 1,
            sum(counts.get(over, 0) for over in range(first * width, first * width + width)),
        )
        for first in range(least // width, most // width + 1)
    ]


def _round_widths() -> list[int]:
    # No game is longer than 2,000 moves.
    return [1, 2, 5, 10, 20, 50, 100, 200, 500]


def moves_over_par(found: Sequence[Bar]) -> str:
    """Draw how many wins are how many moves over par."""
    plot = _Plot(len(found), "Wins by moves over par")
    most = max(each.games for each in found)
    tick = _round_step(most)
    top = tick * math.ceil(most / tick)
    for level in range(0, top + 1, tick):
        plot.level(level / top, f"{level:,}")
    step = plot.label_step
    for index, each in enumerate(found):
        if each.games:
            noun = "win" if each.games == 1 else "wins"
            plot.bar(index, each.games / top, f"{each.words}: {each.games:,} {noun}")
        if index % step == 0:
            number = "par" if each.low == 0 and each.high == 0 else f"{each.low:+,}".replace("-", "−")
            plot.label(index, number, minor=index % (2 * step) > 0)
    return plot.svg()


def _round_step(most: int) -> int:
    """Return a round distance of some four lines up to a number: 1, 2 or 5, and as many zeros as it takes."""
    rough = max(1.0, most / 4)
    power = 10 ** math.floor(math.log10(rough))
    return next(int(factor * power) for factor in (1, 2, 5, 10) if factor * power >= rough)


# Inside


class _Plot:
    """A picture of bars side by side, drawn from the floor up. Heights are shares of the plot's."""

    def __init__(self, count: int, title: str) -> None:
        self._slot = PLOT_WIDTH / max(count, 1)
        self._bar = min(WIDEST_BAR, self._slot * 0.78)
        self._legend_at = LEFT
        self._parts = [
            f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {HEIGHT}" role="img" class="plot" '
            f'font-size="13"><title>{escape(title)}</title>'
        ]

    @property
    def label_step(self) -> int:
        """Every how many bars there is room for a label."""
        return max(1, math.ceil(LABEL_WIDTH / self._slot))

    def level(self, height: float, text: str, *, minor: bool = False) -> None:
        """Draw a line across, with a number beside it unless it is minor."""
        at = self._y(height)
        kind = "plot__floor" if height == 0 else "plot__level"
        self._parts.append(f'<path class="{kind}" d="M{LEFT} {at:.1f}H{WIDTH - RIGHT}"/>')
        if not minor:
            self._parts.append(
                f'<text class="plot__text" x="{LEFT - 7}" y="{at + 4.5:.1f}" text-anchor="end">{text}</text>'
            )

    def bar(self, index: int, height: float, words: str) -> None:
        """Draw a bar, which says what it is when pointed at."""
        top = self._y(height)
        self._parts.append(
            f'<rect class="plot__bar" x="{self._middle(index) - self._bar / 2:.1f}" y="{top:.1f}" '
            f'width="{self._bar:.1f}" height="{FLOOR - top:.1f}"><title>{escape(words)}</title></rect>'
        )

    def label(self, index: int, text: str, *, minor: bool) -> None:
        """Write under a bar; what is minor is left out where there is little room."""
        kind = "plot__text plot__text--minor" if minor else "plot__text"
        self._parts.append(
            f'<text class="{kind}" x="{self._middle(index):.1f}" y="{FLOOR + 22}" text-anchor="middle">{text}</text>'
        )

    def line(self, heights: Sequence[float]) -> None:
        """Draw a line over the middles of the bars; a dot where there is one bar only."""
        points = [(self._middle(index), self._y(height)) for index, height in enumerate(heights)]
        if len(points) > 1:
            path = "L".join(f"{x:.1f} {y:.1f}" for x, y in points)
            self._parts.append(f'<path class="plot__line" d="M{path}"/>')
        for x, y in points[-1:]:
            self._parts.append(f'<circle class="plot__dot" cx="{x:.1f}" cy="{y:.1f}" r="4.5"/>')

    def legend(self, kind: str, words: str) -> None:
        """Say above the plot what bars or the line are."""
        at = self._legend_at
        mark = (
            f'<rect class="plot__bar" x="{at}" y="3" width="13" height="13"/>'
            if kind == "bar"
            else f'<path class="plot__line" d="M{at - 3} 9.5h20"/>'
        )
        self._parts.append(f'{mark}<text class="plot__text" x="{at + 21}" y="14.5">{words}</text>')
        # Room for the larger letters of a narrow page.
        self._legend_at = at + 44 + 12 * len(words)

    def svg(self) -> str:
        """Return the picture."""
        return "".join([*self._parts, "</svg>"])

    def _middle(self, index: int) -> float:
        return LEFT + self._slot * (index + 0.5)

    def _y(self, height: float) -> float:
        return FLOOR - PLOT_HEIGHT * height
