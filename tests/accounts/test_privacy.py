"""What is kept about a player: all of it in one file, none of it after the account is deleted, and never an address."""

from __future__ import annotations

import contextlib
import functools
import io
import json
import logging
import re
import threading
import tracemalloc
import uuid

import pytest
from allauth.account.models import EmailAddress
from allauth.mfa.models import Authenticator
from allauth.usersessions.models import UserSession
from django.apps import apps
from django.contrib.admin.models import CHANGE, LogEntry
from django.contrib.auth.models import Group, Permission
from django.contrib.contenttypes.models import ContentType
from django.contrib.sessions.backends.db import SessionStore
from django.contrib.sessions.models import Session
from django.core import mail
from django.core.management import call_command
from django.db import IntegrityError, connections
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.utils import timezone

from accounts import mailbox, names, privacy
from accounts.models import Preferences, Statistics, User
from bakers import answers, games, kinds, limits
from bakers.models import Game, Search
from bakers.players import Player
from bakers.rules.variants import VARIANTS
from config import log
from tests.conftest import ApiClient
from tests.daily import days
from tests.database import counts, rows
from tests.parallel import at_once

PASSWORD = "correct horse battery"
ADDRESS = "203.0.113.77"

#: Every relation to a user: the part of the export that tells of it, and what becomes of it. "deleted with the user"
#: is the database's doing, by a cascade; "erased" is that of a step of its own.
DECISIONS = {
    "accounts.Preferences.user": ("settings", "deleted with the user"),
    "accounts.Statistics.user": ("statistics", "deleted with the user"),
    "bakers.Game.user": ("games", "erased"),
    "daily.Result.user": ("daily_results", "deleted with the user"),
    "account.EmailAddress.user": ("email_addresses", "deleted with the user"),
    "mfa.Authenticator.user": ("authenticators", "deleted with the user"),
    "usersessions.UserSession.user": ("sign_ins", "erased"),
    # What staff did to others is about those others.
    "admin.LogEntry.user": (None, "deleted with the user"),
    # Said by "staff".
    "accounts.User.groups": ("account", "deleted with the user"),
    "accounts.User.user_permissions": ("account", "deleted with the user"),
}


def relations():
    """Every field of every model that points to users, as a key of `DECISIONS`."""
    for model in apps.get_models():
        for field in [*model._meta.fields, *model._meta.many_to_many]:
            if field.related_model is User or (model is User and field.many_to_many):
                yield f"{model._meta.label}.{field.name}"


def related(user, relation):
    label, _, name = relation.rpartition(".")
    model = apps.get_model(label)
    if model is User:
        through = getattr(User, name).through
        return through._default_manager.filter(user_id=user.pk)
    return model._default_manager.filter(**{f"{name}_id": user.pk})


def make_player(address="ann@example.org", name="Ann", **fields):
    """Make somebody with at least one row of everything that points to a user."""
    user = User.objects.create_user(address, PASSWORD, **fields)
    names.choose(user_id=user.pk, name=name, is_listed=True)
    user.refresh_from_db()
    EmailAddress.objects.create(user=user, email=address, verified=True, primary=True)
    Authenticator.objects.create(user=user, type="totp", data={"secret": "TOTPSECRET"})
    Authenticator.objects.create(user=user, type="recovery_codes", data={"seed": "SEEDSECRET"})
    Authenticator.objects.create(
        user=user,
        type="webauthn",
        data={"name": "My phone", "credential": {"id": "KEYSECRET"}, "passwordless": True},
    )
    Preferences.objects.create(user=user, values={"four_colours": True})
    Statistics.objects.create(
        user=user, variant="bakers-dozen", kind="ranked", played=3, won=2, best_streak=1
    )
    user.groups.add(Group.objects.get_or_create(name="helpers")[0])
    user.user_permissions.add(Permission.objects.get(codename="view_user"))
    LogEntry.objects.create(
        user=user, content_type=ContentType.objects.get_for_model(User), object_id="1", action_flag=CHANGE
    )
    return user


