"""Others' packages with the names of ours: they are named in a sentence."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import click
import pytest

from device.installation import PACKAGES, find_shadowed, find_shared
from tests.support import ROOT

pytestmark = pytest.mark.slow
AGAIN = "install shinpan in an environment of its own, with pipx or make run.\n"


def other(folder: Path) -> None:
    """Let web.py be installed there, as its package and its list of files."""
    (folder / "web").mkdir()
    (folder / "web/__init__.py").touch()
    claims(folder)


def claims(folder: Path) -> None:
    info = folder / "web.py-0.62.dist-info"
    info.mkdir()
    (info / "METADATA").write_text("Metadata-Version: 2.1\nName: web.py\nVersion: 0.62\n")
    (info / "RECORD").write_text("web/__init__.py,,\n")


def linked(folder: Path) -> None:
    """Let our packages lie there too."""
    for package in PACKAGES:
        (folder / package).symlink_to(ROOT / package)


def run(folder: Path, *command: str, here: Path = ROOT) -> subprocess.CompletedProcess[str]:
    """Run Python where `folder` is looked into first, then `here`, then the libraries, and nowhere else."""
    path = ":".join(map(str, (folder, here, Path(click.__file__).parents[1])))
    environment = {**os.environ, "PYTHONPATH": path}
    return subprocess.run([sys.executable, "-S", *command], cwd=folder, env=environment, capture_output=True, text=True)


def test_a_package_in_the_place_of_ours_is_named_at_the_start(tmp_path):
    other(tmp_path)
    result = run(tmp_path, "-m", "device", "doctor")
    assert (result.returncode, result.stdout) == (1, "")
    assert result.stderr == f"shinpan: Python takes {tmp_path / 'web'} for shinpan's web; {AGAIN}"


@pytest.mark.long
def test_doctor_tells_of_files_that_two_programs_have_written(tmp_path):
    linked(tmp_path)
    claims(tmp_path)
    result = run(
        tmp_path,
        "-c",
        "from device.machine.checks import check_packages\nfor one in check_packages(): print(*vars(one).values())",
    )
    sentence = f"web.py and shinpan share {tmp_path / 'web'}, and the later has overwritten the other; {AGAIN}"
    assert (result.stdout, result.stderr) == (f"WRONG packages {sentence}", "")


def test_a_package_that_has_lost_its_first_file_is_named(tmp_path):
    linked(tmp_path)
    (tmp_path / "web").unlink()
    (tmp_path / "web").mkdir()
    result = run(tmp_path, "-m", "device", "rules", here=tmp_path)
    assert result.stderr.startswith("shinpan: ") and result.stderr.endswith("install shinpan again.\n")


def test_here_they_are_ours():
    assert [*find_shadowed(), *find_shared()] == []
