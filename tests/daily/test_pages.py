"""The pages around the boards: leaderboards, the archive, profiles, and days in the statistics."""

from __future__ import annotations

import datetime
import re
from html import unescape
from typing import Any
from urllib.parse import quote, unquote

import pytest
from django.test import Client

from accounts import listing, names, privacy
from accounts.models import Statistics, User
from bakers.days import Day
from bakers.rules.variants import VARIANTS
from daily import leaderboards
from daily.archive import Month
from daily.models import Board, Result
from tests.daily.days import VARIANT, at
from tests.daily.past import PAR, make_boards, play_days, player

pytestmark = pytest.mark.django_db
NOW = at("2026-03-01 12:00")
TODAY = Day.of(NOW).number
LIST = f"/leaderboards/daily/{VARIANT}"
ARCHIVE = f"/archive/{VARIANT}"


@pytest.fixture(autouse=True)
def _noon(frozen_clock):
    frozen_clock.time = NOW


def visitor(user: User | None = None) -> Client:
    client = Client()
    if user is not None:
        client.force_login(user)
    return client


def page(path: str, user: User | None = None) -> str:
    """Return the text of a page that is there."""
    response = visitor(user).get(path)
    assert response.status_code == 200, (path, response.status_code)
    return response.content.decode()


def words(html: str) -> str:
    """Return what is read in a piece of HTML."""
    return " ".join(unescape(re.sub(r"<[^>]+>", " ", html)).split())


def main(html: str) -> str:
    return html.partition("<main")[2].partition("</main>")[0]


def streak(user: User, length: int, *, kind: str = "daily", ago: float = 0, **fields: Any) -> Statistics:
    """Store a player's streak, reached so many hours ago."""
    moment = NOW - datetime.timedelta(hours=ago)
    values = {
        "variant": VARIANT, "played": length, "won": length, "streak": length, "best_streak": length,
        "streak_at": moment, "best_streak_at": moment, "last_at": moment,
        "last_number": TODAY if kind == "daily" else None, **listing.find(user.pk), **fields,
    }  # fmt: skip
    return Statistics.objects.create(user=user, kind=kind, **values)


def rows(html: str) -> list[str]:
    """Return the rows of a leaderboard in words."""
    return [words(row) for row in re.findall(r"<tr role=\"row\".*?</tr>", html, re.DOTALL)][1:]


