"""The verdict lamp: whether a game can still be won, asked after each move."""

from __future__ import annotations

import pytest
from django_tasks_db.models import DBTaskResult

from bakers import answers
from bakers.answers import Next
from bakers.models import Answer, Game, Search
from bakers.rules.deals import deal
from bakers.rules.positions import Position
from bakers.rules.variants import VARIANTS
from tests.help.games import hard_layout, lost_game
from tests.worker import run_worker

pytestmark = pytest.mark.django_db

#: Deals of Good Measure that the first piece of work doesn't decide.
OPEN_AT_FIRST = (36, 51)


def verdict(api, state, **query):
    query.setdefault("version", state["version"])
    return api.get(
        f"games/{state['id']}/verdict?" + "&".join(f"{name}={value}" for name, value in query.items())
    )


@pytest.mark.parametrize("variant", VARIANTS)
def test_it_turns_with_the_losing_move_and_back_when_that_is_undone(api, variant):
    lost = lost_game(variant)
    state = api.play(api.start(variant, deal=str(lost.number)), *lost.line[: lost.losing_ply - 1])
    before = verdict(api, state).json()
    state = api.play(state, lost.line[lost.losing_ply - 1])
    after = verdict(api, state).json()
    state = api.play(state, at=lost.losing_ply - 1)
    undone = verdict(api, state).json()

    assert [answer["outcome"] for answer in (before, after, undone)] == ["won", "lost", "won"]
    assert [answer["version"] for answer in (before, after, undone)] == [1, 2, 3]
    assert not any(answer["pending"] for answer in (before, after, undone))
    assert after["reason"]


def test_it_tells_no_move_and_so_does_not_mark_the_game(api):
    state = api.play(api.start(), "96")

    answer = verdict(api, state).json()

    assert set(answer) == {"version", "outcome", "pending", "retry_ms", "reason"}
    del state["replayed"]
    assert api.state(state) == state


@pytest.mark.parametrize("version", [0, 2, 10])
def test_it_is_for_one_version(api, version):
    state = api.play(api.start(), "96")

    response = verdict(api, state, version=version)

    del state["replayed"]
    assert response.status_code == 409
    assert response.json()["error"]["detail"]["game"] == state
    assert not Answer.objects.exists()


@pytest.mark.parametrize(
    "query", ["", "?version=", "?version=x", "?version=-1", "?version=1.5", "?version=2147483648"]
)
def test_a_version_that_is_none_is_refused(api, query):
    state = api.play(api.start(), "96")

    response = api.get(f"games/{state['id']}/verdict{query}")

    assert response.status_code == 400
    assert list(response.json()["error"]["detail"]["fields"]) == ["version"]


def test_answers_serve_every_game(api, new_api, monkeypatch):
    first = verdict(api, api.play(api.start(), "96")).json()
    monkeypatch.setattr(answers, "decide", None)
    other = new_api()

    assert verdict(other, other.play(other.start(), "96")).json() == first


def test_answers_serve_every_order_of_columns(api, monkeypatch):
    layout = "\n".join(" ".join(column) for column in api.start()["columns"])
    first = api.post("solve", {"variant": "bakers-dozen", "layout": layout}).json()
    monkeypatch.setattr(answers, "decide", None)
    turned = "\n".join(reversed(layout.splitlines()))

    again = api.post("solve", {"variant": "bakers-dozen", "layout": turned}).json()

    assert again["outcome"] == first["outcome"] == "won"
    assert len(again["line"]) == len(first["line"])
    game = api.start(kind="practice", layout=turned)
    assert api.play(game, *again["line"])["status"] == "won"


@pytest.mark.parametrize("batch", [1, 3])
def test_a_line_that_is_known_is_followed_not_searched_again(api, monkeypatch, batch):
    state = api.start()
    line = api.post(f"games/{state['id']}/solution", {"version": 0}).json()["line"]
    monkeypatch.setattr(answers, "decide", None)

    for at in range(0, 12, batch):
        state = api.play(state, *line[at : at + batch])
        assert verdict(api, state).json()["outcome"] == "won"


@pytest.mark.parametrize("batch", [1, 3])
def test_once_lost_always_lost(api, monkeypatch, batch):
    lost = lost_game("good-measure", more=6)
    state = api.play(api.start("good-measure", deal=str(lost.number)), *lost.line[: lost.losing_ply])
    assert verdict(api, state).json()["outcome"] == "lost"
    monkeypatch.setattr(answers, "decide", None)

    assert len(lost.line) == lost.losing_ply + 6
    for at in range(lost.losing_ply, len(lost.line), batch):
        state = api.play(state, *lost.line[at : at + batch])
        assert verdict(api, state).json()["outcome"] == "lost"


