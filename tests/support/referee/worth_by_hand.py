"""The worth of a situation of Fundamental Go, straight from the text: plain, slow, and apart from the product.

Source: Analysis of Ultimate Go, sections III to V. Boards are strings of ".", "X" and "O", row after row; bowls hold
prisoners that can be returned: White stones in Black's, Black stones in White's.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import cache
from itertools import count

OTHER = {"X": "O", "O": "X"}
History = frozenset[str]


@dataclass(frozen=True)
class Hand:
    """A complete situation: whose turn, the board, its width, the boards that have stood (this one too), the bowls."""

    player: str
    board: str
    cols: int
    stood: History
    black: int = 0
    white: int = 0

    @property
    def own(self) -> int:
        """The number of prisoners that the player to move has."""
        return self.black if self.player == "X" else self.white

    def with_bowl_of(self, player: str, change: int) -> Hand:
        """The same with more, or fewer, prisoners in a player's bowl."""
        black, white = (self.black + change, self.white) if player == "X" else (self.black, self.white + change)
        return Hand(self.player, self.board, self.cols, self.stood, black, white)

    def turned(self) -> Hand:
        """The same with the other player to move."""
        return Hand(OTHER[self.player], self.board, self.cols, self.stood, self.black, self.white)


@cache
def around(point: int, cols: int, size: int) -> tuple[int, ...]:
    """The points next to one along the lines."""
    col = point % cols
    near = [point - 1] * (col > 0) + [point + 1] * (col < cols - 1) + [point - cols, point + cols]
    return tuple(other for other in near if 0 <= other < size)


def is_surrounded(board: str, cols: int, point: int) -> bool:
    """Return True if no path from the stone to an empty point avoids the opponent's stones (rule 2)."""
    chain, edge = {point}, [point]
    while edge:
        for near in around(edge.pop(), cols, len(board)):
            if board[near] == ".":
                return False
            if board[near] == board[point] and near not in chain:
                chain.add(near)
                edge.append(near)
    return True


@cache
def place_stone(board: str, cols: int, player: str, point: int) -> tuple[str, int] | None:
    """The board after a placement, and how many stones it captured; None where the placed stone is surrounded."""
    after = board[:point] + player + board[point + 1 :]
    captured_points = [p for p, stone in enumerate(after) if stone == OTHER[player] and is_surrounded(after, cols, p)]
    after = "".join("." if p in captured_points else stone for p, stone in enumerate(after))
    return None if is_surrounded(after, cols, point) else (after, len(captured_points))


def moves(hand: Hand) -> dict[str, Hand]:
    """Return the player's moves (rules 4 to 7, without ultimate prisoners), by name: a point's number, or "delay".

    The delay comes first, then what captures most: whoever looks for a win finds it sooner that way.
    """
    results = list[tuple[int, str, Hand]]()
    for point, stone in enumerate(hand.board):
        result = place_stone(hand.board, hand.cols, hand.player, point) if stone == "." else None
        if result is not None and result[0] not in hand.stood:
            bowls = hand.with_bowl_of(hand.player, result[1])
            after = Hand(OTHER[hand.player], result[0], hand.cols, hand.stood | {result[0]}, bowls.black, bowls.white)
            results.append((-result[1], str(point), after))
    delay = {"delay": hand.with_bowl_of(hand.player, -1).turned()} if hand.own else {}
    return delay | {name: after for _, name, after in sorted(results, key=lambda move: move[:2])}


class TooLong(Exception):
    """More situations were looked at than were asked for."""


class Budget:
    """The number of situations that may still be looked at before `TooLong` is raised."""

    left = 10**9
    cancelled = False
    """A switch: prisoners that cancel out are left out first ("the absolute number [...] is irrelevant", section IV), a
    second algorithm that gets further."""


_proved: dict[Hand, bool] = {}
_tried: dict[Hand, int] = {}


def forget() -> None:
    """Forget what has been worked out."""
    _proved.clear()
    _tried.clear()


def wins(hand: Hand) -> bool:
    """Return True if the player to move has a winning strategy: a move after which the opponent has none."""
    for most in count():
        answer = wins_within(hand, most)
        if answer is not None:
            return answer
    raise AssertionError


def wins_within(hand: Hand, most: int) -> bool | None:
    """Return True if the player to move has such a strategy, as far as so many moves show; None if more are needed.

    A player with more prisoners than the other has moves left wins by delays alone (section IV's extreme upper bound).
    """
    if Budget.cancelled and hand.black and hand.white:
        least = min(hand.black, hand.white)
        return wins_within(replace(hand, black=hand.black - least, white=hand.white - least), most)
    if hand in _proved:
        return _proved[hand]
    if hand.own > most_moves(hand, OTHER[hand.player]):
        return True
    if hand.turned().own >= most_moves(hand, hand.player):
        return False
    if _tried.get(hand, 0) >= most:
        return None
    answer = _searched(hand, most)
    if answer is None:
        _tried[hand] = most
    else:
        _proved[hand] = answer
    return answer


def _searched(hand: Hand, most: int) -> bool | None:
    Budget.left -= 1
    if Budget.left < 0:
        raise TooLong
    is_lost = True
    for after in moves(hand).values():
        answer = wins_within(after, most - 1)
        if answer is False:
            return True
        is_lost = is_lost and answer is True
    return False if is_lost else None


def most_moves(hand: Hand, player: str) -> int:
    """Return the most moves that a player can make while the other only delays: prisoners, empty points, and two for
    each stone that might be captured."""
    own = hand.black if player == "X" else hand.white
    return own + hand.board.count(".") + 2 * hand.board.count(OTHER[player])


def black_wins(hand: Hand) -> bool:
    """Return True if Black has a winning strategy."""
    return wins(hand) == (hand.player == "X")


def score(hand: Hand) -> float:
    """The least mid-game komi that turns the winner, less a half; negative where White wins (section IV)."""
    komi, black = 0, black_wins(hand)
    while black_wins(hand.with_bowl_of("O" if black else "X", komi)) == black:
        komi += 1
    return komi - 0.5 if black else 0.5 - komi


def costs(hand: Hand) -> dict[str, int]:
    """By how much each move takes the score towards the opponent."""
    sign, now = 1 if hand.player == "X" else -1, score(hand)
    return {name: int(sign * (now - score(after))) for name, after in moves(hand).items()}


def level(hand: Hand) -> int:
    """The cost of a delay or, with an empty bowl, of a reverse delay: surrendering a prisoner (section V)."""
    sign = 1 if hand.player == "X" else -1
    delayed = hand.with_bowl_of(hand.player, -1) if hand.own else hand.with_bowl_of(OTHER[hand.player], 1)
    return int(sign * (score(hand) - score(delayed.turned())))


def phase(hand: Hand) -> str:
    """Normal play, counting, or only resigning left (section V)."""
    if level(hand):
        return "normal"
    return "counting" if 0 in costs(hand).values() else "resign"
