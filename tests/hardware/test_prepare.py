"""Steps of `make run` and `make test` before anything runs, on machines that lack one thing or another."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
import zipfile
from pathlib import Path

import pytest
import setuptools

from hardware.drawings import HERE
from tests.support.tiers import LONG

LIBRARIES = ["libgl1", "libglib2.0-0", "libxcb1"]
PROGRAMS = {
    "chromium-driver": "chromedriver",
    "chromium": "chromium",
    "espeak-ng": "espeak-ng",
    "shellcheck": "shellcheck",
}
ELSEWHERE = {"gnugo": "/usr/games", "mosquitto": "/usr/sbin", "nats-server": "/usr/sbin"}
"""Programs that prepare.sh looks for outside the PATH too, where this machine may have them."""
WANTED = ["chromium-driver", "chromium", "espeak-ng", "gnugo", "mosquitto", "nats-server", "shellcheck"]
TESTERS = [name for name in WANTED if name in PROGRAMS or not Path(ELSEWHERE[name], name).is_file()]
"""Packages that only the tests want, as far as this machine leaves it to the stand-ins."""
OPENCV = re.search(r"^opencv-python==(.+)$", (HERE / "constraints.txt").read_text(), re.M)[1]

PYTHON3 = f"""
case "$*" in
    *"import ensurepip"*) test -e "$HERE/installed/python3-venv" ;;
    *CDLL*libGL*) test -e "$HERE/installed/libgl1" ;;
    *CDLL*libgthread*) test -e "$HERE/installed/libglib2.0-0" ;;
    *CDLL*libxcb*) test -e "$HERE/installed/libxcb1" ;;
    "-m venv"*) echo "$*" >>"$HERE/asked"; [ -e "$HERE/pip" ] || exec {sys.executable} "$@"
        rm -rf .venv && mkdir -p .venv/bin && cp "$HERE/pip" .venv/bin/python ;;
    *) exec {sys.executable} "$@" ;;
esac
"""
PIP = """
case "$*" in
    *"pip show"*) exit 1 ;;
    *"pip uninstall"* | *"pip --version"* | *"import cv2"*) ;;
    *) echo "$*" >>"$HERE/asked" ;;
esac
"""
APT_GET = """
case "$*" in
    *--assume-no*) echo "Need to get 54.5 MB of archives."; exit 1 ;;
    install*) echo "apt-get $*" >>"$HERE/asked"; [ ! -e "$HERE/unreachable" ] || exit 100
        for package in "$@"; do case $package in
            -* | install) ;;
            chromium-driver) touch "$HERE/installed/$package"; cp "$0" "$HERE/bin/chromedriver" ;;
            *) touch "$HERE/installed/$package"; cp "$0" "$HERE/bin/$package" ;;
        esac; done ;;
