"""The playing search: from an abstract way out to a line that can be played.

Depth first over real positions, one child an event of `relax`, in its order; a child that the relaxed search calls
dead is left out. Positions with the same abstract state and the same links of fixed cards reach each other by moves
of loose cards (P3, see `classes`), so one of them is enough, and they are remembered by exactly that: five words, no
hash. Before an event freezes a level, what gets locked is chosen (`hanging.lock_well`); the other choices aren't
tried, so an emptied run proves a loss only if it met no such choice. Further runs vary order and choices.
"""

from __future__ import annotations

import numpy as np

from .board import ALL, FACTS, RULES, STATE, USE_P3, Packed, Words, mixed
from .hanging import (
    LONGEST_TRAIL,
    fixed_cards,
    hosts_of,
    lock_well,
    play_event,
    settle_really,
    taken_level,
)
from .jit import kernel
from .relax import (
    ALIVE,
    CHILD,
    CHILD_SIZE,
    DEAD,
    DEEPEST,
    EVENT,
    FULL,
    MOST_EVENTS,
    RUNNING,
    SCORE,
    Relaxation,
    expand,
    search,
)

# Columns of a frame after the six words of its position.
NEXT, COUNT, TRAIL, BLOCKED = 6, 7, 8, 9
FRAME = 10

# Registers.
P_DEPTH, P_ACTIVE, P_NODES, P_CHOICES, P_LENGTH, P_SPENT = 0, 1, 2, 3, 4, 5

# Answers besides RUNNING and FULL: the run found a line, came to its end, or used its nodes.
WON, EMPTIED, GIVEN_UP = 4, 5, 6

#: A class in the table of those visited: key, fixed cards, their two link sets; the key is stored plus one.
CLASS_SIZE = 4


class Playing:
    """Storage of the playing search of one board."""

    def __init__(self, packed: Packed, relaxation: Relaxation) -> None:
        self.static = packed.static
        self.relaxation = relaxation
        self.root = packed.start
        self.frames = np.empty((DEEPEST, FRAME), dtype=np.int64)
        self.children = np.empty((DEEPEST, MOST_EVENTS, CHILD_SIZE), dtype=np.int64)
        self.visited = np.zeros((1 << 9, CLASS_SIZE), dtype=np.int64)
        self.trail = np.zeros(LONGEST_TRAIL, dtype=np.int64)
        self.registers = np.zeros(8, dtype=np.int64)
        self.begin(0)

    def begin(self, number: int) -> None:
        """Make ready for run `number`, of at most 120 positions more than the one before."""
        self.number = number
        nodes = self.nodes = 120 * (number + 1)
        size = self.visited.shape[0]
        while size < 2 * nodes + 2:
            size *= 2
        if size > self.visited.shape[0]:
            self.visited = np.zeros((size, CLASS_SIZE), dtype=np.int64)
        else:
            self.visited[:] = 0
        self.registers[:] = 0

    def run(self, limit: int) -> int:
        """Go on with the run for at most `limit` expansions: RUNNING, WON, EMPTIED or GIVEN_UP."""
        relaxation = self.relaxation
        spent = 0
        while True:
            answer: int = play(
                self.static,
                relaxation.table,
                relaxation.frames,
                relaxation.children,
                relaxation.registers,
                self.root,
                self.frames,
                self.children,
                self.visited,
                self.trail,
                self.registers,
                self.number,
                self.nodes,
                limit - spent,
            )
            spent += int(self.registers[P_SPENT])
            if answer != FULL:
                self.spent = spent
                return answer
            relaxation.grow()

    @property
    def line(self) -> list[int]:
        """The moves of the line that was found, each card * 64 + target."""
        return [int(move) for move in self.trail[: self.registers[P_LENGTH]]]

    @property
    def is_exact(self) -> bool:
        """Whether this run met no choice of what to lock, so that EMPTIED proves a loss."""
        return not self.registers[P_CHOICES]


@kernel
def visit(visited: Words, key: int, fixed: int, low: int, high: int) -> bool:
    """Enter a class; False if it was there already."""
    mask = visited.shape[0] - 1
    place = mixed(key + 1 ^ fixed ^ (low << 5) ^ (high << 7)) & mask
    while visited[place, 0] != 0:
        if (
            visited[place, 0] == key + 1
            and visited[place, 1] == fixed
            and visited[place, 2] == low
            and visited[place, 3] == high
        ):
            return False
        place = (place + 1) & mask
    visited[place, 0] = key + 1
    visited[place, 1] = fixed
    visited[place, 2] = low
    visited[place, 3] = high
    return True


