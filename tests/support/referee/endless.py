"""Rules whose passes never end the game, for games that went on after them."""

from __future__ import annotations

from dataclasses import dataclass, replace

from referee.game.record import GameRecord, RuleSet
from referee.rules.sets import rule_set


@dataclass(frozen=True)
class EndlessPasses:
    """Passing that never ends the game."""

    name: str = "endless"
    stone_a_pass: bool = False

    def may_pass(self, record: GameRecord) -> bool:
        """Always."""
        return True

    def ends(self, record: GameRecord) -> bool:
        """Never."""
        return False


def endless(ko: str, suicide: str = "none") -> RuleSet:
    """Area rules with that ko rule and suicide."""
    return replace(rule_set("simple", {"ko": ko, "suicide": suicide}), ending=EndlessPasses())
