"""The game record of one match after another, by a writer that keeps what did not change."""

from __future__ import annotations

import json

from device.match.record_writer import RecordWriter, write_record
from referee.game.actor import Actor
from referee.game.messages import message
from referee.rules.sets import rule_set
from referee.rules.setup import Setup
from referee.table.events import Remark
from referee.table.table import Table, TableConfig
from tests.support.panel.tables import Hands
from tests.support.play import start_game
from tests.support.table import B, W

EMPTY = (".....",) * 5


def test_a_kept_writer_writes_each_match_as_a_fresh_one_does():
    writer, records = RecordWriter(), list[bytes]()
    for first in ("C3", "B2"):
        table = Table(start_game("chinese", *EMPTY), TableConfig(True, 1), ("Ann", "Ben"), began="2026-11-22T18:30:00")
        hands = Hands(table.record, table.receive)
        hands.look()
        for side, (colour, point) in enumerate(((B, first), (W, "D4")), 1):
            hands.put(colour, point).done(side)
            table.receive(Remark(hands.t, message("notice.no-board"), Actor.DIRECTOR))
            records.append(writer.write(table, "SEAL"))
            assert records[-1] == write_record(table, "SEAL")
    assert all(b"PB[Ann]" in data and b"DT[2026-11-22]" in data and b"SEAL[SEAL]" in data for data in records)
    assert records[1].count(b"The board has not been found yet") == 2 and b"B[cc]" not in records[2]


def test_a_game_of_three_is_written_as_lines():
    record = Setup(rule_set("kee"), size=(5, 5), players="BWR").record()
    table = Table(record, TableConfig(True, 1), ("Ann", "Ben", "Cleo"), began="2026-11-22T18:30:00")
    start, *turns = map(json.loads, write_record(table, "SEAL").splitlines())
    assert start["info"] == {"names": ["Ann", "Ben", "Cleo"], "date": "2026-11-22", "seal": "SEAL"} and not turns
