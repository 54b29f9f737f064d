"""The lines of a table in TOML, as a box's desk shows them and a hall's list has them."""

from __future__ import annotations

import json
from collections.abc import Mapping

LISTED = "[[tables]]"
"""The head of a table of a hall's list."""


def toml_lines(head: str, values: Mapping[str, str]) -> str:
    """Return a table of texts with its head, to be pasted whole."""
    return f"{head}\n" + "".join(f"{key} = {_quote_text(value)}\n" for key, value in values.items())


def _quote_text(value: str) -> str:
    """Return a basic string: as in JSON, whose escapes TOML has too but for those of letters beyond 16 bits."""
    text = value.encode("utf-8", "replace").decode()
    return json.dumps(text, ensure_ascii=False).replace("\x7f", "\\u007f")
