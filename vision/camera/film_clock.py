"""The time of each picture of a film: its own time stamps, which need not come evenly.

Phones film at a rate that varies, browsers write films that state none, and cut films start again in the middle. So
the frame's number over a mean rate says little; the stamp says when its picture was taken.
"""

from __future__ import annotations

import math

from referee import Message, message

DEFAULT_RATE_HZ = 25.0
"""The default frame rate, in frames a second, of a video that does not state its own."""
RATELESS_HZ = 1000.0
"""The rate that a reader states of a film without one, in frames a second: Matroska counts milliseconds."""
# Chosen by hand (docs/vision.md).
GAP_S = 3.0
"""Time without a picture that is told, unless the film's pictures always lie so far apart."""
USUAL_STEPS = 3
"""The number of usual steps from one picture to the next that are no gap yet."""
BACK_S = 1.0
"""Time by which stamps may go back, or stand, because pictures are stored in another order than they are shown."""
MOST_NOTES = 5
"""The number of gaps and jumps of one film that are told one by one."""
ROUNDING_S = 1e-6
"""The tolerance within which two times are the same."""


def plausible_rate(rate: float) -> float:
    """Return the frame rate that a reader states, in frames a second, or the default if it cannot be one."""
    return rate if math.isfinite(rate) and 0 < rate < RATELESS_HZ else DEFAULT_RATE_HZ


class FilmClock:
    """A clock that turns the time stamps of a film's pictures, asked in order, into seconds from the first.

    It never goes back. Without stamps time goes by the frame rate.
    """

    def __init__(self, rate: float, slower: float = 1.0) -> None:
        """Begin before the first picture.

        Args:
            rate: frames a second, as the film states it.
            slower: the factor by which the film shows everything slower than it was.
        """
        self._slower = slower
        self._interval = 1 / plausible_rate(rate) / slower
        self._usual = self._interval
        self._newest: float | None = None
        self._t = 0.0
        self._has_advanced = False
        self._was_gap = False
        self._stall_count = 0
        self._notes: list[Message] = []
        self._note_count = 0

    @property
    def interval(self) -> float:
        """Return the time from one picture to the next by the film's rate, in seconds."""
        return self._interval

    def resume_after(self, stamp: float, t: float) -> None:
        """Go on after the picture with this stamp, in milliseconds, whose time was t seconds."""
        self._newest, self._t = (stamp if math.isfinite(stamp) else 0.0), t

    def time_of(self, stamp: float) -> float:
        """Return the time of the next picture, in seconds, from its time stamp in milliseconds."""
        stamp = stamp if math.isfinite(stamp) else self._newest or 0.0
        if self._newest is None:
            self._newest = stamp
            return self._t
        step = (stamp - self._newest) / 1000 / self._slower
        if step > 0:
            self._advance_by(step)
            self._newest = stamp
        elif -step * self._slower > BACK_S:
            self._add_note("camera.film-back")
            self._newest, self._t = stamp, self._t + self._interval
        else:
            self._step_without_stamp()
        return self._t

    def take_note(self) -> Message | None:
        """Return what is to be told of the stamps since this was asked last; None if there is nothing."""
        return self._notes.pop(0) if self._notes else None

    def _advance_by(self, step: float) -> None:
        is_gap = step > max(GAP_S, USUAL_STEPS * self._usual)
        if is_gap:
            self._add_note("camera.film-gap", until=clock_text(self._t + step))
        if not is_gap or self._was_gap:
            # Two gaps with one picture between them are how this film is made.
            self._usual = max(self._usual, step)
        self._was_gap = is_gap
        self._t, self._has_advanced, self._stall_count = self._t + step, True, 0

    def _step_without_stamp(self) -> None:
        """Go on although the stamp is no later: by the rate if there are no stamps, else hold until they go on."""
        self._stall_count += 1
        if self._has_advanced and self._stall_count * self._interval > BACK_S:
            self._add_note("camera.film-stands")
            self._has_advanced = False
        if not self._has_advanced:
            self._t += self._interval

    def _add_note(self, key: str, **more: str) -> None:
        self._note_count += 1
        if self._note_count <= MOST_NOTES:
            self._notes.append(message(key, at=clock_text(self._t), **more))
        elif self._note_count == MOST_NOTES + 1:
            self._notes.append(message("camera.film-more", at=clock_text(self._t)))


class Sampler:
    """A choice of the pictures of a film: as few as do not lie farther apart than an interval, if they come evenly."""

    def __init__(self, interval_s: float) -> None:
        self._interval = interval_s
        self._before: float | None = None
        self._chosen: float | None = None

    def resume_after(self, t: float) -> None:
        """Go on after a picture that was chosen at t."""
        self._before = self._chosen = t

    def is_due(self, t: float) -> bool:
        """Return True to take the picture of this time, because the next one may come too late."""
        step = t - self._before if self._before is not None else 0.0
        self._before = t
        if self._chosen is not None and t + step - self._chosen <= self._interval + ROUNDING_S:
            return False
        self._chosen = t
        return True


def clock_text(seconds: float) -> str:
    """Format seconds like "1:02:03"."""
    total = int(seconds)
    return f"{total // 3600}:{total // 60 % 60:02d}:{total % 60:02d}"
