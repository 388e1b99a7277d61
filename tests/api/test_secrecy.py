"""Original 1883 keeps its covered cards: while a game runs, nothing that leaves the server names one.

Everything that can be asked for is read as it goes over the line and searched for names of cards. What may be there is
worked out by a model of the game that is told apart from the engine.
"""

from __future__ import annotations

import html
import json
import random
import re
from typing import Any

import pytest

from bakers.rules.cards import CARD_NAMES, RANK_NAMES, SUIT_NAMES
from bakers.rules.deals import deal_columns, deck
from bakers.rules.variants import VARIANTS
from tests.api import seen_1883
from tests.conftest import ApiClient

VARIANT = "original-1883"
#: A card's name where it stands by itself; moves are in small letters, so that `4h` isn't the four of hearts.
CARD = re.compile(r"(?<![0-9A-Za-z])(?:[A2-9TJQK]|10)[CDHS](?![0-9A-Za-z])")


def true_columns(number: int) -> list[list[str]]:
    columns, _ = deal_columns(VARIANTS[VARIANT], deck(number))
    return [[CARD_NAMES[card] for card in column] for column in columns]


def named(content: bytes) -> set[str]:
    """Return every card that a text names, but for the example of a layout in a page's import dialog."""
    text = re.sub(
        r'<dialog class="dialog" id="dialog-import".*?</dialog>', "", content.decode(), flags=re.DOTALL
    )
    text = html.unescape(text)
    return set(CARD.findall(text)) | set(CARD.findall(json.dumps(text)))


class Spy:
    """A player who reads everything they are sent about one game, and knows what they may find there."""

    def __init__(self, api: ApiClient, state: dict, truth: list[list[str]]) -> None:
        self.api, self.state, self.truth = api, state, truth
        self.check(state)

    def table(self, line: list[str]) -> seen_1883.Table:
        table = seen_1883.Table(self.truth)
        for move in line:
            table.play(move)
        return table

    def check(self, state: dict) -> None:
        """Check a state: each place shows what it may, and what isn't covered is named in `dealt`."""
        table = self.table(state["line"])
        covered = table.covered()
        assert state["columns"] == table.seen()
        assert state["dealt"]["columns"] == [
            ["##" if card in covered else card for card in column] for column in self.truth
        ]
        self.check_text(json.dumps(state).encode(), state["line"], exactly=True)

    def check_text(self, content: bytes, line: list[str], *, exactly: bool = False) -> None:
        """Check that a text names no card that is covered after a line; `exactly`: but every other."""
        covered = self.table(line).covered()
        found = named(content)
        assert not found & covered
        if exactly:
            assert found == set(CARD_NAMES) - covered

    def read(self, response) -> dict:
        """Check an answer about the game as it stands, and return the state in it."""
        body: dict[str, Any] = response.json()
        state: dict[str, Any] = body["error"]["detail"]["game"] if "error" in body else body
        self.check(state)
        self.check_text(response.content, state["line"])
        if "error" in body:
            self.check_words(body["error"], state)
        return state

    def check_words(self, error: dict, state: dict) -> None:
        """Check that an error's sentence speaks of no top card that isn't shown."""
        tops = {column[-1] for column in state["columns"] if column}
        ranks = {RANK_NAMES["A23456789TJQK".index(card[0])] for card in tops}
        sentence = json.dumps([error["message"], {**error["detail"], "game": None}])
        spoken = re.findall(r"ends in an? (\w+)|^\W*An? (\w+) needs", sentence)
        assert {word for pair in spoken for word in pair if word} <= ranks


