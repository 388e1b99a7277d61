"""The file of a survey: a CSV of verdicts that outlives every way of being stopped.

Rows are appended as they come and the file is put in order when a survey ends. A row counts once its line is complete,
so that after a crash in the middle of one that deal is simply decided again; a deal is never counted twice.
"""

from __future__ import annotations

import csv
import fcntl
import io
import os
from collections.abc import Iterable
from pathlib import Path
from types import TracebackType

from bakers.rules.errors import UnreadableError
from bakers.rules.variants import Variant
from bakers.solver import Outcome, Reason

from .rows import Row

HEADER = ("variant", "deal", "outcome", "reason", "expanded", "cpu_ms", "moves", "proven")


class SurveyFile:
    """A survey's rows on disk. One process writes at a time.

    Attributes:
        rows: the rows by deal number.
    """

    def __init__(self, path: Path, variant: Variant) -> None:
        """Open a file, made if it isn't there, and read what it holds.

        Raises:
            OSError: it can't be written; BlockingIOError if another survey writes to it.
            UnreadableError: it holds something else.
        """
        self.path = path
        self.variant = variant
        path.parent.mkdir(parents=True, exist_ok=True)
        self._file = path.open("a+", encoding="utf-8", newline="")
        try:
            fcntl.flock(self._file, fcntl.LOCK_EX | fcntl.LOCK_NB)
            self.rows = self._read()
        except BaseException:
            self._file.close()
            raise

    def __enter__(self) -> SurveyFile:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self._file.close()

    def add(self, rows: Iterable[Row]) -> None:
        """Append rows; they are on disk when this returns."""
        text = io.StringIO()
        writer = csv.writer(text, lineterminator="\n")
        for row in rows:
            writer.writerow(self._cells(row))
            self.rows[row.deal] = row
        self._file.write(text.getvalue())
        self._file.flush()
        os.fsync(self._file.fileno())

    def put_in_order(self) -> None:
        """Write all rows anew by deal number, one a deal; a crash leaves the old file or the new one."""
        draft = self.path.with_name(f"{self.path.name}.{os.getpid()}")
        old = self._file
        self._file = draft.open("a+", encoding="utf-8", newline="")
        try:
            # Locked before it has the name by which others find it.
            fcntl.flock(self._file, fcntl.LOCK_EX | fcntl.LOCK_NB)
            self._write_header()
            self.add(sorted(self.rows.values(), key=lambda row: row.deal))
            draft.replace(self.path)
        except BaseException:
            draft.unlink(missing_ok=True)
            raise
        finally:
            old.close()

    def _read(self) -> dict[int, Row]:
        self._file.seek(0)
        text = self._file.read()
        whole = text[: text.rfind("\n") + 1]
        if whole != text:
            # The process was killed, or the machine, while it wrote this line.
            os.truncate(self.path, len(whole.encode()))
        lines = whole.splitlines()
        if not lines:
            self._write_header()
            return {}
        if tuple(lines[0].split(",")) != HEADER:
            raise UnreadableError(
                f"{self.path} is no survey: its first line isn’t {','.join(HEADER)}.", line=1
            )
        found: dict[int, Row] = {}
        for number, cells in enumerate(csv.reader(lines[1:]), start=2):
            row = self._row(cells, number)
            # A deal that was open and was given more effort later stands there twice.
            found[row.deal] = row
        return found

    def _write_header(self) -> None:
        self._file.write(",".join(HEADER) + "\n")
        self._file.flush()

    def _cells(self, row: Row) -> list[str]:
        moves = "" if row.moves is None else str(row.moves)
        proven = "" if row.moves is None else ("yes" if row.proven else "no")
        return [
            self.variant.slug,
            str(row.deal),
            row.outcome.value,
            row.reason.value,
            str(row.expanded),
            f"{row.cpu_ms:.3f}",
            moves,
            proven,
        ]

    def _row(self, cells: list[str], number: int) -> Row:
        try:
            slug, deal, outcome, reason, expanded, cpu_ms, moves, proven = cells
            row = Row(
                int(deal),
                Outcome(outcome),
                Reason(reason),
                int(expanded),
                float(cpu_ms),
                int(moves) if moves else None,
                proven == "yes",
            )
        except ValueError as error:
            raise UnreadableError(f"{self.path}, line {number}: {error}.", line=number) from None
        if slug != self.variant.slug:
            raise UnreadableError(
                f"{self.path}, line {number}: it is a survey of {slug}, not of {self.variant.slug}.",
                token=slug,
                line=number,
            )
        return row
