"""Who asks, and that the request comes from our own page."""

from __future__ import annotations

from typing import Any

from django.http import HttpRequest, HttpResponse
from django.middleware.csrf import CsrfViewMiddleware
from django.utils.translation import gettext as _
from rest_framework.authentication import BaseAuthentication
from rest_framework.exceptions import PermissionDenied
from rest_framework.request import Request


class CsrfFailed(PermissionDenied):
    """The request carries no valid CSRF token."""

    default_code = "csrf_failed"


class _CsrfCheck(CsrfViewMiddleware):
    """The middleware's check, with the reason as its answer."""

    def _reject(self, request: Any, reason: str) -> Any:
        return reason


class SessionAuthentication(BaseAuthentication):
    """The session's user, or nobody; and a CSRF check on every unsafe request of either.

    DRF's own class checks only those who have signed in. Here guests have games to lose, too.
    """

    def authenticate(self, request: Request) -> tuple[Any, None] | None:
        """Return the active user of the session, or None for a guest; refuse a forged request."""
        django_request = request._request  # noqa: SLF001 (where DRF keeps it, for authentication classes too)
        _enforce_csrf(django_request)
        user = getattr(django_request, "user", None)
        if user is None or not user.is_authenticated or not user.is_active:
            return None
        return user, None


def _enforce_csrf(request: HttpRequest) -> None:
    # The token comes in the header alone. Looking for it in a form would parse the form, and DRF then takes what was
    # parsed as the request's input, though no parser of the API reads forms.
    request._mark_post_parse_error()  # type: ignore[attr-defined]  # noqa: SLF001 (says that there is no form)
    check = _CsrfCheck(_no_response)
    check.process_request(request)
    reason = check.process_view(request, _no_response, (), {})
    if reason:
        raise CsrfFailed(_("The page is out of date or its cookies are blocked. Reload it and try again."))


def _no_response(request: HttpRequest) -> HttpResponse:
    """Stand in for the view, which the check asks only whether it is exempt."""
    return HttpResponse()
