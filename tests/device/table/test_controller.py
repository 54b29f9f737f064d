"""The box without threads or camera: journal before lamps before page, resuming, new games, trouble with the disk."""

from __future__ import annotations

import random
import re
import sqlite3
from dataclasses import replace
from pathlib import Path

import pytest

from device.journal.entries import as_journaled
from device.journal.replay import check_record, replay_journal
from device.journal.store import Journal, JournalError, Kind, read_journal
from device.panel.panel import Edge, NoPanel
from device.panel.signals import Signal
from device.table.controller import RESULT_STANDS
from referee.game.count_result import DeadStoneClaim
from referee.game.errors import BadSetup
from referee.game.messages import plain_message
from referee.table.display_state import Phase, Sight, TableSnapshot
from referee.table.events import AgreeVoid, Amend, Button, Disagree, Propose, Remark
from referee.table.history import GameHistory
from referee.time.steps import Act, Step
from tests.support.device import chaos
from tests.support.device.chaos import random_step, random_word, run_chaos
from tests.support.device.player import PRESS, Player
from tests.support.play import start_game
from tests.support.referee.looks import look
from tests.support.table import B, W
from tests.support.tiers import seeds
from tests.support.wording import english, raises


def test_a_turn_is_ruled_journaled_and_shown(tmp_path):
    player = Player(tmp_path).look()
    player.put(B, "C3").press(1).look()
    assert (player.now.game.turn, english(player.now.game.newest_ruling)) == (1, "Black played C3.")
    kinds = [entry.kind for entry in read_journal(player.journal)]
    assert kinds == [Kind.MATCH, Kind.SEEN, Kind.PRESSED, Kind.SEEN, Kind.RULED]
    assert b"B[cc]" in player.journal.with_suffix(".sgf").read_bytes()
    assert [snapshot.number for snapshot in player.snapshots] == list(range(1, len(player.snapshots) + 1))


def test_nothing_is_lit_that_is_not_in_the_journal(tmp_path):
    player = Player(tmp_path).look().put(B, "C3").press(1)
    before = len(player.lamps.lit)
    player.look()
    assert [count for count, _ in player.lamps.lit[before:]] == [5], "the ruling was the fifth entry, and then the lamp"


def test_lamps_do_not_wait_for_the_game_record(tmp_path):
    class Reader(NoPanel):
        def show(self, signal: Signal) -> None:
            self.read = b"".join(path.read_bytes() for path in tmp_path.glob("*.sgf"))

    panel = Reader()
    player = Player(tmp_path, panel=panel).look().put(B, "C3").press(1).look()
    assert player.now.game.turn == 1 and b"B[cc]" not in panel.read
    assert b"B[cc]" in player.journal.with_suffix(".sgf").read_bytes()


def test_the_match_goes_on_after_a_restart_at_any_moment(tmp_path):
    player = Player(tmp_path).look()
    player.put(B, "C3").press(1).restarted()
    assert player.now.waiting == (1,), "the press waits as before"
    player.look().restarted()
    assert player.now.game.turn == 1
    player.put(B, "D3").press(2).look().restarted()
    assert player.now.trouble is not None and player.now.game.turn == 1
    assert player.now.game.rulings == player.snapshots[-1].game.rulings
    assert replay_journal(player.journal).differs is None


def test_an_agreed_result_survives_a_restart_until_clearing(tmp_path):
    player = Player(tmp_path).look().put(B, "C3").press(1).look().press(2, Button.CALL, 2.5).press(2)
    assert player.now.phase is Phase.RESULT and player.now.game.result == "B+R"
    player.restarted().press(1).press(2).restarted().look()
    assert (player.now.phase, player.now.game.result) == (Phase.FINAL, "B+R")


def test_clearing_the_board_after_an_agreed_result_begins_the_next_match(tmp_path):
    player = Player(tmp_path).look().put(B, "C3").press(1).look().press(2, Button.CALL, 2.5).press(2)
    player.press(1).press(2).look()
    assert player.now.phase is Phase.FINAL, "the stones still stand"
    player.position = start_game("ultimate", size=(5, 5)).position
    player.look()
    assert (player.now.phase, player.now.game.turn, len(player.folder.list_journals())) == (Phase.PLAY, 0, 2)


