"""Lines that look at covered cards come with those cards, and to nobody who hasn't asked."""

from __future__ import annotations

import pytest

from bakers.rules.deals import deal
from bakers.rules.variants import VARIANTS

pytestmark = pytest.mark.django_db


def cards(start):
    """All cards of a position, the covered ones by their names."""
    seen = [card for column in start["columns"] for card in column if card != "##"]
    covered = [card for column in start["covered"] for card in column]
    home = sum(start["foundations"].values())
    assert len(covered) == sum(column.count("##") for column in start["columns"])
    assert "##" not in covered
    return len({*seen, *covered}) + home


def test_a_deal_tells_them_with_its_line_only(api):
    body = {"variant": "original-1883", "deal": "2"}

    assert api.post("solve", body).json()["start"] is None
    found = api.post("solve", {**body, "line_of_covered": True}).json()

    assert cards(found["start"]) == 52
    assert found["start"]["columns"] == deal(VARIANTS["original-1883"], 2).seen_columns()


def test_a_position_after_moves_tells_its_own(api):
    body = {"variant": "original-1883", "deal": "2", "line": ["96"], "line_of_covered": True}

    position = deal(VARIANTS["original-1883"], 2)
    position.play_line("96")
    assert api.post("solve", body).json()["start"]["columns"] == position.seen_columns()


def test_a_solution_tells_those_of_its_ply(api):
    state = api.play(api.start("original-1883"), "96")

    for ply in (0, 1):
        body = {"version": state["version"], "ply": ply}
        start = api.post(f"games/{state['id']}/solution", body).json()["start"]
        assert cards(start) == 52
        assert (start["columns"] == state["columns"]) is (ply == 1)
    # The game itself goes on hiding them.
    assert any("##" in column for column in api.state(state)["dealt"]["columns"])


def test_a_deal_that_is_lost_tells_none(api):
    found = api.post("solve", {"variant": "original-1883", "deal": "477", "line_of_covered": True}).json()

    assert (found["outcome"], found["start"]) == ("lost", None)


@pytest.mark.parametrize("variant", [slug for slug, variant in VARIANTS.items() if not variant.covered])
def test_where_all_is_seen_there_is_nothing_to_tell(api, variant):
    assert (
        api.post("solve", {"variant": variant, "deal": "2", "line_of_covered": True}).json()["start"] is None
    )
