"""Verdicts of real deals: none contradicts what was handed to us, and every answer carries its proof."""

from __future__ import annotations

import random
import time
from collections import Counter
from concurrent.futures import ThreadPoolExecutor

import pytest

from bakers.rules.deals import deal
from bakers.rules.errors import IllegalMoveError
from bakers.rules.moves import HOME, Move
from bakers.rules.variants import ORIGINAL_1883, VARIANTS, Fill
from bakers.solver import (
    LAST_RESORT,
    Decision,
    Outcome,
    Reason,
    WrongLineError,
    decide,
    reference,
    short_line,
    shortest,
)
from bakers.solver.board import Board, as_turned
from bakers.solver.lines import checked_line
from bakers.solver.verdicts import BoardSearch
from tests.solver.decks import LISTED, listed

#: How many decks of each list the quick tests take.
QUICK = 60


def _wins(position, line):
    played = position.copy()
    played.play_line(line)
    return played.is_won()


def _agree(position, row, budget):
    verdict = decide(position, budget)
    assert verdict.outcome in (Outcome.UNKNOWN, row["verdict"]), row["deck"]
    assert (verdict.line is not None) == (verdict.outcome is Outcome.WON)
    assert verdict.line is None or _wins(position, verdict.line)
    return verdict


@pytest.mark.parametrize("variant", LISTED)
def test_no_verdict_contradicts_the_lists(variant):
    verdicts = [_agree(position, row, 20_000) for position, row in listed(variant)[:QUICK]]
    decided = sum(verdict.outcome is not Outcome.UNKNOWN for verdict in verdicts)
    assert decided >= 0.9 * QUICK


@pytest.mark.parametrize("variant", LISTED)
def test_all_losses_of_the_lists_are_lost(variant):
    for position, row in listed(variant):
        if row["verdict"] == "lost":
            assert _agree(position, row, 300_000).outcome is Outcome.LOST


@pytest.mark.long
@pytest.mark.parametrize("variant", LISTED)
def test_no_verdict_contradicts_the_whole_lists(variant):
    for position, row in listed(variant):
        _agree(position, row, 300_000)


def test_all_hard_deals_are_decided():
    for position, row in listed("bakers-dozen", "bakers-dozen_hard"):
        assert _agree(position, row, 2_000_000).outcome == row["verdict"]


def _proved_again(variant, states, name=None):
    """How many losses of a list the reference proves within so many states each, and how many there are."""
    proved = lost = 0
    for position, row in listed(variant, name):
        if row["verdict"] != "lost":
            continue
        lost += 1
        board = Board.of(position)
        try:
            if board.fill is Fill.ANY:
                assert reference.best_first(board, states)[0] is None
                proved += 1
            else:
                winnable, _ = reference.relaxed_search(board, states)
                # Where the relaxation sees a way, the loss was proved by counting or by classes.
                reason = decide(position).reason
                assert winnable == (reason not in (Reason.ROOT_TEST, Reason.RELAXED))
                proved += not winnable
        except reference.OutOfBudgetError:
            pass
    return proved, lost


@pytest.mark.parametrize(
    ("variant", "proved"),
    [
        ("bakers-dozen", (3, 4)),
        ("good-measure", (12, 17)),
        ("portuguese-solitaire", (1, 1)),
        ("spanish-patience", (1, 1)),
    ],
)
def test_losses_are_proved_again_by_the_reference(variant, proved):
    assert _proved_again(variant, 2_000) == proved


@pytest.mark.long
@pytest.mark.parametrize(
    ("variant", "name", "proved"),
    [("good-measure", None, (14, 17)), ("bakers-dozen", "bakers-dozen_hard", (3, 4))],
)
def test_all_losses_but_those_by_counting_are_proved_again_when_there_is_time(variant, name, proved):
    assert _proved_again(variant, 500_000, name) == proved


@pytest.mark.parametrize("variant", VARIANTS.values(), ids=VARIANTS)
def test_positions_in_the_middle_of_a_game_are_decided_like_any_other(variant):
    source = random.Random(variant.slug)
    for number in range(1, 21):
        position = deal(variant, number)
        for _ in range(source.choice((5, 10, 20, 40))):
            moves = list(position.legal_moves)
            if not moves:
                break
            position.push(source.choice(moves))
        before = position.text()
        verdict = decide(position, 20_000)
        assert position.text() == before
        if verdict.outcome is Outcome.WON:
            assert _wins(position, verdict.line)
        elif verdict.reason in (Reason.ROOT_TEST, Reason.RELAXED):
            assert not reference.relaxed_search(Board.of(position))[0]


def _tried_again(variant, numbers):
    """How many losses by counting or classes are found again by trying every position, and how many there are."""
    again = losses = 0
    for number in numbers:
        position = deal(variant, number)
        source = random.Random(number)
        for _ in range(40):
            moves = list(position.legal_moves)
            if not moves:
                break
            position.push(source.choice(moves))
        verdict = decide(position, 100_000)
        if verdict.reason not in (Reason.COUNTING, Reason.CLASSES):
            continue
        losses += 1
        search = BoardSearch(Board.of(position), only=frozenset({"open"}))
        search.advance(100_000)
        assert search.outcome is not Outcome.WON, repr(position)
        again += search.outcome is Outcome.LOST
    return again, losses


def test_losses_by_counting_and_classes_are_found_again_by_trying_every_position():
    assert _tried_again(VARIANTS["bakers-dozen"], range(1, 401)) == (4, 12)
    assert _tried_again(VARIANTS["portuguese-solitaire"], range(1, 201)) == (2, 3)


