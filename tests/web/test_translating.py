"""A language comes and goes as one table: given, filled in, checked, and written as a catalogue."""

import argparse
import csv
import io
import re
from functools import cache
from pathlib import Path

import pytest
from babel.messages.pofile import read_po

from tests.support import sentences
from tests.support.translating import (
    AT_EVERY_MOVE,
    IN_A_GAME,
    ORDER,
    faults,
    give,
    known_texts,
    language_tag,
    missing,
    numbers,
    parse,
    rank,
    read,
    table,
    take,
    width,
)

CODE = "ru"
"""A language with several plural forms, and without a catalogue."""


@cache
def toy() -> dict[str, tuple[str, ...]]:
    """A language whose every sentence is English in capitals."""
    english = sentences.texts("en")
    return {
        key: tuple(_loud(english[key][min(form, len(english[key]) - 1)]) for form in range(len(rows)))
        for key, rows in parse(table(CODE, {})).items()
    }


def _loud(text: str) -> str:
    return "".join(part if part.startswith("{") else part.upper() for part in re.split(r"(\{[^}]*\})", text))


def test_a_whole_table_becomes_a_catalogue(tmp_path: Path) -> None:
    translations = toy()
    assert list(faults(CODE, translations)) == [] and missing(translations) == []
    path = take(CODE, translations, tmp_path)
    with path.open("rb") as file:
        catalogue = read_po(file, locale=CODE)
    assert catalogue["act.begin"].string == "TO PLAY"
    assert "draft" not in (tmp_path / CODE / "language.toml").read_text()
    assert parse(table(CODE, translations)) == translations, "a table gives back what it was made from"


@pytest.mark.parametrize("delimiter", [";", "\t"])
def test_a_spreadsheet_may_write_another_delimiter(delimiter: str) -> None:
    """Spreadsheets write semicolons where numbers have a decimal comma."""
    rows = list(csv.reader(io.StringIO(table(CODE, toy()), newline="")))
    out = io.StringIO(newline="")
    csv.writer(out, delimiter=delimiter, lineterminator="\r\n").writerows(rows)
    assert parse("\ufeff" + out.getvalue()) == toy()


def test_what_is_missing_makes_a_draft(tmp_path: Path) -> None:
    translations = toy() | {"act.begin": ("",)}
    assert missing(translations) == ["act.begin"] and list(faults(CODE, translations)) == []
    take(CODE, translations, tmp_path)
    assert (tmp_path / CODE / "language.toml").read_text() == "draft = true\n"


@pytest.mark.parametrize(
    ("key", "texts", "line"),
    [
        ("legal.place", ("{player} PLAYED.",), "{point} is missing"),
        ("legal.pass", ("{player} {who} PASSED.",), "{who} is too much"),
        ("legal.pass", ("{player PASSED.",), "a brace is wrong"),
        ("legal.pass", ("{player} PASSED.", "AND"), "2 rows instead of 1"),
        ("act.begin", ("SOMETHING LONGER THAN FITS",), "26 letters; 17 fit"),
        ("stones.any", ("{n} STONE", "", ""), "stones.any: fill in all 3 rows or none."),
        ("headline.turn-press", ("{player}: НАЖМИТЕ FARITE",), "DONE is printed on a button"),
        ("and", ("kaj",), "and: the space at its beginning is missing.\nand: the space at its end is missing."),
        ("or", (" или",), "or: the space at its end is missing."),
        ("comma", (",",), "comma: the space at its end is missing."),
        ("no.such", ("A",), "no such sentence"),
        ("score.lifts", ("{points:gen} GO.",), "more-points@gen: add rows"),
    ],
)
def test_a_fault_is_told_in_a_line(key: str, texts: tuple[str, ...], line: str) -> None:
    assert line in "\n".join(faults(CODE, toy() | {key: texts}))


