"""Limits: exactly as many calls pass as may, however many come at once and whatever the clock does."""

from __future__ import annotations

import functools
from collections.abc import Callable

import pytest
from django.core.management import call_command
from django.db import OperationalError, transaction
from django.test import RequestFactory

from bakers import limits
from bakers.api.errors import is_busy
from bakers.limits import CLOCK_SKEW, LONGEST_WINDOW, UNKNOWN_ADDRESS, client_address, take
from bakers.models import Limit
from bakers.problems import Throttled
from bakers.tasks import tidy_once
from tests.database import counts, held_lock, rows
from tests.parallel import at_once

ten_a_minute = functools.partial(take, "solve", limit=10, seconds=60)


def passes(call) -> bool:
    try:
        call()
    except Throttled:
        return False
    return True


def how_many_pass(call, of: int) -> int:
    return sum(passes(call) for _ in range(of))


@pytest.mark.django_db
class TestALimit:
    def test_lets_as_many_through_as_it_says(self, frozen_clock):
        assert how_many_pass(lambda: ten_a_minute("me"), of=15) == 10

    def test_counts_each_caller_and_each_scope_apart(self, frozen_clock):
        assert how_many_pass(lambda: ten_a_minute("me"), of=11) == 10
        assert how_many_pass(lambda: ten_a_minute("you"), of=11) == 10
        assert how_many_pass(lambda: take("deal", "me", limit=10, seconds=60), of=11) == 10

    def test_starts_anew_with_each_window(self, frozen_clock):
        for _ in range(3):
            assert how_many_pass(lambda: ten_a_minute("me"), of=15) == 10
            frozen_clock.advance(seconds=60)

    def test_has_windows_that_begin_with_the_minute_and_not_with_the_first_call(self, frozen_clock):
        frozen_clock.advance(seconds=45)
        assert how_many_pass(lambda: ten_a_minute("me"), of=15) == 10
        frozen_clock.advance(seconds=14)
        assert not passes(lambda: ten_a_minute("me"))
        frozen_clock.advance(seconds=1)
        assert how_many_pass(lambda: ten_a_minute("me"), of=15) == 10

    @pytest.mark.parametrize(("after", "wait"), [(0, 60), (0.4, 60), (12, 48), (59, 1), (59.9, 1)])
    def test_says_after_how_many_seconds_it_lets_callers_through_again(self, frozen_clock, after, wait):
        frozen_clock.advance(seconds=after)
        how_many_pass(lambda: ten_a_minute("me"), of=10)

        with pytest.raises(Throttled) as caught:
            ten_a_minute("me")

        assert caught.value.retry_after == wait
        assert caught.value.detail == {"retry_after": wait}
        if wait > 1:
            frozen_clock.advance(seconds=wait - 1 - after % 1)
            assert not passes(lambda: ten_a_minute("me"))
        frozen_clock.advance(seconds=1)
        assert passes(lambda: ten_a_minute("me"))

    def test_takes_what_a_call_costs(self, frozen_clock):
        assert passes(lambda: ten_a_minute("me", cost=7))
        assert not passes(lambda: ten_a_minute("me", cost=4))
        assert passes(lambda: ten_a_minute("me", cost=3))
        assert not passes(lambda: ten_a_minute("me"))

    def test_is_not_used_up_by_calls_that_it_refuses(self, frozen_clock):
        ten_a_minute("me", cost=9)
        before = rows()
        assert how_many_pass(lambda: ten_a_minute("me", cost=2), of=5) == 0

        assert rows() == before
        assert passes(lambda: ten_a_minute("me"))

    @pytest.mark.parametrize(
        "bad", [{"cost": 11}, {"cost": 0}, {"cost": -1}, {"seconds": 0}, {"seconds": LONGEST_WINDOW + 1}]
    )
    def test_that_makes_no_sense_is_a_fault(self, bad):
        with pytest.raises(ValueError, match="limit of 10"):
            ten_a_minute("me", **bad)

        assert counts() == {}

    def test_may_be_changed_while_it_is_counted(self, frozen_clock):
        frozen_clock.advance(minutes=34)
        ten_a_minute("me", cost=10)

        assert not passes(lambda: take("solve", "me", limit=10, seconds=3600))
        assert passes(lambda: take("solve", "me", limit=11, seconds=3600))
        frozen_clock.advance(minutes=26)
        assert how_many_pass(lambda: take("solve", "me", limit=3, seconds=3600), of=5) == 3

    def test_keeps_neither_an_address_nor_what_it_would_make_of_a_long_name(self, frozen_clock):
        for who in ("192.0.2.77", "x" * 5_000, "a\0b", "\ud800", ""):
            ten_a_minute(who.encode("utf-8", "replace").decode())

        stored = str(rows())
        assert "192.0.2.77" not in stored
        assert {len(limit.who) for limit in Limit.objects.all()} == {64}
        assert Limit.objects.count() == 5

    def test_of_one_scope_has_other_hashes_than_that_of_another(self):
        take("solve", "me", limit=1, seconds=60)
        take("deal", "me", limit=1, seconds=60)

        assert len({limit.who for limit in Limit.objects.all()}) == 2

    def test_is_not_counted_inside_of_a_transaction(self):
        with transaction.atomic(), pytest.raises(RuntimeError):
            ten_a_minute("me")

        assert counts() == {}


