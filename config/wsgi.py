"""The WSGI application that the web server runs.

The web server loads it before it forks, so everything heavy is done here, once and for all its processes, and no
request waits for it: the solver is compiled or loaded, and the addresses with all behind them are imported. Nothing
here may start a thread or ask the database, which a fork would tear apart.
"""

import os
from typing import Any

from django.core.handlers.wsgi import WSGIRequest
from django.core.wsgi import get_wsgi_application
from django.urls import get_resolver
from django.utils.http import parse_header_parameters

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings")


class Request(WSGIRequest):
    """A request whose Content-Type may be nonsense.

    Django reads that header before any of its error handling is there: a parameter that it can't read would end in the
    web server's own error page. The charset is left out, since everything here is UTF-8 whatever a client calls it.
    """

    def _set_content_type_params(self, meta: dict[str, Any]) -> None:
        try:
            self.content_type, self.content_params = parse_header_parameters(meta.get("CONTENT_TYPE", ""))
        except ValueError:
            meta["CONTENT_TYPE"] = ""
            self.content_type, self.content_params = "", {}


application = get_wsgi_application()
application.request_class = Request

# Only now: the settings, which have been read, say how many threads numpy may start when the solver imports it.
from bakers.warming import warm_up  # noqa: E402

warm_up()
get_resolver().url_patterns  # noqa: B018 (imports them)
