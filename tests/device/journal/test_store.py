"""The journal: whole entries or none, a chain that shows every change, and sentences for what is no journal."""

from __future__ import annotations

import shutil
import sqlite3
import struct
import subprocess
import sys
from itertools import pairwise
from pathlib import Path

import pytest

from device.journal.event_log import LOG, sibling_path
from device.journal.replay import Folder
from device.journal.store import Entry, Journal, JournalError, Kind, last_alive, read_journal
from tests.support.device.player import Player
from tests.support.table import B
from tests.support.waiting import PATIENCE_S
from tests.support.wording import raises

WRITER = """
import sys
from pathlib import Path
from device.journal.store import Entry, Journal, Kind
journal = Journal(Path(sys.argv[1]))
number = 0
while True:
    number += 1
    journal.write([Entry(Kind.PRESSED, number, {"n": number, "part": part}) for part in (1, 2)])
    print(number, flush=True)
"""


def entries(count: int) -> list[Entry]:
    return [Entry(Kind.PRESSED, float(number), {"n": number}, "noon") for number in range(1, count + 1)]


PLAYED = """
import sys
from pathlib import Path
from tests.support.device.player import Player
from tests.support.table import B, W
player = Player(Path(sys.argv[1]), rules="chinese", control="10m").look().press(2).wait(2)
for number, point in enumerate(["A1", "B1", "C1", "D1", "E1", "A3", "B3", "C3", "D3", "E3"]):
    print(point, file=sys.stderr, flush=True)
    player.put((B, W)[number % 2], point).press(1 + number % 2).look(0.5)
assert player.now.game.turn == 10
"""


@pytest.mark.slow
@pytest.mark.skipif(shutil.which("strace") is None, reason="strace counts the syncs")
def test_a_turn_waits_six_times_for_the_disk_at_most(tmp_path):
    trace = tmp_path / "trace"
    command = ["strace", "-f", "-e", "trace=fsync,fdatasync,write", "-o", str(trace), sys.executable, "-c", PLAYED]
    subprocess.run([*command, str(tmp_path / "games")], check=True, capture_output=True)
    turns = trace.read_text().partition('write(2, "A1')[2].partition('write(2, "E3')[0]
    syncs = turns.count("fsync(") + turns.count("fdatasync(")
    assert 2 * 9 <= syncs <= 6 * 9, "a press and a look a turn are on disk before they are shown"


def write_journal(path: Path, count: int = 3) -> Path:
    journal = Journal(path)
    journal.write(entries(count))
    journal.close()
    return path


def run_sql(path: Path, sql: str) -> None:
    base = sqlite3.connect(path)
    base.execute(sql)
    base.commit()
    base.close()


def test_what_was_written_is_read_back_also_when_it_is_opened_again(tmp_path):
    path = write_journal(tmp_path / "a.journal")
    journal = Journal(path)
    journal.write([Entry(Kind.RULED, 4.5, {"text": "Black played Ä1.", "points": [1, 2]})])
    journal.close()
    read = read_journal(path)
    assert read[:3] == entries(3)
    assert read[3].body == {"text": "Black played Ä1.", "points": [1, 2]}


@pytest.mark.parametrize(
    "change",
    [
        "UPDATE entries SET body = '{\"n\":9}' WHERE number = 2",
        "UPDATE entries SET t = 2.5 WHERE number = 2",
        "UPDATE entries SET wall = 'night' WHERE number = 2",
        "UPDATE entries SET kind = 'ruled' WHERE number = 2",
        "DELETE FROM entries WHERE number = 2",
        "DELETE FROM entries WHERE number = 1",
        "UPDATE entries SET hash = 'x' WHERE number = 3",
    ],
)
def test_any_change_breaks_the_chain(tmp_path, change):
    path = write_journal(tmp_path / "a.journal")
    run_sql(path, change)
    with raises(JournalError, "entry"):
        read_journal(path)


def test_files_that_are_no_journals_get_a_sentence(tmp_path):
    (tmp_path / "x.journal").write_bytes(b"no database at all, but long enough to be read" * 50)
    with raises(JournalError, "not a journal"):
        read_journal(tmp_path / "x.journal")
    with raises(JournalError, "there is no such file"):
        read_journal(tmp_path / "y.journal")
    with raises(JournalError, "cannot be opened"):
        Journal(tmp_path / "nowhere" / "z.journal")


HANGS = (
    "CREATE VIEW {} AS WITH RECURSIVE c(x) AS (SELECT 1 UNION ALL SELECT x + 1 FROM c) "
    "SELECT x AS number, 0.0 AS t, '' AS wall, 'match' AS kind, '{{}}' AS body, '' AS hash, '' AS line FROM c "
    "WHERE x < 0"
)
"""Something that looks like a journal's table, and that nobody has ever read to its end."""