def test_a_result_that_leaves_no_stone_is_shown_for_a_while(tmp_path):
    player = Player(tmp_path).look().press(1, Button.CALL, 2.5).press(1)
    player.press(1).press(2).look()
    assert (player.now.phase, player.now.game.result) == (Phase.FINAL, "W+R")
    player.t += RESULT_STANDS
    player.look()
    assert (player.now.phase, player.now.game.result) == (Phase.PLAY, None)


def final_of(tmp_path, *stones: str) -> Player:
    """A box that shows the agreed result of a game with these stones, and was started again."""
    player = Player(tmp_path, rules="new-zealand").look()
    for number, point in enumerate(stones):
        player.put((B, W)[number % 2], point).press(1 + number % 2).look()
    loser = 1 + len(stones) % 2
    player.press(loser, Button.CALL, 2.5).press(loser).press(1).press(2).restarted()
    assert (player.now.phase, player.now.game.turn) == (Phase.FINAL, len(stones) + 1)
    return player


PLAYED = ("A1", "A3", "C3", "C1", "E5", "E3", "A5", "E1")


@pytest.mark.parametrize(("played", "laid"), [(PLAYED, ["D4"]), (PLAYED, ["C3"]), (["C3"], ["D4"]), ([], ["C3"])])
def test_a_game_whose_bare_board_nobody_saw_begins_with_its_first_stone(tmp_path, played, laid):
    """The board was cleared and the next stone put while the box was off or busy: the old result may not stand."""
    player = final_of(tmp_path, *played)
    player.position = start_game("new-zealand", size=(5, 5)).position
    player.put(B, *laid).look().press(1).look()
    assert (player.now.phase, player.now.game.turn, len(player.folder.list_journals())) == (Phase.PLAY, 1, 2)


def test_a_game_that_is_talked_over_after_its_result_begins_no_other(tmp_path):
    player = final_of(tmp_path, *PLAYED).look()
    player.lift("E1").look().lift("A5").put(B, "B5").look().lift("B5", "E3", "E5").look()
    assert (player.now.phase, len(player.folder.list_journals())) == (Phase.FINAL, 1)


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
    assert "disk is full" in english(player.now.faults[0]) and player.now.game.turn == 1
    base.execute("DROP TRIGGER full")
    base.commit()
    player.put(W, "D3").press(2).look()
    assert player.now.faults == () and replay_journal(player.journal).table.record.number == 2


def test_what_a_full_disk_refused_is_written_as_soon_as_there_is_room(tmp_path):
    """Nobody touches the table any more: the result is shown, and nothing is heard."""
    player = Player(tmp_path).look()
    base = sqlite3.connect(player.journal)
    base.execute("CREATE TRIGGER full BEFORE INSERT ON entries BEGIN SELECT RAISE(ABORT, 'disk is full'); END")
    base.commit()
    player.press(1, Button.CALL, 2.5).press(1)
    assert player.now.game.result == "W+R" and "disk is full" in english(player.now.faults[0])
    base.execute("DROP TRIGGER full")
    base.commit()
    player.wait(2.0)
    assert player.now.faults == () and replay_journal(player.journal).table.record.result == "W+R"


def test_no_record_is_written_that_the_journal_does_not_cover(tmp_path):
    player = Player(tmp_path).look().put(B, "C3").press(1).look()
    base = sqlite3.connect(player.journal)
    base.execute("CREATE TRIGGER full BEFORE INSERT ON entries BEGIN SELECT RAISE(ABORT, 'disk is full'); END")
    base.commit()
    player.put(W, "D4").press(2).look()
    assert player.now.game.turn == 2
    base.execute("DROP TRIGGER full")
    base.commit()
    check_record(player.journal)
    player.wait(2.0)
    check_record(player.journal)
    assert b"W[db]" in player.journal.with_suffix(".sgf").read_bytes()


