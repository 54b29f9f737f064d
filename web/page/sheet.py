"""The result sheet: one game on paper, for both players' signatures."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property

from referee import TableSnapshot
from web.language import Translator
from web.page import labels
from web.page.model import PageModel

MOST_STEPS, FIRST_STEPS = 24, 8
"""A count of more steps is printed with its first ones and its last."""


@dataclass(frozen=True)
class RefusedTurn:
    """A refused turn. number: the one that it would have had."""

    number: int
    sentence: str


@dataclass(frozen=True)
class CountLine:
    """A printed step of the count; number 0 marks omitted steps."""

    number: int
    sentence: labels.LocalisedText


@dataclass(frozen=True)
class SheetModel(PageModel):
    """The contents of the sheet of a game in its present state.

    day: the day on which it began (ISO 8601), empty if unknown.
    """

    day: str = ""

    @cached_property
    def facts(self) -> tuple[tuple[str, str], ...]:
        """The terms, place and day of the game."""
        facts = _list_facts(self.snapshot, self.say, self.day)
        return tuple((self.say(f"sheet.{name}"), text) for name, text in facts if text)

    @cached_property
    def steps(self) -> tuple[CountLine, ...]:
        """The count, without its middle if it is long."""
        left_out = len(self.count) - 2 * FIRST_STEPS if len(self.count) > MOST_STEPS else 0
        lines = [CountLine(step.number, step.sentence) for step in self.count]
        if left_out:
            gap_text = labels.LocalisedText(self.say("sheet.left-out", n=left_out))
            lines[FIRST_STEPS:-FIRST_STEPS] = [CountLine(0, gap_text)]
        return tuple(lines)

    @cached_property
    def remarks(self) -> tuple[labels.LocalisedText, ...]:
        """The remarks on the count."""
        count = self.game.counting.count
        return self._translate_all(count.remarks if count is not None else ())

    @cached_property
    def refused(self) -> tuple[RefusedTurn, ...]:
        """The refused turns."""
        rulings = ((entry.number + 1, ruling) for entry in self.game.past.thens for ruling in entry.tried)
        return tuple(RefusedTurn(number, self.say.sentence(ruling.message)) for number, ruling in rulings)


def _list_facts(snapshot: TableSnapshot, say: Translator, day: str) -> Iterator[tuple[str, str]]:
    game, part = snapshot.game, snapshot.game_info
    yield "place", part.place
    yield "day", day
    yield "rules", labels.rules_text(game, say)
    yield "komi", say.value(float(game.komi)) if len(snapshot.players) == 2 else ""
    yield "handicap", str(game.handicap or "")
    yield "penalties", say.comma.join(labels.list_penalties(game, say))
    yield "time", labels.time_control_text(game, say)
    yield "turns", str(game.turn)


FACTS = ("place", "day", "rules", "komi", "handicap", "penalties", "time", "turns")
MESSAGE_KEYS = tuple(f"sheet.{fact}" for fact in FACTS)
