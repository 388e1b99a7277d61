"""Help on the table: hints, the verdict lamp, and which move lost a game."""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from typing import Any

import pytest
from playwright.sync_api import Locator, Page, Route, expect

from tests.browser.conftest import SIZES, TablePage

DEAL_1 = "/play/bakers-dozen/1"
#: A deal that can be won in 63 moves.
SHORT = "/play/bakers-dozen/5"
#: In deal 13 six moves are good, the seventh loses, and after the eleventh no move is left.
LOSES = "/play/bakers-dozen/13"
GOOD = ["86", "3d", "3h", "1h", "1h", "3d"]
LOSING = "49"
TO_THE_END = ["45", "78", "1b", "3h"]
#: One card can be moved, and no ace can ever be had: each lies under its own king and queen.
HOPELESS = "\n".join(
    [f"A{suit} K{suit} Q{suit} 2{suit}" for suit in "CDHS"]
    + [f"J{suit} T{suit} 9{suit} 4{suit}" for suit in "CDHS"]
    + ["6C 5C 3C 7C"]
    + [f"7{suit} 5{suit} 3{suit} 6{suit}" for suit in "DHS"]
    + ["8D 8H 8S 8C"]
)
#: A small phone and a laptop.
PHONE_AND_LAPTOP = ["360x640", "1280x800"]

HINT = re.compile(r"/hint$")
VERDICT = re.compile(r"/verdict\?version=\d+$")
ASKS = re.compile(r"/(hint|solve|postmortem|solution|verdict\?version=\d+)$")


def _play(table: TablePage, moves: list[str]) -> None:
    for move in moves:
        table.tap_move(move)
    table.expect_saved()


def _import(table: TablePage, layout: str) -> None:
    table.command("import")
    dialog = table.page.locator("#dialog-import")
    dialog.locator("textarea").fill(layout)
    dialog.locator("[data-check]").click()
    dialog.locator("[data-play]").click()
    expect(dialog).to_be_hidden()


def _panel(table: TablePage, name: str) -> Locator:
    return table.page.locator(f"[data-panel={name}]")


def _ask_what_went_wrong(table: TablePage) -> Locator:
    table.page.locator("[data-panel-action=postmortem]").click()
    dialog = table.page.locator("#dialog-postmortem")
    expect(dialog).to_be_visible()
    return dialog


def _resign(table: TablePage) -> None:
    table.command("resign")
    table.page.locator("#dialog-resign button[value=resign]").click()
    table.expect_status("lost")
    table.expect_saved()


def _lamp(table: TablePage, light: str) -> None:
    expect(table.page.locator("[data-lamp]")).to_have_attribute("data-lamp", light)


def _live(table: TablePage) -> str:
    return table.page.locator("[data-live]").inner_text()


def _answer(status: int, body: object, **headers: str) -> Callable[[Route], None]:
    """Answer in place of the server."""

    def handle(route: Route) -> None:
        route.fulfill(status=status, json=body, headers={"Content-Type": "application/json", **headers})

    return handle


def _problem(code: str, message: str, detail: object = None) -> object:
    return {"error": {"code": code, "message": message, "detail": detail or {}}}


