"""The solver's compiled code: who compiles it and when, where it is kept, and that no request has to wait for it."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

ROOT = Path(__file__).resolve().parent.parent
#: Calls a kernel that calls one of another file, and prints its answer and how many functions were compiled for it.
ONE_KERNEL = """
from numba.core import event
from bakers.solver.hanging import hosts_of
with event.install_recorder("numba:compile") as recorder:
    answer = hosts_of(2, 0, 0)
print(answer, sum(entry.is_start for _, entry in recorder.buffer))
"""


def run(*arguments: str, folder: Path = ROOT, **variables: Any) -> subprocess.CompletedProcess[str]:
    """Run Python in a folder, in a process that has nothing compiled yet."""
    return subprocess.run(
        [sys.executable, *arguments],
        cwd=folder,
        env=environment(**variables),
        capture_output=True,
        text=True,
        check=False,
    )


def environment(**variables: Any) -> dict[str, str]:
    """An environment that knows nothing of this machine's numba but what is given."""
    return {
        "PATH": os.environ["PATH"],
        "PYTHONDONTWRITEBYTECODE": "1",
        "OPENBLAS_NUM_THREADS": "1",
        **variables,
    }


def call_one_kernel(folder: Path, **variables: Any) -> tuple[int, int]:
    """Call a kernel in a new process; return its answer and how many functions had to be compiled."""
    done = run("-c", ONE_KERNEL, folder=folder, **variables)
    assert done.returncode == 0, done.stderr
    answer, compiled = done.stdout.split()
    return int(answer), int(compiled)


@pytest.fixture
def copy(tmp_path: Path) -> Path:
    """A copy of the solver and the rules, in a folder with a space in its name."""
    folder = tmp_path / "a copy"
    for name in ("rules", "solver"):
        shutil.copytree(
            ROOT / "bakers" / name,
            folder / "bakers" / name,
            ignore=shutil.ignore_patterns("__pycache__"),
        )
    (folder / "bakers" / "__init__.py").touch()
    return folder


class TestWarming:
    def test_a_process_that_is_warm_compiles_nothing_for_any_search_of_any_variant(self) -> None:
        done = run(
            "-c",
            """
import random
from numba.core import event
from bakers.rules.deals import deal
from bakers.rules.positions import Position
from bakers.rules.variants import VARIANTS
from bakers.solver import compile_all, decide, short_line, shortest
compile_all()
dice = random.Random(1)
searched = 0
with event.install_recorder("numba:compile") as recorder:
    for variant in VARIANTS.values():
        # 2: won; 477: lost by a finished search; 1: by the root test, in Good Measure.
        for number in (1, 2, 477):
            position = deal(variant, number)
            while not position.is_won() and position.legal_moves:
                decide(position, 20_000)
                short_line(position)
                shortest(position, 3_000)
                searched += 1
                for _ in range(12):
                    moves = list(position.legal_moves)
                    if not moves:
                        break
                    position.push(dice.choice(moves))
                if searched % 4 == 0:
                    break
print(searched, [str(entry.data["dispatcher"]) for _, entry in recorder.buffer if entry.is_start])
""",
        )
        assert done.returncode == 0, done.stderr
        searched, _, compiled_late = done.stdout.strip().partition(" ")
        assert int(searched) >= 20
        assert compiled_late == "[]"

    def test_before_the_web_server_forks_all_is_loaded_with_neither_thread_nor_query(
        self, tmp_path: Path
    ) -> None:
        done = run(
            "-c",
            """
import os, sys, threading
import config.gunicorn
import config.wsgi
from django.db import connection
assert config.gunicorn.preload_app
print(len(os.listdir("/proc/self/task")), threading.active_count(), connection.connection,
      "bakers.api.views" in sys.modules)
""",
            DATA_DIR=str(tmp_path),
            DJANGO_SETTINGS_MODULE="config.settings",
        )
        assert done.stdout.split() == ["1", "1", "None", "True"], done.stderr

    def test_the_worker_is_warm_before_it_takes_a_task(self, monkeypatch: pytest.MonkeyPatch) -> None:
        from bakers.management.commands import worker

        done: list[str] = []
        monkeypatch.setattr(worker, "warm_up", lambda: done.append("warm"))
        monkeypatch.setattr(worker, "call_command", lambda *_args, **_options: done.append("work"))
        worker.Command().handle()
        assert done == ["warm", "work"]


