"""Figures, periods and games as the rows of tables that people read."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from accounts import charts
from accounts.figures import AgainstPar, Figures, Period
from bakers.models import Game
from bakers.presenters import shown_board, shown_deal
from bakers.rules.variants import VARIANTS

#: Stands where there is nothing to count yet.
NONE = "–"
#: The names of kinds that don't count for statistics; the others bring their own.
_KIND_NAMES = {"practice": "Practice"}


def percent(rate: float | None) -> str:
    """Return a share of 0 to 1 in words, as in "66.7 %"."""
    return NONE if rate is None else f"{100 * rate:.1f} %"


def clock_text(milliseconds: float | None) -> str:
    """Return a time at the table as its clock shows it: "4:07", "1:02:33"."""
    if milliseconds is None:
        return NONE
    minutes, seconds = divmod(int(milliseconds) // 1000, 60)
    hours, minutes = divmod(minutes, 60)
    return f"{hours}:{minutes:02}:{seconds:02}" if hours else f"{minutes}:{seconds:02}"


def over_par(over: float) -> str:
    """Return a number of moves over par with its sign: "+3.5", "−1", "par"."""
    if over == 0:
        return "par"
    text = f"{over:+,}" if isinstance(over, int) else f"{over:+,.1f}"
    return text.replace("-", "−")


def kind_name(slug: str, names: dict[str, str]) -> str:
    """Return a kind's name on screen, by the names of those that count."""
    return names.get(slug) or _KIND_NAMES.get(slug, slug.capitalize())


def figures_rows(columns: Sequence[Figures]) -> list[dict[str, Any]]:
    """Return the figures of one variant, a row each, with a cell for every kind in `columns`."""
    return [
        _row("Played", columns, lambda each: f"{each.played:,}"),
        _row("Won", columns, lambda each: f"{each.won:,}"),
        _row("Win rate", columns, lambda each: percent(each.win_rate)),
        {
            "name": "Streak now",
            "cells": [{"text": f"{each.streak:,}", "hint": each.kind.streak} for each in columns],
        },
        {
            "name": "Longest streak",
            "cells": [
                {"text": f"{each.best_streak:,}", "hint": each.kind.streak, "at": each.best_streak_at}
                for each in columns
            ],
        },
        _row(
            "Fewest moves",
            columns,
            lambda each: NONE if each.fewest_moves is None else f"{each.fewest_moves:,}",
            hint="won without help",
        ),
        _row("Best time", columns, lambda each: clock_text(each.best_ms), hint="won without help"),
        _row("Average time", columns, lambda each: clock_text(each.average_ms), hint="of all wins"),
        {
            "name": "Moves against par",
            "hint": "won without help, on average",
            "cells": [_par_cell(each.par) for each in columns],
        },
        {
            "name": "Best against par",
            "hint": "won without help",
            "cells": [{"text": NONE if each.par is None else over_par(each.par.best)} for each in columns],
        },
    ]


def period_rows(periods: Sequence[Period]) -> list[dict[str, Any]]:
    """Return the table behind the picture of win rates."""
    return [
        {
            "name": charts.period_name(each),
            "played": f"{each.played:,}",
            "won": f"{each.won:,}",
            "rate": percent(each.win_rate),
            "so_far": percent(each.win_rate_so_far),
        }
        for each in periods
    ]


def game_row(game: Game, names: dict[str, str]) -> dict[str, Any]:
    """Return an ended game as a list and the page of its replay show it; `names` are those of kinds that count."""
    moves = len(game.line) // 2
    return {
        "id": game.pk,
        "variant": game.variant,
        "variant_name": VARIANTS[game.variant].name,
        "deal": shown_deal(game),
        "board": shown_board(game),
        "kind": kind_name(game.kind, names),
        "status": game.status,
        "result": "Won" if game.status == Game.Status.WON else "Lost",
        "moves": moves,
        "moves_text": f"{moves:,}",
        "time": clock_text(game.played_ms),
        "helped": game.helped,
        "finished_at": game.finished_at,
    }


def par_words(game: Game, par: dict[str, Any] | None) -> str:
    """Return par of an ended game's deal in words, and a won game's moves against it; empty as long as it isn't known.

    The same words as `static/js/par.js` has.
    """
    if par is None:
        return ""
    known = f"par {par['moves']}, proven" if par["proven"] else f"best known {par['moves']}"
    if game.status != Game.Status.WON:
        return known
    over = len(game.line) // 2 - par["moves"]
    if over > 0:
        return f"{over} over {known}"
    than = "par" if par["proven"] else "the best known line"
    if over < 0:
        return f"{-over} fewer than {than}, {par['moves']}"
    return "as few as can be" if par["proven"] else "as few as the best known line"


def _row(name: str, columns: Sequence[Figures], text: Any, *, hint: str = "") -> dict[str, Any]:
    return {"name": name, "hint": hint, "cells": [{"text": text(each)} for each in columns]}


def _par_cell(par: AgainstPar | None) -> dict[str, Any]:
    if par is None:
        return {"text": NONE}
    of = "1 win" if par.games == 1 else f"{par.games:,} wins"
    return {"text": over_par(par.average), "hint": f"of {of} with a known par, {par.at_par:,} at par"}
