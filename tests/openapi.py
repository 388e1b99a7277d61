"""Checks answers of the API against openapi.yaml, strictly: what isn't described there is wrong."""

from __future__ import annotations

import copy
import datetime
import functools
import json
import re
import uuid
from pathlib import Path
from typing import Any

import yaml
from jsonschema import Draft202012Validator, FormatChecker

METHODS = ("get", "post", "put", "patch", "delete")
#: What may happen at any address without its operation saying so.
ANYWHERE = frozenset({405, 406, 500, 503})

_formats = FormatChecker(formats=())


@_formats.checks("uuid", raises=ValueError)
def _is_uuid(value: object) -> bool:
    return not isinstance(value, str) or str(uuid.UUID(value)) == value


@_formats.checks("date-time", raises=ValueError)
def _is_date_time(value: object) -> bool:
    return not isinstance(value, str) or datetime.datetime.fromisoformat(value).tzinfo is not None


@_formats.checks("date", raises=ValueError)
def _is_date(value: object) -> bool:
    return not isinstance(value, str) or datetime.date.fromisoformat(value) is not None


@functools.cache
def description() -> dict[str, Any]:
    """Return openapi.yaml."""
    read: dict[str, Any] = yaml.safe_load((Path(__file__).parent.parent / "openapi.yaml").read_text())
    return read


def operations() -> dict[tuple[str, str], dict[str, Any]]:
    """Return every described operation by method and path, as in `("post", "/api/games")`."""
    return {
        (method, path): item[method]
        for path, item in description()["paths"].items()
        for method in METHODS
        if method in item
    }


def find_operation(method: str, path: str) -> dict[str, Any] | None:
    """Return the operation that answers a request, or None if none is described."""
    item = next((item for pattern, item in _paths() if pattern.fullmatch(path)), {})
    operation: dict[str, Any] | None = item.get("get" if method.lower() == "head" else method.lower())
    return operation


def check(response: Any, method: str, path: str) -> None:
    """Fail unless the answer of a request to `path` is one that openapi.yaml describes.

    Errors have their one shape at every address, described or not. Nothing may be kept by a cache.
    """
    if response.streaming:
        # Read once here, and still there for the test.
        whole = b"".join(response.streaming_content)
        response.streaming_content = [whole]
    else:
        whole = response.content
    shown = f"{method.upper()} {path}: {response.status_code} {whole[:300]!r}"
    assert response.headers["Content-Type"] == "application/json", shown
    assert response.headers["Cache-Control"] == "no-store", shown
    if method.lower() == "head":
        return
    operation = find_operation(method, path.partition("?")[0])
    status = str(response.status_code)
    described = operation["responses"] if operation else {}
    if response.status_code < 400:
        assert status in described, f"not described: {shown}"
        schema = described[status]["content"]["application/json"]["schema"]
    else:
        assert not operation or status in described or response.status_code in ANYWHERE, (
            f"not described: {shown}"
        )
        schema = {"$ref": "#/components/schemas/ErrorOutput"}
    errors = [
        f"{'/'.join(map(str, error.absolute_path))}: {error.message}"
        for error in validator(schema["$ref"]).iter_errors(json.loads(whole))
    ]
    assert not errors, f"{shown}\n" + "\n".join(errors)


@functools.cache
def validator(ref: str) -> Draft202012Validator:
    """Return the validator of a component, as in `#/components/schemas/GameOutput`."""
    schemas = _json_schema(copy.deepcopy(description()["components"]["schemas"]))
    return Draft202012Validator({"$ref": ref, "components": {"schemas": schemas}}, format_checker=_formats)


@functools.cache
def _paths() -> list[tuple[re.Pattern[str], dict[str, Any]]]:
    return [
        (re.compile(re.sub(r"\{\w+\}", "[^/]+", path)), item) for path, item in description()["paths"].items()
    ]


def _json_schema(node: Any) -> Any:
    """Return OpenAPI 3.0's dialect as JSON Schema, with objects closed that list their properties."""
    if isinstance(node, list):
        return [_json_schema(item) for item in node]
    if not isinstance(node, dict):
        return node
    schema = {key: _json_schema(value) for key, value in node.items()}
    if isinstance(schema.get("properties"), dict) and schema.get("type") == "object":
        schema.setdefault("additionalProperties", False)
    if schema.pop("nullable", False) is True:
        return {"anyOf": [{"type": "null"}, schema]}
    return schema
