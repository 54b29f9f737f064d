"""Attacks by who knows how a journal is made: it is edited, chained again, and signed with another key or none."""

from __future__ import annotations

import hashlib
import json
import shutil
import sqlite3
from collections.abc import Callable
from contextlib import closing
from pathlib import Path

from device.journal.event_log import HEAD, sibling_path
from device.journal.head import Head, HeadFile, read_newest_head
from device.journal.store import BEFORE_HEADS, START
from device.machine.identity import Identity
from tests.benchmarks.attack.journals import killed
from tests.support.attack.boxes import Ground, Outcome

Row = list[object]


def forged(ground: Ground) -> Outcome:
    """Somebody edits a journal, recomputes its chain and signs its head: does `verify` with the box's key notice?"""
    outcome = Outcome()
    forger = Identity(ground.folder("forger"))
    with killed(ground, "box", 8) as (data, _, _):
        head = read_newest_head(sibling_path(max(data.glob("*.journal")), HEAD))
        key = ("--key", head.key) if head is not None else ()
        code, output = ground.run("verify", _newest(data, ground.folder("as it was")), *key)
        outcome.case(code == 0, f"as it was: {output}")
        for name, edit in EDITS.items():
            for whose, identity in (("nobody", None), ("the forger", forger)):
                journal = _newest(data, ground.folder(f"{name} {whose}"))
                _edited(journal, edit, identity)
                code, output = ground.run("verify", journal, *key)
                has_held = code != 0 and "Traceback" not in output
                outcome.case(has_held, f"{name}, signed by {whose}: {output}")
    return outcome


def _newest(data: Path, folder: Path) -> Path:
    """The newest journal of a copy of the folder."""
    shutil.copytree(data, folder / "data")
    return max((folder / "data").glob("*.journal"))


def _other_name(rows: list[Row]) -> None:
    rows[0][4] = str(rows[0][4]).replace("Ann", "Eve")


def _other_day(rows: list[Row]) -> None:
    for row in rows:
        row[2] = str(row[2]).replace("20", "19", 1)


def _shorter(rows: list[Row]) -> None:
    """The last turn was never entered."""
    del rows[max(number for number, row in enumerate(rows) if row[3] == "said") :]


EDITS: dict[str, Callable[[list[Row]], None]] = {
    "another name": _other_name,
    "another day": _other_day,
    "an end dropped": _shorter,
}


def _edited(path: Path, edit: Callable[[list[Row]], None], identity: Identity | None) -> None:
    """Edit the entries, chain them again, sign how far they go, and put all of it in its place."""
    with closing(sqlite3.connect(path)) as base:
        rows = list(map(list, base.execute("SELECT number, t, wall, kind, body, hash FROM entries ORDER BY number")))
        start = next(one for one in (START, BEFORE_HEADS) if _chain(rows, one) == [row[5] for row in rows])
        before = json.dumps(rows)
        edit(rows)
        assert json.dumps(rows) != before, "nothing was edited"
        chain = _chain(rows, start)
        base.execute("DELETE FROM entries")
        base.executemany(
            "INSERT INTO entries VALUES (?, ?, ?, ?, ?, ?)",
            [(*row[:5], link) for row, link in zip(rows, chain, strict=True)],
        )
        if start == START:
            head = Head(len(rows), chain[-1]).signed_by(identity)
            base.execute("UPDATE head SET line = ?", (head.line,))
            _put_beside(path, head)
        base.commit()


def _put_beside(path: Path, head: Head) -> None:
    (at := sibling_path(path, HEAD)).unlink()
    with closing(HeadFile(at)) as file:
        file.write(head)


def _chain(rows: list[Row], chain: str) -> list[str]:
    chained = []
    for number, t, wall, kind, body, _ in rows:
        chain = hashlib.sha256(json.dumps([chain, number, float(str(t)), wall, kind, body]).encode()).hexdigest()
        chained.append(chain)
    return chained
