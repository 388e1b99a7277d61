"""What operations take and give. Outputs are made by `bakers.presenters`; here they are described."""

from __future__ import annotations

from typing import Any

from rest_framework import serializers

from bakers.api.fields import (
    DealNumberField,
    KindField,
    MoveField,
    RequestIdField,
    StrictBooleanField,
    StrictCharField,
    StrictDateField,
    StrictIntegerField,
    StrictSerializer,
    StrictUUIDField,
    VariantField,
)
from bakers.models import MAX_PLIES, Answer, Game
from bakers.rules.layouts import MAX_LAYOUT_CHARACTERS
from bakers.rules.variants import VARIANTS
from bakers.solver import QUICK_BUDGET

#: Moves a batch may have: more than the longest run of foundation moves and any queue of a slow network.
MAX_BATCH = 200
#: Versions end where the database's integers do.
_MAX_VERSION = 2**31 - 1


# Inputs


class ReadLayoutInput(StrictSerializer):
    """A layout to be read."""

    variant = VariantField()
    layout = StrictCharField(max_length=MAX_LAYOUT_CHARACTERS)
    sink_kings = StrictBooleanField(default=False, help_text="Move kings to the bottom of their columns.")


class StartInput(StrictSerializer):
    """A game to be started."""

    variant = VariantField()
    kind = KindField()
    deal = DealNumberField(required=False, help_text="casual: the deal number; a random one if left out.")
    layout = StrictCharField(
        max_length=MAX_LAYOUT_CHARACTERS, required=False, help_text="practice: a layout."
    )
    sink_kings = StrictBooleanField(default=False)
    from_game = StrictUUIDField(
        required=False, help_text="practice: an ended game of your own, to play its deal again."
    )
    board = StrictDateField(
        required=False,
        help_text="daily: the day that the page shows, today if left out; practice: a settled board’s day.",
    )
    helped = StrictBooleanField(
        default=False, help_text="Help was taken with this deal before it was started."
    )
    winnable = StrictBooleanField(
        default=False, help_text="casual: a random deal that is proved to be winnable."
    )
    replace = StrictBooleanField(
        default=False, help_text="ranked: lose the open game of this variant, if it has a move."
    )
    request_id = RequestIdField(required=False, help_text="The same id starts the same game only once.")

    def validate(self, attrs: dict[str, Any]) -> dict[str, Any]:
        given = [name for name in ("deal", "layout", "from_game", "board") if name in attrs]
        if len(given) > 1:
            raise serializers.ValidationError({given[1]: [f"Give {given[0]} or {given[1]}, not both."]})
        if attrs["sink_kings"] and "layout" not in attrs:
            raise serializers.ValidationError({"sink_kings": ["Only a layout’s kings can be sunk."]})
        if attrs["winnable"] and given:
            raise serializers.ValidationError(
                {"winnable": [f"Only a random deal is chosen, not a {given[0]}."]}
            )
        return attrs


class PlayInput(StrictSerializer):
    """A batch of moves."""

    request_id = RequestIdField()
    version = StrictIntegerField(min_value=0, max_value=_MAX_VERSION)
    at = StrictIntegerField(
        min_value=0, max_value=MAX_PLIES, help_text="The ply to go back to before playing."
    )
    moves = serializers.ListField(child=MoveField(), max_length=MAX_BATCH)


class ResignInput(StrictSerializer):
    """The end of a game, wished for."""

    request_id = RequestIdField()
    version = StrictIntegerField(min_value=0, max_value=_MAX_VERSION)


class HintInput(StrictSerializer):
    """A hint, wished for."""

    version = StrictIntegerField(min_value=0, max_value=_MAX_VERSION)
    deeper = StrictBooleanField(default=False, help_text="Go on searching in the background.")


class RandomDealInput(serializers.Serializer[Any]):
    """Which random deals are wanted, in the address."""

    winnable = serializers.BooleanField(default=False)


class VerdictInput(serializers.Serializer[Any]):
    """The version of the game that a verdict is wanted of, in the address."""

    version = serializers.IntegerField(min_value=0, max_value=_MAX_VERSION)


class PostmortemInput(HintInput):
    """The move that lost a game, wished for."""


class SolutionInput(HintInput):
    """A line that wins, wished for."""

    ply = StrictIntegerField(
        min_value=0, max_value=MAX_PLIES, default=0, help_text="The ply to win from; 0 is the deal."
    )