class TestLeaderboards:
    def test_a_row_has_rank_name_streak_and_moment_and_leads_to_the_profile(self):
        streak(player("Dr. Ann"), 12, ago=24)
        streak(player("Ben"), 1)
        html = page(LIST)
        assert rows(html) == [
            "1 Dr. Ann 12 days 28 Feb 2026, 12:00 UTC",
            "2 Ben 1 day 1 Mar 2026, 12:00 UTC",
        ]
        assert 'href="/u/Dr.%20Ann"' in html

    @pytest.mark.parametrize(
        ("path", "label", "unit"),
        [
            (LIST, "Days won in a row, up to today or yesterday.", "Days in a row"),
            (f"{LIST}?span=best", "The most days that each player has ever won in a row.", "Days in a row"),
            ("/leaderboards/ranked/bakers-dozen", "Ranked games won in a row, up to the last one.", "Games in a row"),
            (
                "/leaderboards/ranked/bakers-dozen?span=best",
                "The most ranked games that each player has ever won in a row.",
                "Games in a row",
            ),
        ],
    )  # fmt: skip
    def test_says_what_its_streaks_count(self, path, label, unit):
        ann = player("Ann")
        streak(ann, 2)
        streak(ann, 3, kind="ranked")
        text = words(main(page(path)))
        assert label in text
        assert unit in text

    def test_lists_what_was_asked_for(self):
        streak(player("Now"), 2)
        streak(player("Once"), 9, last_number=TODAY - 5)
        streak(player("Other"), 5, variant="good-measure")
        streak(player("Games"), 4, kind="ranked")
        for path, expected in {
            LIST: ["Now"],
            f"{LIST}?span=current": ["Now"],
            f"{LIST}?span=best": ["Once", "Now"],
            f"{LIST}?span=worst": ["Now"],
            "/leaderboards/daily/good-measure": ["Other"],
            f"/leaderboards/ranked/{VARIANT}": ["Games"],
        }.items():
            assert [row.split()[1] for row in rows(page(path))] == expected, path

    def test_tabs_keep_what_else_was_chosen_and_mark_what_is_shown(self):
        html = main(page("/leaderboards/ranked/good-measure?span=best"))
        links = dict(re.findall(r'<a href="(/leaderboards/[^"]+)"( aria-current="true")?>', html))
        assert set(links) == {
            *(f"/leaderboards/ranked/{slug}?span=best" for slug in VARIANTS),
            "/leaderboards/daily/good-measure?span=best",
            "/leaderboards/ranked/good-measure?span=current",
        }
        assert [path for path, marked in links.items() if marked] == [
            "/leaderboards/ranked/good-measure?span=best"
        ]

    @pytest.mark.parametrize("path", ["/leaderboards/casual/bakers-dozen", "/leaderboards/daily/whist"])
    def test_what_there_is_not(self, path):
        assert visitor().get(path).status_code == 404

    def test_an_empty_list_says_what_to_do(self):
        assert "Nobody is on this list yet." in words(page(LIST))
        assert "Win a ranked game" in words(page(f"/leaderboards/ranked/{VARIANT}"))
        assert "<table" not in main(page(LIST))

    def test_the_next_page_goes_on_and_leads_back(self, monkeypatch):
        monkeypatch.setattr(leaderboards, "PAGE_SIZE", 2)
        for number in range(5):
            streak(player(f"P{number}"), 9 - number)
        path, seen = LIST, []
        while path:
            html = page(path)
            seen += [row.split()[:2] for row in rows(html)]
            found = re.search(r'rel="next" href="([^"]+)"', html)
            path = LIST + unescape(found[1]) if found else ""
            assert ("To the top" in html) is (len(seen) > 2)
        assert seen == [[str(number + 1), f"P{number}"] for number in range(5)]

    @pytest.mark.parametrize("after", ["x", "\0", "a" * 3_000, "WzEsMl0:x:y"])
    def test_a_page_that_there_is_not_is_the_first(self, after):
        streak(player("Ann"), 2)
        assert len(rows(page(f"{LIST}?after={quote(after)}"))) == 1

    def test_is_not_for_search_engines(self):
        response = visitor().get(LIST)
        assert response["X-Robots-Tag"] == "noindex"
        assert set(response["Cache-Control"].split(", ")) == {"private", "no-cache"}


class TestOwnRow:
    def test_is_marked_where_it_stands(self):
        ann = player("Ann")
        streak(ann, 4)
        streak(player("Ben"), 6)
        html = page(LIST, ann)
        assert rows(html) == ["1 Ben 6 days 1 Mar 2026, 12:00 UTC", "2 Ann you 4 days 1 Mar 2026, 12:00 UTC"]
        assert html.count("data-own") == 1
        assert "aren’t on this list" not in html

    def test_follows_the_others_where_it_is_on_another_page(self, monkeypatch):
        monkeypatch.setattr(leaderboards, "PAGE_SIZE", 2)
        ann = player("Ann")
        streak(ann, 1)
        for number in range(4):
            streak(player(f"P{number}"), 9)
        assert [row.split()[:2] for row in rows(page(LIST, ann))][2:] == [["5", "Ann"]]

    def test_far_down_it_has_no_exact_rank(self, monkeypatch):
        monkeypatch.setattr(leaderboards, "LAST_RANK", 2)
        ann = player("Ann", listed=False)
        streak(ann, 1)
        for number in range(3):
            streak(player(f"P{number}"), 9)
        assert rows(page(LIST, ann))[-1].startswith("over 2 Ann you 1 day")

    def test_without_a_name_it_says_how_to_be_listed(self):
        user = User.objects.create_user("nameless@example.org")
        streak(user, 4)
        html = page(LIST, user)
        assert rows(html) == ["1 You 4 days 1 Mar 2026, 12:00 UTC"]
        assert "Choose a display name and say yes to be listed" in words(html)
        assert 'href="/accounts/name/"' in html

    def test_with_a_name_that_is_not_to_be_shown_it_says_so_and_links_nowhere(self):
        ann = player("Ann", listed=False)
        streak(ann, 4)
        html = page(LIST, ann)
        assert rows(html) == ["1 Ann you 4 days 1 Mar 2026, 12:00 UTC"]
        assert "Say yes to be listed" in words(html)
        assert "/u/Ann" not in html
        assert "Ann" not in page(LIST)

    def test_who_has_no_streak_is_told(self):
        ann = player("Ann")
        streak(ann, 4, last_number=TODAY - 3)
        assert "You have no streak on this list now." in words(page(LIST, ann))
        assert "You have no streak" not in page(f"{LIST}?span=best", ann)
        assert "You have no streak" not in page(LIST)


