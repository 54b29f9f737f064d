"""Games filmed at restless tables and watched from the film alone, and what `watch` said beside what was played.

Seeded self-play with captures and delays, and on 19 lines every second one a real game. Hands play them on a drawn
table; meanwhile lamps go on and off and change colour, camera and board are knocked, and the exposure drifts.
"""

from __future__ import annotations

import contextlib
import io
import json
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import zip_longest
from pathlib import Path

from device.__main__ import main as shinpan
from device.simulator.stage import HEIGHT, WIDTH
from referee.game.board import board_of
from referee.game.turns import Placement, Turn
from tests.support.simulator.played import real_game, script_of, self_play
from tests.support.simulator.unrest import film_restless, restless
from vision.render.looks import club_look

LENGTHS = {9: 60, 13: 80, 19: 100}
"""Turns of a game that are played, by the board's size."""
Said = tuple[object, ...]


@dataclass(frozen=True)
class Sitting:
    """A game to watch. real: the number of a real game, None for self-play with the seed."""

    size: int
    seed: int
    real: int | None = None

    @property
    def name(self) -> str:
        """The game in words."""
        return f"{self.size}x{self.size}, " + (f"seed {self.seed}" if self.real is None else f"real game {self.real}")

    def turns(self) -> tuple[Turn, ...]:
        """Return the turns that are played; skip the test if the real games are absent."""
        many = LENGTHS[self.size]
        return self_play(self.size, self.seed, many) if self.real is None else real_game(self.real, many)


@dataclass(frozen=True)
class Outcome:
    """The output of `watch` on a game, and the output it should have had. waits: seconds from the hand's leaving to the
    ruling, of placements and of delays; a delay is ruled on when the opponent goes on."""

    said: list[Said]
    wanted: list[Said]
    uncertain: int
    placements: list[float]
    delays: list[float]

    @property
    def right(self) -> bool:
        """Every turn in order and nothing else."""
        return self.said == self.wanted

    def differs(self) -> str:
        """The first ruling that is not what it should be."""
        pairs = enumerate(zip_longest(self.said, self.wanted), 1)
        return next(f"ruling {number} is {one}, not {other}" for number, (one, other) in pairs if one != other)


def sittings(sizes: Sequence[int], games: int, first: int) -> Iterator[Sitting]:
    """The games of each size in turn; on 19 lines every second one is a real game."""
    for seed in range(first, first + games):
        for size in sizes:
            yield Sitting(size, seed, 7 * seed if size == 19 and seed % 2 == 0 else None)


def outcome(sitting: Sitting, folder: Path) -> Outcome:
    """Film one game, watch it, and compare."""
    turns = sitting.turns()
    look = 100 * sitting.size + sitting.seed
    script, film = script_of(turns, sitting.size, look), folder / "film.avi"
    changes = restless(club_look(look, sitting.size, WIDTH, HEIGHT), len(turns), look)
    left = film_restless(script, changes, film)
    heard = io.StringIO()
    with contextlib.redirect_stdout(heard), contextlib.redirect_stderr(io.StringIO()):
        shinpan(["watch", str(film), "--rules", "ultimate"])
    return compared([json.loads(line) for line in heard.getvalue().splitlines()], turns, left, sitting.size)


def compared(lines: list[dict[str, object]], turns: Sequence[Turn], left: dict[int, float], size: int) -> Outcome:
    """The lines beside what was played. left: when the hand left in each turn, counted from 1."""
    waits: dict[bool, list[float]] = {True: [], False: []}
    for line in lines:
        if line["status"] == "legal" and line["turn"] in left:
            waits["delay" in line].append(float(line["t"]) - left[line["turn"]])  # type: ignore[arg-type, index]
    wanted: list[Said] = [
        ("legal", number, turn.player.value, _named(turn, size)) for number, turn in enumerate(turns, 1)
    ]
    uncertain = sum(line["order"] is not None for line in lines)
    return Outcome([_said(line) for line in lines], wanted, uncertain, waits[False], waits[True])


def _said(line: dict[str, object]) -> Said:
    return line["status"], line["turn"], line["player"], line.get("place") or line.get("delay")


def _named(turn: Turn, size: int) -> str:
    return board_of(size).name(turn.point) if isinstance(turn, Placement) else "prisoner"