class TestHints:
    @pytest.mark.parametrize("size", PHONE_AND_LAPTOP)
    def test_followed_to_the_end_they_win_the_game(
        self, new_table: Callable[..., TablePage], size: str
    ) -> None:
        table = new_table(size, reduced_motion="reduce")
        table.open(SHORT, autocomplete=False)

        def press() -> None:
            if table.has_touch:
                table.command("hint")
            else:
                table.page.keyboard.press("h")

        seen: set[str] = set()
        while table.main.get_attribute("data-status") == "open":
            ply = table.ply()
            position = str(table.columns())
            assert position not in seen
            seen.add(position)
            press()
            expect(_panel(table, "hint-card")).to_be_visible()
            card = table.page.locator(".card--hinted").get_attribute("data-card")
            assert card in [column[-1] for column in table.columns() if column]
            press()
            expect(_panel(table, "hint-move")).to_be_visible()
            expect(table.page.locator("[data-hint-target]")).to_have_count(1)
            press()
            table.expect_ply(ply + 1)
            expect(table.page.locator(".card--hinted, [data-hint-target]")).to_have_count(0)
        table.expect_status("won")
        expect(_panel(table, "won")).to_contain_text("with help")
        state = table.state()
        assert (state["status"], state["helped"]) == ("won", True)
        table.command("games")
        expect(table.page.locator(f"[data-game='{state['id']}']")).to_contain_text("with help")

    def test_are_told_in_words_and_played_with_the_keyboard_alone(self, table: TablePage) -> None:
        table.open(DEAL_1)
        press = table.page.keyboard.press
        press("h")
        expect(_panel(table, "hint-card")).to_be_visible()
        card = _panel(table, "hint-card").locator("p").inner_text()
        assert re.fullmatch(r"Move the (\w+) of (\w+)\.", card)
        assert card in _live(table)
        press("h")
        expect(_panel(table, "hint-move")).to_be_visible()
        assert _panel(table, "hint-move").locator("p").inner_text() in _live(table)
        # The place to go on from with the arrow keys is the card's.
        stop = table.page.locator("[data-column] [tabindex='0']").get_attribute("data-stop")
        hinted = table.page.locator("[data-column]:has(.card--hinted)").get_attribute("data-column")
        assert stop == f"column-{hinted}"
        _panel(table, "hint-move").locator("[data-panel-action=hint]").focus()
        press("Enter")
        table.expect_ply(1)
        # Its button went, and the focus stays where the next hint is.
        expect(table.page.locator(".toolbar [data-action=hint]")).to_be_focused()

    def test_store_nothing_before_the_first_move(self, table: TablePage) -> None:
        table.open(DEAL_1)
        table.command("hint")
        expect(_panel(table, "hint-card")).to_be_visible()
        assert [cookie["name"] for cookie in table.page.context.cookies()] == ["csrftoken"]
        expect(table.page).to_have_url(re.compile(DEAL_1 + "$"))

    def test_are_put_away_by_escape_by_their_button_and_by_a_move(self, table: TablePage) -> None:
        table.open(DEAL_1)
        marks = table.page.locator(".card--hinted, [data-panel^=hint]")
        for put_away in (
            lambda: table.page.keyboard.press("Escape"),
            lambda: table.page.locator("[data-panel-action=hint-close]").click(),
            lambda: table.tap_move("1h"),
        ):
            table.command("hint")
            expect(marks).to_have_count(2)
            put_away()
            expect(marks).to_have_count(0)

    def test_play_nothing_on_a_double_click(self, table: TablePage) -> None:
        table.open(DEAL_1)
        table.command("hint")
        expect(_panel(table, "hint-card")).to_be_visible()
        box = table.page.locator(".toolbar [data-action=hint]").bounding_box()
        assert box
        table.page.mouse.dblclick(box["x"] + 10, box["y"] + 10)
        expect(_panel(table, "hint-move")).to_be_visible()
        table.expect_ply(0)

    def test_have_no_key_where_letters_are_switched_off(self, table: TablePage) -> None:
        asked: list[str] = []
        table.page.on("request", lambda request: asked.append(request.url))
        table.open(DEAL_1, shortcuts=False)
        table.page.keyboard.press("h")
        table.command("hint")
        expect(_panel(table, "hint-card")).to_be_visible()
        assert len([url for url in asked if ASKS.search(url)]) == 1

    @pytest.mark.parametrize("size", PHONE_AND_LAPTOP)
    def test_in_a_lost_position_lead_back_to_where_it_could_be_won(
        self, new_table: Callable[..., TablePage], size: str
    ) -> None:
        table = new_table(size, reduced_motion="reduce")
        table.open(LOSES, ask=True)
        _play(table, [*GOOD, LOSING, TO_THE_END[0]])
        table.command("hint")
        panel = _panel(table, "hint-lost")
        expect(panel).to_contain_text("This position can’t be won. After move 6 it still could.")
        panel.locator("[data-panel-action=hint-back]").click()
        table.expect_ply(6)
        assert table.state()["line"] == GOOD
        table.command("hint")
        expect(_panel(table, "hint-card")).to_be_visible()

    def test_in_a_deal_that_can_t_be_won_say_so(self, table: TablePage) -> None:
        table.open(DEAL_1)
        _import(table, HOPELESS)
        table.command("hint")
        expect(_panel(table, "hint-lost")).to_contain_text("This deal can’t be won.")
        _play(table, ["9d"])
        table.command("hint")
        expect(_panel(table, "hint-lost")).to_contain_text("This deal can’t be won.")
        expect(table.page.locator("[data-panel-action=hint-back]")).to_have_count(0)

    def test_that_aren_t_decided_offer_a_deeper_search(self, table: TablePage) -> None:
        table.open(DEAL_1)
        _play(table, ["1h"])
        bodies: list[Any] = []

        def answer(route: Route) -> None:
            bodies.append(json.loads(route.request.post_data or ""))
            found = {"outcome": "won", "pending": False, "move": "4h", "back_to": None, "why": ""}
            open_yet = {**found, "outcome": "unknown", "move": None, "why": "Not decided yet."}
            pending = {**open_yet, "pending": True}
            route.fulfill(json=[open_yet, pending, found][len(bodies) - 1])

        table.page.route(HINT, answer)
        table.command("hint")
        expect(_panel(table, "hint-unknown")).to_contain_text("Not decided yet.")
        table.page.locator("[data-panel-action=hint-deeper]").click()
        expect(_panel(table, "hint-card")).to_contain_text("Move the ace of hearts.")
        assert bodies == [{"version": 1}, *[{"version": 1, "deeper": True}] * 2]

    @pytest.mark.parametrize(
        ("status", "body", "words"),
        [
            (403, _problem("help_refused", "There is no help with this deal now.", {"opens_at": None}),
             "There is no help with this deal now."),
            (403, _problem("help_refused", "Help with this deal isn’t open yet.", {"opens_at": "2031-05-04T02:00:00Z"}),
             "4 May 2031"),
            (429, _problem("throttled", "Too often."), "Ask again in 30 seconds."),
            (503, _problem("busy", "Busy."), "The server is busy."),
        ],
    )  # fmt: skip
    def test_that_are_refused_say_why(self, table: TablePage, status: int, body: object, words: str) -> None:
        table.expected.append(str(status))
        table.open(DEAL_1)
        _play(table, ["1h"])
        table.page.route(HINT, _answer(status, body, **({"Retry-After": "30"} if status == 429 else {})))
        table.command("hint")
        expect(table.page.locator("[data-toast]")).to_contain_text(words)
        assert words in _live(table)
        table.tap_move("4h")

    def test_say_when_there_is_no_connection(self, table: TablePage) -> None:
        table.expected.append("ERR_INTERNET_DISCONNECTED")
        table.open(DEAL_1)
        _play(table, ["1h"])
        table.page.context.set_offline(True)
        table.command("hint")
        expect(table.page.locator("[data-toast]")).to_contain_text("can’t be reached")
        table.page.context.set_offline(False)
        table.command("hint")
        expect(_panel(table, "hint-card")).to_be_visible()

    def test_are_for_the_position_that_another_tab_has_left(
        self, new_table: Callable[..., TablePage]
    ) -> None:
        first = new_table()
        first.expected.append("409")
        first.open(DEAL_1)
        _play(first, ["1h"])
        second = new_table(context=first.page.context)
        second.open(first.page.url.removeprefix(first.site))
        _play(second, ["5h"])
        first.command("hint")
        first.expect_ply(2)
        expect(first.page.locator("[data-toast]")).to_contain_text("another tab")
        assert first.cards("5")[-1] == "4S"
        first.command("hint")
        expect(_panel(first, "hint-card")).to_be_visible()

    def test_are_not_to_be_had_in_a_game_without_help_and_that_is_said(self, table: TablePage) -> None:
        def without_help(route: Route) -> None:
            answer = route.fetch()
            game = {
                **answer.json(),
                "help": {"hint": False, "verdict": False, "solution": False, "opens_at": None},
            }
            route.fulfill(response=answer, json=game)

        asked: list[str] = []
        table.page.on("request", lambda request: asked.append(request.url))
        table.open(DEAL_1, lamp=False)
        table.page.route(re.compile(r"/api/deals/bakers-dozen$"), without_help)
        table.command("new")
        button = table.page.locator(".toolbar [data-action=hint]")
        expect(button).to_have_attribute("aria-disabled", "true")
        table.page.keyboard.press("h")
        expect(table.page.locator("[data-toast]")).to_contain_text("played without hints")
        button.click(force=True)
        assert not [url for url in asked if ASKS.search(url)]

    def test_name_a_card_that_is_seen_where_others_are_covered(self, table: TablePage) -> None:
        table.open("/play/original-1883/1")
        for _ in range(3):
            table.command("hint")
            expect(_panel(table, "hint-card")).to_be_visible()
            tops = [column[-1] for column in table.columns() if column]
            assert table.page.locator(".card--hinted").get_attribute("data-card") in tops
            table.command("hint")
            ply = table.ply()
            table.command("hint")
            table.expect_ply(ply + 1)
            table.expect_saved()

    @pytest.mark.parametrize("size", SIZES)
    def test_cover_no_card_and_make_nothing_scroll(
        self, new_table: Callable[..., TablePage], size: str
    ) -> None:
        table = new_table(size, reduced_motion="reduce")
        table.open(LOSES, ask=True, lamp=True)
        _lamp(table, "won")
        for name in ("hint-card", "hint-move"):
            table.command("hint")
            expect(_panel(table, name)).to_be_visible()
            _assert_fits(table, size, name)
        table.page.keyboard.press("Escape")
        _play(table, [*GOOD, LOSING])
        table.command("hint")
        expect(_panel(table, "hint-lost")).to_be_visible()
        _assert_fits(table, size, "hint-lost")
        table.page.keyboard.press("Escape")
        _play(table, TO_THE_END)
        expect(_panel(table, "stuck")).to_be_visible()
        _assert_fits(table, size, "stuck")
        _resign(table)
        expect(_panel(table, "lost")).to_be_visible()
        _assert_fits(table, size, "lost")

    def test_have_room_for_their_button_at_320_pixels(self, new_table: Callable[..., TablePage]) -> None:
        table = new_table("360x640")
        table.page.set_viewport_size({"width": 320, "height": 640})
        table.open(DEAL_1)
        for tool in table.page.locator(".toolbar > *:visible").all():
            box = tool.bounding_box()
            assert box
            assert box["x"] >= 0
            assert box["x"] + box["width"] <= 320


