"""A blitz on a drawn table, with hands over the board but for a fifth of a second between two moves; single frames."""

from __future__ import annotations

import cv2
import numpy as np
import pytest

from referee.game.board import Colour
from referee.game.observation import Observation
from tests.support.vision.tables import club_table, shot
from vision.calibration.model import Grid
from vision.camera.frame import Frame
from vision.render.scene import Hand, Scene, lid_stone
from vision.tracking.glimpses import Glimpses, UnconfirmedStone
from vision.tracking.motion import CELL, MARGIN, View, view_side
from vision.tracking.reading import Reading
from vision.tracking.tracker import BoardTracker, TrackerConfig

pytestmark = pytest.mark.usefixtures("lone_board")

EMPTY = ("." * 9,) * 9
POINTS = ((4, 4), (2, 6), (6, 2), (6, 6))
REST_S = 0.8
STONE_IN_LID = (lid_stone((), Colour.BLACK, np.random.default_rng(1)),)


def with_stones(count: int) -> tuple[str, ...]:
    """The first so many of four stones."""
    rows = [list(row) for row in EMPTY]
    for turn, (row, column) in enumerate(POINTS[:count]):
        rows[row][column] = "XO"[turn % 2]
    return tuple(map("".join, rows))


def hand_at(point: tuple[int, int], reach: float = 1.0) -> Hand:
    """A hand from below at a point."""
    return Hand(((point[1]) / 8, (point[0]) / 8), "bottom", reach)


def watch(rate: int, scenes: list[Scene], observer: BoardTracker, start: int = 0) -> list[Observation]:
    table = club_table(3, 9)
    observations = (
        observer.see(Frame(shot(table, scene, k).pixels, k / rate)) for k, scene in enumerate(scenes, start=start)
    )
    return [look for look in observations if look is not None]


def count_stones(look: Observation) -> int:
    return sum(max(sight) != sight[0] for sight in look.points)


@pytest.mark.slow
@pytest.mark.parametrize("rate", [10, 30])
def test_each_stone_of_a_blitz_is_told_before_the_next_hand_comes(rate):
    """Four moves within two seconds: 0.3 s of a hand, 0.2 s without."""
    observer = BoardTracker(TrackerConfig())
    before = [Scene(EMPTY)] * round(REST_S * rate)
    assert watch(rate, before, observer)
    number = len(before)
    for turn, point in enumerate(POINTS, 1):
        hands = [Scene(with_stones(turn), hand=hand_at(point))] * round(0.3 * rate)
        bare = [Scene(with_stones(turn))] * round(0.2 * rate)
        assert watch(rate, hands, observer, number) == []
        observations = watch(rate, bare, observer, number + len(hands))
        assert [count_stones(look) for look in observations] == [turn]
        number += len(hands) + len(bare)


@pytest.mark.slow
def test_a_stone_is_unconfirmed_until_a_second_frame_shows_it():
    observer, before, rows = BoardTracker(TrackerConfig()), [Scene(EMPTY)] * 8, with_stones(1)
    watch(10, before, observer)
    film = [Scene(rows, hand=hand_at(POINTS[0]))] * 3 + [Scene(rows)] * 2
    marks, observations = list[UnconfirmedStone | None](), list[Observation]()
    for number, scene in enumerate(film, len(before)):
        observations += watch(10, [scene], observer, number)
        marks.append(observer.unconfirmed_stone)
    assert marks == [None, None, None, UnconfirmedStone(Colour.BLACK, 40, 9), None]
    assert [(count_stones(look), look.t) for look in observations] == [(1, 1.2)]


def watch_swaying(scenes: list[Scene], observer: BoardTracker, start: int) -> list[Observation]:
    """Watch through a camera that has swayed by a pixel and a half: no lid looks just as it did."""
    table, moved = club_table(3, 9), np.float32([[1, 0, 1.5], [0, 1, 1.0]])
    pictures = (shot(table, scene, k).pixels for k, scene in enumerate(scenes, start))
    swayed = (
        cv2.warpAffine(pixels, moved, pixels.shape[1::-1], borderMode=cv2.BORDER_REPLICATE) for pixels in pictures
    )
    seen = (observer.see(Frame(np.asarray(pixels, np.uint8), k / 10)) for k, pixels in enumerate(swayed, start))
    return [look for look in seen if look is not None]


