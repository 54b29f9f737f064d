"""`shinpan calibrate`: where board and lids lie in the camera's picture, found, corrected, checked and kept."""

from __future__ import annotations

import argparse
import sys
import time
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

from device.commands.look import NO_BOARD, SIZES, write_overlay
from device.files import write_whole
from vision.calibrating import (
    UP,
    Calibrated,
    calibrate,
    disagreements,
    drawn_to_lines,
    faults,
    fitting_calibration,
    turned_up,
)
from vision.calibration import Box, Calibration, Grid, parse_calibration
from vision.camera import Unreadable, open_source
from vision.errors import BadCalibration, BadSource, UnreadableImage
from vision.frame import Image
from vision.live import Wanted, open_live
from vision.overlay import draw_calibration

TO_LOOK_AT = 1
"""The exit status when something should be looked at."""
PATIENCE, SETTLING = 10.0, 10
"""Seconds to wait for a camera's picture, and how many pictures it is given to settle its exposure."""


def add_parser(commands: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    """Add `calibrate` and its options."""
    parser = commands.add_parser("calibrate", help="find board and lids, and keep where they lie", description=__doc__)
    parser.add_argument(
        "source", nargs="?", default="0", metavar="SOURCE", help="a picture, a video, a folder, a camera"
    )
    parser.add_argument("--size", type=int, choices=SIZES, help="lines a side; worked out when left out")
    parser.add_argument("--calibration", type=Path, metavar="FILE", help="check or correct this one")
    parser.add_argument("--corners", nargs=4, metavar="X,Y", help="the outer lines' corners, clockwise")
    parser.add_argument("--lids", nargs=2, metavar="X,Y,W,H", help="the lids of sides 1 and 2")
    parser.add_argument("--swap-lids", action="store_true", help="exchange the sides")
    parser.add_argument("--up", choices=tuple(UP), help="where in the picture the board's highest row lies")
    parser.add_argument(
        "--overlay", type=Path, metavar="FILE", help="write the picture with the calibration drawn on it"
    )
    parser.add_argument("--write", type=Path, metavar="FILE", help="keep the calibration here")
    parser.set_defaults(run=run)


def run(args: argparse.Namespace) -> int:
    """Find or check, correct, show, keep: 0, 1 when something should be looked at, 3 when no board was found."""
    image = _picture(args.source)
    made = _made(image, args)
    if made is None:
        print(
            "shinpan: no board found; show the whole board with its edge, or give --size and --corners.",
            file=sys.stderr,
        )
        return NO_BOARD
    kept, notes = made.calibration, (*made.notes, *faults(made.calibration, image.shape))
    print(kept.to_json())
    for note in notes:
        print(f"shinpan: {note}", file=sys.stderr)
    if args.overlay:
        write_overlay(args.overlay, draw_calibration(image, kept, " ".join(notes)))
    if args.write:
        write_whole(args.write, f"{kept.to_json()}\n".encode())
    return TO_LOOK_AT if notes else 0


def _picture(source: str) -> Image:
    """One picture of the table: a picture, the first of a recording, or what a camera sees now."""
    if Path(source).exists() and not source.startswith("/dev/"):
        first = next(iter(open_source(source).frames()), None)
        if first is None:
            raise BadSource(f"{source}: holds no picture; give another file, or a camera.")
        if isinstance(first, Unreadable):
            raise UnreadableImage(first.sentence)
        return first.pixels
    camera = open_live(source, Wanted(), time.monotonic)
    try:
        frames = [camera.newest(PATIENCE) for _ in range(SETTLING)]
    finally:
        camera.close()
    if frames[-1] is None:
        raise BadSource(f"{source}: the camera gives no pictures; check its cable.")
    return frames[-1].pixels


def _made(image: Image, args: argparse.Namespace) -> Calibrated | None:
    """What was found or given, with the corrections that were asked for; None where no board was found."""
    if args.calibration or args.corners:
        given = fitting_calibration(args.calibration, args.size) or _from_corners(args)
        made = _corrected_corners(image, given, args.corners)
    else:
        found = calibrate(image, args.size)
        if found is None:
            return None
        made = found
    calibration = made.calibration
    if args.lids:
        calibration = replace(calibration, lids=tuple(Box(*_numbers(lid, 4, "--lids")) for lid in args.lids))
    if args.swap_lids:
        calibration = replace(calibration, lids=calibration.lids[::-1])
    if args.up:
        calibration = replace(calibration, grid=turned_up(calibration.grid, args.up))
    return replace(made, calibration=calibration)


def _from_corners(args: argparse.Namespace) -> Calibration:
    if args.size is None:
        raise BadCalibration("--corners: give --size too, how many lines the board has.")
    return Calibration(Grid(args.size, ()))


def _corrected_corners(image: Image, given: Calibration, corners: Sequence[str] | None) -> Calibrated:
    """A given calibration, with other corners drawn onto the lines, and what the picture says against it."""
    if not corners:
        return Calibrated(given, disagreements(given, image))
    places = tuple(_numbers(corner, 2, "--corners") for corner in corners)
    grid = replace(given.grid, corners=tuple((x, y) for x, y in places), curvature=0.0)
    try:
        parse_calibration(replace(given, grid=grid).to_json())
    except ValueError as error:
        raise BadCalibration(f"--corners: {error}.") from error
    drawn = replace(given, grid=drawn_to_lines(image, grid))
    return Calibrated(drawn, disagreements(drawn, image))


def _numbers(text: str, count: int, option: str) -> tuple[float, ...]:
    """So many numbers with commas between them; raises BadCalibration."""
    try:
        numbers = tuple(map(float, text.split(",")))
    except ValueError:
        numbers = ()
    if len(numbers) != count:
        raise BadCalibration(f"{option}: {text!r} must be {count} numbers with commas between them, in pixels.")
    return numbers
