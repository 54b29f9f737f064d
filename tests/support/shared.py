"""The photographs and cases beside the project; tests that use them are skipped where they are absent."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.support import ROOT

SHARED = ROOT / "shared"


def photos(source: str) -> Path:
    """The folder of one source of photographs, or skip the test."""
    return _folder(SHARED / "photos" / source)


def cases(name: str) -> Path:
    """One file of rule cases, or skip the test."""
    return _folder(SHARED / "cases" / name)


def _folder(path: Path) -> Path:
    if not path.exists():
        pytest.skip(f"the shared data is not here: no {path.parent.name}/{path.name} in ../shared beside the project")
    return path
