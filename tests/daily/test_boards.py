"""Boards: one a variant and day that can be won, made ahead or when asked for, seen by nobody before its day."""

from __future__ import annotations

import datetime
import io
from collections.abc import Callable
from functools import partial

import pytest
from django.core.management import CommandError, call_command

from bakers.days import Day
from bakers.problems import Busy, NotFound
from bakers.rules.moves import parse_line
from bakers.rules.variants import VARIANTS
from bakers.solver import Outcome, decide
from daily import boards
from daily.models import Board, Solution
from tests.daily.days import VARIANT, at, deal_boards, make
from tests.parallel import at_once

pytestmark = pytest.mark.django_db
KNOWN = VARIANTS[VARIANT]


def test_numbers_and_instants_of_days():
    first = Day(datetime.date(2026, 1, 1))
    assert (first.number, Day.numbered(1)) == (1, first)
    assert Day(datetime.date(2025, 12, 31)).number == 0
    leap = Day(datetime.date(2028, 2, 29))
    assert Day.numbered(leap.number) == leap
    assert leap.opens_at == at("2028-02-29 00:00")
    assert leap.closes_at == at("2028-03-01 00:00")
    assert leap.settles_at == at("2028-03-01 02:00")


@pytest.mark.parametrize(
    "zone", ["Europe/Rome", "America/New_York", "Australia/Lord_Howe", "Pacific/Auckland"]
)
@pytest.mark.parametrize("day", ["2026-03-29", "2026-10-25", "2026-11-01", "2028-02-29"])
def test_a_day_is_that_of_utc_wherever_and_however_clocks_change(zone, day):
    from zoneinfo import ZoneInfo

    start = at(f"{day} 00:00")
    for hours in range(24):
        there = (start + datetime.timedelta(hours=hours)).astimezone(ZoneInfo(zone))
        assert Day.of(there).date.isoformat() == day
    assert Day.of((start - datetime.timedelta(microseconds=1)).astimezone(ZoneInfo(zone))) != Day.of(start)


class TestMaking:
    def test_a_board_can_be_won_by_the_line_that_is_kept(self, frozen_clock):
        for variant in VARIANTS.values():
            board = boards.make_board(variant, Day.numbered(60)).board
            position = boards.first_position(board)
            position.play_line(parse_line(Solution.objects.get(board=board).line))
            assert position.is_won()
            assert board.rating in {1, 2, 3, 4, 5}

    def test_a_deal_that_cannot_be_won_is_passed_over(self, monkeypatch):
        lost = next(
            number
            for number in range(1, 2_000)
            if decide(boards.games.new_deal(variant=KNOWN, number=number).position).outcome is Outcome.LOST
        )
        deal_boards(monkeypatch, lost, 2)
        made = boards.make_board(KNOWN, Day.numbered(60))
        assert (made.board.deal, made.deals, made.is_new) == ("2", 2, True)

    def test_no_deal_is_twice_a_board_in_any_variant(self, monkeypatch):
        deal_boards(monkeypatch, 2, 2, 3)
        make("2026-03-01")
        assert make("2026-03-02", "spanish-patience").deal == "3"

    def test_doing_it_again_makes_nothing(self, frozen_clock):
        first = make("2026-03-01")
        again = boards.make_board(KNOWN, Day.numbered(60))
        assert (again.board, again.is_new) == (first, False)
        assert Board.objects.count() == 1

    def test_when_nothing_that_can_be_won_is_found_in_time_it_is_busy(self, monkeypatch):
        monkeypatch.setattr(boards, "QUICK_BUDGET", 1)
        monkeypatch.setattr(boards, "QUICK_SECONDS", 0.01)
        with pytest.raises(Busy):
            boards.board_for(KNOWN, at("2026-03-01 12:00"))
        assert not Board.objects.exists()


