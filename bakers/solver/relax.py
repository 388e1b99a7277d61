"""The relaxed search: does a way home remain when nobody asks where loose cards hang?

Where empty columns aren't refilled, a moved card always lies in sequence on another. So a position is the untouched
*stumps* of the columns, and *loose* cards in chains on exposed cards. Forget on which: what is left is how many
cards each stump has and how many cards of each suit are home. In that abstract game

- *exposed* are the loose cards and each stump's *fixed top*; the *slack* of rank r is the number of exposed cards of
  rank r + 1 less the number of loose cards of rank r: hosts to spare, never negative;
- a fixed top of rank r may become loose (POP) if r has slack (a host) and r - 1 has (what hangs on it can go);
- the next card of a suit may go home (HOME) if it is exposed and r - 1 has slack or it is an ace;
- where kings refill empty columns, a king may become loose (KING) if a column is empty and queens have slack;
- a fixed top in sequence on the card below is called loose at once.

*Why no way out is a proof of loss* (P1). In a real position each loose card of rank r lies on its own exposed card of
rank r + 1, so slack is never negative. Moving a loose card to another host changes nothing here. When a fixed top x
moves onto p for the first time, x is bare, so the loose cards of rank r - 1 lie on other cards of rank r: r - 1 has
slack; and p was bare: r has slack. A card going home is bare: the same. So each real move that matters is a step
here, and a real win is a win here.

Every step takes a card from a stump or sends one home, so there are no cycles: each state whose search is finished is
*dead* or *alive* for good, and the table that says which serves all later questions about the same stumps.
"""

from __future__ import annotations

import numpy as np

from .board import (
    ALL,
    BASES,
    COLUMNS,
    FACTS,
    FILL,
    FILL_ANY,
    FILL_KINGS,
    FILL_NONE,
    HOME_WEIGHT,
    HOMES,
    KEY,
    KINGS,
    LOOSENED,
    NEXT_TOP,
    ONES,
    RULES,
    STUMPS,
    TOPS,
    USE_D1,
    USE_D2,
    USE_D3,
    VALUE,
    WEIGHT,
    Packed,
    Words,
    digit_any,
    digit_counts,
    fewest_home,
    mixed,
    next_cards,
)
from .jit import kernel, lowest, popcount

#: No line of the abstract game is longer: each event takes a card from a stump or sends one home.
DEEPEST = 108
#: No state has more events: a POP or KING for each of 13 columns, a HOME for each suit, and room.
MOST_EVENTS = 20

# Kinds of events; an event is kind * 64 + card.
POP, HOME, KING = 0, 1, 2
# Columns of a child: its order, the event, its state.
SCORE, EVENT, CHILD = 0, 1, 2
CHILD_SIZE = 6

# Answers of a search.
RUNNING, DEAD, ALIVE, FULL = 0, 1, 2, 3
UNSEEN = 0

# Registers of a search.
DEPTH, USED, ENTRIES, ACTIVE = 0, 1, 2, 3
REGISTERS = 8


