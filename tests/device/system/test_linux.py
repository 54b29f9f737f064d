"""Memory goes back to the machine, and files know who holds them."""

from __future__ import annotations

import subprocess
import sys

import pytest

from device.system.linux import file_users

KEPT = """
from device.system.linux import LARGE_BYTES, return_freed_memory
{first}
def resident():
    return int(open("/proc/self/statm").read().split()[1]) * 4096
del_me = bytearray(2 * LARGE_BYTES)
del del_me
before = resident()
large, small = [], []
for _ in range(4):
    large.append(bytearray(b"x") * (3 * LARGE_BYTES // 2))
    small.append(bytearray(5000))
large.clear()
print(resident() - before)
"""


@pytest.mark.skipif(sys.platform != "linux", reason="the GNU C library's")
def test_large_pieces_of_memory_are_returned() -> None:
    kept = [
        int(subprocess.run([sys.executable, "-c", KEPT.format(first=first)], capture_output=True, check=True).stdout)
        for first in ("", "return_freed_memory()")
    ]
    assert kept[1] < 2e6 < kept[0], kept


def test_what_this_program_holds_is_not_anothers(tmp_path):
    with (tmp_path / "video0").open("w"):
        assert file_users(tmp_path / "video0") == []
