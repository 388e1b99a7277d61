"""The daily board as it is played: who may, what comes of it, and what midnight does to a page that lies open."""

from __future__ import annotations

import datetime
import re
import sqlite3
from collections.abc import Callable, Iterator
from contextlib import ExitStack, closing
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Locator, Page, expect

from tests.browser.conftest import SIZES, TablePage
from tests.browser.people import PASSWORD, let_in, mailed_code, new_address
from tests.browser.site import free_port, manage, prepare, serving

#: Days with boards, and the deals of Baker's Dozen and Original 1883 that lie on them: winnable, and never twice.
BOARDS = {
    "2026-03-01": (9, 2),
    "2026-03-02": (6, 3),
    "2026-03-03": (5, 4),
    "2026-03-04": (13, 7),
    "2026-03-05": (10, 11),
}
MAKE_BOARDS = """
import datetime
from bakers.days import Day
from bakers.rules.variants import VARIANTS
from daily import boards
for date, deals in {boards!r}.items():
    for variant, number in zip(("bakers-dozen", "original-1883"), deals):
        boards.pick_number = lambda: number
        boards.make_board(VARIANTS[variant], Day(datetime.date.fromisoformat(date)))
"""
#: Lets others win a board in so many moves each, and one play it in vain.
OTHERS = """
import datetime, uuid
from accounts.models import User
from daily.models import Board, Result
from tests.accounts.past import past_game, store
board = Board.objects.get(variant="bakers-dozen", day={date!r})
at = datetime.datetime.combine(board.day, datetime.time(9), datetime.UTC)
for moves in {moves!r}:
    user = User.objects.create_user(f"{{uuid.uuid4()}}@example.org")
    status = "open" if moves is None else "won"
    [game] = store(past_game(user, kind="daily", status=status, at=at, board_day=board.day, source="board"))
    Result.objects.create(
        user=user, board=board, game=game, variant=board.variant, number=board.number,
        first_move_at=at, won_at=None if moves is None else at, moves=moves,
    )
"""


class Site:
    """A site whose clock stands where a test wants it. It keeps its address while it is set."""

    def __init__(self, home: Path) -> None:
        self.home = home
        self._port = free_port()
        self.address = f"http://localhost:{self._port}"
        self._now = ""
        self._running = ExitStack()
        prepare(home)
        self.run(MAKE_BOARDS.format(boards=BOARDS))

    def run(self, code: str) -> str:
        """Run some code on the site."""
        return manage(self.home, "shell", "--no-imports", "-v0", "-c", code)

    def set_clock(self, moment: str) -> None:
        """Let it be a moment in UTC from now on, as 2026-03-01 12:00."""
        if moment == self._now:
            return
        self._running.close()
        wanted = datetime.datetime.fromisoformat(moment).replace(tzinfo=datetime.UTC)
        offset = int((wanted - datetime.datetime.now(datetime.UTC)).total_seconds())
        self._running.enter_context(serving(self.home, self._port, CLOCK_OFFSET=str(offset)))
        self._now = moment

    def stop(self) -> None:
        """Serve no longer."""
        self._running.close()

    def line(self, date: str, variant: str = "bakers-dozen") -> list[str]:
        """A line that wins a board, which only the database tells."""
        [line] = self._ask(
            "SELECT line FROM daily_solution JOIN daily_board ON daily_board.id = board_id "
            "WHERE day = ? AND variant = ?",
            date,
            variant,
        )
        return re.findall("..", line)

    def set_par(self, date: str, moves: int | None, *, proven: bool = False) -> None:
        """Let the par of a board of Baker's Dozen be known, or not yet."""
        self._ask(
            "UPDATE daily_board SET par = ?, par_proven = ? WHERE day = ? AND variant = 'bakers-dozen'",
            moves,
            proven,
            date,
        )

    def rows(self, table: str) -> int:
        """How many rows a table has."""
        [count] = self._ask(f"SELECT count(*) FROM {table}")  # noqa: S608 (tests name the table)
        return int(count)

    def _ask(self, query: str, *values: Any) -> Any:
        with closing(sqlite3.connect(self.home / "data" / "db.sqlite3", timeout=20)) as database, database:
            return database.execute(query, values).fetchone()


@pytest.fixture(scope="module")
def daily_site(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Site]:
    """A site with boards."""
    site = Site(tmp_path_factory.mktemp("daily"))
    yield site
    site.stop()


