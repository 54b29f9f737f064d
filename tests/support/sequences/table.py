"""A real box without threads, and a table before it on which acts in words are done; what both show after each."""

from __future__ import annotations

import tempfile
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime
from functools import cache, cached_property
from pathlib import Path
from typing import NamedTuple, TypeVar, cast

from device.journal.entries import Terms, as_journaled
from device.journal.head import Head
from device.journal.names import next_name
from device.journal.replay import Folder, replay_journal
from device.journal.store import ENDING, Entry, Journal
from device.machine.identity import Identity
from device.match.adjournment_code import encode_game
from device.panel.panel import Edge, NoPanel
from device.panel.signals import Signal, Sound, signal_of
from device.table.controller import TableController
from device.table.director import Director
from device.table.event_loop import EventLoop
from referee.game.board import COLOURS, Colour
from referee.game.messages import Message
from referee.game.observation import LidSight, Observation
from referee.game.ruling import Ruling
from referee.game.turns import Pass, Placement, Turn
from referee.rules.legality import judge
from referee.rules.sets import rule_set
from referee.rules.setup import Setup
from referee.table.display_state import BoxStatus, Sight, TableSnapshot
from referee.table.events import BoxProposal, Button, Pressed
from referee.table.table import Table, TableConfig
from referee.time.controls import read_control
from referee.time.steps import Act, Step
from tests.support.wording import english
from web.errors import BadAct

T = TypeVar("T")
SIZE = 5
COLUMNS = "ABCDE"
BEFORE, PRESS, HOLD, SETTLED = 1.0, 0.1, 2.1, 0.1
"""Seconds before an act, of a press, of a hold, and after either."""
SURE, REST = 0.998, 0.002
RAM = Path("/dev/shm")
BEGAN = datetime.fromisoformat("2026-11-28T10:00:00+00:00")


@dataclass(frozen=True)
class Agreement:
    """The agreement before a game.

    control: as it is written, "" for no clocks. seat: the side at which the settings say that Black sits, 0 if none
    does
    """

    rules: str = "chinese"
    control: str = ""
    procedures: bool = True
    players: int = 2
    seat: int = 1
    handicap: int = 0

    def terms(self, rows: tuple[str, ...] | None = None, to_play: Colour | None = None) -> Terms:
        """Return the terms of the match. rows, to_play: of a position that is set up."""
        names = "".join(COLOURS[: self.players])
        rules, handicap = rule_set(self.rules), 0 if rows else self.handicap
        setup = Setup(rules, (SIZE, SIZE), names, to_play, handicap=handicap, board=rows)
        control = read_control(self.control) if self.control else None
        config = TableConfig(True, self.seat or None, control=control, procedures=self.procedures)
        return Terms(setup, config, ("",) * self.players)


class Time(NamedTuple):
    """The reading of a player's clock, in milliseconds."""

    main: int
    period: int
    periods: int
    stones: int
    spent: int
    fallen: bool


class View(NamedTuple):
    """The view after an act, in plain words and numbers; `snapshot` is all of it."""

    t: float
    turns: tuple[tuple[str, str], ...]
    to_play: str
    ended: bool
    result: str | None
    running: str | None
    times: tuple[Time, ...]
    lamps: tuple[str, ...]
    table_lamp: str
    sounds: tuple[str, ...]
    state: str
    rulings: int
    answers: int
    waiting: tuple[int, ...]
    resigning: tuple[int, ...]
    agreed: tuple[int, ...]
    paused: bool
    called: bool
    snapshot: TableSnapshot

    @property
    def sentence(self) -> str:
        """Return what is said to the players now."""
        now = self.snapshot
        return english(now.notice or (now.trouble.message if now.trouble else None))


class Panel(NoPanel):
    """The lamps and the buzzer of a box, as they were driven last."""

    def __init__(self) -> None:
        self.lit, self.sounded = Signal(), list[Sound]()

    def show(self, signal: Signal) -> None:
        """Light the lamps."""
        self.lit = signal

    def sound(self, sound: Sound) -> None:
        """Sound the buzzer."""
        self.sounded.append(sound)


