"""Positions: what lies where after some moves, which moves there are, and playing them.

`push` and `pop` are fast and check nothing; `play` and `parse` are their checked counterparts and explain what is
wrong. The rules stand in docs/rules.md.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Iterator, Sequence

from .cards import (
    CARD_NAMES,
    CARDS_BY_NAME,
    COVERED,
    KING,
    RANK_NAMES,
    RANKS,
    SUIT_NAMES,
    Card,
    parse_card,
    rank_of,
    rank_with_article,
    shorten,
    suit_of,
)
from .errors import AmbiguousMoveError, IllegalMoveError, UnreadableError
from .moves import COLUMN_CHARS, HOME, HOME_CHAR, MOVES, MOVES_BY_TEXT, Move, parse_line, parse_move
from .variants import Fill, Variant, get_variant

_KING_INDEX = KING - 1
_FOUNDATION_CHARS = "0" + RANKS
_NOTHING_TURNED = -1
_FOUNDATION_RANKS = {char: rank for rank, char in enumerate(_FOUNDATION_CHARS)}


class Position:
    """Columns and foundations, changed by `push` and `pop`.

    Attributes:
        variant: the rules.
        columns: for each column its cards, the top card last.
        foundations: for each suit, in the order clubs, diamonds, hearts, spades, how many cards are home.
        covered: for each column how many of its cards lie face down. They lie together, on the sunk kings.
        sunk: for each column how many kings were turned up and put at its bottom.

    Two positions are equal when a player sees no difference and none can come: variant, columns, foundations and
    covered cards; how they were reached doesn't matter.
    """

    __slots__ = ("_stack", "columns", "covered", "foundations", "sunk", "variant")

    def __init__(
        self,
        variant: Variant,
        columns: Iterable[Iterable[Card]],
        foundations: Sequence[int] = (0, 0, 0, 0),
        *,
        covered: Sequence[int] | None = None,
        sunk: Sequence[int] | None = None,
    ) -> None:
        self.variant = variant
        self.columns: list[list[Card]] = [list(column) for column in columns]
        self.foundations: list[int] = list(foundations)
        self.covered: list[int] = list(covered) if covered is not None else [0] * len(self.columns)
        self.sunk: list[int] = list(sunk) if sunk is not None else [0] * len(self.columns)
        # For each move pushed: the move, its card, and what it turned up (see `_turn`).
        self._stack: list[tuple[Move, Card, int]] = []

    @classmethod
    def dealt(
        cls, variant: Variant, columns: Iterable[Iterable[Card]], foundations: Sequence[int] = (0, 0, 0, 0)
    ) -> Position:
        """The first position of a layout that lies as given; a covered variant turns its top cards up."""
        position = cls(variant, columns, foundations)
        if variant.covered:
            position.covered = [len(column) for column in position.columns]
            for index in range(len(position.columns)):
                position._turn(index)
        return position

    # What is true of a position

    @property
    def legal_moves(self) -> LegalMoves:
        """A lazy view of the legal moves: iterate, ask `move in`, `bool` or `count()`, without building a list."""
        return LegalMoves(self)

    def is_won(self) -> bool:
        """Whether all 52 cards are home."""
        return self.foundations == [KING, KING, KING, KING]

    def is_stuck(self) -> bool:
        """Whether no legal move is left. A won position isn't called stuck."""
        return not self.is_won() and not self.legal_moves

    @property
    def ply(self) -> int:
        """How many moves were pushed and not popped."""
        return len(self._stack)

    @property
    def line(self) -> list[Move]:
        """The moves pushed and not popped."""
        return [entry[0] for entry in self._stack]

    def cards_home(self) -> int:
        """How many cards are on the foundations, 0–52."""
        return sum(self.foundations)

    def is_covered(self, column: int, index: int) -> bool:
        """Whether the card at that index of a column, from the bottom, lies face down."""
        return self.sunk[column] <= index < self.sunk[column] + self.covered[column]

    def covered_cards(self) -> set[Card]:
        """All cards that lie face down."""
        hidden: set[Card] = set()
        for column, count, sunk in zip(self.columns, self.covered, self.sunk, strict=True):
            if count:
                hidden.update(column[sunk : sunk + count])
        return hidden

    def key(self) -> Hashable:
        """The position without the order of its columns: equal keys mean the same game from here on."""
        columns = (
            (tuple(column), (count, sunk) if count else None)
            for column, count, sunk in zip(self.columns, self.covered, self.sunk, strict=True)
        )
        return (tuple(self.foundations), tuple(sorted(columns, key=_column_order)))

    def is_safe_home(self, card: Card) -> bool:
        """Whether the next card of its suit may go home at once without loss.

        True for rank 1 and 2, and when every suit has at least rank − 2 cards home: then nothing that could
        still want to lie on the card is in play. The proof stands in docs/rules.md.
        """
        rank = rank_of(card)
        return rank <= 2 or min(self.foundations) >= rank - 2

    # Moves

    def push(self, move: Move) -> None:
        """Plays a move without checking that it is legal; `play` is the checked way."""
        source, target = move
        column = self.columns[source]
        card = column.pop()
        if target == HOME:
            self.foundations[card & 3] += 1
        else:
            self.columns[target].append(card)
        turned = self._turn(source) if self.covered[source] else _NOTHING_TURNED
        self._stack.append((move, card, turned))

    def pop(self) -> Move:
        """Takes the last move back and returns it.

        Raises:
            IndexError: no move was pushed.
        """
        move, card, turned = self._stack.pop()
        source, target = move
        column = self.columns[source]
        if turned != _NOTHING_TURNED:
            for _ in range(turned):
                column.append(column.pop(0))
            self.sunk[source] -= turned
            self.covered[source] += turned + 1
        if target == HOME:
            self.foundations[card & 3] -= 1
        else:
            self.columns[target].pop()
        column.append(card)
        return move

    def play(self, move: Move | str) -> Move:
        """Plays a legal move, given as such or as a text that `parse` reads, and returns it.

        Raises:
            UnreadableError, IllegalMoveError, AmbiguousMoveError: nothing was played.
        """
        if isinstance(move, str):
            move = self.parse(move)
        else:
            self._check(move, move.text)
        self.push(move)
        return move

    def play_line(self, line: str | Iterable[Move | str]) -> list[Move]:
        """Plays a line all or not at all, and returns its moves.

        Raises:
            UnreadableError, IllegalMoveError, AmbiguousMoveError: nothing was played; `index` of an illegal
                move's error is its place in the line.
        """
        moves: Iterable[Move | str] = parse_line(line) if isinstance(line, str) else line
        played: list[Move] = []
        try:
            for move in moves:
                played.append(self.play(move))  # noqa: PERF401 (what was played before an error is taken back)
        except Exception as error:
            if isinstance(error, IllegalMoveError):
                error.index = len(played)
            for _ in played:
                self.pop()
            raise
        return played

    def parse(self, text: str) -> Move:
        """The legal move that a text names in this position.

        Two forms are read: two characters, as in `4h` or `a3`; and a card, a hyphen and where it goes, as in
        `7H-8S` (onto that card), `7H-h` (home), `7H-3` (column 3) or `7H-` (to the only place where it fits).

        Raises:
            UnreadableError: the text is no move.
            IllegalMoveError: the rules don't allow it here.
            AmbiguousMoveError: several moves are meant.
        """
        if "-" in text:
            return self._parse_card_form(text)
        move = parse_move(text)
        self._check(move, text)
        return move

    def why_illegal(self, move: Move) -> str | None:
        """One sentence that says why a move isn't legal, or None if it is."""
        source, target = move
        for index in (source, target):
            if index >= len(self.columns):
                return (
                    f"There is no column {COLUMN_CHARS[index]}; {self.variant.name} has {len(self.columns)}."
                )
        name = COLUMN_CHARS[source]
        column = self.columns[source]
        if not column:
            return f"Column {name} is empty."
        card = column[-1]
        rank, suit = rank_of(card), suit_of(card)
        if target == HOME:
            home = self.foundations[suit]
            if rank == home + 1:
                return None
            return (
                f"The {SUIT_NAMES[suit]} foundation needs the {RANK_NAMES[home]}; "
                f"column {name} ends in {rank_with_article(rank)}."
            )
        if source == target:
            return "A card can’t move onto its own column."
        other = self.columns[target]
        target_name = COLUMN_CHARS[target]
        if not other:
            fill = self.variant.fill
            if fill is Fill.ANY or (fill is Fill.KINGS and rank == KING):
                return None
            if fill is Fill.KINGS:
                return f"Only a king fills an empty column; column {name} ends in {rank_with_article(rank)}."
            return f"An empty column is never filled in {self.variant.name}."
        if rank == KING:
            return "A king goes on no other card, only home."
        target_rank = rank_of(other[-1])
        if target_rank == rank + 1:
            return None
        mover = rank_with_article(rank)
        return (
            f"{mover[0].upper()}{mover[1:]} needs {rank_with_article(rank + 1)}; "
            f"column {target_name} ends in {rank_with_article(target_rank)}."
        )

    # Text

    def text(self) -> str:
        """The position in one line, the exact inverse of `from_text`.

        Four characters say how many cards of C, D, H, S are home (`0A2K` …); then the columns, separated by `/`,
        with covered cards in parentheses: `00A0 KS(5C7D)9H/…`.
        """
        parts = []
        for column, count, sunk in zip(self.columns, self.covered, self.sunk, strict=True):
            named = [CARD_NAMES[card] for card in column]
            if count:
                named[sunk] = "(" + named[sunk]
                named[sunk + count - 1] += ")"
            parts.append("".join(named))
        return "".join(_FOUNDATION_CHARS[count] for count in self.foundations) + " " + "/".join(parts)

    @classmethod
    def from_text(cls, variant: Variant | str, text: str) -> Position:
        """The position that `text()` wrote.

        Raises:
            UnreadableError: the text is no position of that variant.
        """
        if isinstance(variant, str):
            variant = get_variant(variant)
        home, space, rest = text.partition(" ")
        parts = rest.split("/")
        if not space or len(home) != 4 or any(char not in _FOUNDATION_RANKS for char in home):
            raise UnreadableError(
                "A position begins with four foundation ranks, as in 00A0.", token=shorten(home)
            )
        if len(parts) != variant.columns:
            raise UnreadableError(
                f"{variant.name} has {variant.columns} columns, not {len(parts)}.", token=shorten(rest)
            )
        columns: list[list[Card]] = []
        covered: list[int] = []
        sunk: list[int] = []
        for part in parts:
            head, opened, tail = part.partition("(")
            if not opened:
                columns.append(_parse_packed(part))
                covered.append(0)
                sunk.append(0)
                continue
            middle, closed, rest_of_column = tail.partition(")")
            bottom, hidden, shown = _parse_packed(head), _parse_packed(middle), _parse_packed(rest_of_column)
            if not (closed and hidden and shown) or any(card >> 2 != _KING_INDEX for card in bottom):
                raise UnreadableError(f"“{shorten(part)}” is no column with covered cards.", token=part)
            columns.append(bottom + hidden + shown)
            covered.append(len(hidden))
            sunk.append(len(bottom))
        position = cls(
            variant, columns, [_FOUNDATION_RANKS[char] for char in home], covered=covered, sunk=sunk
        )
        if any(covered) and not variant.covered:
            raise UnreadableError(f"{variant.name} covers no cards.", token=shorten(text))
        if len(position._all_cards()) != 52 or sum(map(len, columns)) + position.cards_home() != 52:
            raise UnreadableError("A position holds each of the 52 cards once.", token=shorten(text))
        return position

    def seen_columns(self) -> list[list[str]]:
        """The columns as a player sees them: names of cards, `##` for a covered one."""
        seen = [[CARD_NAMES[card] for card in column] for column in self.columns]
        for column, count, sunk in zip(seen, self.covered, self.sunk, strict=True):
            if count:
                column[sunk : sunk + count] = [COVERED] * count
        return seen

    def __repr__(self) -> str:
        return f"Position.from_text({self.variant.slug!r}, {self.text()!r})"

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Position):
            return NotImplemented
        return (
            self.variant == other.variant
            and self.columns == other.columns
            and self.foundations == other.foundations
            and self.covered == other.covered
            and all(
                mine == theirs or not count
                for mine, theirs, count in zip(self.sunk, other.sunk, self.covered, strict=True)
            )
        )

    __hash__ = None  # type: ignore[assignment]  # a position changes; hash its `key()`

    def copy(self) -> Position:
        """An independent position with the same cards and no moves to take back."""
        return Position(self.variant, self.columns, self.foundations, covered=self.covered, sunk=self.sunk)

    # Inside

    def _turn(self, index: int) -> int:
        """Turns up the top card of a column if it is covered.

        A king that turns up goes to the bottom of the column and the next card turns, unless only kings are
        under it. Returns how many kings sank before a card stayed, or `_NOTHING_TURNED`.
        """
        column = self.columns[index]
        if not self.covered[index] or len(column) > self.sunk[index] + self.covered[index]:
            return _NOTHING_TURNED
        kings = 0
        while column[-1] >> 2 == _KING_INDEX and any(card >> 2 != _KING_INDEX for card in column):
            column.insert(0, column.pop())
            kings += 1
        self.sunk[index] += kings
        self.covered[index] -= kings + 1
        return kings

    def _check(self, move: Move, token: str) -> None:
        reason = self.why_illegal(move)
        if reason is not None:
            raise IllegalMoveError(reason, token=token)

    def _all_cards(self) -> set[Card]:
        cards = {card for column in self.columns for card in column}
        cards.update(rank * 4 + suit for suit, home in enumerate(self.foundations) for rank in range(home))
        return cards

    def _parse_card_form(self, text: str) -> Move:
        card_text, _, place = text.strip().partition("-")
        card = parse_card(card_text)
        name = CARD_NAMES[card]
        source = self._column_ending_in(card, text)
        row = MOVES[source]
        if place in (HOME_CHAR, HOME_CHAR.upper()):
            move = row[HOME]
        elif len(place) == 1 and place in COLUMN_CHARS:
            move = MOVES_BY_TEXT[COLUMN_CHARS[source] + place]
        elif place:
            target = self._column_ending_in(parse_card(place), text)
            move = row[target]
        else:
            fitting = [move for move in self.legal_moves if move.source == source]
            if not fitting:
                raise IllegalMoveError(f"{name} fits nowhere.", token=text)
            if len(fitting) > 1:
                places = " ".join(move.text for move in fitting)
                raise AmbiguousMoveError(f"{name} fits in several places: {places}.", token=text)
            move = fitting[0]
        self._check(move, text)
        return move

    def _column_ending_in(self, card: Card, token: str) -> int:
        for index, column in enumerate(self.columns):
            if column and column[-1] == card:
                return index
        raise IllegalMoveError(f"{CARD_NAMES[card]} isn’t the top card of a column.", token=token)


