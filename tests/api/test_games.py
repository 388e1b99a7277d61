"""GET /api/games and GET /api/games/{id}: a player's own games."""

from __future__ import annotations

import uuid

import pytest

from bakers.games import LISTED_GAMES


def listed(api):
    response = api.get("games")
    assert response.status_code == 200
    return response.json()["games"]


def test_somebody_new_has_no_games(api):
    assert listed(api) == []


def test_a_game_without_a_move_is_in_no_list(api):
    api.start()

    assert listed(api) == []


def test_a_list_shows_how_each_game_stands(api, frozen_clock):
    state = api.play(api.start("good-measure"), "72")
    frozen_clock.advance(seconds=7)
    api.play(state, "1a", "26")

    [game] = listed(api)

    now = frozen_clock.now().isoformat()
    assert {**game, "started_at": None} == {
        "id": state["id"],
        "variant": "good-measure",
        "kind": "casual",
        "status": "open",
        "ply": 3,
        "home": 2,
        "deal": "2",
        "source": "number",
        "board": None,
        "helped": False,
        "seconds": 7,
        "started_at": None,
        "last_move_at": now,
        "finished_at": None,
    }
    assert game["started_at"] == state["started_at"]


def test_the_game_that_was_played_last_stands_first(api, frozen_clock):
    states = []
    for _ in range(3):
        frozen_clock.advance(minutes=1)
        states.append(api.play(api.start(), "96"))
    frozen_clock.advance(minutes=1)
    api.play(states[1], "3d")

    assert [game["id"] for game in listed(api)] == [states[index]["id"] for index in (1, 2, 0)]


def test_ended_games_are_listed_too(api, winning_lines):
    won = api.play(api.start(), *winning_lines["bakers-dozen"])
    lost = api.play(api.start(), "96")
    api.resign(lost)

    games = {game["id"]: game for game in listed(api)}

    assert (games[won["id"]]["status"], games[won["id"]]["home"]) == ("won", 52)
    assert games[lost["id"]]["status"] == "lost"
    assert games[lost["id"]]["finished_at"] is not None


def test_a_game_taken_back_to_its_start_stays_in_the_list(api):
    state = api.play(api.start(), "96")
    api.play(state, at=0)

    assert [game["ply"] for game in listed(api)] == [0]


def test_a_list_ends_somewhere(api, frozen_clock):
    ids = []
    for _ in range(LISTED_GAMES + 2):
        frozen_clock.advance(seconds=1)
        ids.append(api.play(api.start(), "96")["id"])

    assert [game["id"] for game in listed(api)] == ids[:1:-1]


def test_a_list_holds_the_games_of_its_player_alone(api, new_api):
    api.play(api.start(), "96")
    other = new_api()
    other.play(other.start(), "96", "3d")

    assert [game["ply"] for game in listed(api)] == [1]
    assert [game["ply"] for game in listed(other)] == [2]


def test_a_user_has_the_same_games_in_every_browser(new_user):
    from tests.conftest import ApiClient

    user = new_user()
    here, there = ApiClient(user), ApiClient(user)
    state = here.play(here.start(), "96")

    assert there.state(state)["ply"] == 1
    assert [game["id"] for game in listed(there)] == [state["id"]]
    assert there.play(state, "3d")["ply"] == 2


def test_a_user_who_was_deactivated_is_a_stranger(new_user):
    from tests.conftest import ApiClient

    user = new_user()
    api = ApiClient(user)
    state = api.play(api.start(), "96")
    user.is_active = False
    user.save()

    assert listed(api) == []
    assert api.get(f"games/{state['id']}").status_code == 404
    assert api.moves(state, "3d").status_code == 404


@pytest.mark.parametrize("suffix", ["", "/moves", "/resign"])
@pytest.mark.parametrize(
    "game_id",
    ["x", "4", "null", "%00", "00000000-0000-0000-0000-00000000000", "{id}0", "{id}%00", "{ID}", "{{id}}", "{id}%0A",
     "{hex}", "-1", "..", "{id}/", "a" * 5_000, "%F0%9F%82%A1", "%ff"],
)  # fmt: skip
def test_an_address_that_is_no_games_is_not_found(api, game_id, suffix):
    state = api.start()
    game_id = game_id.replace("{id}", state["id"]).replace("{ID}", state["id"].upper().replace("0", "A"))
    game_id = game_id.replace("{hex}", state["id"].replace("-", ""))
    body = {"request_id": api.request_id(), "version": 0, "at": 0, "moves": ["96"]}

    response = api.post(f"games/{game_id}{suffix}", body) if suffix else api.get(f"games/{game_id}")

    assert response.status_code == 404
    assert response.json()["error"]["code"] == "not_found"
    assert api.state(state)["version"] == 0


def test_a_game_that_never_was_is_not_found(api):
    api.start()

    assert api.get(f"games/{uuid.uuid4()}").status_code == 404


def test_a_stuck_game_says_so_and_stays_open(api):
    """With the ace home, the top cards are a 10, 8s, 6s and 4s: none goes on another, and none home."""
    tops = [["TC", "AC"], *([rank + suit] for rank in "864" for suit in "CDHS")]
    shown = {card for top in tops for card in top}
    rest = [card for rank in "KQJT98765432A" for suit in "CDHS" if (card := rank + suit) not in shown]
    columns = [[*rest[index::13], *top] for index, top in enumerate(tops)]
    state = api.start(kind="practice", layout="\n".join(map(" ".join, columns)))
    assert state["legal"] == ["1h"]

    stuck = api.play(state, "1h")

    assert (stuck["legal"], stuck["stuck"], stuck["status"]) == ([], True, "open")
    assert api.play(stuck, at=0)["stuck"] is False
