"""A drawn table watched frame by frame, with hands."""

from __future__ import annotations

from dataclasses import replace
from functools import cache
from itertools import cycle

import cv2
import numpy as np
import pytest

from referee.game.board import Colour
from referee.game.observation import Observation, OffGridStone
from tests.support.tiers import LONG, is_long_run, sample
from tests.support.vision.streams import jpeg
from tests.support.vision.tables import NOISES, club_table, shot
from vision.calibration.model import Box, Calibration, Grid
from vision.camera.frame import Frame, JpegPicture
from vision.camera.frame_health import FrameHealthMonitor
from vision.lids.count import LidReading
from vision.render.looks import club_look
from vision.render.scene import Hand, LidStone, Scene
from vision.render.table import Table
from vision.render.view import View
from vision.tracking.board_search import HOME_ONLY_S
from vision.tracking.reading import Consensus, Reading
from vision.tracking.tracker import BoardTracker, TrackerConfig

pytestmark = pytest.mark.usefixtures("lone_board")

RATE = 10
EMPTY = ("." * 9,) * 9
ONE = (*EMPTY[:4], "....X....", *EMPTY[5:])


@pytest.fixture(scope="module")
def table() -> Table:
    return club_table(3, 9)


def observe_scenes(
    observer: BoardTracker, table: Table, scenes: list[Scene], start: int = 0
) -> list[Observation | None]:
    frames = [Frame(shot(table, scene, start + k).pixels, (start + k) / RATE) for k, scene in enumerate(scenes)]
    return [observer.see(frame) for frame in frames]


def stones(observed: Observation) -> int:
    return sum(max(sight) != sight[0] for sight in observed.points)


@pytest.mark.slow
def test_a_still_table_is_observed_and_a_hand_not_at_all(table):
    observer = BoardTracker(TrackerConfig())
    still, hand = Scene(EMPTY), Scene(ONE, hand=Hand((0.5, 0.5), "bottom", 1.0))
    before = [o for o in observe_scenes(observer, table, [still] * 8) if o is not None]
    assert [stones(o) for o in before] == [0]
    assert [o for o in observe_scenes(observer, table, [hand] * 8, 8) if o is not None] == []
    after = [o for o in observe_scenes(observer, table, [Scene(ONE)] * 8, 16) if o is not None]
    assert {stones(o) for o in after} == {1}


def sway_picture(picture: np.ndarray, across: float, down: float) -> np.ndarray:
    """As a camera sees it that has moved by so many pixels."""
    matrix = np.array([[1, 0, across], [0, 1, down]], np.float32)
    size = (picture.shape[1], picture.shape[0])
    return cv2.warpAffine(picture, matrix, size, flags=cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE)


@LONG
@pytest.mark.parametrize("beats", sample([2.3, 3.7, 5.1, 7.9], 1))
def test_a_stone_slammed_under_an_arm_that_swings_is_read_in_time(beats):
    """The camera's arm swings by five pixels when the stone is put down, so many times a second, and hardly rests."""
    table, lines = club_table(5, 19), "." * 19
    other = ("...O" + lines[4:], *(lines,) * 8)
    start, placed = (*(lines,) * 10, *other), (*(lines,) * 9, "....X" + lines[5:], *other)
    observer = BoardTracker(TrackerConfig())
    before, hand = Scene(start), Scene(placed, hand=Hand((0.5, 0.5), "bottom", 1.0))
    observe_scenes(observer, table, [before] * 8)
    observe_scenes(observer, table, [hand] * 6, 8)
    seconds = None
    for k in range(14, 44):
        after = (k - 14) / RATE
        swing = 5 * np.exp(-after / 1.5) * np.sin(2 * np.pi * beats * after)
        picture = sway_picture(shot(table, Scene(placed), k).pixels, swing, 0.5 * swing)
        observation = observer.see(Frame(picture, k / RATE))
        if observation is not None and seconds is None and stones(observation) == 2:
            seconds = after
    assert seconds is not None and seconds <= 2.0


