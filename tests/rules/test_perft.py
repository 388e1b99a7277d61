"""Counts of lines and positions, as the naive counter of `naive.py` found them."""

from __future__ import annotations

import json
from typing import Any

import pytest

from bakers.rules.deals import deal
from bakers.rules.layouts import parse_layout
from bakers.rules.positions import Position
from bakers.rules.variants import VARIANTS, get_variant

from . import naive
from .tables import naive_form

COUNTS: list[dict[str, Any]] = json.loads(naive.PERFT_FILE.read_text())["counts"]
ORIGINAL = [entry for entry in COUNTS if entry["variant"] == "original-1883"]


def name(entry: dict[str, Any]) -> str:
    return f"{entry['variant']}-{entry['deal']}-{len(entry['line'].split())}"


def position_of(entry: dict[str, Any]) -> Position:
    position = deal(get_variant(entry["variant"]), int(entry["deal"]))
    position.play_line(entry["line"])
    return position


def perft(position: Position, depth: int) -> int:
    """How many lines of exactly `depth` moves there are, walked one by one."""
    if depth == 1:
        return position.legal_moves.count()
    lines = 0
    for move in list(position.legal_moves):
        position.push(move)
        lines += perft(position, depth - 1)
        position.pop()
    return lines


def distinct(position: Position, depth: int) -> tuple[list[int], list[int]]:
    """How many positions lie 1, 2, … `depth` moves away: unequal ones, and ones with unequal keys."""
    level = [position.copy()]
    unequal, unordered = [], []
    for _ in range(depth):
        by_text: dict[str, Position] = {}
        for reached in level:
            for move in list(reached.legal_moves):
                reached.push(move)
                known = by_text.get(reached.text())
                if known is None:
                    by_text[reached.text()] = reached.copy()
                else:
                    assert known == reached
                reached.pop()
        level = list(by_text.values())
        unequal.append(len(level))
        unordered.append(len({reached.key() for reached in level}))
    return unequal, unordered


@pytest.mark.parametrize("entry", COUNTS, ids=name)
def test_the_position_lies_as_the_naive_counter_lays_it(entry: dict[str, Any]) -> None:
    assert naive_form(position_of(entry)).split("|") == [entry["foundations"], *entry["columns"]]


@pytest.mark.parametrize("entry", COUNTS, ids=name)
def test_there_are_as_many_lines_as_the_naive_counter_found(entry: dict[str, Any]) -> None:
    position = position_of(entry)
    before = position.text()
    assert [perft(position, depth) for depth in range(1, naive.DEPTH + 1)] == entry["lines"]
    assert position.text() == before


@pytest.mark.parametrize("entry", COUNTS, ids=name)
def test_there_are_as_many_distinct_positions_as_the_naive_counter_found(entry: dict[str, Any]) -> None:
    depth = 3
    expected = entry["positions"][:depth], entry["unordered"][:depth]
    assert distinct(position_of(entry), depth) == expected


@pytest.mark.long
@pytest.mark.parametrize("entry", COUNTS, ids=name)
def test_there_are_as_many_distinct_positions_five_moves_away(entry: dict[str, Any]) -> None:
    assert distinct(position_of(entry), naive.DEPTH) == (entry["positions"], entry["unordered"])


@pytest.mark.parametrize("entry", COUNTS, ids=name)
def test_the_naive_counter_still_finds_what_the_file_says_of_three_moves(entry: dict[str, Any]) -> None:
    position = "|".join([entry["foundations"], *entry["columns"]])
    expected = {part: entry[part][:3] for part in ("lines", "positions", "unordered")}
    assert naive.count(entry["variant"], position, 3) == expected


@pytest.mark.long
def test_the_file_is_what_the_naive_counter_writes() -> None:
    assert naive.PERFT_FILE.read_text() == naive.file_text()


def test_the_file_counts_from_all_starts() -> None:
    assert [(entry["variant"], int(entry["deal"]), entry["line"]) for entry in COUNTS] == naive.starts()
    assert {entry["variant"] for entry in COUNTS} == set(VARIANTS)


@pytest.mark.parametrize("slug", ["spanish-patience", "portuguese-solitaire"])
def test_some_counts_fill_empty_columns(slug: str) -> None:
    entries = [entry for entry in COUNTS if entry["variant"] == slug]
    assert any(
        not position.columns[move.target]
        for position in map(position_of, entries)
        for move in position.legal_moves
        if move.target >= 0
    )


def test_some_counts_turn_up_kings() -> None:
    kings_sunk = 0
    for position in map(position_of, ORIGINAL):
        before = sum(position.sunk)
        for move in list(position.legal_moves):
            position.push(move)
            kings_sunk += sum(position.sunk) - before
            position.pop()
    assert kings_sunk > 0


def test_some_counts_end_in_a_win_and_in_positions_without_moves() -> None:
    assert any(entry["lines"][-1] == 0 < entry["lines"][0] for entry in COUNTS)


def test_the_layouts_of_the_file_can_be_imported() -> None:
    for entry in COUNTS:
        if entry["line"] == "" and entry["variant"] != "original-1883":
            home = "Foundations: " + " ".join(
                pair[0] + "-" + pair[1] for pair in entry["foundations"].split()
            )
            layout = parse_layout(get_variant(entry["variant"]), "\n".join([home, *entry["columns"]]))
            assert layout.position() == position_of(entry)
