"""Lids on the mat's places: found through the markers beside them, to a millimetre where they have no height."""

from __future__ import annotations

from functools import cache
from math import cos, pi, sin

import cv2
import numpy as np
import pytest

from tests.support.tiers import sample
from tests.support.vision.mats import club_mat
from vision.board import lid_positions, marker_layout
from vision.board.lid_positions import lid_places, place_lids
from vision.board.markers import Markers, detect_markers
from vision.calibration.model import Box, Points, transform_points
from vision.camera.frame import Image
from vision.render.truth import Picture

ON_PLACE_CELLS, BESIDE_BOARD_CELLS = 0.12, 0.25
"""Tolerances: 2.6 mm for a lid on its place, whose rim lies above the mat; more for one found without the mat."""
TOLERANCE_MM, FAINT_TOLERANCE_MM = 1.2, 0.8
"""Tolerances for lids without height. On a blurred edge of high contrast several circles are equally plain."""

FLAT_PX_PER_MM = 4
TABLE, PAPER, DARK, FAINT, INK = 110, 225, 90, 190, 25
"""Grey levels: of the ground, the paper, two lids and what is printed."""
WIDTH, HEIGHT = 860, 420
"""The flat picture's pixels: 1.5 a mm."""

Lid = tuple[tuple[float, int, int], ...]
"""Discs, each covering the one before: radius in mm, grey level, degrees of the sector that is drawn."""
Offset = tuple[float, float]
"""A lid's centre from its place's, mm."""
CENTRE = (0.0, 0.0)


def box_at(place: Points, radius: float, offset: Offset = CENTRE) -> Box:
    """Return the box of a circle on a place.

    place: homography from mm around the place's centre to pixels
    radius, offset: mm
    """
    turns = np.linspace(0, 2 * pi, 360)
    ring = np.array(offset) + radius * np.stack([np.cos(turns), np.sin(turns)], axis=-1)
    return Box.enclose_points(transform_points(ring, place))


def assert_same(box: Box, true: Box, tolerance: float) -> None:
    """Compare the centres and radii of two boxes, in pixels."""
    assert np.abs(np.subtract(box.middle(), true.middle())).max() < tolerance
    assert np.abs(np.subtract((box.w, box.h), (true.w, true.h))).max() / 2 < tolerance


def assert_lids(boxes: tuple[Box, ...], picture: Picture, places: set[int]) -> None:
    """Compare boxes with the lids of sides 1 and 2 of a drawn table.

    places: the sides (0 and 1) whose lids are found on their places
    """
    for side, (box, lid) in enumerate(zip(boxes, picture.truth.lids, strict=True)):
        cells = ON_PLACE_CELLS if side in places else BESIDE_BOARD_CELLS
        assert_same(box, lid.box, cells * picture.truth.grid.cell())


def hide(picture: Picture, marker: int) -> Image:
    """Return the picture with white paper over a marker."""
    pixels = picture.pixels.copy()
    corners = np.rint(detect_markers(pixels)[marker]).astype(np.int32)
    cv2.fillConvexPoly(pixels, corners, (PAPER,) * 3)
    cv2.polylines(pixels, [corners], True, (PAPER,) * 3, 5)
    assert marker not in detect_markers(pixels)
    return pixels


def disc(radius: float, level: int, degrees: int = 360) -> tuple[float, int, int]:
    """Return a disc of a flat lid.

    radius: mm
    """
    return radius, level, degrees


def flat_places() -> tuple[Points, Points]:
    """Return the homographies of the two places of a flat picture, seen at an angle, the second turned."""
    camera = np.array([[1.5, 0.05, 200.0], [-0.04, 1.45, 190.0], [0.0001, 0.0003, 1.0]])
    turn = 0.5
    second = np.array([[cos(turn), -sin(turn), 270.0], [sin(turn), cos(turn), 20.0], [0, 0, 1]])
    return camera, camera @ second