def _assert_fits(table: TablePage, size: str, panel: str) -> None:
    """Check that a panel lies within the screen and on no card, and that the cards are all seen."""
    width, height = SIZES[size]
    wrong = table.page.evaluate(
        """([panel, width, height]) => {
            const inside = box => box.left >= -0.5 && box.top >= -0.5
                && box.right <= width + 0.5 && box.bottom <= height + 0.5;
            const strip = document.querySelector(`[data-panel="${panel}"]`);
            const parts = [...strip.querySelectorAll("p, button")].filter(part => part.offsetWidth > 0);
            const cards = [...document.querySelectorAll("[data-card]")];
            const overlap = (one, other) => one.left < other.right - 1 && one.right > other.left + 1
                && one.top < other.bottom - 1 && one.bottom > other.top + 1;
            const boxes = parts.map(part => part.getBoundingClientRect());
            return [
                ...parts.filter(part => !inside(part.getBoundingClientRect())).map(part => part.textContent),
                ...cards.filter(card => !inside(card.getBoundingClientRect())
                    || boxes.some(box => overlap(box, card.getBoundingClientRect()))).map(card => card.dataset.card),
                ...parts.filter((part, at) => boxes.some((box, other) => other !== at && overlap(box, boxes[at])))
                    .map(part => `overlapped: ${part.textContent}`),
                ...(document.documentElement.scrollHeight > height ? ["the page scrolls"] : []),
            ];
        }""",
        [panel, width, height],
    )
    assert wrong == []


