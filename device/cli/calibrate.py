"""`shinpan calibrate`: find, correct, check and store the positions of board and lids in the camera's picture."""

from __future__ import annotations

import time
from dataclasses import dataclass, replace
from math import isfinite
from pathlib import Path
from typing import Any

import click

from device.cli.console import show_progress
from device.cli.look import check_overlay, write_overlay
from device.cli.options import FILE, Exit, camera_option, declare_command, print_note, size_option
from device.files import check_apart, check_place, write_whole
from referee.game.messages import plain_message
from vision.board.calibration_fit import (
    UP,
    CalibrationResult,
    calibrate,
    check_against_image,
    find_faults,
    fitting_calibration,
    orient_grid,
    snap_to_lines,
)
from vision.board.glare import glare_notes
from vision.board.lid_positions import place_fields
from vision.calibration.field_layout import layout_of
from vision.calibration.model import Box, Calibration, Grid, PrisonerField, parse_calibration
from vision.camera.frame import Image
from vision.camera.frame_source import CameraConfig
from vision.camera.live import FIRST_PICTURE_TIMEOUT_S, is_camera, no_picture, open_live
from vision.camera.recordings import UnreadableStill, open_source
from vision.errors import BadCalibration, BadSource, CameraLost, UnreadableImage
from vision.tracking.overlay import draw_calibration
from web.language import ENGLISH

SETTLING = 10
"""Number of pictures for a camera to settle its exposure."""


class Pixels(click.ParamType[tuple[float, ...]]):
    """Numbers with commas between them: a point, or a box by its left, top, width and height."""

    name = "pixels"

    def __init__(self, count: int) -> None:
        self.count = count

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> tuple[float, ...]:
        """Parse the numbers; raise BadParameter for anything else."""
        try:
            numbers = tuple(map(float, value.split(",")))
        except ValueError:
            numbers = ()
        if len(numbers) != self.count or not all(map(isfinite, numbers)) or min(numbers[2:], default=1) <= 0:
            self.fail(f"{value!r} must be {self.count} numbers with commas between them, in pixels.", param, ctx)
        return numbers


@dataclass(frozen=True)
class _Corrections:
    """A person's corrections of the findings."""

    calibration: Path | None
    size: int | None
    corners: tuple[tuple[float, float], ...] | None
    lids: tuple[tuple[float, float, float, float], ...] | None
    swap_lids: bool
    up: str | None


@declare_command(
    "calibrate",
    "Find board and lids in a picture, and keep where they lie.",
    ("calibrate --write table.json", "find them with camera 0, and keep them"),
    ("calibrate 0 --overlay seen.jpg --up left", "turn the board, and look at what was found"),
    ("calibrate table.jpg --size 19 --corners 80,60 560,60 600,420 40,420", "where it is not found by itself"),
    looks=True,
)
@click.argument("source", required=False)
@camera_option
@size_option
@click.option("--calibration", type=FILE, metavar="FILE", help="Check or correct this one.")
@click.option(
    "--corners", nargs=4, type=Pixels(2), metavar="X,Y X,Y X,Y X,Y", help="The outer lines' corners, clockwise."
)
@click.option("--lids", nargs=2, type=Pixels(4), metavar="X,Y,W,H X,Y,W,H", help="The lids of sides 1 and 2.")
@click.option("--swap-lids", is_flag=True, help="Exchange the sides.")
@click.option("--up", type=click.Choice(tuple(UP)), help="Where in the picture the board's highest row lies.")
@click.option("--overlay", type=FILE, metavar="FILE", help="Write the picture with the calibration drawn on it.")
@click.option("--write", type=FILE, metavar="FILE", help="Keep the calibration here.")
def calibrate_command(
    source: str | None, camera: str | None, overlay: Path | None, write: Path | None, **options: Any
) -> int:
    """Find or check, correct, print and store the calibration.

    Returns 0, 1 if something should be checked, 3 if no board was found.
    """
    corrections, source = _Corrections(**options), _choose_source(source, camera)
    initial = _calibration_from_file(corrections)
    check_overlay(overlay, source, corrections.calibration)
    check_place(write, source)
    check_apart(overlay, write)
    with show_progress("looking"):
        image = _take_picture(source)
        result = _find_calibration(image, initial, corrections)
    if result is None:
        print_note(f"{source}: no board found; show the whole board with its edge, or give --size and --corners.")
        return Exit.NO_BOARD
    calibration = result.calibration
    notes = (
        *map(ENGLISH.sentence, result.notes),
        *find_faults(calibration, image.shape),
        *glare_notes(image, calibration.grid),
    )
    print(calibration.to_json())
    for side, lid in enumerate(calibration.lids, 1):
        if isinstance(lid, PrisonerField):
            print_note(f"side {side}: prisoner field found, {len(layout_of(lid.kind).places)} circles.")
    for note in notes:
        print_note(note)
    if overlay:
        write_overlay(overlay, draw_calibration(image, calibration, " ".join(notes)))
    if write:
        write_whole(write, f"{calibration.to_json()}\n".encode())
    return Exit.NOT_WELL if notes else Exit.DONE


