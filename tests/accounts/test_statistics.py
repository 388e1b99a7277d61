"""Statistics are what the games say, however results come, go and change hands."""

from __future__ import annotations

import datetime
import io
import itertools
import uuid

import pytest
from django.core.management import CommandError, call_command
from django.db import IntegrityError, transaction
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from accounts import statistics, streak_check
from accounts.counted import Tally
from accounts.models import Statistics, User
from accounts.statistics import StatisticsLedger, recompute
from bakers import games
from bakers.models import Game
from bakers.rules.variants import VARIANTS
from config import clock
from tests.conftest import ApiClient

pytestmark = pytest.mark.django_db

LEDGER = StatisticsLedger()
START = datetime.datetime(2026, 3, 1, 12, tzinfo=datetime.UTC)
VARIANT = "bakers-dozen"
TEMPLATE = games.new_deal(variant=VARIANTS[VARIANT], number=2).game
_emails = itertools.count(1)


def a_user() -> User:
    return User.objects.create_user(f"counted{next(_emails)}@example.org")


def ended(user: User, status: str, minute: int, *, kind: str = "ranked", variant: str = VARIANT) -> Game:
    """Store an ended game without telling anybody."""
    at = START + datetime.timedelta(minutes=minute)
    return Game.objects.create(
        user=user, variant=variant, kind=kind, source="number", deal_number="2", deal_key=TEMPLATE.deal_key,
        layout=TEMPLATE.layout, position=TEMPLATE.position, status=status, started_at=at, first_move_at=at,
        last_move_at=at, finished_at=at,
    )  # fmt: skip


def tell_of(user: User, results: str, **options: str) -> list[Game]:
    """Store games, `w` for a won and `l` for a lost one, and tell the ledger of each."""
    told = []
    for minute, letter in enumerate(results):
        told.append(ended(user, {"w": "won", "l": "lost"}[letter], minute, **options))
        LEDGER.ended(told[-1])
    return told


def numbers(user: User, kind: str = "ranked", variant: str = VARIANT) -> tuple[int, ...]:
    """Return what is stored: played, won, streak, best streak."""
    row = Statistics.objects.get(user=user, kind=kind, variant=variant)
    return (row.played, row.won, row.streak, row.best_streak)


def naive(user: User, kind: str = "ranked") -> Tally:
    """Count as a person would, with a list of all runs of wins."""
    history = sorted(
        (game.finished_at, game.pk.hex, game.status)
        for game in Game.objects.filter(user=user, kind=kind)
        if game.finished_at is not None
    )
    runs: list[list[datetime.datetime]] = [[]]
    for at, _, status in history:
        if status == "won":
            runs[-1].append(at)
        else:
            runs.append([])
    best = max(map(len, runs))
    first_best = next(run for run in runs if len(run) == best)
    return Tally(
        played=len(history),
        won=sum(map(len, runs)),
        streak=len(runs[-1]),
        best_streak=best,
        streak_at=runs[-1][-1] if runs[-1] else None,
        best_streak_at=first_best[-1] if first_best else None,
        last_at=history[-1][0] if history else None,
    )


