"""How often one may try to get in: exactly so often, whatever comes at the same moment, and nobody is kept out long."""

from __future__ import annotations

from functools import partial
from typing import Any

import pytest
from allauth.mfa.totp.internal.auth import TOTP, generate_totp_secret
from django.contrib.auth import hashers
from django.core import mail, signing
from django.test import Client

from accounts import entrance, known
from accounts.models import User
from bakers.models import Limit
from tests.accounts.people import PASSWORD, Visitor, make_user
from tests.parallel import at_once

HERE = "203.0.113.7"


@pytest.fixture
def user(db):
    """Ann."""
    return make_user()


def refused(response) -> bool:
    """Whether a page says that this was tried too often; it then says when to come again."""
    if response.status_code != 429:
        return False
    assert 1 <= int(response["Retry-After"]) <= entrance.SECONDS
    assert response["Cache-Control"] == "no-store"
    assert "accounts/too_often.html" in [template.name for template in response.templates]
    return True


class TestGuessing:
    @pytest.mark.parametrize("email", ["ann@example.org", "nobody@example.org"])
    def test_from_one_address_an_account_is_tried_a_few_times(self, user, frozen_clock, email):
        tries = [refused(Visitor(address=HERE).sign_in(email, "wrong")) for _ in range(12)]
        assert tries == [False] * 10 + [True] * 2

    def test_whoever_guesses_at_one_address_keeps_nobody_out_at_another(self, user, frozen_clock):
        for _ in range(25):
            Visitor(address=HERE).sign_in(password="wrong")
        ann = Visitor()
        ann.sign_in()
        assert ann.is_signed_in

    def test_from_many_addresses_it_is_tried_some_more_times_and_then_five_minutes_not(
        self, user, frozen_clock
    ):
        tries = [refused(Visitor().sign_in(password="wrong")) for _ in range(32)]
        assert tries == [False] * 30 + [True] * 2
        ann = Visitor()
        wait = int(ann.sign_in()["Retry-After"])
        assert not ann.is_signed_in
        frozen_clock.advance(seconds=wait)
        ann.sign_in()
        assert ann.is_signed_in

    def test_however_long_strangers_guess_a_browser_that_its_owner_used_gets_in(self, user, frozen_clock):
        ann = Visitor()
        ann.sign_in()
        ann.post("logout/")
        for _ in range(3):
            for stranger in [Visitor() for _ in range(3)]:
                for _ in range(10):
                    stranger.sign_in(password="wrong")
            assert refused(Visitor().sign_in())
            ann.sign_in()
            assert ann.is_signed_in
            ann.post("logout/")
            for _ in range(4):
                for _ in range(3):
                    Visitor().post("password/reset/", email="ann@example.org")
            assert refused(Visitor().post("password/reset/", email="ann@example.org"))
            assert not refused(ann.post("password/reset/", email="ann@example.org"))
            frozen_clock.advance(seconds=entrance.SECONDS)

    def test_such_a_browser_is_counted_by_itself(self, user, frozen_clock):
        ann = Visitor(address=HERE)
        ann.sign_in()
        ann.post("logout/")
        assert [refused(ann.sign_in(password="wrong")) for _ in range(11)] == [False] * 10 + [True]
        # Not even somebody at the same address keeps it out, and it keeps nobody out.
        frozen_clock.advance(seconds=entrance.SECONDS)
        for _ in range(11):
            Visitor(address=HERE).sign_in(password="wrong")
        ann.sign_in()
        assert ann.is_signed_in

    def test_it_is_known_to_that_account_alone_and_nobody_makes_such_a_mark(self, user, frozen_clock):
        make_user("bob@example.org")
        bob = Visitor()
        bob.sign_in("bob@example.org")
        bob.post("logout/")
        mark = bob.browser.cookies["known"].value
        for _ in range(30):
            Visitor().sign_in(password="wrong")
        assert refused(bob.sign_in())
        for forged in ("", "x", mark[:-1], mark.replace(":", "", 1), f"{mark}x", signing.dumps(["a", "b"])):
            bob.browser.cookies["known"] = forged
            assert refused(bob.sign_in()), forged

    def test_the_mark_follows_a_changed_address_and_tells_none(self, user, frozen_clock):
        ann = Visitor()
        ann.sign_in()
        mark = ann.browser.cookies["known"]
        assert (mark["httponly"], mark["samesite"], mark["max-age"]) == (True, "Lax", known.AGE)
        told = signing.loads(mark.value, salt="accounts.known")
        assert "ann" not in str(told)
        # It is good for a year from the last time, and by its name for no more tries than before.
        ann.post("logout/")
        renewed = ann.sign_in().cookies["known"]
        assert (renewed["max-age"], signing.loads(renewed.value, salt="accounts.known")) == (known.AGE, told)
        ann.show_who()
        ann.post("email/", email="anna@example.org", action_add="")
        ann.confirm()
        ann.post("logout/")
        for _ in range(30):
            Visitor().sign_in("anna@example.org", "wrong")
        assert not refused(ann.sign_in("anna@example.org"))
        assert ann.is_signed_in

    def test_strangers_keep_nobody_from_showing_who_they_are(self, user, frozen_clock):
        ann = Visitor()
        ann.sign_in()
        for _ in range(31):
            Visitor().sign_in(password="wrong")
        ann.show_who()

    def test_the_way_of_writing_an_address_makes_no_other_account(self, user, frozen_clock):
        for email in ("ann@example.org", " ANN@example.org", "Ann@Example.ORG ") * 4:
            last = Visitor(address=HERE).sign_in(email, "wrong")
        assert refused(last)

    def test_flooding_one_door_leaves_the_others_open(self, user, frozen_clock):
        for _ in range(31):
            Visitor().sign_in(password="wrong")
        assert Visitor().post("password/reset/", email="ann@example.org").status_code == 302
        for _ in range(11):
            Visitor().post("password/reset/", email="nobody@example.org")
        assert refused(Visitor().post("password/reset/", email="nobody@example.org"))
        assert not refused(Visitor().sign_in("nobody@example.org"))

    def test_nothing_is_hashed_or_mailed_once_it_is_refused(self, user, frozen_clock, monkeypatch):
        visitor = Visitor()
        for _ in range(10):
            visitor.sign_in(password="wrong")
        for _ in range(3):
            Visitor(address=HERE).sign_up("ann@example.org")
        mails = len(mail.outbox)
        monkeypatch.setattr(hashers.get_hasher().__class__, "encode", None)
        assert refused(visitor.sign_in())
        assert refused(Visitor(address=HERE).sign_up("ann@example.org"))
        assert len(mail.outbox) == mails

    def test_an_address_may_send_only_so_many_forms(self, user, frozen_clock):
        sent = [Visitor(address=HERE).post("login/", login="", password="") for _ in range(31)]
        assert [refused(each) for each in sent] == [False] * 30 + [True]
        # A neighbour has another, and signing out is nobody's guess.
        assert not refused(Visitor().sign_in())
        assert not refused(Visitor(address=HERE).post("logout/"))

    def test_asking_for_a_passkeys_challenge_counts_as_a_form_and_looking_does_not(self, user, frozen_clock):
        door = "2fa/webauthn/login/"
        for _ in range(31):
            assert not refused(Visitor(address=HERE).get(door))
        asked = [
            refused(Visitor(address=HERE).get(door, HTTP_X_REQUESTED_WITH="XMLHttpRequest"))
            for _ in range(31)
        ]
        assert asked == [False] * 30 + [True]

    def test_typing_ones_own_password_again_counts_as_well(self, user, frozen_clock):
        ann = Visitor()
        ann.sign_in()
        for _ in range(5):
            ann.post("reauthenticate/", password="wrong")
            ann.post("password/change/", oldpassword="wrong", password1="loud-heron-1926")
        assert refused(ann.post("reauthenticate/", password=PASSWORD))

    def test_who_tried_is_kept_as_a_hash(self, user):
        Visitor(address=HERE).sign_in(password="wrong")
        kept = str(list(Limit.objects.values()))
        assert HERE not in kept
        assert "ann@example.org" not in kept


