"""Leaderboards: their order, who is listed, pages that neither skip nor repeat, and the own row."""

from __future__ import annotations

import datetime
from typing import Any

import pytest

from accounts import listing, names, privacy
from accounts.models import Statistics, User
from bakers.days import Day
from bakers.problems import Invalid
from bakers.rules.variants import VARIANTS
from daily import leaderboards
from daily.leaderboards import Contest, Leaderboard, Span
from tests.conftest import ApiClient
from tests.daily.days import VARIANT, at

pytestmark = pytest.mark.django_db
NOW = at("2026-03-01 12:00")
TODAY = Day.of(NOW).number


@pytest.fixture(autouse=True)
def _noon(frozen_clock):
    frozen_clock.time = NOW


def player(name: str, *, listed: bool = True) -> User:
    """Return somebody with a display name."""
    user = User.objects.create_user(f"{name.lower()}@example.org")
    names.choose(user_id=user.pk, name=name, is_listed=listed)
    return User.objects.get(pk=user.pk)


def streak(user: User, length: int, *, kind: str = "daily", ago: float = 0, **fields: Any) -> Statistics:
    """Store a player's streak, reached so many hours ago."""
    moment = NOW - datetime.timedelta(hours=ago)
    values = {
        "played": length, "won": length, "streak": length, "best_streak": length, "streak_at": moment,
        "best_streak_at": moment, "last_at": moment, "last_number": TODAY if kind == "daily" else None,
        **listing.find(user.pk), **fields,
    }  # fmt: skip
    return Statistics.objects.create(user=user, variant=VARIANT, kind=kind, **values)


def board(contest: str = "daily", span: str = "current", variant: str = VARIANT) -> Leaderboard:
    return Leaderboard(Contest(contest), Span(span), VARIANTS[variant])


def listed(which: Leaderboard | None = None) -> list[tuple[int | None, str, int]]:
    """Return rank, name and length of all rows, page by page."""
    found, after = [], None
    while True:
        page = leaderboards.read_page(which or board(), after=after)
        found += [(entry.rank, entry.name, entry.streak) for entry in page.entries]
        after = page.next
        if after is None:
            return found


def test_longer_ones_come_first_then_those_reached_earlier_then_names():
    streak(player("Cora"), 3, ago=1)
    streak(player("Anna"), 3, ago=5)
    streak(player("Zoe"), 7)
    streak(player("Ben"), 3, ago=1)
    streak(player("Dora"), 1)
    assert listed() == [(1, "Zoe", 7), (2, "Anna", 3), (2, "Ben", 3), (2, "Cora", 3), (5, "Dora", 1)]


def test_only_who_said_yes_and_is_active_is_listed():
    streak(player("Ann", listed=False), 5)
    streak(User.objects.create_user("nameless@example.org"), 5)
    gone = player("Gone")
    streak(gone, 5)
    privacy.deactivate(user_id=gone.pk)
    here = player("Here")
    streak(here, 2)
    assert listed() == [(1, "Here", 2)]
    names.choose(user_id=here.pk, name="Here", is_listed=False)
    assert listed() == []


def test_a_present_streak_is_alive_and_a_best_one_stays():
    for name, last in (("Today", TODAY), ("Before", TODAY - 1), ("Long ago", TODAY - 2)):
        streak(player(name), 4, last_number=last)
    assert {name for _rank, name, _length in listed()} == {"Today", "Before"}
    assert len(listed(board(span="best"))) == 3


def test_after_midnight_a_day_more_is_alive_until_two(frozen_clock):
    streak(player("Ann"), 4, last_number=TODAY)
    for moment, alive in (("2026-03-02 23:59", 1), ("2026-03-03 01:59", 1), ("2026-03-03 02:00", 0)):
        frozen_clock.time = at(moment)
        assert len(listed()) == alive, moment


def test_who_is_idle_for_thirty_days_leaves_the_present_ranked_list():
    streak(player("Ann"), 4, kind="ranked", ago=24 * 30 - 1)
    streak(player("Ben"), 4, kind="ranked", ago=24 * 30 + 1)
    assert listed(board("ranked")) == [(1, "Ann", 4)]
    assert len(listed(board("ranked", "best"))) == 2


def test_variants_and_contests_have_lists_of_their_own():
    ann = player("Ann")
    streak(ann, 4)
    streak(ann, 2, kind="ranked")
    assert listed() == [(1, "Ann", 4)]
    assert listed(board("ranked")) == [(1, "Ann", 2)]
    assert listed(board(variant="good-measure")) == []


