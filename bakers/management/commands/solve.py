"""Say of layouts and deals whether they can be won."""

from __future__ import annotations

import json
import re
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand, CommandError, CommandParser

from bakers.management.progress import Progress
from bakers.rules.deals import deal, parse_deal_number
from bakers.rules.errors import UnreadableError
from bakers.rules.layouts import parse_layout
from bakers.rules.moves import Move
from bakers.rules.positions import Position
from bakers.rules.variants import BAKERS_DOZEN, VARIANTS, Variant
from bakers.solver import DEFAULT_BUDGET, Outcome, compile_all, decide, shortest

#: Errors of an input that are told; somebody who gave a wrong file needs no thousand of them.
ERRORS_TOLD = 10


@dataclass(frozen=True)
class Item:
    """A position to solve, and what to call it."""

    name: str
    position: Position


@dataclass(frozen=True)
class Answer:
    """What was found of a position; `moves` and the rest only where a short line was asked for."""

    outcome: Outcome
    line: list[Move] | None
    expanded: int
    cpu_ms: float
    why: str = ""
    proven: bool = False
    lower_bound: int | None = None

    @property
    def line_text(self) -> str | None:
        """The line in our notation."""
        return None if self.line is None else " ".join(map(str, self.line))


class Command(BaseCommand):
    """Solves what it is given, in order; nothing is solved unless everything can be read.

    Ends with status 0 when each layout got its verdict, whatever it is; 2 when the input can't be read; 130 on Ctrl-C.
    """

    help = (
        "Print a verdict for each layout of a file: won with a line, lost (proved), or unknown when the budget is "
        "spent. Layouts have a blank line between them; a line with a deal number stands for that deal. "
        "Exit status: 0 verdicts were printed, whatever they are; 2 the input can't be read; 130 interrupted."
    )

    def add_arguments(self, parser: CommandParser) -> None:
        """Take the input and how to solve it."""
        parser.add_argument("input", metavar="FILE", help="a file, - for standard input, or a deal number")
        parser.add_argument("--variant", choices=list(VARIANTS), default=BAKERS_DOZEN.slug, metavar="VARIANT")
        parser.add_argument(
            "--budget", type=_count, metavar="N", help="positions to expand for each layout at most"
        )
        parser.add_argument(
            "--shortest", action="store_true", help="look for the shortest line, and say whether it is proven"
        )
        parser.add_argument("--json", action="store_true", help="print a line of JSON for each layout")
        parser.add_argument(
            "--sink-kings", action="store_true", help="move kings to the bottom of their columns first"
        )

    def handle(self, *args: Any, **options: Any) -> None:
        """Read everything, then solve one after another."""
        variant = VARIANTS[options["variant"]]
        items = _read_items(variant, _read_text(options["input"]), sink=options["sink_kings"])
        # Now, so that the first layout's time is its own.
        compile_all()
        # A bar would only stand in the way of one verdict.
        progress = Progress(sys.stderr, len(items))
        try:
            for done, item in enumerate(items):
                if len(items) > 1:
                    progress.show(done)
                answer = _solve(item.position, options["budget"], short=options["shortest"])
                progress.clear()
                self.stdout.write(
                    _as_json(answer, short=options["shortest"])
                    if options["json"]
                    else _as_text(item.name, answer)
                )
                self.stdout.flush()
        except KeyboardInterrupt:
            progress.clear()
            raise CommandError("Interrupted.", returncode=130) from None
        except BrokenPipeError:
            # Whoever read the verdicts has seen enough. Python would complain again when it closes the pipe.
            sys.stdout = None
            raise SystemExit(141) from None


def _count(text: str) -> int:
    """A positive number; argparse turns the error into its own."""
    value = int(text)
    if value < 1:
        raise ValueError(text)
    return value


_count.__name__ = "positive number"


def _read_text(name: str) -> str:
    if name == "-":
        data = sys.stdin.buffer.read()
        name = "standard input"
    elif name.isascii() and name.isdecimal() and not Path(name).exists():
        return name
    else:
        try:
            data = Path(name).read_bytes()
        except OSError as error:
            raise CommandError(f"{name} can’t be read: {error.strerror}.", returncode=2) from None
    try:
        return data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        line = data.count(b"\n", 0, error.start) + 1
        raise CommandError(f"{name}, line {line}: this is no text in UTF-8.", returncode=2) from None


