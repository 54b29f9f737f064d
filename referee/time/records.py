"""Time in game records: SGF's TM and OT (the control), BL, WL, OB and OW (the time left after a turn).

OT is free text in SGF. Written: `5x30 byo-yomi`, `20/300 Canadian`, `15 Fischer`, `3x2100 Ing`, seconds throughout.
OB and OW are written in overtime only: the stones to play (Canadian), the periods left, or those that can be bought.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, field, replace

from referee.game.board import Colour
from referee.game.errors import BadRecord, BadSetup
from referee.time.clock import Clock
from referee.time.controls import (
    LONGEST,
    Absolute,
    ByoYomi,
    Canadian,
    Fischer,
    IngPurchase,
    TimeControl,
    TimeLeft,
    ms_of,
    read_control,
)

_KINDS = (
    (re.compile(r"([0-9]+) ?x ?([0-9.]+)s? ?ing"), "ing {0} {1}x{2}"),
    (re.compile(r"([0-9]+) ?x ?([0-9.]+)s?(?: ?byo-?yomi)?"), "{0}+{1}x{2}"),
    (re.compile(r"([0-9]+) ?/ ?([0-9.]+)s?(?: ?canadian)?"), "{0}+{1}/{2}"),
    (re.compile(r"()([0-9.]+)s? ?fischer"), "{0}+{2}"),
    (re.compile(r"()fischer ?([0-9.]+)s?"), "{0}+{2}"),
)


@dataclass(frozen=True)
class Times:
    """The time of a recorded game.

    lefts: the player's remaining time after a turn, by the turn's number from 1
    since: the number of turns before the first with a known time
    opening: each player's time then, in the order of play, if the game was resumed
    """

    control: TimeControl
    lefts: Mapping[int, TimeLeft] = field(default_factory=dict)
    since: int = 0
    opening: tuple[TimeLeft, ...] = ()


def times_of(clock: Clock, since: int = 0, opening: tuple[TimeLeft, ...] = ()) -> Times:
    """Return the times that a clock has recorded for every turn closed on it.

    since: the number of turns before the first of them
    """
    lefts = {number: turn.after for number, turn in enumerate(clock.closed, since + 1)}
    return Times(clock.control, lefts, since, opening)


def control_properties(control: TimeControl) -> dict[str, str]:
    """Return TM and, if there is overtime, OT."""
    properties = {"TM": _seconds_text(control.main)}
    match control:
        case ByoYomi(count=count, period=period):
            properties["OT"] = f"{count}x{_seconds_text(period)} byo-yomi"
        case Canadian(stones=stones, period=period):
            properties["OT"] = f"{stones}/{_seconds_text(period)} Canadian"
        case Fischer(added=added):
            properties["OT"] = f"{_seconds_text(added)} Fischer"
        case IngPurchase(count=count, period=period):
            properties["OT"] = f"{count}x{_seconds_text(period)} Ing"
    return properties


def control_of(tm: str, ot: str) -> TimeControl | None:
    """Parse the control in TM and OT, None if there is none; raise BadRecord for an unreadable one."""
    if (not tm and not ot) or (_ms(tm or "0", "TM") == 0 and not ot):
        return None
    main, overtime = f"{_seconds_text(_ms(tm or '0', 'TM'))}s", " ".join(ot.lower().split())
    text = f"{main}+{overtime}" if overtime else main
    for kind, written in _KINDS:
        found = kind.fullmatch(overtime)
        if found is not None:
            text = written.format(main, found.group(1), f"{_seconds_text(_ms(found.group(2), 'OT'))}s")
            break
    try:
        return read_control(text)
    except BadSetup as error:
        raise BadRecord(f"The SGF's time TM[{tm[:20]}] OT[{ot[:30]}] is none that is known here.") from error


def left_properties(control: TimeControl, player: Colour, left: TimeLeft) -> dict[str, str]:
    """Return BL or WL, and in the overtime of a control that counts something OB or OW."""
    properties = {f"{player}L": _seconds_text(left.stretch)}
    if left.in_overtime and not isinstance(control, (Absolute, Fischer)):
        properties[f"O{player}"] = str(left.stones or left.periods)
    return properties


def parse_time_left(control: TimeControl, seconds: str, count: str) -> TimeLeft:
    """Parse the remaining time from BL (or WL) and OB (or OW; empty in main time); raise BadRecord for no number."""
    ms, start = _ms(seconds, "BL or WL"), control.start()
    if not count or isinstance(control, (Absolute, Fischer)):
        return replace(start, main=ms) if ms else control.spend(start, start.main)
    if not re.fullmatch("[0-9]{1,4}", count):
        raise BadRecord(f"The SGF's OB or OW {count[:20]!r} is no whole number.")
    if isinstance(control, Canadian):
        return TimeLeft(0, ms, stones=int(count))
    return TimeLeft(0, ms, int(count))


def _seconds_text(ms: int) -> str:
    """Return milliseconds as seconds: `30`, `12.345`."""
    return f"{ms // 1000}.{ms % 1000:03}".rstrip("0").rstrip(".")


def _ms(text: str, what: str) -> int:
    ms = ms_of(float(text)) if re.fullmatch(r"-?[0-9]{1,9}(\.[0-9]{0,9})?", text) else LONGEST + 1
    if ms > LONGEST:
        raise BadRecord(f"The SGF's {what} {text[:20]!r} is no number of seconds.")
    return max(ms, 0)
