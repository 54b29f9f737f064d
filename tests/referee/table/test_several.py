"""A refereed table of more than two players: presses, turns, captures, resigning, the end and its count."""

from __future__ import annotations

import random
from typing import Self

import pytest

from referee.codec import observation_from_json, observation_to_json
from referee.game.actor import Actor
from referee.game.board import COLOURS, Colour, Position, empty_position
from referee.game.diagram import rows_of
from referee.game.likelihoods import BoardLikelihoods
from referee.game.observation import Observation
from referee.game.ruling import Reason, Status
from referee.game.turns import Pass, Placement, Resign
from referee.rules.legality import judge, legal_placements
from referee.rules.sets import rule_set
from referee.rules.setup import Setup
from referee.table.events import Button, Pressed, Restarted, TakeBack
from referee.table.table import Table, TableConfig
from referee.time.controls import read_control
from referee.time.steps import Act, Step
from tests.support.wording import english

B, W, R, G = COLOURS[:4]


def sights(position: Position, sure: float = 0.99) -> tuple[tuple[float, ...], ...]:
    players = len(position.stones)
    colours = [position.colour_at(point) for point in range(position.board.points)]
    numbers = [0 if colour is None else 1 + COLOURS.index(colour) for colour in colours]
    rest = (1 - sure) / players
    return tuple(tuple(sure if n == number else rest for n in range(1 + players)) for number in numbers)


class Round:
    """A table of several players, Black at side 1."""

    def __init__(self, players: int = 3, size: int = 5, control: str | None = None) -> None:
        record = Setup(rule_set("kee"), size=(size, size), players="".join(COLOURS[:players])).record()
        time_control = read_control(control) if control is not None else None
        self.referee = Table(record, TableConfig(refereed=True, black_side=1, control=time_control))
        self.position, self.t = record.position, 0.0
        self.look()

    def put(self, colour: Colour, *names: str) -> Self:
        for name in names:
            self.position = self.position.with_stones(colour, 1 << self.position.board.point(name))
        return self

    def lift(self, *names: str) -> Self:
        for name in names:
            self.position = self.position.without_stones(1 << self.position.board.point(name))
        return self

    def press(self, colour: Colour, button: Button = Button.DONE, is_held: bool = False) -> Self:
        self.t += 1
        self.referee.receive(Pressed(self.t, COLOURS.index(colour) + 1, button, is_held))
        return self

    def act(self, act: Act) -> Self:
        self.t += 1
        self.referee.receive(Step(self.t, act, author=Actor.DIRECTOR))
        return self

    def look(self) -> Self:
        self.t += 1
        self.said = self.referee.receive(Observation(self.t, sights(self.position))).rulings
        return self

    def play(self, colour: Colour, name: str) -> Self:
        return self.put(colour, name).press(colour).look()

    @property
    def last(self) -> tuple[Status, Colour | None, str]:
        ruling = self.referee.snapshot.rulings[-1]
        return ruling.status, ruling.player, english(ruling)


def test_turns_go_round_and_each_is_judged_by_its_players_done():
    table = Round(4).play(B, "C3").play(W, "D3").play(R, "E3").play(G, "A1").play(B, "A5")
    assert [turn.player for turn in table.referee.record.turns] == [B, W, R, G, B]
    assert table.referee.record.to_play is W
    assert rows_of(table.referee.record.position)[2] == "..BWR"


def test_a_stone_of_a_player_whose_turn_it_is_not_is_no_turn():
    table = Round().play(B, "C3").put(R, "D3").press(W).look()
    status, _, sentence = table.last
    assert status is Status.UNEXPLAINED and "red" in sentence and "White's turn" in sentence
    assert table.referee.record.number == 1


def test_a_stone_in_place_of_anothers_is_named():
    table = Round().play(B, "C3").lift("C3").put(R, "C3").press(W).look()
    assert table.last[0] is Status.UNEXPLAINED and table.referee.record.number == 1


