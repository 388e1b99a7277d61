"""The specification: both searches in plain Python, as short as they can be said.

`relaxed_search` is the search whose idea and proofs stand in `relax`; `best_first` is a plain search of real
positions for every variant, Spanish Patience above all, where a loose card may lie in an empty column and the
relaxation doesn't hold. The compiled searches must agree with these, and losses on real deals are proved again here.
"""

from __future__ import annotations

import heapq
from collections import Counter

from bakers.rules.cards import Card
from bakers.rules.variants import Fill

from .board import Board

Depths = tuple[int, ...]
Homes = tuple[int, ...]
#: A move of a real board: source column, and target column or -1 for home.
PlainMove = tuple[int, int]
Columns = tuple[tuple[Card, ...], ...]

D1, D2, D3 = "D1", "D2", "D3"
ALL_RULES = frozenset({D1, D2, D3})


class OutOfBudgetError(Exception):
    """The search was given up before it had an answer."""


def relaxed_search(
    board: Board, limit: int | None = None, rules: frozenset[str] = ALL_RULES
) -> tuple[bool, int]:
    """Whether the abstract game can be won (if not, the real one is lost), and how many states were expanded.

    Raises:
        OutOfBudgetError: more than `limit` states would have to be expanded.
    """
    columns, king, kings_fill = board.columns, board.ranks - 1, board.fill is Fill.KINGS
    table: dict[tuple[Depths, Homes], bool] = {}

    def loosened(depths: Depths) -> Depths:
        new = list(depths)
        for index, column in enumerate(columns):
            while new[index] > 1 and column[new[index] - 2] >> 2 == (column[new[index] - 1] >> 2) + 1:
                new[index] -= 1
        return tuple(new)

    def without(depths: Depths, column: int) -> Depths:
        return loosened((*depths[:column], depths[column] - 1, *depths[column + 1 :]))

    def events(
        depths: Depths, homes: Homes
    ) -> tuple[list[tuple[Depths, Homes]], tuple[Depths, Homes] | None]:
        """All states one event away, and the first of those that come from a safe card going home."""
        tops = {columns[c][d - 1]: c for c, d in enumerate(depths) if d}
        loose = [x for c, d in enumerate(depths) for x in columns[c][d:] if x >> 2 >= homes[x & 3]]
        hosts = Counter(x >> 2 for x in (*tops, *loose))
        needing = Counter(x >> 2 for x in loose)
        kings_above = kings_fill and any(
            x >> 2 == king for c, d in enumerate(depths) for x in columns[c][1:d]
        )
        empties = depths.count(0) - needing[king]
        found = []
        safe = None
        for card in (*tops, *loose):
            rank, suit = card >> 2, card & 3
            if rank > 0 and hosts[rank] <= needing[rank - 1]:
                continue  # it can't be bared
            column = tops.get(card)
            if homes[suit] == rank:
                left = depths if column is None else without(depths, column)
                state = (left, (*homes[:suit], rank + 1, *homes[suit + 1 :]))
                found.append(state)
                if D1 in rules and min(homes) >= rank - 1:
                    safe = state
            if column is None or (depths[column] == 1 and D2 in rules and not kings_above):
                continue
            if rank == king:
                if kings_above and depths[column] > 1 and empties > 0:
                    found.append((without(depths, column), homes))
            elif hosts[rank + 1] > needing[rank]:
                found.append((without(depths, column), homes))
        return found, safe

    def winnable(depths: Depths, homes: Homes) -> bool:
        found, safe = events(depths, homes)
        while safe is not None:
            depths, homes = safe
            found, safe = events(depths, homes)
        if (depths, homes) not in table:
            if D3 in rules and not reachable(board, depths, homes):
                table[depths, homes] = False
            else:
                if limit is not None and len(table) >= limit:
                    raise OutOfBudgetError
                table[depths, homes] = set(homes) == {board.ranks} or any(winnable(*state) for state in found)
        return table[depths, homes]

    answer = winnable(loosened(tuple(map(len, columns))), board.foundations)
    return answer, len(table)


