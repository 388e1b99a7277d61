"""The user model."""

import uuid
from typing import Any, ClassVar

from django.contrib.auth.models import AbstractBaseUser, PermissionsMixin
from django.db import models
from django.db.models import F
from django.db.models.functions import Lower
from django.utils.crypto import salted_hmac
from django.utils.translation import gettext_lazy as _

from accounts.managers import UserManager
from config import clock


class LowerCaseEmailField(models.EmailField[str, str]):
    """An e-mail address kept in lower case, and compared so: one mailbox is one account."""

    def get_prep_value(self, value: Any) -> Any:
        """Lower the case of whatever is stored or looked up."""
        prepared = super().get_prep_value(value)
        return prepared.lower() if isinstance(prepared, str) else prepared

    def pre_save(self, model_instance: models.Model, add: bool) -> Any:
        """Let the object show what is stored."""
        value = self.get_prep_value(super().pre_save(model_instance, add))
        setattr(model_instance, self.attname, value)
        return value


class User(AbstractBaseUser, PermissionsMixin):
    """Somebody who signed up; their e-mail address is their sign-in name."""

    public_id = models.UUIDField(_("public id"), default=uuid.uuid4, unique=True, editable=False)
    email = LowerCaseEmailField(
        _("e-mail address"),
        unique=True,
        error_messages={"unique": _("There is an account with this e-mail address already.")},
    )
    # What others see; chosen after signing up, and kept with the key by which look-alikes are told.
    display_name = models.CharField(_("display name"), max_length=24, default="", db_default="", blank=True)
    name_key = models.CharField(max_length=128, null=True, blank=True, unique=True)
    is_listed = models.BooleanField(_("listed on leaderboards"), default=False, db_default=False)
    is_staff = models.BooleanField(_("staff"), default=False)
    is_active = models.BooleanField(_("active"), default=True)
    # One more each time everybody is signed out: sessions and codes from before have no force then.
    generation = models.PositiveIntegerField(default=0, db_default=0, editable=False)
    date_joined = models.DateTimeField(_("date joined"), default=clock.now, editable=False)

    objects: ClassVar[UserManager] = UserManager()

    USERNAME_FIELD = "email"
    EMAIL_FIELD = "email"
    REQUIRED_FIELDS: ClassVar[list[str]] = []

    class Meta:
        verbose_name = _("user")
        verbose_name_plural = _("users")
        constraints = [
            # With the unique column this makes addresses unique without regard to case, whoever writes the row.
            models.CheckConstraint(
                condition=models.Q(email=Lower("email")), name="accounts_user_email_lower_case"
            ),
            models.CheckConstraint(
                condition=models.Q(display_name="", name_key__isnull=True, is_listed=False)
                | (~models.Q(display_name="") & models.Q(name_key__isnull=False)),
                name="accounts_user_named_with_key",
            ),
        ]

    def __str__(self) -> str:
        """Return the public id: an address would end up in logs."""
        return str(self.public_id)

    def _get_session_auth_hash(self, secret: str | None = None) -> str:
        # What Django compares a session with: there it changes with the password alone.
        return salted_hmac(
            "accounts.models.User", f"{self.password} {self.generation}", secret=secret, algorithm="sha256"
        ).hexdigest()


class PendingCode(models.Model):
    """Where something waits for a code, with an address in it; `accounts.pending` alone writes here."""

    session_key = models.CharField(max_length=40)
    # A keyed hash.
    address = models.CharField(max_length=64)
    since = models.DateTimeField()

    class Meta:
        verbose_name = _("pending code")
        verbose_name_plural = _("pending codes")
        constraints = [
            models.UniqueConstraint(name="accounts_pending_once", fields=["session_key", "address"]),
        ]
        indexes = [
            models.Index(name="accounts_pending_address", fields=["address"]),
            models.Index(name="accounts_pending_age", fields=["since"]),
        ]

    def __str__(self) -> str:
        return str(self.pk)


class Preferences(models.Model):
    """A player's settings, which follow the account to every browser. `accounts.preferences` alone writes here."""

    user = models.OneToOneField(User, on_delete=models.CASCADE, primary_key=True, related_name="preferences")
    # By name; what isn't there has its default.
    values = models.JSONField(default=dict)

    class Meta:
        verbose_name = _("settings of a player")
        verbose_name_plural = _("settings of players")

    def __str__(self) -> str:
        return str(self.user)


class Statistics(models.Model):
    """How a player's ended games of one variant and kind went.

    A cache: it is computed from the games, under this row's lock, by `accounts.statistics`, which alone writes here.
    """

    user = models.ForeignKey(User, on_delete=models.CASCADE, related_name="statistics")
    variant = models.CharField(max_length=32)
    kind = models.CharField(max_length=16)
    played = models.PositiveIntegerField(default=0)
    won = models.PositiveIntegerField(default=0)
    # Consecutive games won up to the last one, and the most there ever were.
    streak = models.PositiveIntegerField(default=0)
    best_streak = models.PositiveIntegerField(default=0)
    # When the present and the best streak became as long as they are.
    streak_at = models.DateTimeField(null=True, blank=True)
    best_streak_at = models.DateTimeField(null=True, blank=True)
    # Of boards, the number of the last one that was won: a streak of days lives only as long as days follow.
    last_number = models.PositiveIntegerField(null=True, blank=True)
    # When the last result came, by which a player counts as still playing.
    last_at = models.DateTimeField(null=True, blank=True)
    # The name under which leaderboards show the player, and its key; `accounts.listing` keeps them.
    listed_as = models.CharField(max_length=24, default="", db_default="", blank=True)
    listed_key = models.CharField(max_length=128, default="", db_default="", blank=True)

    class Meta:
        verbose_name = _("statistics")
        verbose_name_plural = _("statistics")
        constraints = [
            models.UniqueConstraint(name="accounts_statistics_once", fields=["user", "variant", "kind"]),
            models.CheckConstraint(
                name="accounts_statistics_possible",
                condition=models.Q(won__lte=models.F("played"))
                & models.Q(streak__lte=models.F("best_streak"))
                & models.Q(best_streak__lte=models.F("won")),
            ),
        ]
        indexes = [
            # Leaderboards walk through these in their own order, and find in them all that they show.
            models.Index(
                F("kind"),
                F("variant"),
                F("best_streak").desc(),
                F("best_streak_at"),
                F("listed_key"),
                name="accounts_statistics_best",
                include=["listed_as"],
                condition=models.Q(best_streak__gt=0, listed_key__gt=""),
            ),
            # The last column passes over who plays no longer without a look at their rows.
            models.Index(
                F("kind"),
                F("variant"),
                F("streak").desc(),
                F("streak_at"),
                F("listed_key"),
                F("last_at"),
                name="accounts_statistics_present",
                include=["listed_as"],
                condition=models.Q(streak__gt=0, last_number__isnull=True, listed_key__gt=""),
            ),
            # A streak of days that is alive ends on one of two or three boards.
            models.Index(
                F("kind"),
                F("variant"),
                F("last_number"),
                F("streak").desc(),
                F("streak_at"),
                F("listed_key"),
                name="accounts_statistics_days",
                include=["listed_as"],
                condition=models.Q(streak__gt=0, last_number__isnull=False, listed_key__gt=""),
            ),
        ]

    def __str__(self) -> str:
        return f"{self.user} {self.variant} {self.kind}"
