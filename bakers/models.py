"""Games and the requests that changed them."""

from __future__ import annotations

import uuid

from django.conf import settings
from django.db import models
from django.db.models import Q
from django.utils.translation import gettext_lazy as _

from bakers.rules.variants import VARIANTS
from config import clock

#: Plies a game may have at most: far more than any line of play needs, and little enough to replay in a moment.
MAX_PLIES = 2_000
#: How many request ids a game remembers; an older one meets its version and is refused as stale.
REMEMBERED_REQUESTS = 100
#: What is true of answers that a moment's search finds again.
CHEAP = Q(expanded__lte=20_000, par_expanded__lte=20_000)


class Game(models.Model):
    """One deal played by one player.

    `layout`, `line` and `redo` say all; `position` is what follows from them, kept so that a move needn't replay the
    line. `bakers.games` alone writes here.
    """

    class Status(models.TextChoices):
        OPEN = "open", _("open")
        WON = "won", _("won")
        LOST = "lost", _("lost")

    class Source(models.TextChoices):
        NUMBER = "number", _("deal number")
        LAYOUT = "layout", _("imported layout")
        BOARD = "board", _("board")

    id = models.UUIDField(primary_key=True, default=uuid.uuid4, editable=False)
    user = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.CASCADE, null=True, blank=True, related_name="games"
    )
    guest = models.UUIDField(null=True, blank=True)

    variant = models.CharField(max_length=32)
    kind = models.CharField(max_length=16)
    source = models.CharField(max_length=8, choices=Source.choices)
    # Up to 20 digits, which no integer column of every database holds.
    deal_number = models.CharField(max_length=20, null=True, blank=True)  # noqa: DJ001 (null is: not from a number)
    # The same for every order of the columns and of the kings in them, whichever variant they are played in.
    deal_key = models.CharField(max_length=64)
    # The day of the board that it is the deal of.
    board_day = models.DateField(null=True, blank=True)
    # The first position in the form of Position.text; for a covered variant as dealt, before any card turned.
    layout = models.TextField()
    # The key of its answer, so that par of many games is one query away.
    answer_key = models.CharField(max_length=64, default="", db_default="", blank=True)

    status = models.CharField(max_length=4, choices=Status.choices, default=Status.OPEN)
    version = models.PositiveIntegerField(default=0)
    line = models.TextField(default="", blank=True)
    redo = models.TextField(default="", blank=True)
    position = models.TextField()
    helped = models.BooleanField(default=False)

    started_at = models.DateTimeField(default=clock.now)
    first_move_at = models.DateTimeField(null=True, blank=True)
    last_move_at = models.DateTimeField(null=True, blank=True)
    finished_at = models.DateTimeField(null=True, blank=True)
    # Time at the table, without pauses, in milliseconds.
    played_ms = models.PositiveBigIntegerField(default=0)

    # The request that started the game, so that it starts one game only.
    start_id = models.CharField(max_length=64, null=True, blank=True)  # noqa: DJ001 (null is: none was given)
    start_digest = models.CharField(max_length=64, default="", blank=True)

    class Meta:
        verbose_name = _("game")
        verbose_name_plural = _("games")
        constraints = [
            models.CheckConstraint(
                name="bakers_game_one_owner",
                condition=Q(user__isnull=True, guest__isnull=False)
                | Q(user__isnull=False, guest__isnull=True),
            ),
            models.CheckConstraint(name="bakers_game_variant", condition=Q(variant__in=list(VARIANTS))),
            models.CheckConstraint(
                name="bakers_game_source",
                condition=Q(source="number", deal_number__isnull=False)
                | Q(source="layout", deal_number__isnull=True)
                | Q(source="board", deal_number__isnull=False, board_day__isnull=False),
            ),
            models.CheckConstraint(
                name="bakers_game_finished_when_ended",
                condition=Q(status="open", finished_at__isnull=True)
                | Q(status__in=["won", "lost"], finished_at__isnull=False),
            ),
            models.CheckConstraint(
                name="bakers_game_won_by_moves",
                condition=~Q(status="won") | Q(first_move_at__isnull=False),
            ),
            models.UniqueConstraint(
                name="bakers_game_user_start",
                fields=["user", "start_id"],
                condition=Q(start_id__isnull=False),
            ),
            models.UniqueConstraint(
                name="bakers_game_one_ranked",
                fields=["user", "variant"],
                condition=Q(kind="ranked", status="open"),
            ),
            models.CheckConstraint(
                name="bakers_game_ranked_user",
                condition=~Q(kind="ranked") | Q(user__isnull=False),
            ),
            models.UniqueConstraint(
                name="bakers_game_one_daily",
                fields=["user", "variant", "board_day"],
                condition=Q(kind="daily"),
            ),
            models.CheckConstraint(
                name="bakers_game_daily_board",
                condition=~Q(kind="daily") | Q(user__isnull=False, board_day__isnull=False),
            ),
            models.UniqueConstraint(
                name="bakers_game_guest_start",
                fields=["guest", "start_id"],
                condition=Q(start_id__isnull=False),
            ),
        ]
        indexes = [
            # A player's list, newest play first. Unplayed games are in nobody's list.
            models.Index(
                name="bakers_game_user_recent",
                fields=["user", "-last_move_at"],
                condition=Q(first_move_at__isnull=False, user__isnull=False),
            ),
            models.Index(
                name="bakers_game_guest_recent",
                fields=["guest", "-last_move_at"],
                condition=Q(first_move_at__isnull=False, guest__isnull=False),
            ),
            # A player's results, for statistics and streaks.
            models.Index(
                name="bakers_game_results",
                fields=["user", "variant", "kind", "finished_at"],
                condition=Q(user__isnull=False, finished_at__isnull=False),
            ),
            # Guards ask whether a layout is somebody's open game.
            models.Index(name="bakers_game_deal_key", fields=["deal_key"]),
            # What `manage.py tidy` looks for.
            models.Index(
                name="bakers_game_guest_age", fields=["started_at"], condition=Q(guest__isnull=False)
            ),
        ]

    def __str__(self) -> str:
        return f"{self.variant} {self.id}"

    @property
    def is_stored(self) -> bool:
        """Whether the game has started; a deal on the table before its first move is no row yet."""
        return not self._state.adding


