"""Ranked games: who starts them, when, what they hide, and what losing one means."""

from __future__ import annotations

import json
import uuid
from typing import Any

import pytest

from bakers.answers import Known, learn
from bakers.models import Game, GameRequest
from bakers.rules.deals import deal
from bakers.rules.variants import VARIANTS
from bakers.solver import Outcome, Reason
from config import clock
from tests.accounts.ranked_games import VARIANT, deal_only, start_ranked, streak, wins
from tests.conftest import ApiClient
from tests.database import rows

pytestmark = pytest.mark.django_db


@pytest.fixture
def user(new_user):
    return new_user()


@pytest.fixture
def api(user):
    """The browser of somebody who has signed in."""
    return ApiClient(user)


@pytest.fixture
def deal_2(monkeypatch):
    return deal_only(monkeypatch, 2)


@pytest.fixture
def played(api, deal_2):
    """A ranked game with a move."""
    return api.play(start_ranked(api).json(), "96")


class TestStarting:
    def test_takes_a_random_deal_that_is_proved_to_be_winnable(self, api, monkeypatch):
        for number, outcome in ((3, Outcome.LOST), (2, Outcome.WON)):
            line = () if outcome is Outcome.LOST else tuple(deal(VARIANTS[VARIANT], number).legal_moves)[:1]
            reason = Reason.PLAYING if outcome is Outcome.LOST else Reason.LINE
            learn(deal(VARIANTS[VARIANT], number), Known(outcome, reason, line))
        numbers = iter([3, 2])
        monkeypatch.setattr("bakers.games.random_deal_number", lambda **_: next(numbers))

        response = start_ranked(api)

        assert response.status_code == 201
        assert (response.json()["kind"], response.json()["source"]) == ("ranked", "number")
        assert Game.objects.get().deal_number == "2"

    @pytest.mark.parametrize("variant", VARIANTS)
    def test_works_in_every_variant_beside_each_other(self, api, variant):
        states = [start_ranked(api, each) for each in (variant, "bakers-dozen", "good-measure")]

        assert {state.status_code for state in states} <= {200, 201}
        assert Game.objects.count() == len({variant, "bakers-dozen", "good-measure"})

    def test_is_for_players_who_have_signed_in(self, new_api):
        guest = new_api()
        assert guest.token
        before = rows()

        response = start_ranked(guest)

        assert response.status_code == 403
        assert response.json()["error"]["code"] == "sign_in_required"
        assert rows() == before

    @pytest.mark.parametrize(
        ("choice", "field"),
        [
            ({"deal": "2"}, "kind"),
            ({"layout": "PySolFC 2"}, "kind"),
            ({"from_game": str(uuid.uuid4())}, "kind"),
            ({"layout": "PySolFC 2", "sink_kings": True}, "kind"),
            ({"replace": "yes"}, "replace"),
        ],
    )
    def test_leaves_no_choice_of_the_deal(self, api, deal_2, choice, field):
        response = start_ranked(api, **choice)

        assert response.status_code == 400
        assert list(response.json()["error"]["detail"]["fields"]) == [field]
        assert not Game.objects.exists()

    def test_offers_an_unplayed_game_again_so_that_looking_and_leaving_is_no_way_to_choose(self, api, deal_2):
        first = start_ranked(api)
        second, third = start_ranked(api), start_ranked(api, replace=True)

        assert [answer.status_code for answer in (first, second, third)] == [201, 200, 200]
        assert first.json()["id"] == second.json()["id"] == third.json()["id"]
        assert (Game.objects.count(), deal_2()) == (1, 1)
        assert Game.objects.get().status == "open"

    def test_a_game_whose_moves_were_taken_back_is_played_all_the_same(self, api, played):
        api.play(played, at=0)

        assert start_ranked(api).status_code == 409

    def test_beside_a_game_with_a_move_is_refused_with_the_streak_at_stake(self, user, api, played, deal_2):
        wins(user, 3, clock.now())
        before = rows()

        response = start_ranked(api)

        assert response.status_code == 409
        error = response.json()["error"]
        assert (error["code"], error["detail"]["id"], error["detail"]["streak"]) == (
            "ranked_open", played["id"], 3,
        )  # fmt: skip
        assert error["detail"]["game"]["line"] == ["96"]
        assert error["detail"]["game"]["deal"] is None
        assert rows() == before
        assert deal_2() == 1

    def test_may_replace_a_game_with_a_move_which_is_lost_by_that(self, user, api, played):
        wins(user, 3, clock.now())

        new = start_ranked(api, replace=True)

        assert new.status_code == 201
        assert new.json()["id"] != played["id"]
        assert new.json()["streak"] == 0
        lost = api.state(played)
        assert (lost["status"], lost["deal"], lost["streak"]) == ("lost", "2", 3)
        assert streak(user) == 0
        assert api.moves(played, "3d").json()["error"]["code"] == "game_over"

    def test_that_fails_loses_nothing(self, user, api, played, monkeypatch):
        wins(user, 3, clock.now())
        before = rows()
        api.browser.raise_request_exception = False
        save = Game.save

        def fails_for_new_ones(game, **how):
            return 1 / 0 if how.get("force_insert") else save(game, **how)

        monkeypatch.setattr(Game, "save", fails_for_new_ones)

        assert start_ranked(api, replace=True).status_code == 500
        assert rows() == before

    def test_another_players_game_is_in_nobodys_way(self, new_user, played, deal_2):
        assert start_ranked(ApiClient(new_user())).status_code == 201

    def test_after_the_end_begins_a_new_game(self, api, played):
        api.resign(played)

        assert start_ranked(api).status_code == 201


