"""What the page of questions and answers shows: figures, all of them from the published surveys."""

from __future__ import annotations

import datetime
from typing import Any

from django.utils import dateformat
from django.utils.safestring import SafeString, mark_safe

from bakers.rules.variants import BAKERS_DOZEN, VARIANTS
from bakers.surveys.plots import histogram
from bakers.surveys.published import published_surveys
from bakers.surveys.summaries import Summary

#: Lost deals that the page names.
NAMED = 8


def survey_row(summary: Summary) -> dict[str, Any]:
    """Return a survey as the page's table shows it: numbers as people read them."""
    variant = VARIANTS[summary.variant]
    return {
        "slug": variant.slug,
        "name": variant.name,
        "covered": variant.covered,
        "range": f"{summary.first:,}–{summary.last:,}",
        "deals": f"{summary.deals:,}",
        "won": f"{summary.won:,}",
        "lost": f"{summary.lost:,}",
        "unknown": f"{summary.unknown:,}",
        "share": f"{100 * summary.share:.2f} %",
        "interval": f"{100 * summary.low:.2f}–{100 * summary.high:.2f} %",
        "one_in": _one_in(summary),
        "date": summary.date,
        "day": dateformat.format(datetime.date.fromisoformat(summary.date), "j M Y"),
        "lost_deals": [str(number) for number in summary.lost_deals[:NAMED]],
        "median": f"{summary.expanded.median:,.0f}",
        "p99": f"{summary.expanded.p99:,.0f}",
        "most": f"{summary.expanded.max:,.0f}",
    }


def _one_in(summary: Summary) -> str | None:
    """How many deals there are for each lost one, or None if none is lost."""
    return f"{summary.deals / summary.lost:,.0f}" if summary.lost else None


def questions_data() -> dict[str, Any]:
    """Return the context of the page."""
    surveys = {summary.variant: summary for summary in published_surveys()}
    main = surveys[BAKERS_DOZEN.slug]
    return {
        "surveys": [survey_row(summary) for summary in surveys.values()],
        "main": survey_row(main),
        "least_budget": f"{min(summary.budget for summary in surveys.values()):,}",
        "chart": _chart(main),
    }


def _chart(summary: Summary) -> SafeString:
    title = f"{summary.deals:,} deals of {VARIANTS[summary.variant].name} by the positions that the solver looked at"
    return mark_safe(histogram(summary, title))  # noqa: S308 (made of numbers and of our own words)