class TestTheLamp:
    @pytest.mark.parametrize("size", PHONE_AND_LAPTOP)
    def test_turns_with_a_move_that_loses_and_turns_back_with_undo(
        self, new_table: Callable[..., TablePage], size: str
    ) -> None:
        table = new_table(size, reduced_motion="reduce")
        table.open(LOSES, ask=True, lamp=True)
        _lamp(table, "won")
        expect(table.page.locator("[data-lamp]")).to_have_text("Winnable")
        _play(table, GOOD)
        _lamp(table, "won")
        table.tap_move(LOSING)
        _lamp(table, "lost")
        expect(table.page.locator("[data-lamp]")).to_have_text("Can’t be won")
        assert "can’t be won" in _live(table)
        table.command("undo")
        _lamp(table, "won")
        assert "can still be won" in _live(table)

    def test_is_off_at_first_and_asks_nothing_then(self, table: TablePage) -> None:
        table.page.clock.install()
        asked: list[str] = []
        table.page.on("request", lambda request: asked.append(request.url))
        table.open(DEAL_1)
        expect(table.page.locator("[data-lamp]")).to_be_hidden()
        _play(table, ["1h", "4h"])
        table.page.clock.run_for(20_000)
        assert not [url for url in asked if ASKS.search(url)]
        # The same with the lamp on asks, so it isn't the clock that kept it quiet.
        table.command("settings")
        table.page.locator("[data-setting=lamp]").check(force=True)
        with table.page.expect_request(VERDICT):
            table.page.clock.run_for(1_000)
        table.page.keyboard.press("Escape")
        expect(table.page.locator("[data-lamp]")).to_be_visible()

    def test_delays_no_move_and_takes_no_answer_for_another_position(self, table: TablePage) -> None:
        held: list[Route] = []

        def hold_first(route: Route) -> None:
            if route.request.url.endswith("version=1"):
                held.append(route)
            else:
                route.continue_()

        table.open(DEAL_1, lamp=True)
        _lamp(table, "won")
        table.page.route(VERDICT, hold_first)
        with table.page.expect_request(VERDICT):
            _play(table, ["1h"])
        # The question is under way and not answered; moves are played and saved all the same.
        _play(table, ["4h", "b4", "5h"])
        assert table.state()["line"] == ["1h", "4h", "b4", "5h"]
        _lamp(table, "won")
        late = {"version": 1, "outcome": "lost", "pending": False, "retry_ms": None, "reason": None}
        with table.page.expect_response(VERDICT):
            held[0].fulfill(json=late)
        _lamp(table, "won")

    def test_asks_once_about_moves_in_quick_succession(self, table: TablePage) -> None:
        table.page.clock.install(time=0)
        table.open(DEAL_1, lamp=True)
        _lamp(table, "won")
        asked: list[str] = []
        table.page.on("request", lambda request: asked.append(request.url))
        # From here on time passes only when told to.
        table.page.clock.pause_at(3_600_000)
        _play(table, ["1h", "4h", "b4"])
        version = table.state()["version"]
        table.page.clock.run_for(399)
        assert not [url for url in asked if ASKS.search(url)]
        with table.page.expect_request(VERDICT):
            table.page.clock.run_for(1)
        _lamp(table, "won")
        assert [url.rpartition("=")[2] for url in asked if ASKS.search(url)] == [str(version)]

    def test_has_no_verdict_without_a_connection_and_one_again_with_it(self, table: TablePage) -> None:
        table.expected.append("ERR_INTERNET_DISCONNECTED")
        table.open(DEAL_1, lamp=True)
        _play(table, ["1h"])
        _lamp(table, "won")
        table.page.context.set_offline(True)
        table.tap_move("4h")
        _lamp(table, "silent")
        table.page.context.set_offline(False)
        expect(table.main).to_have_attribute("data-sync", "idle", timeout=30_000)
        _lamp(table, "won")

    def test_is_put_out_when_the_game_ends(self, table: TablePage) -> None:
        table.open(DEAL_1, lamp=True)
        _play(table, ["1h"])
        _lamp(table, "won")
        _resign(table)
        expect(table.page.locator("[data-lamp]")).to_be_hidden()


