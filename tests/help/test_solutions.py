"""Solutions of games, with par, and what is known of any deal."""

from __future__ import annotations

import pytest

from bakers import answers
from bakers.models import Answer, Game, Search
from bakers.rules.deals import deal
from bakers.rules.variants import VARIANTS
from bakers.solver import decide, rate
from tests.help.games import hard_layout, lost_deal, lost_game
from tests.worker import run_worker

pytestmark = pytest.mark.django_db


def solution(api, state, status=200, **body):
    body.setdefault("version", state["version"])
    response = api.post(f"games/{state['id']}/solution", body)
    assert response.status_code == status, response.content
    return response.json()


def solve(api, status=200, **body):
    body.setdefault("variant", "bakers-dozen")
    response = api.post("solve", body)
    assert response.status_code == status, response.content
    return response.json()


def wins(variant, number, line):
    position = deal(VARIANTS[variant], number)
    position.play_line(line)
    return position.is_won()


class TestOfAGame:
    @pytest.mark.parametrize("variant", VARIANTS)
    def test_it_wins_from_the_deal_and_from_any_ply(self, api, variant):
        state = api.play(api.start(variant), *solution(api, api.start(variant))["line"][:7])

        for ply in (0, 3, 7):
            found = solution(api, state, ply=ply)
            assert (found["outcome"], found["ply"], found["moves"]) == ("won", ply, len(found["line"]))
            assert wins(variant, 2, [*state["line"][:ply], *found["line"]])

    def test_it_is_short(self, api):
        """Never the playing search's detours, which make up half of its column moves."""
        lengths = [solution(api, api.start(deal=str(number)))["moves"] for number in range(2, 12)]
        first_found = [
            len(decide(deal(VARIANTS["bakers-dozen"], number)).line or []) for number in range(2, 12)
        ]

        assert sum(lengths) - 52 * 10 < (sum(first_found) - 52 * 10) * 0.6

    def test_it_marks_a_running_game_and_no_ended_one(self, api):
        running, ended = api.start(), api.resign(api.start()).json()

        assert solution(api, running)["helped"] is True
        assert solution(api, ended)["helped"] is False
        assert Game.objects.get(pk=ended["id"]).helped is False

    def test_a_ply_that_is_none_is_refused(self, api):
        state = api.play(api.start(), "96")

        error = solution(api, state, 422, ply=2)["error"]

        del state["replayed"]
        assert error["code"] == "bad_ply"
        assert error["detail"]["game"] == state
        assert Game.objects.get().helped is False

    def test_it_is_for_one_version(self, api):
        state = api.play(api.start(), "96")

        assert solution(api, state, 409, version=0)["error"]["code"] == "stale_version"

    def test_a_lost_position_has_none(self, api):
        lost = lost_game("bakers-dozen")
        state = api.play(api.start(deal=str(lost.number)), *lost.line)

        found = solution(api, state, ply=len(lost.line))

        assert (found["outcome"], found["line"], found["moves"]) == ("lost", None, None)
        assert found["reason"]
        assert solution(api, state)["outcome"] == "won"

    @pytest.mark.django_db(transaction=True)
    def test_par_comes_from_the_background(self, api, winning_lines):
        state = api.play(api.start(), *winning_lines["bakers-dozen"])
        assert state["par"] is None

        first = solution(api, state)
        assert (first["par"], first["pending"]) == (None, True)
        run_worker()
        found = solution(api, state)

        par = found["par"]
        assert 52 <= par["lower_bound"] <= par["moves"] <= first["moves"]
        assert par["proven"] is (par["lower_bound"] == par["moves"])
        assert found["moves"] == par["moves"] == len(found["line"])
        assert wins("bakers-dozen", 2, found["line"])
        assert found["pending"] is False
        assert api.state(state)["par"] == {"moves": par["moves"], "proven": par["proven"]}

    @pytest.mark.django_db(transaction=True)
    def test_par_of_three_deals_at_once(self, api):
        """A worker ends each, however many wait."""
        for number in (2, 3, 4):
            assert solve(api, deal=str(number), par=True)["pending"] is True
        run_worker()
        # What had to wait for room is queued for later.
        while Search.objects.exists():
            for row in Search.objects.all():
                answers.search_on(row.pk)

        for number in (2, 3, 4):
            found = solve(api, deal=str(number), par=True)
            assert (found["pending"], found["par"]["moves"]) == (False, found["moves"])

    @pytest.mark.django_db(transaction=True)
    def test_par_is_shown_of_ended_games_only(self, api, winning_lines):
        state = api.start()
        solution(api, state)
        run_worker()

        assert solution(api, state)["par"] is not None
        assert api.state(state)["par"] is None