class LegalMoves:
    """The legal moves of a position, worked out when asked. It follows the position when that changes.

    The order is that of the moves' texts: by source column, then target column, then home.
    """

    __slots__ = ("_position",)

    def __init__(self, position: Position) -> None:
        self._position = position

    def __iter__(self) -> Iterator[Move]:
        position = self._position
        columns = position.columns
        foundations = position.foundations
        fill = position.variant.fill
        # hosts[r]: the columns on which a card of rank index r - 1 may go. Kings find no host at index 13.
        hosts: list[list[int]] = [[] for _ in range(14)]
        empty: list[int] = []
        for index, column in enumerate(columns):
            if column:
                hosts[column[-1] >> 2].append(index)
            else:
                empty.append(index)
        may_fill = bool(empty) and fill is not Fill.NONE
        for source, column in enumerate(columns):
            if not column:
                continue
            card = column[-1]
            rank_index = card >> 2
            row = MOVES[source]
            targets = hosts[rank_index + 1]
            if may_fill and (fill is Fill.ANY or rank_index == _KING_INDEX):
                targets = sorted(targets + empty)
            for target in targets:
                yield row[target]
            if foundations[card & 3] == rank_index:
                yield row[HOME]

    def __contains__(self, move: object) -> bool:
        return isinstance(move, Move) and self._position.why_illegal(move) is None

    def __bool__(self) -> bool:
        return next(iter(self), None) is not None

    def count(self) -> int:
        """How many legal moves there are."""
        return sum(1 for _ in self)

    def __repr__(self) -> str:
        return f"<LegalMoves {' '.join(move.text for move in self)}>"


def _column_order(
    entry: tuple[tuple[Card, ...], tuple[int, int] | None],
) -> tuple[tuple[Card, ...], tuple[int, int]]:
    return entry[0], entry[1] or (0, 0)


def _parse_packed(text: str) -> list[Card]:
    try:
        return [CARDS_BY_NAME[text[start : start + 2]] for start in range(0, len(text), 2)]
    except KeyError:
        raise UnreadableError(f"“{shorten(text)}” is no row of cards.", token=text) from None