def test_a_record_that_the_disk_refused_is_written_as_soon_as_it_can_be(tmp_path):
    player = Player(tmp_path).look()
    record = player.journal.with_suffix(".sgf")
    record.unlink(missing_ok=True)
    record.mkdir()
    player.press(1, Button.CALL, 2.5).press(1)
    assert player.now.game.result == "W+R" and "it is a folder" in english(player.now.faults[0])
    record.rmdir()
    player.wait(2.0)
    assert player.now.faults == () and b"RE[W+R]" in record.read_bytes()


def test_no_match_begins_while_the_one_before_cannot_be_written(tmp_path):
    player = Player(tmp_path).look().put(B, "C3").press(1).look().press(2, Button.CALL, 2.5).press(2)
    base, before = sqlite3.connect(player.journal), player.journal
    base.execute("CREATE TRIGGER full BEFORE INSERT ON entries BEGIN SELECT RAISE(ABORT, 'disk is full'); END")
    base.commit()
    player.press(1).press(2).look()
    player.position = start_game("ultimate", size=(5, 5)).position
    player.look()
    assert (player.now.phase, player.folder.list_journals()) == (Phase.FINAL, [before])
    with raises(BadSetup, "make room"):
        player.box.set_up(player.terms, Remark(player.t, plain_message("A new match.")))
    base.execute("DROP TRIGGER full")
    base.commit()
    player.look()
    assert player.now.phase is Phase.PLAY and len(player.folder.list_journals()) == 2
    assert replay_journal(before).table.phase is Phase.FINAL and replay_journal(player.journal).entries > 0


def test_a_damaged_journal_is_set_aside(tmp_path):
    player = Player(tmp_path).look()
    player.box.close()
    base = sqlite3.connect(player.journal)
    base.execute("UPDATE entries SET t = 5 WHERE number = 1")
    base.commit()
    base.close()
    with raises(JournalError, "entry 1"):
        player.folder.find_newest_match()
    assert player.folder.list_journals() == [] and len(list(tmp_path.glob("*.damaged"))) == 1


def test_a_journal_that_holds_nothing_is_taken_away(tmp_path):
    player = Player(tmp_path).look()
    player.box.close()
    Journal(tmp_path / "99999_2026.journal").close()
    newest = player.folder.find_newest_match()
    assert newest is not None and newest[0] == player.journal


def test_another_board_than_the_matchs_is_told(tmp_path):
    player = Player(tmp_path).look()
    player.box.handle_observation(as_journaled(look(start_game(size=(9, 9)).position, 3.0)))
    assert "9 lines" in english(player.now.faults[0])
    assert player.look().now.faults == ()


def test_a_journal_of_another_mind_is_told(tmp_path):
    player = Player(tmp_path).look().put(B, "C3").press(1).look()
    entries = read_journal(player.journal)
    changed = Journal(tmp_path / "changed.journal")
    other = {**entries[-1].body, "message": {"key": "legal.begun"}}
    changed.write([*entries[:-1], type(entries[-1])(Kind.RULED, entries[-1].t, other)])
    assert "rules otherwise" in english(replay_journal(tmp_path / "changed.journal").differs)
    missing = Journal(tmp_path / "missing.journal")
    missing.write(entries[:-1])
    assert "says nothing" in english(replay_journal(tmp_path / "missing.journal").differs)


def test_what_the_camera_gives_is_shown(tmp_path):
    player = Player(tmp_path)
    player.box.sight(Sight.LOST, 1.0, plain_message("The camera is gone; check its cable."))
    assert (player.now.sight, [*map(english, player.now.faults)]) == (
        Sight.LOST,
        ["The camera is gone; check its cable."],
    )
    player.box.sight(Sight.SEEN, 2.0)
    assert (player.now.sight, player.now.faults) == (Sight.SEEN, ())


def begin_timed(folder: Path, control: str = "1m", **how: object) -> Player:
    """A Chinese game with clocks, Black's clock running."""
    player = Player(folder, rules="chinese", control=control, **how).look().press(2)
    assert player.clocks.running_player is B
    return player


