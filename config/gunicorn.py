"""How the web server runs: `gunicorn --config python:config.gunicorn`."""

import gc
import os
import socket
from pathlib import Path
from typing import Any

from config import settings

HTTP_PORT = settings.env.int("PORT", default=8000)
_host = settings.env.str("HOST", default="")


def _addresses() -> list[str]:
    """Return what to listen on: the loopback addresses, or HOST where there is a site around this process."""
    if _host:
        return [f"[{_host}]:{HTTP_PORT}" if ":" in _host else f"{_host}:{HTTP_PORT}"]
    addresses = [f"127.0.0.1:{HTTP_PORT}"]
    try:
        with socket.socket(socket.AF_INET6, socket.SOCK_STREAM) as probe:
            probe.bind(("::1", 0))
    except OSError:
        return addresses  # this machine speaks no IPv6
    return [*addresses, f"[::1]:{HTTP_PORT}"]


if _host not in {"", "localhost", "127.0.0.1", "::1"} and not settings.PRODUCTION:
    raise settings.ImproperlyConfigured(
        f"HOST is {_host!r}, but local mode serves this machine alone. To be reached from others the site has to be "
        "in production: set SITE_URL to its https address."
    )

wsgi_app = "config.wsgi:application"
bind = _addresses()
worker_class = "gthread"
workers = settings.env.int("WEB_WORKERS", default=2)
threads = settings.env.int("WEB_THREADS", default=8)
# Code is read once and shared by the workers. It must open no connection and start no thread while it is loaded.
preload_app = True
# A worker that has been silent this many seconds is replaced. Longer than a request can wait for SQLite's lock.
timeout = 60
# Seconds for requests under way to end when the server stops.
graceful_timeout = 20
# Seconds between two moves of a quick player, so that most find the connection open. A proxy's own must be shorter.
keepalive = 15
# Heartbeats go through a file; on a disk that stalls, healthy workers would be taken for dead.
worker_tmp_dir = "/dev/shm" if os.access("/dev/shm", os.W_OK) else None  # noqa: S108 (shared memory is meant)
# A socket through which the server could be controlled, in the home directory: nothing here uses it.
control_socket_disable = True
# Django alone decides whom to believe that a request came over https (TRUST_PROXY).
secure_scheme_headers: dict[str, str] = {}
proc_name = "bakers-dozen"
chdir = str(Path(__file__).resolve().parent.parent)
logconfig_dict = settings.LOGGING


def when_ready(_server: Any) -> None:
    """Keep what was loaded before the fork out of the garbage collector, whose marks would make each worker copy it."""
    gc.collect()
    gc.freeze()
