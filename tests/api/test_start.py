"""POST /api/games: starting a game."""

from __future__ import annotations

import uuid

import pytest

from bakers.models import Game
from bakers.rules.deals import LAST_DEAL_NUMBER, deal
from bakers.rules.variants import VARIANTS
from tests.database import counts


@pytest.mark.parametrize("variant", VARIANTS)
def test_a_casual_game_starts_on_the_deal_of_its_number(api, variant):
    response = api.post("games", {"variant": variant, "kind": "casual", "deal": "477"})

    assert response.status_code == 201
    state = response.json()
    position = deal(VARIANTS[variant], 477)
    assert state["columns"] == position.seen_columns()
    assert state["legal"] == [move.text for move in position.legal_moves]
    assert state | {"id": None, "columns": None, "legal": None, "dealt": None, "started_at": None} == {
        "id": None,
        "variant": variant,
        "kind": "casual",
        "status": "open",
        "version": 0,
        "ply": 0,
        "line": [],
        "redo": [],
        "columns": None,
        "foundations": dict(zip("CDHS", position.foundations, strict=True)),
        "dealt": None,
        "legal": None,
        "stuck": False,
        "deal": "477",
        "board": None,
        "source": "number",
        "helped": False,
        "started_at": None,
        "finished_at": None,
        "seconds": 0,
        "par": None,
        "help": {"hint": True, "verdict": True, "solution": True, "opens_at": None},
        "streak": None,
        "replayed": False,
    }
    assert state["started_at"] is not None


def test_a_started_game_reads_back_the_same(api):
    state = api.start()

    assert api.state(state) == {key: value for key, value in state.items() if key != "replayed"}


def test_a_deal_number_may_also_be_an_integer(api):
    state = api.start(deal=477)

    assert state["deal"] == "477"
    assert state["columns"] == api.start(deal="477")["columns"]


def test_zeros_before_a_deal_number_mean_nothing(api):
    assert api.start(deal="00477")["deal"] == "477"


@pytest.mark.parametrize("number", [1, 2**53 + 1, 2**63, 10**19, LAST_DEAL_NUMBER])
def test_a_deal_number_of_any_length_comes_back_digit_by_digit(api, number):
    state = api.start(deal=str(number))

    assert state["deal"] == str(number)
    assert api.state(state)["deal"] == str(number)
    assert state["columns"] == deal(VARIANTS["bakers-dozen"], number).seen_columns()


@pytest.mark.parametrize(
    "number",
    [0, "0", -1, "-1", str(LAST_DEAL_NUMBER + 1), LAST_DEAL_NUMBER + 1, "1" * 26, "", " 2", "2 ", "+2", "2.0",
     "0x2", "1e3", "٣", "２", "²", 2.0, True, None, ["2"], {"deal": "2"}],
)  # fmt: skip
def test_what_is_no_deal_number_starts_nothing(api, number):
    response = api.post("games", {"variant": "bakers-dozen", "kind": "casual", "deal": number})

    assert response.status_code == 400
    assert response.json()["error"]["code"] == "invalid"
    assert list(response.json()["error"]["detail"]["fields"]) == ["deal"]
    assert not Game.objects.exists()


def test_a_random_deal_is_dealt_when_none_is_asked_for(api):
    states = [api.post("games", {"variant": "bakers-dozen", "kind": "casual"}).json() for _ in range(3)]

    assert len({state["deal"] for state in states}) == 3
    for state in states:
        assert state["columns"] == deal(VARIANTS["bakers-dozen"], int(state["deal"])).seen_columns()


def test_a_new_casual_game_leaves_the_old_one_open(api):
    first = api.play(api.start(), "96")
    api.start()

    assert api.state(first)["status"] == "open"
    assert Game.objects.count() == 2


def test_the_same_start_without_a_request_id_starts_two_games(api):
    assert api.start()["id"] != api.start()["id"]


@pytest.mark.parametrize(
    ("body", "field"),
    [
        ({"kind": "casual"}, "variant"),
        ({"variant": "bakers-dozen"}, "kind"),
        ({"variant": "klondike", "kind": "casual"}, "variant"),
        ({"variant": "Bakers-Dozen", "kind": "casual"}, "variant"),
        ({"variant": "bakers-dozen", "kind": "serious"}, "kind"),
        ({"variant": "bakers-dozen", "kind": "casual", "layout": "6H"}, "kind"),
        ({"variant": "bakers-dozen", "kind": "casual", "sink_kings": True}, "sink_kings"),
        ({"variant": "bakers-dozen", "kind": "casual", "from_game": str(uuid.uuid4())}, "kind"),
        ({"variant": "bakers-dozen", "kind": "practice"}, "layout"),
        ({"variant": "bakers-dozen", "kind": "practice", "deal": "2"}, "layout"),
        ({"variant": "bakers-dozen", "kind": "practice", "deal": "2", "layout": "6H"}, "layout"),
        ({"variant": "bakers-dozen", "kind": "practice", "layout": "6H", "from_game": str(uuid.uuid4())},
         "from_game"),
        ({"variant": "bakers-dozen", "kind": "casual", "winnable": True, "deal": "2"}, "winnable"),
        ({"variant": "bakers-dozen", "kind": "practice", "winnable": True, "layout": "PySolFC 2"}, "winnable"),
        ({"variant": "bakers-dozen", "kind": "practice", "winnable": True}, "layout"),
        ({"variant": "bakers-dozen", "kind": "casual", "status": "won"}, "status"),
    ],
)  # fmt: skip
def test_a_start_that_does_not_fit_together_says_where(api, body, field):
    response = api.post("games", body)

    assert response.status_code == 400
    assert response.json()["error"]["code"] == "invalid"
    assert list(response.json()["error"]["detail"]["fields"]) == [field]
    assert not Game.objects.exists()


