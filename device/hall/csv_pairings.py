"""Rounds as a CSV file, for every other program and for none.

Its columns are round, table, black and white, and optionally handicap, komi and result. Results go into a copy of it,
never into the file itself.
"""

from __future__ import annotations

import csv
import io
import math
import re
from collections.abc import Mapping, Sequence
from contextlib import suppress
from pathlib import Path

from device.files import write_whole
from device.hall.pairing import OPEN, BadProgram, Ended, Entered, Pairing, Score, ended_of
from referee.sgf.charsets import is_utf_16
from vision.input_files import InputFileSpec
from web.hall.tiles import number_in

FILE = InputFileSpec("a CSV file with the columns round, table, black and white", 1 << 23, BadProgram, is_kept=True)
NEEDED = ("round", "table", "black", "white")
RESULT = "result"
DELIMITERS = (",", ";", "\t")
NOBODY = ("", "bye", "-", "free")
"""An opponent in a row that is no game."""
_WORDS = {Score.BLACK: "B", Score.WHITE: "W", Score.DRAW: "0"}
_Row = dict[str, str]


class Listed:
    """A list of pairings.

    made: the copy with the results
    """

    name = "CSV"

    def __init__(self, listed: Path, made: Path) -> None:
        self._listed, self.made = listed, made

    def pull(self) -> tuple[Pairing, ...]:
        """Return all pairings but the byes; raises BadProgram."""
        return tuple(_pairing(row) for row in self._rows()[1] if not _is_bye(row))

    def push(self, entries: Sequence[Entered]) -> None:
        """Rewrite the copy; raises BadProgram and BadRecord."""
        write_whole(self.made, self.written(entries))

    def written(self, entries: Sequence[Entered]) -> bytes:
        """Return the current list with these results if it has none; raises BadProgram."""
        columns, rows = self._rows()
        wanted = {entry.pairing: entry.ended for entry in entries}
        text = io.StringIO()
        writer = csv.DictWriter(text, [*columns, *([RESULT] if RESULT not in columns else [])])
        writer.writeheader()
        for row in rows:
            ended = wanted.get(_pairing(row))
            writer.writerow(row if ended is None else {**row, RESULT: _word(ended)})
        return text.getvalue().encode("utf-8-sig")

    def _text(self) -> str:
        """Return the list as text: UTF-8, or UTF-16 with its mark, as spreadsheets save it."""
        data = FILE.bytes_of(self._listed)
        if is_utf_16(data) and len(data) > 2:
            with suppress(UnicodeDecodeError):
                return data.decode("utf-16")
        return FILE.text_of(self._listed)

    def _rows(self) -> tuple[list[str], list[_Row]]:
        """Return the columns' names in lower case, and the rows."""
        text, delimiter = _split_declared(self._text())
        head = text.partition("\n")[0]
        try:
            lines = csv.reader(io.StringIO(text), delimiter=delimiter or max(DELIMITERS, key=head.count))
            columns = [one.strip().lower() for one in next(lines, [])]
            rows = [dict(zip(columns, (cell.strip() for cell in line), strict=False)) for line in lines if any(line)]
        except csv.Error as error:
            raise FILE.refused(self._listed, f"it is no CSV ({error})") from error
        missing = [one for one in NEEDED if columns.count(one) != 1]
        if missing:
            raise FILE.refused(self._listed, f"it has no column {missing[0]}")
        return columns, rows


def _split_declared(text: str) -> tuple[str, str]:
    """Return the table without a first line `sep=;`, and the delimiter that it declares; empty if there is none."""
    first, _, rest = text.partition("\n")
    declared = re.fullmatch(r"sep=([;,\t])\s*", first, re.IGNORECASE)
    return (text, "") if declared is None else (rest, declared[1])


def _is_bye(row: Mapping[str, str]) -> bool:
    return any(row.get(one, "").casefold() in NOBODY for one in ("black", "white"))


def _whole_number(text: str) -> str:
    """Return `3` for `3.0` or `3,0`, as spreadsheets write it; any other text as it is."""
    whole = re.fullmatch(r"([0-9]+)[.,]0+", text)
    return text if whole is None else whole[1]


def _pairing(row: Mapping[str, str]) -> Pairing:
    played, table, black, white = (row.get(one, "") for one in NEEDED)
    stones = re.fullmatch(r"[Hh]?\s*([0-9]+)\s*(?:stones?)?", _whole_number(row.get("handicap", "")))
    return Pairing(
        _whole_number(played),
        _whole_number(table),
        black,
        white,
        number_in(stones[1]) if stones is not None else 0,
        _komi(row.get("komi", "")),
        _ended(row.get(RESULT, "")),
    )


def _komi(text: str) -> float | None:
    """Parse a komi; return None for anything but a finite number, because `nan` and `inf` can be neither shown nor
    played."""
    with suppress(ValueError):
        return komi if math.isfinite(komi := float(text.replace(",", "."))) else None
    return None


def _ended(text: str) -> Ended:
    """Parse a result; an unreadable one counts as a result too, so that it is never overwritten."""
    return OPEN if text in ("", "?") else ended_of(text.upper()) or Ended(Score.VOID)


def _word(ended: Ended) -> str:
    return _WORDS[ended.score] + ("+F" if ended.by_default else "")
