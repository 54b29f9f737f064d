"""Conversion of a match's inputs, outcomes and terms to journal entries, and back."""

from __future__ import annotations

from dataclasses import asdict, astuple, dataclass, replace
from typing import Any

from device.journal.store import Entry, Kind
from device.match.adjournment_code import AdjournedGame, from_journal
from referee import codec
from referee.game.board import Board
from referee.game.errors import BadSetup
from referee.game.game_info import NO_GAME_INFO, GameInfo
from referee.game.messages import message
from referee.game.observation import Observation
from referee.game.record import GameRecord
from referee.game.ruling import Ruling
from referee.inference.missing_prisoners import MissingPrisonerPenalty, check_follows
from referee.rules.sets import non_default_options, rule_set
from referee.rules.setup import Setup
from referee.table.events import Decision, Event, Pressed, Restarted, Word
from referee.table.snapshot import AnyAnswer
from referee.table.table import Table, TableConfig
from referee.time.controls import read_control
from referee.time.steps import Step
from vision.calibration.model import Box, Calibration, Grid, parse_palette

LIDS = 2


@dataclass(frozen=True)
class Terms:
    """The terms agreed on before a match.

    setup: rules, board, handicap and players
    config: options of the table
    names: the players', in the order of play, empty if not given
    game_info: the event it is part of
    rehearsal: true for a trial of the box (device/table/rehearsal.py) instead of a match
    adjourned: the game that is resumed, which determines its start and the turns played
    """

    setup: Setup
    config: TableConfig
    names: tuple[str, ...] = ("", "")
    game_info: GameInfo = NO_GAME_INFO
    rehearsal: bool = False
    adjourned: AdjournedGame | None = None

    def with_size(self, size: int) -> Terms:
        """Return the terms with this board size, unless they name one themselves."""
        return self if self.setup.size is not None else replace(self, setup=self.setup.with_size(size))

    def record(self) -> GameRecord:
        """Return the match's record before the first turn played here; raise BadSetup if it cannot be played."""
        if self.config.prisoners is not None:
            check_follows(self.setup.rules, len(self.setup.players), self.config.refereed)
        return self.adjourned.record if self.adjourned is not None else self.setup.record()

    def check_place(self, place: Calibration | None) -> None:
        """Raise BadSetup if players are to be reminded of captured stones, and the camera does not see two lids."""
        if self.config.prisoners is not None and place is not None and len(place.lids) != LIDS:
            raise BadSetup(message("prisoners.no-lids"))


def as_journaled(observation: Observation) -> Observation:
    """Return the observation as read back from a journal: the referee gets no other form, so that a replay gets the
    same."""
    return codec.observation_from_json(codec.observation_to_json(observation), observation.t)


def to_entry(event: Observation | Pressed | Word | Decision | Step, board: Board) -> Entry:
    """Convert an input of a match on this board to an entry."""
    match event:
        case Observation():
            return Entry(Kind.SEEN, event.t, codec.observation_to_json(event))
        case Pressed():
            return Entry(Kind.PRESSED, event.t, codec.press_to_json(event))
        case Step():
            return Entry(Kind.TIMED, event.t, codec.step_to_json(event))
    return Entry(Kind.SAID, event.t, codec.statement_to_json(event, board))


def from_entry(entry: Entry, board: Board) -> Event:
    """Convert an entry back to the input of a match on this board."""
    match entry.kind:
        case Kind.SEEN:
            return codec.observation_from_json(entry.body, entry.t)
        case Kind.PRESSED:
            return codec.press_from_json(entry.body, entry.t)
        case Kind.SAID:
            return codec.statement_from_json(entry.body, entry.t, board)
        case Kind.TIMED:
            return codec.step_from_json(entry.body)
    return Restarted(entry.t)


def ruled_entry(ruling: Ruling, record: GameRecord) -> Entry:
    """Convert a ruling to an entry: the line `watch` prints, with the message itself in place of its text."""
    return Entry(Kind.RULED, ruling.t, codec.ruling_line(ruling, record))


def answered_entry(answer: AnyAnswer) -> Entry:
    """Convert an answer to a word or a step to an entry."""
    return Entry(Kind.ANSWERED, answer.t, codec.answer_to_json(answer))


