"""What staff may look at, and the little that they may do: by the same use cases as everybody."""

from __future__ import annotations

from typing import Any

from django.contrib import admin, messages
from django.db.models import Model, QuerySet
from django.http import HttpRequest, HttpResponse
from django.template.response import TemplateResponse
from django.utils.translation import gettext_lazy as _

from accounts import privacy
from accounts.models import Statistics, User
from bakers import kinds
from bakers.models import Game


class ReadOnlyAdmin(admin.ModelAdmin[Any]):
    """Shows rows to staff and changes none; what is done to them is an action."""

    list_per_page = 50
    show_full_result_count = False

    def get_urls(self) -> list[Any]:
        """Leave the addresses of what nobody may do out."""
        kept = {
            f"{self.opts.app_label}_{self.opts.model_name}_{page}"
            for page in ("changelist", "change", "history")
        }
        return [each for each in super().get_urls() if each.name in kept]

    def lookup_allowed(self, lookup: str, value: str, request: HttpRequest | None = None) -> bool:
        """Filter by what the page offers alone: any other question about a column would read what isn't shown."""
        return lookup.removesuffix("__exact") in self.list_filter

    def has_view_permission(self, request: HttpRequest, obj: Model | None = None) -> bool:
        """Let all staff look."""
        return self._is_staff(request)

    def has_module_permission(self, request: HttpRequest) -> bool:
        """Let all staff find the pages."""
        return self._is_staff(request)

    def has_add_permission(self, request: HttpRequest, obj: Model | None = None) -> bool:
        """Let nobody."""
        return False

    def has_change_permission(self, request: HttpRequest, obj: Model | None = None) -> bool:
        """Let nobody."""
        return False

    def has_delete_permission(self, request: HttpRequest, obj: Model | None = None) -> bool:
        """Let nobody."""
        return False

    @staticmethod
    def _is_staff(request: HttpRequest) -> bool:
        return request.user.is_active and request.user.is_staff


@admin.register(User)
class UserAdmin(ReadOnlyAdmin):
    """Players; their addresses show on the page of one alone."""

    list_display = ("public_id", "display_name", "is_active", "is_staff", "is_listed", "date_joined")
    list_filter = ("is_active", "is_staff", "is_listed")
    # Whoever writes in gives their address; it finds the player without being shown.
    search_fields = ("=email", "=public_id", "display_name")
    ordering = ("-date_joined",)
    fields = (
        "public_id", "email", "display_name", "is_listed", "is_active", "is_staff", "is_superuser", "date_joined",
        "last_login",
    )  # fmt: skip
    actions = ("deactivate", "reactivate", "erase")

    def has_deactivate_permission(self, request: HttpRequest) -> bool:
        """Let those who may change users."""
        return request.user.has_perm("accounts.change_user")

    def has_erase_permission(self, request: HttpRequest) -> bool:
        """Let those who may delete users."""
        return request.user.has_perm("accounts.delete_user")

    @admin.action(description=_("Keep out, and sign out everywhere"), permissions=["deactivate"])
    def deactivate(self, request: HttpRequest, users: QuerySet[User]) -> None:
        """Deactivate users."""
        done = sum(privacy.deactivate(user_id=pk) for pk in self._others(request, users))
        self._say(request, _("%(count)d players are kept out now."), done)

    @admin.action(description=_("Let in again"), permissions=["deactivate"])
    def reactivate(self, request: HttpRequest, users: QuerySet[User]) -> None:
        """Reactivate users."""
        done = sum(privacy.reactivate(user_id=pk) for pk in self._others(request, users))
        self._say(request, _("%(count)d players are let in again."), done)

    @admin.action(description=_("Delete the account and everything about it"), permissions=["erase"])
    def erase(self, request: HttpRequest, users: QuerySet[User]) -> HttpResponse | None:
        """Delete accounts, once the page that says what goes was answered."""
        chosen = self._others(request, users)
        if chosen and "sure" not in request.POST:
            context = {
                **self.admin_site.each_context(request),
                "title": _("Delete accounts"),
                "opts": self.opts,
                "users": User.objects.filter(pk__in=chosen).order_by("pk"),
            }
            return TemplateResponse(request, "admin/erase_users.html", context)
        done = sum(privacy.erase(user_id=pk) for pk in chosen)
        self._say(request, _("%(count)d accounts are deleted."), done)
        return None

    def _others(self, request: HttpRequest, users: QuerySet[User]) -> list[int]:
        """Return the chosen users but for whoever asks, who has a page of their own for that."""
        return list(users.exclude(pk=request.user.pk or 0).order_by("pk").values_list("pk", flat=True))

    def _say(self, request: HttpRequest, sentence: Any, count: int) -> None:
        self.message_user(request, sentence % {"count": count}, messages.SUCCESS)


@admin.register(Game)
class GameAdmin(ReadOnlyAdmin):
    """Games. Of one that goes on, or whose deal is still to be hidden, neither deal nor cards: staff play, too."""

    list_display = ("id", "variant", "kind", "status", "moves", "helped", "started_at", "finished_at")
    list_filter = ("status", "kind", "variant", "helped")
    search_fields = ("=id", "=user__public_id")
    ordering = ("-started_at",)
    fields = (
        "id", "owner", "variant", "kind", "source", "status", "version", "moves", "helped", "deal", "first_position",
        "played_line", "started_at", "first_move_at", "last_move_at", "finished_at", "seconds",
    )  # fmt: skip
    readonly_fields = ("owner", "moves", "deal", "first_position", "played_line", "seconds")

    def get_queryset(self, request: HttpRequest) -> QuerySet[Game]:
        """Bring the owners along."""
        return super().get_queryset(request).select_related("user")

    @admin.display(description=_("player"))
    def owner(self, game: Game) -> str:
        """Return the public id of a user; guests have none."""
        return "–" if game.user is None else str(game.user)

    @admin.display(description=_("moves"))
    def moves(self, game: Game) -> int:
        """Return the length of the line."""
        return len(game.line) // 2

    @admin.display(description=_("deal"))
    def deal(self, game: Game) -> str:
        """Return the deal number of an ended game."""
        return self._once_ended(game, game.deal_number or "–")

    @admin.display(description=_("as dealt"))
    def first_position(self, game: Game) -> str:
        """Return the layout of an ended game."""
        return self._once_ended(game, game.layout)

    @admin.display(description=_("line"))
    def played_line(self, game: Game) -> str:
        """Return the moves of an ended game."""
        return self._once_ended(game, game.line or "–")

    @admin.display(description=_("seconds"))
    def seconds(self, game: Game) -> int:
        """Return the time at the table."""
        return game.played_ms // 1000

    def _once_ended(self, game: Game, text: str) -> str:
        if game.status == Game.Status.OPEN:
            return str(_("shown when the game has ended"))
        # A board that has been won by one is still to be won by others.
        if kinds.get(game.kind).hides_deal(game):
            return str(_("shown when the board has settled"))
        return text


@admin.register(Statistics)
class StatisticsAdmin(ReadOnlyAdmin):
    """Results by player, variant and kind."""

    list_display = ("user", "variant", "kind", "played", "won", "streak", "best_streak")
    list_filter = ("kind", "variant")
    search_fields = ("=user__public_id",)
    ordering = ("user", "variant", "kind")
    list_select_related = ("user",)
