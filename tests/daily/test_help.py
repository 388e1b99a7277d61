"""There is no help with a board until it settles, whatever it is dressed up as."""

from __future__ import annotations

import re

import pytest

from bakers import games
from bakers.resemblance import resembles
from bakers.rules.layouts import layout_text
from bakers.rules.variants import VARIANTS
from daily import boards
from daily.models import Solution
from tests.conftest import ApiClient
from tests.daily.days import VARIANT, at, deal_boards, make, start_daily, win
from tests.games.test_resemblance import lay_out

pytestmark = pytest.mark.django_db


@pytest.fixture
def clock(frozen_clock, monkeypatch):
    """Noon of 2026-03-01; boards are deal 2 and those after it."""
    deal_boards(monkeypatch, 2, 3, 4, 5)
    return frozen_clock


def layout(number: int) -> str:
    """Return the columns of a deal as text, in another order."""
    text = games.new_deal(variant=VARIANTS[VARIANT], number=number).game.layout
    return "\n".join(reversed([line for line in text.splitlines() if line.strip()]))


def test_nobody_is_helped_with_todays_board(clock, api, new_user):
    make("2026-03-01")
    for asker in (api, ApiClient(new_user())):
        refused = [
            asker.post("solve", {"variant": VARIANT, "deal": "2"}),
            asker.post("solve", {"variant": "spanish-patience", "deal": "2"}),
        ]
        for answer in refused:
            assert (answer.status_code, answer.json()["error"]["code"]) == (403, "help_refused")
            assert answer.json()["error"]["detail"]["opens_at"] == "2026-03-02T02:00:00+00:00"
    state = api.start(deal="2")
    assert api.post(f"games/{state['id']}/hint", {"version": 0}).status_code == 403


def test_a_position_that_comes_from_it_is_known_again(clock, new_user):
    make("2026-03-01")
    asker = ApiClient()
    state = asker.play(asker.start(deal="2"), "96", "3d", "43")
    asked = asker.get(f"games/{state['id']}/verdict?version={state['version']}")
    assert asked.status_code == 403


def test_cards_that_were_home_hide_it_no_longer_when_they_are_laid_on_it(clock):
    board = make("2026-03-01")
    position = boards.first_position(board)
    position.play_line(re.findall("..", Solution.objects.get(board=board).line)[:40])
    columns, home = lay_out(position)
    assert not resembles(columns, boards.first_position(board).columns)
    asked = ApiClient().post("solve", {"variant": VARIANT, "layout": layout_text(columns, home)})
    assert (asked.status_code, asked.json()["error"]["code"]) == (403, "help_refused")


def test_help_opens_when_it_settles(clock, api):
    make("2026-03-01")
    for moment, status in (("2026-03-02 01:59", 403), ("2026-03-02 02:00", 200)):
        clock.time = at(moment)
        assert api.post("solve", {"variant": VARIANT, "deal": "2"}).status_code == status


def test_a_board_to_come_is_refused_without_saying_why(clock, api):
    make("2026-03-02")
    refused = api.post("solve", {"variant": VARIANT, "deal": "2"})
    assert refused.status_code == 403
    assert refused.json()["error"]["detail"]["opens_at"] is None
    assert "2026-03-02" not in refused.content.decode()


def test_another_deal_has_help(clock, api):
    make("2026-03-01")
    assert api.post("solve", {"variant": VARIANT, "deal": "7"}).status_code == 200


class TestPractice:
    def test_a_board_is_practised_once_it_has_settled(self, clock, new_user):
        make("2026-03-01")
        player = ApiClient(new_user())
        body = {"variant": VARIANT, "kind": "practice", "board": "2026-03-01"}
        refused = player.post("games", body)
        assert (refused.status_code, refused.json()["error"]["code"]) == (409, "board_closed")
        clock.time = at("2026-03-02 02:00")
        for asker in (player, ApiClient()):
            state = asker.post("games", body).json()
            assert (state["kind"], state["deal"], state["board"]["number"]) == ("practice", "2", 60)
            assert asker.post(f"games/{state['id']}/hint", {"version": 0}).status_code == 200

    def test_the_own_game_is_played_again_once_it_has_settled(self, clock, new_user):
        player = ApiClient(new_user())
        state = player.play(start_daily(player).json(), "96")
        player.resign(state)
        body = {"variant": VARIANT, "kind": "practice", "from_game": state["id"]}
        assert player.post("games", body).json()["error"]["code"] == "board_closed"
        clock.time = at("2026-03-02 02:00")
        assert player.post("games", body).status_code == 201

    @pytest.mark.parametrize("day", ["2026-03-02", "2025-12-31", "2026-02-28"])
    def test_there_is_none_of_other_days(self, clock, api, day):
        make("2026-03-02")
        assert api.post("games", {"variant": VARIANT, "kind": "practice", "board": day}).status_code == 404


def test_staff_see_the_deal_and_line_of_a_won_board_when_it_settles(clock, new_user, winning_lines):
    line = winning_lines[VARIANT]
    won = win(ApiClient(new_user()), line)
    staff = new_user()
    staff.is_staff = True
    staff.save()
    board = make("2026-03-01")
    secrets = (f">{board.deal}<", board.layout.splitlines()[0], "".join(line))
    for moment, shown in (("2026-03-02 01:59", False), ("2026-03-02 02:00", True)):
        clock.time = at(moment)
        page = ApiClient(staff).browser.get(f"/admin/bakers/game/{won['id']}/change/").content.decode()
        assert [secret in page for secret in secrets] == [shown] * 3
