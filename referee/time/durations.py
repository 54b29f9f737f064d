"""Lengths of time in whole milliseconds: from seconds, and as texts like `3h30m`, `45m`, `1m30s` and `0.5s`."""

from __future__ import annotations

import re

SECOND, MINUTE, HOUR = 1_000, 60_000, 3_600_000
LONGEST = 1000 * HOUR
_WRITTEN = re.compile(r"(?:([0-9]{1,5})h)?(?:([0-9]{1,6})m)?(?:([0-9]{1,7})(?:\.([0-9]{1,3}))?s)?")


def ms_of(seconds: float) -> int:
    """Seconds on the box's clock as whole milliseconds."""
    return round(seconds * SECOND)


def seconds_of(ms: int) -> float:
    """Milliseconds as seconds on the box's clock; `ms_of` gives them back exactly."""
    return ms / SECOND


def read_duration(text: str) -> int | None:
    """Milliseconds of `3h30m`, `45m`, `1m30s`, `0.5s`; None for anything else and for more than 1000 hours."""
    found = _WRITTEN.fullmatch(text) if text.isascii() else None
    if found is None or not text:
        return None
    hours, minutes, seconds, part = found.groups(default="0")
    ms = int(hours) * HOUR + int(minutes) * MINUTE + int(seconds) * SECOND + int(part.ljust(3, "0"))
    return ms if ms <= LONGEST else None


def write_duration(ms: int) -> str:
    """The text that `read_duration` reads; hours are written from two on (`90m`, `3h30m`)."""
    hours, rest = divmod(ms, HOUR) if ms >= 2 * HOUR else (0, ms)
    minutes, rest = divmod(rest, MINUTE)
    parts = [f"{hours}h"] * bool(hours) + [f"{minutes}m"] * bool(minutes) + [f"{_seconds(rest)}s"] * bool(rest)
    return "".join(parts) or "0s"


def in_words(ms: int) -> str:
    """ "3 hours 30 minutes", "1 minute 30 seconds", "0 seconds"."""
    hours, rest = divmod(ms, HOUR) if ms >= 2 * HOUR else (0, ms)
    minutes, rest = divmod(rest, MINUTE)
    parts = [_counted(hours, "hour")] * bool(hours) + [_counted(minutes, "minute")] * bool(minutes)
    return " ".join([*parts, _counted(_seconds(rest), "second")] if rest or not parts else parts)


def as_on_a_clock(ms: int) -> str:
    """`1:02:03` or `4:59`, rounded up to whole seconds, so that 0:00 stands only where no time is left."""
    minutes, seconds = divmod(-(-ms // SECOND), 60)
    hours, minutes = divmod(minutes, 60)
    return f"{hours}:{minutes:02}:{seconds:02}" if hours else f"{minutes}:{seconds:02}"


def _seconds(ms: int) -> str:
    whole, part = divmod(ms, SECOND)
    return f"{whole}.{part:03}".rstrip("0") if part else str(whole)


def _counted(count: int | str, what: str) -> str:
    return f"{count} {what}" if str(count) == "1" else f"{count} {what}s"
