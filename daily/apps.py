"""A board a day."""

from django.apps import AppConfig


class DailyConfig(AppConfig):
    """Boards that are the same for everybody, and who won them."""

    name = "daily"
    verbose_name = "Daily boards"
    default_auto_field = "django.db.models.BigAutoField"

    def ready(self) -> None:
        """Plug in the kind, what guards its boards, its statistics, its share of an export, and the regular work."""
        from accounts import counted, privacy, sections  # noqa: PLC0415 (they use models, which are ready only now)
        from bakers import kinds, tasks  # noqa: PLC0415
        from daily import boards, days, kind, pars, profile_views, results  # noqa: PLC0415

        kinds.register(kind.Daily())
        kinds.register_guard(kind.guard)
        kinds.register_archive(kind.settled_deal)
        counted.count_kind(results.COUNTED)
        privacy.register_export("daily_results", results.export)
        sections.register_section("days", profile_views.section)
        tasks.register_regular(boards.look_ahead)
        tasks.register_regular(days.count_settled)
        tasks.register_regular(pars.look_for_par)
