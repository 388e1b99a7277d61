"""A year of days won: what the picture draws, and the table behind it."""

from __future__ import annotations

import datetime
import itertools
import re
from xml.etree import ElementTree

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bakers.days import Day
from daily import calendars
from daily.calendars import Year
from tests.conftest import ApiClient
from tests.daily.days import at
from tests.daily.past import play_days, player

FIRST = datetime.date(2026, 1, 5)
LAST = FIRST + datetime.timedelta(weeks=52, days=3)
SVG = "{http://www.w3.org/2000/svg}"


def year_of(*won: datetime.date) -> Year:
    return Year(FIRST, LAST, {"bakers-dozen": frozenset(won)})


def drawn(year: Year) -> ElementTree.Element:
    """Return the picture of a year as the elements it is made of, after a look at what none may have."""
    picture = calendars.draw(year, year.won["bakers-dozen"], "Days won")
    assert not re.search(r"style|<script|fill=|stroke=|javascript:", picture)
    return ElementTree.fromstring(picture)  # noqa: S314 (our own)


def squares(picture: ElementTree.Element) -> list[ElementTree.Element]:
    """Return the squares of days won."""
    [group] = [each for each in picture.iter() if each.get("class") == "plot__day"]
    return list(group)


def place(square: ElementTree.Element) -> tuple[int, int]:
    """Return where the upper left corner of a square is."""
    found = re.fullmatch(r"M(\d+) (\d+)h10v10h-10z", square.attrib["d"])
    assert found
    return int(found[1]), int(found[2])


class TestPicture:
    @given(won=st.sets(st.dates(FIRST, LAST), max_size=80))
    def test_has_a_square_for_each_day_and_says_which_were_won(self, won: set[datetime.date]) -> None:
        picture = drawn(year_of(*won))
        found = squares(picture)
        [others] = [each for each in picture.iter() if each.get("class") == "plot__no-day"]
        assert len(found) + others.attrib["d"].count("M") == (LAST - FIRST).days + 1
        titles = [title.text for square in found for title in square.iter(f"{SVG}title")]
        assert titles == [f"{day.day} {day:%B %Y}: won" for day in sorted(won)]

    def test_weeks_are_columns_from_monday_to_sunday(self) -> None:
        days = [FIRST, FIRST + datetime.timedelta(days=6), FIRST + datetime.timedelta(days=7)]
        places = [place(square) for square in squares(drawn(year_of(*days)))]
        left, top, step = calendars.LEFT, calendars.TOP, calendars.STEP
        assert places == [(left, top), (left, top + 6 * step), (left + step, top)]

    def test_all_of_it_lies_inside(self) -> None:
        days = [FIRST + datetime.timedelta(days=count) for count in range((LAST - FIRST).days + 1)]
        for square in squares(drawn(year_of(*days))):
            x, y = place(square)
            assert calendars.LEFT <= x <= calendars.WIDTH - calendars.SQUARE
            assert calendars.TOP <= y <= calendars.HEIGHT - calendars.SQUARE

    def test_has_a_name_for_those_who_do_not_see_it(self) -> None:
        picture = drawn(year_of())
        title = picture.find(f"{SVG}title")
        assert (picture.get("role"), title is not None and title.text) == ("img", "Days won")

    def test_names_of_months_do_not_run_together(self) -> None:
        for shift in range(366):
            last = datetime.date(2028, 1, 1) + datetime.timedelta(days=shift)
            first = last - datetime.timedelta(days=last.weekday(), weeks=calendars.WEEKS)
            picture = ElementTree.fromstring(calendars.draw(Year(first, last, {}), [], "x"))  # noqa: S314 (our own)
            names = [each for each in picture.iter(f"{SVG}text") if each.get("text-anchor") is None]
            places = [int(each.attrib["x"]) for each in names]
            assert 11 <= len(names) <= 13
            assert all(after - before >= 4 * calendars.STEP for before, after in itertools.pairwise(places))


