"""The box without threads or camera: journal before lamps before page, resuming, new games, trouble with the disk."""

from __future__ import annotations

import random
import sqlite3
from pathlib import Path

import pytest

from device.box import RESULT_STANDS, Box
from device.entries import Terms, as_kept
from device.journal import Journal, JournalError, Kind, read_journal
from device.keeping import Folder, replay
from device.panel.panel import Edge, NoPanel
from device.panel.signals import Signal
from referee.board import Colour
from referee.events import Button
from referee.game import Manner
from referee.rules import Setup
from referee.rulesets import rule_set
from referee.snapshot import Phase, Showing, Sight
from tests.device.chaos import run_chaos
from tests.device.table import B, W
from tests.play import started
from tests.referee.looks import lids_of, look

PRESS = 0.15


class Lamps(NoPanel):
    """A panel that notes how many journal entries there were when it was lit."""

    def __init__(self, folder: Path) -> None:
        self.folder, self.lit = folder, list[tuple[int, Signal]]()

    def show(self, signal: Signal) -> None:
        journals = sorted(self.folder.glob("*.journal"))
        self.lit.append((len(read_journal(journals[-1])) if journals else 0, signal))


class Player:
    """A box, a true 5x5 table before it, and hands that move stones and press buttons."""

    def __init__(self, folder: Path, refereed: bool = True, rules: str = "ultimate", size: int | None = 5) -> None:
        self.folder = Folder(folder)
        setup = Setup(rule_set(rules), size=(size, size) if size else None)
        self.terms = Terms(setup, Manner(refereed, 1))
        self.panel = Lamps(folder)
        self.shown: list[Showing] = []
        self.t = 0.0
        record = started(rules, size=(5, 5))
        self.board, self.position, self.lids = record.position.board, record.position, record.bowls
        self.box = Box(self.terms, self.folder, self.panel, self.shown.append)

    @property
    def now(self) -> Showing:
        return self.box.showing

    @property
    def journal(self) -> Path:
        return self.folder.journals()[-1]

    def put(self, colour: Colour, point: str) -> Player:
        self.position = self.position.put(colour, 1 << self.board.point(point))
        return self

    def look(self) -> Player:
        self.t += 1
        self.box.seen(as_kept(look(self.position, self.t, lids_of(self.lids))))
        return self

    def press(self, side: int, button: Button = Button.DONE, lasting: float = PRESS) -> Player:
        self.t += 1
        self.box.edge(Edge(side, button, True, self.t))
        self.box.tick(self.t + lasting)
        self.t += lasting
        self.box.edge(Edge(side, button, False, self.t))
        self.t += PRESS
        self.box.tick(self.t)
        return self

    def restarted(self) -> Player:
        """The same table before a new box, which takes up the match from the journal."""
        self.box.close()
        found = self.folder.newest()
        assert found is not None
        self.box = Box(self.terms, self.folder, self.panel, self.shown.append)
        self.box.resume(Journal(found[0]), found[1], found[1].t)
        return self


def test_a_turn_is_ruled_journaled_and_shown(tmp_path):
    player = Player(tmp_path).look()
    player.put(B, "C3").press(1).look()
    assert (player.now.game.turn, player.now.game.newest.text) == (1, "Black played C3.")
    kinds = [entry.kind for entry in read_journal(player.journal)]
    assert kinds == [Kind.MATCH, Kind.SEEN, Kind.PRESSED, Kind.SEEN, Kind.RULED]
    assert b"B[cc]" in player.journal.with_suffix(".sgf").read_bytes()
    assert [showing.number for showing in player.shown] == list(range(1, len(player.shown) + 1))


def test_nothing_is_lit_that_is_not_in_the_journal(tmp_path):
    player = Player(tmp_path).look().put(B, "C3").press(1)
    before = len(player.panel.lit)
    player.look()
    assert [count for count, _ in player.panel.lit[before:]] == [5], "the ruling was the fifth entry, and then the lamp"


def test_the_match_goes_on_after_a_restart_at_any_moment(tmp_path):
    player = Player(tmp_path).look()
    player.put(B, "C3").press(1).restarted()
    assert player.now.waiting == (1,), "the press waits as before"
    player.look().restarted()
    assert player.now.game.turn == 1
    player.put(B, "D3").press(2).look().restarted()
    assert player.now.trouble is not None and player.now.game.turn == 1
    assert player.now.game.rulings == player.shown[-1].game.rulings
    assert replay(player.journal).differs is None


