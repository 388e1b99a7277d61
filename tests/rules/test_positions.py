"""Positions: moves, refusals, texts, equality. What holds after any line stands in `test_playing.py`."""

from __future__ import annotations

import itertools
from collections.abc import Callable, Iterator

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from bakers.rules.cards import make_card, parse_card
from bakers.rules.deals import deal
from bakers.rules.errors import AmbiguousMoveError, IllegalMoveError, RulesError, UnreadableError
from bakers.rules.moves import Move, parse_line, parse_move
from bakers.rules.positions import Position
from bakers.rules.variants import (
    BAKERS_DOZEN,
    GOOD_MEASURE,
    ORIGINAL_1883,
    PORTUGUESE_SOLITAIRE,
    SPANISH_PATIENCE,
    VARIANTS,
    Variant,
)

from . import naive
from .strategies import positions, variants
from .tables import cards, exactly, naive_form, seen, table, value_or_error

EVERY = pytest.mark.parametrize("variant", VARIANTS.values(), ids=lambda variant: variant.slug)


def legal(position: Position) -> list[str]:
    return [move.text for move in position.legal_moves]


class TestLegalMoves:
    @EVERY
    def test_a_card_goes_onto_the_next_rank_of_any_suit_and_home_in_order(self, variant: Variant) -> None:
        stops = ["2D"] * (variant.columns - 6)
        position = table(variant, "9H 7C", "8C", "8D", "8H", "8S", "9D", *stops, home="6000")
        assert legal(position) == ["12", "13", "14", "15", "1h", "26", "36", "46", "56"]

    @pytest.mark.parametrize(
        ("variant", "moves"),
        [
            (BAKERS_DOZEN, []),
            (ORIGINAL_1883, []),
            (GOOD_MEASURE, []),
            (SPANISH_PATIENCE, ["23", "24", "53", "54"]),
            (PORTUGUESE_SOLITAIRE, ["53", "54"]),
        ],
        ids=lambda value: getattr(value, "slug", None),
    )
    def test_an_empty_column_takes_what_the_variant_lets_fill_it(
        self, variant: Variant, moves: list[str]
    ) -> None:
        columns = ["6C AC", "4C 9D", "", "", "KS"]
        position = table(variant, *columns, *["2C 5C"] * (variant.columns - 5))
        assert [move for move in legal(position) if move[0] in "25"] == moves

    def test_a_lone_card_may_change_from_one_empty_column_to_another(self) -> None:
        position = table(SPANISH_PATIENCE, "9H")
        assert legal(position) == ["1" + column for column in "23456789abcd"]

    def test_nothing_goes_onto_an_ace_and_a_king_onto_nothing(self) -> None:
        assert legal(table(BAKERS_DOZEN, "KC", "AD", "KD", "2H", home="0A00")) == ["24"]

    def test_the_view_is_lazy_and_follows_its_position(self) -> None:
        position = table(BAKERS_DOZEN, "AC", "2D", "2H")
        view = position.legal_moves
        assert isinstance(iter(view), Iterator)
        assert view.count() == 3
        assert bool(view)
        assert Move(0, 1) in view
        position.push(parse_move("1h"))
        assert view.count() == 0
        assert not view
        assert Move(0, 1) not in view
        position.pop()
        assert repr(view) == "<LegalMoves 12 13 1h>"

    def test_what_is_no_move_is_in_no_view(self) -> None:
        view = table(BAKERS_DOZEN, "AC").legal_moves
        assert Move(0, -1) in view
        assert "1h" not in view
        assert None not in view