@cache
def flat_picture(first: Lid, second: Lid, offsets: tuple[Offset, Offset] = (CENTRE, CENTRE)) -> Image:
    """Return the picture of both places with a lid without height on each, read-only."""
    picture = np.full((HEIGHT, WIDTH, 3), TABLE, np.uint8)
    from_card = np.array([[1 / FLAT_PX_PER_MM, 0, 0], [0, 1 / FLAT_PX_PER_MM, 0], [0, 0, 1]])
    to_middle = np.array([[1, 0, -marker_layout.LID_CARD[0] / 2], [0, 1, -marker_layout.LID_CARD[1] / 2], [0, 0, 1]])
    for side, (place, lid, offset) in enumerate(zip(flat_places(), (first, second), offsets, strict=True)):
        page = cv2.GaussianBlur(draw_card(side, lid, offset), (0, 0), FLAT_PX_PER_MM / 3)
        cv2.warpPerspective(
            cv2.cvtColor(page, cv2.COLOR_GRAY2BGR),
            place @ to_middle @ from_card,
            (WIDTH, HEIGHT),
            dst=picture,
            flags=cv2.INTER_LINEAR,
            borderMode=cv2.BORDER_TRANSPARENT,
        )
    picture.setflags(write=False)
    return picture


def draw_card(side: int, lid: Lid, offset: Offset) -> np.ndarray:
    """Draw the card of a lid's place from above, the lid upon it."""

    def pixels(*lengths: float) -> tuple[int, ...]:
        return tuple(round(length * FLAT_PX_PER_MM) for length in lengths)

    card = marker_layout.lid_card(side)
    page = np.full(pixels(card.height, card.width), PAPER, np.uint8)
    for marker in card.artwork.markers:
        squares = np.where(marker_layout.marker_pattern(marker.id), INK, PAPER).astype(np.uint8)
        wide, x, y = pixels(marker.side, marker.x, marker.y)
        page[y : y + wide, x : x + wide] = cv2.resize(squares, (wide, wide), interpolation=cv2.INTER_NEAREST)
    for line in card.artwork.lines:
        cv2.line(page, pixels(line.x1, line.y1), pixels(line.x2, line.y2), INK, *pixels(line.width))
    for circle in card.artwork.circles:
        cv2.circle(page, pixels(circle.x, circle.y), *pixels(circle.diameter / 2), INK, *pixels(circle.width))
    middle = pixels(card.anchor[0] + offset[0], card.anchor[1] + offset[1])
    for radius, level, degrees in lid:
        cv2.ellipse(page, middle, pixels(radius, radius), 0, 0, degrees, level, -1, cv2.LINE_AA)
    return page


def assert_flat(
    picture: Image, radii: Offset, offsets: tuple[Offset, Offset] = (CENTRE, CENTRE), tolerance: float = TOLERANCE_MM
) -> None:
    """Find the two lids of a flat picture, whose radii and offsets are these, in mm."""
    boxes = place_lids(picture, club_mat().truth.grid)
    for box, place, radius, offset in zip(boxes, flat_places(), radii, offsets, strict=True):
        pixels_per_mm = box_at(place, 1.0).w / 2
        assert_same(box, box_at(place, radius, offset), tolerance * pixels_per_mm)


def exact_markers() -> dict[int, Points]:
    """Return the corners of the four markers of a flat picture, in pixels."""
    return {
        marker: transform_points(marker_layout.lid_marker(marker), place)
        for place, pair in zip(flat_places(), marker_layout.LID_IDS, strict=True)
        for marker in pair
    }


def slipped_markers(marker: int, corner: int, slip: float) -> Markers:
    """Return the markers of a flat picture with one corner of one of them so many mm to the right."""
    place = flat_places()[[marker in pair for pair in marker_layout.LID_IDS].index(True)]
    corners = marker_layout.lid_marker(marker).copy()
    corners[corner, 0] += slip
    return {**exact_markers(), marker: transform_points(corners, place)}


@pytest.mark.parametrize("turn", [0.0, pi])
def test_lids_are_found_where_the_mat_has_their_places_each_on_its_side(turn):
    """Reading order would exchange those seen from the other side of the table."""
    picture = club_mat(turn)
    assert_lids(place_lids(picture.pixels, picture.truth.grid), picture, {0, 1})


@pytest.mark.parametrize("marker", sample([4, 5, 6, 7], 2))
def test_with_one_marker_hidden_both_lids_are_found_each_on_its_side(marker):
    picture = club_mat(pi)
    pixels = hide(picture, marker)
    visible = {1 - marker % 2}
    assert set(lid_places(pixels)) == visible
    assert_lids(place_lids(pixels, picture.truth.grid), picture, visible)


