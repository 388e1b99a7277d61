"""What stands in the database, for tests that nothing was changed or only what should be, and locks on it."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import psycopg
from django.apps import apps
from django.db import connection
from django.db.models import QuerySet


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


@contextmanager
def held_lock(held: QuerySet[Any]) -> Iterator[None]:
    """Lock these rows (in SQLite there is one lock, for all) from another connection, and make the site impatient."""
    settings = connection.get_connection_params()
    if connection.vendor == "sqlite":
        with connection.cursor() as cursor:
            cursor.execute("PRAGMA busy_timeout = 20")
        other: Any = sqlite3.connect(settings["database"], isolation_level=None)
        other.execute("BEGIN IMMEDIATE")
    else:
        with connection.cursor() as cursor:
            cursor.execute("SET lock_timeout = '20ms'")
        names = {"dbname", "user", "host", "port", "password"}
        other = psycopg.connect(**{name: settings[name] for name in names & settings.keys()})
        statement, values = held.query.sql_with_params()
        other.execute(f"{statement} FOR UPDATE", values)
    try:
        yield
    finally:
        other.rollback() if connection.vendor == "postgresql" else other.execute("ROLLBACK")
        other.close()
        if connection.vendor == "postgresql":
            with connection.cursor() as cursor:
                cursor.execute("RESET lock_timeout")
        connection.close()