def ask_for_everything(spy: Spy, state: dict) -> None:
    """Read a running game in every way there is, and provoke every error there is."""
    api, number = spy.api, state["ply"]
    spy.read(api.get(f"games/{state['id']}"))
    page = api.browser.get(f"/game/{state['id']}")
    assert page.status_code == 200
    spy.check_text(page.content, state["line"], exactly=True)
    for path in ("/", f"/play/{VARIANT}", f"/rules/{VARIANT}"):
        response = api.browser.get(path)
        if path.startswith("/rules"):
            spy.check_text(response.content, state["line"])
    assert not named(api.get("games").content)
    ask_for_help(spy, state)
    spy.read(api.moves(state, version=state["version"] + 1))
    spy.read(api.resign(state, version=state["version"] + 1))
    spy.read(api.moves(state, at=number + 1))
    spy.read(api.moves(state))
    for move in ("11", "1h", "d1", "ah", "b2"):
        if move not in state["legal"]:
            spy.read(api.moves(state, move))


def ask_for_help(spy: Spy, state: dict) -> None:
    """Take the help that tells nothing of what is covered, though it knows it.

    A solution and a post-mortem show all cards: a line of moves with cards that aren't known says nothing. The page
    asks before it asks for one, and the game is marked.
    """
    api, game, version = spy.api, f"games/{state['id']}", {"version": state["version"]}
    for response in (
        api.get(f"{game}/verdict?version={state['version']}"),
        api.post(f"{game}/hint", version),
        api.post("solve", {"variant": VARIANT, "deal": state["deal"]}),
        api.post("solve", {"variant": VARIANT, "deal": state["deal"], "line": state["line"]}),
        api.browser.get(f"/deal/{VARIANT}/{state['deal']}"),
    ):
        assert response.status_code == 200, response.content
        spy.check_text(response.content, state["line"])
    for call in ("hint", "solution", "postmortem"):
        spy.read(api.post(f"{game}/{call}", {"version": state["version"] + 1}))
    spy.read(api.post(f"{game}/solution", {**version, "ply": state["ply"] + 1}))


@pytest.mark.parametrize("number", [1, 2, 33, 477, 10**18])
def test_no_answer_of_a_running_game_names_a_covered_card(api, number):
    chance = random.Random(number)
    state = api.start(VARIANT, deal=str(number))
    spy = Spy(api, state, true_columns(number))
    for step in range(14):
        at, moves = state["ply"], []
        if state["ply"] and chance.random() < 0.25:
            at = chance.randrange(state["ply"])
        elif state["legal"]:
            moves = [chance.choice(state["legal"])]
        body = {"request_id": f"request-{step:04}", "version": state["version"], "at": at, "moves": moves}
        state = spy.read(api.post(f"games/{state['id']}/moves", body))
        replay = spy.read(api.post(f"games/{state['id']}/moves", body))
        assert replay["version"] == state["version"]
        if step % 4 == 0:
            ask_for_everything(spy, state)

    lost = api.resign(state)
    assert named(lost.content) == set(CARD_NAMES)


def test_the_whole_winning_line_is_played_without_a_glimpse(api, winning_lines):
    state = api.start(VARIANT)
    spy = Spy(api, state, true_columns(2))
    *line, last = winning_lines[VARIANT]
    for start in range(0, len(line), 3):
        state = spy.read(api.moves(state, *line[start : start + 3]))

    won = api.play(state, last)
    assert won["status"] == "won"
    assert won["dealt"]["columns"] == true_columns(2)


def test_undo_covers_again(api, winning_lines):
    started = api.start(VARIANT)
    state = api.play(started, *winning_lines[VARIANT][:30])
    assert state["dealt"] != started["dealt"]

    state = api.play(state, at=0)

    assert state["columns"] == started["columns"]
    assert state["dealt"] == started["dealt"]
    assert state["redo"] == winning_lines[VARIANT][:30]


