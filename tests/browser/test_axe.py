"""Every page of the site, looked at with axe: on a phone by day and on a laptop by night.

The rows are compared with the addresses themselves, so that a new page fails here until it says who sees it.
What opens on a page, such as dialogs, and pages that come of forms, are looked at where they are used.
"""

from __future__ import annotations

import datetime
import json
import re
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import pytest
from django.conf import settings
from django.contrib.auth.models import AnonymousUser
from django.template.loader import render_to_string
from django.test import RequestFactory
from playwright.sync_api import Browser, BrowserContext, Page, expect

from tests.browser.conftest import SIZES, TablePage
from tests.browser.people import PASSWORD, Device, mailed_code, new_address, send
from tests.browser.site import manage
from tests.endpoints import Endpoint, endpoints

DAY_AND_NIGHT = (("light", "360x640"), ("dark", "1280x800"))
#: Shown where something is in the way; how, isn't part of the page.
REFUSALS = [
    *sorted(path.name for path in (settings.BASE_DIR / "templates").glob("[45]??.html")),
    "accounts/mail_failed.html",
    "accounts/too_often.html",
]


class Cast:
    """Everybody who looks at pages, and what they have."""

    def __init__(self, made: dict[str, Any]) -> None:
        self.sessions: dict[str, str] = made["sessions"]
        self.email: str = made["email"]
        self.ended, self.open = made["ended"], made["open"]
        self.objects = {
            "/user/": made["user"],
            "/statistics/": made["statistics"],
            "/game/": made["ended"],
            "/daily/board/": made["board"],
            "/daily/result/": made["result"],
        }
        self.passkey = 0

    def path(self, endpoint: Endpoint) -> str:
        """Return the address of a page with something on it."""
        return endpoint.path(
            game_id=self.ended if "history" in endpoint.route else self.open,
            pk=self.passkey,
            # Of today there is always a board.
            date=datetime.datetime.now(datetime.UTC).date(),
            object_id=next((pk for part, pk in self.objects.items() if part in endpoint.route), None),
        )


@pytest.fixture(scope="session")
def cast(site: str, site_home: Path, browser: Browser) -> Cast:
    """Everybody; Ann makes herself a passkey first."""
    code = "from tests.browser.cast import make; make()"
    cast = Cast(json.loads(manage(site_home, "shell", "--no-imports", "-v0", "-c", code)))
    context = browser.new_context()
    context.add_cookies([{"name": "sessionid", "value": cast.sessions["ann"], "url": site}])
    page = context.new_page()
    Device(page)
    page.goto(f"{site}/accounts/2fa/webauthn/add/")
    page.click("#mfa_webauthn_add")
    expect(page.locator("h1")).not_to_have_text("Add a passkey")
    page.goto(f"{site}/accounts/2fa/webauthn/")
    renames = page.get_by_role("link", name="Rename").get_attribute("href")
    found = re.search(r"/keys/(\d+)/edit/", renames or "")
    assert found, renames
    cast.passkey = int(found[1])
    context.close()
    return cast


@pytest.fixture
def come(
    site: str,
    cast: Cast,
    open_context: Callable[..., BrowserContext],
    new_table: Callable[..., TablePage],
) -> Callable[[str], TablePage]:
    """Let somebody come in a browser of their own; guests come as they are."""

    def come(who: str) -> TablePage:
        context = open_context()
        if who != "guest":
            context.add_cookies([{"name": "sessionid", "value": cast.sessions[who], "url": site}])
        return new_table(context=context)

    return come


# What leads to a page that is only there in between.


def ask_for_an_account(context: BrowserContext, site: str, cast: Cast) -> None:
    """Wait for the code of a new account."""
    send(context, site, "/accounts/signup/", email=new_address(), password1=PASSWORD)


def forget_the_password(context: BrowserContext, site: str, cast: Cast) -> None:
    """Wait for the code of a new password."""
    send(context, site, "/accounts/password/reset/", email=cast.email)


def type_the_code(context: BrowserContext, site: str, cast: Cast) -> None:
    """Be about to choose a new password."""
    forget_the_password(context, site, cast)
    code = mailed_code(context, site, cast.email)
    send(context, site, "/accounts/password/reset/confirm/", code=code)


def type_the_password(context: BrowserContext, site: str, cast: Cast) -> None:
    """Be asked for a second proof."""
    send(context, site, "/accounts/login/", login=cast.email, password=PASSWORD)


@dataclass(frozen=True)
class Look:
    """Who looks at a page, what they did before, and with which status it is shown."""

    who: str = "guest"
    before: Callable[[BrowserContext, str, Cast], None] | None = None
    status: int = 200


