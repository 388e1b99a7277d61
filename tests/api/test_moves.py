"""POST /api/games/{id}/moves: playing and taking back."""

from __future__ import annotations

import pytest

from bakers.api.serializers import MAX_BATCH
from bakers.models import MAX_PLIES, Game
from bakers.rules.deals import deal
from bakers.rules.variants import VARIANTS
from tests.database import rows


def position_after(variant, line):
    position = deal(VARIANTS[variant], 2)
    position.play_line(line)
    return position


def error_of(response, status, code):
    assert response.status_code == status, response.content
    error = response.json()["error"]
    assert error["code"] == code
    return error


class TestPlaying:
    def test_a_move_changes_the_table(self, api):
        state = api.play(api.start(), "96")

        position = position_after("bakers-dozen", ["96"])
        assert state["columns"] == position.seen_columns()
        assert state["legal"] == [move.text for move in position.legal_moves]
        assert (state["version"], state["ply"], state["line"], state["redo"]) == (1, 1, ["96"], [])
        assert state["replayed"] is False

    @pytest.mark.parametrize("variant", VARIANTS)
    def test_a_line_one_move_at_a_time_ends_where_it_does_as_one_batch(self, api, winning_lines, variant):
        line = winning_lines[variant][:20]
        single = api.start(variant)
        for move in line:
            single = api.play(single, move)
        batch = api.play(api.start(variant), *line)

        assert (single["version"], batch["version"]) == (20, 1)
        for field in ("columns", "foundations", "dealt", "legal", "line", "ply"):
            assert single[field] == batch[field]

    def test_the_state_a_move_leaves_is_the_one_that_is_read_later(self, api):
        state = api.play(api.start(), "96", "3d")

        assert {**api.state(state), "replayed": False} == state

    def test_the_version_grows_by_one_with_each_batch_however_long(self, api, winning_lines):
        line = winning_lines["bakers-dozen"]
        state = api.start()
        for version, (start, end) in enumerate([(0, 1), (1, 6), (6, 8)], start=1):
            state = api.play(state, *line[start:end])
            assert state["version"] == version

    def test_a_card_that_went_home_is_on_its_foundation(self, api, winning_lines):
        line = winning_lines["bakers-dozen"][:7]
        assert line[-1] == "ah"

        state = api.play(api.start(), *line)

        position = position_after("bakers-dozen", line)
        assert state["foundations"] == dict(zip("CDHS", position.foundations, strict=True))
        assert sum(state["foundations"].values()) == 2

    def test_a_line_of_many_batches_and_undos_ends_where_replaying_it_does(self, api, winning_lines):
        line = winning_lines["spanish-patience"]
        state = api.play(api.start("spanish-patience"), *line[:30])
        state = api.play(state, *line[10:40], at=10)
        state = api.play(state, *line[35:50], at=35)

        assert state["line"] == line[:50]
        assert state["columns"] == position_after("spanish-patience", line[:50]).seen_columns()


class TestABatchIsAllOrNothing:
    @pytest.mark.parametrize("index", [0, 1, 5])
    def test_an_illegal_move_anywhere_plays_none_of_it(self, api, winning_lines, index):
        line = winning_lines["bakers-dozen"]
        state = api.play(api.start(), *line[:3])
        before = rows()

        response = api.moves(state, *line[3 : 3 + index], "1h", *line[3 + index : 9])

        error = error_of(response, 422, "illegal_move")
        assert error["detail"]["index"] == index
        assert error["detail"]["move"] == "1h"
        assert error["detail"]["reason"] == error["message"]
        assert error["detail"]["game"] == api.state(state)
        assert rows() == before

    def test_a_reason_says_what_is_wrong_in_a_sentence(self, api):
        state = api.start()
        assert (state["columns"][0][-1], state["columns"][1][-1]) == ("QS", "6H")

        response = api.moves(state, "12")

        assert (
            error_of(response, 422, "illegal_move")["message"]
            == "A queen needs a king; column 2 ends in a 6."
        )

    @pytest.mark.parametrize("move", ["11", "1h", "a1", "dd"])
    def test_no_move_is_taken_that_the_rules_do_not_name(self, api, move):
        state = api.start()
        assert move not in state["legal"]

        error_of(api.moves(state, move), 422, "illegal_move")

    @pytest.mark.parametrize("move", ["b1", "1b", "dh", "1d"])
    def test_a_column_that_the_variant_does_not_have_is_illegal_not_an_accident(self, api, move):
        error_of(api.moves(api.start("good-measure"), move), 422, "illegal_move")

    def test_an_illegal_move_after_taking_back_takes_nothing_back(self, api):
        state = api.play(api.start(), "96", "3d", "43")

        error = error_of(api.moves(state, "1h", at=1), 422, "illegal_move")

        assert error["detail"]["game"]["line"] == ["96", "3d", "43"]
        assert api.state(state)["redo"] == []

    def test_a_batch_refused_may_be_sent_again_once_it_is_right(self, api):
        state = api.start()
        request_id = api.request_id()

        error_of(api.moves(state, "1h", request_id=request_id), 422, "illegal_move")

        assert api.play(state, "96", request_id=request_id)["ply"] == 1

    def test_moves_after_the_winning_one_are_illegal_and_win_nothing(self, api, winning_lines):
        state = api.start()
        line = winning_lines["bakers-dozen"]

        error = error_of(api.moves(state, *line, "1h"), 422, "illegal_move")

        assert error["detail"]["index"] == len(line)
        assert api.state(state)["status"] == "open"


