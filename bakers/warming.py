"""Getting the solver ready before anybody waits for it."""

from __future__ import annotations

import time

import structlog

from bakers.solver import compile_all, jit

log = structlog.get_logger(__name__)


def warm_up() -> None:
    """Load the solver's compiled code, or compile it where none is kept, so that no search has to.

    A process does this as it starts. It takes half a second, or about a minute where code has to be compiled.
    """
    begun = time.perf_counter()
    if jit.COMPILED and not jit.is_kept():
        log.warning(
            "compiled code can't be kept, so each process compiles the solver as it starts; "
            "set NUMBA_CACHE_DIR to a folder that can be written",
            folder=str(jit.CACHE),
        )
    compile_all()
    log.info("solver ready", seconds=round(time.perf_counter() - begun, 1))