class TestABatchThatIsRefusedTellsNothing:
    """Its first moves may turn cards up in thought; a move after them that isn't legal must not say which."""

    def probes(self, state):
        """Yield batches that uncover a card and then try a move with it or onto it."""
        for first in state["legal"]:
            source = first[0]
            yield first, source + "h"
            for column in "123456789abcd":
                yield first, source + column
                yield first, column + source

    @pytest.mark.parametrize("number", [2, 33])
    def test_about_the_card_that_it_would_have_turned_up(self, api, number):
        state = api.start(VARIANT, deal=str(number))
        spy = Spy(api, state, true_columns(number))
        refused = 0
        for batch in self.probes(state):
            table = spy.table([])
            table.play(batch[0])
            turned = table.columns["123456789abcd".index(batch[0][0])]
            response = api.moves(state, *batch)
            if response.status_code == 200:
                state = api.play(response.json(), at=0)
                continue
            assert response.json()["error"]["code"] == "illegal_move"
            spy.read(response)
            error = response.json()["error"]
            card = turned[-1][0] if turned else None
            if error["detail"]["index"] == 1 and card in spy.table([]).covered():
                told = error["message"] + error["detail"]["reason"]
                words = {RANK_NAMES["A23456789TJQK".index(card[0])], *SUIT_NAMES}
                assert not words & set(re.findall(r"\w+", told)), (batch, card, told)
            refused += 1
        assert refused > 100

    def test_but_names_what_everybody_sees(self, api):
        state = api.start(VARIANT)
        first, other = state["legal"][0], next(move for move in ("b1", "1b") if move not in state["legal"])

        response = api.moves(state, first, other)

        error = response.json()["error"]
        assert error["detail"]["index"] == 1
        assert "column" in error["message"]


class TestBeforeAndAroundAGame:
    @pytest.mark.parametrize("path", ["/api/deals/original-1883/477", "/play/original-1883/477"])
    def test_a_deal_on_the_table_names_its_top_cards_alone(self, client, db, path):
        table = seen_1883.Table(true_columns(477))

        assert named(client.get(path).content) == set(CARD_NAMES) - table.covered()

    @pytest.mark.parametrize(
        "path", ["/?variant=original-1883", "/play/original-1883", "/api/deals/original-1883"]
    )
    def test_a_random_deal_names_its_top_cards_alone(self, client, db, path):
        content = client.get(path).content.decode()
        (number,) = re.findall(r'"deal": ?"(\d+)"', html.unescape(content))
        table = seen_1883.Table(true_columns(int(number)))

        assert named(content.encode()) == set(CARD_NAMES) - table.covered()

    def test_the_start_names_its_top_cards_alone_and_so_does_its_replay(self, api):
        api.start()
        body = {"variant": VARIANT, "kind": "casual", "deal": "477", "request_id": "start-0001"}
        table = seen_1883.Table(true_columns(477))
        for _ in range(2):
            assert named(api.post("games", body).content) == set(CARD_NAMES) - table.covered()

    def test_an_imported_layout_is_echoed_and_its_table_covered(self, api):
        columns = true_columns(33)
        text = "\n".join(map(" ".join, columns))
        table = seen_1883.Table(columns)

        echo = api.post("deals", {"variant": VARIANT, "layout": text}).json()
        started = api.post("games", {"variant": VARIANT, "kind": "practice", "layout": text})

        assert echo["layout"] == echo["text"] == text
        assert echo["game"]["columns"] == table.seen()
        covered = table.covered()
        assert named(json.dumps(echo["game"]).encode()) == set(CARD_NAMES) - covered
        assert named(started.content) == set(CARD_NAMES) - covered

    def test_a_deal_played_again_is_covered_again(self, api):
        state = api.start(VARIANT)
        assert named(api.resign(state).content) == set(CARD_NAMES)

        again = api.post("games", {"variant": VARIANT, "kind": "practice", "from_game": state["id"]})

        assert named(again.content) == set(CARD_NAMES) - seen_1883.Table(true_columns(2)).covered()

    def test_the_table_offers_to_go_on_without_showing_the_game(self, api):
        state = api.play(api.start(VARIANT), "96")
        page = api.browser.get("/play/bakers-dozen/2")

        assert page.context["resume"]["id"] == state["id"]
        assert set(page.context["resume"]) == {"id", "variant_name", "kind", "ply", "deal", "board"}
