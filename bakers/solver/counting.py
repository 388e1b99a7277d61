"""The counting search: the relaxed search that also counts what a frozen level locks (P4).

While level z is frozen, every exposed card of rank z + 1 has a card of rank z on it that can't move to another host.
The loose ones among them, n_{z+1} in number, are therefore locked on as many different hosts of rank z + 2; those of
the hosts that are loose, on as many hosts of rank z + 3; and so on. A card under such a chain can neither move nor go
home until z gets slack.

For each frozen z keep U_z, the cards of rank z + 2 and more known not to be under such a chain: those on which an
event was played since z froze, and those exposed since. An event on a card p of rank m is possible only if for each
frozen z ≤ m - 2 the counts work out with p in U_z: need = n_{z+1}; for k = z + 2, z + 3, …: with a the exposed
cards of rank k outside U_z and t the fixed tops among them, need ≤ a must hold, and then need - t of the hosts, if
more than none, are loose and need hosts themselves. *Proof.* The locked hosts of rank k are different exposed cards
outside U_z, so need ≤ a; at most t of them are fixed tops, so at least need - t hang on hosts of the next rank,
locked by the same chains.

A new top with loosened cards on it doesn't enter U_z, for one of these may be of rank z + 1 and locked on it.
Otherwise nothing hangs on a new top, and no chain of z can come onto it while z stays frozen.

P5: at first U_z is all exposed cards of rank z + 2 and more but those under z's cards as they lie. *Proof.* P4 asks of
U_z only that its cards aren't under a chain of z. The cards of a frozen level can't move to other hosts, nor can those
under them in their chains, so where they lie now they lie until z gets slack.

States are remembered exactly: the key and all sets U. This is slower than the relaxed search, so it is run once, from
the position that was asked about. Run from each class of `classes` it ends many branches and costs as much as it saves.
"""

from __future__ import annotations

import numpy as np

from .board import (
    ALL,
    FACTS,
    KINGS,
    LOOSENED,
    NEXT_TOP,
    ONES,
    RULES,
    USE_D3,
    USE_P4,
    USE_P5,
    Packed,
    Words,
    mixed,
)
from .hanging import LONGEST_TRAIL, hosts_of, settle_really
from .jit import kernel, lowest, popcount
from .relax import (
    ALIVE,
    CHILD_SIZE,
    DEAD,
    DEEPEST,
    EVENT,
    FULL,
    HOME,
    MOST_EVENTS,
    RUNNING,
    Relaxation,
    expand,
    go_home,
    leave,
    look_up,
    reachable,
    safe_card,
    slack_of,
)

#: Levels that can lock something: rank indices 0–10.
LEVELS = 11
# A frame: four words of state, next child, number of children, then the sets U.
C_NEXT, C_COUNT, C_FREE = 4, 5, 6
C_FRAME = C_FREE + LEVELS
# Registers.
C_DEPTH, C_ACTIVE, C_SPENT, C_ENTRIES = 0, 1, 2, 3


class Counting:
    """Storage of the counting search of one board."""

    def __init__(self, packed: Packed, relaxation: Relaxation) -> None:
        """Make ready; `extend` says how far to search."""
        self.static = packed.static
        self.relaxation = relaxation
        self.nodes = 0
        self.start = np.zeros(4 + LEVELS, dtype=np.int64)
        self.start[:4] = relaxation.start
        homes, stumps, tops, key, low, high = (int(word) for word in packed.start)
        trail = np.zeros(LONGEST_TRAIL, dtype=np.int64)
        root = settle_really(packed.static, homes, stumps, tops, key, low, high, trail, 0)
        if packed.static[FACTS, RULES] & USE_P5:
            known_locks(packed.static, root[0], root[1], root[2], root[4], root[5], self.start[4:])
        self.frames = np.empty((DEEPEST, C_FRAME), dtype=np.int64)
        self.children = np.empty((DEEPEST, MOST_EVENTS, CHILD_SIZE), dtype=np.int64)
        self.dead = np.zeros((2, 1 + LEVELS), dtype=np.int64)
        self.registers = np.zeros(8, dtype=np.int64)
        self.spent = 0

    def extend(self, nodes: int) -> None:
        """Let the search go on until `nodes` states are expanded in all."""
        self.nodes = nodes
        larger = np.zeros((1 << (2 * nodes).bit_length(), 1 + LEVELS), dtype=np.int64)
        move_dead(self.dead, larger)
        self.dead = larger

    def run(self, limit: int) -> int:
        """Go on for at most `limit` expansions: RUNNING, DEAD, ALIVE (which proves nothing) or FULL.

        After FULL, when all nodes are used, it goes on where it was if it is extended.
        """
        answer: int = count(
            self.static,
            self.relaxation.table,
            self.start,
            self.frames,
            self.children,
            self.dead,
            self.registers,
            self.nodes,
            limit,
        )
        self.spent = int(self.registers[C_SPENT])
        return answer


