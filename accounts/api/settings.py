"""`/api/me/settings`: the settings of the caller's account."""

from __future__ import annotations

from typing import Any

from django.utils.translation import gettext as _
from drf_spectacular.utils import extend_schema
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response

from accounts import preferences
from accounts.signed_in import caller
from bakers.api.base import ApiView, errors
from bakers.api.fields import StrictBooleanField, StrictChoiceField, StrictSerializer


def _field(setting: preferences.Setting, **options: Any) -> serializers.Field[Any, Any, Any, Any]:
    if setting.choices:
        return StrictChoiceField(choices=setting.choices, **options)
    return StrictBooleanField(**options)


class SettingsInput(StrictSerializer):
    """The settings to be changed; those that aren't named stay as they are."""

    def get_fields(self) -> dict[str, serializers.Field[Any, Any, Any, Any]]:
        return {setting.name: _field(setting, required=False) for setting in preferences.SETTINGS}

    def validate(self, attrs: dict[str, Any]) -> dict[str, Any]:
        if not attrs:
            raise serializers.ValidationError(_("Name a setting."))
        return attrs


class SettingsValuesOutput(serializers.Serializer[Any]):
    """Every setting."""

    def get_fields(self) -> dict[str, serializers.Field[Any, Any, Any, Any]]:
        return {setting.name: _field(setting) for setting in preferences.SETTINGS}


class SettingsOutput(serializers.Serializer[Any]):
    """The settings of an account."""

    settings = SettingsValuesOutput()
    chosen = serializers.BooleanField(help_text="Any of them was chosen; otherwise all are defaults.")
    as_of = serializers.DateTimeField(help_text="No change that was made before is missing.")


class SettingsView(ApiView):
    """A player's settings, which follow the account to every browser."""

    @extend_schema(operation_id="settings", responses={200: SettingsOutput, **errors(403)})
    def get(self, request: Request) -> Response:
        """Show the settings of the caller's account. A guest's are kept by the browser."""
        return Response(preferences.settings_data(preferences.find(user_id=caller(request).pk)))

    @extend_schema(
        operation_id="change_settings",
        request=SettingsInput,
        responses={200: SettingsOutput, **errors(400, 403, 413, 415, 503)},
    )
    def patch(self, request: Request) -> Response:
        """Change the settings that are named, and show all."""
        changes = self.read(SettingsInput, request)
        known = preferences.change(user_id=caller(request).pk, changes=changes)
        return Response(preferences.settings_data(known))