@pytest.mark.slow
@pytest.mark.parametrize("lids", [((), ()), (STONE_IN_LID, ())], ids=["lids as they were", "a stone came into one"])
def test_a_swaying_camera_keeps_no_stone_of_a_blitz_back(lids):
    observer, before = BoardTracker(TrackerConfig()), [Scene(EMPTY)] * round(REST_S * 10)
    (look,) = watch(10, before, observer)
    assert [lid.sure for lid in look.lids] == [True, True]
    hand, bare = Scene(with_stones(1), hand=hand_at(POINTS[0])), Scene(with_stones(1), lids)
    told = watch_swaying([hand, hand, hand, bare, bare], observer, len(before))
    assert [(count_stones(look), look.lids[0].black) for look in told] == ([] if any(lids) else [(1, 0)])


GRID = Grid(9, ((40.0, 40.0), (360.0, 40.0), (360.0, 360.0), (40.0, 360.0)))


def reading(*stones: tuple[int, int], sure: float = 0.999, doubts: tuple[tuple[int, int], ...] = ()) -> Reading:
    """A board with these black stones, the last of them read with that probability, and empty points in doubt."""
    probabilities = np.tile(np.float32([1, 0, 0]), (9, 9, 1))
    for row, column in stones:
        probabilities[row, column] = 0, 1, 0
    if stones:
        probabilities[stones[-1]] = 1 - sure, sure, 0
    for point in doubts:
        probabilities[point] = 0.9, 0.1, 0
    return Reading(GRID, probabilities)