def sign_in(user):
    """Return a browser in which a user has signed in on the page, without the second factor."""
    api = ApiClient()
    Authenticator.objects.filter(user=user).delete()
    response = api.browser.post(
        "/accounts/login/", {"login": user.email, "password": PASSWORD, "csrfmiddlewaretoken": api.token}
    )
    assert response.status_code == 302, response.content
    assert api.get("me").status_code == 200
    return api


def reauthenticate(api):
    response = api.browser.post(
        "/accounts/reauthenticate/?next=/accounts/delete/",
        {"password": PASSWORD, "csrfmiddlewaretoken": api.token},
    )
    assert (response.status_code, response["Location"]) == (302, "/accounts/delete/")


def delete(api):
    return api.browser.post("/accounts/delete/", {"csrfmiddlewaretoken": api.token})


@pytest.fixture
def ann(db):
    return make_player()


class TestMe:
    def test_a_guest_is_asked_to_sign_in(self, api):
        for path in ("me", "me/export"):
            response = api.get(path)
            assert (response.status_code, response.json()["error"]["code"]) == (403, "sign_in_required")

    def test_it_says_who_one_is(self, ann):
        assert ApiClient(ann).get("me").json() == {
            "id": str(ann.public_id), "display_name": "Ann", "listed": True, "email": "ann@example.org",
            "verified": True,
        }  # fmt: skip

    def test_without_a_name_or_a_verified_address_it_says_so(self, new_user):
        me = ApiClient(new_user()).get("me").json()
        assert (me["display_name"], me["listed"], me["verified"]) == (None, False, False)


class HidesDeals(kinds.Kind):
    """A kind as ranked games are: nobody is told the number of a deal that is played."""

    slug = "hiding"
    shows_deal = False


class TestExport:
    @pytest.fixture
    def exported(self, ann):
        def read():
            with privacy.export(ann) as file:
                return json.loads(file.read())["everything"]

        return read

    def test_every_relation_is_told_of_or_left_out_on_purpose(self, exported):
        assert set(DECISIONS) == set(relations())
        parts = {part for part, _ in DECISIONS.values() if part}
        assert parts <= set(exported())

    def test_it_comes_as_a_file_to_keep(self, ann):
        response = ApiClient(ann).get("me/export")
        assert response.status_code == 200
        assert response["Content-Disposition"] == 'attachment; filename="bakers-dozen.json"'
        assert response["Content-Type"] == "application/json"

    def test_it_has_everything(self, ann, winning_lines):
        api = ApiClient(ann)
        won = api.play(api.start(), *winning_lines["bakers-dozen"])
        lost = api.start("good-measure")
        api.resign(lost)
        other = ApiClient(make_player("bob@example.org", "Bob"))
        other.play(other.start(), "96")

        content = b"".join(api.get("me/export").streaming_content)

        data = json.loads(content)["everything"]
        assert data["account"]["email"] == "ann@example.org"
        assert data["account"]["display_name"] == "Ann"
        assert data["email_addresses"] == [{"email": "ann@example.org", "verified": True, "primary": True}]
        assert data["settings"] == {"four_colours": True}
        assert ("bakers-dozen", "ranked", 3, 2) in {
            (row["variant"], row["kind"], row["played"], row["won"]) for row in data["statistics"]
        }
        assert [(row["type"], row["name"]) for row in data["authenticators"]] == [
            ("totp", None), ("recovery_codes", None), ("webauthn", "My phone"),
        ]  # fmt: skip
        first, second = data["games"]
        assert (first["id"], first["status"], first["deal"]) == (won["id"], "won", "2")
        assert first["line"] == winning_lines["bakers-dozen"]
        assert first["dealt"] == won["dealt"]
        assert (second["id"], second["status"]) == (lost["id"], "lost")
        assert b"bob@example.org" not in content
        assert b"SECRET" not in content

    def test_sign_ins_are_told_without_what_opens_them(self, ann):
        api = sign_in(ann)
        content = b"".join(api.get("me/export").streaming_content)
        assert len(json.loads(content)["everything"]["sign_ins"]) == 1
        assert api.browser.cookies["sessionid"].value.encode() not in content

    def test_of_a_running_game_it_has_what_the_player_may_know(self, ann, exported):
        covered = ApiClient(ann).start("original-1883", deal="33")
        with kinds.registered(HidesDeals()):
            hidden, _position = games._build(variant=VARIANTS["bakers-dozen"], kind="hiding", deal_number=477)
            hidden.user = ann
            hidden.save()
            told = {game["id"]: game for game in exported()["games"]}
            hidden.status, hidden.finished_at = "lost", timezone.now()
            hidden.save()
            ended = {game["id"]: game for game in exported()["games"]}
        assert told[covered["id"]]["dealt"] == covered["dealt"]
        assert "##" in json.dumps(told[covered["id"]]["dealt"])
        assert told[str(hidden.pk)]["deal"] is None
        assert ended[str(hidden.pk)]["deal"] == "477"

    def test_a_part_that_an_app_registers_is_in_it(self, exported, monkeypatch):
        monkeypatch.setattr(privacy, "_exports", dict(privacy._exports))
        privacy.register_export("boards", lambda user: iter([{"of": str(user)}, {"of": "x"}]))
        assert exported()["boards"][1] == {"of": "x"}

    def test_five_thousand_games_take_few_queries_and_little_memory(self, ann):
        pattern, _position = games._build(variant=VARIANTS["bakers-dozen"], kind="casual", deal_number=2)
        fields = {
            field.attname: getattr(pattern, field.attname)
            for field in Game._meta.concrete_fields if field.name not in {"id", "started_at"}
        } | {"user_id": ann.pk, "line": "96" * 150, "status": "lost", "finished_at": timezone.now()}  # fmt: skip
        Game.objects.bulk_create([Game(**fields) for _ in range(5_000)], batch_size=500)

        with CaptureQueriesContext(connections["default"]) as queries:
            tracemalloc.start()
            with privacy.export(ann) as file:
                _now, peak = tracemalloc.get_traced_memory()
                tracemalloc.stop()
                data = json.loads(file.read())["everything"]

        assert len(data["games"]) == 5_000
        assert len(queries) < 15
        assert peak < 12 << 20

    def test_asking_on_and_on_is_refused(self, ann, frozen_clock):
        api = ApiClient(ann)
        answers = [api.get("me/export").status_code for _ in range(21)]
        assert answers == [200] * 20 + [429]


