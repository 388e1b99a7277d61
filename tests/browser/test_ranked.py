"""Ranked games on the table: how one is started, what it shows, and what it costs to leave one."""

from __future__ import annotations

import re
import sqlite3
from collections.abc import Callable
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Locator, Page, expect

from bakers.rules.deals import deal
from bakers.rules.variants import VARIANTS
from bakers.solver import decide
from tests.browser.conftest import SIZES, TablePage
from tests.browser.people import let_in

GAME = re.compile(r"/game/[0-9a-f-]{36}$")


class Player:
    """Somebody who has signed in, and their table."""

    def __init__(self, table: TablePage, home: Path) -> None:
        self.table = table
        self.page = table.page
        self._home = home
        let_in(table.page.context, table.site, home)

    def start(self) -> str:
        """Start a ranked game from the menu of the table, and return the id of what then lies there."""
        self.table.command("ranked")
        expect(self.page).to_have_url(GAME)
        return self.game()

    def game(self) -> str:
        """The id of the game on the table."""
        return self.page.url.rsplit("/", 1)[1]

    def number(self) -> int:
        """The deal number, which only the database tells."""
        with closing(sqlite3.connect(self._home / "data" / "db.sqlite3")) as database:
            found = database.execute(
                "SELECT deal_number FROM bakers_game WHERE id = ?", [self.game().replace("-", "")]
            )
            return int(found.fetchone()[0])

    def play_any(self) -> None:
        """Play the first legal move."""
        self.table.tap_move(self.table.state()["legal"][0])
        self.table.expect_saved()

    def win(self) -> int:
        """Win the game on the table, the last move by hand, and return its deal number."""
        number = self.number()
        line = decide(deal(VARIANTS["bakers-dozen"], number), 200_000).line
        assert line is not None
        state = self.table.state()
        token = next(
            cookie["value"] for cookie in self.page.context.cookies() if cookie["name"] == "csrftoken"
        )
        for begin in range(0, len(line) - 1, 200):
            moves = [move.text for move in line[begin : min(begin + 200, len(line) - 1)]]
            answer = self.page.context.request.post(
                f"{self.table.site}/api/games/{state['id']}/moves",
                headers={"X-CSRFToken": token, "Referer": self.table.site},
                data={
                    "request_id": f"batch-{begin:04}",
                    "version": state["version"],
                    "at": begin,
                    "moves": moves,
                },
            )
            assert answer.ok, answer.text()
            state = answer.json()
        self.page.reload()
        self.table.ready()
        self.table.tap(line[-1].text[0])
        self.table.expect_status("won")
        self.table.expect_saved()
        return number

    def give_up(self) -> None:
        """Give the game up, knowing what that means."""
        self.table.command("resign")
        self.page.locator("#dialog-resign button[value=resign]").click()
        self.table.expect_status("lost")

    @property
    def name(self) -> Locator:
        """What the table shows where the deal number is."""
        return self.page.locator("[data-deal]")

    @property
    def strip(self) -> Locator:
        """What is said of the end."""
        return self.page.locator("[data-panel]")

    @property
    def ask(self) -> Locator:
        """The dialog that says what a new game costs."""
        return self.page.locator("#dialog-ranked-open")


@pytest.fixture
def sign_in(new_table: Callable[..., TablePage], site_home: Path) -> Callable[..., Player]:
    """Make tables of players who have signed in."""

    def make(size: str = "1280x800", **options: Any) -> Player:
        return Player(new_table(size, **options), site_home)

    return make


@pytest.fixture
def player(sign_in: Callable[..., Player]) -> Player:
    """A player at a casual deal."""
    player = sign_in()
    player.table.open("/play/bakers-dozen/1", autocomplete=False)
    return player


def toast(page: Page) -> Locator:
    return page.locator("[data-toast]")


def fits(panel: Locator) -> bool:
    """Whether the strip's words and all its buttons are on the screen."""
    inside: bool = panel.evaluate(
        """panel => [panel.querySelector(".panel__text"), ...panel.querySelectorAll("button")]
            .filter(each => each.offsetParent !== null)
            .map(each => each.getBoundingClientRect())
            .every(({ left, right }) => left >= 0 && right <= document.documentElement.clientWidth)"""
    )
    return inside


