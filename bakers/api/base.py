"""What the API's operations share."""

from __future__ import annotations

from functools import cache
from typing import Any

from drf_spectacular.utils import OpenApiResponse
from rest_framework.request import Request
from rest_framework.views import APIView

from bakers.api import serializers


def errors(*statuses: int) -> dict[int, Any]:
    """Return the description of the errors that an operation may answer with."""
    return {status: OpenApiResponse(serializers.ErrorOutput) for status in statuses}


class ApiView(APIView):
    """Answers that no cache keeps: they are one player's, and change with each move."""

    def finalize_response(self, request: Request, response: Any, *args: Any, **kwargs: Any) -> Any:
        response = super().finalize_response(request, response, *args, **kwargs)
        response["Cache-Control"] = "no-store"
        return response

    def read(self, serializer_class: type[serializers.StrictSerializer], request: Request) -> dict[str, Any]:
        """Return the request's checked input."""
        data: dict[str, Any] = _input_form(serializer_class).run_validation(request.data)
        return data


@cache
def _input_form(serializer_class: type[serializers.StrictSerializer]) -> serializers.StrictSerializer:
    # Making a serializer copies all its fields, a tenth of a move's cost; running one keeps nothing in it.
    return serializer_class()
