"""Strict input: whatever is sent to whatever takes input, the answer is a 4xx in the one shape, and nothing changes."""

from __future__ import annotations

import io
import json
from typing import Any

import pytest
from django.conf import settings

from tests.database import rows
from tests.endpoints import Endpoint, endpoints

#: A body that each unsafe endpoint takes. A new endpoint needs a line here, and gets all the tests below.
GOOD: dict[str, dict[str, Any]] = {
    "POST /api/deals": {"variant": "bakers-dozen", "layout": "PySolFC 2", "sink_kings": False},
    "POST /api/games": {"variant": "bakers-dozen", "kind": "casual", "deal": "2", "request_id": "start-0001"},
    "POST /api/games/<uuid:game_id>/moves": {
        "request_id": "batch-0001", "version": 1, "at": 1, "moves": ["3d", "43"],
    },
    "POST /api/games/<uuid:game_id>/resign": {"request_id": "batch-0001", "version": 1},
    "POST /api/games/<uuid:game_id>/hint": {"version": 1, "deeper": True},
    "POST /api/games/<uuid:game_id>/postmortem": {"version": 1, "deeper": True},
    "POST /api/games/<uuid:game_id>/solution": {"version": 1, "ply": 1, "deeper": True},
    "POST /api/solve": {
        "variant": "original-1883", "deal": "2", "line": ["31"], "budget": 10, "deeper": True, "par": True,
        "rating": True, "line_of_covered": True,
    },
    "PATCH /api/me/settings": {
        "autoplay": False, "tap": "column", "ask": True, "autocomplete": False, "safeHome": True, "winnable": True,
        "clock": False, "lamp": True, "kinks": True, "theme": "dark", "suits": "four", "speed": "slow",
        "shortcuts": False,
    },
}  # fmt: skip

#: Starts that use the other fields.
LAYOUT_START = {"variant": "bakers-dozen", "kind": "practice", "layout": "PySolFC 2", "sink_kings": True}
AGAIN_START = {
    "variant": "bakers-dozen",
    "kind": "practice",
    "from_game": "00000000-0000-4000-8000-000000000000",
}

WINNABLE_START = {"variant": "bakers-dozen", "kind": "casual", "winnable": True, "helped": True}
LAYOUT_SOLVE = {"variant": "bakers-dozen", "layout": "PySolFC 2", "sink_kings": True}
#: Fields that may be left out.
OPTIONAL = {
    "sink_kings", "deal", "deeper", "ply", "line", "budget", "par", "rating", "line_of_covered",
    *GOOD["PATCH /api/me/settings"],
}  # fmt: skip

UNSAFE = [endpoint for endpoint in endpoints() if endpoint.is_api and not endpoint.is_safe]
FIELDS = [
    *((endpoint, body, field) for endpoint, body in GOOD.items() for field in body),
    ("POST /api/games", LAYOUT_START, "layout"),
    ("POST /api/games", LAYOUT_START, "sink_kings"),
    ("POST /api/games", AGAIN_START, "from_game"),
    ("POST /api/games", WINNABLE_START, "winnable"),
    ("POST /api/games", WINNABLE_START, "helped"),
    ("POST /api/solve", LAYOUT_SOLVE, "layout"),
    ("POST /api/solve", LAYOUT_SOLVE, "sink_kings"),
]

DEEP = 100_000 // 4

