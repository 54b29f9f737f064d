"""Memory goes back to the machine, files know who holds them, and the kernel's files say how the machine is."""

from __future__ import annotations

import subprocess
import sys

import pytest

from device.system import linux
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
    sizes = [
        int(subprocess.run([sys.executable, "-c", KEPT.format(first=first)], capture_output=True, check=True).stdout)
        for first in ("", "return_freed_memory()")
    ]
    assert sizes[1] < 2e6 < sizes[0], sizes


def test_what_this_program_holds_is_not_anothers(tmp_path):
    with (tmp_path / "video0").open("w"):
        assert file_users(tmp_path / "video0") == []


def test_this_machine_says_how_it_is():
    assert len(linux.boot_id()) == 36 and linux.boot_id() == linux.boot_id()
    assert (linux.free_memory() or 0) > 10_000_000


def test_free_memory_is_what_programs_can_still_have(tmp_path, monkeypatch):
    path = tmp_path / "meminfo"
    monkeypatch.setattr(linux, "MEMORY", path)
    assert linux.free_memory() is None
    path.write_text("MemTotal: 9000000 kB\n")
    assert linux.free_memory() is None
    path.write_text("MemTotal: 9000000 kB\nMemAvailable: 300 kB\nHugePages_Total:       0\n")
    assert linux.free_memory() == 300 * 1024


def test_heat_is_that_of_the_hottest_part(tmp_path, monkeypatch):
    monkeypatch.setattr(linux, "THERMAL_ZONES", tmp_path)
    assert linux.hottest_degrees() is None
    for zone, text in enumerate(("30000", "72500", "no number")):
        (tmp_path / f"thermal_zone{zone}").mkdir()
        (tmp_path / f"thermal_zone{zone}" / "temp").write_text(text + "\n")
    assert linux.hottest_degrees() == 72.5


def test_a_kernel_that_gives_a_start_no_id(tmp_path, monkeypatch):
    monkeypatch.setattr(linux, "BOOT_ID", tmp_path / "none")
    assert linux.boot_id() == ""
