"""The held CALLs by which players ask to resign: each waits for the same side's DONE, which confirms it."""

from __future__ import annotations

from dataclasses import dataclass

CONFIRM_WITHIN = 10.0
"""The time in seconds after holding `call` within which `done` confirms a resignation."""


@dataclass(frozen=True)
class ResignRequest:
    """A player's held CALL, which DONE confirms.

    t: when it was held, in seconds
    play_over: passes had ended play, so that either player might resign
    """

    t: float
    play_over: bool

    def may_be_confirmed(self, t: float) -> bool:
        """Return True if it may still be confirmed at t."""
        return t - self.t <= CONFIRM_WITHIN
