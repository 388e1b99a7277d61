"""Starts the site's processes, watches them and stops them together; script/server runs it.

1. Refuse a port that is taken, then prepare: migrations, static files.
2. Start the web server, the scheduler and one task worker, each in a process group of its own, so that Ctrl-C
   reaches only this process and the others end in order.
3. Wait. A signal stops everything and is the normal end. A process that ends by itself stops everything too, since
   a site without its scheduler or worker would fall behind unseen; that is a failure.
4. Stop: ask each process to end, and kill what hasn't after a while, or at a second signal.
"""

from __future__ import annotations

import ctypes
import errno
import os
import signal
import socket
import subprocess
import sys
import threading
import time
import urllib.error
import urllib.request
from pathlib import Path
from types import FrameType
from urllib.parse import urlsplit

ROOT = Path(__file__).resolve().parent.parent
# Seconds until processes that were asked to end are killed; the web server gives its requests 20.
PATIENCE = 25
# Seconds until the site must have answered for the first time: where compiled code can't be kept, web server and worker
# both begin by compiling the solver.
START_TIME = 240

PROCESSES = {
    "web server": ["-m", "gunicorn", "--config", "python:config.gunicorn"],
    "scheduler": ["manage.py", "scheduler"],
    # One worker: a task is short, and those that someone waits for go first.
    "task worker": ["manage.py", "worker"],
}


def say(text: str) -> None:
    """Tell the person at the terminal."""
    print(text, file=sys.stderr, flush=True)


def fail(text: str) -> None:
    """Say why the site can't run, and end."""
    say(f"script/server: {text}")
    sys.exit(1)


def port() -> int:
    """Return the port to serve on."""
    text = os.environ.get("PORT") or "8000"
    if not text.isdigit() or not 1 <= int(text) <= 65535:
        fail(f"PORT is {text!r}; it must be a number from 1 to 65535.")
    return int(text)


def check_port() -> None:
    """Refuse a port on which something else serves already."""
    hosts = [os.environ["HOST"]] if os.environ.get("HOST") else ["127.0.0.1", "::1"]
    for host in hosts:
        try:
            with socket.socket(
                socket.AF_INET6 if ":" in host else socket.AF_INET, socket.SOCK_STREAM
            ) as probe:
                # As the web server will: connections of the last run that still fade away don't count.
                probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
                probe.bind((host, port()))
        except OSError as error:
            # Without IPv6 there is nothing to ask, and the web server won't either.
            if host == "::1" and error.errno in (errno.EAFNOSUPPORT, errno.EADDRNOTAVAIL):
                continue
            fail(f"can't serve on port {port()}: {error.strerror}. Choose another: PORT=8001 script/server")


def prepare() -> None:
    """Bring the database and the static files up to date."""
    for what, arguments in (
        ("database", ["migrate", "--no-input", "--verbosity", "0"]),
        ("static files", ["collectstatic", "--no-input", "--verbosity", "0"]),
        # The scheduler makes the rest beside the server.
        ("boards", ["dailies", "--ahead", "0"]),
    ):
        if subprocess.run([sys.executable, "manage.py", *arguments], cwd=ROOT, check=False).returncode:
            fail(f"could not prepare the {what}; the message is above.")


def end_with_parent() -> None:
    """Ask the kernel to stop this process when the one that started it dies, however it dies (Linux only)."""
    if sys.platform == "linux":
        set_parent_death_signal = 1
        ctypes.CDLL(None).prctl(set_parent_death_signal, signal.SIGTERM)


class Site:
    """The processes that make the site."""

    def __init__(self) -> None:
        """Start nothing yet, but hear signals."""
        self.processes: dict[str, subprocess.Popen[bytes]] = {}
        self.signals: list[int] = []
        self.news = threading.Event()
        for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
            signal.signal(number, self.heard)
        signal.signal(signal.SIGCHLD, lambda _number, _frame: self.news.set())

    def heard(self, number: int, _frame: FrameType | None) -> None:
        """Remember that somebody wants the site to end."""
        self.signals.append(number)
        self.news.set()

    def start(self) -> None:
        """Start every process."""
        for name, arguments in PROCESSES.items():
            self.processes[name] = subprocess.Popen(
                [sys.executable, *arguments],
                cwd=ROOT,
                stdin=subprocess.DEVNULL,
                start_new_session=True,
                preexec_fn=end_with_parent,  # noqa: PLW1509 (this process has no threads)
            )

    def ended(self) -> str | None:
        """Return the name of a process that has ended by itself."""
        return next((name for name, process in self.processes.items() if process.poll() is not None), None)

    def answers(self) -> bool:
        """Whether the web server answers a request."""
        local = f"http://localhost:{port()}"
        host = urlsplit(os.environ.get("SITE_URL") or local).netloc
        request = urllib.request.Request(f"http://127.0.0.1:{port()}/healthz", headers={"Host": host})
        # A proxy named in the environment has no business between a machine and itself.
        direct = urllib.request.build_opener(urllib.request.ProxyHandler({}))
        try:
            with direct.open(request, timeout=2) as answer:
                return bool(answer.status == 200)
        except (urllib.error.URLError, OSError):
            return False

    def watch(self) -> str | None:
        """Wait until the site has to end; return what went wrong, or None if somebody asked."""
        deadline = time.monotonic() + START_TIME
        started = False
        while not self.signals:
            name = self.ended()
            if name:
                status = self.processes[name].returncode
                how = f"was killed by signal {-status}" if status < 0 else f"ended with status {status}"
                return f"the {name} {how}"
            if not started and self.answers():
                started = True
                address = os.environ.get("SITE_URL") or f"http://localhost:{port()}"
                say(f"Baker's Dozen is at {address} – Ctrl-C stops it.")
            if not started and time.monotonic() > deadline:
                return f"the web server hasn't answered in {START_TIME} seconds"
            self.news.wait(None if started else 0.1)
            self.news.clear()
        return None

    def stop(self) -> None:
        """End every process: politely, then by force."""
        asked = len(self.signals)
        for process in self.processes.values():
            if process.poll() is None:
                process.terminate()
        deadline = time.monotonic() + PATIENCE
        while any(process.poll() is None for process in self.processes.values()):
            if len(self.signals) > asked or time.monotonic() > deadline:
                say("Stopping by force.")
                break
            self.news.wait(0.5)
            self.news.clear()
        # Also what a process that was killed left behind in its group.
        for process in self.processes.values():
            try:
                os.killpg(process.pid, signal.SIGKILL)
            except (ProcessLookupError, PermissionError):
                continue
        for process in self.processes.values():
            process.wait()


def main() -> int:
    """Run the site and return the exit status."""
    check_port()
    prepare()
    site = Site()
    site.start()
    trouble = site.watch()
    say(f"script/server: {trouble}; stopping the rest." if trouble else "Stopping.")
    site.stop()
    say("Stopped.")
    return 1 if trouble else 0


if __name__ == "__main__":
    sys.exit(main())
