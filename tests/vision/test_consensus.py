import numpy as np

from referee.events import Observed
from vision.calibration import Box, Grid
from vision.frame import Frame
from vision.lids.count import LidReading
from vision.observer import Consensus
from vision.overlay import draw_overlay
from vision.reading import Reading

GRID = Grid(9, ((40.0, 40.0), (360.0, 40.0), (360.0, 360.0), (40.0, 360.0)))
BOX = Box(380, 100, 90, 90)


def reading(stone: float, black: int = 0, sure: bool = True) -> Reading:
    """An empty board but for E5, black with that probability, and one lid."""
    probabilities = np.tile(np.float32([1, 0, 0]), (9, 9, 1))
    probabilities[4, 4] = [1 - stone, stone, 0]
    span = (black, black) if sure else (black - 1, black + 1)
    return Reading(GRID, probabilities, (LidReading(BOX, black, 0, span, (0, 0), sure),))


def test_two_looks_that_agree_are_averaged():
    consensus = Consensus()
    assert consensus.add(reading(0.8)) is None
    agreed = consensus.add(reading(0.9))
    assert agreed is not None and abs(float(agreed.probabilities[4, 4, 1]) - 0.85) < 1e-6


def test_looks_that_differ_on_a_stone_or_a_lid_do_not_agree():
    for other in (reading(0.3), reading(0.8, black=1), reading(0.8, sure=False)):
        consensus = Consensus()
        assert consensus.add(reading(0.8)) is None
        assert consensus.add(other) is None
        assert consensus.add(other) is not None


def test_a_lid_that_is_now_sure_and_now_not_is_taken_for_what_two_looks_say():
    consensus = Consensus()
    assert consensus.add(reading(0.8, black=2)) is None
    assert consensus.add(reading(0.8, black=2, sure=False)) is None
    agreed = consensus.add(reading(0.8, black=2))
    assert agreed is not None and (agreed.lids[0].black_range, agreed.lids[0].sure) == ((2, 2), True)


def test_a_lid_that_reads_otherwise_each_time_may_hold_all_that_was_read():
    consensus = Consensus()
    for black, sure in ((2, True), (3, True), (3, False)):
        agreed = consensus.add(reading(0.8, black=black, sure=sure))
    assert agreed is not None and (agreed.lids[0].black_range, agreed.lids[0].sure) == ((2, 4), False)


def test_movement_makes_earlier_looks_forgotten():
    consensus = Consensus()
    consensus.add(reading(0.8))
    consensus.forget()
    assert consensus.add(reading(0.8)) is None


def test_a_reading_says_what_it_shows_and_doubts():
    shown = reading(0.6, black=2)
    assert shown.rows()[4] == "....X...."
    assert [(shown.name(doubt.point), round(doubt.p, 2)) for doubt in shown.doubtful()] == [("E5", 0.6)]
    observed = shown.observed(Frame(np.zeros((400, 500, 3), np.uint8), 7.5, "look.png"))
    assert isinstance(observed, Observed) and (observed.t, observed.name) == (7.5, "look.png")
    assert len(observed.points) == 81 and observed.lids[0].black == 2


def test_the_overlay_marks_stones_doubts_and_lids():
    plain = np.full((400, 500, 3), 100, np.uint8)
    drawn = draw_overlay(plain, reading(0.6))
    sure = draw_overlay(plain, reading(1.0))
    assert drawn.shape == plain.shape and (plain == 100).all()
    around = np.s_[180:221, 180:221]
    assert (drawn[around] != sure[around]).any() and (sure[around] != 100).any()
    assert (sure[100:190, 380:470] != 100).any()
