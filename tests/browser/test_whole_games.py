"""Whole games, from the deal to the win, with each way of playing and at each size."""

from __future__ import annotations

import json
from collections.abc import Callable

import pytest

from tests.browser.conftest import SIZES, TablePage
from tests.conftest import DATA

_LINES = {
    entry["variant"]: (entry["deal"], entry["line"].split())
    for entry in json.loads((DATA / "tap_lines.json").read_text())["lines"]
}


def _win(table: TablePage, variant: str, play: Callable[[str], None]) -> None:
    deal, line = _LINES[variant]
    table.open(f"/play/{variant}/{deal}", ask=True, autocomplete=False)
    for move in line:
        play(move)
    table.expect_status("won")
    state = table.state()
    assert state["status"] == "won"
    assert state["line"] == line
    assert sum(state["foundations"].values()) == 52


@pytest.mark.parametrize("size", SIZES)
@pytest.mark.parametrize("variant", _LINES)
def test_a_game_is_won_by_taps(new_table: Callable[..., TablePage], variant: str, size: str) -> None:
    # Cards move in the one, and in the others are there at once: both must take a tap.
    still = (variant, size) != ("bakers-dozen", "1280x800")
    table = new_table(size, reduced_motion="reduce" if still else "no-preference")
    _win(table, variant, table.tap_move)


@pytest.mark.parametrize("size", SIZES)
def test_a_game_is_won_by_drags(new_table: Callable[..., TablePage], size: str) -> None:
    table = new_table(size, reduced_motion="reduce")

    def drag(move: str) -> None:
        ply = table.ply()
        table.drag(move[0], move[1])
        table.expect_ply(ply + 1)

    _win(table, "bakers-dozen", drag)


@pytest.mark.parametrize("size", SIZES)
def test_a_game_is_won_by_the_keyboard_alone(new_table: Callable[..., TablePage], size: str) -> None:
    table = new_table(size, reduced_motion="reduce")
    _win(table, "bakers-dozen", table.key_move)
