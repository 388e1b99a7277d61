"""The exact search over classes of positions.

P3: *two positions with the same abstract state and the same links of fixed cards reach each other by moves of loose
cards.* (`hanging` says what fixed is: of a frozen level, or with a fixed card on it.) *Proof.* From the highest rank
down, put each card that isn't fixed on the host it has in the other position. Its rank has slack, and so have the
ranks of all cards on it, for otherwise it were fixed; so it and the host can be bared (P2), moving only cards of
lower rank and the host's present tenant, which finds another host as its rank has slack. Cards of higher rank that
were placed aren't moved again.

So one position a class is enough, and an event leads to one class, with one exception. An event that takes the last
free host of level z freezes it: which of z's cards lies on which host is fixed from then on, and so is, for each
loose card of rank z + 1, its host; and for each loose card among these hosts, its host; and so on upward. All ways to
do that are tried, one after another; together with P1 an emptied search is a proof of loss.
"""

from __future__ import annotations

import numpy as np

from .board import ALL, FACTS, KINGS, RULES, STATE, USE_P3, Packed, Words
from .hanging import (
    LONGEST_TRAIL,
    fixed_cards,
    harm,
    host_of,
    hosts_of,
    play_event,
    put,
    settle_really,
    taken_level,
)
from .jit import kernel, lowest
from .playing import CLASS_SIZE, EMPTIED, GIVEN_UP, WON, move_classes, visit
from .relax import (
    CHILD,
    CHILD_SIZE,
    DEAD,
    DEEPEST,
    EVENT,
    FULL,
    HOME,
    MOST_EVENTS,
    POP,
    RUNNING,
    Relaxation,
    expand,
    search,
)

# Columns of a frame after the six words of its position. DIGITS says which way of locking is next.
G_NEXT, G_COUNT, G_TRAIL, G_BLOCKED, G_DIGITS = 6, 7, 8, 9, 10
G_FRAME = 11
# Registers.
G_DEPTH, G_ACTIVE, G_NODES, G_LENGTH, G_SPENT, G_FAILED = range(6)

#: Rows of scratch: hosts by card, number of ways by level, hosts in order.
W_TARGET, W_WAYS, W_HOSTS = 0, 1, 2
#: A digit of DIGITS has five bits: there are at most 4! ways on a level.
DIGIT = 5


class Classes:
    """Storage of the class search of one board."""

    def __init__(self, packed: Packed, relaxation: Relaxation) -> None:
        """Make ready; `extend` says how far to search."""
        self.static = packed.static
        self.relaxation = relaxation
        self.root = packed.start
        self.nodes = 0
        self.frames = np.empty((DEEPEST, G_FRAME), dtype=np.int64)
        self.children = np.empty((DEEPEST, MOST_EVENTS, CHILD_SIZE), dtype=np.int64)
        self.visited = np.zeros((2, CLASS_SIZE), dtype=np.int64)
        self.trail = np.zeros(LONGEST_TRAIL, dtype=np.int64)
        self.work = np.zeros((3, 64), dtype=np.int64)
        self.registers = np.zeros(8, dtype=np.int64)
        self.spent = 0

    def extend(self, nodes: int) -> None:
        """Let the search go on until `nodes` positions are expanded in all."""
        self.nodes = nodes
        larger = np.zeros((1 << (2 * nodes).bit_length(), CLASS_SIZE), dtype=np.int64)
        move_classes(self.visited, larger)
        self.visited = larger

    def run(self, limit: int) -> int:
        """Go on for at most `limit` expansions: RUNNING, WON, EMPTIED (a proof of loss) or GIVEN_UP.

        After GIVEN_UP it goes on where it was if it is extended, unless it was for want of room.
        """
        relaxation = self.relaxation
        self.spent = 0
        while True:
            answer: int = exhaust(
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
                self.work,
                self.registers,
                self.nodes,
                limit - self.spent,
            )
            self.spent += int(self.registers[G_SPENT])
            if answer != FULL:
                break
            relaxation.grow()
        # Where an event couldn't be played for want of room, an emptied search proves nothing.
        return GIVEN_UP if answer == EMPTIED and self.registers[G_FAILED] else answer

    @property
    def line(self) -> list[int]:
        """The moves of the line that was found, each card * 64 + target."""
        return [int(move) for move in self.trail[: self.registers[G_LENGTH]]]


@kernel
def _choose(
    static: Words,
    homes: int,
    stumps: int,
    tops: int,
    low: int,
    high: int,
    level: int,
    event: int,
    digits: int,
    work: Words,
) -> int:
    """One way to lock what freezing a level locks: hosts into W_TARGET, numbers of ways into W_WAYS.

    Returns how many levels have something to choose. Digit i of `digits` numbers the way for rank level + i; the way
    on one level decides what there is to choose on the next.
    """
    facts = static[FACTS]
    loose = facts[ALL] & ~stumps & ~homes
    exposed = tops | loose
    fixed = fixed_cards(static, homes, stumps, tops, low, high)
    under_fixed = hosts_of(fixed, low, high)
    card, kind = event & 63, event >> 6
    targets, ways, hosts = work[W_TARGET], work[W_WAYS], work[W_HOSTS]
    for index in range(52):
        targets[index] = -1
    mobile = loose & ~fixed & ~facts[KINGS]
    # The card of the event isn't among those placed, but a POP takes part in the choice on its own level.
    if kind == HOME:
        mobile &= ~(1 << card)
        exposed &= ~(1 << card)
    movers = mobile & (15 << (4 * level))
    if kind == POP:
        movers |= 1 << card
    number = 0
    rank = level
    above = 0
    while movers or number == 0:
        count = 0
        candidates = (exposed & ~under_fixed) & (15 << (4 * rank + 4))
        while candidates:
            host = lowest(candidates)
            candidates &= candidates - 1
            # Least harm first, so that the first way is the one the playing search would choose.
            place = count
            value = harm(static, homes, stumps, host, 0)
            while place > 0 and harm(static, homes, stumps, hosts[place - 1], 0) > value:
                hosts[place] = hosts[place - 1]
                place -= 1
            hosts[place] = host
            count += 1
        way = (digits >> (DIGIT * number)) & 31
        total = 1
        taken = 0
        while movers:
            mover = lowest(movers)
            movers &= movers - 1
            if count == 0:
                return -1
            total *= count
            pick = way % count
            way //= count
            host = hosts[pick]
            for index in range(pick, count - 1):
                hosts[index] = hosts[index + 1]
            count -= 1
            targets[mover] = host
            taken |= 1 << host
        ways[number] = total
        # On the first level every exposed card of rank + 1 is covered; above, those just chosen.
        above = mobile & (15 << (4 * rank + 4)) if number == 0 else taken & mobile
        number += 1
        rank += 1
        movers = above
    return number


