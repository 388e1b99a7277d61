"""Par of boards: found in the background, better and better, and kept."""

from __future__ import annotations

import pytest

from bakers import answers
from bakers.answers import Known
from bakers.models import Search
from bakers.rules.moves import parse_line
from bakers.solver import Outcome, Reason
from daily import boards, pars
from daily.models import Board, Solution
from tests.daily.days import VARIANT, at, deal_boards, make
from tests.worker import run_worker

pytestmark = pytest.mark.django_db


@pytest.fixture
def board(monkeypatch, frozen_clock) -> Board:
    deal_boards(monkeypatch, 2, 3)
    return make("2026-03-01")


def learn(board: Board, line: list[str], bound: int) -> None:
    """Store what a search found out."""
    known = Known(Outcome.WON, Reason.LINE, tuple(parse_line("".join(line))), bound, par_expanded=9)
    answers.learn(boards.first_position(board), known)


def test_todays_board_comes_first_then_the_next_then_the_past_from_yesterday_on(monkeypatch, frozen_clock):
    frozen_clock.time = at("2026-03-02 12:00")
    deal_boards(monkeypatch, *range(2, 8))
    days = ("2026-02-27", "2026-02-28", "2026-03-01", "2026-03-02", "2026-03-03", "2026-03-04")
    made = {day: make(day) for day in days}
    order = ("2026-03-02", "2026-03-03", "2026-03-04", "2026-03-01", "2026-02-28", "2026-02-27")
    for many in range(1, len(order) + 1):
        monkeypatch.setattr(pars, "SEARCHES", many)
        pars.look_for_par()
        pars.look_for_par()
        searched = {
            day
            for day, board in made.items()
            if answers.is_searching(boards.first_position(board), Search.Purpose.PAR)
        }
        assert searched == set(order[:many])
    assert Search.objects.filter(purpose=Search.Purpose.PAR).count() == len(order)


def test_what_is_known_of_a_settled_board_is_told_before_its_turn_has_come(
    board, api, winning_lines, frozen_clock
):
    learn(board, winning_lines[VARIANT], 50)
    path = f"daily/{VARIANT}/2026-03-01"
    for moment, par in (("2026-03-02 01:59", None), ("2026-03-02 02:00", len(winning_lines[VARIANT]))):
        frozen_clock.time = at(moment)
        told = api.get(path).json()["par"]
        assert told == (None if par is None else {"moves": par, "proven": False})


def test_what_is_found_is_taken_and_only_ever_gets_better(board, winning_lines):
    line = winning_lines[VARIANT]
    learn(board, line, 50)
    pars.look_for_par()
    board.refresh_from_db()
    assert (board.par, board.par_proven) == (len(line), False)
    kept = Solution.objects.get(board=board).line
    Board.objects.filter(pk=board.pk).update(par=60, par_proven=True, status=Board.Status.SEARCHING)
    pars.look_for_par()
    board.refresh_from_db()
    assert (board.par, board.par_proven) == (60, True)
    assert Solution.objects.get(board=board).line == kept


def test_a_board_is_ready_when_its_search_has_ended(board, winning_lines):
    learn(board, winning_lines[VARIANT], 50)
    pars.look_for_par()
    board.refresh_from_db()
    assert board.status == Board.Status.READY
    assert not Search.objects.exists()


def test_a_board_whose_level_was_taken_away_is_rated_again(board):
    level = board.rating
    assert level in {1, 2, 3, 4, 5}
    Board.objects.update(rating=None)
    pars.look_for_par()
    board.refresh_from_db()
    assert board.rating == level


@pytest.mark.django_db(transaction=True)
def test_the_worker_finds_it(board, monkeypatch):
    monkeypatch.setattr(answers, "PAR_ROUNDS", 1)
    pars.look_for_par()
    run_worker()
    pars.look_for_par()
    board.refresh_from_db()
    assert board.par is not None
    assert board.par >= 52
    assert board.status == Board.Status.READY
