"""A guest is known by their session's cookie alone; it comes with their first game and lasts as long as their games."""

from __future__ import annotations

import datetime

from django.contrib.sessions.models import Session

from bakers.games import GUEST_FINISHED_AGE, GUEST_OPEN_AGE
from bakers.models import Game


def test_the_first_game_makes_the_guest(api):
    assert api.token
    assert not Session.objects.exists()

    response = api.post("games", {"variant": "bakers-dozen", "kind": "casual"})

    cookie = response.cookies["sessionid"]
    assert cookie["httponly"] is True
    assert cookie["samesite"] == "Lax"
    assert cookie["path"] == "/"
    assert not cookie["domain"]
    assert Session.objects.count() == 1
    assert list(Session.objects.get().get_decoded()) == ["guest"]
    assert Game.objects.get().user is None


def test_the_cookie_lasts_as_long_as_a_game_can(api):
    response = api.post("games", {"variant": "bakers-dozen", "kind": "casual"})

    lasts = datetime.timedelta(seconds=int(response.cookies["sessionid"]["max-age"]))
    assert lasts >= GUEST_OPEN_AGE + GUEST_FINISHED_AGE


def test_each_new_game_renews_it_and_keeps_the_guest(api):
    first = api.start()
    session = Session.objects.get()
    # As if the first game were an hour ago.
    Session.objects.update(expire_date=session.expire_date - datetime.timedelta(hours=1))

    response = api.post("games", {"variant": "bakers-dozen", "kind": "casual"})

    assert response.cookies["sessionid"].value == session.session_key
    assert Session.objects.get().expire_date >= session.expire_date
    assert {game.guest for game in Game.objects.all()} == {Game.objects.get(pk=first["id"]).guest}


def test_playing_sets_no_cookie(api):
    state = api.start()
    moved = api.moves(state, "96")
    resigned = api.resign(moved.json())

    assert not moved.cookies
    assert not resigned.cookies


def test_what_was_refused_sets_no_cookie(api):
    assert api.token
    for body in (
        {"variant": "klondike", "kind": "casual"},
        {"variant": "bakers-dozen", "kind": "practice", "layout": "x"},
    ):
        response = api.post("games", body)
        assert response.status_code == 400
        assert not response.cookies
    assert not Session.objects.exists()


def test_a_users_games_need_no_guest(new_user):
    from tests.conftest import ApiClient

    user = new_user()
    api = ApiClient(user)
    api.start()

    game = Game.objects.get()
    assert (game.user, game.guest) == (user, None)
    assert "guest" not in Session.objects.get().get_decoded()


def test_two_guests_share_nothing(api, new_api):
    api.start()
    new_api().start()

    assert len({game.guest for game in Game.objects.all()}) == 2


def test_the_token_comes_with_every_table_and_lasts(client, db):
    for path in ("/", "/play/original-1883", "/play/bakers-dozen/2"):
        client.cookies.clear()
        cookie = client.get(path).cookies["csrftoken"]
        assert cookie["samesite"] == "Lax"
        assert cookie["path"] == "/"
        # Scripts read it to send it back.
        assert not cookie["httponly"]


def test_the_token_comes_with_no_page_that_does_not_need_it(client, db):
    for path in ("/rules/bakers-dozen", "/healthz", "/nothing", "/api/games", "/api/deals/bakers-dozen"):
        assert not client.get(path).cookies