@pytest.mark.parametrize("forgot", [(W,), (W, R)])
def test_whoever_forgot_to_press_is_named_and_their_turns_stand(forgot):
    table = Round(4).play(B, "C3")
    for player, name in zip((W, R), ("D3", "E3"), strict=True):
        table.put(player, name)
        if player not in forgot:
            table.press(player).look()
    table.put(G, "A1").press(G).look()
    assert table.referee.record.number == 4
    sentences = " ".join(map(english, table.referee.snapshot.rulings))
    assert all(f"{name} " in sentences for name in (["White"] if forgot == (W,) else ["White", "Red"]))


def test_a_press_out_of_turn_with_nothing_new_on_the_board_is_refused():
    table = Round().play(B, "C3").press(R).look()
    ruling = table.referee.snapshot.rulings[-1]
    assert (ruling.status, ruling.reason, ruling.player) == (Status.ILLEGAL, Reason.NOT_YOUR_TURN, R)


def test_captured_chains_of_two_colours_all_have_to_be_lifted():
    table = Round(3, 4)
    for player, name in zip((B, W, R) * 3, ("A2", "A1", "C1", "C2", "B4", "D3", "D1", "A4", "D4"), strict=True):
        table.play(player, name)
    table.play(B, "B1")
    assert table.last[0] is Status.UNFINISHED and table.referee.snapshot.rulings[-1].points == (12, 14)
    table.lift("A1").press(B).look()
    assert table.last[0] is Status.UNFINISHED and table.referee.snapshot.rulings[-1].points == (14,)
    table.lift("C1").press(B).look()
    assert table.last[0] is Status.LEGAL and rows_of(table.referee.record.position)[3] == ".B.B"


def test_a_board_that_stood_before_is_refused_to_several_players_too():
    table = Round(3, 5)
    for player, name in zip((B, W, R, B, W, R), ("B3", "C3", "A1", "C4", "D4", "A5"), strict=True):
        table.play(player, name)
    for player, name in zip((B, W, R) * 2, ("C2", "D2", "E1", "B5", "E3", "B1"), strict=True):
        table.play(player, name)
    table.put(B, "D3").lift("C3").press(B).look()
    assert table.last[:2] == (Status.LEGAL, B), "takes the ko"
    table.put(W, "C3").lift("D3").press(W).look()
    ruling = table.referee.snapshot.rulings[-1]
    assert (ruling.status, ruling.reason) == (Status.ILLEGAL, Reason.SUPERKO)


def test_who_has_resigned_is_passed_over_and_presses_in_vain():
    table = Round().play(B, "C3").press(W, Button.CALL, is_held=True).press(W)
    assert table.referee.record.remaining_players == (B, R) and table.referee.record.to_play is R
    table.play(R, "D3").press(W).look()
    assert [answer.message.key for answer in table.referee.answers] == ["press.left"]
    table.play(B, "A1")
    assert [turn.player for turn in table.referee.record.turns] == [B, W, R, B]


def test_one_pass_more_than_players_ends_the_game_and_counts_it():
    table = Round(control="10m").press(B).look().play(B, "C3").play(W, "A1")
    for player in (R, B, W, R):
        table.press(player, Button.CALL).press(player).look()
    assert table.referee.record.ended and table.referee.record.result == "B:1 W:1 R:0"
    assert english(table.referee.snapshot.rulings[-1]).endswith("Black and White tie for first place.")
    assert table.referee.snapshot.counting.count is not None
    for player in (B, W, R):
        assert player not in table.referee.snapshot.verified
        table.press(player)
    assert set(table.referee.snapshot.verified) == {B, W, R}


def test_who_has_resigned_does_not_win_the_count_at_the_table():
    table = Round(control="10m").play(B, "C3").play(W, "A1").play(R, "E5").play(B, "C4").play(W, "A2").play(R, "E4")
    table.press(B, Button.CALL).press(B).look().press(W, Button.CALL).press(W).look().play(R, "E3")
    table.press(B, Button.CALL).press(B).look().press(W, Button.CALL).press(W).look()
    table.press(R, Button.CALL, is_held=True).press(R)
    for player in (B, W, B):
        table.press(player, Button.CALL).press(player).look()
    assert table.referee.record.result == "B:2 W:2 R:3"
    assert english(table.referee.snapshot.rulings[-1]).endswith("Black and White tie for first place.")


