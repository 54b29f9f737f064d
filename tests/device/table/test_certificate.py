"""The certificate from a box's last rehearsal, kept in the folder of games and valid for that day."""

from __future__ import annotations

from datetime import timedelta

import pytest

from device.table.certificate import FILE, Certificate, Certificates, Certification, Level
from referee.game.messages import message
from tests.support.simulator.rehearsing import NOW


def test_a_certificate_is_kept_and_holds_for_its_day(tmp_path):
    certificate = Certificate(Level.RECORD_ONLY, NOW.isoformat(), (message("rehearsal.left", turn=3),), 0.25)
    Certificates(tmp_path, lambda: NOW).store_certificate(certificate)
    assert Certificates(tmp_path, lambda: NOW).find_todays() == certificate
    assert Certificates(tmp_path, lambda: NOW + timedelta(days=1)).find_todays() is None


@pytest.mark.parametrize("text", ["", "{}", "[]", '{"level":"referee","wall":"x","reasons":[],"slowest":0}', "\xff"])
def test_a_damaged_certificate_is_none(tmp_path, text):
    (tmp_path / FILE).write_text(text, "latin-1")
    assert Certificates(tmp_path, lambda: NOW).find_todays() is None


def test_a_box_that_was_never_rehearsed_says_so():
    assert Certification().rehearsal_message is None
    assert Certification().asks is None
