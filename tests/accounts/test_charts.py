"""Pictures of play: what they draw, and that they are whole whatever the numbers."""

from __future__ import annotations

import datetime
import itertools
import re
from xml.etree import ElementTree

import pytest
from hypothesis import given
from hypothesis import strategies as st

from accounts import charts, tables
from accounts.figures import AgainstPar, Day, Period, periods

SVG = "{http://www.w3.org/2000/svg}"


def drawn(picture: str) -> ElementTree.Element:
    """Return a picture as the elements that it is made of, after a look at what none may have."""
    # Nothing that the strict policy refuses, nor a colour that only one theme could show.
    assert not re.search(r"style|<script|fill=|stroke=|javascript:|NaN|inf\b", picture)
    return ElementTree.fromstring(picture)  # noqa: S314 (our own)


def marks(picture: ElementTree.Element, kind: str) -> list[ElementTree.Element]:
    """Return the bars, or whatever is of one class, but for the legend's."""
    return [each for each in picture.iter() if each.get("class") == kind]


def of_bars(picture: ElementTree.Element) -> list[ElementTree.Element]:
    """Return the bars of the plot itself, which say what they are."""
    return [each for each in marks(picture, "plot__bar") if each.find(f"{SVG}title") is not None]


def number(element: ElementTree.Element, name: str) -> float:
    return float(element.attrib[name])


def period(first: datetime.date, *, step: str = "day", played: int = 4, won: int = 1) -> Period:
    return Period(first, step, played, won, 10, 5)


MARCH = datetime.date(2026, 3, 2)


class TestWinRates:
    def test_a_bar_is_as_high_as_the_share_of_its_games_that_were_won(self) -> None:
        found = periods(
            [
                Day("x", "casual", MARCH, 4, 1),
                Day("x", "casual", MARCH + datetime.timedelta(days=1), 4, 4),
                Day("x", "casual", MARCH + datetime.timedelta(days=3), 2, 0),
            ]
        )
        picture = drawn(charts.win_rates(found))
        bars = of_bars(picture)
        assert [title.text for bar in bars for title in bar.iter(f"{SVG}title")] == [
            "2 March 2026: 1 of 4 won",
            "3 March 2026: 4 of 4 won",
            "5 March 2026: 0 of 2 won",
        ]
        assert number(bars[0], "height") == pytest.approx(charts.PLOT_HEIGHT / 4, abs=0.1)
        assert number(bars[1], "height") == pytest.approx(charts.PLOT_HEIGHT, abs=0.1)
        # A day on which all were lost is not a day without games.
        assert 0 < number(bars[2], "height") < 4

    def test_the_line_is_that_of_all_games_so_far(self) -> None:
        found = periods(
            [
                Day("x", "casual", MARCH, 1, 0),
                Day("x", "casual", MARCH + datetime.timedelta(days=1), 1, 1),
            ]
        )
        picture = drawn(charts.win_rates(found))
        [line, _legend] = marks(picture, "plot__line")
        heights = [float(point.split()[1]) for point in line.attrib["d"].strip("M").split("L")]
        assert heights == pytest.approx([charts.FLOOR, charts.FLOOR - charts.PLOT_HEIGHT / 2], abs=0.1)

    def test_one_day_is_a_bar_and_a_dot(self) -> None:
        picture = drawn(charts.win_rates([period(MARCH)]))
        assert len(of_bars(picture)) == 1
        assert len(marks(picture, "plot__dot")) == 1
        assert number(of_bars(picture)[0], "width") <= charts.WIDEST_BAR

    def test_it_has_a_name_for_those_who_do_not_see_it(self) -> None:
        picture = drawn(charts.win_rates([period(MARCH)]))
        assert picture.get("role") == "img"
        title = picture.find(f"{SVG}title")
        assert title is not None
        assert title.text == "Win rate over time"

    @pytest.mark.parametrize(
        ("step", "name"),
        [
            ("day", "1 April 2026"),
            ("week", "week of 1 April 2026"),
            ("month", "April 2026"),
            ("quarter", "Apr–Jun 2026"),
            ("year", "2026"),
        ],
    )
    def test_periods_have_names(self, step: str, name: str) -> None:
        assert charts.period_name(period(datetime.date(2026, 4, 1), step=step)) == name

    @given(
        days=st.lists(
            st.tuples(st.integers(0, 12_000), st.integers(1, 50), st.integers(0, 50)), min_size=1, max_size=60
        )
    )
    def test_it_is_whole_for_any_history(self, days: list[tuple[int, int, int]]) -> None:
        played = [
            Day("x", "casual", MARCH + datetime.timedelta(days=day), played, min(won, played))
            for day, played, won in days
        ]
        found = periods(played)
        picture = drawn(charts.win_rates(found))
        bars = of_bars(picture)
        assert len(bars) == sum(1 for each in found if each.played)
        for bar in bars:
            assert number(bar, "x") >= charts.LEFT
            assert number(bar, "x") + number(bar, "width") <= charts.WIDTH - charts.RIGHT
            assert number(bar, "y") + number(bar, "height") == pytest.approx(charts.FLOOR, abs=0.2)
            assert number(bar, "y") >= charts.TOP - 0.1
        rows = tables.period_rows(found)
        assert len(rows) == len(found)
        assert rows[-1]["so_far"] == tables.percent(found[-1].win_rate_so_far)