class SolveInput(StrictSerializer):
    """A deal, a layout, or a position that moves lead to from one."""

    variant = VariantField()
    deal = DealNumberField(required=False)
    layout = StrictCharField(max_length=MAX_LAYOUT_CHARACTERS, required=False)
    sink_kings = StrictBooleanField(default=False)
    line = serializers.ListField(
        child=MoveField(), max_length=MAX_PLIES, default=list, help_text="Moves to play first."
    )
    budget = StrictIntegerField(
        min_value=1, max_value=QUICK_BUDGET, default=QUICK_BUDGET, help_text="Expansions at most."
    )
    deeper = StrictBooleanField(default=False, help_text="Go on searching in the background.")
    par = StrictBooleanField(default=False, help_text="Look for the shortest line in the background.")
    rating = StrictBooleanField(default=False, help_text="Rate how hard a deal or layout is.")
    line_of_covered = StrictBooleanField(
        default=False, help_text="original-1883: give the line too, though it tells what is covered."
    )

    def validate(self, attrs: dict[str, Any]) -> dict[str, Any]:
        if ("deal" in attrs) == ("layout" in attrs):
            raise serializers.ValidationError({"deal": ["Give a deal or a layout, and not both."]})
        if attrs["sink_kings"] and "layout" not in attrs:
            raise serializers.ValidationError({"sink_kings": ["Only a layout’s kings can be sunk."]})
        return attrs


# Outputs


class FoundationsOutput(serializers.Serializer[Any]):
    C = serializers.IntegerField(min_value=0, max_value=13)
    D = serializers.IntegerField(min_value=0, max_value=13)
    H = serializers.IntegerField(min_value=0, max_value=13)
    S = serializers.IntegerField(min_value=0, max_value=13)


class ColumnsField(serializers.ListField):
    """Columns of card names, the top card last; `##` is a covered card."""

    def __init__(self, **kwargs: Any) -> None:
        card = serializers.RegexField(r"^([A23456789TJQK][CDHS]|##)$")
        super().__init__(child=serializers.ListField(child=card), **kwargs)


class DealtOutput(serializers.Serializer[Any]):
    """The deal as far as the player may know it; for original-1883 before any card was turned."""

    columns = ColumnsField()
    foundations = FoundationsOutput()


class HelpOutput(serializers.Serializer[Any]):
    """The help that the game's kind allows."""

    hint = serializers.BooleanField()
    verdict = serializers.BooleanField()
    solution = serializers.BooleanField()
    opens_at = serializers.DateTimeField(allow_null=True)


class ParOutput(serializers.Serializer[Any]):
    moves = serializers.IntegerField()
    proven = serializers.BooleanField()


class BoardOutput(serializers.Serializer[Any]):
    variant = serializers.CharField()
    date = serializers.DateField()
    number = serializers.IntegerField()


class GameOutput(serializers.Serializer[Any]):
    """A game as it stands. One that hasn't started has no id."""

    id = serializers.UUIDField(allow_null=True)
    variant = serializers.ChoiceField(choices=list(VARIANTS))
    kind = serializers.CharField()
    status = serializers.ChoiceField(choices=Game.Status.values)
    version = serializers.IntegerField(min_value=0)
    ply = serializers.IntegerField(min_value=0, max_value=MAX_PLIES)
    line = serializers.ListField(child=MoveField())
    redo = serializers.ListField(child=MoveField())
    columns = ColumnsField()
    foundations = FoundationsOutput()
    dealt = DealtOutput()
    legal = serializers.ListField(child=MoveField())
    stuck = serializers.BooleanField()
    deal = serializers.CharField(allow_null=True)
    board = BoardOutput(allow_null=True)
    source = serializers.ChoiceField(choices=Game.Source.values)  # type: ignore[assignment]
    helped = serializers.BooleanField()
    started_at = serializers.DateTimeField(allow_null=True)
    finished_at = serializers.DateTimeField(allow_null=True)
    seconds = serializers.IntegerField(min_value=0)
    par = ParOutput(allow_null=True)
    help = HelpOutput()
    streak = serializers.IntegerField(
        min_value=0, allow_null=True, help_text="ranked: games won in a row up to this one, it included."
    )
    replayed = serializers.BooleanField(
        required=False, help_text="True when this request had been carried out before."
    )


class ProofOutput(serializers.Serializer[Any]):
    """What it took to find a deal that can be won."""

    shuffles = serializers.IntegerField(min_value=1)
    ms = serializers.FloatField(min_value=0)
    expanded = serializers.IntegerField(min_value=0)


class DealtGameOutput(GameOutput):
    """A deal on the table; with `winnable` when one was asked for that is proved to be winnable."""

    winnable = ProofOutput(required=False)


class LayoutOutput(serializers.Serializer[Any]):
    """A layout that was understood, and the table it makes."""

    game = GameOutput()
    layout = serializers.CharField(help_text="The layout to start a game with.")
    text = serializers.CharField(help_text="What was understood, one line a column.")
    notes = serializers.ListField(child=serializers.CharField())
    kings_above = serializers.BooleanField(help_text="A king lies above another card.")


