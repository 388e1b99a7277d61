"""What a survey says: counts, intervals, spreads, and the picture of it."""

from __future__ import annotations

import json
import math
import re
from xml.etree import ElementTree

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bakers.solver import Outcome, Reason
from bakers.surveys.plots import histogram
from bakers.surveys.rows import Row
from bakers.surveys.summaries import Spread, Summary, summarise, wilson


def row(deal: int, outcome: Outcome, expanded: int) -> Row:
    reasons = {Outcome.WON: Reason.LINE, Outcome.LOST: Reason.RELAXED, Outcome.UNKNOWN: Reason.BUDGET}
    return Row(deal, outcome, reasons[outcome], expanded, expanded / 1000)


ROWS = st.lists(
    st.builds(row, st.integers(1, 10**20 - 1), st.sampled_from(Outcome), st.integers(0, 20_000_000)),
    min_size=1,
    max_size=60,
    unique_by=lambda each: each.deal,
)


class TestIntervals:
    @pytest.mark.parametrize(
        ("hits", "total", "low", "high"),
        [
            # The first four in Newcombe (1998), table I, method 3; the last mirrors none of 29.
            (81, 263, 0.2553, 0.3662),
            (15, 148, 0.0624, 0.1605),
            (0, 20, 0.0, 0.1611),
            (1, 29, 0.0061, 0.1718),
            (29, 29, 0.8830, 1.0),
        ],
    )
    def test_are_those_of_the_literature(self, hits: int, total: int, low: float, high: float) -> None:
        assert wilson(hits, total) == pytest.approx((low, high), abs=0.00005)

    @given(st.integers(1, 10**7).flatmap(lambda total: st.tuples(st.integers(0, total), st.just(total))))
    def test_hold_the_share_and_are_where_a_share_can_be(self, counts: tuple[int, int]) -> None:
        low, high = wilson(*counts)
        assert 0 <= low <= counts[0] / counts[1] <= high <= 1

    def test_of_nothing_say_nothing(self) -> None:
        assert wilson(0, 0) == (0, 1)


class TestSummaries:
    @given(ROWS)
    def test_count_every_deal_once(self, rows: list[Row]) -> None:
        summary = summarise("bakers-dozen", rows, date="2026-01-01", budget=20_000_000)
        assert summary.deals == len(rows) == summary.won + summary.lost + summary.unknown
        for name in ("won", "lost", "unknown"):
            assert getattr(summary, name) == sum(each.outcome == name for each in rows)
            assert getattr(summary, name) == sum(getattr(each, name) for each in summary.bins)
        for each in summary.bins:
            inside = [one for one in rows if each.low <= one.expanded <= each.high]
            assert len(inside) == each.won + each.lost + each.unknown
        assert summary.low <= summary.share <= summary.high + 1e-6

    @given(ROWS)
    def test_come_back_from_json_as_they_were(self, rows: list[Row]) -> None:
        summary = summarise("bakers-dozen", rows, date="2026-01-01", budget=20_000_000)
        assert Summary.from_json(json.loads(json.dumps(summary.as_json()))) == summary

    def test_leave_room_in_the_interval_for_deals_that_are_open(self) -> None:
        rows = [row(number, Outcome.WON, 1) for number in range(1, 100)]
        decided = summarise("x", rows, date="2026-01-01", budget=9)
        still_open = summarise("x", [*rows, row(100, Outcome.UNKNOWN, 9)], date="2026-01-01", budget=9)
        assert still_open.share == 0.99
        assert still_open.low < decided.low
        assert still_open.high == 1

    def test_a_quantile_is_the_value_that_this_share_does_not_exceed(self) -> None:
        spread = Spread.of(list(range(1, 1001)))
        assert spread == Spread(500, 500.5, 900, 990, 999, 1000)
        assert Spread.of([7]) == Spread(7, 7, 7, 7, 7, 7)


class TestPictures:
    @given(ROWS)
    def test_are_svg_with_a_bar_for_each_sort_of_deal_and_effort(self, rows: list[Row]) -> None:
        summary = summarise("bakers-dozen", rows, date="2026-01-01", budget=20_000_000)
        picture = ElementTree.fromstring(histogram(summary, "<Deals> & more"))  # noqa: S314 (our own)
        space = {"svg": "http://www.w3.org/2000/svg"}
        assert picture.findtext("svg:title", namespaces=space) == "<Deals> & more"
        bars = [bar for bar in picture.findall("svg:rect", space) if bar.find("svg:title", space) is not None]
        assert len(bars) == sum(
            bool(getattr(each, name)) for each in summary.bins for name in ("won", "lost", "unknown")
        )
        for bar in bars:
            assert float(bar.attrib["height"]) > 0
            assert float(bar.attrib["x"]) >= 0
            assert float(bar.attrib["x"]) + float(bar.attrib["width"]) <= 640
            assert 0 <= float(bar.attrib["y"]) <= 300

    def test_show_ten_times_as_many_deals_as_one_step_more(self) -> None:
        rows = [row(number, Outcome.WON, 1) for number in range(1, 101)]
        rows += [row(number, Outcome.WON, 2) for number in range(201, 211)]
        rows += [row(300, Outcome.WON, 4)]
        picture = histogram(summarise("x", rows, date="2026-01-01", budget=9), "x")
        hundred, ten, one = (
            float(height) for height in re.findall(r'height="([\d.]+)"[^>]*><title', picture)
        )
        assert math.isclose(hundred - ten, ten - one, abs_tol=0.2)

    def test_hold_nothing_that_a_strict_page_would_refuse(self) -> None:
        rows = [row(1, Outcome.WON, 1)]
        picture = histogram(summarise("x", rows, date="2026-01-01", budget=9), "x")
        assert not re.search(r"<style|style=|<script|\son\w+=|href", picture)
