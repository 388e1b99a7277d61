"""manage.py solve: layouts and deal numbers in, verdicts out."""

from __future__ import annotations

import json
import os
import pty
import subprocess
import sys
from io import StringIO
from pathlib import Path
from typing import Any

import pytest
from django.core.management import CommandError, call_command

from bakers.rules.deals import deal
from bakers.rules.layouts import layout_text
from bakers.rules.moves import parse_line
from bakers.rules.variants import VARIANTS

ROOT = Path(__file__).resolve().parent.parent


def layout(number: int, variant: str = "bakers-dozen") -> str:
    """The layout of a deal as text, without a line break at its end."""
    position = deal(VARIANTS[variant], number)
    return layout_text(position.columns, position.foundations)


def solve(text: str | bytes, folder: Path, **options: Any) -> str:
    """Solve what a file holds, in this process, and return what is printed."""
    path = folder / "layouts"
    path.write_bytes(text if isinstance(text, bytes) else text.encode())
    out = StringIO()
    call_command("solve", str(path), stdout=out, **options)
    return out.getvalue()


def refused(text: str | bytes, folder: Path, **options: Any) -> str:
    """Assert that an input is refused with status 2, and return the message."""
    with pytest.raises(CommandError) as error:
        solve(text, folder, **options)
    assert error.value.returncode == 2
    return str(error.value)


def verdicts(text: str, folder: Path, **options: Any) -> list[dict[str, Any]]:
    """Solve what a file holds, and return what is printed as JSON."""
    return [json.loads(line) for line in solve(text, folder, json=True, **options).splitlines()]


def run(*arguments: str, text: str = "") -> subprocess.CompletedProcess[str]:
    """Run the command as from a terminal's pipe."""
    return subprocess.run(
        [sys.executable, "manage.py", "solve", *arguments],
        cwd=ROOT,
        env={"PATH": os.environ["PATH"], "DATA_DIR": os.environ["DATA_DIR"]},
        input=text,
        capture_output=True,
        text=True,
        check=False,
    )


class TestVerdicts:
    @pytest.mark.parametrize("slug", VARIANTS)
    def test_a_line_of_json_for_each_layout_in_order(self, slug: str, tmp_path: Path) -> None:
        variant = VARIANTS[slug]
        numbers = [2, 477, 33]
        found = verdicts("\n\n".join(layout(number, slug) for number in numbers), tmp_path, variant=slug)
        assert [list(each) for each in found] == [["verdict", "line", "expanded", "cpu_ms"]] * 3
        for number, each in zip(numbers, found, strict=True):
            if each["verdict"] == "won":
                position = deal(variant, number)
                position.play_line(parse_line(each["line"]))
                assert position.is_won()
            else:
                assert (each["verdict"], each["line"]) == ("lost", None)
        assert found[1]["verdict"] == ("won" if slug == "spanish-patience" else "lost")

    def test_deal_numbers_stand_among_layouts_with_or_without_blank_lines(self, tmp_path: Path) -> None:
        text = f"477\n{layout(2)}\n477\n2\n\n\n{layout(477)}\n\n"
        assert [each["verdict"] for each in verdicts(text, tmp_path)] == [
            "lost", "won", "lost", "won", "lost"
        ]  # fmt: skip

    def test_windows_line_ends_and_a_mark_before_the_text_are_no_matter(self, tmp_path: Path) -> None:
        text = "\ufeff" + f"{layout(477)}\n\n2\n".replace("\n", "\r\n")
        assert [each["verdict"] for each in verdicts(text, tmp_path)] == ["lost", "won"]

    def test_a_position_in_the_middle_of_a_game_may_have_empty_columns_and_cards_home(
        self, tmp_path: Path, winning_lines: dict[str, list[str]]
    ) -> None:
        position = deal(VARIANTS["bakers-dozen"], 2)
        for move in winning_lines["bakers-dozen"][:-6]:
            position.push(parse_line(move)[0])
        text = layout_text(position.columns, position.foundations)
        assert "-\n" in text
        assert verdicts(text, tmp_path)[0]["verdict"] == "won"
        # As other programs write it: a blank line is an empty column.
        assert verdicts(text.replace("-\n", "\n"), tmp_path)[0]["verdict"] == "won"

    def test_a_game_that_is_over_is_won_without_a_move(self, tmp_path: Path) -> None:
        text = "Foundations: H-K C-K D-K S-K\n" + "-\n" * 13
        assert verdicts(text, tmp_path)[0] | {"cpu_ms": 0} == {
            "verdict": "won", "line": "", "expanded": 0, "cpu_ms": 0
        }  # fmt: skip

    def test_a_budget_that_is_spent_leaves_a_layout_unknown(self, tmp_path: Path) -> None:
        found = verdicts("477\n2\n", tmp_path, budget=10)
        assert [(each["verdict"], each["line"]) for each in found] == [("unknown", None)] * 2

    def test_the_shortest_line_says_whether_it_is_proven(self, tmp_path: Path) -> None:
        won, lost = verdicts("1\n477\n", tmp_path, shortest=True, budget=200_000)
        assert len(won["line"].split()) == won["moves"] == won["lower_bound"] == 66
        assert won["proven"] is True
        assert (lost["verdict"], lost["moves"], lost["proven"]) == ("lost", None, False)

    def test_kings_lie_where_the_layout_has_them_unless_they_are_to_be_sunk(self, tmp_path: Path) -> None:
        cards = layout(2).split()
        king = next(card for card in cards if card[0] == "K")
        # The ace of its suit under it can't get out before it, nor it before the ace.
        place, ace = cards.index(king), cards.index("A" + king[1])
        cards[place + 1], cards[ace] = cards[ace], cards[place + 1]
        cards[place], cards[place + 1] = cards[place + 1], cards[place]
        text = "\n".join(" ".join(cards[at : at + 4]) for at in range(0, 52, 4))
        as_it_lies, sunk = verdicts(text, tmp_path)[0], verdicts(text, tmp_path, sink_kings=True)[0]
        assert as_it_lies["verdict"] == "lost"
        assert sunk["verdict"] == "won"

    def test_people_get_words(self, tmp_path: Path) -> None:
        lines = solve(f"2\n477\n{layout(477)}\n", tmp_path).splitlines()
        assert lines[0].startswith("deal 2: won in ")
        assert parse_line(lines[1].strip())
        assert lines[2].startswith("deal 477: lost (")
        assert lines[2].endswith("all ways were tried.")
        assert lines[3].startswith("layout at line 3: lost (")


