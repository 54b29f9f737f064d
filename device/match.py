"""One match at the table, from the start check to the agreed result: pure, with time passed in.

It owns the referee, decides which looks are news to it, and keeps what the lamps and the page need beyond the game:
what still has to be put right, whose press waits, who has agreed, whether the game is paused.
"""

from __future__ import annotations

from dataclasses import dataclass

from device import words
from referee.board import Colour
from referee.events import Button, Observed, Pressed
from referee.game import Manner, Referee
from referee.record import GameRecord
from referee.ruling import Ruling, Status
from referee.snapshot import Phase, Showing, Sight, Snapshot
from referee.turns import Placement

SHOWN_FOR = 3.0
"""Seconds for which a refusal stays on the lamps though the table is right again."""
DOUBTS = 0.8
"""A look is news when a point's likeliest content is other than before, or becomes surer or less sure than this."""


@dataclass(frozen=True)
class Heard:
    """What came of an event. counts: it went into the match and has to be journaled; else it was no news."""

    counts: bool
    rulings: tuple[Ruling, ...] = ()


NO_NEWS = Heard(False)


class Match:
    """Hand it every look and every press in the order of time; read `showing` after each."""

    def __init__(self, record: GameRecord, manner: Manner) -> None:
        self._referee = Referee(record, manner)
        self._manner = manner
        self._begun = False
        self._trouble: Ruling | None = None
        self._agreed: set[int] = set()
        self._paused = self._called = False
        self._notice: str | None = None
        self._news: object = None

    @property
    def record(self) -> GameRecord:
        """The game as accepted so far."""
        return self._referee.record

    @property
    def snapshot(self) -> Snapshot:
        """The game as it can be shown."""
        return self._referee.snapshot

    @property
    def phase(self) -> Phase:
        """Where the match stands."""
        if self.record.ended:
            return Phase.FINAL if self._agreed == {1, 2} else Phase.RESULT
        return Phase.PLAY if self._begun or self.record.number else Phase.START

    @property
    def waits_for_look(self) -> bool:
        """A press is to be judged on the next look at the table."""
        return bool(self._referee.waiting)

    def showing(self, number: int, t: float, sight: Sight, faults: tuple[str, ...] = ()) -> Showing:
        """All that lamps and page show at time t."""
        return Showing(
            number,
            t,
            self.snapshot,
            self._manner.refereed,
            self.phase,
            sight,
            self._trouble,
            self._sides(self._referee.waiting),
            self._sides(self._referee.resigning(t)),
            tuple(sorted(self._agreed)),
            self._paused,
            self._called,
            self._notice,
            faults,
        )

    def hear(self, event: Observed | Pressed) -> Heard:
        """Take a look at the table or a press."""
        return self._look(event) if isinstance(event, Observed) else self._press(event)

    # Looks

    def _look(self, seen: Observed) -> Heard:
        if self._paused:
            return NO_NEWS
        news = _gist(seen)
        if news == self._news:
            self._calm(seen)
            return NO_NEWS
        self._news = news
        rulings = self._ruled(self._referee.receive(seen))
        self._calm(seen)
        return Heard(True, rulings)

    def _calm(self, seen: Observed) -> None:
        """Trouble is over when the table stands as the record has it, once it has been shown long enough."""
        if not self._may_be_over(seen) or not self._referee.agrees(seen):
            return
        self._begun = True
        self._trouble = next(iter(self._referee.unfinished), None)

    def _may_be_over(self, seen: Observed) -> bool:
        trouble = self._trouble
        if trouble is None:
            return not self._begun
        if trouble.status is Status.UNFINISHED and trouble.turn > 0:
            return isinstance(trouble.move, Placement) and self._manner.refereed and not self._referee.waiting
        return seen.t - trouble.t >= SHOWN_FOR or trouble.turn == 0 or bool(trouble.points)

    def _ruled(self, rulings: tuple[Ruling, ...]) -> tuple[Ruling, ...]:
        if rulings:
            newest = rulings[-1]
            waits = next(iter(self._referee.unfinished), None)
            self._trouble = waits if newest.status is Status.LEGAL else newest
            self._notice = None
        return rulings

    # Presses

    def _press(self, press: Pressed) -> Heard:
        if press.button is not Button.PAUSE and press.side not in (1, 2):
            return NO_NEWS
        self._news = None
        self._notice = None
        if press.button is Button.PAUSE:
            self._pause(press.held)
            return Heard(True)
        if self._paused:
            self._notice = words.PAUSED
            return Heard(True)
        if press.button is Button.SCORE:
            self._score(press)
            return Heard(True)
        if self.record.ended and press.button is Button.DONE:
            self._agreed.add(press.side)
            return Heard(True)
        return Heard(True, self._ruled(self._referee.receive(press)))

    def _pause(self, held: bool) -> None:
        if held:
            self._paused = self._called = True
        else:
            self._paused, self._called = not self._paused, False

    def _score(self, press: Pressed) -> None:
        """`score` proposes or agrees to a count, held it disagrees; here that can only be about the result."""
        if not self.record.ended:
            self._notice = words.NO_COUNT
        elif self.phase is Phase.FINAL:
            self._notice = words.FINAL
        elif press.held:
            self._agreed.clear()
            self._called = self._paused = True
            self._notice = words.DISAGREED
        else:
            self._agreed.add(press.side)

    def _sides(self, players: tuple[Colour, ...]) -> tuple[int, ...]:
        sides = {self.snapshot.side_of(player) for player in players}
        return tuple(sorted(side for side in sides if side is not None))


def _gist(seen: Observed) -> object:
    """What of a look makes it news: each point's likeliest content and whether it is doubtful, and the lids."""
    likeliest = tuple((max(range(3), key=sight.__getitem__), max(sight) < DOUBTS) for sight in seen.points)
    return likeliest, seen.lids