@pytest.mark.django_db
class TestAClock:
    @pytest.mark.parametrize("back", [CLOCK_SKEW + 61, 3_600, 86_400, 86_400 * 365])
    def test_that_is_set_back_keeps_nobody_out(self, frozen_clock, back):
        how_many_pass(lambda: ten_a_minute("me"), of=15)
        frozen_clock.advance(seconds=-back)

        assert how_many_pass(lambda: ten_a_minute("me"), of=15) == 10

    def test_that_is_set_back_a_little_keeps_nobody_out_for_longer_than_that(self, frozen_clock):
        how_many_pass(lambda: ten_a_minute("me"), of=15)
        for _ in range(CLOCK_SKEW):
            frozen_clock.advance(seconds=-1)
            assert not passes(lambda: ten_a_minute("me"))

        frozen_clock.advance(seconds=60 + CLOCK_SKEW)
        assert passes(lambda: ten_a_minute("me"))

    def test_that_lags_behind_another_machines_lets_no_more_through(self, frozen_clock):
        """Two machines take turns around the end of a minute, and neither forgets what the other counted."""
        passed = 0
        for _ in range(20):
            passed += passes(lambda: ten_a_minute("me"))
            frozen_clock.advance(seconds=-2)
            passed += passes(lambda: ten_a_minute("me"))
            frozen_clock.advance(seconds=2)

        assert passed == 10


MANY = 50


@pytest.mark.django_db(transaction=True)
class TestAtOnce:
    """The clock stands still here, so that no minute ends in between."""

    def test_exactly_the_limit_passes(self, frozen_clock):
        assert sum(at_once([lambda: passes(lambda: ten_a_minute("me"))] * MANY)) == 10
        assert Limit.objects.get().count == 10

    def test_exactly_the_limit_passes_of_a_window_that_another_one_precedes(self, frozen_clock):
        ten_a_minute("me", cost=10)
        frozen_clock.advance(seconds=60)

        assert sum(at_once([lambda: passes(lambda: ten_a_minute("me"))] * MANY)) == 10

    def test_no_more_passes_than_the_limit_when_calls_cost_different_amounts(self, frozen_clock):
        calls = [functools.partial(ten_a_minute, "me", cost=1 + number % 3) for number in range(MANY)]
        passed = at_once([functools.partial(passes, call) for call in calls])

        spent = sum(1 + number % 3 for number, through in enumerate(passed) if through)
        assert spent == Limit.objects.get().count
        # A call that costs one was refused, or there would be room for it.
        assert spent == 10

    def test_callers_do_not_hinder_each_other(self, frozen_clock):
        calls = [functools.partial(ten_a_minute, f"caller {number}") for number in range(MANY)]

        assert all(at_once([functools.partial(passes, call) for call in calls]))

    def test_tidying_takes_away_no_count_that_is_running(self, frozen_clock):
        ten_a_minute("me", cost=10)
        frozen_clock.advance(seconds=60)

        calls: list[Callable[[], int]] = [lambda: passes(lambda: ten_a_minute("me")), tidy_once] * 12
        answers = at_once(calls)

        assert sum(answers[::2]) == 10
        assert Limit.objects.get().count == 10


@pytest.mark.django_db(transaction=True)
def test_a_lock_that_lasts_is_busy_and_nothing_is_counted():
    ten_a_minute("me", cost=9)

    with held_lock(Limit.objects.all()), pytest.raises(OperationalError) as caught:
        ten_a_minute("me")

    assert is_busy(caught.value)
    assert Limit.objects.get().count == 9


