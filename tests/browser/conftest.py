"""A site and a browser for tests that look at it as a player does.

The site runs as it does for people: collected and hashed static files, gunicorn, a database of its own. Whatever the
browser's console complains about, and every request that fails, fails the test.
"""

from __future__ import annotations

import json
import re
import sqlite3
from collections.abc import Callable, Iterator
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import Browser, BrowserContext, Locator, Page, expect

from tests.browser.site import CHROMIUM_FLAGS, chromium, running_site

#: The sizes at which the site must be good: a small phone upright and on its side, and a laptop.
SIZES = {"360x640": (360, 640), "640x360": (640, 360), "1280x800": (1280, 800)}

expect.set_options(timeout=10_000)


@pytest.fixture(scope="session")
def browser_type_launch_args(browser_type_launch_args: dict[str, Any]) -> dict[str, Any]:
    """Start the system's Chromium, which as root needs to be told to do without its sandbox."""
    return {
        **browser_type_launch_args,
        "executable_path": chromium(),
        "args": CHROMIUM_FLAGS,
    }


@pytest.fixture(scope="session")
def site_home(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder in which the site keeps everything."""
    return tmp_path_factory.mktemp("site")


@pytest.fixture(scope="session")
def site(site_home: Path) -> Iterator[str]:
    """Run the site and give its address."""
    with running_site(site_home) as address:
        yield address


@pytest.fixture(autouse=True)
def _limits_anew(request: pytest.FixtureRequest) -> None:
    """Let each test begin with nothing used up: they all come from one address, one right after the other."""
    if "site" not in request.fixturenames:
        return
    request.getfixturevalue("site")
    database = request.getfixturevalue("site_home") / "data" / "db.sqlite3"
    with closing(sqlite3.connect(f"file:{database}?mode=rw", uri=True, timeout=20)) as connection, connection:
        connection.execute("DELETE FROM bakers_limit")


class TablePage:
    """A table in a browser, played by tap, drag and key."""

    def __init__(self, page: Page, site: str, *, has_touch: bool = False) -> None:
        self.page = page
        self.site = site
        self.has_touch = has_touch
        self.complaints: list[str] = []
        #: Parts of complaints that a test has provoked, such as the status of a refusal.
        self.expected: list[str] = []
        page.on("console", self._on_console)
        page.on("pageerror", lambda error: self.complaints.append(f"error: {error}"))
        page.on("requestfailed", self._on_request_failed)

    def _on_console(self, message: Any) -> None:
        if message.type in ("error", "warning"):
            self.complaints.append(f"{message.type}: {message.text} {message.location.get('url', '')}")

    def _on_request_failed(self, request: Any) -> None:
        # A page that is left takes its requests along; the outbox sends what they carried again.
        if request.failure != "net::ERR_ABORTED":
            self.complaints.append(f"request failed: {request.url} {request.failure}")

    def check(self) -> None:
        """Fail if the browser complained about anything that the test didn't provoke."""
        left = [text for text in self.complaints if not any(part in text for part in self.expected)]
        assert not left, left

    # Getting there

    def open(self, path: str = "/", **settings: bool | str) -> TablePage:
        """Open a page of the site as soon as it can be played, with these settings."""
        if settings:
            self.set(**settings)
        self.page.goto(self.site + path)
        self.ready()
        return self

    def ready(self) -> None:
        """Wait until the table can be played."""
        self.page.wait_for_selector("html[data-ready=true]", state="attached")

    def set(self, **settings: bool | str) -> None:
        """Store settings for the next page, as the settings panel does."""
        # The values stand in the script: add_init_script takes no arguments.
        self.page.add_init_script(
            "if (!localStorage.getItem('bakers.settings'))"
            f" localStorage.setItem('bakers.settings', {json.dumps(json.dumps(settings))});"
        )

    # Looking

    @property
    def main(self) -> Locator:
        """The table as a whole."""
        return self.page.locator("main#table")

    def column(self, char: str) -> Locator:
        """A column by its character in moves."""
        return self.page.locator(f'[data-column="{"123456789abcd".index(char) + 1}"]')

    def top(self, char: str) -> Locator:
        """The top card of a column."""
        return self.column(char).locator("[data-card]").last

    def cards(self, char: str) -> list[str]:
        """The cards of a column, the top card last."""
        names = (
            self.column(char).locator("[data-card]").evaluate_all("cards => cards.map(c => c.dataset.card)")
        )
        return [str(name) for name in names]

    def columns(self) -> list[list[str]]:
        """All columns."""
        found: list[list[str]] = self.page.evaluate(
            "() => [...document.querySelectorAll('[data-column]')].map("
            "column => [...column.querySelectorAll('[data-card]')].map(card => card.dataset.card))"
        )
        return found

    def foundation(self, suit: str) -> Locator:
        """A foundation by its suit."""
        return self.page.locator(f'[data-foundation="{suit}"]')

    def expect_ply(self, ply: int) -> None:
        """Wait until so many moves lie in the line."""
        if self.ply() != ply:
            expect(self.main).to_have_attribute("data-ply", str(ply))

    def expect_saved(self) -> None:
        """Wait until the server has acknowledged everything."""
        expect(self.main).to_have_attribute("data-sync", "idle")

    def expect_status(self, status: str) -> None:
        """Wait until the game is open, won or lost."""
        expect(self.main).to_have_attribute("data-status", status)

    def state(self) -> dict[str, Any]:
        """The game as the server has it, asked for with the page's own session."""
        self.expect_saved()
        found = re.search(r"/game/([0-9a-f-]{36})$", self.page.url)
        assert found, f"{self.page.url} is no game's address"
        answer = self.page.context.request.get(f"{self.site}/api/games/{found[1]}")
        assert answer.ok, answer.text()
        state: dict[str, Any] = answer.json()
        return state

    # Playing

    def tap(self, char: str) -> None:
        """Tap, or with a mouse click, the top card of a column; or the column where it is empty."""
        self._settle(char)
        spot = self.page.evaluate(
            """name => {
                const column = document.querySelector(`[data-column="${name}"]`);
                const place = [...column.querySelectorAll("[data-card]")].at(-1) ?? column;
                const { left, top, width, height } = place.getBoundingClientRect();
                return [left + width / 2, top + Math.min(width, height) / 2];
            }""",
            "123456789abcd".index(char) + 1,
        )
        if self.has_touch:
            self.page.touchscreen.tap(*spot)
        else:
            self.page.mouse.click(*spot)

    def tap_move(self, move: str) -> None:
        """Play a move by taps: on the card and, where the table asks, on the target."""
        before = self.ply()
        if move[1] != "h":
            self._settle(move[1])
        self.tap(move[0])
        if self.ply() == before:
            self.tap(move[1])
        self.expect_ply(before + 1)

    def waits_for_a_card(self, char: str) -> bool:
        """Whether the top card of a column is face down until the server says which it is."""
        return self.cards(char)[-1:] == ["##"]

    def ply(self) -> int:
        """How many moves lie in the line now."""
        ply: int = self.page.evaluate("Number(document.querySelector('main#table').dataset.ply)")
        return ply

    def drag(self, source: str, target: str, *, drop: bool = True) -> None:
        """Drag the top card of a column to the middle of a place with the mouse."""
        self._settle(source)
        if target != "h":
            self._settle(target)
        start, end = self.page.evaluate(
            """([source, target]) => {
                const middle = place => {
                    const { left, top, width, height } = place.getBoundingClientRect();
                    return [left + width / 2, top + height / 2];
                };
                const column = name => document.querySelector(`[data-column="${name}"]`);
                const card = [...column(source).querySelectorAll("[data-card]")].at(-1);
                const suit = card.dataset.card.charAt(1);
                const goal = target ? column(target) : document.querySelector(`[data-foundation="${suit}"]`);
                return [middle(card), middle(goal)];
            }""",
            ["123456789abcd".index(source) + 1, "123456789abcd".find(target) + 1],
        )
        mouse = self.page.mouse
        mouse.move(*start)
        mouse.down()
        mouse.move(*end, steps=4)
        if drop:
            mouse.up()

    def _settle(self, char: str) -> None:
        """Wait until the top card of a column is face up, and no card moves."""
        if self.waits_for_a_card(char):
            expect(self.top(char)).not_to_have_attribute("data-card", "##")
        self.page.evaluate(
            "Promise.allSettled(document.getAnimations().map(animation => animation.finished))"
        )

    def key_move(self, move: str) -> None:
        """Play a move with keys alone: arrows to the column, F or Space, arrows to the target, Space."""
        before = self.ply()
        self._settle(move[0])
        self.focus(move[0])
        if move[1] == "h":
            self.page.keyboard.press("f")
        else:
            self._settle(move[1])
            self.page.keyboard.press(" ")
            self.focus(move[1])
            self.page.keyboard.press(" ")
        self.expect_ply(before + 1)

    def focus(self, char: str) -> None:
        """Go to a column with the arrow keys."""
        wanted = f"column-{'123456789abcd'.index(char) + 1}"
        for _ in range(30):
            focused = self.page.evaluate("document.activeElement.dataset.stop ?? ''")
            if focused == wanted:
                return
            if not focused.startswith("column-"):
                self.page.keyboard.press("ArrowDown" if focused else "ArrowRight")
                continue
            right = int(focused.removeprefix("column-")) < int(wanted.removeprefix("column-"))
            self.page.keyboard.press("ArrowRight" if right else "ArrowLeft")
        raise AssertionError(f"The arrow keys never reached {wanted}.")

    def command(self, name: str) -> None:
        """Use a button of the toolbar, opening the menu if it is there."""
        button = self.page.locator(f'[data-action="{name}"]')
        if not button.is_visible():
            self.page.locator(".tool-menu summary").click()
        button.click()


@pytest.fixture
def open_context(browser: Browser) -> Iterator[Callable[..., BrowserContext]]:
    """Make browsers of their own, each with its cookies; sizes as in `SIZES`."""
    contexts = []

    def make(size: str = "1280x800", **options: Any) -> BrowserContext:
        width, height = SIZES[size]
        # A phone is touched, a laptop has a mouse.
        options.setdefault("has_touch", size != "1280x800")
        context = browser.new_context(viewport={"width": width, "height": height}, **options)
        contexts.append(context)
        return context

    yield make
    for context in contexts:
        context.close()


@pytest.fixture
def new_table(site: str, open_context: Callable[..., BrowserContext]) -> Iterator[Callable[..., TablePage]]:
    """Make tables: each in a browser of its own, or in another tab of a given one."""
    tables = []

    def make(size: str = "1280x800", *, context: BrowserContext | None = None, **options: Any) -> TablePage:
        page = (context or open_context(size, **options)).new_page()
        table = TablePage(page, site, has_touch=page.evaluate("navigator.maxTouchPoints > 0"))
        tables.append(table)
        return table

    yield make
    for table in tables:
        table.check()


@pytest.fixture
def table(new_table: Callable[..., TablePage]) -> TablePage:
    """A table in a new browser of a laptop."""
    return new_table()


@pytest.fixture
def assert_accessible() -> Callable[..., None]:
    """Check a page with axe and further options of its, which must find nothing serious."""

    def check(page: Page, **options: Any) -> None:
        found = Axe().run(page, options={"resultTypes": ["violations"], **options}).response["violations"]
        bad = [
            f"{each['id']}: {each['help']} ({', '.join(str(node['target']) for node in each['nodes'][:5])})"
            for each in found
            if each["impact"] in ("serious", "critical")
        ]
        assert not bad, bad

    return check
