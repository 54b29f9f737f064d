"""Implementations of `device.system` for other systems, each loaded over fakes of the few calls that this one lacks.

The fakes are written from the documentation: F_FULLFSYNC (Apple's fsync(2)), `msvcrt.locking`, O_BINARY and O_NOINHERIT
(Python's msvcrt and os). What they cannot show: mandatory locks, files that cannot be renamed or deleted
while they are open, and sockets that are shared.
"""

from __future__ import annotations

import errno
import fcntl
import os
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from importlib.util import module_from_spec, spec_from_file_location
from types import ModuleType
from unittest import mock

from tests.support import ROOT

SYSTEMS = {"linux": "linux", "darwin": "macos", "win32": "windows"}
"""The module of each value of sys.platform."""
F_FULLFSYNC = 51


class Msvcrt(ModuleType):
    """The calls of msvcrt that are used, over this system's own locks; keys are typed by putting them into `keys`."""

    LK_UNLCK, LK_NBLCK = 0, 2

    def __init__(self) -> None:
        super().__init__("msvcrt")
        self.keys: list[str] = []

    def locking(self, handle: int, way: int, size: int) -> None:
        """Lock or unlock bytes from the file's position on."""
        request = fcntl.LOCK_UN if way == self.LK_UNLCK else fcntl.LOCK_EX | fcntl.LOCK_NB
        try:
            fcntl.lockf(handle, request, size, 0, os.SEEK_CUR)
        except BlockingIOError as error:
            raise OSError(errno.EACCES, "Permission denied") from error

    def kbhit(self) -> bool:
        """Return True if a key waits."""
        return bool(self.keys)

    def getwch(self) -> str:
        """Return the next key."""
        return self.keys.pop(0)


@contextmanager
def load_system(platform: str) -> Iterator[ModuleType]:
    """Load the implementation for a value of sys.platform, and keep the fakes for as long as the block."""
    name = SYSTEMS[platform]
    full_syncs = mock.patch.object(fcntl, "fcntl", _fcntl)
    with (
        mock.patch.object(sys, "platform", platform),
        mock.patch.dict(sys.modules, {"msvcrt": Msvcrt()}),
        mock.patch.multiple(os, create=True, O_BINARY=0, O_NOINHERIT=os.O_CLOEXEC),
        mock.patch.object(fcntl, "F_FULLFSYNC", F_FULLFSYNC, create=True),
        mock.patch.object(errno, "EDEADLOCK", errno.EDEADLK, create=True),
        full_syncs,
    ):
        spec = spec_from_file_location(f"tests.loaded_{name}", ROOT / "device/system" / f"{name}.py")
        assert spec is not None and spec.loader is not None
        module = module_from_spec(spec)
        spec.loader.exec_module(module)
        with mock.patch.object(sys, "platform", "linux"):  # The standard library is this system's.
            yield module


_usual_fcntl = fcntl.fcntl


def _fcntl(handle: int, request: int, argument: int = 0) -> int:
    """Take F_FULLFSYNC for a sync."""
    if request == F_FULLFSYNC:
        os.fsync(handle)
        return 0
    return _usual_fcntl(handle, request, argument)
