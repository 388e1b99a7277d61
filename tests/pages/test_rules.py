"""/rules/{variant}: the rules, from the same object that plays them."""

from __future__ import annotations

import pytest

from bakers.rules.texts import sections
from bakers.rules.variants import VARIANTS


@pytest.mark.parametrize("slug", VARIANTS)
def test_every_variant_has_its_rules(client, db, slug):
    response = client.get(f"/rules/{slug}")

    assert response.status_code == 200
    text = response.content.decode().replace("&#x27;", "'").replace("&quot;", '"').replace("&amp;", "&")
    assert f"<h1>{VARIANTS[slug].name}</h1>" in text
    for section in sections(VARIANTS[slug]):
        assert section.heading in text
        for paragraph in section.paragraphs:
            assert paragraph in text


def test_rules_link_to_the_others(client, db):
    text = client.get("/rules/bakers-dozen").content.decode()

    for slug in VARIANTS:
        assert f'href="/rules/{slug}"' in text


@pytest.mark.parametrize("slug", ["klondike", "Bakers-Dozen", "%00", "bakers-dozen/", "", "x" * 3_000])
def test_there_are_no_rules_of_what_is_not_played(client, db, slug):
    assert client.get(f"/rules/{slug}").status_code == 404
