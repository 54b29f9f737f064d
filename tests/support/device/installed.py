"""Versions of the program to install that are stand-ins: they do as a file says, and say what they were asked to do."""

from __future__ import annotations

import fcntl
import json
import os
import shutil
import subprocess
import sys
import venv
import zipfile
from importlib.metadata import distribution
from pathlib import Path

from device.machine import versions
from device.machine.versions import Versions

PIP = Path(str(distribution("pip").locate_file("pip")))
"""The pip that runs here, which needs no file beside it."""
PROGRAM = r"""
home=$STAND_IN here=${0%/bin/*}
name=${here##*/}
does=$(cat "$home/does/${name%%-*} $1" 2>/dev/null || echo 0)
{ printf '["%s"' "$name"; printf ', "%s"' "$@"; echo ']'; } >>"$home/asked"
[ "$does" != kill ] || kill -9 "$(cat "$home/pid")"
if [ "$1" = backup ]; then
    skips=$(cat "$home/does/${name%%-*} backup skips" 2>/dev/null || echo none)
    for path in "$4"/*.journal; do case ${path##*/} in
        "$skips"* | "*.journal") ;;
        *) cp "$path" "$2" ;;
    esac; done
fi
printf '%s says %s\n' "$1" "$does"
case $does in *[!0-9]*) exit 1 ;; *) exit "$does" ;; esac
"""
"""The program of a version, in the shell: it starts in a thirtieth of Python's time."""
BEGIN = """import os, sys

def main():
    os.execvp("sh", ["sh", "-c", {program!r}, *sys.argv])
"""
PYTHON = r"""
[ "$1 $2 $3" = "-m pip install" ] || exit 0
for wheel do :; done
[ -d "$wheel.unpacked" ] || { echo "pip cannot read $wheel"; exit 1; }
cp -r "$wheel.unpacked/." "${0%/bin/python}"
"""
"""An environment's Python without Python: it has pip, which installs our wheels, and no camera library."""


def environment(folder: Path) -> Path:
    """Make an environment with the Python and the pip that run here."""
    venv.create(folder, with_pip=False)
    (site,) = folder.glob("lib/python*/site-packages")
    (site / "pip").symlink_to(PIP)
    return folder


def stand_in_environment(folder: Path) -> Path:
    """Make an environment whose Python is a stand-in, for tests of what is done with a version, not of how it is
    installed."""
    (folder / "bin").mkdir(parents=True)
    write_program(folder / "bin/python", PYTHON)
    return folder


def write_program(path: Path, does: str) -> None:
    """Write a program in the shell's language."""
    path.write_text(f"#!/bin/sh\n{does}\n")
    path.chmod(0o755)


