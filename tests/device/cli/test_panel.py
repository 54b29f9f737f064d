"""`shinpan panel`: describe the panel, test it, or learn its keys."""

from __future__ import annotations

import re
from contextlib import closing

import pytest

from device.__main__ import main
from device.cli.panel import _list_buttons
from device.panel.gpio import PINS
from device.panel.keymap import write_keys
from device.panel.panel import Edge
from device.panel.self_test import try_buttons
from device.panel.terminal import KEYS
from device.settings import PanelSettings
from referee.table.events import Button
from tests.support.panel.keyboards import KEPT, PORTS, THREE, Desk, DrawnBench


def press(side, button, t):
    return Edge(side, button, True, t), Edge(side, button, False, t + 0.1)


def test_keys_are_tried_as_any_button(tmp_path):
    bench = DrawnBench()
    pads = [bench.plug(port=port) for port in PORTS]
    with closing(Desk(bench)) as desk:
        bench.wait(1.0)
        asked_keys = []

        def listen(seconds):
            """The key that is asked for goes down, comes up, and stays up for a while."""
            (side, button), before = asked_keys[-1], len(desk.edges)
            bench.wait(0.1)
            if before == 2 * len(asked_keys):
                return None
            code = next(code for code, which in {**THREE, 76: Button.PAUSE}.items() if which is button)
            pads[max(side, 1) - 1].turn(code, before % 2 == 0)
            desk.until(lambda: len(desk.edges) > before)
            return desk.edges[-1]

        write_keys(tmp_path, KEPT.keys)
        which = _list_buttons(PanelSettings(kind="keys"), tmp_path)
        assert len(which) == 7

        def say(line):
            if line.startswith("press"):
                asked_keys.append(which[len(asked_keys)])

        assert try_buttons(which, listen, say, bench.machine) == []


def test_all_buttons_of_pins_and_terminal_are_asked_for(tmp_path):
    assert set(_list_buttons(PanelSettings(), tmp_path)) == set(KEYS.values()) == set(PINS.buttons)
    assert len(_list_buttons(PanelSettings(kind="gpio", chips=[5, 6]), tmp_path)) == 7 + 12


@pytest.fixture
def settings(tmp_path):
    path = tmp_path / "settings.toml"
    path.write_text('[panel]\nkind = "keys"\n')
    return ["--settings", str(path), "--data", str(tmp_path)]


def test_the_command_tells_which_key_is_which(settings, tmp_path, capsys):
    assert main(["panel", *settings]) == 0
    output = capsys.readouterr().out
    assert "one numpad is taken as it is" in output and re.search(r"^done 2 +key 73$", output, re.MULTILINE)
    write_keys(tmp_path, KEPT.keys)
    assert main(["panel", *settings]) == 0
    assert re.search(r"^call 2 +key 80 of Drawn Numpad in usb-2$", capsys.readouterr().out, re.MULTILINE)
    assert main(["panel", "--data", str(tmp_path)]) == 0
    assert 'kind = "auto"' in capsys.readouterr().out
