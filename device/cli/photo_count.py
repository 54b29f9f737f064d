"""The count of a position in a photograph, with the stones that seem dead."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from device.cli.dead_stones import propose_dead_stones
from referee.game.errors import BadCount, BadSetup
from referee.game.prisoners import Bowls
from referee.game.record import GameRecord
from referee.rules.sets import rule_set
from referee.rules.setup import Setup
from referee.score.methods import Agreed, count, may_propose
from vision.lids.count import LidReading


@dataclass(frozen=True)
class PhotoCount:
    """A way to count what photographs show.

    Attributes:
        rules: the rule set's name.
        komi: the komi, None for the rule set's.
    """

    rules: str = "chinese"
    komi: float | None = None

    def __post_init__(self) -> None:
        """Raise BadCount for a rule set under which players agree on no dead stones, BadSetup for an unknown one."""
        if not may_propose(Setup(rule_set(self.rules), komi=self.komi).record()):
            raise BadCount(f"--score counts where players agree on dead stones after passes, not under {self.rules}.")

    def answer(self, rows: Sequence[str], lids: Sequence[LidReading] = ()) -> dict[str, object]:
        """Return the result, the dead stones with their grounds, those that are uncertain, and the whole in words.

        Args:
            rows: the position.
            lids: the lids, in which the prisoners lie.
        """
        record = self._build_record(rows, lids)
        position, board = record.position, record.position.board
        dead_stones = propose_dead_stones(position)
        counted = count(record, Agreed(dead_stones.dead))
        stones = dead_stones.names(position)
        if_dead = f" if {', '.join(stones)} {'is' if len(stones) == 1 else 'are'} dead" if stones else ""
        summary = f"{counted.result}{if_dead} ({counted.method}, komi {record.komi:g})"
        return {
            "result": counted.result,
            "method": counted.method,
            "komi": record.komi,
            "dead": board.names(counted.dead),
            "dead_by": dead_stones.by_point(board, counted.dead),
            "uncertain": board.names(dead_stones.uncertain),
            "text": "; ".join([summary, *(sentence.rstrip(".") for sentence in dead_stones.doubts(position))]) + ".",
        }

    def _build_record(self, rows: Sequence[str], lids: Sequence[LidReading]) -> GameRecord:
        """Return a game that begins with what was read; by territory the prisoners are those in the lids."""
        rules = rule_set(self.rules)
        bowls = (
            _count_prisoners(lids) if rules.scoring.value == "territory" and rules.bowls.are_prisoners_kept else None
        )
        try:
            return Setup(rules, komi=self.komi, board=tuple(rows), bowls=bowls).record()
        except BadSetup as error:
            raise BadCount(f"The position cannot be counted: {error}") from error


def _count_prisoners(lids: Sequence[LidReading]) -> Bowls:
    """Return both players' prisoners, whosever lid is which: white stones are Black's prisoners."""
    return Bowls(((0, sum(lid.white for lid in lids)), (sum(lid.black for lid in lids), 0)))
