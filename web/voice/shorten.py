"""The spoken part of a message: all of it, or of a long fault as many of its first sentences as fit. Decided only here.

Rulings, counts and requests to players are always spoken in full, with the reason and what to do, because some follow
the game by ear alone. How to fix the box is on the page, which shows all of it.
"""

from __future__ import annotations

from collections.abc import Sequence

from referee import Message
from web.language import UNSPACED, Translator
from web.voice.pronunciation import LONGEST, seconds, sentences

_SILENT = """about act camera desk finding gallery games hall http journal kept keys label lamps language lights
    occasion page pairing pin pins plain reason round rules run sheet side status step stream summary sure tap title
    turn wall watch worth"""
SILENT = frozenset(_SILENT.split())
"""The key prefixes of the page, the desk, the hall and the commands: never spoken at a table."""
_FAULTS = "camera control fault feed frames health identity paper poster rim sealed stream unnamed voice"
IN_PART = (SILENT | frozenset(_FAULTS.split())) - {"plain"}
"""The key prefixes that may be spoken in part: faults of the box, and messages that only its keepers read.

A plain sentence is a person's, and excluded.
"""


def said_of(said: Message, say: Translator) -> tuple[str, ...]:
    """Return the spoken text of a message and of each that follows it."""
    text = say(said.key, **dict(said.args))
    code = say.foreign(said) or say.code
    return (brief(said.key, text, code), *(one for then in said.then for one in said_of(then, say)))


def brief(key: str, text: str, code: str) -> str:
    """Return the spoken part of this key's text: all, or its first sentences."""
    if key.partition(".")[0] not in IN_PART or seconds(text, code) <= LONGEST:
        return text
    parts = sentences(text)
    fits = (many for many in range(len(parts), 1, -1) if seconds(joined(parts[:many], code), code) <= LONGEST)
    return joined(parts[: next(fits, 1)], code)


def joined(texts: Sequence[str], code: str) -> str:
    """Join sentences."""
    return ("" if code in UNSPACED else " ").join(texts)
