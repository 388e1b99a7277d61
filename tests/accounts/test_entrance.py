"""Signing up, in and out, with mailed codes, and what each page and mail says."""

from __future__ import annotations

import re
import smtplib
import time

import pytest
from allauth.account.models import EmailAddress
from allauth.mfa.models import Authenticator
from allauth.mfa.totp.internal.auth import (
    TOTP,
    format_hotp_value,
    generate_totp_secret,
    hotp_value,
    yield_hotp_counters_from_time,
)
from allauth.usersessions.models import UserSession
from django.contrib.sessions.models import Session
from django.core import mail
from django.core.mail.backends.locmem import EmailBackend
from django.db import connection

from accounts.models import User
from tests.accounts.people import PASSWORD, Visitor, mailed_code, make_user

pytestmark = pytest.mark.django_db


def text_of(response) -> str:
    """Return a page's words."""
    return re.sub(r"\s+", " ", re.sub(r"<[^>]+>", " ", response.content.decode()))


class TestSigningUp:
    def test_the_mailed_code_typed_into_the_next_page_signs_in(self):
        visitor = Visitor()
        asked = visitor.sign_up("Ann@Example.org")
        assert (asked.status_code, asked["Location"]) == (302, "/accounts/confirm-email/")
        assert not visitor.is_signed_in
        (sent,) = mail.outbox
        assert sent.to == ["ann@example.org"]
        assert sent.subject == "Your code for Baker’s Dozen"

        confirmed = visitor.confirm()

        assert (confirmed.status_code, confirmed["Location"]) == (302, "/")
        assert visitor.is_signed_in
        assert User.objects.get().email == "ann@example.org"
        assert EmailAddress.objects.get().verified

    def test_it_leads_back_to_where_the_player_was(self):
        visitor = Visitor()
        visitor.post("signup/", email="ann@example.org", password1=PASSWORD, next="/rules/good-measure")
        assert visitor.confirm()["Location"] == "/rules/good-measure"

    @pytest.mark.parametrize("where", ["https://evil.example/", "//evil.example", "javascript:alert(1)"])
    def test_it_leads_nowhere_else(self, where):
        make_user()
        signed_in = Visitor().post("login/", login="ann@example.org", password=PASSWORD, next=where)
        assert signed_in["Location"] == "/"

    def test_a_code_may_be_typed_as_people_type(self):
        visitor = Visitor()
        visitor.sign_up("ann@example.org")
        visitor.confirm(f" {mailed_code().lower().replace('-', ' ')} ")
        assert visitor.is_signed_in

    def test_the_third_wrong_code_ends_it(self):
        visitor = Visitor()
        visitor.sign_up("ann@example.org")
        right = mailed_code()
        wrong = "BBBB-BBBB" if right != "BBBB-BBBB" else "CCCC-CCCC"
        for _ in range(2):
            page = visitor.confirm(wrong)
            assert "This isn’t the code" in text_of(page)
        assert visitor.confirm(wrong)["Location"] == "/accounts/login/"
        visitor.confirm(right)
        assert not visitor.is_signed_in

    def test_a_new_code_takes_the_place_of_the_old_one_with_the_tries_that_are_left(self):
        visitor = Visitor()
        visitor.sign_up("ann@example.org")
        old = mailed_code()
        assert visitor.post("confirm-email/again/")["Location"] == "/accounts/confirm-email/"
        assert "A new code is on its way" in text_of(visitor.get("confirm-email/"))
        new = mailed_code()
        assert new != old
        assert "This isn’t the code" in text_of(visitor.confirm(old))
        visitor.confirm(new)
        assert visitor.is_signed_in

        bob = Visitor()
        bob.sign_up("bob@example.org")
        for _ in range(2):
            bob.confirm("BBBB-BBBB")
        bob.post("confirm-email/again/")
        assert bob.confirm("BBBB-BBBB")["Location"] == "/accounts/login/"

    def test_a_new_code_is_good_for_as_long_as_it_says(self, monkeypatch):
        visitor = Visitor()
        visitor.sign_up("ann@example.org")
        began = time.time()
        monkeypatch.setattr(time, "time", lambda: began + 14 * 60)
        visitor.post("confirm-email/again/")
        monkeypatch.setattr(time, "time", lambda: began + 28 * 60)
        visitor.confirm()
        assert visitor.is_signed_in

    @pytest.mark.parametrize("path", ["confirm-email/again/", "password/reset/confirm/again/"])
    def test_where_no_code_is_waited_for_none_is_sent(self, path):
        visitor = Visitor()
        make_user()
        assert visitor.post(path).status_code == 302
        visitor.sign_in()
        assert visitor.post(path).status_code == 302
        assert visitor.get(path).status_code == 405
        assert not mail.outbox

    def test_a_weak_password_is_refused_beside_its_field(self):
        page = Visitor().sign_up("ann@example.org", "password").content.decode()
        assert re.search(r'<p class="field__error" id="id_password1_error" role="alert">', page)
        assert re.search(r'<input type="password"[^>]*aria-describedby="[^"]*id_password1_error', page)
        assert not User.objects.exists()

    def test_somebody_who_never_confirmed_gets_a_new_code_by_signing_in(self):
        Visitor().sign_up("ann@example.org")
        later = Visitor()
        assert later.sign_in()["Location"] == "/accounts/confirm-email/"
        later.confirm()
        assert later.is_signed_in

    def test_an_account_whose_code_could_not_be_mailed_is_not_made(self, monkeypatch):
        monkeypatch.setattr(EmailBackend, "send_messages", _fail)
        visitor = Visitor()
        refused = visitor.sign_up("ann@example.org")
        assert refused.status_code == 503
        assert int(refused["Retry-After"]) > 0
        assert "nothing is lost" in text_of(refused)
        assert not User.objects.exists()
        monkeypatch.undo()
        visitor.sign_up("ann@example.org")
        visitor.confirm()
        assert visitor.is_signed_in


