"""Solutions, kinks, aces, winnable deals and the verdicts in dialogs."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Sequence
from typing import Any

import pytest
from playwright.sync_api import Locator, Page, Route, expect

from tests.browser.conftest import SIZES, TablePage

DEAL_1 = "/play/bakers-dozen/1"
#: A deal of bakers-dozen that is proved to be lost.
LOST = "/play/bakers-dozen/477"
#: All goes home at once.
EASY = """Foundations: H-3 C-3 D-3 S-3
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


def _viewer(page: Page) -> Locator:
    return page.locator("dialog#dialog-line")


def _expect_ply(page: Page, ply: int) -> None:
    expect(_viewer(page)).to_have_attribute("data-ply", str(ply))


def _expect_line(page: Page, ply: int = 0) -> int:
    """Wait until a line is shown, and return its moves."""
    _expect_ply(page, ply)
    return int(page.locator("[data-line-slider]").get_attribute("max") or "")


def _answer(route: Route, **answer: Any) -> None:
    asked = json.loads(route.request.post_data or "{}")
    known = {
        "variant": asked.get("variant"),
        "deal": asked.get("deal"),
        "outcome": "unknown",
        "pending": False,
        "retry_ms": None,
        "reason": "",
        "line": None,
        "moves": None,
        "expanded": 1,
        "par": None,
        "start": None,
    }
    route.fulfill(json={**known, **answer})


def _hold(page: Page, where: str | re.Pattern[str]) -> list[Route]:
    """Leave calls without an answer, until a test gives one."""
    held: list[Route] = []

    def keep(route: Route) -> None:
        held.append(route)

    page.route(where, keep)
    return held


def _refuse(route: Route, status: int, code: str, message: str, **headers: str) -> None:
    body = {"error": {"code": code, "message": message, "detail": {}}}
    route.fulfill(status=status, json=body, headers=headers)


def _import(table: TablePage, layout: str) -> None:
    table.command("import")
    dialog = table.page.locator("#dialog-import")
    dialog.locator("textarea").fill(layout)
    dialog.locator("[data-check]").click()
    dialog.locator("[data-play]").click()
    expect(dialog).to_be_hidden()


def _live(table: TablePage) -> str:
    return table.page.locator("main [data-live]").inner_text()


