"""What the database itself refuses, whoever writes the row."""

from __future__ import annotations

import datetime
import uuid

import pytest
from django.db import IntegrityError, transaction
from django.db.models import ProtectedError
from django.utils import timezone

from bakers.games import new_deal
from bakers.models import Game, GameRequest
from bakers.rules.variants import VARIANTS

pytestmark = pytest.mark.django_db

NOW = timezone.now()
DAY = datetime.date(2026, 3, 1)
NOW_PLAYED = {"first_move_at": NOW, "last_move_at": NOW}


def a_game(**fields):
    game = new_deal(variant=VARIANTS["bakers-dozen"], number=2).game
    for name, value in {"guest": uuid.uuid4(), **fields}.items():
        setattr(game, name, value)
    return game


def refused(game, constraint):
    with pytest.raises(IntegrityError) as caught, transaction.atomic():
        game.save(force_insert=True)
    assert constraint in str(caught.value)


@pytest.mark.parametrize(
    "fields",
    [
        {},
        {"variant": "good-measure"},
        {"source": "layout", "deal_number": None},
        {"source": "board", "board_day": DAY},
        {"deal_number": "9" * 20},
        {"status": "lost", "finished_at": NOW},
        {"status": "won", "finished_at": NOW, **NOW_PLAYED},
        {"start_id": "start-0001"},
    ],
)
def test_a_game_that_can_be_is_taken(fields):
    a_game(**fields).save(force_insert=True)


@pytest.mark.parametrize(
    ("fields", "constraint"),
    [
        ({"guest": None}, "bakers_game_one_owner"),
        ({"variant": "klondike"}, "bakers_game_variant"),
        ({"variant": ""}, "bakers_game_variant"),
        ({"source": "number", "deal_number": None}, "bakers_game_source"),
        ({"source": "layout"}, "bakers_game_source"),
        ({"source": "dream"}, "bakers_game_source"),
        ({"source": "board"}, "bakers_game_source"),
        ({"source": "board", "board_day": DAY, "deal_number": None}, "bakers_game_source"),
        ({"source": "board", "board_day": DAY, "kind": "daily"}, "bakers_game_daily_board"),
        ({"status": "open", "finished_at": NOW}, "bakers_game_finished_when_ended"),
        ({"status": "won", **NOW_PLAYED}, "bakers_game_finished_when_ended"),
        ({"status": "lost"}, "bakers_game_finished_when_ended"),
        ({"status": "gone"}, "bakers_game_finished_when_ended"),
        ({"status": "won", "finished_at": NOW}, "bakers_game_won_by_moves"),
        ({"version": -1}, "version"),
        ({"played_ms": -1}, "played_ms"),
        ({"layout": None}, "layout"),
        ({"position": None}, "position"),
        ({"kind": None}, "kind"),
    ],
)
def test_a_game_that_cannot_be_is_refused(fields, constraint):
    refused(a_game(**fields), constraint)


def test_a_player_has_one_daily_game_a_variant_and_day(new_user):
    user = new_user()
    daily = {"user": user, "guest": None, "kind": "daily", "source": "board"}
    a_game(**daily, board_day=DAY).save(force_insert=True)
    refused(a_game(**daily, board_day=DAY), "bakers_game")
    for other in (
        {"variant": "good-measure"},
        {"board_day": DAY + datetime.timedelta(days=1)},
        {"user": new_user()},
    ):
        a_game(**{**daily, "board_day": DAY, **other}).save(force_insert=True)
    # Practice on a board may be had as often as one likes.
    for _ in range(2):
        a_game(user=user, guest=None, kind="practice", source="board", board_day=DAY).save(force_insert=True)


def test_a_game_has_a_user_or_a_guest_and_not_both(new_user):
    refused(a_game(user=new_user()), "bakers_game_one_owner")
    a_game(user=new_user(), guest=None).save(force_insert=True)


def test_one_start_id_starts_one_game_of_a_player(new_user):
    user, guest = new_user(), uuid.uuid4()
    a_game(guest=guest, start_id="start-0001").save(force_insert=True)
    a_game(user=user, guest=None, start_id="start-0001").save(force_insert=True)
    a_game(start_id="start-0001").save(force_insert=True)
    a_game(guest=guest, start_id="start-0002").save(force_insert=True)
    for _ in range(2):
        a_game(guest=guest).save(force_insert=True)
        a_game(user=user, guest=None).save(force_insert=True)

    # SQLite names the columns of a unique index, PostgreSQL the index.
    refused(a_game(guest=guest, start_id="start-0001"), "start")
    refused(a_game(user=user, guest=None, start_id="start-0001"), "start")


def test_a_request_id_is_kept_once_a_game():
    game, other = a_game(), a_game()
    game.save(force_insert=True)
    other.save(force_insert=True)
    GameRequest.objects.create(game=game, request_id="batch-0001", digest="", version=1)
    GameRequest.objects.create(game=other, request_id="batch-0001", digest="", version=1)

    with pytest.raises(IntegrityError), transaction.atomic():
        GameRequest.objects.create(game=game, request_id="batch-0001", digest="", version=2)


def test_a_users_games_go_with_the_user(new_user):
    user = new_user()
    game = a_game(user=user, guest=None)
    game.save(force_insert=True)
    GameRequest.objects.create(game=game, request_id="batch-0001", digest="", version=1)
    other = a_game()
    other.save(force_insert=True)

    try:
        user.delete()
    except ProtectedError:
        pytest.fail("a user with games can't be deleted")

    assert list(Game.objects.all()) == [other]
    assert not GameRequest.objects.exists()


def test_a_games_id_cannot_be_guessed():
    ids = {a_game().pk for _ in range(5)}

    assert len(ids) == 5
    assert {game_id.version for game_id in ids} == {4}