@pytest.fixture(scope="module")
def site_home(daily_site: Site) -> Path:
    """The folder in which it keeps everything."""
    return daily_site.home


@pytest.fixture
def site(daily_site: Site) -> str:
    """Its address, for the tables of these tests."""
    return daily_site.address


@pytest.fixture
def noon(daily_site: Site) -> Site:
    """The site at noon of 2026-03-01."""
    daily_site.set_clock("2026-03-01 12:00")
    return daily_site


class Player:
    """Somebody who has signed in, and their table."""

    def __init__(self, table: TablePage, site: Site) -> None:
        self.table = table
        self.page = table.page
        self.site = site
        let_in(self.page.context, site.address, site.home)

    def begin(self, date: str, variant: str = "bakers-dozen") -> list[str]:
        """Play the first move of a board by hand, and return the line that wins it."""
        line = self.site.line(date, variant)
        self.table.open(f"/daily/{variant}/{date}", autocomplete=False)
        self.table.tap_move(line[0])
        self.table.expect_saved()
        return line

    def go_on(self, line: list[str], date: str, variant: str = "bakers-dozen") -> None:
        """Play all but the last move of a line, as from another device, and look at it here."""
        view = self.page.context.request.get(f"{self.table.site}/api/daily/{variant}/{date}").json()
        game = view["game"]
        token = next(each["value"] for each in self.page.context.cookies() if each["name"] == "csrftoken")
        answer = self.page.context.request.post(
            f"{self.table.site}/api/games/{game['id']}/moves",
            headers={"X-CSRFToken": token, "Referer": self.table.site},
            data={
                "request_id": "from-elsewhere",
                "version": game["version"],
                "at": game["ply"],
                "moves": line[game["ply"] : -1],
            },
        )
        assert answer.ok, answer.text()
        self.page.reload()
        self.table.ready()

    def win(self, date: str, variant: str = "bakers-dozen") -> int:
        """Win a board, the first and the last move by hand, and return in how many moves."""
        line = self.begin(date, variant)
        self.go_on(line, date, variant)
        self.table.tap(line[-1][0])
        self.table.expect_status("won")
        self.table.expect_saved()
        return len(line)


@pytest.fixture
def sign_in(new_table: Callable[..., TablePage], daily_site: Site) -> Callable[..., Player]:
    """Make tables of players who have signed in."""

    def make(size: str = "1280x800", **options: Any) -> Player:
        return Player(new_table(size, **options), daily_site)

    return make


def result(page: Page) -> Locator:
    return page.locator("#dialog-daily")


def panel(page: Page) -> Locator:
    return page.locator("[data-panel]")


def name(page: Page) -> Locator:
    return page.locator("[data-deal]")


def fits(within: Locator) -> bool:
    """Whether an element's words and buttons are on the screen."""
    inside: bool = within.evaluate(
        """within => [...within.querySelectorAll("p, dd, a, button")]
            .filter(each => each.offsetParent !== null)
            .map(each => each.getBoundingClientRect())
            .every(({ left, right }) => left >= 0 && right <= document.documentElement.clientWidth)"""
    )
    return inside


