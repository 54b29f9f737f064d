"""The reminder about prisoners: where an event wants it, captured stones lie in the lid of who took them when `done` is
pressed.

It is for rules under which the lids do not count otherwise. Korea's rules of 2024 made it a matter of penalty. What
counts is what the first look after the press shows for sure: a lid over which a hand is, or in which stones lie on each
other, is no ground for anything, and is looked at again until the opponent has played. A stone that is in the lid by
then was on its way; one that is still in a hand elsewhere is missing. Nobody is told twice of the same stone.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from itertools import takewhile

from referee.authors import Author
from referee.board import Colour, opponent_of
from referee.errors import BadSetup
from referee.events import LidSight
from referee.messages import Message, Stones, message
from referee.penalties import Offence, Penalty, fined, points_to_white
from referee.record import GameRecord, RuleSet
from referee.ruling import Reply
from referee.seats import side_of

PENALTY = 2
"""Points to the opponent."""
SIDES = 2


class Follows(StrEnum):
    """What follows where a captured stone is missing: the reminder alone, a caution, points at the count, or the loss
    of the game."""

    TOLD = "told"
    CAUTION = "caution"
    POINTS = "two points"
    LOSS = "loss"


FREE = "free"
"""Stands in settings and acts for nobody minding."""
TOLD = message("prisoners.told")
"""With this begins all that is said of it."""


@dataclass(frozen=True)
class Missed:
    """Captured stones that were not in the lid. turn: the one that captured."""

    turn: int
    player: Colour
    stones: int

    @property
    def loses(self) -> str:
        """The result of a game that is lost by it."""
        return f"{opponent_of(self.player)}+F"


@dataclass(frozen=True)
class _Due:
    """A capture whose lid is to be looked at. want: the opponent's stones that must lie there by now, beside `stones`
    fewer before."""

    missed: Missed
    want: int


def check_follows(rules: RuleSet, players: int, refereed: bool) -> None:
    """Raises BadSetup where nobody can be reminded: under these rules, or at this table."""
    if rules.delays is not None:
        raise BadSetup(message("prisoners.counted-anyway", rules=message(f"title.{rules.name}")))
    if not rules.bowls.keeps:
        raise BadSetup(message("prisoners.to-supply", rules=message(f"title.{rules.name}")))
    if players > SIDES:
        raise BadSetup(message("prisoners.two-players"))
    if not refereed:
        raise BadSetup(message("prisoners.no-done"))


def follows_named(name: str) -> Follows | None:
    """What follows, as settings and acts write it; None for FREE."""
    return None if name == FREE else Follows(name)


class Prisoners:
    """Knows what lay in the lids before each turn. follows: None where nobody is reminded. missed: what still counts of
    all that was told, the newest last."""

    def __init__(self, follows: Follows | None) -> None:
        self.follows = follows
        self.missed: tuple[Missed, ...] = ()
        self._lay: dict[Colour, int] = {}
        self._due: tuple[_Due, ...] = ()
        self._shown: dict[Colour, int] = {}

    @property
    def reminded(self) -> tuple[Colour, ...]:
        """Players whose lid still lacks what they were told of."""
        return tuple(sorted(self._shown))

    @property
    def penalties(self) -> tuple[Penalty, ...]:
        """What the players are fined for it."""
        if self.follows is not Follows.POINTS:
            return ()
        times = Counter(one.player for one in self.missed)
        return fined(((player, PENALTY * many) for player, many in sorted(times.items())), Offence.PRISONERS)

    # Looks

    def look(
        self,
        records: tuple[GameRecord, GameRecord],
        closers: Sequence[Colour],
        lids: tuple[Sequence[LidSight], int | None],
        calm: bool,
    ) -> tuple[Missed, ...]:
        """What is missing, after a look was judged. records: before and after it. closers: whose presses it judged.
        lids: as it shows them, and Black's side. calm: the board lies as the record had it before and has it now."""
        if self.follows is None:
            return ()
        sights = _by_owner(*lids)
        new = list(_new(*records))
        if new:
            self._due = tuple(due for record in new if (due := self._wanted(record, closers)) is not None)
        found = tuple(one for due in self._due for one in self._judged(due, sights))
        self._forget_shown(sights, [record.turn.player for record in new if record.turn is not None])
        self._shown |= {due.missed.player: due.want for due, _ in found}
        self._due = tuple(due for due in self._due if due.missed.player not in self._lay)
        if calm:
            self._remember(sights)
        self.missed += tuple(missed for _, missed in found)
        return tuple(missed for _, missed in found)

    def _wanted(self, record: GameRecord, closers: Sequence[Colour]) -> _Due | None:
        """What a turn's own capture asks for; None where it took nothing, or it is not known what lay there before."""
        before, turn = record.before, record.turn
        if before is None or turn is None or turn.player not in closers:
            return None
        other = opponent_of(turn.player)
        taken = (before.position.of(other) & ~record.position.of(other)).bit_count()
        lay = self._lay.pop(turn.player, None) if taken else None
        return None if lay is None else _Due(Missed(record.number, turn.player, taken), lay + taken)

    def _judged(self, due: _Due, sights: Mapping[Colour, LidSight]) -> Iterable[tuple[_Due, Missed]]:
        """What is surely missing; a lid that is surely right is known from then on, and one in doubt waits."""
        missed = due.missed
        sight = sights.get(missed.player)
        there = _there(sight, missed.player) if sight is not None else 0
        if sight is None or not (sight.sure or (sight.clear and there >= due.want)):
            return ()
        self._lay[missed.player] = there
        lacks = min(due.want - there, missed.stones)
        return [(due, Missed(missed.turn, missed.player, lacks))] if lacks > 0 else ()

    def _forget_shown(self, sights: Mapping[Colour, LidSight], closed: Sequence[Colour]) -> None:
        """Who has put the stones into their lid since, or has made their next turn, is not reminded any more."""
        for player, want in list(self._shown.items()):
            sight = sights.get(player)
            right = sight is not None and (sight.sure or sight.clear) and _there(sight, player) >= want
            if right or player in closed:
                del self._shown[player]

    def _remember(self, sights: Mapping[Colour, LidSight]) -> None:
        """What lies in the lids before the next turn; what is in doubt, and may be otherwise, is not known any more."""
        for player, sight in sights.items():
            if any(due.missed.player is player for due in self._due):
                continue
            low, high = _range(sight, player)
            if sight.sure:
                self._lay[player] = low
            elif not low <= self._lay.get(player, -1) <= high:
                self._lay.pop(player, None)

    # What is decided

    def overruled(self, number: int) -> None:
        """The director has taken back all turns after this one, or enters the next."""
        self.missed = tuple(one for one in self.missed if one.turn <= number)
        self._due, self._shown = (), {}

    @property
    def newest(self) -> Missed | None:
        """The newest that counts; None where none does."""
        return next(reversed(self.missed), None)

    def waive(self) -> None:
        """The newest counts no more."""
        *earlier, newest = self.missed
        self.missed = tuple(earlier)
        self._shown.pop(newest.player, None)


