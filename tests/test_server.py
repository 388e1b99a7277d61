"""script/serve.py, which runs the site's processes: how it starts, and each way in which it ends."""

from __future__ import annotations

import os
import select
import signal
import socket
import subprocess
import sys
import urllib.request
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from bakers.rules.variants import VARIANTS

ROOT = Path(__file__).resolve().parent.parent
# Seconds in which a loaded machine starts or stops the site; it may have to compile the solver first.
PATIENCE = 240


class Server:
    """The site, run on a port and a database of its own."""

    def __init__(self, folder: Path, port: int) -> None:
        self.port = port
        self.output = ""
        self.process = subprocess.Popen(
            [sys.executable, "script/serve.py"],
            cwd=ROOT,
            env={
                "PATH": os.environ["PATH"],
                "HOME": "/nonexistent",
                "PORT": str(port),
                "DATA_DIR": str(folder / "data folder"),
                "STATIC_ROOT": str(folder / "static"),
                "WEB_WORKERS": "1",
                "WEB_THREADS": "2",
            },
            stdout=subprocess.DEVNULL,
            stderr=subprocess.PIPE,
            text=True,
        )

    def read_until(self, words: str) -> None:
        """Read what the server says until these words, or until it ends."""
        assert self.process.stderr
        for line in self.process.stderr:
            self.output += line
            if words in line:
                return
        pytest.fail(f"the server ended without saying {words!r}:\n{self.output}")

    def end(self) -> int:
        """Read the rest of what the server says, and return its exit status."""
        self.output += self.process.communicate(timeout=PATIENCE)[1]
        return self.process.returncode

    def children(self) -> dict[str, int]:
        """Return the processes of the site by what they run."""
        listed = Path(f"/proc/{self.process.pid}/task/{self.process.pid}/children").read_text().split()
        found = {}
        for pid in map(int, listed):
            command = Path(f"/proc/{pid}/cmdline").read_text()
            for name in ("gunicorn", "scheduler", "worker"):
                if f"\0{name}\0" in command:
                    found[name] = pid
        return found


@pytest.fixture
def port() -> int:
    """A port that nothing serves on."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        number: int = probe.getsockname()[1]
        return number


@pytest.fixture
def start(tmp_path: Path, port: int) -> Iterator[Callable[[], Server]]:
    """Starts the site, and sees to it that none of it is left."""
    started: list[Server] = []

    def start() -> Server:
        server = Server(tmp_path, port)
        started.append(server)
        server.read_until("Ctrl-C stops it")
        return server

    yield start
    for server in started:
        if server.process.poll() is None:
            server.process.terminate()
            server.process.communicate(timeout=PATIENCE)


def assert_nothing_is_left(server: Server, children: dict[str, int]) -> None:
    """Assert that the site's port is free and its processes are gone."""
    with socket.socket() as probe:
        probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        probe.bind(("127.0.0.1", server.port))
    left = [name for name, pid in children.items() if Path(f"/proc/{pid}").exists()]
    assert not left


def test_it_serves_a_table_and_ends_all_its_processes_on_ctrl_c(start: Callable[[], Server]) -> None:
    server = start()
    children = server.children()
    assert sorted(children) == ["gunicorn", "scheduler", "worker"]
    with urllib.request.urlopen(f"http://127.0.0.1:{server.port}/", timeout=PATIENCE) as page:
        assert page.status == 200
        assert "Baker" in page.read().decode()
    for slug, variant in VARIANTS.items():
        with urllib.request.urlopen(f"http://127.0.0.1:{server.port}/daily/{slug}", timeout=PATIENCE) as page:
            assert f"<title>{variant.name}, daily #" in page.read().decode()
    server.process.send_signal(signal.SIGINT)
    assert server.end() == 0
    assert server.output.splitlines()[-1] == "Stopped."
    assert "Traceback" not in server.output
    assert_nothing_is_left(server, children)


@pytest.mark.parametrize(
    ("program", "name"),
    [("gunicorn", "web server"), ("scheduler", "scheduler"), ("worker", "task worker")],
)
def test_a_process_that_dies_brings_the_rest_down_and_is_named(
    start: Callable[[], Server], program: str, name: str
) -> None:
    server = start()
    children = server.children()
    os.kill(children[program], signal.SIGKILL)
    assert server.end() == 1
    assert f"script/server: the {name} was killed by signal 9; stopping the rest." in server.output
    assert_nothing_is_left(server, children)


def test_no_process_outlives_the_one_that_started_it(start: Callable[[], Server]) -> None:
    server = start()
    # A handle on each process becomes readable when it ends.
    handles = [os.pidfd_open(pid) for pid in server.children().values()]
    assert len(handles) == 3
    server.process.kill()
    for handle in handles:
        ended, _, _ = select.select([handle], [], [], PATIENCE)
        os.close(handle)
        assert ended


def test_a_port_that_is_taken_is_refused_before_anything_is_done(tmp_path: Path) -> None:
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        taken.listen()
        server = Server(tmp_path, taken.getsockname()[1])
        assert server.end() == 1
    assert server.output.startswith(
        f"script/server: can't serve on port {server.port}: Address already in use."
    )
    assert "PORT=" in server.output
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize("port", ["eighty", "0", "65536"])
def test_a_port_that_is_none_is_refused(port: str) -> None:
    done = subprocess.run(
        [sys.executable, "script/serve.py"],
        cwd=ROOT,
        env={"PATH": os.environ["PATH"], "PORT": port},
        capture_output=True,
        text=True,
        check=False,
        timeout=PATIENCE,
    )
    assert done.returncode == 1
    assert done.stderr == f"script/server: PORT is {port!r}; it must be a number from 1 to 65535.\n"
