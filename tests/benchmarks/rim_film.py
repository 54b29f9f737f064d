"""A film of a drawn table as a player sees and hears it: `python -m tests.benchmarks.rim_film FILE.png`.

A ko is taken back at once, which superko refuses, and put right; then both pass, lift what is dead and count. The box
knows nothing but the pictures and the buttons' edges: a drawn camera's pictures go through the eyes, and what it marks
through the lights of the rim, which the next picture shows. Beneath stand the lamps, the sounds and what is spoken. The
film is an animated PNG, which browsers play; stretches in which nothing new is to be seen are left out.
"""

from __future__ import annotations

import sys
import tempfile
import textwrap
from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from pathlib import Path

import cv2
import numpy as np

from device.journal.entries import Terms, as_journaled
from device.journal.replay import Folder
from device.panel.gpio import MIX
from device.panel.panel import Edge, NoPanel
from device.panel.rim import frame_of
from device.panel.rim_driver import Chain, limit_current
from device.panel.signals import Signal, Sound
from device.settings import RimSettings
from device.simulator.messages import read_rim, write_rim
from device.simulator.script import read_script
from device.simulator.table import Performance, SimulatedFrame, Tempo
from device.table.controller import TableController
from referee.game.board import Colour
from referee.game.diagram import position_of
from referee.rules.sets import rule_set
from referee.rules.setup import Setup
from referee.table.display_state import Sight, TableSnapshot
from referee.table.table import TableConfig
from vision.camera.frame import Frame, Image
from vision.render.looks import club_look
from vision.render.scene import Appearance, Scene
from vision.render.table import Table
from vision.tracking.tracker import BoardTracker, TrackerConfig
from web.voice.speech import build_utterances

_WALLS = "....XO..."
ROWS = (_WALLS, ".O..XO...", _WALLS, _WALLS, "...X.XO..", *(_WALLS,) * 4)
SCRIPT = """
size 9
look 12
black 1

wait 2
W play E5; W press done
B play F5; B press done
wait 6
B lift F5 supply; B give W supply; B put W E5
wait 1
B play C3; B press done
W play F5; W press done
B press call; B press done
W press call; W press done
B lift B8 own; B press score
wait 20
W press score
wait 22
B press done
W press done
wait 2
"""
EDGES = ("top", "left")
SIZE, BAR = (640, 360), 84
"""Pixels of the picture, and the height of what stands beneath it."""
MOST = 3_000_000
"""Bytes."""
SOUNDS = {
    Sound.REFUSED: "one long tone",
    Sound.PUT_RIGHT: "two beeps",
    Sound.HEARD: "one short beep",
    Sound.ENDED: "four beeps",
}
HEARD_FOR = 1.2
"""Seconds for which a sound stands there."""
BREATH, LETTER = 0.6, 0.055
"""Seconds that a sentence takes beside its letters, and each of these, as a voice speaks."""


class RecordingPanel(NoPanel):
    """A panel whose lamps and sounds are noted down. t: now."""

    def __init__(self) -> None:
        self.t, self.lamps, self.sounds = 0.0, Signal(), list[tuple[float, Sound]]()

    def show(self, signal: Signal) -> None:
        self.lamps = signal

    def sound(self, sound: Sound) -> None:
        self.sounds.append((self.t, sound))


@dataclass
class RimFilm:
    """The pictures so far, each with its seconds."""

    pictures: list[Image] = field(default_factory=list)
    seconds: list[float] = field(default_factory=list)

    def add(self, picture: Image, seconds: float) -> None:
        """One more; one that is as the one before lasts longer, three seconds at most."""
        if self.pictures and np.array_equal(self.pictures[-1], picture):
            self.seconds[-1] = min(3.0, self.seconds[-1] + seconds)
        else:
            self.pictures.append(picture)
            self.seconds.append(seconds)

    def write(self, path: Path) -> int:
        """Write the film; return its number of bytes."""
        animation = cv2.Animation()
        animation.frames = self.pictures
        animation.durations = np.array([round(1000 * one) for one in self.seconds], np.int32)
        if not cv2.imwriteanimation(str(path), animation, [cv2.IMWRITE_PNG_COMPRESSION, 9]):
            raise OSError(f"{path} cannot be written")
        return path.stat().st_size


