"""What waits for a code has no force once the account has changed, and isn't kept for long."""

from __future__ import annotations

import re
from functools import partial

import pytest
from allauth.account.models import EmailAddress
from allauth.mfa.totp.internal.auth import (
    TOTP,
    format_hotp_value,
    generate_totp_secret,
    hotp_value,
    yield_hotp_counters_from_time,
)
from django.contrib.sessions.backends.db import SessionStore
from django.contrib.sessions.models import Session
from django.core import mail
from django.core.cache import cache

from accounts import pending, privacy
from accounts.adapters import AccountAdapter
from accounts.models import PendingCode, User
from tests.accounts.people import PASSWORD, Visitor, mailed_code, make_user
from tests.conftest import ApiClient
from tests.parallel import at_once

NEW = "loud-heron-1926"


@pytest.fixture
def user(db):
    """Ann."""
    return make_user()


@pytest.fixture
def ann(user):
    """Ann's browser, signed in."""
    visitor = Visitor()
    visitor.sign_in()
    visitor.show_who()
    return visitor


def ask_for_reset(*, confirmed: bool) -> tuple[Visitor, str]:
    """Return somebody who reads Ann's mail and has begun to reset her password, and the code if it is still good."""
    other = Visitor()
    other.post("password/reset/", email="ann@example.org")
    code = mailed_code()
    if confirmed:
        other.post("password/reset/confirm/", code=code)
    return other, code


def change_password(ann: Visitor) -> None:
    ann.post("password/change/", oldpassword=PASSWORD, password1="quick-finch-1850")


def change_address(ann: Visitor) -> None:
    ann.post("email/", email="new@example.org", action_add="")
    ann.confirm()
    assert User.objects.get().email == "new@example.org"


def sign_out_everywhere(ann: Visitor) -> None:
    ann.post("sessions/end/")


def delete_account(_ann: Visitor) -> None:
    privacy.erase(user_id=User.objects.get().pk)


CHANGES = [change_password, change_address, sign_out_everywhere, delete_account]


@pytest.mark.parametrize("change", CHANGES)
@pytest.mark.parametrize("confirmed", [False, True])
def test_a_reset_that_was_begun_before_has_no_force(ann, change, confirmed):
    other, code = ask_for_reset(confirmed=confirmed)
    change(ann)
    before = [(user.password, user.email) for user in User.objects.all()]

    for path, form in (
        ("confirm/again/", {}),
        ("confirm/", {"code": code}),
        ("complete/", {"password1": NEW}),
    ):
        assert other.post(f"password/reset/{path}", **form).status_code == 302
        assert not other.is_signed_in
    assert [(user.password, user.email) for user in User.objects.all()] == before


@pytest.mark.parametrize("change", CHANGES)
def test_a_sign_in_that_waits_for_the_second_lock_has_no_force(ann, user, change):
    secret = generate_totp_secret()
    TOTP.activate(user, secret)
    other = Visitor()
    assert other.sign_in()["Location"] == "/accounts/2fa/authenticate/"
    change(ann)

    code = format_hotp_value(hotp_value(secret, next(yield_hotp_counters_from_time())))
    assert other.post("2fa/authenticate/", code=code)["Location"] == "/accounts/login/"
    assert not other.is_signed_in


def test_who_signed_up_with_anothers_address_doesnt_get_in_once_it_is_taken_over(db):
    squatter = Visitor()
    squatter.sign_up("ann@example.org", "mine-all-mine-1")
    owner, _code = ask_for_reset(confirmed=True)
    owner.post("password/reset/complete/", password1=NEW)
    assert owner.is_signed_in

    squatter.post("confirm-email/again/")
    assert "again" not in mail.outbox[-1].subject
    assert squatter.get("confirm-email/")["Location"] == "/accounts/login/"
    assert not squatter.is_signed_in


def test_without_a_change_it_goes_on(ann):
    other, _code = ask_for_reset(confirmed=False)
    ann.get("")
    other.post("password/reset/", email="ann@example.org")
    other.post("password/reset/confirm/", code=mailed_code())
    other.post("password/reset/complete/", password1=NEW)
    assert other.is_signed_in


def test_one_after_the_other_can_wait_in_one_browser(db):
    make_user()
    make_user("bob@example.org")
    visitor = Visitor()
    visitor.post("password/reset/", email="ann@example.org")
    visitor.post("password/reset/", email="bob@example.org")
    visitor.post("password/reset/confirm/", code=mailed_code())
    visitor.post("password/reset/complete/", password1=NEW)
    assert visitor.is_signed_in
    assert User.objects.get(email="bob@example.org").check_password(NEW)


def test_signing_out_everywhere_ends_sessions_that_are_in_no_list(ann, user):
    unlisted = ApiClient(user)
    assert unlisted.get("me").status_code == 200
    ann.post("sessions/end/")
    assert unlisted.get("me").status_code == 403


