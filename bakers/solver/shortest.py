"""The shortest line: iterative deepening on the number of column moves.

Depth first over real positions, one column move or unsafe move home at a time, safe cards home at once (D1: this never
costs a column move). A position is given up when the column moves that are left are fewer than L (`bounds`) or than
R* (`pops`) and the loose kinks together: a kink in a stump is a POP, a loose one another move. It is given up too
when it was searched before with as many left. When a depth is searched without a win, no line is so short.
"""

from __future__ import annotations

import numpy as np

from .beam import movable, move_bare, settle_bare
from .board import ALL, FACTS, KINGS, RULES, STATE, USE_L, USE_R, Packed, Words, mixed, next_cards
from .bounds import S_BELOW, SCRATCH_ROWS, least_moves, own_lower
from .hanging import TO_EMPTY, TO_FOUNDATION, bare_hosts, home_bare, hosts_of
from .jit import kernel, lowest
from .playing import EMPTIED, WON
from .pops import NO, NO_ROOM, POPS_FRAME, R_ACTIVE, R_ENTRIES, R_SPENT, YES, bounds_at, enough
from .relax import CHILD_SIZE, DEEPEST, FULL, MOST_EVENTS, RUNNING

# Columns of a frame after the six words of its position.
I_LEFT, I_NEXT, I_COUNT, I_STEP = 6, 7, 8, 9
I_FRAME = 10
#: Moves of a position: at most 13 tops with 4 hosts each, kings, moves home.
MOST_MOVES = 72
#: A line has at most 64 column moves and 52 moves home.
DEEPEST_LINE = 120
#: Expansions that one question about R* may cost inside the deepening; when it is spent, nothing is pruned.
ASK_LIMIT = 2_000

# Registers.
I_DEPTH, I_ACTIVE, I_SPENT, I_GOAL = 0, 1, 2, 3

#: Places of the largest table of R*, 32 MB.
MOST_BOUNDS = 1 << 22

#: A row of the memo: key + 1, low, high, moves left with which there is no win.
MEMO_ROW = 4
PROBES = 8


class Deepening:
    """Iterative deepening for one board. Memory: at most 64 MB for positions and 40 MB for R*."""

    def __init__(self, packed: Packed) -> None:
        """Make ready; nothing is searched yet."""
        self.static = packed.static
        self.root = np.array(
            settle_bare(packed.static, *(int(word) for word in packed.start)), dtype=np.int64
        )
        self.table = np.zeros(1 << 12, dtype=np.int64)
        self.pop_frames = np.empty((DEEPEST, POPS_FRAME), dtype=np.int64)
        self.pop_children = np.empty((DEEPEST, MOST_EVENTS, CHILD_SIZE), dtype=np.int64)
        self.pop_registers = np.zeros(4, dtype=np.int64)
        # Pages that are never touched cost nothing.
        self.memo = np.zeros((1 << 21, MEMO_ROW), dtype=np.int64)
        self.frames = np.empty((DEEPEST_LINE, I_FRAME), dtype=np.int64)
        self.moves = np.empty((DEEPEST_LINE, MOST_MOVES), dtype=np.int64)
        self.scratch = np.zeros((SCRATCH_ROWS, 64), dtype=np.int64)
        self.registers = np.zeros(8, dtype=np.int64)
        self.spent = 0
        self.bound = 0
        root = self.root
        low = least_moves(self.static, root[0], root[1], root[2], root[4], root[5], self.scratch)
        rules = int(self.static[FACTS, RULES])
        self.bound = int(low) if rules & USE_L else 0
        self._pops_known = not rules & USE_R

    def run(self, limit: int) -> int:
        """Go on for at most `limit` expansions: WON, or RUNNING with `bound` as far as it is proven.

        `bound` grows: no line has fewer column moves.
        """
        self.spent = 0
        while self.spent < limit:
            if not self._pops_known:
                self._ask(limit)
                continue
            answer: int = deepen(
                self.static,
                self.table,
                self.pop_frames,
                self.pop_children,
                self.pop_registers,
                self.root,
                self.memo,
                self.frames,
                self.moves,
                self.scratch,
                self.registers,
                self.bound,
                limit - self.spent,
            )
            self.spent += int(self.registers[I_SPENT])
            if answer == WON:
                return WON
            if answer == EMPTIED:
                self.bound += 1
            elif answer == FULL:
                self.grow()
        return RUNNING

    def _ask(self, limit: int) -> None:
        """Raise the bound to R* and the loose kinks at the root."""
        root = self.root
        least_moves(self.static, root[0], root[1], root[2], root[4], root[5], self.scratch)
        kinks = loose_kinks(self.static, root[0], root[1], self.scratch)
        answer = enough(
            self.static,
            self.table,
            self.pop_frames,
            self.pop_children,
            self.pop_registers,
            root[0],
            root[1],
            root[2],
            root[3],
            self.bound - kinks,
            limit - self.spent,
        )
        self.spent += int(self.pop_registers[R_SPENT])
        if answer == YES:
            self._pops_known = True
        elif answer == NO:
            self.bound += 1
        elif answer == NO_ROOM:
            self.grow()

    def grow(self) -> None:
        """Move what is known of R* to a table of four times the size, or forget it when that is too large.

        Entries are bounds that can be worked out again, so forgetting costs time and changes no answer.
        """
        if self.table.shape[0] >= MOST_BOUNDS:
            self.table[:] = 0
            self.pop_registers[R_ENTRIES] = 0
            return
        larger = np.zeros(4 * self.table.shape[0], dtype=np.int64)
        move_bounds(self.table, larger)
        self.table = larger

    @property
    def steps(self) -> list[int]:
        """The moves of the line that was found but for safe moves home, each card * 64 + target."""
        return [int(step) for step in self.frames[1 : self.registers[I_GOAL] + 1, I_STEP]]


