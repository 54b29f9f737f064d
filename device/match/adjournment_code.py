"""The printed form of an adjourned game: all of its turns and its clocks in one text, which a QR code holds.

The text is `SHINPAN1:` and base32 (letters and digits that QR codes pack best) of deflated JSON: the whole game as SGF,
so that no repetition is forgotten; each player's time; the table's options; and the name of its journal.
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

from referee.game.errors import BadRecord, RefereeError
from referee.game.game_info import GameInfo
from referee.game.messages import message
from referee.game.penalties import Offence
from referee.game.record import GameRecord
from referee.rules.agreements import apply_action
from referee.rules.setup import Setup
from referee.sgf.annotations import NOTHING_TO_NOTE
from referee.sgf.records import read_root, read_sgf, write_sgf
from referee.table.table import Table, TableConfig
from referee.time.clock import Adjourned
from referee.time.controls import TimeLeft, read_control
from web.bounded_json import loads_bounded

MARK = "SHINPAN1:"
LARGEST = 1 << 20
"""Largest decompressed text in bytes: far more than any game's."""
LONGEST = 4296
"""Alphanumeric characters that the largest QR code holds (ISO/IEC 18004)."""
Ms = Annotated[int, Meta(ge=0, le=1 << 40)]
"""Milliseconds."""


@dataclass(frozen=True)
class AdjournedGame:
    """An adjourned game.

    sgf: the game.
    control: the time control, None without clocks.
    lefts: each player's time in the order of play, with the fields of `TimeLeft`, in milliseconds.
    spent: each player's time spent, in the order of play, in milliseconds.
    procedures, amendments, black_side: see `TableConfig`.
    match: the name of its journal.
    seal: the journal's digest.
    day: the day on which the game began (ISO 8601).
    """

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
        """Return the game's setup. Raises BadRecord or BadSetup."""
        return read_sgf(self.sgf.encode())[0]

    @cached_property
    def record(self) -> GameRecord:
        """Return the game up to its adjournment. Raises BadRecord or BadSetup if it cannot have been played."""
        return play_sgf(self.sgf.encode())

    @property
    def names(self) -> tuple[str, ...]:
        """Return Black's and White's names."""
        root = self._root_properties
        return root.get("PB", ""), root.get("PW", "")

    @property
    def game_info(self) -> GameInfo:
        """Return the game's event, round, table and place."""
        root = self._root_properties
        table = root.get("GC", "").removeprefix("Table ")
        return GameInfo(root.get("EV", ""), root.get("RO", ""), table, root.get("PC", ""))

    @cached_property
    def _root_properties(self) -> dict[str, str]:
        return read_root(self.sgf.encode())

    def build_config(self, here: TableConfig) -> TableConfig:
        """Return the options for its resumption at a table with options of its own."""
        control = read_control(self.control) if self.control is not None else None
        clocks = Adjourned(tuple(TimeLeft(*left) for left in self.lefts), self.spent)
        side = self.black_side or here.black_side
        config = replace(here, black_side=side, control=control, taken_up=clocks)
        return replace(config, procedures=self.procedures, amendments=self.amendments)

    @property
    def text(self) -> str:
        """Return the text for the QR code."""
        return MARK + base64.b32encode(zlib.compress(msgspec.json.encode(self), 9)).decode().rstrip("=")


def from_journal(body: object) -> AdjournedGame:
    """Parse an adjourned game from a journal, in the form of `asdict`. Raises BadRecord if it is none."""
    try:
        return msgspec.convert(body, AdjournedGame)
    except msgspec.ValidationError as error:
        raise BadRecord(message("sealed.damaged")) from error


def decode_game(text: str) -> AdjournedGame:
    """Parse the text of a page's code, possibly copied with its surroundings; spaces and line breaks are ignored.

    Raises RefereeError.
    """
    _, *behind = re.sub(r"\s", "", text).upper().split(MARK)
    letter_runs = [re.split("[^A-Z2-7]", letters, maxsplit=1)[0] for letters in behind]
    if not any(letter_runs):
        raise BadRecord(message("sealed.none", mark=MARK))
    game = next((decoded for letters in letter_runs if (decoded := _decode_letters(letters)) is not None), None)
    clocks = 2 if game is not None and game.control is not None else 0
    if game is None or game.record.ended or not len(game.lefts) == len(game.spent) == clocks:
        raise BadRecord(message("sealed.damaged"))
    read_control(game.control or "1m")
    return game


def _decode_letters(letters: str) -> AdjournedGame | None:
    """Decode the letters after the mark, None if they are incomplete. Letters that follow the text do not matter: the
    compressed stream marks its own end.
    """
    decompressor = zlib.decompressobj()
    try:
        packed = base64.b32decode(letters + "A" * (-len(letters) % 8))
        game = msgspec.convert(loads_bounded(decompressor.decompress(packed, LARGEST)), AdjournedGame)
    except (ValueError, zlib.error, msgspec.MsgspecError):
        return None
    return game if decompressor.eof else None


def encode_game(table: Table, match: str, seal: str, day: str) -> AdjournedGame:
    """Build the printed form of a match's current game. Raises BadRecord if it does not fit on paper.

    table: the table at which it was played.
    match: its journal's name.
    seal: the journal's digest.
    day: the day on which the game began (ISO 8601).
    """
    record, config, clocks = table.record, table.config, table.snapshot.clocks
    if record.players > 2:
        raise BadRecord(message("sealed.players"))
    black, white = table.names
    game = AdjournedGame(
        write_sgf(_without_time(record), black, white, replace(NOTHING_TO_NOTE, game_info=table.game_info)).decode(),
        str(config.control) if config.control is not None else None,
        tuple((face.main, face.period, face.periods, face.stones) for face in (clocks.faces if clocks else ())),
        tuple(face.spent for face in (clocks.faces if clocks else ())),
        config.procedures,
        config.amendments,
        table.snapshot.black_side,
        match,
        seal,
        day,
    )
    _check_complete(game, record)
    return game


def _without_time(record: GameRecord) -> GameRecord:
    """Return the record without the time penalties: the clocks tell what time was bought."""
    return record.with_penalties(tuple(one for one in record.penalties if one.offence is not Offence.TIME))


def _check_complete(game: AdjournedGame, record: GameRecord) -> None:
    """Raise BadRecord unless the text holds all of the game, and a QR code the text."""
    try:
        decoded = decode_game(game.text).record
        is_whole = (decoded.situation, decoded.number) == (record.situation, record.number)
    except RefereeError as error:
        raise BadRecord(message("sealed.unwritable")) from error
    if not is_whole:
        raise BadRecord(message("sealed.unwritable"))
    if len(game.text) > LONGEST:
        raise BadRecord(message("sealed.too-long"))


def play_sgf(data: bytes) -> GameRecord:
    """Return the whole game of a record that was written here. Raises BadRecord or BadSetup if it cannot have been
    played."""
    setup, acts = read_sgf(data)
    record = setup.record()
    for act in acts:
        verdict = apply_action(record.going_on() if record.ended else record, act)
        if verdict.after is None:
            raise BadRecord(message("sealed.illegal", turn=record.number + 1))
        record = verdict.after
    return record