@LONG
def test_a_still_table_is_read_again_after_a_while(table):
    observer = BoardTracker(TrackerConfig())
    looks = [o for o in observe_scenes(observer, table, [Scene(ONE)] * 40) if o is not None]
    assert 2 <= len(looks) <= 4 and {stones(o) for o in looks} == {1}


@LONG
def test_of_jpegs_only_those_that_are_read_are_decoded_in_colour(table):
    scenes = [Scene(EMPTY)] * 25 + [Scene(ONE, hand=Hand((0.5, 0.5), "top", 1.0))] * 8 + [Scene(ONE)] * 8
    jpegs = [jpeg(shot(table, scene, frame).pixels) for frame, scene in enumerate(scenes)]
    pictures = [JpegPicture(data) for data in jpegs]
    colours = [JpegPicture(data).pixels for data in jpegs]
    lazy, eager, healths = (
        BoardTracker(TrackerConfig()),
        BoardTracker(TrackerConfig()),
        [FrameHealthMonitor() for _ in "12"],
    )
    looks = []
    for frame, (picture, pixels) in enumerate(zip(pictures, colours, strict=True)):
        assert [
            health.judge_frame(Frame(one, frame / 10)).well
            for health, one in zip(healths, (picture, pixels), strict=True)
        ]
        now, then = lazy.see(Frame(picture, frame / 10)), eager.see(Frame(pixels, frame / 10))
        assert now == then
        looks += [now] if now else []
    assert [stones(look) for look in (looks[0], looks[-1])] == [0, 1]
    decoded = [frame for frame, picture in enumerate(pictures) if "pixels" in vars(picture)]
    assert len(decoded) <= 8, decoded


def test_each_still_is_a_look_but_for_one_with_a_hand(table):
    observer = BoardTracker(TrackerConfig(stills=True))
    scenes = [Scene(EMPTY), Scene(ONE, hand=Hand((0.5, 0.5), "bottom", 1.0)), Scene(ONE)]
    assert [o and stones(o) for o in observe_scenes(observer, table, scenes)] == [0, None, 1]


@pytest.mark.slow
def test_what_lies_alike_over_the_edge_in_two_stills_is_no_hand(table):
    """A fan is put down, its handle between two lines: the still in which it comes is held back, the next is a look."""
    observer = BoardTracker(TrackerConfig(stills=True))
    pictures = [shot(table, Scene(rows), k).pixels.copy() for k, rows in enumerate((EMPTY, ONE, ONE))]
    (x, y), (end, _), *_ = shot(table, Scene(EMPTY)).truth.grid.corners
    cell = (end - x) / 8
    for picture in pictures[1:]:
        for left, right, top, low in ((2.0, 7.0, -2.0, -0.5), (2.25, 2.75, -0.6, 3.0)):
            picture[max(0, int(y + top * cell)) : int(y + low * cell), int(x + left * cell) : int(x + right * cell)] = (
                60
            )
    assert [(o := observer.see(Frame(p, float(k)))) and stones(o) for k, p in enumerate(pictures)] == [0, None, 1]


@pytest.mark.slow
def test_a_board_moved_away_is_found_again(table):
    observer = BoardTracker(TrackerConfig())
    assert any(observe_scenes(observer, table, [Scene(ONE)] * 8))
    pictures = [np.roll(shot(table, Scene(ONE), k).pixels, 90, axis=1) for k in range(60)]
    looks = [observer.see(Frame(pixels, 1 + k / RATE)) for k, pixels in enumerate(pictures)]
    first = next(k for k, look in enumerate(looks) if look is not None)
    assert first / RATE < 1.0 and stones(looks[first]) == 1


