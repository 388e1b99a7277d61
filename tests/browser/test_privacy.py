"""The account's own pages in a browser: a name, everything in one file, and the end."""

from __future__ import annotations

import json
import re
import uuid
from pathlib import Path

import pytest
from playwright.sync_api import expect

from tests.browser.people import PASSWORD, sign_up


@pytest.fixture
def account(table):
    """A table whose player has signed up, played a move and opened the account's page."""
    address = sign_up(table.page.context, table.site)
    table.open("/play/bakers-dozen/2")
    table.tap_move("96")
    table.expect_saved()
    table.page.goto(f"{table.site}/accounts/")
    expect(table.page.locator("main")).to_contain_text(address)
    return table


def test_a_name_is_chosen_with_an_explicit_answer(account, assert_accessible):
    page = account.page
    assert_accessible(page)
    page.get_by_role("link", name="Choose a name").click()
    assert_accessible(page)
    expect(page.get_by_role("radio", name="Yes")).not_to_be_checked()
    expect(page.get_by_role("radio", name="No")).not_to_be_checked()

    name = f"Ann {uuid.uuid4().hex[:6]}".replace("0", "x").replace("1", "y")
    page.get_by_label("Name", exact=True).fill(name)
    page.get_by_role("button", name="Save").click()
    expect(page.get_by_text("Say yes or no.")).to_be_visible()
    assert_accessible(page)
    page.get_by_role("radio", name="No").check()
    page.get_by_role("button", name="Save").click()

    page.wait_for_url("**/accounts/")
    expect(page.locator("main dl")).to_contain_text(name)
    expect(page.locator("main dl")).to_contain_text("Leaderboards don’t show it.")
    expect(page.get_by_role("link", name="Choose a name")).to_have_count(0)
    me = page.context.request.get(f"{account.site}/api/me").json()
    assert (me["display_name"], me["listed"], me["verified"]) == (name, False, True)


def test_everything_comes_in_one_file(account):
    with account.page.expect_download() as waiting:
        account.page.get_by_role("link", name="Download everything").click()
    download = waiting.value
    assert download.suggested_filename == "bakers-dozen.json"
    data = json.loads(Path(download.path()).read_text())["everything"]
    assert data["games"][0]["line"] == ["96"]
    assert data["account"]["email"].startswith("ann")


def test_an_account_is_deleted_after_a_proof_of_who_one_is(account, new_table, assert_accessible):
    page = account.page
    game = page.context.request.get(f"{account.site}/api/games").json()["games"][0]["id"]
    page.evaluate("localStorage.setItem('bakers.settings', '{}')")
    others = [page.context.new_page() for _ in range(2)]
    others[0].goto(f"{account.site}/accounts/")
    others[1].goto(f"{account.site}/game/{game}")
    others[1].wait_for_selector("html[data-ready=true]", state="attached")
    page.get_by_role("link", name="Delete the account").click()
    page.wait_for_url("**/accounts/reauthenticate/**")
    page.locator("main [name=password]").fill(PASSWORD)
    page.locator("main [name=password]").press("Enter")
    page.wait_for_url("**/accounts/delete/")
    assert_accessible(page)

    with others[0].expect_navigation(), others[1].expect_navigation():
        page.get_by_role("button", name="Delete my account").click()

    page.wait_for_url("**/accounts/deleted/")
    # The other tabs were told, and show nothing of it any more.
    expect(others[0].locator("h1")).to_have_text("Sign in")
    expect(others[1].locator("h1")).to_have_text("There is nothing here")
    for other in others:
        other.close()
    assert [cookie["name"] for cookie in page.context.cookies()] == ["csrftoken"]
    assert_accessible(page)
    assert page.evaluate("localStorage.length") == 0
    for path, status in (("/api/me", 403), (f"/api/games/{game}", 404), (f"/game/{game}", 404)):
        assert page.context.request.get(account.site + path).status == status
    page.goto(f"{account.site}/accounts/")
    expect(page).to_have_url(re.compile("/accounts/login/"))


@pytest.mark.parametrize("size", ["360x640", "640x360", "1280x800"])
@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_the_pages_fit_and_can_be_read(new_table, assert_accessible, size, scheme):
    table = new_table(size, color_scheme=scheme)
    sign_up(table.page.context, table.site)
    for path in ("/accounts/", "/accounts/name/", "/accounts/deleted/"):
        table.page.goto(table.site + path)
        assert_accessible(table.page)
        wide = table.page.evaluate("document.documentElement.scrollWidth - innerWidth")
        assert wide <= 0, path
