"""Games as the API and the pages show them.

The one place where a game leaves the server, and so the one that hides covered cards: while a game of a covered
variant runs, a card that lies face down is `##` here, whatever is asked.
"""

from __future__ import annotations

from typing import Any

from bakers import answers, kinds
from bakers.days import Day
from bakers.games import Table, first_position
from bakers.models import Game
from bakers.players import Player
from bakers.rules.cards import CARD_NAMES, COVERED, SUITS
from bakers.rules.positions import Position
from bakers.rules.texts import summary
from bakers.rules.variants import VARIANTS, Variant


def game_state(table: Table) -> dict[str, Any]:
    """Return a game as docs/api.md describes it, the same from every call and in the page."""
    game, position = table.game, table.position
    running = game.status == Game.Status.OPEN
    allowed = kinds.get(game.kind).help_allowed(game)
    return {
        "id": str(game.pk) if game.is_stored else None,
        "variant": game.variant,
        "kind": game.kind,
        "status": game.status,
        "version": game.version,
        "ply": len(game.line) // 2,
        "line": _moves(game.line),
        "redo": _moves(game.redo),
        "columns": position.seen_columns() if running else _all_columns(position),
        "foundations": _foundations(position),
        "dealt": _dealt(game, position, running=running),
        "legal": [move.text for move in position.legal_moves] if running else [],
        "stuck": running and position.is_stuck(),
        "deal": shown_deal(game),
        "board": shown_board(game),
        "source": game.source,
        "helped": game.helped,
        "started_at": game.started_at.isoformat() if game.is_stored else None,
        "finished_at": None if game.finished_at is None else game.finished_at.isoformat(),
        "seconds": game.played_ms // 1000,
        "par": None if running else _par(game),
        "help": {
            "hint": allowed.hint,
            "verdict": allowed.verdict,
            "solution": allowed.solution,
            "opens_at": None if allowed.opens_at is None else allowed.opens_at.isoformat(),
        },
        "streak": kinds.get(game.kind).streak(game),
    }


def game_summary(game: Game) -> dict[str, Any]:
    """Return a game as a line of a list."""
    return {
        "id": str(game.pk),
        "variant": game.variant,
        "kind": game.kind,
        "status": game.status,
        "ply": len(game.line) // 2,
        "home": _cards_home(game),
        "deal": shown_deal(game),
        "board": shown_board(game),
        "source": game.source,
        "helped": game.helped,
        "seconds": game.played_ms // 1000,
        "started_at": game.started_at.isoformat(),
        "last_move_at": None if game.last_move_at is None else game.last_move_at.isoformat(),
        "finished_at": None if game.finished_at is None else game.finished_at.isoformat(),
    }


def game_record(game: Game) -> dict[str, Any]:
    """Return all that is kept of a game, as its owner may know it, without looking anything up."""
    running = game.status == Game.Status.OPEN
    position = Position.from_text(VARIANTS[game.variant], game.position)
    return {
        **game_summary(game),
        "first_move_at": None if game.first_move_at is None else game.first_move_at.isoformat(),
        "line": _moves(game.line),
        "redo": _moves(game.redo),
        "dealt": _dealt(game, position, running=running),
    }


def shown_deal(game: Game) -> str | None:
    """Return the deal number as far as the player may know it: some kinds hide it until the game ends."""
    return None if kinds.get(game.kind).hides_deal(game) else game.deal_number


def shown_board(game: Game) -> dict[str, Any] | None:
    """Return which board a game is the deal of, if it is one."""
    if game.board_day is None:
        return None
    return {
        "variant": game.variant,
        "date": game.board_day.isoformat(),
        "number": Day(game.board_day).number,
    }


def open_position(position: Position) -> dict[str, Any]:
    """Return a position with its covered cards named, for somebody who has asked to look at them."""
    return {
        "columns": position.seen_columns(),
        "covered": [
            [CARD_NAMES[card] for card in column[sunk : sunk + count]]
            for column, count, sunk in zip(position.columns, position.covered, position.sunk, strict=True)
        ],
        "foundations": _foundations(position),
    }


def variant_data(variant: Variant) -> dict[str, Any]:
    """Return a variant as the browser needs it."""
    return {
        "slug": variant.slug,
        "name": variant.name,
        "columns": variant.columns,
        "column_size": variant.column_size,
        "fill": variant.fill.value,
        "covered": variant.covered,
        "aces_start": bool(variant.aces_start),
        "summary": summary(variant),
    }


def _moves(packed: str) -> list[str]:
    return [packed[start : start + 2] for start in range(0, len(packed), 2)]


def _foundations(position: Position) -> dict[str, int]:
    return dict(zip(SUITS, position.foundations, strict=True))


def _all_columns(position: Position) -> list[list[str]]:
    return [[CARD_NAMES[card] for card in column] for column in position.columns]


def _dealt(game: Game, position: Position, *, running: bool) -> dict[str, Any]:
    """Return the deal as far as the player may know it.

    For a covered variant it lies as it was dealt, before any card turned, and each card that is covered now is
    hidden; so a browser can work out every earlier position, and none that it mustn't know.
    """
    dealt = Position.from_text(VARIANTS[game.variant], game.layout)
    columns = _all_columns(dealt)
    if running and VARIANTS[game.variant].covered:
        hidden = {CARD_NAMES[card] for card in position.covered_cards()}
        columns = [[COVERED if name in hidden else name for name in column] for column in columns]
    return {"columns": columns, "foundations": _foundations(dealt)}


def _par(game: Game) -> dict[str, Any] | None:
    """Return the par of an ended game's deal, if it is known and its owner may know it.

    Such a game may still be of a deal that others, or its owner in another game, are to solve by themselves.
    """
    owner, start = Player(user_id=game.user_id, guest=game.guest), first_position(game)
    if not kinds.get(game.kind).tells_par(game) and not kinds.allows_help(
        kinds.HelpRequest(owner, game.variant, start, game.deal_key, game), "solution"
    ):
        return None
    known = answers.find(start)
    par = None if known is None else known.par
    return None if par is None else {"moves": par.moves, "proven": par.proven}


def _cards_home(game: Game) -> int:
    return Position.from_text(VARIANTS[game.variant], game.position).cards_home()
