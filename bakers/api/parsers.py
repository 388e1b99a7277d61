"""Reading request bodies: strict JSON of bounded size, whatever a client says about itself."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import IO, Any

from django.conf import settings
from django.http import UnreadablePostError
from django.utils.translation import gettext as _
from rest_framework import status
from rest_framework.exceptions import APIException, ParseError
from rest_framework.parsers import BaseParser


class TooLarge(APIException):
    """The body is longer than any honest request."""

    status_code = status.HTTP_413_REQUEST_ENTITY_TOO_LARGE
    default_code = "too_large"


class StrictJSONParser(BaseParser):
    """Takes JSON as RFC 8259 means it, in UTF-8, and nothing that a database or a caller could trip over.

    Refused besides what isn't JSON: bodies over `DATA_UPLOAD_MAX_MEMORY_SIZE` bytes, NaN and infinities, a name
    twice in one object, NUL characters and lone surrogates, nesting and numbers beyond what Python reads.
    """

    media_type = "application/json"

    def parse(
        self, stream: IO[Any], media_type: str | None = None, parser_context: Mapping[str, Any] | None = None
    ) -> Any:
        """Return the body's value, or raise ParseError or TooLarge."""
        limit = settings.DATA_UPLOAD_MAX_MEMORY_SIZE
        # One byte more than allowed tells too much from enough without reading all of it.
        try:
            body = stream.read(limit + 1)
        except UnreadablePostError:
            # The client has gone: its fault, or nobody's.
            raise ParseError(_("The request broke off.")) from None
        if len(body) > limit:
            raise TooLarge(_("The request is too large: at most %(limit)d bytes.") % {"limit": limit})
        try:
            text = body.decode()
            value = json.loads(text, parse_constant=_refuse_constant, object_pairs_hook=_object)
        except UnicodeDecodeError:
            raise ParseError(_("The request isn’t UTF-8.")) from None
        except RecursionError:
            raise ParseError(_("The request is nested too deeply.")) from None
        except ValueError as error:
            raise ParseError(_("The request isn’t JSON: %(reason)s.") % {"reason": error}) from None
        _refuse_bad_characters(value)
        return value


def _refuse_constant(name: str) -> None:
    raise ValueError(f"{name} is no JSON number")


def _object(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    value = dict(pairs)
    if len(value) != len(pairs):
        raise ValueError("a name stands twice in one object")
    return value


def _refuse_bad_characters(value: Any) -> None:
    # A list of what is still to look at instead of recursion: depth is the caller's choice.
    rest = [value]
    while rest:
        item = rest.pop()
        if isinstance(item, dict):
            rest.extend(item)
            rest.extend(item.values())
        elif isinstance(item, list):
            rest.extend(item)
        elif isinstance(item, str):
            if "\0" in item:
                raise ParseError(_("The request holds a NUL character."))
            if any("\ud800" <= char <= "\udfff" for char in item):
                raise ParseError(_("The request holds half a character (a lone surrogate)."))
