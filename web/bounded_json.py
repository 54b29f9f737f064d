"""Numbers from outside, in JSON and in URLs: the one place where a stranger's text becomes numbers.

Python reads an integer of any length, which then fits into no float, column or link, and reads NaN and infinity, which
are equal to nothing and beyond everything. Nothing that shinpan is sent needs a number beyond LARGEST_NUMBER.
"""

from __future__ import annotations

import json
from typing import Any

LARGEST_NUMBER = 2**53
"""The largest absolute value of a number, and so the largest integer that every program reads alike (RFC 8259, 6)."""
LONGEST_NUMBER = len(str(LARGEST_NUMBER))
MOST_BRACKETS = 500
"""Most brackets in a JSON text; more could be nested deeper than it can be parsed."""


def loads_bounded(text: str | bytes) -> Any:
    """Return the value of a JSON text; raise ValueError for no JSON, and for a number out of bounds."""
    try:
        return json.loads(text, parse_int=_bounded_int, parse_float=_bounded_float, parse_constant=_bounded_float)
    except RecursionError as error:
        raise ValueError("nested too deeply") from error


def parse_object(text: str | bytes) -> dict[str, object] | None:
    """Return the JSON object of a text; None for anything else, as for a number out of bounds or too many brackets."""
    data = text.encode("utf-8", "surrogatepass") if isinstance(text, str) else text
    if data.count(b"[") + data.count(b"{") > MOST_BRACKETS:
        return None
    try:
        body = loads_bounded(text)
    except ValueError:
        return None
    return body if isinstance(body, dict) else None


def parse_count(text: str, most: int = LARGEST_NUMBER) -> int | None:
    """Return the whole number from 0 to `most` that is written in a URL; None for anything else."""
    if not text.isascii() or not text.isdigit() or len(text) > LONGEST_NUMBER or int(text) > most:
        return None
    return int(text)


def _bounded_int(text: str) -> int:
    if len(text) > LONGEST_NUMBER + 1 or abs(int(text)) > LARGEST_NUMBER:
        raise ValueError("a number is too large")
    return int(text)


def _bounded_float(text: str) -> float:
    number = float(text)
    if not abs(number) <= LARGEST_NUMBER:  # NaN is not, either.
        raise ValueError("a number is too large")
    return number
