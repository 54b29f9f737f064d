"""Makes tests/pictures, a few drawn tables with their truth, and docs/pictures/seen-*.webp with what is read in some,
and docs/pictures/placed-*.webp with where the board is taken to lie.

python -m tests.support.vision.drawn_pictures
"""

from __future__ import annotations

import json
from dataclasses import dataclass, replace

import cv2
import numpy as np

from device.cli.look import read_picture
from tests.support import ROOT
from vision.board.calibration_fit import calibrate, check_against_image
from vision.calibration.model import Box
from vision.camera.frame import Image, read_image
from vision.render.looks import club_look, frame_board
from vision.render.scene import Appearance, Scene
from vision.render.table import Table
from vision.render.truth import LidTruth, Picture
from vision.tracking.overlay import draw_calibration, draw_overlay
from vision.training.drawn_boards import random_rows
from vision.training.drawn_lids import random_lid
from vision.training.drawn_looks import random_look
from vision.training.rendered import relight_look

FOLDER, SHOWN = ROOT / "tests/pictures", ROOT / "docs/pictures"
SEEN = ("club-19-dense", "glare-19", "dim-9")
"""Those that docs/evidence/seeing.md shows, with what is read in them."""
PLACED = {"right": 0.0, "wrong": 1.0}
"""Overlays of `shinpan calibrate` for docs/calibrating.md: so many lines too far right."""
SHOWN_WIDE = 720
QUALITY = 80
"""Of the JPEG files, percent."""


@dataclass(frozen=True)
class Drawing:
    """A picture to be drawn. light: one of vision.training.rendered.LIGHTS, a club's where empty."""

    name: str
    seed: int
    size: int
    light: str = ""
    wide: int = 1280
    high: int = 720


DRAWINGS = (
    Drawing("club-9", 3, 9, wide=960, high=540),
    Drawing("club-13", 1, 13, wide=1024, high=768),
    Drawing("club-19-dense", 8, 19),
    Drawing("tinted-13", 8, 13, "tinted", 1024, 768),
    Drawing("dim-9", 7, 9, "dim", 960, 720),
    Drawing("glare-19", 8, 19, "glare"),
)


def picture(drawing: Drawing) -> Picture:
    """The table, the same each time."""
    rng = np.random.default_rng([drawing.seed, drawing.size])
    table = Table(_look(drawing, rng))
    lids = tuple(random_lid(rng, int(rng.integers(0, 4)), int(rng.integers(0, 4))) for _ in "12")
    return table.draw(Scene(random_rows(rng, drawing.size), (lids[0], lids[1])))


def _look(drawing: Drawing, rng: np.random.Generator) -> Appearance:
    if not drawing.light:
        return club_look(drawing.seed, drawing.size, drawing.wide, drawing.high)
    look = random_look(rng, drawing.size, drawing.wide, drawing.high)
    return relight_look(frame_board(replace(look, lids_shown=True), 0.6, 0.75), drawing.light, rng)


def truth(drawn_picture: Picture) -> dict[str, object]:
    """Return the truth of a picture, as kept in FOLDER."""
    grid = drawn_picture.truth.grid
    return {
        "size": grid.size,
        "corners": [[round(x, 1), round(y, 1)] for x, y in grid.corners],
        "rows": list(drawn_picture.truth.rows),
        "lids": [_lid(lid) for lid in drawn_picture.truth.lids],
    }


def _lid(lid: LidTruth) -> dict[str, object]:
    box: Box = lid.box
    return {"box": [round(v, 1) for v in (box.x, box.y, box.w, box.h)], "B": lid.black, "W": lid.white}


def main() -> None:
    """Draw them all and write them with their truth."""
    FOLDER.mkdir(exist_ok=True)
    for drawing in DRAWINGS:
        drawn_picture = picture(drawing)
        cv2.imwrite(str(FOLDER / f"{drawing.name}.jpg"), drawn_picture.pixels, [cv2.IMWRITE_JPEG_QUALITY, QUALITY])
        (FOLDER / f"{drawing.name}.json").write_text(json.dumps(truth(drawn_picture), indent=1) + "\n")
    for name, overlay in overlays().items():
        cv2.imwrite(str(SHOWN / name), overlay, [cv2.IMWRITE_WEBP_QUALITY, 50])


def overlays() -> dict[str, Image]:
    """The pictures of SHOWN, by their files' names."""
    return {f"seen-{name}.webp": seen_in(name) for name in SEEN} | {
        f"placed-{name}.webp": overlay_at(lines) for name, lines in PLACED.items()
    }


def overlay_at(lines: float) -> Image:
    """A drawn board with the calibration that is found, moved by so many lines, and what is said of it."""
    image = read_image(FOLDER / "club-9.jpg")
    fit = calibrate(image)
    assert fit is not None
    grid = fit.calibration.grid
    step = (np.array(grid.corners[1]) - np.array(grid.corners[0])) * lines / (grid.size - 1)
    corners = tuple((float(x), float(y)) for x, y in np.array(grid.corners) + step)
    moved = replace(fit.calibration, grid=replace(grid, corners=corners))
    remarks = " ".join(check_against_image(moved, image))
    return _small(draw_calibration(image, moved, remarks))


def seen_in(name: str) -> Image:
    """The picture of that name with what is read in it, for docs/evidence/seeing.md, 720 pixels wide."""
    image = read_image(FOLDER / f"{name}.jpg")
    reading, _ = read_picture(image)
    assert reading is not None
    overlay = draw_overlay(image, reading)
    return _small(overlay)


def _small(overlay: Image) -> Image:
    size = (SHOWN_WIDE, SHOWN_WIDE * overlay.shape[0] // overlay.shape[1])
    return np.asarray(cv2.resize(overlay, size, interpolation=cv2.INTER_AREA))


if __name__ == "__main__":
    main()
