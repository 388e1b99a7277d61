"""What stands around the pages of accounts."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from django.http import HttpRequest
from django.http.response import HttpResponseBase

from accounts import entrance

PREFIX = "/accounts/"


class EntranceMiddleware:
    """Count each form that is sent to an account's page, and keep those pages out of every cache."""

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponseBase]) -> None:
        """Stand around the views."""
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponseBase:
        """Answer the request."""
        response = self.get_response(request)
        if request.path.startswith(PREFIX):
            response["Cache-Control"] = "no-store"
        return response

    def process_view(self, request: HttpRequest, view: Callable[..., Any], args: Any, kwargs: Any) -> None:
        """Count a form once the check against forgery has let it through, and before anything is done with it."""
        if request.method == "POST" and request.path.startswith(PREFIX):
            entrance.count(request)
