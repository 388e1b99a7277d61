"""How apps of others are set up here."""

from importlib import import_module

from django.contrib.admin.apps import SimpleAdminConfig


class StaffPagesConfig(SimpleAdminConfig):
    """Django's admin with a site of our own, and only what is registered there.

    Other apps bring pages of their own, which show keys and addresses.
    """

    default_site = "accounts.staff.StaffSite"

    def ready(self) -> None:
        """Register what staff may look at."""
        super().ready()
        for app in ("accounts", "daily"):
            import_module(f"{app}.admin")
