"""The search for the tracked board: in the whole picture at first, and again wherever it may have moved to.

A search takes a hundred times as long as detecting a change, so in a video it is not repeated at once.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial

from referee import Message
from vision.board.calibration_fit import estimate_lens
from vision.board.detect import find_place, refine_board
from vision.board.markers import BoardDetection, align_corner_order, has_image_orientation
from vision.board.select_board import find_again, find_first, find_where
from vision.calibration.model import Calibration, Grid
from vision.camera.frame import Frame, Image
from vision.stones.reader import EMPTY
from vision.tracking.occlusion import LOST_AFTER_S
from vision.tracking.reading import Reading

# Chosen by hand (docs/vision.md).
HOME_ONLY_S = 20.0
"""For so long a board with a known position is searched only where it may have moved to."""
SEARCH_INTERVAL_S = 1.0
"""Time of a video between two searches for a board."""
MAX_CHANGED_POINTS = 4
"""The number of points that may have changed for a board to be recognised by its stones after a bump."""
MIN_KNOWN_STONES = 5
"""The number of known stones that a board elsewhere must show; with fewer a neighbour's, or a bare one, looks like
it.
"""
MIN_OVERLAP, MAX_SCALE_CHANGE = 0.3, 0.4
"""Limits for finding a long-lost board by its shape alone: the share of its old position that it overlaps, and the
relative change of its size.
"""
SAME_PLACE_CELLS = 0.3
"""The movement of each corner below which a board lies where it lay."""


class BoardSearch:
    """The search for one board, and the position found.

    `grid`: the board as found or given, None until it is found.
    `notes`: the notes of the last detection.
    `searched_at`: the time of the last search, in seconds.
    """

    def __init__(
        self, stills: bool, size: int | None, calibration: Calibration | None, last: Calibration | None
    ) -> None:
        self.grid = calibration.grid if calibration is not None else None
        self.notes: tuple[Message, ...] = ()
        self.searched_at: float | None = None
        self._stills, self._size = stills, size
        self._is_given, self._needs_lens = calibration is not None, calibration is not None
        self._last = last
        self._home = last.grid if last is not None and not stills else None
        self._home_since: float | None = None
        self._on_cards = False

    def may_start(self, t: float) -> bool:
        """Return True if the board may be searched now, and note the time: in a video not again at once."""
        if not self._stills and self.searched_at is not None and t - self.searched_at < SEARCH_INTERVAL_S:
            return False
        self.searched_at = t
        return True

    def fit_lens(self, frame: Frame) -> None:
        """Estimate the lens from the first frame's lines, if corners were given without one."""
        if self._needs_lens and self.grid is not None:
            self.grid, self._needs_lens = estimate_lens(frame.pixels, self.grid), False

    # Without a board

    def find_place(self, image: Image, t: float) -> Calibration | None:
        """Return the board with the lids known to lie beside it; None if none is found, or none is plainly meant."""
        place = self._find_last(image) or self._find_first(image, t)
        self.grid = place.grid if place is not None else None
        return place

    def drop_board(self) -> None:
        """Drop the board, which has moved; for a while it is searched only near the place it had."""
        self._home, self.grid = self.grid, None
        self.searched_at = self._home_since = None

    def _find_last(self, image: Image) -> Calibration | None:
        """Find the board at its last position; tried once."""
        last, self._last = self._last, None
        grid = refine_board(image, last.grid) if last is not None else None
        if grid is None or last is None:
            return None
        return Calibration(grid, last.lids if is_same_place(grid, last.grid) else ())

    def _find_first(self, image: Image, t: float) -> Calibration | None:
        place = self._detect_board(image, t)
        if place is None:
            return None
        self.notes = place.notes
        if not place.meant and not self._stills:
            return None
        self._on_cards = bool(place.cards)
        return Calibration(place.grid)

    def _detect_board(self, image: Image, t: float) -> BoardDetection | None:
        """Return the board in the picture.

        For a while only its last known position counts: another board may be all that is in view now, because somebody
        leans over the own one.
        """
        self._home_since = t if self._home_since is None else self._home_since
        if self._home is None:
            return find_first(image, self._size)
        if t - self._home_since > HOME_ONLY_S:
            return find_again(image, self._size)
        return find_where(image, partial(_may_have_moved, self._home), self._size)

    # With a board that is lost

    def list_candidates(self, image: Image, slid: bool) -> Iterator[Grid]:
        """Yield the positions where the board may lie now, the nearest first. `slid`: it was bumped a little."""
        assert self.grid is not None
        is_near = slid or self._is_given or not self._stills
        nearby_grid = refine_board(image, self.grid) if is_near else None
        if nearby_grid is not None:
            yield nearby_grid
        distant_grid = None if self._is_given else self._detect_again(image, self.grid)
        if distant_grid is not None:
            yield distant_grid

    def is_same_board(self, grid: Grid, now: Reading, before: Reading | None, unseen_s: float) -> bool:
        """Return True if a board found elsewhere is the lost one: plain, and with the same stones but for a few.

        Args:
            grid: where it lies.
            now: its reading there.
            before: the last agreed reading.
            unseen_s: seconds since the board was last seen.
        """
        assert self.grid is not None
        if not now.is_mostly_sure():
            return False
        is_known = (
            before is None or int((now.likeliest_kinds() != before.likeliest_kinds()).sum()) <= MAX_CHANGED_POINTS
        )
        if not _may_have_moved(self.grid, grid):
            return is_known and before is not None and _count_same_stones(now, before) >= MIN_KNOWN_STONES
        # Moments in which nothing lies over the board are too short to be read.
        return is_known or unseen_s > LOST_AFTER_S

    def _detect_again(self, image: Image, before: Grid) -> Grid | None:
        """Return the board's new position; an orientation given earlier is kept while cards are hidden."""
        place = find_place(image, before.size)
        if place is None:
            return None
        self.notes = place.notes
        is_oriented = self._on_cards if place.cards else has_image_orientation(before)
        return place.grid if is_oriented else align_corner_order(place.grid, before)


def is_same_place(one: Grid, other: Grid) -> bool:
    """Return True if a board lies just where the other lies."""
    tolerance = SAME_PLACE_CELLS * other.cell()
    return all(
        abs(x - u) < tolerance and abs(y - v) < tolerance
        for (x, y), (u, v) in zip(one.corners, other.corners, strict=True)
    )


def _may_have_moved(before: Grid, grid: Grid) -> bool:
    """Return True if a board found there can be the lost one: it overlaps the old position and is about as large.

    A board elsewhere is another one, unless it shows the known stones.
    """
    return grid.covered_share(before) >= MIN_OVERLAP and abs(grid.cell() / before.cell() - 1) <= MAX_SCALE_CHANGE


def _count_same_stones(now: Reading, before: Reading) -> int:
    """Return the number of stones that lie where they lay."""
    return int(((now.likeliest_kinds() == before.likeliest_kinds()) & (before.likeliest_kinds() != EMPTY)).sum())