class TestAGuest:
    def test_sees_the_cards_and_is_asked_to_sign_in_at_the_first_move(
        self, table: TablePage, noon: Site
    ) -> None:
        asked: list[str] = []
        table.page.on("request", lambda request: asked.append(request.method))
        line = noon.line("2026-03-01")
        table.open("/daily/bakers-dozen")
        before = table.columns()
        assert sum(map(len, before)) == 52
        expect(name(table.page)).to_have_text(re.compile("^Daily #60"))
        expect(panel(table.page)).to_contain_text("Sign in to play today’s board.")
        for way in ("tap", "keys"):
            if way == "tap":
                table.tap(line[0][0])
            else:
                table.focus(line[0][0])
                table.page.keyboard.press("Enter")
            dialog = table.page.locator("#dialog-daily-guest")
            expect(dialog).to_contain_text("The move was not played.")
            dialog.get_by_role("button", name="Not now").click()
        assert table.columns() == before
        table.expect_ply(0)
        assert "POST" not in asked
        assert noon.rows("bakers_game") == noon.rows("daily_result")

    def test_drags_in_vain_and_is_told_so(self, table: TablePage, noon: Site) -> None:
        move = next(move for move in noon.line("2026-03-01") if move[1] != "h")
        table.open("/daily/bakers-dozen")
        legal = table.page.evaluate("JSON.parse(document.querySelector('main').dataset.boot).game.legal")
        move = next(each for each in legal if each[1] != "h")
        table.drag(move[0], move[1])
        expect(table.page.locator("#dialog-daily-guest")).to_be_visible()
        table.expect_ply(0)

    def test_who_signs_up_lands_on_the_board(self, table: TablePage, noon: Site) -> None:
        page = table.page
        table.open("/daily/bakers-dozen/2026-03-01")
        page.locator("[data-panel]").get_by_role("button", name="Sign up").click()
        email = new_address()
        page.locator("input[name=email]").fill(email)
        page.locator("input[name=password1]").fill(PASSWORD)
        page.locator("main form button[type=submit]").first.click()
        page.locator("input[name=code]").fill(mailed_code(page.context, table.site, email))
        page.locator("main form button[type=submit]").first.click()
        expect(page).to_have_url(f"{table.site}/daily/bakers-dozen/2026-03-01")
        table.ready()
        table.tap_move(noon.line("2026-03-01")[0])
        table.expect_saved()
        expect(page).to_have_url(f"{table.site}/daily/bakers-dozen/2026-03-01")

    def test_who_signs_in_lands_on_the_board(self, table: TablePage, noon: Site) -> None:
        table.open("/daily/bakers-dozen")
        table.page.locator("[data-panel]").get_by_role("button", name="Sign in").click()
        expect(table.page).to_have_url(f"{table.site}/accounts/login/?next=%2Fdaily%2Fbakers-dozen")


class TestTheWayThere:
    @pytest.mark.parametrize("size", SIZES)
    def test_is_in_the_header_or_in_the_menu(
        self, new_table: Callable[..., TablePage], noon: Site, size: str
    ) -> None:
        table = new_table(size)
        table.open("/play/original-1883/1")
        header = ".days-menu > summary" if size == "1280x800" else ".site-header > .daily-link"
        assert table.page.locator(header).is_visible() == (size != "640x360")
        table.page.locator(".tool-menu summary").click()
        table.page.get_by_role("link", name="Daily board").click()
        expect(table.page).to_have_url(f"{table.site}/daily/original-1883")
        assert table.page.evaluate("document.documentElement.scrollWidth <= innerWidth")

    def test_leads_to_the_variant_on_the_table(self, table: TablePage, noon: Site) -> None:
        table.open("/play/bakers-dozen/1")
        table.command("choose")
        table.page.locator("#dialog-choose").get_by_label("Original 1883").check()
        table.page.locator("#dialog-choose").get_by_role("button", name="Deal").click()
        table.page.locator(".days-menu > summary").click()
        for label, path in (("Today’s board", "daily"), ("Archive", "archive")):
            link = table.page.locator(".days-menu").get_by_role("link", name=label)
            expect(link).to_have_attribute("href", f"/{path}/original-1883")