class AtOnce:
    """The director's acts, done by a box without a queue."""

    def __init__(self, box: Callable[[], TableController]) -> None:
        self._box = box

    def run_on_owner(self, does: Callable[[TableController], T]) -> T:
        """Let the box do it."""
        return does(self._box())


def body_of(words: list[str]) -> dict[str, object]:
    """Return a director's act as the page sends it."""
    act, *rest = words
    return {"why": "it was misread", "sure": True, **DIRECTOR[act](*rest)}


def _enter(player: str, what: str, stands: str = "") -> dict[str, object]:
    if what in ("pass", "resign", "delay", "draw"):
        return {"act": "enter", "player": player, "turn": what}
    return {"act": "enter", "player": player, "turn": "place", "point": what, "stands": stands == "stands"}


def _clocks(seconds: str) -> dict[str, object]:
    left = {"main": int(seconds) * 1000, "period": 4000, "periods": 2, "stones": 2}
    return {"act": "clocks", "B": left, "W": left}


def _act_of_player(act: str) -> Callable[[str], dict[str, object]]:
    return lambda player: {"act": act, "player": player}


def _time(step: str, by: str = "", about: str = "") -> dict[str, object]:
    who = {"by": by} if by and by != "-" else {}
    return {"act": "time", "step": step, **who, **({"about": about} if about else {})}


DIRECTOR: dict[str, Callable[..., dict[str, object]]] = {
    "pause": lambda: {"act": "pause"},
    "resume": lambda: {"act": "resume"},
    "adjourn": lambda: {"act": "adjourn"},
    "enter": _enter,
    "take-back": lambda turns: {"act": "take-back", "turns": int(turns)},
    "komi": lambda komi: {"act": "komi", "komi": float(komi)},
    "go-on": lambda to_play="": {"act": "go-on", **({"to_play": to_play} if to_play else {})},
    "exchange": lambda count: {"act": "exchange", "count": int(count)},
    "remove": lambda *stones: {"act": "remove", "stones": list(stones)},
    "clocks": _clocks,
    "report": lambda result: {"act": "report", "result": result},
    "adjudicate": lambda result: {"act": "time", "step": "adjudicate", "result": result},
    "verify": lambda: {"act": "verify"},
    "propose": lambda player, *dead: {"act": "propose", "player": player, "dead": list(dead)},
    "agree": _act_of_player("agree"),
    "disagree": _act_of_player("disagree"),
    "void": lambda: {"act": "void"},
    "remark": lambda: {"act": "remark"},
    "undo": lambda: {"act": "undo"},
    "time": _time,
}
"""Every act of the director's by its word, as the page sends it."""


class LateJournal(Journal):
    """A journal whose entries reach the disk together, when somebody asks for the file: a replay, a power cut, the seal
    of a result, the next match. Nothing reads it between; that each entry is safe at once is tested with real kills.
    """

    def __init__(self, path: Path, identity: Identity) -> None:
        self.path, self._key = path, identity
        self._late, self._late_alive = list[Entry](), 0.0
        self._on_disk: Journal | None = None

    def flush(self) -> Journal:
        """Return the journal with all entries in its file."""
        journal = self._on_disk = self._on_disk or Journal(self.path, self._key)
        if self._late:
            journal.write(self._late)
            self._late = []
        if self._late_alive:
            journal.write_heartbeat(self._late_alive)
            self._late_alive = 0.0
        return journal

    @property
    def head(self) -> Head:
        """Return the head of the file."""
        return self.flush().head

    @head.setter
    def head(self, head: Head) -> None:
        raise AttributeError("head")

    @property
    def entries(self) -> int:
        """Return the number of entries."""
        return len(self._late) + (self._on_disk.entries if self._on_disk is not None else 0)

    def write(self, entries: Iterable[Entry]) -> None:
        """Keep the entries for later."""
        self._late += entries

    def checkpoint_if_idle(self, t: float = float("inf")) -> None:
        """Do nothing: nothing is in SQLite's log."""

    def write_heartbeat(self, t: float) -> None:
        """Keep the time for later."""
        self._late_alive = t

    def close(self) -> None:
        """Write everything, and close the file."""
        self.flush()
        self.drop()

    def drop(self) -> None:
        """Close the file as it is."""
        if self._on_disk is not None:
            self._on_disk._log.close()
            self._on_disk._beside.close()
        self._on_disk = None


