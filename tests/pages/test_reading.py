"""Reading changes nothing: no GET stores a row, starts a session or sets a cookie but the CSRF token's.

What is found out about cards is kept, and searches are counted; that says nothing about who read.
"""

from __future__ import annotations

import pytest

from tests.conftest import ApiClient
from tests.database import counts, rows
from tests.endpoints import endpoints

#: Tables of what the solver knows, which no player's row points to or from, and of how much was asked.
KNOWLEDGE = {"bakers.Answer", "bakers.Limit"}
#: Addresses at which something has to be found out.
SEARCHING = {"GET /deal/<str:variant>/<str:number>", "GET /api/games/<uuid:game_id>/verdict"}
READING = [endpoint for endpoint in endpoints() if endpoint.is_safe]


def test_there_is_something_to_read():
    assert len(READING) > 10


@pytest.mark.parametrize("method", ["GET", "HEAD"])
@pytest.mark.parametrize("endpoint", READING, ids=str)
def test_somebody_new_may_look_at_anything_and_leaves_no_trace(client, db, endpoint, method):
    for path in (
        endpoint.path(),
        endpoint.path() + "?variant=original-1883",
        endpoint.path(variant="x", number="x"),
    ):
        response = client.generic(method, path)

        assert response.status_code < 500
        assert set(response.cookies) <= {"csrftoken"}
    assert set(counts()) <= (KNOWLEDGE if str(endpoint) in SEARCHING else set())


@pytest.mark.parametrize("who", ["guest", "user"])
@pytest.mark.parametrize("endpoint", READING, ids=str)
def test_a_player_who_looks_changes_nothing(api, new_user, who, endpoint):
    if who == "user":
        api = ApiClient(new_user())
    state = api.play(api.start(), "96")
    before = rows()

    response = api.browser.get(endpoint.path(game_id=state["id"]) + "?version=1")

    is_mine = endpoint.route.startswith("api/me/")
    assert response.status_code == (403 if is_mine and who == "guest" else 200)
    assert set(response.cookies) <= {"csrftoken"}
    after = rows()
    if str(endpoint) in SEARCHING:
        after = {label: table for label, table in after.items() if label not in KNOWLEDGE}
    assert after == before


def test_a_session_that_is_gone_is_not_stored_again(client, db):
    client.cookies["sessionid"] = "a" * 32

    for path in ("/", "/api/games", "/game/00000000-0000-4000-8000-000000000000"):
        client.get(path)

    assert counts() == {}


@pytest.mark.parametrize(
    "value",
    ["", "x", "a" * 31, "a" * 33, "a" * 3_000, "../../../etc/passwd", "A" * 32, "ünïcödé1", '"a\\000bcdefghijk"',
     '"aaaaaaaaaaaa\\000"', '"\\377\\376aaaaaaaaaa"', '"\\015\\012aaaaaaaaaa"', "{}", "' OR 1=1 --", "a" * 8 + "%00"],
)  # fmt: skip
def test_a_session_cookie_that_is_none_is_that_of_somebody_new(client, db, value):
    for path in ("/", "/api/games", "/game/00000000-0000-4000-8000-000000000000"):
        response = client.get(path, headers={"Cookie": f"sessionid={value}".encode().decode("latin-1")})
        assert response.status_code in {200, 404}
    assert client.get("/api/games", headers={"Cookie": f"csrftoken={value}"}).status_code == 200
    assert counts() == {}