ANYBODY = Look()
ANN = Look("ann")
ROOT = Look("root")
LOOKS = {
    "GET /": ANYBODY,
    "GET /play/<str:variant>": ANYBODY,
    "GET /play/<str:variant>/<str:number>": ANYBODY,
    "GET /deal/<str:variant>/<str:number>": ANYBODY,
    "GET /daily/<str:variant>": ANYBODY,
    "GET /daily/<str:variant>/<str:date>": ANYBODY,
    "GET /archive/<str:variant>": ANN,
    "GET /archive/<str:variant>/<str:month>": ANYBODY,
    "GET /leaderboards/<str:contest>/<str:variant>": ANN,
    "GET /u/<str:name>": ANYBODY,
    "GET /questions": ANYBODY,
    "GET /rules/<str:variant>": ANYBODY,
    "GET /game/<uuid:game_id>": ANN,
    "GET /dev/mail": Look(before=ask_for_an_account),
    "GET /accounts/": ANN,
    "GET /accounts/name/": ANN,
    "GET /accounts/delete/": ANN,
    "GET /accounts/deleted/": ANYBODY,
    "GET /accounts/statistics/": ANN,
    "GET /accounts/history/": ANN,
    "GET /accounts/history/<uuid:game_id>": ANN,
    "GET /accounts/signed-out/": ANYBODY,
    "GET /accounts/login/": ANYBODY,
    "GET /accounts/signup/": ANYBODY,
    "GET /accounts/inactive/": ANYBODY,
    "GET /accounts/confirm-email/": Look(before=ask_for_an_account),
    "GET /accounts/password/reset/": ANYBODY,
    "GET /accounts/password/reset/confirm/": Look(before=forget_the_password),
    "GET /accounts/password/reset/complete/": Look(before=type_the_code),
    "GET /accounts/password/reset/done/": ANYBODY,
    "GET /accounts/password/change/": ANN,
    "GET /accounts/password/set/": Look("carl"),
    "GET /accounts/logout/": ANN,
    "GET /accounts/email/": ANN,
    "GET /accounts/sessions/": ANN,
    "GET /accounts/reauthenticate/": Look("ann of old"),
    # Closed: a mailed code is no way to show who one is.
    "GET /accounts/reauthenticate/code/": Look("ann of old", status=403),
    "GET /accounts/reauthenticate/code/confirm/": Look("ann of old", status=403),
    "GET /accounts/2fa/": ANN,
    "GET /accounts/2fa/authenticate/": Look(before=type_the_password),
    "GET /accounts/2fa/reauthenticate/": Look("ann of old"),
    "GET /accounts/2fa/recovery-codes/": ANN,
    "GET /accounts/2fa/recovery-codes/generate/": ANN,
    "GET /accounts/2fa/totp/activate/": Look("bob"),
    "GET /accounts/2fa/totp/deactivate/": ANN,
    "GET /accounts/2fa/webauthn/": ANN,
    "GET /accounts/2fa/webauthn/add/": ANN,
    "GET /accounts/2fa/webauthn/reauthenticate/": Look("ann of old"),
    "GET /accounts/2fa/webauthn/keys/<int:pk>/edit/": ANN,
    "GET /accounts/2fa/webauthn/keys/<int:pk>/remove/": ANN,
    "GET /admin/": ROOT,
    "GET /admin/^(?P<app_label>accounts|bakers|daily)/$": ROOT,
    "GET /admin/accounts/user/": ROOT,
    "GET /admin/accounts/user/<path:object_id>/change/": ROOT,
    "GET /admin/accounts/user/<path:object_id>/history/": ROOT,
    "GET /admin/accounts/statistics/": ROOT,
    "GET /admin/accounts/statistics/<path:object_id>/change/": ROOT,
    "GET /admin/accounts/statistics/<path:object_id>/history/": ROOT,
    "GET /admin/daily/board/": ROOT,
    "GET /admin/daily/board/<path:object_id>/change/": ROOT,
    "GET /admin/daily/board/<path:object_id>/history/": ROOT,
    "GET /admin/daily/result/": ROOT,
    "GET /admin/daily/result/<path:object_id>/change/": ROOT,
    "GET /admin/daily/result/<path:object_id>/history/": ROOT,
    "GET /admin/bakers/game/": ROOT,
    "GET /admin/bakers/game/<path:object_id>/change/": ROOT,
    "GET /admin/bakers/game/<path:object_id>/history/": ROOT,
}
#: Addresses that nobody is shown a page at, and who sees the most there.
NO_PAGES = {
    # For machines.
    "GET /healthz": "guest",
    "GET /healthz/ready": "guest",
    "GET /admin/jsi18n/": "root",
    # A text.
    "GET /accounts/2fa/recovery-codes/download/": "ann",
    # Mailed codes sign nobody in.
    "GET /accounts/login/code/confirm/": "guest",
    # Without a script it leads back to where it is pressed.
    "GET /accounts/2fa/webauthn/login/": "guest",
    # The doors of staff are everybody's.
    "GET /admin/login/": "root",
    "GET /admin/logout/": "root",
    "GET /admin/password_change/": "root",
    "GET /admin/password_change/done/": "root",
}
#: The pages for staff are Django's, with its styles.
ADMIN: dict[str, Any] = {
    # Its breadcrumbs and pages of lists have links that only their colour tells from the text beside them.
    "rules": {"link-in-text-block": {"enabled": False}},
    # axe would read its imported styles again, which the policy stops; no rule that is on here needs them.
    "preload": False,
}
READ = [endpoint for endpoint in endpoints() if endpoint.method == "GET" and not endpoint.is_api]


