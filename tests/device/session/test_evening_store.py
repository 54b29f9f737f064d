"""The stored state of a watched evening."""

from __future__ import annotations

import sqlite3
import tempfile
from contextlib import closing
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from device.journal.event_log import LOG, sibling_path
from device.session.evening_store import NAME, EveningStore
from referee.game.errors import BadRecord
from tests.device.journal.event_logs import ABOUT, STORES, writer
from tests.support.device.damage import Damage, damage_file
from tests.support.tiers import examples
from tests.support.wording import raises

EARLIER_EVENING = """
CREATE TABLE about (words TEXT NOT NULL);
CREATE TABLE looks (n INTEGER PRIMARY KEY, t REAL NOT NULL, body TEXT);
CREATE TABLE pictures (n INTEGER PRIMARY KEY, jpeg BLOB NOT NULL);
CREATE TABLE place (id INTEGER PRIMARY KEY CHECK (id = 1), frame INTEGER NOT NULL, shows TEXT NOT NULL, t REAL NOT NULL,
                    unreadable TEXT NOT NULL, over INTEGER NOT NULL, eye BLOB NOT NULL);
INSERT INTO about VALUES ('{"name": "evening.mp4"}');
INSERT INTO pictures VALUES (7, x'ff');
"""


def test_an_evening_of_an_earlier_version_is_taken_up(tmp_path):
    with closing(sqlite3.connect(tmp_path / NAME)) as base:
        base.executescript(EARLIER_EVENING)
    with closing(EveningStore(tmp_path, ABOUT)) as evening:
        assert evening.picture(7) == b"\xff" and evening.read_progress() is None
    with raises(BadRecord, "another recording is kept there"):
        EveningStore(tmp_path, {"name": "other.mp4"})


@pytest.mark.slow
def test_an_evening_begins_anew_once_its_file_is_deleted(tmp_path):
    with writer("evening", tmp_path) as program:
        assert program.write() == "kept"
    assert sibling_path(tmp_path / NAME, LOG).stat().st_size
    (tmp_path / NAME).unlink()
    with closing(EveningStore(tmp_path, {"name": "other.mp4"})) as evening:
        assert evening.read_progress() is None and not list(evening.looks())


def test_an_evening_damaged_in_its_middle_is_told_before_it_is_watched(tmp_path):
    with closing(sqlite3.connect(tmp_path / NAME)) as base:
        base.executescript(EARLIER_EVENING)
    data = bytearray((tmp_path / NAME).read_bytes())
    data[-4096:] = b"x" * 4096
    (tmp_path / NAME).write_bytes(data)
    with raises(BadRecord, "is damaged"):
        EveningStore(tmp_path, ABOUT)


@pytest.fixture(scope="module")
def evening(tmp_path_factory: pytest.TempPathFactory) -> bytes:
    """The file of a watched evening."""
    folder = tmp_path_factory.mktemp("evening")
    write, close = STORES["evening"][0](folder)
    for number in range(49):
        write(number)
    close()
    return (folder / NAME).read_bytes()


@pytest.mark.long
@examples(100)
@given(kind=st.sampled_from(Damage), at=st.floats(0, 1), bit=st.integers(0, 7))
def test_no_damaged_byte_of_an_evening_is_more_than_a_sentence(evening, kind, at, bit):
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / NAME
        path.write_bytes(evening)
        damage_file(path, kind, int(at * (len(evening) - 1)), bit)
        try:
            with closing(EveningStore(Path(folder), ABOUT)) as kept_evening:
                kept_evening.read_progress()
                numbers = [number for number, _ in kept_evening.looks()]
        except BadRecord as error:
            assert str(error).startswith(f"{path}: is damaged") or "another recording is kept there" in str(error)
        else:
            assert numbers == (list(range(49)) if kind is Damage.FLIPPED else [])


def test_an_observation_that_is_no_text_is_damage(evening, tmp_path):
    at = evening.index(b'{"points"') + len(b'{"points"')
    (tmp_path / NAME).write_bytes(evening[:at] + bytes([evening[at] ^ 0x80]) + evening[at + 1 :])
    with pytest.raises(BadRecord, match="is damaged"), closing(EveningStore(tmp_path, ABOUT)) as kept_evening:
        list(kept_evening.looks())