class TestRefusals:
    """The exact sentences, which the browser has too."""

    @pytest.mark.parametrize(
        ("variant", "move", "reason"),
        [
            (BAKERS_DOZEN, "14", "A 7 needs an 8; column 4 ends in a 9."),
            (BAKERS_DOZEN, "41", "A 9 needs a 10; column 1 ends in a 7."),
            (BAKERS_DOZEN, "51", "An ace needs a 2; column 1 ends in a 7."),
            (BAKERS_DOZEN, "81", "An 8 needs a 9; column 1 ends in a 7."),
            (BAKERS_DOZEN, "61", "A jack needs a queen; column 1 ends in a 7."),
            (BAKERS_DOZEN, "71", "A queen needs a king; column 1 ends in a 7."),
            (BAKERS_DOZEN, "15", "A 7 needs an 8; column 5 ends in an ace."),
            (BAKERS_DOZEN, "16", "A 7 needs an 8; column 6 ends in a jack."),
            (BAKERS_DOZEN, "19", "A 7 needs an 8; column 9 ends in a king."),
            (BAKERS_DOZEN, "91", "A king goes on no other card, only home."),
            (BAKERS_DOZEN, "79", None),
            (BAKERS_DOZEN, "11", "A card can’t move onto its own column."),
            (BAKERS_DOZEN, "21", "Column 2 is empty."),
            (BAKERS_DOZEN, "22", "Column 2 is empty."),
            (BAKERS_DOZEN, "2h", "Column 2 is empty."),
            (BAKERS_DOZEN, "d2", "Column d is empty."),
            (BAKERS_DOZEN, "12", "An empty column is never filled in Baker’s Dozen."),
            (BAKERS_DOZEN, "92", "An empty column is never filled in Baker’s Dozen."),
            (ORIGINAL_1883, "12", "An empty column is never filled in Original 1883."),
            (GOOD_MEASURE, "12", "An empty column is never filled in Good Measure."),
            (GOOD_MEASURE, "1b", "There is no column b; Good Measure has 10."),
            (GOOD_MEASURE, "d1", "There is no column d; Good Measure has 10."),
            (GOOD_MEASURE, "dh", "There is no column d; Good Measure has 10."),
            (SPANISH_PATIENCE, "12", None),
            (SPANISH_PATIENCE, "92", None),
            (PORTUGUESE_SOLITAIRE, "12", "Only a king fills an empty column; column 1 ends in a 7."),
            (PORTUGUESE_SOLITAIRE, "82", "Only a king fills an empty column; column 8 ends in an 8."),
            (PORTUGUESE_SOLITAIRE, "92", None),
            (BAKERS_DOZEN, "1h", "The clubs foundation needs the 3; column 1 ends in a 7."),
            (BAKERS_DOZEN, "5h", None),
            (BAKERS_DOZEN, "6h", "The hearts foundation needs the ace; column 6 ends in a jack."),
            (BAKERS_DOZEN, "7h", "The spades foundation needs the king; column 7 ends in a queen."),
        ],
    )
    def test_a_move_is_refused_in_these_words(self, variant: Variant, move: str, reason: str | None) -> None:
        columns = ["5C 7C", "", "2D", "9C", "AD", "JH", "QS", "8H", "KD"]
        position = table(variant, *columns, home="200Q")
        assert position.why_illegal(parse_move(move)) == reason
        if reason is None:
            assert position.play(move).text == move
        else:
            with pytest.raises(IllegalMoveError) as caught:
                position.play(move)
            assert (caught.value.reason, caught.value.token) == (reason, move)
            with pytest.raises(IllegalMoveError) as caught:
                position.play(parse_move(move))
            assert (caught.value.reason, caught.value.token) == (reason, move)
            assert position.ply == 0

    def test_a_refusal_names_no_covered_card(self) -> None:
        position = table(ORIGINAL_1883, "KD 5C 7D KS", "8C", "2H")
        reasons = [position.why_illegal(Move(0, target)) for target in (-1, 2, 3)]
        assert reasons == [
            "The diamonds foundation needs the ace; column 1 ends in a 7.",
            "A 7 needs an 8; column 3 ends in a 2.",
            "An empty column is never filled in Original 1883.",
        ]


