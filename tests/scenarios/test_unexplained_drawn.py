"""A refereed game on a drawn table whose board no moves explain: the box pauses it, and never under a hand."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from device.journal.entries import Terms, as_journaled
from device.journal.replay import Folder, replay_journal
from device.panel.panel import NoPanel
from device.table.controller import TableController
from referee.game.board import Colour, board_of
from referee.rules.sets import rule_set
from referee.rules.setup import Setup
from referee.table.display_state import Sight
from referee.table.events import Button, Pressed
from referee.table.table import TableConfig
from referee.time.controls import read_control
from vision.camera.frame import Frame
from vision.render.looks import club_look
from vision.render.scene import Hand, LidStone, Scene
from vision.render.table import Table
from vision.tracking.tracker import BoardTracker, TrackerConfig

pytestmark = [pytest.mark.slow, pytest.mark.usefixtures("lone_board")]

RATE = 2
LOOK = club_look(4, 9, 640, 360)
TURNS = ("C3", "G7", "G3", "C7")
LIDS: tuple[tuple[LidStone, ...], tuple[LidStone, ...]] = ((), ())
REACHING = Hand((0.5, 0.5), "bottom", 1.0)


class DrawnGame:
    """A box before a drawn 9x9 table, after four turns of Chinese rules with clocks."""

    def __init__(self, folder: Path) -> None:
        config = TableConfig(True, 1, control=read_control("30m"))
        terms = Terms(Setup(rule_set("chinese"), size=(9, 9)), config, ("", ""))
        self.box = TableController(terms, Folder(folder), NoPanel(), lambda snapshot: None)
        self.tracker, self.table, self.frames = BoardTracker(TrackerConfig()), Table(LOOK), 0
        self.stones: dict[str, str] = {}
        self.show(3.0)
        for number, point in enumerate(TURNS):
            self.stones[point] = "XO"[number % 2]
            self.show(0.5, REACHING)
            self.show(2.0)
            self.box.say(Pressed(self.t, number % 2 + 1, Button.DONE))
            self.show(2.0)
        assert self.box.table.record.number == len(TURNS)

    @property
    def t(self) -> float:
        return self.frames / RATE

    @property
    def paused(self) -> bool:
        pause = self.box.snapshot.pause
        return pause is not None and pause.unexplained and self.box.snapshot.game.clocks.running_player is None

    def show(self, seconds: float, hand: Hand | None = None) -> None:
        """Film the table for so long, with this hand above it."""
        rows = [["."] * 9 for _ in range(9)]
        for name, stone in self.stones.items():
            row, col = divmod(board_of(9).point(name), 9)
            rows[row][col] = stone
        for _ in range(int(seconds * RATE)):
            self.frames += 1
            scene = Scene(tuple(map("".join, rows)), LIDS, hand)
            observation = self.tracker.see(Frame(self.table.draw(scene, self.frames).pixels, self.t))
            observation = observation or self.tracker.standing
            if observation is not None:
                self.box.sight(Sight.SEEN, self.t)
                self.box.handle_observation(as_journaled(observation))
            self.box.tick(self.t)

    def change(self, **stones: str) -> None:
        """Change the board under a hand."""
        self.stones = {name: stone for name, stone in (self.stones | stones).items() if stone}
        self.show(1.0, REACHING)


@pytest.fixture
def game(tmp_path: Path) -> Iterator[DrawnGame]:
    game = DrawnGame(tmp_path)
    yield game
    game.box.close()


def test_a_board_put_back_otherwise_is_paused_and_goes_on_put_right(game: DrawnGame) -> None:
    game.change(C3="", C4="X", G7="", G8="O")
    game.show(18.0)
    assert not game.paused
    game.show(5.0)
    assert game.paused
    game.change(C3="X", C4="", G7="O", G8="")
    game.show(6.0)
    assert not game.paused and game.box.snapshot.game.clocks.running_player is Colour.BLACK
    journal = game.box.journal
    assert journal is not None and replay_journal(journal).differs is None


def test_a_hand_that_rests_on_the_board_pauses_no_game(game: DrawnGame) -> None:
    for hand in (REACHING, Hand((0.3, 0.4), "left", 1.0), Hand((0.7, 0.6), "top", 0.7)):
        game.show(24.0, hand)
        assert not game.paused
    game.show(3.0)
    assert not game.box.snapshot.paused and game.box.table.record.number == len(TURNS)


def test_a_hand_above_a_strange_board_holds_the_pause_back(game: DrawnGame) -> None:
    game.change(C3="", C4="X", G7="", G8="O")
    for _ in range(3):
        game.show(15.0)
        game.show(3.0, REACHING)
    assert not game.paused
    game.show(25.0)
    assert game.paused