def _choose_source(source: str | None, camera: str | None) -> str:
    """Return the picture source: camera 0 by default."""
    if source is not None and camera is not None:
        raise click.UsageError("--camera names what SOURCE names; leave one of the two out.")
    return next((name for name in (source, camera) if name is not None), "0")


def _take_picture(source: str) -> Image:
    """Return one picture of the table: from a file, the first of a recording, or a camera's current one."""
    if not is_camera(source):
        first = next(iter(open_source(source).read_frames()), None)
        if first is None:
            raise BadSource(f"{source}: holds no picture; give another file, or a camera.")
        if isinstance(first, UnreadableStill):
            raise UnreadableImage(first.sentence)
        return first.pixels
    camera = open_live(source, CameraConfig(), time.monotonic)
    try:
        frames = [camera.newest(FIRST_PICTURE_TIMEOUT_S) for _ in range(SETTLING)]
    finally:
        camera.close()
    if frames[-1] is None:
        raise CameraLost(no_picture(source))
    if frames[-1].note is not None:
        print_note(ENGLISH.sentence(frames[-1].note))
    return frames[-1].pixels


def _calibration_from_file(corrections: _Corrections) -> Calibration | None:
    """Return the calibration in the file, with the corners from the command line; None if neither is given."""
    calibration = fitting_calibration(corrections.calibration, corrections.size)
    if corrections.corners is None:
        return calibration
    if calibration is None and corrections.size is None:
        raise BadCalibration("--corners: give --size too, how many lines the board has.")
    calibration = calibration or Calibration(Grid(corrections.size or 0, ()))
    calibration = replace(calibration, grid=replace(calibration.grid, corners=corrections.corners, curvature=0.0))
    try:
        parse_calibration(calibration.to_json())
    except ValueError as error:
        raise BadCalibration(f"--corners: {error}.") from error
    return calibration


def _find_calibration(image: Image, initial: Calibration | None, corrections: _Corrections) -> CalibrationResult | None:
    """Return the found or given calibration with the corrections applied; None if no board was found.

    Corners from the command line are snapped to the lines.
    """
    if initial is not None:
        snapped = replace(initial, grid=snap_to_lines(image, initial.grid)) if corrections.corners else initial
        result = CalibrationResult(snapped, tuple(map(plain_message, check_against_image(snapped, image))))
    elif (detected := calibrate(image, corrections.size)) is not None:
        result = detected
    else:
        return None
    calibration = result.calibration
    if corrections.lids:
        calibration = replace(
            calibration, lids=place_fields(image, calibration.grid, [Box(*lid) for lid in corrections.lids])
        )
    if corrections.swap_lids:
        calibration = replace(calibration, lids=calibration.lids[::-1])
    if corrections.up:
        calibration = replace(calibration, grid=orient_grid(calibration.grid, corrections.up))
    return replace(result, calibration=calibration)
