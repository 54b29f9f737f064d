"""Everything about one match in one file, for a dispute or a fault report: a zip that `shinpan verify` checks too."""

from __future__ import annotations

import json
import re
import tempfile
import zipfile
from collections.abc import Iterator
from contextlib import contextmanager
from io import BytesIO
from pathlib import Path

from device.archive import Archive
from device.entries import observed_of
from device.files import write_whole
from device.journal import ENDING, Entry, JournalError, Kind, read_journal
from device.keyframes import FRAMES
from referee.board import board_of
from referee.errors import RefereeError
from referee.look import Look

SECRET = re.compile(r"(?im)^(\s*\w*(?:pin|secret|password|token)\w*\s*=).*$")
JOURNAL = f"match{ENDING}"
LOG_TAIL = 200_000
README = """What shinpan kept of the match {name}.

match.journal    all that was heard and ruled, entry by entry; `shinpan verify` checks it and this whole file
match.sgf        the game record
rulings.jsonl    every ruling, a line each
readings.jsonl   every look at the table that was news, the likeliest position each
answers.jsonl    what players and director said or did, and what was answered
frames/          the pictures behind the newest rulings, what was read on each, and the doubtful ones with it drawn on
settings.toml    the settings, secrets left out
shinpan.log      the end of the log
"""


class BadBundle(RefereeError):
    """A match that cannot be bundled; one sentence says why and what to do."""


def bundle(folder: Path, name: str, out: Path, settings: Path | None = None) -> list[str]:
    """Write the bundle of a match in the data folder; returns the names of what is in it."""
    journal = Archive(folder).journal(name)
    if journal is None:
        raise BadBundle(f"{folder}: there is no match {name}; the matches are named by their journals there.")
    made = BytesIO()
    with zipfile.ZipFile(made, "w", zipfile.ZIP_DEFLATED) as file:
        file.writestr("README.txt", README.format(name=name))
        file.writestr(JOURNAL, journal)
        for part, lines in _lines(_entries(journal)).items():
            file.writestr(part, "".join(json.dumps(line) + "\n" for line in lines))
        for inside, path in _files(folder, name):
            file.write(path, inside)
        if settings is not None:
            file.writestr("settings.toml", without_secrets(settings.read_text(encoding="utf-8")))
        file.writestr("shinpan.log", _tail(folder / "shinpan.log"))
        names = file.namelist()
    write_whole(out, made.getvalue())
    return names


def newest_bundled(folder: Path) -> bytes | None:
    """The bundle of the newest match in the data folder, None where there is no match."""
    name = max((path.stem for path in folder.glob(f"[0-9]*{ENDING}")), default=None)
    if name is None:
        return None
    with tempfile.TemporaryDirectory(prefix="shinpan-bundle-") as scratch:
        out = Path(scratch) / "bundle.zip"
        bundle(folder, name, out)
        return out.read_bytes()


def without_secrets(text: str) -> str:
    """Settings with the values of everything that sounds secret left out."""
    return SECRET.sub(r"\1 '(left out)'", text)


@contextmanager
def unpacked(path: Path) -> Iterator[Path]:
    """The journal itself, or the one in a bundle."""
    if not zipfile.is_zipfile(path):
        yield path
        return
    with tempfile.TemporaryDirectory(prefix="shinpan-bundle-") as scratch:
        try:
            with zipfile.ZipFile(path) as file:
                yield Path(file.extract(JOURNAL, scratch))
        except (KeyError, zipfile.BadZipFile) as error:
            raise JournalError(f"{path}: this is no bundle of a match; give one that shinpan bundle wrote.") from error


def _files(folder: Path, name: str) -> Iterator[tuple[str, Path]]:
    record = folder / f"{name}.sgf"
    if record.is_file():
        yield "match.sgf", record
    for path in sorted((folder / f"{name}{FRAMES}").glob("*.*")):
        if not path.name.startswith("."):
            yield f"frames/{path.name}", path


def _entries(journal: bytes) -> list[Entry]:
    with tempfile.TemporaryDirectory(prefix="shinpan-bundle-") as scratch:
        path = Path(scratch) / JOURNAL
        path.write_bytes(journal)
        return read_journal(path)


def _lines(entries: list[Entry]) -> dict[str, list[dict[str, object]]]:
    told: dict[str, list[dict[str, object]]] = {"rulings.jsonl": [], "readings.jsonl": [], "answers.jsonl": []}
    for number, entry in enumerate(entries, 1):
        line = {"entry": number, "t": entry.t, "wall": entry.wall}
        if entry.kind is Kind.SEEN:
            told["readings.jsonl"].append({**line, **_reading(entry)})
        elif entry.kind is Kind.RULED:
            told["rulings.jsonl"].append({**line, **entry.body})
        elif entry.kind in (Kind.PRESSED, Kind.SAID, Kind.TIMED, Kind.ANSWERED):
            told["answers.jsonl"].append({**line, "kind": entry.kind.value, **entry.body})
    return told


def _reading(entry: Entry) -> dict[str, object]:
    seen = observed_of(entry)
    board = board_of(round(len(seen.points) ** 0.5))
    rows = [".XO"[max(range(3), key=sight.__getitem__)] for sight in seen.points]
    look = Look.of(board, seen.points)
    return {
        "rows": ["".join(rows[start : start + board.cols]) for start in range(0, board.points, board.cols)],
        "doubtful": board.names(look.doubtful),
        "lids": entry.body["lids"],
    }


def _tail(path: Path) -> bytes:
    return path.read_bytes()[-LOG_TAIL:] if path.is_file() else b""
