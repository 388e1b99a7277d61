"""The right answers of `tests/data/cases`: worked out before this engine and apart from it."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from bakers.rules.cards import CARD_NAMES, SUITS, names
from bakers.rules.deals import deal, sink_kings
from bakers.rules.layouts import foundations_text
from bakers.rules.moves import HOME, Move, parse_line
from bakers.rules.positions import Position
from bakers.rules.variants import BAKERS_DOZEN, ORIGINAL_1883, get_variant

from .tables import cards, seen, table

CASES = Path(__file__).parents[1] / "data" / "cases"
RULES: dict[str, Any] = json.loads((CASES / "rules.json").read_text())
WINNING: list[dict[str, str]] = json.loads((CASES / "lines.json").read_text())["lines"]


def name(case: dict[str, Any]) -> str:
    return f"{case['variant']}-{case['deal']}"


def homes(text: str) -> dict[str, str]:
    """Foundations by suit, since the cases name the suits in another order than we do."""
    return dict(pair.split("-") for pair in text.split())


def perft(position: Position, depth: int) -> int:
    if depth == 0:
        return 1
    lines = 0
    for move in list(position.legal_moves):
        position.push(move)
        lines += perft(position, depth - 1)
        position.pop()
    return lines


class TestDeals:
    @pytest.mark.parametrize("case", RULES["deals"], ids=name)
    def test_a_deal_number_gives_its_columns_and_foundations(self, case: dict[str, Any]) -> None:
        position = deal(get_variant(case["variant"]), int(case["deal"]))
        assert seen(position) == case["columns"]
        assert homes(foundations_text(position.foundations)) == homes(case["foundations"])

    @pytest.mark.parametrize("case", RULES["deals"], ids=name)
    def test_a_deal_has_its_legal_moves_and_numbers_of_lines(self, case: dict[str, Any]) -> None:
        position = deal(get_variant(case["variant"]), int(case["deal"]))
        assert [move.text for move in position.legal_moves] == case["legal"]
        assert [perft(position, depth) for depth in (1, 2, 3)] == case["perft"][:3]


class TestLines:
    @pytest.mark.parametrize("case", RULES["lines"], ids=name)
    def test_a_line_leads_to_its_position(self, case: dict[str, Any]) -> None:
        position = deal(get_variant(case["variant"]), int(case["deal"]))
        position.play_line(case["line"])
        assert seen(position) == case["columns"]
        assert homes(foundations_text(position.foundations)) == homes(case["foundations"])
        assert [move.text for move in position.legal_moves] == case["legal"]
        assert position.is_stuck() is case["stuck"]

    @pytest.mark.parametrize("case", WINNING, ids=name)
    def test_a_winning_line_wins_with_its_last_move_and_not_before(self, case: dict[str, Any]) -> None:
        position = deal(get_variant(case["variant"]), int(case["deal"]))
        moves = parse_line(case["line"])
        for ply, move in enumerate(moves):
            assert not position.is_won(), f"won before ply {ply}"
            position.play(move)
        assert position.is_won()
        assert not position.is_stuck()
        assert position.columns == [[]] * position.variant.columns
        assert sum(move.target == HOME for move in moves) == 52 - position.variant.aces_start


class TestKings:
    @pytest.mark.parametrize("case", RULES["sink"], ids=lambda case: case["dealt"])
    def test_sinking_kings_keeps_the_order_of_kings_and_of_other_cards(self, case: dict[str, str]) -> None:
        assert names(sink_kings(cards(case["dealt"]))) == case["becomes"]

    @pytest.mark.parametrize("case", RULES["turn_1883"], ids=lambda case: case["dealt_face_down"])
    def test_a_face_down_column_turns_up_as_its_case_says(self, case: dict[str, str]) -> None:
        position = table(ORIGINAL_1883, case["dealt_face_down"])
        assert seen(position)[0] == case["becomes"]
        assert names(position.columns[0]) == case["truly"]

    @pytest.mark.parametrize("case", RULES["kings_order"], ids=lambda case: f"deal {case['deal']}")
    def test_kings_left_alone_may_lie_in_another_order_in_the_original(self, case: dict[str, Any]) -> None:
        column = case["column"] - 1
        leaving = [name for name in case["after"].split() if name in CARD_NAMES]
        assert len(leaving) == 2
        for variant in (BAKERS_DOZEN, ORIGINAL_1883):
            position = deal(variant, int(case["deal"]))
            for leaver in leaving:
                assert CARD_NAMES[position.columns[column][-1]] == leaver
                position.push(Move(column, column - 1))
            assert seen(position)[column] == case[variant.slug]


def test_the_cases_cover_every_variant_and_stuck_lines() -> None:
    slugs = {case["variant"] for case in RULES["deals"]}
    assert len(slugs) == 5
    assert {case["variant"] for case in WINNING} == slugs == {case["variant"] for case in RULES["lines"]}
    assert any(case["stuck"] for case in RULES["lines"])
    assert set(SUITS) == set(homes(RULES["deals"][0]["foundations"]))