def view(*spots: tuple[float, float], radius: float = 0.5, shade: float = 0.0, aside: float = 1.0) -> View:
    """The view of an empty board with dark spots, by row and column, and a shade of so many levels beside them."""
    drawn = np.random.default_rng(1).normal(0, 3, (view_side(9),) * 2).astype(np.float32)
    for line in range(9):
        at = (line + MARGIN) * CELL
        drawn[at, MARGIN * CELL : -MARGIN * CELL] -= 40
        drawn[MARGIN * CELL : -MARGIN * CELL, at] -= 40
    for row, column in spots:
        shadow = np.zeros(drawn.shape, np.uint8)
        cv2.circle(shadow, (round((column + aside + MARGIN) * CELL), round((row + MARGIN) * CELL)), CELL // 2, 1, -1)
        drawn[shadow > 0] -= shade
        middle = round((column + MARGIN) * CELL), round((row + MARGIN) * CELL)
        cv2.circle(drawn, middle, round(radius * CELL), -90.0, -1)
    return drawn


def glance(shown: View, now: Reading, before: Reading, accepted: View, times: tuple[float, ...] = (0.0, 0.1)) -> bool:
    """True if the same frame at these times is believed."""
    glimpses, has_agreed = Glimpses(), False
    for t in times:
        if glimpses.may_show_stones(shown, accepted, t):
            has_agreed |= glimpses.find_agreement(shown, accepted, now, before) is not None
    return has_agreed


ONE = ((4, 4),)


def test_a_stone_that_two_frames_show_is_believed() -> None:
    assert glance(view(*ONE), reading(*ONE), reading(), view())


@pytest.mark.parametrize(
    ("shown", "now", "before", "accepted"),
    [
        (view(), reading(), reading(*ONE), view(*ONE)),
        (view(*ONE), reading(*ONE, sure=0.6), reading(), view()),
        (view(*ONE, (2, 6)), reading(*ONE), reading(), view()),
        (view((0, 4), (-1, 4), (-2, 4), radius=0.7), reading((0, 4)), reading(), view()),
        (view(), reading(), reading(), view()),
    ],
    ids=["a stone went", "a doubtful one", "what no stone explains", "what comes in from outside", "nothing"],
)
def test_anything_else_waits_until_the_board_rests(shown: View, now: Reading, before: Reading, accepted: View) -> None:
    assert not glance(shown, now, before, accepted)


def test_a_stone_that_changes_no_more_than_noise_is_believed() -> None:
    assert glance(view(), reading(*ONE), reading(), view())


def test_the_shadow_of_a_stone_in_slanting_light_is_believed() -> None:
    assert glance(view(*ONE, shade=40), reading(*ONE), reading(), view())


@pytest.mark.parametrize(("shade", "aside"), [(80, 1.0), (-40, 1.0), (40, 2.0)], ids=["black", "light", "away from it"])
def test_what_is_no_shadow_waits(shade: float, aside: float) -> None:
    assert not glance(view(*ONE, shade=shade, aside=aside), reading(*ONE), reading(), view())


def test_a_doubt_where_nothing_has_changed_is_told() -> None:
    assert glance(view(*ONE), reading(*ONE, doubts=((8, 8),)), reading(), view())


def test_a_doubtful_stone_that_changes_nothing_waits() -> None:
    assert not glance(view(), reading(*ONE, sure=0.6), reading(), view())


@pytest.mark.parametrize("doubts", [((4, 5),), ((8, 8), (0, 0))], ids=["beside the stone", "too many"])
def test_doubts_that_a_hand_may_cause_wait(doubts: tuple[tuple[int, int], ...]) -> None:
    assert not glance(view(*ONE), reading(*ONE, doubts=doubts), reading(), view())


def test_a_doubt_that_outlasts_a_hand_is_no_hand() -> None:
    glimpses, hand, doubtful = Glimpses(), view((0, 4), (-1, 4), (-2, 4), radius=0.7), reading(*ONE, doubts=((4, 5),))
    agreements = []
    for t, shown in enumerate((view(*ONE), view(*ONE), hand, view(*ONE), view(*ONE))):
        if glimpses.may_show_stones(shown, view(), float(t)):
            agreements.append(glimpses.find_agreement(shown, view(), doubtful, reading()) is not None)
    assert agreements == [False, False, True]


@pytest.mark.parametrize("times", [(0.0,), (0.0, 0.03)], ids=["one frame", "two at once"])
def test_one_frame_alone_is_not_believed(times: tuple[float, ...]) -> None:
    assert not glance(view(*ONE), reading(*ONE), reading(), view(), times)


def test_a_hand_between_two_frames_makes_the_first_forgotten() -> None:
    glimpses, hand = Glimpses(), view((0, 4), (-1, 4), (-2, 4), radius=0.7)
    agreements = []
    for t, shown in enumerate((view(*ONE), hand, view(*ONE))):
        if glimpses.may_show_stones(shown, view(), float(t)):
            agreements.append(glimpses.find_agreement(shown, view(), reading(*ONE), reading()))
    assert agreements == [None, None]


HAND = view((0, 4), (-1, 4), (-2, 4), radius=0.7)
STONE = UnconfirmedStone(Colour.BLACK, 40, 9)


def marked_stones(frames: list[tuple[View, Reading]], before: Reading) -> list[UnconfirmedStone | None]:
    """Return the unconfirmed stone after each frame."""
    glimpses, stones = Glimpses(), list[UnconfirmedStone | None]()
    for t, (shown, now) in enumerate(frames):
        if glimpses.may_show_stones(shown, view(), float(t)):
            glimpses.find_agreement(shown, view(), now, before)
        stones.append(glimpses.unconfirmed_stone)
    return stones


def test_the_stone_of_a_single_frame_is_unconfirmed() -> None:
    assert marked_stones([(view(*ONE), reading(*ONE))], reading()) == [STONE]


@pytest.mark.parametrize(
    ("now", "before"),
    [
        (reading(*ONE, (2, 6)), reading()),
        (reading(*ONE, sure=0.9), reading(doubts=ONE)),
        (reading(), reading(*ONE)),
    ],
    ids=["two stones", "a doubtful one", "a stone went"],
)
def test_nothing_else_is_an_unconfirmed_stone(now: Reading, before: Reading) -> None:
    assert marked_stones([(view(*ONE), now)], before) == [None]


def test_an_unconfirmed_stone_stays_while_a_hand_hides_the_board() -> None:
    assert marked_stones([(view(*ONE), reading(*ONE)), (HAND, reading())], reading()) == [STONE, STONE]


def test_an_unconfirmed_stone_stays_when_another_comes_beneath_a_hand() -> None:
    first, second = (view(*ONE), reading(*ONE)), (view(*ONE, (2, 6)), reading((2, 6), *ONE, doubts=((2, 7),)))
    assert marked_stones([first, (HAND, reading()), second, second], reading()) == [STONE] * 4


def test_an_unconfirmed_stone_goes_with_a_frame_without_it() -> None:
    bare, stone = (view(), reading()), (view(*ONE), reading(*ONE))
    assert marked_stones([stone, bare], reading()) == [STONE, None]
    assert marked_stones([bare, stone, bare], reading()) == [None, STONE, None], "the last is like the first, not read"