def test_lids_off_their_places_are_found_in_reading_order():
    picture = club_mat(pi)
    one, other = place_lids(picture.pixels, picture.truth.grid, {})
    assert_lids((other, one), picture, set())


@pytest.mark.parametrize(
    "radius", sample([marker_layout.SMALLEST_LID / 2, 50.0, 55.0, marker_layout.LARGEST_LID / 2, 66.0], 3)
)
@pytest.mark.parametrize(("level", "tolerance"), [(DARK, TOLERANCE_MM), (FAINT, FAINT_TOLERANCE_MM)])
def test_lids_of_all_widths_are_found_whatever_is_printed_around_them(radius, level, tolerance):
    other = 105.0 - radius if radius < 66.0 else 50.0
    assert_flat(flat_picture((disc(radius, level),), (disc(other, level),)), (radius, other), tolerance=tolerance)


@pytest.mark.parametrize(
    "offsets", [((12.0, 0.0), (0.0, -12.0)), ((-8.0, 8.0), (6.0, -10.0)), ((0.0, 16.0), (-10.0, 10.0))]
)
@pytest.mark.parametrize(("level", "tolerance"), [(DARK, TOLERANCE_MM), (FAINT, FAINT_TOLERANCE_MM)])
def test_lids_that_lie_off_the_centres_are_found(offsets, level, tolerance):
    picture = flat_picture((disc(52.0, level),), (disc(48.0, level),), offsets)
    assert_flat(picture, (52.0, 48.0), offsets, tolerance)


def test_lids_two_centimetres_off_the_centres_are_found():
    offsets = (0.0, -20.0), (20.0, 0.0)
    assert_flat(flat_picture((disc(52.0, DARK),), (disc(48.0, DARK),), offsets), (52.0, 48.0), offsets)


@pytest.mark.parametrize("exposure", [0.5, 0.15])
def test_lids_are_found_in_dim_light(exposure):
    picture = flat_picture((disc(58.0, FAINT),), (disc(47.0, DARK),))
    assert_flat((picture * exposure).astype(np.uint8), (58.0, 47.0))


@pytest.mark.parametrize("exposure", [1.0, 0.15])
def test_the_widest_of_the_plain_circles_is_the_rim(exposure):
    """The edge between its rim and its floor has more contrast than the edge between rim and paper."""
    first, second = (disc(58.0, 187), disc(50.0, 100)), (disc(60.0, 187), disc(46.0, 100))
    assert_flat((flat_picture(first, second) * exposure).astype(np.uint8), (58.0, 60.0))


def test_a_pale_ring_around_a_lid_is_not_its_rim():
    """A shadow, for example."""
    first, second = (disc(60.0, 197), disc(50.0, 80)), (disc(58.0, 197), disc(46.0, 80))
    assert_flat(flat_picture(first, second), (50.0, 46.0))


def test_half_a_circle_of_high_contrast_in_a_lid_is_not_its_rim():
    first, second = (disc(58.0, 185), disc(46.0, 10, 170)), (disc(60.0, 185), disc(45.0, 10, 170))
    assert_flat(flat_picture(first, second), (58.0, 60.0))


def test_a_place_is_the_homography_from_millimetres_to_pixels():
    picture = flat_picture((disc(55.0, DARK),), (disc(55.0, DARK),))
    around = np.array([[0.0, 0.0], [60.0, 0.0], [0.0, 60.0], [-60.0, -60.0]])
    for markers, tolerance in ((exact_markers(), 1e-3), (None, 1.0)):
        places = lid_places(picture, markers)
        assert list(places) == [0, 1]
        for side, place in enumerate(flat_places()):
            assert np.abs(transform_points(around, places[side]) - transform_points(around, place)).max() < tolerance


def test_markers_that_were_looked_for_are_not_looked_for_again():
    picture = club_mat()
    assert set(lid_places(picture.pixels)) == {0, 1}
    assert lid_places(picture.pixels, {}) == {}


