"""The errors of callers. Moves that break a rule of Go are rulings, not errors."""

from __future__ import annotations

import json


class RefereeError(Exception):
    """An input that the referee rejects.

    Its one argument says what is wrong, where, and what to do: a message, or a sentence if only a command can show it;
    `messages.error_message` reads it.
    """


class BadPoint(RefereeError):
    """A name that is not a point of the board."""


class BadSetup(RefereeError):
    """A start (board, bowls, komi, handicap, options) that is impossible or contradicts its rule set."""


class BadRecord(RefereeError):
    """A game record or turn that cannot be read."""


class BadCount(RefereeError):
    """A count that is impossible: stones that cannot be dead, or a game that is not counted that way."""


class NoEffect(RefereeError):
    """A director's action without effect."""


def quote_value(value: object) -> str:
    """Return a value as JSON for quoting in a sentence, shortened to 40 characters."""
    try:
        text = json.dumps(value, ensure_ascii=False, default=str)
    except RecursionError:
        return "what is nested too deep"
    text = text.encode(errors="backslashreplace").decode()  # JSON may name half a character, which cannot be printed.
    return text if len(text) <= 40 else text[:37] + "..."
