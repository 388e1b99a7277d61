"""What makes the server search is limited by caller; what is known already, and playing, never is."""

from __future__ import annotations

import collections
import functools
import itertools

import pytest
from django.test import Client

from bakers import answers
from bakers import help as helping
from bakers.answers import Known
from bakers.models import Answer, Game, Limit, Search
from bakers.rules.deals import deal
from bakers.rules.variants import VARIANTS
from bakers.solver import Outcome, Reason
from tests.conftest import ApiClient
from tests.database import counts, held_lock, rows
from tests.parallel import at_once

LIMIT = 3


@pytest.fixture(autouse=True)
def low_limit(monkeypatch, frozen_clock):
    """Three searches a minute, at noon."""
    monkeypatch.setattr(helping, "SEARCHES_A_MINUTE", LIMIT)


@pytest.fixture
def low_deep_limit(monkeypatch):
    """Many searches a minute, three of them in the background."""
    monkeypatch.setattr(helping, "SEARCHES_A_MINUTE", 100)
    monkeypatch.setattr(helping, "DEEP_SEARCHES_A_MINUTE", LIMIT)


def solve(api, number, *, address="192.0.2.1", forwarded=None, **body):
    headers = {} if forwarded is None else {"X-Forwarded-For": forwarded}
    body = {"variant": "bakers-dozen", "deal": str(number), **body}
    return api.post("solve", body, REMOTE_ADDR=address, headers=headers)


def know(*numbers):
    """Store of deals that they can be won, with a line that is worth nothing, and no par."""
    for number in numbers:
        position = deal(VARIANTS["bakers-dozen"], number)
        line = tuple(itertools.islice(position.legal_moves, 1))
        answers.learn(position, Known(Outcome.WON, Reason.LINE, line))


def use_up(api, **caller):
    """Make as many searches as a caller may, of deals 11, 12, 13."""
    for number in range(11, 11 + LIMIT):
        assert solve(api, number, **caller).status_code == 200


def expect_refusal(response, wait=60):
    assert response.status_code == 429
    assert response.json()["error"]["code"] == "throttled"
    assert response.json()["error"]["detail"] == {"retry_after": wait}
    assert response.headers["Retry-After"] == str(wait)


class TestSolving:
    def test_is_refused_over_the_limit_until_the_minute_is_over(self, api, frozen_clock):
        use_up(api)
        expect_refusal(solve(api, 20))
        frozen_clock.advance(seconds=40)
        expect_refusal(solve(api, 20), wait=20)
        frozen_clock.advance(seconds=20)

        assert solve(api, 20).status_code == 200

    def test_that_is_refused_leaves_nothing(self, api):
        use_up(api)
        before = rows()
        for more in ({}, {"deeper": True}, {"par": True}, {"budget": 1}, {"line": ["1h"]}):
            assert solve(api, 20, **more).status_code in {422, 429}

        assert rows() == before

    def test_of_what_is_known_is_always_answered(self, api):
        know(1, 2, 3)
        use_up(api)

        assert [solve(api, number).status_code for number in (1, 2, 3)] == [200] * 3
        assert Limit.objects.get(scope="search").count == LIMIT

    @pytest.mark.parametrize(
        "body",
        [
            {"deal": "0"},
            {"deal": "x"},
            {"budget": 0},
            {"budget": 20_001},
            {"budget": -1},
            {"budget": "5"},
            {"budget": True},
            {"line": ["zz"]},
            {"line": ["1h"] * 2_001},
            {"variant": "klondike"},
            {"unknown": 1},
        ],
    )
    def test_of_what_is_none_is_refused_and_not_counted(self, api, body):
        response = solve(api, 11, **body)

        assert response.status_code == 400
        assert counts() == {}

    def test_of_a_move_that_is_illegal_is_refused_and_not_counted(self, api):
        assert solve(api, 2, line=["1h"]).status_code == 422
        assert counts() == {}

    def test_in_the_background_has_a_limit_of_its_own(self, api, low_deep_limit):
        numbers = range(11, 11 + LIMIT)
        know(*numbers, 20)
        for number in numbers:
            assert solve(api, number, par=True).status_code == 200
        assert Search.objects.count() == LIMIT

        expect_refusal(solve(api, 20, par=True))

        assert Search.objects.count() == LIMIT
        assert solve(api, 20).status_code == 200

    def test_is_for_few_positions_at_a_time(self, api, monkeypatch):
        monkeypatch.setattr(helping, "SEARCHES_A_MINUTE", 100)
        at_a_time = helping.DEEP_AT_A_TIME
        numbers = range(11, 11 + at_a_time)
        know(*numbers, 20, 21)
        for number in numbers:
            assert solve(api, number, par=True).status_code == 200

        expect_refusal(solve(api, 20, par=True), wait=helping.DEEP_RETRY_SECONDS)

        assert Search.objects.count() == at_a_time
        # Asking again about one that goes on isn't another, and other callers aren't hindered.
        assert solve(api, 11, par=True).status_code == 200
        assert solve(api, 21, par=True, address="192.0.2.2").status_code == 200
        Search.objects.earliest("pk").delete()
        assert solve(api, 20, par=True).status_code == 200