def told(missed: Missed, follows: Follows, t: float) -> Reply:
    """The reminder as it is kept: players are told by their lamp alone."""
    return Reply(t, said(missed, follows), missed.player, author=Author.BOX, quiet=True)


def said(missed: Missed, follows: Follows) -> Message:
    """What is missing, and what follows from it."""
    player, other = missed.player, opponent_of(missed.player)
    stones = Stones(missed.stones, other)
    what = TOLD + message("prisoners.missing", player=player, stones=stones, turn=missed.turn, n=missed.stones)
    match follows:
        case Follows.CAUTION:
            return what + message("prisoners.caution", player=player)
        case Follows.POINTS:
            return what + message("prisoners.points", player=other, points=PENALTY)
        case Follows.LOSS:
            return what + message("prisoners.loss", player=player)
    return what


def counted(penalties: Sequence[Penalty]) -> Message | None:
    """What is said at the count of points for missing stones."""
    to_white = points_to_white(penalties)
    if not to_white:
        return None
    receiver = Colour.WHITE if to_white > 0 else Colour.BLACK
    return message("prisoners.at-count", player=receiver, points=abs(to_white))


def _new(before: GameRecord, after: GameRecord) -> Iterable[GameRecord]:
    return reversed(list(takewhile(lambda record: record.number > before.number, after.back())))


def _by_owner(sights: Sequence[LidSight], black_side: int | None) -> Mapping[Colour, LidSight]:
    if len(sights) != SIDES or black_side is None:
        return {}
    return {player: sights[side_of(player, black_side, SIDES) - 1] for player in (Colour.BLACK, Colour.WHITE)}


def _there(sight: LidSight, player: Colour) -> int:
    """The opponent's stones in a player's lid."""
    return sight.white if player is Colour.BLACK else sight.black


def _range(sight: LidSight, player: Colour) -> tuple[int, int]:
    return sight.white_range if player is Colour.BLACK else sight.black_range
