"""What a game is part of, as its record names it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict, dataclass, fields


@dataclass(frozen=True)
class Occasion:
    """Each part is one line, empty where nobody said it. SGF has a property for each but the table."""

    event: str = ""
    """The tournament or the evening; SGF's EV."""
    round: str = ""
    """Of the event; SGF's RO."""
    table: str = ""
    """Its number or name at the event."""
    place: str = ""
    """Where it is played; SGF's PC."""

    def to_json(self) -> dict[str, str]:
        """Every part by its name."""
        return asdict(self)

    @classmethod
    def from_json(cls, body: Mapping[str, object]) -> Occasion:
        """The parts in a body that may hold more, or lack them all."""
        return cls(**{part.name: str(body.get(part.name, "")) for part in fields(cls)})


NO_OCCASION = Occasion()
"""Nobody said what it is part of."""
