"""No cell of a table becomes a formula in a spreadsheet, in whichever disguise."""

from __future__ import annotations

import csv
import io
import unicodedata

import pytest

from web.csv_files import FORMULA_SIGNS, csv_text, plain_cell, spreadsheet_cell

HIDDEN = ("", "\n", "\r", "\r\n", "\t", " ", "\u00a0", "\u3000", "\u200b", "\ufeff", "\x00", "\u2028", "\n \t\u200b")
"""Letters that a spreadsheet takes away before it looks for a formula."""
SIGNS = ("=", "+", "-", "@", "＝", "＋", "－", "＠", "﹢", "﹣", "﹦", "﹫", "−", "\u2010", "\u2011", "–", "⁺", "₌")


def formulas(cell: str) -> list[str]:
    """The parts that a spreadsheet takes for formulas, if it drops what is hidden and also separates by semicolons."""
    cells = (
        "".join(letter for letter in one if unicodedata.category(letter)[0] not in "CZ") for one in cell.split(";")
    )
    return [one for one in cells if unicodedata.normalize("NFKC", one).startswith(tuple(FORMULA_SIGNS))]


@pytest.mark.parametrize("before", HIDDEN)
@pytest.mark.parametrize("sign", SIGNS)
def test_a_cell_that_may_become_a_formula_is_a_text(before, sign):
    cell = spreadsheet_cell(f"{before}{sign}1+1")
    assert cell.startswith("'") and formulas(cell) == [] and plain_cell(cell) == f"{before}{sign}1+1"


@pytest.mark.parametrize(
    "cell", ["", "Ada", "O'Hara", "3-4", "a=b", "審判", "8.5", "\n", " Ada", "“Ada”", "Ä", "Ada; Ben"]
)
def test_another_cell_stays_as_it_is(cell):
    assert spreadsheet_cell(cell) == cell == plain_cell(cell)


@pytest.mark.parametrize("cell", ["Ada;=1+1", "Ada\n=1", "Ada;\t @SUM(1)", "Ada\r\n＝1", "\tAda", "\rAda"])
def test_a_separator_of_another_language_begins_no_formula(cell):
    written_cell = spreadsheet_cell(cell)
    assert written_cell != cell and formulas(written_cell) == [] and plain_cell(written_cell) == cell


def test_no_letter_that_looks_like_a_sign_is_forgotten():
    alike = [chr(n) for n in range(0x110000) if unicodedata.normalize("NFKC", chr(n))[:1] in set(FORMULA_SIGNS)]
    assert len(alike) > 10 and all(spreadsheet_cell(letter) == f"'{letter}" for letter in alike)


def test_a_file_is_read_back_as_it_was_written():
    rows = [("=head", "b"), ("\n=1", "\r\n＝1"), ("Ada", '“,"')]
    read = list(csv.reader(io.StringIO(csv_text(rows), newline="")))
    assert [tuple(map(plain_cell, row)) for row in read] == rows and read[0] == ["'=head", "b"]
