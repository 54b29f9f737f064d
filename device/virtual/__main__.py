"""Plays a game of Ultimate Go on a drawn table, into a video and a file of presses: `python -m device.virtual OUT`.

Writes OUT.avi, OUT.presses.jsonl and OUT.script, the script that was played.
"""

from __future__ import annotations

import argparse
import json
import sys
from pathlib import Path

import cv2

from device.virtual.games import ultimate_game
from device.virtual.script import Step, write_script
from device.virtual.table import RATE, Performance
from referee.board import board_of
from vision.render.scene import Look

WIDTH, HEIGHT = 1280, 720


def film(steps: tuple[Step, ...], size: int, seed: int, out: Path) -> None:
    """Act the steps out; writes the video and the presses beside `out`."""
    performance = Performance(steps, Look.club(seed, size, WIDTH, HEIGHT), seed)
    writer = cv2.VideoWriter(f"{out}.avi", cv2.VideoWriter.fourcc(*"MJPG"), RATE, (WIDTH, HEIGHT))
    for number, scene in enumerate(performance.scenes()):
        writer.write(performance.table.draw(scene, number).pixels)
    writer.release()
    presses = ({"t": press.t, "side": press.side, "button": press.button.value} for press in performance.presses)
    Path(f"{out}.presses.jsonl").write_text("".join(json.dumps(press) + "\n" for press in presses))


def main() -> int:
    """Play one seeded game."""
    parser = argparse.ArgumentParser(prog="python -m device.virtual", description=__doc__)
    parser.add_argument("out", type=Path, metavar="OUT", help="where to write, without an ending")
    parser.add_argument("--size", type=int, choices=(9, 13, 19), default=9)
    parser.add_argument("--seed", type=int, default=1)
    args = parser.parse_args()
    steps = tuple(ultimate_game(args.size, args.seed).steps)
    Path(f"{args.out}.script").write_text(write_script(steps, board_of(args.size)))
    film(steps, args.size, args.seed, args.out)
    return 0


if __name__ == "__main__":
    sys.exit(main())
