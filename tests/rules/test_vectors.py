"""The vectors that the browser's rules are tested with."""

from __future__ import annotations

from collections import Counter
from typing import Any

import pytest

from bakers.rules.cards import CARD_NAMES, COVERED, card_name
from bakers.rules.deals import deal
from bakers.rules.variants import (
    BAKERS_DOZEN,
    ORIGINAL_1883,
    PORTUGUESE_SOLITAIRE,
    SPANISH_PATIENCE,
    VARIANTS,
)
from tests import write_vectors

from . import naive_taps
from .tables import table

NOTHING_HOME = {"C": 0, "D": 0, "H": 0, "S": 0}


def columns(*texts: str) -> list[list[str]]:
    return [text.split() for text in texts]


def test_the_same_vectors_are_written_every_time() -> None:
    for variant in VARIANTS.values():
        assert write_vectors.vectors_of(variant, 30) == write_vectors.vectors_of(variant, 30)


@pytest.fixture(scope="module", params=VARIANTS.values(), ids=lambda variant: variant.slug)
def vectors(request: pytest.FixtureRequest) -> list[dict[str, Any]]:
    """As many vectors as are made in a moment; the file has more of the same kinds."""
    return write_vectors.vectors_of(request.param, 300)


class TestVectors:
    def test_positions_of_every_kind_are_among_them(self, vectors: list[dict[str, Any]]) -> None:
        assert len(vectors) == 300 < write_vectors.VECTORS_A_VARIANT
        kinds = Counter(kind for vector in vectors for kind, so in self.kinds(vector) if so)
        variant = VARIANTS[vectors[0]["variant"]]
        assert kinds["an empty column"] > 100
        assert min(kinds["finishing"], kinds["safe"], kinds["long"], kinds["imported with cards home"]) > 10
        assert kinds["won"] > 5
        assert kinds["stuck"] > (0 if variant is SPANISH_PATIENCE else 10)
        assert (kinds["covered"] > 100, kinds["covered with sunk kings"] > 50) == (variant.covered,) * 2
        assert (kinds["a fill"] > 50) is (variant in {SPANISH_PATIENCE, PORTUGUESE_SOLITAIRE})

    def kinds(self, vector: dict[str, Any]) -> list[tuple[str, bool]]:
        table_columns = vector["columns"]
        return [
            ("an empty column", [] in table_columns),
            ("finishing", bool(vector["finishing"])),
            ("safe", bool(vector["safe"])),
            ("long", len(vector["line"]) > 20),
            ("imported with cards home", sum(vector["dealt"]["foundations"].values()) > 2),
            ("won", vector["won"]),
            ("stuck", vector["stuck"]),
            ("covered", any(COVERED in column for column in table_columns)),
            (
                "covered with sunk kings",
                any(COVERED in column and column[0][0] == "K" for column in table_columns),
            ),
            (
                "a fill",
                any(
                    move[1] != "h" and not table_columns[naive_taps.COLUMNS.index(move[1])]
                    for move in vector["legal"]
                ),
            ),
        ]

    def test_no_vector_of_a_running_game_names_a_covered_card(self, vectors: list[dict[str, Any]]) -> None:
        for vector in vectors:
            shown = {name for column in vector["columns"] for name in column} - {COVERED}
            dealt = {name for column in vector["dealt"]["columns"] for name in column} - {COVERED}
            home = {
                suit + str(rank) for suit, count in vector["foundations"].items() for rank in range(count)
            }
            covered = sum(column.count(COVERED) for column in vector["columns"])
            assert len(shown) + len(home) + covered == 52
            assert covered == sum(column.count(COVERED) for column in vector["dealt"]["columns"])
            assert shown <= dealt


class TestNaiveTaps:
    def test_safe_cards_are_those_of_the_engine(self) -> None:
        for name in CARD_NAMES:
            for home in ("0000", "A2A0", "2222", "3232", "JTJQ", "QQQQ"):
                position = table(BAKERS_DOZEN, home=home)
                foundations = write_vectors.home_by_suit(position.foundations)
                assert naive_taps.is_safe(name, foundations) is position.is_safe_home(CARD_NAMES.index(name))

    def test_cards_go_home_from_the_leftmost_column_first(self) -> None:
        assert naive_taps.safe(columns("2C AD", "AC", "2D"), NOTHING_HOME) == ["1h", "2h", "1h", "3h"]

    def test_a_covered_card_sends_nothing_more_from_its_column(self) -> None:
        assert naive_taps.safe(columns("## AD", "AC"), NOTHING_HOME) == ["1h", "2h"]

    def test_a_game_finishes_only_when_all_cards_go_home_and_none_is_covered(self) -> None:
        home = {"C": 13, "D": 13, "H": 13, "S": 11}
        assert naive_taps.finishing(columns("KS", "QS"), home) == ["2h", "1h"]
        assert naive_taps.finishing(columns("KS QS"), home) == ["1h", "1h"]
        assert naive_taps.finishing(columns("QS KS"), home) is None
        assert naive_taps.finishing(columns("## QS"), home) is None
        assert naive_taps.finishing(columns("", ""), {**home, "S": 13}) is None

    def test_a_tap_goes_home_then_where_it_hides_least_then_into_an_empty_column(self) -> None:
        position = table(
            SPANISH_PATIENCE, "9C 5C", "2D 3D 6D", "2S 9D 6S", "4S TS 6H", "AC", "KD 3C", home="0000"
        )
        legal = [move.text for move in position.legal_moves]
        taps = naive_taps.best(position.seen_columns(), NOTHING_HOME, legal)
        assert taps == {"1": "13", "2": "27", "3": "37", "4": "47", "5": "5h", "6": "67"}

    def test_a_column_with_nowhere_to_go_has_no_tap(self) -> None:
        position = deal(ORIGINAL_1883, 1)
        legal = [move.text for move in position.legal_moves]
        taps = naive_taps.best(position.seen_columns(), NOTHING_HOME, legal)
        assert set(taps) == {move[0] for move in legal} < set(naive_taps.COLUMNS)
        assert card_name(position.columns[0][-1]) == "AD"
        assert taps["1"] == "1h"
