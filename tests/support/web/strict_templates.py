"""A template's use of an attribute that its object does not have, which Jinja would leave out in silence, fails."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

import pytest
from flask import Flask
from jinja2 import StrictUndefined, Undefined
from jinja2.runtime import missing


class UnknownAttribute(Undefined):
    """A value that a template asks for in vain: fatal as an attribute, but not as a name or key, which may be absent.

    Other boxes' statuses are mappings that may lack a key, and a page need not name all values of its parts.
    """

    __slots__ = ()

    def __new__(cls, hint: str | None = None, obj: Any = missing, name: Any = None, *exc: Any) -> Undefined:  # type: ignore[misc]
        may_be_absent = obj is missing or isinstance(obj, Mapping) or isinstance(name, int)
        return (Undefined if may_be_absent else StrictUndefined)(hint, obj, name, *exc)


@pytest.fixture(autouse=True, scope="session")
def strict_templates() -> Iterator[None]:
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(Flask, "jinja_options", {"undefined": UnknownAttribute})
        yield