#: JSON texts that are no string that any field takes.
NO_STRING = [
    "1", "0", "-1", "1.0", "1.5", "true", "false", "null", "[]", "{}", '["96"]', '{"a": "b"}', "1" + "0" * 30,
    "1" + "0" * 4_000, "1e400", "-1e400", "[" * 500 + "]" * 500,
]  # fmt: skip
#: Strings that none takes, whatever it asks for.
BAD_STRING = [
    '""', '" "', '"\\n"', '"\\t"', '"nonsense"',
    '"96\\u0000"', '"\\u0000"', '"\\ud800"', '"\\udc00\\ud800"', '"\\ud83c\\udca1"',
    '"a\\u0000bcdefgh"', '"abcdefgh\\ud800"', '"null"', '"true"', '"-1"', '"1.0"', '"NaN"',
    json.dumps("x" * 3_000), json.dumps("१२३४५६७८"), json.dumps("../../etc/passwd"), json.dumps("' OR 1=1 --"),
    json.dumps("{{7*7}}${7*7}"), json.dumps("\u202e\u200b\ufeff\x7f"),
]  # fmt: skip
NO_INTEGER = [
    '"1"', '"0"', '""', "1.0", "1.5", "1e0", "1E1", "true", "false", "null", "[]", "[1]", "{}", "-1", "-0.0",
    "1" + "0" * 30, "2147483648", "9223372036854775808", "-9223372036854775809", "1" * 4_000, "1e400", "1e-400",
    "[" * 500 + "]" * 500,
]  # fmt: skip
NO_BOOLEAN = [
    '"true"', '"false"', '"yes"', '"on"', '""', "0", "1", "1.0", "null", "[]", "[true]", "{}", "[" * 500 + "]" * 500
]  # fmt: skip
NO_MOVES = [
    '"96"', '"3d43"', "96", "null", "true", "{}", '{"0": "96"}', "[96]", "[null]", "[true]", '[["96"]]', '[{"96": 1}]',
    '["96", 96]', '["3d", ""]', '["3d", "9"]', '["3d43"]', '["3d "]', '[" 3d"]', '["3D"]', '["9H"]', '["h1"]',
    '["0h"]', '["e1"]', '["1e"]', '["\\uff13d"]', '["3d\\u0000"]', '["\\ud800d"]', '["3-d"]', '["KH-h"]',
    json.dumps(["x" * 1_000]), json.dumps(["3d"] * 201), json.dumps(["xx"] * 201), json.dumps(["3d"] * 8_000),
    "[" * 500 + "]" * 500, "[1e400]", '["3d",]',
]  # fmt: skip
WRONG = {
    "variant": NO_STRING + BAD_STRING,
    "kind": NO_STRING + BAD_STRING,
    "layout": NO_STRING + BAD_STRING,
    "request_id": NO_STRING + [text for text in BAD_STRING if text != '"nonsense"'],
    "from_game": NO_STRING + BAD_STRING,
    "deal": [text for text in NO_STRING if text != "1"] + BAD_STRING,
    "sink_kings": NO_BOOLEAN,
    "version": NO_INTEGER,
    "at": [*NO_INTEGER, "2001"],
    "moves": NO_MOVES,
    "line": [text for text in NO_MOVES if text != json.dumps(["3d"] * 201)],
    "ply": [*NO_INTEGER, "2001"],
    "budget": [*NO_INTEGER, "0", "20001"],
    **dict.fromkeys(["deeper", "par", "rating", "line_of_covered", "winnable", "helped"], NO_BOOLEAN),
    **{
        name: NO_BOOLEAN if type(value) is bool else NO_STRING + BAD_STRING
        for name, value in GOOD["PATCH /api/me/settings"].items()
    },
}


@pytest.fixture
def api(api, new_user):
    """A browser whose user has signed in, for what only users may do; what guests may, a user may too."""
    api.browser.force_login(new_user())
    return api


@pytest.fixture
def game(api):
    """A game with a move, so that moves and resigning have something to change."""
    return api.play(api.start(request_id="first-start"), "96")


@pytest.fixture
def refused(api, game):
    """Sends what must be refused, and checks that it was and that it changed nothing."""
    before = rows()

    def send(
        endpoint: str, content: Any, status: int = 400, codes: Any = ("malformed", "invalid"), **extra: Any
    ) -> Any:
        method, route = endpoint.split(" /")
        path = Endpoint(method, route).path(game_id=game["id"]).removeprefix("/api/")
        headers = {"X-CSRFToken": api.token, **extra.pop("headers", {})}
        response = api.send(method, path, content, headers=headers, **extra)
        shown = f"{content[:100]!r} {response.status_code} {response.content[:300]!r}"
        assert response.status_code == status, shown
        assert response.json()["error"]["code"] in codes, shown
        return response

    yield send
    assert rows() == before


def raw(body, field, text):
    """Return a body as text with one field's value given as JSON text, which needn't be possible in Python."""
    return json.dumps({**body, field: "@@@"}).replace('"@@@"', text)


def test_every_endpoint_that_changes_something_is_tested_here():
    assert {str(endpoint) for endpoint in UNSAFE} == set(GOOD)
    assert {field for _, _, field in FIELDS} == set(WRONG)