@pytest.mark.django_db(transaction=True)
def test_all_of_an_export_is_of_one_moment_and_keeps_nobody_from_playing(monkeypatch):
    ann = make_player()
    api = ApiClient(ann)
    state = api.play(api.start(), "96")
    answers_meanwhile = []

    def play_meanwhile(_user):
        def move():
            answers_meanwhile.append(api.moves(state, "3d").status_code)
            connections.close_all()

        thread = threading.Thread(target=move)
        thread.start()
        thread.join(60)

    def lines(user):
        return list(Game.objects.filter(user=user).values_list("line", flat=True))

    parts = {"before": lines, "meanwhile": play_meanwhile, "after": lines}
    monkeypatch.setattr(privacy, "_exports", parts)

    with privacy.export(ann) as file:
        data = json.loads(file.read())["everything"]

    assert answers_meanwhile == [200]
    assert data == {"before": ["96"], "meanwhile": None, "after": ["96"]}
    assert lines(ann) == ["963d"]


class TestErasure:
    def test_every_relation_has_a_decision_and_nothing_is_left_of_any(self, ann):
        api = sign_in(ann)
        Authenticator.objects.create(user=ann, type="totp", data={})
        api.play(api.start(), "96")
        days.result(ann, 1)
        for relation in relations():
            assert relation in DECISIONS, f"{relation}: decide what export and erasure do with it"
            assert related(ann, relation).exists(), f"{relation}: the test has no row of it"

        assert privacy.erase(user_id=ann.pk) is True

        for relation in relations():
            assert not related(ann, relation).exists(), relation
        left = repr(rows())
        for trace in ("ann@example.org", str(ann.public_id), ann.public_id.hex, "'Ann'"):
            assert trace not in left

    def test_what_others_have_stays_as_it_is(self, db):
        other = sign_in(make_player("bob@example.org", "Bob"))
        game = other.play(other.start(), "96")
        guest = ApiClient()
        guest.play(guest.start(), "96")
        before = rows()
        ann = make_player()
        mine = sign_in(ann)
        mine.play(mine.start(), "96")
        assert rows() != before

        privacy.erase(user_id=ann.pk)

        # How often somebody at this address signed in is counted all the same.
        after = {**rows(), "bakers.Limit": before["bakers.Limit"]}
        assert after == before
        assert other.state(game)["line"] == ["96"]

    def test_every_browser_is_signed_out(self, ann):
        here, there = sign_in(ann), sign_in(ann)
        reauthenticate(here)

        assert delete(here).status_code == 302

        assert not Session.objects.exists()
        for api in (here, there):
            assert api.get("me").status_code == 403
            assert api.get("games").json() == {"games": []}
            assert api.browser.get("/accounts/")["Location"] == "/accounts/login/?next=/accounts/"
        assert here.browser.cookies["sessionid"].value == ""

    def test_a_game_is_gone_for_everybody(self, ann):
        api = ApiClient(ann)
        state = api.play(api.start(), "96")
        privacy.erase(user_id=ann.pk)
        for other in (api, ApiClient()):
            assert other.get(f"games/{state['id']}").status_code == 404
            assert other.moves(state, "3d").status_code == 404
            assert other.browser.get(f"/game/{state['id']}").status_code == 404

    def test_what_is_left_of_the_guest_of_this_browser_goes_too(self, ann):
        guest = uuid.uuid4()
        for owner in ({"guest": guest}, {"guest": uuid.uuid4()}):
            game, _position = games._build(variant=VARIANTS["bakers-dozen"], kind="casual", deal_number=2)
            Game.objects.filter(pk=game.pk).delete()
            for name, value in owner.items():
                setattr(game, name, value)
            game.save()
        privacy.erase(user_id=ann.pk, guest=guest)
        assert Game.objects.filter(guest=guest).count() == 0
        assert Game.objects.count() == 1

    def test_searches_that_the_user_ordered_are_taken_back(self, ann):
        mine, shared = (
            games.new_deal(variant=VARIANTS["bakers-dozen"], number=number) for number in (33, 34)
        )
        answers.order_search(mine.position, Search.Purpose.VERDICT, who=limits.user_caller(ann.pk))
        answers.order_search(shared.position, Search.Purpose.VERDICT, who="203.0.113.9")
        privacy.erase(user_id=ann.pk)
        assert [row.key for row in Search.objects.all()] == [answers.canonical(shared.position).key]

    def test_a_step_that_an_app_registers_is_taken_in_the_same_transaction(self, ann, monkeypatch):
        monkeypatch.setattr(privacy, "_erasures", [])
        seen: list[User] = []
        privacy.register_erasure(seen.append)
        privacy.register_erasure(seen.append)
        privacy.erase(user_id=ann.pk)
        assert [user.email for user in seen] == ["ann@example.org"]

        bob = make_player("bob@example.org", "Bob")

        def fail(_user):
            raise RuntimeError

        privacy.register_erasure(fail)
        before = rows()
        with pytest.raises(RuntimeError):
            privacy.erase(user_id=bob.pk)
        assert rows() == before

    def test_mails_that_were_kept_and_not_sent_go_as_well(self, ann, settings, tmp_path):
        settings.EMAIL_BACKEND = "django.core.mail.backends.filebased.EmailBackend"
        settings.EMAIL_FILE_PATH = str(tmp_path)
        for to in ("ann@example.org", "bob@example.org"):
            mail.send_mail("For one", "Text", None, [to])
        mail.send_mass_mail(
            [("For each", "Text", None, [to]) for to in ("bob@example.org", "ann@example.org")]
        )
        # Those to an address that she had before, and somebody else's of whom the same is told.
        mail.send_mail("Your code", "Text", None, ["old@example.org"])
        mail.send_mail("Changed", "Now ann@example.org, not old@example.org.", None, ["old@example.org"])
        mail.send_mail("For one", "Text", None, ["joann@example.org"])
        mail.send_mail("Changed", "Now rob@example.org, not bob@example.org.", None, ["bob@example.org"])
        # Files of one tick have one time, and Django may take up one of the same second again: their order
        # says nothing, but that they keep their times does.
        written = {path: path.stat().st_mtime_ns for path in tmp_path.iterdir()}
        privacy.erase(user_id=ann.pk)
        assert sorted((each.recipient, each.subject) for each in mailbox.mails(tmp_path)) == [
            ("bob@example.org", "Changed"),
            ("bob@example.org", "For each"),
            ("bob@example.org", "For one"),
            ("joann@example.org", "For one"),
        ]
        assert all(path.stat().st_mtime_ns == written[path] for path in tmp_path.iterdir())

    def test_doing_it_again_does_no_harm(self, ann):
        make_player("bob@example.org", "Bob")
        assert privacy.erase(user_id=ann.pk) is True
        before = rows()
        assert privacy.erase(user_id=ann.pk) is False
        assert rows() == before

    def test_what_is_stored_meanwhile_is_erased_in_another_round(self, ann, monkeypatch):
        rounds = []

        def stored_meanwhile(_user):
            rounds.append(1)
            if len(rounds) < privacy.ATTEMPTS:
                raise IntegrityError

        monkeypatch.setattr(privacy, "_erasures", [stored_meanwhile])
        assert privacy.erase(user_id=ann.pk) is True
        assert len(rounds) == privacy.ATTEMPTS
        assert not User.objects.exists()

    def test_a_fault_that_stays_is_not_hidden(self, ann, monkeypatch):
        def stays(_user):
            raise IntegrityError

        monkeypatch.setattr(privacy, "_erasures", [stays])
        with pytest.raises(IntegrityError):
            privacy.erase(user_id=ann.pk)
        assert User.objects.get() == ann

    def test_the_name_and_the_address_are_free_again(self, ann):
        privacy.erase(user_id=ann.pk)
        make_player()


