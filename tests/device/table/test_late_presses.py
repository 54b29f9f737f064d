"""Presses that come over a network, later than they were made."""

from __future__ import annotations

from device.journal.replay import replay_journal
from device.journal.store import Kind, read_journal
from referee.game.actor import Actor
from referee.game.messages import message
from referee.table.events import Button, Pressed, Remark
from tests.support.device.player import Player
from tests.support.table import B, W


def send(player: Player, side: int, touched_at: float, button: Button = Button.DONE, after: float = 0.8):
    """A press that counts from this time, and comes so long after now."""
    player.t += after
    return player.box.press(Pressed(touched_at, side, button), player.t, touched_at)


def left(player: Player, colour) -> int:
    return next(face.stretch for face in player.clocks.faces if face.player is colour)


def playing(tmp_path) -> Player:
    """A game after Black's first turn."""
    player = Player(tmp_path, control="10m").look()
    return player.put(B, "C3").press(1).look()


def test_a_late_press_is_charged_as_a_wire_would(tmp_path):
    by_wire, by_phone = playing(tmp_path / "wire"), playing(tmp_path / "phone")
    for player in (by_wire, by_phone):
        player.t += 5.0
        player.put(W, "D4")
    touched_at = by_phone.t
    by_phone.wait(0.4).look()
    assert send(by_phone, 2, touched_at) is None
    by_phone.look().wait(1.0)
    by_wire.box.press(Pressed(touched_at, 2, Button.DONE), touched_at)
    by_wire.wait(0.4).look().wait(1.8)
    assert by_phone.now.game.turn == by_wire.now.game.turn == 2
    assert left(by_phone, W) == left(by_wire, W) < 600_000


def test_a_late_press_does_not_count_from_before_the_last_act(tmp_path):
    player = playing(tmp_path)
    acted = max(entry.t for entry in read_journal(player.journal) if entry.kind is Kind.PRESSED)
    player.t += 2.0
    send(player, 2, acted - 5.0, Button.CALL)
    presses = [entry.t for entry in read_journal(player.journal) if entry.kind is Kind.PRESSED]
    assert acted < presses[-1] < acted + 0.002


def test_late_presses_that_count_from_one_act_keep_their_order(tmp_path):
    """CALL and DONE come after a DONE that closed nothing, and were made before it: one pass at the most."""
    late, in_time = (Player(tmp_path / name, rules="chinese").look().press(1) for name in ("late", "in time"))
    closed = late.t
    send(late, 1, closed - 1.0, Button.CALL)
    send(late, 1, closed - 0.5)
    in_time.press(1, Button.CALL).press(1)
    for player in (late, in_time):
        player.put(W, "D4").look()
    rulings, expected = ([ruling.message for ruling in player.now.game.rulings] for player in (late, in_time))
    assert rulings == expected
    assert late.now.game.turn == in_time.now.game.turn == 0


def test_done_that_the_other_sides_done_has_closed_does_not_count_again(tmp_path):
    player = playing(tmp_path)
    player.t += 2.0
    touched_at = player.t
    player.put(W, "D4")
    player.wait(0.5).put(B, "B2").press(1).look()  # White's press is still on its way.
    refusal = send(player, 2, touched_at)
    assert refusal is not None and refusal.key == "phone.too-late"
    player.look()
    assert player.now.game.turn == 3 and player.now.game.to_play is W


def test_done_that_counts_from_its_arrival_is_late_by_its_touch(tmp_path):
    player = playing(tmp_path)
    player.t += 2.0
    touched = player.t
    player.put(W, "D4")
    player.wait(5.0).put(B, "B2").press(1).look()  # White's press is still on its way.
    player.t += 3.0
    refusal = player.box.press(Pressed(player.t, 2, Button.DONE), player.t, touched)
    assert refusal is not None and refusal.key == "phone.too-late"


def test_what_the_box_tells_holds_no_late_press_up(tmp_path):
    player = playing(tmp_path)
    player.t += 5.0
    touched_at = player.t
    player.put(W, "D4")
    player.box.say(Remark(touched_at + 0.5, message("phone.many-over", presses=3), Actor.BOX))
    send(player, 2, touched_at)
    assert [entry.t for entry in read_journal(player.journal) if entry.kind is Kind.PRESSED][-1] == touched_at


def test_no_press_counts_from_before_its_match(tmp_path):
    player = playing(tmp_path)
    began = player.t + 1.0
    player.t = began
    player.box.set_up(player.terms, Remark(began, message("phone.many-over", presses=3), Actor.BOX))
    player.look()
    send(player, 1, began - 1.5, after=0.2)
    presses = [entry.t for entry in read_journal(player.journal) if entry.kind is Kind.PRESSED]
    assert all(t >= began for t in presses)


def test_a_late_done_before_the_look_counts_for_its_turn(tmp_path):
    player = playing(tmp_path)
    player.t += 2.0
    touched_at = player.t
    player.put(W, "D4").wait(0.5).put(B, "B2").press(1)
    assert send(player, 2, touched_at) is None
    player.look()
    assert player.now.game.turn == 3 and player.now.game.to_play is W and player.clocks.running_player is W
    assert player.now.trouble is None and player.now.waiting == ()


def test_a_second_late_done_for_a_turn_that_is_ruled_on_does_not_count(tmp_path):
    player = playing(tmp_path)
    player.t += 2.0
    touched_at = player.t + 0.1
    player.put(W, "D4").press(2).put(B, "B2").press(1).look()
    refusal = send(player, 2, touched_at)
    assert refusal is not None and refusal.key == "phone.too-late" and player.now.waiting == ()


def test_a_late_press_before_the_flag_saves_the_game(tmp_path):
    player = Player(tmp_path, control="10s", procedures=True).look()
    player.put(B, "C3").press(1).look()
    touched_at = player.t + 5.0
    player.put(W, "D4").wait(5.5)
    send(player, 2, touched_at, after=9.0)
    player.look()
    assert player.now.game.result is None and player.now.game.turn == 2


def test_late_presses_replay_to_the_same_game(tmp_path):
    player = playing(tmp_path)
    player.t += 2.0
    touched_at = player.t
    player.put(W, "D4").wait(0.6).look()
    send(player, 2, touched_at)
    player.look().wait(2.0)
    again = replay_journal(player.journal)
    assert again.differs is None and again.table.snapshot.turn == player.now.game.turn == 2
    assert again.table.snapshot.clocks.faces[1].spent == player.clocks.faces[1].spent > 0
