"""Our own modules as programs: ours are run, whatever lies in the working directory or in front on the path."""

import os
import subprocess

from device.system.own_modules import own_command, own_environment
from tests.support import ROOT


def test_our_module_is_run_where_others_have_its_name(tmp_path, monkeypatch):
    for folder in (tmp_path, tmp_path / "path"):
        (folder / "device").mkdir(parents=True)
        (folder / "device/__init__.py").write_text("raise SystemExit('another')")
    monkeypatch.setenv("PYTHONPATH", str(tmp_path / "path"))
    result = subprocess.run(
        own_command("device.installation"), cwd=tmp_path, env=own_environment(), capture_output=True, text=True
    )
    assert (result.returncode, result.stderr) == (0, "")


def test_what_was_on_the_path_stays_behind_ours(monkeypatch):
    monkeypatch.setenv("PYTHONPATH", "there")
    assert own_environment()["PYTHONPATH"] == f"{ROOT}{os.pathsep}there"
    monkeypatch.delenv("PYTHONPATH")
    assert own_environment() == {**os.environ, "PYTHONPATH": str(ROOT)}
