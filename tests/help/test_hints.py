"""Hints: whoever follows them wins, from wherever it can be won."""

from __future__ import annotations

import random

import pytest

from bakers import answers, games
from bakers import help as helping
from bakers.models import Answer, Game
from bakers.players import Player
from bakers.rules.cards import CARD_NAMES
from bakers.rules.deals import deal
from bakers.rules.moves import HOME, Move
from bakers.rules.positions import Position
from bakers.rules.variants import VARIANTS
from bakers.solver import Outcome, Reason
from tests.help.games import hard_layout, lost_deal, lost_game
from tests.worker import run_worker

pytestmark = pytest.mark.django_db


def line_of(position: Position) -> tuple[Move, ...]:
    known = answers.find(position)
    assert known is not None
    assert known.line is not None
    return known.line


def follow(api, state):
    """Play hints until the game ends; return its last state and how many were played."""
    seen = set()
    while state["status"] == "open":
        position = Position.from_text(state["variant"], Game.objects.get(pk=state["id"]).position)
        assert position.key() not in seen
        seen.add(position.key())
        hint = api.post(f"games/{state['id']}/hint", {"version": state["version"]}).json()
        assert hint["outcome"] == "won", hint
        assert hint["moves_left"] > 0
        state = api.play(state, hint["move"])
    return state, len(seen)


@pytest.mark.parametrize("variant", VARIANTS)
def test_following_hints_wins_in_as_many_moves_as_the_first_one_says(api, variant):
    state = api.start(variant)
    first = api.post(f"games/{state['id']}/hint", {"version": 0}).json()

    state, played = follow(api, state)

    assert state["status"] == "won"
    assert played <= first["moves_left"]
    assert state["helped"] is True


def test_a_hint_names_card_and_target(api):
    state = api.start()

    for _ in range(40):
        position = Position.from_text("bakers-dozen", Game.objects.get().position)
        hint = api.post(f"games/{state['id']}/hint", {"version": state["version"]}).json()
        move = position.parse(hint["move"])
        assert hint["card"] == CARD_NAMES[position.columns[move.source][-1]]
        target = "home" if move.target == HOME else CARD_NAMES[position.columns[move.target][-1]]
        assert hint["target"] == target
        state = api.play(state, hint["move"])


def test_a_hint_onto_an_empty_column_says_so(api):
    """Spanish Patience refills them."""
    targets = set()
    for number in range(2, 8):
        state = api.start("spanish-patience", deal=str(number))
        while state["status"] == "open" and "empty" not in targets:
            hint = api.post(f"games/{state['id']}/hint", {"version": state["version"]}).json()
            targets.add(hint["target"])
            state = api.play(state, hint["move"])
    assert "empty" in targets


def test_a_hint_marks_a_running_game_and_nothing_else_of_it(api):
    state = api.play(api.start(), "96")

    answer = api.post(f"games/{state['id']}/hint", {"version": 1}).json()

    assert answer["helped"] is True
    del state["replayed"]
    assert api.state(state) == {**state, "helped": True}


def test_a_hint_is_for_the_version_that_is_shown(api):
    state = api.play(api.start(), "96")

    response = api.post(f"games/{state['id']}/hint", {"version": 0})

    assert response.status_code == 409
    assert response.json()["error"]["code"] == "stale_version"
    assert response.json()["error"]["detail"]["game"]["version"] == 1
    assert not Game.objects.get().helped
    assert not Answer.objects.exists()


@pytest.mark.parametrize("variant", VARIANTS)
def test_a_lost_game_has_no_hint_but_the_way_back(api, variant):
    lost = lost_game(variant)
    state = api.play(api.start(variant, deal=str(lost.number)), *lost.line)

    hint = api.post(f"games/{state['id']}/hint", {"version": 1}).json()

    assert (hint["outcome"], hint["move"], hint["card"]) == ("lost", None, None)
    assert hint["back_to"] == {"last_won_ply": lost.losing_ply - 1, "first_lost_ply": lost.losing_ply}
    assert not Game.objects.get().helped
    back = api.play(state, at=hint["back_to"]["last_won_ply"])
    state, _ = follow(api, back)
    assert state["status"] == "won"


def test_a_deal_that_cannot_be_won_says_so(api):
    state = api.start("good-measure", deal=str(lost_deal("good-measure")))

    hint = api.post(f"games/{state['id']}/hint", {"version": 0}).json()

    assert hint["outcome"] == "lost"
    assert hint["back_to"] == {"last_won_ply": None, "first_lost_ply": 0}
    assert hint["why"] == "This deal can’t be won."


