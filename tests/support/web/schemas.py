"""As much of JSON Schema as web/openapi.json uses: what an answer has that its schema does not allow."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

from flask import Flask

from web.openapi import address_of_rule, openapi_document

OPENAPI: dict[str, Any] = openapi_document()
TYPES = {
    "string": str,
    "integer": int,
    "number": (int, float),
    "boolean": bool,
    "array": list,
    "object": dict,
    "null": type(None),
}


def schema_named(name: str) -> Any:
    """The schema of that name."""
    return OPENAPI["components"]["schemas"][name]


def faults(value: Any, name: str) -> list[str]:
    """List the places at which a value does not fit the schema of that name."""
    return list(_faults(value, OPENAPI["components"]["schemas"][name], name))


def _faults(value: Any, schema: dict[str, Any], where: str) -> Iterator[str]:
    if "$ref" in schema:
        schema = OPENAPI["components"]["schemas"][schema["$ref"].rsplit("/", 1)[1]]
    if "anyOf" in schema and all(list(_faults(value, one, where)) for one in schema["anyOf"]):
        yield f"{where}: {value!r} fits nothing of {schema['anyOf']}"
    kinds = schema.get("type", [])
    if kinds and not any(_is(value, kind) for kind in ([kinds] if isinstance(kinds, str) else kinds)):
        yield f"{where}: {value!r} is no {kinds}"
    elif "enum" in schema and value not in schema["enum"]:
        yield f"{where}: {value!r} is none of {schema['enum']}"
    elif isinstance(value, str) and not re.search(schema.get("pattern", ""), value):
        yield f"{where}: {value!r} does not look like {schema['pattern']}"
    elif isinstance(value, list):
        yield from _of_list(value, schema, where)
    elif isinstance(value, dict):
        yield from _of_object(value, schema, where)
    elif isinstance(value, int) and value < schema.get("minimum", value):
        yield f"{where}: {value!r} is too small"


def _is(value: Any, kind: str) -> bool:
    return isinstance(value, TYPES[kind]) and not (kind == "integer" and isinstance(value, bool))


def _of_list(value: list[Any], schema: dict[str, Any], where: str) -> Iterator[str]:
    if not schema.get("minItems", 0) <= len(value) <= schema.get("maxItems", len(value)):
        yield f"{where}: {len(value)} items"
    for index, item in enumerate(value):
        yield from _faults(item, schema["items"], f"{where}[{index}]")


def _of_object(value: dict[str, Any], schema: dict[str, Any], where: str) -> Iterator[str]:
    properties, others = schema.get("properties", {}), schema.get("additionalProperties", True)
    yield from (f"{where}: no {key}" for key in schema.get("required", []) if key not in value)
    for key, item in value.items():
        if key in properties:
            yield from _faults(item, properties[key], f"{where}.{key}")
        elif others is False:
            yield f"{where}: {key} is not described"
        elif isinstance(others, dict):
            yield from _faults(key, schema.get("propertyNames", {}), f"{where} key")
            yield from _faults(item, others, f"{where}.{key}")


def addresses(app: Flask) -> set[str]:
    """Return the addresses that can be asked for, as the description writes them, apart from files."""
    rules = (rule for rule in app.url_map.iter_rules() if rule.endpoint != "static")
    return {address_of_rule(str(rule)) for rule in rules}