class TestThePageThatDeletes:
    def test_wants_a_proof_of_who_one_is(self, ann):
        api = sign_in(ann)
        for response in (api.browser.get("/accounts/delete/"), delete(api)):
            assert response.status_code == 302
            assert response["Location"].startswith("/accounts/reauthenticate/")
        assert User.objects.filter(pk=ann.pk).exists()

    def test_says_what_goes(self, ann):
        api = sign_in(ann)
        reauthenticate(api)
        page = api.browser.get("/accounts/delete/").content.decode()
        for word in ("games", "results", "display name", "e-mail address", "settings", "signed out"):
            assert word in page

    def test_deletes_and_leaves_nothing_in_the_browser(self, ann):
        api = sign_in(ann)
        reauthenticate(api)
        token = api.token
        response = delete(api)
        assert (response.status_code, response["Location"]) == (302, "/accounts/deleted/")
        assert response["Clear-Site-Data"] == '"cache", "storage"'
        assert not User.objects.exists()
        assert response.cookies["known"]["max-age"] == 0
        assert api.token != token
        # The other tabs are told once.
        pages = [api.browser.get("/accounts/deleted/").content.decode() for _ in range(2)]
        assert all("Nothing of it is left" in page for page in pages)
        assert ["js/signed-out" in page for page in pages] == [True, False]
        assert counts().keys() <= {"bakers.Limit", "auth.Group"}

    def test_a_game_that_was_started_in_the_moment_of_signing_in_goes_as_well(self, ann):
        api = ApiClient()
        api.start()
        guest = Game.objects.get(user=None).guest
        api = sign_in(ann)
        session = api.browser.session
        session["guest"] = str(guest)
        session.save()
        reauthenticate(api)
        delete(api)
        assert not Game.objects.exists()

    def test_twice_does_no_harm(self, ann):
        api = sign_in(ann)
        reauthenticate(api)
        twice = [delete(tab).status_code for tab in (api.tab(), api.tab())]
        assert twice == [302, 302]

    def test_wants_the_token(self, ann):
        api = sign_in(ann)
        reauthenticate(api)
        assert api.browser.post("/accounts/delete/").status_code == 403
        assert User.objects.filter(pk=ann.pk).exists()


