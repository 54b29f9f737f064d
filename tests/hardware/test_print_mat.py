"""The files of the mat, drawn by programs that know nothing of it, show the markers where vision expects them."""

from __future__ import annotations

import subprocess

import cv2
import numpy as np
import pypdfium2
import pytest

from hardware.drawings import HERE
from hardware.mat_sheets import EDITIONS, FIELDS, Sheet, build_sheets
from hardware.print_mat import pdf_file, svg_files
from tests.support.tiers import sample
from tests.support.waiting import PATIENCE_S
from tests.support.wanting import CHROMIUM, program
from tests.support.web.browser import FLAGS
from vision.board.marker_layout import DICTIONARY

pytestmark = pytest.mark.slow

WITHIN = 0.2
"""The distance that a corner of a marker may be from its place, mm."""
PDF_SCALE = 300 / 25.4
CSS = 96 / 25.4


def find_markers_mm(grey: np.ndarray, scale: float) -> dict[int, np.ndarray]:
    """The markers in a picture of a sheet: their corners (4, 2) by id, mm."""
    settings = cv2.aruco.DetectorParameters()
    settings.cornerRefinementMethod = cv2.aruco.CORNER_REFINE_SUBPIX
    detector = cv2.aruco.ArucoDetector(cv2.aruco.getPredefinedDictionary(DICTIONARY), settings)
    corners, ids, _ = detector.detectMarkers(grey)
    # Pixels are counted from the middle of the first one.
    return {int(one): (four[0] + 0.5) / scale for one, four in zip(np.ravel(ids), corners, strict=True)}


def assert_shows(grey: np.ndarray, sheet: Sheet, scale: float) -> None:
    there = find_markers_mm(grey, scale)
    assert set(there) == {marker.id for marker in sheet.artwork.markers}
    for marker in sheet.artwork.markers:
        assert np.abs(there[marker.id] - marker.corners).max() < WITHIN, marker.id


def page(edition: str, number: int) -> np.ndarray:
    """A page of an edition's PDF at 300 dpi, grey."""
    pixels = open_document(edition)[number].render(scale=300 / 72, grayscale=True).to_numpy()
    return np.ascontiguousarray(pixels.reshape(pixels.shape[:2]))


def open_document(edition: str) -> pypdfium2.PdfDocument:
    return pypdfium2.PdfDocument(HERE / "drawings" / pdf_file(edition))


PAGES = [(edition, number) for edition in (*EDITIONS, FIELDS) for number in range(len(build_sheets(edition)))]


@pytest.mark.parametrize(("edition", "number"), sample(PAGES, 5))
def test_the_pdf_shows_every_marker_in_its_place(edition, number):
    assert_shows(page(edition, number), build_sheets(edition)[number], PDF_SCALE)


@pytest.mark.parametrize("edition", EDITIONS)
def test_the_pdf_has_one_page_of_its_paper_a_sheet(edition):
    document = open_document(edition)
    sizes = [np.array(document.get_page_size(number)) * 25.4 / 72 for number in range(len(document))]
    assert len(sizes) == len(build_sheets(edition))
    assert all(np.abs(size - EDITIONS[edition]).max() < 0.01 for size in sizes)


@pytest.mark.parametrize("edition", EDITIONS)
def test_the_line_to_be_measured_is_100_mm_long(edition):
    (line,) = [one for one in build_sheets(edition)[1].artwork.lines if one.x2 - one.x1 == 100 and not one.cut]
    row = page(edition, 1)[round(line.y1 * PDF_SCALE)]
    dark = np.flatnonzero(row < 128) / PDF_SCALE
    ours = dark[(dark > line.x1 - 5) & (dark < line.x2 + 5)]
    # Its ends are strokes half a millimetre wide.
    assert ours.max() - ours.min() == pytest.approx(100.5, abs=0.2)


@pytest.mark.long
@pytest.mark.parametrize("edition", sample(EDITIONS, 1))
def test_the_svgs_show_every_marker_in_its_place(edition, tmp_path):
    chromium = program("chromium", CHROMIUM)
    paper, files = EDITIONS[edition], svg_files(edition)
    wide, high = round(paper[0] * CSS) + 2, round(paper[1] * CSS) + 2
    images = [f'<img src="{(HERE / "drawings" / name).as_uri()}">' for name in files]
    page, picture = tmp_path / "all.html", tmp_path / "all.png"
    # Each sheet at the top of as many pixels as it fills, rounded up.
    style = (
        f"<style>body {{ margin: 0 }} img {{ display: block; margin-bottom: calc({high}px - {paper[1]}mm) }}</style>"
    )
    page.write_text(style + "".join(images))
    size = [f"--window-size={wide},{len(files) * high}", "--force-device-scale-factor=2", "--hide-scrollbars"]
    flags = [*FLAGS, *size, f"--user-data-dir={tmp_path / 'profile'}", f"--screenshot={picture}"]
    subprocess.run([chromium, *flags, page.as_uri()], check=True, capture_output=True, timeout=PATIENCE_S)
    grey = cv2.imread(str(picture), cv2.IMREAD_GRAYSCALE)
    for number, sheet in enumerate(files.values()):
        assert_shows(grey[2 * high * number : 2 * high * (number + 1)], sheet, 2 * CSS)