class TestParsing:
    @pytest.fixture
    def position(self) -> Position:
        return table(SPANISH_PATIENCE, "5C AD", "2S", "9H", "2C", "7H", "8S", *["3C 4C"] * 6, "")

    @pytest.mark.parametrize(
        ("text", "move"),
        [
            ("56", "56"),
            ("5d", "5d"),
            ("1h", "1h"),
            ("7H-8S", "56"),
            ("7h-8s", "56"),
            ("7H-8♠", "56"),
            ("7H-6", "56"),
            ("7H-d", "5d"),
            ("AD-h", "1h"),
            ("AD-H", "1h"),
            ("AD-2C", "14"),
            ("AD-4", "14"),
            ("9H-", "3d"),
            (" 9H-", "3d"),
        ],
    )
    def test_a_move_is_read_from_columns_or_from_its_card(
        self, position: Position, text: str, move: str
    ) -> None:
        assert position.parse(text).text == move
        assert position.play(text).text == move
        assert position.ply == 1

    @pytest.mark.parametrize(
        ("text", "reason"),
        [
            ("AD-", "AD fits in several places: 12 14 1d 1h."),
            ("ad-", "AD fits in several places: 12 14 1d 1h."),
            ("7H-", "7H fits in several places: 56 5d."),
        ],
    )
    def test_a_card_with_several_places_is_ambiguous(
        self, position: Position, text: str, reason: str
    ) -> None:
        before = exactly(position)
        with pytest.raises(AmbiguousMoveError) as caught:
            position.play(text)
        assert (caught.value.reason, caught.value.token, caught.value.code) == (
            reason,
            text,
            "ambiguous_move",
        )
        assert exactly(position) == before

    @pytest.mark.parametrize(
        ("text", "reason"),
        [
            ("7H-9H", "A 7 needs an 8; column 3 ends in a 9."),
            ("7H-3", "A 7 needs an 8; column 3 ends in a 9."),
            ("7H-h", "The hearts foundation needs the ace; column 5 ends in a 7."),
            ("7H-5", "A card can’t move onto its own column."),
            ("5C-", "5C isn’t the top card of a column."),
            ("KD-8S", "KD isn’t the top card of a column."),
            ("7H-5C", "5C isn’t the top card of a column."),
            ("7H-KD", "KD isn’t the top card of a column."),
        ],
    )
    def test_a_card_is_refused_as_its_move_is(self, position: Position, text: str, reason: str) -> None:
        with pytest.raises(IllegalMoveError) as caught:
            position.play(text)
        assert (caught.value.reason, caught.value.token) == (reason, text)

    def test_a_card_that_fits_nowhere_is_refused(self) -> None:
        with pytest.raises(IllegalMoveError, match=r"^9H fits nowhere\.$"):
            table(BAKERS_DOZEN, "9H", "8C").parse("9H-")

    @pytest.mark.parametrize(
        "text",
        [
            "",
            "zz",
            "5-",
            "-",
            "--",
            "7H-8S-9D",
            "7H-e",
            "7H-0",
            "7H-12",
            "7H-ab",
            "7H-123456789abcd",
            "7H-hh",
        ],
    )
    def test_what_is_neither_form_can_t_be_read(self, position: Position, text: str) -> None:
        """`7H-12` once was looked up among the columns as a part of `123456789abcd`."""
        with pytest.raises(UnreadableError):
            position.parse(text)

    @settings(deadline=None)
    @given(positions(), st.text(max_size=6) | st.text("A23456789TJQKCDHSabcdh-0 ", max_size=6))
    def test_any_text_is_a_legal_move_or_one_of_the_three_errors(self, position: Position, text: str) -> None:
        before = exactly(position)
        try:
            move = position.parse(text)
        except RulesError as error:
            reason = error.reason
        else:
            assert move in position.legal_moves
            reason = "It can be played."
        assert reason.endswith(".")
        assert exactly(position) == before


class TestLines:
    LINE = "3d a9 dc c3"

    @pytest.mark.parametrize(
        "line",
        [LINE, LINE.replace(" ", ""), LINE.split(), parse_line(LINE), ["JS-QD", "a9", Move(12, 11), "c3"]],
        ids=["spaced", "packed", "texts", "moves", "mixed"],
    )
    def test_a_line_is_played_from_one_text_or_from_texts_and_moves(
        self, line: str | list[str | Move]
    ) -> None:
        position = deal(BAKERS_DOZEN, 2)
        assert [move.text for move in position.play_line(line)] == self.LINE.split()
        assert position.ply == 4

    def test_an_illegal_move_is_named_by_its_place_and_nothing_is_played(self) -> None:
        position = deal(BAKERS_DOZEN, 2)
        position.play("3d")
        before = exactly(position)
        with pytest.raises(IllegalMoveError) as caught:
            position.play_line("a9 dc 4h c3")
        assert caught.value.index == 2
        assert caught.value.token == "4h"
        assert exactly(position) == before

    @pytest.mark.parametrize("line", [["3d", "zz"], ["3d", "AS-"], "3d zz", "3dz"])
    def test_a_line_that_can_t_be_read_or_is_ambiguous_is_not_begun(self, line: str | list[str]) -> None:
        position = deal(BAKERS_DOZEN, 2)
        before = exactly(position)
        with pytest.raises(RulesError):
            position.play_line(line)
        assert exactly(position) == before

    def test_a_line_that_breaks_off_with_another_error_is_taken_back_too(self) -> None:
        def broken() -> Iterator[str]:
            yield "3d"
            raise OSError("the rest could not be fetched")

        position = deal(BAKERS_DOZEN, 2)
        before = exactly(position)
        with pytest.raises(OSError, match="could not be fetched"):
            position.play_line(broken())
        assert exactly(position) == before

    def test_an_empty_line_changes_nothing(self) -> None:
        position = deal(BAKERS_DOZEN, 2)
        assert position.play_line("") == position.play_line([]) == []
        assert position.ply == 0