def expect_good(page: Page, check: Callable[..., None], show: Callable[[], object]) -> None:
    """Show a page on a phone by day and on a laptop by night, and look at it."""
    for scheme, size in DAY_AND_NIGHT:
        width, height = SIZES[size]
        page.set_viewport_size({"width": width, "height": height})
        page.emulate_media(color_scheme="light" if scheme == "light" else "dark", reduced_motion="reduce")
        show()
        if urlsplit(page.url).path.startswith("/admin/"):
            check(page, **ADMIN)
        else:
            check(page)
            assert page.evaluate("document.documentElement.scrollWidth <= innerWidth"), size


def test_every_page_has_a_row() -> None:
    assert {str(endpoint) for endpoint in READ} == {*LOOKS, *NO_PAGES}
    assert not set(LOOKS) & set(NO_PAGES)


@pytest.mark.parametrize("endpoint", [each for each in READ if str(each) in LOOKS], ids=str)
def test_axe_finds_nothing_serious(
    cast: Cast, come: Callable[[str], TablePage], assert_accessible: Callable[..., None], endpoint: Endpoint
) -> None:
    look = LOOKS[str(endpoint)]
    table = come(look.who)
    if look.before:
        look.before(table.page.context, table.site, cast)
    path = cast.path(endpoint)
    if look.status != 200:
        table.expected.append(str(look.status))

    def show() -> None:
        response = table.page.goto(table.site + path)
        assert response is not None
        # And not the page of a door on the way to it.
        assert (response.status, urlsplit(table.page.url).path) == (look.status, path)
        if table.main.count():
            table.ready()

    expect_good(table.page, assert_accessible, show)


@pytest.mark.parametrize("endpoint", [each for each in READ if str(each) in NO_PAGES], ids=str)
def test_what_has_no_row_is_no_page(cast: Cast, come: Callable[[str], TablePage], endpoint: Endpoint) -> None:
    table = come(NO_PAGES[str(endpoint)])
    answer = table.page.context.request.get(table.site + cast.path(endpoint), max_redirects=0)
    assert answer.status in {302, 405} or "text/html" not in answer.headers["content-type"]


@pytest.mark.parametrize("path", ["/rules/original-1883", "/rules/good-measure", "/play/original-1883/1"])
def test_axe_finds_nothing_serious_with_other_variants(
    table: TablePage, assert_accessible: Callable[..., None], path: str
) -> None:
    expect_good(table.page, assert_accessible, lambda: table.page.goto(table.site + path))


def test_axe_finds_nothing_serious_where_staff_are_asked_whether_they_are_sure(
    cast: Cast, come: Callable[[str], TablePage], assert_accessible: Callable[..., None]
) -> None:
    table = come("root")
    page = table.page

    def show() -> None:
        page.goto(f"{table.site}/admin/accounts/user/")
        page.locator(f"input[name=_selected_action][value='{cast.objects['/user/']}']").check()
        page.locator("select[name=action]").select_option("erase")
        page.locator("button[name=index]").click()
        expect(page.locator("main")).to_contain_text("Nobody can bring them back")

    expect_good(page, assert_accessible, show)


@pytest.mark.parametrize("template", REFUSALS)
def test_axe_finds_nothing_serious_where_something_is_in_the_way(
    table: TablePage, assert_accessible: Callable[..., None], template: str
) -> None:
    request = RequestFactory().get("/")
    request.user = AnonymousUser()
    text = render_to_string(template, {"minutes": 2, "seconds": 75, "retry_after": 75}, request)
    # Answered here in the place of the site, whose styles it gets.
    table.page.route(
        f"{table.site}/refused", lambda route: route.fulfill(body=text, content_type="text/html")
    )

    def show() -> None:
        table.page.goto(f"{table.site}/refused")
        expect(table.page.locator("h1")).to_be_visible()

    expect_good(table.page, assert_accessible, show)
