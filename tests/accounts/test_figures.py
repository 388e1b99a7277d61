"""A player's figures: what counts, what is shown of nothing, and what it costs."""

from __future__ import annotations

import datetime
from typing import Any

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from accounts import statistics, streak_check
from accounts.counted import Counted, count_kind, counted_kinds
from accounts.figures import (
    MOST_PERIODS,
    Day,
    Figures,
    against_par,
    periods,
    read_days,
    read_figures,
)
from accounts.models import Statistics
from bakers.rules.variants import VARIANTS
from tests.accounts.past import NOON, learn_par, past_game, play_for_years, store
from tests.conftest import ApiClient

HOUR = datetime.timedelta(hours=1)


@pytest.fixture
def user(new_user: Any, frozen_clock: Any) -> Any:
    """A player, at noon on 1 March 2026."""
    return new_user()


def figures(user: Any, variant: str = "bakers-dozen", kind: str = "casual") -> Figures:
    """Return a player's figures of one variant and kind."""
    return next(
        each for each in read_figures(user_id=user.pk) if (each.variant, each.kind.slug) == (variant, kind)
    )


class TestPlayed:
    def test_who_never_played_has_figures_of_nothing_for_every_variant_and_kind(self, user: Any) -> None:
        found = read_figures(user_id=user.pk)
        assert [(each.variant, each.kind.slug) for each in found] == [
            (variant, kind) for variant in VARIANTS for kind in ("casual", "ranked", "daily")
        ]
        for each in found:
            assert (each.played, each.won, each.streak, each.best_streak) == (0, 0, 0, 0)
            assert each.win_rate is None
            assert (each.fewest_moves, each.best_ms, each.average_ms, each.par) == (None, None, None, None)

    def test_games_that_ended_count(self, user: Any) -> None:
        store(
            past_game(user),
            past_game(user),
            past_game(user, status="lost"),
            past_game(user, status="lost", first_move_at=None, last_move_at=None, moves=0),
        )
        assert (figures(user).played, figures(user).won, figures(user).win_rate) == (4, 2, 0.5)

    def test_variants_kinds_and_players_are_told_apart(self, user: Any, new_user: Any) -> None:
        store(
            past_game(user),
            past_game(user, kind="ranked", status="lost"),
            past_game(user, variant="good-measure"),
            past_game(new_user()),
            past_game(None, guest="00000000-0000-4000-8000-000000000001"),
        )
        played = {
            (each.variant, each.kind.slug): (each.played, each.won)
            for each in read_figures(user_id=user.pk)
            if each.played
        }
        assert played == {
            ("bakers-dozen", "casual"): (1, 1),
            ("bakers-dozen", "ranked"): (1, 0),
            ("good-measure", "casual"): (1, 1),
        }

    def test_practice_counts_for_nothing(self, user: Any) -> None:
        store(past_game(user, kind="practice"))
        assert not any(each.played for each in read_figures(user_id=user.pk))

    @pytest.mark.parametrize(
        ("hours", "played"), [(0, 0), (23.999, 0), (24, 1), (1000, 1)], ids=["now", "before", "at", "after"]
    )
    def test_a_casual_game_left_for_a_day_after_a_move_counts_as_played(
        self, user: Any, frozen_clock: Any, hours: float, played: int
    ) -> None:
        store(past_game(user, status="open", at=NOON))
        frozen_clock.advance(hours=hours)
        assert (figures(user).played, figures(user).won) == (played, 0)

    def test_that_is_found_when_looking_so_that_the_game_can_still_be_won(
        self, user: Any, frozen_clock: Any
    ) -> None:
        [game] = store(past_game(user, status="open", at=NOON - 30 * HOUR))
        assert (figures(user).played, figures(user).won) == (1, 0)
        game.last_move_at = NOON
        game.save()
        assert figures(user).played == 0
        game.status, game.finished_at = "won", NOON
        game.save()
        assert (figures(user).played, figures(user).won) == (1, 1)

    def test_a_game_without_a_move_is_not_left(self, user: Any, frozen_clock: Any) -> None:
        store(past_game(user, status="open", first_move_at=None, last_move_at=None, moves=0))
        frozen_clock.advance(days=100)
        assert figures(user).played == 0

    def test_an_open_ranked_game_waits_for_its_end(self, user: Any, frozen_clock: Any) -> None:
        store(past_game(user, kind="ranked", status="open"))
        frozen_clock.advance(days=100)
        assert figures(user, kind="ranked").played == 0


