"""What every page has in its frame."""

from __future__ import annotations

from typing import Any

from django.http import HttpRequest

from bakers.presenters import variant_data
from bakers.rules.variants import VARIANTS

_VARIANTS = [variant_data(variant) for variant in VARIANTS.values()]


def variants(request: HttpRequest) -> dict[str, Any]:
    """Give pages `variants`, for the links to each of them."""
    return {"variants": _VARIANTS}
