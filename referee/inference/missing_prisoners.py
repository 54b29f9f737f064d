"""The reminder about prisoners: if an event requires it, captured stones must be in the captor's lid at `done`.

It applies under rules that do not count the lids otherwise. Korea's rules of 2024 made it a penalty. Only what the
first look after the press shows for certain counts: a lid under a hand, or with stones on top of each other, proves
nothing and is checked again until the opponent has played. A stone that is in the lid by then was on its way; one still
in a hand elsewhere is missing. Nobody is reminded twice of the same stone.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from enum import StrEnum

from referee.game.actor import Actor
from referee.game.board import Colour, opponent_of
from referee.game.errors import BadSetup
from referee.game.messages import Message, Stones, message
from referee.game.penalties import Offence, Penalty, fine_players, points_to_white
from referee.game.record import GameRecord, RuleSet
from referee.game.ruling import Reply
from referee.inference.lids import Cell, Lids

PENALTY = 2
"""The penalty, in points to the opponent."""
SIDES = 2


class MissingPrisonerPenalty(StrEnum):
    """The consequence of a missing prisoner: the reminder alone, a caution, points at the count, or loss of the
    game."""

    TOLD = "told"
    CAUTION = "caution"
    POINTS = "two points"
    LOSS = "loss"


FREE = "free"
"""The value in settings and acts for no check."""
TOLD = message("prisoners.told")
"""The beginning of every message about it."""


@dataclass(frozen=True)
class MissingPrisoners:
    """Captured stones that were not in the lid.

    turn: the number of the capturing turn
    """

    turn: int
    player: Colour
    stones: int

    @property
    def losing_result(self) -> str:
        """Return the result of a game that is lost by it."""
        return f"{opponent_of(self.player)}+F"


@dataclass(frozen=True)
class _DueCheck:
    """A capture whose lid is still to be checked.

    want: the number of the opponent's stones that must be in the lid by now, the new ones included
    """

    missed: MissingPrisoners
    want: int


def check_follows(rules: RuleSet, players: int, refereed: bool) -> None:
    """Raise BadSetup if nobody can be reminded under these rules, or at this table."""
    if rules.delays is not None:
        raise BadSetup(message("prisoners.counted-anyway", rules=message(f"title.{rules.name}")))
    if not rules.bowls.are_prisoners_kept:
        raise BadSetup(message("prisoners.to-supply", rules=message(f"title.{rules.name}")))
    if players > SIDES:
        raise BadSetup(message("prisoners.two-players"))
    if not refereed:
        raise BadSetup(message("prisoners.no-done"))


def parse_consequence(name: str) -> MissingPrisonerPenalty | None:
    """Return the consequence by its name in settings and acts; None for FREE."""
    return None if name == FREE else MissingPrisonerPenalty(name)


class Prisoners:
    """The check of the captors' lids, with their contents before each turn.

    follows: the consequence; None if nobody is reminded
    missed: the reminders that still count, the newest last
    """

    def __init__(self, follows: MissingPrisonerPenalty | None) -> None:
        self.follows = follows
        self.missed: tuple[MissingPrisoners, ...] = ()
        self._lid_contents: dict[Colour, int] = {}
        self._due: tuple[_DueCheck, ...] = ()
        self._reminded: dict[Colour, int] = {}

    @property
    def players_reminded(self) -> tuple[Colour, ...]:
        """Return the players whose lid still lacks what they were reminded of."""
        return tuple(sorted(self._reminded))

    @property
    def penalties(self) -> tuple[Penalty, ...]:
        """Return the fines of the players for it."""
        if self.follows is not MissingPrisonerPenalty.POINTS:
            return ()
        times = Counter(one.player for one in self.missed)
        return fine_players(((player, PENALTY * many) for player, many in sorted(times.items())), Offence.PRISONERS)

    # Looks

    def judge_look(
        self,
        records: tuple[GameRecord, GameRecord],
        closers: Sequence[Colour],
        lids: Lids | None,
        is_settled: bool,
    ) -> tuple[MissingPrisoners, ...]:
        """Return the missing prisoners, after a look was judged.

        records: the records before and after the look
        closers: the players whose presses it judged
        lids: the lids in the look, None if they are not in view or their owners unknown
        is_settled: the board agrees with the record after the look
        """
        if self.follows is None:
            return ()
        before, after = records
        new = after.records_since(before.number)
        if new:
            self._due = tuple(due for record in new if (due := self._build_due_check(record, closers)) is not None)
        shortfalls = tuple(one for due in self._due for one in self._find_missing(due, lids))
        self._forget_reminded(lids, [record.turn.player for record in new if record.turn is not None])
        self._reminded |= {due.missed.player: due.want for due, _ in shortfalls}
        self._due = tuple(due for due in self._due if due.missed.player not in self._lid_contents)
        if is_settled and lids is not None:
            self._remember_contents(lids)
        self.missed += tuple(missing_prisoners for _, missing_prisoners in shortfalls)
        return tuple(missing_prisoners for _, missing_prisoners in shortfalls)

    def _build_due_check(self, record: GameRecord, closers: Sequence[Colour]) -> _DueCheck | None:
        """Return the check due for a turn's own capture; None if it took nothing, or the lid's earlier content is
        unknown."""
        before, turn = record.before, record.turn
        if before is None or turn is None or turn.player not in closers:
            return None
        other = opponent_of(turn.player)
        captured_count = (before.position.stones_of(other) & ~record.position.stones_of(other)).bit_count()
        lid_count = self._lid_contents.pop(turn.player, None) if captured_count else None
        return (
            None
            if lid_count is None
            else _DueCheck(MissingPrisoners(record.number, turn.player, captured_count), lid_count + captured_count)
        )

    def _find_missing(self, due: _DueCheck, lids: Lids | None) -> Iterable[tuple[_DueCheck, MissingPrisoners]]:
        """Return what is certainly missing; a lid that is certainly right is known from then on, a doubtful one
        waits."""
        player = due.missed.player
        if lids is None:
            return ()
        sight, count = lids.sights[player], lids.likeliest_count(_prisoners_of(player))
        if not (sight.sure or (sight.clear and count >= due.want)):
            return ()
        self._lid_contents[player] = count
        missing_count = min(due.want - count, due.missed.stones)
        return [(due, replace(due.missed, stones=missing_count))] if missing_count > 0 else ()

    def _forget_reminded(self, lids: Lids | None, closers: Sequence[Colour]) -> None:
        """Stop reminding players who have put the stones into their lid since, or made their next turn."""
        for player, want in list(self._reminded.items()):
            sight = lids.sights[player] if lids is not None else None
            is_readable = sight is not None and (sight.sure or sight.clear)
            is_right = lids is not None and is_readable and lids.likeliest_count(_prisoners_of(player)) >= want
            if is_right or player in closers:
                del self._reminded[player]

    def _remember_contents(self, lids: Lids) -> None:
        """Note the lids' contents before the next turn; forget a doubtful one that may have changed."""
        for player, sight in lids.sights.items():
            if any(due.missed.player is player for due in self._due):
                continue
            low, high = lids.range_of(_prisoners_of(player))
            if sight.sure:
                self._lid_contents[player] = low
            elif not low <= self._lid_contents.get(player, -1) <= high:
                self._lid_contents.pop(player, None)

    # Decisions of the director

    def drop_after(self, number: int) -> None:
        """Drop the reminders after turn `number`, because the director took back or enters turns."""
        self.missed = tuple(one for one in self.missed if one.turn <= number)
        self._due, self._reminded = (), {}

    @property
    def newest_reminder(self) -> MissingPrisoners | None:
        """Return the newest reminder that counts; None if there is none."""
        return next(reversed(self.missed), None)

    def waive_newest(self) -> None:
        """Waive the newest reminder."""
        *earlier, newest = self.missed
        self.missed = tuple(earlier)
        self._reminded.pop(newest.player, None)


