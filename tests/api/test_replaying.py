"""Any state can be worked out from `dealt` and `line`: that is how the browser shows every earlier ply."""

from __future__ import annotations

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from bakers.rules.cards import CARDS_BY_NAME, SUITS
from bakers.rules.positions import Position
from bakers.rules.variants import VARIANTS
from tests.api import seen_1883

OPEN_VARIANTS = [slug for slug, variant in VARIANTS.items() if not variant.covered]


def replayed(state):
    """Return the position after `line`, played by the rules from `dealt`."""
    position = Position.dealt(
        VARIANTS[state["variant"]],
        [[CARDS_BY_NAME[card] for card in column] for column in state["dealt"]["columns"]],
        [state["dealt"]["foundations"][suit] for suit in SUITS],
    )
    position.play_line("".join(state["line"]))
    return position


def wander(api, state, chance, batches):
    """Play random batches with undo, and yield every state."""
    yield state
    for _ in range(batches):
        at = chance.randint(0, state["ply"]) if chance.random() < 0.3 else state["ply"]
        if at < state["ply"]:
            moves = state["line"][at : at + chance.randint(0, 3)]
        elif state["redo"] and chance.random() < 0.3:
            moves = state["redo"][: chance.randint(1, 5)]
        elif state["legal"]:
            moves = [chance.choice(state["legal"])]
        else:
            return
        state = api.play(state, *moves, at=at)
        yield state


@pytest.mark.parametrize("variant", OPEN_VARIANTS)
@settings(max_examples=5, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(number=st.integers(1, 10**6), seed=st.randoms(use_true_random=False))
def test_the_rules_come_to_the_state_from_its_deal_and_line(api, variant, number, seed):
    for state in wander(api, api.start(variant, deal=str(number)), seed, batches=12):
        position = replayed(state)
        assert position.seen_columns() == state["columns"]
        assert dict(zip(SUITS, position.foundations, strict=True)) == state["foundations"]
        assert [move.text for move in position.legal_moves] == state["legal"]
        assert position.is_stuck() == state["stuck"]


@pytest.mark.parametrize("variant", OPEN_VARIANTS)
def test_the_whole_winning_line_replays(api, winning_lines, variant):
    won = api.play(api.start(variant), *winning_lines[variant])

    assert replayed(won).is_won()


@settings(max_examples=8, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(number=st.integers(1, 10**6), seed=st.randoms(use_true_random=False))
def test_original_1883_replays_from_what_is_known_of_its_deal(api, number, seed):
    for state in wander(api, api.start("original-1883", deal=str(number)), seed, batches=12):
        table = seen_1883.Table(state["dealt"]["columns"])
        for move in state["line"]:
            table.play(move)
        assert table.seen() == state["columns"]


def test_an_ended_game_of_original_1883_replays_to_its_end(api, winning_lines):
    won = api.play(api.start("original-1883"), *winning_lines["original-1883"])

    assert replayed(won).is_won()


def test_a_king_with_only_kings_under_it_stays_in_what_is_known_of_the_deal(api):
    """The browser must not wait for the lower one to turn: no covered card here says that the upper one sinks."""
    first = ["KC", "KD", "AC"]
    rest = [rank + suit for rank in "A23456789TJQK" for suit in "SHDC" if rank + suit not in first]
    columns = [first, *(rest[index::12] for index in range(12))]
    state = api.start("original-1883", kind="practice", layout="\n".join(map(" ".join, columns)))

    state = api.play(state, "1h")

    assert state["columns"][0] == ["##", "KD"]
    assert state["dealt"]["columns"][0] == ["##", "KD", "AC"]
    table = seen_1883.Table(state["dealt"]["columns"])
    table.play("1h")
    assert table.seen() == state["columns"]
