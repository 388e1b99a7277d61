"""Boards, their solutions, and who played them."""

from __future__ import annotations

from django.conf import settings
from django.db import models
from django.db.models import F, Q
from django.utils.translation import gettext_lazy as _

from bakers.models import Game
from bakers.rules.variants import VARIANTS
from config import clock


class Board(models.Model):
    """One variant's deal of one UTC day; `daily.boards` alone writes here."""

    class Status(models.TextChoices):
        #: It can be played; the search for its par goes on.
        SEARCHING = "searching", _("par is being looked for")
        READY = "ready", _("ready")

    variant = models.CharField(max_length=32)
    # 1 on the first day; kept beside the day since streaks are runs of numbers.
    number = models.PositiveIntegerField()
    day = models.DateField()
    # The deal's number, hidden until the board settles, and its first position in the form of Position.text.
    deal = models.CharField(max_length=20)
    layout = models.TextField()
    deal_key = models.CharField(max_length=64, unique=True)
    answer_key = models.CharField(max_length=64)

    status = models.CharField(max_length=9, choices=Status.choices, default=Status.SEARCHING)
    # Moves of the shortest line known; none is shorter if it is proven.
    par = models.PositiveSmallIntegerField(null=True, blank=True)
    par_proven = models.BooleanField(default=False)
    # How hard it is, 1 to 5; null where the rating didn't come to an end.
    rating = models.PositiveSmallIntegerField(null=True, blank=True)
    made_at = models.DateTimeField(default=clock.now)
    # Players with a first move and winners, counted once when it has settled: a month of the archive reads these.
    players = models.PositiveIntegerField(null=True, blank=True)
    winners = models.PositiveIntegerField(null=True, blank=True)

    class Meta:
        verbose_name = _("board")
        verbose_name_plural = _("boards")
        constraints = [
            models.UniqueConstraint(name="daily_board_once_a_number", fields=["variant", "number"]),
            models.UniqueConstraint(name="daily_board_once_a_day", fields=["variant", "day"]),
            models.CheckConstraint(name="daily_board_variant", condition=Q(variant__in=list(VARIANTS))),
            models.CheckConstraint(name="daily_board_number", condition=Q(number__gte=1)),
            models.CheckConstraint(
                name="daily_board_par", condition=Q(par_proven=False) | Q(par__isnull=False)
            ),
            models.CheckConstraint(
                name="daily_board_rating",
                condition=Q(rating__isnull=True) | Q(rating__gte=1, rating__lte=5),
            ),
            models.CheckConstraint(
                name="daily_board_counted",
                condition=Q(players__isnull=True, winners__isnull=True) | Q(winners__lte=F("players")),
            ),
        ]
        indexes = [
            # What the search for par has left to do.
            models.Index(name="daily_board_searching", fields=["day"], condition=Q(status="searching")),
            # What is to be counted when it has settled.
            models.Index(name="daily_board_uncounted", fields=["day"], condition=Q(players__isnull=True)),
        ]

    def __str__(self) -> str:
        # Neither its deal nor its cards: it may be a board to come.
        return f"{self.variant} #{self.number}"


class Solution(models.Model):
    """A line that wins a board; nothing that shows a board reads here."""

    board = models.OneToOneField(Board, on_delete=models.CASCADE, primary_key=True, related_name="solution")
    line = models.TextField()

    class Meta:
        verbose_name = _("solution of a board")
        verbose_name_plural = _("solutions of boards")

    def __str__(self) -> str:
        return str(self.board)


class Result(models.Model):
    """What a player made of a board: there from the first move, and won if the win came in time.

    `daily.results` alone writes here.
    """

    user = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="daily_results")
    board = models.ForeignKey(Board, on_delete=models.PROTECT, related_name="results")
    game = models.OneToOneField(Game, on_delete=models.CASCADE, related_name="daily_result")
    # The board's, so that a player's results of a variant are one walk through an index.
    variant = models.CharField(max_length=32)
    number = models.PositiveIntegerField()
    first_move_at = models.DateTimeField()
    won_at = models.DateTimeField(null=True, blank=True)
    moves = models.PositiveSmallIntegerField(null=True, blank=True)

    class Meta:
        verbose_name = _("result of a day")
        verbose_name_plural = _("results of days")
        constraints = [
            models.UniqueConstraint(name="daily_result_once", fields=["user", "board"]),
            models.UniqueConstraint(name="daily_result_once_a_number", fields=["user", "variant", "number"]),
            models.CheckConstraint(
                name="daily_result_won_with_moves",
                condition=Q(won_at__isnull=True, moves__isnull=True)
                | Q(won_at__isnull=False, moves__isnull=False, won_at__gte=F("first_move_at")),
            ),
        ]
        indexes = [
            # How many won a board, and in how many moves.
            models.Index(name="daily_result_moves", fields=["board", "moves"]),
        ]

    def __str__(self) -> str:
        return f"{self.user} {self.variant} #{self.number}"
