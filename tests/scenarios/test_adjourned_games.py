"""A game adjourned at one box and put back at another, from pictures of drawn tables alone."""

from __future__ import annotations

import random

import cv2
import numpy as np
import pytest
import segno

from device.journal.entries import placed_entry
from device.journal.store import Journal
from device.table.adjournment import find_photograph, read_adjourned
from referee.table.display_state import Phase
from tests.support.simulator.adjourned_games import (
    SIZE,
    RestoredStones,
    ResumedTable,
    adjourned_text,
    another_look,
    play_adjourned,
    with_mistakes,
)
from tests.support.simulator.game_scripts import self_play
from tests.support.tiers import LONG
from vision.calibration.model import Calibration
from vision.render.scene import Scene
from vision.render.table import Table

pytestmark = [pytest.mark.slow, pytest.mark.usefixtures("lone_board")]

MANY, SEED = 90, 78


@pytest.fixture(scope="module")
def text(tmp_path_factory):
    return adjourned_text(tmp_path_factory.mktemp("first"), self_play(SIZE, SEED, MANY), rules="ultimate")


@LONG
def test_mistakes_in_putting_a_game_back_are_told(text, tmp_path):
    second = ResumedTable(tmp_path, another_look(SEED), text)
    record = second.sealed.record
    assert record.number == MANY and record.bowls.ultimate is not None
    layout = with_mistakes(record.position, record.bowls, 4, random.Random(5))
    second.lay(layout)
    assert layout.wrong and second.asked == layout.wrong
    second.press(1)
    second.press(2)
    assert not second.runs and second.box.snapshot.phase is Phase.START
    second.lay(RestoredStones(record.position, record.bowls))
    second.press(1)
    second.press(2)
    assert second.runs and second.box.table.record.number == MANY
    assert second.box.table.record.position == record.position


@LONG
@pytest.mark.parametrize("number", [801, 802])
def test_real_games_are_taken_up_on_another_table(number, tmp_path):
    assert play_adjourned(number, tmp_path).right


@pytest.mark.long
@pytest.mark.parametrize("scale", [4, 6])
def test_the_page_can_be_read_from_a_scan(text, scale, tmp_path):
    code, scan = tmp_path / "code.png", tmp_path / "scan.jpg"
    segno.make(text, micro=False, error="m").save(str(code), scale=scale, border=4)
    pixels = np.asarray(cv2.imread(str(code)))
    page = np.full((pixels.shape[0] + 900, pixels.shape[1] + 500, 3), 255, np.uint8)
    page[600 : 600 + pixels.shape[0], 250 : 250 + pixels.shape[1]] = pixels
    assert cv2.imwrite(str(scan), cv2.GaussianBlur(page, (3, 3), 0))
    assert read_adjourned(str(scan)).text == text


def test_the_photograph_shows_the_board_from_above(tmp_path):
    look = another_look(SEED)
    table = Table(look)
    rows = ("X" + "." * (SIZE - 1),) + ("." * SIZE,) * (SIZE - 1)
    journal = Journal(tmp_path / "00001_2026-11-23.journal")
    journal.write([placed_entry(Calibration(table.view.grid, ()), 1.0)])
    journal.close()
    frames = tmp_path / "00001_2026-11-23.frames"
    frames.mkdir()
    cv2.imwrite(str(frames / "000001.legal.jpg"), table.draw(Scene(rows)).pixels)
    photo = cv2.imdecode(
        np.frombuffer(find_photograph(tmp_path, "00001_2026-11-23") or b"", np.uint8), cv2.IMREAD_GRAYSCALE
    )
    cell = photo.shape[0] / (SIZE - 1 + 1.6)
    corner, other = (photo[round(y * cell), round(0.8 * cell)] for y in (0.8, SIZE - 0.2))
    assert photo.shape[0] == photo.shape[1] and int(corner) + 40 < int(other)
    assert find_photograph(tmp_path, "00002_2026-11-23") is None
