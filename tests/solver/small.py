"""Small games, in which every line can be tried, and an oracle that tries them."""

from __future__ import annotations

import random
from collections import deque

from bakers.rules.variants import Fill
from bakers.solver.board import Board
from bakers.solver.hanging import TO_EMPTY, TO_FOUNDATION
from bakers.solver.reference import Columns, Homes, after, legal_moves

FILLS = (Fill.NONE, Fill.KINGS, Fill.ANY)


def small_game(number: int, fill: Fill) -> Board:
    """A small board of a number: 3–7 ranks, 2–4 suits, 3–5 columns; some after a few random moves.

    Suits that are left out are home. Kings are sunk in half of the boards, and lie anywhere in the others. One board
    in three lies as no deal does: uneven columns, empty ones, some cards home.
    """
    source = random.Random(f"{number} {fill}")
    while True:
        ranks, suits, width = source.randint(3, 7), source.randint(2, 4), source.randint(3, 5)
        if ranks * suits <= 20:
            break
    cards = [rank * 4 + suit for rank in range(ranks) for suit in range(suits)]
    source.shuffle(cards)
    columns = [cards[index::width] for index in range(width)]
    if source.random() < 0.5:
        columns = [sorted(column, key=lambda card: card >> 2 != ranks - 1) for column in columns]
    homes = [0 if suit < suits else ranks for suit in range(4)]
    if number % 3 == 0:
        homes[:suits] = [source.choice((0, 0, source.randint(0, ranks))) for _ in range(suits)]
        weights = [source.random() ** 2 for _ in range(width)]
        columns = [[] for _ in range(width)]
        for card in cards:
            if card >> 2 >= homes[card & 3]:
                source.choices(columns, weights)[0].append(card)
    board = Board(tuple(map(tuple, columns)), tuple(homes), ranks, fill)  # type: ignore[arg-type]
    for _ in range(source.choice((0, 0, 3, 8))):
        moves = legal_moves(board, board.columns, board.foundations)
        if not moves:
            break
        new_columns, new_homes = after(board.columns, board.foundations, source.choice(moves))
        board = Board(new_columns, new_homes, ranks, fill)  # type: ignore[arg-type]
    return board


State = tuple[Columns, Homes]


def fewest_moves(board: Board, limit: int) -> int | None:
    """The fewest moves that win, home or not, by breadth-first search without any pruning; -1 if none do.

    Two positions are one if they differ in the order of columns. None if there are more positions than `limit`.
    """
    start: State = (board.columns, board.foundations)
    seen: set[State] = {(tuple(sorted(start[0])), start[1])}
    queue: deque[tuple[State, int]] = deque([(start, 0)])
    while queue:
        (columns, homes), moves = queue.popleft()
        if set(homes) == {board.ranks}:
            return moves
        for move in legal_moves(board, columns, homes):
            new = after(columns, homes, move)
            key = (tuple(sorted(new[0])), new[1])
            if key not in seen:
                if len(seen) >= limit:
                    return None
                seen.add(key)
                queue.append((new, moves + 1))
    return -1


def replay(board: Board, trail: list[int]) -> int:
    """Plays a trail by the rules, asserts that it wins, and returns how many of its moves go to a column."""
    columns: Columns = board.columns
    homes: Homes = board.foundations
    for entry in trail:
        card, target = entry >> 6, entry & 63
        tops = {column[-1]: index for index, column in enumerate(columns) if column}
        if target == TO_FOUNDATION:
            place = -1
        elif target == TO_EMPTY:
            place = next(index for index, column in enumerate(columns) if not column)
        else:
            place = tops[target]
        move = (tops[card], place)
        assert move in legal_moves(board, columns, homes), (board, trail, entry)
        columns, homes = after(columns, homes, move)
    assert set(homes) == {board.ranks}, (board, trail)
    return sum(entry & 63 != TO_FOUNDATION for entry in trail)
