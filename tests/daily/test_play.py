"""Playing a board: who may, when, and what counts."""

from __future__ import annotations

import pytest

from accounts import streak_check
from accounts.models import Statistics
from daily import days, results
from daily.models import Board, Result
from tests.conftest import ApiClient
from tests.daily.days import VARIANT, at, deal_boards, start_daily, win
from tests.daily.days import results as results_of

pytestmark = pytest.mark.django_db


@pytest.fixture
def clock(frozen_clock, monkeypatch):
    """Noon of 2026-03-01; boards are deal 2 and those after it."""
    deal_boards(monkeypatch, 2, 3, 4, 5)
    return frozen_clock


@pytest.fixture
def user(new_user):
    return new_user()


@pytest.fixture
def line(winning_lines):
    return winning_lines[VARIANT]


def row(user) -> Statistics:
    return Statistics.objects.get(user=user, variant=VARIANT, kind="daily")


class TestStarting:
    def test_a_guest_is_asked_to_sign_in(self, api, clock):
        refused = start_daily(api)
        assert (refused.status_code, refused.json()["error"]["code"]) == (403, "sign_in_required")

    def test_a_player_has_one_game_on_a_board(self, user, clock, line):
        api = ApiClient(user)
        first = start_daily(api)
        again = start_daily(api)
        assert (first.status_code, again.status_code) == (201, 200)
        assert first.json()["id"] == again.json()["id"]
        won = api.play(first.json(), *line)
        assert start_daily(api).json() == won

    def test_its_state_names_the_board_and_hides_the_deal(self, user, clock, line):
        api = ApiClient(user)
        state = start_daily(api).json()
        assert state["board"] == {"variant": VARIANT, "date": "2026-03-01", "number": 60}
        assert (state["deal"], state["source"]) == (None, "board")
        assert state["help"] == {
            "hint": False, "verdict": False, "solution": False, "opens_at": "2026-03-02T02:00:00+00:00",
        }  # fmt: skip
        won = api.play(state, *line)
        assert won["deal"] is None
        clock.time = at("2026-03-02 02:00")
        assert api.state(won)["deal"] == "2"

    def test_nothing_else_is_chosen_with_it(self, user, clock):
        api = ApiClient(user)
        for body in ({"deal": "2"}, {"layout": "PySolFC 2"}):
            assert start_daily(api, **body).status_code == 400
        for kind in ("casual", "ranked"):
            refused = api.post("games", {"variant": VARIANT, "kind": kind, "board": "2026-03-01"})
            assert refused.status_code == 400

    @pytest.mark.parametrize("day", ["2026-03-02", "2027-01-01", "2025-12-31", "0001-01-01", "9999-12-31"])
    def test_a_day_that_has_no_board_yet_or_ever_is_not_found(self, user, clock, day):
        assert start_daily(ApiClient(user), board=day).status_code == 404

    @pytest.mark.parametrize("day", ["", "2026-3-1", "2026-02-30", "today", 20260301, None, "٢٠٢٦-٠٣-٠١"])
    def test_what_is_no_day_is_refused(self, user, clock, day):
        assert start_daily(ApiClient(user), board=day).status_code == 400


class TestTheDaysEnd:
    def test_a_first_move_before_midnight_may_win_until_two(self, user, clock, line):
        api = ApiClient(user)
        clock.time = at("2026-03-01 23:59")
        state = api.play(start_daily(api).json(), *line[:-1])
        clock.time = at("2026-03-02 01:59")
        api.play(state, line[-1])
        assert results_of(user) == [(60, True)]
        assert (row(user).streak, row(user).last_number) == (1, 60)

    def test_a_win_after_two_counts_for_nothing(self, user, clock, line):
        api = ApiClient(user)
        clock.time = at("2026-03-01 23:59")
        state = api.play(start_daily(api).json(), *line[:-1])
        clock.time = at("2026-03-02 02:01")
        assert api.play(state, line[-1])["status"] == "won"
        assert results_of(user) == [(60, False)]
        assert (row(user).played, row(user).won, row(user).streak) == (1, 0, 0)
        assert not Result.objects.filter(number=61).exists()

    def test_a_clock_put_back_before_the_last_move_spoils_no_win(self, user, clock, line):
        api = ApiClient(user)
        state = api.play(start_daily(api).json(), *line[:-1])
        clock.advance(seconds=-30)
        assert api.play(state, line[-1])["status"] == "won"
        assert results_of(user) == [(60, True)]
        assert row(user).streak_at == at("2026-03-01 12:00")
        assert list(streak_check.differences()) == []

    def test_after_midnight_no_game_is_begun(self, user, clock, line):
        api = ApiClient(user)
        unplayed = start_daily(api).json()
        clock.time = at("2026-03-02 00:00")
        refused = api.moves(unplayed, line[0])
        assert (refused.status_code, refused.json()["error"]["code"]) == (409, "board_closed")
        assert refused.json()["error"]["detail"]["today"] == "2026-03-02"
        assert api.state(unplayed)["ply"] == 0
        other = ApiClient(user)
        assert start_daily(other, board="2026-03-01").json()["id"] == unplayed["id"]
        Result.objects.all().delete()
        assert not results_of(user)

    def test_a_new_player_finds_yesterdays_board_closed(self, user, new_user, clock, line):
        win(ApiClient(user), line)
        clock.time = at("2026-03-02 00:30")
        refused = start_daily(ApiClient(new_user()), board="2026-03-01")
        assert (refused.status_code, refused.json()["error"]["code"]) == (409, "board_closed")

    def test_once_settled_it_is_played_on_with_help(self, user, clock, line):
        api = ApiClient(user)
        state = api.play(start_daily(api).json(), *line[:2])
        assert api.post(f"games/{state['id']}/hint", {"version": state["version"]}).status_code == 403
        clock.time = at("2026-03-02 02:00")
        hinted = api.post(f"games/{state['id']}/hint", {"version": state["version"]})
        assert (hinted.status_code, hinted.json()["outcome"]) == (200, "won")


