"""What is written about the site's work, and what never is: cookies, addresses of players, bodies, query strings."""

import logging
import logging.config
import sys
import time
from collections.abc import Callable
from typing import Any

import structlog
from django.http import HttpRequest
from django.http.response import HttpResponseBase

requests = structlog.get_logger("request")

# Probes and files say nothing as long as they are answered.
_QUIET_PREFIXES = ("/healthz", "/static/")

# What each line carries, whether structlog or the logging module wrote it.
_SHARED: list[Any] = [
    structlog.stdlib.add_log_level,
    structlog.stdlib.add_logger_name,
    structlog.processors.TimeStamper(fmt="iso", utc=True),
]


class RequestLogMiddleware:
    """Write one line a request: what was asked, what was answered, and how long it took."""

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponseBase]) -> None:
        """Stand around the rest of the site."""
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponseBase:
        """Answer the request and write the line."""
        started = time.perf_counter()
        response = self.get_response(request)
        quiet = response.status_code < 400 and request.path.startswith(_QUIET_PREFIXES)
        requests.log(
            logging.DEBUG if quiet else logging.INFO,
            "request",
            method=request.method,
            path=request.path,
            status=response.status_code,
            ms=round((time.perf_counter() - started) * 1000, 1),
        )
        return response


def logging_config(*, json: bool, level: str) -> dict[str, Any]:
    """Return the configuration that sends every logger of the process through structlog to standard error.

    `json` writes one JSON object a line; otherwise lines are for people. `level` is a name of the logging module.
    """
    renderer: list[Any] = (
        # A traceback as text: the structured form would carry the values of local variables.
        [structlog.processors.format_exc_info, structlog.processors.JSONRenderer()]
        if json
        else [
            structlog.dev.ConsoleRenderer(
                colors=sys.stderr.isatty(), exception_formatter=structlog.dev.plain_traceback
            )
        ]
    )
    return {
        "version": 1,
        "disable_existing_loggers": False,
        "formatters": {
            "structured": {
                "()": structlog.stdlib.ProcessorFormatter,
                "foreign_pre_chain": _SHARED,
                "processors": [structlog.stdlib.ProcessorFormatter.remove_processors_meta, *renderer],
            }
        },
        "handlers": {
            "stderr": {"class": "logging.StreamHandler", "formatter": "structured"},
            "nowhere": {"class": "logging.NullHandler"},
        },
        "root": {"handlers": ["stderr"], "level": level},
        "loggers": {
            # The request's own line says all that these would, but for the traceback of a 500.
            "django.request": {"level": "ERROR"},
            # It names the passkeys that come and go.
            "fido2": {"level": "WARNING"},
            "django.security.DisallowedHost": {"handlers": ["nowhere"], "propagate": False},
            # Filled by the web server before this runs; its lines come through the root too.
            "gunicorn.error": {"handlers": [], "propagate": True},
            "gunicorn.access": {"handlers": ["nowhere"], "propagate": False},
        },
    }


def configure(config: dict[str, Any]) -> None:
    """Put a configuration into force, for this process; Django calls it when it starts."""
    logging.config.dictConfig(config)
    structlog.configure(
        processors=[
            structlog.stdlib.filter_by_level,
            structlog.contextvars.merge_contextvars,
            *_SHARED,
            structlog.stdlib.ProcessorFormatter.wrap_for_formatter,
        ],
        logger_factory=structlog.stdlib.LoggerFactory(),
        cache_logger_on_first_use=True,
    )
