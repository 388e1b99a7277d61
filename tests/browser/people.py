"""People with accounts, for tests in which making one isn't the point: their forms are sent without being looked at."""

from __future__ import annotations

import itertools
import json
import re
from pathlib import Path

from playwright.sync_api import BrowserContext, CDPSession, Page

from tests.browser.site import manage

PASSWORD = "quiet-otter-1883"
#: Makes a user whose name nobody has, signs them in and prints the cookie.
LET_IN = """
import json, uuid
from importlib import import_module
from django.conf import settings
from django.contrib.auth import BACKEND_SESSION_KEY, HASH_SESSION_KEY, SESSION_KEY, get_user_model
user = get_user_model().objects.create_user(f"{uuid.uuid4()}@example.org")
session = import_module(settings.SESSION_ENGINE).SessionStore()
session[SESSION_KEY] = str(user.pk)
session[BACKEND_SESSION_KEY] = settings.AUTHENTICATION_BACKENDS[0]
session[HASH_SESSION_KEY] = user.get_session_auth_hash()
session.create()
print(json.dumps({"name": settings.SESSION_COOKIE_NAME, "value": session.session_key}))
"""
_numbers = itertools.count(1)


def new_address() -> str:
    """Return an address that nobody has on a site of this run."""
    return f"ann{next(_numbers)}@example.org"


def send(context: BrowserContext, site: str, path: str, **form: str) -> str:
    """Send a form of the site as the browser would, and return the page that comes of it."""
    page = context.request.get(site + path).text()
    token = re.search(r'name="csrfmiddlewaretoken" value="(\w+)"', page)
    assert token, f"{path} has no form"
    form["csrfmiddlewaretoken"] = token[1]
    answer = context.request.post(site + path, form={**form}, headers={"Referer": site + path})
    assert answer.ok, answer.text()
    return answer.text()


def let_in(context: BrowserContext, site: str, home: Path) -> None:
    """Sign somebody new in to a site that keeps everything in a folder."""
    cookie = json.loads(manage(home, "shell", "--no-imports", "-v0", "-c", LET_IN))
    context.add_cookies([{**cookie, "url": site}])


def mailed_code(context: BrowserContext, site: str, email: str) -> str:
    """Look into /dev/mail for the newest code to an address."""
    page = context.new_page()
    page.goto(f"{site}/dev/mail")
    # Other addresses may end like this one.
    mail = page.locator("[data-mail]").filter(has=page.locator(f".address:text-is('{email}')"))
    code = mail.first.locator("[data-code]").inner_text()
    page.close()
    return code


def sign_up(context: BrowserContext, site: str) -> str:
    """Make an account in a browser, which is signed in then, and return its address."""
    email = new_address()
    send(context, site, "/accounts/signup/", email=email, password1=PASSWORD)
    send(context, site, "/accounts/confirm-email/", code=mailed_code(context, site, email))
    return email


def sign_in(context: BrowserContext, site: str, email: str) -> None:
    """Sign in with the password that everybody here has."""
    send(context, site, "/accounts/login/", login=email, password=PASSWORD)


class Device:
    """A page's device that makes passkeys and answers for them at once, as after a finger on it."""

    def __init__(self, page: Page) -> None:
        self._devtools: CDPSession = page.context.new_cdp_session(page)
        self._devtools.send("WebAuthn.enable")
        options = {
            "protocol": "ctap2",
            "transport": "internal",
            "hasResidentKey": True,
            "hasUserVerification": True,
            "isUserVerified": True,
            "automaticPresenceSimulation": True,
        }
        made = self._devtools.send("WebAuthn.addVirtualAuthenticator", {"options": options})
        self._id = made["authenticatorId"]

    def knows_its_owner(self, does: bool) -> None:
        """Let it know the finger that touches it, or not."""
        self._devtools.send("WebAuthn.setUserVerified", {"authenticatorId": self._id, "isUserVerified": does})
