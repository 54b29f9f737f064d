"""Frame health: does a camera's frame show the table as it is now? Decided before anything is read in it.

Pure: times are passed in. A frame takes less than 2 ms at 1920x1080, because only a part of its pixels is examined.

An unhealthy frame is not processed. Its fault is reported once most frames of the last second had one, and cleared
once frames have been healthy for half a second.
"""

from __future__ import annotations

import zlib
from collections import deque
from dataclasses import dataclass
from enum import StrEnum

import cv2
import numpy as np
import numpy.typing as npt

from vision.camera.frame import Frame, Grey, Levels, green_of, grey_of

# Chosen by hand, and measured on the photographs and on drawn tables (docs/vision.md).
REPORT_AFTER_S, REPORT_FROZEN_AFTER_S = 1.0, 2.0
"""Time of unhealthy frames before the fault is reported; the second for a camera that may just repeat a frame now
and then.
"""
CLEAR_AFTER_S = 0.5
"""Time of healthy frames after which a reported fault is cleared."""
RING = 8
"""The number of recent frames compared for repetition: a hung driver may return its few buffers in turn."""
MAX_INTERVAL_S = 0.6
"""Time between two frames above which a hand that comes and goes is missed."""
MAX_INTERVAL_OF_TWO_S = 1.5
"""Time for two frames together above which the fault is reported at once, because it has lasted."""
IDLE = 0.5
"""The share of that time spent waiting for the frame; below it the box was slow, not the camera."""
MIN_INTERVAL_S = 1 / 25
"""Time after a frame within which the next one is dropped."""
NEW_SIZE_AFTER_S = 30.0
"""Time after which another size is no fault any more but another camera, or another mode of it."""
THUMBNAIL_SIZE_PX = 160, 90
"""The size of the thumbnail."""
BLACK, WHITE, BLANK = 24, 250, 6
"""Grey-level limits: darker, brighter, or a smaller range than any visible table."""
ALL = 99.5
"""The percentile that has to be dark."""
MOST_WHITE, MORE_WHITE = 0.8, 0.4
"""The share of bright pixels required, and the required increase since the table was seen; on photographs it is 0.1 at
most.
"""
SMOOTH, STRUCTURE = 0.75, 0.25
"""The correlation of adjacent pixels, and of pixels a little apart, below which a row is noise."""
NOISY_ROWS, SOME_NOISY_ROWS, LIVELY = 0.9, 0.2, 400.0
"""The share of noisy rows in a picture of noise; the increase over the usual share at this table in a partly noisy
picture; and the minimum variance of a noisy row.
"""
MOST_STEP = 32
"""The cap on the step from one row to the next, in grey levels."""
SEAM, SEAM_ALONE = (2.0, 1.4), (3.0, 2.0)
"""The ratio of a row's step to its neighbours', over most of the width, that makes a seam: at least the first number,
and the second times the usual ratio at this table. SEAM_ALONE applies if no part of the picture lies where it lay. On a
fixed camera's photographs the ratio is 1.8 at most; in torn pictures 2 to 30.
"""
SEAM_WIDE = 1.65
"""The same ratio for three quarters of the width, each by itself."""
EDGE = 1 / 16
"""The share of the height, at the top and bottom edges, that is not searched for seams."""
DIFFERS, OTHER_PART, MORE = 15, 0.1, 2.5
"""Grey levels by which a pixel differs from the table seen last; the share of such pixels in a part that has moved, and
its ratio to the share in the other part.
"""
FLAT_ROWS, FLAT = 0.04, 2
"""The share of rows without structure in a partly received picture, and their maximum grey-level range."""
TURNED_LIKE, TURNED_MORE = 0.4, 0.3
"""The correlation with the table seen last that a picture must reach when turned back, and its gain over the picture
as it is. On drawn tables at least 0.7 and 0.5; an unturned picture never correlates better turned.
"""
AS_IT_LAY = 0.7
"""The correlation with the table seen last above which a picture is neither turned nor rolled."""
ROLLED, ROLLED_LIKE = 0.1, 0.5
"""The minimum share of the height or width by which a picture is rolled, and the minimum correlation with the table
seen last, both of the picture rolled back and of the part that came in at the other edge.
"""
HIGH_PASS = 15
"""The size of the high-pass filter, in thumbnail pixels."""


