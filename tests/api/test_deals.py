"""GET /api/deals/…: a deal laid on the table before anything is stored."""

from __future__ import annotations

import pytest

from bakers.rules.deals import LAST_DEAL_NUMBER, deal
from bakers.rules.variants import VARIANTS
from tests.database import counts


@pytest.mark.parametrize("variant", VARIANTS)
def test_a_number_lays_out_its_deal_as_a_game_that_has_not_started(api, variant):
    response = api.get(f"deals/{variant}/477")

    assert response.status_code == 200
    state = response.json()
    assert state["columns"] == deal(VARIANTS[variant], 477).seen_columns()
    assert (state["id"], state["kind"], state["status"], state["deal"]) == (None, "casual", "open", "477")
    assert (state["version"], state["ply"], state["started_at"]) == (0, 0, None)


@pytest.mark.parametrize("variant", VARIANTS)
def test_a_deal_looks_the_same_before_and_after_its_game_starts(api, variant):
    laid = api.get(f"deals/{variant}/477").json()
    started = api.start(variant, deal="477")

    different = {key for key in laid if laid[key] != started[key]}
    assert different == {"id", "started_at"}


@pytest.mark.parametrize("variant", VARIANTS)
def test_no_number_lays_out_a_deal_that_nobody_can_foresee(api, variant):
    states = [api.get(f"deals/{variant}").json() for _ in range(3)]

    assert len({state["deal"] for state in states}) == 3
    for state in states:
        assert state["columns"] == api.get(f"deals/{variant}/{state['deal']}").json()["columns"]


def test_the_largest_number_is_dealt(api):
    assert api.get(f"deals/bakers-dozen/{LAST_DEAL_NUMBER}").json()["deal"] == str(LAST_DEAL_NUMBER)


@pytest.mark.parametrize(
    "number",
    ["0", str(LAST_DEAL_NUMBER + 1), "1" * 26, "1" * 5_000, "-1", "+1", "1.0", "1e3", "x", "%20", "%00", "%31%00",
     "٣", "２", "²", "%F0%9F%82%A1", "1,2", "0x2"],
)  # fmt: skip
def test_what_is_no_deal_number_is_refused(api, number):
    response = api.get(f"deals/bakers-dozen/{number}")

    assert response.status_code == 400
    assert response.json()["error"]["code"] == "invalid"
    assert list(response.json()["error"]["detail"]["fields"]) == ["deal"]


@pytest.mark.parametrize("number", ["", "/2"])
@pytest.mark.parametrize("variant", ["klondike", "Bakers-Dozen", "%00", "bakers-dozen%20", "1"])
def test_an_unknown_variant_is_not_found(api, variant, number):
    response = api.get(f"deals/{variant}{number}")

    assert response.status_code == 404
    assert response.json()["error"]["code"] == "not_found"


def test_looking_at_deals_stores_nothing_and_sets_no_cookie(api):
    before = counts()
    for path in ("deals/bakers-dozen", "deals/original-1883/2", "deals/nonsense", "deals/bakers-dozen/x"):
        assert not api.get(path).cookies

    assert counts() == before == {}
