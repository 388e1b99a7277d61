"""What is promised about days as a whole: played through the API, on boards made as those of the site are."""

from __future__ import annotations

import datetime
import os
import re
import time
from collections import Counter
from collections.abc import Callable, Iterator
from functools import partial
from typing import Any

import pytest

from accounts import figures, streak_check
from accounts.models import Statistics
from bakers.days import Day
from bakers.problems import Busy
from bakers.rules.cards import CARD_NAMES
from bakers.rules.positions import Position
from bakers.rules.variants import VARIANTS
from bakers.solver import QUICK_BUDGET, decide
from daily import boards
from daily.models import Board, Result, Solution
from tests.accounts.ranked_games import wins
from tests.conftest import ApiClient
from tests.daily.days import VARIANT, at, make, start_daily, win
from tests.daily.days import results as results_of
from tests.daily.past import player
from tests.parallel import at_once

pytestmark = pytest.mark.django_db
KNOWN = VARIANTS[VARIANT]
ZONES = ["Europe/Rome", "America/New_York", "Australia/Lord_Howe", "Pacific/Auckland"]
#: Days on which clocks change in some of these zones, and the one that most years lack.
ODD_DAYS = ["2026-03-29", "2026-10-25", "2026-11-01", "2028-02-29"]


def line_of(day: str, variant: str = VARIANT) -> list[str]:
    """Make the board of a day if there is none, and return a line that wins it."""
    return re.findall("..", Solution.objects.get(board=make(day, variant)).line)


def begin(api: ApiClient, day: str) -> tuple[dict[str, Any], str]:
    """Play a board up to its last move, and return its state and that move."""
    line = line_of(day)
    return api.play(start_daily(api).json(), *line[:-1]), line[-1]


def kept(user: Any) -> tuple[int, int, int, int, int | None]:
    """Return what is stored of a player's days: played, won, the streak, the best one, the last board won."""
    row = Statistics.objects.get(user=user, variant=VARIANT, kind="daily")
    return row.played, row.won, row.streak, row.best_streak, row.last_number


@pytest.fixture
def user(new_user):
    return new_user()


class TestBoards:
    def test_365_stored_boards_are_each_won_by_their_line(self):
        for variant, day in boards.missing(1, 73):
            boards.make_board(variant, day, quick=True)

        stored = list(Board.objects.select_related("solution"))
        assert Counter(board.variant for board in stored) == dict.fromkeys(VARIANTS, 73)
        for board in stored:
            stored_cards = Position.from_text(board.variant, board.layout)
            position = Position.dealt(stored_cards.variant, stored_cards.columns, stored_cards.foundations)
            assert position == boards.first_position(board)
            assert position.cards_home() < 52
            position.play_line(re.findall("..", board.solution.line))
            assert position.cards_home() == 52, board
        assert len({board.deal for board in stored}) == len({board.layout for board in stored}) == 365

    def test_one_that_is_missing_costs_what_a_request_may_search(self, monkeypatch):
        spent: list[int] = []

        def counted(*given: Any) -> Any:
            found = decide(*given)
            spent[-1] += found.expanded
            return found

        monkeypatch.setattr(boards, "decide", counted)
        for variant in VARIANTS.values():
            for number in range(60, 70):
                spent.append(0)
                assert boards.board_for(variant, Day.numbered(number).opens_at).number == number
        assert len(spent) == 50
        # As many as any request may expand, which takes half of a tenth of a second.
        assert max(spent) <= QUICK_BUDGET

    def test_no_deal_is_looked_at_when_that_time_is_over(self, monkeypatch):
        clock, budgets = [0.0], []

        def slow(position: Position, budget: int) -> Any:
            budgets.append(budget)
            clock[0] += 0.03
            return decide(position, 0)

        monkeypatch.setattr(boards.time, "thread_time", lambda: clock[0])
        monkeypatch.setattr(boards, "decide", slow)
        with pytest.raises(Busy):
            boards.board_for(KNOWN, at("2026-03-01 12:00"))
        assert budgets == [3_000] * 4

    def test_a_new_site_has_the_five_of_today_as_soon_as_somebody_asks(self, client, frozen_clock):
        for slug in VARIANTS:
            assert client.get(f"/daily/{slug}").status_code == 200
        assert set(Board.objects.values_list("variant", "number")) == {(slug, 60) for slug in VARIANTS}