@pytest.mark.parametrize("endpoint", GOOD)
def test_the_bodies_that_are_spoilt_below_are_good(api, game, endpoint):
    method, path = endpoint.replace("<uuid:game_id>", game["id"]).split(" /api/")

    assert getattr(api, method.lower())(path, GOOD[endpoint]).status_code in {200, 201}


@pytest.mark.parametrize("body", [LAYOUT_START, AGAIN_START, WINNABLE_START])
def test_the_other_starts_are_good_too(api, game, body):
    assert api.post("games", body).status_code in {201, 404}


def test_the_other_way_to_name_cards_is_good_too(api, game):
    assert api.post("solve", LAYOUT_SOLVE).status_code == 200


@pytest.mark.parametrize(("endpoint", "body", "field"), FIELDS)
def test_a_field_of_another_type_or_form_is_refused(refused, endpoint, body, field):
    for text in WRONG[field]:
        codes = ["malformed", "invalid"] + ["unreadable_layout"] * (field == "layout")
        refused(endpoint, raw(body, field, text), codes=codes)


@pytest.mark.parametrize(("endpoint", "body", "field"), FIELDS)
def test_what_python_reads_as_a_number_and_json_does_not_is_refused(refused, endpoint, body, field):
    for text in (
        "NaN",
        "Infinity",
        "-Infinity",
        "1_000",
        "0x10",
        "01",
        "+1",
        ".5",
        "1.",
        "1" * 5_000,
        "٣",
        "'x'",
        "True",
        "None",
    ):
        refused(endpoint, raw(body, field, text), codes=["malformed"])


@pytest.mark.parametrize(("endpoint", "body", "field"), FIELDS)
def test_nesting_is_refused_however_deep(refused, endpoint, body, field):
    """What the parser can just read may be too deep for a field that wants to quote it."""
    for depth in [*range(700, 1_000, 20), 5_000, 30_000]:
        refused(endpoint, raw(body, field, "[" * depth + "]" * depth))
    for depth in (500, 900, 5_000):
        refused(endpoint, raw(body, field, '{"a":' * depth + "1" + "}" * depth))


@pytest.mark.parametrize(("endpoint", "body", "field"), FIELDS)
def test_a_field_given_twice_is_refused(refused, endpoint, body, field):
    text = json.dumps(body)

    refused(endpoint, f'{text[:-1]}, "{field}": {json.dumps(body[field])}}}', codes=["malformed"])


@pytest.mark.parametrize("endpoint", GOOD)
def test_a_required_field_that_is_missing_is_named(refused, endpoint):
    optional = OPTIONAL | ({"request_id"} if endpoint == "POST /api/games" else set())
    for field in GOOD[endpoint].keys() - optional:
        body = {name: value for name, value in GOOD[endpoint].items() if name != field}
        response = refused(endpoint, json.dumps(body), codes=["invalid"])
        assert list(response.json()["error"]["detail"]["fields"]) == [field]


@pytest.mark.parametrize("endpoint", GOOD)
def test_an_unknown_field_is_refused_and_named(refused, endpoint):
    for name in (
        "extra",
        "Version",
        "version ",
        "status",
        "user",
        "guest",
        "id",
        "__proto__",
        "",
        "x" * 5_000,
        "ключ",
    ):
        response = refused(endpoint, json.dumps({**GOOD[endpoint], name: 1}), codes=["invalid"])
        assert list(response.json()["error"]["detail"]["fields"]) == [name]
    refused(
        endpoint,
        json.dumps(GOOD[endpoint] | {f"field{number}": 1 for number in range(2_000)}),
        codes=["invalid"],
    )
    for name in ("\\u0000", "version\\u0000", "\\ud800"):
        refused(endpoint, f'{json.dumps(GOOD[endpoint])[:-1]}, "{name}": 1}}', codes=["malformed"])


@pytest.mark.parametrize("endpoint", GOOD)
def test_a_body_that_is_no_object_is_refused(refused, endpoint):
    good = json.dumps(GOOD[endpoint])
    for text in (f"[{good}]", json.dumps(good), "null", "1", "true", "[]", '""', "1e400", '"\\u0000"'):
        refused(endpoint, text)


