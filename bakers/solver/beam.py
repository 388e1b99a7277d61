"""Short lines: a beam over real positions by number of column moves.

Layer g holds positions that g column moves lead to. Each layer is closed under moves home (which cost nothing here),
ranked by 10 L - 3 cards home + 6 frozen levels (`bounds`; found by trial), freed of what the relaxed search calls
dead or what can't beat the line that is known, and cut to a width; then all single moves of what is kept make the
next layer. The first win is the answer: short, not proven shortest.
"""

from __future__ import annotations

import numpy as np

from .board import (
    ALL,
    BASES,
    COLUMNS,
    FACTS,
    FILL,
    FILL_KINGS,
    KINGS,
    LINK_HIGH,
    LINK_LOW,
    RULES,
    STATE,
    USE_D1,
    USE_D2,
    Packed,
    Words,
    fewest_home,
    next_cards,
)
from .bounds import SCRATCH_ROWS, least_moves
from .hanging import TO_EMPTY, TO_FOUNDATION, bare_hosts, frozen_count, home_bare, hosts_of, linked
from .jit import kernel, lowest, popcount
from .playing import CLASS_SIZE, WON, visit
from .relax import DEAD, FULL, RUNNING, Relaxation, leave, search

# Columns of a row after its six words of position: the kept row it comes from, and how: the move in 12 bits, then
# six bits for each unsafe move home after it (card + 1).
PARENT, MOVES, VALUE, GAME = 6, 7, 8, 9
ROW = 10
#: Unsafe moves home that are tried one after another without a column move between.
MOST_HOMES = 8

# Registers.
B_PHASE, B_LAYER, B_FIRST, B_LAST, B_AT, B_FRESH, B_KEPT, B_ENTRIES, B_SPENT, B_GOAL, B_BEST = range(11)
BEAM_REGISTERS = 16
START, EXPAND, SELECT = 0, 1, 2

#: The beam died out.
DIED = 7

#: Values are shifted to be counted in as many buckets.
VALUE_SHIFT, BUCKETS = 200, 1024
#: No line that is worth a thing has more column moves.
LAYERS = 64


class Beam:
    """A beam of some width on one board."""

    def __init__(self, packed: Packed, relaxation: Relaxation, width: int, best: int = LAYERS) -> None:
        """Make ready to look for a line with fewer column moves than `best`."""
        self.static = packed.static
        self.relaxation = relaxation
        self.root = packed.start
        self.width = width
        self.fresh = np.empty((width * 64 + 512, ROW), dtype=np.int64)
        self.order = np.empty(width * 64 + 512, dtype=np.int64)
        self.kept = np.empty((width * (min(best, LAYERS) + 1), ROW), dtype=np.int64)
        self.visited = np.zeros((1 << (width * 512 - 1).bit_length(), CLASS_SIZE), dtype=np.int64)
        self.scratch = np.zeros((SCRATCH_ROWS, 64), dtype=np.int64)
        self.registers = np.zeros(BEAM_REGISTERS, dtype=np.int64)
        self.registers[B_BEST] = min(best, LAYERS)
        self.spent = 0

    def run(self, limit: int) -> int:
        """Go on for at most `limit` expansions: RUNNING, WON or DIED."""
        relaxation = self.relaxation
        self.spent = 0
        while True:
            answer: int = widen(
                self.static,
                relaxation.table,
                relaxation.frames,
                relaxation.children,
                relaxation.registers,
                self.root,
                self.fresh,
                self.order,
                self.kept,
                self.visited,
                self.scratch,
                self.registers,
                self.width,
                limit - self.spent,
            )
            self.spent += int(self.registers[B_SPENT])
            if answer != FULL:
                return answer
            relaxation.grow()

    @property
    def column_moves(self) -> int:
        """How many column moves the line that was found has."""
        return int(self.registers[B_LAYER])

    @property
    def steps(self) -> list[int]:
        """The column moves and unsafe moves home of the line that was found, each card * 64 + target."""
        packed_moves = []
        row = self.fresh[self.registers[B_GOAL]]
        while row[PARENT] >= 0:
            packed_moves.append(int(row[MOVES]))
            row = self.kept[row[PARENT]]
        packed_moves.append(int(row[MOVES]))
        steps = []
        for moves in reversed(packed_moves):
            if moves & 4095 != NO_MOVE:
                steps.append(moves & 4095)
            homing = moves >> 12
            while homing:
                steps.append(((homing & 63) - 1) * 64 + TO_FOUNDATION)
                homing >>= 6
        return steps


#: In place of a move, at the root.
NO_MOVE = 4095