@pytest.mark.long
def test_thousands_of_such_losses_are_found_again():
    for slug in ("bakers-dozen", "good-measure", "portuguese-solitaire", "original-1883"):
        again, losses = _tried_again(VARIANTS[slug], range(401, 3_401))
        assert losses > again > 0


def test_following_a_line_of_1883_turns_cards_as_the_board_foresaw():
    for number in range(1, 60):
        position = deal(ORIGINAL_1883, number)
        verdict = decide(position)
        if verdict.line is None:
            continue
        foreseen = [list(column) for column in Board.of(position).columns]
        for move in verdict.line:
            card = foreseen[move.source].pop()
            assert position.columns[move.source][-1] == card
            if move.target >= 0:
                foreseen[move.target].append(card)
            position.play(move)
        assert position.is_won()


def test_a_king_that_turns_up_over_kings_alone_stays_where_it_is():
    # KD and KS lie covered with a five between them: the upper king sinks, the lower one is then under kings only.
    king_of_diamonds, king_of_spades, five, nine = 49, 51, 16, 34
    column = [king_of_diamonds, five, king_of_spades, nine]
    assert as_turned(column, 3, 0) == (king_of_spades, king_of_diamonds, five, nine)


def test_the_same_budget_gives_the_same_answer_however_it_is_given():
    for number in range(1, 30):
        position = deal(VARIANTS["good-measure"], number)
        at_once = decide(position, 30_000)
        piecewise = Decision(position)
        for budget in (1, 7, 100, 2_001, 9_999, 30_000):
            verdict = piecewise.advance(budget)
        assert (verdict.outcome, verdict.line, verdict.reason) == (
            at_once.outcome,
            at_once.line,
            at_once.reason,
        )


def test_a_budget_isn_t_overdrawn_and_an_open_verdict_says_why():
    position = next(
        position for position, row in listed("bakers-dozen", "bakers-dozen_hard") if row["verdict"] == "lost"
    )
    verdict = decide(position, 500)
    assert verdict.outcome is Outcome.UNKNOWN
    assert verdict.expanded == 500
    assert verdict.reason is Reason.BUDGET
    assert "budget" in verdict.explain()


@pytest.mark.long
def test_a_budget_beyond_the_last_resort_is_spent():
    position = deal(VARIANTS["bakers-dozen"], 12_992)
    budget = LAST_RESORT + 5_000
    verdict = decide(position, budget)
    assert verdict.outcome is not Outcome.UNKNOWN or verdict.expanded == budget


def test_a_deadline_and_a_cancel_stop_a_search_between_slices():
    position = listed("bakers-dozen", "bakers-dozen_hard")[1][0]
    assert decide(position, deadline=time.monotonic()).reason is Reason.DEADLINE
    asked = []

    def cancelled():
        asked.append(True)
        return len(asked) > 3

    verdict = decide(position, cancelled=cancelled)
    assert verdict.reason is Reason.CANCELLED
    assert 0 < verdict.expanded <= 3 * 2_000


def _positions(position, line):
    """The positions of a line, without the order of their columns."""
    played = position.copy()
    keys = [played.key()]
    for move in line:
        played.push(move)
        keys.append(played.key())
    return keys


@pytest.mark.parametrize("variant", VARIANTS)
def test_no_line_comes_by_a_position_twice(variant):
    dice = random.Random()
    # The short line that was found for the first one came by a position twice.
    for number in [1_214, *range(2_000, 2_060)]:
        position = deal(VARIANTS[variant], number)
        dice.seed(number)
        for _ in range(dice.randrange(25)):
            if legal := list(position.legal_moves):
                position.push(dice.choice(legal))
        for line in (decide(position, 20_000).line, short_line(position), shortest(position, 3_000).line):
            keys = [] if line is None else _positions(position, line)
            assert len(keys) == len(set(keys))


def test_what_leads_nowhere_is_left_out_of_a_line():
    position = deal(VARIANTS["bakers-dozen"], 1_214)
    line = decide(position, 20_000).line
    assert line is not None
    plies = [ply for ply, move in enumerate(line) if move.target != HOME]
    for ply in plies:
        # There and back before a move of the line, and with empty columns round in a circle.
        source, target = line[ply]
        there_and_back = [*line[: ply + 1], Move(target, source), *line[ply:]]
        try:
            position.copy().play_line(there_and_back)
        except IllegalMoveError:
            continue
        assert checked_line(position, there_and_back) == line


def test_a_line_that_doesn_t_win_is_never_an_answer():
    position = deal(VARIANTS["bakers-dozen"], 1)
    line = decide(position).line
    assert line is not None
    with pytest.raises(WrongLineError, match="win"):
        checked_line(position, line[:-1])
    with pytest.raises(WrongLineError, match="Move 1 of a line"):
        checked_line(position, [Move(0, 0), *line])


def test_two_threads_at_once_give_the_answers_of_one():
    # The kernels run without the interpreter's lock, so nothing may be shared between searches.
    positions = [deal(variant, number) for variant in VARIANTS.values() for number in range(1, 25)]

    def answers():
        return [(v.outcome, v.line, v.reason, v.expanded) for v in (decide(p, 20_000) for p in positions)]

    alone = answers()
    assert Counter(outcome for outcome, *_ in alone)[Outcome.WON] > 100
    with ThreadPoolExecutor(2) as pool:
        together = [pool.submit(answers) for _ in range(2)]
        assert [task.result() for task in together] == [alone, alone]
