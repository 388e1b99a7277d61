"""`seconds`: the time at the table on the server's clock, without the pauses."""

from __future__ import annotations


def test_the_clock_starts_with_the_first_move(api, frozen_clock):
    state = api.start()
    frozen_clock.advance(minutes=5)

    assert api.play(state, "96")["seconds"] == 0


def test_time_between_batches_is_added_up(api, frozen_clock):
    state = api.play(api.start(), "96")
    for gap, total in ((10, 10), (0, 10), (25, 35)):
        frozen_clock.advance(seconds=gap)
        move = "3d" if state["ply"] == 1 else "43"
        state = api.play(state, move) if state["ply"] < 3 else api.play(state, at=1)
        assert state["seconds"] == total


def test_fractions_of_seconds_are_added_up_before_they_are_cut_off(api, frozen_clock):
    state = api.play(api.start(), "96")
    for seconds in (0, 1, 2):
        frozen_clock.advance(milliseconds=700)
        state = api.play(state, *(["3d"] if state["ply"] == 1 else []), at=1)
        assert state["seconds"] == seconds


def test_a_pause_counts_as_a_minute(api, frozen_clock):
    state = api.play(api.start(), "96")
    frozen_clock.advance(seconds=60)
    state = api.play(state, "3d")
    assert state["seconds"] == 60

    frozen_clock.advance(days=20)
    assert api.play(state, "43")["seconds"] == 120


def test_a_clock_that_goes_backwards_adds_nothing_and_takes_nothing(api, frozen_clock):
    state = api.play(api.start(), "96")
    frozen_clock.advance(seconds=30)
    state = api.play(state, "3d")
    frozen_clock.advance(hours=-2)
    state = api.play(state, "43")
    assert state["seconds"] == 30

    frozen_clock.advance(seconds=5)
    assert api.play(state, at=0)["seconds"] == 35


def test_taking_back_is_time_at_the_table_too(api, frozen_clock):
    state = api.play(api.start(), "96")
    frozen_clock.advance(seconds=10)
    state = api.play(state, at=0)
    frozen_clock.advance(seconds=10)

    assert api.play(state, "96")["seconds"] == 20


def test_what_changes_nothing_adds_nothing(api, frozen_clock):
    state = api.play(api.start(), "96", request_id="batch-001")
    frozen_clock.advance(seconds=10)
    assert api.play({**state, "version": 0, "ply": 0}, "96", request_id="batch-001")["seconds"] == 0
    assert api.play(state)["seconds"] == 0
    api.moves(state, "1h")
    frozen_clock.advance(seconds=10)

    assert api.play(state, "3d")["seconds"] == 20


def test_giving_up_is_no_batch_and_adds_nothing(api, frozen_clock):
    state = api.play(api.start(), "96")
    frozen_clock.advance(seconds=10)

    assert api.resign(state).json()["seconds"] == 0


def test_the_winning_batch_adds_its_gap(api, frozen_clock, winning_lines):
    *line, last = winning_lines["bakers-dozen"]
    state = api.play(api.start(), *line)
    frozen_clock.advance(seconds=42)

    assert api.play(state, last)["seconds"] == 42


def test_time_does_not_run_after_the_end(api, frozen_clock, winning_lines):
    won = api.play(api.start(), *winning_lines["bakers-dozen"])
    frozen_clock.advance(seconds=30)

    assert api.state(won)["seconds"] == 0


def test_the_clock_may_be_shifted_by_the_setting(api, settings):
    settings.CLOCK_OFFSET = 86_400
    state = api.play(api.start(), "96")
    settings.CLOCK_OFFSET += 3_600
    state = api.play(state, "3d")

    assert state["seconds"] == 60