class Fault(StrEnum):
    """A fault of a camera's frames.

    `frozen`: the same frame again and again.
    `black`, `white`: nothing but dark or light.
    `blank`: one colour.
    `noise`: nothing but noise.
    `size`: another size than before.
    `torn`: parts of several frames, or partly received.
    `turned`: upside down or mirrored.
    `slow`: too few frames.
    """

    FROZEN = "frozen"
    BLACK = "black"
    WHITE = "white"
    BLANK = "blank"
    NOISE = "noise"
    SIZE = "size"
    TORN = "torn"
    TURNED = "turned"
    SLOW = "slow"


MESSAGE_KEYS = tuple(f"feed.{fault}" for fault in Fault)


@dataclass(frozen=True)
class FrameVerdict:
    """The verdict on one frame.

    `well`: the frame may be processed.
    `fault`: the fault currently reported.
    `soon`: the frame came too soon after another.
    """

    well: bool
    fault: Fault | None = None
    soon: bool = False


@dataclass(frozen=True)
class _TableReference:
    """The table as last seen: thumbnail, some columns, and the picture's usual seam, flat, white and noisy measures."""

    shape: tuple[int, ...]
    thumb: npt.NDArray[np.float32]
    columns: Grey
    seam: float
    flat: float
    white: float
    noisy: float


