"""The file of a survey: whatever happens to it, no deal is lost or counted twice."""

from __future__ import annotations

from pathlib import Path

import pytest

from bakers.rules.errors import UnreadableError
from bakers.rules.variants import BAKERS_DOZEN, GOOD_MEASURE
from bakers.solver import Outcome, Reason
from bakers.surveys.files import SurveyFile
from bakers.surveys.rows import Effort, Row

WON = Row(3, Outcome.WON, Reason.LINE, 91, 0.125)
LOST = Row(1, Outcome.LOST, Reason.ROOT_TEST, 0, 0.01)
OPEN = Row(2, Outcome.UNKNOWN, Reason.BUDGET, 300_000, 150.0)
SHORT = Row(10**20 - 1, Outcome.WON, Reason.LINE, 200, 0.5, 68, proven=True)


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "a folder" / "survey.csv"


def written(path: Path, *rows: Row) -> str:
    """Write rows as a survey does, and return the file's text."""
    with SurveyFile(path, BAKERS_DOZEN) as file:
        file.add(rows)
    return path.read_text()


def read(path: Path) -> dict[int, Row]:
    with SurveyFile(path, BAKERS_DOZEN) as file:
        return file.rows


def test_rows_come_back_as_they_were_written(path: Path) -> None:
    written(path, WON, LOST, OPEN, SHORT)
    assert list(read(path).values()) == [WON, LOST, OPEN, SHORT]


def test_each_row_is_on_disk_when_it_was_added(path: Path) -> None:
    with SurveyFile(path, BAKERS_DOZEN) as file:
        file.add([WON])
        assert path.read_text().splitlines() == [
            "variant,deal,outcome,reason,expanded,cpu_ms,moves,proven",
            "bakers-dozen,3,won,a line,91,0.125,,",
        ]


@pytest.mark.parametrize("torn", [1, 10, 30])
def test_a_line_that_was_cut_off_is_as_if_it_had_never_been_begun(path: Path, torn: int) -> None:
    whole = written(path, WON)
    longer = written(path, LOST)
    path.write_text(longer[: len(whole) + torn])
    assert list(read(path).values()) == [WON]
    assert written(path, LOST) == longer


def test_a_header_that_was_cut_off_is_written_again(path: Path) -> None:
    path.parent.mkdir()
    path.write_text("variant,de")
    assert written(path, WON).splitlines()[0].startswith("variant,deal,outcome")
    assert list(read(path).values()) == [WON]


def test_put_in_order_each_deal_stands_there_once_with_what_was_found_last(path: Path) -> None:
    later = Row(2, Outcome.WON, Reason.LINE, 400_000, 200.0)
    with SurveyFile(path, BAKERS_DOZEN) as file:
        file.add([WON, OPEN, LOST])
        file.add([later])
        file.put_in_order()
        # And it can be gone on with.
        file.add([SHORT])
    assert list(read(path).values()) == [LOST, later, WON, SHORT]
    assert len(path.read_text().splitlines()) == 5
    assert list(path.parent.iterdir()) == [path]


def test_one_survey_writes_at_a_time_also_after_the_file_was_put_in_order(path: Path) -> None:
    with SurveyFile(path, BAKERS_DOZEN) as file:
        with pytest.raises(BlockingIOError):
            SurveyFile(path, BAKERS_DOZEN)
        file.put_in_order()
        with pytest.raises(BlockingIOError):
            SurveyFile(path, BAKERS_DOZEN)
    assert read(path) == {}


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("deal,verdict\n1,won\n", "is no survey"),
        ("{header}\nbakers-dozen,1,won\n", "line 2: not enough values"),
        ("{header}\nbakers-dozen,1,maybe,a line,1,1,,\n", "line 2: 'maybe' is not a valid Outcome"),
        ("{header}\ngood-measure,1,won,a line,1,1,,\n", "line 2: it is a survey of good-measure"),
    ],
)
def test_a_file_that_holds_something_else_is_refused_and_left_alone(
    path: Path, text: str, words: str
) -> None:
    text = text.replace("{header}", "variant,deal,outcome,reason,expanded,cpu_ms,moves,proven")
    path.parent.mkdir()
    path.write_text(text)
    with pytest.raises(UnreadableError, match=words):
        SurveyFile(path, BAKERS_DOZEN)
    assert path.read_text() == text


def test_each_variant_has_a_file_of_its_own(path: Path) -> None:
    written(path, WON)
    with pytest.raises(UnreadableError, match="it is a survey of bakers-dozen, not of good-measure"):
        SurveyFile(path, GOOD_MEASURE)


@pytest.mark.parametrize(
    ("row", "effort", "done"),
    [
        (WON, Effort(20_000), True),
        (LOST, Effort(20_000, shortest=1_000), True),
        (OPEN, Effort(300_000), True),
        (OPEN, Effort(300_001), False),
        (WON, Effort(20_000, shortest=1_000), False),
        (SHORT, Effort(10**9, shortest=1_000), True),
    ],
)
def test_a_deal_is_decided_again_only_if_more_effort_may_find_more(
    row: Row, effort: Effort, done: bool
) -> None:
    assert row.is_done(effort) is done