@pytest.mark.django_db(transaction=True)
class TestAtTheSameMoment:
    @pytest.mark.parametrize("round_", range(4))
    def test_a_move_comes_before_or_finds_no_game(self, round_):
        ann = make_player()
        api = ApiClient(ann)
        states = [api.play(api.start(), "96") for _ in range(3)]
        tabs = [api.tab() for _ in states]
        assert api.token

        moves = [functools.partial(tab.moves, state, "3d") for tab, state in zip(tabs, states, strict=True)]
        *answered, erased = at_once([*moves, functools.partial(privacy.erase, user_id=ann.pk)])

        assert erased is True
        assert {response.status_code for response in answered} <= {200, 404, 403}
        assert not Game.objects.exists()
        assert not User.objects.exists()

    def test_a_winning_move_comes_before_or_finds_no_game(self, winning_lines):
        line = winning_lines["bakers-dozen"]
        for _ in range(3):
            ann = make_player()
            api = ApiClient(ann)
            state = api.play(api.start(), *line[:-1])

            played, erased = at_once(
                [
                    functools.partial(api.moves, state, line[-1]),
                    functools.partial(privacy.erase, user_id=ann.pk),
                ]
            )

            assert erased is True
            assert played.status_code in {200, 404}
            assert not Game.objects.exists()
            assert not Statistics.objects.exists()

    def test_a_game_that_is_started_belongs_to_nobody_who_is_gone(self):
        ann = make_player()
        api = ApiClient(ann)
        tabs = [api.tab() for _ in range(4)]
        body = {"variant": "bakers-dozen", "kind": "casual", "deal": "2"}
        assert all(tab.token for tab in tabs)

        *started, erased = at_once(
            [
                *(functools.partial(tab.post, "games", body) for tab in tabs),
                functools.partial(privacy.erase, user_id=ann.pk),
            ]
        )

        assert erased is True
        # 201 is one that was erased with the rest, or begun by the guest who the browser is now.
        assert {response.status_code for response in started} <= {201, 403}
        assert not Game.objects.filter(user__isnull=False).exists()

    def test_a_start_whose_user_goes_in_the_middle_is_refused(self, monkeypatch):
        ann = make_player()
        api = ApiClient(ann)

        def erase_meanwhile(**_start):
            assert at_once([functools.partial(privacy.erase, user_id=ann.pk)]) == [True]

        monkeypatch.setattr(kinds.get("casual"), "may_start", erase_meanwhile, raising=False)

        response = api.post("games", {"variant": "bakers-dozen", "kind": "casual", "deal": "2"})

        assert (response.status_code, response.json()["error"]["code"]) == (403, "sign_in_required")
        assert not Game.objects.exists()

    def test_two_erasures_are_one(self):
        ann = make_player()
        done = at_once([functools.partial(privacy.erase, user_id=ann.pk)] * 4)
        assert sorted(done) == [False, False, False, True]


