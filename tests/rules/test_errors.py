"""The three kinds of error."""

from __future__ import annotations

import pytest

from bakers.rules.errors import AmbiguousMoveError, IllegalMoveError, RulesError, UnreadableError
from bakers.rules.variants import BAKERS_DOZEN

from .tables import table

KINDS = [
    (UnreadableError, "unreadable"),
    (IllegalMoveError, "illegal_move"),
    (AmbiguousMoveError, "ambiguous_move"),
]


@pytest.mark.parametrize(("kind", "code"), KINDS)
def test_each_kind_carries_a_reason_a_token_and_a_code(kind: type[RulesError], code: str) -> None:
    error = kind("It can’t be so.", token="7H-")
    assert (str(error), error.reason, error.token, error.code) == (
        "It can’t be so.",
        "It can’t be so.",
        "7H-",
        code,
    )
    assert isinstance(error, RulesError)
    assert isinstance(error, ValueError)


def test_no_kind_is_a_kind_of_another() -> None:
    kinds = [kind for kind, _ in KINDS]
    assert not any(issubclass(one, other) for one in kinds for other in kinds if one is not other)
    assert len({code for _, code in KINDS}) == 3


@pytest.mark.parametrize(
    ("move", "kind"), [("zz", UnreadableError), ("23", IllegalMoveError), ("AD-", AmbiguousMoveError)]
)
def test_one_position_raises_all_three(move: str, kind: type[RulesError]) -> None:
    position = table(BAKERS_DOZEN, "5C AD", "2S", "9H", "2C")
    before = position.text()
    with pytest.raises(kind) as caught:
        position.play(move)
    assert caught.value.token == move
    assert position.text() == before
    assert position.ply == 0
