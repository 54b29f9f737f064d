"""The margin of a game counted by area, straight from the rules: plain, slow, and apart from the product.

Two passes end the game and every stone on the board counts; boards are strings as in `worth_by_hand`. With superko no
board may stand twice. Without it only a ko may not be retaken at once, and a line that repeats a board ends there, with
a margin that is given: what does not hang on that margin holds however such a line is judged.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

from tests.support.referee.worth_by_hand import OTHER, TooLong, around, placed


@dataclass(frozen=True)
class Counted:
    """A situation: whose turn, the board, its width, the boards that have stood (this one too), whether the newest turn
    was a pass, and the board that retaking a ko would bring back. cycle: Black's margin of a line that repeats a board;
    None under superko. white_last: only White's pass ends the game."""

    player: str
    board: str
    cols: int
    stood: frozenset[str]
    passed: bool = False
    retaken: str | None = None
    cycle: int | None = None
    white_last: bool = False


class Looks:
    """The number of situations that may still be looked at before `TooLong` is raised."""

    left = 10**9


def area(board: str, cols: int) -> int:
    """Black's stones and what only they border, less White's."""
    total, seen = board.count("X") - board.count("O"), set[int]()
    for start in range(len(board)):
        if board[start] != "." or start in seen:
            continue
        region, edge, borders = {start}, [start], set[str]()
        while edge:
            for near in around(edge.pop(), cols, len(board)):
                if board[near] != ".":
                    borders.add(board[near])
                elif near not in region:
                    region.add(near)
                    edge.append(near)
        seen |= region
        total += {"X": len(region), "O": -len(region)}.get("".join(sorted(borders)), 0)
    return total


def margins(now: Counted) -> dict[str, int]:
    """Black's margin after each legal move, by name: a point's number, or "pass"."""
    ended = replace(now, player=OTHER[now.player], passed=True, retaken=None)
    ends = now.passed and not (now.white_last and now.player == "X")
    found = {"pass": area(now.board, now.cols) if ends else margin(ended)}
    for point, stone in enumerate(now.board):
        result = placed(now.board, now.cols, now.player, point) if stone == "." else None
        if result is None or result[0] == now.retaken:
            continue
        after, captured = result
        if after in now.stood:
            if now.cycle is not None:
                found[str(point)] = now.cycle
            continue
        retaken = now.board if captured == 1 and now.cycle is not None else None
        stood = now.stood | {after}
        found[str(point)] = margin(
            replace(now, player=OTHER[now.player], board=after, stood=stood, passed=False, retaken=retaken)
        )
    return found


_known: dict[Counted, int] = {}


def forget(most: int = 10**9) -> None:
    """Forget what has been worked out; so many situations may be looked at now."""
    _known.clear()
    Looks.left = most


def margin(now: Counted) -> int:
    """Black's margin where both play best. Raises TooLong."""
    if now not in _known:
        Looks.left -= 1
        if Looks.left < 0:
            raise TooLong
        after = margins(now).values()
        _known[now] = max(after) if now.player == "X" else min(after)
    return _known[now]