@pytest.mark.parametrize(("missing", "sides"), [((4,), {1}), ((6,), {1}), ((5,), {0}), ((7,), {0}), ((4, 5), set())])
def test_a_place_of_which_one_marker_is_not_seen_is_none(missing, sides):
    markers = {marker: corners for marker, corners in exact_markers().items() if marker not in missing}
    assert set(lid_places(club_mat().pixels, markers)) == sides


@pytest.mark.parametrize(("marker", "corner"), [(4, 1), (4, 2), (7, 0)])
def test_markers_that_disagree_by_three_millimetres_are_no_place(marker, corner):
    """A corner pulled 6 mm aside pulls the place with it, which leaves 2.9 mm, and 6.8 mm leave 3.2 mm."""
    side = {4: 0, 7: 1}[marker]
    pixels = club_mat().pixels
    assert side in lid_places(pixels, slipped_markers(marker, corner, 6.0))
    assert set(lid_places(pixels, slipped_markers(marker, corner, 6.8))) == {1 - side}


def test_where_markers_disagree_both_lids_are_still_found_each_on_its_side():
    picture = club_mat(pi)
    markers = dict(detect_markers(picture.pixels))
    markers[4] = markers[4] + [40.0, 0.0]
    assert set(lid_places(picture.pixels, markers)) == {1}
    assert_lids(place_lids(picture.pixels, picture.truth.grid, markers), picture, {1})
    markers[5] = markers[5] + [0.0, 40.0]
    assert lid_places(picture.pixels, markers) == {}


def place_one(monkeypatch: pytest.MonkeyPatch, side: int, *shifts: float, alone: bool = False) -> list[float]:
    """Place the lids where one side's markers are seen; return how far the boxes lie from that lid, in its widths.

    shifts: of the lids that are found beside the board, likewise; these boxes are low, as of lids that are cut off
    """
    picture = flat_picture((disc(55.0, DARK),), (disc(55.0, DARK),))
    markers = {marker: corners for marker, corners in exact_markers().items() if marker in marker_layout.LID_IDS[side]}
    own = box_at(flat_places()[side], 55.0)
    low = 0.6 * own.h
    candidates = tuple(Box(own.x + shift * own.w, own.y + (own.h - low) / 2, own.w, low) for shift in shifts)
    monkeypatch.setattr(lid_positions, "find_lids", lambda image, grid: candidates)
    boxes = place_lids(picture, club_mat().truth.grid, markers, alone)
    return [round((box.middle()[0] - own.middle()[0]) / own.w, 1) for box in boxes]


@pytest.mark.parametrize("shifts", [(0.1, 3.0), (3.0, 0.1), (0.4, 3.0), (3.0,), (3.0, 4.0)])
def test_the_other_lid_is_the_first_found_that_is_not_the_one_on_its_place(monkeypatch, shifts):
    assert place_one(monkeypatch, 0, *shifts) == [0.0, 3.0]
    assert place_one(monkeypatch, 1, *shifts) == [3.0, 0.0]


def test_a_lid_more_than_half_a_width_away_is_another(monkeypatch):
    assert place_one(monkeypatch, 0, 0.6) == [0.0, 0.6]
    assert place_one(monkeypatch, 0, -0.6) == [0.0, -0.6]
    assert place_one(monkeypatch, 0, 0.4) == []


@pytest.mark.parametrize("shifts", [(), (0.1,)])
def test_a_single_lid_on_its_place_is_returned_only_if_asked_for(monkeypatch, shifts):
    assert place_one(monkeypatch, 0, *shifts) == []
    assert place_one(monkeypatch, 0, *shifts, alone=True) == list(shifts)


@pytest.mark.parametrize(("count", "alone", "most"), [(0, True, 0), (1, False, 0), (1, True, 1), (2, False, 2)])
def test_without_a_place_one_lid_is_given_only_to_who_asks_for_one_alone(monkeypatch, count, alone, most):
    picture = club_mat()
    candidates = tuple(lid.box for lid in picture.truth.lids)[:count]
    monkeypatch.setattr(lid_positions, "find_lids", lambda image, grid: candidates)
    boxes = place_lids(picture.pixels, picture.truth.grid, {}, **({"alone": True} if alone else {}))
    assert boxes == candidates[:most]
