"""The mat's sheets: everything fits, nothing overlaps, and cards laid as told put markers where they are looked for."""

from __future__ import annotations

from itertools import combinations

import cv2
import numpy as np
import pytest

from vision.board import mat


@pytest.mark.parametrize("sheet", mat.sheets(), ids=lambda sheet: sheet.name)
def test_everything_lies_on_the_paper_with_room_for_a_printers_margin(sheet):
    for marker in sheet.markers:
        assert marker.corners.min() >= 5 and (marker.corners <= np.array([sheet.width, sheet.height]) - 5).all()
    for circle in sheet.circles:
        assert circle.diameter / 2 <= min(circle.x, circle.y, sheet.width - circle.x, sheet.height - circle.y)
    for line in sheet.lines:
        assert 0 <= min(line.x1, line.x2) <= max(line.x1, line.x2) <= sheet.width
        assert 0 <= min(line.y1, line.y2) <= max(line.y1, line.y2) <= sheet.height


@pytest.mark.parametrize("sheet", mat.sheets(), ids=lambda sheet: sheet.name)
def test_every_marker_has_a_white_rim_of_a_square_of_its_own(sheet):
    rim = mat.SIDE / 6
    for marker in sheet.markers:
        low, high = marker.corners[0] - rim, marker.corners[2] + rim
        for line in sheet.lines:
            ends = np.array([[line.x1, line.y1], [line.x2, line.y2]])
            assert (ends.max(axis=0) <= low).any() or (ends.min(axis=0) >= high).any()
        for circle in sheet.circles:
            middle = np.array([circle.x, circle.y])
            nearest = np.clip(middle, low, high)
            assert np.linalg.norm(nearest - middle) > mat.LARGEST_LID / 2


def test_the_eight_markers_are_all_different_and_upright():
    ids = [marker.id for sheet in mat.sheets() for marker in sheet.markers]
    assert sorted(ids) == list(range(8))
    assert all((mat.pattern(one) != mat.pattern(other)).any() for one, other in combinations(ids, 2))
    for marker in ids:
        frame = mat.pattern(marker).copy()
        frame[1:-1, 1:-1] = True
        assert frame.all()


def test_a_board_laid_into_the_angles_has_its_markers_where_they_are_looked_for():
    sheet = mat.corners_sheet()
    width, height = 396.0, 426.6
    wood = np.array([[0, 0], [1, 0], [1, 1], [0, 1]]) * [width, height]
    outward = np.array([[-1, -1], [1, -1], [1, 1], [-1, 1]]) * mat.WOOD
    angles = [(line.x1, line.y1) for line in sheet.lines if not line.cut][::2]
    for marker, angle, corner in zip(sheet.markers, angles, wood + outward, strict=True):
        laid = marker.corners - np.array(angle) + corner
        assert np.allclose(laid, mat.corner_marker(marker.id, width, height))


def test_a_lids_circle_lies_between_its_markers():
    sheet = mat.lids_sheet()
    places = {marker.id: marker.corners for marker in sheet.markers}
    for pair, circle in zip(mat.LID_IDS, sheet.circles, strict=True):
        for marker in pair:
            assert np.allclose(places[marker] - np.array([circle.x, circle.y]), mat.lid_marker(marker))
        assert places[pair[0]][:, 0].max() < circle.x < places[pair[1]][:, 0].min()


@pytest.mark.parametrize("sheet", mat.sheets(), ids=lambda sheet: sheet.name)
def test_the_drawn_markers_are_read_as_what_they_are(sheet):
    # 3 pixels a millimetre.
    page = np.full((int(sheet.height) * 3, int(sheet.width) * 3), 255, np.uint8)
    for marker in sheet.markers:
        side = int(marker.side) * 3
        x, y = round(marker.x * 3), round(marker.y * 3)
        squares = np.where(mat.pattern(marker.id), 0, 255).astype(np.uint8)
        page[y : y + side, x : x + side] = cv2.resize(squares, (side, side), interpolation=cv2.INTER_NEAREST)
    finder = cv2.aruco.ArucoDetector(cv2.aruco.getPredefinedDictionary(mat.DICTIONARY))
    corners, ids, _ = finder.detectMarkers(page)
    places = {marker.id: marker.corners for marker in sheet.markers}
    assert set(ids.ravel().tolist()) == set(places)
    for seen, marker in zip(corners, ids.ravel(), strict=True):
        assert np.abs(seen[0] / 3 - places[int(marker)]).max() < 1