class TestWhatWentWrong:
    @pytest.mark.parametrize("size", PHONE_AND_LAPTOP)
    def test_names_the_move_that_lost_a_stuck_game_and_goes_back_there(
        self, new_table: Callable[..., TablePage], size: str
    ) -> None:
        table = new_table(size, reduced_motion="reduce")
        table.open(LOSES, ask=True)
        _play(table, [*GOOD, LOSING, *TO_THE_END])
        dialog = _ask_what_went_wrong(table)
        expect(dialog).to_contain_text("marked as helped")
        assert table.state()["helped"] is False
        # What the game is marked as reaches the page, so that it isn't asked twice.
        with table.page.expect_response(re.compile(r"/api/games/[0-9a-f-]{36}$")):
            dialog.locator("[data-postmortem=confirm]").click()
        words = dialog.locator("[data-postmortem-words]")
        expect(words).to_have_text(
            "The game could still be won until move 6. "
            "Move 7, the 4 of clubs onto the 5 of clubs in column 9, lost it."
        )
        dialog.locator("[data-postmortem=line]").click()
        viewer = table.page.locator("#dialog-line")
        expect(viewer).to_have_attribute("data-ply", "6")
        expect(viewer.locator("[data-line-title]")).to_have_text("How to win after move 6")
        table.page.keyboard.press("Escape")
        dialog = _ask_what_went_wrong(table)
        expect(dialog.locator("[data-postmortem=confirm]")).to_be_hidden()
        dialog.locator("[data-postmortem=jump]").click()
        expect(dialog).to_be_hidden()
        table.expect_ply(6)
        state = table.state()
        assert (state["line"], state["helped"]) == (GOOD, True)

    @pytest.mark.parametrize("size", PHONE_AND_LAPTOP)
    def test_tells_it_of_a_game_given_up_which_is_played_on_as_practice(
        self, new_table: Callable[..., TablePage], size: str
    ) -> None:
        table = new_table(size, reduced_motion="reduce")
        table.open(LOSES, ask=True)
        _play(table, [*GOOD, LOSING])
        ended = table.page.url
        _resign(table)
        dialog = _ask_what_went_wrong(table)
        expect(dialog.locator("[data-postmortem-words]")).to_contain_text("until move 6. Move 7,")
        dialog.locator("[data-postmortem=jump]").click()
        table.expect_status("open")
        table.expect_ply(6)
        expect(table.page).not_to_have_url(ended)
        state = table.state()
        assert (state["kind"], state["line"]) == ("practice", GOOD)
        table.command("hint")
        expect(_panel(table, "hint-card")).to_be_visible()

    def test_says_that_a_game_was_given_up_too_early(self, table: TablePage) -> None:
        table.open(LOSES, ask=True)
        _play(table, GOOD[:2])
        _resign(table)
        table.page.reload()
        table.ready()
        dialog = _ask_what_went_wrong(table)
        expect(dialog.locator("[data-postmortem-words]")).to_have_text(
            "The game could still be won when it was given up, after move 2."
        )
        expect(dialog.locator("[data-postmortem=line]")).to_be_visible()

    def test_says_that_the_deal_could_never_be_won(self, table: TablePage) -> None:
        table.open(DEAL_1)
        _import(table, HOPELESS)
        _play(table, ["9d"])
        _resign(table)
        dialog = _ask_what_went_wrong(table)
        expect(dialog.locator("[data-postmortem-words]")).to_contain_text("This deal can’t be won")
        expect(dialog.locator("[data-postmortem]:visible")).to_have_count(0)

    def test_where_not_all_is_decided_names_the_moves_between_and_searches_deeper(
        self, table: TablePage
    ) -> None:
        table.open(LOSES, ask=True)
        _play(table, [*GOOD, LOSING])
        _resign(table)
        bodies: list[Any] = []

        def answer(route: Route) -> None:
            bodies.append(json.loads(route.request.post_data or ""))
            vague = {
                "version": bodies[-1]["version"], "outcome": "lost", "pending": False, "last_won_ply": 3,
                "first_lost_ply": 7, "losing_move": None, "exact": False, "why": "", "line": None,
            }  # fmt: skip
            exact = {**vague, "last_won_ply": 6, "losing_move": LOSING, "exact": True}
            route.fulfill(json=[vague, exact][len(bodies) - 1])

        table.page.route(re.compile("/postmortem$"), answer)
        dialog = _ask_what_went_wrong(table)
        words = dialog.locator("[data-postmortem-words]")
        expect(words).to_have_text(
            "The game could still be won until move 3. It was lost between move 4 and move 7."
        )
        dialog.locator("[data-postmortem=deeper]").click()
        expect(words).to_contain_text("Move 7, the 4 of clubs")
        assert [body.get("deeper") for body in bodies] == [None, True]

    def test_says_why_there_is_no_answer_and_tries_again(self, table: TablePage) -> None:
        table.expected.append("503")
        table.open(LOSES, ask=True)
        _play(table, GOOD[:1])
        _resign(table)
        busy = re.compile("/postmortem$")
        table.page.route(busy, _answer(503, _problem("busy", "Busy.")))
        dialog = _ask_what_went_wrong(table)
        expect(dialog.locator("[data-postmortem-words]")).to_contain_text("The server is busy.")
        table.page.unroute(busy)
        dialog.locator("[data-postmortem=again]").click()
        expect(dialog.locator("[data-postmortem-words]")).to_contain_text("when it was given up")

    def test_in_the_original_warns_of_covered_cards_as_long_as_there_are_any(self, table: TablePage) -> None:
        table.open("/play/original-1883/1")
        _play(table, ["5h"])
        _resign(table)
        dialog = _ask_what_went_wrong(table)
        # The game has ended and hides nothing any more, so nothing is asked.
        expect(dialog.locator("[data-postmortem-confirm]")).to_be_hidden()
        expect(dialog.locator("[data-postmortem-words]")).to_contain_text("when it was given up")


