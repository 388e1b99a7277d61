"""From a kernel's trail (which card goes on which) to moves by columns, checked by the rules."""

from __future__ import annotations

import random
from collections.abc import Iterable, Sequence

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


def checked_line(position: Position, line: Sequence[Move]) -> list[Move]:
    """Replay a line by the rules from a position, which isn't changed, and return it without what leads nowhere.

    A search over abstract states may come by a position twice, with its columns in another order: the moves in between
    are left out, and the rest goes on in the columns of the first time.

    Raises:
        WrongLineError: it can't be played or doesn't win.
    """
    left = list(line)
    while (shorter := _without_first_detour(position, left)) is not None:
        left = shorter
    return left


#: What lies right under a column's lowest card.
_GROUND = 52
_source = random.Random(1)  # noqa: S311 (nobody is to be kept from guessing them)
#: For each card and what it lies on a number. Positions without the order of their columns that are equal have equal
#: sums; equal sums are looked at closely.
_ON = [[_source.getrandbits(60) for _under in range(_GROUND + 1)] for _card in range(52)]


def _without_first_detour(position: Position, line: list[Move]) -> list[Move] | None:
    """The line without the moves after which a position comes again; None if none does.

    Raises:
        WrongLineError: it can't be played or doesn't win.
    """
    now = position.copy()
    total = 0
    seen = {total: 0}
    for number, move in enumerate(line, start=1):
        reason = now.why_illegal(move)
        if reason is not None:
            raise WrongLineError(f"Move {number} of a line can’t be played: {reason}")
        source, target = move
        column = now.columns[source]
        card, under = column[-1], column[-2] if len(column) > 1 else _GROUND
        onto = _GROUND if target == HOME or not now.columns[target] else now.columns[target][-1]
        now.push(move)
        if target == HOME:
            # No card comes back from there, and so no earlier position.
            total, seen = 0, {0: number}
            continue
        total += _ON[card][onto] - _ON[card][under]
        before = seen.setdefault(total, number)
        if before != number:
            then = position.copy()
            then.play_line(line[:before])
            if then.key() == now.key():
                return line[:before] + _in_columns_of(then, now, line[number:])
            # With fewer cards covered it is another position, and the one that may come again.
            seen[total] = number
    if not now.is_won():
        raise WrongLineError("A line doesn’t win.")
    return None


def _in_columns_of(then: Position, now: Position, line: list[Move]) -> list[Move]:
    """A line from one position as it goes from an equal one, whose columns lie in another order."""
    free = [tuple(column) for column in then.columns]
    place = {HOME: HOME}
    for index, column in enumerate(now.columns):
        place[index] = free.index(tuple(column))
        free[place[index]] = (-1,)
    return [MOVES[place[source]][place[target]] for source, target in line]


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
