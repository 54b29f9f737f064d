"""The files of the mat, drawn by programs that know nothing of it, show the markers where vision expects them."""

from __future__ import annotations

import subprocess

import cv2
import numpy as np
import pypdfium2
import pytest

from hardware.drawings import HERE
from tests.support.wanting import CHROMIUM, program
from tests.support.web.browser import FLAGS
from vision.board.mat import A3, DICTIONARY, Sheet, sheets

pytestmark = pytest.mark.slow

WITHIN = 0.2
"""How far a corner of a marker may be from its place, mm."""
PDF = HERE / "drawings/mat.pdf"
PDF_SCALE = 300 / 25.4
CSS = 96 / 25.4


def found(grey: np.ndarray, scale: float) -> dict[int, np.ndarray]:
    """The markers in a picture of a sheet: their corners (4, 2) by id, mm."""
    settings = cv2.aruco.DetectorParameters()
    settings.cornerRefinementMethod = cv2.aruco.CORNER_REFINE_SUBPIX
    detector = cv2.aruco.ArucoDetector(cv2.aruco.getPredefinedDictionary(DICTIONARY), settings)
    corners, ids, _ = detector.detectMarkers(grey)
    # Pixels are counted from the middle of the first one.
    return {int(one): (four[0] + 0.5) / scale for one, four in zip(np.ravel(ids), corners, strict=True)}


def assert_shows(grey: np.ndarray, sheet: Sheet, scale: float) -> None:
    there = found(grey, scale)
    assert set(there) == {marker.id for marker in sheet.markers}
    for marker in sheet.markers:
        assert np.abs(there[marker.id] - marker.corners).max() < WITHIN, marker.id


def page(number: int) -> np.ndarray:
    """A page of the PDF at 300 dpi, grey."""
    drawn = pypdfium2.PdfDocument(PDF)[number].render(scale=300 / 72, grayscale=True).to_numpy()
    return np.ascontiguousarray(drawn.reshape(drawn.shape[:2]))


@pytest.mark.parametrize(("number", "sheet"), list(enumerate(sheets())), ids=["corners", "lids"])
def test_the_pdf_shows_every_marker_in_its_place(number, sheet):
    assert_shows(page(number), sheet, PDF_SCALE)


def test_the_pdf_has_one_page_of_a3_a_sheet():
    document = pypdfium2.PdfDocument(PDF)
    sizes = [np.array(document.get_page_size(number)) * 25.4 / 72 for number in range(len(document))]
    assert len(sizes) == len(sheets())
    assert all(np.abs(size - A3).max() < 0.01 for size in sizes)


def test_the_line_to_be_measured_is_100_mm_long():
    (line,) = [one for one in sheets()[1].lines if one.y1 == one.y2 and not one.cut]
    row = page(1)[round(line.y1 * PDF_SCALE)]
    dark = np.flatnonzero(row < 128) / PDF_SCALE
    ours = dark[(dark > line.x1 - 5) & (dark < line.x2 + 5)]
    # Its ends are strokes half a millimetre wide.
    assert ours.max() - ours.min() == pytest.approx(100.5, abs=0.2)


def test_the_svgs_show_every_marker_in_its_place(tmp_path):
    chromium = program("chromium", CHROMIUM)
    wide, high = round(A3[0] * CSS) + 2, round(A3[1] * CSS) + 2
    both = [f'<img src="{(HERE / f"drawings/mat-{sheet.name}.svg").as_uri()}">' for sheet in sheets()]
    page, picture = tmp_path / "both.html", tmp_path / "both.png"
    # Each sheet at the top of as many pixels as it fills, rounded up.
    style = f"<style>body {{ margin: 0 }} img {{ display: block; margin-bottom: calc({high}px - {A3[1]}mm) }}</style>"
    page.write_text(style + "".join(both))
    size = [f"--window-size={wide},{2 * high}", "--force-device-scale-factor=2", "--hide-scrollbars"]
    flags = [*FLAGS, *size, f"--user-data-dir={tmp_path / 'profile'}", f"--screenshot={picture}"]
    subprocess.run([chromium, *flags, page.as_uri()], check=True, capture_output=True, timeout=240)
    grey = cv2.imread(str(picture), cv2.IMREAD_GRAYSCALE)
    for sheet, shown in zip(sheets(), (grey[: 2 * high], grey[2 * high :]), strict=True):
        assert_shows(shown, sheet, 2 * CSS)
