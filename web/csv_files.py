"""Tables as CSV for spreadsheets: the one writer of every such file, so that no cell of one becomes a formula.

A spreadsheet takes a cell for a formula by its first letter that it keeps: white space, line ends and invisible letters
before it are dropped, and wide or small forms of a sign are read as the sign. It also begins a cell where its own
language has another separator than the file. An apostrophe at each such place makes it a text.
"""

from __future__ import annotations

import csv
import io
import itertools
import re
import unicodedata
from collections.abc import Iterable, Sequence

FORMULA_SIGNS = "=+-@"
"""The letters with which a formula begins."""
_BREAKS = re.compile(r"[;\t\r\n]+")
_LEADING = ("\t", "\r", "\n")
"""Letters that make a cell suspicious if it begins with one, whatever follows."""


def csv_text(rows: Iterable[Sequence[object]]) -> str:
    """Return these rows as comma-separated values, none of whose cells is a formula."""
    text = io.StringIO(newline="")
    csv.writer(text).writerows([spreadsheet_cell(str(cell)) for cell in row] for row in rows)
    return text.getvalue()


def spreadsheet_cell(cell: str) -> str:
    """Return the text with an apostrophe wherever it would else begin a formula."""
    breaks = [match.end() for match in _BREAKS.finditer(cell)]
    places = [place for place in breaks if not _is_hidden(cell[:place]) and _is_formula_start(cell[place:])]
    if _is_formula_start(cell) or (cell.startswith(_LEADING) and not _is_hidden(cell)):
        places.insert(0, 0)
    bounds = [0, *places, len(cell)]
    return "'".join(cell[start:end] for start, end in itertools.pairwise(bounds))


def plain_cell(cell: str) -> str:
    """Return the text that `spreadsheet_cell` made this cell of; any other cell as it is."""
    text = re.sub(r"(\A|[;\t\r\n])'", r"\1", cell)
    return text if spreadsheet_cell(text) == cell else cell


def _is_formula_start(text: str) -> bool:
    """Return True if the first visible letter is a formula's sign, or looks like one."""
    first = next((letter for letter in text if not _is_hidden(letter)), "")
    sign = unicodedata.normalize("NFKC", first).strip()[:1]
    return sign != "" and (sign in FORMULA_SIGNS or sign == "\u2212" or unicodedata.category(sign) == "Pd")


def _is_hidden(text: str) -> bool:
    """Return True if nothing of the text can be seen."""
    return all(letter.isspace() or unicodedata.category(letter) in ("Cc", "Cf", "Zl", "Zp", "Zs") for letter in text)
