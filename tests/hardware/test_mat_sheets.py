"""The mat's sheets: everything fits, nothing overlaps, and cards laid as told put markers where they are looked for."""

from __future__ import annotations

from itertools import combinations

import cv2
import numpy as np
import pytest

from hardware.mat_sheets import A3, A4, EDITIONS, FIELDS, HOW, HOW_FIELDS, MARGIN, Sheet, build_sheets
from hardware.print_mat import CAPITAL
from vision.board import marker_layout
from vision.calibration.field_layout import LAYOUTS

ALL = [(edition, sheet) for edition in (*EDITIONS, FIELDS) for sheet in build_sheets(edition)]
each = pytest.mark.parametrize("sheet", [sheet for _, sheet in ALL], ids=[f"{e} {sheet.name}" for e, sheet in ALL])
DISC_EDGE = 102.0
"""The diameter at which a disc is cut out, mm."""
WIDE = 0.52
"""A letter of Helvetica's is so wide on average, as a share of the font's size."""


def inside(points: np.ndarray, sheet: Sheet, margin: float) -> bool:
    return bool((points >= margin).all() and (points <= np.array([sheet.width, sheet.height]) - margin).all())


@each
def test_all_that_is_printed_lies_10_mm_from_the_papers_edges(sheet):
    for marker in sheet.artwork.markers:
        assert inside(marker.corners, sheet, MARGIN)
    for circle in sheet.artwork.circles:
        assert inside(np.array([circle.x, circle.y]), sheet, MARGIN + circle.diameter / 2)
    for line in sheet.artwork.lines:
        assert inside(np.array([[line.x1, line.y1], [line.x2, line.y2]]), sheet, 0.0 if line.cut else MARGIN)
    for text in sheet.artwork.texts:
        half = len(text.words) * text.height / CAPITAL * WIDE / 2
        ends = np.array([[text.x - half, text.y], [text.x + half, text.y], [text.x, text.y - text.height]])
        assert inside(ends, sheet, MARGIN), text.words


@each
def test_the_papers_size_is_the_editions(sheet):
    assert (sheet.width, sheet.height) in (A3, A4)


@each
def test_every_marker_has_a_white_rim_of_a_square_of_its_own(sheet):
    for marker in sheet.artwork.markers:
        low, high = marker.corners[0] - marker.side / 6, marker.corners[2] + marker.side / 6
        for line in sheet.artwork.lines:
            ends = np.array([[line.x1, line.y1], [line.x2, line.y2]])
            assert (ends.max(axis=0) <= low).any() or (ends.min(axis=0) >= high).any()
        for circle in sheet.artwork.circles:
            middle = np.array([circle.x, circle.y])
            nearest = np.clip(middle, low, high)
            room = marker_layout.LARGEST_LID / 2 if circle.diameter == marker_layout.LID else circle.diameter / 2
            assert np.linalg.norm(nearest - middle) > room or circle.diameter == DISC_EDGE


@pytest.mark.parametrize("edition", EDITIONS)
def test_the_eight_markers_of_an_edition_are_all_different_and_upright(edition):
    ids = [marker.id for sheet in build_sheets(edition) for marker in sheet.artwork.markers]
    assert sorted(ids) == [4, 5, 6, 7, *marker_layout.MAT.ids]
    assert all(
        (marker_layout.marker_pattern(one) != marker_layout.marker_pattern(other)).any()
        for one, other in combinations(ids, 2)
    )
    for marker in ids:
        frame = marker_layout.marker_pattern(marker).copy()
        frame[1:-1, 1:-1] = True
        assert frame.all()


def test_every_field_has_markers_of_its_own():
    ids = [marker.id for sheet in build_sheets(FIELDS) for marker in sheet.artwork.markers]
    assert sorted(ids) == sorted(marker_layout.FIELD_IDS) and len(set(ids)) == 4 * len(LAYOUTS)
    assert not set(ids) & {*marker_layout.CORNER_IDS, *(marker for pair in marker_layout.LID_IDS for marker in pair)}


def test_no_two_circles_of_a_field_meet_but_in_their_lines():
    for layout in LAYOUTS:
        for one, other in combinations(layout.places, 2):
            assert np.hypot(one[0] - other[0], one[1] - other[1]) >= 24.0