def cells(html: str) -> dict[str, str]:
    """Return what is read of each day of a month."""
    found = re.findall(
        r'<td role="cell" class="day[^"]*" data-day="([^"]+)"[^>]*>(.*?)</td>', html, re.DOTALL
    )
    return {day: words(text) for day, text in found}


class TestArchive:
    def test_a_day_has_its_rating_its_par_and_who_won_it_and_leads_to_its_board(self):
        make_boards([32], rating=5, par=84, players=1_250, winners=7)
        make_boards([33], rating=1, par=70, par_proven=False, players=0, winners=0)
        make_boards([34], rating=None, par=None, par_proven=False, players=1, winners=1)
        html = page(f"{ARCHIVE}/2026-02")
        days = cells(html)
        assert days["2026-02-01"] == "Sun 1 February very hard par 84 7 of 1,250 won"
        assert days["2026-02-02"] == "Mon 2 February easy best known 70 not played"
        assert days["2026-02-03"] == "Tue 3 February 1 of 1 won"
        assert f'href="/daily/{VARIANT}/2026-02-01"' in html

    def test_a_day_without_a_board_leads_nowhere(self):
        make_boards([32])
        html = page(f"{ARCHIVE}/2026-02")
        assert len(cells(html)) == 28
        assert re.findall(rf"/daily/{VARIANT}/(\S+)\"", html) == ["2026-02-01"]

    def test_shows_what_the_visitor_made_of_each_board(self):
        ann = player("Ann")
        make_boards(range(32, 36))
        play_days(ann, [32], moves=91)
        play_days(ann, [33], won=False)
        play_days(ann, [34], "good-measure")
        play_days(player("Ben"), [35])
        html = page(f"{ARCHIVE}/2026-02", ann)
        own = dict(re.findall(r'data-day="([^"]+)" data-own="(\w+)"', html))
        assert {day: value for day, value in own.items() if value != "none"} == {
            "2026-02-01": "won", "2026-02-02": "begun",
        }  # fmt: skip
        assert cells(html)["2026-02-01"].endswith("Won in 91")
        assert cells(html)["2026-02-02"].endswith("Begun")
        guest = page(f"{ARCHIVE}/2026-02")
        assert 'data-own="won"' not in guest
        assert "Sign in to see which of them you won" in words(guest)

    def test_boards_that_nobody_has_counted_yet_are_counted(self):
        make_boards([32, 33])
        play_days(player("Ann"), [32, 33])
        play_days(player("Ben"), [32], won=False)
        days = cells(page(f"{ARCHIVE}/2026-02"))
        assert days["2026-02-01"].endswith("1 of 2 won")
        assert days["2026-02-02"].endswith("1 of 1 won")

    def test_a_month_is_a_table_of_weeks(self):
        html = main(page(f"{ARCHIVE}/2026-03"))
        assert re.findall(r'<abbr title="(\w+)"', html)[::6] == ["Monday", "Sunday"]
        weeks = [row.count("<td") for row in re.findall(r"<tr.*?</tr>", html, re.DOTALL)]
        assert weeks == [0, *[7] * 6]
        assert html.count('role="cell"') == 42
        assert list(cells(html)) == [f"2026-03-{day:02}" for day in range(1, 32)]

    def test_a_leap_year_has_its_day(self, frozen_clock):
        frozen_clock.time = at("2028-03-05 12:00")
        make_boards([Day(datetime.date(2028, 2, 29)).number])
        assert cells(page(f"{ARCHIVE}/2028-02"))["2028-02-29"].startswith("Tue 29 February middling")

    def test_months_go_back_to_the_first_and_forth_to_the_present(self):
        def months(path: str) -> dict[str, str]:
            links = re.findall(rf'rel="(prev|next)" href="{ARCHIVE}/([^"]+)"', page(path))
            return dict(links)

        assert months(ARCHIVE) == {"prev": "2026-02"}
        assert months(f"{ARCHIVE}/2026-03") == {"prev": "2026-02"}
        assert months(f"{ARCHIVE}/2026-02") == {"prev": "2026-01", "next": "2026-03"}
        assert months(f"{ARCHIVE}/2026-01") == {"next": "2026-02"}

    @pytest.mark.parametrize(
        "month",
        [
            "2025-12",
            "2026-04",
            "9999-12",
            "0000-01",
            "2026-13",
            "2026-00",
            "2026-1",
            "2026-01-01",
            "x",
            "٢٠٢٦-٠١",
        ],
    )
    def test_there_is_no_other_month(self, month):
        assert visitor().get(f"{ARCHIVE}/{quote(month)}").status_code == 404

    def test_there_is_no_other_variant(self):
        assert visitor().get("/archive/whist").status_code == 404
        assert visitor().get("/archive/whist/2026-02").status_code == 404

    def test_variants_have_boards_of_their_own_and_tabs_keep_the_month(self):
        make_boards([32], "good-measure")
        assert cells(page(f"{ARCHIVE}/2026-02"))["2026-02-01"] == "Sun 1"
        html = page("/archive/good-measure/2026-02")
        assert "par 80" in cells(html)["2026-02-01"]
        assert all(f'href="/archive/{slug}/2026-02"' in html for slug in VARIANTS)

    def test_an_empty_month_says_so(self):
        assert "No board of this month has settled yet." in words(page(ARCHIVE))
        assert "there were none" in words(page(f"{ARCHIVE}/2026-01"))