def reachable(board: Board, depths: Depths, homes: Homes) -> bool:
    """Rule D3: whether every card goes home if whatever is exposed once stays so. If not, the position is lost."""
    columns, king = board.columns, board.ranks - 1
    left = list(depths)
    home = list(homes)
    exposed = {x for column, depth in zip(columns, depths, strict=True) for x in column[max(depth - 1, 0) :]}
    empty = not all(left)
    changed = True
    while changed:
        changed = False
        for suit in range(4):
            while home[suit] < board.ranks and home[suit] * 4 + suit in exposed:
                home[suit] += 1
                changed = True
        for index, column in enumerate(columns):
            while left[index]:
                card = column[left[index] - 1]
                rank = card >> 2
                fills = empty and (board.fill is Fill.ANY or (board.fill is Fill.KINGS and rank == king))
                on_host = any(4 * (rank + 1) + suit in exposed for suit in range(4))
                if not (home[card & 3] >= rank or on_host or fills):
                    break
                left[index] -= 1
                empty = empty or not left[index]
                exposed.update(column[max(left[index] - 1, 0) : left[index]])
                changed = True
    return home == [board.ranks] * 4


def legal_moves(board: Board, columns: Columns, homes: Homes) -> list[PlainMove]:
    """All moves of a board with these columns and cards home, by the rules and nothing else."""
    moves = []
    for source, column in enumerate(columns):
        if not column:
            continue
        rank, suit = column[-1] >> 2, column[-1] & 3
        if homes[suit] == rank:
            moves.append((source, -1))
        for target, other in enumerate(columns):
            if other:
                fits = other[-1] >> 2 == rank + 1
            else:
                fits = board.fill is Fill.ANY or (board.fill is Fill.KINGS and rank == board.ranks - 1)
            if target != source and fits:
                moves.append((source, target))
    return moves


def after(columns: Columns, homes: Homes, move: PlainMove) -> tuple[Columns, Homes]:
    """Columns and cards home after a move."""
    source, target = move
    new = list(columns)
    card = new[source][-1]
    new[source] = new[source][:-1]
    if target >= 0:
        new[target] = (*new[target], card)
        return tuple(new), homes
    suit = card & 3
    return tuple(new), (*homes[:suit], homes[suit] + 1, *homes[suit + 1 :])


def safe_move(columns: Columns, homes: Homes) -> PlainMove | None:
    """A move home that loses nothing (rule D1), if there is one."""
    for source, column in enumerate(columns):
        if column and homes[column[-1] & 3] == column[-1] >> 2 and min(homes) >= (column[-1] >> 2) - 1:
            return source, -1
    return None


def best_first(
    board: Board, limit: int | None = None, rules: frozenset[str] = ALL_RULES
) -> tuple[list[PlainMove] | None, int]:
    """A winning line or None if there is none, and how many positions were expanded: greedy best-first search.

    A position is good when few cards lie above lower ones and many are home. Two positions that differ in the order
    of their columns are one.

    Raises:
        OutOfBudgetError: more than `limit` positions would have to be expanded.
    """

    def settled(columns: Columns, homes: Homes) -> tuple[Columns, Homes, list[PlainMove]]:
        played: list[PlainMove] = []
        move = safe_move(columns, homes) if D1 in rules else None
        while move is not None:
            played.append(move)
            columns, homes = after(columns, homes, move)
            move = safe_move(columns, homes)
        return columns, homes, played

    def badness(columns: Columns, homes: Homes) -> int:
        above = [
            sum(x >> 2 > y >> 2 for y in column[:height])
            for column in columns
            for height, x in enumerate(column)
        ]
        return sum(4 + 2 * lower for lower in above if lower) - 3 * sum(homes)

    columns, homes, line = settled(board.columns, board.foundations)
    seen = {(tuple(sorted(columns)), homes)}
    queue = [(badness(columns, homes), 0, columns, homes, line)]
    pushed = expanded = 0
    while queue:
        _, _, columns, homes, line = heapq.heappop(queue)
        if set(homes) == {board.ranks}:
            return line, expanded
        if limit is not None and expanded >= limit:
            raise OutOfBudgetError
        lying = Board(columns, board.foundations, board.ranks, board.fill)
        if D3 in rules and not reachable(lying, tuple(map(len, columns)), homes):
            continue
        expanded += 1
        for move in legal_moves(board, columns, homes):
            source, target = move
            if target >= 0 and not columns[target] and len(columns[source]) == 1:
                continue  # from one empty column to another
            new_columns, new_homes, played = settled(*after(columns, homes, move))
            key = (tuple(sorted(new_columns)), new_homes)
            if key not in seen:
                seen.add(key)
                pushed += 1
                entry = (
                    badness(new_columns, new_homes),
                    -pushed,
                    new_columns,
                    new_homes,
                    [*line, move, *played],
                )
                heapq.heappush(queue, entry)
    return None, expanded