class TestSolutionOfADeal:
    def test_is_gone_through_by_keys_from_the_deal_to_the_last_card(self, table: TablePage) -> None:
        table.open(DEAL_1)
        dealt = table.columns()
        table.command("solution")
        moves = _expect_line(table.page)
        assert moves >= 52
        keys = table.page.keyboard
        words = table.page.locator("[data-line-move]")
        keys.press("ArrowRight")
        _expect_ply(table.page, 1)
        expect(words).to_have_text(re.compile(rf"^Move 1 of {moves}: \w+ of \w+ to "))
        keys.press("ArrowRight")
        keys.press("ArrowLeft")
        _expect_ply(table.page, 1)
        keys.press("End")
        _expect_ply(table.page, moves)
        expect(_viewer(table.page).locator('[data-foundation="H"] [data-card]')).to_have_count(13)
        keys.press("Home")
        _expect_ply(table.page, 0)
        keys.press("Escape")
        expect(_viewer(table.page)).to_be_hidden()
        # The game on the table is as it was, and the focus is where the menu was opened.
        assert table.columns() == dealt
        assert table.ply() == 0
        expect(table.page.locator(".tool-menu summary")).to_be_focused()

    def test_plays_by_itself_and_stops(self, table: TablePage) -> None:
        table.open(DEAL_1)
        table.command("solution")
        _expect_line(table.page)
        play = table.page.locator('[data-line-action="play"]')
        expect(play).to_be_focused()
        table.page.keyboard.press(" ")
        expect(play).to_have_attribute("aria-label", "Pause")
        _expect_ply(table.page, 2)
        table.page.keyboard.press(" ")
        expect(_viewer(table.page)).not_to_have_attribute("data-playing", "")
        expect(play).to_have_attribute("aria-label", "Play")

    def test_space_plays_where_no_button_has_the_focus(self, table: TablePage) -> None:
        table.open(DEAL_1)
        table.command("solution")
        _expect_line(table.page)
        table.page.locator("[data-line-slider]").focus()
        table.page.keyboard.press(" ")
        expect(_viewer(table.page)).to_have_attribute("data-playing", "")
        # A step of one's own ends it.
        table.page.keyboard.press("ArrowRight")
        expect(_viewer(table.page)).not_to_have_attribute("data-playing", "")

    def test_is_gone_through_by_buttons_and_by_the_slider(self, table: TablePage) -> None:
        table.open(DEAL_1)
        table.command("solution")
        moves = _expect_line(table.page)
        action = table.page.locator("[data-line-action]")
        back, step, last = (
            action.and_(table.page.locator(f'[data-line-action="{name}"]'))
            for name in ("back", "step", "last")
        )
        expect(back).to_have_attribute("aria-disabled", "true")
        step.click()
        _expect_ply(table.page, 1)
        last.click()
        _expect_ply(table.page, moves)
        expect(step).to_have_attribute("aria-disabled", "true")
        step.click(force=True)
        _expect_ply(table.page, moves)
        slider = table.page.locator("[data-line-slider]")
        slider.fill("20")
        _expect_ply(table.page, 20)
        expect(slider).to_have_attribute("aria-valuetext", re.compile(f"^Move 20 of {moves}: "))

    def test_says_each_move_to_those_who_listen(self, table: TablePage) -> None:
        table.open(DEAL_1)
        table.command("solution")
        _expect_line(table.page)
        table.page.keyboard.press("ArrowRight")
        said = table.page.locator("[data-line-live]")
        expect(said).to_contain_text("Move 1 of")
        columns = _viewer(table.page).get_by_role("img", name=re.compile("^Column 1, "))
        expect(columns).to_have_count(1)
        expect(columns).to_have_attribute("aria-label", re.compile("6 of hearts, jack of hearts"))

    def test_needs_no_motion(self, new_table: Callable[..., TablePage]) -> None:
        table = new_table(reduced_motion="reduce")
        table.open(DEAL_1)
        table.command("solution")
        _expect_line(table.page)
        table.page.keyboard.press("ArrowRight")
        _expect_ply(table.page, 1)
        assert table.page.evaluate("document.getAnimations().length") == 0

    def test_of_a_lost_deal_is_the_reason_why_there_is_none(self, table: TablePage) -> None:
        table.open(LOST)
        table.command("solution")
        message = table.page.locator("[data-line-words]")
        expect(message).to_have_text(re.compile(r"^This deal can’t be won\. \w.+\."))
        assert "can’t be won" in table.page.locator("[data-line-live]").inner_text()
        table.page.locator('[data-line-choice="close"]').click()
        expect(_viewer(table.page)).to_be_hidden()

    def test_of_an_imported_layout_needs_no_number(self, table: TablePage) -> None:
        table.open(DEAL_1)
        _import(table, EASY)
        table.command("solution")
        assert _expect_line(table.page) == 40

    def test_may_be_long(self, table: TablePage) -> None:
        table.open("/play/spanish-patience/1")
        _import(table, EASY)
        # The king to and fro between empty columns.
        line = ["bc", "cb"] * 1000
        table.page.route("**/api/solve", lambda route: _answer(route, outcome="won", line=line, moves=2000))
        table.command("solution")
        assert _expect_line(table.page) == 2000
        table.page.keyboard.press("End")
        _expect_ply(table.page, 2000)
        table.page.keyboard.press("ArrowLeft")
        expect(table.page.locator("[data-line-move]")).to_have_text(
            "Move 1999 of 2000: King of spades to column 12."
        )

    @pytest.mark.parametrize(
        ("par", "words"),
        [
            ({"moves": 66, "proven": True, "lower_bound": 66}, "Par 66, proven"),
            ({"moves": 66, "proven": False, "lower_bound": 63}, "Best known 66 (at least 63)"),
            (None, ""),
        ],
    )
    def test_has_par_beside_it(self, table: TablePage, par: Any, words: str) -> None:
        table.open(DEAL_1)
        table.page.route(
            "**/api/solve", lambda route: _answer(route, outcome="won", line=["1h"], moves=1, par=par)
        )
        table.command("solution")
        _expect_line(table.page)
        expect(table.page.locator("[data-line-par]")).to_have_text(words)


