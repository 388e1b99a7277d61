"""The pages for staff: who gets in, what they see and what they can't, and what they may do."""

from __future__ import annotations

import pytest
from allauth.account.models import EmailAddress
from django.contrib import admin
from django.contrib.staticfiles import finders
from django.core.management import call_command
from django.test import Client, override_settings

from accounts import names
from accounts.models import Statistics, User
from bakers import games, kinds
from bakers.models import Game
from bakers.rules.variants import VARIANTS
from tests.conftest import ApiClient
from tests.database import rows

pytestmark = pytest.mark.django_db

PASSWORD = "correct horse battery"
USERS = "/admin/accounts/user/"
GAMES = "/admin/bakers/game/"


def browser(user):
    client = Client(enforce_csrf_checks=True)
    client.force_login(user)
    return client


@pytest.fixture
def ann(new_user):
    user = new_user()
    names.choose(user_id=user.pk, name="Ann", is_listed=True)
    user.refresh_from_db()
    return user


@pytest.fixture
def staff(db):
    """Somebody who may look."""
    return User.objects.create_user("staff@example.org", PASSWORD, is_staff=True)


@pytest.fixture
def root(db):
    """Somebody who may do everything."""
    return User.objects.create_superuser("root@example.org", PASSWORD)


def act(client, action, *users, **more):
    client.get(USERS)
    token = client.cookies["csrftoken"].value
    body = {"action": action, "_selected_action": [user.pk for user in users], "csrfmiddlewaretoken": token}
    return client.post(USERS, {**body, **more}, follow=True)


class TestTheDoor:
    def test_a_guest_signs_in_where_everybody_does_and_comes_back(self, staff):
        EmailAddress.objects.create(user=staff, email=staff.email, verified=True, primary=True)
        client = Client()
        response = client.get(USERS, follow=True)
        assert response.redirect_chain[-1][0].startswith("/accounts/login/?next=")
        assert "admin/login.html" not in [template.name for template in response.templates]
        response = client.post(
            response.redirect_chain[-1][0], {"login": "staff@example.org", "password": PASSWORD}
        )
        assert (response.status_code, response["Location"]) == (302, USERS)

    def test_the_admin_has_no_form_to_sign_in_or_to_change_a_password(self, staff):
        for client in (Client(), browser(staff)):
            for path in ("/admin/login/", "/admin/password_change/"):
                assert client.get(path).status_code == 302
        client = Client()
        client.post("/admin/login/", {"username": "staff@example.org", "password": PASSWORD})
        assert "_auth_user_id" not in client.session

    @pytest.mark.parametrize("path", ["/admin/", "/admin/login/", USERS, GAMES])
    def test_for_a_player_there_is_nothing(self, ann, path):
        response = browser(ann).get(path)
        assert response.status_code == 404
        assert "404.html" in [template.name for template in response.templates]

    def test_staff_who_are_kept_out_are_guests(self, staff):
        client = browser(staff)
        User.objects.filter(pk=staff.pk).update(is_active=False)
        assert client.get("/admin/").status_code == 302

    def test_signing_out_there_is_signing_out(self, staff):
        client = browser(staff)
        client.get("/admin/")
        client.post("/admin/logout/", {"csrfmiddlewaretoken": client.cookies["csrftoken"].value})
        assert "_auth_user_id" not in client.session

    def test_only_what_is_meant_to_be_seen_is_registered(self):
        assert {model.__name__ for model in admin.site._registry} == {
            "User",
            "Game",
            "Statistics",
            "Board",
            "Result",
        }