@pytest.mark.parametrize("sheet", build_sheets(FIELDS), ids=[sheet.name for sheet in build_sheets(FIELDS)])
def test_every_sheet_of_fields_has_instructions_and_a_ruler_line(sheet):
    assert [text.words for text in sheet.artwork.texts[-len(HOW_FIELDS) :]] == list(HOW_FIELDS)
    assert any(line.x2 - line.x1 == 100 and not line.cut for line in sheet.artwork.lines)


def test_an_earlier_mats_corners_are_told_from_this_ones():
    assert not set(marker_layout.EARLIER.ids) & {*marker_layout.MAT.ids, 4, 5, 6, 7}


@pytest.mark.parametrize("edition", EDITIONS)
def test_a_board_in_the_angles_has_its_markers_where_expected(edition):
    sheet = build_sheets(edition)[0]
    width, height = 396.0, 426.6
    wood = np.array([[0, 0], [1, 0], [1, 1], [0, 1]]) * [width, height]
    outward = np.array([[-1, -1], [1, -1], [1, 1], [-1, 1]]) * marker_layout.WOOD
    angles = [(line.x1, line.y1) for line in sheet.artwork.lines if not line.cut][::2]
    for marker, angle, corner in zip(sheet.artwork.markers, angles, wood + outward, strict=True):
        corners = marker.corners - np.array(angle) + corner
        assert np.allclose(corners, marker_layout.corner_marker(marker.id, width, height))


def test_both_editions_look_the_same_under_a_board():
    """The parts that look out, to the side and up or down: the larger paper is larger under the board alone."""
    for marker in marker_layout.MAT.ids:
        outlines = []
        for paper in EDITIONS.values():
            card = marker_layout.corner_card(marker, paper[0] / 2, paper[1] / 2)
            (drawn_marker,) = card.artwork.markers
            outermost = np.array([card.width, card.height]) * (
                marker_layout.OUTWARD[marker_layout.corner_index(marker)] > 0
            )
            outlines.append(np.vstack([outermost, drawn_marker.corners]) - card.anchor)
        assert np.allclose(*outlines)


@pytest.mark.parametrize("edition", EDITIONS)
def test_a_lids_circle_lies_between_its_markers(edition):
    pictures = [sheet.artwork for sheet in build_sheets(edition)]
    places = {marker.id: marker.corners for one in pictures for marker in one.markers}
    circles = [circle for one in pictures for circle in one.circles]
    for pair, circle in zip(marker_layout.LID_IDS, circles, strict=True):
        for marker in pair:
            assert np.allclose(places[marker] - np.array([circle.x, circle.y]), marker_layout.lid_marker(marker))
        assert places[pair[0]][:, 0].max() < circle.x < places[pair[1]][:, 0].min()


@pytest.mark.parametrize("edition", EDITIONS)
def test_every_sheet_with_lids_has_instructions_and_a_ruler_line(edition):
    for sheet in build_sheets(edition)[1:]:
        assert [text.words for text in sheet.artwork.texts[-len(HOW) :]] == list(HOW)
        assert any(line.x2 - line.x1 == 100 and not line.cut for line in sheet.artwork.lines)


@each
def test_the_drawn_markers_are_read_as_what_they_are(sheet):
    # 3 pixels a millimetre.
    page = np.full((int(sheet.height) * 3, int(sheet.width) * 3), 255, np.uint8)
    for marker in sheet.artwork.markers:
        side = int(marker.side) * 3
        x, y = round(marker.x * 3), round(marker.y * 3)
        squares = np.where(marker_layout.marker_pattern(marker.id), 0, 255).astype(np.uint8)
        page[y : y + side, x : x + side] = cv2.resize(squares, (side, side), interpolation=cv2.INTER_NEAREST)
    finder = cv2.aruco.ArucoDetector(cv2.aruco.getPredefinedDictionary(marker_layout.DICTIONARY))
    corners, ids, _ = finder.detectMarkers(page)
    places = {marker.id: marker.corners for marker in sheet.artwork.markers}
    assert set(ids.ravel().tolist()) == set(places)
    for found_corners, marker in zip(corners, ids.ravel(), strict=True):
        assert np.abs(found_corners[0] / 3 - places[int(marker)]).max() < 1