def match_entry(terms: Terms, t: float) -> Entry:
    """Convert the terms of a match to its first entry."""
    setup, config = terms.setup, terms.config
    board = setup.record().position.board
    return Entry(
        Kind.MATCH,
        t,
        {
            "rules": setup.rules.name,
            **({} if setup.rules.named else {"rules_named": False}),
            "options": non_default_options(setup.rules),
            "size": [board.cols, board.rows],
            "komi": setup.komi,
            "handicap": setup.handicap,
            "refereed": config.refereed,
            "black_side": config.black_side,
            "control": str(config.control) if config.control is not None else None,
            "procedures": config.procedures,
            "amendments": config.amendments,
            "waits_for_lids": config.waits_for_lids,
            **({"prisoners": config.prisoners.value} if config.prisoners is not None else {}),
            "names": list(terms.names),
            **({"players": setup.players} if len(setup.players) > 2 else {}),
            **terms.game_info.to_json(),
            **({"rehearsal": True} if terms.rehearsal else {}),
            **({"adjourned": asdict(terms.adjourned)} if terms.adjourned is not None else {}),
        },
    )


def terms_of(entry: Entry) -> Terms:
    """Convert a first entry back to the terms."""
    body = entry.body
    size, options, side = body["size"], body["options"], body["black_side"]
    assert isinstance(size, list) and isinstance(options, dict) and isinstance(side, int | None)
    komi, handicap = body["komi"], body["handicap"]
    assert isinstance(komi, float | int | None) and isinstance(handicap, int)
    players, names = str(body.get("players", "BW")), body.get("names", ["", ""])
    assert isinstance(names, list)
    rules = replace(rule_set(str(body["rules"]), options), named=body.get("rules_named") is not False)
    setup = Setup(rules, players=players, komi=komi, handicap=handicap)
    game_info, rehearsal = GameInfo.from_json(body), body.get("rehearsal") is True
    terms = Terms(setup.with_size(size[0]), _build_config(body, side), tuple(map(str, names)), game_info, rehearsal)
    return taken_up(terms, from_journal(body["adjourned"])) if "adjourned" in body else terms


def taken_up(here: Terms, adjourned: AdjournedGame) -> Terms:
    """Return the terms for resuming an adjourned game at a table with these terms. Raises BadRecord or BadSetup."""
    names, game_info = adjourned.names, adjourned.game_info
    return Terms(adjourned.setup, adjourned.build_config(here.config), names, game_info, adjourned=adjourned)


def new_match(terms: Terms, began: str = "") -> Table:
    """Build the match on these terms, before its first turn here.

    began: the time of day
    """
    return Table(terms.record(), terms.config, terms.names, terms.game_info, began)


def _build_config(body: dict[str, Any], side: int | None) -> TableConfig:
    control = body.get("control")
    return TableConfig(
        bool(body["refereed"]),
        side,
        control=read_control(control) if control is not None else None,
        procedures=bool(body.get("procedures", True)),
        amendments=bool(body.get("amendments", False)),
        waits_for_lids=bool(body.get("waits_for_lids", True)),
        prisoners=MissingPrisonerPenalty(body["prisoners"]) if "prisoners" in body else None,
    )


def placed_entry(calibration: Calibration, t: float) -> Entry:
    """Convert the positions of board and lids in the picture to an entry."""
    grid = calibration.grid
    return Entry(
        Kind.PLACED,
        t,
        {
            "size": grid.size,
            "corners": [list(corner) for corner in grid.corners],
            "lens": [grid.curvature, *grid.centre, grid.half_diagonal],
            "lids": [list(astuple(lid)) for lid in calibration.lids],
            **({"stones": asdict(calibration.stones)} if calibration.stones is not None else {}),
        },
    )


def placed_of(entry: Entry) -> Calibration:
    """Convert an entry back to the positions of board and lids."""
    size, corners, lens, lids = (entry.body[key] for key in ("size", "corners", "lens", "lids"))
    assert isinstance(size, int) and isinstance(corners, list) and isinstance(lens, list) and isinstance(lids, list)
    grid = Grid(size, tuple((float(x), float(y)) for x, y in corners))
    curvature, x, y, half = map(float, lens)
    grid = replace(grid, curvature=curvature, centre=(x, y), half_diagonal=half)
    stones = entry.body.get("stones")
    palette = parse_palette(stones) if stones is not None else None
    return Calibration(grid, tuple(Box(*map(float, lid)) for lid in lids), palette)
