"""The settings of an account: `/api/me/settings`, and what pages bring along of them."""

from __future__ import annotations

import functools
import json
from html.parser import HTMLParser

import pytest
from django.db import OperationalError, connection
from django.test.utils import CaptureQueriesContext

from accounts import preferences
from accounts.models import Preferences, User
from bakers.problems import SignInRequired
from tests.conftest import DATA, ApiClient
from tests.database import held_lock, rows
from tests.parallel import at_once

DEFAULTS = {setting.name: setting.default for setting in preferences.SETTINGS}

#: What no setting may be.
OTHERS: list[object] = [None, 1, 0, "", "x", [], {}, ["two"]]


@pytest.fixture
def user(new_user):
    return new_user()


@pytest.fixture
def mine(user):
    """The browser of somebody who has signed in."""
    return ApiClient(user)


def settings(api):
    response = api.get("me/settings")
    assert response.status_code == 200
    return response.json()


class TestWhichThereAre:
    def test_are_those_that_the_browser_knows(self):
        written = json.loads((DATA / "settings.json").read_text())
        known = {
            setting.name: {"default": setting.default}
            | ({"choices": list(setting.choices)} if setting.choices else {})
            for setting in preferences.SETTINGS
        }

        assert known == written

    def test_have_values_that_they_allow(self):
        for setting in preferences.SETTINGS:
            assert setting.allows(setting.default)
            assert not any(setting.allows(other) for other in OTHERS)

    def test_have_one_control_each_in_the_panel(self, client, db):
        class Controls(HTMLParser):
            found: dict[str, list[str]] = {}
            at = ""

            def handle_starttag(self, tag, attrs):
                given = dict(attrs)
                if "data-setting" in given:
                    assert given["data-setting"] not in self.found
                    self.at = given["data-setting"]
                    ends = [given[name] for name in ("data-off", "data-on") if name in given]
                    self.found[self.at] = ends
                elif tag == "option" and self.at:
                    self.found[self.at].append(given["value"])

            def handle_endtag(self, tag):
                if tag == "select":
                    self.at = ""

        panel = Controls()
        panel.feed(client.get("/").content.decode())

        assert panel.found == {setting.name: list(setting.choices) for setting in preferences.SETTINGS}


class TestReading:
    def test_an_account_without_any_has_the_defaults(self, mine):
        before = rows()

        known = settings(mine)

        assert known["settings"] == DEFAULTS
        assert known["chosen"] is False
        assert rows() == before

    def test_what_an_older_release_has_stored_is_passed_over(self, mine, user):
        Preferences.objects.create(
            user=user, values={"theme": "sepia", "gone": True, "clock": "no", "lamp": True, "tap": ["column"]}
        )

        known = settings(mine)

        assert known["settings"] == {**DEFAULTS, "lamp": True}
        assert known["chosen"] is True

    def test_nothing_valid_stored_is_nothing_chosen(self, mine, user):
        Preferences.objects.create(user=user, values={"gone": True})

        assert settings(mine)["chosen"] is False

    @pytest.mark.parametrize("method", ["get", "patch"])
    def test_a_guest_is_asked_to_sign_in(self, api, method):
        before = rows()
        response = api.get("me/settings") if method == "get" else api.patch("me/settings", {"ask": True})

        assert response.status_code == 403
        assert response.json()["error"]["code"] == "sign_in_required"
        assert rows() == before

    def test_somebody_who_may_no_longer_sign_in_is_a_guest(self, mine, user):
        User.objects.filter(pk=user.pk).update(is_active=False)

        assert mine.get("me/settings").status_code == 403