class TestCodes:
    @pytest.fixture
    def locked(self, user):
        """Ann, with an authenticator app."""
        TOTP.activate(user, generate_totp_secret())
        return user

    def test_an_apps_codes_are_tried_from_anywhere_only_a_few_times(self, locked, frozen_clock):
        tries = []
        for _ in range(12):
            guesser = Visitor()
            guesser.sign_in()
            tries.append(refused(guesser.post("2fa/authenticate/", code="000000x")))
        assert tries == [False] * 10 + [True] * 2

    def test_a_mailed_code_is_tried_three_times_and_no_stranger_uses_that_up(self, user, frozen_clock):
        ann = Visitor()
        ann.post("password/reset/", email="ann@example.org")
        code = mail.outbox[-1].body.split("    ")[1].split()[0]
        for _ in range(2):
            stranger = Visitor()
            stranger.post("password/reset/", email="ann@example.org")
            for _ in range(4):
                stranger.post("password/reset/confirm/", code="BBBB-BBBB")
        assert (
            ann.post("password/reset/confirm/", code=code)["Location"] == "/accounts/password/reset/complete/"
        )

    def test_mails_come_to_a_mailbox_only_so_often(self, user, frozen_clock):
        asked = [
            refused(Visitor(address=HERE).post("password/reset/", email="x@example.org")) for _ in range(4)
        ]
        assert asked == [False] * 3 + [True]
        asked = [refused(Visitor().sign_up("x@example.org")) for _ in range(8)]
        assert asked == [False] * 7 + [True]
        assert len(mail.outbox) == 10

    def test_asking_for_another_code_counts_as_asking_for_a_mail(self, user, frozen_clock):
        visitor = Visitor(address=HERE)
        visitor.sign_up("x@example.org")
        assert [refused(visitor.post("confirm-email/again/")) for _ in range(3)] == [False] * 2 + [True]
        assert refused(visitor.post("password/reset/", email="x@example.org"))


