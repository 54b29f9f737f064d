"""`shinpan network`: the box's network connections, and the commands to change them."""

from __future__ import annotations

import shlex

from device.__main__ import main
from device.machine.wifi import HELP, OWN
from tests.support.device.started import CABLE, Machine, machine

__all__ = ["machine"]


def test_the_command_says_how_things_are_and_what_to_type(machine: Machine, tmp_path, capsys) -> None:
    machine.answers(CABLE)
    (tmp_path / "box.toml").write_text('[page]\nhost = "0.0.0.0"\n')
    assert main(["network", "--settings", str(tmp_path / "box.toml")]) == 0
    sentence = "The box is in a network by cable (eth0); its page is at http://10.5.5.5:8000/."
    assert capsys.readouterr().out == f"{sentence}\n\n{HELP}\n"
    words = [shlex.split(line) for line in HELP.splitlines() if line.startswith("    ")]
    assert {tuple(line[:2]) for line in words} == {("sudo", "nmcli")} and words[1][-1] == OWN