def test_a_clock_runs_changes_over_and_is_journaled(tmp_path):
    player = begin_timed(tmp_path).wait(10).put(B, "C3").press(1).look()
    assert (player.clocks.running_player, player.now.game.turn) == (W, 1)
    assert 10_000 < player.clocks.faces[0].spent < 13_000
    kinds = {entry.kind for entry in read_journal(player.journal)}
    assert Kind.ANSWERED in kinds and replay_journal(player.journal).differs is None


def test_the_box_wakes_for_what_the_clock_does_by_itself(tmp_path):
    player = begin_timed(tmp_path, procedures=False)
    shown_count = len(player.snapshots)
    player.wait(70)
    assert player.now.game.result == "W+T" and player.clocks.faces[0].spent == 60_000
    assert len(player.snapshots) - shown_count >= 8, "the last seconds are counted"
    assert Kind.TIMED in {entry.kind for entry in read_journal(player.journal)}
    assert replay_journal(player.journal).table.record.result == "W+T"


def test_a_press_before_the_flag_fell_counts_though_it_is_late(tmp_path):
    player = begin_timed(tmp_path, procedures=False)
    began = player.clocks.t
    player.put(B, "C3")
    player.box.take_edge(Edge(1, Button.DONE, True, began + 59.8))
    player.box.tick(began + 60.05)
    assert player.now.game.result is None
    player.box.take_edge(Edge(1, Button.DONE, False, began + 59.99))
    player.box.tick(began + 60.2)
    assert player.now.game.result is None and player.clocks.running_player is W


def test_a_win_on_time_is_claimed_by_call(tmp_path):
    player = begin_timed(tmp_path).wait(70)
    assert player.now.notice is not None and "White may claim" in english(player.now.notice)
    player.press(2, Button.CALL)
    assert player.now.game.result == "W+T" and player.now.phase is Phase.RESULT


def test_a_pause_stops_the_clock_and_only_the_director_goes_on(tmp_path):
    player = begin_timed(tmp_path).press(0, Button.PAUSE)
    assert player.now.paused and player.now.called and player.clocks.running_player is None
    player.press(0, Button.PAUSE)
    assert player.now.paused and "Only the director" in english(player.now.notice)
    player.press(1)
    assert "paused" in english(player.now.notice)
    player.wait(100).press(0, Button.PAUSE, 2.5)
    assert not player.now.paused and player.clocks.running_player is B and player.clocks.faces[0].spent < 5_000


def test_without_the_procedures_anybody_goes_on_after_a_pause(tmp_path):
    player = begin_timed(tmp_path, procedures=False).press(0, Button.PAUSE)
    assert player.now.paused and not player.now.called
    player.press(0, Button.PAUSE)
    assert not player.now.paused and player.clocks.running_player is B
    player.press(0, Button.PAUSE, 2.5)
    assert player.now.paused
    player.press(0, Button.PAUSE, 2.5)
    assert player.now.called or not player.now.paused


def test_after_a_power_cut_the_clocks_stand_as_they_were_until_both_press(tmp_path):
    player = begin_timed(tmp_path).put(B, "C3").press(1).look()
    spent = player.clocks.faces[1].spent
    player.wait(20).restarted()
    clocks = player.clocks
    assert clocks.running_player is None and clocks.restored
    assert abs(clocks.faces[1].spent - spent - 20_000) <= 1000
    player.press(2)
    assert player.clocks.ready == (W,) and "waiting for Black" in english(player.now.notice)
    player.restarted().press(1)
    assert player.clocks.running_player is None, "it was cut off again: both press anew"
    player.press(2)
    assert player.clocks.running_player is W and replay_journal(player.journal).differs is None


def passed_out(folder: Path, rules: str = "chinese", **how: object) -> Player:
    player = Player(folder, rules=rules, **how).look()
    for colour, point in ((B, "C3"), (W, "D4"), (B, "C4"), (W, "D3")):
        player.put(colour, point).press(1 if colour is B else 2).look()
    for side in (1, 2, 1, 2) if rules == "ing" else (1, 2):
        player.press(side, Button.CALL).press(side).look()
    assert player.now.phase is Phase.RESULT and player.now.game.result is None
    return player