class TestWhileItIsPlayed:
    def test_nothing_is_stored_before_the_first_move(
        self, sign_in: Callable[..., Player], noon: Site
    ) -> None:
        player = sign_in()
        before = noon.rows("bakers_game")
        player.table.open("/daily/bakers-dozen")
        expect(name(player.page)).to_have_text(re.compile("^Daily #60"))
        expect(player.page).to_have_title(re.compile("daily #60"))
        assert noon.rows("bakers_game") == before
        player.table.tap_move(noon.line("2026-03-01")[0])
        player.table.expect_saved()
        assert noon.rows("bakers_game") == before + 1
        expect(player.page).to_have_url(f"{player.table.site}/daily/bakers-dozen/2026-03-01")
        player.page.reload()
        player.table.ready()
        player.table.expect_ply(1)

    def test_there_is_no_help_and_that_is_said(self, sign_in: Callable[..., Player], noon: Site) -> None:
        player = sign_in()
        asked: list[str] = []
        player.page.on("request", lambda request: asked.append(request.url))
        player.begin("2026-03-01")
        player.page.keyboard.press("h")
        toast = player.page.locator("[data-toast]")
        expect(toast).to_contain_text("without help until it settles")
        player.page.locator(".tool-menu summary").click()
        player.page.locator('[data-action="solution"]').click(force=True)
        expect(toast).to_contain_text("without help until it settles")
        assert not [url for url in asked if re.search("/api/.*(hint|verdict|solution|postmortem|solve)", url)]

    def test_giving_up_says_what_is_lost(self, sign_in: Callable[..., Player], noon: Site) -> None:
        player = sign_in()
        player.begin("2026-03-01")
        player.table.command("resign")
        dialog = player.page.locator("#dialog-resign")
        expect(dialog).to_contain_text("can’t be won any more")
        expect(dialog).to_contain_text("You have no streak to lose.")
        dialog.get_by_role("button", name="Give up").click()
        player.table.expect_status("lost")
        expect(panel(player.page)).to_contain_text("Given up.")
        player.page.reload()
        player.table.ready()
        player.table.expect_status("lost")
        expect(result(player.page)).to_be_hidden()
        panel(player.page).get_by_role("button", name="Result").click()
        expect(result(player.page)).to_contain_text("How others did is told when the board settles.")
        expect(result(player.page).locator("[data-daily-fact=par]")).to_contain_text("told after the win")

    def test_a_new_deal_leaves_it_open(self, sign_in: Callable[..., Player], noon: Site) -> None:
        player = sign_in()
        player.begin("2026-03-01")
        player.table.command("new")
        expect(name(player.page)).to_have_text(re.compile(r"^Deal \d+$"))
        expect(player.page.locator("[data-toast]")).to_contain_text("Your daily game stays open")
        player.table.command("games")
        item = player.page.locator("[data-game]")
        expect(item).to_contain_text("Baker’s Dozen, daily #60")
        item.click()
        expect(player.page).to_have_url(f"{player.table.site}/daily/bakers-dozen/2026-03-01")
        player.table.ready()
        player.table.expect_ply(1)

    def test_covered_cards_stay_covered(self, sign_in: Callable[..., Player], noon: Site) -> None:
        player = sign_in()
        player.begin("2026-03-01", "original-1883")
        assert "##" in str(player.table.columns())
        expect(name(player.page)).to_have_text(re.compile("^Daily #60"))
        expect(player.page.locator("[data-honour-note]")).to_be_hidden()

    @pytest.mark.parametrize("years", [-7, 5])
    def test_a_device_whose_clock_is_years_off_changes_nothing(
        self, sign_in: Callable[..., Player], noon: Site, years: int
    ) -> None:
        player = sign_in()
        player.page.add_init_script(
            f"{{ const Real = Date; const off = {years} * 31557600000;"
            " globalThis.Date = class extends Real {"
            " constructor(...given) { if (given.length) super(...given); else super(Real.now() + off); }"
            " static now() { return Real.now() + off; } }; }"
        )
        moves = player.win("2026-03-01")
        this_year = datetime.datetime.now(datetime.UTC).year
        assert abs(player.page.evaluate("new Date().getFullYear()") - this_year) >= 2
        expect(result(player.page)).to_contain_text(f"{moves}")
        expect(result(player.page).locator("[data-daily-countdown]")).to_have_text(re.compile("^1[12]:"))


