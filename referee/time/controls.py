"""The time controls: a player's remaining time after some of it was used, and the effect of closing a turn.

Every control reads one `TimeLeft`. A time is used up at the moment when nothing of it is left, not a millisecond
later: a player who uses exactly their time has used it up, the last period included.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, replace
from typing import ClassVar

from referee.game.errors import BadSetup, quote_value
from referee.game.messages import Duration, Listing, Message, message

SECOND, MINUTE, HOUR = 1_000, 60_000, 3_600_000
LONGEST = 1000 * HOUR
_DURATION = re.compile(r"(?:([0-9]{1,5})h)?(?:([0-9]{1,6})m)?(?:([0-9]{1,7})(?:\.([0-9]{1,3}))?s)?")


def ms_of(seconds: float) -> int:
    """Convert seconds on the box's clock to whole milliseconds."""
    return round(seconds * SECOND)


def seconds_of(ms: int) -> float:
    """Convert milliseconds to seconds on the box's clock; `ms_of` restores them exactly."""
    return ms / SECOND


def read_duration(text: str) -> int | None:
    """Parse `3h30m`, `45m`, `1m30s` or `0.5s` to milliseconds.

    None for anything else and for more than 1000 hours.
    """
    match = _DURATION.fullmatch(text) if text.isascii() else None
    if match is None or not text:
        return None
    hours, minutes, seconds, part = match.groups(default="0")
    ms = int(hours) * HOUR + int(minutes) * MINUTE + int(seconds) * SECOND + int(part.ljust(3, "0"))
    return ms if ms <= LONGEST else None


def write_duration(ms: int) -> str:
    """Return the text that `read_duration` parses; hours are written from two on (`90m`, `3h30m`)."""
    hours, remainder = divmod(ms, HOUR) if ms >= 2 * HOUR else (0, ms)
    minutes, remainder = divmod(remainder, MINUTE)
    parts = (
        [f"{hours}h"] * bool(hours)
        + [f"{minutes}m"] * bool(minutes)
        + [f"{_seconds_text(remainder)}s"] * bool(remainder)
    )
    return "".join(parts) or "0s"


