"""Errors: one shape for all, JSON where a program asks and a page where a person does."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest
from django.core.exceptions import BadRequest, PermissionDenied, SuspiciousOperation
from django.db import (
    DatabaseError,
    IntegrityError,
    InterfaceError,
    InternalError,
    OperationalError,
)
from django.http import Http404
from django.test import Client
from psycopg.errors import ReadOnlySqlTransaction
from rest_framework import exceptions

from bakers.api.errors import RETRY_AFTER, exception_handler
from bakers.models import Game
from bakers.problems import HelpRefused, Problem, SignInRequired, Throttled
from tests.conftest import ApiClient
from tests.database import held_lock, rows


def codes_of(problem: type[Problem]) -> Iterator[tuple[str, int]]:
    for cls in problem.__subclasses__():
        yield cls.code, cls.status
        yield from codes_of(cls)


def test_each_code_means_one_thing():
    codes = [code for code, _ in codes_of(Problem)]

    assert len(codes) == len(set(codes))


def read_only() -> InternalError:
    """Return what Django makes of a write while PostgreSQL takes none."""
    error = InternalError("cannot execute UPDATE in a read-only transaction")
    error.__cause__ = ReadOnlySqlTransaction()
    return error


class TestTheExceptionHandler:
    """What DRF asks how an exception is answered; some of them nothing raises yet."""

    def handle(self, exception: Exception) -> Any:
        return exception_handler(exception, {})

    @pytest.mark.parametrize(
        ("exception", "status", "code"),
        [
            (exceptions.ParseError(), 400, "malformed"),
            (exceptions.ValidationError({"at": ["No."]}), 400, "invalid"),
            (exceptions.NotAuthenticated(), 401, "sign_in_required"),
            (exceptions.AuthenticationFailed(), 401, "sign_in_required"),
            (exceptions.PermissionDenied(), 403, "permission_denied"),
            (PermissionDenied(), 403, "permission_denied"),
            (SignInRequired("Sign in first."), 403, "sign_in_required"),
            (exceptions.NotFound(), 404, "not_found"),
            (Http404(), 404, "not_found"),
            (exceptions.MethodNotAllowed("PUT"), 405, "method_not_allowed"),
            (exceptions.NotAcceptable(), 406, "not_acceptable"),
            (exceptions.UnsupportedMediaType("text/plain"), 415, "unsupported_media_type"),
            (exceptions.Throttled(), 429, "throttled"),
            (Throttled(retry_after=7), 429, "throttled"),
            (HelpRefused(), 403, "help_refused"),
            (OperationalError("database is locked"), 503, "busy"),
            (InterfaceError("connection already closed"), 503, "busy"),
            (read_only(), 503, "busy"),
        ],
    )
    def test_gives_every_refusal_the_one_shape(self, exception, status, code):
        response = self.handle(exception)

        assert response.status_code == status
        assert set(response.data) == {"error"}
        assert set(response.data["error"]) == {"code", "message", "detail"}
        assert response.data["error"]["code"] == code
        assert isinstance(response.data["error"]["message"], str)
        assert response.data["error"]["message"]
        assert isinstance(response.data["error"]["detail"], dict)

    def test_leaves_the_databases_other_internal_errors_to_be_logged_as_faults(self):
        assert self.handle(InternalError("current transaction is aborted")) is None

    @pytest.mark.parametrize(("wait", "header"), [(30, "30"), (0.2, "1"), (59.9, "60"), (0, "0")])
    def test_says_when_a_throttled_caller_may_come_back(self, wait, header):
        assert self.handle(exceptions.Throttled(wait=wait)).headers["Retry-After"] == header

    def test_says_when_a_caller_over_a_limit_may_come_back(self):
        response = self.handle(Throttled(retry_after=7))

        assert response.headers["Retry-After"] == "7"
        assert response.data["error"]["detail"] == {"retry_after": 7}

    def test_says_that_only_to_them(self):
        assert "Retry-After" not in self.handle(HelpRefused()).headers

    @pytest.mark.parametrize(
        "exception",
        [
            RuntimeError("secret"),
            DatabaseError("secret"),
            IntegrityError("secret"),
            KeyError("secret"),
            ValueError(),
        ],
    )
    def test_leaves_faults_to_be_logged_and_answered_as_such(self, exception):
        assert self.handle(exception) is None


@pytest.fixture
def faulty(monkeypatch):
    """Makes the site raise an exception, in an API view, in a page and in a move."""

    def fail(exception: Exception) -> None:
        def raising(**_kwargs: Any) -> None:
            raise exception

        for name in ("list_games", "new_deal", "play"):
            monkeypatch.setattr(f"bakers.games.{name}", raising)

    return fail


class TestAFault:
    @pytest.mark.parametrize(
        "exception", [RuntimeError("secret"), DatabaseError("secret"), AssertionError("secret")]
    )
    def test_in_the_api_is_json_that_tells_nothing(self, api, faulty, exception):
        faulty(exception)
        api.browser.raise_request_exception = False

        response = api.get("games")

        assert response.status_code == 500
        assert response.json()["error"]["code"] == "internal"
        assert b"secret" not in response.content

    def test_in_a_page_is_a_page_that_tells_nothing(self, api, faulty):
        faulty(RuntimeError("secret"))
        api.browser.raise_request_exception = False

        response = api.browser.get("/")

        assert response.status_code == 500
        assert response.headers["Content-Type"] == "text/html; charset=utf-8"
        assert b"secret" not in response.content
        assert b"<h1>" in response.content

    def test_is_logged_with_what_went_wrong(self, api, faulty, caplog):
        faulty(RuntimeError("secret"))
        api.browser.raise_request_exception = False
        api.get("games")

        assert any(record.exc_info and "secret" in str(record.exc_info[1]) for record in caplog.records)


@pytest.mark.parametrize(
    ("exception", "status", "code"),
    [
        (Http404("secret"), 404, "not_found"),
        (PermissionDenied("secret"), 403, "permission_denied"),
        (BadRequest("secret"), 400, "malformed"),
        (SuspiciousOperation("secret"), 400, "malformed"),
    ],
)
def test_what_django_refuses_is_json_in_the_api_and_a_page_elsewhere(api, faulty, exception, status, code):
    faulty(exception)

    response = api.browser.get("/api/games")
    assert response.status_code == status
    assert response.json()["error"]["code"] == code
    assert response.headers["Cache-Control"] == "no-store"
    page = api.browser.get("/")
    assert page.status_code == status
    assert page.headers["Content-Type"] == "text/html; charset=utf-8"
    assert b"secret" not in response.content + page.content


@pytest.mark.parametrize(
    "path", ["", "nothing", "games/x", "deals/a/b/c", "..", "%00", "%ff", "game", "v1/games", "games;x"]
)
def test_an_address_of_nothing_under_api_is_json(api, path):
    response = api.get(path)

    assert response.status_code == 404
    assert response.json()["error"]["code"] == "not_found"


def test_api_itself_is_json_too(client):
    response = client.get("/api")

    assert response.status_code == 404
    assert response.json()["error"]["code"] == "not_found"


@pytest.mark.parametrize(
    "path", ["/nothing", "/apiary", "/game/x", "/play/klondike", "/play/bakers-dozen/x", "/%ff", "/api.html"]
)
def test_an_address_of_nothing_elsewhere_is_a_page(client, db, path):
    response = client.get(path)

    assert response.status_code == 404
    assert response.headers["Content-Type"] == "text/html; charset=utf-8"


def test_another_host_is_refused_in_json(client, db):
    response = client.get("/api/games", headers={"Host": "evil.example"})

    assert response.status_code == 400
    assert response.json()["error"]["code"] == "malformed"


@pytest.mark.parametrize(
    "query", ["format=xml", "format=", "format=api", "x=%00", "x=%ff", "&&&=", "limit=-1", "_method=DELETE"]
)
def test_a_question_mark_changes_nothing(api, query):
    assert api.get(f"games?{query}").json() == {"games": []}


class TestBusy:
    """A database that can't answer now: 503, and a hint when to try again."""

    def expect_busy(self, response: Any) -> None:
        assert response.status_code == 503
        assert response.json()["error"]["code"] == "busy"
        assert response.headers["Retry-After"] == str(RETRY_AFTER)

    def test_in_a_view_is_json(self, api, faulty):
        assert api.token
        faulty(OperationalError("database is locked"))

        self.expect_busy(api.get("games"))
        self.expect_busy(api.get("deals/bakers-dozen"))
        self.expect_busy(api.moves({"id": "00000000-0000-4000-8000-000000000000", "version": 0, "ply": 0}))

    def test_outside_of_the_views_is_json_too(self, api, monkeypatch):
        """A guest's first game is there, and their session can't be stored."""

        def locked(*_args: Any, **_kwargs: Any) -> None:
            raise OperationalError("database is locked")

        api.browser.raise_request_exception = False
        token = api.token
        monkeypatch.setattr("django.contrib.sessions.backends.db.SessionStore.save", locked)

        response = api.send(
            "post", "games", b'{"variant": "bakers-dozen", "kind": "casual"}', headers={"X-CSRFToken": token}
        )

        self.expect_busy(response)

    def test_in_a_page_is_a_page(self, api, faulty):
        faulty(OperationalError("database is locked"))
        api.browser.raise_request_exception = False

        response = api.browser.get("/")

        assert response.status_code == 503
        assert response.headers["Content-Type"] == "text/html; charset=utf-8"
        assert response.headers["Retry-After"] == str(RETRY_AFTER)
        assert b"locked" not in response.content