@cache
def shared_identity() -> Identity:
    """Return the key that signs the journals of all sequences of this process."""
    with tempfile.TemporaryDirectory(prefix="shinpan-sequences-", dir=RAM if RAM.is_dir() else None) as folder:
        return Identity(Path(folder))


class LateFolder(Folder):
    """A folder whose journals are written late."""

    def __init__(self, path: Path) -> None:
        super().__init__(path)
        self._current: LateJournal | None = None

    @cached_property
    def identity(self) -> Identity:
        """Return the key of all sequences."""
        return shared_identity()

    def create_journal(self, now: datetime) -> Journal:
        """Create a journal."""
        return self.open_journal(self.path / f"{next_name(self.path, now)}{ENDING}")

    def open_journal(self, path: Path) -> Journal:
        """Open a journal of this folder for writing."""
        self._current = journal = LateJournal(path, self.identity)
        if path.exists():
            journal.flush()
        return journal

    def flush(self) -> None:
        """Write what is late."""
        if self._current is not None:
            self._current.flush()

    def drop(self) -> None:
        """Close the files as they are."""
        if self._current is not None:
            self._current.drop()


class LateBox(TableController):
    """A box that writes no game record and asks for no seal, which needs the journal's file: a law compares the record
    after each act, and nothing here reads either file."""

    def _keep_record(self) -> None:
        self._match_store.record_due = False

    @property
    def seal(self) -> str:
        """Return no seal."""
        return ""