class TestASolutionThatTakesTime:
    def test_is_waited_for_and_becomes_shorter(self, table: TablePage) -> None:
        table.open(DEAL_1)
        answers: list[dict[str, Any]] = [
            {"pending": True},
            {"outcome": "won", "line": ["1h", "4h", "5h"], "pending": True},
            {
                "outcome": "won",
                "line": ["4h", "5h"],
                "par": {"moves": 2, "proven": True, "lower_bound": 2},
            },
        ]
        table.page.route("**/api/solve", lambda route: _answer(route, **answers.pop(0)))
        table.command("solution")
        expect(table.page.locator("[data-line-words]")).to_have_text("Looking for a solution…")
        _expect_ply(table.page, 0)
        slider = table.page.locator("[data-line-slider]")
        expect(slider).to_have_attribute("max", "3")
        expect(slider).to_have_attribute("max", "2")
        expect(table.page.locator("[data-line-par]")).to_have_text("Par 2, proven")
        assert not answers

    def test_stays_as_it_is_once_somebody_goes_along_it(self, table: TablePage) -> None:
        table.open(DEAL_1)
        answers: list[dict[str, Any]] = [
            {"outcome": "won", "line": ["1h", "4h", "5h"], "pending": True},
            {
                "outcome": "won",
                "line": ["4h", "5h"],
                "par": {"moves": 2, "proven": True, "lower_bound": 2},
            },
        ]
        table.page.route("**/api/solve", lambda route: _answer(route, **answers.pop(0)))
        table.command("solution")
        _expect_ply(table.page, 0)
        table.page.keyboard.press("ArrowRight")
        expect(table.page.locator("[data-line-par]")).to_have_text("Par 2, proven")
        expect(table.page.locator("[data-line-slider]")).to_have_attribute("max", "3")
        _expect_ply(table.page, 1)

    def test_that_isnt_found_may_be_searched_deeper(self, table: TablePage) -> None:
        table.open(DEAL_1)
        asked: list[dict[str, Any]] = []

        def answer(route: Route) -> None:
            asked.append(json.loads(route.request.post_data or "{}"))
            if asked[-1].get("deeper"):
                _answer(route, outcome="won", line=["1h"])
            else:
                _answer(route)

        table.page.route("**/api/solve", answer)
        table.command("solution")
        expect(table.page.locator("[data-line-words]")).to_have_text("Not decided yet.")
        table.page.locator('[data-line-choice="deeper"]').click()
        assert _expect_line(table.page) == 1
        expect(table.page.locator('[data-line-action="play"]')).to_be_focused()
        assert [each.get("deeper", False) for each in asked] == [False, True]

    def test_that_is_no_longer_wanted_shows_nothing(self, table: TablePage) -> None:
        table.open(DEAL_1)
        held = _hold(table.page, "**/api/solve")
        table.command("solution")
        expect(table.page.locator("[data-line-words]")).to_be_visible()
        table.page.keyboard.press("Escape")
        expect(_viewer(table.page)).to_be_hidden()
        _answer(held[0], outcome="won", line=["1h"])
        table.page.evaluate("new Promise(resolve => requestAnimationFrame(resolve))")
        expect(_viewer(table.page)).to_be_hidden()
        expect(_viewer(table.page).locator("[data-card]")).to_have_count(0)

    @pytest.mark.parametrize(
        ("status", "code", "words"),
        [
            (403, "help_refused", "Help with this deal isn’t open yet."),
            (429, "throttled", "That was a lot of questions. Ask again in 12 seconds."),
            (503, "busy", "The server is busy. Ask again in 12 seconds."),
            (0, "network", "The server can’t be reached."),
        ],
    )
    def test_that_is_refused_says_why_and_may_be_tried_again(
        self, table: TablePage, status: int, code: str, words: str
    ) -> None:
        table.open(DEAL_1)
        table.expected += ["status of", "ERR_FAILED", "request failed"]

        def refuse(route: Route) -> None:
            if status == 0:
                route.abort()
            else:
                _refuse(route, status, code, "Help with this deal isn’t open yet.", **{"Retry-After": "12"})

        table.page.route("**/api/solve", refuse)
        table.command("solution")
        expect(table.page.locator("[data-line-words]")).to_have_text(words)
        table.page.unroute("**/api/solve")
        table.page.locator('[data-line-choice="again"]').click()
        _expect_line(table.page)


