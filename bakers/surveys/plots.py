"""A survey as a picture: how many positions the solver had to look at, deal by deal.

Counts differ by thousands and both axes are logarithmic, so that the few lost deals and the few hard ones are seen
beside the many easy ones. The picture takes its ink from the page around it, and needs neither style nor script.
"""

from __future__ import annotations

import math
from html import escape

from .summaries import Summary

WIDTH, HEIGHT = 640, 320
LEFT, RIGHT, TOP, BOTTOM = 60, 8, 40, 54
#: Colours that are told from each other, and from light and dark paper, by those who see no red or green too.
COLOURS = {"won": "#1f8a5f", "lost": "#d1602f", "unknown": "#8a8f99"}
WORDS = {"won": "won", "lost": "lost", "unknown": "not decided"}


def histogram(summary: Summary, title: str) -> str:
    """Draw a survey as SVG.

    Args:
        summary: what is drawn.
        title: what the picture is called, for those who can't see it as well.
    """
    series = [name for name in COLOURS if any(getattr(each, name) for each in summary.bins)]
    most = max(getattr(each, name) for each in summary.bins for name in series)
    # One deal has to have a height too, so the axis begins at half a deal.
    decades = max(1, math.ceil(math.log10(most)))
    plot_width, plot_height = WIDTH - LEFT - RIGHT, HEIGHT - TOP - BOTTOM

    def y(count: float) -> float:
        return TOP + plot_height * (1 - math.log10(count / 0.5) / (decades - math.log10(0.5)))

    slot = plot_width / len(summary.bins)
    bar = min(28.0, slot * 0.84 / len(series))
    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {HEIGHT}" role="img" class="chart" '
        f'font-family="system-ui, sans-serif" font-size="12" fill="currentColor">',
        f"<title>{escape(title)}</title>",
    ]
    for power in range(decades + 1):
        at = y(10**power)
        parts.append(
            f'<path d="M{LEFT} {at:.1f}H{WIDTH - RIGHT}" stroke="currentColor" stroke-opacity="0.18"/>'
            f'<text x="{LEFT - 8}" y="{at + 4:.1f}" text-anchor="end">{_short_decimal(power)}</text>'
        )
    parts.append(f'<path d="M{LEFT} {HEIGHT - BOTTOM}H{WIDTH - RIGHT}" stroke="currentColor" fill="none"/>')
    # Numbers under the axis have to fit beside each other.
    step = max(1, math.ceil(46 / slot))
    for index, each in enumerate(summary.bins):
        middle = LEFT + slot * (index + 0.5)
        for place, name in enumerate(series):
            count = getattr(each, name)
            if count:
                left = middle + bar * (place - len(series) / 2)
                parts.append(
                    f'<rect x="{left:.1f}" y="{y(count):.1f}" width="{bar:.1f}" '
                    f'height="{HEIGHT - BOTTOM - y(count):.1f}" fill="{COLOURS[name]}" class="chart__{name}">'
                    f"<title>{count:,} {WORDS[name]}, {_range(each.low, each.high)} positions</title></rect>"
                )
        if index % step == 0:
            # Where the words have to be larger, half of these are enough.
            minor = ' class="chart__minor"' if index % (2 * step) else ""
            parts.append(
                f'<text x="{middle:.1f}" y="{HEIGHT - BOTTOM + 20}" text-anchor="middle"{minor}>'
                f"{_short(each.low)}</text>"
            )
    parts.append(
        f'<text x="{LEFT + plot_width / 2:.0f}" y="{HEIGHT - 8}" text-anchor="middle">'
        f'positions looked at, or more</text><text x="0" y="14">deals</text>'
    )
    left = WIDTH - RIGHT
    for name in reversed(series):
        # Room for the larger letters of a narrow page.
        left -= 46 + 11 * len(WORDS[name])
        parts.append(
            f'<rect x="{left}" y="3" width="12" height="12" fill="{COLOURS[name]}" class="chart__{name}"/>'
            f'<text x="{left + 18}" y="14">{WORDS[name]}</text>'
        )
    parts.append("</svg>")
    return "".join(parts)


def _short_decimal(power: int) -> str:
    """A power of ten with room for larger letters: 100, 1k, 100k, 1M."""
    thousands, zeros = divmod(power, 3)
    return f"1{'0' * zeros}{('', 'k', 'M', 'G')[thousands]}"


def _range(low: int, high: int) -> str:
    return f"{low:,}" if low == high else f"{low:,} to {high:,}"


def _short(number: int) -> str:
    """A power of two as people read it: 512, 1k, 64k, 2M."""
    if number >= 1 << 20:
        return f"{number >> 20}M"
    return f"{number >> 10}k" if number >= 1 << 10 else str(number)