def _fail(self, messages):
    raise smtplib.SMTPServerDisconnected("Connection unexpectedly closed")


class TestAMailServerThatFails:
    def test_nothing_is_changed_by_what_needs_a_mail(self, monkeypatch):
        make_user()
        visitor = Visitor()
        visitor.sign_in()
        visitor.show_who()
        monkeypatch.setattr(EmailBackend, "send_messages", _fail)
        for refused in (
            Visitor().post("password/reset/", email="ann@example.org"),
            Visitor().post("password/reset/", email="nobody@example.org"),
            Visitor().sign_up("ann@example.org"),
            visitor.post("email/", email="new@example.org", action_add=""),
        ):
            assert refused.status_code == 503
        assert EmailAddress.objects.get().email == "ann@example.org"
        assert visitor.is_signed_in

    def test_what_was_done_stays_done_without_its_notice(self, monkeypatch):
        make_user()
        visitor = Visitor()
        visitor.sign_in()
        monkeypatch.setattr(EmailBackend, "send_messages", _fail)
        changed = visitor.post("password/change/", oldpassword=PASSWORD, password1="loud-heron-1926")
        assert changed.status_code == 302
        assert User.objects.get().check_password("loud-heron-1926")


class TestForgottenPasswords:
    def test_the_mailed_code_opens_the_way_to_a_new_one(self):
        make_user()
        visitor = Visitor()
        visitor.post("password/reset/", email="ANN@example.org")
        visitor.post("password/reset/confirm/", code=mailed_code())
        done = visitor.post("password/reset/complete/", password1="loud-heron-1926")
        assert done["Location"] == "/"
        assert visitor.is_signed_in
        assert User.objects.get().check_password("loud-heron-1926")

    def test_other_browsers_are_signed_out_by_it(self):
        make_user()
        other, visitor = Visitor(), Visitor()
        other.sign_in()
        visitor.post("password/reset/", email="ann@example.org")
        visitor.post("password/reset/confirm/", code=mailed_code())
        visitor.post("password/reset/complete/", password1="loud-heron-1926")
        assert other.get("sessions/").status_code == 302

    def test_a_new_code_takes_the_place_of_the_old_one(self):
        make_user()
        visitor = Visitor()
        visitor.post("password/reset/", email="ann@example.org")
        old = mailed_code()
        assert (
            visitor.post("password/reset/confirm/again/")["Location"] == "/accounts/password/reset/confirm/"
        )
        assert "This isn’t the code" in text_of(visitor.post("password/reset/confirm/", code=old))
        visitor.post("password/reset/confirm/", code=mailed_code())
        mails = len(mail.outbox)
        # The code was right: what comes now is the new password.
        visitor.post("password/reset/confirm/again/")
        assert len(mail.outbox) == mails
        visitor.post("password/reset/complete/", password1="loud-heron-1926")
        assert User.objects.get().check_password("loud-heron-1926")

    def test_nothing_can_be_set_before_the_code(self):
        make_user()
        visitor = Visitor()
        visitor.post("password/reset/", email="ann@example.org")
        assert visitor.post("password/reset/complete/", password1="loud-heron-1926")["Location"] == (
            "/accounts/password/reset/confirm/"
        )
        assert User.objects.get().check_password(PASSWORD)

    def test_a_second_lock_is_not_opened_by_it(self):
        user = make_user()
        TOTP.activate(user, generate_totp_secret())
        visitor = Visitor()
        visitor.post("password/reset/", email="ann@example.org")
        visitor.post("password/reset/confirm/", code=mailed_code())
        assert visitor.post("password/reset/complete/", password1="loud-heron-1926")["Location"] == (
            "/accounts/2fa/authenticate/"
        )
        assert not visitor.is_signed_in


