"""Settings: what each does, where they are kept, and how they follow a player."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any

import pytest
from playwright.sync_api import Locator, Page, expect

from tests.browser.conftest import SIZES, TablePage
from tests.browser.people import send, sign_in, sign_up

DEAL_1 = "/play/bakers-dozen/1"
#: The four of diamonds, on top of the first column, goes home or on either black five.
FITS_BOTH = """Foundations: H-3 C-3 D-3 S-3
KC 4C 4D
KD 4H 4S 5C
KH 5D 5H 5S
6C 6D 6H 6S
7C 7D 7H 7S
8C 8D 8H 8S
9C 9D 9H 9S
TC TD TH TS
JC JD JH JS
QC QD QH QS
KS
-
-"""
PATHS = [DEAL_1, "/deal/bakers-dozen/1", "/rules/bakers-dozen", "/questions", "/accounts/login/", "/nowhere"]
PAPER = {"light": "rgb(244, 241, 234)", "dark": "rgb(20, 26, 24)"}
BAR = {"light": "#f4f1ea", "dark": "#141a18"}

#: Notes in `window.durations` what the page animates from now on.
_NOTE_DURATIONS = """() => {
    window.durations = [];
    const { animate } = Element.prototype;
    Element.prototype.animate = function (frames, options) {
        window.durations.push(options.duration);
        return animate.call(this, frames, options);
    };
}"""
#: Notes in `window.atFirst` what the page looked like when the first of it could have been drawn.
_NOTE_FIRST_LOOK = """new MutationObserver((_, observer) => {
    if (!document.body) return;
    window.atFirst = { ...document.documentElement.dataset };
    observer.disconnect();
}).observe(document, { childList: true, subtree: true });"""
#: The contrast of a colour with another, as WCAG counts it, of "rgb(1, 2, 3)".
_CONTRAST = """(one, other) => {
    const luminance = colour => {
        const [r, g, b] = colour.match(/\\d+/g).map(Number).map(each => each / 255)
            .map(each => each <= 0.04045 ? each / 12.92 : ((each + 0.055) / 1.055) ** 2.4);
        return 0.2126 * r + 0.7152 * g + 0.0722 * b;
    };
    const [high, low] = [luminance(one), luminance(other)].sort((a, b) => b - a);
    return (high + 0.05) / (low + 0.05);
}"""


def _control(page: Page, name: str) -> Locator:
    return page.locator(f"#dialog-settings [data-setting={name}]")


def _choose(table: TablePage, **choices: bool | str) -> None:
    """Open the panel, choose, and close it."""
    table.command("settings")
    for name, value in choices.items():
        control = _control(table.page, name)
        if isinstance(value, bool):
            control.set_checked(value, force=True)
        else:
            control.select_option(value)
    table.page.locator("#dialog-settings").get_by_role("button", name="Done").click()


def _chosen(page: Page, name: str) -> Any:
    return _control(page, name).evaluate(
        "control => control.type === 'checkbox' ? control.checked : control.value"
    )


def _import(table: TablePage, layout: str) -> None:
    table.command("import")
    dialog = table.page.locator("#dialog-import")
    dialog.locator("textarea").fill(layout)
    dialog.locator("[data-check]").click()
    dialog.locator("[data-play]").click()
    expect(dialog).to_be_hidden()


def _expect_kept(table: TablePage, words: str) -> None:
    expect(table.page.locator("[data-settings-kept]")).to_have_text(re.compile(words))


class TestATap:
    def test_prefers_the_foundation_or_a_column_as_chosen(self, table: TablePage) -> None:
        table.open(DEAL_1, autocomplete=False)
        _import(table, FITS_BOTH)
        table.tap("1")
        table.expect_ply(1)
        assert table.cards("1")[-1] == "4C"
        assert table.cards("2")[-1] == "5C"
        table.page.keyboard.press("u")
        table.expect_ply(0)
        _choose(table, tap="column")
        table.tap("1")
        table.expect_ply(1)
        assert table.cards("2")[-2:] == ["5C", "4D"]

    def test_that_prefers_columns_asks_which_where_that_is_chosen_too(self, table: TablePage) -> None:
        table.open(DEAL_1, autocomplete=False, tap="column", ask=True)
        _import(table, FITS_BOTH)
        table.tap("1")
        expect(table.page.locator("[data-target]")).to_have_count(2)
        table.tap("3")
        table.expect_ply(1)
        assert table.cards("3")[-1] == "4D"


class TestSpeed:
    @pytest.mark.parametrize(
        ("motion", "speed", "durations"),
        [("no-preference", "system", {200}), ("no-preference", "fast", {100}), ("no-preference", "normal", {200}),
         ("no-preference", "slow", {400}), ("no-preference", "off", set()), ("reduce", "system", set()),
         ("reduce", "slow", {400}), ("reduce", "off", set())],
    )  # fmt: skip
    def test_is_the_players_choice_and_else_the_devices(
        self, new_table: Callable[..., TablePage], motion: str, speed: str, durations: set[int]
    ) -> None:
        table = new_table(reduced_motion=motion)
        table.open(DEAL_1, speed=speed)
        table.page.evaluate(_NOTE_DURATIONS)
        table.tap("1")
        table.expect_ply(1)
        assert set(table.page.evaluate("window.durations")) == durations

    def test_changes_at_once(self, table: TablePage) -> None:
        table.open(DEAL_1)
        table.page.evaluate(_NOTE_DURATIONS)
        _choose(table, speed="slow")
        table.tap("1")
        table.expect_ply(1)
        assert set(table.page.evaluate("window.durations")) == {400}

    def test_is_that_of_auto_complete_too(self, table: TablePage) -> None:
        table.page.clock.install()
        table.open(DEAL_1, speed="slow")
        _import(table, FITS_BOTH)
        table.page.clock.pause_at(table.page.evaluate("Date.now()") + 1_000)
        table.tap("1")
        # Twice the 110 ms that a move takes at normal speed.
        table.page.clock.run_for(219)
        table.expect_ply(1)
        table.page.clock.run_for(2)
        table.expect_ply(2)


class TestSuits:
    @staticmethod
    def colours(page: Page, selector: str) -> dict[str, str]:
        found: dict[str, str] = page.evaluate(
            """selector => Object.fromEntries(["C", "D", "H", "S"].map(suit => {
                const card = document.querySelector(selector.replaceAll("?", suit));
                return [suit, getComputedStyle(card).color];
            }))""",
            selector,
        )
        return found

    @pytest.mark.parametrize("scheme", ["light", "dark"])
    @pytest.mark.parametrize("contrast", ["no-preference", "more"])
    def test_have_a_colour_each_that_can_be_read(
        self, new_table: Callable[..., TablePage], scheme: str, contrast: str
    ) -> None:
        table = new_table(color_scheme=scheme, contrast=contrast)
        table.open(DEAL_1)
        card = '.card[data-suit="?"]'
        two = self.colours(table.page, card)
        assert two["C"] == two["S"] != two["H"] == two["D"]
        _choose(table, suits=True)
        four = self.colours(table.page, card)
        assert len(set(four.values())) == 4
        assert (four["S"], four["H"]) == (two["S"], two["H"])
        face = table.page.evaluate("getComputedStyle(document.querySelector('.card')).backgroundColor")
        for colour in four.values():
            assert table.page.evaluate(f"([one, other]) => ({_CONTRAST})(one, other)", [colour, face]) >= 4.5

    def test_have_them_on_foundations_in_a_solution_and_on_the_page_of_a_deal(self, table: TablePage) -> None:
        table.open(DEAL_1, suits="four")
        four = self.colours(table.page, '.column .card[data-suit="?"]')
        assert len(set(four.values())) == 4
        table.tap("1")
        table.expect_ply(1)
        home = table.foundation("D").locator("[data-card=AD]")
        assert home.evaluate("card => getComputedStyle(card).color") == four["D"]
        table.page.goto(f"{table.site}/deal/bakers-dozen/1")
        assert self.colours(table.page, '.mini[data-suit="?"]') == four
        table.ready()
        table.page.locator("[data-action=solution]").click()
        expect(table.page.locator("[data-line] .card")).to_have_count(52)
        assert self.colours(table.page, '[data-line] .card[data-suit="?"]') == four


class TestTheTheme:
    @pytest.mark.parametrize("path", PATHS)
    @pytest.mark.parametrize("device", ["light", "dark"])
    def test_is_the_players_on_every_page_before_it_is_drawn(
        self, new_table: Callable[..., TablePage], device: str, path: str
    ) -> None:
        table = new_table(color_scheme=device)
        table.expected.append("404")
        chosen = "dark" if device == "light" else "light"
        table.page.add_init_script(_NOTE_FIRST_LOOK)
        table.set(theme=chosen)
        table.page.goto(table.site + path)
        assert table.page.evaluate("window.atFirst.theme") == chosen
        assert table.page.evaluate("getComputedStyle(document.body).backgroundColor") == PAPER[chosen]
        assert table.page.evaluate("getComputedStyle(document.documentElement).colorScheme") == chosen
        bars = table.page.locator("meta[name=theme-color]").evaluate_all(
            "all => all.map(each => each.content)"
        )
        assert bars == [BAR[chosen], BAR[chosen]]

    @pytest.mark.parametrize("device", ["light", "dark"])
    def test_is_the_devices_unless_one_was_chosen(
        self, new_table: Callable[..., TablePage], device: str
    ) -> None:
        table = new_table(color_scheme=device)
        table.open(DEAL_1)
        page = table.page
        assert page.evaluate("getComputedStyle(document.body).backgroundColor") == PAPER[device]
        _choose(table, theme="light" if device == "dark" else "dark")
        assert page.evaluate("getComputedStyle(document.body).backgroundColor") != PAPER[device]
        _choose(table, theme="system")
        assert page.evaluate("getComputedStyle(document.body).backgroundColor") == PAPER[device]
        bars = page.locator("meta[name=theme-color]").evaluate_all("all => all.map(each => each.content)")
        assert bars == [BAR["light"], BAR["dark"]]

    def test_of_all_tabs_is_one(self, new_table: Callable[..., TablePage]) -> None:
        table = new_table(color_scheme="light")
        table.open(DEAL_1)
        other = table.page.context.new_page()
        other.goto(f"{table.site}/rules/bakers-dozen")
        _choose(table, theme="dark")
        expect(other.locator("html")).to_have_attribute("data-theme", "dark")


class TestAccounts:
    def test_settings_follow_the_account_to_another_browser(
        self, new_table: Callable[..., TablePage]
    ) -> None:
        table = new_table(color_scheme="light")
        table.open(DEAL_1)
        _choose(table, theme="dark", ask=True)
        _expect_kept(table, "Kept in this browser")
        email = sign_up(table.page.context, table.site)
        # What was chosen as a guest comes along, and what is chosen now goes after it.
        with table.page.expect_response("**/api/me/settings") as taken:
            table.open(DEAL_1)
        assert taken.value.request.post_data_json == {"theme": "dark", "ask": True}
        with table.page.expect_response("**/api/me/settings"):
            _choose(table, speed="slow", suits=True)
        _expect_kept(table, "Kept in your account")
        table.page.wait_for_load_state("networkidle")

        elsewhere = new_table(color_scheme="light")
        elsewhere.open(DEAL_1)
        _choose(elsewhere, theme="light", lamp=True)
        sign_in(elsewhere.page.context, table.site, email)
        elsewhere.page.add_init_script(_NOTE_FIRST_LOOK)
        elsewhere.open(DEAL_1)
        first = elsewhere.page.evaluate("window.atFirst")
        assert (first["theme"], first["suits"], first["speed"]) == ("dark", "four", "slow")
        assert _chosen(elsewhere.page, "ask") is True
        # The account has its own, so this browser's have given way.
        assert _chosen(elsewhere.page, "lamp") is False

    def test_what_was_chosen_as_a_guest_shows_at_once_on_signing_up(
        self, new_table: Callable[..., TablePage]
    ) -> None:
        table = new_table(color_scheme="light")
        table.open(DEAL_1)
        _choose(table, theme="dark")
        sign_up(table.page.context, table.site)
        table.page.add_init_script(_NOTE_FIRST_LOOK)
        table.page.goto(f"{table.site}/rules/bakers-dozen")
        assert table.page.evaluate("window.atFirst.theme") == "dark"

    def test_changes_without_a_connection_are_kept_and_sent_later(
        self, new_table: Callable[..., TablePage]
    ) -> None:
        table = new_table()
        table.expected += ["ERR_INTERNET_DISCONNECTED"]
        context = table.page.context
        sign_up(context, table.site)
        table.open(DEAL_1)
        context.set_offline(True)
        _choose(table, theme="dark")
        expect(table.page.locator("html")).to_have_attribute("data-theme", "dark")
        _expect_kept(table, "sent to your account as soon as")
        with table.page.expect_response("**/api/me/settings"):
            context.set_offline(False)
        _expect_kept(table, "Kept in your account")
        known = context.request.get(f"{table.site}/api/me/settings").json()
        assert known["settings"]["theme"] == "dark"

    def test_two_tabs_show_the_same(self, new_table: Callable[..., TablePage]) -> None:
        one = new_table()
        sign_up(one.page.context, one.site)
        one.open(DEAL_1)
        other = new_table(context=one.page.context)
        other.open("/play/bakers-dozen/2")
        with one.page.expect_response("**/api/me/settings"):
            _choose(one, clock=False)
        expect(other.page.locator("[data-clock]")).to_be_hidden()
        with other.page.expect_response("**/api/me/settings"):
            _choose(other, suits=True)
        expect(one.page.locator("html")).to_have_attribute("data-suits", "four")
        known = one.page.context.request.get(f"{one.site}/api/me/settings").json()["settings"]
        assert (known["clock"], known["suits"]) == (False, "four")

    def test_a_page_that_the_browser_had_kept_shows_what_was_chosen_since(
        self, new_table: Callable[..., TablePage]
    ) -> None:
        table = new_table(color_scheme="light")
        sign_up(table.page.context, table.site)
        table.open("/rules/bakers-dozen".replace("/rules", "/play") + "/1")
        table.page.goto(f"{table.site}/play/bakers-dozen/2")
        table.ready()
        with table.page.expect_response("**/api/me/settings"):
            _choose(table, theme="dark")
        table.page.go_back()
        table.ready()
        expect(table.page.locator("html")).to_have_attribute("data-theme", "dark")

    def test_signing_out_leaves_nothing_of_them(self, new_table: Callable[..., TablePage]) -> None:
        table = new_table(color_scheme="light")
        context = table.page.context
        sign_up(context, table.site)
        table.open(DEAL_1)
        with table.page.expect_response("**/api/me/settings"):
            _choose(table, theme="dark")
        _expect_kept(table, "Kept in your account")
        send(context, table.site, "/accounts/logout/")
        table.page.add_init_script(_NOTE_FIRST_LOOK)
        table.open(DEAL_1)
        assert "theme" not in table.page.evaluate("window.atFirst")
        assert table.page.evaluate("Object.keys(localStorage).filter(key => key.includes('settings'))") == []


class TestThePanel:
    def test_is_two_presses_away(self, new_table: Callable[..., TablePage]) -> None:
        for size in SIZES:
            table = new_table(size)
            table.open(DEAL_1)
            table.page.locator(".tool-menu summary").click()
            table.page.locator("[data-action=settings]").click()
            expect(table.page.locator("#dialog-settings")).to_be_visible()

    def test_is_used_with_keys_alone(self, table: TablePage) -> None:
        table.open(DEAL_1)
        table.command("settings")
        keyboard = table.page.keyboard
        reached = []
        for _ in range(40):
            keyboard.press("Tab")
            name = table.page.evaluate("document.activeElement.dataset.setting ?? ''")
            if name:
                reached.append(name)
            if name == "clock":
                keyboard.press(" ")
            if name == "theme":
                keyboard.press("ArrowDown")
                keyboard.press("ArrowDown")
            if table.page.evaluate("document.activeElement.textContent") == "Done":
                break
        names = table.page.locator("#dialog-settings [data-setting]").evaluate_all(
            "all => all.map(each => each.dataset.setting)"
        )
        assert reached == names
        keyboard.press("Enter")
        expect(table.page.locator("#dialog-settings")).to_be_hidden()
        expect(table.page.locator("[data-clock]")).to_be_hidden()
        expect(table.page.locator("html")).to_have_attribute("data-theme", "dark")

    def test_names_every_control_and_its_group(self, table: TablePage) -> None:
        table.open(DEAL_1)
        table.command("settings")
        panel = table.page.locator("#dialog-settings")
        for group in ("Playing", "On the table", "Look and motion", "Keyboard"):
            expect(panel.get_by_role("group", name=group)).to_be_visible()
        expect(panel.get_by_role("switch", name="Four-colour suits")).to_be_visible()
        expect(panel.get_by_role("combobox", name="Animation speed")).to_be_visible()
        expect(panel.get_by_role("combobox", name="A tap prefers")).to_be_visible()

    @pytest.mark.parametrize("theme", ["light", "dark"])
    @pytest.mark.parametrize("size", SIZES)
    def test_axe_finds_nothing_serious_in_either_theme(
        self,
        new_table: Callable[..., TablePage],
        assert_accessible: Callable[[Page], None],
        size: str,
        theme: str,
    ) -> None:
        table = new_table(size, color_scheme="dark" if theme == "light" else "light")
        table.open(DEAL_1, theme=theme, suits="four", speed="off")
        assert_accessible(table.page)
        table.command("settings")
        assert_accessible(table.page)
        # Nothing of it hangs over the edge of a small phone.
        assert table.page.locator("#dialog-settings").evaluate(
            "panel => panel.scrollWidth <= panel.clientWidth"
        )
