"""The content of every intersection: empty, black or white, with a calibrated probability.

One net sees the whole rectified board at once: each point is read in the context of its surroundings and of the light
on the whole board, so that a white stone in a blue lamp is distinguished from pale wood.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import cache
from pathlib import Path

import cv2
import numpy as np
import numpy.typing as npt

from vision.board.pose import Pose, estimate_pose
from vision.calibration.model import LARGEST_BOARD, Grid
from vision.camera.frame import Image
from vision.network import load_network
from vision.stones.bare_corners import find_bare_corners
from vision.stones.bare_wood import is_bare_wood
from vision.stones.off_grid import (
    SOME,
    affected_points,
    cap_confidence,
    correct_parallax,
    find_off_grid_stones,
    find_places_amid_four,
    nearly_off_grid,
)

# The net's training settings (vision/training/net.py).
SHIPPED = Path(__file__).parents[1] / "models" / "stones.onnx"
"""The shipped net; vision/models/stones.md describes its training."""
CELL, CELLS = 16, LARGEST_BOARD
SIDE = CELL * CELLS
"""Pixels of a cell in the net's input; its cells across and down, with the board in the middle, each of which gets an
output; and the input's side in pixels.
"""
EMPTY, BLACK, WHITE = 0, 1, 2
CONTENTS = 3
HIDDEN = CONTENTS
"""The net's class indices of a point's content, and their number; then the class of a point hidden, as by a hand."""

# Chosen by hand (docs/vision.md).
MIDDLE = 6
"""The width of a point's middle, in pixels, in which its brightness is measured."""
EDGE = 0.1
"""The distance from the picture's edge, in cells, within which a point is not seen."""
MAYBE = 0.1
"""The probability of being hidden from which a point counts as possibly hidden."""
MUCH, LOW = 3, np.radians(25.0)
"""The number of doubtful points, and the camera's tilt from straight down, from which planes above the lines are
tried.
"""
HARDLY = 20
"""The number of doubtful points from which a reading hardly shows which way its own plane is off."""
FEW = 3
"""The number of off-grid stones that players may have left; more of them show that the plane is wrong."""
MIDDLE_CELLS = 0.17
"""The height of a stone's middle above the lines, in cells."""
HIGHER, LOWER = (0.1, 0.2, 0.3, 0.4, 0.5), (-0.1, -0.2, -0.3)
"""The planes tried, in cells above the lines: a stone's middle is 0.17 cells high, and a grid found by stones may
itself lie on a plane above the lines, one found by few lines below it.
"""

STEEP, MIDDLES = np.radians(58.0), (0.2, 0.25, 0.3)
"""The tilt from which a stone may seem to stand on the next point as much as on its own, and the planes tried for the
stones, in cells above the lines: a middle 0.17 cells high is seen 0.27 cells off at 58 degrees and 0.47 at 70.
"""
CONTRADICTS = 0.6
"""The probability of another content, on any of those planes, from which a stone is doubtful."""

Floats = npt.NDArray[np.float32]


@dataclass(frozen=True, eq=False)
class StonesSeen:
    """The contents of a board's points.

    `probabilities`: of empty, black and white, shape (size, size, 3), row 0 the highest.
    `offsets`: a stone's offset from its point, right and down, in cells, shape (size, size, 2); meaningless without a
        stone.
    `strays`: the points next to off-grid stones, if there are at most FEW such stones, shape (size, size).
    `doubts`: the number of other doubtful points that nothing hides.
    """

    probabilities: Floats
    offsets: Floats
    strays: npt.NDArray[np.bool_]
    doubts: int

    def surety_of(self, other: StonesSeen) -> float:
        """Return the certainty of a reading of the same board, without the strays of this one.

        It is the log of the probability that the likeliest content lies on every point.
        """
        return float(np.log(other.probabilities.max(axis=-1))[~self.strays].sum())


