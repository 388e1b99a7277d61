"""Restarted greedy best-first search over real positions, for every variant.

In Spanish Patience a loose card may lie in an empty column, so the relaxation (`relax`) doesn't hold there; this
search decides all its deals. For the other variants short runs come early, since many positions in the middle of games
lead to few others, and long ones are the last resort.

A position is, for each card not home, the card under it, or none: the order of columns doesn't matter. Positions are
taken out of a bucket queue by lowest value, last in first out:

    Σ over cards with k > 0 lower cards under them of (a + b k)  -  c (cards home)  +  noise

Run i expands at most 250 luby(i) positions (1 1 2 1 1 2 4 …), then all is forgotten and the next begins, with other
weights and noise. A position is dropped when rule D3 says lost. Safe cards go home at once (D1). An empty column is
one target, and none for a card that is alone in its column; where columns aren't refilled such a card never moves to
another column (D2). When a run's queue is empty, every position was tried: the board is lost. Positions are compared
card by card, so that proof doesn't rest on a hash.
"""

from __future__ import annotations

import random

import numpy as np
from numpy.typing import NDArray

from .board import (
    ALL_RULES,
    FILL_ANY,
    FILL_KINGS,
    FILL_NONE,
    USE_D1,
    USE_D2,
    USE_D3,
    Board,
    Words,
    digit_any,
    fewest_home,
    mixed,
    next_cards,
)
from .hanging import TO_EMPTY, TO_FOUNDATION
from .jit import kernel, lowest, popcount
from .playing import EMPTIED, GIVEN_UP, WON
from .relax import RUNNING

Bytes = NDArray[np.int8]

#: Expansions of the shortest run.
UNIT = 250
#: (a, b, c) of the runs, in turn; found by trial.
WEIGHTS = ((4, 2, 3), (4, 2, 1), (2, 1, 1), (0, 1, 1), (4, 2, 5), (3, 1, 2), (1, 3, 2), (4, 2, 3))
#: What a move to a column adds in a thrifty run, in turn.
THRIFT = (2, 4, 8, 6, 3, 10)
#: Rows of positions for each expansion of a run; a run that needs more ends early.
ROWS_EACH = 16
#: In place of the card under a card: nothing, or the card is home.
NOTHING, AT_HOME = 52, 53

BUCKETS, SHIFT = 4096, 1024

# Columns of a node's words, beside its 56 bytes.
N_PARENT, N_STEP, N_KEY, N_VALUE, N_NEXT, N_HOMES, N_TOPS = range(7)
NODE = 7
#: 52 bytes for the cards and 4 to make whole words.
BYTES = 56
# Registers.
F_ACTIVE, F_ROWS, F_LOWEST, F_USED, F_SPENT, F_GOAL = range(6)
# What a run is told: everything, columns, fill, rules, the weights, noise seed.
I_ALL, I_COLUMNS, I_FILL, I_RULES, I_A, I_B, I_C, I_SEED, I_KINGS, I_MOVE = range(10)


def _codes() -> Words:
    source = random.Random(1961)  # noqa: S311 (a table of any numbers, the same each time)
    return np.array([[source.getrandbits(62) for _ in range(54)] for _ in range(52)], dtype=np.int64)


#: A number for each card and what is under it; a position's key is their exclusive or.
CODES = _codes()
_FILLS = {"none": FILL_NONE, "kings": FILL_KINGS, "any": FILL_ANY}


def luby(index: int) -> int:
    """The sequence 1 1 2 1 1 2 4 1 1 2 1 1 2 4 8 …, from index 1."""
    while True:
        size = index.bit_length()
        if index == (1 << size) - 1:
            return 1 << (size - 1)
        index -= (1 << (size - 1)) - 1


