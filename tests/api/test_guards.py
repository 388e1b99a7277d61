"""A guarded deal gets no help, whatever is asked of it, however its cards are laid out, and whoever asks.

The deal is number 33 of Baker's Dozen. Every endpoint of the site stands in one of the tables here: those that help are
asked for it in every disguise, and the others must look nothing up.
"""

from __future__ import annotations

import datetime
import functools
import itertools
import json
import random
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any

import pytest
from django.db import connection

from bakers import answers, games, kinds
from bakers.answers import Known
from bakers.help import Lost
from bakers.kinds import HelpRequest
from bakers.models import Answer, Game
from bakers.players import Player
from bakers.problems import HelpRefused
from bakers.resemblance import MIN_PAIRS, pairs, resembles
from bakers.rules.cards import KING, rank_of, suit_of
from bakers.rules.deals import deal
from bakers.rules.layouts import layout_text
from bakers.rules.moves import HOME, MOVES
from bakers.rules.positions import Position
from bakers.rules.variants import VARIANTS
from bakers.solver import Outcome, Reason, decide
from config import clock
from tests.conftest import ApiClient
from tests.database import rows
from tests.endpoints import account_pages, endpoints, entrance

NUMBER = 33
DEALT = deal(VARIANTS["bakers-dozen"], NUMBER)
KEY = games.deal_key(DEALT.columns)
OPENS = datetime.datetime(2026, 3, 2, 2, tzinfo=datetime.UTC)


# Guards


def by_key(request: HelpRequest) -> None:
    """Refuse the deal however its columns and kings lie."""
    if request.deal_key == KEY:
        raise HelpRefused(opens_at=OPENS)


def by_position(request: HelpRequest) -> None:
    """Refuse what comes from the deal."""
    if resembles(request.position.columns, DEALT.columns):
        raise HelpRefused(opens_at=OPENS)


# Disguises


@dataclass(frozen=True)
class Disguise:
    """A way to the deal: a deal number or a layout, and moves from there."""

    variant: str
    body: dict[str, Any]
    line: tuple[str, ...] = ()
    #: Whether the deal's key tells; the position always does.
    same_key: bool = True

    def start(self, api: ApiClient) -> dict[str, Any]:
        """Start a game of it, play to where help is wanted, and return the game's state."""
        state = api.start(self.variant, kind="casual" if "deal" in self.body else "practice", **self.body)
        return api.play(state, *self.line) if self.line else state


def some_moves(position: Position, count: int) -> tuple[str, ...]:
    """Play moves on a position, and return them."""
    chosen = random.Random(NUMBER)
    played = []
    for _ in range(count):
        move = chosen.choice(list(position.legal_moves))
        position.push(move)
        played.append(move.text)
    return tuple(played)


