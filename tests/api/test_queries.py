"""How often the database is asked: each statement of the calls that matter is named, so that none creeps in."""

from __future__ import annotations

import re

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from tests.conftest import ApiClient

# Without the test's own transaction around it, each call's BEGIN and COMMIT are real ones.
pytestmark = pytest.mark.django_db(transaction=True)

SESSION = "SELECT django_session"  # who asks
USER = "SELECT accounts_user"  # …and whether they still may
LOCK = "SELECT bakers_game"  # the game, locked until the commit
STORE = "UPDATE bakers_game"
REMEMBER = "INSERT bakers_gamerequest"  # so that the same request has no second effect
FORGET = "DELETE bakers_gamerequest"  # once in a hundred versions
LOOK_UP = "SELECT bakers_gamerequest"  # only when the version is another one than the caller's
GUARDED = "SELECT bakers_game"  # whether the deal is that of a ranked game somewhere
BOARDS = "SELECT daily_board"  # or of a board that hasn't settled


def statements(call, *arguments, **options):
    """Return what a call asks the database, as in "UPDATE bakers_game"."""
    with CaptureQueriesContext(connection) as captured:
        call(*arguments, **options)
    asked = []
    for query in captured.captured_queries:
        verb = query["sql"].split()[0]
        table = re.search(r'(?:FROM|INTO|UPDATE)\s+"(\w+)"', query["sql"])
        asked.append(f"{verb} {table[1]}" if table else verb)
    return asked


@pytest.fixture(params=["guest", "user"])
def player(request, django_user_model):
    """A browser, and the statements that it takes to know who asks."""
    if request.param == "guest":
        api = ApiClient()
        api.start()
        return api, [SESSION]
    return ApiClient(django_user_model.objects.create_user("player@example.org")), [SESSION, USER]


def test_a_move(player):
    api, who = player
    state = api.start()

    # The first also stores when it came, in the same statement.
    for move in ("96", "3d"):
        asked = statements(api.moves, state, move)
        assert asked == [*who, "BEGIN", LOCK, STORE, REMEMBER, "COMMIT"]
        state = api.state(state)


def test_taking_back_and_a_batch_of_many_moves(player, winning_lines):
    api, who = player
    state = api.play(api.start(), *winning_lines["bakers-dozen"][:50])

    assert statements(api.moves, state, at=3) == [*who, "BEGIN", LOCK, STORE, REMEMBER, "COMMIT"]
    state = api.state(state)
    rest = winning_lines["bakers-dozen"][3:]
    asked = statements(api.moves, state, *rest)
    # What has ended counts in its player's statistics: their row is made, and then all results are read.
    counted = [] if USER not in who else [
        "SELECT accounts_statistics", USER, "SELECT accounts_statistics", "SAVEPOINT", "INSERT accounts_statistics",
        "RELEASE", "SELECT bakers_game", "UPDATE accounts_statistics",
    ]  # fmt: skip
    # It also shows par.
    assert asked == [
        *who, "BEGIN", LOCK, STORE, REMEMBER, *counted, "COMMIT", GUARDED, BOARDS, "SELECT bakers_answer",
    ]  # fmt: skip


def test_a_move_that_is_repeated_or_stale(player):
    api, who = player
    state = api.start()
    api.play(state, "96", request_id="batch-0001")

    again = statements(api.moves, state, "96", request_id="batch-0001")
    stale = statements(api.moves, state, "96")

    assert again == [*who, "BEGIN", LOCK, LOOK_UP, "COMMIT"]
    assert stale == [*who, "BEGIN", LOCK, LOOK_UP, "ROLLBACK"]


def test_a_move_that_is_illegal(player):
    api, who = player
    state = api.start()

    assert statements(api.moves, state, "1h") == [*who, "BEGIN", LOCK, "ROLLBACK"]


def test_old_request_ids_are_forgotten_once_in_a_hundred_versions(player):
    api, who = player
    state = api.start()
    for number in range(99):
        state = api.play(state, "96") if number % 2 == 0 else api.play(state, at=0)

    asked = statements(api.moves, state, at=0)

    assert asked == [*who, "BEGIN", LOCK, STORE, REMEMBER, FORGET, "COMMIT"]


def test_reading(player):
    api, who = player
    state = api.play(api.start(), "96")

    assert statements(api.get, f"games/{state['id']}") == [*who, "SELECT bakers_game"]
    assert statements(api.get, "games") == [*who, "SELECT bakers_game"]
    assert statements(api.get, "deals/bakers-dozen/2") == who


def test_starting(player):
    api, who = player
    body = {"variant": "bakers-dozen", "kind": "casual", "deal": "2", "request_id": "start-0001"}
    # A guest's session is renewed, so that it lasts as long as the game.
    renewed = [] if USER in who else ["BEGIN", "UPDATE django_session", "COMMIT"]

    assert api.token

    first = statements(api.post, "games", body)
    again = statements(api.post, "games", body)

    assert first == [*who, "SELECT bakers_game", "BEGIN", "INSERT bakers_game", "COMMIT", *renewed]
    assert again == [*who, "SELECT bakers_game"]