class Relaxation:
    """Storage of the relaxed search of one board; what it has found stays for later questions.

    Attributes:
        table: open addressing; an entry is 2 * key + 1 for a dead state, 2 * key + 2 for one alive, 0 for none.
        frames: shape (DEEPEST, 6): the states on the stack (four words), next child, number of children.
        children: shape (DEEPEST, MOST_EVENTS, CHILD_SIZE).
        registers: where the search stands, so that it can go on.
        spent: expansions of the last call of `run`.
    """

    def __init__(self, packed: Packed) -> None:
        self.spent = 0
        self.static = packed.static
        self.table = np.zeros(1 << 10, dtype=np.int64)
        self.frames = np.empty((DEEPEST, 6), dtype=np.int64)
        self.children = np.empty((DEEPEST, MOST_EVENTS, CHILD_SIZE), dtype=np.int64)
        self.registers = np.zeros(REGISTERS, dtype=np.int64)
        self.start = np.zeros(4, dtype=np.int64)
        root = packed.start
        self.start[:] = settle(self.static, root[HOMES], root[STUMPS], root[TOPS], root[KEY])

    def run(self, limit: int) -> int:
        """Search from the board's own position for at most `limit` expansions: RUNNING, DEAD or ALIVE."""
        self.spent = 0
        answer = FULL
        while answer == FULL:
            answer, spent = search(
                self.static,
                self.table,
                self.frames,
                self.children,
                self.registers,
                self.start[0],
                self.start[1],
                self.start[2],
                self.start[3],
                limit - self.spent,
            )
            self.spent += spent
            if answer == FULL:
                self.grow()
        return answer

    def grow(self) -> None:
        """Move the table to one of four times the size."""
        larger = np.zeros(4 * self.table.shape[0], dtype=np.int64)
        rehash(self.table, larger)
        self.table = larger

    @property
    def used(self) -> int:
        """Expansions so far."""
        return int(self.registers[USED])


@kernel
def rehash(table: Words, larger: Words) -> None:
    """Copy all entries of a table into an empty one."""
    mask = larger.shape[0] - 1
    for entry in table:
        if entry != 0:
            place = mixed((entry - 1) >> 1) & mask
            while larger[place] != 0:
                place = (place + 1) & mask
            larger[place] = entry


@kernel
def look_up(table: Words, key: int) -> int:
    """DEAD, ALIVE or UNSEEN."""
    mask = table.shape[0] - 1
    place = mixed(key) & mask
    while table[place] != 0:
        if (table[place] - 1) >> 1 == key:
            return int(1 + ((table[place] - 1) & 1))
        place = (place + 1) & mask
    return 0


@kernel
def remember(table: Words, registers: Words, key: int, answer: int) -> None:
    """Enter DEAD or ALIVE for a key."""
    mask = table.shape[0] - 1
    place = mixed(key) & mask
    while table[place] != 0:
        if (table[place] - 1) >> 1 == key:
            return
        place = (place + 1) & mask
    table[place] = 2 * key + answer
    registers[ENTRIES] += 1


@kernel
def slack_of(static: Words, homes: int, stumps: int, tops: int) -> int:
    """Hosts to spare for each rank, as digits: exposed cards one rank higher less loose cards. Kings need none."""
    facts = static[FACTS]
    loose = facts[ALL] & ~stumps & ~homes
    return int((digit_counts(tops | loose) >> 4) - digit_counts(loose & ~facts[KINGS]))


@kernel
def with_slack(slack: int) -> int:
    """All four bits of each rank that has slack."""
    return ((slack | (slack >> 1) | (slack >> 2)) & ONES) * 15


@kernel
def leave(static: Words, stumps: int, tops: int, key: int, card: int) -> tuple[int, int, int]:
    """Stumps, tops and key after a fixed top left its stump."""
    bit = 1 << card
    return (
        stumps & ~(bit | static[LOOSENED, card]),
        (tops & ~bit) | static[NEXT_TOP, card],
        key - static[WEIGHT, card],
    )


@kernel
def safe_card(static: Words, homes: int, stumps: int, tops: int) -> int:
    """The card that goes home at once by rule D1, as a set, or 0.

    D1: a next card of rank index r may go home without loss if every suit has at least r - 1 cards home. *Proof.*
    Take a winning line P. P′: first that card c goes home, then P, dropping moves of cards already home and turning
    "y onto c" into "y home". Such a y has rank r - 1 and is the next of its suit, as its suit has r - 1 cards home.
    All cards of rank r - 2 are home, so nothing is ever put on y. P′ is always P with c and perhaps some cards of
    rank r - 1 already home: each card on top in P is on top in P′ or home, foundations are ahead, empty columns are
    empty. So every other move stays legal, and P′ has no more column moves than P.
    """
    facts = static[FACTS]
    if not facts[RULES] & USE_D1:
        return 0
    everything = facts[ALL]
    safe = next_cards(homes, everything) & ((1 << (4 * (fewest_home(homes) + 2))) - 1)
    loose = everything & ~stumps & ~homes
    safe &= tops | loose
    if safe == 0:
        return 0
    safe &= (with_slack(slack_of(static, homes, stumps, tops)) << 4) | 15
    return int(safe & -safe)