class TestWhatHasNotSettled:
    def test_today_has_a_link_and_nothing_else(self):
        make_boards([TODAY], rating=5, par=99)
        html = page(ARCHIVE)
        assert cells(html)["2026-03-01"] == "Sun 1 March Today’s board"
        assert re.findall(rf"/daily/{VARIANT}/(\S+)\"", html) == ["2026-03-01"]

    def test_it_has_the_link_before_somebody_has_made_it(self):
        assert cells(page(ARCHIVE))["2026-03-01"] == "Sun 1 March Today’s board"
        assert not Board.objects.exists()

    def test_a_day_is_shown_from_the_moment_it_settles(self, frozen_clock):
        make_boards([TODAY - 1, TODAY], rating=5, par=99)
        frozen_clock.time = at("2026-03-01 01:59")
        html = page(f"{ARCHIVE}/2026-02")
        assert cells(html)["2026-02-28"] == "Sat 28"
        assert f"/daily/{VARIANT}/2026-02-28" not in html
        frozen_clock.time = at("2026-03-01 02:00")
        assert "par 99" in cells(page(f"{ARCHIVE}/2026-02"))["2026-02-28"]

    def test_between_midnight_and_two_who_has_begun_finds_the_way_back(self, frozen_clock):
        ann = player("Ann")
        play_days(ann, [TODAY - 1], won=False)
        frozen_clock.time = at("2026-03-01 01:00")
        html = page(f"{ARCHIVE}/2026-02", ann)
        assert cells(html)["2026-02-28"] == "Sat 28 February Begun"
        assert f'href="/daily/{VARIANT}/2026-02-28"' in html

    def test_days_to_come_are_numbers(self):
        make_boards(range(TODAY + 1, TODAY + 15), rating=5, par=99)
        days = cells(page(ARCHIVE))
        assert days["2026-03-02"] == "Mon 2"
        assert "par" not in "".join(days.values())

    def test_no_page_holds_anything_of_a_board_that_it_should_not(self):
        ann = player("Ann")
        for variant in VARIANTS:
            make_boards(range(TODAY - 3, TODAY + 15), variant, rating=5, par=117)
            Board.objects.filter(variant=variant, number__lt=TODAY).update(par=80)
            play_days(ann, range(TODAY - 3, TODAY + 1), variant)
        paths = [
            *(f"/archive/{slug}{month}" for slug in VARIANTS for month in ("", "/2026-02", "/2026-03")),
            *(f"/leaderboards/{each}/{slug}" for slug in VARIANTS for each in ("daily", "ranked")),
            "/u/Ann",
            "/accounts/statistics/",
        ]
        boards = list(Board.objects.all())
        for path in paths:
            html = page(path, ann)
            for board in boards:
                for secret in (board.deal, board.layout, board.deal_key, board.answer_key):
                    assert secret not in html, path
            assert "117" not in main(html), path
            following = [Day.numbered(number).date.isoformat() for number in range(TODAY + 1, TODAY + 15)]
            assert not any(f"/daily/{slug}/{day}" in html for slug in VARIANTS for day in following), path