class TestPushAndPop:
    def test_push_doesn_t_ask_whether_a_move_is_legal(self) -> None:
        position = table(BAKERS_DOZEN, "9H 5C", "AD")
        position.push(Move(0, 1))
        assert seen(position)[:2] == ["9H", "AD 5C"]
        assert position.pop() == Move(0, 1)
        assert seen(position)[:2] == ["9H 5C", "AD"]

    def test_there_is_nothing_to_pop_before_the_first_move(self) -> None:
        with pytest.raises(IndexError):
            deal(BAKERS_DOZEN, 1).pop()

    def test_the_line_is_what_was_pushed_and_not_popped(self) -> None:
        position = deal(BAKERS_DOZEN, 2)
        position.play_line("3d 41")
        position.pop()
        position.play("a9")
        assert [move.text for move in position.line] == ["3d", "a9"]
        assert position.ply == 2


class TestTurning:
    def test_the_last_move_of_a_card_turns_up_the_next_and_pop_covers_it_again(self) -> None:
        position = table(ORIGINAL_1883, "5C KH 7D KS", "8C")
        assert seen(position)[0] == "KS ## ## 7D"
        before = exactly(position)
        position.play("12")
        assert seen(position)[:2] == ["KH KS 5C", "8C 7D"]
        position.pop()
        assert seen(position)[0] == "KS ## ## 7D"
        assert exactly(position) == before

    def test_several_kings_sink_with_one_move_and_rise_again_in_their_order(self) -> None:
        position = table(ORIGINAL_1883, "2C KC KD KH 7D", "8C")
        before = exactly(position)
        position.play("12")
        assert seen(position)[0] == "KC KD KH 2C"
        position.pop()
        assert exactly(position) == before
        assert seen(position)[0] == "## ## ## ## 7D"

    def test_the_last_king_over_sunk_kings_stays(self) -> None:
        position = table(ORIGINAL_1883, "KD 5C 7D KS", "8C", "6C")
        position.play_line("12 13")
        assert seen(position)[0] == "KS KD"
        assert position.covered[0] == 0

    def test_a_card_moved_onto_covered_cards_turns_nothing_when_it_leaves(self) -> None:
        position = table(ORIGINAL_1883, "2C 9H 8C", "7D", "4S 8H")
        position.play_line("21 13")
        assert seen(position)[:3] == ["## ## 8C", "", "## 8H 7D"]

    def test_an_emptied_column_turns_nothing(self) -> None:
        position = table(ORIGINAL_1883, "AC", "3H 2C")
        position.play_line("1h 2h")
        assert seen(position)[:2] == ["", "3H"]
        assert position.cards_home() == 2

    def test_no_other_variant_covers_a_card(self) -> None:
        for variant in VARIANTS.values():
            assert bool(deal(variant, 477).covered_cards()) is variant.covered

    def test_covered_cards_are_told_by_column_and_height(self) -> None:
        position = table(ORIGINAL_1883, "5C KH 7D KS")
        assert [position.is_covered(0, index) for index in range(4)] == [False, True, True, False]
        assert position.covered_cards() == set(cards("5C KH"))


class TestEnding:
    def test_a_position_with_all_cards_home_is_won_and_not_stuck(self) -> None:
        position = table(BAKERS_DOZEN, "KC", home="QKKK")
        assert not position.is_won()
        position.play("1h")
        assert position.is_won()
        assert not position.is_stuck()
        assert position.cards_home() == 52
        assert not position.legal_moves

    def test_a_position_without_legal_moves_is_stuck(self) -> None:
        assert table(BAKERS_DOZEN, "4C KD", "5H 2S").is_stuck()
        assert not table(SPANISH_PATIENCE, "4C KD", "5H 2S").is_stuck()
        assert not table(BAKERS_DOZEN, "4C KD", "5H QS").is_stuck()


