"""What a guest has played comes along into the account, whatever happens at the same moment; and signing out."""

from __future__ import annotations

from functools import partial
from typing import Any

import pytest
from allauth.account.adapter import DefaultAccountAdapter
from allauth.usersessions.models import UserSession
from django.contrib.sessions.models import Session
from django.test import Client

from accounts.models import User
from bakers.models import Game
from tests.accounts.people import PASSWORD, Visitor, mailed_code, make_user
from tests.conftest import ApiClient
from tests.parallel import at_once


def begin(api: ApiClient, deal: str) -> dict[str, Any]:
    """Begin a game with its first legal move."""
    state = api.start(deal=deal)
    return api.play(state, state["legal"][0])


@pytest.fixture
def guest(api):
    """A guest who has begun one game and given another up."""
    api.play(api.start(), "96")
    api.resign(begin(api, "3"))
    return api


def at_the_door(api: ApiClient) -> Visitor:
    """Return the same browser, ready for forms."""
    plain = Client()
    plain.cookies = api.browser.cookies
    return Visitor(browser=plain)


def games_of(api: ApiClient) -> dict[str, str]:
    """Return the games of a browser, with what became of them."""
    return {game["id"]: game["status"] for game in api.get("games").json()["games"]}


@pytest.mark.django_db
class TestComingAlong:
    def test_on_signing_up(self, guest):
        before = games_of(guest)
        assert sorted(before.values()) == ["lost", "open"]
        visitor = at_the_door(guest)
        visitor.sign_up("ann@example.org")
        assert games_of(guest) == before

        visitor.confirm()

        assert visitor.is_signed_in
        assert games_of(guest) == before
        assert set(Game.objects.values_list("user__email", "guest")) == {("ann@example.org", None)}

    def test_on_signing_in_beside_what_the_account_has(self, guest):
        user = make_user()
        own = ApiClient(user)
        own_game = begin(own, "5")
        before = games_of(guest)

        at_the_door(guest).sign_in()

        assert set(games_of(guest)) == set(before) | {own_game["id"]}
        assert games_of(own) == games_of(guest)

    def test_on_resetting_the_password(self, guest):
        make_user()
        visitor = at_the_door(guest)
        visitor.post("password/reset/", email="ann@example.org")
        visitor.post("password/reset/confirm/", code=mailed_code())
        visitor.post("password/reset/complete/", password1="loud-heron-1926")
        assert not Game.objects.filter(user=None).exists()

    def test_the_same_game_goes_on(self, api):
        state = api.play(api.start(), "96")
        visitor = at_the_door(api)
        visitor.sign_up("ann@example.org")
        visitor.confirm()
        api.browser.cookies = visitor.browser.cookies
        assert api.play(state, state["legal"][0])["id"] == state["id"]

    def test_a_sign_up_that_fails_leaves_the_guest_at_play(self, guest):
        before = games_of(guest)
        visitor = at_the_door(guest)
        visitor.sign_up("ann@example.org", "password")
        visitor.sign_up("ann@example.org")
        for _ in range(3):
            visitor.confirm("BBBB-BBBB")
        visitor.post("logout/", next="/accounts/login/")
        assert games_of(guest) == before
        state = guest.get(f"games/{next(each for each in before if before[each] == 'open')}").json()
        assert guest.play(state, state["legal"][0])["ply"] == 2
        assert not Game.objects.exclude(user=None).exists()

    def test_who_cannot_be_signed_in_is_not_given_the_games_either(self, guest, monkeypatch):
        make_user()
        before = games_of(guest)
        owners = list(Game.objects.order_by("pk").values_list("user", "guest"))
        visitor = at_the_door(guest)

        def fail(*_):
            assert not Game.objects.filter(user=None).exists(), "by now they are handed over"
            raise RuntimeError("no way in today")

        monkeypatch.setattr(DefaultAccountAdapter, "login", fail)
        with pytest.raises(RuntimeError, match="no way in today"):
            visitor.sign_in()

        assert not visitor.is_signed_in
        assert not UserSession.objects.exists()
        assert User.objects.get().last_login is None
        assert list(Game.objects.order_by("pk").values_list("user", "guest")) == owners
        assert games_of(guest) == before
        state = guest.get(f"games/{next(each for each in before if before[each] == 'open')}").json()
        assert guest.play(state, state["legal"][0])["ply"] == 2
        monkeypatch.undo()
        visitor.sign_in()
        assert games_of(guest).keys() == before.keys()
        assert not Game.objects.filter(user=None).exists()

    def test_giving_up_at_the_door_clears_nothing(self, guest):
        visitor = at_the_door(guest)
        visitor.sign_up("ann@example.org")
        left = visitor.post("logout/", next="/accounts/login/")
        assert "Clear-Site-Data" not in left

    def test_another_guests_games_stay_theirs(self, guest, new_api):
        other = new_api()
        other.play(other.start(), "96")
        at_the_door(guest).post("login/", login="nobody@example.org", password=PASSWORD)
        make_user()
        at_the_door(guest).sign_in()
        assert Game.objects.filter(user=None).count() == 1
        assert len(games_of(other)) == 1

    def test_the_session_gets_another_key(self, guest):
        make_user()
        before = guest.browser.cookies["sessionid"].value
        stale = guest.tab()
        at_the_door(guest).sign_in()
        assert guest.browser.cookies["sessionid"].value != before
        assert not Session.objects.filter(session_key=before).exists()
        assert games_of(stale) == {}

    def test_the_token_against_forged_forms_is_another_one(self, guest):
        make_user()
        before = guest.browser.cookies["csrftoken"].value
        at_the_door(guest).sign_in()
        assert guest.browser.cookies["csrftoken"].value != before


