"""What holds after any line: each variant played at random, beside the naive rules, with moves taken back."""

from __future__ import annotations

from collections import Counter
from typing import ClassVar

import pytest
from hypothesis import settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, invariant, rule, run_state_machine_as_test

from bakers.rules.cards import CARD_NAMES, COVERED
from bakers.rules.deals import deal_columns
from bakers.rules.errors import IllegalMoveError
from bakers.rules.layouts import Layout, parse_layout
from bakers.rules.moves import HOME, MOVES_BY_TEXT, Move, line_text, pack_line, parse_line, parse_move
from bakers.rules.positions import Position
from bakers.rules.variants import VARIANTS, Variant

from . import naive
from .strategies import layouts
from .tables import exactly, naive_form

choices = st.integers(0, 2**16)


class Playing(RuleBasedStateMachine):
    """One game. `history` holds the naive string of each ply; the engine must always agree with the last."""

    variant: ClassVar[Variant]

    @initialize(data=st.data(), imported=st.booleans())
    def lay(self, data: st.DataObject, imported: bool) -> None:
        if imported:
            layout = data.draw(layouts(self.variant))
        else:
            columns, foundations = deal_columns(self.variant, data.draw(st.permutations(range(52))))
            layout = Layout(self.variant, tuple(map(tuple, columns)), tuple(foundations))
        self.layout = layout
        self.position = layout.position()
        self.history = [naive_form(self.position)]
        self.line: list[Move] = []

    def _played(self, move: Move) -> None:
        self.history.append(naive.after(self.history[-1], move.text))
        self.line.append(move)

    @rule(choice=choices, as_text=st.booleans())
    def play_a_legal_move(self, choice: int, as_text: bool) -> None:
        legal = list(self.position.legal_moves)
        if legal:
            move = legal[choice % len(legal)]
            assert self.position.play(move.text if as_text else move) == move
            self._played(move)

    @rule()
    def send_cards_home(self) -> None:
        for move in list(self.position.legal_moves):
            if move.target == HOME and move in self.position.legal_moves:
                self.position.push(move)
                self._played(move)

    @rule(plies=st.integers(1, 10))
    def take_moves_back(self, plies: int) -> None:
        for _ in range(min(plies, self.position.ply)):
            assert self.position.pop() == self.line.pop()
            self.history.pop()

    @rule(choice=choices)
    def play_a_line_that_ends_badly(self, choice: int) -> None:
        before = exactly(self.position)
        line: list[Move] = []
        for step in range(3):
            legal = list(self.position.legal_moves)
            if legal:
                line.append(legal[(choice >> step) % len(legal)])
                self.position.push(line[-1])
        illegal = next(move for move in MOVES_BY_TEXT.values() if move not in self.position.legal_moves)
        for _ in line:
            self.position.pop()
        with pytest.raises(IllegalMoveError) as caught:
            self.position.play_line([*line, illegal])
        assert caught.value.index == len(line)
        assert exactly(self.position) == before

    @rule()
    def judge_every_move(self) -> None:
        before = exactly(self.position)
        iterated = list(self.position.legal_moves)
        for move in MOVES_BY_TEXT.values():
            reason = self.position.why_illegal(move)
            assert (reason is None) is (move in iterated) is (move in self.position.legal_moves)
            if reason is None:
                assert self.position.play(move) == move
                assert self.position.ply == len(self.line) + 1
                assert self.position.pop() == move
            else:
                assert reason.endswith(".")
                with pytest.raises(IllegalMoveError) as caught:
                    self.position.play(move)
                assert (caught.value.reason, caught.value.token) == (reason, move.text)
            assert exactly(self.position) == before

    @rule()
    def write_and_read(self) -> None:
        position = self.position
        for read in (
            Position.from_text(self.variant, position.text()),
            eval(repr(position), {"Position": Position}),  # noqa: S307
        ):
            assert read == position
            assert read.text() == position.text()
            assert repr(read) == repr(position)
            assert list(read.legal_moves) == list(position.legal_moves)
            # What is covered must turn up in the same way in the position that was read.
            for move in position.legal_moves:
                read.push(move)
                position.push(move)
                assert read == position
                read.pop()
                position.pop()
        if not position.covered_cards():
            shown = Layout(self.variant, tuple(map(tuple, position.columns)), tuple(position.foundations))
            read_layout = parse_layout(self.variant, shown.text())
            assert (read_layout.columns, read_layout.foundations) == (shown.columns, shown.foundations)

    @rule()
    def write_and_replay_the_line(self) -> None:
        assert self.position.line == self.line
        for text in (line_text(self.line), pack_line(self.line)):
            assert parse_line(text) == self.line
            again = self.layout.position()
            again.play_line(text)
            assert again == self.position
            assert again.key() == self.position.key()
        assert [parse_move(move.text) for move in self.line] == self.line

    @rule(choice=choices)
    def play_on_in_a_copy(self, choice: int) -> None:
        before = exactly(self.position)
        copy = self.position.copy()
        for step in range(4):
            legal = list(copy.legal_moves)
            if legal:
                copy.push(legal[(choice >> step) % len(legal)])
        assert exactly(self.position) == before

    @invariant()
    def the_naive_rules_agree(self) -> None:
        assert naive_form(self.position) == self.history[-1]
        assert [move.text for move in self.position.legal_moves] == naive.moves(
            self.variant.slug, self.history[-1]
        )
        assert self.position.legal_moves.count() == len(list(self.position.legal_moves))

    @invariant()
    def all_52_cards_are_there_once(self) -> None:
        home = [
            rank * 4 + suit for suit, count in enumerate(self.position.foundations) for rank in range(count)
        ]
        cards = [card for column in self.position.columns for card in column] + home
        assert sorted(cards) == list(range(52))
        assert self.position.cards_home() == len(home)

    @invariant()
    def it_is_stuck_or_won_only_without_moves(self) -> None:
        won = not any(self.position.columns)
        assert self.position.is_won() is won
        assert self.position.is_stuck() is (not won and not list(self.position.legal_moves))
        assert bool(self.position.legal_moves) is (not won and not self.position.is_stuck())

    @invariant()
    def covered_cards_are_never_seen(self) -> None:
        hidden = {CARD_NAMES[card] for card in self.position.covered_cards()}
        seen = Counter(name for column in self.position.seen_columns() for name in column)
        assert seen[COVERED] == len(hidden) == sum(self.position.covered)
        assert not hidden & seen.keys()
        assert not hidden or self.variant.covered
        assert all(column[-1:] != [COVERED] for column in self.position.seen_columns())

    def teardown(self) -> None:
        if hasattr(self, "position"):
            self.take_moves_back(len(self.line))
            self.the_naive_rules_agree()
            assert exactly(self.position) == exactly(self.layout.position())


EVERY_GAME = pytest.mark.parametrize(
    "game",
    [type("PlayingOne", (Playing,), {"variant": variant}) for variant in VARIANTS.values()],
    ids=list(VARIANTS),
)


@EVERY_GAME
def test_the_rules_hold_after_any_line_of(game: type[Playing]) -> None:
    few = settings(max_examples=25, stateful_step_count=25, deadline=None)
    run_state_machine_as_test(game, settings=few)


@pytest.mark.long
@EVERY_GAME
def test_the_rules_hold_after_many_long_lines_of(game: type[Playing]) -> None:
    many = settings(max_examples=150, stateful_step_count=80, deadline=None)
    run_state_machine_as_test(game, settings=many)