class TestKeeping:
    def kept(self) -> str:
        return str([SessionStore(row.session_key).load() for row in Session.objects.all()])

    def test_with_the_account_goes_what_waits_in_any_browser(self, user):
        others = [Visitor() for _ in range(3)]
        others[0].post("password/reset/", email="ann@example.org")
        others[1].post("password/reset/", email="Ann@example.org")
        others[2].sign_up("ann@example.org")
        neighbour = Visitor()
        neighbour.post("password/reset/", email="bob@example.org")
        assert "ann@example.org" in self.kept()

        privacy.erase(user_id=user.pk)

        assert "ann@" not in self.kept().lower()
        assert "bob@" in self.kept()
        assert PendingCode.objects.count() == 1

    def test_after_an_hour_no_address_is_kept_and_the_guest_stays(self, user, frozen_clock):
        api = ApiClient()
        game = api.start()
        Visitor(browser=api.browser).post(
            "password/reset/", email="ann@example.org", csrfmiddlewaretoken=api.token
        )
        stranger = Visitor()
        stranger.sign_up("carol@example.org")
        frozen_clock.advance(minutes=59)
        assert pending.tidy_pending(limit=10) == 0
        frozen_clock.advance(minutes=2)
        assert pending.tidy_pending(limit=10) == 2
        assert "@example.org" not in self.kept()
        assert not PendingCode.objects.exists()
        assert api.state(game)["id"] == game["id"]

    def test_no_address_stands_in_its_rows(self, db):
        Visitor().post("password/reset/", email="ann@example.org")
        row = PendingCode.objects.get()
        assert re.fullmatch(r"[0-9a-f]{64}", row.address)

    def test_a_session_that_has_ended_is_no_hindrance(self, user, frozen_clock):
        Visitor().post("password/reset/", email="ann@example.org")
        Session.objects.all().delete()
        frozen_clock.advance(hours=2)
        assert pending.tidy_pending(limit=10) == 1


class TestUnconfirmedAccounts:
    def test_are_deleted_after_thirty_days(self, db, frozen_clock):
        Visitor().sign_up("never@example.org")
        used = Visitor()
        used.sign_up("used@example.org")
        used.confirm()
        User.objects.create_superuser("root@example.org", PASSWORD)
        reset, _code = Visitor(), Visitor().sign_up("reset@example.org")
        reset.post("password/reset/", email="reset@example.org")
        reset.post("password/reset/confirm/", code=mailed_code())

        User.objects.update(date_joined=frozen_clock.time)
        frozen_clock.advance(days=29, hours=23)
        assert privacy.tidy_unconfirmed(limit=10) == 0
        frozen_clock.advance(hours=2)
        assert privacy.tidy_unconfirmed(limit=10) == 1
        assert sorted(User.objects.values_list("email", flat=True)) == [
            "reset@example.org", "root@example.org", "used@example.org",
        ]  # fmt: skip


def test_a_code_of_an_app_is_taken_once_whoever_remembers_it(user, frozen_clock):
    """Another process has a cache of its own."""
    secret = generate_totp_secret()
    TOTP.activate(user, secret)
    code = format_hotp_value(hotp_value(secret, next(yield_hotp_counters_from_time())))
    signed_in = []
    for typed in (code, code, f"{code[:3]} {code[3:]}", f" {code[:3]}-{code[3:]}"):
        visitor = Visitor()
        visitor.sign_in()
        visitor.post("2fa/authenticate/", code=typed)
        signed_in.append(visitor.is_signed_in)
        cache.clear()
    assert signed_in == [True, False, False, False]


@pytest.mark.django_db(transaction=True)
class TestOneAddressForTwo:
    def test_who_confirms_it_second_keeps_their_own(self):
        names = ["ann@example.org", "bob@example.org", "carol@example.org"]
        visitors = []
        for name in names:
            make_user(name)
            visitor = Visitor()
            visitor.sign_in(name)
            visitor.show_who()
            visitor.post("email/", email="new@example.org", action_add="")
            visitors.append((visitor, mailed_code()))

        answers = at_once([partial(one.confirm, code) for one, code in visitors])

        emails = sorted(User.objects.values_list("email", flat=True))
        assert emails.count("new@example.org") == 1
        assert len(set(emails) & set(names)) == 2
        confirmed = EmailAddress.objects.filter(verified=True, primary=True)
        assert sorted(confirmed.values_list("email", flat=True)) == emails
        # Who came last is told by the form already.
        told = [
            (answer if answer.status_code == 200 else one.get("email/")).content.decode()
            for answer, (one, _code) in zip(answers, visitors, strict=True)
        ]
        taken = re.compile("belongs to another account|is an account with this address")
        assert sum(bool(taken.search(page)) for page in told) == 2


@pytest.mark.django_db(transaction=True)
def test_who_signs_in_while_the_account_is_deleted_is_asked_again(monkeypatch):
    make_user()
    sign_in = AccountAdapter.login

    def too_late(adapter, request, user):
        privacy.erase(user_id=user.pk)
        sign_in(adapter, request, user)

    monkeypatch.setattr(AccountAdapter, "login", too_late)
    api = ApiClient()
    game = api.start()
    visitor = Visitor(browser=api.browser)
    answer = visitor.post("login/", login="ann@example.org", password=PASSWORD, csrfmiddlewaretoken=api.token)

    assert (answer.status_code, answer["Location"]) == (302, "/accounts/login/")
    assert not visitor.is_signed_in
    assert api.state(game)["ply"] == 0
