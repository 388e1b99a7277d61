"""Statistics, history and replays in a browser: with no game, with a few and with thousands."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import BrowserContext, Page, expect

from tests.browser.conftest import TablePage
from tests.browser.site import ROOT, running_site

STATISTICS = "/accounts/statistics/"
HISTORY = "/accounts/history/"
#: Players, how many games they have played and over how many days.
PASTS = {"new": (0, 1), "few": (12, 20), "many": (5_000, 1500), "winner": (0, 1)}


@pytest.fixture(scope="module")
def site_home(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder of a site of this module's own, whose database it fills."""
    return tmp_path_factory.mktemp("site")


@pytest.fixture(scope="module")
def site(site_home: Path) -> Iterator[str]:
    """Run the site and give its address."""
    with running_site(site_home) as address:
        yield address


@pytest.fixture(scope="module")
def sessions(site_home: Path, site: str) -> dict[str, str]:
    """The session of each player."""
    environment = {
        **os.environ,
        "DJANGO_SETTINGS_MODULE": "config.settings",
        "DATA_DIR": str(site_home / "data"),
        "DATABASE_URL": "",
        "SITE_URL": site,
    }
    return {
        name: subprocess.run(
            [sys.executable, "-m", "tests.browser.past_players", name, str(count), str(days)],
            cwd=ROOT,
            env=environment,
            check=True,
            stdout=subprocess.PIPE,
            text=True,
        ).stdout
        for name, (count, days) in PASTS.items()
    }


@pytest.fixture
def sign_in(
    site: str, sessions: dict[str, str], open_context: Callable[..., BrowserContext]
) -> Iterator[Callable[..., TablePage]]:
    """Make browsers in which a player has signed in."""
    pages = []

    def make(player: str, size: str = "1280x800", **options: Any) -> TablePage:
        context = open_context(size, **options)
        context.add_cookies([{"name": "sessionid", "value": sessions[player], "url": site}])
        page = TablePage(context.new_page(), site)
        pages.append(page)
        return page

    yield make
    for page in pages:
        page.check()


def fits(page: Page) -> bool:
    """Whether nothing makes the page wider than the window."""
    wide: bool = page.evaluate("document.documentElement.scrollWidth <= innerWidth")
    return wide


@pytest.mark.parametrize("size", ["360x640", "1280x800"])
@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("player", ["new", "few", "many"])
class TestLooks:
    def test_every_page_is_accessible_and_as_wide_as_the_window(
        self,
        sign_in: Callable[..., TablePage],
        assert_accessible: Callable[[Page], None],
        player: str,
        scheme: str,
        size: str,
    ) -> None:
        visitor = sign_in(player, size, color_scheme=scheme)
        page = visitor.page
        for path in (STATISTICS, HISTORY):
            visitor.open(path)
            for summary in page.locator("details.behind summary").all():
                summary.click()
            assert_accessible(page)
            assert fits(page)
        if player != "new":
            # Of a game that was lost nothing is asked: no line of these can really be played.
            page.locator(".past__game", has_text="Casual").filter(has_text="Lost").locator("a").first.click()
            expect(page.locator('[data-action="again"]')).to_be_visible()
            assert_accessible(page)
            assert fits(page)


