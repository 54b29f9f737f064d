"""A keyboard as buttons: a key is pressed and let go, a capital letter held down. Pure, with time passed in.

A keyboard tells no release, so the button comes up by itself after a while, as under a finger.
"""

from __future__ import annotations

import re

from device.panel.panel import Edge
from device.panel.presses import HELD
from referee.events import Button

KEYS: dict[str, tuple[int, Button]] = {
    "a": (1, Button.DONE),
    "s": (1, Button.CALL),
    "d": (1, Button.SCORE),
    "j": (2, Button.DONE),
    "k": (2, Button.CALL),
    "l": (2, Button.SCORE),
    " ": (0, Button.PAUSE),
}
"""The key that presses each button."""
HOLDS = {**{key.upper(): button for key, button in KEYS.items() if key.isalpha()}, "P": KEYS[" "]}
"""The key that holds each button down; space has no capital letter, so P holds pause."""
PRESSED_FOR = 0.06
"""Seconds for which a key presses its button."""
HELD_FOR = HELD + 0.1
"""Seconds for which a capital letter holds it."""

_SEQUENCE = re.compile(r"\x1b(?:\[[0-?]*[ -/]*[@-~]|O.|.)?", re.DOTALL)


class Keys:
    """Typed text to edges."""

    def __init__(self) -> None:
        self._down: dict[tuple[int, Button], float] = {}

    def typed(self, text: str, t: float) -> tuple[Edge, ...]:
        """The edges of keys typed at time t; what means nothing, and arrow and function keys, are let pass."""
        edges = list(self.due(t))
        for key in _SEQUENCE.sub("", text):
            which = HOLDS.get(key) or KEYS.get(key)
            if which is not None and which not in self._down:
                self._down[which] = t + (HELD_FOR if key in HOLDS else PRESSED_FOR)
                edges.append(Edge(*which, down=True, t=t))
        return tuple(edges)

    def due(self, t: float) -> tuple[Edge, ...]:
        """The buttons that have come up by time t, the earliest first."""
        up = sorted((end, which) for which, end in self._down.items() if end <= t)
        for _, which in up:
            del self._down[which]
        return tuple(Edge(*which, down=False, t=end) for end, which in up)

    @property
    def deadline(self) -> float | None:
        """When `due` should next be asked; None while no button is down."""
        return min(self._down.values(), default=None)