@pytest.mark.parametrize("players", [3, 4, 6])
def test_random_games_are_followed_turn_by_turn(players):
    rng, table = random.Random(players), Round(players, 5)
    for _ in range(40):
        record = table.referee.record
        points = [p for p in range(25) if legal_placements(record) >> p & 1]
        if not points:
            break
        after = judge(record, Placement(record.to_play, rng.choice(points))).after
        table.position = after.position
        table.press(record.to_play).look()
        assert table.referee.record.position == after.position
        assert table.referee.record.number == record.number + 1
    assert {ruling.status for ruling in table.referee.snapshot.rulings} == {Status.LEGAL}


def test_who_sits_where_is_said_by_the_first_press():
    record = Setup(rule_set("kee"), size=(5, 5), players="BWR").record()
    referee = Table(record, TableConfig(refereed=True))
    position = empty_position(record.position.board, 3)
    referee.receive(Observation(0.0, sights(position)))
    position = position.with_stones(B, 1)
    referee.receive(Pressed(1.0, 3, Button.DONE))
    referee.receive(Observation(2.0, sights(position)))
    game = referee.snapshot
    assert game.turn == 1 and [game.at_side(side) for side in (1, 2, 3)] == [W, R, B]
    assert [game.side_of(player) for player in (B, W, R)] == [3, 1, 2]


def test_a_look_of_other_contents_than_the_game_has_says_nothing():
    board = empty_position(Setup(rule_set("kee"), size=(5, 5)).record().position.board, 3).board
    look = BoardLikelihoods.from_sights(board, sights(empty_position(board, 2)), players=3)
    assert look.is_too_doubtful


@pytest.mark.parametrize("players", [2, 3, 6])
def test_a_look_is_kept_and_read_back(players):
    position = empty_position(Setup(rule_set("kee"), size=(5, 5)).record().position.board, players)
    position = position.with_stones(COLOURS[players - 1], 1 << 7)
    observation = Observation(1.0, sights(position, 0.97))
    body = observation_to_json(observation)
    assert ("players" in body) == (players > 2), "looks of two players are kept as they always were"
    again = observation_from_json(body, 1.0)
    pairs = zip(again.points, observation.points, strict=True)
    assert all(abs(a - b) < 1e-4 for point, true in pairs for a, b in zip(point, true, strict=True))
    assert observation_to_json(again) == body


@pytest.mark.parametrize("control", [None, "10m"])
def test_the_win_over_players_who_have_all_resigned_is_verified(control):
    table = Round(control=control)
    if control:
        table.press(R)
    for loser in (B, W):
        table.press(loser, Button.CALL, is_held=True).press(loser)
    assert table.referee.record.result == "R+R" and not table.referee.is_clock_running
    for player in (B, W, R):
        table.press(player)
    assert set(table.referee.snapshot.verified) == {B, W, R}


def test_after_one_loss_on_time_a_call_is_a_pass_again():
    table = Round(control="10s")
    table.press(R)
    table.t += 11
    table.referee.receive(Step(table.t, Act.DUE))
    table.press(W, Button.CALL)
    assert table.referee.record.turn == Resign(B) and table.referee.record.to_play is W
    table.press(W, Button.CALL)
    assert table.referee.players_passing == (W,)
    table.press(W).look()
    assert table.referee.record.turn == Pass(W)


def test_after_a_power_cut_nobody_waits_for_a_player_who_has_resigned():
    table = Round(control="10m")
    table.press(R).press(B, Button.CALL, is_held=True).press(B)
    assert table.referee.record.turn == Resign(B)
    table.referee.receive(Restarted(table.t))
    clocks = table.referee.snapshot.clocks
    assert clocks is not None and clocks.restored and clocks.ready == (B,)
    table.press(W).press(R)
    clocks = table.referee.snapshot.clocks
    assert clocks is not None and not clocks.restored and clocks.running_player is W


