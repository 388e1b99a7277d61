"""Who may do what: every endpoint of the site, asked by everybody it could matter to.

The rows are compared with the addresses themselves, so that a new endpoint fails here until somebody has thought
about whose it is.
"""

from __future__ import annotations

import json
from dataclasses import dataclass
from typing import Any

import pytest

from tests.conftest import ApiClient
from tests.database import rows
from tests.endpoints import Endpoint, endpoints, entrance

#: Who asks for whose game. "nobody" never played, nor has a session. Owners come last, since they may change it.
ASKERS = {
    "nobody": "guest",
    "other guest": "guest",
    "other user": "user",
    "guest for user's": "user",
    "user for guest's": "guest",
    "guest": "guest",
    "user": "user",
}
GUESTS = {"nobody", "other guest", "guest for user's", "guest"}


@dataclass(frozen=True)
class Row:
    """What an endpoint answers: to everybody the same, or to the owner and to all others; to guests something else."""

    owner: int
    others: int
    body: dict[str, Any] | None = None
    query: str = ""
    guests: int | None = None


EVERYBODY = Row(200, 200)
#: A page for those who have signed in; guests are sent there.
SIGNED_IN = Row(200, 200, guests=302)
TABLE = {
    "GET /": EVERYBODY,
    "GET /healthz": EVERYBODY,
    "GET /healthz/ready": EVERYBODY,
    "GET /play/<str:variant>": EVERYBODY,
    "GET /play/<str:variant>/<str:number>": EVERYBODY,
    "GET /deal/<str:variant>/<str:number>": EVERYBODY,
    "GET /questions": EVERYBODY,
    "GET /rules/<str:variant>": EVERYBODY,
    "GET /game/<uuid:game_id>": Row(200, 404),
    "GET /api/deals/<str:variant>": EVERYBODY,
    "GET /api/deals/<str:variant>/<str:number>": EVERYBODY,
    "POST /api/deals": Row(200, 200, {"variant": "bakers-dozen", "layout": "PySolFC 2"}),
    "GET /api/games": EVERYBODY,
    "POST /api/games": Row(201, 201, {"variant": "bakers-dozen", "kind": "casual"}),
    "GET /api/games/<uuid:game_id>": Row(200, 404),
    "POST /api/games/<uuid:game_id>/moves": Row(
        200, 404, {"request_id": "request-1", "version": 1, "at": 1, "moves": ["3d"]}
    ),
    "GET /api/games/<uuid:game_id>/verdict": Row(200, 404, query="?version=1"),
    "POST /api/games/<uuid:game_id>/hint": Row(200, 404, {"version": 1}),
    "POST /api/games/<uuid:game_id>/postmortem": Row(200, 404, {"version": 1}),
    "POST /api/games/<uuid:game_id>/solution": Row(200, 404, {"version": 1}),
    "POST /api/games/<uuid:game_id>/resign": Row(200, 404, {"request_id": "request-1", "version": 1}),
    "GET /api/me/settings": Row(200, 200, guests=403),
    "PATCH /api/me/settings": Row(200, 200, {"theme": "dark"}, guests=403),
    "POST /api/solve": Row(200, 200, {"variant": "bakers-dozen", "deal": "2"}),
    "GET /accounts/statistics/": SIGNED_IN,
    "GET /accounts/history/": SIGNED_IN,
    # The game goes on, and has no replay yet.
    "GET /accounts/history/<uuid:game_id>": Row(404, 404, guests=302),
    "GET /api/me/stats": Row(200, 200, guests=403),
}


@pytest.fixture
def ask(new_user):
    """Sends an endpoint's request for the game of one asker as another."""
    guest, user = ApiClient(), ApiClient(new_user())
    other_guest, other_user = ApiClient(), ApiClient(new_user())
    games = {}
    for name, api in (
        ("guest", guest),
        ("user", user),
        ("other guest", other_guest),
        ("other user", other_user),
    ):
        games[name] = api.play(api.start(), "96")
    clients = {
        "nobody": ApiClient(),
        "guest": guest,
        "other guest": other_guest,
        "user": user,
        "other user": other_user,
        "guest for user's": guest,
        "user for guest's": user,
    }

    def send(endpoint: Endpoint, asker: str, row: Row) -> Any:
        api = clients[asker]
        path = endpoint.path(game_id=games[ASKERS[asker]]["id"]) + row.query
        content = b"" if row.body is None else json.dumps(row.body)
        if endpoint.is_api:
            headers = {} if endpoint.is_safe else {"X-CSRFToken": api.token}
            return api.send(endpoint.method, path.removeprefix("/api/"), content, headers=headers)
        return api.browser.generic(endpoint.method, path, content)

    return send


#: What signing in consists of is asked by everybody in tests/pages/test_reading.py and tests/api/test_csrf.py.
OWNED = [endpoint for endpoint in endpoints() if endpoint not in entrance()]


def test_every_endpoint_has_a_row():
    assert {str(endpoint) for endpoint in OWNED} == set(TABLE)


@pytest.mark.parametrize("endpoint", OWNED, ids=str)
def test_what_is_somebody_elses_is_not_there(ask, endpoint):
    row = TABLE[str(endpoint)]
    for asker in ASKERS:
        before = rows()
        response = ask(endpoint, asker, row)
        expected = row.owner if asker in {"guest", "user"} else row.others
        if row.guests is not None and asker in GUESTS:
            expected = row.guests
        assert response.status_code == expected, asker
        if expected in {403, 404}:
            assert rows() == before, asker


def test_somebody_elses_game_cannot_be_told_from_one_that_never_was(api, new_api):
    """Not by the answer, nor by a request that is wrong in another way."""
    theirs = new_api().start()
    api.start()
    never = {**theirs, "id": "00000000-0000-4000-8000-000000000000"}

    for body in ({}, {"version": 7}, {"at": 5}):
        answers = [api.moves(game, "96", request_id="request-1", **body) for game in (theirs, never)]
        assert [answer.status_code for answer in answers] == [404, 404]
        assert answers[0].json() == answers[1].json()
    answers = [api.get(f"games/{game['id']}") for game in (theirs, never)]
    assert answers[0].json() == answers[1].json()


def test_what_a_guest_began_stays_theirs_in_the_browser_in_which_they_sign_in(api, new_user):
    """Also a game that isn't the account's yet, since it started in the same moment; and nowhere else."""
    state = api.start()
    user = new_user()
    api.browser.force_login(user)

    assert api.get(f"games/{state['id']}").status_code == 200
    elsewhere = ApiClient(user)
    assert elsewhere.get(f"games/{state['id']}").status_code == 404
    assert elsewhere.get("games").json() == {"games": []}
