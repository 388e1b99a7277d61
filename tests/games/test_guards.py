"""Help: whether anybody objects to it, before any is given."""

from __future__ import annotations

import datetime

import pytest

from bakers import games, kinds
from bakers.kinds import HelpRequest, check_help, register_guard, registered_guard
from bakers.problems import HelpRefused
from bakers.rules.variants import VARIANTS

# Guards of the site itself look for the games that they guard.
pytestmark = pytest.mark.django_db

SORTS = ("hint", "verdict", "solution")
SETTLES = datetime.datetime(2026, 3, 2, 2, tzinfo=datetime.UTC)


class Guard:
    """A made-up guard that remembers what it was asked, and refuses while told to."""

    def __init__(self, refusal: Exception | None = None) -> None:
        self.asked: list[HelpRequest] = []
        self.refusal = refusal

    def __call__(self, request: HelpRequest) -> None:
        self.asked.append(request)
        if self.refusal is not None:
            raise self.refusal


class Silent(kinds.Kind):
    """A made-up kind without help of some sorts."""

    slug = "silent"

    def __init__(self, **allowed):
        self.allowed = kinds.Help(**allowed)
        self.asked = []

    def help_allowed(self, game):
        self.asked.append(game)
        return self.allowed


def asking(number: int = 2, *, game=None) -> HelpRequest:
    table = games.new_deal(variant=VARIANTS["bakers-dozen"], number=number)
    return HelpRequest(
        player=None,
        variant="bakers-dozen",
        position=table.position,
        deal_key=table.game.deal_key,
        game=game,
    )


def a_game(kind: str):
    game = games.new_deal(variant=VARIANTS["bakers-dozen"], number=2).game
    game.kind = kind
    return game


@pytest.mark.parametrize("sort", SORTS)
class TestHelp:
    def test_is_open_when_nobody_objects(self, sort):
        with registered_guard(Guard()) as guard:
            check_help(asking(), sort)
            check_help(asking(game=a_game("casual")), sort)

        assert len(guard.asked) == 2

    def test_is_refused_when_a_guard_refuses(self, sort):
        request = asking()
        with (
            registered_guard(Guard(HelpRefused(opens_at=SETTLES))) as guard,
            pytest.raises(HelpRefused) as caught,
        ):
            check_help(request, sort)

        assert guard.asked == [request]
        assert caught.value.detail == {"opens_at": "2026-03-02T02:00:00+00:00"}

    def test_is_refused_whichever_guard_refuses(self, sort):
        refusing = Guard(HelpRefused())
        for guards in ([refusing, Guard()], [Guard(), refusing]):
            with registered_guard(guards[0]), registered_guard(guards[1]), pytest.raises(HelpRefused):
                check_help(asking(), sort)

    def test_is_not_given_when_a_guard_fails(self, sort):
        with registered_guard(Guard(RuntimeError("fault"))), pytest.raises(RuntimeError):
            check_help(asking(), sort)

    def test_is_refused_by_the_kind_of_the_game_with_the_time_from_which_it_is_open(self, sort):
        game = a_game("silent")
        with (
            kinds.registered(Silent(**{sort: False}, opens_at=SETTLES)) as kind,
            registered_guard(Guard()) as guard,
            pytest.raises(HelpRefused) as caught,
        ):
            check_help(asking(game=game), sort)

        assert kind.asked == [game]
        assert guard.asked == []
        assert caught.value.opens_at == SETTLES

    def test_is_open_when_the_kind_refuses_only_other_sorts(self, sort):
        others = {other: False for other in SORTS if other != sort}
        with kinds.registered(Silent(**others)):
            check_help(asking(game=a_game("silent")), sort)

    def test_is_refused_by_a_guard_though_the_kind_allows_it(self, sort):
        with registered_guard(Guard(HelpRefused())), pytest.raises(HelpRefused):
            check_help(asking(game=a_game("practice")), sort)


class TestTheList:
    def test_counts_a_guard_that_comes_twice_once(self):
        guard = Guard()
        with registered_guard(guard):
            register_guard(guard)
            check_help(asking(), "hint")

        assert len(guard.asked) == 1
        check_help(asking(), "hint")
        assert len(guard.asked) == 1

    def test_keeps_a_guard_that_was_there_before(self):
        guard = Guard()
        with registered_guard(guard):
            with registered_guard(guard):
                pass
            check_help(asking(), "hint")

        assert len(guard.asked) == 1

    def test_forgets_a_made_up_guard_after_its_test(self):
        guard = Guard(HelpRefused())
        with pytest.raises(HelpRefused), registered_guard(guard):
            check_help(asking(), "hint")

        check_help(asking(), "hint")

    def test_takes_methods_which_are_other_objects_each_time(self):
        class Boards:
            asked = 0

            def guard(self, request):
                self.asked += 1

        boards = Boards()
        with registered_guard(boards.guard):
            register_guard(boards.guard)
            check_help(asking(), "hint")

        assert boards.asked == 1


class TestARefusal:
    def test_says_when_help_opens_or_that_nobody_knows(self):
        assert HelpRefused(opens_at=SETTLES).detail == {"opens_at": SETTLES.isoformat()}
        assert HelpRefused().detail == {"opens_at": None}
        assert HelpRefused().message != HelpRefused(opens_at=SETTLES).message

    def test_may_say_why(self):
        assert HelpRefused("This is today’s board.").message == "This is today’s board."
