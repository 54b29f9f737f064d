"""The presses of a recorded table, from a file beside its video: JSON lines in the order of time."""

from __future__ import annotations

import json
from math import inf
from pathlib import Path

from referee.errors import BadRecord
from referee.events import Button, Pressed

SHAPE = '{"t":12.5,"side":1,"button":"call"}'


def read_presses(path: Path) -> list[Pressed]:
    """The presses in a file, the earliest first; raises BadRecord naming the line that is none."""
    try:
        lines = path.read_text(encoding="utf-8").splitlines()
    except (OSError, UnicodeDecodeError) as error:
        raise BadRecord(f"{path}: the presses cannot be read ({error}); give a file of lines like {SHAPE}.") from error
    presses = [_press(path, number, text) for number, text in enumerate(lines, 1) if text.strip()]
    return sorted(presses, key=lambda press: press.t)


def _press(path: Path, number: int, text: str) -> Pressed:
    try:
        data = json.loads(text)
        press = Pressed(float(data["t"]), data["side"], Button(data["button"]), bool(data.get("held", False)))
    except (ValueError, TypeError, KeyError, AttributeError) as error:
        raise BadRecord(f"{path}, line {number}: not a press; it should read like {SHAPE}.") from error
    if press.side not in (1, 2) or not 0 <= press.t < inf:
        raise BadRecord(f"{path}, line {number}: side must be 1 or 2, and t a number of seconds from 0.")
    return press
