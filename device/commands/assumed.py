"""What a command assumes of a game because nobody said it, which is told beside its answers."""

from __future__ import annotations

from device.commands.declared import tell
from referee.messages import message
from referee.record import RuleSet
from web.language import ENGLISH

OPTION = "--rules NAME"


class Assumed:
    """The rules that are taken where nobody named any. how: others are named."""

    def __init__(self, rules: RuleSet, how: str = OPTION) -> None:
        taken = message("unnamed.taken", rules=message(f"rules.{rules.name}"), how=how)
        self._untold = None if rules.named else taken

    def tell(self) -> tuple[str, ...]:
        """Tell them, once, as soon as anything is judged by them; what was told now."""
        said, self._untold = self._untold, None
        if said is None:
            return ()
        tell(ENGLISH.sentence(said))
        return (ENGLISH.sentence(said),)