class FrameHealthMonitor:
    """A monitor that judges the frames of one camera in order.

    `live`: the source is a camera; a recording may repeat itself.
    """

    def __init__(self, live: bool = True) -> None:
        self._live = live
        self._shape: tuple[int, ...] | None = None
        self._ring: deque[int] = deque(maxlen=RING)
        self._recent: deque[tuple[float, Fault | None]] = deque()
        self._arrivals: deque[float] = deque(maxlen=3)
        self._reference: _TableReference | None = None
        self._last_t: float | None = None
        self._bad_since: float | None = None
        self._bad_at = 0.0
        self.reported_fault: Fault | None = None

    def reset(self) -> None:
        """Reset after the camera was reopened: frames may have another size, and the gap in time is no fault."""
        self._shape = self._last_t = self._bad_since = self.reported_fault = None
        self._recent.clear()
        self._arrivals.clear()

    def forget_table(self) -> None:
        """Discard what was seen before, when a person has the table searched again."""
        self._reference = self._shape = None

    @property
    def is_outgrown(self) -> bool:
        """Return True if the frame size has differed for so long that the camera should be reopened and trusted."""
        since, at = self._bad_since, self._last_t
        return (
            self.reported_fault is Fault.SIZE
            and since is not None
            and at is not None
            and at - since >= NEW_SIZE_AFTER_S
        )

    def judge_frame(self, frame: Frame, idle: float = 0.0) -> FrameVerdict:
        """Return the verdict on a frame.

        `idle`: the share of the time since the last frame that was spent waiting for this one.
        """
        if self._live and self._last_t is not None and 0 <= frame.t - self._last_t < MIN_INTERVAL_S:
            return FrameVerdict(False, self.reported_fault, soon=True)
        self._arrivals.append(frame.t)
        fault = self._find_fault(frame, idle)
        self._last_t = frame.t
        self._note_fault(frame.t, fault)
        return FrameVerdict(fault is None and self.reported_fault is None, self.reported_fault)

    def trust_frame(self, frame: Frame) -> None:
        """Remember this frame as one in which the table was seen."""
        columns, thumb = _sample_columns(frame.levels), make_thumbnail(frame.levels)
        seam, white, noisy = _find_seam(columns)[1], float((thumb >= WHITE).mean()), _noisy_share(frame.levels)
        self._reference = _TableReference(
            frame.levels.shape, _high_pass(thumb), columns, seam, _flat_share(columns), white, noisy
        )

    def _note_fault(self, t: float, fault: Fault | None) -> None:
        """Report a fault that most frames have, or clear it."""
        if self._last_t is not None and self._recent and t < self._recent[-1][0]:
            self._recent.clear()
        self._recent.append((t, fault))
        while self._recent[0][0] < t - REPORT_AFTER_S:
            self._recent.popleft()
        bad = [one for _, one in self._recent if one is not None]
        if fault is None and t - self._bad_at >= CLEAR_AFTER_S:
            self.reported_fault = self._bad_since = None
        if fault is not None:
            self._bad_at = t
            self._bad_since = t if self._bad_since is None else self._bad_since
            lasts = REPORT_FROZEN_AFTER_S if fault is Fault.FROZEN else REPORT_AFTER_S
            has_lasted = t - self._bad_since >= lasts - MIN_INTERVAL_S and 2 * len(bad) > len(self._recent)
            if has_lasted or (fault is Fault.SLOW and self._are_few):
                self.reported_fault = fault

    @property
    def _are_few(self) -> bool:
        return (
            len(self._arrivals) == self._arrivals.maxlen
            and self._arrivals[-1] - self._arrivals[0] >= MAX_INTERVAL_OF_TWO_S
        )

    def _find_fault(self, frame: Frame, idle: float) -> Fault | None:
        grey = make_thumbnail(frame.levels)
        return self._find_own_fault(frame.levels, grey) or (
            self._find_sequence_fault(frame, grey, idle) if self._live else None
        )

    def _find_own_fault(self, pixels: Levels, grey: Grey) -> Fault | None:
        """Return the fault of the picture on its own, whatever came before."""
        low, high = np.percentile(grey, (100 - ALL, ALL))
        if high <= BLACK:
            return Fault.BLACK
        if (grey >= WHITE).mean() >= (
            min(self._reference.white + MORE_WHITE, MOST_WHITE) if self._reference else MOST_WHITE
        ):
            return Fault.WHITE
        if high - low <= BLANK:
            return Fault.BLANK
        noisy = _noisy_share(pixels)
        partly = self._reference is not None and noisy >= self._reference.noisy + SOME_NOISY_ROWS
        return Fault.NOISE if noisy >= NOISY_ROWS else Fault.TORN if partly else None

    def _find_sequence_fault(self, frame: Frame, grey: Grey, idle: float) -> Fault | None:
        """Return its fault compared with the frames before."""
        pixels, self._shape = frame.levels, self._shape or frame.levels.shape
        if pixels.shape != self._shape:
            return Fault.SIZE
        mark = zlib.crc32(pixels[::16].tobytes())
        again = mark in self._ring
        self._ring.append(mark)
        if again:
            return Fault.FROZEN
        if self._last_t is not None and idle >= IDLE and (frame.t - self._last_t >= MAX_INTERVAL_S or self._are_few):
            return Fault.SLOW
        return (
            self._find_fault_against_table(pixels, grey)
            if self._reference and self._reference.shape == pixels.shape
            else None
        )

    def _find_fault_against_table(self, pixels: Levels, grey: Grey) -> Fault | None:
        assert self._reference is not None
        small = _high_pass(grey)
        straight = _correlate(small, self._reference.thumb)
        if straight < AS_IT_LAY:
            if _is_turned(small, self._reference.thumb, straight):
                return Fault.TURNED
            if _is_rolled(small, self._reference.thumb):
                return Fault.TORN
        return Fault.TORN if _is_torn(_sample_columns(pixels), self._reference) else None


def make_thumbnail(pixels: Levels) -> Grey:
    """Return a small grey picture, shape (90, 160)."""
    small = cv2.resize(pixels, THUMBNAIL_SIZE_PX, interpolation=cv2.INTER_LINEAR)
    return grey_of(np.asarray(small, np.uint8))


def _high_pass(grey: Grey) -> npt.NDArray[np.float32]:
    levels = grey.astype(np.float32)
    return np.asarray(levels - cv2.blur(levels, (HIGH_PASS, HIGH_PASS)), np.float32)


