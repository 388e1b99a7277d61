"""What careless hands, other tabs and bad luck do to a table in a real browser."""

from __future__ import annotations

import re
from collections.abc import Callable

from playwright.sync_api import expect

from tests.browser.conftest import TablePage

DEAL_1 = "/play/bakers-dozen/1"


def test_skipping_to_the_table_keeps_the_deal_that_lies_there(table: TablePage) -> None:
    table.open("/")
    deal = table.page.locator("[data-deal]").inner_text()
    table.page.evaluate("window.stillHere = true")
    table.page.keyboard.press("Tab")
    table.page.keyboard.press("Enter")
    expect(table.main).to_be_focused()
    assert table.page.evaluate("window.stillHere") is True
    assert table.page.locator("[data-deal]").inner_text() == deal
    table.page.keyboard.press("ArrowRight")
    assert table.page.evaluate("document.activeElement.dataset.stop") is not None


def test_the_way_back_leads_to_the_game_as_it_stands(table: TablePage) -> None:
    table.open(DEAL_1)
    table.tap_move("1h")
    table.expect_saved()
    table.page.reload()
    table.ready()
    table.tap_move("4h")
    table.tap_move("b4")
    table.expect_saved()
    table.page.goto(table.site + "/rules/bakers-dozen")
    table.page.go_back()
    table.ready()
    assert table.ply() == 3
    table.tap_move("5h")
    assert table.state()["line"] == ["1h", "4h", "b4", "5h"]


def test_a_broken_token_cookie_is_said_and_a_reload_mends_it(table: TablePage) -> None:
    table.expected.append("403")
    table.open(DEAL_1)
    table.page.context.add_cookies([{"name": "csrftoken", "value": "%", "url": table.site}])
    table.tap_move("1h")
    expect(table.page.locator("[data-toast]")).to_contain_text("Reload")
    table.page.reload()
    table.ready()
    expect(table.page).to_have_url(re.compile(r"/game/"))
    assert table.state()["line"] == ["1h"]


def test_a_newcomer_who_begins_in_two_tabs_at_once_keeps_both_games(
    new_table: Callable[..., TablePage],
) -> None:
    first = new_table()
    second = new_table(context=first.page.context)
    tables = [first, second]
    for table in tables:
        table.expected.append("ERR_INTERNET_DISCONNECTED")
        table.open(DEAL_1)
    first.page.context.set_offline(True)
    for table in tables:
        table.page.bring_to_front()
        table.tap_move("1h")
        table.tap_move("4h")
    first.page.context.set_offline(False)
    for table in tables:
        table.page.bring_to_front()
        expect(table.main).to_have_attribute("data-sync", "idle", timeout=40_000)
    assert [table.state()["line"] for table in tables] == [["1h", "4h"]] * 2
    assert first.page.url != second.page.url