class TestGuests:
    @pytest.mark.parametrize("way", ["menu", "choose"])
    def test_are_told_to_sign_in(self, table: TablePage, way: str) -> None:
        asked: list[str] = []
        table.page.on("request", lambda request: asked.append(request.method))
        table.open("/play/bakers-dozen/1")
        if way == "menu":
            table.command("ranked")
        else:
            table.command("choose")
            table.page.get_by_role("button", name="Ranked game").click()
        dialog = table.page.locator("#dialog-ranked-guest")
        expect(dialog).to_contain_text("Streaks are kept for players who have signed in.")
        expect(dialog.locator("[data-sign-in]")).to_have_attribute(
            "href", "/accounts/login/?next=/play/bakers-dozen/1"
        )
        assert "POST" not in asked
        dialog.get_by_role("button", name="Not now").click()
        table.tap_move("1h")
        assert table.state()["kind"] == "casual"


class TestStarting:
    def test_puts_a_deal_on_the_table_whose_number_is_nowhere(self, player: Player) -> None:
        player.start()
        expect(player.name).to_have_text("Ranked")
        expect(toast(player.page)).to_contain_text("this deal can be won")
        player.play_any()
        number = str(player.number())
        assert player.table.state()["deal"] is None
        for _ in range(2):
            assert number not in player.page.content()
            assert "ranked" in player.page.title()
            expect(player.page.locator("[data-about-deal]")).to_be_hidden()
            player.page.reload()
            player.table.ready()

    def test_offers_an_unplayed_game_again(self, player: Player) -> None:
        first = player.start()
        player.table.open("/play/bakers-dozen/1")
        assert player.start() == first
        player.table.command("ranked")
        expect(toast(player.page)).to_contain_text("this deal can be won")
        assert player.game() == first

    def test_takes_the_variant_that_is_chosen(self, player: Player) -> None:
        player.table.command("choose")
        player.page.locator("#dialog-choose").get_by_label("Good Measure").check()
        player.page.get_by_role("button", name="Ranked game").click()
        expect(player.page).to_have_url(GAME)
        expect(player.page.locator("#dialog-choose")).to_be_hidden()
        assert player.table.state()["variant"] == "good-measure"

    def test_counts_no_time_before_the_first_move(self, player: Player) -> None:
        player.page.clock.install()
        player.start()
        player.page.clock.run_for(5_000)
        expect(player.page.locator("[data-clock]")).to_have_text("0:00")


class TestWhileItRuns:
    def test_there_is_no_help_and_that_is_said(self, player: Player) -> None:
        asked: list[str] = []
        player.page.on("request", lambda request: asked.append(request.url))
        player.table.page.evaluate(
            "localStorage.setItem('bakers.settings', JSON.stringify({lamp: true, autocomplete: false}))"
        )
        player.start()
        player.page.reload()
        player.table.ready()
        player.play_any()
        # They can be pressed, and say why nothing comes of it.
        player.page.locator('.toolbar > [data-action="hint"]').click(force=True)
        expect(toast(player.page)).to_contain_text("played without help")
        player.table.tap_move(player.table.state()["legal"][0])
        expect(toast(player.page)).to_be_hidden()
        player.page.locator(".tool-menu summary").click()
        player.page.locator('[data-action="solution"]').click(force=True)
        expect(toast(player.page)).to_contain_text("played without help")
        player.page.keyboard.press("Escape")
        player.page.keyboard.press("h")
        expect(toast(player.page)).to_contain_text("played without help")
        expect(player.page.locator("[data-lamp]")).to_be_hidden()
        player.table.command("share")
        expect(toast(player.page)).to_contain_text("when its game has ended")
        assert not [url for url in asked if re.search("/api/.*(hint|verdict|solution|postmortem|solve)", url)]

    def test_undo_is_free(self, player: Player) -> None:
        player.start()
        player.play_any()
        player.table.command("undo")
        player.table.expect_ply(0)
        assert player.table.state()["status"] == "open"

    def test_it_is_found_in_the_list_and_where_there_is_something_to_go_on_with(self, player: Player) -> None:
        game = player.start()
        player.play_any()
        player.table.open("/play/bakers-dozen/1")
        expect(player.strip).to_contain_text("Baker’s Dozen, ranked, 1 move")
        player.table.command("games")
        item = player.page.locator(f'[data-game="{game}"]')
        expect(item).to_contain_text("Baker’s Dozen, ranked")