def scatter_stones(seed: int, count: int) -> tuple[str, ...]:
    """So many stones of both colours on 19 lines."""
    points = ["."] * 361
    for turn, point in enumerate(np.random.default_rng(seed).permutation(361)[:count]):
        points[point] = "XO"[turn % 2]
    return tuple("".join(points[row : row + 19]) for row in range(0, 361, 19))


def noisy(picture: np.ndarray) -> list[np.ndarray]:
    """NOISES pictures of the same, each with noise of its own."""
    noises = (np.random.default_rng(k).normal(0, 2, picture.shape) for k in range(NOISES))
    return [np.clip(picture + noise, 0, 255).astype(np.uint8) for noise in noises]


@cache
def two_boards(many: int = 60, others: int = 80) -> np.ndarray:
    """An own board with so many stones on the left, and a neighbour's on the right."""
    own, other = (club_table(seed, 19, 800, 720) for seed in (7, 27))
    return np.hstack(
        [shot(own, Scene(scatter_stones(7, many))).pixels, shot(other, Scene(scatter_stones(16, others))).pixels]
    )


def hidden(both: np.ndarray) -> np.ndarray:
    """The same with a player who leans over the own board."""
    return cv2.ellipse(both.copy(), (400, 360), (336, 432), 0, 0, 360, (60, 45, 40), -1)


OWN = Calibration(View(club_look(7, 19, 800, 720)).grid)


@pytest.mark.long
@pytest.mark.parametrize(("many", "others"), sample([(3, 0), (4, 2), (0, 0), (60, 80)], 1))
def test_a_neighbour_s_board_is_not_taken_for_the_own_one_that_is_hidden(many, others):
    """A player leans over the own board for a while; another of the same size lies beside it. With few stones they look
    alike."""
    clear, covered = noisy(two_boards(many, others)), noisy(hidden(two_boards(many, others)))
    observer = BoardTracker(TrackerConfig(size=19, last=OWN))
    observations: list[Observation] = []
    last = 80 if is_long_run() else 40
    for k in range(10, last + 15):
        picture = (covered if 20 <= k < last else clear)[k % NOISES]
        observation = observer.see(Frame(picture, k / RATE))
        observations += [observation] if observation is not None else []
    assert {stones(observation) for observation in observations} == {many}
    assert observations[-1].t > last / RATE and observer.grid is not None and observer.grid.corners[0][0] < 800


@pytest.mark.long
def test_a_new_tracker_waits_for_its_own_hidden_board():
    """The own board's place is known, its stones are not; the neighbour's board is plain in view for three seconds."""
    clear, covered = two_boards(), hidden(two_boards())
    observer = BoardTracker(TrackerConfig(size=19, last=OWN))
    observations = [observer.see(Frame(covered if k < 30 else clear, k / RATE)) for k in range(50)]
    assert {stones(observation) for observation in observations if observation is not None} == {60}
    assert observations[-1] is not None or observer.standing is not None


@pytest.mark.long
def test_a_board_found_in_a_swing_is_not_sought_at_the_neighbour_s():
    """A player leans over it before the camera rests."""
    swinging, clear, covered = sway_picture(two_boards(), 6.0, 0), two_boards(), hidden(two_boards())
    observer = BoardTracker(TrackerConfig(size=19, last=OWN))
    pictures = [swinging] + 30 * [covered] + 20 * [clear]
    observations = [observer.see(Frame(picture, k / RATE)) for k, picture in enumerate(pictures)]
    assert {stones(observation) for observation in observations if observation is not None} == {60}
    assert observer.grid is not None and observer.grid.corners[0][0] < 800


@LONG
def test_a_board_that_was_carried_elsewhere_is_found_there_in_the_end():
    """Nothing like it lies where it lay: after a while the one in view is taken for it."""
    covered = hidden(two_boards())
    observer = BoardTracker(TrackerConfig(size=19, last=OWN))
    observations = [observer.see(Frame(covered, k / RATE)) for k in range(round((HOME_ONLY_S + 3) * RATE))]
    assert {stones(observation) for observation in observations if observation is not None} == {80}


