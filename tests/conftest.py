"""What many tests need: clients that behave as a browser does, and the golden data."""

from __future__ import annotations

import copy
import datetime
import itertools
import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from django.contrib.auth import get_user_model
from django.test import Client

from tests import openapi

DATA = Path(__file__).parent / "data"


class ApiClient:
    """A browser's side of the API: keeps cookies, sends the CSRF token, speaks JSON.

    Every answer is checked against openapi.yaml.
    """

    def __init__(self, user: Any = None) -> None:
        self.browser = Client(enforce_csrf_checks=True)
        self._numbers = itertools.count()
        if user is not None:
            self.browser.force_login(user)

    def tab(self) -> ApiClient:
        """Return another tab of this browser: the same cookies, which it then keeps by itself."""
        tab = ApiClient()
        tab.browser.cookies = copy.deepcopy(self.browser.cookies)
        return tab

    def request_id(self) -> str:
        """Return an id that this client hasn't used yet."""
        return f"request-{id(self):x}-{next(self._numbers)}"

    @property
    def token(self) -> str:
        """The CSRF token of this browser, which a first visit to any table gets."""
        if "csrftoken" not in self.browser.cookies:
            self.browser.get("/")
        return self.browser.cookies["csrftoken"].value

    def send(self, method: str, path: str, content: Any = b"", **extra: Any) -> Any:
        """Send a request to an address under /api/ just as it is given."""
        extra.setdefault("content_type", "application/json")
        response = self.browser.generic(method.upper(), f"/api/{path}", content, **extra)
        openapi.check(response, method, f"/api/{path}")
        return response

    def get(self, path: str) -> Any:
        """GET an address under /api/."""
        return self.send("get", path, content_type="")

    def post(self, path: str, body: Any, **extra: Any) -> Any:
        """POST a body as JSON with the page's CSRF token; a string or bytes go as they are."""
        headers = {"X-CSRFToken": self.token, **extra.pop("headers", {})}
        content = body if isinstance(body, (str, bytes)) else json.dumps(body)
        return self.send("post", path, content, headers=headers, **extra)

    def patch(self, path: str, body: Any) -> Any:
        """PATCH with a body as JSON and the page's CSRF token."""
        return self.send("patch", path, json.dumps(body), headers={"X-CSRFToken": self.token})

    def resign(self, state: dict[str, Any], **body: Any) -> Any:
        """End a game, and return the response."""
        body.setdefault("request_id", self.request_id())
        body.setdefault("version", state["version"])
        return self.post(f"games/{state['id']}/resign", body)

    def state(self, state: dict[str, Any]) -> dict[str, Any]:
        """Return a game as it stands now."""
        response = self.get(f"games/{state['id']}")
        assert response.status_code == 200, response.content
        now: dict[str, Any] = response.json()
        return now

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


@pytest.fixture(autouse=True)
def _patient_searches(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let searches take the time they need, so that no answer depends on how busy the machine is."""
    for name in ("REQUEST_SECONDS", "LINE_SECONDS", "TURN_SECONDS"):
        monkeypatch.setattr(f"bakers.answers.{name}", 60.0)


@pytest.fixture
def api(db: None) -> ApiClient:
    """A guest's browser."""
    return ApiClient()


@pytest.fixture
def new_api(db: None) -> Callable[[], ApiClient]:
    """Makes browsers of other guests."""
    return ApiClient


@pytest.fixture
def new_user(db: None) -> Callable[[], Any]:
    """Makes players who have signed up."""
    numbers = itertools.count(1)
    return lambda: get_user_model().objects.create_user(f"player{next(numbers)}@example.org")


class FrozenClock:
    """The site's clock, which goes only when told to."""

    def __init__(self) -> None:
        self.time = datetime.datetime(2026, 3, 1, 12, 0, tzinfo=datetime.UTC)

    def now(self) -> datetime.datetime:
        """Return the time it shows."""
        return self.time

    def advance(self, **duration: float) -> None:
        """Move on by a duration, given as for a timedelta; back, if it is negative."""
        self.time += datetime.timedelta(**duration)


@pytest.fixture
def frozen_clock(monkeypatch: pytest.MonkeyPatch) -> FrozenClock:
    """Stops the site's clock."""
    clock = FrozenClock()
    monkeypatch.setattr("config.clock.now", clock.now)
    return clock


@pytest.fixture(scope="session")
def winning_lines() -> dict[str, list[str]]:
    """A winning line of deal 2 for each variant."""
    lines = json.loads((DATA / "cases/lines.json").read_text())["lines"]
    return {entry["variant"]: entry["line"].split() for entry in lines}
