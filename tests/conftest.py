"""What many tests need: clients that behave as a browser does, and the golden data."""

from __future__ import annotations

import itertools
import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from django.test import Client

DATA = Path(__file__).parent / "data"


class ApiClient:
    """A browser's side of the API: keeps cookies, sends the CSRF token, speaks JSON."""

    def __init__(self) -> None:
        self.browser = Client(enforce_csrf_checks=True)
        self._numbers = itertools.count()

    def request_id(self) -> str:
        """Return an id that this client hasn't used yet."""
        return f"request-{id(self):x}-{next(self._numbers)}"

    def get(self, path: str) -> Any:
        """GET an address under /api/."""
        return self.browser.get(f"/api/{path}")

    def post(self, path: str, body: Any, **extra: Any) -> Any:
        """POST a body as JSON with the page's CSRF token, which a first visit gets."""
        if "csrftoken" not in self.browser.cookies:
            self.browser.get("/")
        headers = {"X-CSRFToken": self.browser.cookies["csrftoken"].value, **extra.pop("headers", {})}
        content = body if isinstance(body, (str, bytes)) else json.dumps(body)
        extra.setdefault("content_type", "application/json")
        return self.browser.post(f"/api/{path}", content, headers=headers, **extra)

    def start(self, variant: str = "bakers-dozen", **body: Any) -> dict[str, Any]:
        """Start a casual game, deal 2 unless told otherwise, and return its state."""
        body.setdefault("kind", "casual")
        if body["kind"] == "casual":
            body.setdefault("deal", "2")
        response = self.post("games", {"variant": variant, **body})
        assert response.status_code == 201, response.content
        state: dict[str, Any] = response.json()
        return state

    def moves(self, state: dict[str, Any], *moves: str, **body: Any) -> Any:
        """Play moves from where a state stands, and return the response."""
        body.setdefault("request_id", self.request_id())
        body.setdefault("version", state["version"])
        body.setdefault("at", state["ply"])
        return self.post(f"games/{state['id']}/moves", {"moves": list(moves), **body})

    def play(self, state: dict[str, Any], *moves: str, **body: Any) -> dict[str, Any]:
        """Play moves that must be accepted, and return the new state."""
        response = self.moves(state, *moves, **body)
        assert response.status_code == 200, response.content
        new: dict[str, Any] = response.json()
        return new


@pytest.fixture
def api(db: None) -> ApiClient:
    """A guest's browser."""
    return ApiClient()


@pytest.fixture
def new_api(db: None) -> Callable[[], ApiClient]:
    """Makes browsers of other guests."""
    return ApiClient


@pytest.fixture(scope="session")
def winning_lines() -> dict[str, list[str]]:
    """A winning line of deal 2 for each variant."""
    lines = json.loads((DATA / "cases/lines.json").read_text())["lines"]
    return {entry["variant"]: entry["line"].split() for entry in lines}
