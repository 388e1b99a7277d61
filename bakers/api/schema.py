"""What drf-spectacular can't see by itself; imported when the app is ready."""

from __future__ import annotations

from typing import Any

from django.conf import settings
from drf_spectacular.extensions import OpenApiAuthenticationExtension


class SessionAuthenticationScheme(OpenApiAuthenticationExtension):
    """The session cookie; unsafe requests also carry the CSRF cookie's value in a header."""

    target_class = "bakers.api.authentication.SessionAuthentication"
    name = "session"

    def get_security_definition(self, auto_schema: Any) -> dict[str, Any]:
        """Return the scheme."""
        return {
            "type": "apiKey",
            "in": "cookie",
            "name": settings.SESSION_COOKIE_NAME,
            "description": (
                "A guest's session begins with the first game. Every unsafe request, a guest's too, carries the value "
                "of the csrftoken cookie, which any page sets, in the header X-CSRFToken."
            ),
        }


def require_bodies(result: Any, **_: Any) -> Any:
    """Say of every body that it must be there; one whose fields may each be left out would be taken for optional."""
    for item in result["paths"].values():
        for operation in item.values():
            if "requestBody" in operation:
                operation["requestBody"]["required"] = True
    return result