@dataclass
class AtTable:
    """A box, the table before it, and its journal in a folder of their own.

    stones: what lies on the board, by point. lids: (black, white) stones in the lids of Black and of White
    """

    agreed: Agreement
    t: float = 100.0
    stones: dict[int, str] = field(default_factory=dict)
    panel: Panel = field(default_factory=Panel)
    refused: str = ""

    def __post_init__(self) -> None:
        base = RAM if RAM.is_dir() else None
        self._folder = tempfile.TemporaryDirectory(prefix="shinpan-sequences-", dir=base)
        self.folder = LateFolder(Path(self._folder.name))
        self.terms = self.agreed.terms()
        self.box = LateBox(self.terms, self.folder, self.panel, lambda snapshot: None, wall=lambda: BEGAN)
        at_once = cast(EventLoop, AtOnce(lambda: self.box))
        self.director = Director(at_once, lambda: self.t, lambda place: None)
        bowls = self.terms.record().bowls
        self.lids = {
            owner: {colour: bowls.count_visible_stones(owner, colour) for colour in COLOURS[:2]}
            for owner in COLOURS[:2]
        }
        self.seats = self.agreed.seat or 1

    def __enter__(self) -> AtTable:
        return self

    def __exit__(self, *_: object) -> None:
        self.folder.drop()
        self._folder.cleanup()

    # Acts

    def do(self, act: str) -> View:
        """Do one act; what is shown after it."""
        words = act.split()
        self.panel.sounded.clear()
        self.refused = ""
        match words:
            case ["look"]:
                self._look()
            case ["cover"]:
                self._look(covered=True)
            case ["late", age, side, *button]:
                self._late(float(age), int(side), button)
            case ["wait", seconds]:
                self.t += float(seconds)
                self.box.tick(self.t)
            case ["power", "cut"]:
                self._power_cut()
            case ["replay"]:
                pass
            case ["lift", point]:
                self.stones.pop(point_of(point), None)
            case ["lid", owner, colour, change]:
                lid = self.lids[Colour(owner)]
                lid[Colour(colour)] = max(lid[Colour(colour)] + int(change), 0)
            case ["director", *rest]:
                self._direct(rest)
            case ["box", "dead", *dead]:
                self._propose(dead)
            case [side, "hold", button]:
                self._press(int(side), Button(button), HOLD)
            case [side, button] if side.isdigit():
                self._press(int(side), Button(button), PRESS)
            case [colour, point]:
                self.stones[point_of(point)] = colour
            case _:
                raise ValueError(f"There is no act {act!r}.")
        return self.view

    def _propose(self, dead: Sequence[str]) -> None:
        """The box proposes these stones as dead."""
        self.t = round(self.t + BEFORE, 3)
        position = self.box.table.record.position
        masks = position.board.mask(dead), 0, 0
        self.box.say(BoxProposal(self.t, position, *masks))

    def _press(self, side: int, button: Button, lasting: float) -> None:
        self.t = round(self.t + BEFORE, 3)
        self.box.take_edge(Edge(side, button, True, self.t))
        if lasting == HOLD:
            self.box.tick(self.t + lasting - 0.05)
        self.t = round(self.t + lasting, 3)
        self.box.take_edge(Edge(side, button, False, self.t))
        self.t = round(self.t + SETTLED, 3)
        self.box.tick(self.t)

    def _late(self, age: float, side: int, button: list[str]) -> None:
        """A phone's press arrives that was made `age` seconds ago."""
        self.t = round(self.t + BEFORE, 3)
        self.box.tick(self.t)
        press = Pressed(round(self.t - age, 3), side, Button(button[-1]), is_held=button[0] == "hold")
        refusal = self.box.press(press, self.t)
        self.refused = english(refusal) if refusal is not None else ""
        self.t = round(self.t + SETTLED, 3)
        self.box.tick(self.t)

    def _look(self, covered: bool = False) -> None:
        self.t = round(self.t + BEFORE, 3)
        self.box.tick(self.t)
        self.box.sight(Sight.COVERED if covered else Sight.SEEN, self.t)
        kinds = self.agreed.players + 1
        points = ((1 / kinds,) * kinds,) * (SIZE * SIZE) if covered else self._points()
        self.box.handle_observation(as_journaled(Observation(self.t, points, () if covered else self._lids())))

    def _points(self) -> tuple[tuple[float, ...], ...]:
        kinds = self.agreed.players + 1
        order = {colour.value: place for place, colour in enumerate(COLOURS[: self.agreed.players], 1)}
        return tuple(_sight(order.get(self.stones.get(point, ""), 0), kinds) for point in range(SIZE * SIZE))

    def _lids(self) -> tuple[LidSight, ...]:
        if self.agreed.players > 2:
            return ()
        if not self.agreed.seat and self.agreed.rules != "ultimate":
            self.seats = self.box.snapshot.game.black_side or 1  # Where Black sits there is Black's lid.
        owners = COLOURS[:2] if self.seats == 1 else (COLOURS[1], COLOURS[0])
        return tuple(_lid(*self.lids[owner].values()) for owner in owners)

    def _direct(self, words: list[str]) -> None:
        self.t = round(self.t + BEFORE, 3)
        self.box.tick(self.t)
        try:
            match words:
                case ["take-up", *turns]:
                    self._take_up(self.terms, turns)
                case ["set", rows, to_play]:
                    self._take_up(self.agreed.terms(tuple(rows.split("/")), Colour(to_play)), ())
                    self.put_right()
                case _:
                    self.director.act(body_of(words))
        except BadAct as error:
            self.refused = english(error)

    def _take_up(self, terms: Terms, turns: Sequence[str]) -> None:
        """Take up an adjourned game on these terms in which these stones were placed in turn."""
        self.director.act({"act": "take-up", "sealed": sealed_game(terms, turns), "sure": True})

    def _power_cut(self) -> None:
        self.box.close()
        newest = self.folder.find_newest_match()
        self.box = LateBox(self.terms, self.folder, self.panel, lambda snapshot: None, wall=lambda: BEGAN)
        if newest is not None:
            path, replayed = newest
            self.t = replayed.t
            self.box.resume_match(self.folder.open_journal(path), replayed, replayed.t)
        self.box.sight(Sight.SEEN, self.t)

    def put_right(self) -> None:
        """Let board and lids lie as the record has them."""
        game = self.box.snapshot.game
        self.stones = {
            point: colour.value
            for point in range(SIZE * SIZE)
            if (colour := game.position.colour_at(point)) is not None
        }
        self.lids = {
            owner: {colour: game.bowls.count_visible_stones(owner, colour) for colour in COLOURS[:2]}
            for owner in COLOURS[:2]
        }
        self.seats = game.black_side or self.seats

    # What is shown

    @property
    def view(self) -> View:
        """Return what is shown now."""
        return view_of(self.box.snapshot, self.panel.lit, tuple(self.panel.sounded), self.t)

    def replayed(self) -> tuple[View, Message | None]:
        """Return what the journal gives when it is heard again, and what it then rules otherwise."""
        assert self.box.journal is not None
        self.folder.flush()
        replayed, now = replay_journal(self.box.journal), self.box.snapshot
        clocks, then = now.game.clocks, replayed.table.snapshot.clocks
        if clocks is not None and then is not None and then.t < clocks.t:
            replayed.table.receive(Step(clocks.t, Act.DUE))  # Seconds that were counted are in no journal.
        snapshot = replayed.table.build_snapshot(BoxStatus(now.number, now.t, now.sight))
        snapshot = replace(snapshot, match=now.match, finals=now.finals, seal=now.seal, archive_name=now.archive_name)
        return view_of(snapshot, signal_of(snapshot), (), self.t), replayed.differs

    @property
    def rulings(self) -> tuple[Ruling, ...]:
        """Return all rulings so far."""
        return self.box.snapshot.game.rulings

    @cached_property
    def sides(self) -> tuple[int, ...]:
        """Return the sides of the table."""
        return tuple(range(1, self.agreed.players + 1))


