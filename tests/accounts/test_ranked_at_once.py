"""Ranked games and results at the same moment: from double clicks, two tabs and two devices. Each has one effect."""

from __future__ import annotations

import collections
import functools
from collections.abc import Callable
from typing import Any

import pytest

from accounts import streak_check
from accounts.models import Statistics
from bakers import games
from bakers.models import Game
from config import clock
from tests.accounts.ranked_games import VARIANT, deal_only, start_ranked, streak, wins
from tests.conftest import ApiClient
from tests.parallel import at_once

pytestmark = pytest.mark.django_db(transaction=True)

MANY = 12


@pytest.fixture
def user(new_user):
    return new_user()


@pytest.fixture
def api(user):
    return ApiClient(user)


@pytest.fixture(autouse=True)
def _deals(monkeypatch):
    deal_only(monkeypatch, 2)


def tabs(api: ApiClient, count: int = MANY) -> list[ApiClient]:
    assert api.token
    return [api.tab() for _ in range(count)]


def statuses(answers) -> collections.Counter[int]:
    return collections.Counter(answer.status_code for answer in answers)


def expect_true_statistics() -> None:
    assert list(streak_check.differences()) == []


def test_parallel_starts_make_one_game(api):
    answers = at_once([functools.partial(start_ranked, tab) for tab in tabs(api)])

    assert statuses(answers) == {201: 1, 200: MANY - 1}
    assert len({answer.json()["id"] for answer in answers}) == 1
    assert Game.objects.count() == 1


def test_parallel_starts_of_one_request_make_one_game(api):
    answers = at_once([functools.partial(start_ranked, tab, request_id="start-0001") for tab in tabs(api)])

    assert statuses(answers) == {201: 1, 200: MANY - 1}
    assert Game.objects.count() == 1


@pytest.mark.parametrize("request_id", [None, "start-0001"])
def test_parallel_replacements_lose_one_game_once(user, api, request_id):
    wins(user, 2, clock.now())
    played = api.play(start_ranked(api).json(), "96")
    body = {"replace": True, **({"request_id": request_id} if request_id else {})}

    answers = at_once([functools.partial(start_ranked, tab, **body) for tab in tabs(api)])

    assert statuses(answers) == {201: 1, 200: MANY - 1}
    [new] = {answer.json()["id"] for answer in answers}
    assert new != played["id"]
    assert Game.objects.filter(status="lost").count() == Game.objects.filter(status="open").count() == 1
    row = Statistics.objects.get()
    assert (row.played, row.won, row.streak) == (3, 2, 0)


@pytest.mark.parametrize("attempt", range(3))
def test_of_a_winning_move_and_a_replacement_one_ends_the_game(user, api, winning_lines, attempt):
    *line, last = winning_lines[VARIANT]
    state = api.play(start_ranked(api).json(), *line)
    one, other = tabs(api, 2)

    moved, replaced = at_once([lambda: one.moves(state, last), lambda: start_ranked(other, replace=True)])

    assert replaced.status_code == 201
    if moved.status_code == 200:
        assert (api.state(state)["status"], streak(user)) == ("won", 1)
    else:
        assert moved.json()["error"]["code"] == "game_over"
        assert (api.state(state)["status"], streak(user)) == ("lost", 0)
    expect_true_statistics()


def test_a_first_move_and_a_replacement_never_lose_a_game_that_was_just_offered(api):
    """Whichever comes first: the game is offered unplayed and then played, or it is played and lost."""
    state = start_ranked(api).json()
    one, other = tabs(api, 2)

    moved, replaced = at_once([lambda: one.moves(state, "96"), lambda: start_ranked(other, replace=True)])

    if replaced.status_code == 200:
        assert (replaced.json()["id"], moved.status_code) == (state["id"], 200)
        assert api.state(state)["status"] == "open"
    else:
        assert replaced.status_code == 201
        assert api.state(state)["status"] == "lost"
    assert Game.objects.filter(status="open").count() == 1


def test_a_win_sent_from_many_tabs_counts_once(user, api, winning_lines):
    *line, last = winning_lines[VARIANT]
    state = api.play(start_ranked(api).json(), *line)

    answers = at_once([functools.partial(tab.moves, state, last) for tab in tabs(api)])

    assert statuses(answers) == {200: 1, 409: MANY - 1}
    row = Statistics.objects.get()
    assert (row.played, row.won, row.streak, row.best_streak) == (1, 1, 1, 1)


def test_many_games_that_end_at_once_all_count(user, api, winning_lines):
    """The first of them makes the row that all are counted in."""
    *line, last = winning_lines[VARIANT]
    states = [api.play(api.start(), *line) for _ in range(6)]
    ends = [
        functools.partial(tab.moves, state, last) for tab, state in zip(tabs(api, 3), states[:3], strict=True)
    ]
    ends += [
        functools.partial(tab.resign, state) for tab, state in zip(tabs(api, 3), states[3:], strict=True)
    ]

    answers = at_once(ends)

    assert statuses(answers) == {200: 6}
    row = Statistics.objects.get()
    assert (row.played, row.won) == (6, 3)
    expect_true_statistics()


@pytest.mark.parametrize("attempt", range(3))
def test_a_guests_results_that_are_handed_over_while_another_game_ends_all_count(
    user, api, winning_lines, attempt
):
    line = winning_lines[VARIANT]
    guest = ApiClient()
    guest.play(guest.start(), *line)
    guest.resign(guest.start("spanish-patience"))
    guest_id = Game.objects.values_list("guest", flat=True)[0]
    assert guest_id is not None
    states = [api.play(api.start(), *line[:-1]), api.start("spanish-patience")]
    one, other = tabs(api, 2)

    adopted, won, lost = at_once(
        [
            lambda: games.adopt(guest=guest_id, user_id=user.pk),
            lambda: one.moves(states[0], line[-1]).status_code,
            lambda: other.resign(states[1]).status_code,
        ]
    )

    assert (adopted, won, lost) == (2, 200, 200)
    counted = set(Statistics.objects.values_list("variant", "played", "won"))
    assert counted == {(VARIANT, 2, 2), ("spanish-patience", 2, 0)}
    expect_true_statistics()


def test_two_guests_who_become_one_user_at_once_all_count(user, winning_lines):
    """Each brings results of the same variants: neither waits for the other for ever."""
    guests = []
    for _ in range(2):
        guest = ApiClient()
        for variant in ("spanish-patience", "bakers-dozen", "good-measure"):
            state = guest.start(variant)
            guest.resign(guest.play(state, state["legal"][0]))
        newest = Game.objects.order_by("-started_at").values_list("guest", flat=True)
        assert newest[0] is not None
        guests.append(newest[0])

    at_once([functools.partial(games.adopt, guest=guest, user_id=user.pk) for guest in guests])

    assert {row.played for row in Statistics.objects.all()} == {2}
    assert Statistics.objects.count() == 3
    expect_true_statistics()


def test_the_check_finds_nothing_while_games_end(user, api):
    states = [api.start() for _ in range(6)]
    ends: list[Callable[[], Any]] = [
        functools.partial(tab.resign, state) for tab, state in zip(tabs(api, 6), states, strict=True)
    ]
    found = at_once([*ends, *([lambda: list(streak_check.differences())] * 3)])

    assert found[6:] == [[], [], []]
