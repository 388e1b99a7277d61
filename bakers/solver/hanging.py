"""Real positions: on which cards the loose ones hang, and how they are moved about.

A loose card of rank r hangs on a card of rank r + 1, so two bits say on which: the suit of its host. The sets `low`
and `high` hold these bits for all loose cards (and 0 for all others; a loose king lies in a column of its own and
has none). Together with the abstract state they are the whole position but for the order of columns.

Level r is *frozen* if there are loose cards of rank r and no slack: none of them can move to another host until there
is. A card is *fixed* if it is of a frozen level or has a fixed card on it.

P2, free levels: if every card above x in its chain is of a rank with slack, x can be bared by moves of loose cards
alone, and every slack stays as it is. *Proof.* Top card first: its rank has slack, so a bare host exists; that is
neither x nor one of the cards in the way, which are all covered or of lower rank. Hosts of different ranks don't
compete.
"""

from __future__ import annotations

from .board import (
    ALL,
    BASES,
    BELOW,
    FACTS,
    KINGS,
    LINK_HIGH,
    LINK_LOW,
    ONES,
    Words,
    digit_any,
    digit_counts,
    mixed,
)
from .jit import kernel, lowest, popcount
from .relax import HOME, KING, POP, go_home, leave, safe_card, slack_of

#: Targets of moves in a trail, where a move is card * 64 + target card.
TO_FOUNDATION, TO_EMPTY = 52, 53
#: A trail of moves is never longer; an event that would make it so is given up.
LONGEST_TRAIL = 4096


@kernel
def hosts_of(cards: int, low: int, high: int) -> int:
    """The hosts of a set of loose cards other than kings."""
    return (
        (digit_any(cards & ~low & ~high) << 4)
        | (digit_any(cards & low & ~high) << 5)
        | (digit_any(cards & ~low & high) << 6)
        | (digit_any(cards & low & high) << 7)
    )


@kernel
def host_of(card: int, low: int, high: int) -> int:
    """The host of one loose card."""
    return 4 * (card >> 2) + 4 + ((low >> card) & 1) + 2 * ((high >> card) & 1)


@kernel
def card_on(card: int, loose: int, low: int, high: int) -> int:
    """The loose card that hangs on a card, or -1."""
    if card < 4:
        return -1
    shift = (card & ~3) - 4
    digit = (loose >> shift) & 15
    digit &= (low >> shift) if card & 1 else ~(low >> shift)
    digit &= (high >> shift) if card & 2 else ~(high >> shift)
    return shift + lowest(digit) if digit & 15 else -1


@kernel
def linked(low: int, high: int, card: int, host: int) -> tuple[int, int]:
    """Low and high after a loose card was put on a host."""
    bit = 1 << card
    low = low | bit if host & 1 else low & ~bit
    high = high | bit if host & 2 else high & ~bit
    return low, high


@kernel
def fixed_cards(static: Words, homes: int, stumps: int, tops: int, low: int, high: int) -> int:
    """The loose cards that can't go to another host before some frozen level gets slack."""
    facts = static[FACTS]
    loose = facts[ALL] & ~stumps & ~homes
    hanging = loose & ~facts[KINGS]
    slack = slack_of(static, homes, stumps, tops)
    fixed = hanging & ~(((slack | (slack >> 1) | (slack >> 2)) & ONES) * 15)
    while True:
        more = fixed | (hosts_of(fixed, low, high) & hanging)
        if more == fixed:
            return int(fixed)
        fixed = more


@kernel
def bare_hosts(card: int, loose: int, exposed: int, low: int, high: int) -> int:
    """The exposed cards of the next rank on which nothing hangs, as a digit."""
    shift = card & ~3
    taken = hosts_of(loose & (15 << shift), low, high)
    return (exposed >> (shift + 4)) & ~(taken >> (shift + 4)) & 15


@kernel
def bare(
    card: int, loose: int, exposed: int, low: int, high: int, trail: Words, length: int
) -> tuple[int, int, int]:
    """Move what hangs on a card elsewhere, top card first. The length is -1 if something has no place to go."""
    while True:
        mover = card_on(card, loose, low, high)
        if mover < 0:
            return low, high, length
        above = card_on(mover, loose, low, high)
        while above >= 0:
            mover = above
            above = card_on(mover, loose, low, high)
        free = bare_hosts(mover, loose, exposed, low, high)
        if free == 0 or length >= LONGEST_TRAIL - 1:
            return low, high, -1
        host = (mover & ~3) + 4 + lowest(free)
        low, high = linked(low, high, mover, host)
        trail[length] = mover * 64 + host
        length += 1


