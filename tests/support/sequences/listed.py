"""Lists of acts in JSON, as tests beside the project have them, done at a real box: its match, journal and director.

A start names rules, board, bowls, time and seats; an act is a list such as `["press", 0.5, 1, "done", false]`, whose
first number is the seconds before it. `["look", 0.5, "cover"]` is a look with a hand over everything; a power cut opens
the journal again. A start that no match at a table has (stones on the board, another player to move) cannot be
journaled, and so allows no power cut.
"""

from __future__ import annotations

import tempfile
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any, Self, cast

from device.journal.entries import Terms, as_journaled
from device.journal.replay import Folder, ReplayedMatch, replay_journal
from device.match.game_files import read_setup
from device.table.controller import TableController
from device.table.director import Director
from device.table.event_loop import EventLoop
from referee.game.actor import Actor
from referee.game.board import COLOURS, Colour, Position
from referee.game.messages import Message, message
from referee.game.observation import LidSight, Observation
from referee.game.ruling import Ruling
from referee.table.display_state import Sight, TableSnapshot
from referee.table.events import Button, Pressed, Remark
from referee.table.table import TableConfig
from referee.time.controls import read_control
from tests.support.sequences.table import DIRECTOR, RAM, AtOnce, Panel, View, sealed_game, view_of
from tests.support.wording import english
from web.errors import BadAct

Act = Sequence[Any]
SURE, REST = 0.998, 0.002


class ListedTable:
    """A box before a true table on which listed acts are done.

    t: seconds on the box's clock. stones: what lies on the board. lids: stones by owner and colour. reply: what a phone
    was told about its newest late press. refused: what the director was told whose newest act had no effect
    """

    def __init__(self, start: Mapping[str, Any]) -> None:
        self._folder = tempfile.TemporaryDirectory(prefix="shinpan-acts-", dir=RAM if RAM.is_dir() else None)
        self.folder = Folder(Path(self._folder.name))
        self.panel, self.t = Panel(), 100.0
        self.reply: Message | None = None
        self.refused = ""
        self.terms = terms_of(start)
        self.box = self._new_box()
        self.director = Director(cast(EventLoop, AtOnce(lambda: self.box)), lambda: self.t, lambda place: None)
        self.black_side = start.get("black_side", 1) or start.get("true_black_side", 1)
        self.position, self.lids = self._as_recorded(self.terms.record())

    def _new_box(self) -> TableController:
        return TableController(self.terms, self.folder, self.panel, lambda snapshot: None)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.box.close()
        self._folder.cleanup()

    # Acts

    def play(self, acts: Sequence[Act]) -> Self:
        """Do the acts in their order."""
        for act in acts:
            self.do(act)
        return self

    def do(self, act: Act) -> None:
        """Do one act."""
        name, *rest = act
        self.reply, self.refused = None, ""
        self.panel.sounded.clear()
        DOING[name](self, *rest)

    def pass_time(self, seconds: float) -> None:
        """Let time pass, and the box be ticked as often as it asks for."""
        until = round(self.t + seconds, 3)
        while (due := self.box.deadline) is not None and due <= until:
            self.t = max(due, self.t + 0.01)
            self.box.tick(self.t)
        self.t = until
        self.box.tick(self.t)

    def _look(self, after: float, hand: str = "") -> None:
        self.pass_time(after)
        self.box.sight(Sight.COVERED if hand else Sight.SEEN, self.t)
        points = tuple(self._sight(point, bool(hand)) for point in range(self.position.board.points))
        self.box.handle_observation(as_journaled(Observation(self.t, points, () if hand else self._lids())))

    def _sight(self, point: int, covered: bool) -> tuple[float, ...]:
        kinds = len(self.position.stones) + 1
        if covered:
            return (1 / kinds,) * kinds
        colour = self.position.colour_at(point)
        content = 0 if colour is None else COLOURS.index(colour) + 1
        return tuple(SURE if kind == content else REST / (kinds - 1) for kind in range(kinds))

    def _lids(self) -> tuple[LidSight, ...]:
        if len(self.position.stones) > 2:
            return ()
        owners = COLOURS[:2] if self.black_side == 1 else (COLOURS[1], COLOURS[0])
        counts = [(self.lids[owner][Colour.BLACK], self.lids[owner][Colour.WHITE]) for owner in owners]
        return tuple(LidSight(black, white, (black, black), (white, white), True) for black, white in counts)

    def _play(self, colour: str, point: str) -> None:
        outcome = self.position.place(Colour(colour), self.position.board.point(point))
        if self.keeps_prisoners:
            for owner, stones in zip(COLOURS, self.position.stones, strict=False):
                if owner is not Colour(colour):
                    self.lids[Colour(colour)][owner] += (stones & outcome.captured).bit_count()
        self.position = outcome.position

    @property
    def keeps_prisoners(self) -> bool:
        """Return True if captured stones are put into a lid."""
        return len(self.position.stones) == 2 and self.terms.setup.rules.bowls.are_prisoners_kept

    def _lift(self, point: str) -> None:
        self.position = self.position.without_stones(1 << self.position.board.point(point))

    def _lid(self, owner: str, colour: str, change: int) -> None:
        lid = self.lids[Colour(owner)]
        lid[Colour(colour)] = max(lid[Colour(colour)] + change, 0)

    def _delay(self, player: str) -> None:
        own = Colour(player)
        other = next(colour for colour in COLOURS[:2] if colour is not own)
        is_first = self.terms.setup.rules.name == "ultimate" and not any(self.lids[one][one] for one in COLOURS[:2])
        self.lids[own][other] -= 1
        self.lids[other][other] += is_first

    def _restore(self) -> None:
        self.position, self.lids = self._as_recorded(self.box.table.record)

    def _as_recorded(self, record: Any) -> tuple[Position, dict[Colour, dict[Colour, int]]]:
        two = COLOURS[:2]
        lids = {owner: {colour: record.bowls.count_visible_stones(owner, colour) for colour in two} for owner in two}
        return record.position, lids

    def _press(self, after: float, side: int, button: str, is_held: bool = False) -> None:
        self.pass_time(after)
        self.box.say(Pressed(self.t, side, Button(button), is_held=is_held))

    def _late(self, after: float, age: float, side: int, button: str, is_held: bool = False) -> None:
        self.pass_time(after)
        self.reply = self.box.press(Pressed(round(self.t - age, 3), side, Button(button), is_held=is_held), self.t)

    def _direct(self, after: float, act: str, *rest: Any) -> None:
        self.pass_time(after)
        if self.box.journal is None:  # A director who acts before any look has set up the match.
            self.box.set_up(self.terms, Remark(self.t, message("director.remark"), Actor.DIRECTOR))
        body = {"why": "as it was", "sure": True, **DIRECTING[act](*rest)}
        try:
            self.director.act(body)
        except BadAct as error:
            self.refused = english(error)

    def _set_position(
        self, after: float, rows: Sequence[str], to_play: str, rules: str, turns: Sequence[str] = ()
    ) -> None:
        """Take up an adjourned game from these rows, with these turns played."""
        self.pass_time(after)
        clocks = self.terms.config.control
        start = {"rules": rules, "rows": list(rows), "to_play": to_play, "control": clocks and str(clocks)}
        terms = terms_of(start | {"procedures": self.terms.config.procedures})
        sealed = sealed_game(terms, turns)
        self.director.act({"act": "take-up", "sealed": sealed, "sure": True})
        self.black_side = self.box.snapshot.game.black_side or self.black_side

    def _cut(self, after: float) -> None:
        self.pass_time(after)
        self.box.close()
        newest = self.folder.find_newest_match()
        assert newest is not None
        path, replayed = newest
        self.t, self.box = replayed.t, self._new_box()
        self.box.resume_match(self.folder.open_journal(path), replayed, replayed.t)

    # What is shown

    @property
    def now(self) -> TableSnapshot:
        """Return what lamps and page show."""
        return self.box.snapshot

    @property
    def view(self) -> View:
        """Return it in plain words."""
        return view_of(self.now, self.panel.lit, tuple(self.panel.sounded), self.t)

    @property
    def state(self) -> str:
        """Return the state of the table."""
        return self.view.state

    @property
    def turns(self) -> str:
        """Return the recorded turns, `B C3, W pass`."""
        return ", ".join(" ".join(turn) for turn in self.view.turns)

    @property
    def rulings(self) -> tuple[Ruling, ...]:
        """Return all rulings so far."""
        return self.now.game.rulings

    @property
    def sentence(self) -> str:
        """Return what the players read now."""
        return self.view.sentence

    def replay(self) -> ReplayedMatch:
        """Hear the journal again."""
        assert self.box.journal is not None
        return replay_journal(self.box.journal)