def test_dead_stones_are_lifted_proposed_and_agreed_to(tmp_path):
    player = passed_out(tmp_path, control="1m")
    assert player.clocks.halted
    player.position = player.position.without_stones(1 << player.board.point("D4") | 1 << player.board.point("D3"))
    player.press(1, Button.SCORE)
    assert player.now.waiting == (1,)
    player.look()
    assert player.now.game.counting.waits_for is W and "D4 and D3 as dead" in english(player.now.notice)
    player.restarted().look().press(2, Button.SCORE).look()
    assert player.now.game.result == "B+17.5" and "D4 and D3 are dead" in english(player.now.game.newest_ruling)
    player.press(1).press(2)
    assert player.now.phase is Phase.FINAL and player.now.agreed == (1, 2)
    assert replay_journal(player.journal).differs is None


def test_another_set_of_lifted_stones_amends_and_holding_score_disagrees(tmp_path):
    player = passed_out(tmp_path)
    player.press(1).look()
    assert player.now.game.counting.waits_for is W, "done proposes as well at the end of play"
    player.position = player.position.without_stones(1 << player.board.point("C4") | 1 << player.board.point("C3"))
    player.press(2, Button.SCORE).look()
    assert player.now.game.counting.waits_for is B and " as dead instead" in english(player.now.notice)
    player.press(1, Button.SCORE, 2.5)
    assert player.now.phase is Phase.PLAY and english(player.now.game.newest_ruling).startswith("Black does not agree")
    assert replay_journal(player.journal).differs is None


def test_only_lifted_stones_can_be_meant(tmp_path):
    player = passed_out(tmp_path).put(B, "A1").press(1, Button.SCORE).look()
    assert "restore A1" in english(player.now.notice) and player.now.game.counting.waits_for is None


def test_what_is_said_on_the_page_is_journaled_and_replayed(tmp_path):
    player = passed_out(tmp_path, control="5m")
    dead = DeadStoneClaim(1 << player.board.point("D4"))
    player.box.say(Propose(player.t + 1, B, DeadStoneClaim()))
    player.box.say(Amend(player.t + 2, W, dead))
    player.box.say(Disagree(player.t + 3, B))
    player.box.say(Step(player.t + 4, Act.PENALISE, player=B, ms=9000))
    player.box.say(AgreeVoid(player.t + 5))
    kinds = [entry.kind for entry in read_journal(player.journal)]
    assert kinds.count(Kind.SAID) == 4 and Kind.TIMED in kinds
    assert replay_journal(player.journal).differs is None
    sentence = "Only a game in which a long cycle has occurred, and which has not ended, can be void."
    assert english(player.now.notice) == sentence


@pytest.mark.parametrize("seed", seeds(4, 60))
def test_random_events_never_break_the_match(tmp_path, seed):
    """Every button in any rhythm, stones anywhere, restarts: the record stays one that the rules give."""
    rules = ("ultimate", "chinese", "ing")[seed % 3]
    control = (None, "3m+2x20s", "1m+5s", None)[seed % 4]
    player = Player(tmp_path, seed % 5 != 0, rules, control=control, procedures=seed % 2 == 0)
    run_chaos(player, random.Random(seed), 80)


@pytest.mark.slow
@pytest.mark.parametrize("seed", seeds(1, 40))
def test_a_history_extended_by_turns_equals_one_computed_at_once(tmp_path, seed):
    rules, control = ("ultimate", "chinese", "ing")[seed % 3], (None, "3m+2x20s", "1m+5s", "2m+3/1m")[seed % 4]
    player = Player(tmp_path, seed % 5 != 0, rules, control=control)
    looked = random.Random(seed)

    def compare(snapshot: TableSnapshot) -> None:
        past = snapshot.game.past
        if looked.random() < 0.7:
            assert past.thens == GameHistory(past._record, past._rulings, past._times).thens

    player.box._publish = compare
    run_chaos(player, random.Random(seed), 150)


