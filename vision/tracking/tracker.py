"""The tracker of one board: finds board and lids, waits for a still table, reads it, and requires agreement."""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass, replace
from functools import partial

from referee import Observation
from vision.board.calibration_fit import with_lens
from vision.board.detect import find_place, refine_board
from vision.board.lid_positions import place_lids
from vision.board.markers import BoardDetection, alike, is_as_seen
from vision.board.select_board import find_first, find_where
from vision.calibration.model import Box, Calibration, Grid
from vision.calibration.palette import Palette
from vision.camera.flicker import Flicker
from vision.camera.frame import Frame
from vision.lids.change import LidMemory
from vision.lids.count import LidReading
from vision.stones.reader import EMPTY
from vision.tracking.colour_enrolment import StonePalette
from vision.tracking.motion import (
    View,
    has_hand,
    has_slid,
    is_steady,
    large_areas,
    lid_view,
    partly_stays,
    steady_lids,
    view_of,
)
from vision.tracking.occlusion import ClearReference, hides, may_be_stones
from vision.tracking.reading import STONE_OF_CELL, Consensus, Reader, Reading, read_frame
from vision.tracking.reading_cache import ReadingCache

# Chosen by hand (docs/vision.md).
STILL_FOR = 0.25
"""Seconds without movement before a frame of a video is read."""
HELD = 20.0
"""Seconds for which a board with a known position is searched only where it may have moved to."""
READ_AGAIN = 1.0
"""Seconds after which a still table is read again anyway."""
LOST_AFTER = 3.0
"""Seconds without a picture like the board after which it is searched again, although part of it lies where it lay."""
MOST_DOUBTFUL = 0.02
"""The share of points that may be doubtful for a picture that changed all over to be accepted as the board again."""
MOST_NEW = 4
"""The number of points that may have changed for a board to be recognised by its stones after a bump."""
LEAST_KNOWN = 5
"""The number of known stones that a board elsewhere must show; with fewer a neighbour's, or a bare one, looks like
it.
"""
LEAST_OVERLAP, MOST_SCALE = 0.3, 0.4
"""Limits for finding a long-lost board by its shape alone: the share of its old position that it overlaps, and the
relative change of its size.
"""
SEARCH_AGAIN = 1.0
"""Seconds of video between two searches for a board, because searching takes long."""
RETRY_LIDS = 4
"""The number of readings between two searches for lids, while there are none or one was never counted surely."""
SAME_LID = 0.25
"""The distance between the centres of two boxes, in widths, below which they are the same lid."""


@dataclass(frozen=True)
class TrackerConfig:
    """The configuration of a tracker.

    `stills`: each frame is one observation, without waiting.
    `size`: lines a side, None to detect it.
    `calibration`: given by a person; None to find board and lids in the picture.
    `last`: their last position, used if they are seen to lie there still.
    `still_for`: seconds without movement before a frame is read.
    `players`: the number of players who show their stones before the game, in any colours; None for black and white.
    `palette`: the colours of these stones, if known already.
    `lids`: count the prisoners in the lids.
    """

    stills: bool = False
    size: int | None = None
    calibration: Calibration | None = None
    last: Calibration | None = None
    still_for: float = STILL_FOR
    players: int | None = None
    palette: Palette | None = None
    lids: bool = True