class TestAfterTheWin:
    def test_everything_is_told_and_the_next_day_goes_on(
        self, sign_in: Callable[..., Player], daily_site: Site
    ) -> None:
        daily_site.set_clock("2026-03-04 12:00")
        daily_site.run(OTHERS.format(date="2026-03-04", moves=[101, 99, 108, 120, 120, None, None]))
        player = sign_in()
        player.page.context.grant_permissions(["clipboard-read", "clipboard-write"])
        moves = player.win("2026-03-04")
        shown = result(player.page)
        expect(shown).to_be_visible()
        expect(shown.locator("h2")).to_have_text("Daily #63: won")
        expect(shown.locator("[data-daily-fact=moves]")).to_contain_text(str(moves))
        expect(shown.locator("[data-daily-fact=par]")).to_contain_text("still being looked for")
        expect(shown.locator("[data-daily-fact=streak]")).to_contain_text("1 day")
        expect(shown.locator("[data-daily-share]")).to_have_text("6 of 8 players won it (75\u00a0%).")
        expect(shown.locator("[data-daily-standing]")).to_contain_text("3 more.")
        expect(shown.locator("[data-daily-countdown]")).to_have_text(re.compile(r"^1[12]:\d\d:\d\d$"))
        expect(shown.locator(".bars__bar--own")).to_have_count(1)
        assert shown.locator("[data-daily-bars]").get_attribute("role") == "img"
        shown.get_by_text("As a table").click()
        rows = shown.locator("[data-daily-rows] tr")
        told = [row.inner_text().split("\t") for row in rows.all()]
        assert sum(int(players) for _moves, players in told) == 6
        assert [players for moves, players in told if "you" in moves]

        days = shown.locator("[data-daily-days]")
        expect(days).to_contain_text("1 day won in the last year.")
        picture = days.get_by_role("img", name="Days of Baker’s Dozen won in the last year")
        expect(picture.locator(".plot__day path")).to_have_count(1)
        expect(picture.locator(".plot__day title")).to_have_text("4 March 2026: won")
        days.get_by_text("Month by month").click()
        march = days.get_by_role("row").filter(has=player.page.get_by_role("rowheader", name="March 2026"))
        expect(march.get_by_role("cell")).to_have_text(["1", "4"])

        shown.get_by_role("button", name="Share").click()
        expect(shown.locator("[data-daily-status]")).to_contain_text("copied")
        text = player.page.evaluate("navigator.clipboard.readText()")
        address = f"{player.table.site}/daily/bakers-dozen/2026-03-04"
        assert text == f"Baker’s Dozen daily #63\n{moves} moves\n🏁\n{address}"
        shown.get_by_role("button", name="Close").last.click()
        expect(panel(player.page)).to_contain_text("Streak: 1 day.")

        # Opened again, by then with its par.
        daily_site.set_par("2026-03-04", moves - 2, proven=True)
        player.page.goto(f"{player.table.site}/daily/bakers-dozen")
        player.table.ready()
        expect(shown).to_be_visible()
        expect(shown.locator("[data-daily-fact=par]")).to_contain_text(f"2 over par {moves - 2}, proven")
        shown.get_by_role("button", name="Share").click()
        expect(shown.locator("[data-daily-status]")).to_contain_text("copied")
        text = player.page.evaluate("navigator.clipboard.readText()")
        assert f"{moves} moves\n🟩🟩🟩🟩⬜\n" in text
        # What is said of it is in sight, wherever the rest is scrolled to.
        expect(shown.locator("[data-daily-status]")).to_be_in_viewport()
        expect(shown.get_by_role("link", name="Archive")).to_have_attribute("href", "/archive/bakers-dozen")
        expect(shown.get_by_role("link", name="Leaderboard")).to_have_attribute(
            "href", "/leaderboards/daily/bakers-dozen"
        )

        daily_site.set_clock("2026-03-05 09:00")
        player.win("2026-03-05")
        expect(shown.locator("[data-daily-fact=streak]")).to_contain_text("2 days")
        expect(shown.locator("[data-daily-fact=best]")).to_contain_text("2 days")
        expect(days).to_contain_text("2 days won in the last year.")
        expect(picture.locator(".plot__day path")).to_have_count(2)
        expect(panel(player.page)).to_contain_text("Streak: 2 days.")

    def test_without_the_year_all_else_is_told(self, sign_in: Callable[..., Player], noon: Site) -> None:
        player = sign_in()
        player.table.expected.append("503")
        player.page.route("**/api/me/days/*", lambda route: route.fulfill(status=503, json={}))
        with player.page.expect_response("**/api/me/days/*"):
            player.win("2026-03-01")
        expect(result(player.page).locator("[data-daily-days]")).to_be_hidden()
        expect(result(player.page).locator("[data-daily-share]")).to_have_text(re.compile(r"\bwon\b"))
        expect(result(player.page).locator("[data-daily-countdown]")).to_have_text(re.compile("^1[12]:"))

    def test_the_text_can_be_copied_by_hand_where_nothing_else_works(
        self, sign_in: Callable[..., Player], noon: Site
    ) -> None:
        player = sign_in()
        player.page.add_init_script(
            "Object.defineProperty(navigator, 'clipboard', { value: { writeText: () => Promise.reject() } })"
        )
        player.win("2026-03-01")
        result(player.page).get_by_role("button", name="Share").click()
        field = player.page.locator("[data-share-text]")
        expect(field).to_have_value(re.compile("^Baker’s Dozen daily #60\n"))

    def test_a_phone_is_handed_the_text(self, sign_in: Callable[..., Player], noon: Site) -> None:
        player = sign_in("360x640")
        player.page.add_init_script("navigator.share = async data => { globalThis.shared = data; }")
        player.win("2026-03-01")
        result(player.page).get_by_role("button", name="Share").click()
        player.page.wait_for_function("globalThis.shared")
        assert "daily #60" in player.page.evaluate("shared.text")
        assert "url" not in player.page.evaluate("shared")


