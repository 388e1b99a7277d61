"""Headers that make no sense, at the door: through the application that the web server runs, not the test client."""

from __future__ import annotations

import io
import json
from typing import Any
from wsgiref.util import setup_testing_defaults

import pytest
from django.core.signals import request_finished, request_started
from django.db import close_old_connections

from config.wsgi import application

NONSENSE = [
    "application/json; charset=hex", "application/json; charset=rot13", "application/json; charset=undefined",
    "application/json; charset=idna", "application/json; charset=\0", "application/json; x*=foo''%41",
    "application/json; x*=utf-8''%ff", "application/json; x*0*=foo''%41; x*1=b", "application/json; =", ";;;",
    "\xff\xfe",
    "application/json; charset=" + "x" * 5_000, 'application/json; charset="', "application/json" + "; a=b" * 500,
]  # fmt: skip


def call(method: str, path: str, query: str = "", body: str = "", **headers: str) -> tuple[int, str, bytes]:
    """Return status, content type and body of the application's answer."""
    environ: dict[str, Any] = {
        "REQUEST_METHOD": method, "PATH_INFO": path, "QUERY_STRING": query, "HTTP_HOST": "testserver",
        "CONTENT_LENGTH": str(len(body)), "wsgi.input": io.BytesIO(body.encode()), **headers,
    }  # fmt: skip
    setup_testing_defaults(environ)
    started: dict[str, Any] = {}

    def start_response(status: str, headers: list[tuple[str, str]], *_: Any) -> Any:
        started.update(status=int(status[:3]), headers=dict(headers))

    # A request begins and ends with closing old connections, and with them the transaction around a test.
    for signal in (request_started, request_finished):
        signal.disconnect(close_old_connections)
    try:
        response = application(environ, start_response)
        content = b"".join(response)
        response.close()
    finally:
        for signal in (request_started, request_finished):
            signal.connect(close_old_connections)
    return started["status"], started["headers"]["Content-Type"], content


@pytest.mark.parametrize("value", NONSENSE)
def test_a_content_type_that_cannot_be_read_is_no_fault(db, value):
    assert call("GET", "/", "variant=good-measure&x=%ff", CONTENT_TYPE=value)[0] == 200
    assert call("GET", "/api/games", "x=%ff&y=\xff", CONTENT_TYPE=value)[0] == 200
    assert call("GET", "/nothing", "x=1", CONTENT_TYPE=value)[0] == 404


@pytest.mark.parametrize("value", NONSENSE)
def test_a_body_of_such_a_type_is_json_or_refused(api, value):
    token = api.token
    body = json.dumps({"variant": "bakers-dozen", "kind": "casual"})

    status, content_type, content = call(
        "POST",
        "/api/games",
        "x=%ff",
        body,
        CONTENT_TYPE=value,
        HTTP_COOKIE=f"csrftoken={token}",
        HTTP_X_CSRFTOKEN=token,
    )

    assert status in {201, 415}
    assert content_type == "application/json"
    if status == 415:
        assert json.loads(content)["error"]["code"] == "unsupported_media_type"


@pytest.mark.parametrize(
    "header",
    ["HTTP_ACCEPT", "HTTP_ACCEPT_LANGUAGE", "HTTP_ACCEPT_ENCODING", "HTTP_COOKIE", "HTTP_X_CSRFTOKEN", "HTTP_REFERER",
     "HTTP_ORIGIN", "HTTP_IF_MODIFIED_SINCE", "HTTP_IF_NONE_MATCH", "HTTP_RANGE", "HTTP_X_FORWARDED_FOR",
     "HTTP_X_FORWARDED_PROTO", "HTTP_X_REQUESTED_WITH", "HTTP_AUTHORIZATION", "HTTP_HOST"],
)  # fmt: skip
def test_no_header_makes_a_fault(db, header):
    for value in ("", "\0", "\xff" * 50, "x" * 5_000, ";;;=,,", 'a="\\000\\377"; b="', "x*=foo''%41;q=x"):
        for path in ("/", "/api/games", "/api/deals/bakers-dozen", "/rules/bakers-dozen", "/healthz"):
            assert call("GET", path, **{header: value})[0] < 500, (path, value)
        status, *_ = call("POST", "/api/games", body="{}", CONTENT_TYPE="application/json", **{header: value})
        assert status in {400, 403, 406}, value