def disguises() -> dict[str, Disguise]:
    """Return every way to the deal that a test knows."""
    chosen = random.Random(NUMBER)
    columns = [list(column) for column in DEALT.columns]
    shuffled = chosen.sample(columns, len(columns))
    swapped = [
        sorted((card for card in column if rank_of(card) == KING), reverse=True)
        + [card for card in column if rank_of(card) != KING]
        for column in shuffled
    ]
    raised = [
        [card for card in column if rank_of(card) != KING]
        + [card for card in column if rank_of(card) == KING]
        for column in columns
    ]
    moved = DEALT.copy()
    line = some_moves(moved, 6)
    suits = (3, 0, 1, 2)
    renamed = [[card - suit_of(card) + suits[suit_of(card)] for card in column] for column in columns]
    piled = [[*columns[index], *(columns[10 + index] if index < 3 else ())] for index in range(10)]
    home = DEALT.copy()
    solution = decide(DEALT, 20_000).line
    assert solution is not None
    for move in itertools.takewhile(lambda _: home.cards_home() < 6, solution):
        home.push(move)
    assert columns != swapped
    assert raised != columns

    found = {
        "its number": Disguise("bakers-dozen", {"deal": str(NUMBER)}),
        "its layout": Disguise("bakers-dozen", {"layout": layout_text(columns)}),
        "columns in another order": Disguise("bakers-dozen", {"layout": layout_text(shuffled)}),
        "kings in another order": Disguise("bakers-dozen", {"layout": layout_text(swapped)}),
        "kings higher up": Disguise("bakers-dozen", {"layout": layout_text(raised)}),
        "kings higher up, to be sunk": Disguise(
            "bakers-dozen", {"layout": layout_text(raised), "sink_kings": True}
        ),
        "moves from its number": Disguise("bakers-dozen", {"deal": str(NUMBER)}, line),
        "moves from its layout": Disguise("bakers-dozen", {"layout": layout_text(columns)}, line),
        "the layout after some moves": Disguise(
            "bakers-dozen", {"layout": layout_text(moved.columns, moved.foundations)}, same_key=False
        ),
        "the layout with cards home": Disguise(
            "bakers-dozen", {"layout": layout_text(home.columns, home.foundations)}, same_key=False
        ),
        "suits by other names": Disguise("bakers-dozen", {"layout": layout_text(renamed)}, same_key=False),
        "ten columns": Disguise("good-measure", {"layout": layout_text(piled)}, same_key=False),
    }
    for variant in ("original-1883", "spanish-patience", "portuguese-solitaire"):
        position = deal(VARIANTS[variant], NUMBER)
        found[f"{variant} by number"] = Disguise(variant, {"deal": str(NUMBER)})
        found[f"{variant} by layout"] = Disguise(variant, {"layout": layout_text(shuffled)})
        found[f"{variant} after some moves"] = Disguise(
            variant, {"deal": str(NUMBER)}, some_moves(position, 6)
        )
    return found


DISGUISES = disguises()


@pytest.fixture(params=DISGUISES)
def disguise(request):
    """Each way to the deal."""
    return DISGUISES[request.param]


# What can be asked

#: How each endpoint that helps is asked for all the help it has; of a game given as its state.
GAME_HELP: dict[str, Callable[[ApiClient, dict[str, Any]], Any]] = {
    "POST /api/games/<uuid:game_id>/hint": lambda api, state: api.post(
        f"games/{state['id']}/hint", {"version": state["version"], "deeper": True}
    ),
    "GET /api/games/<uuid:game_id>/verdict": lambda api, state: api.get(
        f"games/{state['id']}/verdict?version={state['version']}"
    ),
    "POST /api/games/<uuid:game_id>/postmortem": lambda api, state: api.post(
        f"games/{state['id']}/postmortem", {"version": state["version"], "deeper": True}
    ),
    "POST /api/games/<uuid:game_id>/solution": lambda api, state: api.post(
        f"games/{state['id']}/solution", {"version": state["version"], "deeper": True}
    ),
}
#: What each of them is to a game's kind.
SORTS = dict(zip(GAME_HELP, ("hint", "verdict", "solution", "solution"), strict=True))
DEAL_HELP = {"POST /api/solve", "GET /deal/<str:variant>/<str:number>"}

