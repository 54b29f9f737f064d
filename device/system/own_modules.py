"""Our own modules as programs: how one process of ours starts another, wherever our packages lie.

In the project's folder `device` is a top-level package, in the wheel it is `shinpan.device`; no name is written out.
"""

from __future__ import annotations

import os
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[__name__.count(".")]
"""The folder from which our packages are imported."""


def own_command(module: str) -> list[str]:
    """Return the command that runs a module of ours; the working directory is no import path."""
    return [sys.executable, "-P", "-m", module]


def own_environment() -> dict[str, str]:
    """Return this process's environment, in which our packages come first."""
    path = [str(ROOT), *filter(None, [os.environ.get("PYTHONPATH")])]
    return {**os.environ, "PYTHONPATH": os.pathsep.join(path)}