def test_the_clock_passes_over_who_has_resigned_before_anybody_looks():
    table = Round(control="10m").press(W).play(B, "C3")
    table.press(W, Button.CALL, is_held=True).press(W)
    table.put(R, "D3").press(R).put(B, "A1").press(B)
    assert table.referee.snapshot.clocks.running_player is R
    table.look()
    assert [turn.player for turn in table.referee.record.turns] == [B, W, R, B]
    assert table.referee.snapshot.clocks.running_player is R


def test_after_a_resignation_in_a_pause_the_next_players_clock_runs():
    table = Round(control="10m").press(W).put(B, "C3").press(B)
    table.press(W, Button.CALL, is_held=True)
    table.act(Act.PAUSE).press(W).act(Act.RESUME)
    assert table.referee.snapshot.clocks.running_player is R
    spent = table.referee.snapshot.clocks.faces[1].spent
    table.look()
    assert table.referee.record.turns[-1] == Resign(W)
    assert table.referee.snapshot.clocks.running_player is R
    assert table.referee.snapshot.clocks.faces[1].spent == spent


def test_a_resignation_in_a_pause_counts_after_a_forgotten_press():
    table = Round(control="10m").press(W).put(B, "C3").look().press(W, Button.CALL, is_held=True)
    table.act(Act.PAUSE).press(W).act(Act.RESUME)
    assert table.referee.snapshot.clocks.running_player is R
    table.look()
    assert [turn.player for turn in table.referee.record.turns] == [B, W]
    assert table.referee.snapshot.clocks.running_player is R


def test_a_press_after_two_resignations_counts():
    table = Round(4, control="10m").press(W).play(B, "C3")
    for player in (W, R):
        table.press(player, Button.CALL, is_held=True).press(player)
    table.put(G, "E5").press(G).look().put(B, "D3").press(B).put(G, "E1").press(G).look()
    assert [turn.player for turn in table.referee.record.turns] == [B, W, R, G, B, G]


def test_a_resignation_is_taken_back():
    table = Round().press(B, Button.CALL, is_held=True).press(B)
    assert table.referee.record.remaining_players == (W, R)
    table.referee.receive(TakeBack(table.t + 1, author=Actor.DIRECTOR))
    assert table.referee.record.remaining_players == (B, W, R) and table.referee.record.number == 0
    assert "run out of time" not in table.last[2]


def test_the_last_resignation_ends_a_matter_of_the_clock():
    table = Round(control="10m").press(W)
    table.t += 1
    table.referee.receive(Step(table.t, Act.MALFUNCTION, B))
    for player in (B, W):
        table.press(player, Button.CALL, is_held=True).press(player)
    table.press(R)
    assert table.referee.record.result is not None and R in table.referee.snapshot.verified


def test_a_player_who_resigns_after_pressing_done_is_judged_in_that_order():
    table = Round().put(B, "C3").press(B)
    table.referee.receive(Step(table.t, Act.RESIGN, B))
    table.look()
    assert [turn.player for turn in table.referee.record.turns] == [B]


def test_a_resignation_is_its_players_despite_earlier_presses():
    table = Round(4).press(W)
    table.press(R, Button.CALL, is_held=True).press(R)
    table.look()
    assert table.referee.record.turns == ()


def test_the_clock_goes_on_if_the_last_unready_player_resigns():
    table = Round(control="10m").press(W).play(B, "C3")
    table.referee.receive(Restarted(table.t + 1))
    table.t += 1
    table.press(R).press(B)
    spent = [face.spent for face in table.referee.snapshot.clocks.faces]
    table.press(W, Button.CALL, is_held=True).press(W)
    assert table.referee.snapshot.clocks.running_player is R
    assert [face.spent for face in table.referee.snapshot.clocks.faces] == spent


def test_a_press_of_a_player_who_is_put_out_by_a_claim_is_dropped():
    table = Round(control="8s").press(W)
    table.t += 20
    table.referee.receive(Step(table.t, Act.DUE))
    table.press(B)
    table.press(W, Button.CALL)
    table.put(W, "C3").press(W).look()
    assert table.referee.record.remaining_players == (W, R)
    assert [turn.player for turn in table.referee.record.turns] == [B, W]