class TestTheSameRequestId:
    """A start that is repeated, since its answer was lost, is the same start."""

    BODY = {"variant": "bakers-dozen", "kind": "casual", "deal": "2", "request_id": "start-0001"}

    @pytest.fixture
    def guest(self, api):
        """A guest the server knows: without a session nobody can tell who repeats a request."""
        api.start(deal="1")
        return api

    def test_with_the_same_body_finds_the_game_that_it_started(self, guest):
        first = guest.post("games", self.BODY)
        again = guest.post("games", self.BODY)

        assert (first.status_code, again.status_code) == (201, 200)
        assert first.json()["replayed"] is False
        assert again.json() == {**first.json(), "replayed": True}
        assert counts()["bakers.Game"] == 2

    def test_finds_the_game_as_it_stands_by_then(self, guest):
        state = guest.post("games", self.BODY).json()
        guest.play(state, "96", "3d")

        again = guest.post("games", self.BODY).json()

        assert (again["version"], again["line"], again["replayed"]) == (1, ["96", "3d"], True)

    def test_finds_a_game_that_has_ended(self, guest):
        state = guest.post("games", self.BODY).json()
        guest.resign(state)

        assert guest.post("games", self.BODY).json()["status"] == "lost"

    def test_is_the_same_whether_the_number_is_a_string_or_an_integer(self, guest):
        state = guest.post("games", self.BODY).json()

        assert guest.post("games", {**self.BODY, "deal": 2}).json()["id"] == state["id"]

    def test_finds_the_random_deal_that_it_was_given(self, guest):
        body = {"variant": "bakers-dozen", "kind": "casual", "request_id": "start-0002"}
        first, again = guest.post("games", body), guest.post("games", body)

        assert again.status_code == 200
        assert again.json()["deal"] == first.json()["deal"]

    @pytest.mark.parametrize("change", [{"deal": "3"}, {"variant": "original-1883"}])
    def test_with_another_body_is_refused(self, guest, change):
        guest.post("games", self.BODY)
        response = guest.post("games", {**self.BODY, **change})

        assert response.status_code == 422
        assert response.json()["error"]["code"] == "request_id_reused"
        assert counts()["bakers.Game"] == 2

    def test_of_another_player_starts_a_game_of_theirs(self, guest, new_api):
        other = new_api()
        first, theirs = guest.post("games", self.BODY), other.post("games", self.BODY)

        assert theirs.status_code == 201
        assert theirs.json()["id"] != first.json()["id"]

    def test_after_a_start_that_was_refused_may_be_used_for_the_right_one(self, guest):
        refused = guest.post("games", {**self.BODY, "kind": "practice"})

        assert refused.status_code == 400
        assert guest.post("games", self.BODY).status_code == 201

    def test_of_a_start_and_of_a_move_do_not_meet(self, guest):
        state = guest.post("games", self.BODY).json()

        assert guest.moves(state, "96", request_id=self.BODY["request_id"]).status_code == 200

    @pytest.mark.parametrize(
        "request_id",
        ["short-1", "x" * 65, "with space", "ünïcödé-1", "line\nbreak1", "start-0001\n", 12345678, None],
    )
    def test_that_is_none_is_refused(self, guest, request_id):
        response = guest.post("games", {**self.BODY, "request_id": request_id})

        assert response.status_code == 400
        assert list(response.json()["error"]["detail"]["fields"]) == ["request_id"]

    @pytest.mark.parametrize("request_id", ["12345678", "x" * 64, "A-Z_a-z_0-9"])
    def test_has_8_to_64_letters_digits_lines_and_hyphens(self, guest, request_id):
        assert guest.post("games", {**self.BODY, "request_id": request_id}).status_code == 201


def test_a_repeated_start_of_a_random_deal_that_can_be_won_finds_the_game(api, monkeypatch):
    """Each look for one finds another deal, so the repeated request looks for none."""
    numbers = iter([477, 33])
    monkeypatch.setattr("bakers.help.winnable_deal", lambda **_asked: (next(numbers), None))
    body = {"variant": "bakers-dozen", "kind": "casual", "winnable": True, "request_id": "start-0001"}

    first, again = api.post("games", body), api.post("games", body)

    assert (first.status_code, again.status_code) == (201, 200)
    assert first.json()["deal"] == again.json()["deal"] == "477"
    assert first.json()["id"] == again.json()["id"]
    assert again.json()["replayed"] is True
    assert next(numbers) == 33


def test_a_deal_that_was_helped_before_it_was_started_is_a_helped_game(api):
    assert api.start(helped=True)["helped"] is True
    assert api.start(helped=False)["helped"] is False
    assert api.start()["helped"] is False
