"""What the tests of days share."""

from __future__ import annotations

import pytest

from bakers.warming import warm_up


@pytest.fixture(scope="session", autouse=True)
def _warm() -> None:
    """Load the solver first, as the site does: else that would use up the time in which a board is to be made."""
    warm_up()
