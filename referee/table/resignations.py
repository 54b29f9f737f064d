"""The held CALLs by which players ask to resign: each waits for the same side's DONE, which confirms it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

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


@dataclass(frozen=True)
class Resignations:
    """The requests of a table, by side."""

    requests: Mapping[int, ResignRequest] = field(default_factory=dict)

    def with_request(self, side: int, request: ResignRequest) -> Resignations:
        """Return the requests with one more."""
        return Resignations({**self.requests, side: request})

    def without_side(self, side: int) -> Resignations:
        """Return the requests without that of a side, which any of its presses ends."""
        if side not in self.requests:
            return self
        return Resignations({one: request for one, request in self.requests.items() if one != side})

    def sides_at(self, t: float) -> tuple[int, ...]:
        """Return the sides that may still confirm at t, the first to ask first."""
        return tuple(side for side, request in self.requests.items() if t - request.t <= CONFIRM_WITHIN)