class TestStreaks:
    def test_a_day_and_the_next_are_two_the_same_day_again_is_one(self, user, frozen_clock):
        api = ApiClient(user)
        won = win(api, line_of("2026-03-01"))
        again = start_daily(api)
        assert (again.status_code, again.json()["id"]) == (200, won["id"])
        assert api.moves(won, "1h").status_code == 409
        assert kept(user) == (1, 1, 1, 1, 60)
        frozen_clock.time = at("2026-03-02 12:00")
        win(api, line_of("2026-03-02"))
        assert kept(user) == (2, 2, 2, 2, 61)

    def test_a_day_left_out_begins_anew(self, user, frozen_clock):
        api = ApiClient(user)
        win(api, line_of("2026-03-01"))
        frozen_clock.time = at("2026-03-03 12:00")
        win(api, line_of("2026-03-03"))
        assert kept(user) == (2, 2, 1, 1, 62)

    @pytest.mark.parametrize(
        ("finish", "before", "after"),
        [
            ("2026-03-02 01:59", (2, 1, 1, 1, 61), (2, 2, 2, 2, 61)),
            ("2026-03-02 02:01", (2, 1, 1, 1, 61), (2, 1, 1, 1, 61)),
        ],
    )
    def test_a_late_finish_counts_for_its_own_day_and_leaves_the_next_alone(
        self, user, frozen_clock, finish, before, after
    ):
        api = ApiClient(user)
        frozen_clock.time = at("2026-03-01 23:59")
        state, last = begin(api, "2026-03-01")
        frozen_clock.time = at("2026-03-02 01:00")
        win(api, line_of("2026-03-02"))
        next_day = Result.objects.values().get(number=61)
        assert kept(user) == before

        frozen_clock.time = at(finish)
        assert api.play(state, last)["status"] == "won"

        assert kept(user) == after
        assert Result.objects.values().get(number=61) == next_day
        assert list(streak_check.differences()) == []

    def test_archive_practice_and_imported_wins_change_nothing(self, user, frozen_clock):
        api = ApiClient(user)
        line = line_of("2026-03-01")
        won = win(api, line)
        columns = boards.first_position(Board.objects.get()).columns
        layout = "\n".join(" ".join(CARD_NAMES[card] for card in column) for column in columns)
        frozen_clock.time = at("2026-03-02 12:00")
        before = kept(user), list(Result.objects.values())

        for body in (
            {"board": "2026-03-01"},
            {"from_game": won["id"]},
            {"layout": layout},
        ):
            response = api.post("games", {"variant": VARIANT, "kind": "practice", **body})
            assert response.status_code == 201, response.content
            assert api.play(response.json(), *line)["status"] == "won"

        assert (kept(user), list(Result.objects.values())) == before
        assert set(Statistics.objects.values_list("kind", flat=True)) == {"daily"}

    def test_a_win_is_on_the_leaderboard_on_the_next_load(self, frozen_clock):
        api = ApiClient(player("Ann"))
        path = f"leaderboards/daily/{VARIANT}"
        assert api.get(path).json()["entries"] == []
        state, last = begin(api, "2026-03-01")
        assert api.get(path).json()["entries"] == []
        api.play(state, last)
        [entry] = api.get(path).json()["entries"]
        assert (entry["rank"], entry["name"], entry["streak"]) == (1, "Ann", 1)
        assert 'href="/u/Ann"' in api.browser.get(f"/leaderboards/daily/{VARIANT}").content.decode()

    def test_ranked_streaks_of_before_last_at_was_kept_are_found_and_mended(self, frozen_clock):
        ann = player("Ann")
        wins(ann, 2, frozen_clock.time)
        path = f"leaderboards/ranked/{VARIANT}"
        assert [entry["name"] for entry in ApiClient().get(path).json()["entries"]] == ["Ann"]
        Statistics.objects.update(last_at=None)
        [difference] = streak_check.differences()
        assert difference.key == (ann.pk, VARIANT, "ranked")
        assert streak_check.rebuild() == 1
        assert [entry["name"] for entry in ApiClient().get(path).json()["entries"]] == ["Ann"]