@kernel
def frozen_levels(static: Words, homes: int, stumps: int, tops: int) -> int:
    """The lowest bit of the digit of each frozen level."""
    facts = static[FACTS]
    hanging = facts[ALL] & ~stumps & ~homes & ~facts[KINGS]
    slack = slack_of(static, homes, stumps, tops)
    some = (hanging | (hanging >> 1) | (hanging >> 2) | (hanging >> 3)) & ONES
    return int(some & ~(slack | (slack >> 1) | (slack >> 2)))


@kernel
def known_locks(static: Words, homes: int, stumps: int, tops: int, low: int, high: int, free: Words) -> None:
    """Write down, for each frozen level, the exposed cards that aren't under its cards: the sets U of `counting`."""
    facts = static[FACTS]
    loose = facts[ALL] & ~stumps & ~homes
    hanging = loose & ~facts[KINGS]
    frozen = frozen_levels(static, homes, stumps, tops)
    for level in range(LEVELS):
        free[level] = 0
        if not frozen & (1 << (4 * level)):
            continue
        under = hosts_of(hanging & (15 << (4 * level)), low, high)
        while True:
            more = under | hosts_of(under & hanging, low, high)
            if more == under:
                break
            under = more
        free[level] = (tops | loose) & ~under & ~((1 << (4 * level + 8)) - 1)


@kernel
def possible(static: Words, homes: int, stumps: int, tops: int, frozen: int, free: Words, card: int) -> bool:
    """Whether the counts allow an event on a card."""
    facts = static[FACTS]
    loose = facts[ALL] & ~stumps & ~homes
    exposed = tops | loose
    # A loose king has an empty column under it and needs no host: it counts as a fixed top.
    ends = tops | (loose & facts[KINGS])
    for level in range((card >> 2) - 1):
        if not frozen & (1 << (4 * level)) or free[level] & (1 << card):
            continue
        outside = exposed & ~free[level] & ~(1 << card)
        need = popcount((loose >> (4 * level + 4)) & 15)
        rank = level + 2
        while need > 0:
            if need > popcount((outside >> (4 * rank)) & 15):
                return False
            need -= popcount((outside & ends) >> (4 * rank) & 15)
            rank += 1
    return True


@kernel
def _note(static: Words, homes: int, stumps: int, tops: int, new: int, free: Words) -> None:
    """After one card moved: forget the sets of levels that aren't frozen, enter a new top into the others."""
    frozen = frozen_levels(static, homes, stumps, tops)
    exposed = tops | (static[FACTS, ALL] & ~stumps & ~homes)
    for level in range(LEVELS):
        if frozen & (1 << (4 * level)):
            free[level] = (free[level] | new) & exposed & ~((1 << (4 * level + 8)) - 1)
        else:
            free[level] = 0


