"""The director's PIN."""

from __future__ import annotations

import re
import stat

from device.__main__ import main
from device.pin import Pin


def test_a_pin_is_made_and_kept_as_a_hash_that_nobody_else_can_read(tmp_path):
    pin = Pin(tmp_path)
    assert pin.stamp is None and not pin.matches("")
    made = pin.make()
    kept = (tmp_path / "pin").read_text()
    assert re.fullmatch("[0-9]{6}", made) and made not in kept
    assert stat.S_IMODE((tmp_path / "pin").stat().st_mode) == 0o600
    assert Pin(tmp_path).matches(made)
    assert not any(Pin(tmp_path).matches(other) for other in ("", "000", made + "0", kept, "é"))


def test_a_new_pin_ends_the_one_before(tmp_path, capsys):
    pin = Pin(tmp_path)
    old, stamp = pin.make(), pin.stamp
    assert main(["pin", "--data", str(tmp_path)]) == 0
    said = re.search("[0-9]{6}", capsys.readouterr().out)
    assert said is not None and pin.matches(said[0]) and pin.stamp != stamp
    assert not pin.matches(old) or old == said[0]


def test_a_folder_that_cannot_be_written_to(tmp_path, capsys):
    (tmp_path / "file").write_text("")
    assert main(["pin", "--data", str(tmp_path / "file")]) == 2
    assert capsys.readouterr().err.startswith("shinpan: ")
