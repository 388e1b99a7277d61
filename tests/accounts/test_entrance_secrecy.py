"""Whether there is an account with an address is told to its mailbox alone.

Whatever is sent to the entrance is answered alike for an address with an account and one without: the same status and
page, the same cookies, as many mails, and as many passwords hashed, which is what takes the time.
"""

from __future__ import annotations

import json
import re

import pytest
from allauth.account.utils import user_pk_to_url_str
from django.contrib.auth import hashers
from django.core import mail
from fido2.utils import websafe_encode

from accounts.models import User
from tests.accounts.people import PASSWORD, Visitor, make_user

pytestmark = pytest.mark.django_db

KNOWN = "ann@example.org"
UNKNOWN = "bob@example.org"
#: What is different in each answer and says nothing: tokens, and when the settings were looked up.
_EACH_TIME = re.compile(r'name="csrfmiddlewaretoken" value="[^"]+"|&quot;as_of&quot;:&quot;[^&]+&quot;')


@pytest.fixture(autouse=True)
def _one_moment(frozen_clock) -> None:
    """How long to wait until the next try is what the clock says, and no difference."""


@pytest.fixture(autouse=True)
def hashed(monkeypatch) -> list[str]:
    """Counts what is hashed."""
    hasher = hashers.get_hasher()
    done: list[str] = []
    encode = type(hasher).encode

    def count(self, password, *args, **kwargs):
        done.append(password)
        return encode(self, password, *args, **kwargs)

    monkeypatch.setattr(type(hasher), "encode", count)
    return done


def answers(
    email: str, hashed: list[str], *forms: tuple[str, dict[str, str]], visitor: Visitor | None = None
):
    """Send forms, follow each to the page that it leads to, and return all that can be seen of the answers."""
    visitor = visitor or Visitor()
    del hashed[:]
    mails = len(mail.outbox)
    seen = []
    for path, form in forms:
        sent = visitor.post(path, **{name: value.replace("EMAIL", email) for name, value in form.items()})
        response = sent
        if sent.status_code == 302:
            response = visitor.browser.get(sent["Location"], REMOTE_ADDR=visitor.address)
        page = _EACH_TIME.sub("", response.content.decode()).replace(email, "EMAIL")
        seen.append(
            (sent.status_code, sent.get("Location"), sorted(sent.cookies), response.status_code, page)
        )
    return seen, len(hashed), len(mail.outbox) - mails


WAYS_IN = {
    "sign in": [("login/", {"login": "EMAIL", "password": "wrong"})],
    "sign up": [
        ("signup/", {"email": "EMAIL", "password1": PASSWORD}),
        ("confirm-email/", {"code": "BBBB-BBBB"}),
        ("confirm-email/", {"code": "BBBB-BBBB"}),
        ("confirm-email/", {"code": "BBBB-BBBB"}),
        ("signup/", {"email": "EMAIL", "password1": PASSWORD}),
    ],
    "sign up with a weak password": [("signup/", {"email": "EMAIL", "password1": "password"})],
    "sign up and go to sign in": [
        ("signup/", {"email": "EMAIL", "password1": PASSWORD}),
        ("login/", {"login": "EMAIL", "password": "wrong"}),
        ("logout/", {"next": "/accounts/login/"}),
        ("login/", {"login": "EMAIL", "password": "wrong"}),
    ],
    "sign up and ask for another code": [
        ("signup/", {"email": "EMAIL", "password1": PASSWORD}),
        ("confirm-email/again/", {}),
        ("confirm-email/again/", {}),
        ("confirm-email/again/", {}),
    ],
    "reset and ask for another code": [
        ("password/reset/", {"email": "EMAIL"}),
        ("password/reset/confirm/again/", {}),
        ("password/reset/confirm/", {"code": "BBBB-BBBB"}),
    ],
    "reset": [
        ("password/reset/", {"email": "EMAIL"}),
        ("password/reset/complete/", {"password1": PASSWORD}),
        ("password/reset/confirm/", {"code": "BBBB-BBBB"}),
        ("password/reset/confirm/", {"code": ""}),
        ("password/reset/confirm/", {"code": "BBBB-BBBB"}),
    ],
}


@pytest.mark.parametrize("way", WAYS_IN)
def test_each_way_in_answers_alike(way, hashed):
    make_user(KNOWN)

    known = answers(KNOWN, hashed, *WAYS_IN[way])
    unknown = answers(UNKNOWN, hashed, *WAYS_IN[way])

    assert known[0] == unknown[0]
    assert known[2] == unknown[2]
    if way == "sign up":
        # The second time there is an account with either.
        assert (known[1], unknown[1]) == (2, 2)
    assert known[1] == unknown[1]


@pytest.mark.parametrize("state", ["unverified", "closed", "without a password"])
def test_what_became_of_an_account_shows_as_little(state, hashed):
    user = make_user(KNOWN, verified=state != "unverified")
    if state == "closed":
        User.objects.update(is_active=False)
    elif state == "without a password":
        user.set_unusable_password()
        user.save()

    for way in ("sign in", "sign up", "reset"):
        assert answers(KNOWN, hashed, *WAYS_IN[way]) == answers(UNKNOWN, hashed, *WAYS_IN[way]), way
        User.objects.filter(email=UNKNOWN).delete()


def test_a_new_address_is_answered_alike_whether_somebody_has_it_or_not(hashed):
    make_user(KNOWN)
    make_user("carol@example.org")
    carol = Visitor()
    carol.sign_in("carol@example.org")
    carol.show_who()
    forms = [("email/", {"email": "EMAIL", "action_add": ""}), ("confirm-email/", {"code": "BBBB-BBBB"})]

    known, unknown = (answers(email, hashed, *forms, visitor=carol) for email in (KNOWN, UNKNOWN))

    assert known == unknown
    assert known[2] == 1


def test_a_passkey_that_nobody_has_and_one_of_somebody_are_refused_alike(hashed):
    user = make_user(KNOWN)

    def credential(who: str) -> str:
        handle = websafe_encode(who.encode())
        return json.dumps(
            {"id": "AA", "rawId": "AA", "type": "public-key", "response": {"userHandle": handle}}
        )

    known, unknown = (
        answers(KNOWN, hashed, ("2fa/webauthn/login/", {"credential": credential(who)}))
        for who in (user_pk_to_url_str(user), "zzzzzz")
    )
    assert known == unknown