@kernel
def _step(
    static: Words, homes: int, stumps: int, tops: int, key: int, event: int, frozen: int, free: Words
) -> tuple[int, int, int, int]:
    """The state after an event and the safe cards after it; `free` is brought up to date."""
    card = event & 63
    for level in range(LEVELS):
        if frozen & (1 << (4 * level)):
            free[level] |= 1 << card
    first = True
    while True:
        new = 0
        if stumps & (1 << card) and static[LOOSENED, card] == 0:
            new = static[NEXT_TOP, card]
        if not first or event >> 6 == HOME:
            homes, stumps, tops, key = go_home(static, homes, stumps, tops, key, card)
        else:
            stumps, tops, key = leave(static, stumps, tops, key, card)
        first = False
        _note(static, homes, stumps, tops, new, free)
        safe = safe_card(static, homes, stumps, tops)
        if safe == 0:
            return homes, stumps, tops, key
        card = lowest(safe)


@kernel
def _place(dead: Words, key: int, free: Words) -> int:
    """The row of a state in the table, or the empty row where it belongs."""
    spread = key + 1
    for level in range(LEVELS):
        spread = mixed(spread ^ (free[level] + level))
    mask = dead.shape[0] - 1
    place = spread & mask
    while dead[place, 0] != 0:
        same = dead[place, 0] == key + 1
        for level in range(LEVELS):
            same = same and dead[place, 1 + level] == free[level]
        if same:
            return int(place)
        place = (place + 1) & mask
    return int(place)


@kernel
def move_dead(dead: Words, larger: Words) -> None:
    """Copy all states of a table into an empty one."""
    for row in dead:
        if row[0] != 0:
            larger[_place(larger, row[0] - 1, row[1:])] = row


@kernel
def count(
    static: Words,
    table: Words,
    start: Words,
    frames: Words,
    children: Words,
    dead: Words,
    registers: Words,
    nodes: int,
    limit: int,
) -> int:
    """Go on with the search for at most `limit` expansions.

    `start` is a settled state, and its sets U.
    """
    everything = static[FACTS, ALL]
    registers[C_SPENT] = 0
    if registers[C_ACTIVE] == 0:
        for word in range(4):
            frames[0, word] = start[word]
        for level in range(LEVELS):
            frames[0, C_FREE + level] = start[4 + level]
        frames[0, C_COUNT] = -1
        registers[C_DEPTH] = 0
        registers[C_ACTIVE] = 1
    depth = registers[C_DEPTH]
    while depth >= 0:
        frame = frames[depth]
        homes, stumps, tops, key = frame[0], frame[1], frame[2], frame[3]
        free = frame[C_FREE:]
        if frame[C_COUNT] < 0:
            if homes == everything:
                registers[C_ACTIVE] = 0
                return ALIVE
            if look_up(table, key) == DEAD or dead[_place(dead, key, free), 0] != 0:
                depth -= 1
                continue
            if registers[C_SPENT] >= limit:
                registers[C_DEPTH] = depth
                return RUNNING
            if static[FACTS, RULES] & USE_D3 and not reachable(static, homes, stumps, tops):
                depth -= 1
                continue
            if registers[C_ENTRIES] >= nodes:
                registers[C_DEPTH] = depth
                return FULL
            registers[C_SPENT] += 1
            registers[C_ENTRIES] += 1
            frame[C_NEXT] = 0
            frame[C_COUNT] = expand(static, homes, stumps, tops, key, children[depth])
        if frame[C_NEXT] >= frame[C_COUNT]:
            place = _place(dead, key, free)
            dead[place, 0] = key + 1
            for level in range(LEVELS):
                dead[place, 1 + level] = free[level]
            depth -= 1
            continue
        event = children[depth, frame[C_NEXT], EVENT]
        frame[C_NEXT] += 1
        frozen = frozen_levels(static, homes, stumps, tops)
        counted = static[FACTS, RULES] & USE_P4 != 0
        if counted and not possible(static, homes, stumps, tops, frozen, free, event & 63):
            continue
        below = frames[depth + 1]
        for level in range(LEVELS):
            below[C_FREE + level] = free[level]
        state = _step(static, homes, stumps, tops, key, event, frozen, below[C_FREE:])
        for word in range(4):
            below[word] = state[word]
        below[C_COUNT] = -1
        depth += 1
    registers[C_ACTIVE] = 0
    return DEAD
