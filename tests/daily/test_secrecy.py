"""Nothing about a board to come, and no solution of one that runs, is in any page, API answer, error, log or list."""

from __future__ import annotations

import json
import logging
from typing import Any

import pytest

from bakers import games
from bakers.rules.cards import CARD_NAMES
from bakers.rules.variants import VARIANTS
from daily import boards
from daily.models import Board, Solution
from tests.conftest import ApiClient
from tests.daily.days import at
from tests.endpoints import Endpoint, endpoints

pytestmark = pytest.mark.django_db

TODAY, TOMORROW = "2026-03-01", "2026-03-02"


@pytest.fixture
def made(frozen_clock) -> dict[str, list[Board]]:
    """Boards of today and tomorrow, in every variant."""
    assert frozen_clock.time == at(f"{TODAY} 12:00")
    for variant, day in boards.missing(60, 61):
        boards.make_board(variant, day, quick=True)
    return {
        "today": list(Board.objects.filter(number=60)), "tomorrow": list(Board.objects.filter(number=61)),
    }  # fmt: skip


def secrets_of(board: Board) -> set[str]:
    """Return what would tell of a board: its number, its keys, its columns as pages and the API write them."""
    position = boards.first_position(board)
    columns = [[CARD_NAMES[card] for card in column] for column in position.columns]
    told = {board.deal, board.deal_key, board.answer_key}
    for column in columns:
        told |= {
            " ".join(column),
            "".join(column),
            json.dumps(column),
            json.dumps(column, separators=(",", ":")),
        }
    return told


def solutions_of(board: Board) -> set[str]:
    line = Solution.objects.get(board=board).line
    moves = [line[index : index + 2] for index in range(0, len(line), 2)][:12]
    return {line[:24], " ".join(moves), json.dumps(moves), json.dumps(moves, separators=(",", ":"))}


def visit(client: ApiClient, endpoint: Endpoint, board: Board) -> bytes:
    """Ask an endpoint for a board in every way that its address has, and return all that it answers."""
    answers = b""
    for arguments in (
        {"variant": board.variant, "date": board.day.isoformat(), "number": board.number, "contest": "daily"},
        {
            "variant": board.variant,
            "date": TODAY,
            "number": board.number + 1,
            "object_id": board.pk,
            "month": "2026-03",
        },
    ):
        path = endpoint.path(**arguments)
        if endpoint.is_api and not endpoint.is_safe:
            bodies: list[Any] = [
                {"variant": board.variant, "kind": kind, "board": board.day.isoformat()}
                for kind in ("daily", "practice", "casual", "ranked")
            ]
            for body in bodies:
                answers += client.post(path.removeprefix("/api/"), body).content
        elif endpoint.is_safe:
            response = client.browser.get(path)
            answers += b"".join(response) if response.streaming else response.content
    return answers


def told(content: bytes) -> str:
    """Return what an answer says, with quotes as they would be read."""
    return content.decode(errors="replace").replace("&quot;", '"').replace("&#x27;", "'")


@pytest.mark.parametrize("who", ["guest", "player", "staff"])
@pytest.mark.parametrize("endpoint", [each for each in endpoints() if "solve" not in each.route], ids=str)
def test_a_board_to_come_is_nowhere(made, new_user, endpoint, who, caplog):
    caplog.set_level(logging.DEBUG)
    user = new_user()
    user.is_staff = user.is_superuser = who == "staff"
    user.save()
    client = ApiClient(None if who == "guest" else user)
    board = made["tomorrow"][0]
    hidden = set().union(*(secrets_of(each) | solutions_of(each) for each in made["tomorrow"]))
    hidden |= set().union(*(solutions_of(each) for each in made["today"]))

    answered = told(visit(client, endpoint, board)) + caplog.text

    assert not [secret for secret in hidden if secret in answered]


def test_the_board_of_today_is_told_without_its_number_par_and_line(made, new_user):
    for asker in (ApiClient(), ApiClient(new_user())):
        for board in made["today"]:
            Board.objects.filter(pk=board.pk).update(par=97, par_proven=True)
            for path in (f"daily/{board.variant}", f"daily/{board.variant}/{TODAY}"):
                answer = asker.get(path)
                shown = told(answer.content)
                assert answer.json()["number"] == 60
                assert answer.json()["par"] is None
                assert answer.json()["outcome"] is None
                assert not [
                    secret for secret in {board.deal, board.deal_key} | solutions_of(board) if secret in shown
                ]


def test_what_is_covered_in_it_stays_covered(made):
    board = next(board for board in made["today"] if board.variant == "original-1883")
    game = ApiClient().get("daily/original-1883").json()["game"]
    position = games.new_deal(variant=VARIANTS["original-1883"], number=int(board.deal)).position
    assert game["columns"] == position.seen_columns()
    covered = {CARD_NAMES[card] for card in position.covered_cards()}
    seen = {
        card
        for columns in (game["columns"], game["dealt"]["columns"])
        for column in columns
        for card in column
    }
    assert not covered & seen


def test_tomorrow_is_answered_like_any_day_without_a_board(made, api):
    tomorrow, far = (api.get(f"daily/bakers-dozen/{day}") for day in (TOMORROW, "2199-01-01"))
    assert (tomorrow.status_code, tomorrow.content) == (far.status_code, far.content) == (404, far.content)


def test_logs_of_making_boards_tell_no_deal(made, caplog):
    caplog.set_level(logging.DEBUG)
    boards.look_ahead()
    assert "board made" in caplog.text
    hidden = set().union(*(secrets_of(each) for each in Board.objects.all()))
    assert not [secret for secret in hidden if secret in caplog.text]
