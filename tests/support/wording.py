"""Messages in English."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Protocol

import pytest

from referee.game.messages import Message, error_message
from web.language import ENGLISH, find_translator
from web.language_traits import CODES

OTHERS = [find_translator(code) for code in CODES if code != ENGLISH.code]


class HasMessage(Protocol):
    """A ruling, an answer, a reply, a fault of the lids."""

    @property
    def message(self) -> Message:
        """Its message."""


def english(value: HasMessage | Message | Exception | None) -> str:
    """The English sentence of a message, or of what carries one, an error too; nothing for None."""
    if value is None:
        return ""
    if isinstance(value, Exception):
        value = error_message(value)
    message = value if isinstance(value, Message) else value.message
    assert all(other.sentence(message) for other in OTHERS), "what is said in English is said in every language"
    return ENGLISH.sentence(message)


@contextmanager
def raises(kind: type[Exception], words: str) -> Iterator[None]:
    """Whoever raises an error of this kind says these words."""
    with pytest.raises(kind) as exc_info:
        yield
    assert words in english(exc_info.value)
