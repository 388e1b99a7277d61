"""/questions: its figures are those of the published surveys, and those are the solver's."""

from __future__ import annotations

import json
import random
import re
from dataclasses import replace
from typing import Any

import pytest

from bakers.rules.deals import deal
from bakers.rules.variants import VARIANTS
from bakers.solver import DEFAULT_BUDGET, Outcome, decide
from bakers.surveys.published import DATA, published_surveys
from bakers.surveys.summaries import wilson
from tests.pages.test_table import Page

#: Deals of each survey that are decided again.
SAMPLE = 40


@pytest.fixture
def page(client, db) -> Page:
    response = client.get("/questions")
    assert response.status_code == 200
    return Page(response)


def table(text: str) -> dict[str, list[str]]:
    """The rows of the page's table by variant, as the words in their cells."""
    rows = re.findall(r'<tr data-survey="([\w-]+)">(.*?)</tr>', text, re.DOTALL)
    return {
        slug: [
            " ".join(re.sub(r"<[^>]+>", " ", cell).split())
            for cell in re.findall(r"<td.*?</td>", row, re.DOTALL)
        ]
        for slug, row in rows
    }


def test_the_table_holds_the_figures_of_the_data_for_each_variant(client, db):
    rows = table(client.get("/questions").content.decode())
    assert list(rows) == list(VARIANTS)
    for slug, (deals, share, lost, unknown, _) in rows.items():
        data = json.loads((DATA / f"{slug}.json").read_text())
        assert deals == f"{data['deals']:,} {int(data['first']):,}–{int(data['last']):,}"
        low, high = (
            wilson(data["won"], data["deals"])[0],
            wilson(data["won"] + data["unknown"], data["deals"])[1],
        )
        assert share == (f"{100 * data['won'] / data['deals']:.2f} % {100 * low:.2f}–{100 * high:.2f} %")
        assert lost == f"{data['lost']:,}"
        assert unknown == f"{data['unknown']:,}"


def test_each_row_says_when_it_was_made(page):
    assert [each["datetime"] for each in page.find("time")] == [each.date for each in published_surveys()]


def test_lost_deals_lead_to_their_pages(page):
    lost = [each["href"] for each in page.find("a") if each["href"].startswith("/deal/")]
    main = next(each for each in published_surveys() if each.variant == "bakers-dozen")
    assert lost == [f"/deal/bakers-dozen/{number}" for number in main.lost_deals[:8]]


def test_other_figures_change_with_the_data(client, db, monkeypatch):
    other: dict[str, Any] = {"deals": 4_321, "won": 4_000, "lost": 320, "unknown": 1, "budget": 98_765}
    monkeypatch.setattr(
        "bakers.questions.published_surveys",
        lambda: tuple(replace(each, **other) for each in published_surveys()),
    )
    text = client.get("/questions").content.decode()
    for words in (
        "Of 4,321 deals",
        "4,000 can be won",
        "320 can’t",
        "about one in 14",
        "1 more is not",
        "98,765",
    ):
        assert words in text


def test_every_page_leads_to_it(client, db):
    for path in ("/", "/rules/good-measure", "/questions"):
        assert 'href="/questions"' in client.get(path).content.decode()


class TestData:
    @pytest.mark.parametrize("survey", published_surveys(), ids=lambda survey: survey.variant)
    def test_a_sample_of_each_survey_comes_out_again(self, survey):
        """Up to the last lost deal that the data names, a deal is lost if it is named, and else won or not decided."""
        known = survey.lost_deals
        dice = random.Random(survey.variant)
        sample = {*known[: SAMPLE // 4], *(dice.randint(survey.first, known[-1]) for _ in range(SAMPLE))}
        decided = 0
        for number in sorted(sample - set(survey.unknown_deals)):
            outcome = decide(deal(VARIANTS[survey.variant], number), DEFAULT_BUDGET).outcome
            if outcome is Outcome.UNKNOWN:
                continue
            decided += 1
            assert outcome is (Outcome.LOST if number in survey.lost_deals else Outcome.WON), number
        assert decided >= 0.9 * SAMPLE

    @pytest.mark.parametrize("survey", published_surveys(), ids=lambda survey: survey.variant)
    def test_the_counts_of_each_survey_agree(self, survey):
        assert survey.deals == survey.last - survey.first + 1 == survey.won + survey.lost + survey.unknown
        assert len(survey.unknown_deals) == survey.unknown
        assert len(survey.lost_deals) == min(survey.lost, 40)
        assert sum(each.won + each.lost + each.unknown for each in survey.bins) == survey.deals
        assert (survey.low, survey.high) == pytest.approx(
            (wilson(survey.won, survey.deals)[0], wilson(survey.won + survey.unknown, survey.deals)[1]),
            abs=1e-6,
        )

    def test_original_1883_differs_from_bakers_dozen_nowhere(self):
        surveys = {each.variant: each for each in published_surveys()}
        covered, open_cards = surveys["original-1883"], surveys["bakers-dozen"]
        last = min(covered.lost_deals[-1], open_cards.lost_deals[-1])
        undecided = {*covered.unknown_deals, *open_cards.unknown_deals}
        assert [n for n in covered.lost_deals if n <= last and n not in undecided] == [
            n for n in open_cards.lost_deals if n <= last and n not in undecided
        ]

    def test_nothing_else_lies_beside_the_surveys(self):
        assert {path.name for path in DATA.iterdir()} == {f"{slug}.json" for slug in VARIANTS}