class TestTheWholeStory:
    def test_a_losing_move_is_seen_felt_shown_and_made_good(
        self, new_table: Callable[..., TablePage]
    ) -> None:
        table = new_table("360x640", reduced_motion="reduce")
        # A move that comes right after the lamp's question leaves the question behind.
        table.expected.append("409")
        table.open(LOSES, ask=True, lamp=True, autocomplete=False)
        for ply in range(len(GOOD)):
            table.command("hint")
            expect(_panel(table, "hint-card")).to_be_visible()
            table.page.keyboard.press("Escape")
            table.tap_move(GOOD[ply])
            _lamp(table, "won")
        table.tap_move(LOSING)
        _lamp(table, "lost")
        _play(table, TO_THE_END)
        expect(_panel(table, "stuck")).to_be_visible()
        _resign(table)
        dialog = _ask_what_went_wrong(table)
        expect(dialog.locator("[data-postmortem-words]")).to_contain_text("until move 6. Move 7,")
        dialog.locator("[data-postmortem=jump]").click()
        table.expect_status("open")
        table.expect_ply(len(GOOD))
        _lamp(table, "won")
        while table.main.get_attribute("data-status") == "open":
            ply = table.ply()
            for name in ("hint-card", "hint-move"):
                table.command("hint")
                expect(_panel(table, name)).to_be_visible()
            table.command("hint")
            table.expect_ply(ply + 1)
        table.expect_status("won")
        assert table.state()["kind"] == "practice"