class TestCounting:
    @pytest.mark.parametrize(
        ("results", "expected"),
        [
            ("w", (1, 1, 1, 1)),
            ("l", (1, 0, 0, 0)),
            ("wwl", (3, 2, 0, 2)),
            ("wwlw", (4, 3, 1, 2)),
            ("lwwlwww", (7, 5, 3, 3)),
            ("wwwlwww", (7, 6, 3, 3)),
        ],
    )
    def test_a_streak_grows_with_each_win_and_ends_with_a_loss(self, results, expected):
        user = a_user()
        tell_of(user, results)

        assert numbers(user) == expected

    def test_a_streak_was_reached_when_its_last_game_was_won_and_the_best_when_that_came_first(self):
        user = a_user()
        told = tell_of(user, "wwlwwl")
        row = Statistics.objects.get(user=user)
        assert (row.streak_at, row.best_streak_at) == (None, told[1].finished_at)

        told = [ended(user, "won", 10), ended(user, "won", 11), ended(user, "won", 12)]
        LEDGER.ended(told[-1])

        row.refresh_from_db()
        assert (row.streak_at, row.best_streak_at) == (told[-1].finished_at, told[-1].finished_at)

    @pytest.mark.parametrize(("status", "streak"), [("won", 4), ("lost", 2)])
    def test_a_result_that_comes_late_takes_the_place_of_its_time(self, status, streak):
        user = a_user()
        tell_of(user, "w")
        for game in (ended(user, "won", 5), ended(user, "won", 6), ended(user, status, 3)):
            LEDGER.ended(game)

        assert numbers(user)[2] == streak

    def test_a_result_that_is_told_twice_counts_once(self):
        user = a_user()
        [game] = tell_of(user, "w")
        LEDGER.ended(game)

        assert numbers(user) == (1, 1, 1, 1)

    def test_a_loss_that_is_deleted_joins_the_streaks_beside_it(self):
        user = a_user()
        told = tell_of(user, "wwlww")
        told[2].delete()
        recompute(user_id=user.pk, variant=VARIANT, kind="ranked")

        assert numbers(user) == (4, 4, 4, 4)

    def test_variants_kinds_and_players_are_counted_by_themselves(self):
        user, other = a_user(), a_user()
        tell_of(user, "ww")
        tell_of(user, "l", kind="casual")
        tell_of(user, "l", variant="spanish-patience")
        tell_of(other, "l")

        assert numbers(user) == (2, 2, 2, 2)
        assert numbers(user, kind="casual") == (1, 0, 0, 0)

    def test_practice_and_guests_count_for_nothing(self):
        user = a_user()
        tell_of(user, "wl", kind="practice")
        guests = ended(user, "won", 5, kind="casual")
        guests.user, guests.guest = None, uuid.uuid4()
        guests.save()
        LEDGER.ended(guests)
        LEDGER.adopted(user.pk, {(VARIANT, "practice")})

        assert not Statistics.objects.exists()

    def test_more_won_than_played_is_refused_by_the_database(self):
        with pytest.raises(IntegrityError), transaction.atomic():
            Statistics.objects.create(user=a_user(), variant=VARIANT, kind="casual", played=1, won=2)


HISTORIES = st.lists(
    st.one_of(
        # A game ends at a minute: often late, sometimes at the same moment as another.
        st.tuples(st.sampled_from(["won", "won", "won", "lost"]), st.integers(0, 12)),
        # One that has ended is told of again, or is deleted.
        st.tuples(st.sampled_from(["told again", "deleted"]), st.integers(0, 30)),
    ),
    max_size=25,
)