class TestSolutionOfARunningGame:
    def test_asks_first_and_marks_the_game_as_helped(self, table: TablePage) -> None:
        table.open(DEAL_1)
        table.tap_move("1h")
        table.command("solution")
        ask = table.page.locator("#dialog-solution")
        expect(ask).to_contain_text("marked as helped")
        ask.get_by_role("button", name="Cancel").click()
        expect(ask).to_be_hidden()
        expect(_viewer(table.page)).to_be_hidden()
        assert table.state()["helped"] is False

        table.command("solution")
        ask.get_by_role("button", name="Show it").click()
        assert _expect_line(table.page) >= 52
        expect(table.page.locator("[data-line-title]")).to_have_text("Solution")
        table.page.keyboard.press("Escape")
        state = table.state()
        assert (state["helped"], state["line"]) == (True, ["1h"])

    def test_goes_on_from_here_after_the_players_own_moves(self, table: TablePage) -> None:
        table.open(DEAL_1)
        for move in ("1h", "4h", "b4"):
            table.tap_move(move)
        shown = table.columns()
        table.command("solution")
        table.page.locator("#dialog-solution").get_by_label("from here").check()
        table.page.locator("#dialog-solution").get_by_role("button", name="Show it").click()
        moves = _expect_line(table.page, 3)
        assert moves > 3
        expect(table.page.locator("[data-line-title]")).to_have_text("Solution from here")
        columns = _viewer(table.page).locator("[data-column]")
        here = columns.evaluate_all(
            "all => all.map(c => [...c.querySelectorAll('[data-card]')].map(card => card.dataset.card))"
        )
        assert here == shown
        table.page.keyboard.press("Home")
        _expect_ply(table.page, 0)
        table.page.keyboard.press("End")
        _expect_ply(table.page, moves)

    def test_from_here_says_that_the_par_is_the_whole_deals(self, table: TablePage) -> None:
        table.open(DEAL_1)
        table.tap_move("1h")
        table.expect_saved()
        par = {"moves": 66, "proven": True, "lower_bound": 66}
        table.page.route("**/solution", lambda route: _answer(route, outcome="won", line=["4h"], par=par))
        table.command("solution")
        table.page.locator("#dialog-solution").get_by_label("from here").check()
        table.page.locator("#dialog-solution").get_by_role("button", name="Show it").click()
        expect(table.page.locator("[data-line-par]")).to_have_text("The whole deal: par 66, proven")

    def test_that_is_lost_says_so_and_offers_the_deals_own(self, table: TablePage) -> None:
        table.open(DEAL_1)
        table.tap_move("1h")
        table.expect_saved()

        def answer(route: Route) -> None:
            asked = json.loads(route.request.post_data or "{}")
            if asked.get("ply"):
                _answer(route, outcome="lost", reason="All ways were tried.")
            else:
                _answer(route, outcome="won", line=["1h", "4h"])

        table.page.route("**/solution", answer)
        table.command("solution")
        table.page.locator("#dialog-solution").get_by_label("from here").check()
        table.page.locator("#dialog-solution").get_by_role("button", name="Show it").click()
        expect(table.page.locator("[data-line-words]")).to_have_text(
            "From here the game can’t be won any more. All ways were tried."
        )
        table.page.locator('[data-line-choice="deal"]').click()
        assert _expect_line(table.page) == 2

    def test_in_original_1883_says_that_it_looks_at_covered_cards(self, table: TablePage) -> None:
        table.open("/play/original-1883/1")
        table.command("solution")
        ask = table.page.locator("#dialog-solution")
        expect(ask).to_contain_text("looks at covered cards")
        # Nothing has been played that could be marked.
        expect(ask.locator("[data-solution-helped]")).to_be_hidden()
        ask.get_by_role("button", name="Show it").click()
        moves = _expect_line(table.page)
        assert moves >= 52
        expect(_viewer(table.page).locator('[data-card="##"]')).to_have_count(37)
        table.page.keyboard.press("End")
        _expect_ply(table.page, moves)
        expect(_viewer(table.page).locator("[data-foundation] [data-card]")).to_have_count(52)
        table.page.keyboard.press("Escape")
        assert sum(column.count("##") for column in table.columns()) == 37

        table.tap_move("1h")
        table.command("solution")
        expect(ask).to_be_visible()
        # The game is marked from its start, since its solution was seen before.
        expect(ask.locator("[data-solution-helped]")).to_be_hidden()
        ask.get_by_label("from here").check()
        ask.get_by_role("button", name="Show it").click()
        moves = _expect_line(table.page)
        table.page.keyboard.press("End")
        _expect_ply(table.page, moves)
        expect(_viewer(table.page).locator("[data-foundation] [data-card]")).to_have_count(52)

    def test_isnt_offered_where_help_isnt_allowed(self, table: TablePage) -> None:
        table.page.route(
            re.compile(r"/api/deals/bakers-dozen$"),
            lambda route: route.fulfill(
                json={
                    **(state := route.fetch().json()),
                    "help": {**state["help"], "solution": False},
                }
            ),
        )
        table.open(DEAL_1)
        expect(table.page.locator('[data-action="solution"]')).to_have_count(1)
        table.command("new")
        expect(table.page.locator("[data-deal]")).not_to_have_text("Deal 1")
        table.page.locator(".tool-menu summary").click()
        expect(table.page.locator('[data-action="share"]')).to_be_visible()
        expect(table.page.locator('[data-action="solution"]')).to_be_hidden()


