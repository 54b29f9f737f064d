"""The author of a recorded event: a player, the director, the box, or somebody at the table's own button."""

from __future__ import annotations

from enum import StrEnum

from referee.game.board import Colour
from referee.game.messages import Message, message


class Actor(StrEnum):
    """An author who is no player. Journals of earlier versions name nobody.

    Attributes:
        director: entered at the desk, in the director's own name or a player's.
        box: followed from another event (an observation, a count, time).
        table: somebody pressed `pause`, which belongs to no side.
    """

    DIRECTOR = "director"
    BOX = "box"
    TABLE = "table"


By = Colour | Actor | None
"""The author of an event; None if it is unknown."""
_IN_OWN_NAME = frozenset(
    {"time.found-wrong", "time.given-turn", "time.paused-by-director", "time.set-by-director", "void.ruled"}
)
"""Messages that can only be about the director, and say so."""


def attribute_to_director(outcome: Message) -> Message:
    """Return the outcome of a director's action, attributed to the director unless the message does so already."""
    is_attributed = (
        outcome.key in _IN_OWN_NAME
        or outcome.key.startswith("director.")
        or message("director") in dict(outcome.args).values()
    )
    return outcome if is_attributed else message("director.entered") + outcome
