"""R*: the fewest events of the abstract game that leave a stump, a lower bound on column moves.

Every POP and every KING is a column move in the real game, and no real line has fewer of them than the abstract game
needs (`relax`, P1; safe cards home never add a column move, D1). A question is whether a state can be won with at
most b of them. Answers are kept as bounds: `lower`, the fewest that may do, and `upper`, a number that does.
"""

from __future__ import annotations

from .board import ALL, BELOW, FACTS, RULES, USE_D3, Words, mixed
from .bounds import own_lower
from .jit import kernel, lowest
from .relax import CHILD, EVENT, HOME, expand, reachable

#: An upper bound that says nothing is known.
NONE_KNOWN = 127
# Answers.
NO, YES, STOPPED, NO_ROOM = 0, 1, 2, 3
# Registers.
R_ENTRIES, R_SPENT, R_ACTIVE, R_DEPTH = 0, 1, 2, 3
# Columns of a frame after the four words of its state.
R_BUDGET, R_NEXT, R_COUNT = 4, 5, 6
POPS_FRAME = 7


@kernel
def bounds_at(table: Words, key: int) -> int:
    """The place of a key in a table of entries key * 2^16 + lower * 2^8 + upper + 1, or of the gap for it."""
    mask = table.shape[0] - 1
    place = mixed(key) & mask
    while table[place] != 0 and table[place] >> 16 != key:
        place = (place + 1) & mask
    return int(place)


@kernel
def _tell(table: Words, registers: Words, key: int, budget: int, wins: bool) -> None:
    place = bounds_at(table, key)
    lower, upper = 0, NONE_KNOWN
    if table[place] == 0:
        registers[R_ENTRIES] += 1
    else:
        lower, upper = (table[place] >> 8) & 255, (table[place] & 255) - 1
    if wins:
        upper = min(upper, budget)
    else:
        lower = max(lower, budget + 1)
    table[place] = (key << 16) | (lower << 8) | (upper + 1)


@kernel
def stump_kinks(static: Words, stumps: int) -> int:
    """How many cards in stumps lie above a lower card of their suit: each must leave by a POP or KING."""
    count = 0
    while stumps:
        card = lowest(stumps)
        stumps &= stumps - 1
        if static[BELOW, card] & own_lower(card):
            count += 1
    return count


@kernel
def enough(
    static: Words,
    table: Words,
    frames: Words,
    children: Words,
    registers: Words,
    homes: int,
    stumps: int,
    tops: int,
    key: int,
    budget: int,
    limit: int,
) -> int:
    """Whether a settled state can be won with at most `budget` events other than HOME: YES, NO, STOPPED or NO_ROOM.

    STOPPED when `limit` states were expanded, NO_ROOM when the table must grow: asked the same again, it goes on
    where it was. To ask something else instead, set R_ACTIVE to 0; what was found by then is kept.
    """
    everything = static[FACTS, ALL]
    registers[R_SPENT] = 0
    if registers[R_ACTIVE] == 0:
        frames[0, 0], frames[0, 1], frames[0, 2], frames[0, 3] = homes, stumps, tops, key
        frames[0, R_BUDGET] = budget
        frames[0, R_COUNT] = -1
        registers[R_DEPTH] = 0
        registers[R_ACTIVE] = 1
    depth = registers[R_DEPTH]
    room = table.shape[0] // 2
    while depth >= 0:
        frame = frames[depth]
        if frame[R_COUNT] < 0:
            entry = table[bounds_at(table, frame[3])]
            lower, upper = 0, NONE_KNOWN
            if entry != 0:
                lower, upper = (entry >> 8) & 255, (entry & 255) - 1
            if frame[0] == everything or upper <= frame[R_BUDGET]:
                while depth >= 0:
                    _tell(table, registers, frames[depth, 3], frames[depth, R_BUDGET], True)
                    depth -= 1
                registers[R_ACTIVE] = 0
                return YES
            if lower > frame[R_BUDGET]:
                depth -= 1
                continue
            if registers[R_ENTRIES] + 128 > room:
                registers[R_DEPTH] = depth
                return NO_ROOM
            tested = entry == 0 and static[FACTS, RULES] & USE_D3 != 0
            if tested and not reachable(static, frame[0], frame[1], frame[2]):
                _tell(table, registers, frame[3], NONE_KNOWN - 1, False)
                depth -= 1
                continue
            if stump_kinks(static, frame[1]) > frame[R_BUDGET]:
                depth -= 1
                continue
            if registers[R_SPENT] >= limit:
                registers[R_DEPTH] = depth
                return STOPPED
            registers[R_SPENT] += 1
            frame[R_NEXT] = 0
            frame[R_COUNT] = expand(static, frame[0], frame[1], frame[2], frame[3], children[depth])
        if frame[R_NEXT] >= frame[R_COUNT]:
            _tell(table, registers, frame[3], frame[R_BUDGET], False)
            depth -= 1
            continue
        child = children[depth, frame[R_NEXT]]
        frame[R_NEXT] += 1
        rest = frame[R_BUDGET] - (0 if child[EVENT] >> 6 == HOME else 1)
        if rest < 0:
            continue
        below = frames[depth + 1]
        for word in range(4):
            below[word] = child[CHILD + word]
        below[R_BUDGET] = rest
        below[R_COUNT] = -1
        depth += 1
    registers[R_ACTIVE] = 0
    return NO
