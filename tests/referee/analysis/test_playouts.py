"""Random games, all at once: the figures of clear positions, the rules of every lane, and what is not played on."""

from __future__ import annotations

import random

from referee.analysis import playouts
from referee.analysis.playouts import Lanes, deep_areas, estimate_ownership
from referee.game.board import Colour, board_of, points_of
from referee.game.diagram import position_of

SETTLED = (".X.XO.O", "XXXXOOO", ".OXXO.O", "..XXOOO", "XXXXO..", "...XO..", "...XO..")
SEKI = ("X.OX.XO", "X.OXXXO", "XXOX.XO", "OOXXXXO", ".OOOOOO", "OO.O...", ".......")


def test_points_of_one_player_are_theirs_and_a_dead_stone_is_not() -> None:
    position = position_of(SETTLED)
    owners = estimate_ownership(position.board, position.stones)
    assert min(owners[point] for point in points_of(position.stones_of(Colour.BLACK))) > 0.9
    assert owners[position.board.point("B5")] > 0.9 and owners[position.board.point("F5")] < -0.9


def test_the_figures_are_the_same_each_time_and_others_with_another_seed() -> None:
    position = position_of((".X.", "O..", "..X"))
    first, again, other = (estimate_ownership(position.board, position.stones, 32, seed) for seed in (1, 1, 2))
    assert first == again != other


def test_groups_that_share_their_last_liberties_are_left_alone() -> None:
    """A seki: who plays there first is captured."""
    position = position_of(SEKI)
    owners = estimate_ownership(position.board, position.stones)
    assert owners[position.board.point("A7")] > 0.5 and owners[position.board.point("C7")] < -0.5


def test_lanes_do_not_mix() -> None:
    """Floods, neighbours and counts of many random boards at once are those of each board by itself."""
    board, rng = board_of(5, 4), random.Random(4)
    lanes = Lanes(board, 8)
    boards = [rng.getrandbits(board.points) for _ in range(lanes.games)]
    seeds = [rng.getrandbits(board.points) & rng.getrandbits(board.points) for _ in range(lanes.games)]

    def joined(masks: list[int]) -> int:
        return sum(lanes.widen_mask(mask) << (lane * lanes.stride) for lane, mask in enumerate(masks))

    def split(mask: int) -> list[int]:
        return [lanes.narrow_lane(mask >> (lane * lanes.stride)) for lane in range(lanes.games)]

    whole, seed = joined(boards), joined(seeds)
    assert split(whole) == boards
    assert split(lanes.adjacent_to(whole)) == [board.adjacent_to(mask) for mask in boards]
    floods = [board.flood(one, mask) for one, mask in zip(seeds, boards, strict=True)]
    assert split(lanes.flood_from(seed, whole)) == floods
    assert lanes.count_by_point(whole) == [sum(mask >> point & 1 for mask in boards) for point in range(board.points)]
    singles = [board.full if mask.bit_count() < 2 else 0 for mask in seeds]
    assert split(lanes.fill_single_lanes(seed) & lanes.full) == singles
    assert split(lanes.fill_set_lanes(seed) & lanes.full) == [board.full if mask else 0 for mask in seeds]


def test_every_game_keeps_the_rules() -> None:
    """After each half-move one stone more lies in a game at most, and no chain is without a liberty."""
    position = position_of((".X.O.", ".....", "..XO.", "O...X", "....."))
    board, lanes = position.board, Lanes(position.board, 16)
    games = playouts._Games(lanes, (position.stones[0], position.stones[1]), (0, 0), 3)
    for number in range(40):
        before = [_boards(lanes, mask) for mask in games.stones]
        games._half_move(number % 2)
        for lane in range(lanes.games):
            own, other = (
                _boards(lanes, mask)[lane] for mask in (games.stones[number % 2], games.stones[1 - number % 2])
            )
            assert (own & ~before[number % 2][lane]).bit_count() <= 1
            assert not other & ~before[1 - number % 2][lane] and not own & other
            empty = board.full & ~(own | other)
            assert all(
                board.adjacent_to(board.flood(1 << at, mask)) & empty for mask in (own, other) for at in points_of(mask)
            )


def _boards(lanes: Lanes, mask: int) -> list[int]:
    return [lanes.narrow_lane(mask >> (lane * lanes.stride)) for lane in range(lanes.games)]


def test_large_areas_are_left_alone_far_from_the_other() -> None:
    position = position_of((".....X.O.", ".....X.O.", "XXXXXX.O.", "......OO.", "OOOOOOO..", "........."))
    black, white = position.stones
    deep = deep_areas(position.board, black, white)
    assert deep & position.board.mask(["A6"]) and not deep & position.board.mask(["A3", "G6"])


def test_all_games_are_stopped_after_a_bounded_number_of_half_moves(monkeypatch) -> None:
    """The time is bounded by what is done, whatever the machine."""
    halves = []
    half_move = playouts._Games._half_move

    def counted(games: playouts._Games, player: int) -> int:
        halves.append(player)
        return half_move(games, player)

    monkeypatch.setattr(playouts._Games, "_half_move", counted)
    board = board_of(9)
    estimate_ownership(board, (0, 0), 16)
    assert len(halves) <= 2 * playouts.MOST_HALF_MOVES * board.points + 2 and set(halves) == {0, 1}