@kernel
def go_home(
    static: Words, homes: int, stumps: int, tops: int, key: int, card: int
) -> tuple[int, int, int, int]:
    """The state after an exposed card went home."""
    bit = 1 << card
    if stumps & bit:
        stumps, tops, key = leave(static, stumps, tops, key, card)
    return homes | bit, stumps, tops, key + static[FACTS, HOME_WEIGHT + (card & 3)]


@kernel
def settle(static: Words, homes: int, stumps: int, tops: int, key: int) -> tuple[int, int, int, int]:
    """The state after all safe cards went home."""
    safe = safe_card(static, homes, stumps, tops)
    while safe:
        homes, stumps, tops, key = go_home(static, homes, stumps, tops, key, lowest(safe))
        safe = safe_card(static, homes, stumps, tops)
    return homes, stumps, tops, key


@kernel
def reachable(static: Words, homes: int, stumps: int, tops: int) -> bool:
    """Rule D3: whether every card goes home when exposing is never taken back.

    Exposed at first: fixed tops and loose cards. The next card of a suit, once exposed, goes home. A stump's top is
    peeled, and exposes what is under it, if it is home or next, if a card of rank + 1 was ever exposed, or if it may
    fill a column that was ever empty. If not all cards go home so, the position is lost. *Proof.* By induction
    along a winning line every card that is ever on top is exposed here by then, and every card home counted.
    """
    facts = static[FACTS]
    everything, fill = facts[ALL], facts[FILL]
    ever = tops | (everything & ~stumps & ~homes)
    empty = fill != FILL_NONE and (popcount(facts[BASES] & stumps) < facts[COLUMNS])
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
        if empty:
            peeled |= tops & (everything if fill == FILL_ANY else facts[KINGS])
        if peeled == 0:
            return False
        tops &= ~peeled
        while peeled:
            card = lowest(peeled)
            peeled &= peeled - 1
            ever |= static[NEXT_TOP, card] | static[LOOSENED, card]
            tops |= static[NEXT_TOP, card]
            empty = empty or (fill != FILL_NONE and static[NEXT_TOP, card] == 0)


