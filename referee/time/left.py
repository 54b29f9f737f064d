"""What a player has left of her time."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class Left:
    """What a player has left. main, period: milliseconds of main time and of the period in use or next to be used.

    periods: periods left, the one in use included; under Ing's control those that can still be bought. stones: turns
    to be closed before the period ends (Canadian). The flag has fallen when neither main time nor period is left.
    """

    main: int
    period: int = 0
    periods: int = 0
    stones: int = 0

    @property
    def fallen(self) -> bool:
        """All time is used up."""
        return not (self.main or self.period)

    @property
    def in_overtime(self) -> bool:
        """The main time is used up."""
        return not self.main

    @property
    def stretch(self) -> int:
        """Milliseconds of the time that runs now: main time, or the period."""
        return self.main or self.period
