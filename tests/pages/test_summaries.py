"""The sentence that tells a variant from the others, wherever a page shows it."""

from __future__ import annotations

import html

import pytest
from django.test import Client

from bakers.rules.texts import summary
from bakers.rules.variants import VARIANTS


@pytest.mark.parametrize("slug", VARIANTS)
def test_rules_begin_with_their_own_and_end_with_those_of_the_others(client: Client, slug: str) -> None:
    page = html.unescape(client.get(f"/rules/{slug}").content.decode())
    own = summary(VARIANTS[slug])
    assert f'<p class="lead">{own}</p>' in page
    assert f'is played. {own}">' in page
    for other, variant in VARIANTS.items():
        assert (f"<span>{summary(variant)}</span>" in page) == (other != slug)


@pytest.mark.django_db
@pytest.mark.parametrize("slug", VARIANTS)
def test_help_on_the_table_shows_it(client: Client, slug: str) -> None:
    page = html.unescape(client.get(f"/play/{slug}/1").content.decode())
    assert f"<p data-summary>{summary(VARIANTS[slug])}</p>" in page
