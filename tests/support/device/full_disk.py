"""A disk without room, as the system has it: no file of this process grows any more."""

from __future__ import annotations

import resource
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path


@contextmanager
def full_disk(*files: Path) -> Iterator[None]:
    """None of these files, nor any that is larger, can grow within the block; smaller ones can."""
    usual = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (min(path.stat().st_size for path in files), usual[1]))
    try:
        yield
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, usual)