class TestStatistics:
    def test_without_a_game_there_is_one_to_play(self, sign_in: Callable[..., TablePage]) -> None:
        visitor = sign_in("new").open(STATISTICS)
        visitor.page.locator("main").get_by_role("link", name="Play your first game").click()
        visitor.ready()
        expect(visitor.main).to_have_attribute("data-ply", "0")

    def test_pictures_have_a_name_and_a_table_behind_them(self, sign_in: Callable[..., TablePage]) -> None:
        page = sign_in("many").open(STATISTICS).page
        for name in ("Win rate over time", "Wins by moves over par"):
            picture = page.get_by_role("img", name=name)
            expect(picture).to_be_visible()
            figure = page.locator("figure").filter(has=picture)
            table = figure.get_by_role("table", include_hidden=True)
            expect(table).to_be_hidden()
            figure.locator("summary").click()
            expect(table).to_be_visible()
            bars = picture.locator("rect:has(title)").count()
            assert 2 < bars <= table.locator("tbody tr").count()

    def test_pictures_can_be_of_one_variant(self, sign_in: Callable[..., TablePage]) -> None:
        page = sign_in("many").open(STATISTICS).page
        page.get_by_label("Variant").last.select_option("good-measure")
        page.get_by_role("button", name="Show").click()
        expect(page).to_have_url(re.compile(r"variant=good-measure&kind=#pictures$"))
        expect(page.get_by_label("Variant").last).to_have_value("good-measure")
        expect(page.get_by_role("img", name="Win rate over time")).to_be_visible()

    @pytest.mark.parametrize("scheme", ["light", "dark"])
    def test_pictures_are_drawn_in_the_colours_of_the_theme(
        self, sign_in: Callable[..., TablePage], scheme: str
    ) -> None:
        page = sign_in("few", color_scheme=scheme).open(STATISTICS).page
        ink, paper = page.evaluate(
            """() => {
                const text = getComputedStyle(document.querySelector(".plot__line")).stroke;
                return [text, getComputedStyle(document.body).backgroundColor];
            }"""
        )
        darker = [sum(map(int, re.findall(r"\d+", colour)[:3])) for colour in (ink, paper)]
        assert (darker[0] < darker[1]) is (scheme == "light")


class TestHistory:
    def test_older_games_and_back(self, sign_in: Callable[..., TablePage]) -> None:
        page = sign_in("many").open(HISTORY).page
        games = page.locator("[data-game]")
        first = games.evaluate_all("all => all.map(each => each.dataset.game)")
        assert len(first) == 50
        page.get_by_role("link", name="Older games").click()
        expect(games.first).not_to_have_attribute("data-game", first[0])
        second = games.evaluate_all("all => all.map(each => each.dataset.game)")
        assert not set(first) & set(second)
        page.get_by_role("link", name="Newer games").click()
        expect(games.first).to_have_attribute("data-game", first[0])

    def test_a_choice(self, sign_in: Callable[..., TablePage]) -> None:
        page = sign_in("many").open(HISTORY).page
        page.get_by_label("Result").select_option("lost")
        page.get_by_role("button", name="Show").click()
        page.get_by_role("link", name="Older games").click()
        expect(page).to_have_url(re.compile(r"older=.*result=lost"))
        assert page.locator("[data-result=won]").count() == 0
        assert page.locator("[data-result=lost]").count() == 50

    def test_times_are_in_the_zone_of_the_browser(self, sign_in: Callable[..., TablePage]) -> None:
        shown = {}
        for zone in ("Asia/Kolkata", "UTC"):
            page = sign_in("few", timezone_id=zone).open(HISTORY).page
            shown[zone] = page.locator("time").first.inner_text()
            utc = page.locator("time").first.get_attribute("title") or ""
            # Only what the page had is moved to the reader's zone.
            assert utc.endswith(" UTC")
            assert (shown[zone] == utc.removesuffix(" UTC")) is (zone == "UTC")
        minutes = {zone: int(text[-2:]) for zone, text in shown.items()}
        assert (minutes["Asia/Kolkata"] - minutes["UTC"]) % 60 == 30

    def test_without_javascript_times_are_in_utc(self, sign_in: Callable[..., TablePage]) -> None:
        visitor = sign_in("few", java_script_enabled=False, timezone_id="Asia/Kolkata")
        # The browser says that it keeps from loading what it was told not to run.
        visitor.expected.append("/static/js/")
        visitor.page.goto(visitor.site + HISTORY)
        expect(visitor.page.locator("time").first).to_have_text(re.compile(r" \d\d:\d\d UTC$"))


