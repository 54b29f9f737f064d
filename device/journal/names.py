"""The names and order of matches: numbered in ascending order.

The time of day in a name is a label: a machine without a battery for its clock may begin every match in 1970.
`00012_2026-11-22T12-00-00` is the twelfth match of its folder. Versions 0.1 and 0.2 gave no number; their matches come
before all numbered ones, ordered by name.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from datetime import UTC, datetime
from pathlib import Path

from device.files import read_stored_text, write_whole

COUNTER = "matches"
"""The file with the highest number used so far, so that it is not reused after its match was deleted."""
_NUMBERED = re.compile(r"([0-9]{5,12})_")
_COUNTED = re.compile(r"[0-9]{1,12}")


def age_key(name: str) -> tuple[int, str]:
    """Return the sort key of a match's name, the oldest first."""
    return _parse_number(name), name


def by_age(paths: Iterable[Path]) -> list[Path]:
    """Sort files whose names begin with a match's, the oldest match first."""
    return sorted(paths, key=lambda path: age_key(path.stem))


def next_name(folder: Path, now: datetime) -> str:
    """Return an unused name, above all others; raises BadRecord if the number cannot be stored.

    A damaged or missing counter does no harm, because the numbers in the folder count as well.
    """
    number = max([_read_counter(folder / COUNTER), *(_parse_number(path.name) for path in folder.iterdir())]) + 1
    write_whole(folder / COUNTER, f"{number}\n".encode())
    return f"{number:05}_{now.astimezone(UTC):%Y-%m-%dT%H-%M-%S}"


def _parse_number(name: str) -> int:
    match = _NUMBERED.match(name)
    return int(match[1]) if match else 0


def _read_counter(path: Path) -> int:
    try:
        text = read_stored_text(path).strip()
    except (OSError, UnicodeDecodeError):
        return 0
    return int(text) if _COUNTED.fullmatch(text) else 0