class TestTakingBack:
    def test_undo_is_going_back_to_an_earlier_ply(self, api):
        state = api.play(api.start(), "96", "3d", "43")
        undone = api.play(state, at=2)

        assert (undone["ply"], undone["line"], undone["redo"]) == (2, ["96", "3d"], ["43"])
        assert undone["columns"] == position_after("bakers-dozen", ["96", "3d"]).seen_columns()
        assert undone["version"] == state["version"] + 1

    def test_cards_come_back_from_the_foundations(self, api, winning_lines):
        started = api.start()
        state = api.play(started, *winning_lines["bakers-dozen"][:40])
        assert sum(state["foundations"].values()) > 5

        undone = api.play(state, at=0)

        assert undone["columns"] == started["columns"]
        assert undone["foundations"] == started["foundations"]

    def test_going_back_and_playing_on_is_one_step(self, api):
        state = api.play(api.start(), "96", "3d", "43")
        state = api.play(state, "8a", "41", at=1)

        assert (state["line"], state["version"]) == (["96", "8a", "41"], 2)

    @pytest.mark.parametrize("beyond", [1, 2, 100])
    def test_a_ply_that_was_not_reached_cannot_be_gone_back_to(self, api, beyond):
        state = api.play(api.start(), "96", "3d")
        before = rows()

        error = error_of(api.moves(state, "43", at=2 + beyond), 422, "bad_ply")

        assert error["detail"]["game"] == api.state(state)
        assert rows() == before

    def test_an_empty_batch_where_the_game_stands_changes_nothing(self, api):
        state = api.play(api.start(), "96", "3d")
        before = rows()

        response = api.moves(state)

        assert response.status_code == 200
        assert response.json() == state
        assert rows() == before

    def test_an_empty_batch_of_an_unplayed_game_changes_nothing(self, api):
        state = api.start()
        before = rows()

        assert api.play(state) == state
        assert rows() == before

    def test_what_was_taken_back_can_be_played_again_at_once(self, api, winning_lines):
        line = winning_lines["bakers-dozen"]
        state = api.play(api.start(), *line[:50])
        state = api.play(state, at=0)
        state = api.play(state, *state["redo"])

        assert (state["ply"], state["line"], state["redo"]) == (50, line[:50], [])


class TestRedo:
    """The tail that was cut off is kept until another way is taken."""

    @pytest.fixture
    def undone(self, api):
        """A game with two moves, and two more that were taken back."""
        return api.play(api.play(api.start(), "96", "3d", "43", "42"), at=2)

    def test_playing_its_first_move_shortens_it(self, api, undone):
        state = api.play(undone, "43")

        assert (state["line"], state["redo"]) == (["96", "3d", "43"], ["42"])

    def test_playing_all_of_it_leaves_none(self, api, undone):
        assert api.play(undone, "43", "42")["redo"] == []

    def test_another_move_drops_it(self, api, undone):
        state = api.play(undone, "41")

        assert (state["line"], state["redo"]) == (["96", "3d", "41"], [])

    def test_another_move_after_its_first_drops_the_rest(self, api, undone):
        state = api.play(undone, "43", "47")

        assert (state["line"], state["redo"]) == (["96", "3d", "43", "47"], [])

    def test_several_undos_stack(self, api, undone):
        state = api.play(undone, at=1)
        assert state["redo"] == ["3d", "43", "42"]

        state = api.play(state, at=0)
        assert state["redo"] == ["96", "3d", "43", "42"]

    def test_restart_keeps_the_whole_line(self, api, undone):
        state = api.play(undone, at=0)

        assert (state["ply"], state["redo"]) == (0, ["96", "3d", "43", "42"])

    def test_going_back_and_taking_the_same_way_keeps_what_is_left(self, api, undone):
        state = api.play(undone, "3d", at=1)

        assert (state["line"], state["redo"]) == (["96", "3d"], ["43", "42"])

    def test_going_back_and_taking_another_way_drops_all(self, api, undone):
        state = api.play(undone, "41", at=1)

        assert (state["line"], state["redo"]) == (["96", "41"], [])

    def test_a_batch_that_was_refused_leaves_it(self, api, undone):
        error_of(api.moves(undone, "43", "11"), 422, "illegal_move")

        assert api.state(undone)["redo"] == ["43", "42"]

    def test_an_ended_game_keeps_it(self, api, undone):
        assert api.resign(undone).json()["redo"] == ["43", "42"]


