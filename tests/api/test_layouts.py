"""Layouts: POST /api/deals reads one, POST /api/games with `layout` plays it."""

from __future__ import annotations

import pytest

from bakers.rules.layouts import MAX_LAYOUT_CHARACTERS
from bakers.rules.variants import VARIANTS
from tests.database import counts

#: Columns of a layout in which everything lies in order, kings at the bottom.
COLUMNS = [
    ["KC", "QC", "JC", "TC"], ["KD", "QD", "JD", "TD"], ["KH", "QH", "JH", "TH"], ["KS", "QS", "JS", "TS"],
    ["9C", "8C", "7C", "6C"], ["9D", "8D", "7D", "6D"], ["9H", "8H", "7H", "6H"], ["9S", "8S", "7S", "6S"],
    ["5C", "4C", "3C", "2C"], ["5D", "4D", "3D", "2D"], ["5H", "4H", "3H", "2H"], ["5S", "4S", "3S", "2S"],
    ["AC", "AD", "AH", "AS"],
]  # fmt: skip


def as_text(columns):
    return "\n".join(" ".join(column) or "-" for column in columns)


def cards_of(columns):
    return [card for column in columns for card in column]


def read(api, text, variant="bakers-dozen", **body):
    return api.post("deals", {"variant": variant, "layout": text, **body})


def test_a_layout_is_laid_on_the_table_as_a_practice_game_that_has_not_started(api):
    response = read(api, as_text(COLUMNS))

    assert response.status_code == 200
    answer = response.json()
    game = answer["game"]
    assert game["columns"] == game["dealt"]["columns"] == COLUMNS
    assert (game["id"], game["kind"], game["source"], game["deal"]) == (None, "practice", "layout", None)
    assert answer["text"] == as_text(COLUMNS)
    assert (answer["notes"], answer["kings_above"]) == ([], False)


def test_the_layout_that_comes_back_starts_the_game_that_was_shown(api):
    messy = "\n".join(f": {' '.join(column).replace('T', '10').lower()}" for column in COLUMNS)
    answer = read(api, messy).json()

    started = api.start(kind="practice", layout=answer["layout"])

    assert {key for key in answer["game"] if answer["game"][key] != started[key]} == {"id", "started_at"}


def test_the_layout_of_a_deal_makes_the_same_table_as_its_number(api):
    dealt = api.get("deals/bakers-dozen/2").json()

    game = read(api, as_text(dealt["columns"])).json()["game"]

    assert game["columns"] == dealt["columns"]
    assert game["legal"] == dealt["legal"]


@pytest.mark.parametrize("variant", VARIANTS)
def test_reading_a_layout_stores_nothing(api, variant):
    columns = COLUMNS if variant != "good-measure" else [*COLUMNS[:9], cards_of(COLUMNS[9:])]
    assert read(api, as_text(columns), variant).status_code == 200

    assert counts() == {}


def test_a_king_above_another_card_stays_where_it_lies_and_is_pointed_out(api):
    columns = [["QC", "KC", "JC", "TC"], *COLUMNS[1:]]
    answer = read(api, as_text(columns)).json()

    assert answer["game"]["columns"] == columns
    assert answer["kings_above"] is True
    assert len(answer["notes"]) == 1
    assert api.start(kind="practice", layout=answer["layout"])["columns"] == columns


def test_kings_sink_when_that_is_asked_for(api):
    columns = [["QC", "KC", "JC", "TC"], *COLUMNS[1:]]
    answer = read(api, as_text(columns), sink_kings=True).json()

    assert answer["game"]["columns"] == COLUMNS
    assert answer["kings_above"] is False
    assert api.start(kind="practice", layout=as_text(columns), sink_kings=True)["columns"] == COLUMNS


def test_columns_may_be_empty_and_cards_home_already(api):
    columns = [[], *COLUMNS[1:12], ["AD", "AH", "AS", "KC", "QC", "JC", "TC"]]
    game = read(api, f"Foundations: H-0 C-A D-0 S-0\n{as_text(columns)}").json()["game"]

    assert game["columns"] == columns
    assert game["foundations"] == {"C": 1, "D": 0, "H": 0, "S": 0}
    assert game["dealt"] == {"columns": columns, "foundations": game["foundations"]}