class BoardTracker:
    """A tracker of one table: takes every frame in order and returns the observations that can be trusted.

    `grid`: the board as found or given, None until it is found.
    `known`: the knowledge of the players' stones.
    `covered`: the newest frame was skipped, because something large lay over the board.
    """

    def __init__(self, looking: TrackerConfig) -> None:
        self._looking = looking
        self._given: Grid | None = looking.calibration.grid if looking.calibration else None
        self.grid = self._given
        self._lids: tuple[Box, ...] = looking.calibration.lids if looking.calibration else ()
        self._consensus = Consensus(1) if looking.stills else Consensus()
        self._memory = LidMemory()
        self._unchanged = ReadingCache()
        self._flicker = Flicker()
        self._before: tuple[View, ...] = ()
        self._found: tuple[View, ...] = ()
        self._stirred: dict[Box, float] = {}
        self._accepted: View | None = None
        self._plain = ClearReference()
        self._rests = False
        self._still_since: float | None = None
        self._read_at: float | None = None
        self._searched_at: float | None = None
        self._clear_at = 0.0
        self._hidden_since: float | None = None
        self._looks = 0
        self._agreed: Observation | None = None
        self._seen_last: Reading | None = None
        self._last = looking.last
        self._home: Grid | None = looking.last.grid if looking.last and not looking.stills else None
        self._home_since: float | None = None
        self._on_cards = False
        kept = [where.stones for where in (looking.calibration, looking.last) if where is not None and where.stones]
        self.known = StonePalette(looking.players, looking.palette or next(iter(kept), None))
        self.notes: tuple[str, ...] = ()
        self.reading: Reading | None = None
        self.standing: Observation | None = None
        self.covered = False

    @property
    def stills(self) -> bool:
        """Return True if each frame is one observation."""
        return self._looking.stills

    @property
    def place(self) -> Calibration | None:
        """Return the position of board and lids, None until the board is found."""
        return None if self.grid is None else Calibration(self.grid, self._lids, self.known.palette)

    @property
    def searched_at(self) -> float | None:
        """Return the time of the last search for the board all over the picture, in seconds."""
        return self._searched_at

    @property
    def accepted(self) -> View | None:
        """Return the board's view at the last reading."""
        return self._accepted

    def see(self, frame: Frame) -> Observation | None:
        """Return an observation of the table, or None while it moves, is covered, or no board is found.

        Between two readings of a table at rest it returns None, and `standing` is the agreed observation with this
        frame's
        time: nothing has moved since.
        """
        self.standing, self.covered = None, False
        frame = self._flicker.even(frame, moved=self._still_since is None)
        self._look_through_lens(frame)
        if self.grid is None and not self._find(frame):
            return None
        assert self.grid is not None
        patches = self._patches(frame)
        self._unchanged.see(patches, frame.t)
        if not self._is_still(patches, frame.t) or not self._is_at_rest(patches, frame):
            return None
        # Nothing has moved since the readings agreed: while they are recent there is no need to read again.
        if self._read_at is not None and frame.t - self._read_at < READ_AGAIN:
            self.standing = replace(self._agreed, t=frame.t) if self._agreed else None
            return None
        stands = self._unchanged.is_all(len(self._lids)) and not self._is_time_for_lids()
        if stands and self._agreed is not None:
            return self._agreed_again(self._agreed, frame.t)
        self.covered = self._is_covered(patches[0], frame)
        seen = None if self.covered else self._look(frame)
        if self.covered:
            self._consensus.forget()
        return seen

    def _agreed_again(self, agreed: Observation, t: float) -> Observation:
        """Return the agreed observation again: everything looks just as it did when it was read."""
        self._looks += 1
        self._read_at = self._clear_at = t
        self._agreed = replace(agreed, t=t)
        return self._agreed

    def _look_through_lens(self, frame: Frame) -> None:
        """Estimate the lens from the first frame's lines, if corners were given without one."""
        if self._given is not None:
            self.grid, self._given = with_lens(frame.pixels, self._given), None

    def _find(self, frame: Frame) -> bool:
        if not self._may_search(frame.t):
            return False
        self._before, self._accepted, self._memory = (), None, LidMemory()
        self._unchanged.forget()
        self._plain.forget()
        found = self._find_last(frame) or self._find_anew(frame)
        self._found = self._patches(frame) if found and not self._looking.stills else ()
        return found

    def _find_last(self, frame: Frame) -> bool:
        """Find the board at its last position; tried once."""
        last, self._last = self._last, None
        self.grid = refine_board(frame.pixels, last.grid) if last is not None else None
        if self.grid is None or last is None:
            return False
        stays = _same_place(self.grid, last.grid)
        self._lids = last.lids if stays and last.lids else self._lids_on(frame, self.grid)
        return True

    def _find_anew(self, frame: Frame) -> bool:
        place = self._first_in(frame)
        if place is None:
            return False
        self.notes = place.notes
        if not place.meant and not self._looking.stills:
            return False
        self.grid, self._on_cards = place.grid, bool(place.cards)
        self._lids = self._lids_on(frame, place.grid)
        return True

    def _first_in(self, frame: Frame) -> BoardDetection | None:
        """Return the board in the picture.

        For a while only its last known position counts: another board may be all that is in view now, because somebody
        leans over the own one.
        """
        self._home_since = frame.t if self._home_since is None else self._home_since
        if self._home is None or frame.t - self._home_since > HELD:
            return find_first(frame.pixels, self._looking.size)
        return find_where(frame.pixels, partial(_may_have_moved, self._home), self._looking.size)

    def _lids_on(self, frame: Frame, grid: Grid) -> tuple[Box, ...]:
        """Return the lids, if they are counted: prisoners of other colours than black and white cannot be."""
        return place_lids(frame.pixels, grid) if self.known.players is None and self._looking.lids else ()

    def _is_still(self, patches: tuple[View, ...], t: float) -> bool:
        before, self._before = self._before, patches
        if self._looking.stills:
            self._rests = bool(before) and not large_areas(patches[0], before[0])
            return True
        if len(before) != len(patches) or not self._are_steady(patches, before, t):
            self._still_since = self._read_at = None
            self._consensus.forget()
            return False
        if self._still_since is None:
            self._still_since = t
        return t - self._still_since >= self._looking.still_for

    def _are_steady(self, patches: tuple[View, ...], before: tuple[View, ...], t: float) -> bool:
        """Return True if the board and the trusted lids are steady; a false lid, such as a clock, may never rest."""
        lids = steady_lids(patches, before, self._lid_widths())
        if lids is None:
            return False
        moved = {box for box, rests in zip(self._lids, lids, strict=True) if not rests}
        self._stirred = {box: t if box in moved else self._stirred.get(box, -math.inf) for box in self._lids}
        return moved.isdisjoint(self._trusted)

    def _is_at_rest(self, patches: tuple[View, ...], frame: Frame) -> bool:
        """Return True if the board lies where it was found; otherwise find it again, now that nothing moves.

        The camera may have swung when the board was found, and every point would be read beside its stone. A stone may
        have come since.
        """
        found, self._found = self._found, ()
        if not found or is_steady(patches[0], found[0]) or partly_stays(patches[0], found[0]):
            return True
        self._still_since = self._searched_at = self._home_since = None
        self._home, self.grid = self.grid, None
        self._find(frame)
        return False

    def _patches(self, frame: Frame) -> tuple[View, ...]:
        """Return the views of board and lids in which movement is detected."""
        assert self.grid is not None
        return (view_of(frame.pixels, self.grid), *(lid_view(frame.pixels, lid) for lid in self._lids))

    def _lid_widths(self) -> tuple[float, ...]:
        """Return the lids' widths, in cells of the board."""
        cell = self.grid.cell() if self.grid is not None else 1.0
        return tuple(lid.w / cell for lid in self._lids)

    def _is_covered(self, view: View, frame: Frame) -> bool:
        """Return True if a hand covers the board, or if it was bumped and is not found again yet."""
        assert self.grid is not None
        if self._accepted is None:
            return False
        hand, slid = has_hand(view, self._accepted), has_slid(view, self._accepted)
        hand = hand and not self._plain.is_seen_in(view) and not (not slid and self._is_stones(view, frame))
        if not hand and not slid:
            self._clear_at = frame.t
            return False
        if hand and self._rests and _reads_well(frame, self.grid, self.known.reader):
            # A hand hardly lies alike in two stills: an object beside the board, or the light, has changed.
            return False
        lost = slid or self._looking.stills or self._is_lost(view, frame.t)
        return not (lost and self._may_search(frame.t) and self._find_again(frame, slid)) and hand

    def _is_stones(self, view: View, frame: Frame) -> bool:
        """Return True if stones explain all that looks like a hand."""
        assert self.grid is not None and self._accepted is not None
        if self._seen_last is None or not may_be_stones(view, self._accepted):
            return False
        now = read_frame(frame.pixels, self.grid, (), self.known.reader)
        return not hides(view, self._accepted, now, self._seen_last)

    def _is_hidden(self, now: Reading, t: float) -> bool:
        """Return True if something beside the board comes near points that have become doubtful.

        In a video for a while, and in a single still, because an object that lies alike in two is no hand.
        """
        before, reference = self._seen_last, self._accepted
        if before is None or reference is None or self._rests:
            return False
        if not hides(self._before[0], reference, now, before) or self._plain.is_seen_in(self._before[0]):
            self._hidden_since = None
            return False
        self._hidden_since = t if self._hidden_since is None else self._hidden_since
        return self._looking.stills or t - self._hidden_since <= LOST_AFTER

    def _is_lost(self, view: View, t: float) -> bool:
        """Return True if nothing of the board lies where it lay, or nothing like it was seen for long."""
        assert self._accepted is not None
        return t - self._clear_at > LOST_AFTER or not partly_stays(view, self._accepted)

    def _may_search(self, t: float) -> bool:
        """Return True if the board may be searched now; searching takes long, so in a video not again at once."""
        if not self._looking.stills and self._searched_at is not None and t - self._searched_at < SEARCH_AGAIN:
            return False
        self._searched_at = t
        return True

    def _find_again(self, frame: Frame, slid: bool) -> bool:
        """Return True if the board lies elsewhere now, or (in a video) plainly where it was, in another light."""
        assert self.grid is not None
        for found in self._sought(frame, slid):
            if not slid and _same_place(found, self.grid):
                return not self._looking.stills and self._is_plain_again(frame, found)
            if self._looking.stills or self._is_the_same(frame, found):
                self._move_to(found, frame)
                return True
        return False

    def _is_plain_again(self, frame: Frame, found: Grid) -> bool:
        """Accept the view as the board's look from now on if its reading is plain; return True if accepted."""
        if not _reads_well(frame, found, self.known.reader):
            return False
        self._accepted, self._clear_at = self._before[0], frame.t
        return True

    def _sought(self, frame: Frame, slid: bool) -> Iterator[Grid]:
        """Yield the positions where the board may lie now."""
        assert self.grid is not None
        given = self._looking.calibration is not None
        near = refine_board(frame.pixels, self.grid) if slid or given or not self._looking.stills else None
        if near is not None:
            yield near
        elsewhere = None if given else self._found_again(frame, self.grid)
        if elsewhere is not None:
            yield elsewhere

    def _is_the_same(self, frame: Frame, found: Grid) -> bool:
        """Return True if the board read there is plain, and holds the stones seen last but for a few."""
        read = read_frame(frame.pixels, found, (), self.known.reader)
        if len(read.doubtful()) > MOST_DOUBTFUL * found.size**2:
            return False
        assert self.grid is not None
        before, near = self._seen_last, _may_have_moved(self.grid, found)
        known = before is None or int((read.kinds() != before.kinds()).sum()) <= MOST_NEW
        if not near:
            return known and before is not None and _same_stones(read, before) >= LEAST_KNOWN
        # Moments in which nothing lies over the board are too short to be read.
        seen_at = self._agreed.t if self._agreed is not None else self._clear_at
        return known or frame.t - seen_at > LOST_AFTER

    def _move_to(self, found: Grid, frame: Frame) -> None:
        """Track the board at this position from now on."""
        self.grid, self._memory = found, LidMemory()
        self._unchanged.forget()
        self._plain.forget()
        given = self._looking.calibration.lids if self._looking.calibration else ()
        self._lids = given or self._lids_on(frame, found)
        self._before = self._patches(frame)
        self._accepted, self._clear_at = self._before[0], frame.t

    def _found_again(self, frame: Frame, before: Grid) -> Grid | None:
        """Return the board's new position; an orientation given earlier is kept while cards are hidden."""
        place = find_place(frame.pixels, before.size)
        if place is None:
            return None
        self.notes = place.notes
        stays = self._on_cards if place.cards else is_as_seen(before)
        return place.grid if stays else alike(place.grid, before)

    def _is_time_for_lids(self) -> bool:
        """Return True if lids are to be searched again in the next reading."""
        return (self._looks + 1) % RETRY_LIDS == 1 and not self._has_lids()

    def _has_lids(self) -> bool:
        """Return True if the lids were given, or counted surely where they were found."""
        return not self._looking.lids or (bool(self._lids) and self._trusted.issuperset(self._lids))

    @property
    def _trusted(self) -> set[Box]:
        """Return the lids that were given, or counted surely."""
        given = self._looking.calibration.lids if self._looking.calibration else ()
        return {*given, *self._counted()}

    def _counted(self) -> set[Box]:
        """Return the lids that were counted surely."""
        return {lid.box for lid in self._memory.lids}

    def _look_for_lids(self, frame: Frame) -> None:
        """Search for lids again; a box never counted surely may be no lid, and is replaced by another one found."""
        assert self.grid is not None
        if self._has_lids():
            return
        counted = self._counted()
        found = self._lids_on(frame, self.grid) or self._lids
        known, before = self._lids or found, self._lids
        pairs = zip(known, found, strict=True)
        self._lids = tuple(old if old in counted or _same_lid(old, new) else new for old, new in pairs)
        if self._lids != before:
            self._unchanged.forget()

    def _look(self, frame: Frame) -> Observation | None:
        assert self.grid is not None
        if not self.known.learnt(frame.pixels, self.grid):
            return None
        self._looks += 1
        seen_at = self._lids
        if self._looks % RETRY_LIDS == 1:
            self._look_for_lids(frame)
        read = self._read(frame, self.grid)
        self.covered = self._is_hidden(read, frame.t)
        if self.covered:
            return None
        stone = self.grid.cell() * STONE_OF_CELL
        lids = self._memory.recount(frame.pixels, read.lids, stone)
        self.reading = replace(read, lids=tuple(self._unless_stirred(lid, frame.t) for lid in lids))
        agreed = self._consensus.add(self.reading)
        if agreed is None:
            return None
        # One still agrees with nothing: only readings that the net alone is sure of are remembered.
        self._memory = self._memory.keep(frame.pixels, read.lids if self._looking.stills else agreed.lids)
        # The views in which movement was sought are this frame's, except for new lids.
        patches = self._before if self._lids == seen_at else self._patches(frame)
        self._accepted = patches[0]
        self._plain.keep(patches[0], agreed)
        self._read_at = None if self._looking.stills else frame.t
        self._agreed, self._seen_last = agreed.observed(frame), agreed
        self.known.follow(agreed)
        if not self._looking.stills:
            self._unchanged.keep(patches, agreed, read, frame.t)
        return self._agreed

    def _unless_stirred(self, lid: LidReading, t: float) -> LidReading:
        """Return a lid's reading, unsure if something moves in it."""
        stirs = t - self._stirred.get(lid.box, -math.inf) < self._looking.still_for
        return replace(lid, sure=False, clear=False) if stirs else lid

    def _read(self, frame: Frame, grid: Grid) -> Reading:
        """Return the reading of board and lids; lids that look unchanged keep their last reading."""
        stand = self._unchanged.lids()
        anew = [k for k in range(len(self._lids)) if k not in stand]
        read = read_frame(frame.pixels, grid, tuple(self._lids[k] for k in anew), self.known.reader)
        lids = stand | dict(zip(anew, read.lids, strict=True))
        return replace(read, lids=tuple(lids[k] for k in sorted(lids)))


def _reads_well(frame: Frame, grid: Grid, reader: Reader | None) -> bool:
    return len(read_frame(frame.pixels, grid, (), reader).doubtful()) <= MOST_DOUBTFUL * grid.size**2


def _same_stones(now: Reading, before: Reading) -> int:
    """Return the number of stones that lie where they lay."""
    return int(((now.kinds() == before.kinds()) & (before.kinds() != EMPTY)).sum())


def _may_have_moved(before: Grid, found: Grid) -> bool:
    """Return True if a board found there can be the lost one: it overlaps the old position and is about as large.

    A board elsewhere is another one, unless it shows the known stones.
    """
    return found.covers(before) >= LEAST_OVERLAP and abs(found.cell() / before.cell() - 1) <= MOST_SCALE


def _same_lid(one: Box, other: Box) -> bool:
    away = max(abs(here - there) for here, there in zip(one.middle(), other.middle(), strict=True))
    return away < SAME_LID * max(one.w, one.h)


def _same_place(one: Grid, other: Grid) -> bool:
    near = 0.3 * other.cell()
    return all(
        abs(x - u) < near and abs(y - v) < near for (x, y), (u, v) in zip(one.corners, other.corners, strict=True)
    )