class TestAfterAWin:
    @pytest.mark.parametrize("size", SIZES)
    def test_the_panel_has_par_and_leads_to_the_solution(
        self, new_table: Callable[..., TablePage], size: str
    ) -> None:
        table = new_table(size)
        table.open(DEAL_1)
        table.page.route(
            "**/solution",
            lambda route: _answer(
                route,
                outcome="won",
                line=["bh"],
                par={"moves": 38, "proven": False, "lower_bound": 30},
            ),
        )
        _import(table, EASY)
        table.page.locator('[data-panel-action="finish"]').click()
        table.expect_status("won")
        panel = table.page.locator('[data-panel="won"]')
        expect(panel).to_contain_text("40 moves, 2 over best known 38 (at least 30)")
        width, height = SIZES[size]
        for button in panel.get_by_role("button").all():
            box = button.bounding_box()
            assert box
            assert box["x"] >= 0
            assert box["x"] + box["width"] <= width
            assert box["y"] + box["height"] <= height
        panel.get_by_role("button", name="Solution").click()
        expect(table.page.locator("[data-line-par]")).to_have_text("Best known 38 (at least 30)")
        table.page.keyboard.press("Escape")
        expect(panel.get_by_role("button", name="Solution")).to_be_focused()


class TestKinks:
    def test_are_shown_and_hidden_by_a_key_and_remembered(self, table: TablePage) -> None:
        table.open(DEAL_1)
        places = table.page.locator("main [data-card]").evaluate_all(
            "cards => cards.map(c => JSON.stringify(c.getBoundingClientRect()))"
        )
        table.page.keyboard.press("k")
        kinks = table.page.locator("main .card--kink")
        expect(kinks).to_have_count(7)
        assert sorted(kinks.evaluate_all("cards => cards.map(c => c.dataset.card)")) == sorted(
            ["JH", "4C", "QD", "5D", "JC", "9H", "JD"]
        )
        assert "7 kinks" in _live(table)
        expect(table.column("1")).to_have_attribute("aria-label", re.compile(r"jack of hearts \(kink\)"))
        assert places == table.page.locator("main [data-card]").evaluate_all(
            "cards => cards.map(c => JSON.stringify(c.getBoundingClientRect()))"
        )
        # What plays changes them.
        table.tap_move("4h")
        table.tap_move("b4")
        expect(kinks).to_have_count(6)
        table.page.reload()
        table.ready()
        expect(kinks).to_have_count(6)
        table.command("kinks")
        expect(kinks).to_have_count(0)
        assert "(kink)" not in (table.column("1").get_attribute("aria-label") or "")

    def test_are_a_setting_and_a_pressed_entry(self, table: TablePage) -> None:
        table.open(DEAL_1)
        table.command("settings")
        table.page.locator('[data-setting="kinks"]').check()
        table.page.locator("#dialog-settings").get_by_role("button", name="Done").click()
        expect(table.page.locator("main .card--kink")).to_have_count(7)
        expect(table.page.locator('[data-action="kinks"]')).to_have_attribute("aria-pressed", "true")

    def test_tell_nothing_of_covered_cards(self, table: TablePage) -> None:
        table.open("/play/original-1883/2", kinks=True)
        expect(table.page.locator("main .card--kink")).to_have_count(0)


