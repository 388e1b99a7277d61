"""Players who signed up."""

from django.apps import AppConfig


class AccountsConfig(AppConfig):
    """The app that knows who somebody is."""

    name = "accounts"
    verbose_name = "Accounts"
    default_auto_field = "django.db.models.BigAutoField"

    def ready(self) -> None:
        """Plug in the ranked kind, what guards its deals, the statistics, and what is to be tidied."""
        from accounts import counted, mailbox, pending, privacy, ranked, statistics, streak_check  # noqa: PLC0415 (they use models, which are ready only now)
        from bakers import kinds, tasks  # noqa: PLC0415

        kinds.register(ranked.Ranked())
        kinds.register_guard(ranked.guard)
        for slug, name, streak, counts_left in (
            ("casual", "Casual", "casual games won in a row", True),
            (ranked.SLUG, "Ranked", "ranked games won in a row", False),
        ):
            of_player, of_everybody = statistics.count_games(slug), streak_check.count_games(slug)
            counted.count_kind(counted.Counted(slug, name, streak, of_player, of_everybody, counts_left))
        kinds.register_ledger(statistics.StatisticsLedger())
        privacy.register_erasure(mailbox.forget_mails)
        privacy.register_erasure(pending.forget_user)
        tasks.register_tidying(privacy.tidy_sign_ins)
        tasks.register_tidying(privacy.tidy_unconfirmed)
        tasks.register_tidying(pending.tidy_pending)