def as_on_a_clock(ms: int) -> str:
    """Return `1:02:03` or `4:59`, rounded up to whole seconds, so that 0:00 means that no time is left."""
    minutes, seconds = divmod(-(-ms // SECOND), 60)
    hours, minutes = divmod(minutes, 60)
    return f"{hours}:{minutes:02}:{seconds:02}" if hours else f"{minutes}:{seconds:02}"


def time_left_text(stretch: int, beside: Message | None) -> Message:
    """Return the running time left, with the text beside it."""
    time = as_on_a_clock(stretch)
    return message("clock.time", time=time) if beside is None else message("clock.shown", time=time, beside=beside)


def _seconds_text(ms: int) -> str:
    whole, part = divmod(ms, SECOND)
    return f"{whole}.{part:03}".rstrip("0") if part else str(whole)


@dataclass(frozen=True)
class TimeLeft:
    """A player's remaining time. The flag has fallen when neither main time nor period is left.

    main: milliseconds of main time
    period: milliseconds of the period in use, or next to be used
    periods: periods left, including the one in use; under Ing's control those that can still be bought
    stones: turns to be closed before the period ends (Canadian)
    """

    main: int
    period: int = 0
    periods: int = 0
    stones: int = 0

    @property
    def has_fallen(self) -> bool:
        """Return True if all time is used up."""
        return not (self.main or self.period)

    @property
    def is_in_overtime(self) -> bool:
        """Return True if the main time is used up."""
        return not self.main

    @property
    def stretch(self) -> int:
        """Return the milliseconds of the time that runs now: main time, or the period."""
        return self.main or self.period


POINTS_EACH = 2
"""The points to the opponent for every period bought under Ing's control."""


@dataclass(frozen=True)
class TimeControl:
    """A time control, as a frozen value. This class behaves as one with main time only.

    `str` writes it, `read_control` parses it.

    main: main time in milliseconds
    """

    main: int
    sells_time: ClassVar[bool] = False
    """True if time can be bought for points."""

    def time_at_start(self) -> TimeLeft:
        """Return each player's time before the game."""
        return TimeLeft(self.main)

    def spend(self, left: TimeLeft, ms: int) -> TimeLeft:
        """Return the remaining time after ms more milliseconds of one turn."""
        return replace(left, main=max(left.main - ms, 0))

    def close_turn(self, left: TimeLeft) -> TimeLeft:
        """Return the remaining time when a turn is closed: period refilled, time added, one stone less to play."""
        return left

    def renew_time(self, left: TimeLeft) -> TimeLeft:
        """Return the time of a player whose overstepping was let pass; none if the control gives none."""
        return left

    def is_counted_down(self, left: TimeLeft) -> bool:
        """Return True if the last seconds of the running stretch are counted because its end loses something."""
        return True

    def points_charged(self, left: TimeLeft) -> int:
        """Return the points to the opponent for time bought so far."""
        return 0

    def text_of(self, left: TimeLeft) -> Message:
        """Return the remaining time, in a few words: "12:00", "0:28, 3 periods left"."""
        return time_left_text(left.stretch, self.text_beside(left))

    def text_beside(self, left: TimeLeft) -> Message | None:
        """Return the text beside the time: that none is left, or in overtime the periods, turns or points."""
        if left.has_fallen:
            return message("clock.none")
        return self.overtime_text(left) if left.is_in_overtime else None

    def overtime_text(self, left: TimeLeft) -> Message | None:
        """Return the text beside the time in overtime."""
        return None

    def describe_fully(self) -> Message:
        """Return the control as a sentence for players."""
        return message("control.absolute", main=Duration(self.main))

    def describe_briefly(self) -> Message:
        """Return the control in a few words: for lists and sheets."""
        return message("control.brief.absolute", main=Duration(self.main))


class Absolute(TimeControl):
    """Main time only."""

    def __str__(self) -> str:
        return write_duration(self.main)


@dataclass(frozen=True)
class Fischer(TimeControl):
    """Main time with an increment at the end of each of the player's turns."""

    added: int

    def close_turn(self, left: TimeLeft) -> TimeLeft:
        """Add the increment, unless all time was used up."""
        return left if left.has_fallen else replace(left, main=left.main + self.added)

    def renew_time(self, left: TimeLeft) -> TimeLeft:
        """Return the increment of one turn."""
        return TimeLeft(self.added)

    def describe_fully(self) -> Message:
        """Return the control as a sentence for players."""
        return message("control.fischer", main=Duration(self.main), added=Duration(self.added))

    def describe_briefly(self) -> Message:
        """Return the control in a few words: for lists and sheets."""
        return message("control.brief.fischer", main=Duration(self.main), added=Duration(self.added))

    def __str__(self) -> str:
        return f"{write_duration(self.main)}+{write_duration(self.added)}"


@dataclass(frozen=True)
class ByoYomi(TimeControl):
    """Japanese byo-yomi (second counting): after the main time, periods; one that is not used up is kept."""

    count: int
    period: int

    def time_at_start(self) -> TimeLeft:
        """Return the main time and all periods."""
        return TimeLeft(self.main, self.period, self.count)

    def spend(self, left: TimeLeft, ms: int) -> TimeLeft:
        """Spend the main time first, then period after period."""
        if ms < left.main:
            return replace(left, main=left.main - ms)
        overtime = ms - left.main
        if overtime < left.period:
            return replace(left, main=0, period=left.period - overtime)
        periods_used, remainder = divmod(overtime - left.period, self.period)
        periods = max(left.periods - 1 - periods_used, 0)
        return TimeLeft(0, self.period - remainder if periods else 0, periods)

    def close_turn(self, left: TimeLeft) -> TimeLeft:
        """Refill the period in use."""
        return left if left.has_fallen else replace(left, period=self.period)

    def renew_time(self, left: TimeLeft) -> TimeLeft:
        """Return one period."""
        return TimeLeft(0, self.period, 1)

    def is_counted_down(self, left: TimeLeft) -> bool:
        """Return True in the periods."""
        return left.is_in_overtime

    def overtime_text(self, left: TimeLeft) -> Message:
        """Return the number of periods left."""
        return message("clock.periods", n=left.periods)

    def describe_fully(self) -> Message:
        """Return the control as a sentence for players."""
        return message("control.byo-yomi", main=Duration(self.main), n=self.count, period=Duration(self.period))

    def describe_briefly(self) -> Message:
        """Return the control in a few words: for lists and sheets."""
        return message(
            "control.brief.byo-yomi", main=Duration(self.main), periods=self.count, period=Duration(self.period)
        )

    def __str__(self) -> str:
        return f"{write_duration(self.main)}+{self.count}x{write_duration(self.period)}"


@dataclass(frozen=True)
class Canadian(TimeControl):
    """Canadian overtime: after the main time, a number of turns in each period.

    The turn in which the main time ends is the first of them. A new period begins at once when they are played.
    """

    stones: int
    period: int

    def time_at_start(self) -> TimeLeft:
        """Return the main time and a whole period."""
        return TimeLeft(self.main, self.period, stones=self.stones)

    def spend(self, left: TimeLeft, ms: int) -> TimeLeft:
        """Spend the main time first, then the period."""
        if ms < left.main:
            return replace(left, main=left.main - ms)
        return replace(left, main=0, period=max(left.period - (ms - left.main), 0))

    def close_turn(self, left: TimeLeft) -> TimeLeft:
        """Reduce the stones to play by one in overtime; after the last return a whole period."""
        if left.has_fallen or left.main:
            return left
        return replace(left, stones=left.stones - 1) if left.stones > 1 else self.renew_time(left)

    def renew_time(self, left: TimeLeft) -> TimeLeft:
        """Return a whole period with all its stones."""
        return TimeLeft(0, self.period, stones=self.stones)

    def is_counted_down(self, left: TimeLeft) -> bool:
        """Return True in overtime."""
        return left.is_in_overtime

    def overtime_text(self, left: TimeLeft) -> Message:
        """Return the number of turns to be closed in the period."""
        return message("clock.stones", n=left.stones)

    def describe_fully(self) -> Message:
        """Return the control as a sentence for players."""
        return message("control.canadian", main=Duration(self.main), n=self.stones, period=Duration(self.period))

    def describe_briefly(self) -> Message:
        """Return the control in a few words: for lists and sheets."""
        return message("control.brief.canadian", main=Duration(self.main), n=self.stones, period=Duration(self.period))

    def __str__(self) -> str:
        return f"{write_duration(self.main)}+{self.stones}/{write_duration(self.period)}"


@dataclass(frozen=True)
class IngPurchase(TimeControl):
    """Ing's control: when time ends a period is bought for points; the game is lost when none is left to buy.

    The rest of a bought period is kept for the next turn.
    """

    count: int
    period: int
    sells_time: ClassVar[bool] = True

    def time_at_start(self) -> TimeLeft:
        """Return the main time, and the periods that can be bought."""
        return TimeLeft(self.main, periods=self.count)

    def spend(self, left: TimeLeft, ms: int) -> TimeLeft:
        """Spend the running time first, then buy period after period."""
        if ms < left.main:
            return replace(left, main=left.main - ms)
        overtime = ms - left.main
        if overtime < left.period:
            return replace(left, main=0, period=left.period - overtime)
        bought, remainder = divmod(overtime - left.period, self.period)
        if bought >= left.periods:
            return TimeLeft(0)
        return TimeLeft(0, self.period - remainder, left.periods - 1 - bought)

    def points_charged(self, left: TimeLeft) -> int:
        """Return two points for each period bought."""
        return POINTS_EACH * (self.count - left.periods)

    def overtime_text(self, left: TimeLeft) -> Message:
        """Return the periods bought, and the points charged for them."""
        points = self.points_charged(left)
        return message("clock.bought", n=points // POINTS_EACH, points=points)

    def describe_fully(self) -> Message:
        """Return the control as a sentence for players."""
        main, period = Duration(self.main), Duration(self.period)
        return message("control.ing", main=main, n=self.count, period=period, points=POINTS_EACH)

    def describe_briefly(self) -> Message:
        """Return the control in a few words: for lists and sheets."""
        return message("control.brief.ing", main=Duration(self.main), periods=self.count, period=Duration(self.period))

    def __str__(self) -> str:
        return f"ing {write_duration(self.main)} {self.count}x{write_duration(self.period)}"


MOST = 999
_ING = re.compile(r"ing +(\S+) +([0-9]+) *[x×] *(\S+)")
_OVERTIME = re.compile(r"(?:([0-9]+) *([x×/]) *)?(\S+)")
_EXAMPLES = ("45m", "30m+5x30s", "30m+20/5m", "3m+15s", "ing 3h30m 3x35m")


def read_control(text: str) -> TimeControl:
    """Parse a control's text; raise BadSetup, in one sentence, for any other text."""
    lower = " ".join(text.lower().split())
    ing = _ING.fullmatch(lower)
    if ing is not None:
        main, count, period = ing.groups()
        return IngPurchase(_parse_time(main, text), _parse_number(count, text), _parse_time(period, text))
    main, plus, overtime = (part.strip() for part in lower.partition("+"))
    if not plus:
        return Absolute(_parse_time(main, text))
    match = _OVERTIME.fullmatch(overtime)
    if match is None:
        raise _unreadable_control(text)
    number, kind, period = match.groups()
    if number is None:
        return Fischer(_parse_time(main, text), _parse_time(period, text))
    make = Canadian if kind == "/" else ByoYomi
    return make(_parse_time(main, text, least=0), _parse_number(number, text), _parse_time(period, text))


def _parse_time(duration: str, text: str, least: int = 1) -> int:
    ms = read_duration(duration)
    if ms is None or ms < least:
        raise _unreadable_control(text)
    return ms


def _parse_number(digits: str, text: str) -> int:
    number = int(digits) if len(digits) <= len(str(MOST)) else 0
    if not number:
        raise _unreadable_control(text)
    return number


def _unreadable_control(text: str) -> BadSetup:
    return BadSetup(message("control.unreadable", control=quote_value(text), examples=Listing(_EXAMPLES)))