esac
"""

OFFLINE = {
    "PIP_NO_INDEX": "1",
    "PIP_NO_BUILD_ISOLATION": "0",
    "PIP_CONFIG_FILE": os.devnull,
}


class BareMachine:
    """A copy of what sets up, on a machine where only some packages are there and only some users may install more."""

    def __init__(self, folder: Path, *installed: str) -> None:
        self._folder, self.project = folder, folder / "project"
        for path in ("bin", "installed", "project/hardware"):
            (folder / path).mkdir(parents=True)
        for name in ("cat", "cp", "dirname", "env", "mkdir", "rm", "sed", "touch", "true"):
            (folder / "bin" / name).symlink_to(shutil.which(name))
        for name in ("prepare.sh", "constraints.txt"):
            shutil.copy(HERE / name, self.project / "hardware")
        shutil.copy(HERE.parent / "pyproject.toml", self.project)
        for name, does in {"bin/python3": PYTHON3, "bin/apt-get": APT_GET, "pip": PIP}.items():
            self.stand_in(name, does)
        self.install(*installed)
        self.user(1000)

    def stand_in(self, name: str, does: str) -> None:
        """A program that does this."""
        (self._folder / name).write_text(f"#!/bin/sh\n{does}\n")
        (self._folder / name).chmod(0o755)

    def install(self, *packages: str) -> None:
        """These packages are there from now on."""
        for name in packages:
            (self._folder / "installed" / name).touch()
            if name in TESTERS:
                self.stand_in(f"bin/{PROGRAMS.get(name, name)}", ":")

    def user(self, number: int, sudo: str | None = None) -> None:
        """Whoever sets up; what sudo does for them, where there is one."""
        self.stand_in("bin/id", f"echo {number}")
        if sudo is not None:
            self.stand_in("bin/sudo", sudo)

    def use_pip(self) -> None:
        """Let the real venv and pip take part, with wheels of our own making and no network."""
        (self._folder / "pip").unlink()
        wheels = self._folder / "wheels"
        wheels.mkdir()
        (wheels / "setuptools").symlink_to(Path(setuptools.__file__).parent)
        _wheel(wheels, "opencv_python", OPENCV, {"cv2/__init__.py": "raise ImportError('libGL.so.1')"})
        _wheel(wheels, "opencv_python_headless", OPENCV, {"cv2/__init__.py": "", "cv2/headless.py": ""})
        about = 'name = "shinpan"\nversion = "1"\ndependencies = ["opencv-python>=4.10,<6"]'
        builds = '[build-system]\nrequires = []\nbuild-backend = "setuptools.build_meta"'
        (self.project / "pyproject.toml").write_text(
            f"{builds}\n[project]\n{about}\n[tool.setuptools]\npackages = []\n"
        )

    def prepare(self, what: str = ".", on_terminal: bool = False, **environment: str) -> tuple[int, str]:
        """Set up and leave the mark that make leaves: the exit status, and what was said."""
        here = {"PATH": str(self._folder / "bin"), "HERE": str(self._folder), **OFFLINE, **environment}
        here |= {"PIP_FIND_LINKS": str(self._folder / "wheels"), "PYTHONPATH": str(self._folder / "wheels")}
        command = ["/bin/sh", "hardware/prepare.sh", what]
        if on_terminal:
            command = [
                sys.executable,
                "-c",
                f"import os, pty, sys; sys.exit(os.waitstatus_to_exitcode(pty.spawn({command})))",
            ]
        done = subprocess.run(
            command, cwd=self.project, env=here, text=True, capture_output=True, stdin=subprocess.DEVNULL
        )
        if done.returncode == 0:
            (self.project / ".venv" / ("ready-to-test" if "dev" in what else "ready-to-run")).touch()
        return done.returncode, done.stdout + done.stderr

    @property
    def asked(self) -> list[str]:
        """Return the requests to apt-get, venv and pip, in order."""
        path = self._folder / "asked"
        return path.read_text().splitlines() if path.is_file() else []


def _wheel(folder: Path, name: str, version: str, files: dict[str, str]) -> None:
    about = f"{name}-{version}.dist-info"
    files |= {
        f"{about}/METADATA": f"Metadata-Version: 2.1\nName: {name.replace('_', '-')}\nVersion: {version}\n",
        f"{about}/WHEEL": "Wheel-Version: 1.0\nRoot-Is-Purelib: true\nTag: py3-none-any\n",
    }
    with zipfile.ZipFile(folder / f"{name}-{version}-py3-none-any.whl", "w") as wheel:
        for path, text in files.items():
            wheel.writestr(path, text)
        wheel.writestr(f"{about}/RECORD", "".join(f"{path},,\n" for path in [*files, f"{about}/RECORD"]))


def installed_for(output: str) -> list[list[str]]:
    """The packages of every command that is named to install some."""
    return [words.split() for words in re.findall(r"apt-get install ([^'\n]+)", output)]


def test_without_venv_it_fetches_nothing_and_names_a_command(tmp_path):
    bare = BareMachine(tmp_path)
    status, output = bare.prepare(".[dev]")
    assert (status, len(output.splitlines()), bare.asked) == (1, 1, [])
    assert installed_for(output) == [["python3-venv", *LIBRARIES, *TESTERS]]
    assert not (bare.project / ".venv").exists()


@pytest.mark.parametrize(
    ("user", "sudo", "command"),
    [
        (1000, None, "su -c 'apt-get install python3-venv'"),
        (1000, "exit 1", ": sudo apt-get install python3-venv"),
        (0, None, ": apt-get install python3-venv"),
    ],
)
def test_the_command_is_one_that_whoever_sets_up_can_give(tmp_path, user, sudo, command):
    bare = BareMachine(tmp_path, *LIBRARIES)
    bare.user(user, sudo)
    (tmp_path / "unreachable").touch()
    assert command in bare.prepare()[1]


@pytest.mark.parametrize("sudo", [None, 'shift; exec "$@"'], ids=["root", "sudo without a password"])
def test_whoever_may_gets_everything_in_one_go_before_pip_fetches(tmp_path, sudo):
    bare = BareMachine(tmp_path)
    bare.user(0 if sudo is None else 1000, sudo)
    status, output = bare.prepare(".[dev]")
    apt, venv, pip, *extras = bare.asked
    assert status == 0 and apt.split()[-len(TESTERS) - 4 :] == ["python3-venv", *LIBRARIES, *TESTERS]
    assert venv.startswith("-m venv") and "-e .[dev]" in pip and "headless" not in pip
    assert [re.split("[<>=]", line.split()[-1])[0] for line in extras] == ["spidev", "pocketsphinx"]
    assert "54.5 MB are fetched" in output and installed_for(output) == []


@pytest.mark.parametrize("user", [1000, 0], ids=["who may not install", "who cannot reach Debian's packages"])
def test_without_its_libraries_opencv_is_taken_in_its_headless_build(tmp_path, user):
    bare = BareMachine(tmp_path, "python3-venv")
    bare.user(user)
    (tmp_path / "unreachable").touch()
    status, output = bare.prepare()
    assert status == 0 and "./.venv/headless" in bare.asked[-1]
    (headless_line,) = [line for line in output.splitlines() if "headless" in line]
    assert installed_for(headless_line) == [LIBRARIES]


def test_a_build_that_was_taken_stays_whatever_is_installed_later(tmp_path):
    bare = BareMachine(tmp_path, "python3-venv", *TESTERS)
    assert bare.prepare()[0] == 0
    status, output = bare.prepare(".[dev]")
    assert status == 0 and "./.venv/headless" in bare.asked[-3] and installed_for(output) == []
    bare.install(*LIBRARIES)
    assert bare.prepare()[0] == 0 and "./.venv/headless" in bare.asked[-1]


def test_tests_go_without_programs_that_may_not_be_installed(tmp_path):
    bare = BareMachine(tmp_path, "python3-venv", *LIBRARIES, *(set(TESTERS) - PROGRAMS.keys()))
    status, output = bare.prepare(".[dev]")
    assert status == 0 and installed_for(output) == [list(PROGRAMS)] and "headless" not in output


def test_how_much_is_fetched_is_said_before(tmp_path):
    bare = BareMachine(tmp_path, "python3-venv", *LIBRARIES, *TESTERS)
    run, test, again = (bare.prepare(what)[1] for what in (".", ".[dev]", ".[dev]"))
    alone = BareMachine(tmp_path / "alone", "python3-venv", *LIBRARIES, *TESTERS).prepare(".[dev]")[1]
    sizes = [int(re.search(r"about (\d+) MB", output)[1]) for output in (run, test, alone)]
    assert sizes[0] + sizes[1] == sizes[2] and again == ""


@pytest.mark.parametrize("environment", [{}, {"CI": "true"}], ids=["a terminal", "continuous integration"])
def test_pip_shows_its_progress_to_whoever_waits(tmp_path, environment):
    bare = BareMachine(tmp_path, "python3-venv", *LIBRARIES)
    bare.prepare(on_terminal=True, **environment)
    assert ("-q" in bare.asked[-1].split()) is bool(environment)


def test_an_environment_that_was_left_without_pip_is_made_anew(tmp_path):
    bare = BareMachine(tmp_path, "python3-venv", *LIBRARIES)
    (bare.project / ".venv/bin").mkdir(parents=True)
    (bare.project / ".venv/bin/python").symlink_to("/nonexistent")
    assert bare.prepare()[0] == 0 and bare.asked[0] == "-m venv --clear .venv"


@LONG
def test_pip_finds_what_is_declared_in_the_headless_build(tmp_path):
    bare = BareMachine(tmp_path, "python3-venv", *TESTERS)
    bare.use_pip()
    for what in (".", ".[dev]"):
        assert bare.prepare(what)[0] == 0
        assert _opencv(bare) == (OPENCV, OPENCV, True)
    bare.install(*LIBRARIES)
    assert bare.prepare()[0] == 0 and _opencv(bare) == (OPENCV, OPENCV, True)


@LONG
def test_a_build_that_no_longer_loads_yields_to_the_headless_one(tmp_path):
    bare = BareMachine(tmp_path, "python3-venv", *LIBRARIES)
    bare.use_pip()
    status, output = bare.prepare()
    assert status == 1 and "OpenCV cannot be loaded" in output
    for name in LIBRARIES:
        (tmp_path / "installed" / name).unlink()
    assert bare.prepare()[0] == 0 and _opencv(bare) == (OPENCV, OPENCV, True)


def _opencv(bare: BareMachine) -> tuple[str, str, bool]:
    """The versions of the declared package and of the headless one, and whether pip finds everything right."""
    python = bare.project / ".venv/bin/python"
    names = "opencv-python", "opencv-python-headless"
    code = f"from importlib.metadata import version; import cv2.headless; print(*map(version, {names}))"
    output = subprocess.run([python, "-Ic", code], text=True, capture_output=True, check=True).stdout
    declared, headless = output.split()
    return declared, headless, subprocess.run([python, "-m", "pip", "check"]).returncode == 0