@kernel
def move_classes(visited: Words, larger: Words) -> None:
    """Copy all classes of a table into an empty one."""
    for row in visited:
        if row[0] != 0:
            visit(larger, row[0] - 1, row[1], row[2], row[3])


@kernel
def stir(children: Words, count: int, seed: int) -> None:
    """Add noise of 0–11 to the scores and sort again."""
    for place in range(count):
        children[place, SCORE] += mixed(seed + children[place, EVENT] * 104729) % 12
        at = place
        while at > 0 and children[at - 1, SCORE] < children[at, SCORE]:
            for word in range(CHILD_SIZE):
                held = children[at, word]
                children[at, word] = children[at - 1, word]
                children[at - 1, word] = held
            at -= 1


@kernel
def play(
    static: Words,
    table: Words,
    relax_frames: Words,
    relax_children: Words,
    relax_registers: Words,
    root: Words,
    frames: Words,
    children: Words,
    visited: Words,
    trail: Words,
    registers: Words,
    number: int,
    nodes: int,
    limit: int,
) -> int:
    """Go on with a run of at most `nodes` positions, for at most `limit` expansions of both searches."""
    everything = static[FACTS, ALL]
    registers[P_SPENT] = 0
    if registers[P_ACTIVE] == 0:
        state = settle_really(static, root[0], root[1], root[2], root[3], root[4], root[5], trail, 0)
        for word in range(STATE):
            frames[0, word] = state[word]
        frames[0, TRAIL] = state[6]
        frames[0, COUNT] = -1
        registers[P_DEPTH] = 0
        registers[P_ACTIVE] = 1
    depth = registers[P_DEPTH]
    while depth >= 0:
        frame = frames[depth]
        homes, stumps, tops, key, low, high = frame[0], frame[1], frame[2], frame[3], frame[4], frame[5]
        if frame[COUNT] < 0:
            if homes == everything:
                registers[P_LENGTH] = frame[TRAIL]
                registers[P_ACTIVE] = 0
                return WON
            if registers[P_SPENT] >= limit:
                registers[P_DEPTH] = depth
                return RUNNING
            fixed = fixed_cards(static, homes, stumps, tops, low, high)
            same = fixed if static[FACTS, RULES] & USE_P3 else everything
            if not visit(visited, key, fixed, low & same, high & same):
                depth -= 1
                continue
            if registers[P_NODES] >= nodes:
                registers[P_ACTIVE] = 0
                return GIVEN_UP
            registers[P_NODES] += 1
            registers[P_SPENT] += 1
            frame[NEXT] = 0
            frame[COUNT] = expand(static, homes, stumps, tops, key, children[depth])
            frame[BLOCKED] = hosts_of(fixed, low, high)
            if number > 0:
                stir(children[depth], frame[COUNT], mixed(key + 7919 * number))
        if frame[NEXT] >= frame[COUNT]:
            depth -= 1
            continue
        child = children[depth, frame[NEXT]]
        event = child[EVENT]
        if frame[BLOCKED] & (1 << (event & 63)):
            frame[NEXT] += 1
            continue
        if registers[P_SPENT] >= limit:
            registers[P_DEPTH] = depth
            return RUNNING
        answer, cost = search(
            static,
            table,
            relax_frames,
            relax_children,
            relax_registers,
            child[CHILD],
            child[CHILD + 1],
            child[CHILD + 2],
            child[CHILD + 3],
            limit - registers[P_SPENT],
        )
        registers[P_SPENT] += cost
        if answer in (RUNNING, FULL):
            registers[P_DEPTH] = depth
            return answer
        frame[NEXT] += 1
        if answer == DEAD:
            continue
        length = frame[TRAIL]
        level = taken_level(static, homes, stumps, tops, key, event)
        if level >= 0:
            registers[P_CHOICES] += 1
            seed = mixed(key + 104729 * number + event) + 1 if number > 0 else 0
            low, high, length = lock_well(
                static, homes, stumps, tops, low, high, level, event, seed, trail, length
            )
        if length >= 0:
            played = play_event(static, homes, stumps, tops, key, low, high, event, trail, length)
            length = played[6]
            below = frames[depth + 1]
            for word in range(STATE):
                below[word] = played[word]
        if length < 0:
            # The trail is full. Never seen, but then this run tried less than it should.
            registers[P_CHOICES] += 1
            continue
        frames[depth + 1, TRAIL] = length
        frames[depth + 1, COUNT] = -1
        depth += 1
    registers[P_ACTIVE] = 0
    return EMPTIED


__all__ = ["ALIVE", "EMPTIED", "GIVEN_UP", "RUNNING", "WON", "Playing"]