def terms_of(start: Mapping[str, Any]) -> Terms:
    """Return the terms of the match that a start names."""
    named = {
        "rules": start["rules"],
        "size": start.get("size", len(start.get("rows", ())) or None),
        "board": start.get("rows"),
        "players": start.get("players"),
        "to_play": start.get("to_play"),
        "handicap": start.get("handicap"),
        "bowls": start.get("bowls"),
        "ultimate": start.get("ultimate"),
    }
    setup = read_setup({key: value for key, value in named.items() if value is not None})
    size = setup.size or (len(setup.board[0]), len(setup.board)) if setup.board else setup.size
    assert size is not None
    control = read_control(start["control"]) if start.get("control") else None
    config = TableConfig(
        True, start.get("black_side", 1), control=control, procedures=bool(start.get("procedures", True))
    )
    return Terms(setup.with_size(*size), config, ("",) * len(setup.players))


def _step(step: str, by: str = "", about: str = "") -> dict[str, object]:
    return DIRECTOR["time"](step, by, about)


DIRECTING: dict[str, Callable[..., dict[str, object]]] = {
    **DIRECTOR,
    "takeback": DIRECTOR["take-back"],
    "undo": lambda: {"act": "undo"},
    "exchange": lambda count=1: DIRECTOR["exchange"](count),
    "enter": lambda turn, *stands: DIRECTOR["enter"](*turn.split(), *stands),
    "step": _step,
}
DOING: dict[str, Callable[..., None]] = {
    "look": ListedTable._look,
    "play": ListedTable._play,
    "lift": ListedTable._lift,
    "lid": ListedTable._lid,
    "delay": ListedTable._delay,
    "restore": ListedTable._restore,
    "press": ListedTable._press,
    "late": ListedTable._late,
    "dir": ListedTable._direct,
    "setpos": ListedTable._set_position,
    "wait": ListedTable.pass_time,
    "cut": ListedTable._cut,
}
"""Every act by its word."""