class TestAnotherOne:
    def test_asks_with_the_streak_before_it_loses_the_game(self, player: Player) -> None:
        player.start()
        player.win()
        player.page.locator('[data-panel-action="ranked"]').click()
        expect(player.name).to_have_text("Ranked, streak 1")
        second = player.game()
        player.play_any()
        player.table.expected += ["409"]

        player.table.command("ranked")
        expect(player.ask).to_contain_text("Baker’s Dozen open, with 1 move")
        expect(player.ask).to_contain_text("ends your streak of 1 ranked game won")
        player.ask.get_by_role("button", name="Play on").click()
        expect(player.ask).to_be_hidden()
        assert (player.game(), player.table.state()["status"]) == (second, "open")

        player.table.command("ranked")
        player.ask.get_by_role("button", name="Lose it, start anew").click()
        expect(player.ask).to_be_hidden()
        expect(player.name).to_have_text("Ranked")
        assert player.game() != second
        player.table.open(f"/game/{second}")
        player.table.expect_status("lost")
        expect(player.strip).to_contain_text("Your streak of 1 has ended.")

    def test_goes_on_with_the_game_that_is_open(self, player: Player) -> None:
        game = player.start()
        player.play_any()
        player.table.open("/play/bakers-dozen/1")
        player.table.expected += ["409"]
        player.table.command("ranked")
        expect(player.ask).to_contain_text("You have no streak to lose.")
        player.ask.get_by_role("button", name="Go on with it").click()
        expect(player.page).to_have_url(re.compile(game))
        player.table.expect_ply(1)

    def test_says_so_where_the_game_was_replaced_in_another_tab(
        self, player: Player, new_table: Callable[..., TablePage]
    ) -> None:
        player.start()
        player.play_any()
        other = new_table(context=player.page.context)
        other.open("/play/bakers-dozen/1")
        other.expected += ["409"]
        player.table.expected += ["409"]
        other.command("ranked")
        other.page.get_by_role("button", name="Lose it, start anew").click()
        expect(other.page).to_have_url(GAME)
        legal = player.page.evaluate(
            "id => fetch(`/api/games/${id}`).then(answer => answer.json()).then(game => game.status)",
            player.game(),
        )
        assert legal == "lost"
        player.page.evaluate("document.dispatchEvent(new Event('visibilitychange'))")
        player.table.expect_status("lost")
        expect(player.strip).to_contain_text("A ranked game lost.")


class TestTheEnd:
    def test_of_a_win_shows_the_streak_and_the_number(self, player: Player) -> None:
        player.start()
        number = player.win()
        expect(player.strip).to_contain_text(f"Ranked streak: 1. Deal {number}.")
        expect(player.name).to_have_text(f"Deal {number}")
        expect(player.page.locator("[data-panel-action=solution]")).to_be_visible()

    def test_by_giving_up_names_the_streak_before_and_after(self, player: Player) -> None:
        player.start()
        player.win()
        player.start()
        expect(player.name).to_have_text("Ranked, streak 1")
        number = player.number()
        player.table.command("resign")
        dialog = player.page.locator("#dialog-resign")
        expect(dialog).to_contain_text("ends your streak of 1 ranked game won")
        dialog.get_by_role("button", name="Play on").click()
        assert player.table.state()["status"] == "open"
        player.give_up()
        expect(player.strip).to_contain_text(f"Your streak of 1 has ended. Deal {number}.")
        expect(player.page.locator("[data-panel-action=postmortem]")).to_be_visible()

    def test_of_a_casual_game_says_nothing_of_streaks(self, player: Player) -> None:
        player.table.tap_move("1h")
        player.table.expect_saved()
        player.table.command("resign")
        dialog = player.page.locator("#dialog-resign")
        expect(dialog.locator("[data-resign-streak]")).to_be_hidden()
        dialog.get_by_role("button", name="Give up").click()
        expect(player.strip).to_have_text(re.compile(r"^Given up\.(?!.*ranked)"))


@pytest.mark.parametrize("size", SIZES)
@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_every_screen_fits_and_can_be_read(
    sign_in: Callable[..., Player], assert_accessible: Callable[[Page], None], size: str, scheme: str
) -> None:
    player = sign_in(size, color_scheme=scheme, reduced_motion="reduce")
    player.table.open("/play/bakers-dozen/1", autocomplete=False)
    player.table.expected += ["409"]
    player.start()
    player.win()
    expect(player.strip).to_contain_text("Ranked streak: 1.")
    assert_accessible(player.page)
    assert fits(player.strip)
    player.page.locator('[data-panel-action="ranked"]').click()
    expect(player.name).to_have_text("Ranked, streak 1")
    player.play_any()
    for name, selector in (
        ("resign", "#dialog-resign"),
        ("choose", "#dialog-choose"),
        ("ranked", "#dialog-ranked-open"),
    ):
        player.table.command(name)
        dialog = player.page.locator(selector)
        expect(dialog).to_be_visible()
        assert_accessible(player.page)
        assert dialog.evaluate("each => each.scrollWidth <= each.clientWidth")
        player.page.keyboard.press("Escape")
        expect(dialog).to_be_hidden()
    player.give_up()
    expect(player.strip).to_contain_text("Your streak of 1 has ended.")
    assert_accessible(player.page)
    assert fits(player.strip)
