"""Players who signed up."""

from django.apps import AppConfig


class AccountsConfig(AppConfig):
    """The app that knows who somebody is."""

    name = "accounts"
    verbose_name = "Accounts"
    default_auto_field = "django.db.models.BigAutoField"

    def ready(self) -> None:
        """Plug in what is to be tidied."""
        from accounts import privacy  # noqa: PLC0415 (it uses models, which are ready only now)
        from bakers import tasks  # noqa: PLC0415

        tasks.register_tidying(privacy.tidy_sign_ins)
