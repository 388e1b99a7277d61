"""Serializer parts that take exactly what the API describes, and don't guess."""

from __future__ import annotations

import datetime
import re
import uuid
from typing import Any

from django.utils.translation import gettext_lazy as _
from drf_spectacular.utils import extend_schema_field
from rest_framework import serializers

from bakers import kinds
from bakers.rules.cards import shorten
from bakers.rules.deals import LAST_DEAL_NUMBER, parse_deal_number
from bakers.rules.errors import UnreadableError
from bakers.rules.moves import COLUMN_CHARS, HOME_CHAR, Move, parse_move
from bakers.rules.variants import VARIANTS, Variant

#: What may stand in a request id: enough for a UUID or 48 random bytes, and nothing that needs quoting.
REQUEST_ID_PATTERN = r"^[A-Za-z0-9_-]{8,64}\Z"

_DATE = re.compile(r"[0-9]{4}-[0-9]{2}-[0-9]{2}", re.ASCII)
_UUID = re.compile(r"[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}", re.IGNORECASE | re.ASCII)


class StrictSerializer(serializers.Serializer[Any]):
    """Refuses fields that it doesn't know: a misspelt one would otherwise be lost without a word."""

    def to_internal_value(self, data: Any) -> Any:
        if isinstance(data, dict):
            unknown = sorted(data.keys() - self.fields.keys())
            if unknown:
                raise serializers.ValidationError(
                    {name: [_("There is no such field.")] for name in unknown[:10]}
                )
        return super().to_internal_value(data)


class StrictCharField(serializers.CharField):
    """A JSON string; DRF's own field also takes numbers."""

    def __init__(self, **kwargs: Any) -> None:
        super().__init__(trim_whitespace=False, **kwargs)

    def to_internal_value(self, data: Any) -> str:
        if not isinstance(data, str):
            self.fail("invalid")
        return super().to_internal_value(data)


class StrictIntegerField(serializers.IntegerField):
    """A JSON integer; DRF's own field also takes strings of digits and floats without a fraction."""

    def to_internal_value(self, data: Any) -> int:
        if type(data) is not int:
            self.fail("invalid")
        return super().to_internal_value(data)


class StrictBooleanField(serializers.BooleanField):
    """A JSON true or false; DRF's own field also takes words and numbers."""

    def to_internal_value(self, data: Any) -> bool:
        if type(data) is not bool:
            self.fail("invalid", input=data)
        return data


class StrictChoiceField(serializers.ChoiceField):
    """One of some words; DRF's own field also takes numbers and whatever else is written like one of them."""

    def to_internal_value(self, data: Any) -> str:
        if not isinstance(data, str) or data not in self.choices:
            # Anything but a string isn't quoted: it may be nested as deep as Python can go.
            self.fail("invalid_choice", input=shorten(data) if isinstance(data, str) else type(data).__name__)
        return data


class RequestIdField(serializers.RegexField):
    """The caller's own name for a request, by which a repeated one is known."""

    def __init__(self, **kwargs: Any) -> None:
        super().__init__(REQUEST_ID_PATTERN, trim_whitespace=False, **kwargs)
        self.error_messages["invalid"] = _("8 to 64 letters, digits, _ or -.")

    def to_internal_value(self, data: Any) -> str:
        if not isinstance(data, str):
            self.fail("invalid")
        return super().to_internal_value(data)


class StrictUUIDField(serializers.UUIDField):
    """A UUID as the API writes it; DRF's own field also takes integers, true, and other ways to write one."""

    def to_internal_value(self, data: Any) -> uuid.UUID:
        if not isinstance(data, str) or not _UUID.fullmatch(data):
            self.fail("invalid")
        return uuid.UUID(data)


class StrictDateField(serializers.DateField):
    """A day as the API writes it, 2026-11-30."""

    def to_internal_value(self, data: Any) -> datetime.date:
        if not isinstance(data, str) or not _DATE.fullmatch(data):
            self.fail("invalid", format="YYYY-MM-DD")
        day: datetime.date = super().to_internal_value(data)
        return day


@extend_schema_field({"type": "string", "enum": list(VARIANTS)})
class VariantField(serializers.Field[Variant, str, str, Any]):
    """The slug of a variant; its value is the variant."""

    default_error_messages = {"invalid": _("There is no variant of that name.")}

    def to_internal_value(self, data: Any) -> Variant:
        variant = VARIANTS.get(data) if isinstance(data, str) else None
        if variant is None:
            self.fail("invalid")
        return variant

    def to_representation(self, value: Variant) -> str:
        return value.slug


@extend_schema_field(
    {
        "oneOf": [
            {"type": "string", "pattern": "^[0-9]{1,25}$"},
            {"type": "integer", "minimum": 1, "maximum": LAST_DEAL_NUMBER},
        ],
        "description": "A deal number, 1 to 10^20 - 1. As a string, since most languages' JSON numbers end earlier.",
    }
)
class DealNumberField(serializers.Field[int, Any, str, Any]):
    """A deal number as a string of digits or an integer; its value is the integer."""

    def to_internal_value(self, data: Any) -> int:
        if not isinstance(data, str) and type(data) is not int:
            raise serializers.ValidationError(_("A deal number is a string of digits, or an integer."))
        try:
            return parse_deal_number(data)
        except UnreadableError as error:
            raise serializers.ValidationError(error.reason) from None

    def to_representation(self, value: int) -> str:
        return str(value)


@extend_schema_field(
    {"type": "string", "pattern": f"^[{COLUMN_CHARS}][{COLUMN_CHARS}{HOME_CHAR}]$", "example": "4h"}
)
class MoveField(serializers.Field[Move, str, str, Any]):
    """A move in two characters; its value is the move."""

    def to_internal_value(self, data: Any) -> Move:
        if not isinstance(data, str):
            raise serializers.ValidationError(_("A move is a string of two characters."))
        try:
            return parse_move(data)
        except UnreadableError as error:
            raise serializers.ValidationError(error.reason) from None

    def to_representation(self, value: Move) -> str:
        return value.text


class KindField(serializers.ChoiceField):
    """The slug of a kind of game; which there are, the registry knows when a request comes."""

    def __init__(self, **kwargs: Any) -> None:
        super().__init__(choices=kinds.slugs(), **kwargs)

    def to_internal_value(self, data: Any) -> str:
        if not isinstance(data, str) or data not in kinds.slugs():
            # Anything but a string isn't quoted: it may be nested as deep as Python can go.
            self.fail("invalid_choice", input=shorten(data) if isinstance(data, str) else type(data).__name__)
        return data
