"""The film of a superko and a count, as a player sees and hears it, from pictures and buttons alone."""

from __future__ import annotations

from pathlib import Path

import cv2
import numpy as np

from device.panel.signals import Sound
from referee.game.ruling import Status
from tests.benchmarks.rim_film import BAR, MOST, SIZE, filmed
from tests.support.tiers import LONG

pytestmark = LONG


def test_a_film_shows_a_superko_refused_and_a_count(tmp_path: Path) -> None:
    size, film, table = filmed(tmp_path / "film.png")
    game = table.box.snapshot.game
    assert [ruling.status for ruling in game.rulings if ruling.status is not Status.LEGAL] == [Status.ILLEGAL]
    assert game.result == "B+6.5" and game.turn == 5
    sounds, speech = [sound for _, sound in table.panel.sounds], " ".join(text for _, _, text in table.said)
    assert Sound.REFUSED in sounds and Sound.ENDED in sounds
    assert "remove F5 and put the white stone back on E5" in speech and "B8 is dead" in speech
    assert 10_000 < size < MOST
    stored = cv2.imdecode(np.fromfile(tmp_path / "film.png", np.uint8), cv2.IMREAD_COLOR)
    assert stored.shape == (SIZE[1] + BAR, SIZE[0], 3) and 40 < sum(film.seconds) < 120
