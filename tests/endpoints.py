"""Every endpoint, read from the addresses themselves, so that a table of tests can't forget a new one."""

from __future__ import annotations

import re
import uuid
from collections.abc import Iterator
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
        """Return an address of this route; what isn't given is deal 2 of bakers-dozen, and a game of nobody's."""
        filled = {
            "variant": "bakers-dozen", "number": "2", "game_id": uuid.UUID(int=4), "pk": 4, "object_id": 4,
            "app_label": "accounts", **arguments,
        }  # fmt: skip
        # The admin's list of an app is a pattern: ^(?P<app_label>accounts|bakers)/$
        route = re.sub(r"\^\(\?P<(\w+)>[^)]*\)/\$", r"<str:\1>/", self.route)
        return "/" + re.sub(r"<(?:str|uuid|int|path):(\w+)>", lambda found: str(filled[str(found[1])]), route)


def endpoints() -> list[Endpoint]:
    """Return every endpoint of the site."""
    return sorted(_walk(get_resolver().url_patterns, ""), key=str)


def _walk(patterns: list[URLPattern | URLResolver], prefix: str) -> Iterator[Endpoint]:
    for pattern in patterns:
        route = prefix + str(pattern.pattern)
        if isinstance(pattern, URLResolver):
            yield from _walk(pattern.url_patterns, route)
            continue
        view = getattr(pattern.callback, "view_class", None) or getattr(pattern.callback, "cls", None)
        # A page is a function, and reads; one that takes forms is a class, or the admin's.
        functions = ["get", "post"] if route.startswith("admin/") else ["get"]
        methods = [name for name in view.http_method_names if hasattr(view, name)] if view else functions
        for method in methods:
            if method != "options":
                yield Endpoint(method.upper(), route)