def stored_reminder(missing_prisoners: MissingPrisoners, follows: MissingPrisonerPenalty, t: float) -> Reply:
    """Return the reminder as it is stored: players get it by their lamp alone."""
    return Reply(t, missing_message(missing_prisoners, follows), missing_prisoners.player, author=Actor.BOX, quiet=True)


def missing_message(missing_prisoners: MissingPrisoners, follows: MissingPrisonerPenalty) -> Message:
    """Return the message about the missing stones and the consequence."""
    player, other = missing_prisoners.player, opponent_of(missing_prisoners.player)
    stones = Stones(missing_prisoners.stones, other)
    what = TOLD + message(
        "prisoners.missing", player=player, stones=stones, turn=missing_prisoners.turn, n=missing_prisoners.stones
    )
    match follows:
        case MissingPrisonerPenalty.CAUTION:
            return what + message("prisoners.caution", player=player)
        case MissingPrisonerPenalty.POINTS:
            return what + message("prisoners.points", player=other, points=PENALTY)
        case MissingPrisonerPenalty.LOSS:
            return what + message("prisoners.loss", player=player)
    return what


def penalty_message(penalties: Sequence[Penalty]) -> Message | None:
    """Return the message at the count about points for missing stones."""
    to_white = points_to_white(penalties)
    if not to_white:
        return None
    receiver = Colour.WHITE if to_white > 0 else Colour.BLACK
    return message("prisoners.at-count", player=receiver, points=abs(to_white))


def _prisoners_of(player: Colour) -> Cell:
    """Return the cell of the opponent's stones in a player's lid."""
    return player, opponent_of(player)
