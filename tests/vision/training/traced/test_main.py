"""Trace tables: `python -m vision.training.traced --out FOLDER --many 60 --seed 1`, with --lids lids alone."""

from __future__ import annotations

import sys

from vision.training.traced import __main__ as command
from vision.training.traced import blender


def test_without_blender_a_sentence_says_so(monkeypatch, tmp_path, capsys):
    monkeypatch.setitem(sys.modules, "bpy", None)
    monkeypatch.setattr(sys, "argv", ["traced", "--out", str(tmp_path)])
    blender.bpy.cache_clear()
    assert command.main() == 2
    assert capsys.readouterr().err == blender.NOT_THERE + "\n"
