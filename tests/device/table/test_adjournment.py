"""A game that is adjourned on paper and taken up at another box: what is checked before it goes on, what is kept."""

from __future__ import annotations

import shutil
from dataclasses import replace
from pathlib import Path

import cv2
import numpy as np
import pytest

from device.journal.entries import Terms, taken_up
from device.journal.keyframes import encode_jpeg
from device.journal.replay import replay_journal
from device.journal.store import Kind, read_journal
from device.match.adjournment_code import decode_game
from device.table.adjournment import current_code, find_photograph, read_adjourned, resumed_message
from device.table.controller import TableController
from referee.game.actor import Actor
from referee.game.board import empty_position
from referee.game.errors import BadRecord
from referee.game.messages import message
from referee.game.observation import LidSight
from referee.game.prisoners import empty_bowls
from referee.rules.sets import rule_set
from referee.rules.setup import Setup
from referee.table.display_state import Phase, State
from referee.table.events import Button, Pause, Remark, Resume
from referee.time.steps import Act, Step
from tests.support import ROOT
from tests.support.device.player import Player
from tests.support.panel.tables import state_of
from tests.support.table import B, W
from tests.support.wording import english

MOVES = ("B C3", "W C4", "B D4", "W B3", "B D2", "W D3")
CONTROL = "10m+3x30s"


def player_with_clock(folder: Path, rules: str) -> Player:
    player = Player(folder, rules=rules, control=CONTROL)
    player.look().press(2)
    return player


def play(player: Player, *texts: str) -> Player:
    """Turns at the table, each with its press and the look that judges it."""
    for text in texts:
        colour, point = text.split()
        side = player.now.game.side_of(B if colour == "B" else W)
        player.put(B if colour == "B" else W, point).press(side, before=7.0).look()
        assert player.now.trouble is None, english(player.now.trouble)
    return player


def adjourn(player: Player) -> str:
    """The director adjourns; what the code on paper holds."""
    remark = Remark(player.t, message("director.adjourn"), Actor.DIRECTOR)
    player.box.carry_out([Pause(player.t, adjourned=True)], remark)
    return current_code(player.box)[0]


def another_table(folder: Path, text: str, rules: str = "chinese") -> Player:
    """Another box before a bare table, whose own terms are others, where the director takes the game up."""
    player = Player(folder, rules=rules, control="1h")
    player.position, player.lids = empty_position(player.board), empty_bowls()
    player.look()
    adjourned = decode_game(text)
    terms = taken_up(Terms(adjourned.setup, replace(player.box.table.config, black_side=None)), adjourned)
    player.box.set_up(terms, Remark(player.t, resumed_message(adjourned), Actor.DIRECTOR))
    return player.look()


def laid_out(player: Player, first: Player) -> Player:
    """Everything as it lay at the first table."""
    player.position, player.lids = first.position, first.lids
    return player


@pytest.fixture
def adjourned(tmp_path):
    first = play(player_with_clock(tmp_path / "first", "japanese"), *MOVES)
    return first, adjourn(first)


def test_an_adjourned_game_stands_still(adjourned):
    first, _ = adjourned
    left = first.clocks.faces
    assert first.now.pause is not None and first.now.pause.adjourned and state_of(first.now)[0] is State.PAUSED
    first.wait(3600).press(1)
    assert first.clocks.running_player is None
    assert [face.main for face in first.clocks.faces] == [one.main for one in left]


def test_the_game_goes_on_at_another_table_as_it_was_left(adjourned, tmp_path):
    first, text = adjourned
    second = another_table(tmp_path / "second", text)
    assert second.now.phase is Phase.START and state_of(second.now)[0] is State.CHECKING
    assert [face.main for face in second.clocks.faces] == [face.main for face in first.clocks.faces]
    laid_out(second, first).look()
    assert second.now.phase is Phase.PLAY and second.now.trouble is None
    assert state_of(second.now)[0] is State.RESTORED and second.clocks.running_player is None
    second.press(1).press(2)
    assert second.clocks.running_player is B
    play(second, "B A1")
    assert [str(turn) for turn in second.box.table.record.turns[:6]] == [
        str(turn) for turn in first.box.table.record.turns
    ]
    assert second.box.table.record.number == 7


