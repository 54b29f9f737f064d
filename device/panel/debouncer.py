"""Debouncing of button contacts, and distinction of presses and holds; the time is passed in. Pure.

A level counts once it has lasted BOUNCE; anything shorter is bounce, wherever it comes. So a press is reported BOUNCE
after its release, with the time of the release; a hold is reported HELD after its start, while the button is still
down, and not again at its release. A button whose first edge is a release was down from the start: it is ignored until
it has been up. So is one that is found down. If a keyboard is unplugged while a button is down, nothing is reported,
because nobody released it.
"""

from __future__ import annotations

from bisect import insort
from dataclasses import dataclass, field
from operator import attrgetter

from device.panel.panel import Edge
from referee.table.events import Button, Pressed

BOUNCE = 0.03
"""Minimum duration of a level, in seconds."""
HELD = 2.0
"""Duration of a hold, in seconds."""


class Presses:
    """The debouncer of all buttons of a table. One thread feeds it edges as they come, and calls `due` at the
    deadline."""

    def __init__(self) -> None:
        self._contacts: dict[tuple[int, Button], _Contact] = {}
        self._now = float("-inf")

    def edge(self, edge: Edge) -> tuple[Pressed, ...]:
        """Add an edge; return the presses decided by it or by its time, the earliest first."""
        contact = self._contacts.get((edge.side, edge.button))
        if contact is None:
            contact = self._contacts[edge.side, edge.button] = _Contact(edge.side, edge.button, not edge.down)
        contact.add(edge)
        return self.due(edge.t)

    def due(self, t: float) -> tuple[Pressed, ...]:
        """Return the presses that are decided at time t, the earliest first."""
        self._now = max(self._now, t)
        presses = [press for contact in self._contacts.values() for press in contact.settle(self._now)]
        return tuple(sorted(presses, key=attrgetter("t")))

    @property
    def deadline(self) -> float | None:
        """Return when `due` should next be called; None while nothing is pending."""
        times = [contact.deadline for contact in self._contacts.values()]
        return min((t for t in times if t is not None), default=None)


@dataclass
class _Contact:
    """One button.

    down: its settled level
    since: when it went down, None once that was reported, or if it was never seen
    open: edges that are not decided, in order of time
    settled: time of the last decided edge
    """

    side: int
    button: Button
    down: bool
    since: float | None = None
    open: list[Edge] = field(default_factory=list)
    settled: float = float("-inf")

    def add(self, edge: Edge) -> None:
        """Insert an edge in order of time; one that is older than a decided edge is dropped."""
        if edge.t >= self.settled:
            insort(self.open, edge, key=attrgetter("t"))

    def settle(self, now: float) -> list[Pressed]:
        """Decide all levels that have lasted long enough, and the hold."""
        presses: list[Pressed] = []
        while self.open:
            first = self.open[0]
            end = next((edge.t for edge in self.open if edge.down != first.down), None)
            if first.done and end is None and now < first.t + BOUNCE:
                break
            self._report_hold(first.t, presses)
            if not first.done:
                self.down, self.since = first.down, None
            elif end is None or end >= first.t + BOUNCE:
                self._set_level(first, presses)
            self.settled = self.open.pop(0).t
        if not self.open:
            self._report_hold(now, presses)
        return presses

    @property
    def deadline(self) -> float | None:
        """Return when to settle again."""
        if self.open:
            return self.open[0].t + BOUNCE
        return self.since + HELD if self.since is not None else None

    def _set_level(self, edge: Edge, presses: list[Pressed]) -> None:
        if edge.down and not self.down:
            self.since = edge.t
        elif not edge.down and self.since is not None:
            presses.append(Pressed(edge.t, self.side, self.button))
            self.since = None
        self.down = edge.down

    def _report_hold(self, until: float, presses: list[Pressed]) -> None:
        """Report a hold if the button was down long enough by then."""
        if self.since is not None and until >= self.since + HELD:
            presses.append(Pressed(self.since + HELD, self.side, self.button, is_held=True))
            self.since = None
