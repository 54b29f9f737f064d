"""Attack a running box with odd frames and bad cameras.

    python -m tests.benchmarks.attack.camera
    python -m tests.benchmarks.attack.camera --tree ../before odd-frames

Frames of any shape, and cameras that stop, lie or change.
"""

from __future__ import annotations

import sys
import time
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import cv2

from tests.benchmarks.attack import attack
from tests.support import ROOT
from tests.support.attack.boxes import Attack, AttackedBox, Ground, Outcome, Status
from tests.support.waiting import PATIENCE_S, comes
from vision.render.looks import club_look
from vision.render.scene import Scene
from vision.render.table import Table

DRIVER = ROOT / "tests/benchmarks/parts/driver.py"
ODD = ("1x1", "0x0", "4000x1", "1x4000", "grey", "four channels", "of 16 bits", "no picture", "an error")
BAD = ("frozen", "black", "noise", "another size", "torn", "upside down", "slow", "fast")
AGAIN_WITHIN = 8.0
TOLD_WITHIN = 3.0
LASTS = 4.0
"""Seconds for which a camera is bad."""
REFEREED = '[game]\nrules = "chinese"\nsize = 9\n'
CASUAL = '[game]\nrules = "chinese"\nsize = 9\n[table]\nturns = "steady"\n'
WIDE, HIGH = 960, 540
EMPTY = (".........",) * 9
READABLE = frozenset({"slow", "fast", "grey", "four channels", "of 16 bits", "another size"})
"""Faults under which a box may as well referee rightly: the table is to be seen in the picture."""


class Feed:
    """The pictures that a driver gives: of a drawn 9x9 table, a stone more each."""

    def __init__(self, folder: Path, points: Sequence[tuple[int, int]] = ((2, 2), (6, 6), (2, 6), (6, 2))) -> None:
        self._folder, table = folder, Table(club_look(4, 9, WIDE, HIGH))
        folder.mkdir(exist_ok=True)
        rows = [list(row) for row in EMPTY]
        for number in range(len(points) + 1):
            picture = table.draw(Scene(tuple(map("".join, rows))))
            cv2.imwrite(str(folder / f"{number}.png"), picture.pixels)
            if number < len(points):
                row, column = points[number]
                rows[row][column] = "XO"[number % 2]
        self.give(0)

    def give(self, stones: int, fault: str = "") -> None:
        """From now on the table with so many stones, and this fault."""
        (draft := self._folder / "draft").write_text(f"{stones}.png {fault}")
        draft.replace(self._folder / "now")

    @property
    def environment(self) -> Mapping[str, str]:
        """Return the environment that the driver is started with."""
        return {"FEED": str(self._folder)}


def seeing(ground: Ground, data: Path, feed: Feed, settings: str = REFEREED, **more: Any) -> AttackedBox:
    """A box that sees a drawn table through a driver."""
    environment, launcher = {**feed.environment, **more.pop("environment", {})}, ("-P", str(DRIVER))
    return AttackedBox(
        ground, data, camera="/dev/null", settings=settings, environment=environment, launcher=launcher, **more
    )


def odd_frames(ground: Ground) -> Outcome:
    """Frames that are no pictures: told, on the page and by /health, within 3 s, survived, and nothing judged?"""
    return _spoiled(ground, "odd", ODD)


def bad_cameras(ground: Ground) -> Outcome:
    """Frozen, black, noisy, torn and other pictures: told within 3 s, nothing judged on them, and then play goes on?"""
    return _spoiled(ground, "bad", BAD)


def _spoiled(ground: Ground, name: str, faults: Sequence[str]) -> Outcome:
    outcome = Outcome()
    feed = Feed(ground.folder(f"{name} feed") / "pictures")
    for fault in faults[:: max(1, round(1 / ground.share))] if ground.share < 1 else faults:
        folder = ground.folder(f"{name} {fault}")
        feed.give(0)
        with seeing(ground, folder / "data", feed, CASUAL) as box:
            try:
                has_held, description = _through(box, feed, fault, ground.patience)
            except OSError as error:
                has_held, description = False, f"no answer any more: {error}"
            outcome.case(has_held, f"{fault}: {description}")
    return outcome


def _through(box: AttackedBox, feed: Feed, fault: str, patience: float) -> tuple[bool, str]:
    """A good table, a fault while the next stone is placed, then the good table again."""
    feed.give(1)
    if not _reaches(box, 1, PATIENCE_S):
        return False, f"the table was not seen before: {_camera_faults(box)}"
    before, begun = _camera_faults(box), time.monotonic()
    feed.give(2, fault)
    seconds, words = _until_told(box, before, fault in READABLE, patience)
    time.sleep(max(0.0, begun + LASTS - time.monotonic()))
    rulings, turn = len(box.status()["rulings"]) - 1, box.status()["turn"]
    feed.give(2)
    again = _reaches(box, 2, AGAIN_WITHIN * patience) and [move["text"] for move in box.status()["moves"]] == [
        "C7",
        "G3",
    ]
    refereed = fault in READABLE and (rulings, turn) == (1, 2)
    has_held = again and (refereed or (rulings == 0 and seconds is not None and seconds <= TOLD_WITHIN * patience))
    after = f"told after {seconds:.1f} s" if seconds is not None else "not told"
    return has_held, f"{after} ({words}), {rulings} rulings on it, play went on: {again}"


def _until_told(box: AttackedBox, before: set[str], readable: bool, patience: float) -> tuple[float | None, str]:
    """After how many seconds anything is told, or the turn is ruled where it can be; and what."""
    begun = time.monotonic()
    while time.monotonic() < begun + (AGAIN_WITHIN if readable else LASTS) * patience:
        now, words = time.monotonic() - begun, "; ".join(sorted(_camera_faults(box) - before))
        if words:
            return now, words
        if readable and box.status()["turn"] == 2:
            return None, "the turn is ruled"
        time.sleep(0.05)
    return None, "nothing"


def _reaches(box: AttackedBox, turn: int, within: float) -> bool:
    return comes(lambda: box.status()["turn"] == turn, within, again=0.1)


def _camera_faults(box: AttackedBox) -> set[str]:
    """Return what page and /health tell of the camera. That a hand seems to be over the board tells of no camera."""
    status, health = box.status(), box.health()
    sight: Status = {"lost": {"the camera is lost"}, "searching": {"no board is seen"}}
    return {*status["faults"], *health["faults"], *sight.get(status["sight"], set())} | (
        set() if health["ok"] else {"not ok"}
    )


ATTACKS: dict[str, Attack] = {
    "odd-frames": odd_frames,
    "bad-cameras": bad_cameras,
}
"""Each by its name."""

if __name__ == "__main__":
    sys.exit(attack(ATTACKS, __doc__))