READER = """
import sys
from pathlib import Path
from device.journal.replay import Folder
from device.journal.store import JournalError, last_alive, read_journal
from web.language import to_english
for path in map(Path, sys.argv[1:]):
    said = []
    for read in (read_journal, last_alive, lambda path: Folder(path.parent).find_newest_match()):
        try:
            read(path)
        except JournalError as error:
            said.append(to_english(error))
    print(said[0] if said else f"{path} is read")
"""
CRAFTED = {
    "entries": ("DROP TABLE entries", HANGS.format("entries")),
    "head": ("DROP TABLE head", HANGS.format("head")),
    "alive": (HANGS.format("alive"),),
    "virtual": ("DROP TABLE entries", "CREATE VIRTUAL TABLE entries USING fts5(number, t, wall, kind, body, hash)"),
    "large": ("DROP TABLE head", "CREATE TABLE head (only INTEGER, line TEXT AS (hex(zeroblob(400000000))))"),
    "trigger": ("CREATE TRIGGER more AFTER INSERT ON entries BEGIN DELETE FROM entries; END",),
}


@pytest.mark.slow
def test_a_file_with_other_tables_is_no_journal_and_nothing_in_it_is_run(tmp_path):
    """One process reads them all: a journal that hangs it leaves the line of its own and the next ones out."""
    paths = []
    for name, statements in CRAFTED.items():
        (tmp_path / name).mkdir()
        paths.append(path := write_journal(tmp_path / name / "1.journal"))
        for sql in statements:
            run_sql(path, sql)
    done = subprocess.run(
        [sys.executable, "-c", READER, *map(str, paths)], capture_output=True, text=True, timeout=PATIENCE_S
    )
    assert [str(path) in line for path, line in zip(paths, done.stdout.splitlines(), strict=True)] == 6 * [True]
    assert all("its tables are not those of a journal" in line for line in done.stdout.splitlines()) and not done.stderr


PAGE, FANOUT, DEEP = 4096, 400, 6
"""Every page of a tree so deep leads so many times to the next one."""


def led_round(path: Path) -> None:
    """Over the page with all entries put others that lead to it in endless ways (SQLite's format, 1.6)."""
    whole = path.read_bytes()
    count = len(whole) // PAGE
    data, numbers = bytearray(whole.ljust((count + DEEP) * PAGE)), [2, *range(count + 1, count + DEEP + 1)]
    data[28:32] = (count + DEEP).to_bytes(4, "big")
    data[-PAGE:] = whole[PAGE : 2 * PAGE]
    for number, child in pairwise(numbers):
        cell = child.to_bytes(4, "big") + b"\x01"
        at = (PAGE - len(cell)).to_bytes(2, "big")
        head = struct.pack(">BHH2sBI", 5, 0, FANOUT, at, 0, child) + at * FANOUT
        data[(number - 1) * PAGE : number * PAGE] = head.ljust(PAGE - len(cell), b"\0") + cell
    path.write_bytes(data)


@pytest.mark.long
def test_pages_that_lead_to_one_page_again_are_not_followed_for_ever(tmp_path):
    led_round(write_journal(tmp_path / "1.journal"))
    limited = ["bash", "-c", 'ulimit -v 2000000 && exec "$@"', "bash"]
    done = subprocess.run(
        [*limited, sys.executable, "-c", READER, str(tmp_path / "1.journal")],
        capture_output=True,
        text=True,
        timeout=PATIENCE_S,
    )
    assert "entry 4: the chain is broken here" in done.stdout.splitlines()[0] and not done.stderr


FULL = """
CREATE TRIGGER full BEFORE INSERT ON entries WHEN NEW.number = 3 BEGIN SELECT RAISE(ABORT, 'database is full'); END
"""


def test_nothing_is_written_when_not_all_can_be(tmp_path):
    path = tmp_path / "a.journal"
    journal = Journal(path)
    journal.write(entries(1))
    run_sql(path, FULL)
    with raises(JournalError, "SQLITE_CONSTRAINT_TRIGGER"):
        journal.write(entries(3)[1:])
    run_sql(path, "DROP TRIGGER full")
    assert len(read_journal(path)) == 1
    journal.write(entries(3)[1:])
    assert read_journal(path) == entries(3)


