"""The lines by which a box's desk names its table, and their way into the list of a hall without typing."""

from __future__ import annotations

import sys
import time
from collections.abc import Callable, Iterable, Sequence
from pathlib import Path

from device.files import write_whole
from device.hall.tables import LIST, UNIQUE, TableEntry, parse_table_entry, parse_tables
from device.qr_reader import decode_picture, read_qr
from device.settings import BadSettings, parse_toml
from referee import quote_value
from vision.camera.live import LiveSource, is_camera
from vision.camera.recordings import Look, UnreadableStill
from vision.input_files import InputFileSpec, file_mode
from web.toml_lines import LISTED, toml_lines

CODE = InputFileSpec("a picture of the code on a box's desk, its lines, a camera, or -", 1 << 25, BadSettings)
KEYS = ("table", "address", "box", "secret", "fingerprint")
PRIVATE = 0o600
"""Mode of a new list: whoever reads a secret can act at its table."""


def lines_of(entry: TableEntry) -> str:
    """Return the lines of a table, as the desk of its box shows them."""
    values = {key: getattr(entry, key) for key in KEYS}
    return "\n" + toml_lines(LISTED, {key: value for key, value in values.items() if value is not None})


def read_desk(source: str, prompt: Callable[[str], None]) -> str:
    """Return the lines of a desk; raise BadSettings if there are none.

    source: the lines, "-" for standard input, a camera, or a file with the lines or a picture of their code
    prompt: called with what the director is to do now
    """
    if LISTED in source:
        return source
    if source == "-":
        if sys.stdin.isatty():
            prompt("Paste the lines of one desk or of several, then press Enter and Ctrl-D.")
        return sys.stdin.read(LIST.most)
    if is_camera(source):
        prompt("Hold the code on the box's desk in front of the camera; Ctrl-C ends.")
        return code_in(LiveSource(source, time.monotonic).read_frames())
    path = Path(source)
    data = CODE.bytes_of(path)
    picture = decode_picture(data)
    if picture is None:
        return CODE.text_of(path)
    text = read_qr(picture)
    if not text:
        raise CODE.error_for(path, "no code can be read in it; take it from nearer, straight and in good light")
    return text


def code_in(looks: Iterable[Look | UnreadableStill]) -> str:
    """Return the first code that is seen; empty if there is none."""
    return next(
        (text for look in looks if not isinstance(look, UnreadableStill) and (text := read_qr(look.pixels))), ""
    )


def add_tables(path: Path, desks: Sequence[str]) -> list[TableEntry]:
    """Append the tables of these desks to a list, which is created if need be; return them.

    All are added or none. Raises BadSettings if a text is not that of a desk, or names what the list has already.
    """
    old_text = LIST.text_of(path) if path.exists() else ""
    new_entries = [entry for lines in desks for entry in _parse_entries(lines)]
    listed = parse_toml(old_text, path, LIST).get("tables", [])
    for entry in new_entries:
        _check_new(path, entry, listed if isinstance(listed, list) else [])
    gap = "" if old_text.endswith("\n") or not old_text else "\n"
    text = old_text + gap + "".join(map(lines_of, new_entries)).removeprefix("" if old_text else "\n")
    parse_tables(parse_toml(text, path, LIST), path)
    write_whole(path.resolve(), text.encode(), mode=file_mode(path) & 0o777 or PRIVATE)
    return new_entries


def _parse_entries(lines: str) -> list[TableEntry]:
    """Return the tables in the text of a desk."""
    where = Path("the code")
    try:
        tables = parse_toml(lines, where, CODE).get("tables", [])
    except BadSettings:
        tables = []
    if not isinstance(tables, list) or not tables:
        raise BadSettings(f"These are not the lines of a box's desk, which begin with {LISTED}; give {CODE.wanted}.")
    return [_parse_entry(str(where), one) for one in tables]


LACKING = {
    "table": "the box does not know its table; set its number, table, under [match] in its settings.",
    "address": 'the box\'s page is for its own machine alone; set host = "0.0.0.0" under [page] in its settings.',
}
"""The remedy at a box whose desk leaves a key empty."""


def _parse_entry(where: str, values: object) -> TableEntry:
    empty = next((key for key in LACKING if isinstance(values, dict) and values.get(key) == ""), None)
    if empty is not None:
        raise BadSettings(f"{where}: {LACKING[empty]}")
    return parse_table_entry(where, values)


def _check_new(path: Path, entry: TableEntry, listed: list[object]) -> None:
    """Raise BadSettings if the list has the table, its address or its box."""
    for key in UNIQUE:
        value = getattr(entry, key)
        if value in [one.get(key) for one in listed if isinstance(one, dict)]:
            raise BadSettings(
                f"{path}: the {key} {quote_value(value)} is listed already; to replace it, delete its lines first."
            )