class TestTheSameRequest:
    BODY: dict[str, Any] = {"request_id": "start-0001", "replace": True}

    def test_starts_one_game(self, api, deal_2):
        first, again = start_ranked(api, **self.BODY), start_ranked(api, **self.BODY)

        assert (first.status_code, again.status_code) == (201, 200)
        assert again.json()["replayed"] is True
        assert first.json()["id"] == again.json()["id"]

    def test_loses_no_second_game_when_the_first_answer_was_lost(self, api, played):
        new = start_ranked(api, **self.BODY).json()
        api.play(new, "96")

        again = start_ranked(api, **self.BODY)

        assert (again.status_code, again.json()["id"], again.json()["replayed"]) == (200, new["id"], True)
        assert Game.objects.filter(status="lost").count() == 1

    def test_loses_no_game_that_it_was_offered(self, api, deal_2):
        state = start_ranked(api).json()
        assert start_ranked(api, **self.BODY).json()["id"] == state["id"]
        api.play(state, "96")

        again = start_ranked(api, **self.BODY)

        assert (again.status_code, again.json()["id"], again.json()["replayed"]) == (200, state["id"], True)
        assert Game.objects.get().status == "open"

    def test_loses_not_even_a_later_game(self, api, deal_2):
        offered = start_ranked(api).json()
        start_ranked(api, **self.BODY)
        api.resign(offered)
        api.play(start_ranked(api).json(), "96")

        again = start_ranked(api, **self.BODY)

        assert (again.status_code, again.json()["id"], again.json()["status"]) == (200, offered["id"], "lost")
        assert Game.objects.filter(status="open").count() == 1

    def test_with_another_body_is_refused(self, api, deal_2):
        start_ranked(api)
        start_ranked(api, **self.BODY)

        response = start_ranked(api, request_id=self.BODY["request_id"])

        assert response.json()["error"]["code"] == "request_id_reused"

    def test_is_another_one_than_a_move_of_that_id(self, api, deal_2):
        start_ranked(api)
        state = start_ranked(api, **self.BODY).json()

        assert api.moves(state, "96", request_id=self.BODY["request_id"]).status_code == 200
        assert GameRequest.objects.count() == 2