class TestFindingTheAces:
    def test_outlines_them_until_a_press(self, table: TablePage) -> None:
        table.open(DEAL_1)
        table.page.keyboard.press("a")
        found = table.page.locator("main .card--found")
        expect(found).to_have_count(4)
        assert sorted(found.evaluate_all("cards => cards.map(c => c.dataset.card)")) == [
            "AC",
            "AD",
            "AH",
            "AS",
        ]
        assert "ace of clubs in column 10, under 2 cards" in _live(table)
        table.page.mouse.click(640, 700)
        expect(found).to_have_count(0)

    def test_ends_after_ten_seconds(self, table: TablePage) -> None:
        table.page.clock.install()
        table.open(DEAL_1)
        table.page.keyboard.press("a")
        found = table.page.locator("main .card--found")
        expect(found).to_have_count(4)
        table.page.clock.fast_forward(9_000)
        expect(found).to_have_count(4)
        table.page.clock.fast_forward(1_500)
        expect(found).to_have_count(0)

    def test_finds_the_next_cards_later_and_says_so(self, table: TablePage) -> None:
        table.open(DEAL_1)
        entry = table.page.locator('[data-action="find"]')
        expect(entry).to_have_text("Find the aces")
        table.tap_move("1h")
        expect(entry).to_have_text("Find the next cards")
        table.command("find")
        found = table.page.locator("main .card--found")
        expect(found).to_have_count(4)
        assert "2D" in found.evaluate_all("cards => cards.map(c => c.dataset.card)")

    def test_names_no_place_of_a_covered_card(self, table: TablePage) -> None:
        table.open("/play/original-1883/1")
        table.page.keyboard.press("a")
        expect(table.page.locator("main .card--found")).to_have_count(3)
        expect(table.page.locator("[data-toast]")).to_have_text("Still covered: Ace of clubs.")
        assert "ace of clubs covered" in _live(table)


