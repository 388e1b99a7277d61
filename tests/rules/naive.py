"""A second opinion on the rules: slow, simple, and with no code of `bakers.rules` in it.

A position is one string, its parts separated by `|`: the foundations, then the columns. Cards are written as on
the table, the top card of a column last; a covered card has a `?` before it.

    C0 DA H0 S0|KS ?5C ?7D 9H|…

Nothing is ever changed or taken back: each move splits the string and makes a new one. The counts in
`tests/data/perft.json` come from here; `python -m tests.rules.naive --write` works them out again.
"""

from __future__ import annotations

import json
import sys
from pathlib import Path

from pysol_cards.cards import CardRenderer, createCards
from pysol_cards.random import shuffle
from pysol_cards.random_base import RandomBase

DATA = Path(__file__).parents[1] / "data"
PERFT_FILE = DATA / "perft.json"
DEPTH = 5

ORDER = "0A23456789TJQK"
SUITS = "CDHS"
COLUMNS = "123456789abcd"

#: How many columns a variant has, and what may fill an empty one.
TABLES = {
    "bakers-dozen": (13, "nothing"),
    "original-1883": (13, "nothing"),
    "good-measure": (10, "nothing"),
    "spanish-patience": (13, "anything"),
    "portuguese-solitaire": (13, "a king"),
}

DEALS = (1, 2, 33, 477, 31999, 10000000000000000007)

#: How far along the winning line of deal 2 counts begin: early, with empty columns to fill, and just before the end.
WINNING_PLIES = {
    "bakers-dozen": (34, 66, 82, 90),
    "original-1883": (33, 58, 74, 90),
    "good-measure": (45, 81, 123, 135),
    "spanish-patience": (18, 27, 72),
    "portuguese-solitaire": (32, 44, 68, 89),
}

#: Other lines to begin from: kings about to turn up, and empty columns made without a plan.
WANDERINGS = (
    ("original-1883", 10000000000000000007, "95 3h dh 1c ah 14 1a 72 91 a4 16 12 db dh d7 87 b4 54 5b 62 68"),
    (
        "spanish-patience",
        477,
        "ch d6 31 9a 9h 9c cb 9h d1 d1 db 4d 46 89 8h 9h 48 74 39 d7 2d 2c c7 b7 9b 62 16 21 79 7c 9c 62 16 21 62 "
        "16 21 62 29 96 62 16",
    ),
    (
        "spanish-patience",
        31999,
        "bh 3h 5h 3a 89 3a 3h b8 bh 4c 21 64 86 81 c4 13 81 71 2a 2b 53 28 b5 b7 cb 82 b2 57 ca 42 2d",
    ),
    (
        "portuguese-solitaire",
        31999,
        "5h 3h bh 3a 14 b9 3a bh 3h 1h bh ad 24 da 2a 21 d2 d1 d7 79 4a 97 db 78 85",
    ),
    (
        "portuguese-solitaire",
        10000000000000000007,
        "3h 34 dh ah 31 23 2h dh bh dh 1h 1h 1h ch 1h ah d7 9b 1c 29 b5 87 c8 c3 32 c6 ch 23 83 82 85 5h 5h 87 bh "
        "bh 7h 97 93 73 7h b8 8c cb 67 96 9h b1 1d 36 d1 19 63 9c 37",
    ),
)


def deal(variant: str, number: int) -> str:
    """The first position of a deal number."""
    render = CardRenderer(True).to_s
    deck = [render(card) for card in shuffle(createCards(1, 13), number, RandomBase.DEALS_PYSOLFC)]
    home = dict.fromkeys(SUITS, "0")
    if variant == "good-measure":
        for ace in [card for card in deck if card[0] == "A"][:2]:
            home[ace[1]] = "A"
            deck.remove(ace)
    width = TABLES[variant][0]
    columns = [" ".join(deck[first::width]) for first in range(width)]
    if variant == "original-1883":
        columns = [turned(" ".join("?" + card for card in column.split())) for column in columns]
    else:
        columns = [with_kings_sunk(column) for column in columns]
    return "|".join([" ".join(suit + home[suit] for suit in SUITS), *columns])


def with_kings_sunk(column: str) -> str:
    """A column of open cards as the deal leaves it."""
    cards = column.split()
    return " ".join([card for card in cards if card[0] == "K"] + [card for card in cards if card[0] != "K"])


def turned(column: str) -> str:
    """A column after its top card was turned up, if it lay face down."""
    cards = column.split()
    if not cards or not cards[-1].startswith("?"):
        return column
    *rest, top = cards
    top = top.removeprefix("?")
    if top[0] == "K" and any(card.removeprefix("?")[0] != "K" for card in rest):
        return turned(" ".join([top, *rest]))
    return " ".join([*rest, top])


