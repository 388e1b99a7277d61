"""History and replays: whose games are listed, in which order, and what each shows."""

from __future__ import annotations

import datetime
import html
import json
import re
import uuid
from collections.abc import Callable
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from accounts import history
from accounts.counted import counted_kinds
from accounts.history import Mark
from bakers.kinds import HelpRequest, registered_guard
from bakers.models import Game
from bakers.problems import HelpRefused
from tests.accounts.past import NOON, learn_par, past_game, store
from tests.conftest import ApiClient

MINUTE = datetime.timedelta(minutes=1)


def listed(page: Any) -> list[str]:
    """Return the ids of the games on a page, as it lists them."""
    return re.findall(r'data-game="([0-9a-f-]{36})"', page.content.decode())


def walk(client: Any, start: str, rel: str) -> list[list[str]]:
    """Return the games of a page and of all that follow it by one of its links."""
    pages = []
    address = start
    while True:
        page = client.get(address)
        assert page.status_code == 200
        pages.append(listed(page))
        link = re.search(rf'rel="{rel}" href="([^"]+)"', page.content.decode())
        if link is None:
            return pages
        address = "/accounts/history/" + html.unescape(link[1])


@pytest.fixture
def user(new_user: Callable[[], Any]) -> Any:
    """A player."""
    return new_user()


@pytest.fixture
def visitor(user: Any) -> Any:
    """The player's browser."""
    return ApiClient(user).browser


@pytest.fixture
def small_pages(monkeypatch: pytest.MonkeyPatch) -> None:
    """Pages of three games."""
    monkeypatch.setattr(history, "PAGE_SIZE", 3)


class TestList:
    def test_a_guest_is_sent_to_sign_in_and_back(self, api: ApiClient) -> None:
        for path in ("/accounts/history/", "/accounts/statistics/", f"/accounts/history/{uuid.UUID(int=4)}"):
            response = api.browser.get(path)
            assert response.status_code == 302
            assert response["Location"] == f"/accounts/login/?next={path}"

    def test_who_has_none_is_asked_to_play(self, visitor: Any) -> None:
        page = visitor.get("/accounts/history/")
        assert page.status_code == 200
        assert "Play your first game" in page.content.decode()

    def test_games_that_ended_are_there_newest_first(self, user: Any, visitor: Any, new_user: Any) -> None:
        first, second, third = store(
            past_game(user, at=NOON, status="lost"),
            past_game(user, at=NOON + 2 * MINUTE, kind="practice"),
            past_game(user, at=NOON + MINUTE, kind="ranked"),
        )
        store(
            past_game(user, at=NOON, status="open"),
            past_game(user, at=NOON, status="open", kind="ranked", variant="good-measure"),
            past_game(new_user()),
        )
        assert listed(visitor.get("/accounts/history/")) == [str(second.pk), str(third.pk), str(first.pk)]

    def test_a_game_is_told_with_all_that_it_was(self, user: Any, visitor: Any) -> None:
        store(
            past_game(user, deal=477, variant="good-measure", status="lost", moves=1234, seconds=3753,
                      helped=True, kind="ranked"),
        )  # fmt: skip
        text = re.sub(r"<[^>]+>|\s+", " ", visitor.get("/accounts/history/").content.decode())
        text = re.sub(r"\s+", " ", text)
        assert "Lost Good Measure, deal 477" in text
        assert "Ranked 1,234 moves 1:02:33 at the table with help 1 Mar 2026, 12:00 UTC" in text

    def test_the_time_is_written_for_programs_too(self, user: Any, visitor: Any) -> None:
        store(past_game(user, at=NOON + datetime.timedelta(microseconds=123_456)))
        page = visitor.get("/accounts/history/").content.decode()
        assert '<time datetime="2026-03-01T12:00:00Z" data-local>1 Mar 2026, 12:00 UTC</time>' in page

    def test_no_deal_is_told_of_an_imported_layout(self, user: Any, visitor: Any) -> None:
        store(past_game(user, kind="practice", source="layout", deal_number=None))
        assert "an imported layout" in visitor.get("/accounts/history/").content.decode()

    @pytest.mark.parametrize(
        ("query", "expected"),
        [
            ("variant=good-measure", {1, 3}),
            ("result=won", {0, 1}),
            ("result=lost", {2, 3}),
            ("kind=casual", {0, 1, 2, 3}),
            ("kind=practice", set()),
            ("variant=good-measure&result=lost", {3}),
            # What there isn't chooses nothing.
            ("variant=x&result=open&kind=%00", {0, 1, 2, 3}),
        ],
    )
    def test_some_of_them_can_be_chosen(
        self, user: Any, visitor: Any, query: str, expected: set[int]
    ) -> None:
        past = store(
            past_game(user),
            past_game(user, variant="good-measure"),
            past_game(user, status="lost"),
            past_game(user, status="lost", variant="good-measure"),
        )
        found = listed(visitor.get(f"/accounts/history/?{query}"))
        assert sorted(found) == sorted(str(past[index].pk) for index in expected)