class GameRequest(models.Model):
    """A request that changed a game, kept so that the same one has no second effect."""

    game = models.ForeignKey(Game, on_delete=models.CASCADE, related_name="requests")
    request_id = models.CharField(max_length=64)
    # SHA-256 of the body: the same id with another body is a mistake of the caller.
    digest = models.CharField(max_length=64)
    # The game's version after the request, by which old ones are found.
    version = models.PositiveIntegerField()

    class Meta:
        verbose_name = _("request")
        verbose_name_plural = _("requests")
        constraints = [
            # Its index also finds a game's requests.
            models.UniqueConstraint(name="bakers_request_once", fields=["game", "request_id"]),
        ]

    def __str__(self) -> str:
        return self.request_id


class Limit(models.Model):
    """How much of a limit somebody has used up in one window of time; `bakers.limits` alone writes here."""

    scope = models.CharField(max_length=32)
    # A keyed hash: an address or a name stands nowhere in the database for having called.
    who = models.CharField(max_length=64)
    # Seconds since 1970. One statement compares them in every database, which write times in forms of their own.
    starts = models.BigIntegerField()
    ends = models.BigIntegerField()
    count = models.PositiveBigIntegerField()

    class Meta:
        verbose_name = _("limit")
        verbose_name_plural = _("limits")
        constraints = [
            models.UniqueConstraint(name="bakers_limit_once", fields=["scope", "who"]),
        ]
        indexes = [
            # What `manage.py tidy` looks for.
            models.Index(name="bakers_limit_ends", fields=["ends"]),
        ]

    def __str__(self) -> str:
        return self.scope


