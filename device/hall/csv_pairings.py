"""Rounds as a CSV file, for every other program and for none.

Its columns are round, table, black and white, and optionally handicap, komi and result. Results go into a copy of it,
never into the file itself; the copy has the list's form, letter by letter, but for the results.
"""

from __future__ import annotations

import re
import unicodedata
from codecs import BOM_UTF8, BOM_UTF16_BE, BOM_UTF16_LE
from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path

from device.files import write_whole
from device.hall.byes import is_nobody
from device.hall.input_file import InputFile
from device.hall.pairing import OPEN, BadProgram, Ended, Entered, Pairing, Score, ended_of, seat_of
from referee.game.board import LARGEST_SIDE
from referee.game.messages import Message, message
from referee.sgf.charsets import find_likeliest_encoding, is_utf_16
from referee.sgf.dialects import read_handicap, read_komi
from web.csv_files import plain_cell, spreadsheet_cell

FILE = InputFile(message("hall.wanted.csv"), 1 << 23)
NEEDED = ("round", "table", "black", "white")
RESULT = "result"
COLUMNS = (*NEEDED, "handicap", "komi", RESULT)
DELIMITERS = (",", ";", "\t")
_WORDS = {Score.BLACK: "B", Score.WHITE: "W", Score.DRAW: "0"}
_CELL = {one: re.compile(rf'(?:[ ]*"((?:[^"]|"")*)("|\Z))?([^{one}\r\n]*)') for one in DELIMITERS}
"""A cell: perhaps a text in quotes, its closing quote, and what stands there without any."""
_NUMBER = re.compile(r"\s*[-+]?[0-9]*[.,]?[0-9]*\s*")
"""A cell that begins with a sign and is no formula."""
_MARKS = (("utf-8", BOM_UTF8), ("utf-16-le", BOM_UTF16_LE), ("utf-16-be", BOM_UTF16_BE))
_Row = dict[str, str]


@dataclass(frozen=True)
class _CsvLine:
    """A line of the list, which goes over several where a cell has line ends in quotes.

    number: of its first line
    cells: as they stand there, with their quotes
    values: what they say
    end: its line end
    """

    number: int
    cells: list[str]
    values: list[str]
    end: str


@dataclass(frozen=True)
class _List:
    """A list as it was read.

    encoding, mark: of its bytes
    declared: its first line `sep=;`, empty if there is none
    columns: their names in lower case
    rows: the lines that say something, each with its cells by column
    """

    encoding: str
    mark: bytes
    declared: str
    delimiter: str
    head: _CsvLine
    lines: list[_CsvLine]
    columns: list[str]
    rows: dict[int, _Row]

    def pairings(self) -> Iterator[tuple[int, Pairing]]:
        """Return the games with the numbers of their lines."""
        return ((number, _parse_pairing(row)) for number, row in self.rows.items() if not _is_bye(row))


