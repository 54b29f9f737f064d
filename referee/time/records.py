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
from referee.time.clock import Clock, Closed
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

_TIME = r"([0-9]+(?:\.[0-9]*)?(?::[0-9]{2}){0,2} ?(?:hours?|h|minutes?|mins?|min|m|seconds?|secs?|sec|s)?)"
_BYO_YOMI = "byo[- ]?yomi|japanese|periods?|秒読み|读秒|讀秒|초읽기"
_CANADIAN = r"(?:canadian(?: overtime)?|byo[- ]?yomi)"
_KINDS = tuple(
    (re.compile(kind), written)
    for kind, written in (
        (rf"(?P<n>[0-9]+) ?[x*] ?{_TIME} ?ing", "ing {main} {n}x{time}"),
        (rf"(?P<n>[0-9]+) ?[x*×] ?{_TIME}(?: ?(?:{_BYO_YOMI}))?", "{main}+{n}x{time}"),
        (rf"(?P<n>[0-9]+) (?:periods|times)(?: of)? {_TIME}(?: ?(?:{_BYO_YOMI}))?", "{main}+{n}x{time}"),
        (rf"(?:{_BYO_YOMI}) ?(?P<n>[0-9]+) ?[x*×] ?{_TIME}", "{main}+{n}x{time}"),
        (rf"{_TIME} ?[x*×] ?(?P<n>[0-9]+)(?: ?(?:{_BYO_YOMI}))?", "{main}+{n}x{time}"),
        (rf"{_TIME} ?\((?P<n>[0-9]+)\) ?(?:{_BYO_YOMI})", "{main}+{n}x{time}"),
        (rf"{_TIME} ?(?:{_BYO_YOMI}|simple|per move|/ ?move)", "{main}+1x{time}"),
        (rf"(?P<n>[0-9]+) ?/ ?{_TIME} ?{_CANADIAN}?", "{main}+{n}/{time}"),
        (rf"{_TIME} ?\((?P<n>[0-9]+)\) ?{_CANADIAN}", "{main}+{n}/{time}"),
        (
            rf"(?P<n>[0-9]+) ?(?:moves|stones|turns)? ?(?:in|per|/|every) ?{_TIME}(?: ?{_CANADIAN})?",
            "{main}+{n}/{time}",
        ),
        (rf"\+? ?{_TIME} ?(?:fischer|increment|per move added|bonus)", "{main}+{time}"),
        (rf"(?:fischer|increment) ?\+? ?{_TIME}", "{main}+{time}"),
        (r"none|no|-|absolute|sudden death", "{main}"),
    )
)
"""The overtimes that OGS, KGS, CGoban, Fox, GoUniverse and people write, each with the control that it is."""
_TOGETHER = re.compile(rf"{_TIME} ?\+ ?(.+)")
_BESIDE = re.compile(r"(?i)\s*(?:each|per player|a player|/ ?player|unlimited|no limit|none|∞)\s*$")
_NATIVE_UNITS = {
    "時間": "h",
    "小时": "h",
    "小時": "h",
    "시간": "h",
    "分钟": "m",
    "分": "m",
    "분": "m",
    "秒": "s",
    "초": "s",
}
_NATIVE = re.compile(rf"(?<=[0-9])(?:{'|'.join(_NATIVE_UNITS)})(?!読|读|讀|읽)")
_UNITS = {"h": 3600, "m": 60, "s": 1, "": 1}


@dataclass(frozen=True)
class Times:
    """The time of a recorded game.

    lefts: the player's remaining time after a turn, by the turn's number from 1
    since: the number of turns before the first with a known time
    opening: each player's time then, in the order of play, if the game was resumed
    spent: the milliseconds that a turn took, by its number; empty where only the remaining time is known
    """

    control: TimeControl
    lefts: Mapping[int, TimeLeft] = field(default_factory=dict)
    since: int = 0
    opening: tuple[TimeLeft, ...] = ()
    spent: Mapping[int, int] = field(default_factory=dict, compare=False)