def test_pysolfc_names_a_layout(api):
    answer = read(api, "PySolFC 12345").json()

    assert answer["game"]["source"] == "layout"
    assert sorted(cards_of(answer["game"]["columns"])) == sorted(cards_of(COLUMNS))
    assert read(api, answer["layout"]).json()["game"] == answer["game"]


def test_a_layout_is_played_to_the_end_like_any_deal(api, winning_lines):
    text = as_text(api.get("deals/bakers-dozen/2").json()["columns"])
    state = api.start(kind="practice", layout=text)

    won = api.play(state, *winning_lines["bakers-dozen"])

    assert (won["status"], won["source"], won["deal"]) == ("won", "layout", None)


def test_a_layout_with_all_cards_home_can_be_read_but_not_started(api):
    text = "Foundations: H-K C-K D-K S-K\n" + "-\n" * 13
    answer = read(api, text)
    assert answer.status_code == 200
    assert answer.json()["notes"]
    assert answer.json()["game"]["stuck"] is False

    response = api.post("games", {"variant": "bakers-dozen", "kind": "practice", "layout": text})
    assert response.status_code == 400
    assert list(response.json()["error"]["detail"]["fields"]) == ["layout"]
    assert counts() == {}


@pytest.mark.parametrize(
    ("text", "line", "token"),
    [
        (as_text([["KC", "QC", "JC", "1Z"], *COLUMNS[1:]]), 1, "1Z"),
        (as_text([*COLUMNS[:4], ["9C", "8C", "7C", "9C"], *COLUMNS[5:]]), 5, "9C"),
        (as_text([*COLUMNS[:12], ["AC", "AD", "AH"]]), None, "AS"),
        (as_text([*COLUMNS, ["AC"]]), 14, "AC"),
        (as_text([["##", "QC", "JC", "TC"], *COLUMNS[1:]]), 1, "##"),
        ("Foundations: H-1 C-0\n" + as_text(COLUMNS), 1, "H-1"),
        ("Freecells: AC\n" + as_text(COLUMNS), 1, "Freecells: AC"),
        ("hello", 1, "hello"),
        ("   \n ", None, ""),
        ("PySolFC 0", None, "0"),
        ("PySolFC 100000000000000000000", None, None),
        ("PySolFC " + "9" * 1_900, None, None),
        ("♠♠", 1, "♠♠"),
        ("🂡 🂢", 1, "🂡"),
        ("<script>alert(1)</script>", 1, None),
        ("A" * MAX_LAYOUT_CHARACTERS, 1, None),
        ("AC " * 600, 1, "AC"),
        ("\n" * MAX_LAYOUT_CHARACTERS, None, ""),
        ("١C", 1, "١C"),
    ],
)
def test_a_layout_that_cannot_be_read_says_where(api, text, line, token):
    for response in (
        read(api, text),
        api.post("games", {"variant": "bakers-dozen", "kind": "practice", "layout": text}),
    ):
        assert response.status_code == 400
        error = response.json()["error"]
        assert error["code"] == "unreadable_layout"
        assert error["message"].endswith(".")
        assert error["detail"]["line"] == line
        if token is not None:
            assert error["detail"]["token"] == token
        assert len(response.content) < 1_000
    assert counts() == {}


def test_a_layout_for_other_columns_cannot_be_read(api):
    assert read(api, as_text(COLUMNS), "good-measure").json()["error"]["code"] == "unreadable_layout"
    assert read(api, "PySolFC 2", "good-measure").json()["error"]["code"] == "unreadable_layout"


def test_a_layout_that_is_too_long_is_refused_before_it_is_read(api):
    response = read(api, "-" * (MAX_LAYOUT_CHARACTERS + 1))

    assert response.status_code == 400
    assert response.json()["error"]["code"] == "invalid"


def test_what_a_player_pasted_never_comes_back_as_anything_but_text(api):
    response = read(api, "<img src=x> " * 3)

    assert response.headers["Content-Type"] == "application/json"
    assert response.headers["X-Content-Type-Options"] == "nosniff"