class TestProfile:
    def test_shows_streaks_badges_and_days(self):
        ann = player("Ann")
        play_days(ann, range(TODAY - 8, TODAY), moves=PAR)
        play_days(ann, range(10, 15), "good-measure")
        streak(ann, 3, kind="ranked", best_streak=6, played=6, won=6)
        html = page("/u/Ann")
        text = re.findall(r'data-streaks="([^"]+)">(.*?)</tr>', html, re.DOTALL)
        assert {slug: words(row).split()[-4:] for slug, row in text} == {
            "bakers-dozen": ["8", "8", "3", "6"],
            # It ended long ago.
            "good-measure": ["0", "5", "0", "0"],
        }
        badges = re.findall(r'data-badge="([^"]+)"', html)
        assert badges == ["streak-7", "variant-bakers-dozen", "variant-good-measure", "par"]
        assert re.findall(r'data-year="([^"]+)"', html) == ["bakers-dozen", "good-measure"]
        assert len(re.findall(r"<title>\d+ \w+ 2026: won</title>", html)) == 13

    def test_says_nothing_that_is_the_player_s_own(self):
        ann = player("Ann")
        play_days(ann, [3], won=False)
        html = page("/u/Ann")
        assert ann.email not in html
        assert str(ann.public_id) not in html
        assert "No streak and no day won yet." in words(html)
        assert "what others see of you" not in html
        assert "what others see of you" in page("/u/Ann", ann)

    @pytest.mark.parametrize(
        "name", ["Ann", "Dr. No", "a.b_c-d", "Ёлка", "Élise", "J. R. R.", ".ann.", "山田 太郎"]
    )
    def test_every_name_has_an_address(self, name):
        shown = player(name).display_name
        streak(User.objects.get(), 2)
        [href] = re.findall(r'href="(/u/[^"]+)"', page(LIST))
        assert unquote(href) == f"/u/{shown}"
        assert f"<h1><bdi>{shown}</bdi></h1>" in page(href)

    @pytest.mark.parametrize(
        "other",
        [
            "ann o-neill",
            "ANN O-NEILL",
            "AnnONeill",
            "Ann_O.Neill",
            "Аnn O-Neill",
            "Ann O-Nei11",
            "Ann O-Neill ",
        ],
    )
    def test_however_the_name_is_written_it_is_one_address(self, other):
        player("Ann O-Neill")
        response = visitor().get(f"/u/{quote(other)}")
        assert (response.status_code, response["Location"]) == (302, "/u/Ann%20O-Neill")

    def test_who_is_not_to_be_shown_looks_like_nobody(self):
        player("Hidden", listed=False)
        gone = player("Inactive")
        privacy.deactivate(user_id=gone.pk)
        User.objects.create_user("nameless@example.org")
        answers = set()
        for name in ("Hidden", "Inactive", "Never", "inactive", "HIDDEN", "nameless"):
            response = visitor().get(f"/u/{name}")
            assert response.status_code == 404, name
            # Where signing in leads back to is the address that was asked for.
            answers.add(response.content.decode().replace(f"/u/{name}", ""))
        assert len(answers) == 1

    @pytest.mark.parametrize(
        "name", ["\0", "Ann\0", " ", ".", "-", "a" * 97, "x" * 5_000, "%", "\U0001f600", "\ufdfa" * 24]
    )
    def test_what_is_no_name_is_nobody_s(self, name):
        player("Ann")
        assert visitor().get(f"/u/{quote(name, safe='')}").status_code == 404

    def test_the_owner_of_a_hidden_profile_has_none_either(self):
        ann = player("Ann", listed=False)
        assert visitor(ann).get("/u/Ann").status_code == 404
        assert "/u/" not in page("/accounts/", ann)

    def test_is_not_for_search_engines(self):
        player("Ann")
        assert visitor().get("/u/Ann")["X-Robots-Tag"] == "noindex"

    def test_a_name_that_was_given_up_leads_to_nobody_and_the_new_one_to_its_owner(self):
        ann = player("Ann")
        names.choose(user_id=ann.pk, name="Bella", is_listed=True)
        assert visitor().get("/u/Ann").status_code == 404
        assert visitor().get("/u/Bella").status_code == 200


