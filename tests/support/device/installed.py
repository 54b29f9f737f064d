"""Versions of the program to install that are stand-ins: they do as a file says, and say what they were asked to do."""

from __future__ import annotations

import fcntl
import json
import os
import subprocess
import sys
import zipfile
from pathlib import Path

from device.machine import versions
from device.machine.versions import Versions

PROGRAM = """
import json, os, signal, shutil, sys
from pathlib import Path

def main():
    home, name = Path(os.environ["STAND_IN"]), Path(sys.argv[0]).parents[1].name
    words = sys.argv[1:]
    with (home / "asked").open("a") as asked:
        asked.write(json.dumps([name, *words]) + "\\n")
    steps, step = json.loads((home / "does").read_text()), f"{name.split('-')[0]} {words[0]}"
    does = steps.get(step, 0)
    if does == "kill":
        os.kill(int((home / "pid").read_text()), signal.SIGKILL)
    if words[0] == "backup":
        for path in Path(words[3]).glob("*.journal"):
            if not path.name.startswith(steps.get(f"{step} skips", "none")):
                shutil.copy(path, words[1])
    sys.stdout.buffer.write(f"{words[0]} says {does}\\n".encode("latin-1"))
    return does if isinstance(does, int) else 1
"""


class Machine:
    """A root folder to install into, and stand-ins for what a version does there and for systemd."""

    def __init__(self, folder: Path, template: Path) -> None:
        self.root, self._folder, self._template = folder / "root", folder, template
        self.home, self.data = self.root / "opt/shinpan", self.root / "var/lib/shinpan"
        self.data.mkdir(parents=True)
        (self.root / "run/systemd/system").mkdir(parents=True)
        (folder / "bin").mkdir()
        self.stand_in("systemctl", 'echo "[\\"systemctl\\", \\"$1\\"]" >>"$STAND_IN/asked"; cat "$STAND_IN/$1" 2>&1')
        self.kill_in_venv(False)
        self.does()
        self.systemd()

    def stand_in(self, name: str, does: str) -> None:
        """A program of that name, found before the system's."""
        (self._folder / "bin" / name).write_text(f"#!/bin/sh\n{does}\n")
        (self._folder / "bin" / name).chmod(0o755)

    def does(self, **steps: object) -> None:
        """What each version does when it is asked to: `v0_3_0_doctor=1` is an exit status, "kill" kills the update; of
        games whose names begin so, `v0_3_0_backup_skips` makes no copy."""
        told = {name[1:].replace("_", ".", 2).replace("_", " "): what for name, what in steps.items()}
        (self._folder / "does").write_text(json.dumps(told))

    def systemd(self, starts: bool = True, show: str = "") -> None:
        """Whether the service starts again; what systemd says of its times."""
        (self._folder / "show").write_text(show)
        (self._folder / "try-restart").unlink(missing_ok=True)
        if starts:
            (self._folder / "try-restart").touch()

    @property
    def asked(self) -> list[list[str]]:
        """What versions and systemd were asked to do, in order."""
        path = self._folder / "asked"
        return [json.loads(line) for line in path.read_text().splitlines()] if path.is_file() else []

    @property
    def environment(self) -> dict[str, str]:
        """What programs of this machine run in."""
        path = f"{self._folder / 'bin'}:{os.environ['PATH']}"
        return {"PATH": path, "STAND_IN": str(self._folder), "PIP_NO_INDEX": "1", "SHINPAN_ROOT": str(self.root)}

    @property
    def versions(self) -> Versions:
        """The versions here; environments are copies of one that was made before, which takes no time."""
        return Versions(self.root, str(self._folder / "bin/python"))

    def wheel(self, version: str) -> Path:
        """A stand-in's wheel."""
        path = self._folder / f"shinpan-{version}-py3-none-any.whl"
        about = f"shinpan-{version}.dist-info"
        with zipfile.ZipFile(path, "w") as file:
            file.write(versions.__file__, "device/machine/versions.py")
            file.writestr("device/stand_in.py", PROGRAM)
            file.writestr(f"{about}/METADATA", f"Metadata-Version: 2.1\nName: shinpan\nVersion: {version}\n")
            file.writestr(f"{about}/WHEEL", "Wheel-Version: 1.0\nRoot-Is-Purelib: true\nTag: py3-none-any\n")
            file.writestr(f"{about}/entry_points.txt", "[console_scripts]\nshinpan = device.stand_in:main\n")
            file.writestr(f"{about}/RECORD", "")
        return path

    def lay(self, name: str, before: str | None = None) -> None:
        """Put a version there, as it lies when it was installed."""
        program = self.home / "versions" / name / "bin/shinpan"
        program.parent.mkdir(parents=True)
        program.write_text(f"#!{sys.executable}\n{PROGRAM}\nsys.exit(main())\n")
        program.chmod(0o755)
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
Path({str(self._folder / "pid")!r}).write_text(str(os.getpid()))
Versions(Path({str(self.root)!r}), {str(self._folder / "bin/python")!r}).update(Path({str(self.wheel(version))!r}))
"""
        status = subprocess.run([sys.executable, "-c", code], env=self.environment, capture_output=True).returncode
        with (self.home / "lock").open() as lock:
            fcntl.flock(lock, fcntl.LOCK_EX)  # The step that it was in ends by itself.
        return status

    def broken_wheel(self, version: str) -> Path:
        """A wheel of which the end is missing, as of a copy that was broken off."""
        path = self.wheel(version)
        path.write_bytes(path.read_bytes()[:-100])
        return path

    def kill_in_venv(self, kills: bool) -> None:
        """Whether the making of an environment kills the update."""
        kill = 'kill -9 "$PPID"' if kills else ":"
        self.stand_in("python", f'cp -a "{self._template}" "$4"; {kill}')

    def installed(self) -> dict[str, str | None]:
        """What the links lead to, and what lies there."""
        there = sorted(path.name for path in (self.home / "versions").iterdir())
        runs, before = self.versions.current, self.versions.before
        return {"current": runs and runs.name, "before": before and before.name, "there": " ".join(there)}
