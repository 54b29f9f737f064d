"""A damaged journal costs the hall what cannot be read of it, and nothing more: it starts, says so, and goes on."""

from __future__ import annotations

import os
import sqlite3
import tempfile
from collections.abc import Callable
from contextlib import closing
from functools import partial
from itertools import count
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from device.hall.event_log import FILE, EventLogError, HallEventLog, Note
from device.hall.outbox import Outbox
from device.hall.public import store
from device.hall.public.ogs import OgsRelay
from device.hall.rounds import LOST
from device.hall.sentences import hall_sentence, sentence_from
from tests.support.device.damage import Damage, damage_file, killed_at
from tests.support.device.public_hall import ShownHall
from tests.support.device.venues import Venues, directing
from tests.support.tiers import LONG, is_long_run
from web.gallery.publication import Room
from web.hall.assignment import Handing
from web.hall.tiles import LastBoard, RatingList
from web.language import find_translator

RESULT = {"box": "a" * 64, "game": "00007_x", "result": "B+3.5", "players": ["Ada", "Ben"]}
RESULT |= {"event": "Cup", "round": "1", "table": "7", "seal": "AAAA"}
ACT = {"event": "Cup", "round": "2", "table": "7", "black": "Ada", "white": "Ben", "rules": "chinese", "handicap": 0}
DELAY = 900.0
SAID = "the hall's journal was damaged. It was set aside under a name that ends in .damaged"


def write_event_log(folder: Path, more: int = 0) -> None:
    """A hall's journal with a result, a match that was handed out and taken, one that is open, and incidents."""
    event_log = HallEventLog(folder, lambda: 1000.0)
    event_log.write(1000.0, Note.MET, "7", {"box": "a" * 64, "before": []}, f"met {'a' * 64}")
    event_log.write(1000.0, Note.RESULT, "7", RESULT, "r1")
    entry = event_log.write(1000.0, Note.HANDED, "8", {"act": {**ACT, "table": "8"}, "box": "b" * 64, "by": "Ada"})
    assert entry is not None
    event_log.write(1000.0, Note.TAKEN, "8", {"handed": entry.number, "why": ""})
    event_log.write(1000.0, Note.HANDED, "7", {"act": ACT, "box": "a" * 64, "by": "Ada"})
    for number in range(more):
        event_log.write(
            1000.0, Note.INCIDENT, "7", {"game": "00007_x", "turn": number, "text": "x" * 300}, f"i{number}"
        )
    event_log.close()


def replace_bytes(before: bytes, after: bytes) -> Callable[[bytes], bytes]:
    """The first place of these bytes, as a flipped bit may leave it."""
    return lambda data: data.replace(before, after, 1)


def test_a_last_position_that_the_disk_has_changed_is_not_drawn(tmp_path):
    event_log = HallEventLog(tmp_path, lambda: 1000.0)
    for rows, last_move in ((["X.", ".O"], "B1"), (["X.", ".#"], "B1"), (["X.", ".O"], "Z9"), ([], None)):
        event_log.keep(1000.0, Note.RESULT, "7", {**RESULT, "rows": rows, "last_move": last_move})
    event_log.keep(1000.0, Note.RESULT, "7", RESULT)
    outbox = Outbox(event_log, None, lambda: 1000.0)
    boards = [outbox.last_board(entry.number) for entry in event_log.entries]
    assert boards == [LastBoard(("X.", ".O"), "B1"), None, None, None, None]
    assert [one.number > 0 for one, _ in outbox.entering().results] == [True, False, False, False, False]
    event_log.close()