@kernel
def put(
    card: int, host: int, loose: int, exposed: int, low: int, high: int, trail: Words, length: int
) -> tuple[int, int, int]:
    """Move a loose card that isn't fixed onto a host, clearing both first. The length is -1 if that can't be.

    Clearing the host first is right: baring the card then moves cards of lower rank only, and these don't fit there.
    """
    low, high, length = bare(host, loose, exposed, low, high, trail, length)
    if length >= 0:
        low, high, length = bare(card, loose, exposed, low, high, trail, length)
    if length < 0 or length >= LONGEST_TRAIL - 1:
        return low, high, -1
    low, high = linked(low, high, card, host)
    trail[length] = card * 64 + host
    return low, high, length + 1


@kernel
def taken_level(static: Words, homes: int, stumps: int, tops: int, key: int, event: int) -> int:
    """The rank that an event freezes by taking its last free host, or -1."""
    card, kind = event & 63, event >> 6
    if kind == KING:
        return -1
    level = (card >> 2) - (1 if kind == HOME else 0)
    if level < 0:
        return -1
    before = (slack_of(static, homes, stumps, tops) >> (4 * level)) & 15
    if before != 1:
        return -1
    if kind == HOME:
        homes, stumps, tops, key = go_home(static, homes, stumps, tops, key, card)
    else:
        stumps, tops, key = leave(static, stumps, tops, key, card)
    loose = static[FACTS, ALL] & ~stumps & ~homes
    if (slack_of(static, homes, stumps, tops) >> (4 * level)) & 15 or not (loose >> (4 * level)) & 15:
        return -1
    return level


@kernel
def harm(static: Words, homes: int, stumps: int, host: int, seed: int) -> int:
    """How bad it is that a card is covered for long, doubled; found by trial. A seed adds 0–4."""
    rank = host >> 2
    value = 0
    if stumps & (1 << host):
        beneath = static[BELOW, host]
        if beneath:
            lower = beneath & ((1 << (4 * rank + 4)) - 1)
            value = 6 + 2 * popcount(lower) + popcount(beneath & ~lower)
    else:
        value = 1
    if (not stumps & (1 << host) or static[FACTS, BASES] & (1 << host)) and (homes & (1 << (host - 4))):
        value += 4
    if seed:
        return 2 * value + mixed(seed + host * 1299709) % 5
    return 2 * value


@kernel
def lock_well(
    static: Words,
    homes: int,
    stumps: int,
    tops: int,
    low: int,
    high: int,
    level: int,
    event: int,
    seed: int,
    trail: Words,
    length: int,
) -> tuple[int, int, int]:
    """Before an event freezes a level, hang what will be locked where it does the least harm.

    When level z freezes, every exposed card of rank z + 1 is covered for long. Those of them that are loose then
    stay where they are, and cover their hosts of rank z + 2; so those that can still move are put on the least
    harmful hosts; and the same upward for the hosts among these that are loose.
    """
    everything = static[FACTS, ALL]
    loose = everything & ~stumps & ~homes
    exposed = tops | loose
    fixed = fixed_cards(static, homes, stumps, tops, low, high)
    under_fixed = hosts_of(fixed, low, high)
    rank = level + 1
    need = loose & (15 << (4 * rank)) & ~fixed & ~static[FACTS, KINGS]
    if event >> 6 == HOME:
        need &= ~(1 << (event & 63))
    lowest_rank = rank
    # chosen[rank] as digits of one word: the suits of the hosts of rank + 1 that are to be covered.
    chosen = 0
    while need:
        candidates = (exposed >> (4 * rank + 4)) & ~(under_fixed >> (4 * rank + 4)) & 15
        in_use = (hosts_of(need, low, high) >> (4 * rank + 4)) & 15
        picked = 0
        for _ in range(popcount(need)):
            best, best_suit = 1 << 30, -1
            for suit in range(4):
                if (candidates & ~picked) & (1 << suit):
                    value = 2 * harm(static, homes, stumps, 4 * rank + 4 + suit, seed)
                    if not in_use & (1 << suit):
                        value += 1
                    if value < best:
                        best, best_suit = value, suit
            if best_suit < 0:
                return low, high, -1
            picked |= 1 << best_suit
        chosen |= picked << (4 * rank)
        need = (picked << (4 * rank + 4)) & loose & ~fixed & ~static[FACTS, KINGS]
        rank += 1
    # From the highest rank down, so that what is placed isn't moved again.
    rank -= 1
    while rank >= lowest_rank:
        picked = (chosen >> (4 * rank)) & 15
        if rank == lowest_rank:
            movers = loose & (15 << (4 * rank)) & ~fixed
            if event >> 6 == HOME:
                movers &= ~(1 << (event & 63))
        else:
            movers = (((chosen >> (4 * rank - 4)) & 15) << (4 * rank)) & loose & ~fixed
        waiting = 0
        free = picked
        while movers:
            card = lowest(movers)
            movers &= movers - 1
            suit = 1 << (host_of(card, low, high) & 3)
            if free & suit:
                free &= ~suit
            else:
                waiting |= 1 << card
        while waiting:
            card = lowest(waiting)
            waiting &= waiting - 1
            host = 4 * rank + 4 + lowest(free)
            free &= free - 1
            low, high, length = put(card, host, loose, exposed, low, high, trail, length)
            if length < 0:
                return low, high, -1
        rank -= 1
    return low, high, length


