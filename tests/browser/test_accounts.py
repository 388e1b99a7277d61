"""Making an account, getting in, and leaving, in a browser; mails are read at /dev/mail."""

from __future__ import annotations

import email
import email.policy
import json
import re
from collections.abc import Callable, Iterator
from email.message import EmailMessage
from pathlib import Path
from typing import Any

import pytest
from aiosmtpd.controller import Controller
from allauth.mfa.totp.internal.auth import format_hotp_value, hotp_value, yield_hotp_counters_from_time
from playwright.sync_api import BrowserContext, Page, expect

from tests.browser.conftest import TablePage
from tests.browser.people import PASSWORD, Device, mailed_code, new_address
from tests.browser.site import free_port, running_site


class Person:
    """Somebody with a mailbox, in a browser of their own."""

    def __init__(self, context: BrowserContext, site: str, check: Callable[[Page], None]) -> None:
        self.context = context
        self.site = site
        self.check = check
        self.email = new_address()
        self.page = context.new_page()
        self.complaints: list[str] = []
        self.watch(self.page)

    def watch(self, page: Page) -> None:
        """Note what the console says that isn't about a refusal that a test provokes."""
        page.on(
            "console",
            lambda message: (
                self.complaints.append(message.text) if message.type in {"error", "warning"} else None
            ),
        )
        page.on("pageerror", lambda error: self.complaints.append(str(error)))

    def open(self, path: str) -> None:
        """Open a page and look at it with axe."""
        self.page.goto(self.site + path)
        self.check(self.page)

    def send(self, **fields: str) -> None:
        """Fill the page's form in and press its strong button."""
        for name, value in fields.items():
            self.page.fill(f"main form.form [name={name}]", value)
        self.page.click("main form.form .button--strong")

    def mailed_code(self) -> str:
        """Look into /dev/mail for the newest code to this address."""
        return mailed_code(self.context, self.site, self.email)

    def sign_up(self) -> None:
        """Make an account from the page that is open, by its menu."""
        self.page.click("[data-sign-in]")
        self.page.click("main >> text=Make an account")
        self.send(email=self.email, password1=PASSWORD)
        expect(self.page.locator("h1")).to_have_text("Look into your mailbox")
        self.check(self.page)
        self.send(code=self.mailed_code())

    def sign_in(self) -> None:
        """Type address and password."""
        self.open("/accounts/login/")
        self.send(login=self.email, password=PASSWORD)

    def show_who(self) -> None:
        """Type the password where it is asked for again."""
        expect(self.page.locator("h1")).to_have_text("Is it you?")
        self.check(self.page)
        self.send(password=PASSWORD)

    def sign_out(self) -> None:
        """Sign out by the menu."""
        self.page.click(".account-menu summary")
        self.page.click(".account-menu >> text=Sign out")
        expect(self.page.locator("h1")).to_have_text("You are signed out")

    def ready(self) -> None:
        """Wait until the table can be played."""
        self.page.wait_for_selector("html[data-ready=true]", state="attached")


@pytest.fixture(params=["360x640", "1280x800"])
def person(
    request: Any, site: str, open_context: Callable[..., BrowserContext], assert_accessible: Any
) -> Iterator[Person]:
    """Somebody new, on a phone by day and on a laptop by night."""
    scheme = "light" if request.param == "360x640" else "dark"
    somebody = Person(open_context(request.param, color_scheme=scheme), site, assert_accessible)
    yield somebody
    assert not somebody.complaints, somebody.complaints


class Mailbox:
    """A mail server that keeps what it is given."""

    def __init__(self) -> None:
        self.mails: list[EmailMessage] = []

    async def handle_DATA(self, server: Any, session: Any, envelope: Any) -> str:  # noqa: N802 (its name there)
        """Take a mail."""
        message = email.message_from_bytes(envelope.content, policy=email.policy.default)
        assert isinstance(message, EmailMessage)
        self.mails.append(message)
        return "250 OK"

    def newest(self) -> tuple[str, str, str]:
        """Return whom the newest mail goes to, its subject and its text."""
        message = self.mails[-1]
        body = message.get_body(("plain",))
        assert body is not None
        return str(message["To"]), str(message["Subject"]), str(body.get_content()).replace("\r\n", "\n")


