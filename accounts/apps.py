"""Players who signed up."""

from django.apps import AppConfig


class AccountsConfig(AppConfig):
    """The app that knows who somebody is."""

    name = "accounts"
    verbose_name = "Accounts"
    default_auto_field = "django.db.models.BigAutoField"

    def ready(self) -> None:
        """Plug in the ranked kind, what guards its deals, the statistics, and what is to be tidied."""
        from accounts import mailbox, pending, privacy, ranked, statistics, streak_check  # noqa: PLC0415 (they use models, which are ready only now)
        from bakers import kinds, tasks  # noqa: PLC0415

        kinds.register(ranked.Ranked())
        kinds.register_guard(ranked.guard)
        for kind in ("casual", ranked.SLUG):
            statistics.register_counter(
                kind, statistics.Counter(statistics.count_games(kind), streak_check.count_games(kind))
            )
        kinds.register_ledger(statistics.StatisticsLedger())
        privacy.register_erasure(mailbox.forget_mails)
        privacy.register_erasure(pending.forget_user)
        tasks.register_tidying(privacy.tidy_sign_ins)
        tasks.register_tidying(privacy.tidy_unconfirmed)
        tasks.register_tidying(pending.tidy_pending)