@pytest.mark.parametrize("endpoint", GOOD)
def test_a_body_that_is_no_json_is_refused(refused, endpoint):
    good = json.dumps(GOOD[endpoint])
    for text in (
        good[:-1], good + "}", good + good, good + "\0", "\0" + good, good.replace('"', "'"), "{" + good + "}",
        good + " // comment", good.replace(",", ",,", 1), "\x0c" + good, "\ufeff" + good, "version=1&at=1", " ",
        "<xml/>", "\x00\x01\x02", "{", '{"', "[" * DEEP, '{"a":' * 10_000, "-", '"\\u12', '"\t"',
    ):  # fmt: skip
        refused(endpoint, text, codes=["malformed"])


@pytest.mark.parametrize("endpoint", GOOD)
def test_an_empty_body_is_refused(refused, endpoint):
    refused(endpoint, b"", codes=["invalid"])
    refused(endpoint, b"", codes=["invalid"], content_type="")


@pytest.mark.parametrize("endpoint", GOOD)
def test_a_body_that_is_not_utf_8_is_refused(refused, endpoint):
    good = json.dumps({**GOOD[endpoint], "note": "ü"}, ensure_ascii=False)
    for content in (
        good.encode("latin-1"), good.encode("utf-16"), good.encode("utf-32"), good.encode("utf-8-sig"),
        good.encode().replace(b"\xc3\xbc", b"\xc0\x80"), good.encode().replace(b"\xc3\xbc", b"\xed\xa0\x80"),
        b"\xff\xfe", b"\x80", json.dumps(GOOD[endpoint]).encode("utf-16-le"),
    ):  # fmt: skip
        for charset in ("", "; charset=latin-1", "; charset=utf-16", "; charset=nonsense"):
            refused(endpoint, content, codes=["malformed"], content_type=f"application/json{charset}")


@pytest.mark.parametrize("endpoint", GOOD)
def test_anything_but_json_is_refused(refused, endpoint):
    good = json.dumps(GOOD[endpoint])
    boundary = "--x\r\nContent-Disposition: form-data; name=version\r\n\r\n1\r\n--x--\r\n"
    for content_type, content in (
        ("application/x-www-form-urlencoded", "version=1&at=1"),
        ("application/x-www-form-urlencoded", good),
        ("multipart/form-data; boundary=x", boundary),
        ("multipart/form-data", boundary),
        ("multipart/form-data; boundary=" + "x" * 300, boundary),
        ("text/plain", good),
        ("text/json", good),
        ("text/html", good),
        ("application/xml", "<x/>"),
        ("application/json-patch+json", good),
        ("application/vnd.api+json", good),
        ("application/octet-stream", good),
        ("application", good),
        ("/", good),
        ("", good),
        (";", good),
        ("application/json, text/plain", good),
    ):
        refused(endpoint, content, 415, ["unsupported_media_type"], content_type=content_type)


@pytest.mark.parametrize("endpoint", GOOD)
def test_a_form_is_never_read_not_even_for_its_token(refused, api, endpoint):
    multipart = "--x\r\nContent-Disposition: form-data; name=csrfmiddlewaretoken\r\n\r\n"
    for content_type, content in (
        ("application/x-www-form-urlencoded", f"csrfmiddlewaretoken={api.token}&version=1"),
        ("application/x-www-form-urlencoded", "&".join(["a=1"] * 5_000)),
        ("application/x-www-form-urlencoded", "a=" + "x" * 100_000),
        ("multipart/form-data; boundary=x", f"{multipart}{api.token}\r\n--x--\r\n"),
        ("multipart/form-data; boundary=x", f"{multipart}{'x' * 100_000}\r\n--x--\r\n"),
        ("multipart/form-data; boundary=x", "--x"),
        ("multipart/form-data", "x"),
    ):
        refused(
            endpoint, content, 403, ["csrf_failed"], content_type=content_type, headers={"X-CSRFToken": ""}
        )
        refused(endpoint, content, 415, ["unsupported_media_type"], content_type=content_type)


@pytest.mark.parametrize("endpoint", GOOD)
def test_a_form_with_the_right_fields_is_no_json(refused, endpoint):
    fields = {name: value for name, value in GOOD[endpoint].items() if isinstance(value, str)}
    parts = "".join(
        f'--x\r\nContent-Disposition: form-data; name="{name}"\r\n\r\n{value}\r\n'
        for name, value in fields.items()
    )
    refused(
        endpoint,
        parts + "--x--\r\n",
        415,
        ["unsupported_media_type"],
        content_type="multipart/form-data; boundary=x",
    )


