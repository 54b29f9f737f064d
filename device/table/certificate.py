"""The certificate from a box's last rehearsal, kept in the folder of games and valid for that day."""

from __future__ import annotations

import json
import logging
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from datetime import date, datetime
from enum import StrEnum
from pathlib import Path

from device.files import read_stored, write_whole
from device.table.rehearsal import Rehearsal
from referee import codec
from referee.game.errors import RefereeError
from referee.game.messages import Message, message
from referee.game.observation import Observation
from referee.game.ruling import Ruling
from referee.table.events import Event, Pressed

log = logging.getLogger("shinpan")
FILE = "certificate.json"
NOT_REHEARSED = message("certificate.none")


class Level(StrEnum):
    """The extent of a certificate.

    referee: the box may referee.
    without-lids: it may referee if stones in the lids do not count.
    record-only: it may only keep the record of a game.
    """

    REFEREE = "referee"
    WITHOUT_LIDS = "without-lids"
    RECORD_ONLY = "record-only"


MESSAGE_KEYS = tuple(f"certificate.{level}" for level in Level)


@dataclass(frozen=True)
class Certificate:
    """The outcome of a rehearsal.

    wall: the time of day at which the rehearsal ended (ISO 8601).
    reasons: why the certificate is restricted.
    slowest: the longest time from a press to its ruling, in seconds.
    """

    level: Level
    wall: str
    reasons: tuple[Message, ...] = ()
    slowest: float = 0.0

    @property
    def message(self) -> Message:
        """Return the message for the players."""
        text = message(f"certificate.{self.level}", time=self.wall[11:16])
        for reason in self.reasons:
            text += reason
        return text

    def is_of_today(self, now: datetime) -> bool:
        """Return True if the certificate is of today."""
        return date.fromisoformat(self.wall[:10]) == now.date()


class Certificates:
    """The newest certificate of a folder. wall: the time of day."""

    def __init__(self, folder: Path, wall: Callable[[], datetime] = lambda: datetime.now().astimezone()) -> None:
        self._path, self._wall = folder / FILE, wall
        self._newest = self._read_file()

    def find_todays(self) -> Certificate | None:
        """Return today's certificate, None if there is none."""
        return self._newest if self._newest is not None and self._newest.is_of_today(self._wall()) else None

    def now(self) -> str:
        """Return the time of day in the form of certificates."""
        return self._wall().isoformat(timespec="seconds")

    def store_certificate(self, certificate: Certificate) -> None:
        """Store a certificate in place of the previous one; if it cannot be written, it holds until the box ends."""
        self._newest = certificate
        body = {
            "level": certificate.level.value,
            "wall": certificate.wall,
            "reasons": [codec.message_to_json(reason) for reason in certificate.reasons],
            "slowest": round(certificate.slowest, 2),
        }
        try:
            write_whole(self._path, json.dumps(body).encode())
        except (OSError, RefereeError) as error:
            log.warning("The certificate cannot be kept: %s", error)

    def _read_file(self) -> Certificate | None:
        """Read the certificate; None if it is missing or unreadable, so that the box is rehearsed again."""
        try:
            body = json.loads(read_stored(self._path, 1 << 20))
            reasons = tuple(map(codec.message_from_json, body["reasons"]))
            certificate = Certificate(Level(body["level"]), str(body["wall"]), reasons, float(body["slowest"]))
            certificate.is_of_today(self._wall())
        except FileNotFoundError:
            return None
        except (OSError, ValueError, KeyError, TypeError, AttributeError) as error:
            log.warning("The certificate of before cannot be read: %s", error)
            return None
        return certificate


class Certification:
    """The current rehearsal, if any, and the last certificate. certificates: None if certificates are not announced."""

    def __init__(self, certificates: Certificates | None = None) -> None:
        self._certificates = certificates
        self._rehearsal: Rehearsal | None = None

    @property
    def asks(self) -> Message | None:
        """Return the instruction to the players."""
        return self._rehearsal.asks if self._rehearsal is not None else None

    @property
    def certificate_message(self) -> Message | None:
        """Return the message about today's certificate, None if there is none."""
        certificate = self._certificates.find_todays() if self._certificates is not None else None
        return certificate.message if certificate is not None else None

    @property
    def rehearsal_message(self) -> Message | None:
        """Return today's certificate message, or that the box was not rehearsed.

        None if certificates are not announced.
        """
        return None if self._certificates is None else self.certificate_message or NOT_REHEARSED

    def begin_rehearsal(self, size: int, refereed: bool, t: float) -> None:
        """Begin a rehearsal on that many lines."""
        self._rehearsal = Rehearsal(size, refereed, t)

    def end_rehearsal(self) -> None:
        """End the rehearsal."""
        self._rehearsal = None

    def handle_press(self, press: Pressed) -> None:
        """Take a button press, before the match does."""
        if self._rehearsal is not None:
            self._rehearsal.handle_press(press)

    def handle_outcome(self, event: Event, rulings: Sequence[Ruling]) -> None:
        """Take an event and the match's rulings on it."""
        if self._rehearsal is None:
            return
        if isinstance(event, Observation):
            self._rehearsal.handle_observation(event)
        self._rehearsal.handle_rulings(rulings)

    def advance_rehearsal(self, t: float, faults: Sequence[Message]) -> Message | None:
        """Advance to time t; once the rehearsal is over, store its certificate and return its message.

        faults: the box's faults at its end, added to the certificate's reasons.
        """
        rehearsal = self._rehearsal
        if rehearsal is None:
            return None
        rehearsal.tick(t)
        if not rehearsal.over or self._certificates is None:
            return None
        reasons = (*rehearsal.reasons, *faults)
        level = Level.RECORD_ONLY if reasons else Level.WITHOUT_LIDS if rehearsal.lids else Level.REFEREE
        certificate = Certificate(level, self._certificates.now(), reasons or rehearsal.lids, rehearsal.slowest)
        self._certificates.store_certificate(certificate)
        return certificate.message