class TestChanging:
    def test_changes_what_is_named_and_keeps_the_rest(self, mine):
        first = mine.patch("me/settings", {"theme": "dark", "ask": True}).json()
        second = mine.patch("me/settings", {"ask": False, "speed": "off"}).json()

        assert first["settings"] == {**DEFAULTS, "theme": "dark", "ask": True}
        assert second["settings"] == {**DEFAULTS, "theme": "dark", "ask": False, "speed": "off"}
        assert first["chosen"] is True
        assert settings(mine)["settings"] == second["settings"]

    def test_a_default_that_was_chosen_is_chosen(self, mine):
        mine.patch("me/settings", {"clock": True})

        assert settings(mine)["chosen"] is True

    def test_is_nobody_elses(self, mine, new_user):
        mine.patch("me/settings", {"theme": "dark"})

        assert settings(ApiClient(new_user()))["settings"] == DEFAULTS

    @pytest.mark.parametrize(
        "body",
        [{}, {"theme": "sepia"}, {"theme": None}, {"theme": True}, {"tap": "Column"}, {"clock": "true"}, {"clock": 1},
         {"sound": True}, {"ask": True, "sound": True}, {"suits": 4}, {"values": {}}, []],
    )  # fmt: skip
    def test_refuses_what_is_no_setting_or_no_value_of_it(self, mine, body):
        mine.patch("me/settings", {"ask": True})
        before = rows()

        response = mine.patch("me/settings", body)

        assert response.status_code == 400
        assert response.json()["error"]["code"] == "invalid"
        assert rows() == before

    @pytest.mark.parametrize("changes", [{"sound": True}, {"theme": "sepia"}, {"clock": 1}])
    def test_refuses_it_from_inside_too(self, user, changes):
        with pytest.raises(ValueError, match="can't be"):
            preferences.change(user_id=user.pk, changes=changes)

    def test_of_an_account_that_has_gone_asks_to_sign_in(self, user):
        User.objects.all().delete()

        with pytest.raises(SignInRequired):
            preferences.change(user_id=user.pk, changes={"ask": True})

    def test_says_from_when_it_is(self, mine, frozen_clock):
        first = mine.patch("me/settings", {"ask": True}).json()
        frozen_clock.advance(seconds=2.5)

        assert first["as_of"] == "2026-03-01T12:00:00.000+00:00"
        assert settings(mine)["as_of"] == "2026-03-01T12:00:02.500+00:00"


@pytest.mark.django_db(transaction=True)
class TestAtOnce:
    def test_changes_of_different_settings_lose_nothing(self, django_user_model):
        user = django_user_model.objects.create_user("player@example.org")
        changes = [
            {setting.name: setting.choices[-1] if setting.choices else not setting.default}
            for setting in preferences.SETTINGS
        ]
        browsers = [ApiClient(user) for _ in changes]
        for browser in browsers:
            assert browser.token

        answers = at_once(
            [
                functools.partial(browser.patch, "me/settings", change)
                for browser, change in zip(browsers, changes, strict=True)
            ]
        )

        assert [answer.status_code for answer in answers] == [200] * len(changes)
        merged = {name: value for change in changes for name, value in change.items()}
        assert settings(browsers[0])["settings"] == merged

    def test_a_row_that_stays_locked_is_told_as_busy(self, django_user_model):
        user = django_user_model.objects.create_user("player@example.org")
        browser = ApiClient(user)
        assert browser.token
        before = rows()

        with held_lock(User.objects.filter(pk=user.pk)):
            response = browser.patch("me/settings", {"ask": True})

        assert response.status_code == 503
        assert response.json()["error"]["code"] == "busy"
        assert rows() == before


class TestPages:
    @staticmethod
    def brought(client, path):
        class Root(HTMLParser):
            settings = None

            def handle_starttag(self, tag, attrs):
                if tag == "html":
                    self.settings = dict(attrs).get("data-settings")

        page = Root()
        page.feed(client.get(path).content.decode())
        return None if page.settings is None else json.loads(page.settings)

    @pytest.mark.parametrize("path", ["/", "/rules/bakers-dozen", "/questions", "/nowhere"])
    def test_bring_along_the_settings_of_their_visitors_account(self, mine, user, path):
        mine.patch("me/settings", {"theme": "dark"})

        brought = self.brought(mine.browser, path)

        assert brought["account"] == str(user.public_id)
        assert brought["settings"] == {**DEFAULTS, "theme": "dark"}
        assert brought["chosen"] is True

    @pytest.mark.parametrize("path", ["/", "/rules/bakers-dozen", "/questions", "/nowhere"])
    def test_bring_a_guest_none(self, client, db, path):
        assert self.brought(client, path) is None

    def test_ask_for_them_once(self, mine):
        with CaptureQueriesContext(connection) as captured:
            mine.browser.get("/rules/bakers-dozen")

        asked = [
            query["sql"] for query in captured.captured_queries if "accounts_preferences" in query["sql"]
        ]
        assert len(asked) == 1

    def test_that_tell_of_a_database_which_does_not_answer_do_without(self, mine, monkeypatch):
        def refuse(*, user_id):
            raise OperationalError("the server closed the connection")

        monkeypatch.setattr(preferences, "find", refuse)

        assert self.brought(mine.browser, "/rules/bakers-dozen") is None