@pytest.mark.django_db(transaction=True)
class TestAtOnce:
    @pytest.fixture
    def tabs(self, user, frozen_clock) -> tuple[ApiClient, list[ApiClient]]:
        """A player's browser and eight tabs of it."""
        api = ApiClient(user)
        assert api.token
        return api, [api.tab() for _ in range(8)]

    def expect_one_win(self, user: Any, answers: list[Any]) -> None:
        assert {answer.status_code for answer in answers} <= {200, 409}
        assert results_of(user) == [(60, True)]
        assert kept(user) == (1, 1, 1, 1, 60)
        assert list(streak_check.differences()) == []

    def test_requests_that_finish_a_game_make_one_result(self, user, tabs):
        api, others = tabs
        state, last = begin(api, "2026-03-01")
        answers = at_once([partial(tab.moves, state, last) for tab in others])
        assert Counter(answer.status_code for answer in answers) == {200: 1, 409: 7}
        self.expect_one_win(user, answers)

    def test_one_request_sent_often_makes_one_result(self, user, tabs):
        api, others = tabs
        state, last = begin(api, "2026-03-01")
        answers = at_once([partial(tab.moves, state, last, request_id="the-last-move") for tab in others])
        assert Counter(answer.json()["replayed"] for answer in answers) == {False: 1, True: 7}
        self.expect_one_win(user, answers)

    def test_starts_and_first_moves_make_one_game_and_one_result(self, user, tabs):
        line = line_of("2026-03-01")

        def start(tab: ApiClient) -> Any:
            return tab.moves(start_daily(tab).json(), line[0], version=0, at=0)

        answers = at_once([partial(start, tab) for tab in tabs[1]])
        assert Counter(answer.status_code for answer in answers) == {200: 1, 409: 7}
        assert results_of(user) == [(60, False)]
        assert kept(user) == (1, 0, 0, 0, None)


@pytest.fixture
def in_zone() -> Iterator[Callable[[str], None]]:
    """Lets the machine be in a time zone."""
    before = os.environ.get("TZ")

    def move(zone: str) -> None:
        os.environ["TZ"] = zone
        time.tzset()

    yield move
    os.environ.pop("TZ")
    if before is not None:
        os.environ["TZ"] = before
    time.tzset()


@pytest.mark.parametrize("zone", ZONES)
@pytest.mark.parametrize("day", ODD_DAYS)
def test_days_are_won_and_follow_one_another_wherever_the_machine_is(user, frozen_clock, in_zone, zone, day):
    in_zone(zone)
    date = datetime.date.fromisoformat(day)
    number, following = Day(date).number, (date + datetime.timedelta(days=1)).isoformat()
    api = ApiClient(user)

    frozen_clock.time = at(f"{day} 00:00")
    view = api.get(f"daily/{VARIANT}").json()
    assert (view["date"], view["number"], view["phase"]) == (day, number, "open")
    assert view["opens_at"] == f"{day}T00:00:00+00:00"
    assert view["closes_at"] == f"{following}T00:00:00+00:00"
    assert view["settles_at"] == f"{following}T02:00:00+00:00"

    frozen_clock.time = at(f"{day} 23:59")
    state, last = begin(api, day)
    frozen_clock.time = at(f"{following} 01:59")
    assert api.get(f"daily/{VARIANT}").json()["date"] == following
    api.play(state, last)
    frozen_clock.time = at(f"{following} 23:59")
    win(api, line_of(following))
    assert kept(user) == (2, 2, 2, 2, number + 1)

    # Both games ended on the day after, as it is in UTC.
    [ended] = figures.read_days(user_id=user.pk)
    assert (ended.day.isoformat(), ended.played, ended.won) == (following, 2, 2)