def test_an_agreed_result_stands_after_a_restart_until_the_board_is_cleared(tmp_path):
    player = Player(tmp_path).look().put(B, "C3").press(1).look().press(2, Button.CALL, 2.5).press(2)
    assert player.now.phase is Phase.RESULT and player.now.game.result == "B+R"
    player.restarted().press(1).press(2).restarted().look()
    assert (player.now.phase, player.now.game.result) == (Phase.FINAL, "B+R")


def test_clearing_the_board_after_an_agreed_result_begins_the_next_match(tmp_path):
    player = Player(tmp_path).look().put(B, "C3").press(1).look().press(2, Button.CALL, 2.5).press(2)
    player.press(1).press(2).look()
    assert player.now.phase is Phase.FINAL, "the stones still stand"
    player.position = started("ultimate", size=(5, 5)).position
    player.look()
    assert (player.now.phase, player.now.game.turn, len(player.folder.journals())) == (Phase.PLAY, 0, 2)


def test_a_result_that_leaves_no_stone_is_shown_for_a_while(tmp_path):
    player = Player(tmp_path).look().press(1, Button.CALL, 2.5).press(1)
    player.press(1).press(2).look()
    assert (player.now.phase, player.now.game.result) == (Phase.FINAL, "W+R")
    player.t += RESULT_STANDS
    player.look()
    assert (player.now.phase, player.now.game.result) == (Phase.PLAY, None)


def test_the_first_board_seen_says_the_size(tmp_path):
    player = Player(tmp_path, size=None)
    assert player.press(1).now.notice is not None, "there is no board yet"
    player.look()
    assert (player.now.game.position.board.cols, player.now.notice) == (5, None)


def test_a_full_disk_is_told_and_nothing_is_lost(tmp_path):
    player = Player(tmp_path).look()
    base = sqlite3.connect(player.journal)
    base.execute(
        "CREATE TRIGGER full BEFORE INSERT ON entries BEGIN SELECT RAISE(ABORT, 'database or disk is full'); END"
    )
    base.commit()
    player.put(B, "C3").press(1).look()
    assert "disk is full" in player.now.faults[0] and player.now.game.turn == 1
    base.execute("DROP TRIGGER full")
    base.commit()
    player.put(W, "D3").press(2).look()
    assert player.now.faults == () and replay(player.journal).match.record.number == 2


def test_a_damaged_journal_is_set_aside(tmp_path):
    player = Player(tmp_path).look()
    player.box.close()
    base = sqlite3.connect(player.journal)
    base.execute("UPDATE entries SET t = 5 WHERE number = 1")
    base.commit()
    base.close()
    with pytest.raises(JournalError, match="entry 1"):
        player.folder.newest()
    assert player.folder.journals() == [] and len(list(tmp_path.glob("*.damaged"))) == 1


def test_a_journal_that_holds_nothing_is_taken_away(tmp_path):
    player = Player(tmp_path).look()
    player.box.close()
    Journal(tmp_path / "9999.journal").close()
    found = player.folder.newest()
    assert found is not None and found[0] == player.journal


def test_another_board_than_the_matchs_is_told(tmp_path):
    player = Player(tmp_path).look()
    player.box.seen(as_kept(look(started(size=(9, 9)).position, 3.0)))
    assert "9 lines" in player.now.faults[0]
    assert player.look().now.faults == ()


def test_a_journal_of_another_mind_is_told(tmp_path):
    player = Player(tmp_path).look().put(B, "C3").press(1).look()
    entries = read_journal(player.journal)
    changed = Journal(tmp_path / "changed.journal")
    changed.write([*entries[:-1], type(entries[-1])(Kind.RULED, entries[-1].t, {**entries[-1].body, "text": "No."})])
    assert "rules otherwise" in str(replay(tmp_path / "changed.journal").differs)
    missing = Journal(tmp_path / "missing.journal")
    missing.write(entries[:-1])
    assert "says nothing" in str(replay(tmp_path / "missing.journal").differs)


def test_what_the_camera_gives_is_shown(tmp_path):
    player = Player(tmp_path)
    player.box.sight(Sight.LOST, 1.0, "The camera is gone; check its cable.")
    assert (player.now.sight, player.now.faults) == (Sight.LOST, ("The camera is gone; check its cable.",))
    player.box.sight(Sight.SEEN, 2.0)
    assert (player.now.sight, player.now.faults) == (Sight.SEEN, ())


@pytest.mark.parametrize("seed", range(60))
def test_random_events_never_break_the_match(tmp_path, seed):
    """Every button in any rhythm, stones anywhere, restarts: the record stays one that the rules give."""
    run_chaos(
        Player(tmp_path, refereed=seed % 3 != 0, rules=("ultimate", "chinese")[seed % 2]), random.Random(seed), 80
    )
