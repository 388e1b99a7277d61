"""What stands in the database, for tests that nothing was changed, or only what should be."""

from __future__ import annotations

from typing import Any

from django.apps import apps


def rows() -> dict[str, list[dict[str, Any]]]:
    """Return every row of every table that holds any."""
    tables = {
        model._meta.label: list(model._default_manager.order_by("pk").values()) for model in apps.get_models()
    }
    # Filled by migrations, and the same in every test.
    del tables["contenttypes.ContentType"], tables["auth.Permission"]
    return {label: table for label, table in tables.items() if table}


def counts() -> dict[str, int]:
    """Return how many rows each table holds that holds any."""
    return {label: len(table) for label, table in rows().items()}