class TestReplay:
    @pytest.fixture
    def won(self, sign_in: Callable[..., TablePage], winning_lines: dict[str, list[str]]) -> TablePage:
        """The newest game in the history of a player who has just won one."""
        visitor = sign_in("winner")
        page = visitor.open("/play/bakers-dozen/2").page
        api = page.context.request
        token = next(each["value"] for each in page.context.cookies() if each["name"] == "csrftoken")

        def post(path: str, **body: Any) -> dict[str, Any]:
            answer = api.post(f"{visitor.site}/api/{path}", data=body, headers={"X-CSRFToken": token})
            assert answer.ok, answer.text()
            state: dict[str, Any] = answer.json()
            return state

        game = post("games", variant="bakers-dozen", kind="casual", deal="2")
        line = winning_lines["bakers-dozen"]
        post(f"games/{game['id']}/moves", request_id="request-1", version=0, at=0, moves=line)
        visitor.open(HISTORY)
        page.locator(".past__link").first.click()
        visitor.ready()
        return visitor

    def test_is_stepped_through_played_and_jumped_in(
        self, won: TablePage, winning_lines: dict[str, list[str]]
    ) -> None:
        page, moves = won.page, len(winning_lines["bakers-dozen"])
        viewer = page.locator("dialog#dialog-line")
        page.get_by_role("button", name="Replay").click()
        expect(viewer).to_have_attribute("data-ply", "0")
        expect(page.locator("[data-line-title]")).to_have_text("Replay")
        page.get_by_role("button", name="One move on").click()
        expect(viewer).to_have_attribute("data-ply", "1")
        for key, ply in (
            ("ArrowRight", 2), ("ArrowRight", 3), ("ArrowLeft", 2), ("End", moves), ("Home", 0),
        ):  # fmt: skip
            page.keyboard.press(key)
            expect(viewer).to_have_attribute("data-ply", str(ply))
        page.locator("[data-line-slider]").fill("40")
        expect(viewer).to_have_attribute("data-ply", "40")
        page.get_by_role("button", name="Play", exact=True).click()
        expect(viewer).to_have_attribute("data-playing", "")
        expect(viewer).to_have_attribute("data-ply", "41")
        page.keyboard.press("Escape")
        expect(viewer).to_be_hidden()

    def test_asks_for_par_as_long_as_it_is_not_known(self, won: TablePage) -> None:
        page = won.page
        par = {"moves": 80, "proven": True, "lower_bound": 80}
        page.route("**/solution", lambda route: route.fulfill(json={"pending": False, "par": par}))
        page.reload()
        expect(page.locator("[data-par]")).to_have_text("12 over par 80, proven")
        page.get_by_role("button", name="Replay").click()
        expect(page.locator("[data-line-par]")).to_have_text("Par 80, proven")

    @pytest.mark.parametrize("scheme", ["light", "dark"])
    def test_is_accessible(
        self,
        sign_in: Callable[..., TablePage],
        won: TablePage,
        assert_accessible: Callable[[Page], None],
        scheme: str,
    ) -> None:
        for size in ("360x640", "1280x800"):
            visitor = sign_in("winner", size, color_scheme=scheme).open(won.page.url.removeprefix(won.site))
            assert_accessible(visitor.page)
            assert fits(visitor.page)
            visitor.page.get_by_role("button", name="Replay").click()
            expect(visitor.page.locator("dialog#dialog-line")).to_have_attribute("data-ply", "0")
            assert_accessible(visitor.page)

    def test_leads_to_the_page_of_its_deal(self, won: TablePage) -> None:
        won.page.get_by_role("link", name="The deal’s page").click()
        expect(won.page.get_by_role("heading", level=1)).to_have_text("Deal 2")

    def test_is_played_again_as_practice(self, won: TablePage) -> None:
        won.page.get_by_role("button", name="Play again").click()
        expect(won.page).to_have_url(re.compile(r"/game/[0-9a-f-]{36}$"))
        won.ready()
        state = won.state()
        assert (state["kind"], state["deal"], state["ply"]) == ("practice", "2", 0)

    def test_is_read_without_javascript(
        self, won: TablePage, open_context: Callable[..., BrowserContext]
    ) -> None:
        context = open_context(java_script_enabled=False)
        context.add_cookies(won.page.context.cookies())  # type: ignore[arg-type]
        page = context.new_page()
        page.goto(won.page.url)
        expect(page.get_by_role("button", name="Replay")).to_be_hidden()
        page.get_by_text("The moves as text").click()
        expect(page.locator(".record__line")).to_be_visible()
