"""Every endpoint, read from the addresses themselves, so that a table of tests can't forget a new one."""

from __future__ import annotations

import inspect
import re
import uuid
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any

from django.urls import URLPattern, URLResolver, get_resolver

SAFE = frozenset({"GET", "HEAD", "OPTIONS"})


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
        """Return an address of this route; what isn't given is deal 2 of bakers-dozen, and a thing of nobody's.

        Of days it is a month that is past, and of players one called Ann.
        """
        filled = {
            "variant": "bakers-dozen", "number": "2", "game_id": uuid.UUID(int=4), "pk": 4, "object_id": 4,
            "app_label": "accounts", "contest": "daily", "date": "2026-03-01", "month": "2026-01", "name": "Ann",
            **arguments,
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
        for method in _methods(pattern.callback):
            # What browsers send to pages; a test sees to it that they refuse the rest.
            if method in {"get", "post"} or (route.startswith("api/") and method != "options"):
                yield Endpoint(method.upper(), route)


def _methods(view: Callable[..., Any]) -> list[str]:
    """Return what a view takes. A function that doesn't refuse by a decorator of Django's is read and sent forms to."""
    of_class = getattr(view, "view_class", None) or getattr(view, "cls", None)
    if of_class:
        return [name for name in of_class.http_method_names if hasattr(of_class, name)]
    layer: Any = view
    while layer is not None:
        # How require_safe and its like keep it. By another name it would be found nowhere, and rows would be missing.
        taken = _closure(layer).get("request_method_list")
        if taken is not None:
            return [name.lower() for name in taken]
        layer = getattr(layer, "__wrapped__", None)
    return ["get", "post"]


def _closure(view: Callable[..., Any]) -> dict[str, Any]:
    function = getattr(view, "__func__", view)
    return dict(inspect.getclosurevars(function).nonlocals) if inspect.isfunction(function) else {}


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
        "u/<str:name>",
        "api/me",
        "api/me/export",
        "api/me/settings",
    }
    return frozenset(
        endpoint
        for endpoint in endpoints()
        if endpoint.route in routes or endpoint.route.startswith("admin/")
    )
