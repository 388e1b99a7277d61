"""The page of a deal: what it shows, with and without JavaScript, and what can be done on it."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterator
from typing import Any

import pytest
from playwright.sync_api import BrowserContext, Page, Route, expect

from tests.browser.conftest import SIZES, TablePage

#: What is wanted of the server's answers here, beside what a test says.
_ANSWER = {
    "variant": "bakers-dozen",
    "deal": "1",
    "outcome": "won",
    "pending": False,
    "retry_ms": None,
    "reason": "A line that wins was found and replayed.",
    "line": ["1h", "4h"],
    "moves": 2,
    "expanded": 1,
    "par": None,
    "start": None,
}


class DealPage(TablePage):
    """The page of a deal in a browser."""

    def ready(self) -> None:
        """Wait until its buttons work."""
        self.page.wait_for_selector("html[data-ready=true]", state="attached")

    def button(self, name: str) -> Any:
        """A button that JavaScript brings."""
        return self.page.locator(f'main [data-action="{name}"]')

    @property
    def status(self) -> Any:
        """What a button has brought."""
        return self.page.locator("[data-status]")


@pytest.fixture
def new_deal(site: str, open_context: Callable[..., BrowserContext]) -> Iterator[Callable[..., DealPage]]:
    """Make pages of deals, each in a browser of its own."""
    pages = []

    def make(size: str = "1280x800", **options: Any) -> DealPage:
        deal = DealPage(open_context(size, **options).new_page(), site, has_touch=size != "1280x800")
        pages.append(deal)
        return deal

    yield make
    for deal in pages:
        deal.check()


@pytest.fixture
def deal(new_deal: Callable[..., DealPage]) -> DealPage:
    """A page in a new browser of a laptop."""
    return new_deal()


def _answers(page: Page, *answers: dict[str, Any]) -> list[dict[str, Any]]:
    """Answer calls of the solver one after another, the last answer again and again; return what was asked."""
    asked: list[dict[str, Any]] = []

    def answer(route: Route) -> None:
        asked.append(json.loads(route.request.post_data or "{}"))
        route.fulfill(json={**_ANSWER, **answers[min(len(asked), len(answers)) - 1]})

    page.route("**/api/solve", answer)
    return asked


def _cards(page: Page) -> list[list[str]]:
    found: list[list[str]] = page.evaluate(
        "() => [...document.querySelectorAll('.layout__column')].map("
        "column => [...column.children].map(card => card.dataset.card ?? '##'))"
    )
    return found


class TestReading:
    def test_shows_the_layout_the_verdict_and_where_to_go(self, deal: DealPage) -> None:
        deal.open("/deal/bakers-dozen/2")
        page = deal.page
        expect(page).to_have_title("Baker’s Dozen, deal 2")
        expect(page.get_by_role("heading", level=1)).to_have_text("Deal 2")
        assert _cards(page) == page.request.get(f"{deal.site}/api/deals/bakers-dozen/2").json()["columns"]
        expect(page.locator("[data-verdict-words]")).to_have_text("This deal can be won.")
        expect(page.locator("[data-play]")).to_have_attribute("href", "/play/bakers-dozen/2")
        expect(page.get_by_role("link", name="Previous deal, 1")).to_have_attribute(
            "href", "/deal/bakers-dozen/1"
        )
        page.get_by_role("link", name="Next deal, 3").click()
        expect(page).to_have_title("Baker’s Dozen, deal 3")

    def test_of_a_lost_deal_says_so_and_offers_no_solution(self, deal: DealPage) -> None:
        deal.open("/deal/bakers-dozen/477")
        expect(deal.page.locator("[data-verdict-words]")).to_have_text("This deal can’t be won.")
        expect(deal.page.locator("[data-reason]")).to_have_text(re.compile(r"^\w.+\.$"))
        expect(deal.button("share")).to_be_visible()
        for name in ("solution", "deeper"):
            expect(deal.button(name)).to_be_hidden()

    def test_is_read_without_javascript(self, new_deal: Callable[..., DealPage]) -> None:
        deal = new_deal(java_script_enabled=False)
        # The browser says that it keeps from loading what it was told not to run.
        deal.expected.append("/static/js/")
        page = deal.page
        page.goto(f"{deal.site}/deal/good-measure/2")
        expect(page.locator("[data-verdict-words]")).to_be_visible()
        columns = page.locator(".layout__column")
        expect(columns).to_have_count(10)
        expect(columns.first.locator("li")).to_have_count(5)
        expect(page.locator(".deal__home")).to_contain_text("ace of")
        # Nothing is offered that would do nothing.
        for button in page.locator("main button").all():
            expect(button).to_be_hidden()
        page.get_by_text("The layout as text").click()
        expect(page.locator(".deal__text pre")).to_contain_text("Foundations: H-")
        page.locator("[data-play]").click()
        assert page.url == f"{deal.site}/play/good-measure/2"

    def test_of_the_first_and_the_last_deal_has_one_neighbour(self, deal: DealPage) -> None:
        deal.open("/deal/spanish-patience/1")
        near = deal.page.locator(".deal__near a")
        expect(near).to_have_attribute("href", "/deal/spanish-patience/2")
        last = "9" * 20
        deal.open(f"/deal/spanish-patience/{last}")
        expect(near).to_have_attribute("href", f"/deal/spanish-patience/{last[:-1]}8")

    def test_shows_backs_in_original_1883(self, deal: DealPage) -> None:
        deal.open("/deal/original-1883/1")
        assert sum(column.count("##") for column in _cards(deal.page)) == 37
        expect(deal.page.locator("[data-verdict-words]")).to_contain_text("with all cards known")
        expect(deal.page.get_by_text("The layout as text")).to_have_count(0)

    def test_wants_no_place_in_search_engines_but_has_a_title_to_share(self, deal: DealPage) -> None:
        answer = deal.page.request.get(f"{deal.site}/deal/bakers-dozen/2")
        html = answer.text()
        assert '<meta name="robots" content="noindex">' in html
        assert '<meta property="og:title" content="Baker’s Dozen, deal 2">' in html
        assert '<meta property="og:description" content="It can be won' in html
        assert f'<meta property="og:url" content="{deal.site}/deal/bakers-dozen/2">' in html

    def test_is_linked_from_the_table(self, table: TablePage) -> None:
        table.open("/play/bakers-dozen/2")
        table.page.locator(".tool-menu summary").click()
        link = table.page.get_by_role("link", name="About this deal")
        expect(link).to_have_attribute("href", "/deal/bakers-dozen/2")
        table.page.keyboard.press("Escape")
        table.command("new")
        expect(table.page.locator("[data-deal]")).not_to_have_text("Deal 2")
        name = table.page.locator("[data-deal]").inner_text()
        number = name.removeprefix("Deal ")
        table.page.locator(".tool-menu summary").click()
        expect(link).to_have_attribute("href", f"/deal/bakers-dozen/{number}")
        link.click()
        expect(table.page).to_have_title(f"Baker’s Dozen, deal {number}")


class TestSharing:
    def test_copies_the_link(self, new_deal: Callable[..., DealPage]) -> None:
        deal = new_deal(permissions=["clipboard-read", "clipboard-write"])
        deal.open("/deal/bakers-dozen/2")
        deal.button("share").click()
        expect(deal.status).to_have_text("The link to this deal is copied.")
        copied = deal.page.evaluate("navigator.clipboard.readText()")
        assert copied == f"{deal.site}/deal/bakers-dozen/2"

    def test_opens_the_share_sheet_of_a_phone(self, new_deal: Callable[..., DealPage]) -> None:
        deal = new_deal("360x640", is_mobile=True)
        deal.page.add_init_script("navigator.share = async data => { window.shared = data; };")
        deal.open("/deal/bakers-dozen/2")
        deal.button("share").click()
        assert deal.page.evaluate("window.shared") == {
            "title": "Baker’s Dozen, deal 2",
            "url": f"{deal.site}/deal/bakers-dozen/2",
        }

    def test_shows_the_link_where_nothing_else_works(self, deal: DealPage) -> None:
        deal.page.add_init_script("navigator.clipboard.writeText = () => Promise.reject(new Error('no'));")
        deal.open("/deal/bakers-dozen/2")
        deal.button("share").click()
        expect(deal.page.locator("[data-share-text]")).to_have_value(f"{deal.site}/deal/bakers-dozen/2")
        expect(deal.page.locator("[data-share-text]")).to_be_focused()


class TestSearchingDeeper:
    def test_finds_par_step_by_step(self, deal: DealPage) -> None:
        deal.open("/deal/bakers-dozen/2")
        asked = _answers(
            deal.page,
            {"pending": True, "par": {"moves": 70, "proven": False, "lower_bound": 66}},
            {"par": {"moves": 68, "proven": True, "lower_bound": 68}},
        )
        deeper = deal.button("deeper")
        expect(deeper).to_have_text("Look for a shorter line")
        deeper.click()
        par = deal.page.locator("[data-par]")
        expect(par).to_have_text("best known 70 (at least 66)")
        expect(deeper).to_have_attribute("aria-disabled", "true")
        expect(par).to_have_text("par 68, proven")
        expect(deal.status).to_have_text("No line is shorter: that is proved.")
        expect(deeper).to_be_hidden()
        assert asked == [{"variant": "bakers-dozen", "deal": "2", "par": True, "deeper": True}] * 2

    def test_decides_what_was_open(self, deal: DealPage) -> None:
        deal.page.route(
            "**/deal/bakers-dozen/2",
            lambda route: route.fulfill(
                response=(answer := route.fetch()),
                body=answer.text().replace(
                    "&quot;outcome&quot;:&quot;won&quot;", "&quot;outcome&quot;:&quot;unknown&quot;"
                ),
            ),
        )
        deal.open("/deal/bakers-dozen/2")
        _answers(
            deal.page,
            {"outcome": "unknown", "pending": True, "line": None},
            {"outcome": "lost", "line": None, "reason": "All ways were tried."},
        )
        deeper = deal.button("deeper")
        expect(deeper).to_have_text("Search deeper")
        deeper.dblclick()
        expect(deal.status).to_have_text("Searching…")
        expect(deal.page.locator("[data-verdict-words]")).to_have_text("This deal can’t be won.")
        expect(deal.page.locator("[data-reason]")).to_have_text("All ways were tried.")
        expect(deal.status).to_have_text("This deal can’t be won.")
        expect(deal.button("solution")).to_be_hidden()

    def test_is_left_after_the_fifth_question(self, deal: DealPage) -> None:
        deal.open("/deal/bakers-dozen/2")
        asked = _answers(deal.page, {"pending": True})
        deal.button("deeper").click()
        # The five questions take seven and a half seconds.
        expect(deal.status).to_have_text("The search goes on. Look again in a while.", timeout=30_000)
        assert len(asked) == 5

    def test_says_when_it_may_not(self, deal: DealPage) -> None:
        deal.open("/deal/bakers-dozen/2")
        deal.expected.append("status of 429")
        error = {"error": {"code": "throttled", "message": "Too often.", "detail": {}}}
        deal.page.route(
            "**/api/solve",
            lambda route: route.fulfill(status=429, headers={"Retry-After": "40"}, json=error),
        )
        deal.button("deeper").click()
        expect(deal.status).to_have_text("That was a lot of questions. Ask again in 40 seconds.")
        expect(deal.button("deeper")).not_to_have_attribute("aria-disabled", "true")


class TestTheSolution:
    def test_is_shown_on_the_page(self, deal: DealPage) -> None:
        deal.open("/deal/bakers-dozen/1")
        deal.button("solution").click()
        viewer = deal.page.locator("dialog#dialog-line")
        expect(viewer).to_have_attribute("data-ply", "0")
        deal.page.keyboard.press("End")
        expect(viewer.locator("[data-foundation] [data-card]")).to_have_count(52)
        deal.page.keyboard.press("Escape")
        expect(deal.button("solution")).to_be_focused()

    def test_asks_first_where_it_looks_at_covered_cards(self, deal: DealPage) -> None:
        deal.open("/deal/original-1883/1")
        deal.button("solution").click()
        ask = deal.page.locator("#dialog-covered")
        expect(ask).to_contain_text("what lies under")
        deal.page.keyboard.press("Escape")
        expect(ask).to_be_hidden()
        expect(deal.button("solution")).to_be_focused()
        deal.button("solution").click()
        ask.get_by_role("button", name="Show it").click()
        viewer = deal.page.locator("dialog#dialog-line")
        expect(viewer).to_have_attribute("data-ply", "0")
        expect(viewer.locator('[data-card="##"]')).to_have_count(37)
        deal.page.keyboard.press("End")
        expect(viewer.locator("[data-foundation] [data-card]")).to_have_count(52)


class TestLooks:
    @pytest.mark.parametrize("size", SIZES)
    @pytest.mark.parametrize("scheme", ["light", "dark"])
    def test_fits_and_is_accessible(
        self,
        new_deal: Callable[..., DealPage],
        assert_accessible: Callable[[Page], None],
        size: str,
        scheme: str,
    ) -> None:
        deal = new_deal(size, color_scheme=scheme)
        for path in ("/deal/original-1883/1", "/deal/good-measure/" + "9" * 20):
            deal.open(path)
            width = SIZES[size][0]
            assert deal.page.evaluate("document.documentElement.scrollWidth") <= width
            for card in (deal.page.locator(".mini").first, deal.page.locator(".mini").last):
                box = card.bounding_box()
                assert box
                assert box["x"] >= 0
                assert box["x"] + box["width"] <= width
            assert_accessible(deal.page)
        deal.button("solution").click()
        expect(deal.page.locator("dialog#dialog-line")).to_have_attribute("data-ply", "0")
        assert_accessible(deal.page)