@kernel
def home_bare(
    static: Words, homes: int, stumps: int, tops: int, key: int, low: int, high: int, card: int
) -> tuple[int, int, int, int, int, int]:
    """Send a bare next card home."""
    bit = 1 << card
    if stumps & bit:
        low |= static[LINK_LOW, card]
        high |= static[LINK_HIGH, card]
    else:
        low &= ~bit
        high &= ~bit
    homes, stumps, tops, key = go_home(static, homes, stumps, tops, key, card)
    return homes, stumps, tops, key, low, high


@kernel
def send_home(
    static: Words,
    homes: int,
    stumps: int,
    tops: int,
    key: int,
    low: int,
    high: int,
    card: int,
    trail: Words,
    length: int,
) -> tuple[int, int, int, int, int, int, int]:
    """Bare an exposed next card and send it home. The length is -1 if that can't be."""
    loose = static[FACTS, ALL] & ~stumps & ~homes
    low, high, length = bare(card, loose, tops | loose, low, high, trail, length)
    if length < 0 or length >= LONGEST_TRAIL - 1:
        return homes, stumps, tops, key, low, high, -1
    trail[length] = card * 64 + TO_FOUNDATION
    homes, stumps, tops, key, low, high = home_bare(static, homes, stumps, tops, key, low, high, card)
    return homes, stumps, tops, key, low, high, length + 1


@kernel
def settle_really(
    static: Words,
    homes: int,
    stumps: int,
    tops: int,
    key: int,
    low: int,
    high: int,
    trail: Words,
    length: int,
) -> tuple[int, int, int, int, int, int, int]:
    """Send all safe cards home, in the order of `relax.settle`, so that both come to the same state.

    Only cards of rank r - 1 can hang on a safe card of rank r, and nothing on those, so slack is all it takes.
    """
    safe = safe_card(static, homes, stumps, tops)
    while safe:
        homes, stumps, tops, key, low, high, length = send_home(
            static, homes, stumps, tops, key, low, high, lowest(safe), trail, length
        )
        if length < 0:
            break
        safe = safe_card(static, homes, stumps, tops)
    return homes, stumps, tops, key, low, high, length


@kernel
def play_event(
    static: Words,
    homes: int,
    stumps: int,
    tops: int,
    key: int,
    low: int,
    high: int,
    event: int,
    trail: Words,
    length: int,
) -> tuple[int, int, int, int, int, int, int]:
    """Play an event whose card has no fixed card on it, then safe cards home. The length is -1 if that can't be."""
    card, kind = event & 63, event >> 6
    if kind == HOME:
        homes, stumps, tops, key, low, high, length = send_home(
            static, homes, stumps, tops, key, low, high, card, trail, length
        )
    else:
        loose = static[FACTS, ALL] & ~stumps & ~homes
        exposed = tops | loose
        low, high, length = bare(card, loose, exposed, low, high, trail, length)
        if length < 0 or length >= LONGEST_TRAIL - 1:
            return homes, stumps, tops, key, low, high, -1
        target = TO_EMPTY
        if kind == POP:
            free = bare_hosts(card, loose, exposed, low, high)
            if free == 0:
                return homes, stumps, tops, key, low, high, -1
            target = (card & ~3) + 4 + lowest(free)
            low, high = linked(low, high, card, target)
        trail[length] = card * 64 + target
        length += 1
        low |= static[LINK_LOW, card]
        high |= static[LINK_HIGH, card]
        stumps, tops, key = leave(static, stumps, tops, key, card)
    if length < 0:
        return homes, stumps, tops, key, low, high, -1
    return settle_really(static, homes, stumps, tops, key, low, high, trail, length)


@kernel
def frozen_count(static: Words, homes: int, stumps: int, tops: int) -> int:
    """How many levels are frozen."""
    facts = static[FACTS]
    hanging = facts[ALL] & ~stumps & ~homes & ~facts[KINGS]
    slack = slack_of(static, homes, stumps, tops)
    return popcount(digit_any(digit_counts(hanging)) & ~digit_any(slack))