class TestWhereNoShortLineIsFoundAtOnce:
    """The winding one of the first search is followed by hints, and shown to nobody."""

    pytestmark = pytest.mark.django_db(transaction=True)

    @pytest.fixture(autouse=True)
    def no_short_line(self, monkeypatch):
        monkeypatch.setattr(answers, "short_line", lambda _position, **_limits: None)

    @pytest.mark.parametrize("more", [{}, {"par": True}])
    def test_of_a_deal_it_is_waited_for(self, api, more):
        first = solve(api, deal="2", **more)
        assert (first["outcome"], first["pending"], first["line"], first["moves"]) == (
            "won",
            True,
            None,
            None,
        )
        assert first["move"] in api.start()["legal"]
        winding = Answer.objects.get().moves

        run_worker()

        found = solve(api, deal="2", **more)
        assert winding is not None
        assert found["moves"] == len(found["line"]) < winding
        assert wins("bakers-dozen", 2, found["line"])

    def test_of_a_game_it_is_waited_for(self, api):
        state = api.play(api.start(), "96")
        first = solution(api, state, ply=1)
        assert (first["outcome"], first["pending"], first["line"]) == ("won", True, None)
        assert api.post(f"games/{state['id']}/hint", {"version": 1}).json()["move"]

        run_worker()

        assert wins("bakers-dozen", 2, ["96", *solution(api, state, ply=1)["line"]])

    def test_a_post_mortem_goes_without(self, api):
        state = api.resign(api.play(api.start(), "96")).json()

        found = api.post(f"games/{state['id']}/postmortem", {"version": state["version"]}).json()

        assert (found["last_won_ply"], found["line"]) == (1, [])


class TestOfADeal:
    @pytest.mark.parametrize("variant", VARIANTS)
    def test_a_deal(self, api, variant):
        found = solve(api, variant=variant, deal="2", line_of_covered=True)

        assert (found["variant"], found["deal"], found["outcome"]) == (variant, "2", "won")
        assert found["moves"] == len(found["line"])
        assert wins(variant, 2, found["line"])
        assert found["expanded"] > 0
        assert not Game.objects.exists()

    def test_a_deal_that_is_lost(self, api):
        found = solve(api, variant="good-measure", deal=lost_deal("good-measure"))

        assert (found["outcome"], found["line"], found["moves"]) == ("lost", None, None)
        assert found["reason"]

    def test_a_layout_and_its_kings(self, api):
        state = api.start()
        layout = "\n".join(" ".join(column) for column in state["columns"])

        assert solve(api, layout=layout)["outcome"] == "won"
        assert solve(api, layout="PySolFC 2", sink_kings=True)["outcome"] == "won"

    def test_a_position_after_moves(self, api):
        lost = lost_game("bakers-dozen")

        before = solve(api, deal=str(lost.number), line=list(lost.line[: lost.losing_ply - 1]))
        after = solve(api, deal=str(lost.number), line=list(lost.line[: lost.losing_ply]))

        assert (before["outcome"], after["outcome"]) == ("won", "lost")

    def test_a_move_that_is_illegal_is_named(self, api):
        error = solve(api, 422, deal="2", line=["96", "3d", "1h"])["error"]

        assert error["code"] == "illegal_move"
        assert (error["detail"]["index"], error["detail"]["move"]) == (2, "1h")

    def test_a_position_that_is_won(self, api, winning_lines):
        found = solve(api, deal="2", line=winning_lines["bakers-dozen"])

        assert (found["outcome"], found["line"], found["moves"]) == ("won", [], 0)

    @pytest.mark.parametrize("body", [{}, {"deal": "2", "layout": "PySolFC 2"}])
    def test_it_takes_a_deal_or_a_layout(self, api, body):
        assert solve(api, 400, **body)["error"]["code"] == "invalid"

    def test_the_budget_is_kept_and_said(self, api):
        found = solve(api, layout=hard_layout(), budget=500)

        assert (found["outcome"], found["pending"], found["line"]) == ("unknown", False, None)
        assert 0 < found["expanded"] <= 500
        assert found["reason"] == "The search was not finished within its budget."

    @pytest.mark.django_db(transaction=True)
    def test_a_deeper_search_goes_on_in_the_background(self, api):
        layout = hard_layout()

        assert solve(api, layout=layout, deeper=True)["pending"] is True
        assert solve(api, layout=layout)["pending"] is True
        run_worker()

        found = solve(api, layout=layout)
        assert found["outcome"] in {"won", "lost"}
        assert found["pending"] is False

    @pytest.mark.django_db(transaction=True)
    def test_par_on_request(self, api):
        assert solve(api, deal="2")["pending"] is False
        assert not Search.objects.exists()

        assert solve(api, deal="2", par=True)["pending"] is True
        run_worker()

        found = solve(api, deal="2", par=True)
        assert found["par"]["moves"] == found["moves"]
        assert solve(api, deal="2")["par"] == found["par"]

    def test_where_cards_are_covered_a_line_is_given_on_request(self, api):
        found = solve(api, variant="original-1883", deal="2")
        assert (found["line"], found["start"]) == (None, None)
        assert found["move"] in api.start("original-1883")["legal"]
        assert solve(api, variant="original-1883", deal="2", line_of_covered=True)["line"]

    def test_a_rating_on_request(self, api):
        assert solve(api, deal="2")["rating"] is None

        found = solve(api, deal="2", rating=True)["rating"]

        expected = rate(deal(VARIANTS["bakers-dozen"], 2))
        assert expected is not None
        assert found == {"level": expected.level, "name": expected.name}
        assert solve(api, deal="2")["rating"] == found
        assert api.browser.get("/deal/bakers-dozen/2").context["deal"]["rating"] == found

    def test_what_is_lost_or_was_played_has_no_rating(self, api):
        number = lost_deal("good-measure")

        assert solve(api, variant="good-measure", deal=number, rating=True)["rating"] is None
        assert solve(api, deal="2", line=["96"], rating=True)["rating"] is None


