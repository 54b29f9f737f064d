"""The camera's tracker over a whole evening: boards of other sizes are put on the table, moved and taken away.

A `BoardTracker` tracks one board. `MultiBoardTracker` detects that this board is gone and another one is there, and
starts a new tracker for it. While no board is visible, an unchanged picture is not searched again: a search takes a
hundred times as long as detecting a change.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import cv2
import numpy as np
import numpy.typing as npt

from referee import Observation
from vision.board.markers import BoardDetection
from vision.board.select_board import find_again
from vision.calibration.model import Grid
from vision.camera.flicker import Flicker
from vision.camera.frame import Frame, Image
from vision.tracking.board_search import MIN_OVERLAP
from vision.tracking.motion import CELL, MARGIN, NOISE_LEVEL, View, board_view
from vision.tracking.reading import Reading
from vision.tracking.tracker import BoardTracker, TrackerConfig

# Chosen by hand (docs/vision.md).
OVERVIEW_SIZE_PX = (160, 90)
"""The size of the overview used to detect changes."""
MIN_LEVEL_CHANGE = 10.0
"""The grey-level difference, over 3 by 3 overview pixels, below which a change is noise or light."""
BOARD_GONE_AFTER_S = 4.0
"""Time without a steady view of the board before another board is searched for."""
QUIET_S = 0.6
"""Time without movement in the picture before that search."""
NEXT_SEARCH_AFTER_S = 2.0
"""Time between two such searches."""
STALE_AFTER_S = 10.0
"""Time after which another board, seen once, is forgotten."""
MAX_SEARCH_INTERVAL_S = 60.0
"""Time after which an unchanged picture is searched anyway."""
MIN_UPHEAVAL_POINTS = 6
"""The number of points changed between two observations from which they may show another board."""
MAX_FEW_STONES = 3
"""The maximum number of stones on a board whose size is verified."""
ELSEWHERE_AFTER_S = 60.0
"""Time without the board before one that lies elsewhere is tracked; until then it may be a neighbour's."""
SAME_BOARD_OVERLAP = 0.8
"""The share of a known board's area from which a board that covers it is the same board."""
BOARD_MARGIN_CELLS = 1.5
"""Cells around a board taken up by its own wood and shadow."""
DRAWN_CONTRAST, STAYS_BEYOND = 25.0, 0.3
"""High-passed levels of lines and stones, and the share of them that stays if a board is partly covered."""
MIN_DETECTIONS = 2
"""The number of agreeing detections required."""
UNSURE, MOST_UNSURE = 0.8, 1 / 6
"""Limits of a usable observation: with more than MOST_UNSURE of the points less likely than UNSURE it shows no
board; the referee uses the same limits.
"""

Overview = npt.NDArray[np.float32]
"""A small grey picture."""


@dataclass(frozen=True)
class _OtherBoard:
    """Another board, found in place of the tracked one.

    `grid`: where it lies.
    `t`: the time of the last detection, in seconds.
    `times`: the number of detections in a row.
    """

    grid: Grid
    t: float
    times: int = 1

    def detect_again(self, place: BoardDetection, t: float) -> _OtherBoard:
        """Return the state after one more detection; counting restarts if the board lies elsewhere."""
        is_same = place.grid.size == self.grid.size and place.grid.covered_share(self.grid) > SAME_BOARD_OVERLAP
        return _OtherBoard(place.grid, t, self.times + 1 if is_same else 1)


