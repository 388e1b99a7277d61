"""The surveys that the pages show: summaries in `data/`, one file a variant, written by `manage.py survey`."""

from __future__ import annotations

import functools
import json
from pathlib import Path

from bakers.rules.variants import VARIANTS

from .summaries import Summary

DATA = Path(__file__).parent / "data"


@functools.cache
def published_surveys() -> tuple[Summary, ...]:
    """Return the published surveys, in the order in which pages list variants."""
    paths = [DATA / f"{slug}.json" for slug in VARIANTS]
    return tuple(
        Summary.from_json(json.loads(path.read_text(encoding="utf-8"))) for path in paths if path.exists()
    )
