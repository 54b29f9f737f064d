"""Learning the keys of buttons: all keyboards are read, and the next key that goes down is taken."""

from __future__ import annotations

import pytest

from device.panel.keymap import BadKeys
from device.panel.learning import Listening
from tests.support.panel.keyboards import PORTS, DrawnBench


def test_a_mouses_button_is_nobodys_key():
    bench = DrawnBench()
    pad = bench.plug()
    with Listening(bench.paths, bench.opened) as listening:
        for code in (0x110, 79):
            pad.turn(code, True)
        first = listening.key(0.2) or listening.key(5)
    assert first is not None and first[1] == 79


def test_one_that_is_unplugged_meanwhile_is_heard_no_more():
    bench = DrawnBench()
    pad, other = bench.plug(port=PORTS[0]), bench.plug(port=PORTS[1])
    with Listening(bench.paths, bench.opened) as listening:
        bench.unplug(pad)
        assert listening.key(0.05) is None
        other.turn(80, True)
        assert listening.key(5)[1] == 80


def test_without_a_keyboard_one_sentence_says_what_to_do():
    with pytest.raises(BadKeys, match="sudo shinpan panel --learn"):
        Listening(list, lambda path: None)
