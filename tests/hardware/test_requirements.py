"""Installed requirements: every one has both bounds, and the tested versions lie within them."""

from __future__ import annotations

import re
import subprocess
import tomllib
from importlib.metadata import distribution

import pytest
from packaging.requirements import Requirement
from packaging.utils import canonicalize_name

from hardware.drawings import HERE
from tests.support import ROOT

PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]
WANTED = {canonicalize_name(wanted.name): wanted for wanted in map(Requirement, PROJECT["dependencies"])}
LINES = [line for line in (HERE / "constraints.txt").read_text().splitlines() if not line.startswith("#")]
TESTED = {canonicalize_name(name): version for name, _, version in (line.partition("==") for line in LINES)}

INSTEAD = "opencv-python-headless"
"""The package that hardware/prepare.sh takes if OpenCV's system libraries are missing."""


def list_needed(names):
    """These and all that they need here, in any number of steps."""
    required, left = set(), set(names)
    while left:
        required.add(name := left.pop())
        wanted = map(Requirement, distribution(name).requires or ())
        left |= {canonicalize_name(one.name) for one in wanted if not one.marker or one.marker.evaluate()} - required
    return required


@pytest.mark.parametrize("wanted", WANTED.values(), ids=str)
def test_every_requirement_has_a_lowest_and_a_highest_version(wanted):
    assert {one.operator for one in wanted.specifier} == {">=", "<"}
    assert wanted.specifier.contains(TESTED[canonicalize_name(wanted.name)])


def test_servers_with_known_holes_are_not_taken():
    assert not WANTED["waitress"].specifier.contains("3.0.0") and not WANTED["werkzeug"].specifier.contains("3.0.5")


def test_the_tested_versions_are_all_that_is_installed():
    if distribution("flask").version != TESTED["flask"]:
        pytest.skip("other versions than the tested ones are installed here (make lowest)")
    assert set(TESTED) == list_needed(WANTED) - {"setuptools", INSTEAD}
    assert all(re.fullmatch(r"[\w.-]+==[\w.]+", line) for line in LINES), "no place to fetch from, no hash"


def test_make_can_test_lowest_versions_and_list_a_boxs_parts():
    result = subprocess.run(
        ["make", "-n", "lowest", "sbom", "audit"], cwd=ROOT, capture_output=True, text=True, check=True
    )
    line = next(line for line in result.stdout.splitlines() if line.startswith("sed"))
    lowest = subprocess.run(line.partition(" >")[0], cwd=ROOT, shell=True, capture_output=True, text=True).stdout
    assert {canonicalize_name(one.partition("==")[0]) for one in lowest.split()} == set(WANTED)
    assert result.stdout.count("-c hardware/constraints.txt") + result.stdout.count("-r hardware/constraints.txt") >= 2
