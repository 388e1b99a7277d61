"""Layouts as text: what is read, what is refused and why."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from pysol_cards.cards import CardRenderer
from pysol_cards.deal_game import Game
from pysol_cards.random_base import RandomBase

from bakers.rules.cards import CARD_NAMES, SUITS, names
from bakers.rules.deals import deal
from bakers.rules.errors import UnreadableError
from bakers.rules.layouts import (
    MAX_LAYOUT_CHARACTERS,
    Layout,
    foundations_text,
    layout_text,
    parse_layout,
    pysolfc_layout,
)
from bakers.rules.variants import BAKERS_DOZEN, GOOD_MEASURE, ORIGINAL_1883, VARIANTS, Variant

from .strategies import layouts, variants
from .tables import seen, value_or_error

#: Deal 1, the layout from which the good and the bad ones here are made.
DEAL_1 = """\
6H JH 5C AD
2H 2C 4C 5S
9C 8H 3C 9S
KC 6S TH AH
KD TC 4S AS
8C TD JS 5H
3D 3S QD 7C
6C 7S 9D 7H
KS QS 4D 5D
8D AC 2S JC
8S 4H 3H 9H
KH 6D QH 2D
7D TS QC JD
"""
LINES = DEAL_1.splitlines()

#: The same cards with the aces of hearts and spades home, and two empty columns, the last one too.
LATE = ["6H JH 5C AD", *LINES[1:3], "KC 6S TH", "KD TC 4S", *LINES[5:11], "", ""]
LATE[5] += " KH 6D QH 2D 7D TS QC JD"
HOMES = (0, 0, 1, 1)


def columns_of(layout: Layout) -> list[str]:
    return [names(column) for column in layout.columns]


def with_line(number: int, text: str) -> str:
    """Deal 1 with another line in place of the one of that number."""
    return "\n".join([*LINES[: number - 1], text, *LINES[number:]])


class TestReadable:
    @pytest.mark.parametrize(
        "text",
        [
            pytest.param(DEAL_1, id="our own form"),
            pytest.param(DEAL_1.strip(), id="without the last line's end"),
            pytest.param("\n\n" + DEAL_1 + "\n \n\t\n", id="empty lines around it"),
            pytest.param(DEAL_1.replace("\n", "\n\n"), id="empty lines between its lines"),
            pytest.param("\n".join(["\n".join(LINES[:7]), "", *LINES[7:]]), id="an empty line in the middle"),
            pytest.param(DEAL_1.replace("\n", "\r\n"), id="line ends of Windows"),
            pytest.param(DEAL_1.replace("\n", "\r"), id="line ends of old Macs"),
            pytest.param(DEAL_1.replace(" ", "\t"), id="tabs"),
            pytest.param(DEAL_1.replace(" ", "   "), id="many spaces"),
            pytest.param(DEAL_1.replace(" ", "\u00a0"), id="spaces that don't break"),
            pytest.param(DEAL_1.replace(" ", ", "), id="commas"),
            pytest.param("\ufeff" + DEAL_1, id="a byte order mark"),
            pytest.param(DEAL_1.lower(), id="lower case"),
            pytest.param(DEAL_1.replace("T", "10"), id="10 for T"),
            pytest.param("\n".join(": " + line for line in LINES), id="a colon before each column"),
            pytest.param("\n".join(":" + line for line in LINES), id="a colon without a space"),
            pytest.param(
                "\n".join(f"{number}: {line}" for number, line in enumerate(LINES, 1)), id="numbered columns"
            ),
            pytest.param(
                "\n".join(f"Column {number}: {line}" for number, line in enumerate(LINES, 1)),
                id="named columns",
            ),
            pytest.param("\n".join(f"Stack {n}:{line}" for n, line in enumerate(LINES)), id="named stacks"),
            pytest.param("Foundations:\n" + DEAL_1, id="foundations without a word"),
            pytest.param("Foundations: -\n" + DEAL_1, id="foundations with a hyphen"),
            pytest.param("Foundations: H-0 C-0 D-0 S-0\n" + DEAL_1, id="empty foundations"),
            pytest.param("Freecells:\n" + DEAL_1, id="no free cells"),
            pytest.param(
                "Freecells:  -  -  -  -\nTalon:\n" + DEAL_1, id="empty free cells and an empty talon"
            ),
            pytest.param(DEAL_1 + "Foundations:\n", id="foundations at the end"),
            pytest.param(
                "\n".join(" ".join(f"<{name}>" for name in line.split()) for line in LINES),
                id="face-down cards in angle brackets, as PySolFC writes them",
            ),
        ],
    )
    def test_deal_1_is_read_in_every_form(self, text: str) -> None:
        layout = parse_layout(BAKERS_DOZEN, text)
        assert columns_of(layout) == LINES
        assert layout.foundations == (0, 0, 0, 0)
        assert not layout.king_above
        assert layout.notes == ()
        assert layout.position() == deal(BAKERS_DOZEN, 1)

    @pytest.mark.parametrize("selector", ["", "\ufe0e", "\ufe0f"], ids=["plain", "text", "emoji"])
    @pytest.mark.parametrize("symbols", ["♣♦♥♠", "♧♢♡♤"])
    def test_suit_symbols_are_read_with_and_without_presentation_selectors(
        self, symbols: str, selector: str
    ) -> None:
        text = DEAL_1
        for letter, symbol in zip(SUITS, symbols, strict=True):
            text = text.replace(letter, symbol + selector)
        assert columns_of(parse_layout(BAKERS_DOZEN, text)) == LINES

    @pytest.mark.parametrize(
        "home",
        [
            "Foundations: H-A C-0 D-0 S-A",
            "Foundations: C-0 D-0 H-A S-A",
            "Foundations: S-A H-A",
            "foundations : s-a, h-a",
            "FOUNDATIONS:H-A   S-A   -  -",
            "Foundation: H-A S-A",
            "Founds: H-A D-0 S-A",
        ],
    )
    def test_foundations_are_read_in_any_order_and_also_in_part(self, home: str) -> None:
        text = "\n".join([home, *(line or "-" for line in LATE)])
        layout = parse_layout(BAKERS_DOZEN, text)
        assert columns_of(layout) == LATE
        assert layout.foundations == HOMES

    @pytest.mark.parametrize("rank", ["T", "10", "t"])
    def test_a_foundation_may_end_in_a_ten(self, rank: str) -> None:
        column = " ".join(suit_rank + "C" for suit_rank in "KQJ")
        rest = [" ".join(rank_ + suit for rank_ in "KQJT98765432A") for suit in "DHS"]
        layout = parse_layout(BAKERS_DOZEN, "\n".join([f"Foundations: C-{rank}", column, *rest, *["-"] * 9]))
        assert layout.foundations == (10, 0, 0, 0)

    @pytest.mark.parametrize("nothing", ["-", "--", ":", ": ", ": -", "(empty)", "[]", "13: -", "Column 12:"])
    def test_an_empty_column_is_written_in_several_ways(self, nothing: str) -> None:
        text = "\n".join(["Foundations: H-A S-A", *LATE[:11], nothing, nothing])
        assert columns_of(parse_layout(BAKERS_DOZEN, text)) == LATE

    def test_an_fc_solve_dump_is_read(self) -> None:
        text = "\n".join(
            [
                "Foundations: H-A C-0 D-0 S-A ",
                "Freecells:            ",
                *(f": {line}".replace("T", "10") for line in LATE),
                "",
            ]
        )
        layout = parse_layout(BAKERS_DOZEN, text)
        assert columns_of(layout) == LATE
        assert layout.foundations == HOMES

    @pytest.mark.parametrize("first_empty", [False, True])
    def test_a_kpatience_dump_is_read_with_its_empty_lines_as_empty_columns(self, first_empty: bool) -> None:
        columns = [*LATE[-1:], *LATE[:-1]] if first_empty else LATE
        text = "Foundations: S-A H-A \nFreecells: - - \n" + "".join(line + "\n" for line in columns)
        layout = parse_layout(BAKERS_DOZEN, text)
        assert columns_of(layout) == columns
        assert layout.foundations == HOMES

    def test_a_dump_without_headings_is_read_with_its_empty_lines_as_empty_columns(self) -> None:
        lines = [*LINES[:12], ""]
        lines[0] += " " + LINES[12]
        assert columns_of(parse_layout(BAKERS_DOZEN, "\n".join(lines) + "\n")) == lines

    def test_good_measure_is_read_in_ten_columns_with_its_aces_home(self) -> None:
        position = deal(GOOD_MEASURE, 1)
        text = layout_text(position.columns, position.foundations)
        assert text.startswith("Foundations: H-A C-A D-0 S-0\nKC 6H 8S 7S QD\n")
        assert parse_layout(GOOD_MEASURE, text).position() == position

    def test_the_original_takes_a_layout_as_it_was_dealt_and_turns_it(self) -> None:
        text = with_line(1, "6H JH AD 5C")
        assert seen(parse_layout(ORIGINAL_1883, text).position())[:2] == ["## ## ## 5C", "## ## ## 5S"]

    def test_any_board_with_all_cards_home_is_a_layout(self) -> None:
        layout = parse_layout(BAKERS_DOZEN, "Foundations: H-K C-K D-K S-K\n" + "-\n" * 13)
        assert layout.position().is_won()
        assert layout.notes[-1] == "All cards are home already: there is nothing left to play."


class TestPySolFC:
    @pytest.mark.parametrize(
        "text",
        ["PySolFC 12345", "pysolfc 12345", "PySolFC deal 12345", "PySolFC: #12345", "  PySolFC   12345 \n"],
    )
    def test_its_name_and_a_number_give_its_own_layout(self, text: str) -> None:
        own = Game("bakers_dozen", 12345, RandomBase.DEALS_PYSOLFC).calc_layout_string(CardRenderer(True))
        layout = parse_layout(BAKERS_DOZEN, text)
        assert columns_of(layout) == own.splitlines()
        assert pysolfc_layout(12345) == own

    @pytest.mark.parametrize("number", [1, 2, 33, 31999, 32000, 10**20 - 1])
    def test_its_own_board_can_be_pasted_just_as_well(self, number: int) -> None:
        for ten in (True, False):
            board = Game("bakers_dozen", number, RandomBase.DEALS_PYSOLFC).calc_layout_string(
                CardRenderer(ten)
            )
            assert parse_layout(BAKERS_DOZEN, board) == parse_layout(BAKERS_DOZEN, f"PySolFC {number}")

    def test_its_layout_swaps_kings_where_ours_keeps_the_order_of_cards(self) -> None:
        numbers = range(1, 30)
        different = [
            number
            for number in numbers
            if parse_layout(BAKERS_DOZEN, f"PySolFC {number}").position() != deal(BAKERS_DOZEN, number)
        ]
        assert different
        for number in numbers:
            ours, theirs = deal(BAKERS_DOZEN, number), parse_layout(BAKERS_DOZEN, f"PySolFC {number}")
            assert [sorted(column) for column in ours.columns] == [
                sorted(column) for column in theirs.columns
            ]
            assert not theirs.king_above

    @pytest.mark.parametrize("variant", VARIANTS.values(), ids=lambda variant: variant.slug)
    def test_every_variant_of_thirteen_columns_takes_it(self, variant: Variant) -> None:
        if variant.columns == 13:
            assert len(parse_layout(variant, "PySolFC 7").columns) == 13
        else:
            with pytest.raises(UnreadableError) as caught:
                parse_layout(variant, "PySolFC 7")
            assert caught.value.reason == (
                "PySolFC’s own layout has 13 columns of 4; Good Measure has 10 columns."
            )
            assert caught.value.token == "PySolFC 7"

    @pytest.mark.parametrize(
        ("number", "reason"),
        [
            ("0", "Deal numbers go from 1 to 99999999999999999999."),
            ("1" + "0" * 20, "Deal numbers go from 1 to 99999999999999999999."),
            ("seven", "A deal number is a whole number, written in digits."),
            ("٣", "A deal number is a whole number, written in digits."),
            ("-5", "A deal number is a whole number, written in digits."),
        ],
    )
    def test_its_name_with_no_deal_number_is_refused(self, number: str, reason: str) -> None:
        with pytest.raises(UnreadableError) as caught:
            parse_layout(BAKERS_DOZEN, f"PySolFC {number}")
        assert caught.value.reason == reason


class TestUnreadable:
    @pytest.mark.parametrize(
        ("text", "reason", "token", "line"),
        [
            pytest.param(
                with_line(3, "9C 8H 1Z 9S"),
                "Line 3: “1Z” is no card: a card ends in its suit, C, D, H or S.",
                "1Z",
                3,
                id="misread suit",
            ),
            pytest.param(
                with_line(13, "7D TS QC 11D"),
                "Line 13: “11D” is no card: the rank is one of A 2 3 4 5 6 7 8 9 T J Q K.",
                "11D",
                13,
                id="misread rank",
            ),
            pytest.param(
                with_line(2, "2H2C4C5S"),
                "Line 2: “2H2C4C5S” is no card: the rank is one of A 2 3 4 5 6 7 8 9 T J Q K.",
                "2H2C4C5S",
                2,
                id="cards run together",
            ),
            pytest.param(
                with_line(2, "6H 2C 4C 5S"),
                "Line 2: 6H is there twice, in column 1 (line 1) and in column 2 (line 2).",
                "6H",
                2,
                id="doubled",
            ),
            pytest.param(
                with_line(4, "KC 6S TH TH"),
                "Line 4: TH is there twice, in column 4 (line 4) and in column 4 (line 4).",
                "TH",
                4,
                id="doubled in one column",
            ),
            pytest.param(
                "Foundations: D-A\n" + DEAL_1,
                "Line 2: AD is there twice, in the foundations (line 1) and in column 1 (line 2).",
                "AD",
                2,
                id="home and in a column",
            ),
            pytest.param(
                DEAL_1 + "Foundations: D-2",
                "Line 14: AD is there twice, in column 1 (line 1) and in the foundations (line 14).",
                "AD",
                14,
                id="in a column and home",
            ),
            pytest.param(with_line(13, "7D TS QC"), "1 card is missing: JD.", "JD", None, id="one missing"),
            pytest.param(
                with_line(12, "-"), "4 cards are missing: 2D 6D QH KH.", "2D", None, id="a column missing"
            ),
            pytest.param(
                with_line(12, "-").replace(LINES[10], "-").replace(LINES[9], "-"),
                "12 cards are missing: AC JC 2D 6D 8D 3H 4H 9H and 4 more.",
                "AC",
                None,
                id="many missing",
            ),
            pytest.param(
                "Foundations: H-A\n" + DEAL_1.replace(" AH", "").replace(" AS", ""),
                "1 card is missing: AS.",
                "AS",
                None,
                id="missing from a foundation",
            ),
            pytest.param(
                DEAL_1.replace("\n7D TS QC JD", " 7D TS QC JD"),
                "Baker’s Dozen has 13 columns; the layout has 12. Write - for an empty one.",
                "",
                None,
                id="too few columns",
            ),
            pytest.param(
                DEAL_1 + "AC",
                "Line 14: Baker’s Dozen has 13 columns, and this would be one more.",
                "AC",
                14,
                id="too many columns",
            ),
            pytest.param(
                DEAL_1 + "\n\n-",
                "Line 16: Baker’s Dozen has 13 columns, and this would be one more.",
                "-",
                16,
                id="one empty column too many",
            ),
            pytest.param(
                "Foundations:\n" + DEAL_1 + "Foundations: H-0",
                "Line 15: the foundations are given twice.",
                "Foundations: H-0",
                15,
                id="foundations twice",
            ),
            pytest.param(
                "Foundations: H-0 C-0 H-A\n" + DEAL_1,
                "Line 1: the hearts foundation is given twice.",
                "H-A",
                1,
                id="one foundation twice",
            ),
            pytest.param(
                "Foundations: AH\n" + DEAL_1,
                "Line 1: “AH” is no foundation; write its suit and highest card, as in H-0, C-A.",
                "AH",
                1,
                id="foundation as a card",
            ),
            pytest.param(
                "Foundations: H-1\n" + DEAL_1,
                "Line 1: “H-1” is no foundation; write its suit and highest card, as in H-0, C-A.",
                "H-1",
                1,
                id="foundation of no rank",
            ),
            pytest.param(
                "Foundations: ſ-A\n" + DEAL_1,
                "Line 1: “ſ-A” is no foundation; write its suit and highest card, as in H-0, C-A.",
                "ſ-A",
                1,
                id="foundation of a foreign letter",
            ),
            pytest.param(
                "Freecells: AD -\n" + DEAL_1.replace(" AD", ""),
                "Line 1: this game has columns and foundations only, no “Freecells”.",
                "Freecells: AD -",
                1,
                id="free cells in use",
            ),
            pytest.param(
                "Talon: AD\n" + DEAL_1.replace(" AD", ""),
                "Line 1: this game has columns and foundations only, no “Talon”.",
                "Talon: AD",
                1,
                id="a talon",
            ),
            pytest.param(
                with_line(1, "## ## ## AD"),
                "Line 1: ## is a covered card; a layout names every card.",
                "##",
                1,
                id="covered cards",
            ),
            pytest.param(
                with_line(1, "<> <> <> AD"),
                "Line 1: <> is a covered card; a layout names every card.",
                "<>",
                1,
                id="cards in empty brackets",
            ),
            pytest.param(
                DEAL_1 + " " * 2_000,
                "A layout has at most 2,000 characters; this has 2,156.",
                "",
                None,
                id="too long",
            ),
            pytest.param(
                "AC " * 1_000_000,
                "A layout has at most 2,000 characters; this has 3,000,000.",
                "",
                None,
                id="huge",
            ),
            pytest.param(
                "",
                "There are no cards: a layout has one line a column, as in 6H JH 5C AD.",
                "",
                None,
                id="empty",
            ),
            pytest.param(
                "\n" * 13,
                "There are no cards: a layout has one line a column, as in 6H JH 5C AD.",
                "",
                None,
                id="empty lines only",
            ),
            pytest.param(
                "Foundations: H-K C-K D-K S-K",
                "There are no cards: a layout has one line a column, as in 6H JH 5C AD.",
                "",
                None,
                id="foundations only",
            ),
            pytest.param(
                with_line(5, "KD TC\x00 4S AS"),
                "Line 5: “TC�” is no card: a card ends in its suit, C, D, H or S.",
                "TC�",
                5,
                id="a NUL in a card",
            ),
            pytest.param(
                "\x00" * 10,
                "Line 1: “����������” is no card: a card ends in its suit, C, D, H or S.",
                "�" * 10,
                1,
                id="nothing but NULs",
            ),
            pytest.param(
                with_line(1, "٦H JH 5C AD"),
                "Line 1: “٦H” is no card: the rank is one of A 2 3 4 5 6 7 8 9 T J Q K.",
                "٦H",
                1,
                id="digits of another script",
            ),
            pytest.param(
                with_line(1, "６Ｈ JH 5C AD"),
                "Line 1: “６Ｈ” is no card: a card ends in its suit, C, D, H or S.",
                "６Ｈ",
                1,
                id="full-width characters",
            ),
            pytest.param(
                with_line(6, "\u200f8C TD JS 5H"),
                "Line 6: “�8C” is no card: the rank is one of A 2 3 4 5 6 7 8 9 T J Q K.",
                "�8C",
                6,
                id="a right-to-left mark",
            ),
            pytest.param(
                with_line(6, "8C TD\u202e JS 5H"),
                "Line 6: “TD�” is no card: a card ends in its suit, C, D, H or S.",
                "TD�",
                6,
                id="a right-to-left override",
            ),
            pytest.param(
                with_line(9, "KS QS 4D 5X").replace("\n", "\r\n"),
                "Line 9: “5X” is no card: a card ends in its suit, C, D, H or S.",
                "5X",
                9,
                id="line ends of Windows count once",
            ),
            pytest.param(
                with_line(9, "KS\tQS\t4D\t5X"),
                "Line 9: “5X” is no card: a card ends in its suit, C, D, H or S.",
                "5X",
                9,
                id="between tabs",
            ),
            pytest.param(
                "\n\n" + with_line(9, "KS QS 4D 5X"),
                "Line 11: “5X” is no card: a card ends in its suit, C, D, H or S.",
                "5X",
                11,
                id="empty lines are counted too",
            ),
            pytest.param(
                with_line(7, "3D - QD 7C"),
                "Line 7: “-” is no card: a card ends in its suit, C, D, H or S.",
                "-",
                7,
                id="a hyphen among cards",
            ),
            pytest.param(
                '{"columns": []}',
                'Line 1: “{"columns":” is no card: a card ends in its suit, C, D, H or S.',
                '{"columns":',
                1,
                id="something else altogether",
            ),
        ],
    )
    def test_what_is_wrong_is_named_with_its_line_and_card(
        self, text: str, reason: str, token: str, line: int | None
    ) -> None:
        with pytest.raises(UnreadableError) as caught:
            parse_layout(BAKERS_DOZEN, text)
        assert caught.value.reason == reason
        assert caught.value.token == token
        assert caught.value.line == line

    def test_the_longest_text_that_is_read_has_as_many_characters_as_the_refusal_says(self) -> None:
        padded = DEAL_1 + " " * (MAX_LAYOUT_CHARACTERS - len(DEAL_1))
        assert columns_of(parse_layout(BAKERS_DOZEN, padded)) == LINES
        with pytest.raises(UnreadableError, match="at most 2,000 characters"):
            parse_layout(BAKERS_DOZEN, padded + " ")

    def test_a_layout_of_another_variant_is_refused(self) -> None:
        with pytest.raises(UnreadableError, match=r"^Line 11: Good Measure has 10 columns"):
            parse_layout(GOOD_MEASURE, DEAL_1)

    @settings(max_examples=200, deadline=None)
    @given(
        variants,
        st.text(max_size=200)
        | st.text("A23456789TJQKCDHScdhs10♥♠\ufe0f:-<>#\n\r\t\x00 ,", max_size=300)
        | st.lists(
            st.sampled_from(
                [
                    *CARD_NAMES,
                    "\n",
                    "\n-\n",
                    ":",
                    "Foundations:",
                    "H-A",
                    "PySolFC",
                    "7",
                    "##",
                    "\u2028",
                    "(empty)",
                ]
            ),
            max_size=90,
        ).map(" ".join),
    )
    def test_any_text_is_a_layout_of_52_cards_or_unreadable(self, variant: Variant, text: str) -> None:
        layout = value_or_error(parse_layout, variant, text)
        if isinstance(layout, UnreadableError):
            assert layout.reason.endswith(".")
            assert layout.line is None or 1 <= layout.line <= len(text.splitlines())
        else:
            assert sum(map(len, layout.columns)) + sum(layout.foundations) == 52

    @settings(max_examples=200, deadline=None)
    @given(st.data())
    def test_a_layout_with_one_thing_changed_is_a_layout_or_unreadable(self, data: st.DataObject) -> None:
        variant = data.draw(variants)
        tokens = data.draw(layouts(variant)).text().replace("\n", " \n ").split(" ")
        place = data.draw(st.integers(0, len(tokens) - 1))
        tokens[place] = data.draw(
            st.sampled_from(["", "-", "\n", "AC", "KS", "10H", ":", "x", "\x00", "H-K"])
        )
        layout = value_or_error(parse_layout, variant, " ".join(tokens))
        if not isinstance(layout, UnreadableError):
            assert sum(map(len, layout.columns)) + sum(layout.foundations) == 52


class TestKings:
    ABOVE = with_line(1, "6H KC 5C AD").replace("KC 6S", "JH 6S")

    def test_a_king_above_another_card_stays_and_the_notes_say_so(self) -> None:
        layout = parse_layout(BAKERS_DOZEN, self.ABOVE)
        assert columns_of(layout)[0] == "6H KC 5C AD"
        assert layout.king_above
        assert layout.notes == (
            "A king lies above another card; it stays there, though the deal would have sunk it.",
        )

    def test_kings_are_sunk_when_that_is_asked(self) -> None:
        layout = parse_layout(BAKERS_DOZEN, self.ABOVE, sink=True)
        assert columns_of(layout)[0] == "KC 6H 5C AD"
        assert not layout.king_above
        assert layout.notes == ("Kings were moved to the bottom of their columns.",)

    def test_asking_to_sink_kings_changes_nothing_where_none_lies_above(self) -> None:
        assert parse_layout(BAKERS_DOZEN, DEAL_1, sink=True) == parse_layout(BAKERS_DOZEN, DEAL_1)

    def test_in_the_original_the_notes_say_that_the_king_will_sink(self) -> None:
        layout = parse_layout(ORIGINAL_1883, self.ABOVE)
        assert layout.notes == (
            "A king lies above another card; it goes to the bottom of its column when it turns up.",
        )

    def test_a_king_on_kings_alone_lies_above_no_other_card(self) -> None:
        text = with_line(1, "KC KD 6H JH 5C AD").replace("KC 6S", "6S").replace("KD TC", "TC")
        assert not parse_layout(BAKERS_DOZEN, text).king_above


def test_the_notes_tell_what_is_home_and_which_columns_are_empty() -> None:
    layout = parse_layout(BAKERS_DOZEN, "\n".join(["Foundations: H-A S-A", *(line or "-" for line in LATE)]))
    assert layout.notes[-2:] == (
        "Already home: hearts up to the ace, spades up to the ace.",
        "2 columns are empty.",
    )


class TestWriting:
    def test_empty_columns_are_hyphens_and_foundations_come_first(self) -> None:
        text = layout_text([[0, 4], [], [51]], (2, 0, 10, 13))
        assert text == "Foundations: H-T C-2 D-0 S-K\nAC 2C\n-\nKS"

    def test_empty_foundations_are_not_written(self) -> None:
        assert layout_text([[0], []]) == "AC\n-"
        assert foundations_text([0, 0, 0, 0]) == "H-0 C-0 D-0 S-0"

    @settings(deadline=None)
    @given(st.data())
    def test_text_and_layout_are_inverses(self, data: st.DataObject) -> None:
        variant = data.draw(variants)
        layout = data.draw(layouts(variant))
        read = parse_layout(variant, layout.text())
        assert (read.columns, read.foundations) == (layout.columns, layout.foundations)
        assert read.text() == layout.text() == layout_text(read.columns, read.foundations)
        assert len(layout.text()) < MAX_LAYOUT_CHARACTERS
