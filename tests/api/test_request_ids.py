"""`request_id`: a request that is repeated has one effect, however often and however late it comes."""

from __future__ import annotations

import pytest

from bakers.models import REMEMBERED_REQUESTS, GameRequest
from tests.database import rows


@pytest.fixture
def played(api):
    """A game with one batch played, and the body that did it."""
    state = api.start()
    body = {"request_id": "batch-0001", "version": 0, "at": 0, "moves": ["96", "3d"]}
    answer = api.post(f"games/{state['id']}/moves", body)
    assert answer.status_code == 200
    return answer.json(), body


def repeat(api, state, body):
    return api.post(f"games/{state['id']}/moves", body)


def test_the_same_request_again_is_answered_and_not_played(api, played):
    state, body = played
    before = rows()

    again = repeat(api, state, body)

    assert again.status_code == 200
    assert again.json() == {**state, "replayed": True}
    assert rows() == before


def test_a_request_repeated_ten_times_has_one_effect(api, played):
    state, body = played
    before = rows()

    assert all(repeat(api, state, body).json()["replayed"] for _ in range(10))
    assert rows() == before


def test_a_repeated_request_is_answered_with_the_game_as_it_stands_now(api, played):
    state, body = played
    now = api.play(state, "43")

    assert repeat(api, state, body).json() == {**now, "replayed": True}


def test_after_a_lost_answer_the_next_batch_goes_on_from_the_repeated_one(api, played):
    state, body = played
    answer = repeat(api, state, body).json()

    assert api.play(answer, "43")["line"] == ["96", "3d", "43"]


def test_a_repeated_undo_takes_nothing_back_twice(api, played):
    state, _ = played
    undo = {"request_id": "undo-0001", "version": state["version"], "at": 1, "moves": []}
    first = repeat(api, state, undo).json()

    assert repeat(api, state, undo).json() == {**first, "replayed": True}
    assert api.state(state)["line"] == ["96"]


def test_a_repeated_request_is_known_in_another_tab(api, played):
    state, body = played

    assert repeat(api.tab(), state, body).json()["replayed"] is True


def test_a_repeated_request_is_known_whatever_the_order_and_spacing_of_its_fields(api, played):
    state, body = played
    text = '{ "moves" : ["96", "3d"], "at": 0,\n "version": 0, "request_id": "batch-0001"}'
    assert list(body) != ["moves", "at", "version", "request_id"]

    assert repeat(api, state, text).json()["replayed"] is True


def test_a_winning_request_that_is_repeated_finds_the_won_game(api, winning_lines):
    state = api.start()
    body = {"request_id": "win-00001", "version": 0, "at": 0, "moves": winning_lines["bakers-dozen"]}
    won = repeat(api, state, body).json()

    again = repeat(api, state, body)

    assert again.status_code == 200
    assert again.json() == {**won, "replayed": True}
    assert again.json()["status"] == "won"


@pytest.mark.parametrize(
    "change", [{"moves": ["96"]}, {"moves": []}, {"at": 1}, {"version": 1}, {"moves": ["3d", "96"]}]
)
def test_the_same_id_with_another_body_is_refused(api, played, change):
    state, body = played
    before = rows()

    response = repeat(api, state, {**body, **change})

    # Empty where the game stands would change nothing, and so is no use of the id.
    assert response.status_code == 422
    assert response.json()["error"]["code"] == "request_id_reused"
    assert rows() == before


def test_an_id_used_for_a_move_cannot_resign_and_the_other_way_round(api, played):
    state, body = played
    before = rows()

    for version in (state["version"], 0):
        response = api.resign(state, request_id=body["request_id"], version=version)
        assert response.json()["error"]["code"] == "request_id_reused"
    assert rows() == before

    lost = api.resign(state, request_id="resign-001").json()
    response = api.moves(lost, "43", request_id="resign-001")
    assert response.status_code == 422
    assert response.json()["error"]["code"] == "request_id_reused"


def test_the_same_id_in_two_games_is_two_requests(api, played):
    _, body = played
    other = api.start()

    assert repeat(api, other, body).json()["replayed"] is False


def test_a_stale_request_can_be_sent_again_for_the_version_that_came_with_the_refusal(api, played):
    state, _ = played
    stale = {"request_id": "tab-two-1", "version": 0, "at": 0, "moves": ["43"]}
    refused = repeat(api, state, stale)
    assert refused.status_code == 409

    now = refused.json()["error"]["detail"]["game"]
    right = {**stale, "version": now["version"], "at": now["ply"]}

    assert repeat(api, state, right).json()["line"] == ["96", "3d", "43"]
    assert repeat(api, state, stale).json()["error"]["code"] == "request_id_reused"


def test_an_empty_batch_that_changed_nothing_leaves_its_id_free(api, played):
    state, _ = played
    api.play(state, request_id="nothing-1")

    assert api.play(state, "43", request_id="nothing-1")["ply"] == 3


def test_the_last_100_ids_are_kept_and_an_older_one_meets_its_version(api):
    state = api.start()
    bodies = []
    for number in range(REMEMBERED_REQUESTS + 30):
        moves, at = (["96"], 0) if number % 2 == 0 else ([], 0)
        body = {"request_id": f"batch-{number:04}", "version": number, "at": at, "moves": moves}
        assert repeat(api, state, body).status_code == 200
        bodies.append(body)
    assert REMEMBERED_REQUESTS == 100
    before = rows()

    for body in (bodies[-1], bodies[-99], bodies[-100]):
        assert repeat(api, state, body).json()["replayed"] is True
    for body in (bodies[-101], bodies[-110], bodies[0]):
        response = repeat(api, state, body)
        assert response.status_code == 409
        assert response.json()["error"]["code"] == "stale_version"

    assert rows() == before
    assert GameRequest.objects.count() < 2 * REMEMBERED_REQUESTS
