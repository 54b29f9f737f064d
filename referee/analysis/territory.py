"""The number of moves that a player, "we", is sure of in parts of the board enclosed by living chains (`safety`).

The need of a part, in moves, is the lead in prisoners that we must have for it: its value to us, with the opposite sign
(`tally`, which has area and territory too: points that we fill are ours, by the same strategy). Each move of the
other's there lowers the need by one and by its captures, or our answer there makes up for it; and if the need is
negative there is a move of ours that raises it by one at most, which a prisoner of the other's pays for.

- A needed eye, with each point next to every chain that borders it, and no stone of ours in it: all its points but one,
and two for each stone of the other's, one to capture it and one for the point (its liberties are there, so that the
last fill but one captures). A stone put there by the other gives us one move more.
- Any other part that we can close: the same, and the last point too. A part is closed if all points, or all but one if
the board has lines both ways, are next to a wall. We can fill those, and a fill joins a wall. So either there is a
fill, or only the one inside is empty: there we capture all remaining stones of the other's. (That stone can be lost,
for a prisoner, and leaves its point to be filled: that costs nothing. After the capture two points or more are open
beside it, and we answer the other's next stone there by a fill: no board repeats.) Several such parts are closed too.
- A part is closed in k moves if, wherever the other plays, some fill next to a wall leaves one that is closed in k - 1.
Our answer is that fill, one of those that we count on.
- Any other: the other can make at most one move for each point without a stone of theirs and one more for each stone of
ours that can be captured (`most_moves`).
- Parts that the zone of a stronghold meets: as any other, and we only answer in the zone there; if they lie in the zone
and it becomes ours, all their points (for `AREA` alone).
- Parts that the zones of miai meet: for each choice of points the need of the parts that remain, and one less for each
point, which is a move of ours. The choice with the greatest need counts, because the other may choose.
"""

from __future__ import annotations

from collections.abc import Iterable
from functools import reduce
from itertools import product
from operator import or_
from typing import NamedTuple

from referee.analysis.benson import split_parts
from referee.analysis.safety import Miai, Safety
from referee.analysis.situation import Stones
from referee.analysis.tally import Tally
from referee.game.board import Board, Mask, points_of

MOST_CHOICES = 4
"""The number of miai whose parts are examined together; if more share parts they count for nothing there."""
MOST_FILLS, MOST_INSIDE, MOST_LOOKS = 3, 9, 1500
"""The highest numbers of fills within which a part is closed, of its points next to no wall, and of positions
examined."""


def is_fillable(board: Board, part: Mask, safe: Safety, stones: Stones) -> bool:
    """Return True if we can fill a part that no zone meets, except for a point of a needed eye.

    Args:
        board: the board.
        part: the part.
        safe: our living chains.
        stones: ours, the other's.
    """
    at_once = _is_fillable_as_it_is(board, part, safe.walls, safe.eyes, stones)
    return at_once or (not part & safe.eyes and is_closable(board, part, safe.walls, stones))


def _is_fillable_as_it_is(board: Board, part: Mask, walls: Mask, eyes: Mask, stones: Stones) -> bool:
    """Return the same for a part in which nothing has to be closed."""
    if part & stones[0]:
        return False
    if part & eyes:
        border = board.adjacent_to(part)
        chains = [chain for chain in split_parts(board, walls) if chain & border]
        return all(not part & ~board.adjacent_to(chain) for chain in chains)
    return not part & ~board.adjacent_to(walls)


def is_closable(board: Board, part: Mask, walls: Mask, stones: Stones) -> bool:
    """Return True if we can close a part with the other to move.

    Args:
        board: the board.
        part: the part.
        walls: our living chains.
        stones: ours, of which none may be in it; the other's.
    """
    own, other = stones
    if part & own or (part & ~board.adjacent_to(walls)).bit_count() > MOST_INSIDE:
        return False
    closing = _Closing(board, part, walls)
    return any(closing.can_hold(0, part & other, fills) for fills in range(MOST_FILLS + 1))


class _Closing:
    """A search whether a part can be closed, after our fills and the other's stones and blocked points."""

    def __init__(self, board: Board, part: Mask, walls: Mask) -> None:
        self._board, self._part, self._walls = board, part, walls
        self._wide = min(board.cols, board.rows) > 1
        self._answers: dict[tuple[Mask, Mask, int], bool] = {}

    def can_hold(self, filled: Mask, blocked: Mask, fills: int) -> bool:
        """Return True if this many more fills are enough, wherever the other plays before each."""
        question = filled, blocked, fills
        if question not in self._answers:
            if len(self._answers) > MOST_LOOKS:
                return False
            self._answers[question] = self._is_enough(*question)
        return self._answers[question]

    def _is_enough(self, filled: Mask, blocked: Mask, fills: int) -> bool:
        board, left = self._board, self._part & ~filled
        near = board.adjacent_to(self._walls | filled)
        inside = left & ~near
        if self._is_closed(left, inside) or not fills:
            return self._is_closed(left, inside)
        free = left & ~blocked
        candidates = [1 << point for point in points_of(free & near & board.adjacent_to(inside))]
        good = [fill for fill in candidates if self.can_hold(filled | fill, blocked, fills - 1)]
        if fills == 1:
            return len(good) > 1
        return bool(good) and all(
            self._is_answered(filled, blocked, fills, good, 1 << point) for point in points_of(free)
        )

    def _is_closed(self, left: Mask, inside: Mask) -> bool:
        if inside & (inside - 1):
            return self._wide and all((part & inside).bit_count() < 2 for part in split_parts(self._board, left))
        return self._wide or not inside

    def _is_answered(self, filled: Mask, blocked: Mask, fills: int, good: list[Mask], stone: Mask) -> bool:
        left = (fill for fill in good if fill != stone)
        return any(self.can_hold(filled | fill, blocked | stone, fills - 1) for fill in left)