def test_pages_neither_skip_nor_repeat_while_results_arrive(monkeypatch):
    monkeypatch.setattr(leaderboards, "PAGE_SIZE", 3)
    for number in range(10):
        streak(player(f"P{number}"), 20 - number // 2, ago=number % 2)
    first = leaderboards.read_page(board())
    # Somebody new comes to the top, and somebody on the next page gets a streak that lies on the first.
    streak(player("New"), 99)
    Statistics.objects.filter(user__display_name="P9").update(played=50, won=50, best_streak=50, streak=50)
    seen = [entry.name for entry in first.entries]
    after = first.next
    while after is not None:
        page = leaderboards.read_page(board(), after=after)
        seen += [entry.name for entry in page.entries]
        after = page.next
    assert len(seen) == len(set(seen)) == 9
    assert set(seen) == {f"P{number}" for number in range(9)}


def test_pages_of_several_days_are_one_list(monkeypatch):
    monkeypatch.setattr(leaderboards, "PAGE_SIZE", 2)
    for number in range(9):
        streak(player(f"P{number}"), 9 - number, last_number=TODAY - number % 2)
    assert [(rank, length) for rank, _name, length in listed()] == [
        (rank, 10 - rank) for rank in range(1, 10)
    ]


class TestApi:
    def get(self, api: ApiClient, path: str = f"leaderboards/daily/{VARIANT}") -> Any:
        return api.get(path)

    def test_shows_a_list_and_the_own_row(self, api):
        ann = player("Ann", listed=False)
        streak(ann, 4)
        streak(player("Ben"), 6)
        assert self.get(api).json() == {
            "contest": "daily", "variant": VARIANT, "span": "current", "next": None, "own": None,
            "entries": [{"rank": 1, "name": "Ben", "streak": 6, "reached_at": "2026-03-01T12:00:00+00:00"}],
        }  # fmt: skip
        own = self.get(ApiClient(ann)).json()["own"]
        assert (own["rank"], own["name"], own["streak"]) == (2, "Ann", 4)
        assert self.get(ApiClient(User.objects.create_user("new@example.org"))).json()["own"] is None

    def test_an_own_row_far_down_has_no_rank(self, api, monkeypatch):
        monkeypatch.setattr(leaderboards, "LAST_RANK", 2)
        ann = player("Ann")
        streak(ann, 1)
        for number in range(2):
            streak(player(f"P{number}"), 6)
        assert self.get(ApiClient(ann)).json()["own"]["rank"] is None

    @pytest.mark.parametrize(
        ("path", "status"),
        [
            ("leaderboards/daily/nothing", 404),
            ("leaderboards/casual/bakers-dozen", 404),
            ("leaderboards/daily/bakers-dozen?span=worst", 400),
            ("leaderboards/daily/bakers-dozen?after=x", 400),
            ("leaderboards/daily/bakers-dozen?page=2", 400),
        ],
    )
    def test_what_there_is_not(self, api, path, status):
        assert self.get(api, path).status_code == status

    def test_a_page_costs_few_queries(self, api, django_assert_max_num_queries):
        for number in range(60):
            streak(player(f"P{number}"), 1 + number)
        with django_assert_max_num_queries(2):
            assert len(self.get(api).json()["entries"]) == 50


def test_a_mark_of_another_list_is_none_of_this():
    for number in range(leaderboards.PAGE_SIZE + 1):
        streak(player(f"Zoe {number}"), 3)
    mark = leaderboards.read_page(board()).next
    assert mark is not None
    assert len(leaderboards.read_page(board(), after=mark).entries) == 1
    for other in (board("ranked"), board(span="best"), board(variant="good-measure")):
        with pytest.raises(Invalid):
            leaderboards.read_page(other, after=mark)


def test_a_page_goes_on_after_the_longest_of_names():
    # One letter that is five in the key, each of which takes six characters in a mark.
    longest = player("\u102a" * names.MAX_LENGTH)
    for number in range(leaderboards.PAGE_SIZE - 1):
        streak(player(f"Zoe {number}"), 3)
    streak(longest, 2)
    streak(player("Last"), 1)
    api = ApiClient()
    mark = api.get(f"leaderboards/daily/{VARIANT}").json()["next"]
    answer = api.get(f"leaderboards/daily/{VARIANT}?after={mark}")
    assert [entry["name"] for entry in answer.json()["entries"]] == ["Last"]