def code_in(text: str) -> str:
    """Return the code in the text of a mail."""
    found = re.search(r"^ +([A-Z]{4}-[A-Z]{4})$", text, re.MULTILINE)
    assert found, text
    return found[1]


def table_of(person: Person) -> TablePage:
    """Return the person's page as a table."""
    return TablePage(person.page, person.site, has_touch=person.page.evaluate("navigator.maxTouchPoints > 0"))


def test_a_guest_signs_up_halfway_and_goes_on_with_the_same_game(
    person: Person, winning_lines: dict[str, list[str]]
) -> None:
    first, second, *_ = winning_lines["bakers-dozen"]
    table = table_of(person)
    table.open("/play/bakers-dozen/2")
    table.tap_move(first)
    before = table.state()

    person.sign_up()

    person.ready()
    assert person.page.url == f"{person.site}/game/{before['id']}"
    assert table.state()["line"] == [first]
    table.key_move(second)
    assert table.state()["line"] == [first, second]
    expect(person.page.locator(".account-menu summary")).to_be_visible()


def test_signing_out_leaves_nothing_in_the_browser(person: Person) -> None:
    table = table_of(person)
    table.open("/play/bakers-dozen/2")
    person.sign_up()
    person.ready()
    table.tap_move("96")
    game = table.state()["id"]
    other = person.context.new_page()
    person.watch(other)
    other.goto(f"{person.site}/game/{game}")
    other.wait_for_selector("html[data-ready=true]", state="attached")
    person.page.evaluate("localStorage.setItem('bakers.settings', '{}'); sessionStorage.setItem('x', 'y')")

    with other.expect_navigation():
        person.sign_out()

    person.check(person.page)
    assert person.page.evaluate("localStorage.length + sessionStorage.length") == 0
    assert {cookie["name"] for cookie in person.context.cookies()} == {"csrftoken", "known"}
    # The other tab was told, and shows nothing of it any more.
    expect(other.locator("h1")).to_have_text("There is nothing here")
    person.page.go_back()
    expect(person.page.locator("[data-sign-in]")).to_be_visible()
    # That the game isn't there is what is meant to be told.
    person.complaints = [text for text in person.complaints if "404" not in text]


def test_a_forgotten_password_is_replaced_by_a_mailed_code(person: Person) -> None:
    person.open("/")
    person.sign_up()
    person.ready()
    person.sign_out()
    person.open("/accounts/login/")
    person.page.click("text=Forgot your password?")
    person.check(person.page)
    person.send(email=person.email)
    person.check(person.page)
    person.send(code=person.mailed_code())
    expect(person.page.locator("h1")).to_have_text("Choose a new password")
    person.check(person.page)
    person.send(password1="short")
    error = person.page.locator("[role=alert]")
    expect(error).to_contain_text("at least 8 characters")
    described = person.page.get_attribute("[name=password1]", "aria-describedby") or ""
    assert error.get_attribute("id") in described.split()
    person.check(person.page)
    person.send(password1="loud-heron-1926")
    person.ready()
    expect(person.page.locator(".account-menu summary")).to_be_visible()


def test_a_passkey_signs_in_without_a_password(person: Person) -> None:
    device = Device(person.page)
    person.open("/")
    person.sign_up()
    person.ready()
    person.open("/accounts/2fa/")
    person.page.click("text=Add a passkey")
    person.show_who()
    expect(person.page.locator("h1")).to_have_text("Add a passkey")
    person.check(person.page)

    # Somebody who thinks better of it reads so beside the button, and the console stays quiet.
    device.knows_its_owner(False)
    person.page.click("#mfa_webauthn_add")
    expect(person.page.locator("[data-passkey-error]")).to_have_text("No passkey was used. Please try again.")
    device.knows_its_owner(True)
    person.page.click("#mfa_webauthn_add")
    expect(person.page.locator("h1")).to_have_text("Recovery codes")
    person.check(person.page)
    assert len(person.page.locator(".codes li").all()) == 10
    person.open("/accounts/2fa/webauthn/")
    expect(person.page.locator(".thing")).to_contain_text("Passkey 1")
    person.open("/accounts/2fa/")

    person.sign_out()
    person.open("/accounts/login/")
    person.page.click("#passkey_login")
    person.ready()
    expect(person.page.locator(".account-menu summary")).to_be_visible()

    # The password alone is no longer enough.
    person.sign_out()
    person.sign_in()
    expect(person.page.locator("h1")).to_have_text("One more step")
    person.check(person.page)
    person.page.click("#mfa_webauthn_authenticate")
    person.ready()