class TestOnesOwnAccount:
    @pytest.fixture
    def ann(self) -> Visitor:
        """Somebody who has signed in."""
        make_user()
        visitor = Visitor()
        visitor.sign_in()
        return visitor

    def test_the_address_changes_once_the_new_mailbox_has_answered(self, ann):
        assert ann.get("email/")["Location"] == "/accounts/reauthenticate/?next=%2Faccounts%2Femail%2F"
        ann.show_who()
        ann.post("email/", email="new@example.org", action_add="")
        assert User.objects.get().email == "ann@example.org"
        code = mailed_code()
        assert ann.confirm(code)["Location"] == "/accounts/email/"
        assert User.objects.get().email == "new@example.org"
        assert EmailAddress.objects.get().email == "new@example.org"
        assert mail.outbox[-1].to == ["ann@example.org"]
        assert "new@example.org from now on" in mail.outbox[-1].body

    def test_a_form_that_is_sent_without_showing_who_keeps_nothing_of_the_request(self, ann):
        sent = ann.post("email/", email="new@example.org", action_add="")
        assert sent["Location"].startswith("/accounts/reauthenticate/")
        assert ann.address not in str(ann.browser.session.items())
        assert len(mail.outbox) == 0

    def test_a_new_password_signs_other_browsers_out_and_not_this_one(self, ann):
        other = Visitor()
        other.sign_in()
        ann.post("password/change/", oldpassword=PASSWORD, password1="loud-heron-1926")
        assert ann.get("sessions/").status_code == 200
        assert other.get("sessions/").status_code == 302
        assert mail.outbox[-1].subject == "Your password was changed"

    def test_the_list_of_browsers_shows_no_address(self, ann):
        other = Visitor()
        other.browser.defaults["HTTP_USER_AGENT"] = (
            "Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko Firefox/140.0"
        )
        other.sign_in()
        page = text_of(ann.get("sessions/"))
        assert "Firefox on Linux" in page
        assert "A browser" in page
        assert {session.ip for session in UserSession.objects.all()} == {"0.0.0.0"}  # noqa: S104
        assert "0.0.0.0" not in page  # noqa: S104
        assert ann.address not in page

    def test_the_others_can_be_signed_out(self, ann):
        other = Visitor()
        other.sign_in()
        ann.post("sessions/")
        assert ann.get("sessions/").status_code == 200
        assert other.get("sessions/").status_code == 302

    def test_everybody_can_be_signed_out(self, ann):
        other = Visitor()
        other.sign_in()
        ended = ann.post("sessions/end/")
        assert ended["Location"] == "/accounts/signed-out/"
        assert "storage" in ended["Clear-Site-Data"]
        assert not Session.objects.exists()
        assert not UserSession.objects.exists()
        for browser in (ann, other):
            assert browser.get("sessions/").status_code == 302

    def test_an_authenticator_app_is_asked_for_from_then_on(self, ann):
        ann.show_who()
        page = ann.get("2fa/totp/activate/")
        assert b"data:image/svg+xml;base64," in page.content
        secret = page.context["form"].secret
        assert secret in page.content.decode()
        code = format_hotp_value(hotp_value(secret, next(yield_hotp_counters_from_time())))
        assert ann.post("2fa/totp/activate/", code=code)["Location"] == "/accounts/2fa/recovery-codes/"
        codes = Authenticator.objects.get(type="recovery_codes").wrap().get_unused_codes()
        listed = ann.get("2fa/recovery-codes/").content.decode()
        assert all(each in listed for each in codes)
        assert ann.get("2fa/recovery-codes/download/").content.decode().split() == codes

        again = Visitor()
        assert again.sign_in()["Location"] == "/accounts/2fa/authenticate/"
        assert not again.is_signed_in
        assert "This isn’t the code" in text_of(again.post("2fa/authenticate/", code="x"))
        again.post("2fa/authenticate/", code=codes[0])
        assert again.is_signed_in
        # Each lets in once.
        third = Visitor()
        third.sign_in()
        third.post("2fa/authenticate/", code=codes[0])
        assert not third.is_signed_in

    def test_every_notice_says_what_was_done_and_when_and_nothing_about_addresses(self, ann):
        ann.post("password/change/", oldpassword=PASSWORD, password1="loud-heron-1926")
        body = mail.outbox[-1].body
        assert re.search(r"It was done on \d+ \w+ \d{4} at \d\d:\d\d UTC", str(body))
        assert ann.address not in body
        assert "0.0.0.0" not in body  # noqa: S104