class StoneReader:
    """A reader of stones with one net; keep it, because loading takes longer than reading."""

    def __init__(self, model: Path | None = None) -> None:
        """Load the net from an ONNX file made by vision/training; the shipped one if `model` is None."""
        self._net = load_network(model or SHIPPED)

    def read(self, image: Image, grid: Grid) -> Floats:
        """Return the probabilities of empty, black and white, shape (size, size, 3), row 0 the highest."""
        return self.look(image, grid).probabilities

    def look(self, image: Image, grid: Grid) -> StonesSeen:
        """Return the content of every point, with its offset.

        Under a hand and beyond the picture's edge empty, black and white are equally likely. Next to an off-grid stone
        no point is sure. From a low angle stones appear behind their crossings: if much is doubtful the plane above the
        lines is chosen on which most is sure. From a steep one a stone may look like two, or like one on the next
        point: what the planes of lines and stones show differently is doubtful, even if each is sure.
        """
        pose = estimate_pose(grid, image.shape)
        reading = self._read_on(image, grid, pose)
        if pose.tilt >= STEEP:
            return self._merge_planes(image, grid, pose, reading)
        return reading if reading.doubts < MUCH or pose.tilt < LOW else self._choose_surest_plane(image, pose, reading)

    def _merge_planes(self, image: Image, grid: Grid, pose: Pose, lines: StonesSeen) -> StonesSeen:
        """Return the surer of the readings on the planes of lines and stones at every point, sure where they agree."""
        raised_readings = [self._read_on(image, pose.raise_grid(height), pose) for height in MIDDLES]
        stones = max(raised_readings, key=lines.surety_of)
        direction = _direction_from_camera(grid, pose)
        surer = (stones.probabilities.max(axis=-1) > lines.probabilities.max(axis=-1))[..., None]
        merged = np.where(surer, stones.probabilities, lines.probabilities)
        doubtful = lines.strays | (_likeliest_contents(stones) != _likeliest_contents(lines))
        for other in raised_readings:
            against = (other.probabilities.max(axis=-1) > CONTRADICTS) & (
                _likeliest_contents(other) != merged.argmax(axis=-1)
            )
            doubtful |= (against | find_same_stones(lines, other, direction)) & (merged.argmax(axis=-1) != EMPTY)
        offsets = np.where(surer, stones.offsets, lines.offsets)
        return replace(lines, probabilities=cap_confidence(merged, doubtful), offsets=offsets)

    def _choose_surest_plane(self, image: Image, pose: Pose, lines: StonesSeen) -> StonesSeen:
        """Return the reading on the plane where the points are surest; `lines`: that on the plane of the lines.

        A few off-grid stones choose no plane, and stay doubtful on another one.
        """
        if lines.doubts >= HARDLY:
            every = (self._read_on(image, pose.raise_grid(height), pose) for height in (*HIGHER, *LOWER))
            best = max([lines, *every], key=lines.surety_of)
        else:
            candidates = (self._search_heights(image, pose, lines, heights) for heights in (HIGHER, LOWER))
            best = max(candidates, key=lines.surety_of)
        return replace(best, probabilities=cap_confidence(best.probabilities, lines.strays))

    def _search_heights(self, image: Image, pose: Pose, lines: StonesSeen, heights: tuple[float, ...]) -> StonesSeen:
        """Return the surest reading, trying each plane as long as it is surer than the one before."""
        best = lines
        for height in heights:
            candidate = self._read_on(image, pose.raise_grid(height), pose)
            if lines.surety_of(candidate) <= lines.surety_of(best):
                break
            best = candidate
        return best

    def _read_on(self, image: Image, grid: Grid, pose: Pose) -> StonesSeen:
        """Return the reading on the grid's own plane; `pose`: the camera's over the board."""
        board = rectify_input(image, grid)
        answer, seen_offsets = self.answer(board, grid.size)
        colours = _middle_colours(board, grid.size)
        answer = settle_corner_colours(_uncover_bare_corners(board, answer), colours.mean(axis=-1))
        has_stone = answer[..., BLACK] + answer[..., WHITE] > answer[..., EMPTY]
        parallax = _middles_parallax(grid, pose) * has_stone[..., None]
        offsets = correct_parallax(seen_offsets, parallax)
        probabilities = np.asarray(answer[..., :CONTENTS] + answer[..., HIDDEN:] / CONTENTS, np.float32)
        outside = find_points_outside(grid, image.shape)
        probabilities[outside] = 1 / CONTENTS
        hidden = outside | _points_near_hands(answer)
        calibrated = scale_confidence(
            doubt_glows(probabilities, colours), hidden, np.asarray(colours.mean(axis=-1), np.float32)
        )
        offsets = _ignore_bare_wood(board, calibrated, offsets)
        affected = affected_points(calibrated, offsets)
        is_one_off = bool(affected.any()) and len(find_off_grid_stones(calibrated, offsets)) <= FEW
        strays = affected & is_one_off
        doubtful = (calibrated.max(axis=-1) < DOUBTFUL_BELOW) | affected
        unlikely = affected | nearly_off_grid(calibrated, offsets) | find_stones_amid_doubt(calibrated)
        believed = cap_confidence(calibrated, unlikely)
        return StonesSeen(believed, offsets, strays, int((doubtful & ~hidden & ~strays).sum()))

    def answer(self, board: Image, size: int) -> tuple[Floats, Floats]:
        """Return the net's raw answers for an input from `rectify_input`.

        They are the probabilities of empty, black, white and hidden, shape (size, size, 4), and offsets, shape (size,
        size, 2).
        """
        blob = np.ascontiguousarray(board.transpose(2, 0, 1)[None], np.float32)
        on_board = slice((CELLS - size) // 2, (CELLS + size) // 2)
        points, offsets = (
            output[0].transpose(1, 2, 0)[on_board, on_board]
            for output in self._net.compute_outputs(blob, ("points", "offsets"))
        )
        return points, offsets


def _uncover_bare_corners(board: Image, answer: Floats) -> Floats:
    """Return the net's answer, with nothing hidden at a corner whose lines are seen."""
    uncovered = answer.copy()
    for row, col in find_bare_corners(board, answer, _first_line(len(answer)), CELL):
        uncovered[row, col, HIDDEN] = 0
        uncovered[row, col] /= uncovered[row, col].sum()
    return uncovered


def _ignore_bare_wood(board: Image, probabilities: Floats, offsets: Floats) -> Floats:
    """Return the offsets, with none of points that read nothing around wood that they take for a stone."""
    stones = probabilities[..., BLACK] + probabilities[..., WHITE] >= SOME
    first = _first_line(len(stones))
    believed = offsets.copy()
    for place in find_places_amid_four(probabilities, offsets):
        column, row = np.floor(place).astype(int)
        around = slice(row, row + 2), slice(column, column + 2)
        if not stones[around].any() and is_bare_wood(board, place, stones, first, CELL):
            believed[around] = 0
    return believed


def _first_line(size: int) -> int:
    """Return the pixel of the first line, across and down, of a board in the net's input."""
    return (CELLS - size) // 2 * CELL + CELL // 2


def _middles_parallax(grid: Grid, pose: Pose) -> npt.NDArray[np.float64]:
    """Return the shift of a stone's middle on each point as seen on the grid's plane, in cells: (size, size, 2)."""
    seen = grid.to_board(pose.raise_grid(MIDDLE_CELLS).points())
    steps = np.arange(grid.size) / (grid.size - 1)
    return np.asarray((seen - np.stack(np.meshgrid(steps, steps), axis=-1)) * (grid.size - 1), np.float64)


def _direction_from_camera(grid: Grid, pose: Pose) -> tuple[int, int]:
    """Return the step from a point of the board to the next one away from the camera, in rows and columns."""
    right, down = grid.to_board(pose.raise_grid(MIDDLES[0]).middle()) - grid.to_board(grid.middle())
    length = float(np.hypot(right, down))
    return round(down / length), round(right / length)


def find_same_stones(lines: StonesSeen, raised: StonesSeen, direction: tuple[int, int]) -> npt.NDArray[np.bool_]:
    """Return the points whose stone on the raised plane may be the next one away from the camera on the lines' plane.

    On the raised plane no such stone lies there: both readings would be one stone. Shape (size, size).
    """
    on_lines, on_raised = _likeliest_contents(lines), _likeliest_contents(raised)
    beyond = np.pad(np.stack([on_lines, on_raised]), ((0, 0), (1, 1), (1, 1)))
    rows, columns = (slice(1 + step, 1 + step + len(on_lines)) for step in direction)
    next_on_lines, next_on_raised = beyond[:, rows, columns]
    return np.asarray((on_lines == on_raised) & (next_on_lines == on_lines) & (next_on_raised != on_lines), np.bool_)


def _likeliest_contents(reading: StonesSeen) -> npt.NDArray[np.int64]:
    """Return the likeliest content of every point, shape (size, size)."""
    return np.asarray(reading.probabilities.argmax(axis=-1), np.int64)


def rectify_input(image: Image, grid: Grid) -> Image:
    """Return the net's input: the board from above, shape (SIDE, SIDE, 3), its middle in the picture's middle."""
    return rectify_board(image, grid, CELL, (CELLS - grid.size + 1) / 2)[:SIDE, :SIDE]


def find_points_outside(grid: Grid, shape: tuple[int, ...]) -> npt.NDArray[np.bool_]:
    """Return the points on or beyond the picture's edge, as a mask of shape (size, size)."""
    points, room = grid.points(), EDGE * grid.cell()
    return np.asarray(((points < room) | (points > np.array([shape[1], shape[0]]) - 1 - room)).any(axis=-1))


def _points_near_hands(answer: Floats) -> npt.NDArray[np.bool_]:
    """Return the points that something may hide and their neighbours, as a mask of shape (size, size)."""
    return cv2.dilate((answer[..., HIDDEN] > MAYBE).astype(np.uint8), np.ones((3, 3), np.uint8)) > 0


def _middle_colours(board: Image, size: int) -> Floats:
    """Return the mean colour of every point's middle, 0 to 255, shape (size, size, 3)."""
    middles = (np.arange(size) + (CELLS - size) // 2) * CELL + CELL // 2
    span = (middles[:, None] + np.arange(MIDDLE) - MIDDLE // 2).ravel()
    pixels = board.take(span, axis=0).take(span, axis=1).astype(np.float32)
    sums = pixels.reshape(size, MIDDLE, size, MIDDLE, 3).sum(axis=1).sum(axis=2)
    return np.asarray(sums.astype(np.float64) * (1 / MIDDLE**2), np.float32)


@cache
def default_reader() -> StoneReader:
    """Return the reader with the shipped net, loaded once."""
    return StoneReader()


# Confidence calibration.

DOUBTFUL_BELOW = 0.98
"""The probability of the likeliest content below which a point is to be read again, or checked by a person. Chosen by
hand.
"""

# Chosen on the drawn dense boards of tests/benchmarks/dense.py (vision/models/stones.md, "What it cannot do").
BRIGHT = 0.3
"""The share of the way from the brightness of the board's black stones to that of its white ones, above which a stone
read as black is equally likely white.
"""
EITHER = 0.45
"""The share of a black stone's probability that is then given to white."""
FEWEST, APART = 5, 10.0
"""The number of sure stones of each colour from which their brightness is known, if it differs by at least APART levels
of 255.
"""
ALIKE = 0.2
"""The share of the way from the brightness of the board's black stones to that of its white ones, within which a stone
in a corner is as bright as those of its colour. Chosen by hand.
"""
GLOW, ODD, MOST_ALIKE, DARK = 0.3, 6.0, 0.75, 8.0
"""The distance of a white stone's hue from the usual one of the board's white stones, in natural logs of blue and red
over green (each with DARK levels more), from which it may be a light: also so many times the distance of the share
MOST_ALIKE of them. Of the stones on labelled photographs none is as far, of lit LEDs that were read as white all.
"""
AMID = 7
"""The number of doubtful points, of the eight around it, among which a stone is no surer: something lies over them."""
MANY, TEMPERATURE = 0.05, 1.36
"""If more than the share MANY of the points that nothing hides is doubtful, all log-odds are divided by TEMPERATURE:
0.995 becomes 0.98.
"""
MOST, BLINDED = 0.5, 2.0
"""If, in addition, more than the share MOST of all points is doubtful or hidden, they are divided by BLINDED: 0.9996
becomes 0.98.
"""


def doubt_glows(probabilities: Floats, colours: Floats) -> Floats:
    """Return the probabilities, with white stones of a hue of their own as likely a lit but empty point.

    Args:
        probabilities: of empty, black and white, shape (size, size, 3).
        colours: of every point's middle, 0 to 255, shape (size, size, 3).
    """
    white = probabilities.argmax(axis=-1) == WHITE
    sure = white & (probabilities.max(axis=-1) >= DOUBTFUL_BELOW)
    if sure.sum() < FEWEST:
        return probabilities
    levels = np.log(colours + DARK)
    hues = levels[..., [0, 2]] - levels[..., 1:2]
    distances = np.linalg.norm(hues - np.median(hues[sure], axis=0), axis=-1)
    glows = white & (distances > max(GLOW, ODD * float(np.quantile(distances[sure], MOST_ALIKE))))
    hedged = probabilities.copy()
    hedged[glows, EMPTY] += EITHER * hedged[glows, WHITE]
    hedged[glows, WHITE] *= 1 - EITHER
    return hedged


def find_stones_amid_doubt(probabilities: Floats) -> npt.NDArray[np.bool_]:
    """Return the stones around which nearly every point is doubtful, shape (size, size), as in a bowl on the board.

    `probabilities`: of empty, black and white, shape (size, size, 3).
    """
    doubtful = (probabilities.max(axis=-1) < DOUBTFUL_BELOW).astype(np.float32)
    around = cv2.boxFilter(doubtful, -1, (3, 3), normalize=False, borderType=cv2.BORDER_CONSTANT) - doubtful
    return np.asarray((probabilities.argmax(axis=-1) != EMPTY) & (around > AMID - 0.5))


def scale_confidence(probabilities: Floats, hidden: npt.NDArray[np.bool_], brightness: Floats) -> Floats:
    """Return calibrated probabilities of empty, black and white, shape (size, size, 3), from the net's own.

    Confidence is reduced if a black stone is as bright as white ones, and, by temperature scaling, on a board much of
    which is doubtful. If wood shines and stones do not, white stones are darker than their surroundings, and the net
    takes some for black; they are still as bright as the board's other white stones.

    Args:
        probabilities: the net's own, shape (size, size, 3).
        hidden: points under a hand or beside one, shape (size, size).
        brightness: that of every point's middle, 0 to 255, shape (size, size).
    """
    capped = _cap_bright_black_stones(probabilities, brightness)
    doubtful = (capped.max(axis=-1) < DOUBTFUL_BELOW) & ~hidden
    if doubtful.sum() <= MANY * hidden.size:
        return capped
    is_blinded = (doubtful | hidden).mean() > MOST
    scaled = capped ** np.float32(1 / (BLINDED if is_blinded else TEMPERATURE))
    return np.asarray(scaled / scaled.sum(axis=-1, keepdims=True), np.float32)


def settle_corner_colours(answer: Floats, brightness: Floats) -> Floats:
    """Return the net's answer, with no other colour at a corner whose stone is as bright as those of its colour.

    At a corner the net sees little of the board, and is less sure of a colour than anywhere else.

    Args:
        answer: the probabilities of empty, black, white and hidden, shape (size, size, 4).
        brightness: that of every point's middle, 0 to 255, shape (size, size).
    """
    kinds, sure = answer[..., :CONTENTS].argmax(axis=-1), answer.max(axis=-1) >= DOUBTFUL_BELOW
    black, white = (brightness[sure & (kinds == colour)] for colour in (BLACK, WHITE))
    if min(len(black), len(white)) < FEWEST:
        return answer
    dark, bright = float(np.median(black)), float(np.median(white))
    settled = answer.copy()
    for corner in ((row, column) for row in (0, -1) for column in (0, -1)):
        own, other, usual = (BLACK, WHITE, dark) if kinds[corner] == BLACK else (WHITE, BLACK, bright)
        is_alike = abs(float(brightness[corner]) - usual) < ALIKE * (bright - dark)
        if kinds[corner] != EMPTY and bright - dark >= APART and is_alike:
            settled[corner][own] += settled[corner][other]
            settled[corner][other] = 0
    return settled


def _cap_bright_black_stones(probabilities: Floats, brightness: Floats) -> Floats:
    """Return the probabilities, with too bright black stones almost as likely white."""
    kinds, sure = probabilities.argmax(axis=-1), probabilities.max(axis=-1) >= DOUBTFUL_BELOW
    black, white = (brightness[sure & (kinds == colour)] for colour in (BLACK, WHITE))
    if min(len(black), len(white)) < FEWEST:
        return probabilities
    dark, bright = float(np.median(black)), float(np.median(white))
    if bright - dark < APART:
        return probabilities
    bright_ones = (kinds == BLACK) & (brightness > dark + BRIGHT * (bright - dark))
    hedged = probabilities.copy()
    hedged[bright_ones, WHITE] += EITHER * hedged[bright_ones, BLACK]
    hedged[bright_ones, BLACK] *= 1 - EITHER
    return hedged


# The board from straight above. Chosen by hand (docs/vision.md).

BLOCK = 8
"""The pixel distance over which a curved lens's distortion is interpolated linearly."""
SHRINK_FROM = 1.6
"""The reduction, in pixels per rectified pixel, above which a picture is first shrunk, by averaging."""


def rectify_board(image: Image, grid: Grid, cell: float, margin: float) -> Image:
    """Return the board from above, `cell` pixels a cell, with `margin` cells around the outer lines."""
    image, grid = _crop_to_board(image, grid, margin)
    image, grid = _shrink(image, grid, cell)
    side = round((grid.size - 1 + 2 * margin) * cell) + 1
    if grid.curvature:
        return _remap(image, grid, cell, margin, side)
    to_board = np.array([[1, 0, -margin * cell + 0.5], [0, 1, -margin * cell + 0.5], [0, 0, 1]])
    to_board[:2] /= (grid.size - 1) * cell
    to_image = grid.homography() @ to_board
    flags = cv2.INTER_LINEAR | cv2.WARP_INVERSE_MAP
    return _as_image(cv2.warpPerspective(image, to_image, (side, side), flags=flags, borderMode=cv2.BORDER_REPLICATE))


def _remap(image: Image, grid: Grid, cell: float, margin: float, side: int) -> Image:
    """Return the board rectified through a curved lens: computed for one pixel per BLOCK by BLOCK, else
    interpolated.
    """
    middles = np.arange(-1, -(-side // BLOCK) + 1) * BLOCK + (BLOCK - 1) / 2
    steps = (middles + 0.5 - margin * cell) / ((grid.size - 1) * cell)
    coarse_map = grid.to_pixels(np.stack(np.meshgrid(steps, steps), axis=-1)).astype(np.float32)
    pixel_map = cv2.resize(coarse_map, None, fx=BLOCK, fy=BLOCK, interpolation=cv2.INTER_LINEAR)[BLOCK:, BLOCK:][
        :side, :side
    ]
    return _as_image(
        cv2.remap(image, pixel_map[..., 0], pixel_map[..., 1], cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE)
    )


def _crop_to_board(image: Image, grid: Grid, margin: float) -> tuple[Image, Grid]:
    """Return the part of the picture that shows the board, so that only that is shrunk, and the grid in it."""
    rim = np.array([-margin, grid.size - 1 + margin]) / (grid.size - 1)
    outline = grid.to_pixels(np.stack(np.meshgrid(rim, rim), axis=-1)).reshape(-1, 2)
    height, width = image.shape[:2]
    low = np.clip(np.floor(outline.min(axis=0)).astype(int) - 2, 0, [width - 2, height - 2])
    high = np.clip(np.ceil(outline.max(axis=0)).astype(int) + 3, low + 2, [width, height])
    part = image[low[1] : high[1], low[0] : high[0]]
    return part, grid.move_grid(1.0, -low.astype(np.float64))


def _shrink(image: Image, grid: Grid, cell: float) -> tuple[Image, Grid]:
    scale = cell / grid.cell()
    if scale * SHRINK_FROM > 1:
        return image, grid
    width, height = (max(2, round(length * scale)) for length in image.shape[1::-1])
    small = cv2.resize(image, (width, height), interpolation=cv2.INTER_AREA)
    return _as_image(small), grid.move_grid(scale, np.zeros(2))


def _as_image(pixels: object) -> Image:
    return np.asarray(pixels, dtype=np.uint8)