def type_the_apps_code(person: Person, secret: str) -> None:
    """Type what an authenticator app shows; the one after it where that was used before."""
    here = person.page.url
    for counter in yield_hotp_counters_from_time():
        person.send(code=format_hotp_value(hotp_value(secret, counter)))
        if person.page.url != here:
            return
    raise AssertionError("The app's code is refused.")


def test_an_authenticator_app_and_recovery_codes_are_asked_for_until_the_app_is_turned_off(
    person: Person,
) -> None:
    page = person.page
    title = page.locator("h1")
    person.open("/")
    person.sign_up()
    person.ready()
    person.open("/accounts/2fa/")
    page.click("text=Set it up")
    person.show_who()
    expect(title).to_have_text("Set up an authenticator app")
    page.click("text=The app can’t read the picture")
    secret = page.locator(".key").inner_text()
    person.send(code="000000x")
    expect(page.locator("[role=alert]")).to_have_text("This isn’t the code. Please look again.")
    assert page.locator(".key").text_content() == secret
    type_the_apps_code(person, secret)

    expect(title).to_have_text("Recovery codes")
    codes = page.locator(".codes li").all_inner_texts()
    assert len(set(codes)) == 10
    with page.expect_download() as waiting:
        page.click("text=Download them")
    assert Path(waiting.value.path()).read_text().split() == codes

    person.open("/")
    person.sign_out()
    person.sign_in()
    expect(title).to_have_text("One more step")
    assert page.context.request.get(f"{person.site}/api/me").status == 403
    type_the_apps_code(person, secret)
    person.ready()
    expect(page.locator(".account-menu summary")).to_be_visible()

    person.sign_out()
    person.sign_in()
    person.send(code=codes[0])
    person.ready()
    expect(page.locator(".account-menu summary")).to_be_visible()
    person.open("/accounts/2fa/")
    expect(page.locator("main")).to_contain_text("9 of them are unused")

    # Each lets in once.
    person.sign_out()
    person.sign_in()
    person.send(code=codes[0])
    expect(page.locator("[role=alert]").first).to_have_text("This isn’t the code. Please look again.")
    person.check(page)
    person.send(code=codes[1])
    person.ready()

    person.open("/accounts/2fa/")
    page.click("text=Stop using it…")
    person.show_who()
    expect(title).to_have_text("Stop using the authenticator app?")
    page.click("main form.form .button--danger")
    expect(page.get_by_role("link", name="Set it up")).to_be_visible()
    person.check(page)
    # The password alone is enough again.
    person.open("/")
    person.sign_out()
    person.sign_in()
    person.ready()
    expect(page.locator(".account-menu summary")).to_be_visible()


def test_a_guest_becomes_a_player_finishes_looks_back_and_leaves(
    person: Person, winning_lines: dict[str, list[str]]
) -> None:
    line = winning_lines["bakers-dozen"]
    half = len(line) // 2
    Device(person.page)
    page = person.page
    table = table_of(person)
    table.open("/play/bakers-dozen/2", autocomplete=False)
    for move in line[:half]:
        table.key_move(move)
    game = table.state()["id"]

    person.sign_up()
    person.ready()
    for move in line[half:]:
        table.key_move(move)
    table.expect_status("won")
    assert table.state()["id"] == game

    person.open("/accounts/statistics/")
    figures = page.context.request.get(f"{person.site}/api/me/stats").json()
    assert [row["won"] for row in figures["figures"] if row["played"]] == [1]
    person.open("/accounts/history/")
    page.click(f"a[href='/accounts/history/{game}']")
    page.get_by_role("button", name="Replay").click()
    expect(page.locator("[data-line-slider]")).to_have_attribute("max", str(len(line)))
    person.open("/accounts/2fa/")
    page.click("text=Add a passkey")
    person.show_who()
    page.click("#mfa_webauthn_add")
    expect(page.locator("h1")).to_have_text("Recovery codes")

    person.open("/accounts/")
    with page.expect_download() as waiting:
        page.get_by_role("link", name="Download everything").click()
    everything = json.loads(Path(waiting.value.path()).read_text())["everything"]
    assert [(kept["id"], kept["line"]) for kept in everything["games"]] == [(game, line)]
    page.get_by_role("link", name="Delete the account").click()
    if "/reauthenticate/" in page.url:
        person.show_who()
    page.get_by_role("button", name="Delete my account").click()
    expect(page.locator("h1")).to_have_text("Your account is deleted")
    assert [cookie["name"] for cookie in person.context.cookies()] == ["csrftoken"]
    assert page.context.request.get(f"{person.site}/api/games/{game}").status == 404


