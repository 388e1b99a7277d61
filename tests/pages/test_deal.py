"""The page of a deal, /deal/{variant}/{number}, as the server writes it."""

from __future__ import annotations

import re

import pytest

from bakers.answers import Known, learn
from bakers.kinds import registered_guard
from bakers.problems import HelpRefused
from bakers.rules.cards import CARD_NAMES
from bakers.rules.deals import LAST_DEAL_NUMBER, deal
from bakers.rules.moves import parse_line
from bakers.rules.variants import VARIANTS
from bakers.solver import Outcome, Reason

pytestmark = pytest.mark.django_db


def words(html):
    """Return what of a page can be read, one space between words."""
    return " ".join(re.sub(r"<[^>]*>", " ", html).split())


def visit(client, variant="bakers-dozen", number=2, status=200):
    response = client.get(f"/deal/{variant}/{number}")
    assert response.status_code == status
    return response.content.decode()


def learn_line(variant, line, *, lower_bound):
    learn(
        deal(VARIANTS[variant], 2),
        Known(Outcome.WON, Reason.LINE, tuple(line), lower_bound=lower_bound, expanded=9, par_expanded=9),
    )


class TestTheLayout:
    @pytest.mark.parametrize("variant", VARIANTS)
    def test_names_each_card_that_is_seen(self, client, variant):
        columns = deal(VARIANTS[variant], 2).seen_columns()

        html = visit(client, variant)

        shown = re.findall(r'class="mini" data-suit="\w" data-card="(\w\w)"', html)
        assert shown == [card for column in columns for card in column if card != "##"]
        assert html.count("mini--back") == sum(column.count("##") for column in columns)

    def test_names_no_covered_card_anywhere(self, client):
        position = deal(VARIANTS["original-1883"], 2)

        # The drawings before it hold the like of “5H” in their lines.
        main = visit(client, "original-1883").partition("<main")[2]

        for card in position.covered_cards():
            assert CARD_NAMES[card] not in main

    def test_says_which_aces_have_started_their_foundations(self, client):
        position = deal(VARIANTS["good-measure"], 2)
        suits = [
            suit
            for suit, count in zip(
                ("clubs", "diamonds", "hearts", "spades"), position.foundations, strict=True
            )
            if count
        ]

        text = words(visit(client, "good-measure"))

        assert f"On the foundations already: ace of {suits[0]} ace of {suits[1]}" in text

    @pytest.mark.parametrize("variant", ["bakers-dozen", "good-measure"])
    def test_stands_there_as_a_text_that_can_be_imported(self, client, api, variant):
        html = visit(client, variant)

        [text] = re.findall(r"<pre[^>]*>(.*?)</pre>", html, re.DOTALL)
        read = api.post("deals", {"variant": variant, "layout": text}).json()
        assert read["game"]["columns"] == deal(VARIANTS[variant], 2).seen_columns()
        assert read["notes"] == [] or variant == "good-measure"


class TestWhatIsKnown:
    def test_is_the_verdict_in_words(self, client):
        assert "This deal can be won." in words(visit(client))
        assert "This deal can’t be won." in words(visit(client, number=477))
        assert "This deal can be won, with all cards known." in words(visit(client, "original-1883"))

    def test_is_par_proven_or_the_best_known(self, client, winning_lines):
        line = parse_line("".join(winning_lines["bakers-dozen"]))
        learn_line("bakers-dozen", line, lower_bound=60)
        assert f"best known {len(line)} (at least 60)" in words(visit(client))

        learn_line("bakers-dozen", line, lower_bound=len(line))
        html = visit(client)

        assert f"par {len(line)}, proven" in words(html)
        assert f'og:description" content="It can be won, par {len(line)}, proven.' in html

    def test_isnt_told_while_a_guard_refuses(self, client):
        def refuse(request):
            raise HelpRefused("Not before the board has settled.")

        with registered_guard(refuse):
            html = visit(client, status=403)

        text = words(html)
        assert "Not before the board has settled." in text
        assert "can be won" not in text
        assert "/play/bakers-dozen/2" in html


class TestAround:
    def test_search_engines_are_asked_to_stay_away(self, client):
        assert '<meta name="robots" content="noindex">' in visit(client)

    def test_its_neighbours_are_linked_as_far_as_there_are_any(self, client):
        def near(number):
            return re.findall(
                r'rel="(prev|next)" href="/deal/bakers-dozen/(\d+)"', visit(client, number=number)
            )

        assert near(2) == [("prev", "1"), ("next", "3")]
        assert near(1) == [("next", "2")]
        assert near(LAST_DEAL_NUMBER) == [("prev", str(LAST_DEAL_NUMBER - 1))]

    def test_no_visitor_is_remembered(self, client):
        visit(client)

        assert set(client.cookies) == {"csrftoken"}