class GameSummaryOutput(serializers.Serializer[Any]):
    id = serializers.UUIDField()
    variant = serializers.ChoiceField(choices=list(VARIANTS))
    kind = serializers.CharField()
    status = serializers.ChoiceField(choices=Game.Status.values)
    ply = serializers.IntegerField(min_value=0, max_value=MAX_PLIES)
    home = serializers.IntegerField(min_value=0, max_value=52, help_text="Cards on the foundations.")
    deal = serializers.CharField(allow_null=True)
    board = BoardOutput(allow_null=True)
    source = serializers.ChoiceField(choices=Game.Source.values)  # type: ignore[assignment]
    helped = serializers.BooleanField()
    seconds = serializers.IntegerField(min_value=0)
    started_at = serializers.DateTimeField()
    last_move_at = serializers.DateTimeField(allow_null=True)
    finished_at = serializers.DateTimeField(allow_null=True)


class GamesOutput(serializers.Serializer[Any]):
    games = GameSummaryOutput(many=True)


class ErrorDetailOutput(serializers.Serializer[Any]):
    code = serializers.CharField(help_text="For machines.")
    message = serializers.CharField(help_text="For people.")
    detail = serializers.DictField()


class ErrorOutput(serializers.Serializer[Any]):
    """Every error has this shape."""

    error = ErrorDetailOutput()


# Help


class PendingOutput(serializers.Serializer[Any]):
    """Whether a search goes on, and after how many milliseconds to ask again."""

    pending = serializers.BooleanField()
    retry_ms = serializers.IntegerField(allow_null=True)
    outcome = serializers.ChoiceField(choices=Answer.Outcome.values)


class LostOutput(serializers.Serializer[Any]):
    """From `last_won_ply` the game could be won, at `first_lost_ply` it couldn’t; plies between aren’t decided."""

    last_won_ply = serializers.IntegerField(allow_null=True)
    first_lost_ply = serializers.IntegerField(allow_null=True)


class HintOutput(PendingOutput):
    """The next move of a line that wins, if there is one."""

    version = serializers.IntegerField(min_value=0)
    move = MoveField(allow_null=True)
    card = serializers.CharField(allow_null=True)
    target = serializers.CharField(allow_null=True, help_text="`home`, `empty`, or the card that it goes on.")
    moves_left = serializers.IntegerField(allow_null=True)
    why = serializers.CharField()
    back_to = LostOutput(allow_null=True)
    helped = serializers.BooleanField()


class VerdictOutput(PendingOutput):
    """Whether a game can still be won."""

    version = serializers.IntegerField(min_value=0)
    reason = serializers.CharField(allow_null=True)


class PostmortemOutput(PendingOutput, LostOutput):
    """Where a game was lost, and how it would have been won."""

    version = serializers.IntegerField(min_value=0)
    exact = serializers.BooleanField(help_text="The losing move is known.")
    losing_move = MoveField(allow_null=True)
    card = serializers.CharField(allow_null=True)
    target = serializers.CharField(allow_null=True)
    why = serializers.CharField()
    line = serializers.ListField(child=MoveField(), help_text="A line that wins from `last_won_ply`.")
    helped = serializers.BooleanField()


class BoundedParOutput(ParOutput):
    """The shortest line known, and how short it could be at best."""

    lower_bound = serializers.IntegerField(min_value=0)


class OpenPositionOutput(serializers.Serializer[Any]):
    """original-1883: the position that a line begins with, its covered cards named, lowest first."""

    columns = ColumnsField()
    covered = ColumnsField()
    foundations = FoundationsOutput()


class SolutionOutput(PendingOutput):
    """A line that wins from a ply, and the deal’s par."""

    version = serializers.IntegerField(min_value=0)
    ply = serializers.IntegerField(min_value=0)
    reason = serializers.CharField()
    line = serializers.ListField(child=MoveField(), allow_null=True)
    moves = serializers.IntegerField(allow_null=True)
    par = BoundedParOutput(allow_null=True)
    start = OpenPositionOutput(allow_null=True)
    helped = serializers.BooleanField()


class RatingOutput(serializers.Serializer[Any]):
    """How hard a deal is among those of its variant that can be won."""

    level = serializers.IntegerField(min_value=1, max_value=5)
    name = serializers.CharField()


class SolvedOutput(PendingOutput):
    """What is known of a deal, a layout or a position."""

    variant = serializers.ChoiceField(choices=list(VARIANTS))
    deal = serializers.CharField(allow_null=True)
    reason = serializers.CharField()
    move = MoveField(allow_null=True, help_text="The first move of a line that wins.")
    line = serializers.ListField(child=MoveField(), allow_null=True)
    moves = serializers.IntegerField(allow_null=True)
    expanded = serializers.IntegerField(min_value=0)
    par = BoundedParOutput(allow_null=True)
    rating = RatingOutput(allow_null=True)
    start = OpenPositionOutput(allow_null=True)
