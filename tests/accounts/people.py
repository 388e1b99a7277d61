"""People at the entrance: a browser that types into forms, and the mails that come for them."""

from __future__ import annotations

import re
from typing import Any

from allauth.account.models import EmailAddress
from django.core import mail
from django.test import Client

from accounts.models import User

PASSWORD = "quiet-otter-1883"


def make_user(email: str = "ann@example.org", *, password: str = PASSWORD, verified: bool = True) -> User:
    """Make somebody who has signed up."""
    user = User.objects.create_user(email, password)
    EmailAddress.objects.create(user=user, email=email, primary=True, verified=verified)
    return user


class Visitor:
    """A browser at the entrance; each comes from an address of its own unless told otherwise."""

    _count = 0

    def __init__(self, *, address: str | None = None, browser: Client | None = None) -> None:
        Visitor._count += 1
        number = Visitor._count
        self.address = address or f"198.18.{number // 250}.{number % 250 + 1}"
        self.browser = browser or Client()

    def get(self, path: str, **extra: Any) -> Any:
        """Open a page of accounts."""
        return self.browser.get(f"/accounts/{path}", REMOTE_ADDR=self.address, **extra)

    def post(self, path: str, **form: str) -> Any:
        """Send a form."""
        return self.browser.post(f"/accounts/{path}", form, REMOTE_ADDR=self.address)

    def sign_up(self, email: str, password: str = PASSWORD) -> Any:
        """Ask for an account."""
        return self.post("signup/", email=email, password1=password)

    def sign_in(self, email: str = "ann@example.org", password: str = PASSWORD) -> Any:
        """Type address and password."""
        return self.post("login/", login=email, password=password)

    def confirm(self, code: str | None = None) -> Any:
        """Type the code that was mailed last, or another one."""
        return self.post("confirm-email/", code=code or mailed_code())

    def show_who(self, password: str = PASSWORD) -> None:
        """Type the password again."""
        assert self.post("reauthenticate/", password=password).status_code == 302

    @property
    def is_signed_in(self) -> bool:
        """Whether the session is somebody's."""
        return "_auth_user_id" in self.browser.session


def mailed_code() -> str:
    """Return the code in the newest mail."""
    found = re.search(r"^ +([A-Z]{4}-[A-Z]{4})$", str(mail.outbox[-1].body), re.MULTILINE)
    assert found, mail.outbox[-1].body
    return found[1]
