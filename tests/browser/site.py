"""The site as it runs for people, in a folder of its own: for browser tests and for benchmarks of pages."""

from __future__ import annotations

import os
import socket
import subprocess
import sys
import time
import urllib.error
import urllib.request
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent.parent
#: Seconds a server may take to start on a busy machine, where it may have to compile the solver first.
START = 240
#: What the system's Chromium needs where it runs as root, and what keeps it from looking for the outside world.
CHROMIUM_FLAGS = [
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
]


def chromium() -> str:
    """Return the path of the browser."""
    return os.environ.get("CHROMIUM", "/usr/bin/chromium")


@contextmanager
def running_site(home: Path, **settings: str) -> Iterator[str]:
    """Run the site with collected static files, gunicorn and an empty SQLite database, and give its address.

    Args:
        home: a folder of its own.
        settings: further variables of its environment.
    """
    prepare(home)
    with serving(home, free_port(), **settings) as address:
        yield address


def prepare(home: Path) -> None:
    """Make the database of a site, and collect its static files."""
    for command in (["migrate", "-v0"], ["collectstatic", "--noinput", "-v0"]):
        manage(home, *command)


@contextmanager
def serving(home: Path, port: int, **settings: str) -> Iterator[str]:
    """Serve a site that is prepared, and give its address."""
    environment = {**_environment(home), "SITE_URL": f"http://localhost:{port}", **settings}
    serve = [
        "gunicorn",
        "--no-control-socket",
        "--bind",
        f"127.0.0.1:{port}",
        "--threads",
        "8",
        "config.wsgi",
    ]
    log = (home / "log").open("w")
    server = subprocess.Popen(
        [sys.executable, "-m", *serve], cwd=ROOT, env=environment, stdout=log, stderr=log
    )
    try:
        _wait_for(f"http://localhost:{port}/healthz", server)
        yield f"http://localhost:{port}"
    finally:
        server.terminate()
        server.wait(30)
        log.close()


def manage(home: Path, *arguments: str) -> str:
    """Run a management command on the site that lives in a folder, and return what it says."""
    command = [sys.executable, "manage.py", *arguments]
    done = subprocess.run(
        command, cwd=ROOT, env=_environment(home), check=True, stdout=subprocess.PIPE, text=True
    )
    return done.stdout


def _environment(home: Path) -> dict[str, str]:
    environment = {
        **os.environ,
        "DJANGO_SETTINGS_MODULE": "config.settings",
        "DATA_DIR": str(home / "data"),
        "STATIC_ROOT": str(home / "static"),
        "DATABASE_URL": "",
        "LOG_LEVEL": "WARNING",
    }
    environment.pop("DJANGO_ALLOW_ASYNC_UNSAFE", None)
    return environment


def free_port() -> int:
    """Return a port on which nothing serves."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port: int = probe.getsockname()[1]
        return port


def _wait_for(address: str, server: subprocess.Popen[bytes]) -> None:
    deadline = time.monotonic() + START
    while time.monotonic() < deadline:
        if server.poll() is not None:
            break
        try:
            with urllib.request.urlopen(address, timeout=START):  # noqa: S310 (our own address)
                return
        except (urllib.error.URLError, ConnectionError):
            # The process is watched as well, so that this ends when it does.
            server_died = _pause(server)
            if server_died:
                break
    raise RuntimeError(f"The site did not start; it ended with {server.poll()}.")


def _pause(server: subprocess.Popen[bytes]) -> bool:
    """Wait a moment for the server, and say whether it ended instead."""
    try:
        server.wait(0.1)
    except subprocess.TimeoutExpired:
        return False
    return True