#: The others, asked as they are when all is well, about the deal or about a game of it.
NO_HELP: dict[str, Callable[[ApiClient, dict[str, Any]], Any]] = {
    "GET /": lambda api, state: api.browser.get("/"),
    "GET /play/<str:variant>": lambda api, state: api.browser.get(f"/play/{state['variant']}"),
    "GET /play/<str:variant>/<str:number>": lambda api, state: api.browser.get(
        f"/play/{state['variant']}/{NUMBER}"
    ),
    "GET /game/<uuid:game_id>": lambda api, state: api.browser.get(f"/game/{state['id']}"),
    "GET /daily/<str:variant>": lambda api, state: api.browser.get(f"/daily/{state['variant']}"),
    "GET /daily/<str:variant>/<str:date>": lambda api, state: api.browser.get(
        f"/daily/{state['variant']}/{clock.now().date()}"
    ),
    "GET /api/daily/<str:variant>": lambda api, state: api.get(f"daily/{state['variant']}"),
    "GET /api/daily/<str:variant>/<str:date>": lambda api, state: api.get(
        f"daily/{state['variant']}/{clock.now().date()}"
    ),
    "GET /api/leaderboards/<str:contest>/<str:variant>": lambda api, state: api.get(
        f"leaderboards/daily/{state['variant']}"
    ),
    "GET /archive/<str:variant>": lambda api, state: api.browser.get(f"/archive/{state['variant']}"),
    "GET /archive/<str:variant>/<str:month>": lambda api, state: api.browser.get(
        f"/archive/{state['variant']}/2026-01"
    ),
    "GET /leaderboards/<str:contest>/<str:variant>": lambda api, state: api.browser.get(
        f"/leaderboards/daily/{state['variant']}"
    ),
    "GET /rules/<str:variant>": lambda api, state: api.browser.get(f"/rules/{state['variant']}"),
    "GET /questions": lambda api, state: api.browser.get("/questions"),
    "GET /healthz": lambda api, state: api.browser.get("/healthz"),
    "GET /healthz/ready": lambda api, state: api.browser.get("/healthz/ready"),
    "GET /api/deals/<str:variant>": lambda api, state: api.get(f"deals/{state['variant']}"),
    "GET /api/deals/<str:variant>/<str:number>": lambda api, state: api.get(
        f"deals/{state['variant']}/{NUMBER}"
    ),
    "POST /api/deals": lambda api, state: api.post(
        "deals", {"variant": "bakers-dozen", "layout": layout_text(DEALT.columns)}
    ),
    "GET /api/games": lambda api, state: api.get("games"),
    "POST /api/games": lambda api, state: api.post(
        "games", {"variant": state["variant"], "kind": "casual", "deal": str(NUMBER)}
    ),
    "GET /api/games/<uuid:game_id>": lambda api, state: api.get(f"games/{state['id']}"),
    "POST /api/games/<uuid:game_id>/moves": lambda api, state: api.moves(state, state["legal"][0]),
    "POST /api/games/<uuid:game_id>/resign": lambda api, state: api.resign(state),
}
#: What players see of their own games that have ended: no more of a deal than its par, and of a guarded one only in a
#: sum over those that they have won by themselves.
OWN_PLAY = {
    "GET /accounts/statistics/",
    "GET /accounts/history/",
    "GET /accounts/history/<uuid:game_id>",
    "GET /api/me/days/<str:variant>",
    "GET /api/me/stats",
}


def test_it_is_known_of_every_endpoint_whether_it_helps():
    """A new one belongs in one of the tables, and is then asked about the guarded deal like all others."""
    asked = {str(endpoint) for endpoint in endpoints() if endpoint not in {*entrance(), *account_pages()}}
    assert asked == {*GAME_HELP, *DEAL_HELP, *NO_HELP, *OWN_PLAY}


@contextmanager
def nothing_looked_up() -> Iterator[None]:
    """Fail if any stored answer or search is read or written."""
    seen: list[str] = []

    def look(execute, sql, params, many, context):
        seen.extend([sql] if "bakers_answer" in sql or "bakers_search" in sql else [])
        return execute(sql, params, many, context)

    with connection.execute_wrapper(look):
        yield
    assert seen == []


def expect_refusal(ask: Callable[[], Any], guard: kinds.Guard) -> None:
    """Ask for help that a guard refuses: it is, and nothing is left behind. Without the guard it is given."""
    before = rows()
    with kinds.registered_guard(guard), nothing_looked_up():
        response = ask()

    assert response.status_code == 403, response.content
    assert response.json()["error"]["code"] == "help_refused"
    assert response.json()["error"]["detail"] == {"opens_at": OPENS.isoformat()}
    assert rows() == before
    assert ask().status_code == 200


def without(*sorts: str) -> kinds.Help:
    """Return what a kind says that refuses these sorts of help."""
    hint, verdict, solution = (sort not in sorts for sort in ("hint", "verdict", "solution"))
    return kinds.Help(hint=hint, verdict=verdict, solution=solution, opens_at=OPENS)


def know(position: Position) -> None:
    """Store of a position that it can be won, with a line and a par that are worth nothing."""
    line = tuple(itertools.islice(position.legal_moves, 1))
    answers.learn(position, Known(Outcome.WON, Reason.LINE, line, lower_bound=1))


