"""Bodies that nobody thought of: no 5xx, an answer as openapi.yaml describes it, and no half effect."""

from __future__ import annotations

import json
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from accounts import preferences
from bakers.models import Game
from tests.api.test_input import AGAIN_START, GOOD, LAYOUT_START
from tests.api.test_replaying import replayed
from tests.database import rows

ANY_TEXT = st.text(st.characters(exclude_categories=()), max_size=40)
SCALAR = (
    st.none()
    | st.booleans()
    | st.integers()
    | st.integers(-(10**400), 10**400)
    | st.floats()
    | ANY_TEXT
    | st.sampled_from(["96", "3d", "1h", "2", "casual", "practice", "bakers-dozen", "PySolFC 2", "batch-0001"])
)  # fmt: skip
ANY_JSON = st.recursive(
    SCALAR,
    lambda inner: st.lists(inner, max_size=5) | st.dictionaries(ANY_TEXT, inner, max_size=5),
    max_leaves=10,
)
MOVE = st.sampled_from([source + target for source in "123456789abcd" for target in "123456789abcdh"])
#: Values that may be right, so that what is behind the serializers is reached too.
LIKELY = {
    "variant": st.sampled_from(["bakers-dozen", "original-1883", "good-measure", "spanish-patience"]),
    "kind": st.sampled_from(["casual", "practice", "ranked"]),
    "deal": st.integers(1, 10**20 - 1).map(str) | st.integers(0, 10**21),
    "layout": st.text("A23456789TJQKCDHS10 \n-:<>#♠", max_size=300)
    | st.integers(0, 10**21).map("PySolFC {}".format),
    "sink_kings": st.booleans(),
    "from_game": st.uuids().map(str),
    "request_id": st.text("abcABC019_-", min_size=7, max_size=10),
    "version": st.integers(0, 4),
    "at": st.integers(0, 6),
    "moves": st.lists(MOVE, max_size=4) | st.just(["3d", "43"]),
    "line": st.lists(MOVE, max_size=4) | st.just(["31"]),
    "ply": st.integers(0, 3),
    "budget": st.integers(1, 30),
    **dict.fromkeys(["deeper", "par", "rating", "line_of_covered", "winnable", "helped"], st.booleans()),
    **{
        setting.name: st.sampled_from(setting.choices) if setting.choices else st.booleans()
        for setting in preferences.SETTINGS
    },
}


@pytest.fixture
def api(api, new_user):
    """A browser whose user has signed in, and so may use every endpoint."""
    api.browser.force_login(new_user())
    return api


@st.composite
def body(draw: Any, good: dict[str, Any]) -> Any:
    """A body that is right but for a few fields, which are dropped, added or filled with something else."""
    spoilt = dict(good)
    for name in draw(st.lists(st.sampled_from(sorted(good)), max_size=3)):
        how = draw(st.sampled_from(["likely", "likely", "likely", "anything", "dropped"]))
        if how == "dropped":
            spoilt.pop(name, None)
        else:
            spoilt[name] = draw(LIKELY[name] if how == "likely" else ANY_JSON)
    if draw(st.integers(0, 9)) == 0:
        spoilt[draw(ANY_TEXT | st.sampled_from(sorted(LIKELY)))] = draw(ANY_JSON)
    return spoilt


def request_bodies(good: dict[str, Any]) -> st.SearchStrategy[bytes]:
    """Bodies as they go over the line."""
    as_json = (body(good) | ANY_JSON).map(lambda value: json.dumps(value).encode("utf-8", "surrogatepass"))
    torn = st.tuples(as_json, st.integers(0, 60), st.binary(max_size=4)).map(
        lambda parts: parts[0][: parts[1]] + parts[2] + parts[0][parts[1] :]
    )
    return as_json | as_json | torn | st.binary(max_size=200)


CASES = [*GOOD.items(), ("POST /api/games", LAYOUT_START), ("POST /api/games", AGAIN_START)]


def fuzz(api: Any, data: Any, endpoint: str, good: dict[str, Any]) -> None:
    """Send one body, and check what comes of it."""
    # A test's database lasts over all its examples.
    Game.objects.all().delete()
    state = api.play(api.start(), "96")
    method, path = endpoint.replace("<uuid:game_id>", state["id"]).split(" /api/")
    content = data.draw(request_bodies(good))
    before = rows()

    # `send` compares every answer with openapi.yaml, and the test client raises whatever the site didn't expect.
    response = api.send(method, path, content, headers={"X-CSRFToken": api.token})

    assert response.status_code < 500
    if response.status_code >= 400:
        assert rows() == before
    for game in Game.objects.all():
        assert game.version <= 2
    if "columns" in response.json() and response.json()["variant"] != "original-1883":
        assert replayed(response.json()).seen_columns() == response.json()["columns"]


ONE_DATABASE = [HealthCheck.function_scoped_fixture, HealthCheck.too_slow]


@pytest.mark.parametrize(("endpoint", "good"), CASES)
@settings(max_examples=15, deadline=None, suppress_health_check=ONE_DATABASE)
@given(data=st.data())
def test_any_body_is_answered_as_described(api, data, endpoint, good):
    fuzz(api, data, endpoint, good)


@pytest.mark.long
@pytest.mark.parametrize(("endpoint", "good"), CASES)
@settings(max_examples=1_000, deadline=None, suppress_health_check=ONE_DATABASE)
@given(data=st.data())
def test_any_of_many_bodies_is_answered_as_described(api, data, endpoint, good):
    fuzz(api, data, endpoint, good)


@settings(max_examples=25, deadline=None, suppress_health_check=ONE_DATABASE)
@given(
    path=st.text(st.characters(codec="utf-8"), max_size=60),
    method=st.sampled_from(["get", "post"]),
)
def test_any_address_is_answered_in_the_one_shape(api, path, method):
    path = path.partition("?")[0].partition("#")[0]
    for start in ("", "games/", "deals/", "deals/bakers-dozen/"):
        headers = {} if method == "get" else {"X-CSRFToken": api.token}
        api.send(method, start + path, b"" if method == "get" else b"{}", headers=headers)
