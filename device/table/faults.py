"""The faults of a box, as lamps and page show them until they are over."""

from __future__ import annotations

import logging
from collections.abc import Iterator

from referee.game.messages import Message
from web.language import ENGLISH

log = logging.getLogger("shinpan")


class Faults:
    """The faults of a box by name, in the order in which they came."""

    def __init__(self) -> None:
        self._messages: dict[str, Message] = {}

    def __iter__(self) -> Iterator[str]:
        return iter(self._messages)

    def __contains__(self, what: str) -> bool:
        return what in self._messages

    def message(self, what: str) -> Message | None:
        """Return the message about one fault, None while there is none."""
        return self._messages.get(what)

    @property
    def by_name(self) -> dict[str, Message]:
        """Return the messages about all of them, as they are now."""
        return dict(self._messages)

    def report(self, what: str, fault: Message | None) -> None:
        """Set a fault, which goes to the log if it is new; None clears it."""
        if fault is None:
            self._messages.pop(what, None)
        elif self._messages.get(what) != fault:
            self._messages[what] = fault
            log.warning(ENGLISH.sentence(fault))
