"""What callers may do wrong; moves that break a rule of Go are rulings, not errors."""

from __future__ import annotations

import json


class RefereeError(Exception):
    """Something the referee cannot take. Its one argument says what, where and what to do: a message, or a sentence
    where only a command can show it; `messages.said_by` reads it."""


class BadPoint(RefereeError):
    """A name that is no point of the board."""


class BadSetup(RefereeError):
    """A start (board, bowls, komi, handicap, options) that cannot be or contradicts its rule set."""


class BadRecord(RefereeError):
    """A game record or turn that cannot be read."""


class BadCount(RefereeError):
    """A count that cannot be made: stones that cannot be dead, or a game that is not counted that way."""


class InVain(RefereeError):
    """What the director did has no effect."""


def quoted(value: object) -> str:
    """A value as a sentence can quote it: in JSON, long ones shortened."""
    try:
        text = json.dumps(value, ensure_ascii=False, default=str)
    except RecursionError:
        return "what is nested too deep"
    text = text.encode(errors="backslashreplace").decode()  # JSON may name half a character, which cannot be shown.
    return text if len(text) <= 40 else text[:37] + "..."
