"""The five variants as data."""

from __future__ import annotations

import pytest

from bakers.rules.errors import UnreadableError
from bakers.rules.variants import VARIANTS, Fill, Variant, get_variant


def test_the_five_variants_stand_in_the_order_of_the_pages() -> None:
    assert list(VARIANTS) == [
        "bakers-dozen",
        "original-1883",
        "good-measure",
        "spanish-patience",
        "portuguese-solitaire",
    ]
    assert all(variant.slug == slug for slug, variant in VARIANTS.items())


def test_each_variant_differs_from_the_first_by_its_own_rule_alone() -> None:
    differences = {
        slug: {
            field: getattr(variant, field)
            for field in ("columns", "column_size", "fill", "covered", "aces_start")
            if getattr(variant, field) != getattr(VARIANTS["bakers-dozen"], field)
        }
        for slug, variant in VARIANTS.items()
    }
    assert differences == {
        "bakers-dozen": {},
        "original-1883": {"covered": True},
        "good-measure": {"columns": 10, "column_size": 5, "aces_start": 2},
        "spanish-patience": {"fill": Fill.ANY},
        "portuguese-solitaire": {"fill": Fill.KINGS},
    }


@pytest.mark.parametrize("variant", VARIANTS.values(), ids=lambda variant: variant.slug)
def test_columns_and_starting_aces_make_a_pack(variant: Variant) -> None:
    assert variant.columns * variant.column_size + variant.aces_start == 52


def test_a_variant_is_found_by_its_slug() -> None:
    assert get_variant("good-measure") is VARIANTS["good-measure"]


@pytest.mark.parametrize("slug", ["", "Bakers-Dozen", "bakers_dozen", "klondike", "bakers-dozen\x00"])
def test_an_unknown_slug_is_refused_with_the_known_ones(slug: str) -> None:
    with pytest.raises(UnreadableError, match="bakers-dozen, original-1883, good-measure") as caught:
        get_variant(slug)
    assert caught.value.token == slug
