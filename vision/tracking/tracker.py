"""The tracker of one board: finds board and lids, waits for a still table, reads it, and requires agreement.

Most frames of an evening show nothing new or cannot be trusted: a hand, a lamp, a passer-by, a knock against the
tripod. The tracker is a row of gates, the cheapest first, and a frame that stops at one costs nothing behind it. A
lamp's bands are taken out before the first (`Flicker`).

1. `BoardSearch`: where is the board? A search all over the picture is dear, so it runs only while no board is known,
   and no more often than once in a while.
2. `MotionGate`: has nothing moved on board and lids for a moment? It compares small views, not the frame.
3. A rest: a table at rest is read once, then again only after REREAD_INTERVAL_S. In between, `standing` is the last
   observation, with the newest time.
4. `ReadingCache`: if everything looks as it did when it was read, the last reading is confirmed without reading.
5. `OcclusionCheck`: does a hand or an arm lie over the board, or has the board slid? Both change much at once; a hand
   is waited for, a slid board is sought where it may lie now.
6. The readers of stones and lids, on what has changed; if the players' stones may have any colours, only once these
   were shown (`StonePalette`).
7. `Consensus`: two readings without a movement between them agree. Only then is there an observation.

A table that never rests, because hands come and go, is seen by `Glimpses` instead: frames between them in which stones
came and nothing else has changed. What one such frame shows alone is no observation, and only shown.

These rules hold. An observation is of a table at rest, with nothing over it, and of the board that was found at the
start: another of the same size in view is never taken for it while its own place may only be hidden. A movement forgets
the readings before it, so that no observation mixes two positions. None means "nothing new can be said", never "the
board is empty": whoever waits must not read silence as a change.

With `stills` each frame stands alone: there is no movement to wait for and nobody to agree with, one reading is the
observation, and doubt about a hand is decided by the picture itself.

What is implicit: the gates share the views of the newest frame (`_motion.views`), so that their order in `see` matters;
`_move_to` resets all of them together, because a view of the old place compared with one of the new would be a
movement that never was.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from referee import Message, Observation
from vision.calibration.model import Box, Calibration, Grid
from vision.calibration.palette import Palette
from vision.camera.flicker import Flicker
from vision.camera.frame import Frame
from vision.lids.count import LidReading
from vision.tracking.board_search import BoardSearch, is_same_place
from vision.tracking.colour_enrolment import StonePalette
from vision.tracking.glimpses import Glimpses, UnconfirmedStone
from vision.tracking.lid_reader import LidReader
from vision.tracking.motion import MotionGate, View, board_view, estimate_sway, swayed_lids, table_views
from vision.tracking.occlusion import OcclusionCheck
from vision.tracking.reading import Consensus, Reading, average, read_frame, read_lids, to_unsure
from vision.tracking.reading_cache import MAX_AGE_S, ReadingCache, are_alike

# Chosen by hand (docs/vision.md).
STILL_FOR_S = 0.25
"""Time without movement before a frame of a video is read."""
REREAD_INTERVAL_S = 1.0
"""Time after which a still table is read again anyway."""


@dataclass(frozen=True)
class TrackerConfig:
    """The configuration of a tracker.

    `stills`: each frame is one observation, without waiting.
    `size`: lines a side, None to detect it.
    `calibration`: given by a person; None to find board and lids in the picture.
    `last`: their last position, used if they are seen to lie there still.
    `still_for`: seconds without movement before a frame is read; with more than STILL_FOR_S no glimpse is believed.
    `players`: the number of players who show their stones before the game, in any colours; None for black and white.
    `palette`: the colours of these stones, if known already.
    `lids`: count the prisoners in the lids.
    """

    stills: bool = False
    size: int | None = None
    calibration: Calibration | None = None
    last: Calibration | None = None
    still_for: float = STILL_FOR_S
    players: int | None = None
    palette: Palette | None = None
    lids: bool = True


@dataclass(frozen=True, eq=False)
class _Agreed:
    """The last agreed reading, and the observation made of it, with the time at which it was last confirmed.

    `views`: of board and lids when both were last read at rest, at `read_at`, in seconds.
    """

    reading: Reading
    observation: Observation
    views: tuple[View, ...]
    read_at: float


class BoardTracker:
    """A tracker of one table: takes every frame in order and returns the observations that can be trusted.

    `stone_palette`: the knowledge of the players' stones.
    `reading`: the newest reading, agreed or not.
    `standing`: the agreed observation with the newest frame's time, if nothing has moved since.
    `covered`: the newest frame was skipped, because something large lay over the board.
    """

    def __init__(self, config: TrackerConfig) -> None:
        calibration, last = config.calibration, config.last
        palettes = [place.stones for place in (calibration, last) if place is not None and place.stones]
        self.stone_palette = StonePalette(config.players, config.palette or next(iter(palettes), None))
        self.reading: Reading | None = None
        self.standing: Observation | None = None
        self.covered = False
        self.stills = config.stills
        self._flicker = Flicker()
        self._search = BoardSearch(config.stills, config.size, calibration, last)
        self._lids = LidReader(
            calibration.lids if calibration else (), config.lids, is_countable=config.players is None
        )
        self._motion = MotionGate(config.stills, config.still_for)
        self._occlusion = OcclusionCheck(config.stills)
        self._cache = ReadingCache()
        self._glimpses = Glimpses()
        self._takes_glimpses = not config.stills and config.still_for <= STILL_FOR_S
        self._consensus = Consensus(1) if config.stills else Consensus()
        self._agreed: _Agreed | None = None
        self._read_at: float | None = None

    @property
    def grid(self) -> Grid | None:
        """Return the board as found or given, None until it is found."""
        return self._search.grid

    @property
    def place(self) -> Calibration | None:
        """Return the position of board and lids, None until the board is found."""
        return None if self.grid is None else Calibration(self.grid, self._lids.boxes, self.stone_palette.palette)

    @property
    def notes(self) -> tuple[Message, ...]:
        """Return the notes of the last detection of the board."""
        return self._search.notes

    @property
    def searched_at(self) -> float | None:
        """Return the time of the last search for the board all over the picture, in seconds."""
        return self._search.searched_at

    @property
    def accepted_view(self) -> View | None:
        """Return the board's view at the last reading."""
        return self._occlusion.accepted

    @property
    def unconfirmed_stone(self) -> UnconfirmedStone | None:
        """Return the stone that a single plain frame shows, until another does not or an observation is made."""
        return self._glimpses.unconfirmed_stone

    def see(self, frame: Frame) -> Observation | None:
        """Return an observation of the table, or None while it moves, is covered, or no board is found.

        Between two readings of a table at rest it returns None, and `standing` is set: nothing has moved since.
        """
        observation = self._see(frame)
        if observation is not None or self.standing is not None:
            self._glimpses.forget_stone()
        return observation

    def _see(self, frame: Frame) -> Observation | None:
        self.standing, self.covered = None, False
        frame = self._flicker.remove_bands(frame, has_moved=self._motion.is_moving)
        self._search.fit_lens(frame)
        if self.grid is None and not self._find(frame):
            return None
        views = self._views(frame)
        self._cache.see(views, frame.t)
        if not self._is_still(views, frame.t):
            return self._glimpse(views, frame)
        self._glimpses.forget_frames()
        if not self._is_where_found(views[0], frame):
            return None
        if self._read_at is not None and frame.t - self._read_at < REREAD_INTERVAL_S:
            self.standing = replace(self._agreed.observation, t=frame.t) if self._agreed else None
            return None
        if self._agreed is not None and self._is_unchanged():
            return self._confirm(self._agreed, frame.t)
        self.covered = self._is_covered(views[0], frame)
        observation = None if self.covered else self._read(frame)
        if self.covered:
            self._consensus.forget()
        return observation

    def hold_lids(self, contents: Sequence[tuple[int, int]]) -> None:
        """Take what the game's record has in the lids, from which their change is measured.

        A lid that was last counted so, though not surely, is known from then on; any other stays as it is.

        contents: the black and white stones of sides 1 and 2.
        """
        if self.grid is not None and self._lids.confirm_lids(contents, self.grid):
            self._cache.forget()

    def _views(self, frame: Frame) -> tuple[View, ...]:
        """Return the views of board and lids in which movement is detected."""
        return table_views(frame.levels, self._found_grid(), self._lids.boxes)

    def _found_grid(self) -> Grid:
        assert self.grid is not None
        return self.grid

    # Where the board lies

    def _find(self, frame: Frame) -> bool:
        """Find board and lids; return True if found."""
        if not self._search.may_start(frame.t):
            return False
        self._motion.forget_views()
        self._occlusion.forget_views()
        self._cache.forget()
        self._glimpses.forget_frames()
        self._glimpses.forget_stone()
        place = self._search.find_place(frame.pixels, frame.t)
        if place is None:
            return False
        self._lids.locate_lids(frame.pixels, place.grid, place.lids)
        if not self.stills:
            self._motion.start_from(board_view(frame.levels, place.grid))
        return True

    def _is_where_found(self, view: View, frame: Frame) -> bool:
        """Return True if the board lies where it was found; otherwise find it again, now that nothing moves."""
        if self._motion.is_where_found(view):
            return True
        self._search.drop_board()
        self._find(frame)
        return False

    def _find_again(self, view: View, slid: bool, frame: Frame) -> bool:
        """Return True if the board lies elsewhere now, or (in a video) plainly where it was, in another light."""
        before = self._found_grid()
        for candidate in self._search.list_candidates(frame.pixels, slid):
            if not slid and is_same_place(candidate, before):
                return not self.stills and self._is_plain_again(view, candidate, frame)
            if self.stills or self._is_same_board(candidate, frame):
                self._move_to(candidate, frame)
                return True
        return False

    def _is_plain_again(self, view: View, grid: Grid, frame: Frame) -> bool:
        """Accept the view as the board's appearance from now on if its reading is plain; return True if accepted."""
        if not self._read_board(frame, grid).is_mostly_sure():
            return False
        self._occlusion.accept_view(view, frame.t)
        return True

    def _is_same_board(self, grid: Grid, frame: Frame) -> bool:
        """Return True if the board found there is the tracked one."""
        agreement = self._agreed
        seen_at = agreement.observation.t if agreement is not None else self._occlusion.clear_at
        reading = self._read_board(frame, grid)
        return self._search.is_same_board(grid, reading, agreement.reading if agreement else None, frame.t - seen_at)

    def _move_to(self, grid: Grid, frame: Frame) -> None:
        """Track the board at this position from now on."""
        self._search.grid = grid
        self._lids.relocate_lids(frame.pixels, grid)
        self._cache.forget()
        self._glimpses.forget_frames()
        self._glimpses.forget_stone()
        self._occlusion.forget_views()
        self._motion.move_to(self._views(frame))
        self._occlusion.accept_view(self._motion.views[0], frame.t)

    # What keeps it from being read

    def _is_still(self, views: tuple[View, ...], t: float) -> bool:
        """Return True if nothing has moved for long enough; readings before a movement agree with none after it."""
        cell = self._found_grid().cell()
        is_still = self._motion.is_still(views, self._lids.boxes, cell, self._lids.trusted_lids, t)
        if self._motion.is_moving:
            self._read_at = None
            self._consensus.forget()
        return is_still

    def _is_covered(self, view: View, frame: Frame) -> bool:
        """Return True if a hand covers the board, or if it was bumped and is not found again yet."""
        grid, agreed_reading = self._found_grid(), self._agreed.reading if self._agreed else None
        disturbance = self._occlusion.compare_view(view, agreed_reading, lambda: self._read_board(frame, grid), frame.t)
        if not disturbance.hand and not disturbance.slid:
            return False
        if disturbance.hand and self._motion.rests and self._read_board(frame, grid).is_mostly_sure():
            # A hand hardly lies alike in two stills: an object beside the board, or the light, has changed.
            return False
        is_lost = disturbance.slid or self.stills or self._occlusion.is_lost(view, frame.t)
        is_found = is_lost and self._search.may_start(frame.t) and self._find_again(view, disturbance.slid, frame)
        return not is_found and disturbance.hand

    # What it shows between two hands

    def _glimpse(self, views: tuple[View, ...], frame: Frame) -> Observation | None:
        """Return an observation of a board that does not rest, if two frames show plainly which stones came."""
        agreed, accepted = self._agreed, self._occlusion.accepted
        may_be = self._takes_glimpses and agreed is not None and accepted is not None
        if agreed is None or accepted is None or not (may_be and self._are_lids_unmoved(agreed, views)):
            self._glimpses.forget_frames()
            return None
        if not self._glimpses.may_show_stones(views[0], accepted, frame.t):
            return None
        read = self._read_board(frame, self._found_grid())
        both = self._glimpses.find_agreement(views[0], accepted, read, agreed.reading)
        lids = self._read_unchanged_lids(agreed, views, frame) if both is not None else None
        if both is None or lids is None:
            return None
        self.reading = average(both, lids)
        self._occlusion.keep_view(views[0], self.reading)
        self._agreed = replace(agreed, reading=self.reading, observation=self.reading.to_observation(frame))
        return self._agreed.observation

    def _are_lids_unmoved(self, agreed: _Agreed, views: tuple[View, ...]) -> bool:
        """Return True if no stone has plainly come into a lid that counts, or gone, since the last agreed reading."""
        lids, trusted = agreed.reading.lids, self._lids.trusted_lids
        if not len(lids) == len(views) - 1 == len(agreed.views) - 1:
            return False
        widths = tuple(lid.box.w / self._found_grid().cell() for lid in lids)
        rests = swayed_lids(views, agreed.views, widths, estimate_sway(views[0], agreed.views[0]))
        return all(rest or lid.box not in trusted for rest, lid in zip(rests, lids, strict=True))

    def _read_unchanged_lids(
        self, agreed: _Agreed, views: tuple[View, ...], frame: Frame
    ) -> tuple[LidReading, ...] | None:
        """Return the lids as they are now, None if one that counts is counted otherwise than it was.

        They are read again unless they look just as they did, and were read lately. One that was never counted surely
        may be no lid: it is unsure.
        """
        is_recent = frame.t - agreed.read_at < MAX_AGE_S
        lids = []
        for lid, view, before in zip(agreed.reading.lids, views[1:], agreed.views[1:], strict=True):
            if not is_recent or not are_alike(view, before):
                is_counted = lid.box in self._lids.trusted_lids
                now = self._read_lid(lid.box, frame) if is_counted else to_unsure(lid)
                if (now.black, now.white) != (lid.black, lid.white):
                    return None
                lid = now
            lids.append(lid)
        return tuple(lids)

    def _read_lid(self, box: Box, frame: Frame) -> LidReading:
        grid = self._found_grid()
        (reading,) = self._lids.recount_lids(frame.pixels, read_lids(frame.pixels, grid, (box,)), grid)
        return reading

    # What lies on it

    def _is_unchanged(self) -> bool:
        """Return True if board and lids look just as they did when they were read, and no lid has to be searched."""
        return self._cache.is_all(len(self._lids.boxes)) and not self._lids.is_search_due()

    def _confirm(self, agreement: _Agreed, t: float) -> Observation:
        """Return the agreed observation again: everything looks just as it did when it was read."""
        self._lids.note_reading()
        self._read_at = self._occlusion.clear_at = t
        self._agreed = replace(agreement, observation=replace(agreement.observation, t=t))
        return self._agreed.observation

    def _read(self, frame: Frame) -> Observation | None:
        """Return the observation if this reading and the ones before agree."""
        grid = self._found_grid()
        if not self.stone_palette.learn_from(frame.pixels, grid):
            return None
        have_lids_moved = self._lids.search_again(frame.pixels, grid)
        self._lids.note_reading()
        if have_lids_moved:
            self._cache.forget()
        reading = self._read_changed(frame, grid)
        self.covered = not self._motion.rests and self._is_hidden(reading, frame.t)
        if self.covered:
            return None
        self.reading = self._check_lids(reading, frame)
        agreed_reading = self._consensus.add(self.reading)
        if agreed_reading is None:
            return None
        # The views in which movement was sought are this frame's, except for new lids.
        views = self._views(frame) if have_lids_moved else self._motion.views
        return self._accept(agreed_reading, reading, views, frame)

    def _read_board(self, frame: Frame, grid: Grid) -> Reading:
        return read_frame(frame.pixels, grid, (), self.stone_palette.reader)

    def _read_changed(self, frame: Frame, grid: Grid) -> Reading:
        """Return the reading of board and lids; lids that look unchanged keep their last reading."""
        boxes, cached_lids = self._lids.boxes, self._cache.lids()
        changed_lids = [k for k in range(len(boxes)) if k not in cached_lids]
        reading = read_frame(frame.pixels, grid, tuple(boxes[k] for k in changed_lids), self.stone_palette.reader)
        lids = cached_lids | dict(zip(changed_lids, reading.lids, strict=True))
        return replace(reading, lids=tuple(lids[k] for k in sorted(lids)))

    def _is_hidden(self, reading: Reading, t: float) -> bool:
        """Return True if something beside the board hides points of it."""
        return self._occlusion.is_hidden(
            self._motion.views[0], reading, self._agreed.reading if self._agreed else None, t
        )

    def _check_lids(self, reading: Reading, frame: Frame) -> Reading:
        """Return the reading with its lids recounted, and unsure if something moves in them."""
        lids = self._lids.recount_lids(frame.pixels, reading.lids, reading.grid)
        checked_lids = (to_unsure(lid) if self._motion.has_moved_lately(lid.box, frame.t) else lid for lid in lids)
        return replace(reading, lids=tuple(checked_lids))

    def _accept(self, agreed_reading: Reading, reading: Reading, views: tuple[View, ...], frame: Frame) -> Observation:
        """Return the observation of an agreed reading, and remember how the table looks now.

        Args:
            agreed_reading: the average of several readings.
            reading: the newest one by itself.
            views: of board and lids in this frame.
            frame: the newest frame.
        """
        # One still agrees with nothing: only readings that the net alone is sure of are remembered.
        self._lids.remember_lids(frame.pixels, reading.lids if self.stills else agreed_reading.lids)
        self._occlusion.keep_view(views[0], agreed_reading)
        self._agreed = _Agreed(agreed_reading, agreed_reading.to_observation(frame), views, frame.t)
        self.stone_palette.follow_light(agreed_reading)
        if not self.stills:
            self._read_at = frame.t
            self._cache.keep(views, agreed_reading, reading, frame.t)
        return self._agreed.observation
