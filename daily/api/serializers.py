"""What the operations of boards and leaderboards give."""

from __future__ import annotations

from typing import Any

from rest_framework import serializers

from bakers.api.fields import StrictSerializer
from bakers.api.serializers import GameOutput, ParOutput
from bakers.rules.variants import VARIANTS
from daily.days import Phase
from daily.leaderboards import Contest, Span


class BoardRatingOutput(serializers.Serializer[Any]):
    """How hard a board is."""

    level = serializers.IntegerField(min_value=1, max_value=5)
    name = serializers.CharField()


class ResultOutput(serializers.Serializer[Any]):
    """What the caller made of a board; there is none without a first move."""

    won = serializers.BooleanField(help_text="All cards were home before the board settled.")
    first_move_at = serializers.DateTimeField()
    won_at = serializers.DateTimeField(allow_null=True)
    moves = serializers.IntegerField(allow_null=True, help_text="Of the line that won.")


class MovesCountOutput(serializers.Serializer[Any]):
    moves = serializers.IntegerField()
    players = serializers.IntegerField(min_value=1)


class OutcomeOutput(serializers.Serializer[Any]):
    """What all players made of a board; told after the own win, and to everybody once it has settled."""

    players = serializers.IntegerField(min_value=0, help_text="With a first move.")
    winners = serializers.IntegerField(min_value=0)
    moves = MovesCountOutput(many=True, help_text="How many won in how many moves, fewest first.")


class DailyStreakOutput(serializers.Serializer[Any]):
    """Days won in a row."""

    current = serializers.IntegerField(min_value=0, help_text="0 once it isn’t alive any more.")
    best = serializers.IntegerField(min_value=0)


class BoardViewOutput(serializers.Serializer[Any]):
    """A board, as the caller may see it now."""

    variant = serializers.ChoiceField(choices=list(VARIANTS))
    date = serializers.DateField()
    number = serializers.IntegerField(min_value=1)
    opens_at = serializers.DateTimeField()
    closes_at = serializers.DateTimeField(help_text="Until then a first move counts.")
    settles_at = serializers.DateTimeField(help_text="Until then a win counts; then help and archive open.")
    now = serializers.DateTimeField(help_text="The server’s time.")
    phase = serializers.ChoiceField(choices=[each.value for each in Phase])
    rating = BoardRatingOutput(allow_null=True)
    game = GameOutput(
        allow_null=True,
        help_text="The caller’s game, or the board as it lies; null between closing and settling without a first move.",
    )
    result = ResultOutput(allow_null=True)
    par = ParOutput(allow_null=True, help_text="After the own win, and once the board has settled.")
    outcome = OutcomeOutput(allow_null=True)
    streak = DailyStreakOutput()


class MonthOutput(serializers.Serializer[Any]):
    name = serializers.CharField()
    won = serializers.IntegerField(min_value=0)
    days = serializers.CharField(help_text="Which ones, in words.")


class YearOutput(serializers.Serializer[Any]):
    """The caller's last year of days, up to today and in whole weeks."""

    variant = serializers.ChoiceField(choices=list(VARIANTS))
    first = serializers.DateField()
    last = serializers.DateField()
    won = serializers.IntegerField(min_value=0)
    picture = serializers.CharField(
        help_text="SVG with a title, a square a day and classes in place of styles."
    )
    months = MonthOutput(many=True)


class LeaderboardInput(StrictSerializer):
    """Which list, in the address."""

    span = serializers.ChoiceField(choices=[each.value for each in Span], default=Span.CURRENT.value)
    # The longest mark names a player whose name becomes 128 letters, of 12 characters each, in its key.
    after = serializers.CharField(required=False, max_length=2_500)


class EntryOutput(serializers.Serializer[Any]):
    """A row of a leaderboard."""

    rank = serializers.IntegerField(
        min_value=1, allow_null=True, help_text="1, 1, 3; null for an own row that lies far down."
    )
    name = serializers.CharField(
        allow_null=True, help_text="The display name; null in an own row without one."
    )
    streak = serializers.IntegerField(min_value=1)
    reached_at = serializers.DateTimeField(help_text="When the streak became so long.")


class LeaderboardOutput(serializers.Serializer[Any]):
    """A page of a leaderboard."""

    contest = serializers.ChoiceField(choices=[each.value for each in Contest])
    variant = serializers.ChoiceField(choices=list(VARIANTS))
    span = serializers.ChoiceField(choices=[each.value for each in Span])
    entries = EntryOutput(many=True)
    next = serializers.CharField(
        allow_null=True, help_text="What `after` is for the next page; null on the last."
    )
    own = EntryOutput(
        allow_null=True, help_text="The caller’s own row, listed or not; null without a streak."
    )
