"""The game that looks belong to: boards cleared and changed, moves taken back, tables left and found again."""

from collections.abc import Sequence
from dataclasses import replace
from itertools import product

import pytest

from device.session.looks import Evening, EveningTerms
from device.session.report import line_of
from referee.game.board import Position, board_of
from referee.rules.sets import rule_set
from referee.rules.setup import Setup
from referee.table.table import TableConfig
from tests.support.referee.looks import lids_of, look
from tests.support.simulator.game_scripts import self_play
from tests.support.tiers import LONG, sample

COLUMNS = sum(1 << row * 13 + col for row in range(13) for col in range(12))
RULES = ("chinese", "ultimate")
SHORT = (("chinese", 1), ("ultimate", 2), ("chinese", 3))
"""Rules and how many moves are taken back in a short run."""


class Club:
    """Looks at boards on which stones are put and lifted, a few seconds apart."""

    def __init__(self, rules: str = "chinese", stills: bool = False) -> None:
        self.evening = Evening(EveningTerms(Setup(rule_set(rules)), TableConfig(deep=True), stills))
        self.position = Position(board_of(9), (0, 0))
        self.t, self.looks = 0.0, 0

    def show(self, times: int = 2, apart: float = 1.0) -> None:
        """So many looks at the board as it lies."""
        for _ in range(times):
            self.evening.handle(self.looks, look(self.position, self.t))
            self.looks, self.t = self.looks + 1, self.t + apart

    def lay(self, size: int) -> None:
        """An empty board."""
        self.position = Position(board_of(size), (0, 0))
        self.show(3)

    def play(self, turns: Sequence, show: int = 2) -> None:
        """These turns, each seen."""
        for turn in turns:
            self.position = self.position.place(turn.player, turn.point).position
            self.show(show)

    def lift(self, *points: int) -> None:
        """Take stones off the board."""
        mask = sum(1 << point for point in points)
        self.position = Position(self.position.board, tuple(stones & ~mask for stones in self.position.stones))

    @property
    def games(self) -> list[tuple]:
        """The turns of each game."""
        return [game.record.turns for game in self.evening.games]


def test_the_lids_on_record_are_those_of_the_current_game():
    evening = Evening(EveningTerms(Setup(rule_set("ultimate")), TableConfig(black_side=2)))
    record = Setup(rule_set("ultimate"), size=(9, 9)).record()
    bare = look(record.position, 1.0, lids_of(record.bowls, 2))
    assert evening.list_lids(bare) == ()
    evening.handle(0, bare)
    assert evening.list_lids(bare) == ((1, 0), (0, 1))
    evening.end(2.0)
    assert evening.list_lids(bare) == ()


@pytest.mark.parametrize("rules", sample(RULES, 1))
def test_boards_of_three_sizes_are_three_games(rules):
    club, games = Club(rules), [self_play(size, size, 30, delays=False) for size in (9, 13, 19)]
    for size, turns in zip((9, 13, 19), games, strict=True):
        club.lay(size)
        club.play(turns)
    club.evening.end(club.t)
    assert club.games == [tuple(turns) for turns in games]


def test_a_cleared_board_begins_another_game():
    club, games = Club(), [self_play(9, seed, 24, delays=False) for seed in (1, 2)]
    for turns in games:
        club.lay(9)
        club.play(turns)
    club.evening.end(club.t)
    assert club.games == [tuple(turns) for turns in games]


@pytest.mark.parametrize("stills", [False, True])
def test_a_game_goes_on_in_the_same_record_after_a_gap(stills):
    club, turns = Club("chinese", stills), self_play(13, 5, 70, delays=False)
    club.lay(13)
    club.play(turns[:12], show=1)
    club.position = positions(turns, 13)[45]
    club.show(1 if stills else 24)
    club.play(turns[45:50], show=1)
    club.evening.end(club.t)
    assert club.games == [(*turns[:12], *turns[45:50])]
    (game,) = club.evening.games
    assert [number for number, _ in game.record.gaps] == [12]
    assert any("Nobody saw" in doubt.text for doubt in game.doubts.entries)
    assert "17 turns, 1 gap," in line_of(1, game)