class TestStreaks:
    def test_are_those_that_are_stored_with_what_they_count(self, user: Any) -> None:
        Statistics.objects.create(
            user=user, variant="bakers-dozen", kind="ranked", played=9, won=8, streak=3, best_streak=5,
            best_streak_at=NOON,
        )  # fmt: skip
        found = figures(user, kind="ranked")
        assert (found.streak, found.best_streak, found.best_streak_at) == (3, 5, NOON)
        assert found.kind.streak == "ranked games won in a row"
        assert figures(user).streak == 0

    def test_every_kind_says_what_its_streak_counts(self) -> None:
        labels = [kind.streak for kind in counted_kinds()]
        assert all(labels)
        assert len(set(labels)) == len(labels)


class TestWins:
    def test_best_and_fewest_are_of_wins_without_help_and_the_average_of_all(self, user: Any) -> None:
        store(
            past_game(user, moves=90, seconds=200),
            past_game(user, moves=80, seconds=400),
            past_game(user, moves=70, seconds=60, helped=True),
            past_game(user, status="lost", moves=3, seconds=1),
        )
        found = figures(user)
        assert (found.fewest_moves, found.best_ms, found.average_ms) == (80, 200_000, 220_000)

    def test_help_alone_leaves_the_best_open(self, user: Any) -> None:
        store(past_game(user, helped=True))
        found = figures(user)
        assert (found.fewest_moves, found.best_ms, found.par) == (None, None, None)
        assert found.average_ms == 300_000


class TestPar:
    def test_moves_are_counted_against_it(self, user: Any) -> None:
        games = store(
            past_game(user, moves=66, deal=1),
            past_game(user, moves=70, deal=1),
            past_game(user, moves=70, deal=1),
            past_game(user, moves=75, deal=3),
        )
        learn_par(games[0], 66)
        learn_par(games[3], 76)
        par = figures(user).par
        assert par is not None
        assert par.overs == ((-1, 1), (0, 1), (4, 2))
        assert (par.games, par.at_par, par.best, par.average) == (4, 2, -1, 7 / 4)

    def test_only_of_wins_without_help_whose_par_is_known(self, user: Any) -> None:
        known, unknown, no_par = store(
            past_game(user, deal=1), past_game(user, deal=3), past_game(user, deal=4)
        )
        store(
            past_game(user, deal=1, helped=True),
            past_game(user, deal=1, status="lost"),
            past_game(user, deal=1, kind="practice"),
            past_game(user, deal=1, answer_key=""),
            past_game(user, deal=1, variant="spanish-patience"),
        )
        learn_par(known, 80)
        # A line that came along by the way, and was never shortened.
        learn_par(no_par, 88, lower_bound=None)
        par = figures(user).par
        assert par is not None
        assert par.overs == ((10, 1),)
        assert unknown.answer_key != known.answer_key

    def test_counts_of_several_kinds_add_up(self) -> None:
        par = against_par([{0: 2, 5: 1}, {5: 3}])
        assert par is not None
        assert par.overs == ((0, 2), (5, 4))
        assert against_par([]) is None
        assert against_par([{}, {}]) is None


class TestDays:
    def test_games_belong_to_the_utc_day_of_their_end_and_left_ones_to_that_of_their_last_move(
        self, user: Any
    ) -> None:
        midnight = datetime.datetime(2026, 2, 20, tzinfo=datetime.UTC)
        store(
            past_game(user, at=midnight - datetime.timedelta(microseconds=1)),
            past_game(user, at=midnight, status="lost"),
            past_game(user, at=midnight),
            past_game(user, at=midnight + 50 * HOUR, status="open"),
            past_game(user, at=midnight, kind="practice"),
        )
        assert read_days(user_id=user.pk) == [
            Day("bakers-dozen", "casual", datetime.date(2026, 2, 19), 1, 1),
            Day("bakers-dozen", "casual", datetime.date(2026, 2, 20), 2, 1),
            Day("bakers-dozen", "casual", datetime.date(2026, 2, 22), 1, 0),
        ]

    def test_no_days_make_no_period(self) -> None:
        assert periods([]) == []

    def test_a_gap_is_a_period_without_games(self) -> None:
        first, third = datetime.date(2026, 2, 27), datetime.date(2026, 3, 1)
        found = periods([Day("x", "casual", first, 2, 1), Day("x", "ranked", third, 2, 2)])
        assert [each.first.day for each in found] == [27, 28, 1]
        assert [each.win_rate for each in found] == [0.5, None, 1.0]
        assert [each.win_rate_so_far for each in found] == [0.5, 0.5, 0.75]

    @pytest.mark.parametrize(
        ("days", "step"),
        [(0, "day"), (31, "day"), (32, "week"), (200, "week"), (300, "month"), (900, "month"), (1000, "quarter"),
         (2700, "quarter"), (3000, "year"), (9000, "year")],
    )  # fmt: skip
    def test_long_times_have_longer_periods(self, days: int, step: str) -> None:
        first = datetime.date(2024, 1, 31)
        played = [
            Day("x", "casual", first + datetime.timedelta(days=day), 1, day % 2) for day in range(days + 1)
        ]
        found = periods(played)
        assert {each.step for each in found} == {step}
        assert len(found) <= MOST_PERIODS
        assert sum(each.played for each in found) == days + 1
        assert found[-1].played_so_far == days + 1
        assert found[-1].won_so_far == sum(each.won for each in found)
        starts = [each.first for each in found]
        assert starts == sorted(set(starts))
        assert all(each.played for each in found)


