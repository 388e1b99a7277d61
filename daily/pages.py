"""What the pages around the boards share."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from django.http import HttpRequest, HttpResponse
from django.views.decorators.cache import cache_control
from django.views.decorators.gzip import gzip_page
from django.views.decorators.http import require_safe

from bakers.presenters import variant_data
from bakers.rules.variants import VARIANTS, Variant

View = Callable[..., HttpResponse]


def page(view: View) -> View:
    """Make a view one of a page that is read, compressed, and its visitor’s own: their row and results are in it."""
    own: View = cache_control(private=True, no_cache=True)(view)
    return require_safe(gzip_page(own))


def frame(variant: Variant | None = None) -> dict[str, Any]:
    """Return what header and footer are made of."""
    found: dict[str, Any] = {"variants": [variant_data(each) for each in VARIANTS.values()]}
    if variant is not None:
        found["variant"] = variant_data(variant)
    return found


def user_id(request: HttpRequest) -> int | None:
    """Return who has signed in."""
    return request.user.pk if request.user.is_authenticated else None