@given(HISTORIES)
@settings(max_examples=60, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
def test_whatever_happens_is_counted_as_a_person_and_as_the_database_counts_it(history):
    user = a_user()
    known: list[Game] = []
    for what, number in history:
        if what in {"won", "lost"}:
            known.append(ended(user, what, number))
            LEDGER.ended(known[-1])
        elif known and what == "told again":
            LEDGER.ended(known[number % len(known)])
        elif known:
            known.pop(number % len(known)).delete()
            recompute(user_id=user.pk, variant=VARIANT, kind="ranked")
        stored = statistics.tally_of(Statistics.objects.filter(user=user).first())
        assert stored == naive(user)
    key = (user.pk, VARIANT, "ranked")
    assert streak_check.count(key).get(key, Tally()) == naive(user)
    assert key not in [difference.key for difference in streak_check.differences()]


@given(st.text("wl", min_size=1, max_size=12))
@settings(max_examples=25, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
def test_each_game_knows_the_streak_it_made_or_ended(results):
    user = a_user()
    # Some end at the same moment.
    told = [
        ended(user, {"w": "won", "l": "lost"}[letter], minute // 2) for minute, letter in enumerate(results)
    ]
    told.sort(key=lambda game: (game.finished_at, game.pk.hex))
    streak = 0
    for game in told:
        if game.status == "won":
            streak += 1
            assert statistics.streak_up_to(game) == streak
        else:
            assert statistics.streak_up_to(game) == streak
            streak = 0


class TestPlay:
    @pytest.fixture
    def user(self):
        return a_user()

    @pytest.fixture
    def api(self, user):
        return ApiClient(user)

    def test_winning_and_giving_up_count_at_once(self, user, api, winning_lines):
        api.play(api.start(), *winning_lines[VARIANT])
        assert numbers(user, "casual") == (1, 1, 1, 1)
        api.resign(api.play(api.start(), "96"))
        assert numbers(user, "casual") == (2, 1, 0, 1)

    def test_undo_after_a_win_and_winning_in_two_tabs_are_one_win(self, user, api, winning_lines):
        *line, last = winning_lines[VARIANT]
        state = api.play(api.start(), *line)
        won = api.play(state, last, request_id="batch-0001")
        again = api.moves(state, last, request_id="batch-0001")
        other_tab, undo, resigned = api.moves(state, last), api.moves(won, at=0), api.resign(won)

        assert again.json()["replayed"] is True
        assert [answer.status_code for answer in (other_tab, undo, resigned)] == [409, 409, 409]
        assert numbers(user, "casual") == (1, 1, 1, 1)

    def test_a_result_that_cannot_be_counted_is_not_stored(self, api, winning_lines, monkeypatch):
        *line, last = winning_lines[VARIANT]
        state = api.play(api.start(), *line)
        api.browser.raise_request_exception = False
        with monkeypatch.context() as broken:
            broken.setattr("accounts.statistics.tally", lambda results: 1 / 0)
            assert api.moves(state, last).status_code == 500
        assert api.state(state)["status"] == "open"

        assert api.play(state, last)["status"] == "won"

    def test_a_guests_results_count_for_the_user_who_they_are_now(self, user, winning_lines):
        guest = ApiClient()
        guest.play(guest.start(), *winning_lines[VARIANT])
        guest.resign(guest.play(guest.start("spanish-patience"), "96"))
        guest.resign(guest.start(kind="practice", layout="PySolFC 2"))
        guest_id = Game.objects.filter(guest__isnull=False).values_list("guest", flat=True)[0]
        assert guest_id is not None
        assert not Statistics.objects.exists()

        games.adopt(guest=guest_id, user_id=user.pk)

        assert numbers(user, "casual") == (1, 1, 1, 1)
        assert numbers(user, "casual", "spanish-patience") == (1, 0, 0, 0)
        assert Statistics.objects.count() == 2

    def test_a_guests_end_that_is_repeated_after_signing_in_counts_for_the_user(self, user, winning_lines):
        """The answer was lost, and the games were handed over before the game's row was there."""
        guest = ApiClient()
        state = guest.start()
        guest.play(state, *winning_lines[VARIANT], request_id="batch-0001")
        guest_id = Game.objects.get().guest
        player = games.Player(user_id=user.pk, guest=guest_id)

        games.play(
            player=player,
            game_id=uuid.UUID(state["id"]),
            request_id="batch-0001",
            version=0,
            at=0,
            moves=games.parse_line("".join(winning_lines[VARIANT])),
        )

        assert numbers(user, "casual") == (1, 1, 1, 1)


class TestReading:
    def test_tells_the_streak_at_stake(self):
        user = a_user()
        assert statistics.streak_at_stake(user.pk, VARIANT) == 0
        tell_of(user, "lww")
        tell_of(user, "www", kind="casual")

        assert statistics.streak_at_stake(user.pk, VARIANT) == 2
        assert statistics.streak_at_stake(user.pk, "good-measure") == 0


class TestTheCommand:
    def test_is_content_with_what_is_right(self):
        tell_of(a_user(), "wwlw")
        out = io.StringIO()

        call_command("streaks", check=True, stdout=out)

        assert out.getvalue() == "All statistics are as the games say.\n"

    @pytest.mark.parametrize(
        "wrong",
        [
            {"streak": 0},
            {"played": 5},
            {"best_streak": 3, "won": 3},
            {"best_streak_at": START - datetime.timedelta(days=1)},
            {"streak_at": None},
        ],
    )
    def test_names_what_is_wrong_and_mends_it(self, wrong):
        user = a_user()
        tell_of(user, "wwlw")
        right = statistics.tally_of(Statistics.objects.get())
        Statistics.objects.update(**wrong)
        said = io.StringIO()

        with pytest.raises(CommandError, match=r"Differences: 1\.") as refused:
            call_command("streaks", check=True, stderr=said)
        assert refused.value.returncode == 1
        assert said.getvalue().startswith(f"user {user.pk}, bakers-dozen, ranked: stored ")
        assert statistics.tally_of(Statistics.objects.get()) != right

        out = io.StringIO()
        call_command("streaks", rebuild=True, stdout=out)
        assert out.getvalue() == "Computed anew: 1.\n"
        assert statistics.tally_of(Statistics.objects.get()) == right
        call_command("streaks", check=True, stdout=out)

    def test_finds_rows_that_are_missing_and_rows_without_games(self):
        missing, left = a_user(), a_user()
        tell_of(missing, "w")
        Statistics.objects.all().delete()
        Statistics.objects.create(user=left, variant=VARIANT, kind="casual", played=1)

        with pytest.raises(CommandError, match=r"Differences: 2\."):
            call_command("streaks", check=True, stderr=io.StringIO())
        call_command("streaks", rebuild=True, stdout=io.StringIO())

        assert numbers(missing) == (1, 1, 1, 1)
        assert numbers(left, "casual") == (0, 0, 0, 0)

    def test_counts_only_what_counts(self):
        user = a_user()
        tell_of(user, "w", kind="practice")
        api = ApiClient(user)
        api.play(api.start(), "96")
        assert clock.now() > START

        assert streak_check.count() == {}