def test_a_new_table_has_what_the_one_before_had(tmp_path: Path) -> None:
    """A table with errors is not written to the catalogue, so that it alone has an hour's work."""
    path = tmp_path / "sentences-ru.csv"
    assert give(CODE, path) == 0
    typed = {
        "act.begin": ("ТВОЙ ХОД",),
        "stones.any": ("", "{n} камня", ""),
        "stones.any@acc": ("а", "б", "в"),
        "x": ("y",),
    }
    path.write_text(table(CODE, typed), encoding="utf-8")
    assert give(CODE, path) == len(typed)
    assert {key: texts for key, texts in read(path).items() if any(texts)} == typed


def test_a_table_that_cannot_be_read_stays(tmp_path: Path) -> None:
    path = tmp_path / "sentences-ru.csv"
    path.write_text("my notes")
    with pytest.raises(ValueError, match="no table"):
        give(CODE, path)
    assert path.read_text() == "my notes"


def test_a_fresh_table_has_the_cases() -> None:
    translations = known_texts("de")
    assert "stones.any@acc" in translations
    assert parse(table("de", translations)) == translations


@pytest.mark.parametrize("text", ["と", " و", "와 ", "และ", "、"])
def test_words_may_be_joined_where_a_script_does_so(text: str) -> None:
    assert list(faults(CODE, toy() | {"and": (text,), "comma": (text,)})) == []


@pytest.mark.parametrize("name", ["Klingon", "pt_BR", "FR", "fr-br", "../fr", ""])
def test_what_is_no_tag_is_refused_with_the_right_form(name: str) -> None:
    with pytest.raises(argparse.ArgumentTypeError, match="such as fr, pt-BR or zh-Hant"):
        language_tag(name)


@pytest.mark.parametrize("name", [*sentences.CODES, "eo", "pt-BR", "es-419", "tlh"])
def test_a_tag_is_taken_as_it_is(name: str) -> None:
    assert language_tag(name) == name


@pytest.mark.parametrize("encoding", ["utf-16", "latin-1"])
def test_another_encoding_is_refused_with_what_to_do(encoding: str, tmp_path: Path) -> None:
    path = tmp_path / "sentences-de.csv"
    path.write_text("key,yours\nact.begin,zurück\n", encoding=encoding)
    with pytest.raises(ValueError, match="save it in the spreadsheet as CSV in UTF-8"):
        read(path)


def test_what_players_meet_comes_first_in_the_table() -> None:
    keys = list(parse(table("de", known_texts("de"))))
    assert keys[:3] == ["headline.turn", "headline.turn-press", "headline.waiting"]
    assert keys.index("stones.any@acc") == keys.index("stones.any") + 1
    first = next(at for at, key in enumerate(keys) if key.startswith("illegal."))
    assert keys[first - 1] == "language"
    rest = [key for key in keys if rank(key) == len(ORDER)]
    assert rest == sorted(rest) == keys[-len(rest) :]


def test_the_page_has_the_order_and_its_counts() -> None:
    page = " ".join((sentences.ROOT / "docs" / "languages.md").read_text(encoding="utf-8").split())
    for part in (AT_EVERY_MOVE, IN_A_GAME):
        assert ", ".join(f"`{key}`" for key in part) in page
    ranks = [rank(key) for key in sentences.texts("en")]
    at_every_move = sum(place < len(AT_EVERY_MOVE) for place in ranks)
    in_a_game = sum(place < len(ORDER) for place in ranks)
    assert f"{round(at_every_move, -1)} sentences" in page and f"all {round(in_a_game, -2)}" in page
    assert f"{round(len(ranks), -2):,} sentences" in page


@pytest.mark.slow
def test_every_catalogue_passes_the_check() -> None:
    assert width("D4 {points} 黑") == 3 + 1 + 15 / 8
    for code in sentences.CODES:
        translations = known_texts(code)
        assert (code, list(faults(code, translations)), missing(translations)) == (code, [], [])


def test_a_plural_form_is_told_by_its_first_numbers() -> None:
    rule = sentences.new(CODE)
    one, few, many = numbers(rule.plural_expr, rule.num_plurals)
    assert one.startswith("n = 1, 21, 31") and few.startswith("n = 2, 3, 4, 22") and many.startswith("n = 0, 5, 6")


def test_another_file_is_no_table() -> None:
    with pytest.raises(ValueError, match="no table of sentences"):
        parse("a,b\n1,2\n")
