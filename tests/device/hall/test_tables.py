"""The list of a hall's tables: what can be used, and what is said of what cannot."""

from __future__ import annotations

import re
import tomllib
from pathlib import Path

import pytest

from device.hall.tables import MOST_TABLES, TableEntry, read_tables
from device.settings import BadSettings
from tests.support import ROOT

ONE = '[[tables]]\ntable = "1"\naddress = "http://192.0.2.1:8000/"\nbox = "{box}"\nsecret = "{secret}"\n'
LINES = ONE.format(box="a" * 64, secret="b" * 32)


def write_tables(folder: Path, text: str) -> Path:
    path = folder / "tables.toml"
    path.write_text(text)
    return path


def test_a_table_is_known_by_its_lines(tmp_path):
    venue = read_tables(write_tables(tmp_path, f'event = "Spring Cup"\nport = 9000\n{LINES}'))
    assert (venue.event, venue.port) == ("Spring Cup", 9000)
    assert venue.tables == (TableEntry("1", "http://192.0.2.1:8000/", "a" * 64, "b" * 32),)
    assert venue.tables[0].listens == ("192.0.2.1", 8000)


def test_as_many_tables_can_be_listed_as_a_hall_may_have(tmp_path):
    text = "".join(
        ONE.format(box=f"{number:064x}", secret="b" * 64)
        .replace('"1"', f'"Room {number:>13}"')
        .replace("192.0.2.1:8000", f"shinpan-{number:04}.tournament.example:8000")
        for number in range(MOST_TABLES)
    )
    assert len(read_tables(write_tables(tmp_path, text)).tables) == MOST_TABLES


def test_the_page_shows_a_list_that_can_be_used(tmp_path):
    block, rules = re.findall(r"```toml\n(.*?)```", (ROOT / "docs/hall.md").read_text(), re.S)
    text = "\n".join(line.strip() for line in block.splitlines())
    for content in (text, f"{text}\n{rules}"):
        assert len(read_tables(write_tables(tmp_path, content)).tables) == len(tomllib.loads(content)["tables"]) == 2


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("", "it names no table"),
        ("tables = 3", "it names no table"),
        ("[[tables]]\ntable = '1'", "number 1: needs address, a text in quotes"),
        (
            LINES.replace("http:", "ftp:"),
            'the address "ftp://192.0.2.1:8000/" must begin with http:// or https:// and name a box',
        ),
        (LINES.replace("http:", "https:"), 'the address "https://192.0.2.1:8000/" needs its fingerprint; copy all'),
        (LINES.replace(":8000", ":80000"), "number 1: "),
        (LINES.replace("b" * 32, "secret"), 'secret cannot be "secret"; it must be the digits and letters'),
        (LINES + LINES, 'two of the \\[\\[tables\\]\\] have the table "1"'),
        (LINES + LINES.replace('"1"', '"2"'), 'have the address "http://192.0.2.1:8000/"'),
        (f"opengotha = 'a'\ncsv = 'b'\n{LINES}", "names opengotha and csv; a hall has one pairing program"),
        (f"{LINES}[pairgoth]\naddress = 'x'\ntournament = '1'", 'address "x" must begin with http:// or https://'),
        (f"{LINES}[pairgoth]\naddress = 'http://x/'", "\\[pairgoth\\] needs tournament, a text of at most 60 letters"),
        (f"{LINES}[round]\nrules = 3", "\\[round\\] rules cannot be 3; it must be a text in quotes"),
        (f"{LINES}[round]\nrules = 'aga'\ncolour = 3", "\\[round\\] has no colour; it has rules, size, komi, control"),
        (f"colour = 3\n{LINES}", "has no colour; it has event, host, port, folder"),
        (f"port = 'x'\n{LINES}", 'port cannot be "x"; it must be a whole number from 0 to 65535'),
    ],
)
def test_what_cannot_be_used_is_said_in_one_sentence(tmp_path, text, said):
    with pytest.raises(BadSettings, match=said) as caught:
        read_tables(write_tables(tmp_path, text))
    assert re.search(r"\.$|--add -$", str(caught.value)) and "\n" not in str(caught.value)
