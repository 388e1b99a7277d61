"""Moves and lines, and their texts."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bakers.rules.errors import UnreadableError
from bakers.rules.moves import (
    HOME,
    MOVES,
    MOVES_BY_TEXT,
    Move,
    line_text,
    pack_line,
    parse_line,
    parse_move,
)

from .tables import value_or_error

moves = st.sampled_from(list(MOVES_BY_TEXT.values()))


class TestMoves:
    def test_there_are_thirteen_sources_with_fourteen_targets(self) -> None:
        assert len(MOVES_BY_TEXT) == len(set(MOVES_BY_TEXT.values())) == 13 * 14

    @pytest.mark.parametrize(
        ("text", "move"),
        [("4h", Move(3, HOME)), ("a3", Move(9, 2)), ("1d", Move(0, 12)), ("dc", Move(12, 11))],
    )
    def test_two_characters_name_source_and_target(self, text: str, move: Move) -> None:
        assert parse_move(text) == move
        assert move.text == str(move) == text

    @given(moves)
    def test_text_and_move_are_inverses(self, move: Move) -> None:
        assert parse_move(move.text) is MOVES_BY_TEXT[move.text]
        assert parse_move(move.text) == move
        assert eval(repr(move), {"Move": Move}) == move  # noqa: S307
        assert MOVES[move.source][move.target] is MOVES_BY_TEXT[move.text]

    @pytest.mark.parametrize(
        "text",
        [
            "",
            "4",
            "4H",
            "A3",
            "h4",
            "hh",
            "0h",
            "e1",
            "4hh",
            " 4h",
            "4 h",
            "4-h",
            "４h",
            "4\x00",
            "٤h",
            "4h\n",
        ],
    )
    def test_what_is_no_move_is_refused(self, text: str) -> None:
        with pytest.raises(UnreadableError) as caught:
            parse_move(text)
        assert caught.value.token == text
        assert caught.value.reason.endswith(
            "is no move: a move is a column (1–9, a–d) and a column or h, as in 4h or a3."
        )

    def test_the_refusal_quotes_what_was_given(self) -> None:
        with pytest.raises(UnreadableError, match=r"^“4H” is no move: "):
            parse_move("4H")

    @given(st.text(max_size=4) | st.text("123456789abcdhABCDH- ", max_size=3))
    def test_any_text_is_a_move_or_unreadable(self, text: str) -> None:
        move = value_or_error(parse_move, text)
        if isinstance(move, UnreadableError):
            assert move.token == text
        else:
            assert move.text == text


class TestLines:
    @given(st.lists(moves, max_size=100))
    def test_a_line_is_read_as_it_was_written_with_spaces_or_packed(self, line: list[Move]) -> None:
        assert parse_line(line_text(line)) == line
        assert parse_line(pack_line(line)) == line
        assert pack_line(line) == line_text(line).replace(" ", "")
        assert len(pack_line(line)) == 2 * len(line)

    @pytest.mark.parametrize("text", ["4h a31d", "  4h\ta3\r\n1d ", "4ha31d", "4h\u00a0a3 1d"])
    def test_any_white_space_may_part_the_moves(self, text: str) -> None:
        assert line_text(parse_line(text)) == "4h a3 1d"

    def test_an_empty_text_is_an_empty_line(self) -> None:
        assert parse_line("") == parse_line(" \n") == []
        assert line_text([]) == pack_line([]) == ""

    @pytest.mark.parametrize(
        ("text", "number", "token"),
        [("4h a3 xx", 3, "xx"), ("4ha", 2, "a"), ("4 h", 1, "4"), ("4h,a3", 2, ",a"), ("4h a3 7H-", 3, "7H")],
    )
    def test_a_move_that_can_t_be_read_is_named_by_its_number(
        self, text: str, number: int, token: str
    ) -> None:
        with pytest.raises(UnreadableError) as caught:
            parse_line(text)
        assert (caught.value.line, caught.value.token) == (number, token)
        assert caught.value.reason.startswith(f"Move {number}: “{token}” is no move")

    @given(st.text(max_size=40) | st.text("123456789abcdh ", max_size=40))
    def test_any_text_is_a_line_or_unreadable(self, text: str) -> None:
        line = value_or_error(parse_line, text)
        if isinstance(line, UnreadableError):
            assert line.line is not None
            assert line.line >= 1
        else:
            assert pack_line(line) == "".join(text.split())