def sealed_game(terms: Terms, turns: Sequence[str]) -> str:
    """Return the text of an adjourned game on these terms, in which stones were placed at these points in turn."""
    record = terms.record()
    for point in turns:
        after = judge(record, Placement(record.to_play, record.position.board.point(point))).after
        assert after is not None, f"{point} may not be played"
        record = after
    return encode_game(Table(record, terms.config), "2026-11-28-1", "", "2026-11-28").text


def view_of(snapshot: TableSnapshot, lit: Signal, sounds: tuple[Sound, ...], t: float) -> View:
    """Return it in plain words."""
    game, clocks = snapshot.game, snapshot.game.clocks
    faces = clocks.faces if clocks is not None else ()
    return View(
        t,
        tuple(_turn(turn, game.position.board.name) for turn in game.turns),
        game.to_play.value,
        game.ended,
        game.result,
        clocks.running_player.value if clocks is not None and clocks.running_player is not None else None,
        tuple(Time(f.main, f.period, f.periods, f.stones, f.spent, f.fallen) for f in faces),
        tuple(map(str, lit.sides)),
        str(lit.table),
        tuple(sound.value for sound in sounds),
        snapshot.display_state.state.value,
        len(game.rulings),
        len(game.answers),
        snapshot.waiting,
        snapshot.resigning,
        snapshot.agreed,
        snapshot.paused,
        snapshot.called,
        snapshot,
    )


def _turn(turn: Turn, name: Callable[[int], str]) -> tuple[str, str]:
    match turn:
        case Placement():
            return turn.player.value, name(turn.point)
        case Pass():
            return turn.player.value, "pass"
    return turn.player.value, type(turn).__name__.lower()


def point_of(name: str) -> int:
    """Return the point of that name, counted along the rows from the top left."""
    return (SIZE - int(name[1:])) * SIZE + COLUMNS.index(name[0])


def name_of(point: int) -> str:
    """Return a point's name."""
    return f"{COLUMNS[point % SIZE]}{SIZE - point // SIZE}"


@cache
def _sight(content: int, kinds: int) -> tuple[float, ...]:
    return tuple(SURE if kind == content else REST / (kinds - 1) for kind in range(kinds))


def _lid(black: int, white: int) -> LidSight:
    return LidSight(black, white, (black, black), (white, white), True)