class TestVersions:
    @pytest.mark.parametrize("version", [0, 2, 1_000, 2**31 - 1])
    def test_another_version_than_the_games_is_refused_with_the_game_as_it_stands(self, api, version):
        state = api.play(api.start(), "96")
        before = rows()

        error = error_of(api.moves(state, "3d", version=version), 409, "stale_version")

        assert error["detail"]["game"] == api.state(state)
        assert rows() == before

    def test_what_is_wrong_with_an_old_version_does_not_matter(self, api):
        state = api.start()
        api.play(state, "96")

        for moves, at in ((["1h"], 0), (["3d"], 50), ([], 0)):
            error_of(api.moves(state, *moves, at=at), 409, "stale_version")

    def test_two_tabs_that_play_in_turn_both_play_once_they_know(self, api):
        here = api
        state = here.start()
        there = here.tab()
        seen_there = there.state(state)
        state = here.play(state, "96")

        error = error_of(there.moves(seen_there, "3d"), 409, "stale_version")
        assert error["detail"]["game"]["line"] == ["96"]
        state = there.play(error["detail"]["game"], "3d")

        assert here.state(state)["line"] == ["96", "3d"]


class TestLimits:
    def test_a_batch_has_200_moves_at_most(self, api, long_game):
        state, pair = long_game
        moves = pair * (MAX_BATCH // 2)
        assert len(moves) == MAX_BATCH == 200
        before = rows()

        error = error_of(api.moves(state, *moves, pair[0]), 400, "invalid")
        assert list(error["detail"]["fields"]) == ["moves"]
        assert rows() == before

        assert api.play(state, *moves)["ply"] == state["ply"] + 200

    def test_a_game_has_2000_moves_at_most(self, api, long_game):
        state, (there, back) = long_game
        while state["ply"] + MAX_BATCH < MAX_PLIES:
            state = api.play(state, *[there, back] * (MAX_BATCH // 2))
        state = api.play(state, *([there, back] * 100)[:-1])
        assert state["ply"] == MAX_PLIES - 1 == 1_999
        before = rows()

        error = error_of(api.moves(state, back, there), 422, "too_many_plies")
        assert error["detail"]["limit"] == MAX_PLIES
        assert rows() == before

        state = api.play(state, back)
        assert state["ply"] == MAX_PLIES
        error_of(api.moves(state, there), 422, "too_many_plies")
        error_of(api.moves(state, at=MAX_PLIES + 1), 400, "invalid")
        state = api.play(state, there, at=MAX_PLIES - 2)
        assert (state["ply"], state["redo"]) == (MAX_PLIES - 1, [back])
        assert api.play(state, at=0)["ply"] == 0

    @pytest.fixture
    def long_game(self, api):
        """A game in which a card can go to and fro for ever: a state, and the two moves."""
        columns = [
            ["KC", "QC", "JC", "TC"], ["KD", "QD", "JD", "TD"], ["KH", "QH", "JH", "TH"],
            ["KS", "QS", "JS", "TS", "9C"], ["8C", "7C", "6C"], ["9D", "8D", "7D", "6D"],
            ["9H", "8H", "7H", "6H"], ["9S", "8S", "7S", "6S"], ["5C", "4C", "3C", "2C"],
            ["5D", "4D", "3D", "2D"], ["5H", "4H", "3H", "2H"], ["5S", "4S", "3S", "2S"],
            ["AC", "AD", "AH", "AS"],
        ]  # fmt: skip
        state = api.start(kind="practice", layout="\n".join(map(" ".join, columns)))
        return state, ["43", "34"]


def test_a_move_stores_one_row_beside_the_game_it_changes(api):
    state = api.start()
    before = rows()
    api.play(state, "96")
    after = rows()

    assert set(after) - set(before) == {"bakers.GameRequest"}
    assert {label for label in before if before[label] != after[label]} == {"bakers.Game"}
    [was], [now] = before["bakers.Game"], after["bakers.Game"]
    assert {key for key in was if was[key] != now[key]} == {
        "version", "line", "position", "first_move_at", "last_move_at",
    }  # fmt: skip


def test_when_the_first_move_came_is_never_forgotten(api, frozen_clock):
    state = api.play(api.start(), "96")
    first = frozen_clock.now()
    frozen_clock.advance(seconds=30)
    api.play(api.play(state, at=0), "3d")

    assert Game.objects.get().first_move_at == first
