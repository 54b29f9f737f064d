"""The time controls: what is left of a player's time after some of it was used, and what a turn's end changes.

Every control reads one `Left`. A time is used up at the moment when nothing of it is left, not a millisecond later: who
uses exactly what she had has used it up, the last period too.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

from referee.time.durations import as_on_a_clock, in_words, write_duration
from referee.time.left import Left

POINTS_EACH = 2
"""Points to the opponent for every period bought under Ing's control."""


@dataclass(frozen=True)
class TimeControl:
    """How much time a player has. A control is a frozen value; `str` writes it, `written.read_control` reads it.

    main: main time in milliseconds. What is here holds for a control that has nothing but main time.
    """

    main: int

    def start(self) -> Left:
        """What each player has before the game."""
        return Left(self.main)

    def spend(self, left: Left, ms: int) -> Left:
        """What is left after ms more milliseconds of one turn."""
        return replace(left, main=max(left.main - ms, 0))

    def close(self, left: Left) -> Left:
        """What is left when a turn has been closed: a period filled up again, time added, one stone less to play."""
        return left

    def renew(self, left: Left) -> Left:
        """What a player goes on with whose overstepping was let pass; no time where the control gives none."""
        return left

    def counts(self, left: Left) -> bool:
        """Whether the last seconds of the running stretch are counted: at its end something is lost."""
        return True

    def points(self, left: Left) -> int:
        """Points to the opponent for time bought so far."""
        return 0

    def shown(self, left: Left) -> str:
        """What is left, in a few words: "12:00", "0:28, 3 periods left", "4:10 for 17 more turns"."""
        clock = as_on_a_clock(left.stretch)
        if left.fallen:
            return f"{clock}, all time is used up"
        return f"{clock}{self.overtime(left)}" if left.in_overtime else clock

    def overtime(self, left: Left) -> str:
        """What is said beside the time in overtime."""
        return ""

    def words(self) -> str:
        """The control in a sentence for players."""
        return f"Each player has {in_words(self.main)} for the whole game and loses when they are used up."


class Absolute(TimeControl):
    """Main time and nothing after it."""

    def __str__(self) -> str:
        return write_duration(self.main)


@dataclass(frozen=True)
class Fischer(TimeControl):
    """Main time to which some is added at the end of each of the player's turns."""

    added: int

    def close(self, left: Left) -> Left:
        """Some time is added, unless all was used up."""
        return left if left.fallen else replace(left, main=left.main + self.added)

    def renew(self, left: Left) -> Left:
        """What a turn adds."""
        return Left(self.added)

    def words(self) -> str:
        """The control in a sentence for players."""
        added = in_words(self.added)
        return f"Each player has {in_words(self.main)}; {added} are added at the end of each of her turns."

    def __str__(self) -> str:
        return f"{write_duration(self.main)}+{write_duration(self.added)}"


@dataclass(frozen=True)
class ByoYomi(TimeControl):
    """Japanese byo-yomi (second counting): after the main time, periods; one that is not used up is kept."""

    count: int
    period: int

    def start(self) -> Left:
        """The main time and all periods."""
        return Left(self.main, self.period, self.count)

    def spend(self, left: Left, ms: int) -> Left:
        """Main time first, then period after period."""
        if ms < left.main:
            return replace(left, main=left.main - ms)
        over = ms - left.main
        if over < left.period:
            return replace(left, main=0, period=left.period - over)
        used, rest = divmod(over - left.period, self.period)
        periods = max(left.periods - 1 - used, 0)
        return Left(0, self.period - rest if periods else 0, periods)

    def close(self, left: Left) -> Left:
        """The period in use is whole again."""
        return left if left.fallen else replace(left, period=self.period)

    def renew(self, left: Left) -> Left:
        """One period."""
        return Left(0, self.period, 1)

    def counts(self, left: Left) -> bool:
        """In the periods."""
        return left.in_overtime

    def overtime(self, left: Left) -> str:
        """The periods left."""
        return f", {left.periods} " + ("period" if left.periods == 1 else "periods") + " left"

    def words(self) -> str:
        """The control in a sentence for players."""
        periods = f"{self.count} periods" if self.count > 1 else "1 period"
        kept = "a turn that ends within a period keeps it, and who uses up the last one loses"
        return f"Each player has {in_words(self.main)}, then {periods} of {in_words(self.period)}; {kept}."

    def __str__(self) -> str:
        return f"{write_duration(self.main)}+{self.count}x{write_duration(self.period)}"


@dataclass(frozen=True)
class Canadian(TimeControl):
    """Canadian overtime: after the main time, so many turns in each period.

    The turn in which the main time ends is the first of them. A new period begins at once when they are played.
    """

    stones: int
    period: int

    def start(self) -> Left:
        """The main time and a whole period."""
        return Left(self.main, self.period, stones=self.stones)

    def spend(self, left: Left, ms: int) -> Left:
        """Main time first, then the period."""
        if ms < left.main:
            return replace(left, main=left.main - ms)
        return replace(left, main=0, period=max(left.period - (ms - left.main), 0))

    def close(self, left: Left) -> Left:
        """In overtime one stone less to play; after the last a whole period."""
        if left.fallen or left.main:
            return left
        return replace(left, stones=left.stones - 1) if left.stones > 1 else self.renew(left)

    def renew(self, left: Left) -> Left:
        """A whole period with all its stones."""
        return Left(0, self.period, stones=self.stones)

    def counts(self, left: Left) -> bool:
        """In overtime."""
        return left.in_overtime

    def overtime(self, left: Left) -> str:
        """The turns to be closed in it."""
        return f" for {left.stones} more " + ("turn" if left.stones == 1 else "turns")

    def words(self) -> str:
        """The control in a sentence for players."""
        turns = f"{self.stones} turns" if self.stones > 1 else "1 turn"
        return f"Each player has {in_words(self.main)}, then {in_words(self.period)} for every {turns}."

    def __str__(self) -> str:
        return f"{write_duration(self.main)}+{self.stones}/{write_duration(self.period)}"


@dataclass(frozen=True)
class IngPurchase(TimeControl):
    """Ing's control: when time ends a period is bought for points; when none can be bought any more, the game is lost.

    What is left of a bought period stays for the next turn.
    """

    count: int
    period: int

    def start(self) -> Left:
        """The main time, and periods that can be bought."""
        return Left(self.main, periods=self.count)

    def spend(self, left: Left, ms: int) -> Left:
        """The running time first, then period after period is bought."""
        if ms < left.main:
            return replace(left, main=left.main - ms)
        over = ms - left.main
        if over < left.period:
            return replace(left, main=0, period=left.period - over)
        bought, rest = divmod(over - left.period, self.period)
        if bought >= left.periods:
            return Left(0)
        return Left(0, self.period - rest, left.periods - 1 - bought)

    def points(self, left: Left) -> int:
        """Two for each period bought."""
        return POINTS_EACH * (self.count - left.periods)

    def overtime(self, left: Left) -> str:
        """The points charged so far."""
        return f", {self.points(left)} points charged"

    def words(self) -> str:
        """The control in a sentence for players."""
        periods = f"{self.count} periods" if self.count > 1 else "1 period"
        price = f"{POINTS_EACH} points each to the opponent"
        bought = f"{periods} of {in_words(self.period)} for {price}"
        lost = "when time ends and none can be bought any more, the game is lost"
        return f"Each player has {in_words(self.main)}, and at their end {bought} can be bought; {lost}."

    def __str__(self) -> str:
        return f"ing {write_duration(self.main)} {self.count}x{write_duration(self.period)}"