class TestWinnableDeals:
    def test_are_dealt_when_wanted_and_say_how_they_were_proved(self, table: TablePage) -> None:
        table.open(DEAL_1)
        switch = table.page.locator('.toolbar > [data-action="winnable"]')
        expect(switch).to_have_attribute("aria-checked", "false")
        switch.click()
        expect(switch).to_have_attribute("aria-checked", "true")
        with table.page.expect_response(re.compile(r"/api/deals/bakers-dozen\?winnable=1$")) as answer:
            table.command("new")
        deal = answer.value.json()["deal"]
        expect(table.page.locator("[data-deal]")).to_have_text(f"Deal {deal}")
        expect(table.page.locator("[data-toast]")).to_have_text(
            re.compile(r"^Proved winnable at shuffle \d+, in (\d+|less than 1) ms\.$")
        )
        assert "Proved winnable" in _live(table)
        # Kept in the browser.
        table.open(DEAL_1)
        expect(switch).to_have_attribute("aria-checked", "true")
        switch.click()
        with table.page.expect_request(re.compile(r"/api/deals/bakers-dozen$")):
            table.command("new")

    def test_are_a_wish_of_the_chooser_too(self, table: TablePage) -> None:
        table.open(DEAL_1)
        table.command("choose")
        dialog = table.page.locator("#dialog-choose")
        dialog.locator("[name=winnable]").check()
        dialog.get_by_label("Good Measure").check()
        with table.page.expect_request(re.compile(r"/api/deals/good-measure\?winnable=1$")):
            dialog.get_by_role("button", name="Deal", exact=True).click()
        expect(dialog).to_be_hidden()
        expect(table.page.locator('.toolbar > [data-action="winnable"]')).to_have_attribute(
            "aria-checked", "true"
        )

    def test_are_in_the_menu_of_a_phone(self, new_table: Callable[..., TablePage]) -> None:
        table = new_table("360x640")
        table.open(DEAL_1)
        expect(table.page.locator('.toolbar > [data-action="winnable"]')).to_be_hidden()
        table.page.locator(".tool-menu summary").click()
        table.page.locator('.menu__sheet [data-action="winnable"]').click()
        with table.page.expect_request(re.compile(r"winnable=1$")):
            table.command("new")

    def test_leave_the_table_alone_when_there_is_none_to_be_had(self, table: TablePage) -> None:
        table.open(DEAL_1, winnable=True)
        table.expected.append("status of 503")
        table.page.route(
            re.compile("winnable=1$"),
            lambda route: _refuse(route, 503, "busy", "Busy.", **{"Retry-After": "2"}),
        )
        table.command("new")
        expect(table.page.locator("[data-toast]")).to_have_text("The server is busy. Ask again in 2 seconds.")
        expect(table.page.locator("[data-deal]")).to_have_text("Deal 1")

    def test_are_dealt_one_at_a_time(self, table: TablePage) -> None:
        table.open(DEAL_1, winnable=True)
        asked = _hold(table.page, re.compile("winnable=1$"))
        new = table.page.locator('[data-action="new"]')
        new.dblclick()
        expect(new).to_be_visible()
        assert len(asked) == 1
        with table.page.expect_response(re.compile("winnable=1$")):
            asked[0].continue_()
        expect(table.page.locator("[data-deal]")).not_to_have_text("Deal 1")