class MultiBoardTracker:
    """A tracker of changing boards: takes every frame in order and returns the observations that can be trusted.

    `board`: the index of the tracked board, from 0; it grows each time another board is found.
    """

    def __init__(self, config: TrackerConfig) -> None:
        self._config = config
        self._tracker = BoardTracker(config)
        self._flicker = Flicker()
        self._before: Overview | None = None
        self._moved_at = 0.0
        self._vain: tuple[Overview, float] | None = None
        self._seen_at: float | None = None
        self._sought_at = -NEXT_SEARCH_AFTER_S
        self._last: Observation | None = None
        self._other: _OtherBoard | None = None
        self._sure: tuple[Overview, int] | None = None
        self._plain: tuple[object, bool] | None = None
        self.board = 0

    @property
    def reading(self) -> Reading | None:
        """Return the last reading, as `BoardTracker.reading` does."""
        return self._tracker.reading

    @property
    def grid(self) -> Grid | None:
        """Return the detected board, None until one is found."""
        return self._tracker.grid

    def see(self, frame: Frame) -> Observation | None:
        """Return an observation of the table, or None while it moves, is covered, or no board is found."""
        frame = self._flicker.remove_bands(frame, has_moved=self._is_unseen(frame.t))
        if not self._config.stills and self._is_in_vain(frame):
            return None
        observation = self._tracker.see(frame)
        if self._is_plain(observation or self._tracker.standing):
            self._seen_at, self._vain = frame.t, None
            return self._check_size(frame, observation) if observation is not None else None
        if self._config.stills:
            return self._sought_in_still(frame)
        self._seek_other_board(frame)
        return None

    def hold_lids(self, contents: Sequence[tuple[int, int]]) -> None:
        """Take what the game's record has in the lids, as `BoardTracker.hold_lids` does."""
        self._tracker.hold_lids(contents)

    def _is_plain(self, observation: Observation | None) -> bool:
        """Return True if an observation shows a board at all.

        Another object in the board's place can be read as one too, but with nearly no point sure.
        """
        if observation is None:
            return False
        if self._plain is None or self._plain[0] is not observation.points:
            unsure = sum(max(sight) < UNSURE for sight in observation.points)
            self._plain = observation.points, unsure <= MOST_UNSURE * len(observation.points)
        return self._plain[1]

    # While no board is seen

    def _is_unseen(self, t: float) -> bool:
        return self._seen_at is None or t - self._seen_at >= BOARD_GONE_AFTER_S / 2

    def _is_in_vain(self, frame: Frame) -> bool:
        """Return True if this picture was searched for a board already; note when it last moved."""
        if not self._is_unseen(frame.t):
            self._before = None
            return False
        overview = _make_overview(frame.pixels)
        before, self._before = self._before, overview
        if before is None or _is_different(overview, before):
            self._moved_at = frame.t
        if self._vain is None:
            return False
        pixels, since = self._vain
        if _is_different(overview, pixels) or frame.t - since > MAX_SEARCH_INTERVAL_S:
            self._vain = None
        return self._vain is not None

    def _seek_other_board(self, frame: Frame) -> None:
        """Search for another board, if the known one was lost for long and nothing moves."""
        if self._tracker.grid is None:
            if self._tracker.searched_at == frame.t and self._before is not None:
                self._vain = self._before, frame.t
            return
        is_lost = self._seen_at is None or frame.t - self._seen_at > BOARD_GONE_AFTER_S
        is_quiet = self._before is not None and frame.t - self._moved_at >= QUIET_S
        if (
            not is_lost
            or not is_quiet
            or frame.t - self._sought_at < NEXT_SEARCH_AFTER_S
            or self._config.calibration is not None
        ):
            return
        self._sought_at, self._sure = frame.t, None
        place = find_again(frame.pixels, self._config.size)
        if place is None and self._before is not None:
            self._vain = self._before, frame.t
        elif place is not None and place.meant and self._is_another(place.grid, frame):
            self._consider_detection(place, frame)

    def _is_another(self, grid: Grid, frame: Frame) -> bool:
        """Return True if this is clearly neither the known board, perhaps partly hidden, nor a neighbour's board seen
        while somebody leans over the own one.
        """
        known_grid = self._tracker.grid
        if known_grid is None or (grid.size == known_grid.size and grid.covered_share(known_grid) > SAME_BOARD_OVERLAP):
            return False
        if max(grid.covered_share(known_grid), known_grid.covered_share(grid)) < MIN_OVERLAP:
            return self._config.stills or frame.t - (self._seen_at or 0.0) > ELSEWHERE_AFTER_S
        accepted_view = self._tracker.accepted_view
        if grid.size >= known_grid.size or accepted_view is None:
            return True
        return not _is_unchanged_beyond(accepted_view, board_view(frame.levels, known_grid), known_grid, grid)

    def _consider_detection(self, place: BoardDetection, frame: Frame) -> None:
        """Count the detection of another board, and track that board once it is confirmed."""
        self._other = (
            self._other.detect_again(place, frame.t) if self._other is not None else _OtherBoard(place.grid, frame.t)
        )
        if self._other.times >= MIN_DETECTIONS or self._config.stills:
            self._begin_tracker()

    def _begin_tracker(self) -> None:
        self._tracker = BoardTracker(self._config)
        self._other = self._last = self._sure = None
        self.board += 1

    def _sought_in_still(self, frame: Frame) -> Observation | None:
        """Return the observation of a still that shows another board than the known one."""
        if self._tracker.grid is None or self._config.calibration is not None:
            return None
        place = find_again(frame.pixels, self._config.size)
        if place is None or not self._is_another(place.grid, frame):
            return None
        self._begin_tracker()
        return self._tracker.see(frame)

    # While a board is visible

    def _check_size(self, frame: Frame, observation: Observation) -> Observation | None:
        """Return the observation, unless the board turns out to be of another size than the known one."""
        before, self._last = self._last, observation
        if self._other is not None and frame.t - self._other.t > STALE_AFTER_S:
            self._other = None
        is_same = before is not None and before.points is observation.points
        if self._other is None and (is_same or not self._is_open(before, observation)):
            return observation
        overview = _make_overview(frame.pixels)
        if self._sure is None or _is_different(overview, self._sure[0]):
            self._sure = overview, 0
        if self._config.size or self._config.calibration or self._sure[1] >= MIN_DETECTIONS:
            return observation
        place = find_again(frame.pixels)
        if place is None or not place.meant or self._tracker.grid is None:
            return observation if self._other is None else None
        if place.grid.size == self._tracker.grid.size:
            self._sure, self._other = (overview, self._sure[1] + 1), None
            return observation
        self._consider_detection(place, frame)
        return None

    def _is_open(self, before: Observation | None, observation: Observation) -> bool:
        """Return True if the board's identity has to be verified."""
        stones = sum(sight[0] < 0.5 for sight in observation.points)
        return stones <= MAX_FEW_STONES or (
            before is not None and _count_changes(before, observation) >= MIN_UPHEAVAL_POINTS
        )


