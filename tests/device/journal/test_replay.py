"""Journals that earlier versions wrote replay with the same rulings."""

from __future__ import annotations

import json
import shutil
import zipfile
from pathlib import Path

import pytest

from device.journal.archive import write_bundle
from device.journal.replay import replay_journal
from device.journal.store import Kind, read_journal
from referee.codec import read_message
from tests.support import ROOT
from tests.support.device.directed import DirectedTable
from web.language import find_translator
from web.page.labels import LocalisedText, translate_message

JOURNALS = sorted((ROOT / "tests" / "data" / "journals").glob("*.journal"))


def test_there_are_some():
    assert len(JOURNALS) >= 10


RULED_WRONGLY = {
    "chinese-byoyomi-restarts": (34, "a stone was refused that may have been placed before the end"),
    "chinese-fischer": (29, "a pass that was called too early got no answer"),
    "japanese": (33, "a pass that was called too early got no answer"),
    "ultimate-casual": (37, "a turn was written although an uncounted lid may have hidden a delay before it"),
    "ultimate-fischer": (27, "a doubled done was dropped without a word"),
    "ultimate-canadian": (7, "a refused draw closed the other player's turn, which nobody had pressed for"),
    "ultimate-second-match": (72, "after a take-back in a pause the clock of the player not to move was resumed"),
}
"""Journals with a ruling that was a fault: the entry from which the replay differs, and the fault."""


@pytest.mark.parametrize("journal", JOURNALS, ids=lambda path: path.stem)
def test_it_is_ruled_as_it_was(journal, tmp_path):
    path = Path(shutil.copy(journal, tmp_path))
    entries = read_journal(path)
    replayed = replay_journal(path)
    entry, _ = RULED_WRONGLY.get(journal.stem, (None, ""))
    assert (replayed.differs and dict(replayed.differs.args)["entry"]) == entry
    ruled = [one.body for one in entries[: entry and entry - 1] if one.kind is Kind.RULED]
    assert entry or len(replayed.rulings) == len(ruled) > 0
    for ruling, body in zip(replayed.rulings, ruled, strict=entry is None):
        assert (ruling.status, ruling.turn, ruling.reason, ruling.repeats) == (
            body["status"],
            body["turn"],
            body["reason"],
            body["repeats"],
        )


def test_what_was_said_then_is_still_shown(tmp_path):
    (old,) = (path for path in JOURNALS if path.stem == "chinese-director")
    path = Path(shutil.copy(old, tmp_path / "2026-11-01T10-00-00.journal"))
    texts = [entry.body["text"] for entry in read_journal(path) if entry.body.get("word") == "remark"]
    answers = replay_journal(path).table.snapshot.answers
    sentences = [translate_message(answer.message, find_translator("de")) for answer in answers]
    assert texts and [one for one in sentences if one.lang == "en"] == [LocalisedText(text, "en") for text in texts]
    write_bundle(tmp_path, path.stem, tmp_path / "bundle.zip")
    with zipfile.ZipFile(tmp_path / "bundle.zip") as file:
        lines = [json.loads(line) for line in file.read("answers.jsonl").splitlines()]
    assert [line["text"] for line in lines if line.get("word") == "remark"] == texts


def test_what_is_said_now_is_kept_as_key_and_arguments(tmp_path):
    table = DirectedTable(tmp_path, "chinese", "10m")
    table.act("enter", player="B", turn="place", point="C3", why="played")
    bodies = [entry.body for entry in table.entries if entry.kind in (Kind.RULED, Kind.ANSWERED)]
    assert bodies and not any("text" in body for body in bodies)
    game = table.now.game
    assert {read_message(body) for body in bodies} == {one.message for one in (*game.rulings, *game.answers)}
    table.close()
