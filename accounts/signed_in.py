"""The user behind a request, where there has to be one."""

from __future__ import annotations

from typing import TYPE_CHECKING

from django.utils.translation import gettext as _

from accounts.models import User
from bakers.problems import SignInRequired

if TYPE_CHECKING:
    from django.http import HttpRequest
    from rest_framework.request import Request


def caller(request: Request) -> User:
    """Return the user who calls the API.

    Raises:
        SignInRequired: it is a guest.
    """
    if not isinstance(request.user, User):
        raise SignInRequired(_("Sign in first."))
    return request.user


def visitor(request: HttpRequest) -> User:
    """Return the user who opens a page that sends guests away to sign in."""
    user = request.user
    # The request's own is an object that looks the user up when it is used.
    if not isinstance(user, User):
        raise TypeError("Only for somebody who has signed in.")
    return user