class TestACaller:
    def test_is_an_address_whoever_uses_it(self, api, new_api):
        use_up(api)

        expect_refusal(solve(new_api(), 20))

    def test_is_not_another_address(self, api):
        use_up(api)

        assert solve(api, 20, address="192.0.2.2").status_code == 200

    def test_has_the_whole_of_an_ipv6_network(self, api):
        use_up(api, address="2001:db8:1:2::1")

        expect_refusal(solve(api, 20, address="2001:db8:1:2:ffff::9"))
        assert solve(api, 20, address="2001:db8:1:3::1").status_code == 200

    def test_is_a_user_wherever_they_are(self, new_user):
        user = new_user()
        use_up(ApiClient(user), address="192.0.2.1")

        expect_refusal(solve(ApiClient(user), 20, address="192.0.2.2"))

    def test_is_not_another_user_at_the_same_address(self, api, new_user):
        use_up(ApiClient(new_user()))

        assert solve(ApiClient(new_user()), 20).status_code == 200
        assert solve(api, 21).status_code == 200

    def test_has_at_most_five_times_as_much_with_many_accounts(self, new_user):
        for number in range(5 * LIMIT):
            assert solve(ApiClient(new_user()), 100 + number).status_code == 200

        expect_refusal(solve(ApiClient(new_user()), 20))
        assert solve(ApiClient(new_user()), 20, address="192.0.2.2").status_code == 200

    def test_is_not_who_a_header_says_that_anyone_can_write(self, api):
        use_up(api)

        expect_refusal(solve(api, 20, forwarded="198.51.100.1"))

    def test_is_whom_the_proxy_saw(self, api, settings):
        settings.TRUST_PROXY = True
        use_up(api, forwarded="198.51.100.1")

        # The first entry is what the caller made up.
        expect_refusal(solve(api, 20, forwarded="203.0.113.5, 198.51.100.1"))
        assert solve(api, 20, forwarded="198.51.100.1, 203.0.113.5").status_code == 200

    @pytest.mark.parametrize("garbage", ["", "unknown", "x" * 5_000, "1.2.3.4.5", "é", "[::"])
    def test_who_cannot_be_told_shares_with_all_such(self, api, settings, garbage):
        settings.TRUST_PROXY = True
        use_up(api, address="", forwarded="not an address")

        expect_refusal(solve(api, 20, address="", forwarded=garbage))

    def test_stands_nowhere_in_the_database(self, api):
        use_up(api, address="192.0.2.77")

        assert "192.0.2.77" not in str(rows())


class TestADealsPage:
    def look(self, number, **caller):
        return Client().get(f"/deal/bakers-dozen/{number}", **caller)

    def test_is_refused_over_the_limit_with_a_page_that_says_when(self, db, frozen_clock):
        for number in range(11, 11 + LIMIT):
            assert self.look(number).status_code == 200
        before = rows()
        frozen_clock.advance(seconds=15)

        refused = self.look(20)

        assert refused.status_code == 429
        assert refused.headers["Retry-After"] == "45"
        assert refused.headers["Content-Type"] == "text/html; charset=utf-8"
        assert "429.html" in [template.name for template in refused.templates]
        assert rows() == before
        assert self.look(20, REMOTE_ADDR="192.0.2.2").status_code == 200

    def test_is_always_shown_when_the_deal_is_known(self, db):
        know(1, 2, 3)
        for number in range(11, 11 + LIMIT):
            self.look(number)

        assert [self.look(number).status_code for number in (1, 2, 3)] == [200] * 3

    def test_counts_with_what_the_caller_asks_elsewhere(self, api):
        use_up(api, address="192.0.2.1")

        assert self.look(20, REMOTE_ADDR="192.0.2.1").status_code == 429


class TestWithAGame:
    """The game's own calls share the caller's limit, and a game whose help was refused isn't marked."""

    @pytest.mark.parametrize("call", ["hint", "postmortem", "solution", "verdict"])
    def test_help_is_refused_over_the_limit(self, api, call):
        state = api.start(deal="20")
        use_up(api, address="127.0.0.1")
        before = rows()

        if call == "verdict":
            response = api.get(f"games/{state['id']}/verdict?version=0")
        else:
            response = api.post(f"games/{state['id']}/{call}", {"version": 0})

        expect_refusal(response)
        assert rows() == before
        assert Game.objects.get().helped is False

    def test_playing_goes_on(self, api):
        use_up(api, address="127.0.0.1")
        state = api.play(api.start(), "96")
        assert api.resign(state).status_code == 200
        assert [api.browser.get(path).status_code for path in ("/", f"/game/{state['id']}")] == [200, 200]

    @pytest.mark.parametrize("path", ["deals/bakers-dozen?winnable=1", "games"])
    def test_random_deals_that_can_be_won_are_refused_over_the_limit(self, api, path):
        use_up(api, address="127.0.0.1")
        start = {"variant": "bakers-dozen", "kind": "casual", "winnable": True}

        expect_refusal(api.get(path) if "?" in path else api.post(path, start))

        assert not Game.objects.exists()
        assert api.get("deals/bakers-dozen").status_code == 200


@pytest.mark.django_db(transaction=True)
class TestAtOnce:
    def test_exactly_the_limit_passes(self):
        api = ApiClient()
        assert api.token
        tabs = [api.tab() for _ in range(20)]

        answers = at_once([functools.partial(solve, tab, 11 + number) for number, tab in enumerate(tabs)])

        assert collections.Counter(answer.status_code for answer in answers) == {200: LIMIT, 429: 20 - LIMIT}
        assert Limit.objects.get(scope="search").count == LIMIT
        assert Answer.objects.count() <= LIMIT

    def test_a_lock_that_lasts_is_busy(self):
        api = ApiClient()
        use_up(api)
        Limit.objects.update(count=1)
        before = rows()

        with held_lock(Limit.objects.all()):
            response = solve(api, 20)
            page = self.page(20)

        assert response.status_code == 503
        assert response.json()["error"]["code"] == "busy"
        assert response.headers["Retry-After"]
        assert page.status_code == 503
        assert page.headers["Retry-After"]
        assert rows() == before
        assert solve(api, 20).status_code == 200

    def page(self, number):
        client = Client(raise_request_exception=False)
        return client.get(f"/deal/bakers-dozen/{number}", REMOTE_ADDR="192.0.2.1")