class TestResults:
    def test_days_one_after_the_other_make_a_streak(self, user, clock, line, monkeypatch, winning_lines):
        api = ApiClient(user)
        win(api, line)
        assert row(user).streak == 1
        board = Board.objects.get()
        clock.time = at("2026-03-02 12:00")
        # Another board of the same deal, so that its line is known.
        Board.objects.filter(pk=board.pk).update(deal_key="x")
        deal_boards(monkeypatch, 2)
        won = win(api, line)
        assert (row(user).streak, row(user).best_streak, won["streak"]) == (2, 2, 2)

    def test_a_given_up_game_is_no_win_and_the_day_is_over(self, user, clock, line):
        api = ApiClient(user)
        state = api.play(start_daily(api).json(), line[0])
        api.resign(state)
        assert start_daily(api).json()["status"] == "lost"
        assert results_of(user) == [(60, False)]

    def test_a_board_is_counted_when_the_last_win_is_stored(self, user, new_user, clock, line):
        def counted(moment: str) -> tuple[int | None, int | None]:
            clock.time = at(moment)
            days.count_settled()
            board = Board.objects.get()
            return board.players, board.winners

        win(ApiClient(user), line)
        assert counted("2026-03-02 02:00") == (None, None)
        assert counted("2026-03-02 02:01") == (1, 1)
        # The clock was wrong, and is put right.
        clock.time = at("2026-03-01 13:00")
        other = ApiClient(new_user())
        state = other.play(start_daily(other).json(), *line[:-1])
        assert counted("2026-03-02 02:01") == (2, 1)
        clock.time = at("2026-03-01 14:00")
        other.play(state, line[-1])
        assert counted("2026-03-02 02:01") == (2, 2)
        results.delete_result(Result.objects.get(user=user))
        assert counted("2026-03-02 02:01") == (1, 1)

    def test_an_unplayed_game_given_up_is_no_result(self, user, clock):
        api = ApiClient(user)
        api.resign(start_daily(api).json())
        assert results_of(user) == []

    def test_par_is_told_after_the_win_and_help_is_not(self, user, clock, line):
        from bakers import answers
        from bakers.answers import Known
        from bakers.rules.moves import parse_line
        from bakers.solver import Outcome, Reason
        from daily import boards

        api = ApiClient(user)
        state = api.play(start_daily(api).json(), *line[:-1])
        answers.learn(
            boards.first_position(Board.objects.get()),
            Known(Outcome.WON, Reason.LINE, tuple(parse_line("".join(line))), 50, par_expanded=9),
        )
        assert api.state(state)["par"] is None
        won = api.play(state, line[-1])
        assert won["par"] == {"moves": len(line), "proven": False}
        assert api.post(f"games/{won['id']}/solution", {"version": won["version"]}).status_code == 403


def test_the_streak_is_alive_as_long_as_days_follow(user, clock, line):
    win(ApiClient(user), line)
    alive = [
        results.streak_alive(row(user), at(moment))
        for moment in ("2026-03-01 23:59", "2026-03-02 23:59", "2026-03-03 01:59", "2026-03-03 02:00")
    ]
    assert alive == [1, 1, 1, 0]
