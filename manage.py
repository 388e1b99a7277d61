#!/usr/bin/env python
"""Django's command line for this site."""

import os
import sys


def main() -> None:
    """Run the management command named on the command line."""
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings")
    # Error pages with source code and settings are for the development server alone.
    if sys.argv[1:2] == ["runserver"]:
        os.environ.setdefault("DEBUG", "true")
    from django.core.exceptions import ImproperlyConfigured  # noqa: PLC0415 (settings come first)
    from django.core.management import execute_from_command_line  # noqa: PLC0415

    try:
        execute_from_command_line(sys.argv)
    except ImproperlyConfigured as error:
        # For whoever runs the site: what is wrong with its settings, without the way there.
        sys.exit(f"The site can't run with these settings. {error}")


if __name__ == "__main__":
    main()