class TestMovesOverPar:
    def test_a_bar_for_each_number_of_moves_without_a_gap(self) -> None:
        bars = charts.bars(AgainstPar(((-1, 1), (0, 2), (3, 4))))
        assert [(bar.words, bar.games) for bar in bars] == [
            ("1 under", 1), ("par", 2), ("1 over", 0), ("2 over", 0), ("3 over", 4),
        ]  # fmt: skip
        picture = drawn(charts.moves_over_par(bars))
        assert [title.text for bar in of_bars(picture) for title in bar.iter(f"{SVG}title")] == [
            "1 under: 1 win", "par: 2 wins", "3 over: 4 wins",
        ]  # fmt: skip

    def test_wide_ranges_have_wider_bars(self) -> None:
        bars = charts.bars(AgainstPar(((-3, 1), (0, 2), (7, 4), (41, 1))))
        assert [bar.words for bar in bars[:4]] == [
            "3 to 4 under",
            "1 to 2 under",
            "0 to 1 over",
            "2 to 3 over",
        ]
        assert bars[-1].words == "40 to 41 over"
        assert sum(bar.games for bar in bars) == 8

    def test_lines_across_are_at_whole_numbers_of_wins(self) -> None:
        for games in (1, 2, 3, 7, 40, 999, 5_000):
            picture = drawn(charts.moves_over_par(charts.bars(AgainstPar(((5, games),)))))
            numbers = [
                int((each.text or "").replace(",", ""))
                for each in picture.iter(f"{SVG}text")
                if each.get("text-anchor") == "end"
            ]
            assert numbers[0] == 0
            assert 2 <= len(numbers) <= 6
            assert numbers[-1] >= games

    @given(
        overs=st.dictionaries(st.integers(-60, 1_990), st.integers(1, 5_000), min_size=1, max_size=80),
    )
    def test_it_is_whole_for_any_wins(self, overs: dict[int, int]) -> None:
        bars = charts.bars(AgainstPar(tuple(sorted(overs.items()))))
        assert 1 <= len(bars) <= charts.MOST_BARS
        assert sum(bar.games for bar in bars) == sum(overs.values())
        assert bars[0].low <= min(overs)
        assert max(overs) <= bars[-1].high
        assert all(after.low == before.high + 1 for before, after in itertools.pairwise(bars))
        assert len({bar.words for bar in bars}) == len(bars)
        for each in of_bars(drawn(charts.moves_over_par(bars))):
            assert number(each, "y") >= charts.TOP - 0.1
            assert number(each, "x") + number(each, "width") <= charts.WIDTH - charts.RIGHT


class TestWords:
    @pytest.mark.parametrize(
        ("rate", "words"),
        [(None, "–"), (0, "0.0 %"), (0.5, "50.0 %"), (2 / 3, "66.7 %"), (1, "100.0 %"), (0.125, "12.5 %")],
    )
    def test_rates(self, rate: float | None, words: str) -> None:
        assert tables.percent(rate) == words

    @pytest.mark.parametrize(
        ("milliseconds", "words"),
        [(None, "–"), (0, "0:00"), (61_999, "1:01"), (3_599_000, "59:59"), (3_753_000, "1:02:33")],
    )
    def test_times(self, milliseconds: float | None, words: str) -> None:
        assert tables.clock_text(milliseconds) == words

    @pytest.mark.parametrize(
        ("over", "words"), [(0, "par"), (0.0, "par"), (3, "+3"), (-2, "−2"), (2.25, "+2.2"), (-0.5, "−0.5")]
    )
    def test_moves_over_par(self, over: float, words: str) -> None:
        assert tables.over_par(over) == words