class TestDeepSearch:
    """What a request doesn't decide, a background task does, if somebody still waits for it."""

    pytestmark = pytest.mark.django_db(transaction=True)

    @pytest.fixture
    def hard(self, api):
        return api.start(kind="practice", layout=hard_layout())

    def test_it_is_pending_and_then_decided(self, api, hard):
        first = verdict(api, hard).json()
        again = verdict(api, hard).json()
        assert first == again
        assert (first["outcome"], first["pending"], first["retry_ms"]) == ("unknown", True, 500)
        assert Search.objects.count() == 1

        run_worker()

        decided = verdict(api, hard).json()
        assert decided["outcome"] in {"won", "lost"}
        assert (decided["pending"], decided["retry_ms"]) == (False, None)
        assert not Search.objects.exists()

    def test_it_is_given_up_when_the_game_moves_on(self, api, hard):
        verdict(api, hard)
        api.play(hard, hard["legal"][0])

        run_worker()

        assert not Search.objects.exists()
        row = Answer.objects.get()
        assert (row.outcome, row.expanded <= 20_000) == ("unknown", True)

    def test_it_is_given_up_in_the_middle(self, api, hard, monkeypatch):
        verdict(api, hard)
        looks = []

        def move_on_at_the_third_look(row):
            looks.append(row.pk)
            if len(looks) == 3:
                Game.objects.update(version=7)
            return is_wanted(row)

        is_wanted = answers._is_wanted
        monkeypatch.setattr(answers, "_is_wanted", move_on_at_the_third_look)
        monkeypatch.setattr(answers, "ASK_SECONDS", 0.0)

        assert answers.search_on(Search.objects.get().pk) is Next.DONE

        # Once more before another round would have been queued.
        assert len(looks) == 4
        assert not Search.objects.exists()

    def test_it_is_given_up_when_the_game_ends(self, api, hard):
        verdict(api, hard)
        api.resign(hard)

        run_worker()

        assert Answer.objects.get().outcome == "unknown"

    def test_there_is_one_a_game(self, api, hard):
        verdict(api, hard)
        state = hard
        for move in hard["legal"][:3]:
            state = api.play(state, move, at=0)
            verdict(api, state)

        assert Search.objects.filter(game__isnull=False).count() == 1

    def test_it_goes_on_where_it_was(self, api, hard, monkeypatch):
        """The worker that searched before keeps the search; another begins anew."""
        verdict(api, hard)
        row = Search.objects.get()
        begun = []

        def begin(position):
            begun.append(position)
            return decision(position)

        decision = answers.Decision
        monkeypatch.setattr(answers, "Decision", begin)
        # Each round ends after its first piece of work.
        monkeypatch.setattr(answers, "_unwanted", lambda _row: lambda: True)
        assert answers.search_on(row.pk) is Next.ON
        assert answers.search_on(row.pk) is Next.ON
        assert len(begun) == 1

        answers._kept.clear()
        assert answers.search_on(row.pk) is Next.ON
        assert len(begun) == 2

    def test_searches_for_which_there_is_no_room_wait_and_end(self, api, hard, monkeypatch):
        """Each goes on from where it was; none is begun again and again while others are."""
        begun = []

        def begin(position):
            begun.append(position)
            return decision(position)

        decision = answers.Decision
        monkeypatch.setattr(answers, "Decision", begin)
        monkeypatch.setattr(answers, "KEPT_SEARCHES", 1)
        monkeypatch.setattr(answers, "_unwanted", lambda _row: lambda: True)
        first, second = (_order(number) for number in OPEN_AT_FIRST)
        assert answers.search_on(first) is Next.ON
        assert [answers.search_on(second) for _ in range(3)] == [Next.LATER] * 3
        assert len(begun) == 2
        assert Search.objects.get(pk=second).rounds == 1

        # The first isn't wanted any more, or its task was lost: its room is free.
        Search.objects.filter(pk=first).delete()
        assert answers.search_on(second) is Next.ON
        assert len(begun) == 3

    def test_it_ends_when_its_budget_is_spent(self, api, hard):
        verdict(api, hard)
        Search.objects.update(budget=25_000)

        run_worker()

        assert not Search.objects.exists()
        row = Answer.objects.get()
        assert (row.outcome, row.expanded) == ("unknown", 25_000)

    def test_a_worker_that_was_killed_is_not_waited_for(self, api, hard, frozen_clock):
        verdict(api, hard)
        assert _queued() == 1
        verdict(api, hard)
        assert _queued() == 1

        frozen_clock.advance(seconds=61)
        verdict(api, hard)

        assert _queued() == 2

    @pytest.mark.parametrize("hours", [1, -240])
    def test_nor_does_anything_else_wait_for_it(self, api, hard, frozen_clock, hours):
        """Nor when the clock was set back, after which the search seems to be of days to come."""
        body = {"variant": "bakers-dozen", "layout": hard_layout(), "deeper": True}
        assert api.post("solve", body).json()["pending"] is True
        api.post("solve", body)
        assert _queued() == 1

        frozen_clock.advance(hours=hours)
        assert api.post("solve", {**body, "deeper": False}).json()["pending"] is False
        assert api.post("solve", body).json()["pending"] is True

        assert _queued() == 2

    def test_it_ends_when_its_game_is_gone(self, api, hard):
        game = Game.objects.get()
        Game.objects.all().delete()

        position = Position.from_text(game.variant, game.position)
        assert answers.order_search(position, Search.Purpose.VERDICT, game=game) is None
        assert not Search.objects.exists()


def _order(number):
    search_id = answers.order_search(deal(VARIANTS["good-measure"], number), Search.Purpose.VERDICT)
    assert search_id is not None
    return search_id


def _queued():
    return DBTaskResult.objects.filter(task_path="bakers.tasks.search").count()


def test_one_search_at_a_time_the_rest_is_pending(api, monkeypatch):
    """A request doesn't wait in a row for the processor."""
    monkeypatch.setattr(answers, "TURN_SECONDS", 0.0)
    state = api.play(api.start(), "96")
    with answers._turn:
        busy = verdict(api, state).json()
    free = verdict(api, state).json()

    assert (busy["outcome"], busy["pending"], busy["retry_ms"]) == ("unknown", True, 500)
    assert (free["outcome"], free["pending"]) == ("won", False)
