"""A real game filmed by a fixed camera, with frames doubled, moved and lost: `python -m tests.benchmarks.fixed_camera`.

Each way of losing frames is tried with several seeds. A game is "as recorded" when its turns are those of the game's
own record; if two frames in a row were lost the order of turns may be uncertain, and then has to be marked so.
"""

from __future__ import annotations

import contextlib
import io
import json
import random
import sys
import tempfile
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path

import cv2
import numpy as np

from device.__main__ import main as shinpan
from referee.game.diagram import rows_of
from referee.game.turns import Placement
from referee.rules.legality import judge
from referee.sgf.records import read_sgf
from tests.support.shared import photos
from vision.camera.frame import Image

SOURCE = "fixed-camera-13x13"
DEGREES, PIXELS = 5.0, 40.0
SEEDS = 4


@dataclass(frozen=True)
class Way:
    """A way of showing the frames. orders_may_differ: turns nobody saw apart may stand in another order, if marked."""

    name: str
    frames: Callable[[Sequence[Image], int], list[Image]]
    seeds: int = 1
    orders_may_differ: bool = False


def double_frames(frames: Sequence[Image], seed: int) -> list[Image]:
    """Every frame twice."""
    return [frame for frame in frames for _ in "12"]


def bump_camera(frames: Sequence[Image], seed: int) -> list[Image]:
    """The camera turned and shifted halfway through, to another side with each seed."""
    half, turn = len(frames) // 2, random.Random(seed)
    angle, way = turn.choice((-DEGREES, DEGREES)), turn.uniform(0, 2 * np.pi)
    height, width = frames[0].shape[:2]
    matrix = cv2.getRotationMatrix2D((width / 2, height / 2), angle, 1.0)
    matrix[:, 2] += PIXELS * np.array([np.cos(way), np.sin(way)])
    moved = [cv2.warpAffine(f, matrix, (width, height), borderMode=cv2.BORDER_REPLICATE) for f in frames[half:]]
    return [*frames[:half], *(np.asarray(frame, np.uint8) for frame in moved)]


def thin_frames(frames: Sequence[Image], seed: int) -> list[Image]:
    """A quarter of the frames lost, no two in a row, neither the first nor the last."""
    chance, lost_frames = random.Random(seed), set[int]()
    while len(lost_frames) < len(frames) // 4:
        one = chance.randrange(1, len(frames) - 1)
        if not {one - 1, one, one + 1} & lost_frames:
            lost_frames.add(one)
    return [frame for number, frame in enumerate(frames) if number not in lost_frames]


def two_lost(frames: Sequence[Image], seed: int) -> list[Image]:
    """Two frames in a row lost, at three places."""
    starts = random.Random(seed).sample(range(1, len(frames) - 3, 4), 3)
    lost_frames = {number for start in starts for number in (start, start + 1)}
    return [frame for number, frame in enumerate(frames) if number not in lost_frames]


WAYS = (
    Way("as filmed", lambda frames, seed: list(frames)),
    Way("every frame twice", double_frames),
    Way("5 degrees and 40 pixels halfway", bump_camera, SEEDS),
    Way("a quarter lost, no two in a row", thin_frames, SEEDS),
    Way("two in a row lost, three times", two_lost, SEEDS, orders_may_differ=True),
)


def main() -> int:
    """Watch the game in every way and print what came of it; 1 when a way went wrong."""
    folder = photos(SOURCE)
    files = sorted((folder / "images").iterdir(), key=lambda path: int("".join(filter(str.isdigit, path.stem)) or 0))
    frames = [np.asarray(cv2.imread(str(path)), np.uint8) for path in files]
    wrong = 0
    for way in WAYS:
        for seed in range(way.seeds):
            verdict = find_watch_fault(way, way.frames(frames, seed), folder / "game.sgf")
            wrong += verdict is not None
            print(f"{way.name:34} seed {seed}: {verdict or 'as recorded'}", flush=True)
    return 1 if wrong else 0


def find_watch_fault(way: Way, frames: Sequence[Image], game: Path) -> str | None:
    """Return the fault of the game that `watch` makes of these frames, None if it is the one recorded."""
    with tempfile.TemporaryDirectory() as name:
        folder, sgf = Path(name) / "stills", Path(name) / "seen.sgf"
        folder.mkdir()
        for number, frame in enumerate(frames):
            cv2.imwrite(str(folder / f"{number}.png"), frame)
        output = io.StringIO()
        with contextlib.redirect_stdout(output):
            shinpan(["watch", str(folder), "--rules", "chinese", "--sgf", str(sgf)])
        lines = [json.loads(line) for line in output.getvalue().splitlines()]
        return compare_turns(way, lines, sgf.read_bytes(), game.read_bytes())


def compare_turns(way: Way, lines: list[dict[str, object]], actual: bytes, wanted: bytes) -> str | None:
    """Return the difference of the turns seen, None if there is none but in an order that was marked as uncertain."""
    (_, recorded), (_, actual_turns) = read_sgf(wanted, "chinese"), read_sgf(actual, "chinese")
    if actual_turns == recorded:
        return None
    if not way.orders_may_differ:
        first = next(
            (n for n, pair in enumerate(zip(actual_turns, recorded, strict=False), 1) if pair[0] != pair[1]),
            len(actual_turns),
        )
        return f"{len(actual_turns)} turns instead of {len(recorded)}, other from turn {first} on"
    if position(actual) != position(wanted):
        return f"another final position, {len(actual_turns)} turns instead of {len(recorded)}"
    marked = {line["turn"] for line in lines if line["order"] == "uncertain"}
    unmarked = [
        n
        for n, (one, other) in enumerate(zip(actual_turns, recorded, strict=False), 1)
        if one != other and n not in marked
    ]
    return f"turns {unmarked} stand in another order, unmarked" if unmarked else None


def position(sgf: bytes) -> tuple[str, ...]:
    """The position a game record ends with."""
    setup, turns = read_sgf(sgf, "chinese")
    record = setup.record()
    for turn in turns:
        assert isinstance(turn, Placement)
        after = judge(record, turn).after
        assert after is not None
        record = after
    return rows_of(record.position)


if __name__ == "__main__":
    sys.exit(main())