class TestMidnight:
    def test_passes_over_pages_that_lie_open(
        self, sign_in: Callable[..., Player], new_table: Callable[..., TablePage], daily_site: Site
    ) -> None:
        daily_site.set_clock("2026-03-02 23:30")
        playing, waiting = sign_in(), sign_in()
        looking = new_table()
        for each in (playing.page, waiting.page):
            each.clock.install()
        line = playing.begin("2026-03-02")
        first = daily_site.line("2026-03-02")[0]
        waiting.table.open("/daily/bakers-dozen", autocomplete=False)
        looking.open("/daily/bakers-dozen")
        expect(panel(playing.page)).to_have_count(0)

        daily_site.set_clock("2026-03-03 00:30")
        # A page that hasn't noticed yet, such as one on a device that slept.
        waiting.table.expected.append("409")
        waiting.table.tap(first[0])
        expect(panel(waiting.page)).to_contain_text("Daily #61 has closed.")
        expect(panel(waiting.page)).to_contain_text("was not played")
        waiting.table.expect_ply(0)
        expect(waiting.page.locator("[data-live]")).to_contain_text("This board has closed")

        playing.page.clock.run_for("31:00")
        expect(panel(playing.page)).to_contain_text("A new board is out.")
        expect(panel(playing.page)).to_contain_text("Yours counts until")
        panel(playing.page).get_by_role("button", name="Play on").click()
        expect(panel(playing.page)).to_have_count(0)

        # Whoever has no move on it doesn't see its cards now, and is told when they can.
        looking.page.goto(f"{looking.site}/daily/bakers-dozen/2026-03-02")
        expect(looking.page.locator("main")).to_contain_text("Daily #61 has closed")
        expect(looking.page.locator("main time")).to_have_attribute("datetime", "2026-03-03T02:00:00Z")
        assert not looking.page.locator("main#table").count()
        panel(waiting.page).get_by_role("button", name="Today’s board").click()
        expect(waiting.page).to_have_url(f"{waiting.table.site}/daily/bakers-dozen")
        waiting.table.ready()
        expect(name(waiting.page)).to_have_text(re.compile("^Daily #62"))

        # A page that is opened now says so too, and a win until it settles counts for its day.
        playing.page.reload()
        playing.table.ready()
        expect(panel(playing.page)).to_contain_text("A new board is out.")
        playing.go_on(line, "2026-03-02")
        playing.table.tap(line[-1][0])
        playing.table.expect_status("won")
        shown = result(playing.page)
        expect(shown.locator("[data-daily-fact=streak]")).to_contain_text("1 day")
        expect(shown).to_contain_text("A new board is out")

    def test_a_board_that_settles_under_a_game_is_played_on_with_help(
        self, sign_in: Callable[..., Player], daily_site: Site
    ) -> None:
        daily_site.set_clock("2026-03-03 23:30")
        player = sign_in()
        player.page.clock.install()
        line = player.begin("2026-03-03")
        daily_site.set_clock("2026-03-04 03:00")
        player.page.clock.run_for("03:31:00")
        expect(panel(player.page)).to_contain_text("Daily #62 has settled.")
        expect(player.page.locator('.toolbar [data-action="hint"]')).to_have_attribute(
            "aria-disabled", "false"
        )
        player.go_on(line, "2026-03-03")
        player.table.tap(line[-1][0])
        player.table.expect_status("won")
        expect(result(player.page)).to_contain_text("it doesn’t count for your streak")
        expect(result(player.page).locator("[data-daily-fact=streak]")).to_contain_text("0 days")


