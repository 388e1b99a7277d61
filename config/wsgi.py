"""The WSGI application that the web server runs."""

import os
from typing import Any

from django.core.handlers.wsgi import WSGIRequest
from django.core.wsgi import get_wsgi_application
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