@kernel
def settle_bare(
    static: Words, homes: int, stumps: int, tops: int, key: int, low: int, high: int
) -> tuple[int, int, int, int, int, int]:
    """Send home the safe cards on which nothing hangs, which takes no column move."""
    facts = static[FACTS]
    while True:
        hanging = facts[ALL] & ~stumps & ~homes
        safe = next_cards(homes, facts[ALL]) & ((1 << (4 * (fewest_home(homes) + 2))) - 1)
        safe &= (tops | hanging) & ~hosts_of(hanging & ~facts[KINGS], low, high)
        if safe == 0 or not facts[RULES] & USE_D1:
            return homes, stumps, tops, key, low, high
        homes, stumps, tops, key, low, high = home_bare(
            static, homes, stumps, tops, key, low, high, lowest(safe)
        )


@kernel
def move_bare(
    static: Words,
    homes: int,
    stumps: int,
    tops: int,
    key: int,
    low: int,
    high: int,
    card: int,
    target: int,
) -> tuple[int, int, int, int, int, int]:
    """Move a bare card onto a bare host or, a king, into an empty column, then settle."""
    if target != TO_EMPTY:
        low, high = linked(low, high, card, target)
    if stumps & (1 << card):
        low |= static[LINK_LOW, card]
        high |= static[LINK_HIGH, card]
        stumps, tops, key = leave(static, stumps, tops, key, card)
    return settle_bare(static, homes, stumps, tops, key, low, high)


@kernel
def movable(static: Words, homes: int, stumps: int, tops: int, low: int, high: int) -> tuple[int, int]:
    """The bare cards that may have a use of a move onto a host, and the kings that may fill an empty column."""
    facts = static[FACTS]
    loose = facts[ALL] & ~stumps & ~homes
    bare = (tops | loose) & ~hosts_of(loose & ~facts[KINGS], low, high)
    movers = bare & ~facts[KINGS]
    kings_above = facts[FILL] == FILL_KINGS and (stumps & facts[KINGS] & ~facts[BASES]) != 0
    kings = 0
    if kings_above:
        empties = facts[COLUMNS] - popcount(stumps & facts[BASES]) - popcount(loose & facts[KINGS])
        if empties > 0:
            kings = bare & tops & facts[KINGS] & ~facts[BASES]
    if not kings_above and facts[RULES] & USE_D2:
        movers &= ~(stumps & facts[BASES])
    return movers, kings


@kernel
def _add(
    static: Words,
    state: tuple[int, int, int, int, int, int],
    parent: int,
    moves: int,
    fresh: Words,
    visited: Words,
    registers: Words,
) -> bool:
    """Enter a position into the layer unless it was seen; True if it is won."""
    at = registers[B_FRESH]
    if at >= fresh.shape[0]:
        return False
    if registers[B_ENTRIES] * 4 >= visited.shape[0] * 3:
        visited[:] = 0
        registers[B_ENTRIES] = 0
    if not visit(visited, state[3], 0, state[4], state[5]):
        return False
    registers[B_ENTRIES] += 1
    row = fresh[at]
    for word in range(STATE):
        row[word] = state[word]
    row[PARENT] = parent
    row[MOVES] = moves
    registers[B_FRESH] = at + 1
    if state[0] == static[FACTS, ALL]:
        registers[B_GOAL] = at
        return True
    return False


@kernel
def _close(static: Words, begin: int, fresh: Words, visited: Words, registers: Words) -> bool:
    """Add what moves home lead to from all rows of the layer after one; True if one is won."""
    facts = static[FACTS]
    at = begin
    while at < registers[B_FRESH]:
        row = fresh[at]
        homes, stumps, tops, key, low, high = row[0], row[1], row[2], row[3], row[4], row[5]
        loose = facts[ALL] & ~stumps & ~homes
        homing = next_cards(homes, facts[ALL]) & (tops | loose)
        homing &= ~hosts_of(loose & ~facts[KINGS], low, high)
        shift = 12
        while row[MOVES] >> shift:
            shift += 6
        while homing and shift < 12 + 6 * MOST_HOMES:
            card = lowest(homing)
            homing &= homing - 1
            left = home_bare(static, homes, stumps, tops, key, low, high, card)
            state = settle_bare(static, left[0], left[1], left[2], left[3], left[4], left[5])
            moves = row[MOVES] | ((card + 1) << shift)
            if _add(static, state, row[PARENT], moves, fresh, visited, registers):
                return True
        at += 1
    return False


