"""A person's name is removed on request: seals stay what they were, and nobody else can put another text there."""

from __future__ import annotations

import json
import sqlite3
import zlib
from contextlib import closing
from pathlib import Path

import pytest

from device.__main__ import main
from device.files import lock_folder
from device.journal.removal import NOBODY, BadName, Holding, Name, find_name
from device.journal.replay import Folder, replay_journal
from device.journal.store import JournalError, read_contents
from tests.support.device.directed import DirectedTable

pytestmark = pytest.mark.slow
NAME, OTHER = "Ada Exämple", "Ben Sample"


@pytest.fixture
def games(tmp_path: Path) -> Path:
    """A folder with a game that is over."""
    folder = tmp_path / "games"
    folder.mkdir()
    table = DirectedTable(folder)
    table.act("set-up", rules="chinese", black=NAME, white=OTHER, event="Spring Cup", table="7")
    table.act("enter", player="B", turn="place", point="C3", why=f"{NAME} said so")
    table.act("report", result="B+R", why="for the test")
    table.act("verify")
    table.close()
    return folder


def journal_of(games: Path) -> Path:
    return next(path for path in Folder(games).list_journals() if replay_journal(path).table.record.result is not None)


def holds(folder: Path, name: str) -> list[Path]:
    """The files in which the name can be found, in any form."""
    forms = {name.encode(), json.dumps(name)[1:-1].encode(), name.lower().encode()}
    return [path for path in folder.rglob("*") if path.is_file() and any(form in path.read_bytes() for form in forms)]


def test_a_name_is_gone_and_every_seal_is_what_it_was(games, capsys):
    journal = journal_of(games)
    before, seal = read_contents(journal), replay_journal(journal).head.short
    assert holds(games, NAME) != []
    assert main(["forget", NAME.lower(), "--data", str(games)]) == 0
    assert "Not reached:" in capsys.readouterr().err
    assert holds(games, NAME) == [] and holds(games, OTHER) != []
    after = read_contents(journal)
    assert after.head == before.head and len(after.entries) == len(before.entries)
    assert main(["verify", str(journal), "--seal", seal, "--key", Folder(games).identity.public]) == 0
    assert "Names were removed by this box; entries that lost one: 1" in capsys.readouterr().out
    assert replay_journal(journal).terms.names == (NOBODY, OTHER)
    assert f"PB[{NOBODY}]".encode() in journal.with_suffix(".sgf").read_bytes()
    assert main(["forget", OTHER, "--data", str(games)]) == 0
    assert main(["verify", str(games)]) == 0 and holds(games, OTHER) == []
    assert main(["forget", OTHER, "--data", str(games)]) == 0


@pytest.mark.parametrize("key", ["result", "text", "removed"])
def test_whoever_changes_such_an_entry_is_found(games, key):
    journal = journal_of(games)
    assert main(["forget", NAME, "--data", str(games)]) == 0
    with closing(sqlite3.connect(journal)) as base:
        number, body = base.execute("SELECT number, body FROM entries WHERE body LIKE '%removed%' LIMIT 1").fetchone()
        fields = json.loads(body)
        if key == "removed":
            del fields[key]
        else:
            fields[key] = "other"
        base.execute("UPDATE entries SET body = ? WHERE number = ?", (json.dumps(fields), number))
        base.commit()
    with pytest.raises(JournalError):
        read_contents(journal)


def test_another_boxs_mark_is_not_taken(games, tmp_path):
    journal, other = journal_of(games), Folder(tmp_path / "other").identity
    assert main(["forget", NAME, "--data", str(games)]) == 0
    from device.journal.store import SCHEMA, mark_removed

    with closing(sqlite3.connect(journal)) as base:
        (row, *_) = base.execute(SCHEMA.select()).fetchall()
        base.execute("UPDATE entries SET body = ? WHERE number = 1", (mark_removed(row, row[4], other),))
        base.commit()
    with pytest.raises(JournalError, match="1"):
        read_contents(journal)