class TestSize:
    MEGABYTE = 1_000_000

    @pytest.mark.parametrize("endpoint", GOOD)
    def test_a_body_of_a_megabyte_is_refused(self, refused, endpoint):
        good = json.dumps(GOOD[endpoint])
        for content in (
            good + " " * self.MEGABYTE,
            good[:-1] + ', "note": "' + "x" * self.MEGABYTE + '"}',
            "[" + "1," * (self.MEGABYTE // 2) + "1]",
            b"\xff" * self.MEGABYTE,
        ):
            refused(endpoint, content, 413, ["too_large"])

    def test_the_limit_is_met_to_the_byte(self, api, game):
        good = json.dumps({"variant": "bakers-dozen", "kind": "casual"})
        limit = settings.DATA_UPLOAD_MAX_MEMORY_SIZE

        assert api.post("games", good.ljust(limit)).status_code == 201
        assert api.post("games", good.ljust(limit + 1)).status_code == 413

    @pytest.mark.parametrize("endpoint", GOOD)
    def test_a_length_that_is_not_true_gains_nothing(self, refused, endpoint):
        good = json.dumps(GOOD[endpoint]).encode()

        def send(length, content, *args):
            refused(endpoint, good, *args, **{"CONTENT_LENGTH": length, "wsgi.input": io.BytesIO(content)})

        # Longer than said: only what was announced is read.
        send("5", good)
        send("5", good + b" " * self.MEGABYTE)
        # Shorter than said, as when a client gives up half-way.
        send(str(len(good)), good[:-5])
        send(str(self.MEGABYTE), good[:-5])
        send(str(self.MEGABYTE), b"x" * self.MEGABYTE, 413, ["too_large"])
        # No length is no body: without one nobody knows where the body ends.
        for length in ("", "0", "-5", "x", "5.5", "1e3", "99999999999999999999999999x"):
            send(length, good)

    @pytest.mark.parametrize("endpoint", GOOD)
    def test_a_connection_that_breaks_is_no_fault_of_the_site(self, refused, endpoint):
        class Broken(io.BytesIO):
            def read(self, *args: Any) -> bytes:
                raise ConnectionResetError("gone")

        refused(endpoint, json.dumps(GOOD[endpoint]), codes=["malformed"], **{"wsgi.input": Broken()})


API_ROUTES = sorted({endpoint.route for endpoint in endpoints() if endpoint.is_api})


@pytest.mark.parametrize("route", API_ROUTES)
def test_a_method_that_an_address_does_not_have_is_refused_in_json(refused, route):
    taken = {endpoint.method for endpoint in endpoints() if endpoint.route == route}
    for method in {
        "GET",
        "POST",
        "PUT",
        "PATCH",
        "DELETE",
        "TRACE",
        "CONNECT",
        "PROPFIND",
        "FOO",
        "get",
    } - taken:
        if method != "get" or "GET" not in taken:
            response = refused(f"{method} /{route}", b"{}", 405, ["method_not_allowed"])
            assert set(response.headers["Allow"].split(", ")) >= taken


@pytest.mark.parametrize("route", API_ROUTES)
def test_an_address_with_a_slash_too_many_is_nobody_s(refused, route):
    taken = {endpoint.method for endpoint in endpoints() if endpoint.route == route}
    for method in taken:
        for wrong in (f"{route}/", f"{route}//", route.replace("/", "//", 1), f"{route}/x/y/z"):
            refused(f"{method} /{wrong}", b"{}", 404, ["not_found"])


@pytest.mark.parametrize("endpoint", GOOD)
def test_what_a_client_says_it_takes_does_not_change_what_is_done(refused, endpoint):
    for accept in (
        "text/html",
        "application/xml;q=0.9",
        ";;;",
        "x",
        "application/json;version=99",
        "a" * 3_000,
    ):
        refused(
            endpoint,
            "[]",
            406 if "json" not in accept else 400,
            ["not_acceptable", "invalid"],
            headers={"Accept": accept},
        )
    for accept in ("*/*", "application/*", "text/html, */*;q=0.1", "application/json"):
        refused(endpoint, "[]", headers={"Accept": accept})


@pytest.mark.parametrize("endpoint", GOOD)
def test_a_method_cannot_be_smuggled_in_a_header_or_the_address(api, refused, endpoint):
    for headers in ({"X-HTTP-Method-Override": "DELETE"}, {"X-Method-Override": "GET"}):
        refused(endpoint, "[]", headers=headers)
