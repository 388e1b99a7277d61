"""Nothing about a board to come in what isn't asked for by address: staff's lists, errors, exports, files, logs."""

from __future__ import annotations

import json
import logging
import re
from pathlib import Path
from typing import Any

import pytest
from django.contrib import admin
from django.test import Client
from django_tasks_db.models import DBTaskResult

from bakers import answers
from daily import boards, days, pars
from daily.models import Board, Solution
from tests.conftest import ApiClient
from tests.daily.days import VARIANT, start_daily
from tests.daily.test_secrecy import TODAY, TOMORROW, secrets_of, solutions_of, told
from tests.worker import run_worker

pytestmark = pytest.mark.django_db
ROOT = Path(__file__).parents[2]
PAR = 117
#: Where it is what a cell or a line begins with: within an address it may be the number of a row.
PAR_SHOWN = re.compile(rf">\s*{PAR}\b")


@pytest.fixture
def made(frozen_clock) -> list[Board]:
    """Boards of today and the days after it, rated and with a par, in every variant; those to come are returned."""
    for variant, day in boards.missing(60, 62):
        boards.make_board(variant, day, quick=True)
    Board.objects.update(rating=4, par=PAR, par_proven=True)
    return list(Board.objects.filter(number__gt=60))


def hidden(made: list[Board]) -> set[str]:
    """Return what would tell of boards to come, or of the solutions of those that run."""
    found = {board.deal for board in Board.objects.all()}
    for board in made:
        found |= secrets_of(board)
    for board in Board.objects.all():
        found |= solutions_of(board)
    return found


def expect_nothing(made: list[Board], content: bytes | str) -> None:
    text = content if isinstance(content, str) else told(content)
    assert not [secret for secret in hidden(made) if secret in text]


@pytest.fixture
def staff(new_user) -> Client:
    """A browser of somebody who may see and do whatever staff may."""
    user = new_user()
    user.is_staff = user.is_superuser = True
    user.save()
    client = Client(raise_request_exception=False)
    client.force_login(user)
    return client


class TestStaff:
    def test_the_list_of_boards_ends_today(self, made, staff):
        html = staff.get("/admin/daily/board/").content.decode()
        assert html.count('<td class="field-number">60</td>') == 5
        for number in (61, 62):
            assert f">{number}<" not in html
        assert "5 boards" in html
        assert not PAR_SHOWN.search(html)
        expect_nothing(made, html)

    @pytest.mark.parametrize(
        "query",
        [
            "number=61", "number__exact=61", "number__gte=61", f"day={TOMORROW}", "variant__exact=bakers-dozen",
            "status__exact=searching", "q=61", "o=-2", "all=", "p=1", "deal__startswith=1", f"par={PAR}",
            "layout__contains=K", "solution__line__startswith=1", "rating__exact=4", "results__isnull=True",
        ],
    )  # fmt: skip
    def test_no_question_about_the_list_tells_of_one(self, made, staff, query):
        response = staff.get(f"/admin/daily/board/?{query}", follow=True)
        html = response.content.decode()
        assert ">61<" not in html
        assert not PAR_SHOWN.search(html)
        expect_nothing(made, html)

    @pytest.mark.parametrize(
        "query", ["deal__startswith=", "par=", "layout__contains=", "solution__line__startswith="]
    )
    def test_what_the_list_does_not_show_cannot_be_asked(self, made, staff, query):
        """Else a number could be guessed digit by digit, from how many boards are left."""
        board = Board.objects.get(variant=VARIANT, number=60)
        known = {"deal": board.deal, "par": str(PAR), "layout": board.layout[:6], "solution": "1"}
        value = known[query.partition("_")[0].partition("=")[0]]
        assert staff.get(f"/admin/daily/board/?{query}{value}").status_code == 400

    def test_a_board_to_come_has_no_page(self, made, staff):
        today = Board.objects.filter(number=60).first()
        assert today is not None
        assert staff.get(f"/admin/daily/board/{today.pk}/change/").status_code == 200
        for board in made:
            for page in ("change", "history"):
                response = staff.get(f"/admin/daily/board/{board.pk}/{page}/")
                nobody = staff.get(f"/admin/daily/board/999999/{page}/")
                assert response.status_code == nobody.status_code != 200
                assert response.get("Location") == nobody.get("Location")

    def test_neither_solutions_nor_searches_nor_tasks_have_pages(self):
        shown = {model.__name__ for model in admin.site._registry}
        assert shown == {"Board", "Result", "User", "Game", "Statistics"}


@pytest.mark.parametrize("prefix", ["/", "/api/"])
def test_errors_tell_nothing(made, new_user, monkeypatch, caplog, prefix):
    caplog.set_level(logging.DEBUG)
    client = Client(raise_request_exception=False, enforce_csrf_checks=True)
    client.force_login(new_user())
    paths = [f"{prefix}daily/{VARIANT}/{day}" for day in (TOMORROW, "2026-03-99", "x", "")]
    answered = [client.get(path) for path in paths]
    answered += [client.post(path, {}, content_type="application/json") for path in (paths[0], "/api/games")]

    def break_down(day: Any, now: Any) -> Any:
        raise RuntimeError(Board.objects.filter(number=61).first())

    monkeypatch.setattr(days, "phase_of", break_down)
    answered.append(client.get(f"{prefix}daily/{VARIANT}"))
    statuses = [response.status_code for response in answered]
    assert statuses[-1] == 500
    assert min(statuses) >= 400
    for response in answered:
        assert "#61" not in told(response.content)
        expect_nothing(made, response.content)
    expect_nothing(made, caplog.text)


def test_an_export_has_the_own_results_and_nothing_of_boards(made, new_user):
    api = ApiClient(new_user())
    board = Board.objects.get(variant=VARIANT, number=60)
    line = Solution.objects.get(board=board).line
    api.play(start_daily(api).json(), line[:2])

    content = b"".join(api.get("me/export").streaming_content)

    [result] = json.loads(content)["everything"]["daily_results"]
    assert (result["variant"], result["number"], result["date"]) == (VARIANT, 60, TODAY)
    assert (result["won_at"], result["moves"]) == (None, None)
    assert '"deal": null' in content.decode() or '"deal":null' in content.decode()
    expect_nothing(made, content)


def test_neither_scripts_nor_the_description_of_the_api_tell_of_one(made):
    files = [path for path in (ROOT / "static").rglob("*") if path.suffix in {".js", ".css", ".svg", ".json"}]
    assert len(files) > 50
    text = "".join(path.read_text() for path in [*files, ROOT / "openapi.yaml"])
    expect_nothing(made, text)


@pytest.mark.django_db(transaction=True)
def test_neither_logs_nor_stored_tasks_tell_what_is_found_in_the_background(
    frozen_clock, caplog, monkeypatch
):
    caplog.set_level(logging.DEBUG)
    monkeypatch.setattr(answers, "PAR_ROUNDS", 1)
    monkeypatch.setattr(boards, "AHEAD", 1)
    boards.look_ahead()
    pars.look_for_par()
    run_worker()
    pars.look_for_par()
    assert Board.objects.filter(par__isnull=False).exists()
    made = list(Board.objects.filter(number=61))
    for event in ("board made", "par found", "par search ended"):
        assert event in caplog.text
    expect_nothing(made, caplog.text)
    tasks = list(DBTaskResult.objects.values_list("args_kwargs", "return_value", "traceback"))
    assert tasks
    expect_nothing(made, json.dumps(tasks))