class TestVerdictsInDialogs:
    @pytest.mark.parametrize(
        ("number", "verdict", "words"),
        [("1", "won", r"^This deal can be won\.$"), ("477", "lost", r"^This deal can’t be won\.$")],
    )
    def test_a_typed_number_has_one(self, table: TablePage, number: str, verdict: str, words: str) -> None:
        table.open(DEAL_1)
        table.command("choose")
        line = table.page.locator("#dialog-choose [data-verdict]")
        table.page.locator("#deal-number").fill(number)
        expect(line).to_have_text(re.compile(words))
        expect(line).to_have_attribute("data-verdict", verdict)
        table.page.locator("#deal-number").fill("")
        expect(line).to_have_text("")

    def test_only_the_number_that_stands_there_in_the_end_is_asked_about(self, table: TablePage) -> None:
        table.open(DEAL_1)
        asked: list[str] = []

        def answer(route: Route) -> None:
            asked.append(json.loads(route.request.post_data or "{}")["deal"])
            _answer(route, outcome="won")

        table.page.route("**/api/solve", answer)
        table.command("choose")
        table.page.locator("#deal-number").press_sequentially("4711")
        expect(table.page.locator("#dialog-choose [data-verdict]")).to_have_text("This deal can be won.")
        assert asked == ["4711"]

    def test_playing_never_waits_for_one(self, table: TablePage) -> None:
        table.open(DEAL_1)
        _hold(table.page, "**/api/solve")
        table.command("choose")
        table.page.locator("#deal-number").fill("7")
        expect(table.page.locator("#dialog-choose [data-verdict]")).to_contain_text("Looking whether")
        table.page.locator("#deal-number").press("Enter")
        expect(table.page.locator("#dialog-choose")).to_be_hidden()
        expect(table.page.locator("[data-deal]")).to_have_text("Deal 7")

    def test_says_when_it_isnt_known(self, table: TablePage) -> None:
        table.open(DEAL_1)
        table.page.route("**/api/solve", lambda route: _answer(route, outcome="unknown"))
        table.command("choose")
        table.page.locator("#deal-number").fill("7")
        line = table.page.locator("#dialog-choose [data-verdict]")
        expect(line).to_have_text("Not known yet whether this deal can be won.")
        table.expected.append("status of 403")
        table.page.unroute("**/api/solve")
        table.page.route("**/api/solve", lambda route: _refuse(route, 403, "help_refused", "No help now."))
        table.page.locator("#deal-number").fill("8")
        expect(line).to_have_text("Not known whether this deal can be won. No help now.")

    def test_an_imported_layout_has_one(self, table: TablePage) -> None:
        table.open(DEAL_1)
        table.command("import")
        dialog = table.page.locator("#dialog-import")
        dialog.locator("textarea").fill(EASY)
        dialog.locator("[data-check]").click()
        expect(dialog.locator("[data-verdict]")).to_have_text("This layout can be won.")
        dialog.locator("textarea").fill(EASY + " ")
        expect(dialog.locator("[data-verdict]")).to_have_text("")


def _inside(page: Page, selectors: Sequence[str]) -> None:
    """Everything is on the screen, and nothing can be scrolled sideways."""
    width, height = page.viewport_size["width"], page.viewport_size["height"]  # type: ignore[index]
    assert page.evaluate("document.documentElement.scrollWidth") <= width
    for selector in selectors:
        for each in page.locator(selector).all():
            box = each.bounding_box()
            assert box, selector
            assert box["x"] >= 0, selector
            assert box["y"] >= 0, selector
            assert box["x"] + box["width"] <= width + 0.5, selector
            assert box["y"] + box["height"] <= height + 0.5, selector


class TestLooks:
    @pytest.mark.parametrize("size", SIZES)
    @pytest.mark.parametrize("scheme", ["light", "dark"])
    def test_the_viewer_fits_and_all_is_accessible(
        self,
        new_table: Callable[..., TablePage],
        assert_accessible: Callable[[Page], None],
        size: str,
        scheme: str,
    ) -> None:
        table = new_table(size, color_scheme=scheme)
        table.open(DEAL_1, kinks=True)
        table.command("solution")
        _expect_line(table.page)
        table.page.keyboard.press("ArrowRight")
        _expect_ply(table.page, 1)
        _inside(
            table.page,
            [
                "[data-line-action]",
                "[data-line-slider]",
                "[data-line-move]",
                "#dialog-line [data-close]",
                "#dialog-line [data-card]",
            ],
        )
        for button in table.page.locator("[data-line-action]").all():
            box = button.bounding_box()
            assert box
            assert box["width"] >= 44
            assert box["height"] >= 44
        assert_accessible(table.page)
        table.page.keyboard.press("Escape")
        table.page.keyboard.press("a")
        expect(table.page.locator("main .card--found")).to_have_count(4)
        assert_accessible(table.page)
        table.command("choose")
        table.page.locator("#deal-number").fill("477")
        expect(table.page.locator('#dialog-choose [data-verdict="lost"]')).to_be_visible()
        assert_accessible(table.page)
        table.page.keyboard.press("Escape")
        table.tap_move("1h")
        table.command("solution")
        expect(table.page.locator("#dialog-solution")).to_be_visible()
        assert_accessible(table.page)
