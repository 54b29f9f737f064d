"""Small walled positions, and an exhaustive search for a play that breaks what a player is said to be sure of.

The search plays the whole board: both may play anywhere or pass as often as they like, so that outside liberties are
filled, dame taken, threats made, and attacks begun, left and taken up again. The attacker breaks a claim by capturing a
stone that is said to live, or if play ends with a smaller margin. A forced win never comes back to a position, so that
a break stands under every ko rule that bars only repetition.
"""

from __future__ import annotations

import random
from collections import defaultdict

from referee import board_of
from referee.analysis.benson import split_parts, unconditionally_alive
from referee.analysis.safety import find_safety
from referee.analysis.situation import Stones
from referee.game.board import Board, Mask, Position, points_of
from referee.score.area import measure_areas

State = tuple[Stones, int, bool]
"""The stones, the player to move, and whether the newest turn was a pass."""
FRAMES = ("OO|.O|OO|O.|OO", "O|O|O|O|O", ".|.|.|.|.", "")
"""Columns on the right, White's and empty ones."""


def random_walled_zone(rng: random.Random, most_free: int = 10) -> tuple[Board, Stones]:
    """Return a random zone of 2 to 8 points that Black's stones surround, White's stones and empty points beside."""
    while True:
        rows, inner = rng.randrange(3, 6), rng.randrange(3, 6)
        frame = rng.choice(FRAMES).split("|")[:rows]
        cols = inner + len(frame[0])
        board = board_of(cols, rows)
        zones = _draw_zones(rng, board, inner)
        wall = board.adjacent_to(zones) & ~zones
        black, white, odds = wall, 0, (rng.choice((0.05, 0.15, 0.3)), rng.choice((0.3, 0.6, 0.8)))
        for point in points_of(board.full & ~wall):
            row, col = divmod(point, cols)
            if zones >> point & 1:
                white |= (rng.random() < odds[0]) << point
            elif col >= inner:
                white |= (frame[row][col - inner] == "O") << point
            else:
                colour = rng.random()
                black |= (colour < 0.1) << point
                white |= (0.1 <= colour < 0.1 + odds[1]) << point
        if wall and rng.random() < 0.3:
            black &= ~(1 << rng.choice(list(points_of(wall))))
        free = board.full & ~(black | white)
        if free.bit_count() <= most_free and all(_have_liberties(board, own, free) for own in (black, white)):
            return board, (black, white)


def _draw_zones(rng: random.Random, board: Board, inner: int) -> Mask:
    """Return one or two connected areas in the first columns."""
    left = sum(1 << point for point in range(board.points) if point % board.cols < inner)
    zones = 0
    for _ in range(rng.choice((1, 1, 2))):
        zone = 1 << rng.choice(list(points_of(left)))
        for _ in range(rng.randrange(1, 8)):
            near = board.adjacent_to(zone) & left & ~zone
            zone |= 1 << rng.choice(list(points_of(near))) if near else 0
        zones |= zone
    return zones


def _have_liberties(board: Board, own: Mask, free: Mask) -> bool:
    return board.flood(board.adjacent_to(free) & own, own) == own


def is_broken(
    board: Board, stones: Stones, player: int, turn: int, living: Mask, margin: int, most_states: int = 60_000
) -> bool | None:
    """Return True if the other can break a player's claim, None if there are too many states.

    Neither fills an eye of one point that unconditional life of theirs needs: no claim asks for it.

    Args:
        board: the board.
        stones: the position.
        player: the index of the player who is said to be sure.
        turn: the index of the player to move.
        living: the stones that are said to live.
        margin: the margin by area that the player is said to be sure of.
        most_states: the number of states that may be looked at.
    """
    eyes = [_small_eyes(board, stones, one) for one in (0, 1)]
    root: State = (stones, turn, False)
    options: dict[State, int] = {}
    parents = defaultdict[State, list[State]](list)
    broken, waiting = list[State](), [root]
    known_states = {root}
    while waiting:
        state = waiting.pop()
        nexts = list(_nexts(board, state, eyes))
        end = state[2] and _margin(board, state[0], player) < margin
        options[state] = len(nexts) + state[2]
        if living & ~state[0][player] or (end and state[1] != player):
            broken.append(state)
            continue
        if end:
            options[state] -= 1
        for after in nexts:
            parents[after].append(state)
            if after not in known_states:
                known_states.add(after)
                waiting.append(after)
        if len(known_states) > most_states:
            return None
        if not options[state]:
            broken.append(state)
    lost = set(broken)
    while broken:
        state = broken.pop()
        for before in parents[state]:
            if before in lost:
                continue
            options[before] -= 1
            if before[1] != player or not options[before]:
                lost.add(before)
                broken.append(before)
    return root in lost


def _small_eyes(board: Board, stones: Stones, player: int) -> Mask:
    own, other = stones[player], stones[1 - player]
    eyes = find_safety(board, own, other).eyes if unconditionally_alive(board, own, other) else 0
    return sum(eye for eye in split_parts(board, eyes) if eye.bit_count() == 1)


def _nexts(board: Board, state: State, eyes: list[Mask]) -> set[State]:
    """Return the states after each placement, and after a pass that does not end the game."""
    stones, turn, passed = state
    nexts = set[State]() if passed else {(stones, 1 - turn, True)}
    for point in points_of(board.full & ~(stones[0] | stones[1] | eyes[turn])):
        after, _, suicide = board.place(stones, turn, point)
        if not suicide:
            nexts.add(((after[0], after[1]), 1 - turn, False))
    return nexts


def _margin(board: Board, stones: Stones, player: int) -> int:
    black, white = measure_areas(Position(board, stones))
    return (black - white) * (1 - 2 * player)
