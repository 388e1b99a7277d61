"""What is known of positions: how it is stored, and that it only gets better."""

from __future__ import annotations

import datetime
import itertools
import random
from functools import partial

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from structlog.testing import capture_logs

from bakers import answers, tasks
from bakers.answers import Known, canonical
from bakers.models import Answer, Search
from bakers.rules.deals import deal
from bakers.rules.moves import HOME, Move
from bakers.rules.positions import Position
from bakers.rules.variants import VARIANTS
from bakers.solver import Outcome, Reason, decide, short_line
from tests.parallel import at_once

UNKNOWN = Known(Outcome.UNKNOWN, Reason.BUDGET, expanded=100)
LOST = Known(Outcome.LOST, Reason.RELAXED, expanded=200)


def shuffled(position, seed):
    order = list(range(len(position.columns)))
    random.Random(seed).shuffle(order)
    return Position(
        position.variant,
        [position.columns[index] for index in order],
        position.foundations,
        covered=[position.covered[index] for index in order],
        sunk=[position.sunk[index] for index in order],
    )


def known_of(position: Position) -> Known:
    known = answers.find(position)
    assert known is not None
    return known


@pytest.fixture(scope="module")
def first():
    return deal(VARIANTS["bakers-dozen"], 2)


@pytest.fixture(scope="module")
def lines(first):
    """A long line and a short one."""
    long, short = decide(first).line, short_line(first)
    assert long is not None
    assert short is not None
    return tuple(long), tuple(short)


@given(st.sampled_from(list(VARIANTS)), st.integers(1, 10_000), st.integers(0, 30), st.integers())
@settings(max_examples=60, deadline=None)
def test_a_position_is_known_by_its_cards_whatever_the_order_of_its_columns(variant, number, plies, seed):
    position = deal(VARIANTS[variant], number)
    chosen = random.Random(seed)
    for _ in range(plies):
        legal = list(position.legal_moves)
        if not legal:
            break
        position.push(chosen.choice(legal))
    other = shuffled(position, seed)
    form, other_form = canonical(position), canonical(other)

    assert (form.key, form.text) == (other_form.key, other_form.text)
    assert (form.key == canonical(deal(VARIANTS[variant], number + 1)).key) is False
    line = [chosen.choice(list(position.legal_moves))] if position.legal_moves else []
    assert list(form.own(form.stored(line))) == line
    # What one wins with, wins the other too.
    if line:
        theirs = other_form.own(form.stored(line))
        other.play(theirs[0])
        position.play(line[0])
        assert canonical(position).key == canonical(other).key


def test_variants_are_told_apart():
    keys = {canonical(deal(VARIANTS[variant], 2)).key for variant in VARIANTS}
    assert len(keys) == len(VARIANTS)


@pytest.mark.django_db
class TestLearning:
    def test_every_order_of_what_is_learnt_leads_to_the_same(self, first, lines):
        long, short = lines
        pieces = [
            UNKNOWN,
            Known(Outcome.WON, Reason.LINE, long, expanded=300),
            Known(Outcome.WON, Reason.LINE, short, lower_bound=60, par_expanded=10),
            Known(Outcome.WON, Reason.LINE, long, lower_bound=55, par_expanded=5),
        ]
        for order in itertools.permutations(pieces):
            Answer.objects.all().delete()
            for piece in order:
                said = answers.learn(first, piece)
                assert said.line is None or said.line in lines
            assert answers.find(first) == Known(
                Outcome.WON, Reason.LINE, short, lower_bound=60, expanded=300, par_expanded=10
            )

    def test_lost_stays_lost(self, first):
        answers.learn(first, LOST)
        answers.learn(first, UNKNOWN)

        assert known_of(first).outcome is Outcome.LOST

    def test_a_line_was_replayed_and_is_believed(self, first, lines):
        answers.learn(first, LOST)
        with capture_logs() as logs:
            said = answers.learn(first, Known(Outcome.WON, Reason.LINE, lines[0]))

        assert said.outcome is Outcome.WON
        assert [(log["log_level"], log["event"]) for log in logs] == [("critical", "contradicting answers")]

    def test_a_proven_line_is_par(self, first, lines):
        short = lines[1]
        answers.learn(first, Known(Outcome.WON, Reason.LINE, short, lower_bound=len(short)))

        known = known_of(first)
        assert known.proven
        assert known.par == answers.Par(len(short), True, len(short))

    def test_a_bound_above_the_line_is_none(self, first, lines):
        short = lines[1]
        answers.learn(first, Known(Outcome.WON, Reason.LINE, short))
        answers.learn(first, Known(Outcome.UNKNOWN, Reason.BUDGET, lower_bound=len(short) + 1))

        assert known_of(first).lower_bound is None


