"""A game that was adjourned, as it is printed: all of its turns and its clocks in one text, which a QR code holds.

The text is `SHINPAN1:` and base32 (letters and digits that QR codes pack best) of deflated JSON: the whole game as SGF,
so that no repetition is forgotten; what each player has left; how the table was played; and which journal it is of.
"""

from __future__ import annotations

import base64
import re
import zlib
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Annotated

import msgspec
from msgspec import Meta

from device.match import Match
from referee.errors import BadRecord, RefereeError
from referee.messages import message
from referee.notes import NOTHING_TO_NOTE
from referee.occasion import Occasion
from referee.penalties import Offence
from referee.record import GameRecord
from referee.rules.setup import Setup
from referee.settling import made
from referee.sgf import read_root, read_sgf, write_sgf
from referee.table.referee import Manner
from referee.time.clock import Adjourned
from referee.time.controls import Left, read_control

MARK = "SHINPAN1:"
LARGEST = 1 << 20
"""Bytes that a text may unfold to: far more than any game's."""
LONGEST = 4296
"""Letters of this kind that the largest QR code holds (ISO/IEC 18004)."""
Ms = Annotated[int, Meta(ge=0, le=1 << 40)]
"""Milliseconds."""


@dataclass(frozen=True)
class Sealed:
    """sgf: the game. control: the time control, None without clocks; lefts, spent: milliseconds, as `Left` has them, in
    the order of play. procedures, amendments, black_side: see `Manner`. match: the name of its journal; seal: what
    stood for all of that; day: on which the game began (ISO 8601)."""

    sgf: str
    control: str | None
    lefts: tuple[tuple[Ms, Ms, Ms, Ms], ...]
    spent: tuple[Ms, ...]
    procedures: bool
    amendments: bool
    black_side: int | None
    match: str
    seal: str
    day: str

    @cached_property
    def setup(self) -> Setup:
        """How the game began. Raises BadRecord or BadSetup."""
        return read_sgf(self.sgf.encode())[0]

    @cached_property
    def record(self) -> GameRecord:
        """The game up to where it was adjourned. Raises BadRecord or BadSetup where it cannot have been played."""
        setup, acts = read_sgf(self.sgf.encode())
        record = setup.record()
        for act in acts:
            verdict = made(record.going_on() if record.ended else record, act)
            if verdict.after is None:
                raise BadRecord(message("sealed.illegal", turn=record.number + 1))
            record = verdict.after
        return record

    @property
    def names(self) -> tuple[str, ...]:
        """Black's and White's."""
        root = self._root
        return root.get("PB", ""), root.get("PW", "")

    @property
    def occasion(self) -> Occasion:
        """What the game is part of."""
        root = self._root
        table = root.get("GC", "").removeprefix("Table ")
        return Occasion(root.get("EV", ""), root.get("RO", ""), table, root.get("PC", ""))

    @cached_property
    def _root(self) -> dict[str, str]:
        return read_root(self.sgf.encode())

    def manner(self, here: Manner) -> Manner:
        """How it is played on at a table that is played in another manner."""
        control = read_control(self.control) if self.control is not None else None
        clocks = Adjourned(tuple(Left(*left) for left in self.lefts), self.spent)
        side = self.black_side or here.black_side
        said = replace(here, black_side=side, control=control, taken_up=clocks)
        return replace(said, procedures=self.procedures, amendments=self.amendments)

    @property
    def text(self) -> str:
        """What a QR code holds."""
        return MARK + base64.b32encode(zlib.compress(msgspec.json.encode(self), 9)).decode().rstrip("=")


def sealed_in(body: object) -> Sealed:
    """What a journal has kept as `asdict` gives it. Raises BadRecord where it is none."""
    try:
        return msgspec.convert(body, Sealed)
    except msgspec.ValidationError as error:
        raise BadRecord(message("sealed.damaged")) from error


def read_sealed(text: str) -> Sealed:
    """What was read from a page, or copied with what stands around it; spaces and line breaks, as copying makes them,
    are nothing. Raises RefereeError."""
    _, *behind = re.sub(r"\s", "", text).upper().split(MARK)
    found = [re.split("[^A-Z2-7]", letters, maxsplit=1)[0] for letters in behind]
    if not any(found):
        raise BadRecord(message("sealed.none", mark=MARK))
    whole = next((sealed for letters in found if (sealed := _unfolded(letters)) is not None), None)
    clocks = 2 if whole is not None and whole.control is not None else 0
    if whole is None or whole.record.ended or not len(whole.lefts) == len(whole.spent) == clocks:
        raise BadRecord(message("sealed.damaged"))
    read_control(whole.control or "1m")
    return whole


def _unfolded(letters: str) -> Sealed | None:
    """What the letters after the mark hold, None where that is not whole. Letters of what stands behind them count
    nothing: the text knows its own end."""
    unfolding = zlib.decompressobj()
    try:
        packed = base64.b32decode(letters + "A" * (-len(letters) % 8))
        sealed = msgspec.json.decode(unfolding.decompress(packed, LARGEST), type=Sealed)
    except (ValueError, zlib.error, msgspec.MsgspecError):
        return None
    return sealed if unfolding.eof else None


def seal_of(played: Match, match: str, seal: str, day: str) -> Sealed:
    """The game of a match as it stands. match: its journal's name; seal: that journal's. Raises BadRecord where paper
    cannot hold it."""
    record, manner, clocks = played.record, played.manner, played.snapshot.clocks
    if record.players > 2:
        raise BadRecord(message("sealed.players"))
    black, white = played.names
    sealed = Sealed(
        write_sgf(_without_time(record), black, white, replace(NOTHING_TO_NOTE, occasion=played.occasion)).decode(),
        str(manner.control) if manner.control is not None else None,
        tuple((face.main, face.period, face.periods, face.stones) for face in (clocks.faces if clocks else ())),
        tuple(face.spent for face in (clocks.faces if clocks else ())),
        manner.procedures,
        manner.amendments,
        played.snapshot.black_side,
        match,
        seal,
        day,
    )
    _check(sealed, record)
    return sealed


def _without_time(record: GameRecord) -> GameRecord:
    """The record without what its clocks tell: they say what time was bought."""
    return record.fined(tuple(one for one in record.penalties if one.offence is not Offence.TIME))


def _check(sealed: Sealed, record: GameRecord) -> None:
    """Raise BadRecord unless the text holds all of the game, and a code the text."""
    try:
        again = read_sealed(sealed.text).record
        whole = (again.situation, again.number) == (record.situation, record.number)
    except RefereeError as error:
        raise BadRecord(message("sealed.unwritable")) from error
    if not whole:
        raise BadRecord(message("sealed.unwritable"))
    if len(sealed.text) > LONGEST:
        raise BadRecord(message("sealed.too-long"))