class TestGoneAtOnce:
    def seen(self) -> dict[str, bool]:
        """Return where a player called Ann can be seen."""
        lists = [f"/leaderboards/daily/{VARIANT}", f"/leaderboards/daily/{VARIANT}?span=best"]
        found = {path: "Ann" in main(page(path)) for path in lists}
        found |= {f"/api{path}": "Ann" in visitor().get(f"/api{path}").content.decode() for path in lists}
        return {**found, "/u/Ann": visitor().get("/u/Ann").status_code == 200}

    @pytest.fixture
    def ann(self) -> User:
        ann = player("Ann")
        play_days(ann, range(TODAY - 8, TODAY + 1))
        assert all(self.seen().values())
        return ann

    def test_who_wants_to_be_listed_no_more(self, ann):
        names.choose(user_id=ann.pk, name="Ann", is_listed=False)
        assert not any(self.seen().values())
        names.choose(user_id=ann.pk, name="Ann", is_listed=True)
        assert all(self.seen().values())

    def test_who_is_kept_out(self, ann):
        privacy.deactivate(user_id=ann.pk)
        assert not any(self.seen().values())
        privacy.reactivate(user_id=ann.pk)
        assert all(self.seen().values())

    def test_who_deletes_the_account(self, ann):
        assert privacy.erase(user_id=ann.pk)
        assert not any(self.seen().values())
        assert not Result.objects.exists()


