"""Winning: found by the server alone, from the deal and the line."""

from __future__ import annotations

import json

import pytest

from bakers.models import Game
from bakers.rules.variants import VARIANTS
from tests.conftest import DATA
from tests.database import rows


@pytest.mark.parametrize("variant", VARIANTS)
def test_the_move_that_brings_the_last_card_home_wins(api, winning_lines, frozen_clock, variant):
    *line, last = winning_lines[variant]
    state = api.play(api.start(variant), *line)
    assert (state["status"], state["finished_at"]) == ("open", None)

    frozen_clock.advance(seconds=5)
    won = api.play(state, last)

    assert won["status"] == "won"
    assert won["finished_at"] == frozen_clock.now().isoformat()
    assert won["foundations"] == {"C": 13, "D": 13, "H": 13, "S": 13}
    assert won["columns"] == [[] for _ in range(VARIANTS[variant].columns)]
    assert (won["legal"], won["stuck"]) == ([], False)
    assert won["line"] == winning_lines[variant]


def test_a_game_may_be_won_in_one_batch(api, winning_lines):
    won = api.play(api.start(), *winning_lines["bakers-dozen"])

    assert (won["status"], won["version"]) == ("won", 1)


def test_lines_for_tapping_win_too(api):
    for entry in json.loads((DATA / "cases/lines.json").read_text())["lines"]:
        state = api.start(entry["variant"], deal=entry["deal"])
        assert api.play(state, *entry["line"].split())["status"] == "won"


def test_a_won_game_takes_no_batch_and_no_resignation(api, winning_lines):
    won = api.play(api.start(), *winning_lines["bakers-dozen"])
    before = rows()

    for response in (
        api.moves(won, at=0),
        api.moves(won),
        api.moves(won, "96", at=0),
        api.moves(won, version=0, at=0),
        api.resign(won),
    ):
        assert response.status_code == 409
        assert response.json()["error"]["code"] == "game_over"
        assert response.json()["error"]["detail"]["game"] == api.state(won)
    assert rows() == before


def test_nobody_can_say_that_a_game_is_won(api):
    state = api.start()
    for claim in ({"status": "won"}, {"won": True}, {"foundations": {"C": 13}}, {"seconds": 1}, {"par": 1}):
        assert api.moves(state, "96", **claim).status_code == 400

    assert api.state(state)["status"] == "open"


class TestAWinIsVerifiedFromTheDeal:
    """The kept position is a copy for speed; no fault in it can make a win."""

    def corrupt(self, state, position):
        assert Game.objects.filter(pk=state["id"]).update(position=position) == 1

    def test_a_kept_position_that_is_nearly_won_wins_nothing(self, api):
        state = api.play(api.start(), "96")
        self.corrupt(state, "KKKQ KS" + "/" * 12)
        before = rows()
        api.browser.raise_request_exception = False

        response = api.moves(state, "1h")

        assert response.status_code == 500
        assert response.json()["error"]["code"] == "internal"
        assert rows() == before
        assert Game.objects.get().status == "open"

    def test_a_line_that_reaches_its_end_by_moves_the_deal_does_not_allow_wins_nothing(
        self, api, winning_lines
    ):
        *line, last = winning_lines["bakers-dozen"]
        state = api.play(api.start(), *line)
        Game.objects.filter(pk=state["id"]).update(line="".join(["1h", *line[1:]]))
        api.browser.raise_request_exception = False

        assert api.moves(state, last).status_code == 500
        assert Game.objects.get().status == "open"

    def test_a_corrupt_position_is_mended_by_taking_a_move_back(self, api):
        state = api.play(api.start(), "96")
        right = state["columns"]
        state = api.play(state, "3d")
        self.corrupt(state, "KKKQ KS" + "/" * 12)

        assert api.play(state, at=1)["columns"] == right