def _noisy_share(pixels: Levels) -> float:
    """Return the share of rows in which nearby pixels do not correlate; 1 for pure noise."""
    spacing = max(1, pixels.shape[0] // 40)
    rows = green_of(pixels)[spacing // 2 :: spacing].astype(np.float32)
    rows -= rows.mean(axis=1, keepdims=True)
    variance = np.einsum("ij,ij->i", rows, rows) / rows.shape[1]
    noisy = variance > LIVELY
    for step, least in ((1, SMOOTH), (max(2, pixels.shape[1] // THUMBNAIL_SIZE_PX[0]), STRUCTURE)):
        alike = np.einsum("ij,ij->i", rows[:, :-step], rows[:, step:]) / (rows.shape[1] - step)
        noisy &= alike < least * variance
    return float(noisy.mean())


def _correlate(one: npt.NDArray[np.float32], other: npt.NDArray[np.float32]) -> float:
    one, other = one - one.mean(), other - other.mean()
    scale = float(np.sqrt((one * one).sum() * (other * other).sum()))
    return float((one * other).sum()) / scale if scale else 0.0


def _is_turned(now: npt.NDArray[np.float32], reference: npt.NDArray[np.float32], straight_score: float) -> bool:
    turned_score = max(_correlate(other, reference) for other in (now[::-1, ::-1], now[::-1], now[:, ::-1]))
    return turned_score >= TURNED_LIKE and turned_score - straight_score >= TURNED_MORE


def _is_rolled(now: npt.NDArray[np.float32], reference: npt.NDArray[np.float32]) -> bool:
    """Return True if rows or columns that left the picture at one edge came in at the other."""
    return any(_has_rolled_rows(*pair) for pair in ((now, reference), (now.T, reference.T)))


def _has_rolled_rows(now: npt.NDArray[np.float32], reference: npt.NDArray[np.float32]) -> bool:
    """Return True if the rows are rolled, by circular correlation.

    What came in must be what left: a tilted camera shows something else there.
    """
    product = np.fft.rfft(now, axis=0) * np.fft.rfft(reference, axis=0).conj()
    shift = int(np.fft.irfft(product.sum(axis=1), len(now)).argmax())
    shift_size = min(shift, len(now) - shift)
    if shift_size < ROLLED * len(now):
        return False
    rolled_back = np.roll(now, -shift, axis=0)
    wrapped_rows = slice(-shift_size, None) if shift == shift_size else slice(0, shift_size)
    return (
        _correlate(rolled_back, reference) >= ROLLED_LIKE
        and _correlate(rolled_back[wrapped_rows], reference[wrapped_rows]) >= ROLLED_LIKE
    )


def _sample_columns(pixels: Levels) -> Grey:
    """Return some full-height columns of the picture's green, or grey, levels."""
    spacing = max(1, pixels.shape[1] // 240)
    return np.ascontiguousarray(green_of(pixels)[:, spacing // 2 :: spacing])


def _find_seam(columns: Grey) -> tuple[int, float, float]:
    """Return the row after which the picture changes most, and the ratio of its step to those beside it.

    The ratio is given over the whole width, and over three quarters of it.
    """
    steps = np.minimum(cv2.absdiff(columns[1:], columns[:-1]), MOST_STEP)
    edge = round(EDGE * len(steps)) + 1
    beyond = _step_ratios(steps.mean(axis=1))
    row = edge + int(beyond[edge:-edge].argmax())
    adjacent_steps = steps[row : row + 3]
    quarters = sorted(float(_step_ratios(part.mean(axis=1))[0]) for part in np.array_split(adjacent_steps, 4, axis=1))
    return row + 2, float(beyond[row]), quarters[1]


def _step_ratios(steps: npt.NDArray[np.float64]) -> npt.NDArray[np.float64]:
    """Return each step but the outermost divided by its larger neighbour, which counts as 1 at least."""
    return np.asarray(steps[1:-1] / np.maximum(np.maximum(steps[:-2], steps[2:]), 1.0))


def _flat_share(columns: Grey) -> float:
    """Return the share of rows without structure."""
    return float((columns.max(axis=1) - columns.min(axis=1) <= FLAT).mean())


def _is_torn(columns: Grey, reference: _TableReference) -> bool:
    if _flat_share(columns) - reference.flat > FLAT_ROWS:
        return True
    row, seam, wide = _find_seam(columns)
    if wide < SEAM_WIDE or not _is_stronger_seam(seam, SEAM, reference):
        return False
    differs = (cv2.absdiff(columns, reference.columns) > DIFFERS).mean(axis=1)
    less, more = sorted((float(differs[:row].mean()), float(differs[row:].mean())))
    return (more >= OTHER_PART and more >= MORE * less) or _is_stronger_seam(seam, SEAM_ALONE, reference)


def _is_stronger_seam(seam: float, bounds: tuple[float, float], reference: _TableReference) -> bool:
    return seam >= max(bounds[0], bounds[1] * reference.seam)
