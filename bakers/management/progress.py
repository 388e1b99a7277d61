"""A line that tells how far a long command is."""

from __future__ import annotations

import time
from typing import TextIO

#: Seconds between two drawings of the line.
PAUSE = 0.1
WIDTH = 24


class Progress:
    """A bar on a terminal, and nothing at all where nobody looks."""

    def __init__(self, stream: TextIO, total: int) -> None:
        """Show nothing yet.

        Args:
            stream: where the bar goes, if it is a terminal.
            total: how much there is to do.
        """
        self._stream = stream if stream.isatty() else None
        self._total = total
        self._begun = time.monotonic()
        self._drawn = 0.0

    def show(self, done: int, words: str = "") -> None:
        """Say how much is done."""
        now = time.monotonic()
        if self._stream is None or (now - self._drawn < PAUSE and done < self._total):
            return
        self._drawn = now
        share = done / self._total if self._total else 1.0
        filled = round(WIDTH * share)
        bar = "#" * filled + "-" * (WIDTH - filled)
        left = (now - self._begun) * (1 - share) / share if share else 0.0
        time_left = f"  {left // 60:.0f}:{left % 60:02.0f} left" if 0 < share < 1 else ""
        self._stream.write(f"\r\033[K[{bar}] {done:,} of {self._total:,}{words}{time_left}")
        self._stream.flush()

    def clear(self) -> None:
        """Take the bar away, for a line of text or for good."""
        if self._stream is not None:
            self._stream.write("\r\033[K")
            self._stream.flush()
            self._drawn = 0.0
