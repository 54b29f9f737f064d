"""A command's assumptions about a game, printed beside its answers."""

from __future__ import annotations

from device.cli.options import tell
from referee.game.messages import message
from referee.game.record import RuleSet
from web.language import ENGLISH

OPTION = "--rules NAME"


class Assumed:
    """The default rules, taken if nobody named any. how: the way to name others."""

    def __init__(self, rules: RuleSet, how: str = OPTION) -> None:
        taken = message("unnamed.taken", rules=message(f"rules.{rules.name}"), how=how)
        self._untold = None if rules.named else taken

    def tell(self) -> tuple[str, ...]:
        """Print the assumptions, once, before the first judgement; return the sentences printed now."""
        said, self._untold = self._untold, None
        if said is None:
            return ()
        tell(ENGLISH.sentence(said))
        return (ENGLISH.sentence(said),)
