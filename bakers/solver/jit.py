"""How the solver's hot functions are compiled, and the two bit operations that plain Python spells otherwise.

`kernel` compiles a function with numba: typed for mypy, without the interpreter's lock while it runs, and cached on
disk. With `NUMBA_DISABLE_JIT=1` it returns the function as it is, and everything runs as plain Python.

numba's cache doesn't notice when a function in another file changes. So the compiled code of each module is kept in a
folder named after a digest of its source and of all modules of this package that it imports: in `NUMBA_CACHE_DIR` if
that is set, else beside the sources. Code for another processor is compiled anew, and kept beside the other.
"""

from __future__ import annotations

import functools
import hashlib
import os
import re
import shutil
from collections.abc import Callable
from pathlib import Path
from typing import Any, TypeVar, cast

import numba
from numba import types
from numba.core import config as _numba_config
from numba.extending import intrinsic, overload

#: numba's settings, whose names are made when it is imported.
config: Any = _numba_config

#: Whether kernels are compiled; false under `NUMBA_DISABLE_JIT=1`.
COMPILED = not config.DISABLE_JIT

_HERE = Path(__file__).parent
#: The folder for compiled code; numba itself reads the variable.
CACHE = Path(config.CACHE_DIR or _HERE / "__pycache__").absolute()
_Function = TypeVar("_Function", bound=Callable[..., Any])


_IMPORT = re.compile(r"^from \.(\w+) import", re.MULTILINE)


@functools.cache
def _sources(module: str) -> frozenset[str]:
    """A module of this package and all that it imports from the package, by name."""
    found = {module}
    waiting = [module]
    while waiting:
        text = (_HERE / f"{waiting.pop()}.py").read_text()
        new = set(_IMPORT.findall(text)) - found
        found |= new
        waiting.extend(new)
    return frozenset(found)


@functools.cache
def _cache_folder(module: str) -> Path | None:
    """A writable folder for a module's compiled code, or None when there is none and each process compiles."""
    digest = hashlib.sha256(numba.__version__.encode())
    for name in sorted(_sources(module)):
        digest.update((_HERE / f"{name}.py").read_bytes())
    folder = CACHE / f"{module}-{digest.hexdigest()[:16]}"
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError:
        return None
    # numba writes a file where it is about to read, so a folder that can only be read is of no use to it.
    return folder if os.access(folder, os.W_OK) else None


_FOLDER = re.compile(r"[a-z]+-[0-9a-f]{16}")


def is_kept() -> bool:
    """Whether compiled code is kept for the next process."""
    return COMPILED and all(_cache_folder(path.stem) for path in _HERE.glob("*.py") if _has_kernels(path))


def drop_old_code() -> int:
    """Delete the compiled code of sources that have changed since, and return how many folders went."""
    current = {_cache_folder(path.stem) for path in _HERE.glob("*.py") if _has_kernels(path)}
    old = [
        folder
        for folder in CACHE.glob("*-*")
        if folder.is_dir() and _FOLDER.fullmatch(folder.name) and folder not in current
    ]
    for folder in old:
        # Two processes may drop the same.
        shutil.rmtree(folder, ignore_errors=True)
    return len(old)


def _has_kernels(source: Path) -> bool:
    return "\n@kernel\n" in source.read_text()


def kernel(function: _Function) -> _Function:
    """Compile a function at its first call, or load it from the cache. It takes integers and arrays of int64."""
    if not COMPILED:
        return function
    # The folder holds for our own functions only: numba reads it when a function is decorated.
    folder = _cache_folder(function.__module__.rpartition(".")[2])
    before = config.CACHE_DIR
    config.CACHE_DIR = str(folder or "")
    try:
        return cast("_Function", numba.njit(cache=folder is not None, nogil=True)(function))
    finally:
        config.CACHE_DIR = before


def popcount(bits: int) -> int:
    """How many bits of a non-negative number are set."""
    return int(bits).bit_count()


def lowest(bits: int) -> int:
    """The place of the lowest set bit of a positive number."""
    return (int(bits) & -int(bits)).bit_length() - 1


def highest(bits: int) -> int:
    """The place of the highest set bit of a positive number."""
    return int(bits).bit_length() - 1


def _unary(emit: Callable[[Any, Any], Any]) -> Callable[..., Any]:
    """An int64 → int64 function made of machine instructions."""

    def typed(_context: Any, bits: Any) -> Any:
        def generate(_target: Any, builder: Any, _signature: Any, arguments: Any) -> Any:
            return emit(builder, arguments[0])

        return types.int64(types.int64), generate

    return cast("Callable[..., Any]", intrinsic(typed))


if COMPILED:

    def _emit_highest(builder: Any, value: Any) -> Any:
        flag = value.type.__class__(1)(0)
        return builder.sub(value.type(63), builder.ctlz(value, flag))

    _popcount = _unary(lambda builder, value: builder.ctpop(value))
    _lowest = _unary(lambda builder, value: builder.cttz(value, value.type.__class__(1)(0)))
    _highest = _unary(_emit_highest)

    # numba calls the outer function with types and compiles the inner one.
    overload(popcount)(lambda bits: lambda bits: _popcount(bits))
    overload(lowest)(lambda bits: lambda bits: _lowest(bits))
    overload(highest)(lambda bits: lambda bits: _highest(bits))