class TestASettledBoard:
    def test_is_practice_with_help_and_tells_what_came_of_it(
        self, table: TablePage, daily_site: Site
    ) -> None:
        daily_site.set_clock("2026-03-04 03:00")
        daily_site.set_par("2026-03-01", 70)
        daily_site.run(OTHERS.format(date="2026-03-01", moves=[80, None]))
        table.open("/daily/bakers-dozen/2026-03-01")
        expect(name(table.page)).to_have_text(re.compile("^Daily #60.*practice$"))
        expect(panel(table.page)).to_contain_text("Practice with help; it counts for nothing. Best known 70.")
        panel(table.page).get_by_role("button", name="Solution").click()
        expect(table.page.locator("dialog[open]")).to_contain_text("Solution")
        table.page.keyboard.press("Escape")
        panel(table.page).get_by_role("button", name="How it went").click()
        expect(result(table.page).locator("[data-daily-days]")).to_be_hidden()
        expect(result(table.page).locator("[data-daily-share]")).to_contain_text("won it")
        expect(result(table.page).locator("[data-daily-fact=par]")).to_contain_text("70, best known")
        table.page.keyboard.press("Escape")
        table.page.locator('.toolbar > [data-action="hint"]').click()
        expect(table.page.locator("[data-panel=hint-card]")).to_contain_text("Move the")
        table.tap_move(daily_site.line("2026-03-01")[0])
        assert (table.state()["kind"], table.state()["board"]["number"]) == ("practice", 60)
        expect(name(table.page)).to_have_text(re.compile("practice$"))

    def test_of_a_winner_shows_the_win_and_is_practised_after_it(
        self, sign_in: Callable[..., Player], daily_site: Site
    ) -> None:
        daily_site.set_clock("2026-03-02 23:30")
        player = sign_in()
        player.win("2026-03-02")
        daily_site.set_clock("2026-03-04 03:00")
        player.page.goto(f"{player.table.site}/daily/bakers-dozen/2026-03-02")
        player.table.ready()
        expect(result(player.page).locator("h2")).to_have_text("Daily #61: won")
        player.page.keyboard.press("Escape")
        panel(player.page).get_by_role("button", name="Practise").click()
        player.table.expect_ply(0)
        assert player.table.state()["kind"] == "practice"


@pytest.mark.parametrize("size", SIZES)
@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_every_screen_of_a_guest_fits_and_can_be_read(
    new_table: Callable[..., TablePage],
    assert_accessible: Callable[[Page], None],
    noon: Site,
    size: str,
    scheme: str,
) -> None:
    guest = new_table(size, color_scheme=scheme, reduced_motion="reduce")
    guest.open("/daily/portuguese-solitaire")
    expect(panel(guest.page)).to_be_visible()
    assert guest.page.evaluate("document.documentElement.scrollWidth <= innerWidth")
    guest.open("/daily/bakers-dozen")
    expect(panel(guest.page)).to_be_visible()
    assert_accessible(guest.page)
    assert fits(panel(guest.page))
    guest.tap(noon.line("2026-03-01")[0][0])
    expect(guest.page.locator("#dialog-daily-guest")).to_be_visible()
    assert_accessible(guest.page)
    assert fits(guest.page.locator("#dialog-daily-guest"))


@pytest.mark.parametrize("size", SIZES)
@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_every_screen_of_a_player_fits_and_can_be_read(
    sign_in: Callable[..., Player],
    assert_accessible: Callable[[Page], None],
    noon: Site,
    size: str,
    scheme: str,
) -> None:
    player = sign_in(size, color_scheme=scheme, reduced_motion="reduce")
    line = player.begin("2026-03-01")
    player.table.command("resign")
    expect(player.page.locator("#dialog-resign")).to_be_visible()
    assert_accessible(player.page)
    player.page.keyboard.press("Escape")
    player.go_on(line, "2026-03-01")
    player.table.tap(line[-1][0])
    shown = result(player.page)
    expect(shown).to_be_visible()
    shown.get_by_text("As a table").click()
    year = shown.locator(".year__scroll")
    expect(year.get_by_role("img")).to_be_visible()
    # The year begins where it ends: with today, and its name of the day.
    assert year.evaluate(
        """year => {
            const [today] = [...year.querySelectorAll(".plot__day path")].slice(-1);
            const { left, right } = year.getBoundingClientRect();
            const there = today.getBoundingClientRect();
            return left <= there.left && there.right <= right && year.scrollWidth > year.clientWidth;
        }"""
    )
    shown.get_by_text("Month by month").click()
    assert_accessible(player.page)
    assert fits(shown)
    assert shown.evaluate("each => each.scrollWidth <= each.clientWidth")
    player.page.keyboard.press("Escape")
    expect(shown).to_be_hidden()
    assert_accessible(player.page)
    assert fits(panel(player.page))
    assert player.page.evaluate("document.documentElement.scrollWidth <= innerWidth")
