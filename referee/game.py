"""The referee of one game: a machine without I/O. Events in, rulings out, time passed in.

A recorded game (`watch`, casual play) is followed look by look: a steady look that is explained by legal turns ends
them. At a refereed table a player's `done` closes her turn, and it is judged on the first look taken after the press.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

from referee import texts
from referee.board import Colour, Mask, points_of
from referee.events import Event, Observed
from referee.inference import Agreed, Search, agreed
from referee.look import NONE_LEFT, Left, Look
from referee.record import GameRecord, Situation
from referee.ruling import Reason, Ruling, Status
from referee.snapshot import Snapshot
from referee.turns import Placement, Turn

HANDICAP_SEEN = 3
"""So many stones of Black's and none of White's, when hardly a turn was made, are handicap stones set up in view."""

PLAYED_ON = 3
"""A stone that was never seen, placed and captured between two looks, is believed when so many turns explain them."""


@dataclass(frozen=True)
class Manner:
    """How the table is played. refereed: `done` presses close turns; else a steady look does. black_side: 1 or 2."""

    refereed: bool = False
    black_side: int | None = None


class Referee:
    """Judges one game. Feed it events in the order of time; it answers each with its rulings, often none."""

    def __init__(self, record: GameRecord, manner: Manner | None = None) -> None:
        self._record = record
        self._manner = manner or Manner()
        self._black_side = self._manner.black_side
        self._left: Left = NONE_LEFT
        self._standing: list[Ruling] = []
        self._rulings: tuple[Ruling, ...] = ()
        self._said: Ruling | None = None
        self._new: list[Ruling] = []
        self._looked = False
        self._begun_from_look = False

    @property
    def record(self) -> GameRecord:
        """The game as accepted so far."""
        return self._record

    @property
    def snapshot(self) -> Snapshot:
        """All that can be shown, as one immutable value."""
        record = self._record
        return Snapshot(
            record.rules.name,
            record.position,
            record.bowls,
            record.to_play,
            record.number,
            record.turns,
            self._black_side,
            record.ended,
            record.result,
            self._rulings,
        )

    def receive(self, event: Event) -> tuple[Ruling, ...]:
        """Take one event; returns what is ruled upon it, in order."""
        self._new = []
        if isinstance(event, Observed):
            self._observe(event)
        stamped = tuple(replace(ruling, t=event.t, name=getattr(event, "name", None)) for ruling in self._new)
        self._rulings += stamped
        return stamped

    # A look

    def _observe(self, seen: Observed) -> None:
        board = self._record.position.board
        if len(seen.points) != board.cols * board.rows:
            return
        look = Look.of(board, seen.points)
        if self._record.ended:
            self._after_the_end(look)
        else:
            self._follow(look)
        self._looked = self._looked or not look.too_doubtful

    def _after_the_end(self, look: Look) -> None:
        """A stone placed after the end is refused, once; clearing the board is nobody's turn."""
        position = self._record.position
        if look.too_doubtful or look.misfits(position).bit_count() != 1:
            return
        point = next(points_of(look.misfits(position)))
        colour = look.likeliest.colour_at(point)
        if position.empty >> point & 1 and colour is not None:
            self._say_once(self._refusal(Placement(colour, point), Reason.GAME_OVER))

    def _follow(self, look: Look) -> None:
        if look.too_doubtful:
            self._hidden(look)
            return
        found = self._explained(self._record, look)
        if found is None and self._may_begin(look):
            self._begin(look)
        elif found is None and not self._correct(look):
            self._unexplained(look)
        elif found is not None:
            self._accept(found, look)

    def _explained(self, record: GameRecord, look: Look) -> Agreed | None:
        search = Search(look, record, self._left)
        found = agreed(search.explanations())
        if found is None:
            found = agreed(replace(search, vanished=True).explanations())
            return found if found and len(found.explanation.records) >= PLAYED_ON else None
        return found

    def _hidden(self, look: Look) -> None:
        if look.misfits(self._record.position):
            count = look.doubtful.bit_count()
            self._say(Status.UNEXPLAINED, texts.hidden(count), points=look.doubtful)

    def _unexplained(self, look: Look) -> None:
        changed = look.misfits(self._record.position) & ~(self._left[0] | self._left[1])
        changed = changed or look.misfits(self._record.position)
        self._say(Status.UNEXPLAINED, texts.unexplained(look.board, changed), points=changed)

    # What the look shows is accepted

    def _accept(self, found: Agreed, look: Look) -> None:
        best = found.explanation
        still = best.left[0] | best.left[1]
        self._lift(still)
        for after, uncertain in zip(best.records, found.orders or (False,) * len(best.records), strict=False):
            self._advance(after, still, uncertain)
        self._left = best.left
        if best.refused is not None:
            turn = best.turns[-1]
            self._repeat_not(self._refusal(turn, best.refused.reason, best.refused.repeats))
        elif found.rivals > 1 and not best.records and look.misfits(self._record.position):
            self._say(Status.UNEXPLAINED, texts.unclear(look.board, found.open), points=found.open)
        elif not best.records and not still:
            self._said = None

    def _advance(self, after: GameRecord, still: Mask, uncertain: bool, correction: bool = False) -> None:
        """Write one legal turn. Captured stones that still stand, its own or earlier ones, leave it unfinished."""
        before, self._record = self._record, after
        captured = _taken(before, after)
        open_before = _mask(point for ruling in self._standing for point in ruling.points)
        points = still & (captured | open_before)
        text = texts.lift(after, points) if points else texts.legal(after, captured, uncertain)
        ruling = self._ruling(
            Status.UNFINISHED if points else Status.LEGAL,
            texts.corrected(text) if correction else text,
            turn=after.number,
            move=after.turn,
            captured=captured,
            points=points,
            order="uncertain" if uncertain else None,
        )
        if points:
            self._standing.append(ruling)
        self._new.append(ruling)
        self._said = None

    def _lift(self, still: Mask) -> None:
        """Captured stones have left the board: turns that waited for it are complete."""
        waiting, self._standing = self._standing, []
        for ruling in waiting:
            points = tuple(point for point in ruling.points if still >> point & 1)
            record = self._at(ruling.turn)
            captured = _mask(ruling.captured)
            if not points:
                text = texts.lifted(record, captured)
                self._new.append(replace(ruling, status=Status.LEGAL, text=text, points=()))
                continue
            changed = replace(ruling, points=points, text=texts.lift(record, _mask(points)))
            self._standing.append(changed)
            if changed != ruling:
                self._new.append(changed)

    def _at(self, number: int) -> GameRecord:
        return next(record for record in self._record.back() if record.number == number)

    # A look that the turns so far do not explain

    def _correct(self, look: Look) -> bool:
        """The newest turn was misread, as the turns since show: take it back and write what was played."""
        before = self._record.before
        found = self._explained(before, look) if before is not None else None
        if found is None or before is None or len(found.explanation.records) < 2 or found.explanation.refused:
            return False
        best = found.explanation
        self._record, self._standing = before, []
        still = best.left[0] | best.left[1]
        for index, (after, uncertain) in enumerate(zip(best.records, found.orders, strict=True)):
            self._advance(after, still, uncertain, correction=index == 0)
        self._left = best.left
        return True

    def _may_begin(self, look: Look) -> bool:
        """The look may be where the game begins: no turn of it has been seen yet."""
        black, white = look.likeliest.stones
        setting_up = not white and black.bit_count() >= HANDICAP_SEEN and self._record.number <= 1
        unseen = self._record.number == 0 and (self._begun_from_look or not self._looked)
        return unseen or (setting_up and self._record.rules.delays is None)

    def _begin(self, look: Look) -> None:
        """The game was under way, or handicap stones lay on the board, when it was first seen."""
        old, position = self._record, look.likeliest
        black, white = (mask.bit_count() for mask in position.stones)
        handicap = black if black > 1 and not white and old.rules.delays is None else old.handicap
        to_play = Colour.WHITE if handicap > 1 and not white else old.start.to_play
        start = Situation(position, old.start.bowls, to_play)
        self._record = GameRecord.opened(old.rules, start, old.komi, handicap)
        self._begun_from_look = True
        self._left, self._standing = NONE_LEFT, []
        self._repeat_not(self._ruling(Status.LEGAL, texts.begun(black + white, to_play), turn=0))

    # Saying it

    def _refusal(self, turn: Turn, reason: Reason, repeats: int | None = None) -> Ruling:
        from referee.ruling import Prohibition

        captured = _would_take(self._record, turn)
        text = texts.refused(self._record, turn, Prohibition(reason, repeats), captured)
        return self._ruling(
            Status.ILLEGAL, text, move=turn, reason=reason, repeats=repeats, captured=captured, points=_points(turn)
        )

    def _ruling(
        self,
        status: Status,
        text: str,
        *,
        turn: int | None = None,
        move: Turn | None = None,
        reason: Reason | None = None,
        repeats: int | None = None,
        captured: Mask = 0,
        points: Mask = 0,
        order: str | None = None,
    ) -> Ruling:
        number = self._record.number + 1 if turn is None else turn
        player = move.player if move is not None else None
        taken, concerned = tuple(points_of(captured)), tuple(points_of(points))
        return Ruling(status, number, text, player, move, reason, repeats, taken, concerned, order)

    def _say(self, status: Status, text: str, points: Mask = 0) -> None:
        self._repeat_not(self._ruling(status, text, points=points))

    def _repeat_not(self, ruling: Ruling) -> None:
        """Say it, unless it is what was said last and nothing has changed since."""
        if ruling != self._said:
            self._said = ruling
            self._new.append(ruling)

    def _say_once(self, ruling: Ruling) -> None:
        if not any(earlier.reason is ruling.reason for earlier in self._rulings):
            self._new.append(ruling)


def _mask(points: object) -> Mask:
    return sum(1 << point for point in set(points))  # type: ignore[call-overload]


def _points(turn: Turn) -> Mask:
    return 1 << turn.point if isinstance(turn, Placement) else 0


def _taken(before: GameRecord, after: GameRecord) -> Mask:
    return before.position.occupied & ~after.position.occupied


def _would_take(record: GameRecord, turn: Turn) -> Mask:
    if not isinstance(turn, Placement) or record.position.occupied >> turn.point & 1:
        return 0
    return record.position.place(turn.player, turn.point).captured
