"""Browsers that have signed in to an account before, known again by a cookie.

Strangers may use up an account's limit at the entrance from many addresses. A browser that its owner has signed in with
is counted by itself, so that nobody else can keep it out.

The cookie is signed. It holds a random name for the browser and a keyed hash of the account's address: whoever reads it
learns neither, and nobody else can make one. It stays when somebody signs out, and goes when the account is deleted.
"""

from __future__ import annotations

import secrets

from django.conf import settings
from django.core import signing
from django.http import HttpRequest
from django.http.response import HttpResponseBase
from django.utils.crypto import constant_time_compare, salted_hmac

from accounts.models import User

#: Seconds for which a browser is known after its owner was last signed in there.
AGE = 365 * 24 * 60 * 60
_SALT = "accounts.known"


def browser_of(request: HttpRequest, email: str) -> str | None:
    """Return the name of a browser that has signed in to the account of an address before, or None."""
    try:
        browser, account = signing.loads(
            request.COOKIES.get(settings.KNOWN_COOKIE_NAME, ""), salt=_SALT, max_age=AGE
        )
    except (signing.BadSignature, TypeError, ValueError):
        return None
    return str(browser) if constant_time_compare(str(account), _account(email)) else None


def remember(request: HttpRequest, response: HttpResponseBase) -> None:
    """Let the browser of somebody who is signed in be known, by the name that it has if it is known already.

    Looking at pages changes nothing: whoever signs in or changes the address sends a form.
    """
    if request.method != "POST" or not request.user.is_authenticated:
        return
    # The request's own user may still have the address from before.
    email = User.objects.filter(pk=request.user.pk).values_list("email", flat=True).first()
    if email is None:
        return
    browser = browser_of(request, email) or secrets.token_urlsafe(16)
    value = signing.dumps((browser, _account(email)), salt=_SALT)
    response.set_cookie(
        settings.KNOWN_COOKIE_NAME,
        value,
        max_age=AGE,
        secure=settings.SESSION_COOKIE_SECURE,
        httponly=True,
        samesite="Lax",
    )


def forget(response: HttpResponseBase) -> None:
    """Let the browser be a stranger's again."""
    response.delete_cookie(settings.KNOWN_COOKIE_NAME, samesite="Lax")


def _account(email: str) -> str:
    return salted_hmac(_SALT, email.strip().lower(), algorithm="sha256").hexdigest()