class BestFirst:
    """Storage of the best-first search of one board."""

    def __init__(
        self, board: Board, rules: int = ALL_RULES, longest: int = 256, *, thrifty: bool = False
    ) -> None:
        """Make ready for runs of at most `longest` units, which bounds the memory: half a megabyte a unit.

        Where short lines are wanted, `thrifty` makes each move to a column count against a position.
        """
        self.thrifty = thrifty
        self.longest = longest
        self.first = np.full((1, BYTES), AT_HOME, dtype=np.int8)
        for column in board.columns:
            for place, card in enumerate(column):
                self.first[0, card] = column[place - 1] if place else NOTHING
        self.facts = np.zeros(16, dtype=np.int64)
        self.facts[I_ALL] = (1 << (4 * board.ranks)) - 1
        self.facts[I_COLUMNS] = len(board.columns)
        self.facts[I_FILL] = _FILLS[board.fill]
        self.facts[I_RULES] = rules
        self.facts[I_KINGS] = 15 << (4 * (board.ranks - 1))
        self.registers = np.zeros(8, dtype=np.int64)
        self.heads = np.empty(BUCKETS, dtype=np.int64)
        self.number = 0
        self.budget = 0
        self.spent = 0
        # Nothing is held until the first run.
        self._make_room(0)

    def _make_room(self, expansions: int) -> None:
        rows = expansions * ROWS_EACH + 64
        self.rows = np.empty((rows, BYTES), dtype=np.int8)
        self.words = self.rows.view(np.int64)
        self.nodes = np.empty((rows, NODE), dtype=np.int64)
        self.table = np.zeros(1 << (2 * rows - 1).bit_length(), dtype=np.int64)

    def run(self, limit: int) -> int:
        """Go on, run after run, for at most `limit` expansions: RUNNING, WON or EMPTIED (a proof of loss)."""
        self.spent = 0
        while self.spent < limit:
            if not self.registers[F_ACTIVE]:
                self.number += 1
                self.budget = UNIT * min(luby(self.number), self.longest)
                if self.budget * ROWS_EACH + 64 > self.rows.shape[0]:
                    self._make_room(self.budget)
                else:
                    self.table[:] = 0
                weights = WEIGHTS[(self.number - 1) % len(WEIGHTS)]
                self.facts[I_A : I_C + 1] = weights
                self.facts[I_SEED] = self.number - 1
                self.facts[I_MOVE] = THRIFT[(self.number - 1) % len(THRIFT)] if self.thrifty else 0
                self.registers[:] = 0
            answer: int = explore(
                self.facts,
                CODES,
                self.first,
                self.rows,
                self.words,
                self.nodes,
                self.table,
                self.heads,
                self.registers,
                self.budget,
                limit - self.spent,
            )
            self.spent += int(self.registers[F_SPENT])
            if answer in (WON, EMPTIED):
                return answer
        return RUNNING

    @property
    def steps(self) -> list[int]:
        """The moves of the line that was found but for safe moves home, each card * 64 + target."""
        steps: list[int] = []
        at = int(self.registers[F_GOAL])
        while self.nodes[at, N_PARENT] >= 0:
            steps.append(int(self.nodes[at, N_STEP]))
            at = int(self.nodes[at, N_PARENT])
        return steps[::-1]


@kernel
def kink(row: Bytes, card: int, under: int, facts: Words) -> int:
    """What a card adds to a position's value when it lies on another."""
    lower = 0
    while under < NOTHING:
        if under >> 2 < card >> 2:
            lower += 1
        under = int(row[under])
    return int(facts[I_A] + facts[I_B] * lower) if lower else 0


@kernel
def can_win(row: Bytes, homes: int, tops: int, facts: Words) -> bool:
    """Rule D3 (see `relax.reachable`) on a real position."""
    everything, fill = facts[I_ALL], facts[I_FILL]
    ever = tops
    empty = popcount(tops) < facts[I_COLUMNS]
    while True:
        following = next_cards(homes, everything)
        gain = following & ever
        while gain:
            homes |= gain
            following = next_cards(homes, everything)
            gain = following & ever
        if homes == everything:
            return True
        peeled = tops & (homes | following | ((digit_any(ever) * 15) >> 4))
        if empty and fill == FILL_ANY:
            peeled = tops
        elif empty and fill == FILL_KINGS:
            peeled |= tops & facts[I_KINGS]
        if peeled == 0:
            return False
        tops &= ~peeled
        while peeled:
            card = lowest(peeled)
            peeled &= peeled - 1
            under = int(row[card])
            if under < NOTHING:
                ever |= 1 << under
                tops |= 1 << under
            else:
                empty = True


@kernel
def _lift(row: Bytes, node: Words, codes: Words, card: int, target: int, facts: Words) -> None:
    """Move a top card of a new node: onto a card, to an empty column (NOTHING) or home (AT_HOME)."""
    under = int(row[card])
    bit = 1 << card
    node[N_VALUE] -= kink(row, card, under, facts)
    node[N_KEY] ^= codes[card, under]
    if under < NOTHING:
        node[N_TOPS] |= 1 << under
    row[card] = target
    if target == AT_HOME:
        node[N_TOPS] &= ~bit
        node[N_HOMES] |= bit
        node[N_VALUE] -= facts[I_C]
        return
    node[N_KEY] ^= codes[card, target]
    node[N_VALUE] += facts[I_MOVE]
    node[N_VALUE] += kink(row, card, target, facts)
    if target < NOTHING:
        node[N_TOPS] &= ~(1 << target)


