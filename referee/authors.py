"""Who did what is written down: a player, the director, the box, or somebody by the table's own button."""

from __future__ import annotations

from enum import StrEnum

from referee.board import Colour
from referee.messages import Message, message


class Author(StrEnum):
    """Who is no player. A journal of an earlier version names nobody.

    director: it was entered at the desk, in the director's own name or a player's. box: it followed from something else
    (a look, a count, time). table: somebody pressed `pause`, which belongs to no side.
    """

    DIRECTOR = "director"
    BOX = "box"
    TABLE = "table"


By = Colour | Author | None
"""Who did something; None: nothing says it."""
_IN_OWN_NAME = frozenset(
    {"time.found-wrong", "time.given-turn", "time.paused-by-director", "time.set-by-director", "void.ruled"}
)
"""What can only be said of the director, and says so."""


def as_entered(said: Message) -> Message:
    """What became of an act of the director's: it says whose act it was, unless it does so anyway."""
    named = (
        said.key in _IN_OWN_NAME or said.key.startswith("director.") or message("director") in dict(said.args).values()
    )
    return said if named else message("director.entered") + said