@pytest.mark.django_db
class TestSigningOut:
    @pytest.fixture
    def ann(self, guest):
        """A browser in which somebody signed in and played on."""
        make_user()
        at_the_door(guest).sign_in()
        begin(guest, "7")
        return guest

    def test_it_leaves_nothing_behind(self, ann):
        games = games_of(ann)
        assert len(games) == 3
        left = at_the_door(ann).post("logout/")

        assert left["Location"] == "/accounts/signed-out/"
        assert left["Clear-Site-Data"] == '"cache", "storage"'
        assert left.cookies["sessionid"]["max-age"] == 0
        assert not Session.objects.exists()
        assert games_of(ann) == {}
        for game in games:
            assert ann.browser.get(f"/game/{game}").status_code == 404
            assert ann.get(f"games/{game}").status_code == 404
        assert "Unfinished" not in ann.browser.get("/").content.decode()

    def test_the_next_one_sees_nothing_of_the_first(self, ann):
        games = games_of(ann)
        at_the_door(ann).post("logout/")
        make_user("bob@example.org")
        bob = at_the_door(ann)
        bob.sign_in("bob@example.org")
        assert bob.is_signed_in
        assert games_of(ann) == {}
        for game in games:
            assert ann.get(f"games/{game}").status_code == 404
        assert Game.objects.filter(user__email="ann@example.org").count() == 3

    def test_a_game_that_was_still_the_guests_is_not_lost(self, ann):
        # As if its start had read the session just before somebody signed in.
        Game.objects.filter(pk=next(iter(games_of(ann)))).update(
            user=None, guest=ann.browser.session["guest"]
        )
        at_the_door(ann).post("logout/")
        assert Game.objects.filter(user__email="ann@example.org").count() == 3

    def test_reading_the_page_about_it_signs_nobody_out_and_clears_nothing(self, ann):
        page = ann.browser.get("/accounts/signed-out/")
        assert "Clear-Site-Data" not in page
        assert "signed-out.js" not in page.content.decode()
        assert len(games_of(ann)) == 3

    def test_the_page_right_after_it_tells_the_others_once(self, ann):
        visitor = at_the_door(ann)
        visitor.post("logout/")
        assert "signed-out.js" in visitor.get("signed-out/").content.decode()
        assert "signed-out.js" not in visitor.get("signed-out/").content.decode()

    @pytest.mark.parametrize("path", ["logout/", "sessions/end/"])
    def test_the_token_against_forged_forms_is_another_one(self, ann, path):
        # By which the browser's other pages notice that somebody else may be there now.
        before = ann.browser.cookies["csrftoken"].value
        assert at_the_door(ann).post(path)["Location"] == "/accounts/signed-out/"
        assert ann.browser.cookies["csrftoken"].value != before

    def test_asking_for_the_page_signs_nobody_out(self, ann):
        assert at_the_door(ann).get("logout/").status_code == 200
        assert len(games_of(ann)) == 3


@pytest.mark.django_db(transaction=True)
class TestAtTheSameMoment:
    def test_a_move_counts_before_or_after(self, new_api):
        make_user()
        for _ in range(4):
            api = new_api()
            state = api.play(api.start(), "96")
            tab, visitor = api.tab(), at_the_door(api.tab())
            request_id = tab.request_id()
            move = state["legal"][0]

            at_once([partial(tab.moves, state, move, request_id=request_id), partial(visitor.sign_in)])
            assert visitor.is_signed_in
            # The page repeats what wasn't acknowledged, with the cookie that the browser has now.
            api.browser.cookies = visitor.browser.cookies
            api.browser.get("/")
            again = api.moves(state, move, request_id=request_id)

            assert again.status_code == 200, again.content
            game = Game.objects.get(pk=state["id"])
            assert game.line == "96" + move
            assert (game.user_id is not None, game.guest) == (True, None)

    def test_a_game_that_starts_meanwhile_is_one_game_of_the_account(self, new_api):
        user = make_user()
        for number in range(4):
            api = new_api()
            api.play(api.start(), "96")
            tab, visitor = api.tab(), at_the_door(api.tab())
            start = {
                "variant": "bakers-dozen",
                "kind": "casual",
                "deal": str(10 + number),
                "request_id": f"start-{number}-1234",
            }
            first, _ = at_once([partial(tab.post, "games", start), partial(visitor.sign_in)])
            # 503: the session changed its key meanwhile, and the page tries again.
            assert first.status_code in {201, 503}
            api.browser.cookies = visitor.browser.cookies
            api.browser.get("/")
            again = api.post("games", start)

            assert again.status_code in {200, 201}, again.content
            assert Game.objects.filter(deal_number=str(10 + number)).count() == 1
            state = again.json()
            api.play(state, state["legal"][0])
            assert Game.objects.get(pk=state["id"]).user_id == user.pk
