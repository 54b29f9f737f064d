"""A scripted game acted out, filmed and watched, and how what was ruled compares with what the script has."""

from __future__ import annotations

import contextlib
import io
import json
from dataclasses import dataclass
from pathlib import Path

from device.__main__ import main
from device.simulator.games import ActedGame, Expected, ultimate_game
from device.simulator.stage import film_script

Ruled = tuple[object, ...]


@dataclass(frozen=True)
class WatchOutcome:
    """The output of `watch` on a game: its exit status, its lines, and rulings in the form of `wanted`."""

    game: ActedGame
    status: int
    lines: list[dict[str, object]]

    @property
    def ruled(self) -> list[Ruled]:
        """Every ruling: status, turn, player, what, reason, repeats, points."""
        return [said_of(line) for line in self.lines]

    @property
    def wanted(self) -> list[Ruled]:
        """The same, as the script has it."""
        return [wanted_of(expected) for expected in self.game.expected]

    @property
    def right(self) -> bool:
        """Every ruling and the result are the script's, and nothing else was ruled."""
        return self.status == 0 and self.ruled == self.wanted and self.lines[-1]["result"] == self.game.result


def film_and_watch(size: int, seed: int, folder: Path, refereed: bool = False) -> WatchOutcome:
    """Act out one seeded game of Ultimate Go and let `shinpan watch` judge the film."""
    game, out = ultimate_game(size, seed, refereed), folder / f"game-{size}-{seed}"
    film_script(game.script, out)
    output = io.StringIO()
    with contextlib.redirect_stdout(output):
        status = main(
            ["watch", f"{out}.avi", "--rules", "ultimate", "--presses", f"{out}.presses.jsonl", "--sgf", f"{out}.sgf"]
        )
    return WatchOutcome(game, status, [json.loads(line) for line in output.getvalue().splitlines()])


def said_of(line: dict[str, object]) -> Ruled:
    """A ruling as commands and page tell it, in the form of `wanted`."""
    what = line.get("place") or ("delay" if "delay" in line else "draw" if "draw" in line else None)
    unsure = line["status"] == "unexplained"
    points = tuple(line["points"]) if unsure or line["status"] == "unfinished" else ()  # type: ignore[arg-type]
    player = None if unsure else line["player"]
    return (line["status"], line["turn"], player, what, line["reason"], line["repeats"], points)


def wanted_of(expected: Expected) -> Ruled:
    """A ruling as the script has it, in the form of `ruled`."""
    reason = expected.reason.value if expected.reason else None
    player = expected.player.value if expected.player else None
    return (expected.status.value, expected.turn, player, expected.what, reason, expected.repeats, expected.points)