def _read_items(variant: Variant, text: str, *, sink: bool) -> list[Item]:
    try:
        # Some programs write empty columns, and the space under the foundations, as blank lines.
        return [Item("layout", parse_layout(variant, text, sink=sink).position())]
    except UnreadableError:
        pass
    items: list[Item] = []
    errors: list[str] = []
    for first, block in _blocks(text):
        try:
            items.append(_read_item(variant, first, block, sink=sink))
        except UnreadableError as error:
            errors.append(_located(error, first, block))
    if not items and not errors:
        errors.append(
            "There is nothing to solve: give layouts, with a blank line between them, or deal numbers."
        )
    if errors:
        more = len(errors) - ERRORS_TOLD
        told = errors[:ERRORS_TOLD] + ([f"… and {more:,} more errors."] if more > 0 else [])
        raise CommandError("\n".join(told), returncode=2)
    return items


def _blocks(text: str) -> Iterator[tuple[int, list[str]]]:
    """The parts of an input with the number of their first line: a deal by number, or a layout of several lines."""
    block: list[str] = []
    number = 0
    for number, line in enumerate(text.splitlines(), start=1):
        by_number = re.fullmatch(r"\d+|pysolfc.*", line.strip(), re.IGNORECASE)
        if block and (by_number or not line.strip()):
            yield number - len(block), block
            block = []
        if by_number:
            yield number, [line]
        elif line.strip():
            block.append(line)
    if block:
        yield number - len(block) + 1, block


def _read_item(variant: Variant, first: int, block: list[str], *, sink: bool) -> Item:
    text = "\n".join(block)
    if re.fullmatch(r"\d+", text.strip()):
        number = parse_deal_number(text.strip())
        return Item(f"deal {number}", deal(variant, number))
    layout = parse_layout(variant, text, sink=sink)
    return Item(f"layout at line {first}", layout.position())


def _located(error: UnreadableError, first: int, block: list[str]) -> str:
    """The error's sentence, with line numbers of the whole input instead of the layout's own."""
    reason = re.sub(
        r"\b([Ll])ine (\d+)", lambda found: f"{found[1]}ine {int(found[2]) + first - 1}", error.reason
    )
    if error.line is not None:
        return reason
    last = first + len(block) - 1
    where = f"Line {first}" if last == first else f"Lines {first} to {last}"
    return f"{where}: {reason}"


def _solve(position: Position, budget: int | None, *, short: bool) -> Answer:
    if short:
        par = shortest(position, budget) if budget else shortest(position)
        return Answer(
            par.outcome,
            par.line,
            par.expanded,
            1000 * par.cpu_seconds,
            proven=par.proven,
            lower_bound=par.lower_bound if par.outcome is not Outcome.LOST else None,
        )
    verdict = decide(position, budget or DEFAULT_BUDGET)
    return Answer(
        verdict.outcome, verdict.line, verdict.expanded, 1000 * verdict.cpu_seconds, verdict.explain()
    )


def _as_json(answer: Answer, *, short: bool) -> str:
    data: dict[str, Any] = {
        "verdict": answer.outcome.value,
        "line": answer.line_text,
        "expanded": answer.expanded,
        "cpu_ms": round(answer.cpu_ms, 3),
    }
    if short:
        data["moves"] = None if answer.line is None else len(answer.line)
        data["proven"] = answer.proven
        data["lower_bound"] = answer.lower_bound
    return json.dumps(data)


def _as_text(name: str, answer: Answer) -> str:
    cost = f"{answer.expanded:,} positions, {answer.cpu_ms:,.1f} ms"
    if answer.line is None:
        why = f" {answer.why}" if answer.why else ""
        return f"{name}: {answer.outcome.value} ({cost}).{why}"
    length = f"in {len(answer.line)} moves"
    if answer.proven:
        length += ", proven shortest"
    elif answer.lower_bound is not None:
        length += f", at least {answer.lower_bound} are needed"
    return f"{name}: won {length} ({cost})\n  {answer.line_text}"