def guards_of(disguise: Disguise) -> list[kinds.Guard]:
    return [by_key, by_position] if disguise.same_key else [by_position]


class TestHelpWithAGame:
    @pytest.mark.parametrize("endpoint", GAME_HELP)
    def test_is_refused_in_every_disguise(self, api, disguise, endpoint):
        state = disguise.start(api)

        for guard in guards_of(disguise):
            expect_refusal(lambda: GAME_HELP[endpoint](api, state), guard)

    @pytest.mark.parametrize("endpoint", GAME_HELP)
    def test_is_refused_when_the_game_has_ended_and_when_its_deal_is_played_again(self, api, endpoint):
        state = DISGUISES["its layout"].start(api)
        ended = api.resign(state).json()
        again = api.start(kind="practice", from_game=state["id"])

        for game in (ended, again):
            expect_refusal(functools.partial(GAME_HELP[endpoint], api, game), by_key)

    @pytest.mark.parametrize("endpoint", GAME_HELP)
    def test_is_refused_when_little_is_left_of_a_deal_that_was_changed_a_little(self, api, endpoint):
        """The deal's key doesn't tell, nor does where the game stands: where it began does."""
        state = DISGUISES["suits by other names"].start(api)
        line = decide(Position.from_text("bakers-dozen", Game.objects.get().position), 20_000).line
        assert line is not None
        state = api.play(state, *(move.text for move in line[:-4]))
        assert not resembles(games.current_position(Game.objects.get()).columns, DEALT.columns)

        expect_refusal(lambda: GAME_HELP[endpoint](api, state), by_position)

    @pytest.mark.parametrize("endpoint", GAME_HELP)
    def test_leaves_the_game_unmarked_when_it_is_refused(self, api, endpoint):
        state = DISGUISES["its number"].start(api)
        with kinds.registered_guard(by_key):
            GAME_HELP[endpoint](api, state)
            assert api.state(state)["helped"] is False

    @pytest.mark.parametrize("endpoint", GAME_HELP)
    def test_goes_on_with_other_deals(self, api, endpoint):
        state = api.start(deal="2")
        with kinds.registered_guard(by_key), kinds.registered_guard(by_position):
            assert GAME_HELP[endpoint](api, state).status_code == 200

    @pytest.mark.parametrize(("endpoint", "sort"), SORTS.items())
    def test_is_refused_by_the_games_kind(self, api, endpoint, sort):
        class Silent(kinds.Kind):
            slug = "silent"
            refused = without(sort)

            def help_allowed(self, game):
                return self.refused

        with kinds.registered(Silent()) as silent:
            state = api.start(kind="silent", deal="2")
            before = rows()
            with nothing_looked_up():
                response = GAME_HELP[endpoint](api, state)

            assert response.status_code == 403
            assert response.json()["error"]["detail"] == {"opens_at": OPENS.isoformat()}
            assert rows() == before
            silent.refused = without(*{*SORTS.values()} - {sort})
            assert GAME_HELP[endpoint](api, state).status_code == 200


@dataclass(frozen=True)
class Buried:
    """A layout that doesn't begin as the deal, and a line on it that passes through the deal and leaves it again."""

    layout: str
    line: tuple[str, ...]
    ply: int


def buried_deal() -> Buried:
    """Put cards that a solution sent home on the deal's columns again, in the order in which they went."""
    solution = decide(DEALT, 20_000).line
    assert solution is not None
    position, rest, gone = DEALT.copy(), list(solution), []
    columns: list[list[int]] = list(DEALT.columns)
    while resembles(columns, DEALT.columns):
        if rest[0].target == HOME:
            gone.append(position.columns[rest[0].source][-1])
        position.push(rest.pop(0))
        columns = [list(column) for column in position.columns]
        places = itertools.cycle([column for column in columns if column])
        for card in reversed(gone):
            next(places).append(card)
    position, line = Position(position.variant, columns), []
    for card in gone:
        [source] = [index for index, column in enumerate(position.columns) if column and column[-1] == card]
        line.append(MOVES[source][HOME])
        position.push(line[-1])
    ply = len(line)
    assert resembles(position.columns, DEALT.columns)
    while len(pairs(position.columns)) >= MIN_PAIRS:
        line.append(rest.pop(0))
        position.push(line[-1])
    return Buried(layout_text(columns), tuple(move.text for move in line), ply)


