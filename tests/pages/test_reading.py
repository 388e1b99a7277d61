"""Reading changes nothing: no GET stores a row, starts a session or sets a cookie but the CSRF token's.

What is found out about cards is kept, and searches are counted; that says nothing about who read. Nor does today's
board, which whoever looks first has made.
"""

from __future__ import annotations

import pytest

from tests.conftest import ApiClient
from tests.database import counts, rows
from tests.endpoints import endpoints

#: Tables of what the solver knows, which no player's row points to or from, and of how much was asked.
KNOWLEDGE = {"bakers.Answer", "bakers.Limit", "daily.Board", "daily.Solution"}
#: Addresses at which something has to be found out.
SEARCHING = {
    "GET /deal/<str:variant>/<str:number>",
    "GET /api/games/<uuid:game_id>/verdict",
    "GET /daily/<str:variant>",
    "GET /api/daily/<str:variant>",
    # Gathering everything about somebody is counted as well.
    "GET /api/me/export",
}
#: Addresses that don't answer everybody with a page, and what they answer a guest and a user who have done nothing
#: else: 302 leads to signing in, to showing once more who one is, or to where there is something to do.
OTHERWISE = {
    # For players there are no pages for staff.
    **{str(endpoint): (302, 404) for endpoint in endpoints() if endpoint.route.startswith("admin/")},
    # Nobody has made a board of that day.
    "GET /daily/<str:variant>/<str:date>": (404, 404),
    "GET /api/daily/<str:variant>/<str:date>": (404, 404),
    "GET /api/me/days/<str:variant>": (403, 200),
    # It takes no version.
    "GET /api/leaderboards/<str:contest>/<str:variant>": (400, 400),
    "GET /accounts/": (302, 200),
    "GET /accounts/name/": (302, 200),
    "GET /accounts/delete/": (302, 302),
    "GET /api/me": (403, 200),
    "GET /api/me/export": (403, 200),
    "GET /accounts/2fa/": (302, 200),
    "GET /accounts/2fa/authenticate/": (302, 302),
    "GET /accounts/2fa/reauthenticate/": (302, 302),
    "GET /accounts/2fa/recovery-codes/": (302, 404),
    "GET /accounts/2fa/recovery-codes/download/": (302, 404),
    "GET /accounts/2fa/recovery-codes/generate/": (302, 302),
    "GET /accounts/2fa/totp/activate/": (302, 302),
    "GET /accounts/2fa/totp/deactivate/": (302, 404),
    "GET /accounts/2fa/webauthn/": (302, 200),
    "GET /accounts/2fa/webauthn/add/": (302, 302),
    "GET /accounts/2fa/webauthn/keys/<int:pk>/edit/": (302, 302),
    "GET /accounts/2fa/webauthn/keys/<int:pk>/remove/": (302, 302),
    "GET /accounts/2fa/webauthn/login/": (302, 302),
    "GET /accounts/2fa/webauthn/reauthenticate/": (302, 302),
    "GET /accounts/confirm-email/": (302, 302),
    "GET /accounts/email/": (302, 302),
    "GET /accounts/history/": (302, 200),
    # The game goes on.
    "GET /accounts/history/<uuid:game_id>": (302, 404),
    "GET /accounts/login/": (200, 302),
    "GET /accounts/login/code/confirm/": (302, 302),
    "GET /accounts/logout/": (302, 200),
    "GET /accounts/password/change/": (302, 200),
    "GET /accounts/password/reset/complete/": (302, 302),
    "GET /accounts/password/reset/confirm/": (302, 302),
    "GET /accounts/password/set/": (302, 302),
    "GET /accounts/reauthenticate/": (302, 200),
    # A mailed code is no way to show who one is.
    "GET /accounts/reauthenticate/code/": (302, 403),
    "GET /accounts/reauthenticate/code/confirm/": (302, 403),
    "GET /accounts/sessions/": (302, 200),
    "GET /accounts/signup/": (200, 302),
    "GET /accounts/statistics/": (302, 200),
    # There is no player who is listed.
    "GET /u/<str:name>": (404, 404),
    "GET /api/me/settings": (403, 200),
    "GET /api/me/stats": (403, 200),
}
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
        user = new_user()
        user.set_password("quiet-otter-1883")
        user.save()
        api = ApiClient(user)
    state = api.play(api.start(), "96")
    before = rows()
    guest_gets, user_gets = OTHERWISE.get(str(endpoint), (200, 200))

    response = api.browser.get(endpoint.path(game_id=state["id"]) + "?version=1")

    assert response.status_code == (user_gets if who == "user" else guest_gets)
    assert set(response.cookies) <= {"csrftoken"}
    after = rows()
    if str(endpoint) in SEARCHING:
        after = {label: table for label, table in after.items() if label not in KNOWLEDGE}
    assert after == before


def test_the_list_of_other_answers_names_only_what_there_is():
    assert set(OTHERWISE) <= {str(endpoint) for endpoint in endpoints()}


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