class TestAccessibility:
    @pytest.mark.parametrize("scheme", ["light", "dark"])
    @pytest.mark.parametrize("size", PHONE_AND_LAPTOP)
    def test_axe_finds_nothing_serious(
        self,
        new_table: Callable[..., TablePage],
        assert_accessible: Callable[[Page], None],
        size: str,
        scheme: str,
    ) -> None:
        table = new_table(size, color_scheme=scheme, reduced_motion="reduce")
        table.open(LOSES, ask=True, lamp=True)
        _lamp(table, "won")
        for name in ("hint-card", "hint-move"):
            table.command("hint")
            expect(_panel(table, name)).to_be_visible()
            assert_accessible(table.page)
        # Once more from a deal with which nobody helped, so that the post-mortem asks first.
        table.open(LOSES, ask=True, lamp=True)
        _lamp(table, "won")
        _play(table, [*GOOD, LOSING])
        _lamp(table, "lost")
        table.command("hint")
        expect(_panel(table, "hint-lost")).to_be_visible()
        assert_accessible(table.page)
        table.page.keyboard.press("Escape")
        _play(table, TO_THE_END)
        dialog = _ask_what_went_wrong(table)
        assert_accessible(table.page)
        dialog.locator("[data-postmortem=confirm]").click()
        expect(dialog.locator("[data-postmortem=jump]")).to_be_visible()
        assert_accessible(table.page)
