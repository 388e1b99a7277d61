"""How long the site takes to start, and how much memory the solver and the web server take.

The web server runs as it does for people, with two workers. RSS counts what processes share in each of them; PSS
divides it among them, so that PSS of all is what the machine gives. The solver's part is what it adds to a process that
has imported the rules alone. `script/bench startup` runs it; the code is compiled before.
"""

from __future__ import annotations

import os
import subprocess
import sys
import tempfile
import time
import urllib.error
import urllib.request
from pathlib import Path

from tests.browser.site import ROOT, free_port

WORKERS = 2
#: What the solver may add to the web process, in megabytes.
ALLOWED = 200
#: Seconds until a server that doesn't answer is given up.
PATIENCE = 240

_SOLVER = """
import time
def resident():
    with open("/proc/self/smaps_rollup") as lines:
        return next(int(line.split()[1]) for line in lines if line.startswith("Rss:")) / 1024
import bakers.rules.deals
before = resident(); begun = time.perf_counter()
import bakers.solver
imported = time.perf_counter()
bakers.solver.compile_all()
loaded = time.perf_counter(); after = resident()
print(imported - begun, loaded - imported, before, after)
"""


def main() -> None:
    """Print times and memory."""
    done = subprocess.run(
        [sys.executable, "-c", _SOLVER],
        cwd=ROOT,
        env={**os.environ, "OPENBLAS_NUM_THREADS": "1"},
        capture_output=True,
        text=True,
        check=True,
    )
    imported, loaded, before, after = map(float, done.stdout.split())
    print(f"solver: imported in {imported:.2f} s, compiled code loaded in {loaded:.2f} s")
    print(f"solver: adds {after - before:.0f} MB to a process of {before:.0f} MB ({ALLOWED} MB are allowed)")
    with tempfile.TemporaryDirectory() as folder:
        _web_server(Path(folder))


def _web_server(folder: Path) -> None:
    port = free_port()
    environment = {
        "PATH": os.environ["PATH"],
        "DATA_DIR": str(folder / "data"),
        "STATIC_ROOT": str(folder / "static"),
        "PORT": str(port),
        "WEB_WORKERS": str(WORKERS),
        "LOG_LEVEL": "WARNING",
    }
    for command in (["migrate", "-v0"], ["collectstatic", "--no-input", "-v0"]):
        subprocess.run([sys.executable, "manage.py", *command], cwd=ROOT, env=environment, check=True)
    begun = time.perf_counter()
    server = subprocess.Popen(
        [sys.executable, "-m", "gunicorn", "--config", "python:config.gunicorn"], cwd=ROOT, env=environment
    )
    try:
        while not _get(f"http://127.0.0.1:{port}/healthz"):
            if server.poll() is not None or time.perf_counter() > begun + PATIENCE:
                raise RuntimeError("the web server did not start")
            time.sleep(0.02)
        print(f"web server: answers after {time.perf_counter() - begun:.2f} s")
        _print_memory("web server, just started", server.pid)
        # A different deal each time, so that each has to be searched.
        for number in range(1, 41):
            _get(f"http://127.0.0.1:{port}/play/bakers-dozen/{number}")
            _get(f"http://127.0.0.1:{port}/deal/good-measure/{number}")
        _print_memory("web server, after 40 tables and 40 searches", server.pid)
    finally:
        server.terminate()
        server.wait(30)


def _get(address: str) -> bool:
    """Whether something answers there."""
    try:
        urllib.request.urlopen(address, timeout=30).close()  # noqa: S310 (our own address)
    except urllib.error.HTTPError:
        return True
    except OSError:
        return False
    return True


def _print_memory(title: str, master: int) -> None:
    workers = Path(f"/proc/{master}/task/{master}/children").read_text().split()
    each = [_memory(pid) for pid in (str(master), *workers)]
    shown = ", ".join(f"{rss:.0f}" for rss, _ in each)
    print(f"{title}: RSS of master and workers {shown} MB; PSS of all {sum(pss for _, pss in each):.0f} MB")


def _memory(pid: str) -> tuple[float, float]:
    """RSS and PSS of a process, in megabytes."""
    lines = Path(f"/proc/{pid}/smaps_rollup").read_text().splitlines()[1:]
    sizes = {line.split(":")[0]: int(line.split()[1]) / 1024 for line in lines}
    return sizes["Rss"], sizes["Pss"]


if __name__ == "__main__":
    main()
