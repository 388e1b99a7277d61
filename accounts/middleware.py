"""What stands around the pages of accounts."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import structlog
from allauth.account.adapter import get_adapter
from allauth.account.internal.flows.reauthentication import raise_if_reauthentication_required
from allauth.core.exceptions import ReauthenticationRequired
from django.conf import settings
from django.contrib.auth.models import AnonymousUser
from django.core.exceptions import PermissionDenied
from django.db import DatabaseError, OperationalError
from django.http import HttpRequest, HttpResponse, HttpResponseNotAllowed, HttpResponseRedirect
from django.http.response import HttpResponseBase
from django.shortcuts import render, resolve_url
from django.utils.http import urlencode

from accounts import entrance, known, pending
from accounts.adapters import SIGNED_OUT
from accounts.models import User
from accounts.problems import MailNotSent
from accounts.sessions import stored_session
from bakers.problems import Throttled

log = structlog.get_logger(__name__)

PREFIX = "/accounts/"
#: What browsers send to pages; allauth's take some other methods as well.
METHODS = ("GET", "HEAD", "OPTIONS", "POST")
#: Pages that are opened only by somebody who has just shown who they are; allauth asks when their form is sent.
FRESH = frozenset({"account_email"})
#: Seconds after which a mail server may be asked again.
MAIL_RETRY_AFTER = 60


class EntranceMiddleware:
    """Count what is sent to the pages of accounts, keep them out of every cache, and say what stands in their way."""

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponseBase]) -> None:
        """Stand around the views."""
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponseBase:
        """Answer the request."""
        response = self.get_response(request)
        if request.path.startswith(PREFIX):
            response["Cache-Control"] = "no-store"
            known.remember(request, response)
            pending.remember(request)
        if SIGNED_OUT in request.META:
            # Unsent moves, settings, and the pages that the way back would show.
            response["Clear-Site-Data"] = '"cache", "storage"'
        return response

    def process_view(
        self, request: HttpRequest, view: Callable[..., Any], args: Any, kwargs: Any
    ) -> HttpResponseBase | None:
        """Count a form once the check against forgery has let it through, and before anything is done with it."""
        if not request.path.startswith(PREFIX):
            return None
        if request.method not in METHODS:
            return HttpResponseNotAllowed(METHODS)
        try:
            entrance.count(request)
            pending.drop_stale(request)
            name = request.resolver_match.url_name if request.resolver_match else None
            if name in FRESH and request.user.is_authenticated:
                raise_if_reauthentication_required(request, app="allauth.account")
        except (Throttled, ReauthenticationRequired) as problem:
            return self.process_exception(request, problem)
        return None

    def process_exception(self, request: HttpRequest, exception: Exception) -> HttpResponseBase | None:
        """Answer what a view of accounts couldn't do."""
        if isinstance(exception, ReauthenticationRequired):
            return _ask_who(request)
        if (
            request.path.startswith(PREFIX)
            and isinstance(exception, DatabaseError)
            and not isinstance(exception, OperationalError)
            and _is_nobody(request)
        ):
            # The account was deleted in the moment of signing in: nothing has come of it, and the visitor is who they
            # were.
            log.warning("no account to sign in to", reason=type(exception).__name__)
            request.session = stored_session(request.COOKIES.get(settings.SESSION_COOKIE_NAME))
            request.user = AnonymousUser()
            return HttpResponseRedirect(resolve_url("account_login"))
        if isinstance(exception, MailNotSent):
            return _refusal(request, "accounts/mail_failed.html", 503, MAIL_RETRY_AFTER)
        if isinstance(exception, Throttled) and request.path.startswith(PREFIX):
            return _refusal(request, "accounts/too_often.html", 429, exception.retry_after)
        return None


def _is_nobody(request: HttpRequest) -> bool:
    return request.user.pk is None or not User.objects.filter(pk=request.user.pk).exists()


def _refusal(request: HttpRequest, template: str, status: int, retry_after: int) -> HttpResponse:
    minutes, seconds = divmod(retry_after, 60)
    context = {"minutes": minutes + bool(seconds), "seconds": retry_after}
    response = render(request, template, context, status=status)
    response["Retry-After"] = str(retry_after)
    return response


def _ask_who(request: HttpRequest) -> HttpResponseBase:
    """Ask for the password again, and come back to the page.

    allauth would keep the whole request in the session meanwhile, with the address that it came from.
    """
    where = resolve_url("account_login")
    if request.user.is_authenticated:
        methods = get_adapter().get_reauthentication_methods(request.user)
        if not methods:
            raise PermissionDenied
        where = methods[0]["url"]
    return HttpResponseRedirect(f"{where}?{urlencode({'next': request.get_full_path()})}")