@kernel
def expand(static: Words, homes: int, stumps: int, tops: int, key: int, children: Words) -> int:
    """Write the children of a settled state into rows, best first, and return how many there are.

    The order was found by trial; it is worth a factor of four. Leaving is good by the lower cards it uncovers, more
    by those of its own suit; cards sent home are good; taking the last free host of a rank is bad.
    """
    facts = static[FACTS]
    everything, kings, fill, rules = facts[ALL], facts[KINGS], facts[FILL], facts[RULES]
    loose = everything & ~stumps & ~homes
    exposed = tops | loose
    slack = slack_of(static, homes, stumps, tops)
    some = with_slack(slack)
    last = (slack & ~(slack >> 1) & ~(slack >> 2) & ONES) * 15
    can_be_bare = (some << 4) | 15
    following = next_cards(homes, everything)
    settled_home = popcount(homes)
    count = 0

    homing = following & exposed & can_be_bare
    strained = (last << 4) & ((digit_any(loose) * 15) << 4)
    # D2: a card alone in its column never needs to go to another. Proof: delete such a move "x, the base of A, onto
    # p" from a winning line and leave x in A until its next move. A is never used otherwise, x is on top exactly when
    # it was, p is free where it was covered. Where kings fill columns, an emptied column has a use as long as a
    # king lies in a stump above its base, and the rule holds only after that.
    popping = tops & ~kings & some & can_be_bare
    kings_above = fill == FILL_KINGS and (stumps & kings & ~facts[BASES]) != 0
    if rules & USE_D2 and not kings_above:
        popping &= ~facts[BASES]
    crowning = 0
    if kings_above:
        empties = facts[COLUMNS] - popcount(stumps & facts[BASES]) - popcount(loose & kings)
        if empties > 0:
            crowning = tops & kings & ~facts[BASES] & can_be_bare

    for kind in range(3):
        cards = popping if kind == POP else (homing if kind == HOME else crowning)
        while cards:
            card = lowest(cards)
            bit = cards & -cards
            cards ^= bit
            if kind == HOME:
                score = 6 - (32 if strained & bit else 0)
                child = go_home(static, homes, stumps, tops, key, card)
            else:
                score = -32 if kind == POP and last & bit else 0
                left = leave(static, stumps, tops, key, card)
                child = (homes, left[0], left[1], left[2])
            if stumps & bit:
                score += static[VALUE, card]
            child = settle(static, child[0], child[1], child[2], child[3])
            score += 4 * (popcount(child[0]) - settled_home)
            # Insertion keeps the order of equal scores, so that a search is the same each time.
            place = count
            while place > 0 and children[place - 1, SCORE] < score:
                for word in range(CHILD_SIZE):
                    children[place, word] = children[place - 1, word]
                place -= 1
            children[place, SCORE] = score
            children[place, EVENT] = kind * 64 + card
            for word in range(4):
                children[place, CHILD + word] = child[word]
            count += 1
    return count


@kernel
def search(
    static: Words,
    table: Words,
    frames: Words,
    children: Words,
    registers: Words,
    homes: int,
    stumps: int,
    tops: int,
    key: int,
    limit: int,
) -> tuple[int, int]:
    """Depth first with memo from a settled state, for at most `limit` expansions.

    Returns DEAD or ALIVE; RUNNING when the limit is spent, FULL when the table must grow: then call again with the
    same state, and the search goes on where it was. And how many expansions it took, none if the table knew.
    """
    everything = static[FACTS, ALL]
    if registers[ACTIVE] == 0:
        frames[0, 0], frames[0, 1], frames[0, 2], frames[0, 3] = homes, stumps, tops, key
        frames[0, 5] = -1
        registers[DEPTH] = 0
        registers[ACTIVE] = 1
    depth = registers[DEPTH]
    used = 0
    room = table.shape[0] // 2
    while depth >= 0:
        frame = frames[depth]
        if frame[5] < 0:
            seen = look_up(table, frame[3])
            if seen == ALIVE or frame[0] == everything:
                for level in range(depth + 1):
                    remember(table, registers, frames[level, 3], ALIVE)
                registers[ACTIVE] = 0
                registers[USED] += used
                return ALIVE, used
            if seen == DEAD:
                depth -= 1
                continue
            if used >= limit or registers[ENTRIES] + DEEPEST > room:
                registers[DEPTH] = depth
                registers[USED] += used
                return (RUNNING if used >= limit else FULL), used
            if static[FACTS, RULES] & USE_D3 and not reachable(static, frame[0], frame[1], frame[2]):
                remember(table, registers, frame[3], DEAD)
                depth -= 1
                continue
            used += 1
            frame[4] = 0
            frame[5] = expand(static, frame[0], frame[1], frame[2], frame[3], children[depth])
        if frame[4] < frame[5]:
            child = children[depth, frame[4]]
            frame[4] += 1
            below = frames[depth + 1]
            for word in range(4):
                below[word] = child[CHILD + word]
            below[5] = -1
            depth += 1
        else:
            remember(table, registers, frame[3], DEAD)
            depth -= 1
    registers[ACTIVE] = 0
    registers[USED] += used
    return DEAD, used