@LONG
def test_a_board_that_is_clear_only_for_moments_is_read_in_the_end():
    """Eight stones are captured; a cup comes and goes at the edge, each time pushing the camera aside."""
    table, rows = club_table(7, 19), scatter_stones(7, 120)
    after = tuple(row[:8] + "....." + row[13:] if 7 <= nth < 13 else row for nth, row in enumerate(rows))
    grid = table.view.grid
    edge = (np.array(grid.corners[0]) + np.array(grid.corners[3])) / 2 - (1.5 * grid.cell(), 0)
    observer, observations = BoardTracker(TrackerConfig()), []
    for k in range(80):
        pixels = shot(table, Scene(rows if k < 8 else after), k).pixels
        if k >= 8 and (k - 8) % 13 >= 5:
            cup = cv2.circle(
                pixels.copy(), np.rint(edge).astype(int).tolist(), int(2.2 * grid.cell()), (40, 50, 160), -1
            )
            pixels = sway_picture(cup, 6, 0)
        observations.append(observer.see(Frame(pixels, k / RATE)))
    left = sum(row.count("X") + row.count("O") for row in after)
    assert [stones(observation) for observation in observations if observation is not None][-1] == left


def test_a_picture_without_a_board_is_no_look():
    observer = BoardTracker(TrackerConfig(stills=True))
    assert observer.see(Frame(np.full((400, 500, 3), 99, np.uint8), 0.0)) is None
    assert observer.grid is None


def test_a_given_calibration_is_used_as_it_is(table):
    truth = shot(table, Scene(ONE)).truth
    boxes = tuple(lid.box for lid in truth.lids)
    observer = BoardTracker(TrackerConfig(stills=True, calibration=Calibration(truth.grid, boxes)))
    (look,) = observe_scenes(observer, table, [Scene(ONE)])
    assert observer.grid == truth.grid and look is not None and len(look.lids) == 2


PLACES = (
    (-0.282, -0.188),
    (0.061, -0.188),
    (-0.113, 0.108),
    (0.235, 0.108),
    (0.061, 0.404),
    (-0.456, 0.108),
    (0.404, -0.188),
    (-0.282, 0.404),
    (-0.113, -0.470),
    (0.235, -0.470),
)
TOUCHING = tuple(
    LidStone(x, y, 0, colour) for (x, y), colour in zip(PLACES, cycle((Colour.BLACK, Colour.BLACK, Colour.WHITE)))
)
"""The net alone is sure of the first four, and of no more."""


def with_lid(count: int, hand: Hand | None = None) -> Scene:
    return Scene(EMPTY, (TOUCHING[:count], ()), hand)


def upper_lid_counts(look: Observation) -> list[tuple[int, int, bool]]:
    """Return the observations of the upper lid."""
    return [(lid.black, lid.white, lid.sure) for lid in look.lids[:1]]


@LONG
def test_a_lid_that_was_counted_stays_counted_while_stones_come(table):
    observer, last = BoardTracker(TrackerConfig()), None
    hand, start = Hand(table.lid_point(0), "top", 1.0), len(observe_scenes(observer, table, [with_lid(0)] * 8))
    steps = ((1, (1, 0)), (2, (2, 0)), (3, (2, 1)), (4, (3, 1)), (5, (4, 1)), (4, (3, 1)))
    for count, sights in steps if is_long_run() else steps[2:]:
        looks = observe_scenes(observer, table, [with_lid(count, hand)] * 2 + [with_lid(count)] * 6, start)
        start, last = start + len(looks), next(look for look in looks if look is not None)
        assert upper_lid_counts(last) == [(*sights, True)]
    assert last is not None and (last.lids[0].black_range, last.lids[0].white_range) == ((3, 3), (1, 1))


