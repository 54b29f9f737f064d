"""Odd surroundings of a command: a time zone that is none, and little memory. A sentence, and never a traceback."""

from __future__ import annotations

import os
import resource
import subprocess
import sys

import pytest

from tests.support import ROOT
from tests.support.tiers import sample


def run_program(*words: str, room: int | None = None, **environment: str) -> subprocess.CompletedProcess[str]:
    """Run a command in a process with this environment and this address space, in bytes."""

    def limit() -> None:
        if room is not None:
            resource.setrlimit(resource.RLIMIT_AS, (room, room))

    variables = {**os.environ, "PYTHONPATH": str(ROOT), **environment}
    return subprocess.run(
        [sys.executable, "-m", "device", *words],
        env=variables,
        cwd=ROOT,
        preexec_fn=limit,
        capture_output=True,
        text=True,
    )


@pytest.mark.long
@pytest.mark.parametrize("zone", sample([":/etc/passwd", "/etc", ":", "Nowhere/Land", "\udcff"], 2))
def test_a_time_zone_that_is_none_changes_nothing(zone):
    done = run_program("rules", TZ=zone)
    assert (done.returncode, done.stderr) == (0, "") and "ultimate" in done.stdout


@pytest.mark.long
@pytest.mark.parametrize("megabytes", [300, 500, 790])
def test_too_little_address_space_is_said_before_a_library_crashes(megabytes):
    done = run_program("look", "tests/pictures/club-9.jpg", room=megabytes << 20)
    sentence = f"shinpan look needs 800 MiB of address space, and only {megabytes} MiB are allowed here"
    assert done.returncode == 2 and sentence in done.stderr and done.stderr.count("\n") == 1


@pytest.mark.slow
def test_what_needs_little_runs_with_little():
    assert run_program("rules", room=300 << 20).returncode == 0


@pytest.mark.long
def test_the_least_is_enough():
    done = run_program("look", "tests/pictures/club-9.jpg", room=800 << 20, OPENBLAS_NUM_THREADS="2")
    assert (done.returncode, done.stderr) == (0, "")
