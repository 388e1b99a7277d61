"""From a kernel's trail (which card goes on which) to moves by columns, checked by the rules."""

from __future__ import annotations

from collections.abc import Iterable

from bakers.rules.moves import HOME, MOVES, Move
from bakers.rules.positions import Position

from .board import Board
from .hanging import TO_EMPTY, TO_FOUNDATION


class WrongLineError(AssertionError):
    """A search returned a line that can't be played: a fault of the solver, never an answer."""


def trail_moves(board: Board, trail: Iterable[int]) -> list[Move]:
    """The moves of a trail on a board: each entry is card * 64 + target card, TO_FOUNDATION or TO_EMPTY.

    Raises:
        WrongLineError: a card isn't where the trail takes it from.
    """
    columns = [list(column) for column in board.columns]
    at = {column[-1]: index for index, column in enumerate(columns) if column}
    moves = []
    try:
        for entry in trail:
            card, target = entry >> 6, entry & 63
            source = at.pop(card)
            columns[source].pop()
            if columns[source]:
                at[columns[source][-1]] = source
            if target == TO_FOUNDATION:
                moves.append(MOVES[source][HOME])
                continue
            index = (
                next(place for place, column in enumerate(columns) if not column and place != source)
                if target == TO_EMPTY
                else at.pop(target)
            )
            columns[index].append(card)
            at[card] = index
            moves.append(MOVES[source][index])
    except (KeyError, StopIteration) as error:
        raise WrongLineError(f"A line moves a card that can’t move: {error}.") from error
    return moves


def check_line(position: Position, line: list[Move]) -> None:
    """Replay a line by the rules from a position, which isn't changed.

    Raises:
        WrongLineError: it can't be played or doesn't win.
    """
    replayed = position.copy()
    for number, move in enumerate(line, start=1):
        reason = replayed.why_illegal(move)
        if reason is not None:
            raise WrongLineError(f"Move {number} of a line can’t be played: {reason}")
        replayed.push(move)
    if not replayed.is_won():
        raise WrongLineError("A line doesn’t win.")


def with_safe_moves(board: Board, steps: Iterable[int], *, settling: bool = True) -> list[int]:
    """A trail with the safe moves home that a search played by itself, before the first step and after each.

    A search that was told to leave rule D1 out played none: `settling` is false then.
    """
    columns = [list(column) for column in board.columns]
    homes = list(board.foundations)
    trail: list[int] = []

    def play(card: int, target: int) -> None:
        source = next(column for column in columns if column and column[-1] == card)
        source.pop()
        if target == TO_FOUNDATION:
            homes[card & 3] += 1
        elif target == TO_EMPTY:
            next(column for column in columns if not column and column is not source).append(card)
        else:
            next(column for column in columns if column and column[-1] == target).append(card)
        trail.append(card * 64 + target)

    def settle() -> None:
        if not settling:
            return
        tops = [column[-1] for column in columns if column]
        safe = [top for top in tops if homes[top & 3] == top >> 2 <= min(homes) + 1]
        while safe:
            play(safe[0], TO_FOUNDATION)
            tops = [column[-1] for column in columns if column]
            safe = [top for top in tops if homes[top & 3] == top >> 2 <= min(homes) + 1]

    settle()
    for step in steps:
        play(step >> 6, step & 63)
        settle()
    return trail