class TestWrongInput:
    def test_the_line_is_the_one_of_the_whole_input(self, tmp_path: Path) -> None:
        broken = layout(2).replace(layout(2).splitlines()[4], "AC XX")
        message = refused(f"2\n\n{layout(477)}\n\n{broken}\n", tmp_path)
        assert message == "Line 21: “XX” is no card: a card ends in its suit, C, D, H or S."

    def test_a_card_that_is_there_twice_is_named_with_both_its_places(self, tmp_path: Path) -> None:
        columns = layout(2).splitlines()
        card = columns[0].split()[0]
        columns[3] += f" {card}"
        message = refused("2\n2\n" + "\n".join(columns), tmp_path)
        assert message == f"Line 6: {card} is there twice, in column 1 (line 3) and in column 4 (line 6)."

    def test_a_layout_with_too_few_cards_is_named_by_its_lines(self, tmp_path: Path) -> None:
        message = refused(f"2\n\n{layout(2).rsplit(' ', 1)[0]}\n", tmp_path)
        assert message.startswith("Lines 3 to 15: 1 card is missing: ")

    def test_nothing_is_solved_and_every_error_is_told(self, tmp_path: Path) -> None:
        message = refused("2\n0\n100000000000000000000\n", tmp_path)
        assert message.splitlines() == [
            "Line 2: Deal numbers go from 1 to 99999999999999999999.",
            "Line 3: Deal numbers go from 1 to 99999999999999999999.",
        ]

    def test_of_very_many_errors_the_first_are_told(self, tmp_path: Path) -> None:
        assert refused("0\n" * 500, tmp_path).splitlines()[-1] == "… and 490 more errors."

    @pytest.mark.parametrize("text", ["", "\n\n \n"])
    def test_nothing_is_no_input(self, tmp_path: Path, text: str) -> None:
        assert refused(text, tmp_path).startswith("There is nothing to solve")

    def test_bytes_that_are_no_text_are_named_by_their_line(self, tmp_path: Path) -> None:
        assert refused(b"2\n477\n\xff\xfe\n", tmp_path).endswith("layouts, line 3: this is no text in UTF-8.")

    def test_a_layout_of_another_variant_is_none_of_this_one(self, tmp_path: Path) -> None:
        message = refused(layout(2), tmp_path, variant="good-measure")
        assert "Good Measure has 10 columns" in message

    def test_a_file_that_is_not_there_is_named(self, tmp_path: Path) -> None:
        with pytest.raises(CommandError, match="nowhere can’t be read: No such file") as error:
            call_command("solve", str(tmp_path / "nowhere"))
        assert error.value.returncode == 2


class TestAsACommand:
    def test_standard_input_is_read_and_a_lost_deal_is_no_failure(self) -> None:
        done = run("--json", "-", text="477\n")
        assert done.returncode == 0
        assert json.loads(done.stdout)["verdict"] == "lost"
        # Nobody looks at a bar there.
        assert done.stderr == ""

    def test_a_deal_number_may_stand_for_itself(self) -> None:
        assert run("477").stdout.startswith("deal 477: lost")

    @pytest.mark.parametrize(
        ("arguments", "words"),
        [
            (["-"], "Line 1: “nonsense” is no card"),
            (["nowhere"], "nowhere can’t be read"),
            (["--budget", "0", "2"], "argument --budget"),
            (["--budget", "many", "2"], "argument --budget"),
            (["--variant", "klondike", "2"], "argument --variant"),
            ([], "required: FILE"),
        ],
    )
    def test_bad_input_ends_with_status_2_and_a_reason(self, arguments: list[str], words: str) -> None:
        done = run(*arguments, text="nonsense\n")
        assert done.returncode == 2
        assert words in done.stderr
        assert done.stdout == ""
        assert "Traceback" not in done.stderr

    def test_a_terminal_shows_how_far_it_is(self) -> None:
        ours, theirs = pty.openpty()
        done = subprocess.run(
            [sys.executable, "manage.py", "solve", "--json", "-"],
            cwd=ROOT,
            env={"PATH": os.environ["PATH"], "DATA_DIR": os.environ["DATA_DIR"]},
            input=b"477\n2\n",
            stdout=subprocess.PIPE,
            stderr=theirs,
            check=True,
        )
        os.close(theirs)
        shown = os.read(ours, 10_000).decode()
        os.close(ours)
        assert "0 of 2" in shown
        assert "1 of 2" in shown
        # And takes it away in the end.
        assert shown.endswith("\r\x1b[K")
        assert len(done.stdout.splitlines()) == 2
