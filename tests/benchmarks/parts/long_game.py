"""A whole refereed game by the pages alone: Chromium is the camera and the two clocks, over TLS."""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping
from contextlib import ExitStack
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from device.simulator.script import read_script
from tests.benchmarks.parts.phone_table import DrawnTable, LiveFilm
from tests.support.phones import AFTER_S, ClockPhone, PhonesBox, phone_browser
from tests.support.waiting import comes

Tell = Callable[[str], None]
Condition = Callable[[Mapping[str, Any]], object]
SIZE = (960, 540)
SETTINGS = """
[game]
rules = "new-zealand"
black_side = 1
prisoners = "told"
[time]
control = "40s+5x25s"
[camera]
rate = 5
"""
ACTS: tuple[tuple[str, str], ...] = (
    *((act, "turn") for act in ("B play F4", "W play E4", "B play F2", "W play E2", "B play G3", "W play D3")),
    *((act, "turn") for act in ("B play F6", "W play E6", "B play H6", "W play F3")),
    ("B play E3 to hand", "missing"),
    ("B bring", "brought"),
    ("W play F3", "superko"),
    ("W lift F3 supply; W give B supply; W put B E3", "right"),
    *((act, "turn") for act in ("W play J5", "B play F3", "W play J6", "B play H5", "W play E7", "B play J7")),
    ("W play E5", "turn"),
    ("B play J4 leaving J6,J5", "unfinished"),
    ("B lift J6,J5 own", "turn"),
    ("W play E8", "slow"),
    *((act, "turn") for act in ("B play F5", "W play H8", "B play F8", "W play E9", "B play F7", "W play E1")),
    *((act, "turn") for act in ("B play F9", "W play D2", "B play F1")),
    ("B lift H8 own", "dead"),
)
"""Each step at the table, and what comes of it. Black takes a ko and keeps the stone in their hand; White takes back
at once, which superko refuses, puts it right and plays elsewhere. Black captures two stones, and forgets to lift them.
White thinks for a whole period. H8 is dead in the end.
"""
RESULT = "W+14"
"""Black has 37 points, White 44 and a komi of 7."""
HEAD = "size 9\nlook 3\nrules new-zealand\nblack 1\n"
SIDES = {"B": 1, "W": 2}
COUNTED = ("20 seconds", "10", "9", "8", "7", "6", "5", "4", "3", "2", "1")
"""The words that count a period of 25 seconds."""


@dataclass
class LongGame:
    """The outcome of a game. wrong: what was not as it must be. ruled: seconds from each touch to its ruling."""

    wrong: list[str] = field(default_factory=list)
    ruled: list[float] = field(default_factory=list)
    turns: int = 0
    touches: int = 0
    presses: int = 0
    result: str = ""
    periods: int = 0
    counted: tuple[str, ...] = ()

    @property
    def is_right(self) -> bool:
        """Nothing is wrong: each touch is a press, the result is RESULT, and a period was counted and used up.

        A machine that is too busy may leave seconds out, for one that comes late is not said.
        """
        in_order = list(self.counted) == [text for text in COUNTED if text in self.counted]
        has_counted = self.periods == 1 and in_order and len(self.counted) > len(COUNTED) / 2
        return not self.wrong and has_counted and self.touches == self.presses and self.result == RESULT


