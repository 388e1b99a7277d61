"""Writes positions with right answers for the browser's rules: `python -m tests.write_vectors`.

Random legal lines of every variant, played by `bakers.rules`, with what a page shows and offers at their ends. The
browser's rules must find the same (`tests/js`). Everything is seeded: the same code writes the same file. It is written
anew before each run of those tests and not committed.
"""

from __future__ import annotations

import json
import random
from pathlib import Path
from typing import Any

from bakers.rules.cards import CARD_NAMES, COVERED, SUITS, make_card
from bakers.rules.deals import LAST_DEAL_NUMBER, deal_columns, deck
from bakers.rules.moves import HOME, MOVES_BY_TEXT, Move
from bakers.rules.positions import Position
from bakers.rules.variants import VARIANTS, Variant
from tests.rules import naive_taps

DATA = Path(__file__).parent / "data"
VECTORS_FILE = DATA / "rules_vectors.json"
#: Positions of each variant: as many as are written in a quarter of a minute.
VECTORS_A_VARIANT = 2_000

Dealt = tuple[list[list[int]], list[int]]


def file_text() -> str:
    """The whole file, a vector a line so that a change is easy to see."""
    lines = [
        json.dumps(vector, ensure_ascii=False, separators=(",", ":"))
        for variant in VARIANTS.values()
        for vector in vectors_of(variant, VECTORS_A_VARIANT)
    ]
    return '{"vectors":[\n' + ",\n".join(lines) + "\n]}\n"


def vectors_of(variant: Variant, count: int) -> list[dict[str, Any]]:
    """The first vectors of a variant; the winning line's last positions come first."""
    rng = random.Random(variant.slug)
    vectors = []
    dealt, line = winning_line(variant)
    for ply in range(len(line) - 40, len(line) + 1, 4):
        position = Position.dealt(variant, *dealt)
        position.play_line(line[:ply])
        vectors.append(vector(variant, dealt, position, rng))
    while len(vectors) < count:
        make = rng.choice([numbered_deal, numbered_deal, uneven_layout, late_layout, nearly_won_layout])
        dealt = make(variant, rng)
        position = Position.dealt(variant, *dealt)
        lengths = [0, 1, 2, 4, 8] if make is nearly_won_layout else [0, 5, 15, 30, 60, 60]
        wander(position, rng, most=rng.choice(lengths))
        vectors.append(vector(variant, dealt, position, rng))
    return vectors


def winning_line(variant: Variant) -> tuple[Dealt, list[str]]:
    """A deal with a line that wins it."""
    for known in json.loads((DATA / "cases" / "lines.json").read_text())["lines"]:
        if known["variant"] == variant.slug:
            return deal_columns(variant, deck(int(known["deal"]))), known["line"].split()
    raise LookupError(f"no winning line of {variant.slug} is known")


def numbered_deal(variant: Variant, rng: random.Random) -> Dealt:
    """A deal number's first position, of a small number or of any."""
    return deal_columns(variant, deck(rng.randint(1, rng.choice([32_000, LAST_DEAL_NUMBER]))))


def layout_with(variant: Variant, rng: random.Random, foundations: list[int], used: int) -> Dealt:
    """A layout with those cards home and the others thrown on as many of the columns, kings anywhere."""
    rest = [make_card(rank, suit) for suit in range(4) for rank in range(foundations[suit] + 1, 14)]
    rng.shuffle(rest)
    columns: list[list[int]] = [[] for _ in range(variant.columns)]
    for card in rest:
        columns[rng.randrange(used)].append(card)
    rng.shuffle(columns)
    return columns, foundations


def uneven_layout(variant: Variant, rng: random.Random) -> Dealt:
    """A layout with few cards home, columns of all lengths and some empty ones."""
    home = [rng.choice([0, 0, 1, 2, 3]) for _ in range(4)]
    return layout_with(variant, rng, home, rng.randint(variant.columns // 2, variant.columns))


def late_layout(variant: Variant, rng: random.Random) -> Dealt:
    """A layout with half of the cards home, more of one suit than of another."""
    home = [rng.randint(3, 11) for _ in range(4)]
    return layout_with(variant, rng, home, rng.randint(variant.columns // 2, variant.columns))


def nearly_won_layout(variant: Variant, rng: random.Random) -> Dealt:
    """A layout with a few cards left, most of them in falling order, so that many games finish by themselves."""
    least = rng.choice([7, 10, 12])
    columns, foundations = layout_with(
        variant, rng, [rng.randint(least, 13) for _ in range(4)], rng.randint(2, variant.columns)
    )
    if rng.random() < 0.8:
        columns = [sorted(column, reverse=True) for column in columns]
    return columns, foundations


def wander(position: Position, rng: random.Random, *, most: int) -> None:
    """Plays a random line that uses columns up: it likes to move home and from short columns, not to and fro."""
    for _ in range(most):
        moves = list(position.legal_moves)
        if position.line:
            source, target = position.line[-1]
            moves = [move for move in moves if move != Move(target, source)] or moves
        if not moves:
            return
        home = [move for move in moves if move.target == HOME]
        fills = [move for move in moves if move.target != HOME and not position.columns[move.target]]
        if home and rng.random() < 0.7:
            moves = home
        elif len(fills) < len(moves) and rng.random() < 0.7:
            moves = [move for move in moves if move not in fills]
        some = [rng.choice(moves) for _ in range(3)]
        position.push(min(some, key=lambda move: len(position.columns[move.source])))


def vector(variant: Variant, dealt: Dealt, position: Position, rng: random.Random) -> dict[str, Any]:
    """A position with its right answers."""
    hidden = position.covered_cards()
    columns = position.seen_columns()
    foundations = home_by_suit(position.foundations)
    legal = [move.text for move in position.legal_moves]
    return {
        "variant": variant.slug,
        "dealt": {
            "columns": [
                [COVERED if card in hidden else CARD_NAMES[card] for card in column] for column in dealt[0]
            ],
            "foundations": home_by_suit(dealt[1]),
        },
        "line": [move.text for move in position.line],
        "columns": columns,
        "foundations": foundations,
        "legal": legal,
        "stuck": position.is_stuck(),
        "won": position.is_won(),
        "finishing": naive_taps.finishing(columns, foundations),
        "safe": naive_taps.safe(columns, foundations),
        "best": naive_taps.best(columns, foundations, legal),
        "why_not": refusals(position, rng),
    }


def home_by_suit(foundations: list[int]) -> dict[str, int]:
    """How many cards of each suit are home."""
    return dict(zip(SUITS, foundations, strict=True))


def refusals(position: Position, rng: random.Random) -> list[list[str]]:
    """Two illegal moves with the reasons: one onto a card of the wrong rank, and one of any other kind."""
    reasons = [(move.text, position.why_illegal(move)) for move in MOVES_BY_TEXT.values()]
    refused = [(text, reason) for text, reason in reasons if reason is not None]
    rng.shuffle(refused)
    by_rank = [[text, reason] for text, reason in refused if reason[0] == "A" and " needs a" in reason]
    others = [[text, reason] for text, reason in refused if [text, reason] not in by_rank]
    return by_rank[:1] + others[:1]


if __name__ == "__main__":
    VECTORS_FILE.write_text(file_text(), encoding="utf-8")