@pytest.mark.django_db(transaction=True)
def test_no_mail_is_sent_inside_a_transaction(monkeypatch):
    sent = []

    def note(self, messages):
        assert not connection.in_atomic_block
        sent.extend(messages)
        mail.outbox.extend(messages)
        return len(messages)

    monkeypatch.setattr(EmailBackend, "send_messages", note)
    mail.outbox = []
    ann = Visitor()
    ann.sign_up("ann@example.org")
    ann.confirm()
    Visitor().sign_up("ann@example.org")
    Visitor().post("password/reset/", email="nobody@example.org")
    ann.show_who()
    ann.post("email/", email="new@example.org", action_add="")
    ann.confirm()
    secret = ann.get("2fa/totp/activate/").context["form"].secret
    ann.post(
        "2fa/totp/activate/",
        code=format_hotp_value(hotp_value(secret, next(yield_hotp_counters_from_time()))),
    )
    ann.post("2fa/recovery-codes/generate/")
    ann.post("2fa/totp/deactivate/")
    ann.post("password/change/", oldpassword=PASSWORD, password1="loud-heron-1926")
    reset = Visitor()
    reset.post("password/reset/", email="new@example.org")
    reset.post("password/reset/confirm/", code=mailed_code())
    reset.post("password/reset/complete/", password1="calm-stork-1970")
    assert [message.subject for message in sent] == [
        "Your code for Baker’s Dozen",
        "You have an account already",
        "There is no account with this address",
        "Your code for the new address",
        "Your address was changed",
        "An authenticator app was set up",
        "You have new recovery codes",
        "Your authenticator app is not asked for any more",
        "Your password was changed",
        "Your code for a new password",
        "Your password was changed",
    ]


class TestPasskeyAnswers:
    BAD = (
        "", "x", "null", "[]", "{}", '{"id":1}', '{"id":"aa","response":{"userHandle":5}}', "[" * 5000, '{"a":' * 5000,
        '{"id":"AA","rawId":"AA","type":"public-key","response":{"clientDataJSON":5,"attestationObject":[]}}',
        '{"id":"\\u0000","rawId":"\\ud800","type":7,"response":{}}',
    )  # fmt: skip

    @pytest.mark.parametrize("answer", BAD, ids=lambda answer: answer[:40])
    def test_one_that_no_browser_gives_is_refused(self, answer, frozen_clock):
        user = make_user()
        stranger = Visitor()
        assert stranger.post("2fa/webauthn/login/", credential=answer)["Location"] == "/accounts/login/"
        assert not stranger.is_signed_in
        ann = Visitor()
        ann.sign_in()
        ann.show_who()
        ann.get("2fa/webauthn/add/")
        assert ann.post("2fa/webauthn/add/", credential=answer, name="x").status_code == 200
        TOTP.activate(user, generate_totp_secret())
        half = Visitor()
        half.sign_in()
        assert half.post("2fa/authenticate/", credential=answer).status_code == 200
        assert not half.is_signed_in
        assert ann.post("2fa/webauthn/reauthenticate/", credential=answer).status_code in {200, 302}

    def test_the_refusal_speaks_of_a_passkey_and_looks_like_one(self, frozen_clock):
        make_user()
        stranger = Visitor()
        for answer in ('{"id":1}', "[" * 5000):
            stranger.post("2fa/webauthn/login/", credential=answer)
            page = stranger.get("login/").content.decode()
            assert '<p class="notice notice--error">This passkey isn’t known here.</p>' in page
        ann = Visitor()
        ann.sign_in()
        ann.show_who()
        ann.get("2fa/webauthn/add/")
        assert "couldn’t be added" in text_of(ann.post("2fa/webauthn/add/", credential='{"id":1}', name="x"))