class FilmedTable:
    """The drawn table with its box. said: what is spoken one after the other, each sentence
    with when it begins and ends."""

    def __init__(self, folder: Path, look: Appearance) -> None:
        self.camera, self.player = Table(look), Table(_clean(look))
        self.panel, self.said = RecordingPanel(), list[tuple[float, float, str]]()
        self._shown: TableSnapshot | None = None
        setup = Setup(rule_set("new-zealand"), (9, 9), to_play=Colour.WHITE, komi=0.5, board=ROWS)
        self.box = TableController(Terms(setup, TableConfig(refereed=True)), Folder(folder), self.panel, self._speak)
        self._tracker = BoardTracker(TrackerConfig())

    def moments(self) -> Iterator[tuple[float, Scene]]:
        """The table as it is seen, moment for moment."""
        script = read_script(SCRIPT)
        performance = Performance(script, self.camera, Tempo(rest=0.6))
        performance.world.position = position_of(ROWS)
        for number, happening in enumerate(performance.happenings()):
            if isinstance(happening, Edge):
                self.panel.t = happening.t
                self.box.take_edge(happening)
            elif isinstance(happening, SimulatedFrame):
                scene = replace(happening.scene, rim=self._rim(happening.t))
                self._see(Frame(self.camera.draw(scene, number).pixels, happening.t))
                yield happening.t, scene

    def _speak(self, snapshot: TableSnapshot) -> None:
        for one in build_utterances(self._shown, snapshot):
            begins = max(snapshot.t, self.said[-1][1] if self.said else 0.0)
            self.said.append((begins, begins + BREATH + LETTER * len(one.text), one.text))
        self._shown = snapshot

    def _rim(self, t: float) -> tuple[object, ...]:
        settings = RimSettings()
        frame = limit_current(frame_of(self.box.snapshot, t), Chain().length, settings.brightness, settings.milliamps)
        return read_rim(write_rim(frame, EDGES)) or ()

    def _see(self, frame: Frame) -> None:
        self.panel.t = frame.t
        self.box.tick(frame.t)
        agreed, place = self._tracker.see(frame), self._tracker.place
        if place is not None and place != self.box.place:
            self.box.handle_positions(place, frame.t)
        self.box.sight(Sight.SEARCHING if place is None else Sight.SEEN, frame.t)
        observation = agreed or self._tracker.standing
        if observation is not None:
            self.box.handle_observation(as_journaled(observation))


def _clean(look: Appearance) -> Appearance:
    """The table without its camera's noise, which a player does not see and a film would have to keep."""
    return replace(look, finish=replace(look.finish, noise=0.0, quality=100))


def _coarse(picture: Image) -> Image:
    """In fewer shades, of which a film is smaller."""
    return np.asarray(np.minimum((picture.astype(np.uint16) + 4) // 8 * 8, 255), np.uint8)


def _bar(table: FilmedTable, t: float) -> Image:
    """Lamps of both sides, the newest sound, and what is spoken."""
    bar = np.full((BAR, SIZE[0], 3), 24, np.uint8)
    for name, light, x in (("1", table.panel.lamps.sides[0], 20), ("2", table.panel.lamps.sides[1], SIZE[0] - 20)):
        red, green, blue = (round(255 * part) for part in MIX[light.tone])
        cv2.circle(bar, (x, 22), 10, (blue, green, red), -1, cv2.LINE_AA)
        cv2.circle(bar, (x, 22), 10, (120, 120, 120), 1, cv2.LINE_AA)
        _write(bar, name, x - 5, 54, 0.5)
    sentences = [text for begins, ends, text in table.said if begins <= t < ends]
    sounds = [SOUNDS[sound] for at, sound in table.panel.sounds if at <= t < at + HEARD_FOR and sound in SOUNDS]
    if sounds:
        _write(bar, f"({sounds[-1]})", 50, 20, 0.45)
    for line, text in enumerate(textwrap.wrap(sentences[-1], 70)[:3] if sentences else ()):
        _write(bar, text, 50, 40 + 18 * line, 0.45)
    return bar


def _write(bar: Image, text: str, x: int, y: int, size: float) -> None:
    cv2.putText(bar, text, (x, y), cv2.FONT_HERSHEY_SIMPLEX, size, (235, 235, 235), 1, cv2.LINE_AA)


def filmed(path: Path) -> tuple[int, RimFilm, FilmedTable]:
    """Make the film; how many bytes it has, its pictures, and the table as it stands then."""
    film = RimFilm()
    with tempfile.TemporaryDirectory() as scratch:
        table = FilmedTable(Path(scratch), club_look(12, 9, 1280, 720))
        for t, scene in table.moments():
            picture = cv2.resize(table.player.draw(scene, 0).pixels, SIZE, interpolation=cv2.INTER_AREA)
            film.add(np.concatenate([_coarse(picture), _bar(table, t)]), 0.1)
        table.box.close()
    return film.write(path), film, table


def main() -> int:
    """The command; 1 where the film has become too large."""
    cv2.setNumThreads(1)
    path = Path(sys.argv[1])
    size, film, table = filmed(path)
    print(f"{path}: {len(film.pictures)} pictures, {sum(film.seconds):.0f} s, {size} bytes")
    for t, _, text in table.said:
        print(f"{t:6.1f} s  {text}")
    return int(size > MOST)


if __name__ == "__main__":
    sys.exit(main())
