"""Glare on the board: a lamp or the sun reflected so brightly that the camera sees nothing there.

The wood in the middle between four points is examined: no line runs there, and no stone on its point covers it, so the
stones need not be known.
"""

from __future__ import annotations

import cv2
import numpy as np
import numpy.typing as npt

from referee import board_of
from vision.calibration.model import Grid
from vision.camera.frame import Image

# Chosen by hand (docs/vision.md).
PATCH = np.arange(-3, 4) / 16
"""The sample positions on the wood, in cells from the middle between four points, across and down."""
CLIPPED = 240
"""The level from which wood that is as bright in every colour reflects something."""
DARKEST = 10
"""The percentage of a patch that may be darker."""
USUAL = 200
"""The median level above which the wood is white or the picture overexposed, so that no lamp stands out."""
MOST_NAMED = 3
"""The maximum number of places named."""


def find_glare(image: Image, grid: Grid) -> npt.NDArray[np.bool_]:
    """Return a mask of glare between four points, shape (size - 1, size - 1), row 0 the highest."""
    middles = np.arange(grid.size - 1) + 0.5
    steps = (middles[:, None] + PATCH).ravel() / (grid.size - 1)
    pixels = np.asarray(grid.to_pixels(np.stack(np.meshgrid(steps, steps), axis=-1)), np.float32)
    colours = cv2.remap(image, pixels[..., 0], pixels[..., 1], cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE)
    min_levels = np.minimum.reduce(cv2.split(colours))
    patches = min_levels.reshape(len(middles), len(PATCH), len(middles), len(PATCH)).transpose(0, 2, 1, 3)
    levels = np.percentile(patches.reshape(len(middles), len(middles), -1), DARKEST, axis=-1)
    return np.asarray((levels >= CLIPPED) & (np.median(levels) <= USUAL))


def glare_notes(image: Image, grid: Grid) -> tuple[str, ...]:
    """Return a sentence that names the points beside any glare on the board; nothing without glare."""
    points = _spot_points(find_glare(image, grid))
    if not points:
        return ()
    names = ", ".join(board_of(grid.size).name(point) for point in points[:MOST_NAMED])
    return (
        f"A lamp or the sun shines in the board near {names}, so brightly that stones there may be misread: move it, "
        "or shade it (hardware/ASSEMBLY.md says where no lamp may hang).",
    )


def _spot_points(shines: npt.NDArray[np.bool_]) -> list[int]:
    """Return a point in the middle of each glare spot, the largest first: indices row by row."""
    count, _, stats, middles = cv2.connectedComponentsWithStats(shines.astype(np.uint8), connectivity=8)
    largest = sorted(range(1, count), key=lambda place: -int(stats[place, cv2.CC_STAT_AREA]))
    size = len(shines) + 1
    return [int(middles[place][1] + 1) * size + int(middles[place][0] + 1) for place in largest]