def test_the_halls_journals_and_texts_lose_it_too(games, tmp_path, capsys):
    hall = tmp_path / "hall"
    hall.mkdir()
    with closing(sqlite3.connect(hall / "public.journal")) as base:
        base.execute("CREATE TABLE news (number INTEGER PRIMARY KEY, body BLOB, place TEXT)")
        base.execute("INSERT INTO news VALUES (1, ?, '7')", (zlib.compress(json.dumps({"players": [NAME]}).encode()),))
        base.execute("CREATE TABLE entries (body TEXT)")
        base.execute("INSERT INTO entries VALUES (?)", (json.dumps({"black": NAME, "note": f"x{NAME}y"}),))
        base.commit()
    (hall / "results.csv").write_text(f"1,7,{NAME},{OTHER}\n")
    (log := hall / "shinpan.log").write_text(f"the act of {NAME}\n")
    with log.open("a") as appending:
        assert main(["forget", NAME, "--data", str(games), "--also", str(hall)]) == 0
        appending.write("more\n")
    assert log.read_text() == f"the act of {NOBODY}\nmore\n"
    assert (hall / "results.csv").read_text() == f"1,7,{NOBODY},{OTHER}\n"
    with closing(sqlite3.connect(hall / "public.journal")) as base:
        assert json.loads(zlib.decompress(base.execute("SELECT body FROM news").fetchone()[0])) == {"players": [NOBODY]}
        assert json.loads(base.execute("SELECT body FROM entries").fetchone()[0]) == {
            "black": NOBODY,
            "note": f"x{NAME}y",
        }


def test_a_game_that_goes_on_or_was_signed_elsewhere_is_told(games, tmp_path, capsys):
    table = DirectedTable(games)
    table.act("set-up", rules="chinese", black=NAME, white=OTHER)
    table.act("enter", player="B", turn="place", point="C3", why="for the test")
    table.close()
    assert main(["forget", NAME, "--data", str(games)]) == 1
    assert holds(games, NAME) == [path for path in holds(games, NAME) if path.stem == table.journals[-1].stem]
    assert "this game is not over; remove the name again afterwards" in capsys.readouterr().err
    assert main(["forget", NAME, "--data", str(tmp_path / "empty"), "--also", str(games)]) == 1
    assert main(["forget", NAME, "--data", str(games), "--also", str(tmp_path / "none")]) == 2


def test_a_dry_run_says_where_it_is_and_changes_nothing(games, capsys):
    before = {path: path.read_bytes() for path in games.iterdir() if path.is_file()}
    assert main(["forget", NAME, "--data", str(games), "--dry-run"]) == 0
    assert f"{journal_of(games)}: the name is there." in capsys.readouterr().out
    assert {path: path.read_bytes() for path in before} == before


def test_a_folder_in_use_is_left_alone_and_one_that_cannot_be_read_is_told(games, tmp_path, capsys):
    with closing(lock_folder(tmp_path / "hall", "hall")):
        assert main(["forget", NAME, "--data", str(games), "--also", str(tmp_path / "hall")]) == 2
    assert "stop it" in capsys.readouterr().err and holds(games, NAME) != []
    (games / f"{NAME}.zip").write_bytes(b"a bundle")
    search = find_name(Name(NAME), [games, tmp_path / "stick"], Folder(games).identity)
    assert [message.key for message in search.left] == ["forget.file-name", "forget.absent"]


def test_a_log_in_use_is_searched_without_being_written(games, tmp_path):
    """A hall's journal has a write-ahead log, and may lie where nothing can be written."""
    (hall := tmp_path / "hall").mkdir()
    with closing(sqlite3.connect(hall / "hall.journal")) as base:
        base.execute("PRAGMA journal_mode=WAL")
        base.execute("CREATE TABLE entries (body TEXT)")
        base.execute("INSERT INTO entries VALUES (?)", (NAME,))
        base.commit()
        search = find_name(Name(NAME), [games, hall], Folder(games).identity)
    assert search.changed[-1] == (hall / "hall.journal", Holding.HALL) and search.left == []


@pytest.mark.parametrize("name", ["", " ", "A", "-", "x" * 300])
def test_what_is_no_name_is_said_so(name):
    with pytest.raises(BadName):
        Name(name)


def test_a_name_is_found_in_every_form_and_no_other():
    name = Name("Ana  Exämple]")
    for form in ("Ana Exämple]", "ana exa\u0308mple]", "Ana Ex\\u00e4mple]", "Ana Exämple\\]"):
        assert name.remove_from(f"PB[{form} ") == f"PB[{NOBODY} "
    assert name.remove_from("Diana Exämple] Ana Exämpleson]") == "Diana Exämple] Ana Exämpleson]"


def test_a_name_of_two_letters_is_a_name() -> None:
    assert Name("Li").remove_from("PW[Li]") == f"PW[{NOBODY}]"
