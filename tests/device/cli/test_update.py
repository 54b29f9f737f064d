"""`shinpan update` and `shinpan rollback`: another version of the program, tried before it is trusted."""

import os

import pytest

from device.__main__ import main
from tests.support.device.installed import InstalledMachine, stand_in_environment

pytestmark = pytest.mark.slow


@pytest.fixture(params=[stand_in_environment])
def machine(request, tmp_path, monkeypatch):
    """A machine on which nothing is installed."""
    machine = InstalledMachine(tmp_path, request.param(tmp_path / "template"))
    for name, value in machine.environment.items():
        monkeypatch.setenv(name, value)
    monkeypatch.delenv("PYTHONPATH", raising=False)
    return machine


def test_the_commands_say_what_is_in_the_way(machine, capsys, monkeypatch, tmp_path):
    assert main(["rollback"]) == 1 and "There is no version before" in capsys.readouterr().err
    assert main(["update", str(tmp_path / "none")]) == 1
    assert capsys.readouterr().err.endswith("nor a wheel of it; nothing was changed.\n")
    monkeypatch.delenv("SHINPAN_ROOT")
    monkeypatch.setattr(os, "geteuid", lambda: 1000)
    assert main(["rollback"]) == 1 and "run it with sudo" in capsys.readouterr().err
