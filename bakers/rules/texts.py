"""What a page says about a variant, made from the variant itself so that it can't say anything else.

The rules themselves, with what is told differently elsewhere, stand in docs/rules.md.
"""

from __future__ import annotations

from dataclasses import dataclass

from .variants import Fill, Variant

_NUMBER_WORDS = {2: "two", 4: "four", 5: "five", 10: "ten", 13: "thirteen"}

_FILL_SENTENCES = {
    Fill.NONE: "A column that has become empty stays empty: nothing is ever put on it.",
    Fill.ANY: "Any top card may be put on an empty column.",
    Fill.KINGS: "Only a king may be put on an empty column.",
}


@dataclass(frozen=True)
class Section:
    """A heading of a rules page with its paragraphs."""

    heading: str
    paragraphs: tuple[str, ...]


def summary(variant: Variant) -> str:
    """One sentence that tells a variant from the others."""
    columns = f"{_NUMBER_WORDS[variant.columns]} columns of {_NUMBER_WORDS[variant.column_size]}"
    if variant.covered:
        return f"{columns.capitalize()}, dealt face down with only the top cards turned up."
    if variant.aces_start:
        return f"{columns.capitalize()}; {_NUMBER_WORDS[variant.aces_start]} aces start on their foundations."
    return f"{columns.capitalize()}, all cards face up; {_short_fill(variant)}."


def sections(variant: Variant) -> list[Section]:
    """The rules of a variant for a player who has never seen the game."""
    size, count = _NUMBER_WORDS[variant.column_size], _NUMBER_WORDS[variant.columns]
    deal = [f"One pack of 52 cards is dealt in rows to {count} columns of {size} cards each."]
    if variant.aces_start:
        aces = _NUMBER_WORDS[variant.aces_start]
        deal[0] += (
            f" The first {aces} aces that appear go to their foundations at once and take no place in a column."
        )
    if variant.covered:
        deal.append(
            "All cards lie face down; then each column’s top card is turned up. Whenever a covered card becomes "
            "the top card, it is turned up too."
        )
        deal.append(
            "A king that turns up goes to the bottom of its column, and the next card is turned. A king with only "
            "kings under it stays where it is. A card once turned stays face up."
        )
    else:
        deal.append(
            "All cards lie face up. Then each king is moved to the bottom of its column; kings that share a column "
            "keep the order in which they were dealt, and so do the other cards."
        )
    return [
        Section(
            "The aim",
            (
                "Bring all 52 cards home: to four foundations, one a suit, each built up from the ace to the king.",
            ),
        ),
        Section("The deal", tuple(deal)),
        Section(
            "Moves",
            (
                "Only the top card of a column can move: the last one, which no card covers. (Some descriptions "
                "call it the bottom card, since it lies lowest on the screen.) One card moves at a time.",
                "A top card may go to its foundation if it is the next of its suit, or onto a column whose top card is "
                "exactly one rank higher. The suit doesn’t matter there: a 7 goes on any 8.",
                _FILL_SENTENCES[variant.fill],
                "No card ever comes back from a foundation.",
            ),
        ),
        Section(
            "The end",
            (
                "The game is won when all cards are home. When no legal move is left you are stuck: you may take back "
                "as many moves as you like and try another way, or give up.",
            ),
        ),
    ]


def _short_fill(variant: Variant) -> str:
    return {
        Fill.NONE: "empty columns stay empty",
        Fill.ANY: "any card fills an empty column",
        Fill.KINGS: "only kings fill empty columns",
    }[variant.fill]
