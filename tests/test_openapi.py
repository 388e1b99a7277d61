"""openapi.yaml describes every operation there is, and none that isn't."""

from __future__ import annotations

import pytest

from tests import openapi
from tests.endpoints import endpoints


def described_route(path):
    """Return a path of openapi.yaml as the address is written in Django, with the converters left out."""
    return path.removeprefix("/").replace("{", "<").replace("}", ">")


def route(endpoint):
    return endpoint.route.replace("<uuid:", "<").replace("<str:", "<")


def test_every_operation_of_the_api_is_described_and_every_described_one_is_there():
    there = {(endpoint.method.lower(), route(endpoint)) for endpoint in endpoints() if endpoint.is_api}
    described = {(method, described_route(path)) for method, path in openapi.operations()}

    assert described == there


@pytest.mark.parametrize(("method", "path"), openapi.operations())
def test_every_operation_says_what_it_refuses(method, path):
    operation = openapi.operations()[method, path]
    answers = set(operation["responses"])

    if method != "get":
        assert {"400", "403", "413", "415"} <= answers
        assert operation["requestBody"]["required"] is True
        assert list(operation["requestBody"]["content"]) == ["application/json"]
    if "{" in path:
        assert "404" in answers


def test_names_of_operations_are_unique():
    names = [operation["operationId"] for operation in openapi.operations().values()]

    assert len(names) == len(set(names))


class TestTheCheckOfAnswers:
    """It must be able to fail."""

    STATE_REF = "#/components/schemas/GameOutput"

    @pytest.fixture
    def state(self, api):
        return api.start()

    def errors(self, state):
        return list(openapi.validator(self.STATE_REF).iter_errors(state))

    def test_takes_what_is_right(self, state):
        assert self.errors(state) == []

    @pytest.mark.parametrize(
        "change",
        [{"id": "x"}, {"id": 1}, {"status": "gone"}, {"version": "1"}, {"version": -1}, {"line": ["9Z"]},
         {"columns": [["XX"]]}, {"columns": None}, {"secret": "x"}, {"started_at": "yesterday"},
         {"started_at": "2026-01-01T00:00:00"}, {"foundations": {"C": 14, "D": 0, "H": 0, "S": 0}},
         {"foundations": {"C": 1}}, {"deal": 2}, {"help": {}}, {"par": {"moves": 1}}],
    )  # fmt: skip
    def test_finds_what_is_wrong(self, state, change):
        assert self.errors({**state, **change})

    def test_finds_what_is_missing(self, state):
        for name in state:
            if name != "replayed":
                assert self.errors({key: value for key, value in state.items() if key != name})

    def test_takes_null_where_it_may_stand(self, state):
        assert not self.errors(
            {**state, "id": None, "started_at": None, "deal": None, "par": None, "board": None}
        )
