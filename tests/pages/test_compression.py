"""Pages on their way: small for whoever takes that."""

from __future__ import annotations

import pytest
from django.test import Client


@pytest.mark.django_db
@pytest.mark.parametrize("path", ["/", "/play/good-measure/1", "/rules/bakers-dozen"])
def test_a_page_shrinks_to_less_than_half(client: Client, path: str) -> None:
    plain = client.get(path)
    small = client.get(path, headers={"accept-encoding": "gzip"})
    assert "Content-Encoding" not in plain
    assert small["Content-Encoding"] == "gzip"
    assert len(small.content) < len(plain.content) / 2