class TestTooOften:
    """A caller over a limit: 429, and when to come back."""

    def test_in_the_api_is_json(self, api, faulty):
        faulty(Throttled(retry_after=30))

        # Reading one's games is not limited, so openapi.yaml doesn't describe this answer.
        response = api.browser.get("/api/games")

        assert response.status_code == 429
        assert response.headers["Retry-After"] == "30"
        assert response.headers["Cache-Control"] == "no-store"
        assert response.json()["error"]["code"] == "throttled"

    def test_in_a_page_is_a_page_and_no_fault(self, api, faulty, caplog):
        faulty(Throttled("secret", retry_after=30))

        response = api.browser.get("/")

        assert response.status_code == 429
        assert response.headers["Content-Type"] == "text/html; charset=utf-8"
        assert response.headers["Retry-After"] == "30"
        assert response.headers["Cache-Control"] == "no-store"
        assert b"in 30 seconds" in response.content
        assert "429.html" in [template.name for template in response.templates]
        assert not [record for record in caplog.records if record.levelname == "ERROR"]

    def test_of_one_second_is_one_second(self, api, faulty):
        faulty(Throttled(retry_after=1))

        assert b"in 1 second." in api.browser.get("/").content


@pytest.mark.django_db(transaction=True)
def test_a_lock_that_lasts_is_busy_and_the_same_request_does_it_once_it_is_gone():
    api = ApiClient()
    state = api.play(api.start(), "96")
    body = {"request_id": "while-busy", "version": 1, "at": 1, "moves": ["3d"]}
    before = rows()

    with held_lock(Game.objects.filter(pk=state["id"])):
        for response in (api.post(f"games/{state['id']}/moves", body), api.resign(state)):
            assert response.status_code == 503
            assert response.json()["error"]["code"] == "busy"
            assert response.headers["Retry-After"] == str(RETRY_AFTER)
        # Reading goes on meanwhile.
        assert api.state(state)["ply"] == 1

    assert rows() == before
    assert api.post(f"games/{state['id']}/moves", body).json()["ply"] == 2


def test_a_page_that_only_takes_get_says_so(client, db):
    forged = Client(enforce_csrf_checks=True).post("/")
    assert forged.status_code == 403
    assert client.post("/").status_code == 405
    assert client.put("/rules/bakers-dozen").status_code == 405