class TestCache:
    def test_what_one_process_compiled_the_next_one_loads(self, copy: Path) -> None:
        first = call_one_kernel(copy)
        assert first[1] > 0
        assert call_one_kernel(copy) == (first[0], 0)

    def test_a_kernel_is_compiled_anew_when_a_file_changes_whose_functions_it_calls(self, copy: Path) -> None:
        answer, _ = call_one_kernel(copy)
        board = copy / "bakers" / "solver" / "board.py"
        before = board.read_text()
        # The size of the file stays the same, and so does its time.
        times = board.stat()
        board.write_text(before.replace("return (cards | (cards >> 1)", "return (cards & (cards >> 1)"))
        os.utime(board, ns=(times.st_atime_ns, times.st_mtime_ns))
        changed, compiled = call_one_kernel(copy)
        assert changed != answer
        assert compiled > 0
        board.write_text(before)
        assert call_one_kernel(copy) == (answer, 0)

    def test_code_for_another_processor_is_compiled_and_kept_beside_the_first(self, copy: Path) -> None:
        generic = {"NUMBA_CPU_NAME": "generic"}
        answer, _ = call_one_kernel(copy)
        other, compiled = call_one_kernel(copy, **generic)
        assert compiled > 0
        assert other == answer
        assert call_one_kernel(copy) == call_one_kernel(copy, **generic) == (answer, 0)

    def test_processes_that_compile_at_once_do_not_disturb_each_other(self, copy: Path) -> None:
        several = [
            subprocess.Popen(
                [sys.executable, "-c", ONE_KERNEL],
                cwd=copy,
                env=environment(),
                stdout=subprocess.PIPE,
                stderr=subprocess.PIPE,
                text=True,
            )
            for _ in range(3)
        ]
        said = [process.communicate() for process in several]
        assert [process.returncode for process in several] == [0, 0, 0], said
        answers = {out.split()[0] for out, _ in said}
        assert len(answers) == 1
        assert call_one_kernel(copy) == (int(answers.pop()), 0)

    def test_a_folder_that_is_named_is_used_and_nothing_is_written_beside_the_sources(
        self, copy: Path, tmp_path: Path
    ) -> None:
        before = sorted(copy.rglob("*"))
        elsewhere = {"NUMBA_CACHE_DIR": str(tmp_path / "kept elsewhere")}
        answer, _ = call_one_kernel(copy, **elsewhere)
        assert call_one_kernel(copy, **elsewhere) == (answer, 0)
        assert sorted(copy.rglob("*")) == before

    def test_without_a_folder_that_can_be_written_each_process_compiles_and_works(self, copy: Path) -> None:
        # Nobody, not even root, makes a folder there.
        nowhere = {"NUMBA_CACHE_DIR": "/dev/null/cache"}
        first = call_one_kernel(copy, **nowhere)
        assert first[1] > 0
        assert call_one_kernel(copy, **nowhere) == first

    def test_compiling_ahead_says_that_nothing_can_be_kept_and_wastes_no_time_on_it(self, copy: Path) -> None:
        done = run("-m", "bakers.solver", folder=copy, NUMBA_CACHE_DIR="/dev/null/cache")
        assert done.returncode == 0
        assert "can’t be kept: /dev/null/cache can’t be written" in done.stderr
        assert "Set NUMBA_CACHE_DIR" in done.stderr

    def test_the_code_of_older_sources_is_dropped_and_nothing_else(self, copy: Path, tmp_path: Path) -> None:
        cache = tmp_path / "cache"
        (cache / "board-0123456789abcdef").mkdir(parents=True)
        (cache / "somebody-else").mkdir()
        (cache / "stamp").touch()
        code = "from bakers.solver import jit; assert jit.is_kept(); print(jit.drop_old_code())"
        done = run("-c", code, folder=copy, NUMBA_CACHE_DIR=str(cache))
        assert done.stdout == "1\n", done.stderr
        left = {path.name for path in cache.iterdir()}
        assert "board-0123456789abcdef" not in left
        assert {"somebody-else", "stamp"} < left
        # The folders of the sources as they are.
        assert any(name.startswith("board-") for name in left)