class TestHelpWithDeals:
    def test_is_refused_in_every_disguise(self, api, disguise):
        body = {"variant": disguise.variant, "line": list(disguise.line), **disguise.body}
        everything = {"deeper": True, "par": True, "line_of_covered": True}
        assert api.token

        for guard in guards_of(disguise):
            expect_refusal(lambda: api.post("solve", {**body, **everything}), guard)

    @pytest.mark.parametrize("variant", [slug for slug, variant in VARIANTS.items() if variant.columns == 13])
    @pytest.mark.parametrize("guard", [by_key, by_position])
    def test_is_not_on_the_deals_page(self, client, db, variant, guard):
        """The deal is: anybody may play it."""
        path = f"/deal/{variant}/{NUMBER}"
        with kinds.registered_guard(guard), nothing_looked_up():
            refused = client.get(path)

        assert refused.status_code == 403
        assert refused.context["deal"]["refused"]
        shown = {refused.context["deal"][name] for name in ("outcome", "reason", "moves", "par", "seen")}
        assert shown == {"unknown", None, 0}
        assert json.loads(refused.context["boot_json"])["deal"] == json.loads(
            json.dumps(refused.context["deal"])
        )
        assert rows() == {}
        given = client.get(path)
        assert given.status_code == 200
        assert given.context["deal"]["refused"] is None
        assert given.context["deal"]["reason"]

    def test_takes_no_guarded_deal_for_a_random_one_that_can_be_won(self, api, monkeypatch):
        for number in (NUMBER, 2):
            know(deal(VARIANTS["bakers-dozen"], number))
        numbers = itertools.cycle([NUMBER, 2])
        monkeypatch.setattr("bakers.games.random_deal_number", lambda **_: next(numbers))
        start = {"variant": "bakers-dozen", "kind": "casual", "winnable": True}

        with kinds.registered_guard(by_key):
            laid, started = api.get("deals/bakers-dozen?winnable=1"), api.post("games", start)

        assert laid.json()["deal"] == started.json()["deal"] == "2"
        assert laid.json()["winnable"]["shuffles"] == 2
        assert api.get("deals/bakers-dozen?winnable=1").json()["deal"] == str(NUMBER)


class TestNoHelp:
    @pytest.mark.parametrize("endpoint", NO_HELP)
    def test_comes_with_a_running_game_or_a_deal(self, api, endpoint):
        state = DISGUISES["its number"].start(api)

        with kinds.registered_guard(by_key), nothing_looked_up():
            response = NO_HELP[endpoint](api, state)

        assert response.status_code in {200, 201}

    @pytest.mark.parametrize(
        "endpoint", ["GET /api/games/<uuid:game_id>", "GET /game/<uuid:game_id>", "GET /api/games"]
    )
    def test_comes_with_a_game_that_has_ended(self, api, disguise, endpoint):
        state = api.resign(disguise.start(api)).json()

        for guard in guards_of(disguise):
            with kinds.registered_guard(guard), nothing_looked_up():
                assert NO_HELP[endpoint](api, state).status_code == 200

    def test_comes_with_the_end_itself(self, api, disguise):
        """Of its deal a line and a par are stored, whatever they are worth."""
        state = disguise.start(api)
        start = games.first_position(Game.objects.get())
        know(start)

        with kinds.registered_guard(guards_of(disguise)[0]), nothing_looked_up():
            ended = api.resign(state).json()

        assert ended["par"] is None
        assert api.state(state)["par"] == {"moves": 1, "proven": True}


