"""What the pages say about a variant."""

from __future__ import annotations

import pytest

from bakers.rules.texts import sections, summary
from bakers.rules.variants import VARIANTS, Fill, Variant

EVERY = pytest.mark.parametrize("variant", VARIANTS.values(), ids=lambda variant: variant.slug)


def words(variant: Variant) -> str:
    return " ".join(paragraph for section in sections(variant) for paragraph in section.paragraphs)


@EVERY
def test_the_rules_have_their_four_headings_and_whole_sentences(variant: Variant) -> None:
    assert [section.heading for section in sections(variant)] == ["The aim", "The deal", "Moves", "The end"]
    for section in sections(variant):
        assert section.paragraphs
        assert all(paragraph[0].isupper() and paragraph[-1] in ".)" for paragraph in section.paragraphs)
    assert summary(variant).endswith(".")


@EVERY
def test_the_rules_say_what_may_fill_an_empty_column(variant: Variant) -> None:
    sentences = {
        Fill.NONE: "stays empty: nothing is ever put on it",
        Fill.ANY: "Any top card may be put on an empty column",
        Fill.KINGS: "Only a king may be put on an empty column",
    }
    assert {fill for fill, sentence in sentences.items() if sentence in words(variant)} == {variant.fill}


@EVERY
def test_the_rules_speak_of_covered_cards_and_starting_aces_only_where_there_are_any(
    variant: Variant,
) -> None:
    assert ("face down" in words(variant)) is variant.covered
    assert ("covered card" in words(variant)) is variant.covered
    assert ("two aces" in words(variant)) is (variant.aces_start == 2)


@EVERY
def test_the_rules_name_the_size_of_the_table(variant: Variant) -> None:
    size = {13: "thirteen columns of four cards", 10: "ten columns of five cards"}[variant.columns]
    assert size in words(variant)


def test_the_summaries_tell_the_variants_apart() -> None:
    assert len({summary(variant) for variant in VARIANTS.values()}) == len(VARIANTS)
    assert summary(VARIANTS["original-1883"]) == (
        "Thirteen columns of four, dealt face down with only the top cards turned up."
    )
