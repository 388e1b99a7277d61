"""The five variants as data.

The engine, the pages and the browser all read the same objects, so that what a rules page says can't differ from
what the game does. The texts made from a variant are in `texts.py`.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum

from .errors import UnreadableError


class Fill(StrEnum):
    """What may be put on an empty column."""

    NONE = "none"
    ANY = "any"
    KINGS = "kings"


@dataclass(frozen=True)
class Variant:
    """One rule set.

    Attributes:
        slug: the name in addresses and in the database.
        name: the name on screen.
        columns: how many columns there are.
        column_size: how many cards each column is dealt.
        fill: what may be put on an empty column.
        covered: whether all cards but each column's top card are dealt face down.
        aces_start: how many of the first aces met while dealing start their foundations.
    """

    slug: str
    name: str
    columns: int = 13
    column_size: int = 4
    fill: Fill = Fill.NONE
    covered: bool = False
    aces_start: int = 0


BAKERS_DOZEN = Variant("bakers-dozen", "Baker’s Dozen")
ORIGINAL_1883 = Variant("original-1883", "Original 1883", covered=True)
GOOD_MEASURE = Variant("good-measure", "Good Measure", columns=10, column_size=5, aces_start=2)
SPANISH_PATIENCE = Variant("spanish-patience", "Spanish Patience", fill=Fill.ANY)
PORTUGUESE_SOLITAIRE = Variant("portuguese-solitaire", "Portuguese Solitaire", fill=Fill.KINGS)

#: All variants by slug, in the order in which pages list them.
VARIANTS: dict[str, Variant] = {
    variant.slug: variant
    for variant in (BAKERS_DOZEN, ORIGINAL_1883, GOOD_MEASURE, SPANISH_PATIENCE, PORTUGUESE_SOLITAIRE)
}


def get_variant(slug: str) -> Variant:
    """The variant of that slug.

    Raises:
        UnreadableError: there is none.
    """
    try:
        return VARIANTS[slug]
    except KeyError:
        known = ", ".join(VARIANTS)
        raise UnreadableError(f"There is no variant of that name; there are {known}.", token=slug) from None