@pytest.mark.django_db(transaction=True)
def test_what_is_not_decided_at_once_is_searched_deeper_when_asked(api):
    state = api.start(kind="practice", layout=hard_layout())

    hint = api.post(f"games/{state['id']}/hint", {"version": 0}).json()
    assert (hint["outcome"], hint["pending"], hint["move"]) == ("unknown", False, None)
    assert not Game.objects.get().helped
    hint = api.post(f"games/{state['id']}/hint", {"version": 0, "deeper": True}).json()
    assert (hint["outcome"], hint["pending"], hint["retry_ms"]) == ("unknown", True, 500)
    run_worker()

    hint = api.post(f"games/{state['id']}/hint", {"version": 0, "deeper": True}).json()
    assert (hint["outcome"], hint["pending"]) != ("unknown", True)
    assert hint["outcome"] in {"won", "lost"}


def test_hints_take_the_shorter_of_two_lines_that_are_known(api):
    """Also when the longer one is of the very position, so that following never turns back."""
    state = api.start()
    first = api.post(f"games/{state['id']}/hint", {"version": 0}).json()
    position = deal(VARIANTS["bakers-dozen"], 2)
    line = list(line_of(position))
    position.push(line[0])
    detour = next(
        way
        for way in (
            [there, back, *line[1:]] for there in position.legal_moves for back in _ways_back(position, there)
        )
    )
    answers.learn(position, answers.Known(Outcome.WON, Reason.LINE, tuple(detour), expanded=100_000))
    state = api.play(state, line[0].text)

    hint = api.post(f"games/{state['id']}/hint", {"version": 1}).json()

    assert hint["move"] == line[1].text
    assert hint["moves_left"] == first["moves_left"] - 1
    assert line_of(position) == tuple(line[1:])


def _ways_back(position, there):
    after = position.copy()
    after.push(there)
    for back in after.legal_moves:
        again = after.copy()
        again.push(back)
        if again == position:
            yield back


def test_a_hint_is_no_longer_where_somebody_was_content_with_any_line(api, new_api):
    """The lamp asks for no line, and a verdict's winds."""
    for number in range(2, 8):
        fresh = api.post(f"games/{api.start(deal=str(number))['id']}/hint", {"version": 0}).json()
        Answer.objects.all().delete()
        other = new_api()
        state = other.start(deal=str(number))
        assert other.get(f"games/{state['id']}/verdict?version=0").json()["outcome"] == "won"
        after = other.post(f"games/{state['id']}/hint", {"version": 0}).json()
        assert after["moves_left"] == fresh["moves_left"]


def test_a_won_game_needs_no_hint(api, winning_lines):
    state = api.play(api.start(), *winning_lines["bakers-dozen"])

    hint = api.post(f"games/{state['id']}/hint", {"version": 1}).json()

    assert (hint["outcome"], hint["move"], hint["helped"]) == ("won", None, False)


@pytest.mark.parametrize("variant", VARIANTS)
@pytest.mark.parametrize(
    "positions", [pytest.param(4, id="some"), pytest.param(500, id="all", marks=pytest.mark.long)]
)
def test_following_hints_wins_from_everywhere(variant, positions, django_user_model, monkeypatch):
    """From positions after random moves that are decided won: as many games as were begun are won."""
    monkeypatch.setattr(helping.limits, "take", lambda *_args, **_options: None)
    player = Player(user_id=django_user_model.objects.create_user("player@example.org").pk)
    begun = won = 0
    for number in range(1_000, 10_000):
        if begun == positions:
            break
        position = deal(VARIANTS[variant], number)
        chosen = random.Random(number)
        moves = []
        for _ in range(chosen.randrange(25)):
            legal = list(position.legal_moves)
            if not legal:
                break
            moves.append(chosen.choice(legal))
            position.push(moves[-1])
        known = answers.settle(position)
        if position.is_won() or known is None or known.outcome is not Outcome.WON:
            continue
        begun += 1
        game = games.start_game(
            player=player, variant=VARIANTS[variant], kind="casual", deal_number=number
        ).game
        version, ply = 0, 0
        if moves:
            game = games.play(
                player=player, game_id=game.pk, request_id=f"start-{number}", version=0, at=0, moves=moves
            ).game
            version, ply = 1, len(moves)
        seen = set()
        while game.status == Game.Status.OPEN:
            position = games.current_position(game)
            assert position.key() not in seen, game.line
            seen.add(position.key())
            hint = helping.hint(player=player, who=("player",), game_id=game.pk, version=version)
            assert hint.move is not None, (variant, number, game.line)
            game = games.play(
                player=player, game_id=game.pk, request_id=f"hint-{number}-{version}", version=version, at=ply,
                moves=[hint.move],
            ).game  # fmt: skip
            version, ply = version + 1, ply + 1
        won += game.status == Game.Status.WON
    assert (begun, won) == (positions, positions)
