"""What stands around the pages."""

from __future__ import annotations

from collections.abc import Callable

from django.http import HttpRequest, HttpResponse
from django.http.response import HttpResponseBase
from django.shortcuts import render

from bakers.api.errors import is_api
from bakers.problems import Throttled


class ThrottledPageMiddleware:
    """Answer a page that was asked for too often with a page that says so; the API says so itself.

    Django would take the refusal for a fault of ours, and log it as one.
    """

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponseBase]) -> None:
        """Stand around the views."""
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponseBase:
        """Answer the request."""
        return self.get_response(request)

    def process_exception(self, request: HttpRequest, exception: Exception) -> HttpResponse | None:
        """Return the page for a caller over a limit, and leave everything else to Django."""
        if not isinstance(exception, Throttled) or is_api(request):
            return None
        response = render(request, "429.html", {"retry_after": exception.retry_after}, status=429)
        response["Retry-After"] = str(exception.retry_after)
        response["Cache-Control"] = "no-store"
        return response