class TestSetup:
    """script/setup, in a folder where the solver only counts how often it was compiled."""

    @pytest.fixture
    def folder(self, tmp_path: Path) -> Path:
        folder = tmp_path / "a site"
        solver = folder / "bakers" / "solver"
        solver.mkdir(parents=True)
        (folder / "bakers" / "rules").mkdir()
        (folder / "bakers" / "rules" / "cards.py").touch()
        (solver / "__main__.py").write_text("open('compiled', 'a').write('x')\n")
        (folder / "script").mkdir()
        shutil.copy(ROOT / "script" / "setup", folder / "script")
        for name in ("requirements.txt", "requirements-build.txt"):
            shutil.copy(ROOT / name, folder)
        # What is installed here serves there as well.
        (folder / ".venv" / "bin").mkdir(parents=True)
        (folder / ".venv" / "bin" / "python").symlink_to(sys.executable)
        (folder / ".venv" / "stamp-requirements.txt").symlink_to(ROOT / ".venv" / "stamp-requirements.txt")
        return folder

    @staticmethod
    def compiled(folder: Path, **variables: Any) -> int:
        """Run the script, and return how often the solver has been compiled since the beginning."""
        done = subprocess.run(
            ["script/setup"],
            cwd=folder,
            env=environment(**variables),
            capture_output=True,
            text=True,
            check=False,
        )
        assert done.returncode == 0, done.stderr
        counter = folder / "compiled"
        return len(counter.read_text()) if counter.exists() else 0

    def test_it_compiles_once_and_then_does_nothing(self, folder: Path) -> None:
        assert [self.compiled(folder) for _ in range(3)] == [1, 1, 1]

    @pytest.mark.parametrize("name", ["bakers/solver/board.py", "bakers/rules/cards.py"])
    def test_it_compiles_again_when_a_source_has_changed(self, folder: Path, name: str) -> None:
        assert self.compiled(folder) == 1
        (folder / name).write_text("ONE = 1\n")
        assert [self.compiled(folder) for _ in range(2)] == [2, 2]

    def test_it_compiles_again_for_another_processor(self, folder: Path) -> None:
        assert self.compiled(folder) == 1
        assert self.compiled(folder, NUMBA_CPU_NAME="generic") == 2

    def test_it_compiles_into_each_folder_that_is_named(self, folder: Path, tmp_path: Path) -> None:
        named = str(tmp_path / "a cache")
        assert self.compiled(folder) == 1
        assert [self.compiled(folder, NUMBA_CACHE_DIR=named) for _ in range(2)] == [2, 2]

    def test_a_solver_that_cannot_be_compiled_is_a_failure_that_is_tried_again(self, folder: Path) -> None:
        main = folder / "bakers" / "solver" / "__main__.py"
        works = main.read_text()
        main.write_text("raise SystemExit(3)\n")
        done = subprocess.run(
            ["script/setup"], cwd=folder, env=environment(), capture_output=True, text=True, check=False
        )
        assert done.returncode == 1
        assert "script/setup: the solver could not be compiled" in done.stderr
        main.write_text(works)
        assert self.compiled(folder) == 1

    def test_where_nothing_can_be_kept_it_works_all_the_same(self, folder: Path) -> None:
        assert [self.compiled(folder, NUMBA_CACHE_DIR="/dev/null/x") for _ in range(2)] == [1, 2]