def test_a_kind_can_be_added(user: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("accounts.counted._counted", {kind.slug: kind for kind in counted_kinds()})
    count_kind(
        Counted(
            "practice", "Practice", "practice games won in a row",
            statistics.count_games("practice"), streak_check.count_games("practice"),
        )
    )  # fmt: skip
    store(past_game(user, kind="practice"))
    assert figures(user, kind="practice").played == 1


class TestApi:
    def test_a_guest_is_asked_to_sign_in(self, api: ApiClient) -> None:
        api.play(api.start(), "96")
        response = api.get("me/stats")
        assert response.status_code == 403
        assert response.json()["error"]["code"] == "sign_in_required"

    def test_it_tells_the_figures(self, user: Any) -> None:
        [game, *_] = store(
            past_game(user, moves=92, seconds=61.9),
            past_game(user, status="lost"),
            past_game(user, status="lost"),
        )
        learn_par(game, 90)
        Statistics.objects.create(
            user=user,
            variant="bakers-dozen",
            kind="casual",
            played=3,
            won=1,
            best_streak=1,
            best_streak_at=NOON,
        )
        response = ApiClient(user).get("me/stats")
        assert response.status_code == 200
        first, *others = response.json()["figures"]
        assert first == {
            "variant": "bakers-dozen",
            "kind": "casual",
            "played": 3,
            "won": 1,
            "win_rate": pytest.approx(1 / 3),
            "streak": {
                "counts": "casual games won in a row",
                "current": 0,
                "best": 1,
                "best_at": NOON.isoformat(),
            },
            "fewest_moves": 92,
            "best_seconds": 61,
            "average_seconds": 61.9,
            "par": {"games": 1, "at_par": 0, "average_over": 2.0, "best_over": 2},
        }
        assert len(others) == 14
        assert all(each["win_rate"] is None and each["par"] is None for each in others)

    def test_a_game_that_was_played_is_in_it(
        self, new_user: Any, winning_lines: dict[str, list[str]]
    ) -> None:
        api = ApiClient(new_user())
        api.play(api.start(), *winning_lines["bakers-dozen"])
        first = api.get("me/stats").json()["figures"][0]
        assert (first["played"], first["won"]) == (1, 1)
        assert first["fewest_moves"] == len(winning_lines["bakers-dozen"])


class TestCost:
    @pytest.mark.parametrize("count", [0, 20, 5_000])
    def test_the_number_of_queries_is_that_of_no_games(self, user: Any, count: int) -> None:
        play_for_years(user, count, until=NOON)
        api = ApiClient(user)
        with CaptureQueriesContext(connection) as of_api:
            assert api.get("me/stats").status_code == 200
        with CaptureQueriesContext(connection) as of_page:
            page = api.browser.get("/accounts/statistics/")
        with CaptureQueriesContext(connection) as of_history:
            assert api.browser.get("/accounts/history/").status_code == 200
        # Who asks takes two, and a page's look, which is the player's own, one.
        assert len(of_api) == 5
        # A section of another app's asks once whether it has anything to say.
        assert len(of_page) == (8 if count else 6)
        assert len(of_history) == 4
        assert f"{count:,}" in page.content.decode() if count else "first game" in page.content.decode()
        # However many games, a page is a page.
        assert len(page.content) < 80_000
