"""The pages of boards: /daily/{variant} and /daily/{variant}/{date}."""

from __future__ import annotations

import pytest

from tests.conftest import ApiClient
from tests.daily.days import VARIANT, at, deal_boards, make, start_daily, win
from tests.database import counts
from tests.pages.test_table import Page, visit

pytestmark = pytest.mark.django_db


@pytest.fixture
def clock(frozen_clock, monkeypatch):
    """Noon of 2026-03-01; boards are deal 2 and those after it."""
    deal_boards(monkeypatch, 2, 3, 4, 5)
    return frozen_clock


@pytest.fixture
def line(winning_lines):
    return winning_lines[VARIANT]


class TestTodaysBoard:
    def test_lies_on_the_table_before_its_first_move(self, client, clock):
        boot = visit(client, f"/daily/{VARIANT}").boot

        assert (boot["game"]["id"], boot["game"]["kind"], boot["game"]["deal"]) == (None, "daily", None)
        assert boot["game"]["board"] == {"variant": VARIANT, "date": "2026-03-01", "number": 60}
        assert (boot["daily"]["phase"], boot["daily"]["par"], boot["daily"]["outcome"]) == (
            "open",
            None,
            None,
        )
        assert set(counts()) == {"daily.Board", "daily.Solution"}

    def test_is_the_same_with_its_date(self, client, clock):
        pages = [visit(client, f"/daily/{VARIANT}{date}").boot for date in ("", "/2026-03-01")]

        assert pages[0] == pages[1]

    def test_is_told_as_the_api_tells_it(self, new_user, clock, line):
        api = ApiClient(new_user())
        win(api, line)

        boot = visit(api.browser, f"/daily/{VARIANT}").boot

        assert {**boot["daily"], "game": boot["game"]} == api.get(f"daily/{VARIANT}").json()
        assert boot["daily"]["result"]["moves"] == len(line)

    def test_is_kept_by_nobody(self, client, clock):
        """It has one address before and after the first move, and how it once stood is nothing to go back to."""
        assert "no-store" in client.get(f"/daily/{VARIANT}").headers["Cache-Control"]

    def test_asks_a_guest_to_come_back_afterwards(self, client, clock):
        page = visit(client, f"/daily/{VARIANT}/2026-03-01")

        links = [link["href"] for link in page.find("a") if "data-sign-in" in link]
        assert f"/accounts/login/?next=/daily/{VARIANT}/2026-03-01" in links

    def test_offers_no_other_game_in_its_place(self, api, clock):
        api.play(api.start(), "96")

        assert api.browser.get(f"/daily/{VARIANT}").context["resume"] is None


class TestAGameOnIt:
    def test_has_the_boards_address(self, new_user, clock, line):
        api = ApiClient(new_user())
        state = api.play(start_daily(api).json(), line[0])

        response = api.browser.get(f"/game/{state['id']}")

        assert (response.status_code, response["Location"]) == (302, f"/daily/{VARIANT}/2026-03-01")
        assert visit(api.browser, response["Location"]).boot["game"] == api.state(state)

    def test_is_named_where_it_can_be_gone_on_with(self, new_user, clock, line):
        api = ApiClient(new_user())
        api.play(start_daily(api).json(), line[0])

        page = visit(api.browser, f"/play/{VARIANT}/5")

        assert "Unfinished: Baker’s Dozen, daily #60, 1 move." in page.text

    def test_is_named_in_the_history_though_its_number_is_hidden(self, new_user, clock, line):
        api = ApiClient(new_user())
        won = win(api, line)

        history = visit(api.browser, "/accounts/history/")
        replay = visit(api.browser, f"/accounts/history/{won['id']}")

        assert "Baker’s Dozen, daily #60" in history.text
        assert "Baker’s Dozen, daily #60" in replay.text
        assert f"/daily/{VARIANT}/2026-03-01" in [link.get("href") for link in replay.find("a")]


class TestAfterTheDay:
    def test_only_who_has_a_first_move_sees_the_cards(self, client, new_user, clock, line):
        players = [ApiClient(new_user()) for _ in range(3)]
        players[0].play(start_daily(players[0]).json(), line[0])
        start_daily(players[1])
        clock.time = at("2026-03-02 00:30")

        assert visit(players[0].browser, f"/daily/{VARIANT}/2026-03-01").boot["game"]["ply"] == 1
        for browser in (players[1].browser, players[2].browser, client):
            page = visit(browser, f"/daily/{VARIANT}/2026-03-01")
            assert "Daily #60 has closed" in page.text
            assert [time["datetime"] for time in page.find("time")] == ["2026-03-02T02:00:00Z"]
            assert not [main for main in page.find("main") if "data-boot" in main]

    def test_it_is_practice_from_when_it_settles(self, client, clock, line, new_user):
        win(ApiClient(new_user()), line)
        clock.time = at("2026-03-02 02:00")

        boot = visit(client, f"/daily/{VARIANT}/2026-03-01").boot

        assert (boot["game"]["kind"], boot["game"]["deal"]) == ("practice", "2")
        assert boot["game"]["help"]["solution"] is True
        assert (boot["daily"]["outcome"]["players"], boot["daily"]["outcome"]["winners"]) == (1, 1)


@pytest.mark.parametrize(
    "path",
    ["/daily/klondike", "/daily/bakers-dozen/2026-03-02", "/daily/bakers-dozen/2025-12-31", "/daily/bakers-dozen/x",
     "/daily/bakers-dozen/2026-3-1", "/daily/bakers-dozen/20260301", "/daily/bakers-dozen/2026-W09-7",
     "/daily/bakers-dozen/2026-02-30", "/daily/bakers-dozen/٢٠٢٦-٠٣-٠١", "/daily/", "/daily/bakers-dozen/"],
)  # fmt: skip
def test_there_is_no_page_where_there_is_no_board(client, clock, path):
    make("2026-03-02")
    assert client.get(path).status_code == 404


def test_a_board_that_is_still_being_made_is_asked_for_again(client, clock, monkeypatch):
    monkeypatch.setattr("daily.boards.QUICK_SECONDS", -1)

    response = client.get(f"/daily/{VARIANT}")

    assert (response.status_code, response["Retry-After"]) == (503, "1")
    assert Page(response).find("h1")