def test_the_address_is_changed_and_every_session_ended(person: Person) -> None:
    person.open("/")
    person.sign_up()
    person.ready()
    person.page.click(".account-menu summary")
    person.check(person.page)
    person.open("/accounts/email/")
    person.show_who()
    expect(person.page.locator("h1")).to_have_text("E-mail address")
    person.email = f"new-{person.email}"
    person.send(email=person.email)
    person.check(person.page)
    person.send(code=person.mailed_code())
    expect(person.page.locator(".notice")).to_have_text(
        re.compile(r"Your address is now new-ann\d+@example.org.")
    )
    person.open("/accounts/sessions/")
    person.page.click("button:text-is('Sign out everywhere')")
    expect(person.page.locator("h1")).to_have_text("You are signed out")


def test_a_wrong_password_is_told_in_words(person: Person) -> None:
    person.open("/accounts/login/")
    person.send(login=person.email, password="wrong")
    expect(person.page.locator("[role=alert]").first).to_have_text(
        "This address and this password don’t belong together."
    )
    person.check(person.page)


def test_a_real_mail_server_brings_the_code_and_one_that_is_gone_costs_nothing(
    tmp_path: Path, open_context: Callable[..., BrowserContext], assert_accessible: Any
) -> None:
    mailbox = Mailbox()
    server = Controller(mailbox, hostname="127.0.0.1", port=free_port())
    server.start()
    with running_site(
        tmp_path, EMAIL_URL=f"smtp://127.0.0.1:{server.port}", EMAIL_FROM="Cards <cards@example.org>"
    ) as site:
        person = Person(open_context("1280x800"), site, assert_accessible)
        table = table_of(person)
        table.open("/play/bakers-dozen/2")
        table.tap_move("96")
        game = table.state()["id"]
        person.page.click("[data-sign-in]")
        person.page.click("main >> text=Make an account")
        person.send(email=person.email, password1=PASSWORD)
        to, subject, text = mailbox.newest()
        assert (to, subject) == (person.email, "Your code for Baker’s Dozen")
        assert mailbox.mails[-1]["From"] == "Cards <cards@example.org>"
        assert person.page.locator("a[href='/dev/mail']").count() == 0
        person.send(code=code_in(text))
        person.ready()
        assert person.page.url == f"{site}/game/{game}"
        assert person.page.context.request.get(f"{site}/dev/mail").status == 404
        person.sign_out()
        assert not person.complaints, person.complaints

        server.stop()
        person.open("/accounts/password/reset/")
        person.send(email=person.email)
        expect(person.page.locator("h1")).to_have_text("The mail couldn’t be sent")
        person.check(person.page)
        server = Controller(mailbox, hostname="127.0.0.1", port=server.port)
        server.start()
        person.page.click("text=Try again")
        person.send(email=person.email)
        expect(person.page.locator("h1")).to_have_text("Look into your mailbox")
        to, subject, text = mailbox.newest()
        assert (to, subject) == (person.email, "Your code for a new password")
        person.send(code=code_in(text))
        expect(person.page.locator("h1")).to_have_text("Choose a new password")
        person.send(password1="loud-heron-1926")
        expect(person.page.locator(".account-menu summary")).to_be_visible()
        assert person.page.context.request.get(f"{site}/api/games/{game}").ok
    server.stop()