@kernel
def _advance(number: int, digits: int, work: Words) -> int:
    """The digits of the next way to lock, or -1 after the last."""
    at = number - 1
    while at >= 0:
        shift = DIGIT * at
        if ((digits >> shift) & 31) + 1 < work[W_WAYS, at]:
            return (digits & ((1 << shift) - 1)) + ((((digits >> shift) & 31) + 1) << shift)
        at -= 1
    return -1


@kernel
def _arrange(
    static: Words,
    homes: int,
    stumps: int,
    tops: int,
    low: int,
    high: int,
    event: int,
    work: Words,
    trail: Words,
    length: int,
) -> tuple[int, int, int]:
    """Put loose cards on the hosts in W_TARGET, highest rank first. The length is -1 if there is no room."""
    loose = static[FACTS, ALL] & ~stumps & ~homes
    exposed = tops | loose
    for card in range(51, -1, -1):
        target = work[W_TARGET, card]
        if target < 0 or not loose & (1 << card) or host_of(card, low, high) == target:
            continue
        low, high, length = put(card, target, loose, exposed, low, high, trail, length)
        if length < 0:
            break
    return low, high, length


@kernel
def exhaust(
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
    work: Words,
    registers: Words,
    nodes: int,
    limit: int,
) -> int:
    """Go on with the search for at most `limit` expansions of both searches."""
    everything, rules = static[FACTS, ALL], static[FACTS, RULES]
    registers[G_SPENT] = 0
    if registers[G_ACTIVE] == 0:
        state = settle_really(static, root[0], root[1], root[2], root[3], root[4], root[5], trail, 0)
        for word in range(STATE):
            frames[0, word] = state[word]
        frames[0, G_TRAIL] = state[6]
        frames[0, G_COUNT] = -1
        registers[G_DEPTH] = 0
        registers[G_ACTIVE] = 1
    depth = registers[G_DEPTH]
    while depth >= 0:
        frame = frames[depth]
        homes, stumps, tops, key, low, high = frame[0], frame[1], frame[2], frame[3], frame[4], frame[5]
        if frame[G_COUNT] < 0:
            if homes == everything:
                registers[G_LENGTH] = frame[G_TRAIL]
                return WON
            if registers[G_NODES] >= nodes:
                registers[G_DEPTH] = depth
                return GIVEN_UP
            if registers[G_SPENT] >= limit:
                registers[G_DEPTH] = depth
                return RUNNING
            fixed = fixed_cards(static, homes, stumps, tops, low, high)
            same = fixed if rules & USE_P3 else everything
            if not visit(visited, key, fixed, low & same, high & same):
                depth -= 1
                continue
            registers[G_NODES] += 1
            registers[G_SPENT] += 1
            frame[G_NEXT] = 0
            frame[G_DIGITS] = 0
            frame[G_COUNT] = expand(static, homes, stumps, tops, key, children[depth])
            frame[G_BLOCKED] = hosts_of(fixed, low, high)
        if frame[G_NEXT] >= frame[G_COUNT]:
            depth -= 1
            continue
        child = children[depth, frame[G_NEXT]]
        event = child[EVENT]
        if frame[G_BLOCKED] & (1 << (event & 63)):
            frame[G_NEXT] += 1
            continue
        if registers[G_SPENT] >= limit:
            registers[G_DEPTH] = depth
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
            limit - registers[G_SPENT],
        )
        registers[G_SPENT] += cost
        if answer in (RUNNING, FULL):
            registers[G_DEPTH] = depth
            return answer
        if answer == DEAD:
            frame[G_NEXT] += 1
            continue
        length = frame[G_TRAIL]
        level = taken_level(static, homes, stumps, tops, key, event)
        if level < 0:
            frame[G_NEXT] += 1
        else:
            number = _choose(static, homes, stumps, tops, low, high, level, event, frame[G_DIGITS], work)
            if number >= 0:
                low, high, length = _arrange(
                    static, homes, stumps, tops, low, high, event, work, trail, length
                )
                frame[G_DIGITS] = _advance(number, frame[G_DIGITS], work)
            else:
                registers[G_FAILED] = 1
                frame[G_DIGITS] = -1
            if frame[G_DIGITS] < 0:
                frame[G_DIGITS] = 0
                frame[G_NEXT] += 1
            if number < 0:
                continue
        if length >= 0:
            played = play_event(static, homes, stumps, tops, key, low, high, event, trail, length)
            length = played[6]
            below = frames[depth + 1]
            for word in range(STATE):
                below[word] = played[word]
        if length < 0:
            registers[G_FAILED] = 1
            continue
        frames[depth + 1, G_TRAIL] = length
        frames[depth + 1, G_COUNT] = -1
        depth += 1
    return EMPTIED