class TestARankedGame:
    """The site's own guard, of the ranked game that somebody plays of the deal."""

    @pytest.fixture
    def owner(self, new_user, monkeypatch):
        """The browser of the player, and the game."""
        monkeypatch.setattr("bakers.help.winnable_deal", lambda **_asked: (NUMBER, None))
        api = ApiClient(new_user())
        response = api.post("games", {"variant": "bakers-dozen", "kind": "ranked"})
        assert response.status_code == 201
        return api, response.json()

    @pytest.fixture
    def other(self, new_user):
        return ApiClient(new_user())

    def ways(self, api: ApiClient, disguise: Disguise) -> dict[str, Callable[[], Any]]:
        """Return every way to ask for help with the deal."""
        state = disguise.start(api)
        body = {"variant": disguise.variant, "line": list(disguise.line), **disguise.body}
        asked: dict[str, Callable[[], Any]] = {
            endpoint: functools.partial(ask, api, state) for endpoint, ask in GAME_HELP.items()
        }
        asked["POST /api/solve"] = lambda: api.post(
            "solve", {**body, "deeper": True, "par": True, "line_of_covered": True}
        )
        if "deal" in disguise.body:
            page = f"/deal/{disguise.variant}/{disguise.body['deal']}"
            asked["GET /deal/<str:variant>/<str:number>"] = lambda: api.browser.get(page)
        return asked

    def refuses(self, ask: Callable[[], Any]) -> bool:
        """Ask, and return whether it is refused; then nothing was looked up and nothing is left behind."""
        before = rows()
        with nothing_looked_up():
            response = ask()
        assert response.status_code == 403, response.content
        if response.headers["Content-Type"].startswith("application/json"):
            error = response.json()["error"]
            assert (error["code"], error["detail"]) == ("help_refused", {"opens_at": None})
            assert str(NUMBER) not in error["message"]
        assert rows() == before
        return True

    def test_gets_its_player_no_help_in_any_disguise_until_it_ends(self, owner, disguise):
        api, ranked = owner
        ways = self.ways(api, disguise)

        assert all(self.refuses(ask) for ask in ways.values())

        api.resign(ranked)
        assert {name: ask().status_code for name, ask in ways.items()} == dict.fromkeys(ways, 200)

    def test_gets_nobody_else_help_with_its_deal(self, owner, other, disguise):
        ways = self.ways(other, disguise)

        if disguise.same_key:
            assert all(self.refuses(ask) for ask in ways.values())
        else:
            # Only its player is kept from what resembles it: others know nothing of it.
            assert {ask().status_code for ask in ways.values()} == {200}

    def test_gets_guests_none_either(self, owner, api):
        assert self.refuses(lambda: api.post("solve", {"variant": "bakers-dozen", "deal": str(NUMBER)}))
        assert api.post("solve", {"variant": "bakers-dozen", "deal": "2"}).status_code == 200

    def test_itself_gets_none_until_it_ends(self, owner):
        api, ranked = owner
        for ask in GAME_HELP.values():
            assert self.refuses(functools.partial(ask, api, ranked))

        lost = api.resign(ranked).json()
        assert {ask(api, lost).status_code for ask in GAME_HELP.values()} == {200}

    def test_is_guarded_in_whatever_variant_it_is_played(self, new_user, monkeypatch, disguise):
        monkeypatch.setattr("bakers.help.winnable_deal", lambda **_asked: (NUMBER, None))
        api = ApiClient(new_user())
        api.post("games", {"variant": "original-1883", "kind": "ranked"})

        assert all(self.refuses(ask) for ask in self.ways(api, disguise).values())

    def test_leaves_other_deals_alone(self, owner):
        api, _ = owner
        state = api.start(deal="2")

        assert {ask(api, state).status_code for ask in GAME_HELP.values()} == {200}

    def test_on_the_way_of_a_line_gets_none(self, owner):
        api, _ = owner
        buried = buried_deal()
        state = api.play(api.start(kind="practice", layout=buried.layout), *buried.line)
        body = {"version": state["version"], "ply": buried.ply}

        assert self.refuses(functools.partial(api.post, f"games/{state['id']}/solution", body))

    @pytest.mark.parametrize("key", ["of another deal", None])
    def test_is_kept_from_all_wherever_its_very_cards_lie(self, owner, key):
        asked = HelpRequest(None, "spanish-patience", DEALT, key)

        assert kinds.allows_help(asked, "solution") is False
        owner[0].resign(owner[1])
        assert kinds.allows_help(asked, "solution") is True

    def test_is_no_deal_for_another_one(self, owner, monkeypatch):
        """Neither of somebody else, nor of a casual game that is to be winnable."""
        monkeypatch.undo()
        for number in (NUMBER, 2):
            know(deal(VARIANTS["bakers-dozen"], number))
        numbers = itertools.cycle([NUMBER, 2])
        monkeypatch.setattr("bakers.games.random_deal_number", lambda **_: next(numbers))
        api, _ = owner

        assert api.get("deals/bakers-dozen?winnable=1").json()["deal"] == "2"

    def test_shows_no_par_with_an_ended_game_of_its_deal(self, owner, other):
        state = other.start(deal=str(NUMBER))
        know(DEALT)

        ended = other.resign(state).json()
        assert ended["par"] is None

        api, ranked = owner
        api.resign(ranked)
        assert other.state(ended)["par"] == {"moves": 1, "proven": True}


