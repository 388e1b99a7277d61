"""`python -m bakers.solver`: compile everything ahead, and drop what older sources left behind."""

from __future__ import annotations

import sys
import time

from . import compile_all, jit


def main() -> int:
    """Compile, and say what came of it; return the exit status."""
    if not jit.COMPILED:
        print("The solver runs as plain Python: NUMBA_DISABLE_JIT is set.", file=sys.stderr)
        return 0
    if not jit.is_kept():
        # Everything works all the same, so it is no failure.
        print(
            f"The solver’s compiled code can’t be kept: {jit.CACHE} can’t be written. Each process will compile it "
            "when it starts, which takes a minute. Set NUMBA_CACHE_DIR to a folder that can be written.",
            file=sys.stderr,
        )
        return 0
    begun = time.perf_counter()
    compile_all()
    jit.drop_old_code()
    print(f"The solver is compiled ({time.perf_counter() - begun:.0f} s).", file=sys.stderr)
    return 0


if __name__ == "__main__":
    sys.exit(main())