class TestSafeCards:
    @pytest.mark.parametrize(
        ("card", "home", "safe"),
        [
            ("AC", "0000", True),
            ("2C", "A000", True),
            ("3C", "2000", False),
            ("3C", "2AA0", False),
            ("3C", "2AAA", True),
            ("4C", "3AAA", False),
            ("4C", "32A2", False),
            ("4C", "3222", True),
            ("KS", "JJJQ", True),
            ("KS", "JJTQ", False),
        ],
    )
    def test_a_card_is_safe_when_nothing_can_want_to_lie_on_it(
        self, card: str, home: str, safe: bool
    ) -> None:
        assert table(BAKERS_DOZEN, card, home=home).is_safe_home(parse_card(card)) is safe

    def test_the_rule_holds_for_all_foundations(self) -> None:
        for home in itertools.product((0, 1, 2, 3, 11, 12), repeat=4):
            position = Position(BAKERS_DOZEN, [[]] * 13, home)
            for rank in range(1, 14):
                lower_cards_at_large = any(count < lower for count in home for lower in range(1, rank - 1))
                assert position.is_safe_home(make_card(rank, 0)) is (rank <= 2 or not lower_cards_at_large)


class TestTexts:
    def test_a_position_is_one_line_of_text(self) -> None:
        position = table(ORIGINAL_1883, "5C 7D 9H KS", "8C", home="0A2K")
        assert position.text() == "0A2K KS(5C7D)9H/8C" + "/" * 11
        assert repr(position) == f"Position.from_text('original-1883', {position.text()!r})"

    @EVERY
    def test_the_text_of_a_deal_is_read_as_that_deal(self, variant: Variant) -> None:
        position = deal(variant, 477)
        assert Position.from_text(variant, position.text()) == position
        assert Position.from_text(variant.slug, position.text()) == position

    @pytest.mark.parametrize(
        ("change", "reason"),
        [
            (lambda text: "", "A position begins with four foundation ranks, as in 00A0."),
            (lambda text: "000 " + text[5:], "A position begins with four foundation ranks, as in 00A0."),
            (lambda text: "00a0 " + text[5:], "A position begins with four foundation ranks, as in 00A0."),
            (lambda text: "0010 " + text[5:], "A position begins with four foundation ranks, as in 00A0."),
            (lambda text: text.replace(" ", ""), "A position begins with four foundation ranks, as in 00A0."),
            (lambda text: text + "/", "Original 1883 has 13 columns, not 14."),
            (lambda text: text.rpartition("/")[0], "Original 1883 has 13 columns, not 12."),
            (lambda text: "A" + text[1:], "A position holds each of the 52 cards once."),
            (lambda text: text.replace("KC", "", 1), "A position holds each of the 52 cards once."),
            (lambda text: text.replace("AD", "AH", 1), "A position holds each of the 52 cards once."),
            (lambda text: text[:-1], "“J” is no row of cards."),
            (lambda text: text + " ", "“JD ” is no row of cards."),
            (lambda text: text.lower().replace("0000", "0000 ", 1), "“ ” is no row of cards."),
            (lambda text: text.replace(")", "", 1), "“(6HJH5CAD” is no column with covered cards."),
            (lambda text: text.replace(")AD", "AD)", 1), "“(6HJH5CAD)” is no column with covered cards."),
            (lambda text: text.replace("(6H", "6H()", 1), "“JH5C)AD” is no row of cards."),
            (lambda text: text.replace("(6H", "6H(", 1), "“6H(JH5C)AD” is no column with covered cards."),
            (lambda text: text.replace("(", "((", 1), "“(6HJH5C” is no row of cards."),
            (lambda text: text.replace("(", ")", 1), "“)6HJH5C)AD” is no row of cards."),
            (lambda text: text.replace("6H", "##", 1), "“##JH5C” is no row of cards."),
        ],
    )
    def test_what_is_no_position_is_refused(self, change: Callable[[str], str], reason: str) -> None:
        text = change(deal(ORIGINAL_1883, 1).text())
        with pytest.raises(UnreadableError) as caught:
            Position.from_text(ORIGINAL_1883, text)
        assert caught.value.reason == reason

    def test_covered_cards_are_refused_where_none_are_covered(self) -> None:
        with pytest.raises(UnreadableError, match=r"^Baker’s Dozen covers no cards\.$"):
            Position.from_text(BAKERS_DOZEN, deal(ORIGINAL_1883, 1).text())

    def test_an_unknown_variant_is_refused(self) -> None:
        with pytest.raises(UnreadableError, match="There is no variant of that name"):
            Position.from_text("klondike", deal(BAKERS_DOZEN, 1).text())

    @settings(deadline=None)
    @given(variants, st.text(max_size=60) | st.text("0A2KCDHS()/ ", max_size=60))
    def test_any_text_is_a_position_or_unreadable(self, variant: Variant, text: str) -> None:
        result = value_or_error(Position.from_text, variant, text)
        assert isinstance(result, UnreadableError)

    @settings(deadline=None)
    @given(st.data())
    def test_a_text_with_one_thing_changed_is_a_position_or_unreadable(self, data: st.DataObject) -> None:
        position = data.draw(positions())
        text = position.text()
        start = data.draw(st.integers(0, len(text)))
        end = data.draw(st.integers(start, min(len(text), start + 3)))
        changed = text[:start] + data.draw(st.text("0A2KCDHS()/ #", max_size=3)) + text[end:]
        result = value_or_error(Position.from_text, position.variant, changed)
        if not isinstance(result, UnreadableError):
            assert result.text() == changed
            assert len({card for column in result.columns for card in column}) + result.cards_home() == 52


