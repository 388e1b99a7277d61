"""Compare the stored statistics with the games, or mend them."""

from __future__ import annotations

from typing import Any

from django.core.management.base import BaseCommand, CommandError, CommandParser

from accounts import listing, streak_check


class Command(BaseCommand):
    """Says what differs and ends with 1 (`--check`), or computes it anew (`--rebuild`)."""

    help = (
        "Statistics and streaks are kept beside the games that they are counted from. --check compares them with what "
        "the database counts, and who is listed with what players chose, and ends with 1 if they differ; --rebuild "
        "computes anew what differs. Both are safe while the site runs."
    )

    def add_arguments(self, parser: CommandParser) -> None:
        """Take one of the two."""
        wish = parser.add_mutually_exclusive_group(required=True)
        wish.add_argument("--check", action="store_true", help="Compare, and change nothing.")
        wish.add_argument("--rebuild", action="store_true", help="Compute anew what differs.")

    def handle(self, *args: Any, **options: Any) -> None:
        """Do the one or the other."""
        if options["rebuild"]:
            self.stdout.write(f"Computed anew: {streak_check.rebuild()}.")
            return
        found = [str(difference) for difference in streak_check.differences()]
        found += [f"user {row.user_id}, {row}: not listed as chosen" for row in listing.find_wrong()]
        for difference in found:
            self.stderr.write(difference)
        if found:
            raise CommandError(f"Differences: {len(found)}. Mend them with: manage.py streaks --rebuild")
        self.stdout.write("All statistics are as the games say.")
