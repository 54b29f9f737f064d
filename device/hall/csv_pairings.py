"""Rounds as a CSV file, for every other program and for none.

Its columns are round, table, black and white, and optionally handicap, komi and result. Results go into a copy of it,
never into the file itself.
"""

from __future__ import annotations

import csv
import io
import re
from collections.abc import Mapping, Sequence
from contextlib import suppress
from pathlib import Path

from device.files import write_whole
from device.hall.pairing import OPEN, BadProgram, Ended, Entered, Pairing, Score, ended_of
from referee.game.board import LARGEST_SIDE
from referee.sgf.charsets import is_utf_16, likeliest
from referee.sgf.dialects import read_handicap, read_komi
from vision.input_files import InputFileSpec

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
        write_whole(self.made, self.render_results(entries))

    def render_results(self, entries: Sequence[Entered]) -> bytes:
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
        """Return the list as text: UTF-8, UTF-16 with its mark, or the computer's charset, as spreadsheets save it."""
        data = FILE.bytes_of(self._listed)
        is_wide = is_utf_16(data) and len(data) > 2
        with suppress(UnicodeDecodeError):
            return data.decode("utf-16" if is_wide else likeliest(data))
        return FILE.text_of(self._listed)

    def _rows(self) -> tuple[list[str], list[_Row]]:
        """Return the columns' names in lower case, and the rows."""
        text, delimiter = _split_declared(self._text())
        head = text.partition("\n")[0]
        try:
            delimiter = delimiter or max(DELIMITERS, key=head.count)
            lines = csv.reader(io.StringIO(text), delimiter=delimiter)
            columns = [one.strip().lower() for one in next(lines, [])]
            rows = [self._row(columns, line, lines.line_num, delimiter) for line in lines if any(line)]
        except csv.Error as error:
            raise FILE.error_for(self._listed, f"it is no CSV ({error})") from error
        missing = [one for one in NEEDED if columns.count(one) != 1]
        if missing:
            raise FILE.error_for(self._listed, f"it has no column {missing[0]}")
        return columns, rows

    def _row(self, columns: Sequence[str], line: Sequence[str], number: int, delimiter: str) -> _Row:
        """Return a line's cells by column; raises BadProgram for what would be read as something else."""
        cells = [cell.strip() for cell in line]
        if delimiter == "," and any(cells[len(columns) :]):
            counted = f"it has {len(cells)} cells, and the first line {len(columns)}"
            raise self._refused(number, f"{counted}; put names with a comma in quotes")
        row = dict(zip(columns, cells, strict=False))
        for name, read in (("komi", _komi), ("handicap", _handicap)):
            if row.get(name) and read(row[name]) is None:
                raise self._refused(
                    number, f"the {name} {row[name][:20]!r} is no number; write a number, or leave it empty"
                )
        return row

    def _refused(self, number: int, why: str) -> BadProgram:
        return BadProgram(f"{self._listed}, line {number}: {why}.")


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
    return Pairing(
        _whole_number(played),
        _whole_number(table),
        black,
        white,
        _handicap(row.get("handicap", "")) or 0,
        _komi(row.get("komi", "")),
        _ended(row.get(RESULT, "")),
    )


def _komi(text: str) -> float | None:
    """Parse a komi; return None for anything but a finite number, because `nan` and `inf` can be neither shown nor
    played."""
    komi = read_komi(text, LARGEST_SIDE**2, "")
    return None if komi is None else komi.points


def _handicap(text: str) -> int | None:
    """Parse a handicap; return None for anything but a number of stones, or words for an even game."""
    return read_handicap(_whole_number(text))


def _ended(text: str) -> Ended:
    """Parse a result; an unreadable one counts as a result too, so that it is never overwritten."""
    return OPEN if text in ("", "?") else ended_of(text.upper()) or Ended(Score.VOID)


def _word(ended: Ended) -> str:
    return _WORDS[ended.score] + ("+F" if ended.by_default else "")