@pytest.mark.slow
def test_a_hand_over_a_lid_is_not_taken_for_the_lid(table):
    hand, observer = Hand(table.lid_point(0), "top", 1.0), BoardTracker(TrackerConfig(stills=True))
    looks = observe_scenes(observer, table, [with_lid(2, hand)] * 2 + [with_lid(2)] * 6)
    assert [upper_lid_counts(look) for look in looks if look is not None][-1] == [(2, 0, True)]


@pytest.mark.slow
def test_a_lid_that_is_first_seen_with_stones_that_touch_is_not_sure(table):
    looks = [
        look for look in observe_scenes(BoardTracker(TrackerConfig()), table, [with_lid(5)] * 8) if look is not None
    ]
    assert [upper_lid_counts(look) for look in looks] == [[(4, 1, False)]]


@pytest.mark.slow
def test_what_is_remembered_of_a_lid_is_forgotten_when_its_box_moves(table):
    observer = BoardTracker(TrackerConfig(stills=True))
    assert [upper_lid_counts(look) for look in observe_scenes(observer, table, [with_lid(4), with_lid(5)]) if look] == [
        [(3, 1, True)],
        [(4, 1, True)],
    ]
    moved = np.roll(shot(table, with_lid(6), 2).pixels, 90, axis=1)
    look = observer.see(Frame(moved, 2 / RATE))
    assert look is not None and upper_lid_counts(look) == [(4, 2, False)]


@LONG
def test_a_still_that_was_only_deduced_is_not_remembered(table):
    """More stones than can be deduced from the last still that the net is sure of, though they come one by one."""
    stills, observer = (
        [with_lid(count) for count in range(2, len(TOUCHING) + 1)],
        BoardTracker(TrackerConfig(stills=True)),
    )
    together = [upper_lid_counts(look)[0][2] for look in observe_scenes(observer, table, stills) if look]
    each = [
        observe_scenes(BoardTracker(TrackerConfig(stills=True, last=observer.place)), table, [still])[0]
        for still in stills
    ]
    alone = [upper_lid_counts(look)[0][2] for look in each if look]
    plain = alone.index(False)
    assert not any(alone[plain:]) and all(together[: plain + 1])
    assert not all(together) and not together[-1]


GRID = Grid(9, ((40.0, 40.0), (360.0, 40.0), (360.0, 360.0), (40.0, 360.0)))
BOX = Box(380, 100, 90, 90)


def reading(stone: float, black: int = 0, sure: bool = True) -> Reading:
    """An empty board but for E5, black with that probability, and one lid."""
    probabilities = np.tile(np.float32([1, 0, 0]), (9, 9, 1))
    probabilities[4, 4] = [1 - stone, stone, 0]
    span = (black, black) if sure else (black - 1, black + 1)
    return Reading(GRID, probabilities, (LidReading(BOX, black, 0, span, (0, 0), sure),))


def between(stone: float, off: float) -> Reading:
    """The same with the stone so far to the right of E5."""
    offsets = np.zeros((9, 9, 2), np.float32)
    offsets[4, 4] = off, 0
    return replace(reading(stone), offsets=offsets)


def test_looks_at_a_stone_between_points_agree_whichever_is_the_likelier():
    consensus = Consensus()
    assert consensus.add(between(0.55, 0.5)) is None
    agreed = consensus.add(between(0.5, 0.48))
    assert agreed is not None and agreed.between() == (OffGridStone(40, 41),)
    assert agreed.to_observation(Frame(np.zeros((1, 1, 3), np.uint8), 0.0)).between == agreed.between()
    assert Consensus().add(between(0.55, 0.0)) is None and not between(0.55, 0.0).is_like(between(0.45, 0.0))


def test_movement_makes_earlier_looks_forgotten():
    consensus = Consensus()
    consensus.add(reading(0.8))
    consensus.forget()
    assert consensus.add(reading(0.8)) is None


