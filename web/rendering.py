"""Something drawn or written from a Showing, once for all who ask."""

from __future__ import annotations

from collections.abc import Callable

from referee.snapshot import Showing


class Rendering:
    """Keeps the newest Showing's text. Two threads may both make it; each gets a right one.

    run: a word for this run of the box, for numbers begin again with each.
    """

    def __init__(self, render: Callable[[Showing], str], run: str) -> None:
        self._render = render
        self._run = run
        self._newest: tuple[Showing, str] | None = None

    def of(self, showing: Showing) -> str:
        """The text of this Showing."""
        newest = self._newest
        if newest is None or newest[0] is not showing:
            newest = self._newest = (showing, self._render(showing))
        return newest[1]

    def version(self, showing: Showing) -> str:
        """What differs whenever the text may differ."""
        return f"{self._run}-{showing.number}"
