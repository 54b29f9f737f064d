"""A real game under a fixed camera, played again before the pages: its photographs are what Chromium's camera sees.

In the last photograph a captured stone still stands.
"""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Sequence
from contextlib import ExitStack
from dataclasses import dataclass, field
from pathlib import Path

import cv2
import numpy as np

from referee.game.turns import Placement
from referee.sgf.records import read_sgf
from tests.benchmarks.parts.phone_table import GRAIN, LiveFilm
from tests.support.phones import AFTER_S, RATE, ClockPhone, PhonesBox, phone_browser
from tests.support.shared import photos
from tests.support.waiting import comes, until
from vision.camera.frame import Image

SOURCE = "fixed-camera-13x13"
SETTINGS = '[game]\nrules = "chinese"\nblack_side = 1\n[time]\ncontrol = "30m"\n[camera]\nrate = 5\n'
ASKS = "Black: remove L8."


@dataclass
class FilmedGame:
    """The outcome of the game.

    Attributes:
        turns, touches, presses: how many there were.
        ruled: seconds from each touch to its answer.
        wrong: turns that are not the record's.
        result: the page's headline after the last touch, because no game ends here.
    """

    turns: int = 0
    touches: int = 0
    presses: int = 0
    ruled: list[float] = field(default_factory=list)
    wrong: list[str] = field(default_factory=list)
    result: str = ""

    @property
    def is_right(self) -> bool:
        """Each touch is a press, all turns but the last stand as recorded, and the captured stone is asked for."""
        return not self.wrong and self.touches == self.presses == 28 and self.turns == 26 and self.result == ASKS


def photographs() -> tuple[list[Image], list[Placement]]:
    """The photographs in order, the bare board first, and the turns that were played between them."""
    folder = photos(SOURCE)
    files = sorted((folder / "images").glob("move_*.jpg"), key=lambda path: int(path.stem.removeprefix("move_")))
    _, turns = read_sgf((folder / "game.sgf").read_bytes(), "chinese")
    return [np.asarray(cv2.imread(str(path)), np.uint8) for path in files], [
        turn for turn in turns if isinstance(turn, Placement)
    ]


class Projector:
    """One photograph after another before the camera, RATE times a second, each with a sensor's noise."""

    def __init__(self, pictures: Sequence[Image], offer: Callable[[Image], None]) -> None:
        self._pictures, self._offer, self._number = pictures, offer, 0
        self._over, self._chance = threading.Event(), np.random.default_rng(1)
        self._thread = threading.Thread(target=self._send, daemon=True)
        self._thread.start()

    def show(self, number: int) -> None:
        """Show this photograph from now on."""
        self._number = number

    def close(self) -> None:
        """Show no more."""
        self._over.set()
        self._thread.join()

    def _send(self) -> None:
        while not self._over.wait(1 / RATE):
            pixels = self._pictures[self._number]
            noise = self._chance.integers(0, GRAIN, pixels.shape, np.uint8)
            self._offer(np.asarray(cv2.add(pixels, noise), np.uint8))


def play_filmed_game(scratch: Path, tell: Callable[[str], None]) -> FilmedGame:
    """Play the game by a camera and a clock in Chromium, over TLS: a photograph, then its player's touch of DONE."""
    pictures, turns = photographs()
    height, width = pictures[0].shape[:2]
    game = FilmedGame()
    with ExitStack() as stack:
        film = LiveFilm(scratch / "film.y4m", width, height)
        stack.callback(film.close)
        projector = Projector(pictures, film.put)
        stack.callback(projector.close)
        box = stack.enter_context(PhonesBox(scratch / "box", settings=SETTINGS))
        camera = stack.enter_context(phone_browser(scratch / "camera", film.file))
        browser = stack.enter_context(phone_browser(scratch / "clock"))
        box.login()
        camera.get(f"https://127.0.0.1:{box.secure}/phone#{box.codes()['camera']}")
        clock = ClockPhone(browser, f"https://127.0.0.1:{box.secure}", box.codes()["clock"])
        until(lambda: box.status().get("phase") == "play", box.status, again=0.1)
        clock.touch(2)  # White starts Black's clock.
        for number, turn in enumerate(turns, 1):
            projector.show(number)
            time.sleep(AFTER_S)
            clock.touch(1 if turn.player == "B" else 2)
            begun = time.monotonic()
            is_ruled = comes(lambda number=number: _is_answered(box, number), again=0.1)  # type: ignore[misc]
            game.ruled.append(time.monotonic() - begun)
            tell(f"turn {number}: {game.ruled[-1]:.1f} s; {box.status().get('headline')}")
            if not is_ruled:
                game.wrong.append(f"turn {number} is not answered")
        game.result = str(box.status().get("headline"))
        _, recorded_turns = read_sgf(box.ask("GET", "/game.sgf", secure=False).body, "chinese")
        for number, (one, other) in enumerate(zip(recorded_turns, turns, strict=False), 1):
            if one != other:
                game.wrong.append(f"turn {number} is {one}, not {other}")
        game.turns, game.touches, game.presses = len(recorded_turns), len(clock.touches), len(box.presses())
    return game


def _is_answered(box: PhonesBox, number: int) -> bool:
    status = box.status()
    return bool(status.get("turn", 0) >= number or status.get("headline") == ASKS)
