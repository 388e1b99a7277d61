"""Kinds of game: what the registry promises to whoever plugs one in."""

from __future__ import annotations

import contextlib
import datetime
import sqlite3

import pytest
from django.contrib.sessions.models import Session
from django.db import connection, transaction

from bakers import kinds
from bakers.models import Game
from bakers.problems import Problem
from tests.conftest import ApiClient
from tests.database import counts, rows
from tests.parallel import at_once


class TooLate(Problem):
    """A refusal of a kind's own."""

    code = "too_late"
    status = 409


class Recorder(kinds.Kind):
    """A made-up kind that writes down what it is told, and fails when asked to."""

    slug = "recorded"
    shows_deal = False

    def __init__(self) -> None:
        self.told: list[tuple[str, str, int]] = []
        self.in_transaction: list[bool] = []
        self.fails: dict[str, Exception] = {}
        self.help = kinds.Help()

    def may_start(self, *, player, start):
        self.start = start
        self.player = player
        self._fail("may_start")

    def help_allowed(self, game):
        return self.help

    def on_first_move(self, game):
        self._hear("on_first_move", game)

    def on_finish(self, game):
        self._hear("on_finish", game)

    def _hear(self, name, game):
        self.told.append((name, game.status, len(game.line) // 2))
        self.in_transaction.append(connection.in_atomic_block)
        # Something of the kind's own, which must go when the game's change goes.
        Session.objects.create(
            session_key=f"{name}-{len(self.told)}", session_data="", expire_date=game.started_at
        )
        self._fail(name)

    def _fail(self, name):
        if name in self.fails:
            raise self.fails[name]


@pytest.fixture
def kind():
    with kinds.registered(Recorder()) as recorder:
        yield recorder


@pytest.fixture
def start(api, kind):
    return lambda **body: api.start(kind="recorded", **{"deal": "2", **body})


class TestTheRegistry:
    def test_knows_the_kinds_of_its_own_app(self):
        assert kinds.slugs()[:2] == ["casual", "practice"]
        assert isinstance(kinds.get("casual"), kinds.Casual)

    def test_takes_the_same_kind_twice_as_when_an_app_is_loaded_again(self):
        kinds.register(kinds.Casual())

        assert kinds.slugs().count("casual") == 1

    def test_refuses_two_kinds_of_one_name(self):
        with pytest.raises(ValueError, match="casual"):
            kinds.register(type("Other", (kinds.Kind,), {"slug": "casual"})())

        assert isinstance(kinds.get("casual"), kinds.Casual)

    def test_forgets_a_made_up_kind_after_its_test(self):
        with kinds.registered(Recorder()):
            assert "recorded" in kinds.slugs()
        assert "recorded" not in kinds.slugs()

        with pytest.raises(RuntimeError), kinds.registered(type("Other", (kinds.Casual,), {})()):
            raise RuntimeError
        assert type(kinds.get("casual")) is kinds.Casual


class TestStarting:
    def test_asks_the_kind_with_what_was_asked_for(self, kind, start):
        start(deal="477")

        assert kind.start == kinds.Start(variant="bakers-dozen", deal_number=477)
        assert kind.player.guest is not None
        assert kind.told == []

    def test_is_refused_when_the_kind_refuses_and_leaves_nothing(self, api, kind):
        kind.fails["may_start"] = TooLate("The board has closed.", detail={"closed_at": "now"})
        body = {"variant": "bakers-dozen", "kind": "recorded", "deal": "2"}
        token = api.token

        response = api.send(
            "post", "games", str(body).replace("'", '"').encode(), headers={"X-CSRFToken": token}
        )

        assert response.status_code == 409
        assert response.json()["error"] == {
            "code": "too_late", "message": "The board has closed.", "detail": {"closed_at": "now"},
        }  # fmt: skip
        assert counts() == {}
        assert not response.cookies

    def test_is_undone_by_a_fault_of_the_kind(self, api, kind):
        kind.fails["may_start"] = RuntimeError("fault")
        api.browser.raise_request_exception = False

        response = api.post("games", {"variant": "bakers-dozen", "kind": "recorded"})

        assert response.status_code == 500
        assert counts() == {}

    def test_repeats_are_answered_without_asking_again(self, api, kind):
        api.start()
        body = {"variant": "bakers-dozen", "kind": "recorded", "deal": "2", "request_id": "start-0001"}
        first = api.post("games", body)
        kind.fails["may_start"] = TooLate("The board has closed.")

        again = api.post("games", body)

        assert (first.status_code, again.status_code) == (201, 200)


class TestTheFirstMove:
    def test_is_told_once_however_the_game_goes_on(self, api, kind, start):
        state = api.play(start(), "96")
        state = api.play(state, at=0)
        state = api.play(state, "31", "8a")
        api.play(state, "62")

        assert kind.told == [("on_first_move", "open", 1)]
        assert kind.in_transaction == [True]

    def test_is_told_once_when_its_request_is_repeated(self, api, kind, start):
        state = start()
        for _ in range(3):
            assert api.moves(state, "96", request_id="batch-0001").status_code == 200

        assert len(kind.told) == 1

    @pytest.mark.parametrize(("moves", "at"), [([], 0), (["1h"], 0), (["96", "1h"], 0), (["96"], 1)])
    def test_is_not_told_of_a_batch_that_plays_nothing(self, api, kind, start, moves, at):
        api.moves(start(), *moves, at=at)

        assert kind.told == []

    def test_is_told_before_the_end_when_one_batch_is_both(self, api, kind, start, winning_lines):
        line = winning_lines["bakers-dozen"]
        api.play(start(), *line)

        assert [name for name, _, _ in kind.told] == ["on_first_move", "on_finish"]
        assert kind.told[1] == ("on_finish", "won", len(line))

    @pytest.mark.parametrize("failure", [TooLate("The board has closed."), RuntimeError("fault")])
    def test_is_undone_entirely_by_a_handler_that_raises(self, api, kind, start, failure):
        state = start()
        before = rows()
        kind.fails["on_first_move"] = failure
        api.browser.raise_request_exception = False

        response = api.moves(state, "96", request_id="batch-0001")

        assert response.status_code == (409 if isinstance(failure, TooLate) else 500)
        assert rows() == before

        kind.fails.clear()
        assert api.play(state, "96", request_id="batch-0001")["replayed"] is False
        assert [name for name, _, _ in kind.told] == ["on_first_move", "on_first_move"]


class TestTheEnd:
    @pytest.fixture
    def nearly_won(self, api, start, winning_lines):
        """A game, and the move that wins it."""
        *line, last = winning_lines["bakers-dozen"]
        return api.play(start(), *line), last

    def test_is_told_once_when_a_game_is_won(self, api, kind, start, winning_lines):
        *line, last = winning_lines["bakers-dozen"]
        state = api.play(start(), *line)
        for _ in range(2):
            api.moves(state, last, request_id="batch-0001")

        assert kind.told[1:] == [("on_finish", "won", len(line) + 1)]
        assert kind.in_transaction == [True, True]

    def test_is_told_once_when_a_game_is_given_up(self, api, kind, start):
        state = api.play(start(), "96")
        for _ in range(2):
            api.resign(state, request_id="resign-001")
        api.resign(state)

        assert kind.told[1:] == [("on_finish", "lost", 1)]
        assert kind.in_transaction == [True, True]

    def test_is_told_of_a_game_without_a_move_too(self, api, kind, start):
        api.resign(start())

        assert kind.told == [("on_finish", "lost", 0)]

    def test_is_told_with_when_it_was(self, api, kind, start, frozen_clock):
        times = []
        kind._fail = lambda name: None
        kind._hear = lambda name, game: times.append((name, game.first_move_at, game.finished_at))
        state = api.play(start(), "96")
        first = frozen_clock.now()
        frozen_clock.advance(minutes=1)
        api.resign(state)

        assert times == [("on_first_move", first, None), ("on_finish", first, frozen_clock.now())]

    @pytest.mark.parametrize("failure", [TooLate("The board has settled."), RuntimeError("fault")])
    @pytest.mark.parametrize("end", ["won", "lost"])
    def test_is_undone_entirely_by_a_handler_that_raises(self, api, kind, nearly_won, failure, end):
        state, last = nearly_won
        before = rows()
        kind.fails["on_finish"] = failure
        api.browser.raise_request_exception = False

        response = api.moves(state, last) if end == "won" else api.resign(state)

        assert response.status_code == (409 if isinstance(failure, TooLate) else 500)
        assert rows() == before
        assert api.state(state)["status"] == "open"

        kind.fails.clear()
        response = api.moves(state, last) if end == "won" else api.resign(state)
        assert response.json()["status"] == end


@pytest.mark.django_db(transaction=True)
def test_a_handler_is_called_with_the_games_row_locked():
    """Another connection that asks for it and won't wait goes away without."""
    refused: list[bool] = []

    class Asking(kinds.Casual):
        def on_first_move(self, game):
            def is_refused():
                if connection.vendor == "sqlite":
                    path = connection.get_connection_params()["database"]
                    with contextlib.closing(sqlite3.connect(path, timeout=0)) as other:
                        try:
                            other.execute("BEGIN IMMEDIATE")
                        except sqlite3.OperationalError:
                            return True
                    return False
                with transaction.atomic():
                    locked = Game.objects.select_for_update(skip_locked=True).filter(pk=game.pk)
                    return not locked.exists()

            refused.extend(at_once([is_refused]))

    api = ApiClient()
    state = api.start()
    with kinds.registered(Asking()):
        api.play(state, "96")

    assert refused == [True]


class TestWhatAKindDecides:
    def test_help_is_shown_with_every_state(self, api, kind, start):
        opens = datetime.datetime(2026, 3, 1, 2, tzinfo=datetime.UTC)
        kind.help = kinds.Help(hint=False, verdict=False, solution=False, opens_at=opens)

        state = start()

        assert state["help"] == {
            "hint": False, "verdict": False, "solution": False, "opens_at": opens.isoformat(),
        }  # fmt: skip
        assert api.state(state)["help"] == state["help"]

    def test_a_deal_number_may_be_hidden_until_the_end(self, api, kind, start):
        # So long that no id and no time can hold its digits by chance.
        number = "98765432109876543210"
        state = start(deal=number)
        played = api.play(state, state["legal"][0])
        [listed] = api.get("games").json()["games"]
        pages = [api.browser.get(path) for path in (f"/game/{state['id']}", "/play/bakers-dozen/2")]

        assert state["deal"] is played["deal"] is listed["deal"] is None
        assert (pages[1].context["resume"]["id"], pages[1].context["resume"]["deal"]) == (state["id"], None)
        assert all(number.encode() not in page.content for page in pages)

        lost = api.resign(played).json()
        [listed] = api.get("games").json()["games"]
        assert lost["deal"] == listed["deal"] == number