@pytest.mark.parametrize(
    ("names", "said"),
    [
        (("Ann", "Kim"), "The adjourned game of Ann (Black) and Kim (White) is taken up after turn 6."),
        (("", ""), "The adjourned game is taken up after turn 6."),
    ],
)
def test_a_resumed_game_is_announced_by_names_and_not_by_colours(tmp_path, names, said):
    first = play(player_with_clock(tmp_path / "first", "japanese"), *MOVES)
    first.box.table.names = names
    assert english(resumed_message(decode_game(adjourn(first)))) == said


def test_every_mistake_is_named_and_no_clock_starts_before_it_is_mended(adjourned, tmp_path):
    first, text = adjourned
    second = laid_out(another_table(tmp_path / "second", text), first)
    second.lift("C3").put(B, "A1").lift("C4").put(B, "C4").look()
    named = {second.board.name(point) for point in second.now.trouble.points}
    assert named == {"A1", "C3", "C4"}
    sentence = english(second.now.trouble)
    assert sentence == (
        "Before the game goes on, please put White's stones on C4 in place of the others, remove the stones at A1 and"
        " put Black's stones on C3."
    )
    for press in (lambda: second.press(1), lambda: second.press(2), lambda: second.press(1, Button.CALL)):
        press()
        assert second.clocks.running_player is None and not second.clocks.ready
        assert second.now.notice == message("notice.not-ready") + second.now.trouble.message
    second.box.say(Step(second.t, Act.READY, B))
    assert not second.clocks.ready
    laid_out(second, first).look().press(1).press(2)
    assert second.clocks.running_player is B


def test_a_stone_on_the_board_is_no_first_move_of_a_resumed_game(adjourned, tmp_path):
    first, text = adjourned
    second = laid_out(another_table(tmp_path / "second", text), first).put(B, "A1").look()
    assert [second.board.name(point) for point in second.now.trouble.points] == ["A1"]


def test_prisoners_are_counted_where_they_count(tmp_path):
    first = play(player_with_clock(tmp_path / "first", "ultimate"), "B C3", "W C2", "B D2", "W A1", "B B2", "W A5")
    first.put(B, "C1").lift("C2").lid(B, W, 1).press(1).look()
    assert first.now.trouble is None and first.box.table.record.bowls.count_prisoners(B, W) == 2
    second = laid_out(another_table(tmp_path / "second", adjourn(first)), first)
    second.lids = second.lids.change_count(B, W, -1)
    second.look()
    assert english(second.now.trouble) == "Before the game goes on, please put one white stone into Black's lid."
    second.lids = second.lids.change_count(B, W, 1)
    second.look().press(1).press(2)
    assert second.clocks.running_player is W


def test_a_repetition_of_a_position_from_before_the_break_is_refused(tmp_path):
    first = Player(tmp_path / "first", rules="chinese", control=CONTROL)
    first.look().press(2)
    play(first, "B B3", "W C3", "B A2", "W D2", "B B1", "W C1", "B E5", "W B2")
    first.put(B, "C2").lift("B2").press(1).look()
    assert first.now.trouble is None and first.now.game.turn == 9
    second = laid_out(another_table(tmp_path / "second", adjourn(first)), first).look().press(1).press(2)
    second.put(W, "B2").lift("C2").press(2).look()
    assert second.now.trouble is not None and second.now.trouble.reason is not None
    assert second.now.trouble.reason.value in ("ko", "superko") and second.now.trouble.repeats == 8


def test_the_director_may_let_it_go_on_as_it_lies_there(adjourned, tmp_path):
    first, text = adjourned
    second = laid_out(another_table(tmp_path / "second", text), first).lift("C3").look()
    second.box.carry_out([Resume(second.t)], Remark(second.t, message("director.resume"), Actor.DIRECTOR))
    assert second.clocks.running_player is B and second.now.phase is Phase.PLAY


def test_a_replay_takes_it_up_the_same(adjourned, tmp_path):
    first, text = adjourned
    second = laid_out(another_table(tmp_path / "second", text), first)
    second.lift("C3").look()
    laid_out(second, first).look().press(1).press(2)
    play(second, "B A1")
    replayed = replay_journal(second.journal)
    assert replayed.differs is None and replayed.terms.adjourned == decode_game(text)
    assert replayed.table.snapshot == second.box.table.snapshot