@pytest.mark.django_db
class TestTidying:
    def test_takes_away_what_is_over_and_nothing_else(self, frozen_clock):
        take("short", "me", limit=1, seconds=60)
        take("long", "me", limit=1, seconds=3_600)
        assert tidy_once() == 0
        frozen_clock.advance(seconds=59)
        assert tidy_once() == 0

        frozen_clock.advance(seconds=1)
        assert tidy_once() == 1
        assert [limit.scope for limit in Limit.objects.all()] == ["long"]

    def test_leaves_nothing_after_a_day(self, frozen_clock):
        take("longest", "me", limit=1, seconds=LONGEST_WINDOW)
        frozen_clock.advance(seconds=LONGEST_WINDOW)

        call_command("tidy")

        assert counts() == {}

    def test_takes_away_what_a_clock_left_that_was_set_back(self, frozen_clock):
        ten_a_minute("me")
        frozen_clock.advance(seconds=-CLOCK_SKEW)
        assert tidy_once() == 0
        frozen_clock.advance(seconds=-1)
        assert tidy_once() == 1

    def test_takes_no_more_at_a_time_than_it_is_told(self, frozen_clock):
        for number in range(5):
            ten_a_minute(f"caller {number}")
        frozen_clock.advance(days=1)

        assert [tidy_once(limit=2) for _ in range(4)] == [2, 2, 1, 0]


class TestWhoCalls:
    def ask(self, remote: str | None = "192.0.2.7", forwarded: str | None = None) -> str:
        request = RequestFactory().get("/")
        request.META.pop("REMOTE_ADDR")
        if remote is not None:
            request.META["REMOTE_ADDR"] = remote
        if forwarded is not None:
            request.META["HTTP_X_FORWARDED_FOR"] = forwarded
        return client_address(request)

    def test_is_told_by_the_connection(self):
        assert self.ask("192.0.2.7") == "192.0.2.7"

    @pytest.mark.parametrize("forwarded", ["198.51.100.1", "x", ""])
    def test_is_not_told_by_a_header_that_anyone_can_write(self, settings, forwarded):
        settings.TRUST_PROXY = False

        assert self.ask("192.0.2.7", forwarded) == "192.0.2.7"

    @pytest.mark.parametrize(
        "forwarded",
        [
            "198.51.100.1",
            "203.0.113.9, 198.51.100.1",
            "x,, ,198.51.100.1 ",
            "198.51.100.1:4711",
            "::1,\t198.51.100.1",
        ],
    )
    def test_is_told_by_the_proxys_own_entry_of_that_header(self, settings, forwarded):
        settings.TRUST_PROXY = True

        assert self.ask("192.0.2.7", forwarded) == "198.51.100.1"

    @pytest.mark.parametrize("forwarded", [None, "", "198.51.100.1,"])
    def test_is_told_by_the_connection_when_the_proxy_said_nothing(self, settings, forwarded):
        settings.TRUST_PROXY = True

        assert self.ask("192.0.2.7", forwarded) == "192.0.2.7"

    @pytest.mark.parametrize(
        "address",
        [
            "2001:db8:1:2::1",
            "2001:DB8:1:2:ffff:ffff:ffff:ffff",
            "2001:0db8:0001:0002:0:0:0:0",
            "[2001:db8:1:2::5]:4711",
            "[2001:db8:1:2::5]",
            "2001:db8:1:2::1%eth0",
        ],
    )
    def test_is_a_whole_network_of_ipv6(self, address):
        assert self.ask(address) == "2001:db8:1:2::/64"

    def test_is_another_one_in_the_next_network(self):
        assert self.ask("2001:db8:1:3::1") != self.ask("2001:db8:1:2::1")

    @pytest.mark.parametrize("address", ["::ffff:192.0.2.7", "::ffff:c000:207", "[::ffff:192.0.2.7]:80"])
    def test_is_the_same_by_ipv4_inside_of_ipv6(self, address):
        assert self.ask(address) == "192.0.2.7"

    @pytest.mark.parametrize(
        "address",
        [
            None, "", " ", "unknown", "_hidden", "localhost", "unix:", "@", "1.2.3", "1.2.3.4.5", "256.1.1.1",
            "1.2.3.4/24", "1.2.3.4:x", "0x7f.1", "01.02.03.04", ":::", "[", "]", "[]", "[::", "::]", "[::1]x",
            "2001:db8::g", "1.2.3.4\0", "\ud800", "١.٢.٣.٤", ":" * 9_999, "9" * 9_999, "1.2.3.4, evil",
            "::1%" + "x" * 99 + "\n%",
        ],
    )  # fmt: skip
    def test_is_one_and_the_same_whatever_garbage_is_sent(self, settings, address):
        settings.TRUST_PROXY = True

        assert self.ask(address) == UNKNOWN_ADDRESS
        assert self.ask("192.0.2.7", f"198.51.100.1, {address or 'x'}") == UNKNOWN_ADDRESS

    @pytest.mark.django_db
    def test_is_something_that_can_be_counted(self):
        for address in ("192.0.2.7", "2001:db8::1", "garbage\0"):
            limits.take("solve", self.ask(address), limit=1, seconds=60)

        assert Limit.objects.count() == 3
