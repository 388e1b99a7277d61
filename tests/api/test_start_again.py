"""POST /api/games with `from_game`: playing the deal of an earlier game again."""

from __future__ import annotations

import uuid

import pytest

from bakers.models import Game
from bakers.rules.variants import VARIANTS


def again(api, state, **body):
    return api.post(
        "games", {"variant": state["variant"], "kind": "practice", "from_game": state["id"], **body}
    )


@pytest.mark.parametrize("variant", VARIANTS)
def test_a_game_that_was_given_up_can_be_practised(api, variant):
    ended = api.start(variant)
    api.resign(ended)

    response = again(api, ended)

    assert response.status_code == 201
    practice = response.json()
    assert practice["kind"] == "practice"
    assert practice["id"] != ended["id"]
    for field in ("columns", "dealt", "foundations", "legal", "deal", "source"):
        assert practice[field] == ended[field]
    assert (practice["ply"], practice["line"], practice["version"]) == (0, [], 0)


def test_a_game_that_was_won_can_be_practised_from_its_first_position(api, winning_lines):
    started = api.start()
    api.play(started, *winning_lines["bakers-dozen"])

    assert again(api, started).json()["columns"] == started["columns"]


def test_an_imported_layout_can_be_practised_again(api, winning_lines):
    text = "\n".join(" ".join(column) for column in api.start()["columns"])
    imported = api.start(kind="practice", layout=text)
    api.resign(imported)

    practice = again(api, imported).json()

    assert (practice["source"], practice["deal"]) == ("layout", None)
    assert practice["columns"] == imported["columns"]


def test_a_game_that_is_still_open_cannot_be_practised(api):
    state = api.start()
    response = again(api, state)

    assert response.status_code == 409
    assert response.json()["error"]["code"] == "game_open"
    assert Game.objects.count() == 1


def test_a_game_cannot_be_practised_in_another_variant(api):
    state = api.start()
    api.resign(state)

    response = again(api, state, variant="spanish-patience")

    assert response.status_code == 400
    assert list(response.json()["error"]["detail"]["fields"]) == ["variant"]


@pytest.mark.parametrize("kind", ["casual", "practice"])
def test_a_game_of_somebody_else_cannot_be_played(api, new_api, kind):
    state = api.start()
    api.resign(state)
    other = new_api()
    other.start()

    response = again(other, state, kind=kind)

    assert response.status_code == (404 if kind == "practice" else 400)
    assert Game.objects.count() == 2


def test_a_game_that_never_was_cannot_be_played(api):
    response = again(api, {"variant": "bakers-dozen", "id": str(uuid.uuid4())})

    assert response.status_code == 404
    assert response.json()["error"]["code"] == "not_found"


@pytest.mark.parametrize(
    "game_id",
    ["", "4", 4, 0, True, None, 4.0, [4], "0" * 31, "g" * 32, "urn:uuid:{id}", "{{{id}}}", "{id} ", "x{id}"],
)
def test_what_is_no_id_is_refused(api, game_id):
    state = api.start()
    api.resign(state)
    if isinstance(game_id, str):
        game_id = game_id.format(id=state["id"])

    response = again(api, state, from_game=game_id)

    assert response.status_code == 400
    assert list(response.json()["error"]["detail"]["fields"]) == ["from_game"]
