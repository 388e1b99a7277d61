"""Moves on their way to the server: shown at once, kept when the network fails, and never twice."""

from __future__ import annotations

import json
import re
from collections.abc import Callable

from playwright.sync_api import Request, Route, expect

from tests.browser.conftest import TablePage

DEAL_1 = "/play/bakers-dozen/1"
HIDDEN = "/play/original-1883/1"
MOVES = re.compile(r"/api/games/[^/]+/moves$")
API = re.compile(r"/api/games")


class Gate:
    """Holds back the page's requests until it is opened."""

    def __init__(self, table: TablePage, pattern: re.Pattern[str]) -> None:
        self._held: list[Route] = []
        self._open = False
        table.page.route(pattern, self._on_request)

    def _on_request(self, route: Route) -> None:
        if self._open:
            route.continue_()
        else:
            self._held.append(route)

    def open(self) -> None:
        """Let everything through, from now on as well."""
        self._open = True
        for route in self._held:
            route.continue_()


def test_nothing_is_stored_before_the_first_move_and_then_the_address_is_the_games(table: TablePage) -> None:
    table.open(DEAL_1)
    assert [cookie["name"] for cookie in table.page.context.cookies()] == ["csrftoken"]
    table.tap("1")
    expect(table.page).to_have_url(re.compile(r"/game/[0-9a-f-]{36}$"))


def test_moves_show_at_once_and_are_sent_in_batches_while_the_server_is_slow(table: TablePage) -> None:
    bodies: list[list[str]] = []
    table.open(DEAL_1)

    def note(request: Request) -> None:
        if MOVES.search(request.url):
            bodies.append(json.loads(request.post_data or "")["moves"])

    table.page.on("request", note)
    gate = Gate(table, API)
    for move in ("1h", "4h", "b4", "5h"):
        table.tap_move(move)
    assert table.main.get_attribute("data-sync") == "sending"
    gate.open()
    table.expect_saved()
    assert table.state()["line"] == ["1h", "4h", "b4", "5h"]
    assert [move for body in bodies for move in body] == ["1h", "4h", "b4", "5h"]
    assert len(bodies) < 4


def test_a_reload_loses_no_move_and_sends_what_was_not_acknowledged(table: TablePage) -> None:
    table.open(DEAL_1)
    table.tap_move("1h")
    table.expect_saved()
    table.page.route(MOVES, lambda route: route.abort("connectionfailed"))
    table.expected += ["ERR_CONNECTION_FAILED", "net::ERR_FAILED"]
    table.tap_move("4h")
    table.tap_move("b4")
    table.page.unroute(MOVES)
    table.page.reload()
    table.ready()
    table.expect_ply(3)
    assert table.state()["line"] == ["1h", "4h", "b4"]


def test_a_lost_answer_is_asked_for_again_without_a_second_effect(table: TablePage) -> None:
    table.expected += ["ERR_CONNECTION_FAILED", "net::ERR_FAILED"]
    table.open(DEAL_1)
    table.tap_move("1h")
    table.expect_saved()
    lost: list[int] = []

    def lose_first(route: Route) -> None:
        if lost:
            route.continue_()
            return
        # The server has the request; the page never hears of it.
        lost.append(route.fetch().status)
        route.abort("connectionfailed")

    table.page.route(MOVES, lose_first)
    table.tap_move("4h")
    expect(table.main).to_have_attribute("data-sync", "idle", timeout=30_000)
    assert lost == [200]
    state = table.state()
    assert state["line"] == ["1h", "4h"]
    assert state["version"] == 2


def test_a_first_move_that_never_arrived_is_sent_on_the_next_visit(table: TablePage) -> None:
    table.expected += ["ERR_CONNECTION_FAILED", "net::ERR_FAILED"]
    table.open(DEAL_1)
    table.page.route(API, lambda route: route.abort("connectionfailed"))
    table.tap_move("1h")
    table.page.unroute(API)
    table.page.goto(table.site + "/")
    table.ready()
    panel = table.page.locator("[data-panel=recovered]")
    expect(panel).to_contain_text("have been saved")
    panel.locator("button").click()
    expect(table.page).to_have_url(re.compile(r"/game/"))
    table.ready()
    table.expect_ply(1)


def test_play_goes_on_without_a_connection(table: TablePage) -> None:
    table.expected += ["ERR_INTERNET_DISCONNECTED"]
    table.open(DEAL_1)
    table.tap_move("1h")
    table.expect_saved()
    table.page.context.set_offline(True)
    for move in ("4h", "b4", "5h"):
        table.tap_move(move)
    expect(table.main).to_have_attribute("data-sync", re.compile("offline|retrying"))
    table.page.context.set_offline(False)
    expect(table.main).to_have_attribute("data-sync", "idle", timeout=30_000)
    assert table.state()["line"] == ["1h", "4h", "b4", "5h"]


def test_a_game_moved_on_in_another_tab_is_put_on_the_table_and_said(
    new_table: Callable[..., TablePage],
) -> None:
    first = new_table()
    first.expected.append("409")
    first.open(DEAL_1)
    first.tap_move("1h")
    first.expect_saved()
    second = new_table(context=first.page.context)
    second.open(first.page.url.removeprefix(first.site))
    second.tap_move("5h")
    second.expect_saved()
    # The first tab hasn't been looked at since; its move is for a version that is gone.
    first.tap_move("4h")
    expect(first.page.locator("[data-toast]")).to_be_visible()
    first.expect_ply(2)
    assert first.state()["line"] == ["1h", "5h"]
    assert first.cards("5")[-1] == "4S"
    assert first.cards("4")[-1] == "AH"


class TestCoveredCards:
    def test_an_uncovered_card_is_a_back_until_the_server_turns_it(self, table: TablePage) -> None:
        table.open(HIDDEN)
        table.tap_move("5h")
        table.expect_saved()
        gate = Gate(table, MOVES)
        table.tap("4")
        table.expect_ply(2)
        assert table.cards("4")[-1] == "##"
        # That column takes no move, and says why; others are played on.
        table.page.evaluate("document.querySelector('[data-toast]')?.remove()")
        box = table.top("4").bounding_box()
        assert box
        # A moment after the first click, or the second would end a double click.
        table.page.mouse.click(box["x"] + 20, box["y"] + 80)
        table.expect_ply(2)
        table.tap("1")
        table.expect_ply(3)
        gate.open()
        expect(table.top("4")).to_have_attribute("data-card", "TH")
        expect(table.top("1")).to_have_attribute("data-card", "5C")
        assert table.state()["line"] == ["5h", "4h", "1h"]

    def test_the_page_holds_no_covered_card(self, table: TablePage) -> None:
        table.open(HIDDEN)
        content = table.page.content()
        shown = {card for column in table.columns() for card in column} - {"##"}
        assert len(shown) == 15
        everything = {rank + suit for rank in "A23456789TJQK" for suit in "CDHS"}
        boot = table.main.get_attribute("data-boot") or ""
        for card in everything - shown:
            assert f'"{card}"' not in boot
            assert f'data-card="{card}"' not in content

    def test_undo_covers_again_what_a_move_uncovered(self, table: TablePage) -> None:
        table.open(HIDDEN)
        table.tap_move("4h")
        expect(table.top("4")).to_have_attribute("data-card", "TH")
        table.command("undo")
        table.expect_ply(0)
        assert table.cards("4") == ["KC", "##", "##", "AH"]
        state = table.state()
        assert state["columns"][3] == ["KC", "##", "##", "AH"]
