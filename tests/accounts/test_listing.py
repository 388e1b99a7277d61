"""Under which name leaderboards find a player's streaks: whatever changes, every row says the same as the user."""

from __future__ import annotations

import datetime
from functools import partial
from importlib import import_module

import pytest
from django.apps import apps
from django.core.management import CommandError, call_command

from accounts import listing, names, privacy, statistics
from accounts.models import Statistics, User
from bakers.rules.variants import VARIANTS
from tests.accounts.past import past_game
from tests.accounts.people import make_user
from tests.parallel import at_once

pytestmark = pytest.mark.django_db


def streaks(user: User, *slugs: str) -> None:
    """Give somebody rows of statistics."""
    for slug in slugs or ("bakers-dozen", "good-measure"):
        statistics.recompute(user_id=user.pk, variant=slug, kind="ranked")


def listed(user: User) -> set[str]:
    """Return the names under which somebody is listed, each with its key in the next column."""
    rows = set(Statistics.objects.filter(user=user).values_list("listed_as", "listed_key"))
    assert all(key == (names.key(name) if name else "") for name, key in rows)
    return {name for name, _key in rows}


@pytest.fixture
def ann(db) -> User:
    user = make_user("ann@example.org")
    streaks(user)
    assert listed(user) == {""}
    return user


def test_a_name_that_is_listed_is_on_every_row_and_on_those_that_come(ann):
    names.choose(user_id=ann.pk, name="Ann", is_listed=True)
    streaks(ann, "spanish-patience")
    assert Statistics.objects.filter(user=ann).count() == 3
    assert listed(ann) == {"Ann"}
    names.choose(user_id=ann.pk, name="Another", is_listed=True)
    assert listed(ann) == {"Another"}


def test_who_said_no_is_on_none(ann):
    names.choose(user_id=ann.pk, name="Ann", is_listed=False)
    streaks(ann, "spanish-patience")
    assert listed(ann) == {""}
    names.choose(user_id=ann.pk, name="Ann", is_listed=True)
    names.choose(user_id=ann.pk, name="Ann", is_listed=False)
    assert listed(ann) == {""}


def test_who_is_kept_out_is_on_none_until_let_in_again(ann):
    names.choose(user_id=ann.pk, name="Ann", is_listed=True)
    assert privacy.deactivate(user_id=ann.pk) is True
    assert listed(ann) == {""}
    assert privacy.deactivate(user_id=ann.pk) is False
    streaks(ann, "spanish-patience")
    assert listed(ann) == {""}
    assert privacy.reactivate(user_id=ann.pk) is True
    assert listed(ann) == {"Ann"}
    assert privacy.reactivate(user_id=ann.pk) is False


def test_a_name_that_is_taken_changes_nothing(ann):
    names.choose(user_id=ann.pk, name="Ann", is_listed=True)
    bob = make_user("bob@example.org")
    streaks(bob)
    names.choose(user_id=bob.pk, name="Bob", is_listed=True)
    with pytest.raises(names.NameTaken):
        names.choose(user_id=bob.pk, name="ann", is_listed=True)
    assert listed(bob) == {"Bob"}


def test_others_keep_theirs(ann):
    bob = make_user("bob@example.org")
    streaks(bob)
    names.choose(user_id=bob.pk, name="Bob", is_listed=True)
    names.choose(user_id=ann.pk, name="Ann", is_listed=True)
    assert listed(bob) == {"Bob"}


def test_what_is_wrong_is_told_and_mended(ann, capsys):
    names.choose(user_id=ann.pk, name="Ann", is_listed=True)
    bob = make_user("bob@example.org")
    streaks(bob)
    assert not listing.find_wrong().exists()
    # One that is missing, one that is another, and one that shouldn't be there.
    Statistics.objects.filter(user=ann, variant="bakers-dozen").update(listed_as="", listed_key="")
    Statistics.objects.filter(user=ann, variant="good-measure").update(listed_as="ann")
    Statistics.objects.filter(user=bob, variant="good-measure").update(listed_as="Bob", listed_key="bob")
    with pytest.raises(CommandError, match="3"):
        call_command("streaks", check=True)
    assert capsys.readouterr().err.count("not listed as chosen") == 3
    call_command("streaks", rebuild=True)
    call_command("streaks", check=True)
    assert (listed(ann), listed(bob)) == ({"Ann"}, {""})


def test_rows_from_before_leaderboards_are_filled(ann, new_user):
    names.choose(user_id=ann.pk, name="Ann", is_listed=True)
    hidden = new_user()
    ended: dict[int, datetime.datetime] = {}
    for user, days in ((ann, (1, 3, 2)), (hidden, (5,))):
        for day in days:
            at = datetime.datetime(2026, 3, day, tzinfo=datetime.UTC)
            past_game(user, kind="ranked", at=at).save(force_insert=True)
            ended[user.pk] = max(at, ended.get(user.pk, at))
        statistics.recompute(user_id=user.pk, variant="bakers-dozen", kind="ranked")
    before = list(Statistics.objects.order_by("pk").values())
    assert {row["last_at"] for row in before} == {None, *ended.values()}
    Statistics.objects.update(last_at=None, listed_as="", listed_key="")

    import_module("accounts.migrations.0004_fill_leaderboards").fill(apps, None)

    assert list(Statistics.objects.order_by("pk").values()) == before


@pytest.mark.django_db(transaction=True)
def test_rows_that_are_made_while_a_name_is_chosen_have_it():
    user = make_user("ann@example.org")

    def choose(name: str) -> None:
        for turn in range(5):
            names.choose(user_id=user.pk, name=name, is_listed=turn % 2 == 0)

    def play(slugs: list[str]) -> None:
        for slug in slugs:
            statistics.recompute(user_id=user.pk, variant=slug, kind="ranked")

    slugs = list(VARIANTS)
    at_once(
        [partial(choose, "Ann"), partial(choose, "Anna"), partial(play, slugs), partial(play, slugs[::-1])]
    )

    assert Statistics.objects.filter(user=user).count() == len(slugs)
    assert not listing.find_wrong().exists()
