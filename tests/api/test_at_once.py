"""Requests at the same moment: from double clicks, two tabs and impatient networks. Each has one effect, or none."""

from __future__ import annotations

import collections
import functools
import threading

import pytest

from bakers import kinds
from bakers.models import Game, GameRequest
from tests.conftest import ApiClient
from tests.parallel import at_once

pytestmark = pytest.mark.django_db(transaction=True)

MANY = 20


@pytest.fixture
def game():
    """A guest's browser and a game in it with one move."""
    api = ApiClient()
    return api, api.play(api.start(), "96")


def tabs(api, count=MANY):
    assert api.token
    return [api.tab() for _ in range(count)]


def statuses(answers):
    return collections.Counter(answer.status_code for answer in answers)


def codes(answers):
    return collections.Counter(
        answer.json()["error"]["code"] for answer in answers if answer.status_code >= 400
    )


def test_the_same_move_twenty_times_is_played_once(game):
    api, state = game
    body = {"request_id": "batch-0001", "version": 1, "at": 1, "moves": ["3d", "43"]}
    path = f"games/{state['id']}/moves"

    answers = at_once([functools.partial(tab.post, path, body) for tab in tabs(api)])

    assert statuses(answers) == {200: MANY}
    assert collections.Counter(answer.json()["replayed"] for answer in answers) == {False: 1, True: MANY - 1}
    assert {answer.json()["version"] for answer in answers} == {2}
    assert api.state(state)["line"] == ["96", "3d", "43"]
    assert GameRequest.objects.count() == 2


def test_of_twenty_moves_at_one_version_one_is_played(game):
    api, state = game
    legal = [state["legal"][number % len(state["legal"])] for number in range(MANY)]

    answers = at_once(
        [functools.partial(tab.moves, state, move) for tab, move in zip(tabs(api), legal, strict=True)]
    )

    assert statuses(answers) == {200: 1, 409: MANY - 1}
    assert codes(answers) == {"stale_version": MANY - 1}
    [played] = [answer.json() for answer in answers if answer.status_code == 200]
    now = api.state(state)
    assert (now["version"], now["line"]) == (2, played["line"])
    for answer in answers:
        if answer.status_code == 409:
            assert answer.json()["error"]["detail"]["game"]["line"] == played["line"]


def test_one_id_for_different_moves_plays_one_of_them(game):
    api, state = game

    answers = at_once(
        [
            functools.partial(tab.moves, state, move, request_id="batch-0001")
            for tab, move in zip(tabs(api, 8), state["legal"][:8], strict=True)
        ]
    )

    assert statuses(answers) == {200: 1, 422: 7}
    assert codes(answers) == {"request_id_reused": 7}
    assert api.state(state)["version"] == 2


def test_two_tabs_that_both_play_on_and_on_never_mix_their_lines(game):
    """Each takes the server's state when it is refused, and goes on from there."""
    api, state = game

    def play_on(tab):
        seen, played = state, 0
        while played < 6:
            answer = tab.moves(seen, seen["legal"][0] if seen["legal"] else "", at=seen["ply"])
            if answer.status_code == 200:
                seen, played = answer.json(), played + 1
            else:
                assert answer.status_code == 409
                seen = answer.json()["error"]["detail"]["game"]
        return played

    assert at_once([functools.partial(play_on, tab) for tab in tabs(api, 2)]) == [6, 6]
    now = api.state(state)
    assert (now["version"], now["ply"]) == (13, 13)
    assert api.play(now, at=0)["redo"] == now["line"]


def test_the_same_start_twenty_times_makes_one_game(game):
    api, _ = game
    body = {"variant": "bakers-dozen", "kind": "casual", "deal": "3", "request_id": "start-0001"}

    answers = at_once([functools.partial(tab.post, "games", body) for tab in tabs(api)])

    assert statuses(answers) == {201: 1, 200: MANY - 1}
    assert len({answer.json()["id"] for answer in answers}) == 1
    assert collections.Counter(answer.json()["replayed"] for answer in answers) == {False: 1, True: MANY - 1}
    assert Game.objects.filter(deal_number="3").count() == 1


def test_one_id_for_different_starts_makes_one_game(game):
    api, _ = game
    bodies = [
        {"variant": "bakers-dozen", "kind": "casual", "deal": str(number), "request_id": "start-0001"}
        for number in range(100, 108)
    ]

    answers = at_once(
        [functools.partial(tab.post, "games", body) for tab, body in zip(tabs(api, 8), bodies, strict=True)]
    )

    assert statuses(answers) == {201: 1, 422: 7}
    assert codes(answers) == {"request_id_reused": 7}
    assert Game.objects.count() == 2


def test_twenty_starts_of_a_random_deal_make_twenty_games(game):
    api, _ = game
    body = {"variant": "bakers-dozen", "kind": "casual"}

    answers = at_once([functools.partial(tab.post, "games", body) for tab in tabs(api)])

    assert statuses(answers) == {201: MANY}
    assert len({answer.json()["id"] for answer in answers}) == MANY


@pytest.mark.parametrize("attempt", range(3))
def test_of_a_move_and_a_resignation_one_is_done(game, attempt):
    api, state = game
    one, other = tabs(api, 2)

    moved, resigned = at_once([lambda: one.moves(state, "3d"), lambda: other.resign(state)])

    now = api.state(state)
    if moved.status_code == 200:
        assert resigned.json()["error"]["code"] == "stale_version"
        assert (now["status"], now["ply"]) == ("open", 2)
    else:
        assert moved.json()["error"]["code"] == "game_over"
        assert resigned.status_code == 200
        assert (now["status"], now["ply"]) == ("lost", 1)
    assert now["version"] == 2


def test_of_a_winning_batch_sent_by_many_one_wins(winning_lines):
    api = ApiClient()
    *line, last = winning_lines["bakers-dozen"]
    state = api.play(api.start(), *line)

    answers = at_once([functools.partial(tab.moves, state, last) for tab in tabs(api, 8)])

    assert statuses(answers) == {200: 1, 409: 7}
    assert codes(answers) == {"game_over": 7}
    assert api.state(state)["version"] == 2


def test_twenty_first_moves_are_one_first_move():
    class Counting(kinds.Casual):
        """Casual, and counts what it is told."""

        def __init__(self) -> None:
            self.lock = threading.Lock()
            self.first_moves: list[str] = []

        def on_first_move(self, game: Game) -> None:
            with self.lock:
                self.first_moves.append(str(game.pk))

    api = ApiClient()
    state = api.start()
    counting = Counting()
    with kinds.registered(counting):
        answers = at_once([functools.partial(tab.moves, state, "96") for tab in tabs(api)])

    assert statuses(answers) == {200: 1, 409: MANY - 1}
    # Those that came second found the version changed before they got to asking whether it was the first move.
    assert counting.first_moves == [state["id"]]


def test_games_of_different_players_do_not_hinder_each_other():
    apis = [ApiClient() for _ in range(8)]
    states = [api.start() for api in apis]

    answers = at_once(
        [functools.partial(api.moves, state, "96") for api, state in zip(apis, states, strict=True)]
    )

    assert statuses(answers) == {200: 8}