class TestKeepingOut:
    def test_ends_every_session_and_keeps_the_games(self, ann):
        api = sign_in(ann)
        state = api.play(api.start(), "96")
        assert privacy.deactivate(user_id=ann.pk) is True
        assert privacy.deactivate(user_id=ann.pk) is False
        assert api.get("me").status_code == 403
        assert not UserSession.objects.exists()
        assert Game.objects.get().pk == uuid.UUID(state["id"])

        assert privacy.reactivate(user_id=ann.pk) is True
        assert privacy.reactivate(user_id=ann.pk) is False
        assert sign_in(ann).state(state)["line"] == ["96"]


class TestAddresses:
    """Where somebody's computer is, stands nowhere."""

    @staticmethod
    @contextlib.contextmanager
    def logged():
        written = io.StringIO()
        handler = logging.StreamHandler(written)
        structured = log.logging_config(json=True, level="DEBUG")["formatters"]["structured"]
        handler.setFormatter(structured["()"](**{key: structured[key] for key in structured if key != "()"}))
        root = logging.getLogger()
        level = root.level
        root.addHandler(handler)
        root.setLevel(logging.DEBUG)
        try:
            yield written
        finally:
            root.removeHandler(handler)
            root.setLevel(level)

    def test_no_table_and_no_log_holds_one_whatever_a_player_does(self, db, settings):
        settings.TRUST_PROXY = True
        far = {"REMOTE_ADDR": ADDRESS, "HTTP_X_FORWARDED_FOR": f"198.51.100.1, {ADDRESS}"}
        api = ApiClient()
        api.browser.defaults |= far
        form = {"csrfmiddlewaretoken": api.token}
        account = {"email": "ann@example.org", "password1": PASSWORD}

        with self.logged() as written:
            game = api.play(api.start(), "96")
            assert api.browser.post("/accounts/signup/", {**account, **form}).status_code == 302
            code = re.search(r"(?<![\w-])[A-Z0-9]{4}-[A-Z0-9]{4}(?![\w-])", str(mail.outbox[-1].body))
            assert code, mail.outbox[-1].body
            form = {"csrfmiddlewaretoken": api.token}
            assert api.browser.post("/accounts/confirm-email/", {"code": code[0], **form}).status_code == 302
            assert api.get("me").json()["verified"] is True
            api.post(f"games/{game['id']}/hint", {"version": game["version"]})
            api.post("solve", {"variant": "bakers-dozen", "deal": "2", "deeper": True})
            api.browser.post("/accounts/logout/", {"csrfmiddlewaretoken": api.token})
            wrong = {"login": "ann@example.org", "password": "wrong", "csrfmiddlewaretoken": api.token}
            assert api.browser.post("/accounts/login/", wrong).status_code == 200
            right = {**wrong, "password": PASSWORD}
            assert api.browser.post("/accounts/login/", right).status_code == 302
            api.browser.post("/accounts/password/reset/", {"email": "ann@example.org", **form})
            api.browser.get("/nowhere")

        stored = repr(rows()) + repr([SessionStore(row.session_key).load() for row in Session.objects.all()])
        assert {"bakers.Limit", "usersessions.UserSession", "sessions.Session"} <= set(rows())
        for where, text in {"tables": stored, "log": written.getvalue()}.items():
            assert text
            for part in ("203.0.113", "198.51.100"):
                assert part not in text, where
        assert set(UserSession.objects.values_list("ip", flat=True)) == {"0.0.0.0"}  # noqa: S104

    def test_what_is_counted_by_address_is_gone_within_a_day(self, db, frozen_clock):
        limits.take("entrance", ADDRESS, limit=5, seconds=limits.LONGEST_WINDOW)
        frozen_clock.advance(hours=24)
        call_command("tidy", stdout=io.StringIO())
        assert counts() == {}

    def test_a_sign_in_is_forgotten_with_its_session(self, ann):
        api, other = sign_in(ann), sign_in(ann)
        Session.objects.filter(session_key=api.browser.cookies["sessionid"].value).delete()
        call_command("tidy", stdout=io.StringIO())
        assert [row.session_key for row in UserSession.objects.all()] == [
            other.browser.cookies["sessionid"].value
        ]


class TestTheAccountsPage:
    def test_a_guest_is_sent_to_sign_in(self, db):
        assert Client().get("/accounts/")["Location"] == "/accounts/login/?next=/accounts/"

    def test_it_leads_to_everything(self, ann):
        client = Client()
        client.force_login(ann)
        page = client.get("/accounts/").content.decode()
        for address in (
            "/accounts/name/", "/accounts/email/", "/accounts/password/change/", "/accounts/2fa/webauthn/",
            "/accounts/2fa/", "/accounts/sessions/", "/accounts/statistics/", "/accounts/history/",
            "/api/me/export", "/accounts/delete/",
        ):  # fmt: skip
            assert f'href="{address}"' in page, address
        assert "ann@example.org" in page
        assert "Verified." in page

    def test_its_queries_do_not_grow(self, ann, django_assert_max_num_queries):
        client = Client()
        client.force_login(ann)
        with django_assert_max_num_queries(7):
            client.get("/accounts/")


def test_a_player_owns_nothing_of_nobody(db):
    assert games.erase_games(player=Player(user_id=4)) == 0