@LONG
def test_a_board_cleared_by_handfuls_gives_no_turns():
    club, turns = Club(), self_play(9, 3, 30, delays=False)
    club.lay(9)
    club.play(turns)
    for point in range(81):
        club.lift(point)
        if point % 7 == 0:
            club.show(3)
    club.show(20)
    club.evening.end(club.t)
    assert club.games == [tuple(turns)]


@pytest.mark.parametrize(
    ("rules", "back"),
    [
        *SHORT,
        *(pytest.param(*case, marks=LONG) for case in product(RULES, (1, 2, 3, 6)) if case not in SHORT),
    ],
)
def test_moves_taken_back_are_gone_and_those_played_instead_are_written(rules, back):
    club, turns = Club(rules), self_play(13, 5, 40, delays=False)
    club.lay(13)
    before = positions(turns, 13)
    club.play(turns[:20])
    club.position = before[20 - back]
    club.show(2)
    other = others(turns, 20 - back, 13)
    club.play(other)
    club.evening.end(club.t)
    assert club.games == [(*turns[: 20 - back], *other)]
    assert any("Taken back" in doubt.text for doubt in club.evening.games[0].doubts.entries)


def test_moves_taken_back_twice_in_fast_play_are_gone():
    """Each position is seen once: moves are taken back, another is played and taken back too, and play goes on."""
    club, turns = Club(), self_play(13, 5, 40, delays=False)
    before, (first, second, third, *_) = positions(turns, 13)[17], others(turns, 17, 13)
    club.lay(13)
    club.play(turns[:20], show=1)
    for line in ([first], [replace(first, point=third.point), second]):
        club.position = before
        club.show(1, 1.5)
        club.play(line, show=1)
    club.evening.end(club.t)
    assert club.games == [(*turns[:17], *line)]
    assert not any("order" in doubt.text for doubt in club.evening.games[0].doubts.entries)


def test_most_of_a_few_moves_taken_back_begin_no_other_game():
    club, turns = Club(), self_play(9, 5, 20, delays=False)
    club.lay(9)
    club.play(turns[:5])
    club.position = positions(turns, 9)[2]
    club.show(2)
    line = others(turns, 2, 9)
    club.play(line)
    club.evening.end(club.t)
    assert club.games == [(*turns[:2], *line)]


def test_a_stone_moved_to_another_point_is_written_where_it_lies():
    club, turns = Club(), self_play(13, 7, 20, delays=False)
    club.lay(13)
    club.play(turns[:12])
    other, *_ = others(turns, 11, 13)
    club.position = positions(turns, 13)[11]
    club.play([other], show=3)
    club.evening.end(club.t)
    assert club.games == [(*turns[:11], other)]


def test_moves_taken_back_last_are_gone():
    club, turns = Club(), self_play(9, 8, 20, delays=False)
    club.lay(9)
    club.play(turns)
    club.position = positions(turns, 9)[18]
    club.show(3)
    club.evening.end(club.t)
    assert club.games == [tuple(turns[:18])]


def test_a_last_stone_lifted_before_clearing_stays_recorded():
    club, turns = Club(), self_play(9, 8, 20, delays=False)
    club.lay(9)
    club.play(turns)
    club.position = positions(turns, 9)[19]
    club.show(3)
    club.lay(9)
    club.evening.end(club.t)
    assert club.games == [tuple(turns)]


def test_a_game_left_for_another_goes_on_where_it_was():
    club, first, second = Club(), self_play(13, 9, 30, delays=False), self_play(9, 9, 20, delays=False)
    club.lay(13)
    club.play(first[:20])
    club.lay(9)
    club.play(second)
    club.position = positions(first, 13)[20]
    club.show(3)
    club.play(first[20:])
    club.evening.end(club.t)
    assert club.games == [tuple(first), tuple(second)]


