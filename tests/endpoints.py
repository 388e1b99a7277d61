"""Every endpoint, read from the addresses themselves, so that a table of tests can't forget a new one."""

from __future__ import annotations

import re
import uuid
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from django.urls import URLPattern, URLResolver, get_resolver

SAFE = frozenset({"GET", "HEAD", "OPTIONS"})
#: Pages that are functions and take forms; the others of that kind only read.
FORMS = {
    "accounts/confirm-email/": ("get", "post"),
    "accounts/confirm-email/again/": ("post",),
    "accounts/password/reset/confirm/again/": ("post",),
    "accounts/sessions/end/": ("post",),
}


@dataclass(frozen=True)
class Endpoint:
    """A method at a route: `POST api/games/<uuid:game_id>/moves`."""

    method: str
    route: str

    def __str__(self) -> str:
        return f"{self.method} /{self.route}"

    @property
    def is_api(self) -> bool:
        """Whether it belongs to the API."""
        return self.route.startswith("api/")

    @property
    def is_safe(self) -> bool:
        """Whether it only reads."""
        return self.method in SAFE

    def path(self, **arguments: Any) -> str:
        """Return an address of this route; what isn't given is deal 2 of bakers-dozen, and a thing of nobody's."""
        filled = {
            "variant": "bakers-dozen", "number": "2", "game_id": uuid.UUID(int=4), "pk": 4, "object_id": 4,
            "app_label": "accounts", **arguments,
        }  # fmt: skip
        # One of the admin's is a regular expression.
        route = re.sub(r"\^\(\?P<(\w+)>[^)]*\)/\$", r"<str:\1>/", self.route)
        path = "/"
        for part in route.replace(">", "<").split("<"):
            converter, colon, name = part.partition(":")
            path += str(filled[name]) if colon and converter in {"str", "uuid", "int", "path"} else part
        return path


def endpoints() -> list[Endpoint]:
    """Return every endpoint of the site."""
    # A route that stands twice is the first one's: ours is put before the one that it replaces.
    return sorted(set(_walk(get_resolver().url_patterns, "")), key=str)


def _walk(patterns: list[URLPattern | URLResolver], prefix: str) -> Iterator[Endpoint]:
    for pattern in patterns:
        route = prefix + str(pattern.pattern)
        if isinstance(pattern, URLResolver):
            yield from _walk(pattern.url_patterns, route)
            continue
        view = getattr(pattern.callback, "view_class", None) or getattr(pattern.callback, "cls", None)
        # The admin's pages are functions that take forms.
        functions = ["get", "post"] if route.startswith("admin/") else ["get"]
        methods = [name for name in view.http_method_names if hasattr(view, name)] if view else functions
        for method in FORMS.get(route, methods):
            # What a browser sends to pages; a test sees to it that they refuse the rest.
            if method in {"get", "post"} or (route.startswith("api/") and method != "options"):
                yield Endpoint(method.upper(), route)


def entrance() -> frozenset[Endpoint]:
    """Return what belongs to signing in: allauth's pages and ours beside them. No game is shown there."""
    ours = {
        Endpoint("GET", "accounts/signed-out/"),
        Endpoint("POST", "accounts/confirm-email/again/"),
        Endpoint("POST", "accounts/password/reset/confirm/again/"),
        Endpoint("POST", "accounts/sessions/end/"),
        Endpoint("GET", "dev/mail"),
    }
    return frozenset(_walk(get_resolver("allauth.urls").url_patterns, "accounts/")) | ours


def account_pages() -> frozenset[Endpoint]:
    """Return what shows and changes an account, and what staff look at: no cards are shown there."""
    routes = {
        "accounts/",
        "accounts/name/",
        "accounts/delete/",
        "accounts/deleted/",
        "api/me",
        "api/me/export",
        "api/me/settings",
    }
    return frozenset(
        endpoint
        for endpoint in endpoints()
        if endpoint.route in routes or endpoint.route.startswith("admin/")
    )