def _is_unchanged_beyond(accepted_view: View, view: View, known_grid: Grid, grid: Grid) -> bool:
    """Return True if lines and stones of the known board are unchanged outside a smaller board that was found."""
    corners = known_grid.to_board(np.array(grid.corners, np.float64)) * (known_grid.size - 1)
    offsets = corners - corners.mean(axis=0)
    inside = np.rint((corners + np.sign(offsets) * BOARD_MARGIN_CELLS + MARGIN) * CELL).astype(np.int32)
    beyond = cv2.fillConvexPoly(np.ones(accepted_view.shape, np.uint8), inside, 0) > 0
    drawn_mask = beyond & (np.abs(accepted_view) > DRAWN_CONTRAST)
    stays = drawn_mask & (np.abs(view - accepted_view) < NOISE_LEVEL)
    return bool(stays.sum() > STAYS_BEYOND * max(1, drawn_mask.sum()))


def _count_changes(before: Observation, after: Observation) -> int:
    """Return the number of points whose content differs; all of them if the boards differ in size."""
    if len(before.points) != len(after.points):
        return len(after.points)
    pairs = zip(before.points, after.points, strict=True)
    return sum(one.index(max(one)) != other.index(max(other)) for one, other in pairs)


def _make_overview(image: Image) -> Overview:
    small = cv2.resize(image[::2, ::2], OVERVIEW_SIZE_PX, interpolation=cv2.INTER_AREA)
    return np.asarray(cv2.blur(cv2.cvtColor(small, cv2.COLOR_BGR2GRAY).astype(np.float32), (3, 3)), np.float32)


def _is_different(one: Overview, other: Overview) -> bool:
    return float(np.abs(one - other).max()) > MIN_LEVEL_CHANGE