@pytest.mark.django_db(transaction=True)
class TestAtTheSameMoment:
    def test_from_one_address_exactly_the_limit_passes(self, frozen_clock):
        make_user()
        answers = at_once(
            [lambda: Visitor(address=HERE).sign_in(password="wrong").status_code for _ in range(24)]
        )
        assert sorted(answers) == [200] * 10 + [429] * 14

    def test_from_many_addresses_exactly_the_limit_passes(self, frozen_clock):
        make_user()
        visitors = [Visitor() for _ in range(40)]
        answers = at_once([partial(each.sign_in, password="wrong") for each in visitors])
        assert sorted(answer.status_code for answer in answers) == [200] * 30 + [429] * 10

    def test_a_mailed_code_is_tried_three_times(self, frozen_clock):
        make_user()
        ann = Visitor()
        ann.post("password/reset/", email="ann@example.org")

        def guess() -> Any:
            tab = Client()
            tab.cookies["sessionid"] = ann.browser.cookies["sessionid"].value
            return Visitor(browser=tab).post("password/reset/confirm/", code="BBBB-BBBB").status_code

        answers = at_once([guess] * 12)
        assert answers.count(429) == 9
        assert set(answers) <= {200, 302, 429}

    def test_two_who_sign_up_with_one_address_make_one_account(self, frozen_clock):
        visitors = [Visitor() for _ in range(6)]
        answers = at_once([partial(each.sign_up, "ann@example.org") for each in visitors])
        assert [answer["Location"] for answer in answers] == ["/accounts/confirm-email/"] * 6
        assert User.objects.count() == 1
