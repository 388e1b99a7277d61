"""Errors in one shape: `{"error": {"code", "message", "detail"}}`."""

from __future__ import annotations

import math
from typing import Any

import structlog
from django.contrib.auth import get_user_model
from django.core.exceptions import PermissionDenied as DjangoPermissionDenied
from django.db import IntegrityError, InterfaceError, InternalError, OperationalError, connection
from django.http import Http404, HttpRequest, JsonResponse
from django.utils.translation import gettext as _
from django.utils.translation import gettext_noop
from rest_framework import exceptions
from rest_framework.request import Request
from rest_framework.response import Response

from bakers.presenters import game_state
from bakers.problems import Busy, Problem, SignInRequired, Throttled

log = structlog.get_logger(__name__)

#: Seconds after which a caller may try a busy server again.
RETRY_AFTER = 1
_BUSY = gettext_noop("The server is busy. Please try again in a moment.")

# PostgreSQL's state for a write in a read-only transaction.
_READ_ONLY = "25006"

_CODES = {
    exceptions.ParseError: "malformed",
    exceptions.ValidationError: "invalid",
    exceptions.NotAuthenticated: "sign_in_required",
    exceptions.AuthenticationFailed: "sign_in_required",
    exceptions.NotFound: "not_found",
    exceptions.MethodNotAllowed: "method_not_allowed",
    exceptions.NotAcceptable: "not_acceptable",
    exceptions.UnsupportedMediaType: "unsupported_media_type",
    exceptions.Throttled: "throttled",
}


def error_body(code: str, message: str, detail: dict[str, Any] | None = None) -> dict[str, Any]:
    """Return the body of every error."""
    return {"error": {"code": code, "message": message, "detail": detail or {}}}


def is_busy(exception: BaseException | None) -> bool:
    """Whether the database can't answer now, and the same request may succeed in a moment.

    It is locked, full of connections, restarting (the connection is gone), or read-only while another server takes
    over, which PostgreSQL calls an internal error.
    """
    if isinstance(exception, InternalError):
        return getattr(exception.__cause__, "sqlstate", None) == _READ_ONLY
    return isinstance(exception, (OperationalError, InterfaceError))


def exception_handler(exception: Exception, context: dict[str, Any]) -> Response | None:
    """Turn what a view raised into an answer; None leaves it to Django, which logs it and answers 500."""
    if isinstance(exception, IntegrityError) and _is_gone(context.get("request")):
        exception = SignInRequired(_("This account was deleted."))
    if isinstance(exception, Problem):
        detail = dict(exception.detail)
        if exception.table is not None:
            detail["game"] = game_state(exception.table)
        wait_for = {}
        if isinstance(exception, Throttled):
            wait_for["Retry-After"] = str(exception.retry_after)
        elif isinstance(exception, Busy):
            wait_for["Retry-After"] = str(RETRY_AFTER)
        body = error_body(exception.code, exception.message, detail)
        return Response(body, status=exception.status, headers=wait_for)
    if is_busy(exception):
        return _busy(exception)
    if isinstance(exception, Http404):
        exception = exceptions.NotFound(_("There is nothing at this address."))
    if isinstance(exception, DjangoPermissionDenied):
        exception = exceptions.PermissionDenied()
    if not isinstance(exception, exceptions.APIException):
        return None
    headers = {}
    if getattr(exception, "auth_header", None):
        headers["WWW-Authenticate"] = exception.auth_header  # type: ignore[attr-defined]
    wait = getattr(exception, "wait", None)
    if wait is not None:
        headers["Retry-After"] = str(math.ceil(wait))
    body = error_body(_code(exception), _message(exception), _detail(exception))
    return Response(body, status=exception.status_code, headers=headers)


def _is_gone(request: Request | None) -> bool:
    """Whether a user was deleted while a request of theirs went on: what it would have stored points to nobody."""
    user = None if request is None else request.user
    if user is None or user.pk is None:
        return False
    return not get_user_model().objects.filter(pk=user.pk).exists()


def _busy(exception: Exception) -> Response:
    # Its request id makes repeating the request safe.
    log.warning("database busy", vendor=connection.vendor, reason=str(exception)[:200])
    return Response(error_body("busy", _(_BUSY)), status=503, headers={"Retry-After": str(RETRY_AFTER)})


def _code(exception: exceptions.APIException) -> str:
    for cls, code in _CODES.items():
        if isinstance(exception, cls):
            return code
    return exception.default_code


def _message(exception: exceptions.APIException) -> str:
    if isinstance(exception, exceptions.ValidationError):
        return _("Something in the request isn’t as it should be.")
    return str(exception.detail)


def _detail(exception: exceptions.APIException) -> dict[str, Any]:
    if isinstance(exception, exceptions.ValidationError):
        return {"fields": exception.detail}
    return {}


# Django's own handlers, for addresses that no view answers and for faults outside of the API's views.


def is_api(request: HttpRequest) -> bool:
    """Whether an address belongs to the API, and errors there are JSON."""
    return request.path.startswith("/api/") or request.path == "/api"


def json_error(status: int) -> JsonResponse:
    """Return the API's answer for a fault outside of its views."""
    code, message = {
        400: ("malformed", _("The request can’t be read.")),
        403: ("permission_denied", _("This isn’t allowed.")),
        404: ("not_found", _("There is nothing at this address.")),
        500: ("internal", _("Something went wrong on our side. It has been noted.")),
        503: ("busy", _(_BUSY)),
    }[status]
    response = JsonResponse(error_body(code, message), status=status)
    response["Cache-Control"] = "no-store"
    return response