@kernel
def _spread(static: Words, kept: Words, at: int, fresh: Words, visited: Words, registers: Words) -> bool:
    """Add what one move leads to from a kept row, closed under moves home; True if one is won."""
    row = kept[at]
    homes, stumps, tops, key, low, high = row[0], row[1], row[2], row[3], row[4], row[5]
    loose = static[FACTS, ALL] & ~stumps & ~homes
    exposed = tops | loose
    movers, kings = movable(static, homes, stumps, tops, low, high)
    begin = registers[B_FRESH]
    while movers:
        card = lowest(movers)
        movers &= movers - 1
        free = bare_hosts(card, loose, exposed, low, high)
        while free:
            target = (card & ~3) + 4 + lowest(free)
            free &= free - 1
            state = move_bare(static, homes, stumps, tops, key, low, high, card, target)
            if _add(static, state, at, card * 64 + target, fresh, visited, registers):
                return True
    while kings:
        card = lowest(kings)
        kings &= kings - 1
        state = move_bare(static, homes, stumps, tops, key, low, high, card, TO_EMPTY)
        if _add(static, state, at, card * 64 + TO_EMPTY, fresh, visited, registers):
            return True
    return _close(static, begin, fresh, visited, registers)


@kernel
def _rank(static: Words, fresh: Words, order: Words, scratch: Words, registers: Words) -> None:
    """Order the layer by value, best first; what can't beat the best line comes to the end, with GAME < 0."""
    count = registers[B_FRESH]
    buckets = [0] * (BUCKETS + 1)
    for at in range(count):
        row = fresh[at]
        bound = least_moves(static, row[0], row[1], row[2], row[4], row[5], scratch)
        frozen = frozen_count(static, row[0], row[1], row[2])
        value = 10 * bound - 3 * popcount(row[0]) + 6 * frozen + VALUE_SHIFT
        row[VALUE] = min(max(value, 0), BUCKETS - 2)
        row[GAME] = 0
        if registers[B_LAYER] + bound >= registers[B_BEST]:
            row[VALUE] = BUCKETS - 1
            row[GAME] = -1
        buckets[row[VALUE] + 1] += 1
    for value in range(BUCKETS):
        buckets[value + 1] += buckets[value]
    for at in range(count):
        value = fresh[at, VALUE]
        order[buckets[value]] = at
        buckets[value] += 1


@kernel
def widen(
    static: Words,
    table: Words,
    relax_frames: Words,
    relax_children: Words,
    relax_registers: Words,
    root: Words,
    fresh: Words,
    order: Words,
    kept: Words,
    visited: Words,
    scratch: Words,
    registers: Words,
    width: int,
    limit: int,
) -> int:
    """Go on with a beam for at most `limit` expansions."""
    registers[B_SPENT] = 0
    if registers[B_PHASE] == START:
        state = settle_bare(static, root[0], root[1], root[2], root[3], root[4], root[5])
        if _add(static, state, -1, NO_MOVE, fresh, visited, registers):
            return WON
        if _close(static, 0, fresh, visited, registers):
            return WON
        _rank(static, fresh, order, scratch, registers)
        registers[B_PHASE] = SELECT
    while True:
        if registers[B_PHASE] == SELECT:
            while registers[B_AT] < registers[B_FRESH]:
                row = fresh[order[registers[B_AT]]]
                if row[GAME] < 0 or registers[B_KEPT] - registers[B_FIRST] >= width:
                    break
                # The relaxed search starts from settled states; this one may still have covered safe cards.
                answer, cost = search(
                    static,
                    table,
                    relax_frames,
                    relax_children,
                    relax_registers,
                    row[0],
                    row[1],
                    row[2],
                    row[3],
                    limit - registers[B_SPENT],
                )
                registers[B_SPENT] += cost
                if answer in (RUNNING, FULL):
                    return answer
                if answer != DEAD:
                    target = kept[registers[B_KEPT]]
                    for word in range(ROW):
                        target[word] = row[word]
                    registers[B_KEPT] += 1
                registers[B_AT] += 1
            if registers[B_KEPT] == registers[B_FIRST] or registers[B_LAYER] + 1 >= registers[B_BEST]:
                return DIED
            registers[B_LAST] = registers[B_KEPT]
            registers[B_AT] = registers[B_FIRST]
            registers[B_FRESH] = 0
            registers[B_LAYER] += 1
            registers[B_PHASE] = EXPAND
        while registers[B_AT] < registers[B_LAST]:
            if registers[B_SPENT] >= limit:
                return RUNNING
            at = registers[B_AT]
            registers[B_AT] += 1
            registers[B_SPENT] += 1
            if _spread(static, kept, at, fresh, visited, registers):
                return WON
        _rank(static, fresh, order, scratch, registers)
        registers[B_FIRST] = registers[B_KEPT]
        registers[B_AT] = 0
        registers[B_PHASE] = SELECT