class _Play:
    """A game that is being played."""

    def __init__(self, box: PhonesBox, table: DrawnTable, clocks: dict[str, ClockPhone], tell: Tell) -> None:
        self.box, self.table, self.clocks, self.tell = box, table, clocks, tell
        self.game, self.turns = LongGame(), 0

    def begin(self) -> None:
        """White starts Black's clock."""
        self._touch("W", "done", "Black's clock runs", lambda now: (now["clocks"] or {}).get("begun"))

    def act(self, number: int, act: str, then: str) -> None:
        """Make a step at the table, touch what belongs to it, and see what comes of it."""
        if then == "slow":
            self._think(act[0])
        self.table.play(number)
        if then in ("right", "dead"):
            self.tell(f"{act}: not pressed")
            return
        if then == "brought":
            self._see(act, lambda now: now["lamps"]["B"] != "amber")
            return
        time.sleep(AFTER_S)
        if then in ("turn", "slow", "missing"):
            self.turns += 1
            self._touch(act[0], "done", act, lambda now: now["turn"] >= self.turns)
            self._compare(number, act)
        else:
            self._touch(act[0], "done", act, lambda now: then in _trouble(now))
        if then == "missing":
            self._see("the lamp asks for the prisoner", lambda now: now["lamps"]["B"] == "amber")

    def passes(self) -> None:
        """Let each player pass: CALL, then DONE."""
        for player in "WB":
            self._touch(player, "call", f"{player} calls", lambda now: True)
            self.turns += 1
            self._touch(player, "done", f"{player} passes", lambda now: now["turn"] >= self.turns)

    def count(self) -> None:
        """Let Black propose to count, White agree, and both confirm the result."""
        self._touch("B", "score", "B proposes to count", lambda now: now["counting"]["waits_for"] == "W")
        self._touch("W", "score", "W agrees", lambda now: now["result"] is not None)
        self._touch("B", "done", "B agrees to the result", lambda now: 1 in now["agreed"])
        self._touch("W", "done", "W agrees to the result", lambda now: now["phase"] == "final")
        self.game.result = str(self.box.status().get("result"))

    def _think(self, player: str) -> None:
        """Let a player's running period end while they think."""
        before = self._periods(player)
        self._see(f"{player} thinks for a period", lambda now: _periods(now, player) < before)
        self.game.periods = before - self._periods(player)
        sentences = self.clocks[player].browser.execute_script("return document.body.dataset.played || ''").splitlines()
        self.game.counted = tuple(text for text in sentences[-len(COUNTED) - 1 :] if text[0].isdigit())
        self.tell(f"{player}'s clock said {', '.join(sentences)}")

    def _periods(self, player: str) -> int:
        return _periods(self.box.status(), player)

    def _touch(self, player: str, button: str, what: str, condition: Condition) -> None:
        self.clocks[player].touch(SIDES[player], button)
        begun = time.monotonic()
        self.game.touches += 1
        self._see(what, condition)
        self.game.ruled.append(time.monotonic() - begun)

    def _see(self, what: str, condition: Condition) -> None:
        begun, now = time.monotonic(), dict[str, Any]()

        def look() -> object:
            nonlocal now
            now = self.box.status() or now
            return now and condition(now)

        if not comes(look, again=0.1):
            self.game.wrong.append(f"{what}: {_story(now)}")
        self.tell(f"{what}: {time.monotonic() - begun:.1f} s; {_story(now)}")

    def _compare(self, number: int, act: str) -> None:
        rows = self.box.status().get("rows", [])
        if list(self.table.rows[number]) != list(rows):
            self.game.wrong.append(f"{act}: the board is {rows}, not {self.table.rows[number]}")


def _trouble(now: Mapping[str, Any]) -> tuple[str, ...]:
    trouble = now["trouble"] or {}
    return tuple(str(trouble.get(key)) for key in ("status", "reason"))


def _periods(now: Mapping[str, Any], player: str) -> int:
    return int(now["clocks"]["players"][player]["periods"])


def _story(now: Mapping[str, Any]) -> str:
    """Return what the page says: the headline, and the trouble or the newest answer."""
    trouble, answers = now.get("trouble") or {}, now.get("answers") or [{}]
    text = trouble.get("text") or now.get("notice") or answers[0].get("text") or ""
    return f"{now.get('headline', 'no answer')} {text}".strip()


def play_long_game(scratch: Path, tell: Tell) -> LongGame:
    """Play the game of ACTS by a camera and two clocks in Chromium; tell is told each step with its time."""
    begun = time.monotonic()

    def timed(text: str) -> None:
        tell(f"{time.monotonic() - begun:5.1f} s: {text}")

    with ExitStack() as stack:
        box = stack.enter_context(PhonesBox(scratch / "box", settings=SETTINGS))
        film = LiveFilm(scratch / "film.y4m", *SIZE)
        stack.callback(film.close)
        table = DrawnTable(read_script(HEAD + "\n".join(act for act, _ in ACTS)), film.put, *SIZE)
        stack.callback(table.close)
        timed("the box runs")
        camera = stack.enter_context(phone_browser(scratch / "camera", film.file))
        browsers = {player: stack.enter_context(phone_browser(scratch / f"clock {player}")) for player in SIDES}
        timed("three browsers run")
        box.login()
        address = f"https://127.0.0.1:{box.secure}"
        camera.get(f"{address}/phone#{box.codes()['camera']}")
        clocks = {player: ClockPhone(browser, address, box.codes()["side"]) for player, browser in browsers.items()}
        timed("camera and clocks are paired")
        play = _Play(box, table, clocks, timed)
        if not comes(lambda: box.status().get("phase") == "play", again=0.1):
            play.game.wrong.append(f"no match began: {_story(box.status())}")
            return play.game
        for clock in clocks.values():
            clock.turn_on_sounds()
        timed("the board is found")
        play.begin()
        for number, (act, then) in enumerate(ACTS, 1):
            if then == "dead":
                play.passes()
            play.act(number, act, then)
        play.count()
        play.game.turns, play.game.presses = play.turns, len(box.presses())
        timed(f"result {play.game.result}")
        return play.game
