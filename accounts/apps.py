"""Players who signed up."""

from django.apps import AppConfig


class AccountsConfig(AppConfig):
    """The app that knows who somebody is."""

    name = "accounts"
    verbose_name = "Accounts"
    default_auto_field = "django.db.models.BigAutoField"