def test_the_game_record_has_the_times_and_what_was_said(tmp_path):
    player = passed_out(tmp_path, control="1m+3x10s").press(1).look().press(2, Button.SCORE, 2.5)
    assert not player.now.game.ended
    for side in (1, 2):
        player.press(side, Button.CALL).press(side).look()
    player.press(2).look().press(1).look()
    record = player.journal.with_suffix(".sgf").read_bytes()
    assert all(part in record for part in (b"TM[60]", b"OT[3x10 byo-yomi]", b"BL[", b"RP[resumed]", b"RE[W+"))


@pytest.mark.slow
@pytest.mark.parametrize("seed", seeds(2, 40))
def test_whatever_is_said_is_answered_and_replayed(tmp_path, seed):
    """Words and steps of anybody, in any order, between presses and looks: each gets its sentence."""
    rng = random.Random(f"said {seed}")
    rules = ("ultimate", "chinese", "ing", "kee", "fundamental")[seed % 5]
    control = (None, "5m+2x5s", "40s+2s", "ing 2m 2x5s")[seed % 4]
    player = Player(tmp_path, seed % 3 != 0, rules, control=control, procedures=seed % 2 == 0).look()
    for _ in range(60):
        player.wait(rng.choice((0.01, 0.5, 4.0)))
        game = player.box.table.snapshot
        said_count = len(game.answers) + len(game.rulings)
        mover = player.box.table.snapshot.side_of(player.box.table.record.to_play) or 1
        match rng.randrange(7):
            case 0:
                player.press(rng.choice((1, 2)), rng.choice(tuple(Button)), rng.choice((PRESS, 2.5)))
            case 1:
                chaos.place(player, rng)
                player.press(mover).look()
            case 6:
                player.position = player.box.table.record.position
                player.press(mover, Button.CALL).press(mover).look()
            case 2:
                player.position = player.box.table.record.position
                player.look()
            case 3:
                player.box.say(random_word(rng, player.t, 25))
                now = player.box.table.snapshot
                assert len(now.answers) + len(now.rulings) > said_count
            case _:
                step = random_step(rng, player.t)
                player.box.say(step)
                now = player.box.table.snapshot
                is_answered = len(now.answers) + len(now.rulings) > said_count
                assert is_answered or step.act in (Act.DUE, Act.PRESS, Act.RESIGN), step
        if rng.random() < 0.03:
            player.restarted()
        game = player.box.table.snapshot
        assert game.ended or game.result is None
        assert all(re.fullmatch(r"[A-Z][^\n]*[.)]", english(answer)) for answer in game.answers[-3:])
    replayed = replay_journal(player.journal)
    assert replayed.differs is None
    now, again = player.box.table.snapshot, replayed.table.snapshot
    assert replace(again, clocks=None) == replace(now, clocks=None)


def test_ings_fill_in_is_watched_and_compared_with_the_count(tmp_path):
    player = passed_out(tmp_path, rules="ing")
    player.press(1, Button.SCORE).look().press(2, Button.SCORE).look()
    count = player.now.game.counting.count
    assert count is not None and count.laid_out is not None and player.now.phase is Phase.RESULT
    begun, ends = player.position, count.laid_out
    white = ends.stones_of(W) & ~begun.stones_of(W)
    player.position = begun.with_stones(W, white)
    player.look()
    assert english(player.now.notice).startswith("Points still to be filled: ")
    player.position = ends
    player.look()
    assert english(player.now.notice) == f"The board is filled in as counted: {count.result}."
    assert all(ruling.reason is None for ruling in player.now.game.rulings), "filling in is no turn after the end"
    player.press(1).press(2)
    assert player.now.phase is Phase.FINAL and replay_journal(player.journal).differs is None


@pytest.mark.parametrize("control", [None, "10m"])
def test_instead_of_counting_a_player_may_resign(tmp_path, control):
    player = passed_out(tmp_path, control=control)
    player.press(1, Button.CALL, 2.6)
    assert player.now.resigning == (1,)
    player.press(1)
    assert (player.now.game.result, player.now.phase) == ("W+R", Phase.RESULT)
    player.press(1).press(2)
    assert player.now.phase is Phase.FINAL and replay_journal(player.journal).differs is None