def least_answered_value(board: Board, touched_parts: list[Mask], safe: Safety, stones: Stones, tally: Tally) -> int:
    """Return the least value to us of the parts that the zones meet."""
    own, other = stones
    near, by_miai = board.adjacent_to(safe.walls), reduce(or_, (pair.zone for pair in safe.pairs), 0)
    owned = reduce(or_, (one.zone for one in safe.strongholds if one.is_owned), 0)
    total = sum(
        tally.open(part, own, other, near) if part & ~owned else tally.value_of_filling(part, other, eye=True)
        for part in touched_parts
        if not part & by_miai
    )
    for pairs, together in _groups(touched_parts, safe.pairs):
        at_least = sum(tally.open(part, own, other, near) for part in together)
        is_simple = len(pairs) <= MOST_CHOICES and not any(part & safe.stronghold_zones for part in together)
        choices = product((0, 1), repeat=len(pairs)) if is_simple else ()
        each = [_value_of_choice(board, together, safe, pairs, choice, stones, tally) for choice in choices]
        total += max(at_least, min(each)) if each else at_least
    return total


def _groups(touched_parts: list[Mask], pairs: Iterable[Miai]) -> list[tuple[list[Miai], list[Mask]]]:
    """Return the miai that share parts, with all parts that they meet."""
    groups: list[tuple[list[Miai], list[Mask]]] = []
    for pair in pairs:
        with_it, own_parts = [pair], [part for part in touched_parts if part & pair.zone]
        for group in [group for group in groups if any(part in group[1] for part in own_parts)]:
            groups.remove(group)
            with_it += group[0]
            own_parts += [part for part in group[1] if part not in own_parts]
        groups.append((with_it, own_parts))
    return groups


def _value_of_choice(
    board: Board,
    together: list[Mask],
    safe: Safety,
    pairs: list[Miai],
    choice: tuple[int, ...],
    stones: Stones,
    tally: Tally,
) -> int:
    """Return the value of the parts once this choice of the miai's points is taken."""
    own, other = stones
    stones_placed, left = (
        reduce(or_, (pair.points[index ^ flip] for pair, index in zip(pairs, choice, strict=True))) for flip in (0, 1)
    )
    eyes = reduce(or_, (pair.eyes[index] for pair, index in zip(pairs, choice, strict=True)), safe.eyes)
    walls, total, inside, near = safe.walls | stones_placed, 0, 0, board.adjacent_to(safe.walls)
    for part in split_parts(board, reduce(or_, together) & ~stones_placed):
        if _is_fillable_as_it_is(board, part, walls, eyes, stones):
            total += tally.value_of_filling(part, other, bool(part & eyes))
            inside += (part & left).bit_count()
        else:
            total += tally.open(part, own, other, near)
    return total + tally.miai(len(pairs), inside)


class Enclosed(NamedTuple):
    """The parts behind our living chains.

    Attributes:
        total: the value of the parts to us.
        fills: the points that we fill for that.
        left: the parts that we cannot fill and that are no eye.
        near: the points of those parts next to the walls.
    """

    total: int
    fills: Mask
    left: tuple[Mask, ...]
    near: Mask


def enclosed_parts(board: Board, safe: Safety, stones: Stones, tally: Tally) -> Enclosed:
    """Return the parts between the walls of `safe`.

    Args:
        board: the board.
        safe: our living chains.
        stones: ours, the other's.
        tally: the way of counting.
    """
    own, other = stones
    split, near = split_parts(board, board.full & ~safe.walls), board.adjacent_to(safe.walls)
    touched_parts = [part for part in split if part & safe.zones]
    total, fills, left = (
        least_answered_value(board, touched_parts, safe, stones, tally),
        sum(touched_parts),
        list[Mask](),
    )
    for part in split:
        if part in touched_parts:
            continue
        if is_fillable(board, part, safe, stones):
            total, fills = total + tally.value_of_filling(part, other, bool(part & safe.eyes)), fills | part
            continue
        total += tally.open(part, own, other, near)
        if not part & safe.eyes:
            left.append(part)
    return Enclosed(total, fills, tuple(left), sum(left) & near)
