"""The count of a small board by area or territory, as docs/counting.md has it."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping

from tests.support.sequences.table import SIZE, point_of

KOMI = {"chinese": 7.5, "japanese": 6.5, "aga": 7.5, "new-zealand": 7}
"""Points that White gets at the count if nobody says otherwise (docs/rules); none under other sets."""


def counted(
    rules: str, stones: Mapping[str, str], dead: Collection[str], captured: int, bought: Mapping[str, int]
) -> str:
    """Return the result with the dead stones lifted. captured: White's stones that Black took. bought: periods of
    time, each for two points."""
    left = {point: player for point, player in stones.items() if point not in dead}
    points = dict.fromkeys("BW", 0)
    for region, owners in regions(left):
        if len(owners) == 1:
            points[owners.pop()] += len(region)
    if rules == "japanese":
        points["B"] += captured
        for point in dead:
            points["W" if stones[point] == "B" else "B"] += 1
    else:
        for player in left.values():
            points[player] += 1
    for player, periods in bought.items():
        points["W" if player == "B" else "B"] += 2 * periods
    margin = points["B"] - points["W"] - KOMI.get(rules, 0)
    return "0" if not margin else f"{'B' if margin > 0 else 'W'}+{abs(margin):g}"


def regions(stones: Mapping[str, str]) -> Iterator[tuple[set[int], set[str]]]:
    """Yield the empty regions of a board and whose stones border them."""
    held = {point_of(point): player for point, player in stones.items()}
    unseen = set(range(SIZE * SIZE)) - set(held)
    while unseen:
        edge, region, owners = [unseen.pop()], set[int](), set[str]()
        while edge:
            point = edge.pop()
            region.add(point)
            for beside in neighbours(point):
                if beside in held:
                    owners.add(held[beside])
                elif beside in unseen:
                    unseen.discard(beside)
                    edge.append(beside)
        yield region, owners


def neighbours(point: int) -> Iterator[int]:
    """Yield the points beside one."""
    row, column = divmod(point, SIZE)
    for r, c in ((row - 1, column), (row + 1, column), (row, column - 1), (row, column + 1)):
        if 0 <= r < SIZE and 0 <= c < SIZE:
            yield r * SIZE + c