def test_the_match_after_it_is_on_the_boxs_own_terms(adjourned, tmp_path):
    _, text = adjourned
    second = another_table(tmp_path / "second", text)
    second.box.say(Step(second.t, Act.RESIGN, B, author=Actor.DIRECTOR))
    for player in (B, W):
        second.box.say(Step(second.t + 1, Act.VERIFY, player))
    assert second.now.phase is Phase.FINAL
    second.t += 100
    second.position = empty_position(second.board)
    second.look()
    assert (second.now.game.rules, second.now.game.turn) == ("chinese", 0)
    assert second.box.table.config.taken_up is None


def test_a_journal_can_be_taken_up_as_well(adjourned):
    first, text = adjourned
    assert read_adjourned(str(first.journal)).sgf == decode_game(text).sgf
    assert read_adjourned(str(first.journal)).lefts == decode_game(text).lefts


def test_a_photograph_is_a_picture_of_its_own_in_the_games_folder(tmp_path):
    journal = ROOT / "tests/data/journals/demo.journal"
    placed = next(number for number, entry in enumerate(read_journal(journal), 1) if entry.kind is Kind.PLACED)
    shutil.copy(journal, tmp_path)
    (tmp_path / "demo.frames").mkdir()
    picture = tmp_path / "demo.frames" / f"{placed:06}.legal.jpg"
    picture.write_bytes(encode_jpeg(np.full((720, 1280, 3), 99, np.uint8)))
    photo = find_photograph(tmp_path, "demo")
    assert photo is not None and photo.startswith(b"\xff\xd8")
    picture.rename(tmp_path / "elsewhere.jpg")
    picture.symlink_to(tmp_path / "elsewhere.jpg")
    assert find_photograph(tmp_path, "demo") is None


def test_a_picture_in_which_no_code_can_be_read_is_told(tmp_path):
    cv2.imwrite(str(tmp_path / "page.png"), np.full((200, 300, 3), 230, np.uint8))
    with pytest.raises(BadRecord) as refused:
        read_adjourned(str(tmp_path / "page.png"))
    sentence = english(refused.value.args[0])
    assert (
        "page.png" in sentence
        and "no code can be read in this picture" in sentence
        and "Scan the page again" in sentence
    )


def test_clocks_in_overtime_are_kept_to_the_millisecond(tmp_path):
    first = player_with_clock(tmp_path / "first", "chinese")
    first.wait(641.25)
    play(first, "B C3")
    first.wait(12.5)
    text = adjourn(first)
    second = another_table(tmp_path / "second", text)
    for now, then in zip(second.clocks.faces, first.clocks.faces, strict=True):
        assert replace(now, running=False) == replace(then, running=False)


def test_a_game_without_clocks_waits_for_its_stones_alone(tmp_path):
    first = Player(tmp_path / "first", rules="chinese")
    first.look()
    play(first, "B C3", "W D3")
    second = another_table(tmp_path / "second", adjourn(first))
    assert second.now.game.clocks is None
    second.press(1)
    assert second.now.notice is not None and second.now.notice.key == "notice.not-ready"
    laid_out(second, first).look()
    assert second.now.phase is Phase.PLAY
    play(second, "B A1")
    assert second.box.table.record.number == 3


def test_setup_of_a_given_start_comes_back(tmp_path):
    rules = rule_set("japanese", {"handicap": "traditional"})
    player = Player(tmp_path / "first", rules="japanese")
    setup = Setup(rules, size=(9, 9), handicap=2)
    player.terms = Terms(setup, player.terms.config)
    player.box = TableController(player.terms, player.folder, player.panel, player.snapshots.append)
    player.board, player.position = setup.record().position.board, setup.record().position
    player.look()
    play(player, "W E5")
    again = decode_game(adjourn(player))
    assert again.record.situation == player.box.table.record.situation
    assert again.setup.handicap == 2 and again.record.rules.handicap.name == "traditional"


def test_players_who_sit_the_other_way_round_are_known_by_their_lids(tmp_path):
    first = play(player_with_clock(tmp_path / "first", "japanese"), "B C3", "W C2", "B D2", "W A1", "B B2", "W A5")
    first.put(B, "C1").lift("C2").lid(B, W, 1).press(1).look()
    second = laid_out(another_table(tmp_path / "second", adjourn(first)), first)
    unsure, empty = LidSight(0, 1, (0, 2), (0, 3), False), LidSight(0, 0, (0, 0), (0, 0), True)
    second.seen_lids = (empty, unsure)
    second.look()
    assert second.now.phase is Phase.PLAY and second.now.game.black_side == 2
