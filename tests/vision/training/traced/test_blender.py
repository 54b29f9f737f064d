"""Blender, imported on first use, and meshes as its objects."""

from __future__ import annotations

import subprocess
import sys

import pytest


@pytest.mark.slow
def test_blender_is_opened_only_when_it_is_needed():
    look = "import sys, vision.training.traced.__main__; sys.exit('bpy' in sys.modules)"
    assert subprocess.run([sys.executable, "-c", look]).returncode == 0