class Listed:
    """A list of pairings.

    tournament: its file, which is only read
    made: the copy with the results
    """

    name = "CSV"
    has_forfeits = True

    def __init__(self, tournament: Path, made: Path) -> None:
        self.tournament, self.made = tournament, made

    def pull(self) -> tuple[Pairing, ...]:
        """Return all pairings but the byes; raises BadProgram."""
        return tuple(pairing for _, pairing in self._read_list().pairings())

    def push(self, entries: Sequence[Entered]) -> None:
        """Rewrite the copy; raises BadProgram and BadRecord."""
        write_whole(self.made, self.render_results(entries))

    def render_results(self, entries: Sequence[Entered]) -> bytes:
        """Return the current list with these results if it has none; raises BadProgram."""
        listed = self._read_list()
        endings = {entry.pairing: entry.ended for entry in entries}
        words = {number: _result_word(endings[one]) for number, one in listed.pairings() if one in endings}
        has_column, head = RESULT in listed.columns, listed.head.cells
        column = max(len(line.cells) for line in (listed.head, *listed.lines))
        if has_column:
            column = listed.columns.index(RESULT)
        title = head if has_column else _set_cell(head, column, RESULT, head[0])
        texts = [listed.declared, listed.delimiter.join(title), listed.head.end]
        for line in listed.lines:
            cells = [_safe_cell(cell, value) for cell, value in zip(line.cells, line.values, strict=True)]
            word = words.get(line.number, "")
            if word or (not has_column and line.number in listed.rows):
                cells = _set_cell(cells, column, word, title[column])
            texts += [listed.delimiter.join(cells), line.end]
        return listed.mark + "".join(texts).encode(listed.encoding)

    def _read_text(self) -> tuple[str, bytes, str]:
        """Return the encoding, the mark and the text of the list: UTF-8, UTF-16 with its mark, or the computer's
        charset, as spreadsheets save it."""
        data = FILE.bytes_of(self.tournament)
        for encoding, mark in _MARKS:
            if data.startswith(mark):
                with suppress(UnicodeDecodeError):
                    return encoding, mark, data.removeprefix(mark).decode(encoding)
        encoding = "utf-8" if is_utf_16(data) else find_likeliest_encoding(data).removesuffix("-sig")
        with suppress(UnicodeDecodeError):
            return encoding, b"", data.decode(encoding)
        try:
            return "utf-8", b"", data.decode("utf-8-sig")
        except UnicodeDecodeError as error:
            raise FILE.error_for(self.tournament, message("hall.file.not-utf-8")) from error

    def _read_list(self) -> _List:
        encoding, mark, text = self._read_text()
        declared, delimiter, body = _split_declared(text)
        delimiter = delimiter or max(DELIMITERS, key=body.partition("\n")[0].count)
        lines = list(self._split_lines(body, delimiter, 2 if declared else 1))
        head = lines.pop(0) if lines else _CsvLine(1, [""], [""], "")
        columns = [one.strip().lower() for one in head.values]
        for name in COLUMNS:
            if columns.count(name) > 1:
                raise FILE.error_for(self.tournament, message("hall.file.two-columns", column=name))
            if name in NEEDED and name not in columns:
                raise FILE.error_for(self.tournament, message("hall.file.no-column", column=name))
        rows = {one.number: self._parse_row(columns, one, delimiter) for one in lines if any(one.values)}
        listed = _List(encoding, mark, declared, delimiter, head, lines, columns, rows)
        self._check_tables(listed)
        return listed

    def _split_lines(self, text: str, delimiter: str, number: int) -> Iterator[_CsvLine]:
        """Split the text into lines and cells; raises BadProgram for a quote that is never closed."""
        offset, cell = 0, _CELL[delimiter]
        while offset < len(text):
            cells, values, begun = list[str](), list[str](), number
            while True:
                match = cell.match(text, offset)
                assert match is not None
                quoted, closing_quote, tail = match.groups()
                if quoted is not None and not closing_quote:
                    raise self._error_at(number, message("hall.line.quote"))
                cells.append(match[0])
                values.append(tail if quoted is None else quoted.replace('""', '"') + tail)
                number, offset = number + _count_ends(quoted or ""), match.end()
                if text[offset : offset + 1] != delimiter:
                    break
                offset += 1
            end = "\r\n" if text.startswith("\r\n", offset) else text[offset : offset + 1]
            yield _CsvLine(begun, cells, values, end)
            offset, number = offset + len(end), number + 1

    def _parse_row(self, columns: Sequence[str], line: _CsvLine, delimiter: str) -> _Row:
        """Return a line's cells by column; raises BadProgram for what would be read as something else."""
        cells = [plain_cell(cell).strip() for cell in line.values]
        if delimiter == "," and any(cells[len(columns) :]):
            raise self._error_at(line.number, message("hall.line.cells", cells=len(cells), first=len(columns)))
        row = dict(zip(columns, cells, strict=False))
        for name, parse in (("komi", _parse_komi), ("handicap", _parse_handicap)):
            if row.get(name) and parse(row[name]) is None:
                raise self._error_at(line.number, message("hall.line.number", column=name, text=row[name][:20]))
        return row

    def _check_tables(self, listed: _List) -> None:
        """Raise BadProgram if a round has a table twice: one of the two games would be lost."""
        first_lines = dict[tuple[str, str], int]()
        for number, one in listed.pairings():
            if not one.table:
                continue
            first_line = first_lines.setdefault(seat_of(one), number)
            if first_line != number:
                table, round_name = one.table[:20], one.round[:20]
                why = message("hall.line.twice", table=table, round=round_name, first=first_line)
                raise self._error_at(number, why)

    def _error_at(self, number: int, why: Message) -> BadProgram:
        return BadProgram(message("hall.line", file=str(self.tournament), line=number, why=why))


def _split_declared(text: str) -> tuple[str, str, str]:
    """Return a first line `sep=;`, the delimiter that it declares, and the rest; two empty texts if there is none."""
    declared = re.match(r'"?sep=([;,\t])"?[ ;,\t]*(?:\r\n|\n|\r)', text, re.IGNORECASE)
    return ("", "", text) if declared is None else (declared[0], declared[1], text[declared.end() :])


def _count_ends(text: str) -> int:
    return len(re.findall(r"\r\n|\n|\r", text))


def _set_cell(cells: Sequence[str], column: int, word: str, like: str) -> list[str]:
    """Return a line's cells with a word at this place, in quotes if another cell has them."""
    more = [*cells, *[""] * (column + 1 - len(cells))]
    more[column] = f'"{word}"' if word and like.lstrip().startswith('"') else word
    return more


def _safe_cell(cell: str, value: str) -> str:
    """Return a cell that no spreadsheet takes for a formula: as it stands there if none would, in quotes if not."""
    safe = spreadsheet_cell(value)
    if safe == value or _NUMBER.fullmatch(value) or is_nobody(value):
        return cell
    escaped = safe.replace('"', '""')
    return f'"{escaped}"'


def _is_bye(row: Mapping[str, str]) -> bool:
    return any(is_nobody(row.get(one, "")) for one in ("black", "white"))


def _whole_number(text: str) -> str:
    """Return `3` for `3.0`, `3,0` or `３`, as spreadsheets write it; any other text as it is."""
    whole = re.fullmatch(r"([0-9]+)([.,]0+)?", unicodedata.normalize("NFKC", text))
    return text if whole is None else whole[1]


def _parse_pairing(row: Mapping[str, str]) -> Pairing:
    round_name, table, black, white = (row.get(one, "") for one in NEEDED)
    return Pairing(
        _whole_number(round_name),
        _whole_number(table),
        black,
        white,
        _parse_handicap(row.get("handicap", "")) or 0,
        _parse_komi(row.get("komi", "")),
        _parse_result(row.get(RESULT, "")),
    )


def _parse_komi(text: str) -> float | None:
    """Parse a komi; return None for anything but a finite number, because `nan` and `inf` can be neither shown nor
    played."""
    komi = read_komi(text, LARGEST_SIDE**2, "")
    return None if komi is None else komi.points


def _parse_handicap(text: str) -> int | None:
    """Parse a handicap; return None for anything but a number of stones, or words for an even game."""
    return read_handicap(_whole_number(text))


def _parse_result(text: str) -> Ended:
    """Parse a result; an unreadable one counts as a result too, so that it is never overwritten."""
    return OPEN if text in ("", "?") else ended_of(text.upper()) or Ended(Score.VOID)


def _result_word(ended: Ended) -> str:
    return _WORDS[ended.score] + ("+F" if ended.by_default else "")
