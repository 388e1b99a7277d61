"""The move that lost a game."""

from __future__ import annotations

import pytest

from bakers import answers
from bakers.models import Game, Search
from bakers.rules.deals import deal
from bakers.rules.variants import VARIANTS
from bakers.solver import Outcome, Reason
from tests.help.games import hard_layout, lost_deal, lost_game
from tests.worker import run_worker

pytestmark = pytest.mark.django_db


def postmortem(api, state, **body):
    body.setdefault("version", state["version"])
    response = api.post(f"games/{state['id']}/postmortem", body)
    assert response.status_code == 200, response.content
    return response.json()


@pytest.mark.parametrize("variant", VARIANTS)
def test_it_names_the_move_and_goes_on_from_before_it(api, variant):
    lost = lost_game(variant)
    state = api.play(api.start(variant, deal=str(lost.number)), *lost.line)
    state = api.resign(state).json()

    found = postmortem(api, state)

    assert (found["outcome"], found["exact"], found["pending"]) == ("lost", True, False)
    assert (found["last_won_ply"], found["first_lost_ply"]) == (lost.losing_ply - 1, lost.losing_ply)
    assert found["losing_move"] == lost.line[lost.losing_ply - 1]
    assert found["why"] == f"Move {lost.losing_ply} lost the game: until then it could be won."
    position = deal(VARIANTS[variant], lost.number)
    position.play_line([*lost.line[: lost.losing_ply - 1], *found["line"]])
    assert position.is_won()


def test_a_running_game_is_marked_and_an_ended_one_is_not(api):
    lost = lost_game("bakers-dozen")
    running = api.play(api.start(deal=str(lost.number)), *lost.line)
    ended = api.resign(api.play(api.start(deal=str(lost.number)), *lost.line)).json()

    assert postmortem(api, running)["helped"] is True
    assert postmortem(api, ended)["helped"] is False
    assert Game.objects.get(pk=running["id"]).helped is True
    assert Game.objects.get(pk=ended["id"]).helped is False


def test_a_game_given_up_while_it_could_be_won(api):
    state = api.resign(api.play(api.start(), "96")).json()

    found = postmortem(api, state)

    assert (found["outcome"], found["last_won_ply"], found["first_lost_ply"]) == ("won", 1, None)
    assert (found["exact"], found["losing_move"]) == (False, None)
    assert found["why"] == "This game can still be won from here."
    assert found["line"]


def test_a_deal_that_cannot_be_won(api):
    number = lost_deal("good-measure")
    state = api.start("good-measure", deal=str(number))
    state = api.resign(api.play(state, state["legal"][0])).json()

    found = postmortem(api, state)

    assert (found["last_won_ply"], found["first_lost_ply"], found["line"]) == (None, 0, [])
    assert found["why"] == "This deal can’t be won."


def test_a_won_game(api, winning_lines):
    state = api.play(api.start(), *winning_lines["bakers-dozen"])

    found = postmortem(api, state)

    assert (found["outcome"], found["first_lost_ply"], found["line"]) == ("won", None, [])


@pytest.mark.parametrize("unknown", [[-1], [0], [1], [-2, -1, 0, 1, 2], [-3, 3], [-1, 0, 1, 2, 3, 4]])
def test_what_is_not_decided_lies_between(api, monkeypatch, unknown):
    """Some plies around the losing move stay open: it is then said between which moves the game was lost."""
    lost = lost_game("good-measure", more=8)
    state = api.resign(api.play(api.start("good-measure", deal=str(lost.number)), *lost.line)).json()
    position = deal(VARIANTS["good-measure"], lost.number)
    open_keys = set()
    for ply in range(len(lost.line) + 1):
        if ply - lost.losing_ply in unknown:
            open_keys.add(answers.canonical(position).key)
        if ply < len(lost.line):
            position.play(lost.line[ply])
    settle = answers.settle

    def settle_some(position, **options):
        if answers.canonical(position).key in open_keys:
            return answers.Known(Outcome.UNKNOWN, Reason.BUDGET, expanded=20_000)
        return settle(position, **options)

    monkeypatch.setattr(answers, "settle", settle_some)
    open_plies = {lost.losing_ply + each for each in unknown}
    last_won = max(ply for ply in range(lost.losing_ply) if ply not in open_plies)
    known_lost = [ply for ply in range(lost.losing_ply, len(lost.line) + 1) if ply not in open_plies]

    found = postmortem(api, state)

    # Bounds that hold; bisection may miss the closest when what is open lies apart.
    assert found["last_won_ply"] <= last_won
    assert found["first_lost_ply"] >= known_lost[0]
    assert found["last_won_ply"] < lost.losing_ply <= found["first_lost_ply"]
    if unknown in ([-1], [0], [-2, -1, 0, 1, 2]):
        assert (found["last_won_ply"], found["first_lost_ply"]) == (last_won, known_lost[0])
        assert (found["exact"], found["losing_move"]) == (False, None)
        assert found["why"] == f"The game was lost between move {last_won + 1} and move {known_lost[0]}."


@pytest.mark.django_db(transaction=True)
def test_a_deeper_search_is_offered_for_what_is_open(api):
    state = api.resign(api.start(kind="practice", layout=hard_layout())).json()

    assert postmortem(api, state)["pending"] is False
    found = postmortem(api, state, deeper=True)
    assert (found["outcome"], found["pending"]) == ("unknown", True)
    assert Search.objects.count() == 1
    run_worker()

    found = postmortem(api, state, deeper=True)
    assert found["outcome"] in {"won", "lost"}
    assert found["pending"] is False


def test_it_is_for_one_version(api):
    state = api.play(api.start(), "96")

    response = api.post(f"games/{state['id']}/postmortem", {"version": 0})

    assert response.status_code == 409
    assert Game.objects.get().helped is False
