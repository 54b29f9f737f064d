"""The mark of a stone that a single frame shows: on the page until the stone is ruled or gone, and nowhere else."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path
from threading import Event

import pytest

from device.journal.entries import Terms
from device.journal.replay import Folder
from device.journal.store import Entry, read_journal
from device.table.camera_worker import CameraWorker
from device.table.controller import TableController
from device.table.stone_marker import MARKED_AFTER_S, StoneMarker
from referee.game.messages import Message
from referee.game.observation import Observation
from referee.rules.sets import rule_set
from referee.rules.setup import Setup
from referee.table.display_state import Sight, TableSnapshot
from referee.table.table import TableConfig
from tests.support.referee.table import B, W
from tests.support.simulator.rehearsing import SeenLamps
from tests.support.vision.tables import club_table, shot
from tests.support.web.snapshots import KO, begun_table, take_snapshot, unfinished_table
from vision.calibration.model import Calibration
from vision.camera.frame import Frame
from vision.errors import CameraLost
from vision.render.scene import Hand, Scene
from vision.tracking.glimpses import UnconfirmedStone
from vision.tracking.tracker import TrackerConfig
from web.page.unconfirmed import MarkedSnapshot

BEFORE = take_snapshot(begun_table(KO))
POINT = BEFORE.game.position.board.point("E5")
STONE = UnconfirmedStone(B, POINT, 9)


def marks_in(snapshots: list[TableSnapshot]) -> list[tuple[object, int] | None]:
    return [one.unconfirmed_stone if isinstance(one, MarkedSnapshot) else None for one in snapshots]


def marker_with(snapshot: TableSnapshot) -> tuple[StoneMarker, list[TableSnapshot]]:
    """Return a marker of a table in this state, and what it has published."""
    published = list[TableSnapshot]()
    marker = StoneMarker(published.append)
    marker.publish(snapshot)
    return marker, published


def show_for_long(marker: StoneMarker, stone: UnconfirmedStone) -> None:
    for t in (0.0, MARKED_AFTER_S):
        marker.show_stone(stone, t)


def test_a_stone_is_marked_once_until_another_frame_tells() -> None:
    marker, published = marker_with(BEFORE)
    for number, stone in enumerate((None, STONE, STONE, STONE, None, None)):
        marker.show_stone(stone, number / 10)
    assert marks_in(published) == [None, (B, POINT), None]
    assert [one.number for one in published] == [1, 2, 3]


def test_a_stone_that_the_next_frame_confirms_has_no_mark() -> None:
    marker, published = marker_with(BEFORE)
    for number, stone in enumerate((STONE, None, replace(STONE, point=POINT + 1), STONE, STONE)):
        marker.show_stone(stone, number / 10)
    assert published == [BEFORE]


def test_a_mark_ends_with_the_snapshot_that_has_its_stone() -> None:
    marker, published = marker_with(BEFORE)
    show_for_long(marker, STONE)
    table = begun_table(KO)
    table.play("B E5")
    marker.publish(take_snapshot(table, 2))
    marker.show_stone(None, 2.0)
    assert marks_in(published) == [None, (B, POINT), None]
    assert [one.number for one in published] == [1, 2, 3]


def test_a_mark_outlasts_other_news() -> None:
    marker, published = marker_with(BEFORE)
    show_for_long(marker, STONE)
    marker.publish(replace(BEFORE, number=2, names=("Ann", "Ben")))
    assert marks_in(published) == [None, (B, POINT), (B, POINT)]


@pytest.mark.parametrize(
    ("stone", "snapshot"),
    [
        (replace(STONE, colour=W), BEFORE),
        (replace(STONE, size=13), BEFORE),
        (replace(STONE, point=1), BEFORE),
        (STONE, replace(BEFORE, sight=Sight.LOST)),
        (STONE, replace(BEFORE, paused=True)),
        (STONE, replace(BEFORE, seen_position=None)),
        (STONE, take_snapshot(unfinished_table())),
    ],
    ids=[
        "the other's",
        "another board",
        "on a stone",
        "no camera",
        "paused",
        "nothing seen yet",
        "something to put right",
    ],
)
def test_no_other_stone_is_marked(stone: UnconfirmedStone, snapshot: TableSnapshot) -> None:
    marker, published = marker_with(snapshot)
    show_for_long(marker, stone)
    assert published == [snapshot]


def test_a_mark_outlasts_hands_and_ends_with_the_pictures() -> None:
    marker, published = marker_with(BEFORE)
    show_for_long(marker, STONE)
    marker.publish(replace(BEFORE, number=2, sight=Sight.COVERED))
    marker.publish(replace(BEFORE, number=3, sight=Sight.LOST))
    assert marks_in(published) == [None, (B, POINT), (B, POINT), None]


EVENING = datetime(2026, 11, 29, 20, tzinfo=UTC)
EMPTY = "." * 9
BOARDS = ((EMPTY,) * 9, (EMPTY, "..X......", *[EMPTY] * 7), (EMPTY, "..X......", "......O..", *[EMPTY] * 6))
"""Two moves, which a game that nobody referees records as they are seen."""


class FilmedBox:
    """A box whose camera shows two moves with a hand before each, with marks or without. published: by its marker."""

    def __init__(self, folder: Path, has_marks: bool) -> None:
        self.published, self._over = list[TableSnapshot](), Event()
        marker = StoneMarker(self.published.append)
        terms = Terms(Setup(rule_set("chinese"), size=(9, 9)), TableConfig(black_side=1))
        self.box = TableController(terms, Folder(folder), SeenLamps(), marker.publish, wall=lambda: EVENING)
        show_stone = marker.show_stone if has_marks else lambda stone, t: None
        self._worker = CameraWorker(
            lambda: self, TrackerConfig(), self, lambda: 0.0, once=True, wall=lambda: 0.0, show_stone=show_stone
        )
        self._frames = film_frames()

    def play(self) -> None:
        self._worker.start()
        self._over.wait()
        self._worker.stop()
        self.box.close()

    def newest(self, timeout: float) -> Frame:
        """Return the next frame."""
        frame = next(self._frames, None)
        if frame is None:
            raise CameraLost("The film is over.")
        return frame

    def close(self) -> None:
        """Nothing is open."""

    def handle_observation(self, observation: Observation) -> None:
        self.box.handle_observation(observation)

    def sight(self, sight: Sight, t: float, fault: Message | None = None) -> None:
        if sight is Sight.LOST:
            self._over.set()
        self.box.sight(sight, t, fault)

    def handle_positions(self, place: Calibration, t: float) -> None:
        self.box.handle_positions(place, t)


def film_frames() -> Iterator[Frame]:
    """Yield ten frames a second: each stone is bare for one frame between two hands, and then for two."""
    table, hand = club_table(3, 9), Hand((0.5, 0.5), "bottom", 1.0)
    scenes = [Scene(BOARDS[0])] * 10
    for rows in BOARDS[1:]:
        covered = Scene(rows, hand=hand)
        scenes += [covered] * 3 + [Scene(rows)] + [covered] * 3 + [Scene(rows)] * 2
    for number, scene in enumerate(scenes):
        yield Frame(shot(table, scene, number).pixels, number / 10)


@pytest.mark.slow
@pytest.mark.usefixtures("lone_board")
def test_a_journal_is_the_same_with_marks_and_without(tmp_path: Path) -> None:
    journals, boxes = list[list[Entry]](), list[FilmedBox]()
    for has_marks in (True, False):
        boxes.append(FilmedBox(tmp_path / str(has_marks), has_marks))
        boxes[-1].play()
        (journal,) = (tmp_path / str(has_marks)).glob("*.journal")
        journals.append(read_journal(journal))
    assert [mark for mark in marks_in(boxes[0].published) if mark] == [(B, 11), (W, 24)]
    assert not any(marks_in(boxes[1].published))
    records = [one.box.table.record.turns for one in boxes]
    assert journals[0] == journals[1] and len(records[0]) == 2 and records[0] == records[1]