@kernel
def _enter(
    rows: Bytes,
    words: Words,
    nodes: Words,
    codes: Words,
    table: Words,
    heads: Words,
    registers: Words,
    facts: Words,
) -> bool:
    """Settle the node in the first free row and enter it unless it is known; True if it is won."""
    at = registers[F_ROWS]
    row, node = rows[at], nodes[at]
    while facts[I_RULES] & USE_D1:
        safe = next_cards(node[N_HOMES], facts[I_ALL]) & node[N_TOPS]
        safe &= (1 << (4 * (fewest_home(node[N_HOMES]) + 2))) - 1
        if safe == 0:
            break
        _lift(row, node, codes, lowest(safe), AT_HOME, facts)
    mask = table.shape[0] - 1
    place = mixed(node[N_KEY]) & mask
    while table[place] != 0:
        other = table[place] - 1
        if nodes[other, N_KEY] == node[N_KEY]:
            same = True
            for word in range(BYTES // 8):
                same = same and words[other, word] == words[at, word]
            if same:
                return False
        place = (place + 1) & mask
    table[place] = at + 1
    value = node[N_VALUE] + SHIFT
    if facts[I_SEED] > 0:
        value += mixed(node[N_KEY] ^ (facts[I_SEED] * 1299709)) % 12
    value = min(max(value, 0), BUCKETS - 1)
    node[N_NEXT] = heads[value]
    heads[value] = at
    registers[F_LOWEST] = min(registers[F_LOWEST], value)
    registers[F_ROWS] = at + 1
    if node[N_HOMES] == facts[I_ALL]:
        registers[F_GOAL] = at
        return True
    return False


@kernel
def explore(
    facts: Words,
    codes: Words,
    first: Bytes,
    rows: Bytes,
    words: Words,
    nodes: Words,
    table: Words,
    heads: Words,
    registers: Words,
    budget: int,
    limit: int,
) -> int:
    """Go on with a run of `budget` expansions, for at most `limit`: RUNNING, WON, EMPTIED or GIVEN_UP."""
    everything, fill, rules = facts[I_ALL], facts[I_FILL], facts[I_RULES]
    registers[F_SPENT] = 0
    if registers[F_ACTIVE] == 0:
        registers[F_ACTIVE] = 1
        registers[F_LOWEST] = BUCKETS
        heads[:] = -1
        rows[0] = first[0]
        node = nodes[0]
        node[N_PARENT] = -1
        node[N_STEP] = 0
        node[N_KEY] = 0
        node[N_VALUE] = 0
        node[N_TOPS] = 0
        covered = 0
        laid = 0
        for card in range(52):
            under = int(first[0, card])
            if under == AT_HOME:
                continue
            laid |= 1 << card
            node[N_KEY] ^= codes[card, under]
            node[N_VALUE] += kink(first[0], card, under, facts)
            if under < NOTHING:
                covered |= 1 << under
        node[N_TOPS] = laid & ~covered
        node[N_HOMES] = everything & ~laid
        node[N_VALUE] -= facts[I_C] * popcount(node[N_HOMES])
        if _enter(rows, words, nodes, codes, table, heads, registers, facts):
            registers[F_ACTIVE] = 0
            return WON
    while True:
        while registers[F_LOWEST] < BUCKETS and heads[registers[F_LOWEST]] < 0:
            registers[F_LOWEST] += 1
        if registers[F_LOWEST] == BUCKETS:
            registers[F_ACTIVE] = 0
            return EMPTIED
        if registers[F_SPENT] >= limit:
            return RUNNING
        at = heads[registers[F_LOWEST]]
        node = nodes[at]
        homes, tops = node[N_HOMES], node[N_TOPS]
        heads[registers[F_LOWEST]] = node[N_NEXT]
        if rules & USE_D3 and not can_win(rows[at], homes, tops, facts):
            continue
        if registers[F_USED] >= budget or registers[F_ROWS] + 256 > rows.shape[0]:
            registers[F_ACTIVE] = 0
            return GIVEN_UP
        registers[F_USED] += 1
        registers[F_SPENT] += 1
        empty = popcount(tops) < facts[I_COLUMNS]
        following = next_cards(homes, everything)
        cards = tops
        while cards:
            card = lowest(cards)
            bit = cards & -cards
            cards ^= bit
            alone = rows[at, card] == NOTHING
            targets = 0
            if not (alone and fill == FILL_NONE and rules & USE_D2):
                targets = (tops >> ((card & ~3) + 4)) & 15
            fills = empty and not alone
            fills = fills and (fill == FILL_ANY or (fill == FILL_KINGS and facts[I_KINGS] & bit != 0))
            for kind in range(6):
                if kind < 4:
                    if not targets & (1 << kind):
                        continue
                    target = (card & ~3) + 4 + kind
                    step = target
                elif kind == 4:
                    if not fills:
                        continue
                    target, step = NOTHING, TO_EMPTY
                else:
                    if not following & bit:
                        continue
                    target, step = AT_HOME, TO_FOUNDATION
                new = registers[F_ROWS]
                rows[new] = rows[at]
                for word in range(NODE):
                    nodes[new, word] = node[word]
                nodes[new, N_PARENT] = at
                nodes[new, N_STEP] = card * 64 + step
                _lift(rows[new], nodes[new], codes, card, target, facts)
                if _enter(rows, words, nodes, codes, table, heads, registers, facts):
                    registers[F_ACTIVE] = 0
                    return WON