DAMAGES: dict[str, tuple[Callable[[bytes], bytes], set[Note]]] = {
    "a key of a match": (replace_bytes(b'"act"', b'"acu"'), {Note.MET, Note.RESULT, Note.HANDED, Note.TAKEN}),
    "a key of a result": (replace_bytes(b'"result"', b'"resulu"'), {Note.MET, Note.HANDED, Note.TAKEN}),
    "a kind": (replace_bytes(b"result7", b"sesult7"), {Note.MET, Note.HANDED, Note.TAKEN}),
    "no JSON": (replace_bytes(b'{"box"', b'["box"'), {Note.MET, Note.HANDED, Note.TAKEN}),
    "no text": (replace_bytes(b"00007_x", b"\xff0007_x"), {Note.MET, Note.HANDED, Note.TAKEN}),
    "the first page": (lambda data: bytes(4096) + data[4096:], {Note.MET, Note.RESULT, Note.HANDED, Note.TAKEN}),
    "half the file": (lambda data: data[: len(data) // 2], set()),
    "no database": (lambda data: b"x" * len(data), set()),
}


@pytest.mark.parametrize("name", DAMAGES)
def test_what_can_be_read_goes_on_and_the_rest_is_told(tmp_path, caplog, name):
    write_event_log(tmp_path)
    path, (damage, kinds) = tmp_path / FILE, DAMAGES[name]
    before, data = path.read_bytes(), damage(path.read_bytes())
    assert data != before
    path.write_bytes(data)
    event_log = HallEventLog(tmp_path, lambda: 2000.0)
    assert {entry.kind for entry in event_log.entries} == kinds | {Note.LOST}
    last = event_log.entries[-1]
    assert (last.kind, last.at) == (Note.LOST, 2000.0) and SAID in last.body["text"] == caplog.messages[0]
    assert "損" in sentence_from(last.body).word(find_translator("zh-Hant")).text
    assert (tmp_path / "hall.damaged").read_bytes() == data
    assert event_log.write(2000.0, Note.RESULT, "7", RESULT, "r1") is None or Note.RESULT not in kinds
    entries = event_log.entries
    event_log.close()
    assert HallEventLog(tmp_path).entries == entries and len(caplog.messages) == 1, "once"


def test_a_page_in_the_middle_costs_what_is_on_it(tmp_path):
    write_event_log(tmp_path, more=200)
    data = bytearray((tmp_path / FILE).read_bytes())
    at = data.index(b'"turn": 100,') // 4096 * 4096
    data[at : at + 4096] = bytes(4096)
    (tmp_path / FILE).write_bytes(data)
    turns = [entry.body["turn"] for entry in HallEventLog(tmp_path).entries if entry.kind is Note.INCIDENT]
    assert turns[0] == 0 and turns[-1] == 199 and 180 < len(turns) < 200


@given(kind=st.sampled_from(Damage), at=st.floats(0, 1), bit=st.integers(0, 7))
def test_no_damaged_byte_keeps_the_hall_from_starting(kind, at, bit):
    with tempfile.TemporaryDirectory() as scratch:
        write_event_log(Path(scratch))
        path = Path(scratch) / FILE
        damage_file(path, kind, int(at * (path.stat().st_size - 1)), bit)
        event_log = HallEventLog(Path(scratch))
        event_log.write(1000.0, Note.RESULT, "7", RESULT)
        event_log.close()


@pytest.mark.long
def test_a_hall_killed_while_saving_goes_on_with_its_journal(tmp_path):
    for step in count(0, 1 if is_long_run() else 2):
        folder = tmp_path / f"killed at {step}"
        write_event_log(folder)
        path = folder / FILE
        path.write_bytes(damage := path.read_bytes().replace(b'"result"', b'"resulu"', 1))
        if not killed_at(step, partial(HallEventLog, folder)):
            break
        kinds = [entry.kind for entry in HallEventLog(folder).entries]
        assert kinds == [Note.MET, Note.HANDED, Note.TAKEN, Note.HANDED, Note.LOST], step
        assert damage in [aside.read_bytes() for aside in folder.glob("*.damaged")], step
    assert step >= 4


def test_an_unreadable_journal_is_told_with_what_to_do(tmp_path):
    (tmp_path / FILE).mkdir()
    with pytest.raises(EventLogError, match=r"see that the disk is there and has room, or name another `folder`"):
        HallEventLog(tmp_path)


def test_the_director_sees_it_and_nothing_old_is_handed_on(venues: Venues):
    folder = venues.folder / "hall"
    write_event_log(folder)
    (folder / FILE).write_bytes((folder / FILE).read_bytes().replace(b'"result"', b'"resulu"', 1))
    hall = venues.hall()
    client, headers = directing(venues, hall)
    assert SAID in client.get("/incidents").get_data(as_text=True).replace("&#39;", "'")
    (handed,) = hall.rounds.handed_out()
    assert (handed.standing, handed.why) == (Handing.WITHDRAWN, hall_sentence(LOST))
    answer = client.post("/round", json={"matches": [{**ACT, "handicap": 0}]}, headers=headers)
    assert answer.get_json() == {"tables": ["7"]}


def test_terms_that_nobody_knows_are_left_out_of_the_report(venues: Venues):
    folder = venues.folder / "hall"
    event_log = HallEventLog(folder)
    event_log.write(1000.0, Note.RESULT, "7", {**RESULT, "round": "2"})
    event_log.write(1000.0, Note.HANDED, "7", {"act": {**ACT, "rules": "chess"}, "box": "a" * 64, "by": "Ada"})
    event_log.close()
    (venues.folder / "players.txt").write_text("TOURNEY Cup\nPLAYERS\n1 Ada 1k\n2 Ben 1k\n")
    hall = venues.hall(aga=str(venues.folder / "players.txt"))
    assert hall.report(RatingList.AGA).left == hall.entering().results[0][:1]  # type: ignore[union-attr]


def cut(path: Path) -> None:
    os.truncate(path, path.stat().st_size // 2)


def emptied(path: Path) -> None:
    path.write_bytes(bytes(4096) + path.read_bytes()[4096:])


def run_statement(statement: str) -> Callable[[Path], None]:
    """As a flipped bit may leave it, where no page is damaged."""

    def change(path: Path) -> None:
        with closing(sqlite3.connect(path)) as base, base:
            base.execute(statement)

    return change


@pytest.mark.parametrize(
    "damage",
    [
        cut,
        emptied,
        pytest.param(run_statement("UPDATE news SET body = x'00'"), marks=LONG),
        pytest.param(run_statement("UPDATE news SET heard = 1e9"), marks=LONG),
        pytest.param(run_statement("UPDATE hall SET ran = 1e99"), marks=LONG),
    ],
)
def test_damage_to_what_is_kept_back_costs_the_gallery_alone(tmp_path, caplog, damage):
    shown_hall = ShownHall(tmp_path)
    shown_hall.place("C3")
    shown_hall.hall.close()
    damage(tmp_path / "hall" / store.FILE)
    hall = shown_hall.open()
    (incident,) = hall.current_wall().incidents
    assert (
        "It was set aside as public.damaged, and the gallery begins anew."
        in incident.sentence.text
        == caplog.messages[0]
    )
    shown_hall.handle()
    assert hall.room.public_state().tables == {}, "nothing comes early"
    shown_hall.wait(DELAY)
    board = hall.room.public_state().tables["7"].board
    assert board is not None and board.last_move == "C3"
    shown_hall.close()


@pytest.mark.parametrize("data", [b'{"7 00001_x": 1', b"[]", b"\xff"])
def test_each_game_gets_a_new_board_where_the_list_of_them_is_damaged(tmp_path, caplog, data):
    (tmp_path / "ogs.json").write_bytes(data)
    OgsRelay("token", Room(""), tmp_path, "http://127.0.0.1:9").close()
    assert (tmp_path / "ogs.damaged").read_bytes() == data
    assert "each game gets a new board" in caplog.messages[0]
