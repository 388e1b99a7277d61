"""Ranked games: a random deal that can be won, its number hidden and no help with it until the game ends.

Whoever wins one after the other has a streak. So that it says something about play, the help of this site is closed
to the deal, wherever it comes from and whatever it is dressed up as. (Another solver can't be kept out of a game whose
cards lie open; hence streaks are ranked, and times never.)
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NoReturn

from django.db.models import Q
from django.utils.translation import gettext as _

from accounts import statistics
from bakers.games import deal_key
from bakers.kinds import Help, HelpRequest, Kind, Start
from bakers.models import Game
from bakers.problems import HelpRefused, Invalid, Problem, SignInRequired
from bakers.resemblance import appearances, resembles
from bakers.rules.positions import Position

if TYPE_CHECKING:
    from bakers.games import Table
    from bakers.players import Player

SLUG = "ranked"


class RankedOpen(Problem):
    """A ranked game of this variant has been begun; `detail` has its id and the streak at stake, and the game."""

    code = "ranked_open"
    status = 409


class Ranked(Kind):
    """Games that count for the streak; one at a time in each variant."""

    slug = SLUG
    shows_deal = False
    deals_winnable = True
    one_at_a_time = True

    def may_start(self, *, player: Player, start: Start) -> None:
        """Refuse guests, and any deal that somebody chose."""
        if player.user_id is None:
            raise SignInRequired(_("Ranked games are for players who have signed in."))
        if start.deal_number is not None or start.has_layout or start.from_game:
            raise Invalid(
                _("The deal of a ranked game can’t be chosen."),
                detail={"fields": {"kind": [_("Leave out deal, layout and from_game.")]}},
            )

    def refuse_second(self, table: Table) -> NoReturn:
        """Name the game in the way and the streak that would end with it."""
        game = table.game
        raise RankedOpen(
            _("You have begun a ranked game of this variant. Starting another one loses it."),
            detail={"id": str(game.pk), "streak": self.streak(game)},
            table=table,
        )

    def help_allowed(self, game: Game | None) -> Help:
        """Allow help once the game has ended."""
        has_ended = game is not None and game.status != Game.Status.OPEN
        return Help(hint=has_ended, verdict=has_ended, solution=has_ended)

    def streak(self, game: Game) -> int:
        """Return the streak that is at stake, that the game made, or that it ended."""
        if game.user_id is None:
            return 0
        if game.status == Game.Status.OPEN:
            return statistics.streak_at_stake(game.user_id, game.variant)
        return statistics.streak_up_to(game)


def guard(request: HelpRequest) -> None:
    """Refuse help with the deal of anybody's open ranked game, and with what comes from the caller's own.

    Raises:
        HelpRefused: without a time: the help opens when the game ends.
    """
    keys = {deal_key(request.position.columns), request.deal_key} - {None}
    user_id = None if request.player is None else request.player.user_id
    guarded = Q(deal_key__in=keys) if user_id is None else Q(deal_key__in=keys) | Q(user_id=user_id)
    looks = appearances(request.position)
    games = Game.objects.filter(guarded, kind=SLUG, status=Game.Status.OPEN)
    for key, owner, variant, layout in games.values_list("deal_key", "user_id", "variant", "layout"):
        own = user_id is not None and owner == user_id
        dealt = Position.from_text(variant, layout).columns
        if key in keys or (own and any(resembles(look, dealt) for look in looks)):
            raise HelpRefused(_("There is no help with a ranked game until it ends."))
