"""Thresholds: the largest difference at which White wins from each board, narrowed by searches."""

from referee.analysis.thresholds import Threshold, narrow


def test_thresholds_are_narrowed_to_what_the_search_says():
    truth = {0: 3, 1: -2}
    thresholds = [Threshold((0, 0), turn, -9, 9) for turn in truth]
    narrow(thresholds, lambda one, difference, depth: int(difference <= truth[one.turn]))
    assert [(one.low, one.high) for one in thresholds] == [(3, 3), (-2, -2)]
    assert all(one.is_known for one in thresholds)


def test_shallow_proofs_of_all_come_before_deeper_ones():
    depths: list[tuple[int, int]] = []

    def winner(one: Threshold[int], difference: int, depth: int) -> int | None:
        depths.append((depth, one.turn))
        return int(difference <= 0) if depth > one.turn else None

    narrow([Threshold((0, 0), turn, -1, 1) for turn in (1, 0)], winner)
    assert [depth for depth, _ in depths] == sorted(depth for depth, _ in depths)
    assert (1, 1) in depths and (2, 1) in depths and (2, 0) not in depths
