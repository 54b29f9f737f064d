"""Frames in, observations out: finds the board and the lids, waits for a still table, reads, and wants agreement."""

from __future__ import annotations

from dataclasses import dataclass, replace

from referee.events import Observed
from vision.calibration import Box, Calibration, Grid
from vision.consensus import Consensus
from vision.frame import Frame
from vision.lattice import find_board, refine_board
from vision.lid_memory import LidMemory
from vision.lids import find_lids
from vision.reading import STONE_OF_CELL, Reading, read_frame
from vision.stillness import View, has_hand, is_steady, lid_view, view_of

STILL_FOR = 0.25
"""Seconds without movement before a frame of a video is read."""
READ_AGAIN = 1.0
"""Seconds after which a still table is read again all the same."""
LOST_AFTER = 3.0
"""Seconds of a still picture that does not look like the board any more before the board is looked for again."""
MOST_DOUBTFUL = 0.02
"""The share of points that may be doubtful when a picture that changed all over is taken for the board again."""
SEARCH_AGAIN = 1.0
"""Seconds in a video after which a board that was not found is looked for again: looking takes long."""
RETRY_LIDS = 10
"""After how many looks without lids they are looked for again."""


@dataclass(frozen=True)
class Looking:
    """How to look. stills: each frame is one look, without waiting. size: lines a side, None to work it out.

    calibration: given by a person; None to find board and lids in the picture. last: where they were found before,
    which holds if they are seen to lie there still. still_for: seconds without movement before a frame is read.
    """

    stills: bool = False
    size: int | None = None
    calibration: Calibration | None = None
    last: Calibration | None = None
    still_for: float = STILL_FOR


class Observer:
    """The eye over one table: hand it every frame in order; it answers with what can be trusted."""

    def __init__(self, looking: Looking) -> None:
        self._looking = looking
        self._grid: Grid | None = looking.calibration.grid if looking.calibration else None
        self._lids: tuple[Box, ...] = looking.calibration.lids if looking.calibration else ()
        self._consensus = Consensus(1) if looking.stills else Consensus()
        self._memory = LidMemory()
        self._before: tuple[View, ...] = ()
        self._accepted: View | None = None
        self._rests = False
        self._still_since: float | None = None
        self._read_at: float | None = None
        self._searched_at: float | None = None
        self._looks = 0
        self._agreed: Observed | None = None
        self._last = looking.last
        self.reading: Reading | None = None
        self.standing: Observed | None = None

    @property
    def place(self) -> Calibration | None:
        """Where board and lids lie, None while the board has not been found."""
        return None if self._grid is None else Calibration(self._grid, self._lids)

    @property
    def grid(self) -> Grid | None:
        """The board as found or given, None while it has not been found."""
        return self._grid

    def see(self, frame: Frame) -> Observed | None:
        """What the table shows now, or None while it moves, is covered, or no board is found.

        Between two readings of a table at rest it answers None, and `standing` has what was agreed, with this frame's
        time: nothing has moved since.
        """
        self.standing = None
        if self._grid is None and not self._find(frame):
            return None
        assert self._grid is not None
        view = view_of(frame.pixels, self._grid)
        patches = (view, *(lid_view(frame.pixels, lid) for lid in self._lids))
        if not self._is_still(patches, frame.t):
            return None
        if self._is_known(frame.t):
            self.standing = replace(self._agreed, t=frame.t) if self._agreed else None
            return None
        return None if self._is_covered(view, frame) else self._look(frame)

    def _find(self, frame: Frame) -> bool:
        searched = None if self._looking.stills else self._searched_at
        if searched is not None and frame.t - searched < SEARCH_AGAIN:
            return False
        self._searched_at = frame.t
        self._before, self._accepted, self._memory = (), None, LidMemory()
        return self._find_last(frame) or self._find_anew(frame)

    def _find_last(self, frame: Frame) -> bool:
        """The board where it lay before, tried once."""
        last, self._last = self._last, None
        self._grid = refine_board(frame.pixels, last.grid) if last is not None else None
        if self._grid is None or last is None:
            return False
        stays = _same_place(self._grid, last.grid)
        self._lids = last.lids if stays and last.lids else find_lids(frame.pixels, self._grid)
        return True

    def _find_anew(self, frame: Frame) -> bool:
        self._grid = find_board(frame.pixels, self._looking.size)
        if self._grid is not None:
            self._lids = find_lids(frame.pixels, self._grid)
        return self._grid is not None

    def _is_still(self, patches: tuple[View, ...], t: float) -> bool:
        before, self._before = self._before, patches
        if self._looking.stills:
            self._rests = bool(before) and not has_hand(patches[0], before[0])
            return True
        if len(before) != len(patches) or not all(map(is_steady, patches, before)):
            self._still_since = self._read_at = None
            self._consensus.forget()
            return False
        if self._still_since is None:
            self._still_since = t
        return t - self._still_since >= self._looking.still_for

    def _is_known(self, t: float) -> bool:
        """Nothing has moved since the looks that agreed, and they are not old: no need to read again."""
        return self._read_at is not None and t - self._read_at < READ_AGAIN

    def _is_covered(self, view: View, frame: Frame) -> bool:
        """A hand, or a board that was moved: it is looked for again, at once in stills, after a while in a video."""
        assert self._grid is not None
        if self._accepted is None or not has_hand(view, self._accepted):
            return False
        if self._rests and _reads_well(frame, self._grid):
            # Hardly a hand lies alike in two stills: something beside the board, or the light, is another now.
            return False
        waited = 0.0 if self._still_since is None else frame.t - self._still_since
        return not ((self._looking.stills or waited > LOST_AFTER) and self._find_again(frame))

    def _find_again(self, frame: Frame) -> bool:
        """The board lies elsewhere now, or (in a video) plainly where it was, in another light."""
        assert self._grid is not None
        if self._looking.calibration is not None:
            found = refine_board(frame.pixels, self._grid)
        else:
            found = find_board(frame.pixels, self._grid.size)
        if found is None:
            return False
        if _same_place(found, self._grid):
            return not self._looking.stills and _reads_well(frame, found)
        self._grid, self._memory = found, LidMemory()
        given = self._looking.calibration.lids if self._looking.calibration else ()
        self._lids = given or find_lids(frame.pixels, found)
        return True

    def _look(self, frame: Frame) -> Observed | None:
        assert self._grid is not None
        self._looks += 1
        if not self._lids and self._looks % RETRY_LIDS == 1:
            self._lids = find_lids(frame.pixels, self._grid)
        read = read_frame(frame.pixels, self._grid, self._lids)
        stone = self._grid.cell() * STONE_OF_CELL
        self.reading = replace(read, lids=self._memory.recount(frame.pixels, read.lids, stone))
        agreed = self._consensus.add(self.reading)
        if agreed is None:
            return None
        # One still agrees with nothing: only what the net alone is sure of is remembered of it.
        self._memory = self._memory.keep(frame.pixels, read.lids if self._looking.stills else agreed.lids)
        self._accepted = view_of(frame.pixels, self._grid)
        self._read_at = None if self._looking.stills else frame.t
        self._agreed = agreed.observed(frame)
        return self._agreed


def _reads_well(frame: Frame, grid: Grid) -> bool:
    return len(read_frame(frame.pixels, grid, ()).doubtful()) <= MOST_DOUBTFUL * grid.size**2


def _same_place(one: Grid, other: Grid) -> bool:
    near = 0.3 * other.cell()
    return all(
        abs(x - u) < near and abs(y - v) < near for (x, y), (u, v) in zip(one.corners, other.corners, strict=True)
    )
