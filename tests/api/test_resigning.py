"""POST /api/games/{id}/resign: giving up."""

from __future__ import annotations

import pytest

from bakers.rules.cards import CARD_NAMES
from bakers.rules.deals import deal_columns, deck
from bakers.rules.variants import VARIANTS
from tests.database import rows


def test_a_game_that_is_given_up_is_lost(api, frozen_clock):
    state = api.play(api.start(), "96", "3d")
    frozen_clock.advance(seconds=5)

    response = api.resign(state)

    assert response.status_code == 200
    lost = response.json()
    changed = {key for key in lost if lost[key] != state[key]}
    assert changed == {"status", "version", "finished_at", "legal"}
    assert (lost["status"], lost["version"], lost["legal"]) == ("lost", 2, [])
    assert lost["finished_at"] == frozen_clock.now().isoformat()
    assert api.state(lost) == {key: value for key, value in lost.items() if key != "replayed"}


def test_a_game_without_a_move_can_be_given_up(api):
    assert api.resign(api.start()).json()["status"] == "lost"


def test_a_lost_game_takes_no_batch(api):
    lost = api.resign(api.play(api.start(), "96")).json()
    before = rows()

    for response in (api.moves(lost, "3d"), api.moves(lost, at=0), api.moves(lost), api.resign(lost)):
        assert response.status_code == 409
        assert response.json()["error"]["code"] == "game_over"
        assert response.json()["error"]["detail"]["game"]["status"] == "lost"
    assert rows() == before


def test_giving_up_twice_with_one_request_is_giving_up_once(api):
    state = api.start()
    lost = api.resign(state, request_id="give-up-1").json()
    before = rows()

    again = api.resign(state, request_id="give-up-1")

    assert again.status_code == 200
    assert again.json() == {**lost, "replayed": True}
    assert rows() == before


def test_giving_up_a_game_that_has_moved_on_is_refused(api):
    state = api.start()
    api.play(state, "96")

    response = api.resign(state)

    assert response.status_code == 409
    assert response.json()["error"]["code"] == "stale_version"
    assert response.json()["error"]["detail"]["game"]["line"] == ["96"]
    assert api.state(state)["status"] == "open"


@pytest.mark.parametrize("played", [0, 10, 60])
def test_a_lost_game_of_original_1883_shows_its_cards_as_they_lie(api, winning_lines, played):
    state = api.play(api.start("original-1883"), *winning_lines["original-1883"][:played])
    lost = api.resign(state).json()

    cards = [card for column in lost["columns"] for card in column]
    assert "##" not in cards
    assert len(cards) + sum(lost["foundations"].values()) == 52
    for before, after in zip(state["columns"], lost["columns"], strict=True):
        assert all(was in (now, "##") for was, now in zip(before, after, strict=True))
    columns, _ = deal_columns(VARIANTS["original-1883"], deck(2))
    assert lost["dealt"]["columns"] == [[CARD_NAMES[card] for card in column] for column in columns]
