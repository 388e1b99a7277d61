"""Cookies as they arrive."""

from collections.abc import Callable

from django.http import HttpRequest
from django.http.response import HttpResponseBase


class PlainCookiesMiddleware:
    """Forget cookies with control characters in them.

    None of ours has any, but a quoted cookie may spell them out, and PostgreSQL refuses to look a session up by a key
    with NUL in it.
    """

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponseBase]) -> None:
        """Stand around the rest of the site."""
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponseBase:
        """Answer the request as if such cookies weren't there."""
        for name in [name for name, value in request.COOKIES.items() if not value.isprintable()]:
            del request.COOKIES[name]
        return self.get_response(request)
