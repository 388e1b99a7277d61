"""The game."""

from django.apps import AppConfig


class BakersConfig(AppConfig):
    """The app that deals, checks moves and keeps games."""

    name = "bakers"
    verbose_name = "Baker's Dozen"
    default_auto_field = "django.db.models.BigAutoField"