class TestWhatAGuardIsTold:
    @pytest.fixture(params=["newcomer", "guest", "user"])
    def caller(self, request, api, new_user):
        """A browser, and the player in it."""
        if request.param == "user":
            user = new_user()
            return ApiClient(user), Player(user_id=user.pk)
        if request.param == "guest":
            api.start()
            return api, Player(guest=Game.objects.get().guest)
        return api, None

    @pytest.fixture
    def told(self):
        """What the guard was asked."""
        requests: list[HelpRequest] = []
        with kinds.registered_guard(requests.append):
            yield requests

    def test_is_who_asks_for_which_position_of_which_deal(self, caller, told):
        api, player = caller
        line = DISGUISES["moves from its number"].line
        api.post("solve", {"variant": "spanish-patience", "deal": str(NUMBER), "line": list(line[:1])})
        [asked] = told
        expected = deal(VARIANTS["spanish-patience"], NUMBER)
        expected.play_line(line[:1])

        assert asked == HelpRequest(player, "spanish-patience", expected, KEY, None)

    def test_is_who_looks_at_a_deals_page(self, caller, told):
        api, player = caller
        api.browser.get(f"/deal/bakers-dozen/{NUMBER}")

        assert told == [HelpRequest(player, "bakers-dozen", DEALT, KEY, None)]

    @pytest.mark.parametrize("endpoint", GAME_HELP)
    def test_is_the_game_where_it_stands_and_where_it_began(self, caller, told, endpoint):
        api, _ = caller
        state = DISGUISES["moves from its number"].start(api)
        game = Game.objects.get(pk=state["id"])
        owner = Player(user_id=game.user_id, guest=game.guest)

        assert GAME_HELP[endpoint](api, state).status_code == 200

        for position in (games.current_position(game), DEALT):
            assert HelpRequest(owner, "bakers-dozen", position, KEY, game) in told


class TestPositionsOnTheWay:
    @pytest.fixture
    def buried(self):
        return buried_deal()

    @pytest.fixture
    def state(self, api, buried):
        return api.play(api.start(kind="practice", layout=buried.layout), *buried.line)

    def test_are_solved_no_more_than_if_the_game_stood_there(self, api, buried, state):
        path, body = f"games/{state['id']}/solution", {"version": state["version"], "ply": buried.ply}

        expect_refusal(lambda: api.post(path, body), by_position)

    def test_are_told_by_no_postmortem(self, api, buried, state, monkeypatch):
        path, body = f"games/{state['id']}/postmortem", {"version": state["version"]}
        monkeypatch.setattr("bakers.help._bisect", lambda start, line: Lost(buried.ply, buried.ply + 1))

        with kinds.registered_guard(by_position):
            response = api.post(path, body)

        assert response.status_code == 403
        assert api.state(state)["helped"] is False
        assert not Answer.objects.exists()
        assert api.post(path, body).json()["last_won_ply"] == buried.ply
