"""What a box was certified for when it was last rehearsed, kept in the folder of games: it holds for that day."""

from __future__ import annotations

import json
import logging
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from datetime import date, datetime
from enum import StrEnum
from pathlib import Path

from device.files import write_whole
from device.rehearsing import Rehearsal
from referee import wire
from referee.errors import RefereeError
from referee.events import Event, Observed, Pressed
from referee.messages import Message, message
from referee.ruling import Ruling

log = logging.getLogger("shinpan")
FILE = "certificate.json"
NOT_REHEARSED = message("certificate.none")


class Level(StrEnum):
    """referee: it may referee. without-lids: it may where no stones in the lids count. record-only: it may only keep
    the record of a game."""

    REFEREE = "referee"
    WITHOUT_LIDS = "without-lids"
    RECORD_ONLY = "record-only"


MESSAGE_KEYS = tuple(f"certificate.{level}" for level in Level)


@dataclass(frozen=True)
class Certificate:
    """wall: the time of day at which the rehearsal ended (ISO 8601). reasons: why it is not for all. slowest: seconds
    from a press to its ruling at most."""

    level: Level
    wall: str
    reasons: tuple[Message, ...] = ()
    slowest: float = 0.0

    @property
    def message(self) -> Message:
        """What the players are told."""
        said = message(f"certificate.{self.level}", time=self.wall[11:16])
        for reason in self.reasons:
            said += reason
        return said

    def holds(self, now: datetime) -> bool:
        """Whether it is of today."""
        return date.fromisoformat(self.wall[:10]) == now.date()


class Certificates:
    """Keeps the newest in a folder. wall: the time of day."""

    def __init__(self, folder: Path, wall: Callable[[], datetime] = lambda: datetime.now().astimezone()) -> None:
        self._path, self._wall = folder / FILE, wall
        self._newest = self._read()

    def today(self) -> Certificate | None:
        """The one that holds today."""
        return self._newest if self._newest is not None and self._newest.holds(self._wall()) else None

    def now(self) -> str:
        """The time of day, as certificates have it."""
        return self._wall().isoformat(timespec="seconds")

    def keep(self, certificate: Certificate) -> None:
        """It takes the place of the one before; where it cannot be kept it holds until the box ends."""
        self._newest = certificate
        body = {
            "level": certificate.level.value,
            "wall": certificate.wall,
            "reasons": [wire.message_to_json(reason) for reason in certificate.reasons],
            "slowest": round(certificate.slowest, 2),
        }
        try:
            write_whole(self._path, json.dumps(body).encode())
        except (OSError, RefereeError) as error:
            log.warning("The certificate cannot be kept: %s", error)

    def _read(self) -> Certificate | None:
        """None where there is none, or none that can be read: it is rehearsed again then."""
        try:
            body = json.loads(self._path.read_bytes())
            reasons = tuple(map(wire.message_from_json, body["reasons"]))
            found = Certificate(Level(body["level"]), str(body["wall"]), reasons, float(body["slowest"]))
            found.holds(self._wall())
        except FileNotFoundError:
            return None
        except (OSError, ValueError, KeyError, TypeError, AttributeError) as error:
            log.warning("The certificate of before cannot be read: %s", error)
            return None
        return found


class Certifying:
    """A rehearsal while there is one, and what came of the last. kept: None where nobody is told of certificates."""

    def __init__(self, kept: Certificates | None = None) -> None:
        self._kept = kept
        self._rehearsal: Rehearsal | None = None

    @property
    def asks(self) -> Message | None:
        """What the players are asked to do."""
        return self._rehearsal.asks if self._rehearsal is not None else None

    @property
    def certified(self) -> Message | None:
        """What the box was certified for today."""
        found = self._kept.today() if self._kept is not None else None
        return found.message if found is not None else None

    @property
    def told(self) -> Message | None:
        """The same, or that it was for nothing."""
        return None if self._kept is None else self.certified or NOT_REHEARSED

    def begin(self, size: int, refereed: bool, t: float) -> None:
        """The players rehearse on so many lines."""
        self._rehearsal = Rehearsal(size, refereed, t)

    def end(self) -> None:
        """They do not any more."""
        self._rehearsal = None

    def pressed(self, press: Pressed) -> None:
        """A button, before the match hears it."""
        if self._rehearsal is not None:
            self._rehearsal.pressed(press)

    def heard(self, event: Event, rulings: Sequence[Ruling]) -> None:
        """What the match heard, and ruled on it."""
        if self._rehearsal is None:
            return
        if isinstance(event, Observed):
            self._rehearsal.looked(event)
        self._rehearsal.ruled(rulings)

    def over(self, t: float, faults: Sequence[Message]) -> Message | None:
        """Time has come to t; once the rehearsal is over, what it was worth, with what the box lacks at its end."""
        rehearsal = self._rehearsal
        if rehearsal is None:
            return None
        rehearsal.tick(t)
        if not rehearsal.over or self._kept is None:
            return None
        reasons = (*rehearsal.reasons, *faults)
        level = Level.RECORD_ONLY if reasons else Level.WITHOUT_LIDS if rehearsal.lids else Level.REFEREE
        made = Certificate(level, self._kept.now(), reasons or rehearsal.lids, rehearsal.slowest)
        self._kept.keep(made)
        return made.message
