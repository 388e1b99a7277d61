"""The game's app."""

from importlib import import_module

from django.apps import AppConfig


class BakersConfig(AppConfig):
    """Games and their rules; plugs in the kinds that anyone may play."""

    name = "bakers"
    verbose_name = "Baker’s Dozen"

    def ready(self) -> None:
        """Register the kinds of this app and its checks."""
        from bakers import kinds  # noqa: PLC0415 (kinds may come to use models, which are ready only now)

        import_module("bakers.api.schema")
        kinds.register(kinds.Casual())
        kinds.register(kinds.Practice())
