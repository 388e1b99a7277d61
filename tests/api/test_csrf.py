"""Forged requests: every unsafe endpoint wants the token, from guests and from users."""

from __future__ import annotations

import pytest
from django.test import Client

from tests.conftest import ApiClient
from tests.database import rows
from tests.endpoints import endpoints

UNSAFE = [endpoint for endpoint in endpoints() if not endpoint.is_safe]


@pytest.fixture(params=["newcomer", "guest", "user"])
def player(request, api, new_user):
    """A browser that has visited the site, and its game if it has one."""
    if request.param == "user":
        api = ApiClient(new_user())
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