class TestLooking:
    def test_lists_of_users_show_no_address(self, staff, ann):
        page = browser(staff).get(USERS).content.decode()
        assert str(ann.public_id) in page
        assert "Ann" in page
        assert ann.email not in page
        Statistics.objects.create(user=ann, variant="bakers-dozen", kind="casual")
        api = ApiClient(ann)
        api.play(api.start(), "96")
        for path in ("/admin/accounts/statistics/", GAMES, "/admin/"):
            assert ann.email not in browser(staff).get(path).content.decode()

    def test_the_page_of_one_user_shows_the_address_and_no_password(self, staff, ann):
        User.objects.filter(pk=ann.pk).update(password="argon2$SECRET")
        page = browser(staff).get(f"{USERS}{ann.pk}/change/").content.decode()
        assert ann.email in page
        assert "SECRET" not in page

    @pytest.mark.parametrize(
        ("query", "found"),
        [
            ("player1@example.org", 1),
            ("PLAYER1@EXAMPLE.ORG", 1),
            ("player1", 0),
            ("Ann", 1),
            ("nobody", 0),
            ("%", 0),
        ],
    )
    def test_a_user_is_found_by_the_whole_address_or_the_name(self, staff, ann, query, found):
        page = browser(staff).get(USERS, {"q": query}).content.decode()
        assert page.count(str(ann.public_id)) == found

    def test_a_user_is_found_by_the_public_id(self, staff, ann):
        page = browser(staff).get(USERS, {"q": str(ann.public_id)}).content.decode()
        assert f"{USERS}{ann.pk}/change/" in page

    def test_of_a_running_game_neither_deal_nor_cards_are_shown(self, staff, ann):
        kind = kinds.Kind()
        kind.slug, kind.shows_deal = "ranked", False
        game, _position = games._build(
            variant=VARIANTS["bakers-dozen"], kind="ranked", deal_number=31_415_926_535
        )
        game.user = ann
        game.save()
        client = browser(staff)
        with kinds.registered(kind):
            shown = [
                client.get(path)
                for path in (GAMES, f"{GAMES}{game.pk}/change/", f"{GAMES}{game.pk}/history/")
            ]
        for response in shown:
            assert response.status_code == 200
            page = response.content.decode()
            for secret in (game.deal_number, game.deal_key, game.answer_key, game.layout, game.layout[:8]):
                assert secret not in page
        assert client.get(GAMES, {"q": game.deal_number}).content.decode().count(str(game.pk)) == 0

    def test_of_an_ended_game_they_are(self, staff, ann):
        api = ApiClient(ann)
        state = api.play(api.start(), "96")
        api.resign(state)
        page = browser(staff).get(f"{GAMES}{state['id']}/change/").content.decode()
        assert Game.objects.get().layout in page
        assert ">96<" in page

    @pytest.mark.parametrize(
        ("path", "query"),
        [
            (USERS, {"password__contains": "md5$"}),
            (USERS, {"password__startswith": "x"}),
            (USERS, {"email__startswith": "ann"}),
            (USERS, {"name_key__regex": "(((((a"}),
            (USERS, {"date_joined__year": "99999999"}),
            (USERS, {"is_staff__in": "0,1"}),
            (USERS, {"games__layout__startswith": "A"}),
            (GAMES, {"deal_number__startswith": "2"}),
            (GAMES, {"layout__contains": "KS"}),
            (GAMES, {"user__email__startswith": "ann"}),
            ("/admin/accounts/statistics/", {"user__password__contains": "md5"}),
        ],
    )
    def test_no_question_is_answered_that_the_pages_dont_offer(self, root, path, query):
        assert browser(root).get(path, query).status_code == 400

    @pytest.mark.parametrize("query", [{"status__exact": "won"}, {"kind": "ranked"}, {"helped__exact": "1"}])
    def test_those_that_they_offer_are(self, staff, query):
        assert browser(staff).get(GAMES, query).status_code == 200

    @pytest.mark.parametrize("path", [USERS, GAMES, "/admin/accounts/statistics/"])
    def test_nothing_can_be_added_changed_or_deleted_even_by_root(self, root, ann, path):
        Statistics.objects.create(user=ann, variant="bakers-dozen", kind="casual")
        api = ApiClient(ann)
        api.play(api.start(), "96")
        model = {USERS: User, GAMES: Game}.get(path, Statistics)
        row = model._default_manager.latest("pk") if model is not User else ann
        client = browser(root)
        client.get(path)
        body = {"csrfmiddlewaretoken": client.cookies["csrftoken"].value}
        before = rows()
        assert client.post(f"{path}{row.pk}/change/", {**body, "is_staff": "on", "won": 5}).status_code == 403
        for page in ("add/", f"{row.pk}/delete/", f"{row.pk}/"):
            assert client.get(path + page).status_code == 404
        client.post(path, {**body, "action": "delete_selected", "_selected_action": [row.pk], "post": "yes"})
        after = rows()
        assert {**after, "sessions.Session": None} == {**before, "sessions.Session": None}

    def test_pages_have_nothing_that_the_policy_would_stop(self, staff, ann):
        client = browser(staff)
        for path in ("/admin/", USERS, f"{USERS}{ann.pk}/change/", GAMES):
            page = client.get(path).content.decode()
            assert "<script>" not in page
            assert " style=" not in page
            assert " onclick=" not in page


class TestActing:
    def test_those_who_may_only_look_are_offered_nothing(self, staff, ann):
        client = browser(staff)
        page = client.get(USERS).content.decode()
        assert "Keep out" not in page
        for action in ("deactivate", "reactivate", "erase"):
            act(client, action, ann, sure="yes")
        ann.refresh_from_db()
        assert ann.is_active

    def test_a_player_is_kept_out_and_let_in_again(self, root, ann):
        player = ApiClient(ann)
        client = browser(root)
        assert "1 players are kept out now." in act(client, "deactivate", ann).content.decode()
        assert player.get("me").status_code == 403
        assert "1 players are let in again." in act(client, "reactivate", ann).content.decode()
        assert ApiClient(ann).get("me").status_code == 200

    def test_an_account_is_deleted_once_that_is_confirmed(self, root, ann):
        api = ApiClient(ann)
        api.play(api.start(), "96")
        client = browser(root)
        page = act(client, "erase", ann).content.decode()
        assert "Nobody can bring them back" in page
        assert str(ann.public_id) in page
        assert User.objects.filter(pk=ann.pk).exists()
        assert "1 accounts are deleted." in act(client, "erase", ann, sure="yes").content.decode()
        assert not User.objects.filter(pk=ann.pk).exists()
        assert not Game.objects.exists()

    def test_nobody_does_it_to_themselves(self, root):
        client = browser(root)
        for action in ("deactivate", "erase"):
            act(client, action, root, sure="yes")
        root.refresh_from_db()
        assert root.is_active

    def test_without_the_token_nothing_is_done(self, root, ann):
        client = browser(root)
        response = client.post(USERS, {"action": "erase", "_selected_action": ann.pk, "sure": "yes"})
        assert response.status_code == 403
        assert User.objects.filter(pk=ann.pk).exists()


def test_its_files_are_collected_and_no_others(tmp_path):
    assert finders.find("admin/css/base.css")
    assert not finders.find("rest_framework/css/default.css")
    with override_settings(STATIC_ROOT=str(tmp_path)):
        call_command("collectstatic", interactive=False, verbosity=0)
    assert list((tmp_path / "admin/css").glob("base.*.css"))
    assert not (tmp_path / "rest_framework").exists()
