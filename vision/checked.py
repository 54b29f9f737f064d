"""Values that people and other programs write, checked by their types: what does not fit gets one plain sentence."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import MISSING, fields
from enum import Enum
from types import UnionType
from typing import Annotated, Any, Literal, TypeVar, Union, get_args, get_origin, get_type_hints

import msgspec
from msgspec import Meta

from referee import quoted

_KINDS = {
    str: "a text in quotes",
    int: "a whole number",
    float: "a number",
    bool: "true or false",
    list[str]: "a list of texts",
}
T = TypeVar("T")


class Misfit(ValueError):
    """A value that does not fit; the message names its key, what it holds and what it must be."""


def checked(key: str, value: object, kind: Any, strict: bool = True) -> Any:
    """The value as this type, as `msgspec.convert` makes it; raises Misfit. strict: a number in quotes is none."""
    try:
        return msgspec.convert(value, kind, strict=strict)
    except msgspec.ValidationError as error:
        raise misfit(key, value, kind) from error


def misfit(key: str, value: object, kind: Any) -> Misfit:
    """What is said of a value that is not of this type."""
    return Misfit(f"{key} cannot be {quoted(value)}; it must be {wanted(kind)}")


def all_checked(table: Mapping[str, object], kinds: Mapping[str, Any]) -> dict[str, Any]:
    """All values of a table as the types that its keys have; raises Misfit, for another key too."""
    for key in table:
        if key not in kinds:
            raise Misfit(f"has no {key:.60}; it has {', '.join(kinds)}")
    return {key: checked(key, value, kinds[key]) for key, value in table.items()}


def made(kind: type[T], table: object) -> T:
    """A dataclass from a table of its fields; raises Misfit."""
    if not isinstance(table, dict):
        raise Misfit(f"must be an object, not {quoted(table)}")
    kinds = kinds_of(kind)
    for field in fields(kind):  # type: ignore[arg-type]
        if field.name not in table and field.default is field.default_factory is MISSING:
            raise Misfit(f"needs {field.name}, {wanted(kinds[field.name])}")
    return kind(**all_checked(table, kinds))


def kinds_of(kind: type) -> dict[str, Any]:
    """The types of a dataclass's fields, with what they allow."""
    return get_type_hints(kind, include_extras=True)


def wanted(kind: Any) -> str:
    """What a value of this type is, in words: "a whole number from 2 to 25"."""
    base, meta = get_args(kind)[:2] if get_origin(kind) is Annotated else (kind, Meta())
    if meta.description is not None:
        return str(meta.description)
    origin, parts = get_origin(base), get_args(base)
    if origin is Literal:
        return " or ".join(map(str, parts))
    if origin in (Union, UnionType):
        return wanted(parts[0])
    if isinstance(base, type) and issubclass(base, Enum):
        return " or ".join(one.value for one in base)
    between = f" from {meta.ge:g} to {meta.le:g}" if meta.ge is not None and meta.le is not None else ""
    return f"{_KINDS.get(base, 'a table of names')}{between}"
