"""Boards and leaderboards as the API and the pages show them; the one place where a board leaves the server."""

from __future__ import annotations

from typing import Any

from bakers.presenters import game_state
from bakers.rules.variants import Variant
from bakers.solver.ratings import NAMES as RATING_NAMES
from daily import calendars
from daily.calendars import Year
from daily.days import BoardView, Outcome
from daily.leaderboards import Entry
from daily.models import Result


def board_data(view: BoardView) -> dict[str, Any]:
    """Return a board as one player may see it."""
    board, day, par = view.board, view.day, view.par
    return {
        "variant": board.variant,
        "date": day.date.isoformat(),
        "number": day.number,
        "opens_at": day.opens_at.isoformat(),
        "closes_at": day.closes_at.isoformat(),
        "settles_at": day.settles_at.isoformat(),
        "now": view.now.isoformat(),
        "phase": view.phase.value,
        "rating": None if board.rating is None else rating_data(board.rating),
        "game": None if view.table is None else game_state(view.table),
        "result": None if view.result is None else result_data(view.result),
        "par": None if par is None else {"moves": par[0], "proven": par[1]},
        "outcome": None if view.outcome is None else outcome_data(view.outcome),
        "streak": {"current": view.streak, "best": view.best_streak},
    }


def rating_data(level: int) -> dict[str, Any]:
    """Return how hard a board is, as a number and in words."""
    return {"level": level, "name": RATING_NAMES[level - 1]}


def result_data(result: Result) -> dict[str, Any]:
    """Return what a player made of a board."""
    return {
        "won": result.won_at is not None,
        "first_move_at": result.first_move_at.isoformat(),
        "won_at": None if result.won_at is None else result.won_at.isoformat(),
        "moves": result.moves,
    }


def outcome_data(outcome: Outcome) -> dict[str, Any]:
    """Return what all players made of a board."""
    return {
        "players": outcome.players,
        "winners": outcome.winners,
        "moves": [{"moves": moves, "players": count} for moves, count in outcome.moves],
    }


def year_data(year: Year, variant: Variant) -> dict[str, Any]:
    """Return a player's year of a variant: as a picture, and what the table behind it says."""
    won = year.won.get(variant.slug, frozenset())
    return {
        "variant": variant.slug,
        "first": year.first.isoformat(),
        "last": year.last.isoformat(),
        "won": len(won),
        "picture": calendars.draw(year, won, f"Days of {variant.name} won in the last year"),
        "months": [
            {"name": row["name"], "won": row["count"], "days": row["days"]}
            for row in calendars.month_rows(year, won)
        ],
    }


def entry_data(entry: Entry) -> dict[str, Any]:
    """Return a row of a leaderboard."""
    return {
        "rank": entry.rank,
        "name": entry.name or None,
        "streak": entry.streak,
        "reached_at": entry.reached_at.isoformat(),
    }
