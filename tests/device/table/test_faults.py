"""Tests of a box's faults: their order, their end, and the log."""

from __future__ import annotations

import logging

from device.table.faults import Faults
from referee.game.messages import message

WRITE, LOOK = message("fault.record"), message("fault.look")


def test_faults_stand_in_the_order_in_which_they_came():
    faults = Faults()
    faults.report("record", WRITE)
    faults.report("look", LOOK)
    assert list(faults) == ["record", "look"] and faults.by_name == {"record": WRITE, "look": LOOK}
    assert "look" in faults and faults.message("look") is LOOK


def test_a_cleared_fault_is_gone():
    faults = Faults()
    faults.report("record", WRITE)
    faults.report("record", None)
    faults.report("look", None)
    assert faults.by_name == {} and faults.message("record") is None


def test_a_fault_goes_to_the_log_once(caplog):
    faults = Faults()
    with caplog.at_level(logging.WARNING, "shinpan"):
        faults.report("record", WRITE)
        faults.report("record", WRITE)
        assert len(caplog.records) == 1
        faults.report("record", LOOK)
    assert len(caplog.records) == 2


def test_a_copy_of_the_faults_does_not_change():
    faults = Faults()
    before = faults.by_name
    faults.report("look", LOOK)
    assert before == {}
