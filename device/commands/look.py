"""`shinpan look`: a photograph to a position."""

from __future__ import annotations

import argparse
import json
import sys
import time
from pathlib import Path

import cv2

from vision.board.detect import find_place
from vision.board.markers import Place
from vision.calibrating import faults, fitting_calibration, with_lens
from vision.calibration import Calibration
from vision.errors import BadSource, VisionError
from vision.frame import Image, read_image
from vision.lids.count import LidReading, find_lids
from vision.lids.on_mat import place_lids
from vision.overlay import draw_overlay
from vision.reading import Reading, read_frame

SIZES = (9, 13, 19)
NO_BOARD = 3


def add_parser(commands: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    """Add `look` and its options."""
    parser = commands.add_parser("look", help="read the position in photographs", description=__doc__)
    parser.add_argument("images", nargs="+", metavar="IMAGE", type=Path, help="a photograph of a board")
    parser.add_argument("--json", action="store_true", help="one JSON line an image")
    parser.add_argument("--size", type=int, choices=SIZES, help="lines a side; worked out when left out")
    parser.add_argument("--calibration", type=Path, metavar="FILE", help="corners and lids given by a person")
    parser.add_argument("--overlay", type=Path, metavar="FILE", help="write the picture with what was read drawn on it")
    parser.set_defaults(run=run)


def run(args: argparse.Namespace) -> int:
    """Read every image; 0 when all were read, 3 when one held no board or could not be decoded."""
    _check_paths(args.images)
    calibration = fitting_calibration(args.calibration, args.size)
    statuses = [_look(path, calibration, args) for path in args.images]
    return max(statuses)


def look(
    image: Image, size: int | None = None, calibration: Calibration | None = None
) -> tuple[Reading | None, tuple[str, ...]]:
    """The board and the lids in one picture, found unless they are given, None where there is no board; and what is
    to be said of the calibration or the mat's cards."""
    place = Place(calibration.grid) if calibration else find_place(image, size)
    if place is None:
        return None, ()
    grid = with_lens(image, place.grid) if calibration else place.grid
    lids = (calibration.lids if calibration else ()) or place_lids(image, grid) or find_lids(image, grid)
    wrong = faults(calibration, image.shape) if calibration else ()
    return read_frame(image, grid, lids), (*place.notes, *wrong)


def _check_paths(paths: list[Path]) -> None:
    for path in paths:
        if path.is_dir():
            raise BadSource(f"{path}: is a folder; name the pictures in it, or use `shinpan watch` for a whole folder.")
        if not path.exists():
            raise BadSource(f"{path}: there is no such file; check the path.")


def _look(path: Path, calibration: Calibration | None, args: argparse.Namespace) -> int:
    started = time.perf_counter()
    try:
        image = read_image(path)
        reading, notes = look(image, args.size, calibration)
    except VisionError as error:
        return _refuse(path, str(error), args.json)
    if reading is None:
        sentence = f"{path}: no board found; show the whole board with its edge, or give --calibration."
        return _refuse(path, sentence, args.json)
    spent = (time.perf_counter() - started) * 1000
    print(json.dumps(line(path, reading, spent)) if args.json else _plain(path, reading))
    for note in notes:
        print(f"shinpan: {path}: {note}", file=sys.stderr)
    if args.overlay:
        write_overlay(_overlay_path(args.overlay, path, len(args.images)), draw_overlay(image, reading))
    return 0


def _refuse(path: Path, sentence: str, as_json: bool) -> int:
    if as_json:
        print(json.dumps({"image": str(path), "error": sentence}))
    print(f"shinpan: {sentence}", file=sys.stderr)
    return NO_BOARD


def line(path: Path, reading: Reading, ms: float) -> dict[str, object]:
    """What `look --json` says of one image (docs/commands.md)."""
    return {
        "image": str(path),
        "size": reading.grid.size,
        "corners": [[round(x, 1), round(y, 1)] for x, y in reading.grid.corners],
        "rows": list(reading.rows()),
        "doubtful": [{"point": reading.name(doubt.point), "p": round(doubt.p, 4)} for doubt in reading.doubtful()],
        "lids": [_lid(lid) for lid in reading.lids],
        "ms": round(ms, 1),
    }


def _lid(lid: LidReading) -> dict[str, object]:
    box = [round(v, 1) for v in (lid.box.x, lid.box.y, lid.box.w, lid.box.h)]
    said: dict[str, object] = {"box": box, "B": lid.black, "W": lid.white, "sure": lid.sure}
    if not lid.sure:
        said["range"] = {"B": list(lid.black_range), "W": list(lid.white_range)}
    return said


def _plain(path: Path, reading: Reading) -> str:
    doubtful = ", ".join(f"{reading.name(doubt.point)} ({doubt.p:.0%})" for doubt in reading.doubtful())
    lids = (
        f"lid {side}: {lid.black} black, {lid.white} white" + ("" if lid.sure else " (not sure)")
        for side, lid in enumerate(reading.lids, 1)
    )
    return "\n".join([f"{path}: {reading.grid.size} lines", *reading.rows(), f"doubtful: {doubtful or 'none'}", *lids])


def _overlay_path(path: Path, image: Path, images: int) -> Path:
    """Where an image's overlay goes: the file named, or with several images that name and the image's."""
    return path if images == 1 else path.with_name(f"{path.stem}-{image.stem}{path.suffix}")


def write_overlay(path: Path, overlay: Image) -> None:
    """Write a picture; raises BadSource where that cannot be."""
    try:
        written = cv2.imwrite(str(path), overlay)
    except cv2.error:
        written = False
    if not written:
        raise BadSource(f"{path}: the overlay cannot be written; name a .png or .jpg file in an existing folder.")