@pytest.mark.django_db(transaction=True)
def test_what_is_learnt_at_the_same_time_is_not_lost(first, lines):
    long, short = lines
    pieces = [
        UNKNOWN,
        Known(Outcome.WON, Reason.LINE, long, expanded=300),
        Known(Outcome.WON, Reason.LINE, short, lower_bound=60, par_expanded=10),
    ]

    at_once([partial(answers.learn, first, piece) for piece in pieces * 4])

    assert answers.find(first) == Known(
        Outcome.WON, Reason.LINE, short, lower_bound=60, expanded=300, par_expanded=10
    )


@pytest.mark.django_db(transaction=True)
def test_orders_at_the_same_time_queue_one_task(first):
    queued = at_once([lambda: answers.order_search(first, Search.Purpose.PAR) for _ in range(8)])

    assert sum(each is not None for each in queued) == 1
    assert Search.objects.count() == 1


@pytest.mark.django_db
def test_cheap_answers_are_tidied_away_and_dear_ones_kept(frozen_clock):
    cheap, dear, par = (deal(VARIANTS["bakers-dozen"], number) for number in (2, 3, 4))
    answers.learn(cheap, Known(Outcome.UNKNOWN, Reason.BUDGET, expanded=20_000))
    answers.learn(dear, Known(Outcome.UNKNOWN, Reason.BUDGET, expanded=20_001))
    answers.learn(par, Known(Outcome.UNKNOWN, Reason.BUDGET, lower_bound=52, par_expanded=20_001))
    answers.order_search(dear, Search.Purpose.PAR)

    assert tasks.tidy_once() == 0
    frozen_clock.advance(seconds=answers.ANSWER_AGE.total_seconds() + 1)
    assert tasks.tidy_once() == 2

    assert [answers.find(position) is None for position in (cheap, dear, par)] == [True, False, False]
    assert not Search.objects.exists()
    assert datetime.timedelta(days=1) < answers.ANSWER_AGE


@pytest.mark.django_db
class TestFollowing:
    def test_keeps_to_the_line_that_was_begun_and_stores_the_rest(self, first, lines):
        line = lines[1]
        answers.learn(first, Known(Outcome.WON, Reason.LINE, line))

        for ply in range(1, len(line)):
            known = answers.follow(first, line[:ply], back=30)
            assert known is not None
            assert known.line == line[ply:]
        assert Answer.objects.count() == len(line)

    def test_takes_a_shorter_line_that_others_have_found(self, first, lines):
        long = lines[0]
        second = first.copy()
        second.push(long[0])
        short = short_line(second)
        assert short is not None
        assert len(short) < len(long) - 1
        answers.learn(first, Known(Outcome.WON, Reason.LINE, long))
        answers.learn(second, Known(Outcome.WON, Reason.LINE, tuple(short)))

        known = answers.follow(first, long[:1], back=30)

        assert known is not None
        assert known.line == tuple(short)

    def test_takes_no_line_that_leads_back_as_long_as_there_is_another(self, first, lines):
        line = lines[1]
        answers.learn(first, Known(Outcome.WON, Reason.LINE, line))
        ply = next(ply for ply, move in enumerate(line, start=1) if move.target != HOME and ply > 2)
        there = first.copy()
        for move in line[:ply]:
            there.push(move)
        source, target = line[ply - 1]
        answers.learn(there, Known(Outcome.WON, Reason.LINE, (Move(target, source),)))

        followed = [answers.follow(first, line[:count], back=30) for count in (ply, ply + 1, ply + 2)]
        alone = answers.follow(there, [], back=30)

        assert [known and known.line for known in followed] == [
            line[count:] for count in (ply, ply + 1, ply + 2)
        ]
        # To somebody who has just come there it is the shortest.
        assert alone is not None
        assert alone.line == (Move(target, source),)
