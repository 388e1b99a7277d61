"""Sections that other apps add to the page of a player's statistics."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from accounts.models import User


@dataclass(frozen=True)
class Section:
    """A part of the page: its template, and what that finds as `section`."""

    template: str
    context: dict[str, Any]


#: Returns a section about a user, or None where there is nothing to show.
Author = Callable[[User], Section | None]

_authors: dict[str, Author] = {}


def register_section(name: str, author: Author) -> None:
    """Add a section after the others, from an app's `ready()`; the same name again replaces the one before."""
    _authors[name] = author


def sections(user: User) -> list[Section]:
    """Return the sections about a user, in the order in which they were registered."""
    return [found for author in _authors.values() if (found := author(user)) is not None]
