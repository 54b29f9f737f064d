"""Standard output and errors that are closed, or no place for every letter."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path

from tests.support import ROOT


def in_a_shell(line: str, stdin: str = "", **environment: str) -> tuple[int, str, str]:
    """What comes of a line after `shinpan`: the exit status, and what went to standard output and errors."""
    told = {**os.environ, "PYTHONPATH": str(ROOT), **environment}
    command = ["bash", "-c", f"exec {sys.executable} -m device {line}"]
    done = subprocess.run(command, input=stdin, capture_output=True, text=True, env=told, timeout=60)
    return done.returncode, done.stdout, done.stderr


def test_a_files_name_may_be_any_bytes(tmp_path: Path) -> None:
    folder = tmp_path / os.fsdecode(b"b\xff")
    folder.mkdir()
    shutil.copy(ROOT / "tests/data/journals/demo.journal", folder)
    status, out, err = in_a_shell(f"verify {tmp_path}/$'b\\xff'", PYTHONIOENCODING="utf-8")
    assert (status, err) == (0, "") and out.startswith(f"{tmp_path}/b\\udcff/demo.journal: whole")