class TestTable:
    def test_has_a_row_for_each_month_and_says_which_days(self) -> None:
        won = [datetime.date(2026, 3, day) for day in (1, 2, 5, 6, 7, 8, 31)] + [datetime.date(2026, 4, 1)]
        rows = calendars.month_rows(year_of(), won)
        assert [row["name"] for row in rows][:2] == ["January 2026", "February 2026"]
        assert len(rows) == 13
        assert rows[2] == {"name": "March 2026", "count": 7, "days": "1, 2, 5 to 8, 31"}
        assert rows[3] == {"name": "April 2026", "count": 1, "days": "1"}
        assert rows[4]["days"] == "–"

    @given(days=st.sets(st.integers(1, 31)))
    def test_days_in_words_are_those_days(self, days: set[int]) -> None:
        read: set[int] = set()
        for part in filter(None, calendars.days_text(sorted(days)).split(", ")):
            ends = [int(end) for end in part.split(" to ")]
            read.update(range(ends[0], ends[-1] + 1))
        assert read == days


@pytest.mark.django_db
class TestReading:
    def test_a_year_back_from_today_and_only_days_won(self, frozen_clock, django_assert_num_queries) -> None:
        frozen_clock.time = at("2028-02-29 23:59")
        today = Day.of(frozen_clock.time)
        ann, ben = player("Ann"), player("Ben")
        play_days(ann, [1, today.number - 365, today.number - 1, today.number])
        play_days(ann, [today.number - 2], won=False)
        play_days(ann, [today.number - 3], "good-measure")
        play_days(ben, [today.number - 4], "spanish-patience")
        with django_assert_num_queries(1):
            year = calendars.read_year(user_id=ann.pk)
        assert year.first.weekday() == 0
        assert (today.date - year.first).days >= 364
        assert year.last == datetime.date(2028, 2, 29)
        assert set(year.won) == {"bakers-dozen", "good-measure"}
        assert sorted(year.won["bakers-dozen"]) == [
            datetime.date(2027, 3, 1), datetime.date(2028, 2, 28), datetime.date(2028, 2, 29),
        ]  # fmt: skip

    def test_the_api_tells_callers_their_own(self, frozen_clock):
        frozen_clock.time = at("2026-03-05 12:00")
        ann = player("Ann")
        play_days(ann, [59, 60, 63])
        play_days(ann, [61], "good-measure")
        play_days(player("Ben"), [62])
        shown = ApiClient(ann).get("me/days/bakers-dozen").json()
        assert (shown["variant"], shown["won"]) == ("bakers-dozen", 3)
        assert (shown["first"], shown["last"]) == ("2025-03-03", "2026-03-05")
        told = {month["name"]: (month["won"], month["days"]) for month in shown["months"] if month["won"]}
        assert told == {"February 2026": (1, "28"), "March 2026": (2, "1, 4")}
        picture = ElementTree.fromstring(shown["picture"])  # noqa: S314 (our own)
        titles = [title.text for square in squares(picture) for title in square.iter(f"{SVG}title")]
        assert titles == ["28 February 2026: won", "1 March 2026: won", "4 March 2026: won"]

    def test_the_api_tells_guests_nothing_and_knows_the_variants(self):
        refused = ApiClient().get("me/days/bakers-dozen")
        assert (refused.status_code, refused.json()["error"]["code"]) == (403, "sign_in_required")
        assert ApiClient(player("Ann")).get("me/days/klondike").status_code == 404
        empty = ApiClient(player("Ben")).get("me/days/bakers-dozen").json()
        assert (empty["won"], {month["won"] for month in empty["months"]}) == (0, {0})

    def test_a_day_later_another_day_has_begun_everywhere_on_earth(self, frozen_clock) -> None:
        frozen_clock.time = at("2026-03-29 23:59")
        ann = player("Ann")
        assert calendars.read_year(user_id=ann.pk).last == datetime.date(2026, 3, 29)
        frozen_clock.time = at("2026-03-30 00:00")
        assert calendars.read_year(user_id=ann.pk).last == datetime.date(2026, 3, 30)
