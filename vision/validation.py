"""Type checks for values written by people and other programs, with one plain sentence for each invalid value."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import MISSING, fields
from enum import Enum
from types import UnionType
from typing import Annotated, Any, Literal, TypeVar, Union, get_args, get_origin, get_type_hints

import msgspec
from msgspec import Meta

from referee import quote_value

_KINDS = {
    str: "a text in quotes",
    int: "a whole number",
    float: "a number",
    bool: "true or false",
    list[str]: "a list of texts",
}
T = TypeVar("T")


class InvalidValue(ValueError):
    """An invalid value; the message names its key, its content and what it must be."""


@contextmanager
def explain(wrong: Callable[[str], Exception], where: str = "") -> Iterator[None]:
    """Raise an InvalidValue of the block as this error, with one sentence.

    Args:
        wrong: makes the error from the sentence.
        where: what stands before the value's name in the sentence.
    """
    try:
        yield
    except InvalidValue as error:
        raise wrong(f"{where}{error}.") from error


def parse_value(key: str, value: object, kind: Any, strict: bool = True) -> Any:
    """Return the value converted to this type by `msgspec.convert`; raise InvalidValue if it does not fit.

    Args:
        key: the value's name in the message.
        value: the value to convert.
        kind: the type, with its limits.
        strict: refuse a number in quotes.
    """
    try:
        return msgspec.convert(value, kind, strict=strict)
    except msgspec.ValidationError as error:
        raise invalid_value(key, value, kind) from error


def invalid_value(key: str, value: object, kind: Any) -> InvalidValue:
    """Return the error for a value that is not of this type."""
    return InvalidValue(f"{key} cannot be {quote_value(value)}; it must be {describe_type(kind)}")


def parse_table(table: Mapping[str, object], kinds: Mapping[str, Any]) -> dict[str, Any]:
    """Return all values of a table, converted to their keys' types.

    Raises InvalidValue for a bad value or an unknown key.
    """
    for key in table:
        if key not in kinds:
            raise InvalidValue(f"has no {key:.60}; it has {', '.join(kinds)}")
    return {key: parse_value(key, value, kinds[key]) for key, value in table.items()}


def parse_dataclass(kind: type[T], table: object) -> T:
    """Return a dataclass built from a table of its fields; raise InvalidValue if a field is missing or invalid."""
    if not isinstance(table, dict):
        raise InvalidValue(f"must be an object, not {quote_value(table)}")
    kinds = field_types(kind)
    for field in fields(kind):  # type: ignore[arg-type]
        if field.name not in table and field.default is field.default_factory is MISSING:
            raise InvalidValue(f"needs {field.name}, {describe_type(kinds[field.name])}")
    return kind(**parse_table(table, kinds))


def field_types(kind: type) -> dict[str, Any]:
    """Return the types of a dataclass's fields, with their limits."""
    return get_type_hints(kind, include_extras=True)


def describe_type(kind: Any) -> str:
    """Return this type's description in words: "a whole number from 2 to 25"."""
    base, meta = get_args(kind)[:2] if get_origin(kind) is Annotated else (kind, Meta())
    if meta.description is not None:
        return str(meta.description)
    origin, parts = get_origin(base), get_args(base)
    if origin is Literal:
        return " or ".join(map(str, parts))
    if origin in (Union, UnionType):
        return describe_type(parts[0])
    if isinstance(base, type) and issubclass(base, Enum):
        return " or ".join(member.value for member in base)
    span = f" from {meta.ge:g} to {meta.le:g}" if meta.ge is not None and meta.le is not None else ""
    return f"{_KINDS.get(base, 'a table of names')}{span}"
