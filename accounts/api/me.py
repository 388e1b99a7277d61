"""Who one is, and everything that is kept about one."""

from __future__ import annotations

from typing import Any

from allauth.account.models import EmailAddress
from django.http import FileResponse
from drf_spectacular.utils import extend_schema
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response

from accounts import privacy
from accounts.signed_in import caller
from bakers import limits
from bakers.api.base import ApiView, errors

#: Exports that a user may ask for in an hour: each reads everything that there is about them.
EXPORTS_AN_HOUR = 20


class MeOutput(serializers.Serializer[Any]):
    """An account, as its owner sees it."""

    id = serializers.UUIDField(help_text="Stays the same whatever else changes.")
    display_name = serializers.CharField(
        allow_null=True, help_text="What others see; null until one is chosen."
    )
    listed = serializers.BooleanField(help_text="Whether leaderboards may show the display name.")
    email = serializers.EmailField()
    verified = serializers.BooleanField(help_text="Whether a code that was sent there came back.")


class ExportOutput(serializers.Serializer[Any]):
    """Everything about an account."""

    exported_at = serializers.DateTimeField()
    everything = serializers.DictField(
        help_text="By what keeps it: account, settings, statistics, games and more."
    )


class MeView(ApiView):
    """The caller's account."""

    @extend_schema(operation_id="me", responses={200: MeOutput, **errors(403)})
    def get(self, request: Request) -> Response:
        """Say who the caller is."""
        user = caller(request)
        verified = EmailAddress.objects.filter(user=user, email=user.email, verified=True).exists()
        return Response(
            {
                "id": str(user.public_id),
                "display_name": user.display_name or None,
                "listed": user.is_listed,
                "email": user.email,
                "verified": verified,
            }
        )


class ExportView(ApiView):
    """Everything about the caller."""

    @extend_schema(operation_id="export", responses={200: ExportOutput, **errors(403, 429)})
    def get(self, request: Request) -> FileResponse:
        """Give everything that is kept about the caller, as a file to keep."""
        user = caller(request)
        limits.take("export", limits.user_caller(user.pk), limit=EXPORTS_AN_HOUR, seconds=3_600)
        return FileResponse(
            privacy.export(user),
            as_attachment=True,
            filename="bakers-dozen.json",
            content_type="application/json",
        )