class TestStatistics:
    def test_has_the_year_of_each_variant_and_every_badge(self):
        ann = player("Ann")
        play_days(ann, range(TODAY - 8, TODAY))
        play_days(ann, [3], "good-measure")
        html = page("/accounts/statistics/", ann)
        assert re.findall(r'data-year="([^"]+)"', html) == ["bakers-dozen", "good-measure"]
        assert len(re.findall(r'data-badge="', html)) == 11
        assert "3 of 11." in words(html)
        assert 'href="/u/Ann"' in html

    def test_shows_no_days_to_who_has_won_none(self):
        ann = player("Ann", listed=False)
        play_days(ann, [3], won=False)
        assert 'id="days"' not in page("/accounts/statistics/", ann)

    def test_links_to_no_profile_that_there_is_not(self):
        ann = player("Ann", listed=False)
        play_days(ann, [3])
        html = page("/accounts/statistics/", ann)
        assert 'id="days"' in html
        assert "/u/Ann" not in html

    def test_a_streak_that_has_ended_is_none_now(self):
        ann = player("Ann")
        play_days(ann, range(3, 9))
        html = page("/accounts/statistics/", ann)
        [now] = re.findall(r'data-figure="streak-now">(.*?)</tr>', html, re.DOTALL)
        [best] = re.findall(r'data-figure="longest-streak">(.*?)</tr>', html, re.DOTALL)
        assert words(now).endswith("0 days won in a row")
        assert "6 days won in a row" in words(best)


class TestLinks:
    @pytest.mark.parametrize("path", ["/", "/play/good-measure/2", "/rules/good-measure", "/questions", LIST])
    def test_every_page_leads_to_the_lists(self, path):
        html = page(path)
        for part in (html.partition("</header>")[0], html.partition("<footer")[2]):
            assert re.search(r'href="/archive/[a-z0-9-]+"', part)
            assert re.search(r'href="/leaderboards/daily/[a-z0-9-]+"', part)
            assert re.search(r'href="/daily/[a-z0-9-]+"', part)

    def test_the_account_leads_to_them_and_to_the_own_profile(self):
        html = page("/accounts/", player("Dr. Ann"))
        for path in (LIST, ARCHIVE, "/u/Dr.%20Ann"):
            assert f'href="{path}"' in html


class TestQueries:
    """However much there is, a page asks as often."""

    # Of a visitor: the session, the user, and their settings.
    VISITOR = 3

    @pytest.fixture
    def crowd(self) -> User:
        """Sixty players with streaks, of whom the one who looks has won nearly every day."""
        ann = player("Ann")
        for variant in VARIANTS:
            play_days(ann, range(1, TODAY), variant)
        for number in range(59):
            streak(player(f"P{number}"), number + 1, last_number=TODAY - number % 2)
            streak(User.objects.get(display_name=f"P{number}"), number + 1, kind="ranked")
        return ann

    @pytest.mark.parametrize(
        ("path", "queries"),
        [
            # Boards, those that are still to be counted, own results.
            (f"{ARCHIVE}/2026-02", 3),
            (ARCHIVE, 2),
            # Each of up to two days on which streaks are alive: rows, the own row, and those above it.
            (LIST, 6),
            (f"{LIST}?span=best", 3),
            (f"/leaderboards/ranked/{VARIANT}", 3),
            # Who it is, statistics, the year, two for badges.
            ("/u/Ann", 5),
        ],
    )
    def test_of_a_page_are_few(self, crowd, path, queries, django_assert_max_num_queries):
        client = visitor(crowd)
        with django_assert_max_num_queries(queries + self.VISITOR):
            assert client.get(path).status_code == 200

    def test_of_a_guest_are_fewer(self, crowd, django_assert_max_num_queries):
        for path, queries in ((f"{ARCHIVE}/2026-02", 2), (LIST, 2), (f"{LIST}?span=best", 1), ("/u/Ann", 5)):
            with django_assert_max_num_queries(queries):
                assert visitor().get(path).status_code == 200


class TestMonths:
    @pytest.mark.parametrize(
        ("text", "last", "previous", "following"),
        [
            ("2026-01", 31, "2025-12", "2026-02"),
            ("2028-02", 29, "2028-01", "2028-03"),
            ("2026-12", 31, "2026-11", "2027-01"),
        ],
    )
    def test_know_their_days_and_neighbours(self, text, last, previous, following):
        month = Month.parse(text)
        assert (month.text, month.last.day) == (text, last)
        assert (month.previous.text, month.following.text) == (previous, following)
