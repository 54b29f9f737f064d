"""Time controls as texts, as players write them and as `str` of a control gives them back."""

from __future__ import annotations

import re

from referee.errors import BadSetup
from referee.time.controls import Absolute, ByoYomi, Canadian, Fischer, IngPurchase, TimeControl
from referee.time.durations import read_duration

MOST = 999
_ING = re.compile(r"ing +(\S+) +([0-9]+) *[x×] *(\S+)")
_OVERTIME = re.compile(r"(?:([0-9]+) *([x×/]) *)?(\S+)")
_EXAMPLES = "45m, 30m+5x30s, 30m+20/5m, 3m+15s or ing 3h30m 3x35m"


def read_control(text: str) -> TimeControl:
    """The control that a text names; raises BadSetup, in one sentence, for a text that names none."""
    lower = " ".join(text.lower().split())
    ing = _ING.fullmatch(lower)
    if ing is not None:
        main, count, period = ing.groups()
        return IngPurchase(_time(main, text), _number(count, text), _time(period, text))
    main, plus, overtime = (part.strip() for part in lower.partition("+"))
    if not plus:
        return Absolute(_time(main, text))
    found = _OVERTIME.fullmatch(overtime)
    if found is None:
        raise _bad(text)
    number, kind, period = found.groups()
    if number is None:
        return Fischer(_time(main, text), _time(period, text))
    make = Canadian if kind == "/" else ByoYomi
    return make(_time(main, text, least=0), _number(number, text), _time(period, text))


def _time(written: str, text: str, least: int = 1) -> int:
    ms = read_duration(written)
    if ms is None or ms < least:
        raise _bad(text)
    return ms


def _number(written: str, text: str) -> int:
    number = int(written) if len(written) <= len(str(MOST)) else 0
    if not number:
        raise _bad(text)
    return number


def _bad(text: str) -> BadSetup:
    return BadSetup(f"The time control {text[:30]!r} cannot be read; write it like {_EXAMPLES}.")