class TestTheNumber:
    #: So long that no id and no time can hold its digits by chance.
    NUMBER = 98765432109876543210

    @pytest.mark.parametrize("variant", ["bakers-dozen", "original-1883"])
    def test_is_told_by_nothing_until_the_game_ends(self, api, monkeypatch, variant):
        deal_only(monkeypatch, self.NUMBER)
        state = start_ranked(api, variant).json()
        path = f"games/{state['id']}"
        played = api.play(state, state["legal"][0])
        version = {"version": played["version"]}
        answers = [
            api.get(path),
            api.get("games"),
            start_ranked(api, variant),
            api.moves(played, version=0),
            api.moves(played, at=9),
            api.moves(played, "11"),
            api.resign(played, version=0),
            api.post(f"{path}/hint", version),
            api.post(f"{path}/solution", version),
            api.post(f"{path}/postmortem", version),
            api.get(f"{path}/verdict?version={played['version']}"),
            api.post("games", {"variant": variant, "kind": "practice", "from_game": state["id"]}),
            *(api.browser.get(page) for page in ("/", f"/game/{state['id']}", f"/play/{variant}/2")),
        ]

        assert state["deal"] is played["deal"] is None
        assert all(str(self.NUMBER).encode() not in answer.content for answer in answers)
        page = api.browser.get(f"/game/{state['id']}").content.decode()
        assert "data-about-deal" in page
        assert f"/deal/{variant}/1" not in page

    def test_is_told_when_the_game_has_ended(self, api, monkeypatch):
        deal_only(monkeypatch, self.NUMBER)
        state = start_ranked(api).json()
        played = api.play(state, state["legal"][0])

        assert api.resign(played).json()["deal"] == str(self.NUMBER)
        [listed] = api.get("games").json()["games"]
        assert listed["deal"] == str(self.NUMBER)
        assert str(self.NUMBER) in api.browser.get(f"/game/{state['id']}").content.decode()


class TestTheStreak:
    def test_grows_with_each_win_and_every_game_shows_it(self, user, api, deal_2, winning_lines):
        for before in range(3):
            state = start_ranked(api).json()
            assert state["streak"] == before
            won = api.play(state, *winning_lines[VARIANT])
            assert (won["status"], won["streak"], won["deal"]) == ("won", before + 1, "2")
            assert streak(user) == before + 1

    def test_ends_by_giving_up_even_without_a_move(self, user, api, deal_2):
        wins(user, 2, clock.now())
        lost = api.resign(start_ranked(api).json()).json()

        assert (lost["status"], lost["streak"]) == ("lost", 2)
        assert streak(user) == 0

    def test_is_not_touched_by_casual_games_and_other_variants(self, user, api, deal_2):
        wins(user, 2, clock.now())
        api.resign(api.play(api.start(), "96"))
        api.resign(start_ranked(api, "spanish-patience").json())

        assert streak(user) == 2

    def test_lives_however_long_a_game_lies_there(self, user, api, played, frozen_clock):
        wins(user, 2, clock.now())
        frozen_clock.advance(days=400)

        assert api.state(played)["streak"] == streak(user) == 2

    def test_is_shown_for_no_other_kind(self, api, deal_2):
        assert api.start()["streak"] is None


class TestHelp:
    def test_is_shown_as_closed_until_the_game_ends(self, api, played):
        closed = {"hint": False, "verdict": False, "solution": False, "opens_at": None}

        assert played["help"] == closed
        assert api.resign(played).json()["help"] == {
            **closed,
            "hint": True,
            "verdict": True,
            "solution": True,
        }


class TestThePages:
    def test_say_that_a_game_is_ranked_where_its_number_would_be(self, api, played):
        game = api.browser.get(f"/game/{played['id']}")
        elsewhere = api.browser.get("/play/bakers-dozen/5")

        assert "<title>Baker’s Dozen, ranked</title>" in game.content.decode()
        assert '<span class="info__deal" data-deal>Ranked</span>' in game.content.decode()
        assert json.loads(game.context["boot_json"])["game"]["streak"] == 0
        assert "Unfinished: Baker’s Dozen, ranked, 1 move." in elsewhere.content.decode()

    def test_tell_the_browser_whether_somebody_has_signed_in(self, api, client):
        assert "data-signed-in" in api.browser.get("/").content.decode()
        assert "data-signed-in" not in client.get("/").content.decode()