def moves(variant: str, position: str) -> list[str]:
    """All legal moves, by source column, then by target column, then home."""
    home, *columns = position.split("|")
    legal = []
    for source, column in enumerate(columns):
        if not column:
            continue
        card = column.split()[-1]
        rank, suit = card[0], card[1]
        for target, other in enumerate(columns):
            if target == source:
                continue
            if other:
                fits = ORDER.index(other.split()[-1][0]) == ORDER.index(rank) + 1
            else:
                filler = TABLES[variant][1]
                fits = filler == "anything" or (filler == "a king" and rank == "K")
            if fits:
                legal.append(COLUMNS[source] + COLUMNS[target])
        if suit + ORDER[ORDER.index(rank) - 1] in home.split():
            legal.append(COLUMNS[source] + "h")
    return legal


def after(position: str, move: str) -> str:
    """The position after a move, which must be legal."""
    home, *columns = position.split("|")
    source, target = move[0], move[1]
    *rest, card = columns[COLUMNS.index(source)].split()
    columns[COLUMNS.index(source)] = turned(" ".join(rest))
    if target == "h":
        rank, suit = card[0], card[1]
        home = home.replace(suit + ORDER[ORDER.index(rank) - 1], suit + rank)
    else:
        columns[COLUMNS.index(target)] = f"{columns[COLUMNS.index(target)]} {card}".strip()
    return "|".join([home, *columns])


def after_line(variant: str, position: str, line: str) -> str:
    """The position after a line of moves with spaces between them.

    Raises:
        ValueError: some move is not legal.
    """
    for move in line.split():
        if move not in moves(variant, position):
            raise ValueError(f"{move} is not legal in {position}")
        position = after(position, move)
    return position


def count(variant: str, position: str, depth: int) -> dict[str, list[int]]:
    """Count what can be reached in exactly 1, 2, … `depth` moves.

    Returns:
        `lines`: how many lines of moves there are; `positions`: how many distinct positions they end in;
        `unordered`: how many there are when the order of columns doesn't matter.
    """
    lines_to = {position: 1}
    counts: dict[str, list[int]] = {"lines": [], "positions": [], "unordered": []}
    for _ in range(depth):
        next_lines_to: dict[str, int] = {}
        for reached, lines in lines_to.items():
            for move in moves(variant, reached):
                new = after(reached, move)
                next_lines_to[new] = next_lines_to.get(new, 0) + lines
        lines_to = next_lines_to
        counts["lines"].append(sum(lines_to.values()))
        counts["positions"].append(len(lines_to))
        counts["unordered"].append(len({without_order(reached) for reached in lines_to}))
    return counts


def without_order(position: str) -> str:
    """The position with its columns in alphabetical order."""
    home, *columns = position.split("|")
    return "|".join([home, *sorted(columns)])


def starts() -> list[tuple[str, int, str]]:
    """Where counts begin: variant, deal number, and the line played from the deal."""
    winning = {
        entry["variant"]: entry for entry in json.loads((DATA / "cases/lines.json").read_text())["lines"]
    }
    begins = [(variant, number, "") for variant in TABLES for number in DEALS]
    for variant, plies in WINNING_PLIES.items():
        moves_of_line = winning[variant]["line"].split()
        begins += [(variant, int(winning[variant]["deal"]), " ".join(moves_of_line[:ply])) for ply in plies]
    return [*begins, *WANDERINGS]


def entry_of(variant: str, number: int, line: str) -> dict[str, object]:
    """What the file says about one start."""
    position = after_line(variant, deal(variant, number), line)
    home, *columns = position.split("|")
    return {
        "variant": variant,
        "deal": str(number),
        "line": line,
        "foundations": home,
        "columns": columns,
        **count(variant, position, DEPTH),
    }


def file_text() -> str:
    """The whole of `perft.json`, one start a line so that a change is easy to see."""
    about = (
        "Written by tests/rules/naive.py. Each line is a position: a deal number, a line played from the deal, and "
        "what then lies where (a ? before a card: it is covered). 'lines': how many lines of exactly 1, 2, 3, 4, 5 "
        "moves it has; 'positions': in how many distinct positions they end; 'unordered': in how many when the order "
        "of columns doesn't matter."
    )
    entries = ",\n".join("  " + json.dumps(entry_of(*start)) for start in starts())
    return f'{{\n "about": {json.dumps(about)},\n "counts": [\n{entries}\n ]\n}}\n'


if __name__ == "__main__":
    if sys.argv[1:] == ["--write"]:
        PERFT_FILE.write_text(file_text())
    else:
        sys.exit("usage: python -m tests.rules.naive --write")