@pytest.mark.usefixtures("small_pages")
class TestPages:
    def test_every_game_is_on_one_page_there_and_back_even_of_the_same_moment(
        self, user: Any, visitor: Any
    ) -> None:
        moments = [NOON, NOON, NOON, NOON, NOON, NOON + MINUTE, NOON + MINUTE, NOON - MINUTE]
        store(*(past_game(user, at=moment) for moment in moments))
        there = walk(visitor, "/accounts/history/", "next")
        assert [len(page) for page in there] == [3, 3, 2]
        games = [game for page in there for game in page]
        assert sorted(games) == sorted(str(game.pk) for game in Game.objects.all())
        newest_first = Game.objects.order_by("-finished_at", "-pk").values_list("pk", flat=True)
        assert games == [str(pk) for pk in newest_first]
        last = there[-1][0]
        back = walk(visitor, f"/accounts/history/?newer={Mark.of(Game.objects.get(pk=last))}", "prev")
        assert back == there[-2::-1]

    def test_a_game_that_ends_in_the_meantime_moves_no_other(self, user: Any, visitor: Any) -> None:
        past = store(*(past_game(user, at=NOON + count * MINUTE) for count in range(6)))
        first = visitor.get("/accounts/history/")
        store(past_game(user, at=NOON + 10 * MINUTE))
        link = re.search(r'rel="next" href="([^"]+)"', first.content.decode())
        assert link is not None
        second = visitor.get("/accounts/history/" + html.unescape(link[1]))
        assert listed(first) + listed(second) == [str(game.pk) for game in reversed(past)]

    def test_a_choice_is_kept_from_page_to_page(self, user: Any, visitor: Any) -> None:
        store(*(past_game(user, status=status) for status in ["won", "lost"] * 5))
        pages = walk(visitor, "/accounts/history/?result=lost", "next")
        assert [len(page) for page in pages] == [3, 2]
        lost = Game.objects.filter(status="lost")
        assert sorted(game for page in pages for game in page) == sorted(str(game.pk) for game in lost)

    @pytest.mark.parametrize("mark", ["x", "", "1", "1.2", "9" * 18 + "." + "0" * 32, "-1." + "0" * 32, "\0"])
    def test_an_address_that_is_none_is_the_first_page(self, user: Any, visitor: Any, mark: str) -> None:
        [game] = store(past_game(user))
        page = visitor.get("/accounts/history/", {"older": mark, "newer": mark})
        assert listed(page) == [str(game.pk)]

    @settings(max_examples=25, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
    @given(seconds=st.lists(st.integers(0, 3), max_size=12))
    def test_pages_neither_skip_nor_repeat_whatever_the_times(self, user: Any, seconds: list[int]) -> None:
        Game.objects.all().delete()
        store(*(past_game(user, at=NOON + datetime.timedelta(seconds=second)) for second in seconds))
        page = history.read_page(user_id=user.pk)
        found = [*page.games]
        while page.older:
            page = history.read_page(user_id=user.pk, older=page.older)
            found += page.games
        assert found == list(Game.objects.order_by("-finished_at", "-pk"))


@given(
    moment=st.integers(0, 10**17).map(lambda count: NOON + count * datetime.timedelta(microseconds=1)),
    game_id=st.uuids(),
)
def test_a_place_is_what_it_was_after_a_trip_through_an_address(
    moment: datetime.datetime, game_id: uuid.UUID
) -> None:
    assert Mark.parse(str(Mark(moment, game_id))) == Mark(moment, game_id)


class TestReplay:
    def play(self, api: ApiClient, line: list[str], **start: Any) -> dict[str, Any]:
        """Win a game, and return its state."""
        return api.play(api.start(**start), *line)

    def test_shows_the_game_and_carries_its_line(
        self, user: Any, winning_lines: dict[str, list[str]]
    ) -> None:
        api = ApiClient(user)
        for variant, line in winning_lines.items():
            state = self.play(api, line, variant=variant)
            page = api.browser.get(f"/accounts/history/{state['id']}")
            assert page.status_code == 200
            text = page.content.decode()
            assert f'href="/deal/{variant}/2"' in text
            boot = re.search(r'data-boot="([^"]*)"', text)
            assert boot is not None
            game = json.loads(html.unescape(boot[1]))["game"]
            assert game["line"] == line
            assert "##" not in json.dumps(game)

    def test_tells_moves_against_par_once_it_is_known(
        self, user: Any, winning_lines: dict[str, list[str]]
    ) -> None:
        api = ApiClient(user)
        line = winning_lines["bakers-dozen"]
        state = self.play(api, line)
        lost = api.resign(api.play(api.start(), "96")).json()
        address, other = (f"/accounts/history/{each['id']}" for each in (state, lost))
        assert "<div data-par-row hidden>" in api.browser.get(address).content.decode()
        learn_par(Game.objects.get(pk=state["id"]), 70, lower_bound=70)
        assert (
            f"<dd data-par>{len(line) - 70} over par 70, proven</dd>"
            in api.browser.get(address).content.decode()
        )
        assert "<dd data-par>par 70, proven</dd>" in api.browser.get(other).content.decode()

    def test_of_a_game_that_goes_on_or_is_somebody_elses_is_not_there(
        self, user: Any, new_user: Callable[[], Any]
    ) -> None:
        api, other = ApiClient(user), ApiClient(new_user())
        state = api.play(api.start(), "96")
        ranked, theirs = store(past_game(user, kind="ranked", status="open"), past_game(new_user(), at=NOON))
        for client, game_id in (
            (api, state["id"]),
            (api, ranked.pk),
            (api, theirs.pk),
            (api, uuid.UUID(int=4)),
        ):
            assert client.browser.get(f"/accounts/history/{game_id}").status_code == 404
        api.resign(state)
        assert api.browser.get(f"/accounts/history/{state['id']}").status_code == 200
        assert other.browser.get(f"/accounts/history/{state['id']}").status_code == 404

    def test_tells_no_par_of_a_guarded_deal(self, user: Any) -> None:
        def refuse(request: HelpRequest) -> None:
            raise HelpRefused

        api = ApiClient(user)
        state = api.resign(api.play(api.start(), "96")).json()
        learn_par(Game.objects.get(), 70)
        with registered_guard(refuse):
            page = api.browser.get(f"/accounts/history/{state['id']}").content.decode()
        assert "<div data-par-row hidden>" in page
        assert '"par":null' in html.unescape(page)

    def test_of_a_game_without_a_move_has_nothing_to_go_through(self, user: Any) -> None:
        api = ApiClient(user)
        state = api.resign(api.start()).json()
        text = api.browser.get(f"/accounts/history/{state['id']}").content.decode()
        assert "No move was played." in text
        assert "data-line-stage" not in text


def test_nothing_of_it_is_kept_by_a_cache(visitor: Any) -> None:
    for path in ("/accounts/history/", "/accounts/statistics/"):
        assert visitor.get(path)["Cache-Control"] == "no-store"


def test_a_statistics_page_shows_what_is_chosen_in_its_pictures(user: Any, visitor: Any) -> None:
    games = store(past_game(user), past_game(user, variant="good-measure", kind="ranked", status="lost"))
    learn_par(games[0], 90)

    def pictures(query: str) -> list[tuple[str, str]]:
        page = visitor.get(f"/accounts/statistics/{query}").content.decode()
        return re.findall(r'data-picture="(\w+)"|(\d of \d won)', page)

    assert pictures("") == [("rates", ""), ("", "1 of 2 won"), ("overs", "")]
    assert pictures("?variant=x&kind=practice") == pictures("")
    assert pictures("?variant=good-measure") == [("rates", ""), ("", "0 of 1 won")]
    assert pictures("?kind=casual") == [("rates", ""), ("", "1 of 1 won"), ("overs", "")]
    assert pictures("?variant=good-measure&kind=casual") == []


def test_a_variant_that_was_played_shows_every_kind_and_a_dash_where_there_is_nothing(
    user: Any, visitor: Any
) -> None:
    store(past_game(user))
    page = visitor.get("/accounts/statistics/").content.decode()
    for kind in counted_kinds():
        assert page.count(f'<th scope="col">{kind.name}</th>') == 1
    for name, cells in (
        ("win-rate", ["100.0 %", "–", "–"]),
        ("fewest-moves", ["90", "–", "–"]),
        ("best-time", ["5:00", "–", "–"]),
        ("average-time", ["5:00", "–", "–"]),
    ):
        row = re.search(rf'<tr data-figure="{name}">(.*?)</tr>', page)
        assert row
        assert re.findall(r"<td>([^<]*)", row[1]) == cells
