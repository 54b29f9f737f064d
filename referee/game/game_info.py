"""The information about a game: event, round, table and place, as in SGF's game information."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict, dataclass, fields


@dataclass(frozen=True)
class GameInfo:
    """The information about a game.

    Each part is one line, empty if nobody gave it. SGF has a property for each but the table.
    """

    event: str = ""
    """The tournament or the evening; SGF's EV."""
    round: str = ""
    """The round of the event; SGF's RO."""
    table: str = ""
    """The table's number or name at the event."""
    place: str = ""
    """The place of play; SGF's PC."""

    def to_json(self) -> dict[str, str]:
        """Return every part by its name."""
        return asdict(self)

    @classmethod
    def from_json(cls, body: Mapping[str, object]) -> GameInfo:
        """Read the parts from a body that may hold other keys, or lack some."""
        return cls(**{part.name: str(body.get(part.name, "")) for part in fields(cls)})


NO_GAME_INFO = GameInfo()
"""The information of a game about which nothing was given."""
