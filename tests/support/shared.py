"""The photographs and cases beside the project; tests that use them are skipped where they are absent."""

from __future__ import annotations

from pathlib import Path

from tests.support import ROOT
from tests.support.wanting import SHARED as WANTED
from tests.support.wanting import wanting

SHARED = ROOT.parent / "shared"


def photos(source: str) -> Path:
    """The folder of one source of photographs, or skip the test."""
    return _folder(SHARED / "photos" / source)


def cases(name: str) -> Path:
    """One file of rule cases, or skip the test."""
    return _folder(SHARED / "cases" / name)


def _folder(path: Path) -> Path:
    if not path.exists():
        wanting(WANTED, f"no {path.parent.name}/{path.name}")
    return path