def test_kill_9_loses_nothing_that_was_acknowledged(tmp_path):
    path = tmp_path / "a.journal"
    with subprocess.Popen([sys.executable, "-c", WRITER, str(path)], stdout=subprocess.PIPE, text=True) as writer:
        acknowledged = [int(writer.stdout.readline()) for _ in range(100)]
        writer.kill()
        acknowledged += [int(line) for line in writer.stdout.read().split()]
    read = read_journal(path)
    assert len(read) in (2 * len(acknowledged), 2 * len(acknowledged) + 2), "whole writes only, at most one more"
    assert [entry.body["part"] for entry in read] == [1, 2] * (len(read) // 2)


def test_a_running_clock_alone_syncs_the_disk_every_five_seconds(tmp_path, monkeypatch):
    player = Player(tmp_path, rules="chinese", control="10m").look().press(2).wait(3)
    log, synced = sibling_path(player.journal, LOG), list[float]()
    before = (log.read_bytes(), player.journal.read_bytes())
    monkeypatch.setattr("device.journal.head.os.fdatasync", lambda file: synced.append(player.t))
    monkeypatch.setattr("device.files.os.fsync", lambda file: synced.append(player.t))
    begun = player.t
    for second in range(60):
        player.wait(1.0)
        assert abs(last_alive(player.journal) - player.t) <= 0.5 and second < 60
    assert player.t - begun == pytest.approx(60) and 10 <= len(synced) <= 13
    assert (log.read_bytes(), player.journal.read_bytes()) == before, "SQLite writes nothing meanwhile"
    shutil.copytree(tmp_path, tmp_path / "killed", ignore=shutil.ignore_patterns("killed"))
    newest = Folder(tmp_path / "killed").find_newest_match()
    assert newest is not None and abs(newest[1].t - player.t) <= 0.5


VERIFY = """
import sys
from device.__main__ import main
for path in sys.argv[1:]:
    print(main(["verify", path]), path)
"""
READ_ONLY = 'mount --bind "$0" "$0" && mount -o remount,ro,bind "$0" && ! touch "$0/x" 2>/dev/null && exec "$@"'
NAMESPACE = ["unshare", "--map-root-user", "--mount"]


@pytest.mark.slow
@pytest.mark.skipif(
    shutil.which("unshare") is None or subprocess.run([*NAMESPACE, "true"]).returncode != 0,
    reason="this system mounts nothing for tests",
)
def test_a_killed_journal_is_verified_on_a_read_only_medium(tmp_path):
    stick = tmp_path / "stick"
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(Journal, "checkpoint_if_idle", lambda self, t: None)
        player = Player(tmp_path / "games").look().put(B, "C3").press(1).look()
        for left in (("*",), ("*.journal", "*-wal"), ("*.journal", "*-wal", "*-head")):
            (folder := stick / str(len(left))).mkdir(parents=True)
            for path in {path for pattern in left for path in player.folder.path.glob(pattern)}:
                shutil.copy(path, folder)
    player.box.close()
    (stick / "closed").mkdir()
    shutil.copy(player.journal, stick / "closed")
    journals = [str(path) for path in sorted(stick.glob("*/*.journal"))]
    verify = [sys.executable, "-c", VERIFY, *journals]
    done = subprocess.run([*NAMESPACE, "sh", "-c", READ_ONLY, str(stick), *verify], capture_output=True, text=True)
    lines = [line for line in done.stdout.splitlines() if not line.startswith("  ")]
    assert done.stderr == "" and [line for line in lines if line[:2] == "0 "] == [f"0 {path}" for path in journals]
    assert sum("whole and unchanged, 5 entries" in line for line in lines) == len(journals) == 4


def test_press_and_look_of_a_turn_are_settled_together_a_second_later(tmp_path):
    player = Player(tmp_path, rules="chinese", control="10m").look().press(2).wait(3)
    log = sibling_path(player.journal, LOG)
    assert log.stat().st_size == 0
    player.put(B, "C3").press(1)
    size = log.stat().st_size
    player.look(0.5)
    assert 0 < size < log.stat().st_size, "the press waits, and is settled with what was seen after it"
    player.wait(1.5)
    assert log.stat().st_size == 0


def test_writes_without_a_pause_are_settled_after_five_seconds(tmp_path):
    path, settled = tmp_path / "a.journal", list[float]()
    journal = Journal(path)
    for tenths in range(0, 200, 9):
        journal.write([Entry(Kind.SEEN, tenths / 10, {})])
        journal.checkpoint_if_idle(tenths / 10)
        settled += [tenths / 10] if sibling_path(path, LOG).stat().st_size == 0 else []
    assert len(settled) == 4 and all(4 < later - before < 7 for before, later in pairwise(settled)), settled