class ClockTimes:
    """The times that one clock records as the game goes on: those of the turns that are the same are taken over.
    Any thread may use it.

    since: the number of turns before the first that is closed on it
    opening: as of `Times`
    """

    def __init__(self, since: int = 0, opening: tuple[TimeLeft, ...] = ()) -> None:
        self._since, self._opening = since, opening
        self._newest: tuple[tuple[Closed, ...], Times] | None = None

    def begin_after(self, since: int) -> None:
        """Change the number of turns before the first that is closed on the clock."""
        if since != self._since:
            self._since, self._newest = since, None

    def read_times(self, clock: Clock) -> Times:
        """Return the times of every turn closed on the clock."""
        before, times = self._newest or ((), Times(clock.control, {}, self._since, self._opening))
        if self._newest is None or clock.closed is not before:
            known_turns = len(before) if clock.closed[: len(before)] == before else 0
            new = list(enumerate(clock.closed[known_turns:], self._since + known_turns + 1))
            lefts = {**(times.lefts if known_turns else {}), **{number: turn.after for number, turn in new}}
            spent = {**(times.spent if known_turns else {}), **{number: turn.ms for number, turn in new}}
            self._newest = clock.closed, replace(times, lefts=lefts, spent=spent)
        return self._newest[1]


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
    tm, ot = (_NATIVE.sub(lambda unit: _NATIVE_UNITS[unit[0]], _BESIDE.sub("", text)) for text in (tm, ot))
    together = _TOGETHER.fullmatch(" ".join(tm.lower().split()))
    if together is not None and not ot:
        tm, ot = together[1], together[2]
    if (not tm and not ot) or (_parse_time(tm or "0", "TM") == 0 and not ot):
        return None
    main, overtime = f"{_seconds_text(_parse_time(tm or '0', 'TM'))}s", " ".join(ot.lower().split())
    text = f"{main}+{overtime}" if overtime else main
    for kind, template in _KINDS:
        match = kind.fullmatch(overtime)
        if match is not None:
            text = template.format(main=main, n=match.groupdict().get("n"), time=_overtime_seconds(match, "OT"))
            break
    try:
        return read_control(text)
    except BadSetup as error:
        raise BadRecord(f"The SGF's time TM[{tm[:20]}] OT[{ot[:30]}] is none that is known here.") from error


def _overtime_seconds(match: re.Match[str], what: str) -> str:
    """Return the time in an overtime, the one group without a name, in seconds."""
    groups = set(range(1, match.re.groups + 1)) - set(match.re.groupindex.values())
    return f"{_seconds_text(_parse_time(match[min(groups)], what))}s" if groups else ""


def _parse_time(text: str, what: str) -> int:
    """Return the milliseconds of `600`, `10:00`, `1:30:00`, `10 min` or `1h`; raise BadRecord for anything else."""
    match = re.fullmatch(_TIME, text.lower().strip())
    if match is None or (":" not in text and not re.search("[hms]", text.lower())):
        return _parse_ms(text.strip(), what)
    number = re.match(r"[0-9.:]+", text)
    assert number is not None
    unit = text[number.end() :].strip().lower()[:1]
    parts = number[0].split(":")
    if len(parts) > 1:
        whole = sum(float(part) * 60**place for place, part in enumerate(reversed(parts)))
        return _parse_ms(f"{whole:.3f}", what)
    return _parse_ms(f"{float(parts[0]) * _UNITS[unit]:.3f}", what)


def left_properties(control: TimeControl, player: Colour, left: TimeLeft) -> dict[str, str]:
    """Return BL or WL, and in the overtime of a control that counts something OB or OW."""
    properties = {f"{player}L": _seconds_text(left.stretch)}
    if left.is_in_overtime and not isinstance(control, (Absolute, Fischer)):
        properties[f"O{player}"] = str(left.stones or left.periods)
    return properties


def parse_time_left(control: TimeControl, seconds: str, count: str) -> TimeLeft:
    """Parse the remaining time from BL (or WL) and OB (or OW; empty in main time); raise BadRecord for no number."""
    ms, start = _parse_ms(seconds, "BL or WL"), control.time_at_start()
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


def _parse_ms(text: str, what: str) -> int:
    ms = ms_of(float(text)) if re.fullmatch(r"-?[0-9]{1,9}(\.[0-9]{0,9})?", text) else LONGEST + 1
    if ms > LONGEST:
        raise BadRecord(f"The SGF's {what} {text[:20]!r} is no number of seconds.")
    return max(ms, 0)
