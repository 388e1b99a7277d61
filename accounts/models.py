"""The user model."""

import uuid
from typing import Any, ClassVar

from django.contrib.auth.models import AbstractBaseUser, PermissionsMixin
from django.db import models
from django.db.models.functions import Lower
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
    is_staff = models.BooleanField(_("staff"), default=False)
    is_active = models.BooleanField(_("active"), default=True)
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
        ]

    def __str__(self) -> str:
        """Return the public id: an address would end up in logs."""
        return str(self.public_id)