def test_a_reading_says_what_it_shows_and_doubts():
    board_reading = reading(0.6, black=2)
    assert board_reading.rows()[4] == "....X...."
    assert [(board_reading.name(doubt.point), round(doubt.p, 2)) for doubt in board_reading.doubtful()] == [("E5", 0.6)]
    observed = board_reading.to_observation(Frame(np.zeros((400, 500, 3), np.uint8), 7.5, "look.png"))
    assert isinstance(observed, Observation) and (observed.t, observed.name) == (7.5, "look.png")
    assert len(observed.points) == 81 and observed.lids[0].black == 2


@pytest.mark.slow
@pytest.mark.parametrize("away", sample([70.0, 12.0, 20.0, 40.0], 1))
def test_a_board_found_while_the_camera_swings_is_found_again_at_rest(table, away):
    """The first picture shows it elsewhere than it lies; what is read once it rests is where it rests."""
    observer, rows = BoardTracker(TrackerConfig()), ("XO.......", "OX.......", *EMPTY[2:7], ".......X.", "........O")
    observations = []
    for k in range(40):
        swing = away * np.exp(-k / 5) * np.cos(1.3 * k) if k < 25 else 0.0
        pixels = sway_picture(shot(table, Scene(rows), k).pixels, swing, swing / 2)
        observations.append(observer.see(Frame(pixels, k / RATE)))
    read = [one for one in observations if one is not None]
    assert read, "it is read at last"
    for one in read:
        wrong = [
            point
            for point, (chances, here) in enumerate(zip(one.points, "".join(rows), strict=True))
            if max(chances) >= 0.9 and ".XO"[chances.index(max(chances))] != here
        ]
        assert wrong == []


@pytest.mark.slow
def test_a_false_lid_never_keeps_the_board_from_being_read(table):
    """A clock whose figures run was found beside the board as a lid; nothing was read for a minute of a long game."""
    first = BoardTracker(TrackerConfig())
    observe_scenes(first, table, [Scene(EMPTY)] * 8)
    assert first.place is not None
    grid = first.place.grid
    (x, y), _ = grid.corners[0], None
    wide = 3.0 * grid.cell()
    clock = Box(x - 2.0 * wide, y + grid.cell(), wide, wide)
    observer = BoardTracker(TrackerConfig(last=replace(first.place, lids=(first.place.lids[0], clock))))
    seconds = None
    for k in range(60):
        picture = shot(table, Scene(EMPTY if k < 20 else ONE), k).pixels.copy()
        cv2.rectangle(
            picture, (int(clock.x), int(clock.y)), (int(clock.x + wide), int(clock.y + wide)), (40, 38, 36), -1
        )
        place = (int(clock.x), int(clock.y + 0.6 * wide))
        cv2.putText(picture, f"{k % 10}{7 * k % 10}", place, 0, wide / 45, (150, 230, 150), 5, cv2.LINE_AA)
        observation = observer.see(Frame(picture, k / RATE))
        if observation is not None and seconds is None and stones(observation) == 1:
            seconds = (k - 20) / RATE
            assert [lid.sure for lid in observation.lids or ()][1:] in ([], [False])
            break
    assert seconds is not None and seconds <= 1.0


@LONG
def test_a_board_found_while_stones_are_placed_quickly_is_read():
    """Between two hands there is hardly a second: less than it takes to find a board and to see that it rests."""
    table, observer, t, observations = club_table(6, 9), BoardTracker(TrackerConfig(lids=False)), 0.0, []
    rows = [["."] * 9 for _ in range(9)]
    for number in range(4):
        scene = Scene(tuple(map("".join, rows)))
        hands = [Scene(scene.rows, hand=Hand((0.5, 0.5), "top", reach)) for reach in (0.3, 0.6, 0.9, 1.0)]
        for frame, shown_scene in enumerate([*[scene] * (6 if number else 2), *hands]):
            observations.append(observer.see(Frame(shot(table, shown_scene, frame).pixels, t, "")))
            t += 0.1
        rows[number][2 * number % 9] = "XO"[number % 2]
    assert any(look is not None for look in observations)