class TestDealPage:
    def test_it_shows_what_is_known(self, api):
        response = api.browser.get("/deal/bakers-dozen/2")

        assert response.status_code == 200
        assert response["X-Robots-Tag"] == "noindex"
        assert response.context["deal"]["outcome"] == "won"
        assert Answer.objects.get().outcome == "won"

    def test_a_covered_deal_shows_backs(self, api):
        columns = api.browser.get("/deal/original-1883/2").context["deal"]["columns"]

        assert columns == api.start("original-1883")["columns"]
        assert any("##" in column for column in columns)

    @pytest.mark.parametrize("path", ["/deal/klondike/2", "/deal/bakers-dozen/0", "/deal/bakers-dozen/x"])
    def test_what_is_no_deal_is_not_found(self, api, path):
        assert api.browser.get(path).status_code == 404

    def test_it_searches_little(self, api, monkeypatch):
        budgets = []
        decide = answers.decide

        def note(position, budget, **options):
            budgets.append(budget)
            return decide(position, budget, **options)

        monkeypatch.setattr(answers, "decide", note)
        for _ in range(2):
            api.browser.get("/deal/bakers-dozen/2")

        assert budgets == [3_000]


class TestWinnableDeals:
    @pytest.mark.parametrize("variant", VARIANTS)
    def test_they_are_proved(self, api, variant):
        state = api.get(f"deals/{variant}?winnable=1").json()

        assert state["winnable"]["shuffles"] >= 1
        assert state["winnable"]["expanded"] > 0
        assert solve(api, variant=variant, deal=state["deal"])["outcome"] == "won"
        assert not Game.objects.exists()

    def test_those_that_are_lost_are_passed_over(self, api, monkeypatch):
        numbers = iter([lost_deal("good-measure"), lost_deal("good-measure"), 2])
        monkeypatch.setattr("bakers.games.random_deal_number", lambda **_: next(numbers))

        state = api.get("deals/good-measure?winnable=1").json()

        assert (state["deal"], state["winnable"]["shuffles"]) == ("2", 3)

    def test_others_say_nothing(self, api):
        for query in ("", "?winnable=0", "?winnable=false", "?utm=1"):
            assert "winnable" not in api.get(f"deals/bakers-dozen{query}").json()

    def test_what_is_neither_yes_nor_no_is_refused(self, api):
        assert api.get("deals/bakers-dozen?winnable=maybe").status_code == 400

    def test_a_game_of_one(self, api):
        body = {"variant": "good-measure", "kind": "casual", "winnable": True, "request_id": "start-0001"}

        state = api.post("games", body).json()

        assert solve(api, variant="good-measure", deal=state["deal"])["outcome"] == "won"
        again = api.post("games", body)
        assert (again.status_code, again.json()["id"]) == (200, state["id"])
        other = api.post("games", {**body, "winnable": False})
        assert other.status_code == 422