class TestEquality:
    def test_how_a_position_was_reached_makes_no_difference(self) -> None:
        one, other = deal(BAKERS_DOZEN, 2), deal(BAKERS_DOZEN, 2)
        one.play_line("3d 41")
        other.play_line("41 3d")
        assert one == other
        assert one.line != other.line

    def test_variant_columns_and_foundations_make_a_difference(self) -> None:
        base = table(BAKERS_DOZEN, "5C", "6C", home="2000")
        assert base == table(BAKERS_DOZEN, "5C", "6C", home="2000")
        assert base != table(SPANISH_PATIENCE, "5C", "6C", home="2000")
        assert base != table(BAKERS_DOZEN, "6C", "5C", home="2000")
        assert base != table(BAKERS_DOZEN, "5C", "6C", home="0002")
        assert base != table(GOOD_MEASURE, "5C", "6C", home="2000")
        assert base != base.text()

    def test_a_covered_card_differs_from_the_same_card_face_up(self) -> None:
        covered = table(ORIGINAL_1883, "5C 7D")
        opened = Position(ORIGINAL_1883, covered.columns)
        assert covered != opened
        assert covered.key() != opened.key()

    def test_sunk_kings_make_a_difference_only_while_cards_are_covered(self) -> None:
        position = table(ORIGINAL_1883, "5C 7D KS")
        position.push(Move(0, 1))
        assert position.sunk[0] == 1
        same = Position(ORIGINAL_1883, position.columns)
        assert position == same
        assert position.key() == same.key()
        assert position.text() == same.text()

    def test_a_position_can_t_be_hashed_since_it_changes(self) -> None:
        with pytest.raises(TypeError):
            hash(deal(BAKERS_DOZEN, 1))

    @settings(deadline=None)
    @given(st.data())
    def test_the_key_is_the_same_in_any_order_of_columns(self, data: st.DataObject) -> None:
        position = data.draw(positions())
        order = data.draw(st.permutations(range(position.variant.columns)))
        moved = Position(
            position.variant,
            [position.columns[place] for place in order],
            position.foundations,
            covered=[position.covered[place] for place in order],
            sunk=[position.sunk[place] for place in order],
        )
        assert moved.key() == position.key()
        assert hash(moved.key()) == hash(position.key())
        assert (moved == position) is (naive_form(moved) == naive_form(position))

    @settings(deadline=None)
    @given(st.data())
    def test_the_key_tells_apart_what_the_naive_counter_tells_apart(self, data: st.DataObject) -> None:
        start = data.draw(positions(most_moves=20))
        reached = []
        for _ in range(2):
            position = start.copy()
            for choice in data.draw(st.lists(st.integers(0, 3), max_size=3)):
                moves = list(position.legal_moves)
                if moves:
                    position.push(moves[choice % len(moves)])
            reached.append(position)
        one, other = reached
        same = naive.without_order(naive_form(one)) == naive.without_order(naive_form(other))
        assert (one.key() == other.key()) is same
        assert (one == other) is (naive_form(one) == naive_form(other))


@settings(deadline=None)
@given(positions())
def test_a_copy_is_equal_independent_and_without_history(position: Position) -> None:
    before = exactly(position)
    copy = position.copy()
    assert copy == position
    assert copy.ply == 0
    for _ in range(5):
        move = next(iter(copy.legal_moves), None)
        if move is None:
            break
        copy.push(move)
    assert exactly(position) == before
    while copy.ply:
        copy.pop()
    assert copy == position