@kernel
def move_bounds(table: Words, larger: Words) -> None:
    """Copy the bounds of R* into an empty table."""
    for entry in table:
        if entry != 0:
            larger[bounds_at(larger, entry >> 16)] = entry


@kernel
def loose_kinks(static: Words, homes: int, stumps: int, scratch: Words) -> int:
    """How many loose cards lie above a lower card of their suit, after `bounds.lie` wrote down where they lie."""
    count = 0
    loose = static[FACTS, ALL] & ~stumps & ~homes
    while loose:
        card = lowest(loose)
        loose &= loose - 1
        if own_lower(card) & scratch[S_BELOW, card]:
            count += 1
    return count


@kernel
def _hopeless(memo: Words, key: int, low: int, high: int, left: int) -> bool:
    """Whether a position was searched in vain with as many moves left."""
    mask = memo.shape[0] - 1
    place = mixed(key ^ (low << 3) ^ (high << 6)) & mask
    for _ in range(PROBES):
        if memo[place, 0] == key + 1 and memo[place, 1] == low and memo[place, 2] == high:
            return bool(memo[place, 3] >= left)
        if memo[place, 0] == 0:
            return False
        place = (place + 1) & mask
    return False


@kernel
def _give_up(memo: Words, key: int, low: int, high: int, left: int) -> None:
    """Note that a position was searched in vain; where there is no room, what was searched least gives way."""
    mask = memo.shape[0] - 1
    place = mixed(key ^ (low << 3) ^ (high << 6)) & mask
    least = place
    for _ in range(PROBES):
        same = memo[place, 0] == key + 1 and memo[place, 1] == low and memo[place, 2] == high
        if memo[place, 0] == 0 or same:
            least = place
            break
        if memo[place, 3] < memo[least, 3]:
            least = place
        place = (place + 1) & mask
    memo[least, 0] = key + 1
    memo[least, 1] = low
    memo[least, 2] = high
    memo[least, 3] = left