class InstalledMachine:
    """A root folder to install into, and stand-ins for what a version does there and for systemd."""

    def __init__(self, folder: Path, template: Path) -> None:
        self.root, self.folder, self._template = folder / "root", folder, template
        self.home, self.data = self.root / "opt/shinpan", self.root / "var/lib/shinpan"
        self.data.mkdir(parents=True)
        (self.root / "run/systemd/system").mkdir(parents=True)
        (folder / "bin").mkdir()
        self.stand_in("systemctl", 'echo "[\\"systemctl\\", \\"$1\\"]" >>"$STAND_IN/asked"; cat "$STAND_IN/$1" 2>&1')
        self.kill_in_venv(False)
        self.does()
        self.systemd()

    def stand_in(self, name: str, does: str) -> None:
        """Put a program of that name before the system's."""
        write_program(self.folder / "bin" / name, does)

    def does(self, **steps: object) -> None:
        """Set what each version does when it is asked to: `v0_3_0_doctor=1` is an exit status, "kill" kills the update;
        `v0_3_0_backup_skips` makes no copy of games whose names begin with its value."""
        shutil.rmtree(self.folder / "does", ignore_errors=True)
        (self.folder / "does").mkdir()
        for name, what in steps.items():
            step = name[1:].replace("_", ".", 2).replace("_", " ")
            (self.folder / "does" / step).write_text(f"{what}", encoding="latin-1")

    def systemd(self, starts: bool = True, show: str = "") -> None:
        """Set whether the service starts again, and what systemd says of its times."""
        (self.folder / "show").write_text(show)
        (self.folder / "try-restart").unlink(missing_ok=True)
        if starts:
            (self.folder / "try-restart").touch()

    @property
    def asked(self) -> list[list[str]]:
        """The requests to versions and systemd, in order."""
        path = self.folder / "asked"
        return [json.loads(line) for line in path.read_text().splitlines()] if path.is_file() else []

    @property
    def environment(self) -> dict[str, str]:
        """The environment in which programs of this machine run."""
        path = f"{self.folder / 'bin'}:{os.environ['PATH']}"
        return {"PATH": path, "STAND_IN": str(self.folder), "PIP_NO_INDEX": "1", "SHINPAN_ROOT": str(self.root)}

    @property
    def versions(self) -> Versions:
        """The versions here; environments are copies of one that was made before, which takes no time."""
        return Versions(self.root, str(self.folder / "bin/python"))

    def wheel(self, version: str) -> Path:
        """A stand-in's wheel. Since 0.4 the packages lie in `shinpan`, before they lay beside others'."""
        package = "" if version < "0.4" else "shinpan/"
        path = self.folder / f"shinpan-{version}-py3-none-any.whl"
        about = f"shinpan-{version}.dist-info"
        with zipfile.ZipFile(path, "w") as file:
            file.write(versions.__file__, f"{package}device/machine/versions.py")
            file.writestr(f"{package}device/stand_in.py", BEGIN.format(program=PROGRAM))
            file.writestr(f"{about}/METADATA", f"Metadata-Version: 2.1\nName: shinpan\nVersion: {version}\n")
            file.writestr(f"{about}/WHEEL", "Wheel-Version: 1.0\nRoot-Is-Purelib: true\nTag: py3-none-any\n")
            file.writestr(
                f"{about}/entry_points.txt",
                f"[console_scripts]\nshinpan = {package.replace('/', '.')}device.stand_in:main\n",
            )
            file.writestr(f"{about}/RECORD", "")
        unpacked = path.with_name(f"{path.name}.unpacked")
        site = unpacked / f"lib/python3/site-packages/{package}device/machine"
        for folder in (site, unpacked / "bin"):
            folder.mkdir(parents=True, exist_ok=True)
        shutil.copy(versions.__file__, site)
        write_program(unpacked / "bin/shinpan", PROGRAM)
        return path

    def lay(self, name: str, before: str | None = None) -> None:
        """Put a version there, as it lies when it was installed."""
        program = self.home / "versions" / name / "bin/shinpan"
        program.parent.mkdir(parents=True)
        write_program(program, PROGRAM)
        if before is not None:
            (program.parents[1] / "before").symlink_to(f"../{before}")
        (self.home / "current").unlink(missing_ok=True)
        (self.home / "current").symlink_to(f"versions/{name}")

    def killed_update(self, version: str) -> int:
        """An update in a process of its own, which a step kills; its exit status."""
        code = f"""import os, sys
from pathlib import Path
sys.path.insert(0, {str(Path(versions.__file__).parent)!r})
from versions import Versions
Path({str(self.folder / "pid")!r}).write_text(str(os.getpid()))
Versions(Path({str(self.root)!r}), {str(self.folder / "bin/python")!r}).update(Path({str(self.wheel(version))!r}))
"""
        status = subprocess.run([sys.executable, "-c", code], env=self.environment, capture_output=True).returncode
        with (self.home / "lock").open() as lock:
            fcntl.flock(lock, fcntl.LOCK_EX)  # The step that it was in ends by itself.
        return status

    def broken_wheel(self, version: str) -> Path:
        """A wheel of which the end is missing, as of a copy that was broken off."""
        path = self.wheel(version)
        path.write_bytes(path.read_bytes()[:-100])
        shutil.rmtree(f"{path}.unpacked")
        return path

    def kill_in_venv(self, kills: bool) -> None:
        """Set whether the making of an environment kills the update."""
        kill = 'kill -9 "$PPID"' if kills else ":"
        self.stand_in("python", f'cp -a "{self._template}" "$4"; {kill}')

    def installed(self) -> dict[str, str | None]:
        """Return the versions that the links lead to, and all that lie there."""
        there = sorted(path.name for path in (self.home / "versions").iterdir())
        runs, before = self.versions.current, self.versions.before
        return {"current": runs and runs.name, "before": before and before.name, "there": " ".join(there)}