@pytest.mark.django_db(transaction=True)
def test_of_many_copies_at_once_all_have_the_same_board():
    calls: list[Callable[[], Board]] = [
        *[partial(boards.board_for, KNOWN, at("2026-03-01 12:00"))] * 4,
        *[lambda: boards.make_board(KNOWN, Day.numbered(60)).board] * 4,
    ]
    found = at_once(calls)
    assert len({board.pk for board in found}) == Board.objects.count() == 1
    assert Solution.objects.count() == 1


class TestSeeing:
    def test_todays_is_made_when_somebody_asks(self):
        board = boards.board_for(KNOWN, at("2026-03-01 23:59"))
        assert (board.number, board.day) == (60, datetime.date(2026, 3, 1))
        assert boards.board_for(KNOWN, at("2026-03-01 00:00")) == board

    @pytest.mark.parametrize("now", ["2025-12-31 23:59", "2020-01-01 00:00"])
    def test_before_the_first_day_there_is_none(self, now):
        with pytest.raises(NotFound):
            boards.board_for(KNOWN, at(now))
        assert not Board.objects.exists()

    def test_a_board_to_come_is_there_for_nobody(self):
        make("2026-03-02")
        for now in ("2026-03-01 00:00", "2026-03-01 23:59"):
            with pytest.raises(NotFound):
                boards.find_board(KNOWN, datetime.date(2026, 3, 2), at(now))
        assert boards.find_board(KNOWN, datetime.date(2026, 3, 2), at("2026-03-02 00:00")).number == 61

    def test_of_the_past_only_what_was_made_is_there(self):
        make("2026-02-01")
        now = at("2026-03-01 12:00")
        assert boards.find_board(KNOWN, datetime.date(2026, 2, 1), now).number == 32
        with pytest.raises(NotFound):
            boards.find_board(KNOWN, datetime.date(2026, 2, 2), now)


class TestCommand:
    def run(self, **options):
        out = io.StringIO()
        call_command("dailies", stdout=out, stderr=io.StringIO(), **options)
        return out.getvalue()

    def test_makes_what_is_missing_and_nothing_twice(self, frozen_clock):
        make("2026-03-02")
        assert self.run(ahead=1, back=1).startswith("Days: 3. Boards made: 14.")
        assert Board.objects.count() == 15
        assert self.run(ahead=1, back=1).startswith("Days: 3. Boards made: 0.")

    def test_makes_none_before_the_first_day(self, frozen_clock):
        frozen_clock.time = at("2026-01-02 12:00")
        self.run(ahead=0, back=5)
        assert sorted(set(Board.objects.values_list("number", flat=True))) == [1, 2]

    def test_a_clock_that_jumps_leaves_no_day_out_and_none_twice(self, frozen_clock):
        for now in ("2026-03-01 12:00", "2026-03-05 12:00", "2026-02-27 12:00", "2026-03-02 12:00"):
            frozen_clock.time = at(now)
            self.run(ahead=1, back=0)
        numbers = Board.objects.filter(variant=VARIANT).order_by("number").values_list("number", flat=True)
        assert list(numbers) == [58, 59, 60, 61, 62, 64, 65]

    def test_a_crash_in_the_middle_is_made_good(self, frozen_clock, monkeypatch):
        made = boards.make_board
        calls: list[Callable[[], Board]] = []

        def crash(variant, day, **options):
            calls.append(day)
            if len(calls) == 4:
                raise RuntimeError("no more")
            return made(variant, day, **options)

        monkeypatch.setattr(boards, "make_board", crash)
        with pytest.raises(RuntimeError):
            self.run(ahead=1, back=0)
        monkeypatch.undo()
        frozen_clock.time = frozen_clock.time
        monkeypatch.setattr("config.clock.now", lambda: frozen_clock.time)
        self.run(ahead=1, back=0)
        assert Board.objects.count() == 10

    @pytest.mark.parametrize("options", [{"ahead": -1}, {"back": 5_000}, {"loop": 0.1}])
    def test_refuses_what_is_a_slip(self, options):
        with pytest.raises(CommandError):
            self.run(**options)
        assert not Board.objects.exists()
