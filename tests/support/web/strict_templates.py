"""A template's use of an attribute that its object does not have, which Jinja would leave out in silence, fails."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

import pytest
from flask import Flask
from jinja2 import StrictUndefined, Undefined


class UnknownAttribute(Undefined):
    """A value that a template asks for in vain: fatal as an attribute, but not as a name or key, which may be absent.

    Other boxes' statuses are mappings that may lack a key, and a page need not name all values of its parts.
    """

    __slots__ = ()

    def __new__(cls, *args: Any, **options: Any) -> Undefined:  # type: ignore[misc]
        may_be_absent = isinstance(options.get("obj", {}), Mapping) or isinstance(options.get("name"), int)
        return (Undefined if may_be_absent else StrictUndefined)(*args, **options)


@pytest.fixture(autouse=True, scope="session")
def strict_templates() -> Iterator[None]:
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(Flask, "jinja_options", {"undefined": UnknownAttribute})
        yield