@kernel
def _moves(
    static: Words, homes: int, stumps: int, tops: int, low: int, high: int, left: int, moves: Words
) -> int:
    """Write down the moves of a position, home first."""
    facts = static[FACTS]
    loose = facts[ALL] & ~stumps & ~homes
    exposed = tops | loose
    homing = next_cards(homes, facts[ALL]) & exposed & ~hosts_of(loose & ~facts[KINGS], low, high)
    count = 0
    while homing:
        moves[count] = lowest(homing) * 64 + TO_FOUNDATION
        homing &= homing - 1
        count += 1
    if left == 0:
        return count
    movers, kings = movable(static, homes, stumps, tops, low, high)
    while kings:
        moves[count] = lowest(kings) * 64 + TO_EMPTY
        kings &= kings - 1
        count += 1
    while movers:
        card = lowest(movers)
        movers &= movers - 1
        free = bare_hosts(card, loose, exposed, low, high)
        while free:
            moves[count] = card * 64 + (card & ~3) + 4 + lowest(free)
            free &= free - 1
            count += 1
    return count


@kernel
def deepen(
    static: Words,
    table: Words,
    pop_frames: Words,
    pop_children: Words,
    pop_registers: Words,
    root: Words,
    memo: Words,
    frames: Words,
    moves: Words,
    scratch: Words,
    registers: Words,
    bound: int,
    limit: int,
) -> int:
    """Go on with the depth `bound` for at most `limit` expansions: WON, EMPTIED, RUNNING or FULL."""
    everything, rules = static[FACTS, ALL], static[FACTS, RULES]
    registers[I_SPENT] = 0
    if registers[I_ACTIVE] == 0:
        for word in range(STATE):
            frames[0, word] = root[word]
        frames[0, I_LEFT] = bound
        frames[0, I_COUNT] = -1
        registers[I_DEPTH] = 0
        registers[I_ACTIVE] = 1
    depth = registers[I_DEPTH]
    while depth >= 0:
        frame = frames[depth]
        homes, stumps, tops, key, low, high = frame[0], frame[1], frame[2], frame[3], frame[4], frame[5]
        left = frame[I_LEFT]
        if frame[I_COUNT] < 0:
            if homes == everything:
                registers[I_GOAL] = depth
                registers[I_ACTIVE] = 0
                return WON
            if registers[I_SPENT] >= limit:
                registers[I_DEPTH] = depth
                return RUNNING
            if _hopeless(memo, key, low, high, left):
                depth -= 1
                continue
            # This also writes down where cards lie, for `loose_kinks`.
            least = least_moves(static, homes, stumps, tops, low, high, scratch)
            if rules & USE_L and least > left:
                depth -= 1
                continue
            kinks = loose_kinks(static, homes, stumps, scratch)
            answer = YES
            if rules & USE_R:
                answer = NO
            if rules & USE_R and kinks <= left:
                pop_registers[R_ACTIVE] = 0
                answer = enough(
                    static,
                    table,
                    pop_frames,
                    pop_children,
                    pop_registers,
                    homes,
                    stumps,
                    tops,
                    key,
                    left - kinks,
                    ASK_LIMIT,
                )
                registers[I_SPENT] += pop_registers[R_SPENT]
            if answer == NO_ROOM:
                registers[I_DEPTH] = depth
                return FULL
            if answer == NO:
                _give_up(memo, key, low, high, left)
                depth -= 1
                continue
            registers[I_SPENT] += 1
            frame[I_NEXT] = 0
            frame[I_COUNT] = _moves(static, homes, stumps, tops, low, high, left, moves[depth])
        if frame[I_NEXT] >= frame[I_COUNT]:
            _give_up(memo, key, low, high, left)
            depth -= 1
            continue
        step = moves[depth, frame[I_NEXT]]
        frame[I_NEXT] += 1
        card, target = step >> 6, step & 63
        if target == TO_FOUNDATION:
            gone = home_bare(static, homes, stumps, tops, key, low, high, card)
            state = settle_bare(static, gone[0], gone[1], gone[2], gone[3], gone[4], gone[5])
        else:
            state = move_bare(static, homes, stumps, tops, key, low, high, card, target)
            left -= 1
        below = frames[depth + 1]
        for word in range(STATE):
            below[word] = state[word]
        below[I_LEFT] = left
        below[I_COUNT] = -1
        below[I_STEP] = step
        depth += 1
    registers[I_ACTIVE] = 0
    return EMPTIED
