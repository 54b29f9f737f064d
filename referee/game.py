"""The referee of one game: a machine without I/O. Events in, rulings out, time passed in.

    Observed ---> Look ---> inference: which legal turns lead from the record to what is seen? ---> Ruling
    Pressed  ---> a turn is closed, or a pass, a draw or the end is claimed                    ---> Ruling

A recorded game (`watch`, casual play) is followed look by look, see `recording`. At a refereed table a player's `done`
closes her turn, which is judged on the first look taken after the press, see `refereed`.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

from referee.board import Colour, points_of
from referee.book import Book
from referee.events import Button, Event, Observed, Pressed, SourceEnded
from referee.look import Look
from referee.record import GameRecord
from referee.recording import Recording
from referee.refereed import Refereed
from referee.ruling import Prohibition, Reason, Ruling
from referee.snapshot import Snapshot
from referee.turns import Draw, Pass, Placement, Resign, Turn

CONFIRM_WITHIN = 10.0
"""Seconds after holding `call` in which `done` confirms a resignation."""


@dataclass(frozen=True)
class Manner:
    """How the table is played.

    refereed: `done` presses close turns; else a steady look does. black_side: 1 or 2, where it is known; under rules
    with stones in the lids these say it themselves. to_play_said: the record's player to move was named by a person,
    and holds for a game that is first seen in its middle.
    """

    refereed: bool = False
    black_side: int | None = None
    to_play_said: bool = False


class Referee:
    """Judges one game. Feed it events in the order of time; it answers each with its rulings, often none."""

    def __init__(self, record: GameRecord, manner: Manner | None = None) -> None:
        manner = manner or Manner()
        self._book = Book(record, manner.black_side)
        self._refereed = Refereed(self._book) if manner.refereed else None
        self._recording = Recording(self._book, manner.to_play_said)
        self._rulings: tuple[Ruling, ...] = ()
        self._resigning: dict[Colour, float] = {}

    @property
    def record(self) -> GameRecord:
        """The game as accepted so far."""
        return self._book.record

    @property
    def snapshot(self) -> Snapshot:
        """All that can be shown, as one immutable value."""
        record = self.record
        return Snapshot(
            record.rules.name,
            record.position,
            record.bowls,
            record.to_play,
            record.number,
            record.turns,
            self._book.lids.black_side,
            record.ended,
            record.result,
            self._rulings,
        )

    @property
    def waiting(self) -> tuple[Colour, ...]:
        """The players whose press waits for a look at the table."""
        return self._refereed.waiting if self._refereed is not None else ()

    @property
    def unfinished(self) -> tuple[Ruling, ...]:
        """Turns in the record that something is still missing of."""
        return self._book.unfinished

    def resigning(self, t: float) -> tuple[Colour, ...]:
        """The players who held `call` and may still confirm by `done`."""
        return tuple(player for player, since in self._resigning.items() if t - since <= CONFIRM_WITHIN)

    def agrees(self, seen: Observed) -> bool:
        """Whether a look shows the table just as the record has it, lids included where they are seen."""
        record = self.record
        if len(seen.points) != record.position.board.full.bit_length():
            return False
        look = Look.of(record.position.board, seen.points)
        lids = self._book.lids.peek(seen.lids) if record.rules.delays is not None else None
        return look.likeliest == record.position and (lids is None or lids.fit(record.bowls))

    def receive(self, event: Event) -> tuple[Ruling, ...]:
        """Take one event; returns what is ruled upon it, in order."""
        match event:
            case Observed():
                self._observe(event)
            case Pressed():
                self._press(event)
            case SourceEnded():
                (self._refereed or self._recording).end()
        name = event.name if isinstance(event, Observed) else None
        new = tuple(replace(ruling, t=event.t, name=name) for ruling in self._book.take())
        self._rulings += new
        return new

    # Looks

    def _observe(self, seen: Observed) -> None:
        board = self.record.position.board
        if len(seen.points) != board.cols * board.rows:
            return
        look = Look.of(board, seen.points)
        if look.misfits(self.record.position):
            self._resigning.clear()
        if self.record.ended:
            self._after_the_end(look)
        elif self._refereed is not None:
            self._refereed.look(look, seen.lids, seen.t)
        else:
            self._recording.look(look, seen.lids)

    def _after_the_end(self, look: Look) -> None:
        """A stone placed after the end is refused, once; clearing the board is nobody's turn."""
        position, changed = self.record.position, look.misfits(self.record.position)
        if look.too_doubtful or changed.bit_count() != 1 or any(r.reason is Reason.GAME_OVER for r in self._rulings):
            return
        point = next(points_of(changed))
        colour = look.likeliest.colour_at(point)
        if position.empty >> point & 1 and colour is not None:
            self._book.refuse(Placement(colour, point), Prohibition(Reason.GAME_OVER))

    # Presses

    def _press(self, press: Pressed) -> None:
        if press.side not in (1, 2):
            return
        player = self._presser(press)
        resigning = player in self.resigning(press.t)
        self._resigning.pop(player, None)
        if press.button is Button.CALL and press.held and not self.record.ended:
            self._resigning[player] = press.t
        elif resigning:
            # `done` confirms the resignation; any other press takes it back and does no more.
            self._claim(Resign(player), press.t) if press.button is Button.DONE else None
        elif press.button is Button.CALL:
            self._claim(Draw(player) if self.record.rules.draws is not None else Pass(player), press.t)
        elif press.button is Button.DONE and self._refereed is not None and not self.record.ended:
            self._refereed.done(player, press.t)

    def _claim(self, turn: Turn, t: float) -> None:
        if self.record.ended:
            self._book.refuse(turn, Prohibition(Reason.GAME_OVER))
        elif self._refereed is not None:
            self._refereed.claim(turn, t)
        else:
            self._recording.claim(turn)

    def _presser(self, press: Pressed) -> Colour:
        """Who pressed. Holding `done` before the first move claims Black; where nothing else says who sits where, the
        first to press is the player whose turn it is."""
        lids = self._book.lids
        claims = press.button is Button.DONE and press.held and not self.record.number and not lids.believed
        if claims:
            lids.black_side = press.side
        elif lids.black_side is None:
            lids.black_side = press.side if self.record.to_play is Colour.BLACK else 3 - press.side
        return Colour.BLACK if press.side == lids.black_side else Colour.WHITE
