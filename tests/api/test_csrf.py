"""Forged requests: every unsafe endpoint wants the token, from guests and from users."""

from __future__ import annotations

import pytest
from django.test import Client

from tests.conftest import ApiClient
from tests.database import rows
from tests.endpoints import Endpoint, endpoints

UNSAFE = [endpoint for endpoint in endpoints() if not endpoint.is_safe and endpoint.is_api]
#: Pages that take forms.
FORMS = [endpoint for endpoint in endpoints() if not endpoint.is_safe and not endpoint.is_api]
#: allauth's pages for another way to show who one is, which is closed here.
CLOSED = {"POST /accounts/reauthenticate/code/", "POST /accounts/reauthenticate/code/confirm/"}
#: Pages that aren't there for somebody without what they show, whatever is sent to them.
GONE = {("accounts/2fa/recovery-codes/download/", 404)}
#: For players there are no pages for staff.
PAGES = sorted(
    {
        endpoint.route
        for endpoint in endpoints()
        if not endpoint.is_api and not endpoint.route.startswith("admin/")
    }
)


@pytest.fixture(params=["newcomer", "guest", "user"])
def player(request, api, new_user):
    """A browser that has visited the site, and its game if it has one."""
    if request.param == "user":
        user = new_user()
        user.set_password("quiet-otter-1883")
        user.save()
        api = ApiClient(user)
    api.browser.get("/")
    game = None if request.param == "newcomer" else api.start()
    return api, game


@pytest.mark.parametrize("endpoint", UNSAFE, ids=str)
def test_without_the_token_nothing_is_done(player, endpoint):
    api, game = player
    path = endpoint.path(**({"game_id": game["id"]} if game else {})).removeprefix("/api/")
    good = api.browser.cookies["csrftoken"].value
    before = rows()

    for token in (None, "", "x", good[:-1], good[::-1], "x" * 32, "x" * 64, good + " ", "\0" * 32, "ü" * 32):
        headers = {} if token is None else {"X-CSRFToken": token.encode().decode("latin-1")}
        for method in {endpoint.method, "DELETE"}:
            response = api.send(method, path, b"{}", headers=headers)
            assert response.status_code == 403, token
            assert response.json()["error"]["code"] == "csrf_failed"
    assert rows() == before


@pytest.mark.parametrize("endpoint", UNSAFE, ids=str)
def test_without_the_cookie_the_token_is_worth_nothing(player, endpoint):
    api, game = player
    token = api.token
    del api.browser.cookies["csrftoken"]

    path = endpoint.path(**({"game_id": game["id"]} if game else {})).removeprefix("/api/")
    response = api.send(endpoint.method, path, b"{}", headers={"X-CSRFToken": token})

    assert response.status_code == 403
    assert response.json()["error"]["code"] == "csrf_failed"


@pytest.mark.parametrize("endpoint", UNSAFE, ids=str)
def test_the_token_of_another_browser_is_worth_nothing(player, new_api, endpoint):
    api, _ = player
    stranger = new_api().token

    response = api.send(endpoint.method, endpoint.path()[5:], b"{}", headers={"X-CSRFToken": stranger})

    assert response.status_code == 403


@pytest.mark.parametrize("endpoint", UNSAFE, ids=str)
def test_another_site_is_refused_even_with_the_token(player, endpoint):
    api, _ = player
    for origin in ("https://evil.example", "null", "http://testserver.evil.example", "https://testserver"):
        headers = {"X-CSRFToken": api.token, "Origin": origin}
        response = api.send(endpoint.method, endpoint.path()[5:], b"{}", headers=headers)
        assert response.status_code == 403, origin


@pytest.mark.parametrize("endpoint", UNSAFE, ids=str)
def test_with_the_token_the_request_is_read(player, endpoint):
    api, _ = player

    response = api.send(endpoint.method, endpoint.path()[5:], b"[", headers={"X-CSRFToken": api.token})

    assert response.status_code == 400


def test_over_https_the_request_must_come_from_this_site(api):
    headers = {"X-CSRFToken": api.token}
    for more in ({}, {"Referer": "https://evil.example/"}, {"Referer": "http://testserver/"}):
        response = api.send("post", "games", b"[", headers=headers | more, secure=True)
        assert response.status_code == 403
    response = api.send(
        "post", "games", b"[", headers=headers | {"Referer": "https://testserver/"}, secure=True
    )
    assert response.status_code == 400


def test_reading_needs_no_token(api):
    assert api.get("games").status_code == 200
    assert api.get("deals/bakers-dozen/2").status_code == 200


def test_a_page_that_is_sent_something_refuses_in_the_sites_own_words(db):
    response = Client(enforce_csrf_checks=True).post("/")

    assert response.status_code == 403
    assert "403.html" in [template.name for template in response.templates]


def _is_refused(response) -> bool:
    return response.status_code == 403 and "403.html" in [template.name for template in response.templates]


@pytest.mark.parametrize("endpoint", FORMS, ids=str)
def test_a_form_without_its_token_is_refused_before_anything_is_done(player, endpoint):
    api, _ = player
    good = api.token
    before = rows()

    for token in (None, "", "x", good[:-1], good[::-1], "x" * 64, good + " "):
        form = {} if token is None else {"csrfmiddlewaretoken": token}
        assert _is_refused(api.browser.post(endpoint.path(), form)), token
    assert rows() == before


@pytest.mark.parametrize("endpoint", FORMS, ids=str)
def test_a_form_is_refused_from_elsewhere(player, new_api, endpoint):
    api, _ = player
    form = {"csrfmiddlewaretoken": api.token}
    before = rows()

    for origin in ("https://evil.example", "null", "http://testserver.evil.example"):
        assert _is_refused(api.browser.post(endpoint.path(), form, headers={"Origin": origin})), origin
    stranger = {"csrfmiddlewaretoken": new_api().token}
    assert _is_refused(api.browser.post(endpoint.path(), stranger))
    del api.browser.cookies["csrftoken"]
    assert _is_refused(api.browser.post(endpoint.path(), form))
    assert rows() == before


@pytest.mark.parametrize("endpoint", FORMS, ids=str)
def test_a_form_with_its_token_is_read(player, endpoint):
    api, _ = player

    response = api.browser.post(endpoint.path(), {"csrfmiddlewaretoken": api.token})

    signed_in = "_auth_user_id" in api.browser.session
    assert _is_refused(response) == (signed_in and str(endpoint) in CLOSED)
    assert response.status_code < 500


@pytest.mark.parametrize("route", PAGES)
def test_a_page_takes_what_is_known_of_it_and_nothing_else(player, route):
    api, game = player
    headers = {"X-CSRFToken": api.token}
    signed_in = "_auth_user_id" in api.browser.session
    before = rows()

    taken = {endpoint.method for endpoint in endpoints() if endpoint.route == route}
    for method in {"GET", "POST", "PUT", "PATCH", "DELETE"} - taken:
        path = Endpoint(method, route).path(**({"game_id": game["id"]} if game else {}))
        response = api.browser.generic(method, path, headers=headers)
        if method == "POST" and response.status_code != 405:
            # Whose page it is, and whether it is there, may be asked first.
            if signed_in:
                assert (route, response.status_code) in GONE
            else:
                assert (response.status_code, response["Location"]) == (302, f"/accounts/login/?next={path}")
        else:
            assert response.status_code == 405, method
    # That a form was sent is counted.
    assert {**rows(), "bakers.Limit": None} == {**before, "bakers.Limit": None}