class Answer(models.Model):
    """What is known of a position: its verdict, and the shortest line found.

    A position is told by its variant and `key`, the hash of its cards without the order of its columns, so that one
    answer serves every game that comes by. `bakers.answers` alone writes here.
    """

    class Outcome(models.TextChoices):
        WON = "won", _("can be won")
        LOST = "lost", _("can’t be won")
        UNKNOWN = "unknown", _("not known yet")

    variant = models.CharField(max_length=32)
    key = models.CharField(max_length=64)
    outcome = models.CharField(max_length=7, choices=Outcome.choices)
    # How the outcome is known, in the words of `bakers.solver.Reason`.
    reason = models.CharField(max_length=48)
    # Moves of a line that wins, its columns numbered in the order of the key.
    line = models.TextField(default="", blank=True)
    moves = models.PositiveSmallIntegerField(null=True, blank=True)
    # No line has fewer moves; null until the search for short lines has looked.
    lower_bound = models.PositiveSmallIntegerField(null=True, blank=True)
    # What was spent on the verdict and on short lines, in expansions. A line for which nothing was spent on short ones
    # takes cards there and back; it wins, and isn't shown to people.
    expanded = models.PositiveBigIntegerField(default=0)
    # How hard it is, 1 to 5, if anybody asked (`bakers.solver.rate`).
    level = models.PositiveSmallIntegerField(null=True, blank=True)
    par_expanded = models.PositiveBigIntegerField(default=0)
    updated_at = models.DateTimeField(default=clock.now)

    class Meta:
        verbose_name = _("answer")
        verbose_name_plural = _("answers")
        constraints = [
            models.UniqueConstraint(name="bakers_answer_once", fields=["variant", "key"]),
            models.CheckConstraint(
                name="bakers_answer_line_when_won",
                condition=Q(outcome="won", moves__isnull=False)
                | Q(outcome__in=["lost", "unknown"], moves__isnull=True, line=""),
            ),
            models.CheckConstraint(
                name="bakers_answer_bound",
                condition=Q(lower_bound__isnull=True)
                | Q(moves__isnull=True)
                | Q(lower_bound__lte=models.F("moves")),
            ),
        ]
        indexes = [
            # What `manage.py tidy` looks for.
            models.Index(name="bakers_answer_age", fields=["updated_at"], condition=CHEAP),
        ]

    def __str__(self) -> str:
        return f"{self.variant} {self.outcome}"


class Search(models.Model):
    """A search that goes on in the background, in tasks of a second or two.

    The row is the order: when it is gone or speaks of another version, the task gives up.
    """

    class Purpose(models.TextChoices):
        VERDICT = "verdict", _("verdict")
        PAR = "par", _("short line")

    variant = models.CharField(max_length=32)
    key = models.CharField(max_length=64)
    purpose = models.CharField(max_length=7, choices=Purpose.choices)
    # The position with its columns in the order of the key, in the form of Position.text.
    position = models.TextField()
    # Expansions after which it ends without an answer.
    budget = models.PositiveBigIntegerField()
    # Keyed hash of whose order it is, so that nobody has many at a time.
    who = models.CharField(max_length=64, default="", blank=True)
    # A lamp's search is for one version of one game.
    game = models.OneToOneField(
        Game, on_delete=models.CASCADE, null=True, blank=True, related_name="lamp_search"
    )
    game_version = models.PositiveIntegerField(null=True, blank=True)
    rounds = models.PositiveSmallIntegerField(default=0)
    # When its next task was queued; one that is much older was lost.
    queued_at = models.DateTimeField(default=clock.now)

    class Meta:
        verbose_name = _("search")
        verbose_name_plural = _("searches")
        indexes = [models.Index(name="bakers_search_who", fields=["who"])]
        constraints = [
            models.UniqueConstraint(name="bakers_search_once", fields=["variant", "key", "purpose"]),
            models.CheckConstraint(
                name="bakers_search_game_version",
                condition=Q(game__isnull=True, game_version__isnull=True)
                | Q(game__isnull=False, game_version__isnull=False),
            ),
        ]

    def __str__(self) -> str:
        return f"{self.variant} {self.purpose}"