def test_a_few_stones_are_no_game():
    club = Club()
    club.lay(9)
    club.play(self_play(9, 2, 3, delays=False))
    club.lay(9)
    club.evening.end(club.t)
    assert club.games == []


def test_a_game_first_seen_after_some_turns_is_written_from_its_start():
    club, turns = Club(), self_play(9, 11, 20, delays=False)
    club.lay(13)
    club.position = positions(turns, 9)[3]
    club.show(2)
    club.play(turns[3:])
    club.evening.end(club.t)
    (game,) = club.games
    assert game[3:] == tuple(turns[3:]) and set(game) == set(turns)


def test_a_game_under_way_at_the_first_look_begins_there():
    club, turns = Club(), self_play(13, 12, 60, delays=False)
    club.position = positions(turns, 13)[40]
    club.show(2)
    club.play(turns[40:])
    club.evening.end(club.t)
    assert club.games == [tuple(turns[40:])]


def test_a_game_first_seen_late_begins_with_what_lies_there():
    club, turns = Club(), self_play(13, 14, 60, delays=False)
    club.lay(9)
    club.position = positions(turns, 13)[40]
    club.show(1)
    club.play(turns[40:], show=1)
    club.evening.end(club.t)
    assert club.games == [tuple(turns[40:])]


def test_a_game_with_unseen_first_moves_taken_back_is_written():
    club, turns = Club(), self_play(13, 16, 40, delays=False)
    club.lay(9)
    club.position = positions(turns, 13)[5]
    club.show(1)
    club.lift(turns[0].point, turns[1].point)
    club.show(1)
    club.play(turns[5:], show=1)
    club.evening.end(club.t)
    (game,) = club.games
    assert game[-33:] == tuple(turns[-33:])


def test_a_board_read_beside_its_points_for_a_while_ends_no_game():
    """The camera is knocked, and for some looks every stone seems to lie a line beside."""
    club, turns = Club(), self_play(13, 15, 60, delays=False)
    club.lay(13)
    club.play(turns[:40], show=1)
    rest = Position(club.position.board, tuple(stones >> 1 & COLUMNS for stones in club.position.stones))
    club.position, lies = rest, club.position
    club.show(12)
    club.position = lies
    club.play(turns[40:], show=1)
    club.evening.end(club.t)
    assert club.games == [tuple(turns)]


def test_a_long_time_without_a_look_is_told():
    club, turns = Club(), self_play(9, 13, 20, delays=False)
    club.lay(9)
    club.play(turns[:10])
    club.t += 600
    club.play(turns[10:])
    club.evening.end(club.t)
    assert club.games == [tuple(turns)]
    assert [(one.text, one.until - one.t > 600) for one in club.evening.between] == [
        ("No board was seen plainly.", True)
    ]


def test_each_photograph_counts_at_once():
    club, turns = Club(stills=True), self_play(13, 5, 20, delays=False)
    club.position = Position(board_of(13), (0, 0))
    club.show(1)
    club.play(turns, show=1)
    club.position = positions(turns, 13)[18]
    club.show(1)
    other = others(turns, 18, 13)
    club.play(other, show=1)
    club.evening.end(club.t)
    assert club.games == [(*turns[:18], *other)]


def positions(turns: Sequence, size: int) -> list[Position]:
    """The board after each number of turns."""
    positions = [Position(board_of(size), (0, 0))]
    for turn in turns:
        positions.append(positions[-1].place(turn.player, turn.point).position)
    return positions


def others(turns: Sequence, since: int, size: int) -> tuple:
    """Other turns from there on: those of the game, each on a free point that it never took."""
    before, used_points = positions(turns, size)[since], {turn.point for turn in turns}
    free = [point for point in range(size * size) if point not in used_points and before.empty >> point & 1]
    line = [type(turn)(turn.player, point) for turn, point in zip(turns[since : since + 5], free[::3], strict=False)]
    return tuple(line)
