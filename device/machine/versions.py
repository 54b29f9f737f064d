"""The versions of the program installed side by side, and the switch between them.

    /opt/shinpan/versions/NAME   a version in its own environment; its link `before` points to the previous one
    /opt/shinpan/current         a link to the current version; replacing it is the only step that changes anything
    /opt/shinpan/before          a link to current/before
    /opt/shinpan/taken-back      a link to the name of the version that failed to start, if the one before runs again

Versions that neither `current` nor `before` points to are unfinished updates, deleted by the next one. This file needs
nothing but Python: install.sh runs it before there is a version, and its copy in /opt/shinpan restores the previous
version if the current one cannot start.

Failed starts are counted in one file, `starts` in the data folder: by the box, which knows the reason, and here at the
end of its service, which also sees crashes without a message. It is JSON: `failed`, the number of consecutive starts
after which the box did not run for WELL seconds; `told`, what `failed` was when the service was last told to stop or
ran for long enough, because from there it is counted what takes a version back; `why`, a sentence on the newest;
`start`, systemd's id of the newest counted start, so that none is counted twice; `program`, the folder of the version
that was started, because another one begins at zero; `boot`, the machine's boot id while a start is under way, which
distinguishes a crash from a power cut.
"""

from __future__ import annotations

import json
import os
import re
import shutil
import stat
import subprocess
import sys
import time
import tomllib
import zipfile
import zlib
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from email import message_from_bytes
from pathlib import Path

PARTS = ("referee", "vision", "device", "web", "pyproject.toml", "README.md", "LICENSE")
"""Parts of the project from which a version is built."""
WITHIN = ("shinpan/device/machine/versions.py", "device/machine/versions.py")
"""Where this file lies in a wheel, and where it lay before 0.4."""
REPLAYED = 10
"""Number of newest journals that a new version must replay with the same rulings."""
PATIENCE = 3600.0
"""Timeout of an update's step in seconds; under an emulated processor a rehearsal takes minutes."""
FAILED_STARTS, WELL = 3, 60.0
"""Consecutive failed starts before the previous version is restored, and before the box shows the reason and then tries
again; and seconds after which a start has not failed."""
STARTS, ROOM, LONGEST_WHY = "starts", 4096, 500
"""The file of failed starts; its size in bytes, which never changes, so that it can be written on a full disk; and the
length of its longest sentence."""
DIED = "The box ended without a word, and its log does not say why."
FROM_THE_SYSTEM = ("numpy", "opencv-python")
"""Packages that must match a Pi's camera library, which only the system provides, built for the system's numpy."""
LGPIO = "lgpio>=0.2"
"""What gpiozero reaches the pins with. An older one has a wheel for every machine, and nothing in it."""
NUMBERED = re.compile(r".+-([0-9]{1,9})")
"""Names of versions and of unfinished ones; anything else beside them is ignored."""
MOST_ABOUT = 1 << 20
"""Maximum number of bytes that are read of what a wheel says of itself."""
UNIT = "shinpan"
NOT_HERE = "Versions are installed side by side under Linux alone; elsewhere pipx install --force does it."
BACKUPS = Path("/var/backups/shinpan")
"""Where updates copy what a box keeps."""
LARGEST_TEXT = 1 << 20
"""Maximum size of the project's description and of the constraints, in bytes."""
AGAIN = "copy the project once more, from where you trust it"
NOTHING_BEFORE = "There is no version before this one."


class CannotUpdate(Exception):
    """An update that was not made; a sentence says why."""


# Not of device.system: this file runs alone.
if sys.platform == "win32":
    _OPEN_FLAGS = os.O_BINARY

    def _sync() -> None:
        raise CannotUpdate(NOT_HERE)

    def _user_names() -> set[str]:
        raise CannotUpdate(NOT_HERE)

    def _lock_file(handle: int) -> None:
        raise CannotUpdate(NOT_HERE)

else:
    import fcntl
    import pwd

    _OPEN_FLAGS = os.O_NOFOLLOW | os.O_NONBLOCK | os.O_CLOEXEC
    """Flags with which a file is opened: through no link, and never waiting."""

    def _sync() -> None:
        """Return when everything is on the disk."""
        os.sync()

    def _user_names() -> set[str]:
        """Return the names of the system's users."""
        return {user.pw_name for user in pwd.getpwall()}

    def _lock_file(handle: int) -> None:
        """Lock a file until it is closed. Raises BlockingIOError if it is locked."""
        fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)


class Versions:
    """The versions under a root.

    root: the root of the file system
    python: the interpreter that creates environments, itself not in one
    """

    def __init__(self, root: Path, python: str = getattr(sys, "_base_executable", sys.executable)) -> None:
        self._root, self._python = root.resolve(), python
        self._home, self._backups = self._root / "opt/shinpan", self._root / BACKUPS.relative_to("/")
        self._data, self._settings = self._root / "var/lib/shinpan", self._root / "etc/shinpan/settings.toml"
        self._versions, self._link = self._home / "versions", self._home / "current"
        self._starts, self._taken_back = self._data / STARTS, self._home / "taken-back"

    @property
    def current(self) -> Path | None:
        """Return the current version, None if there is none; versions before 0.2 were installed in `venv`."""
        path = self._link if self._link.is_symlink() else self._home / "venv"
        return path.resolve() if path.is_dir() else None

    @property
    def before(self) -> Path | None:
        """Return the previous version, None if there is none."""
        path = self._link / "before"
        return path.resolve() if path.is_dir() else None

    def update(self, source: Path, restart: bool = True, other_rulings: bool = False, rehearsed: bool = True) -> Path:
        """Install `source`, test it, and switch to it. Raises CannotUpdate; then nothing was changed.

        source: a folder with the project, or a wheel
        restart: whether to restart the service
        other_rulings: accept rulings that differ from those of stored journals
        rehearsed: test it; a card's image is built under an emulated processor and tested as a whole
        """
        self._check_user()
        version = version_in(source)
        with self._hold_lock():
            self.sweep()
            try:
                environment = self._build_version(source, version)
                self._back_up(environment)
                if rehearsed:
                    self._test_version(environment, other_rulings)
                self._prepare_switch(environment)
                self._switch_to(environment)
            finally:
                self.sweep()
            if restart and not self._restart_service():
                self._take_back()
                self._restart_service()
                raise CannotUpdate(f"{environment.name} did not start; the version before it runs again.")
            return environment

    def roll_back(self, restart: bool = True) -> Path:
        """Switch to the previous version. Raises CannotUpdate if there is none."""
        if self.before is None:
            raise CannotUpdate(NOTHING_BEFORE)
        with self._hold_lock():
            previous = self._take_back()
            if restart and not self._restart_service():
                raise CannotUpdate(f"{previous.name} is switched to, but does not start; see: journalctl -u {UNIT} -e")
            return previous

    def note_end(self, result: str, lasted: float, start: str = "") -> Path | None:
        """Record the end of the service; return the previous version if three starts failed and it was restored.

        result: as systemd names it
        lasted: seconds since the service was ready
        start: systemd's id of the start; empty if unknown
        """
        starts = read_starts(self._starts)
        failures, counted_from = read_count(starts, "failed"), read_count(starts, "told")
        if result == "success" or lasted >= WELL:
            counted_from = failures
        elif not start or starts.get("start") != start:
            failures, starts["why"] = failures + 1, DIED
        starts.pop("boot", None)
        try:
            write_starts(self._starts, {**starts, "failed": failures, "told": counted_from, "start": start})
        except OSError as error:
            print_progress(f"how often the box failed to start cannot be kept ({error})")
        if failures - counted_from < FAILED_STARTS or self.before is None:
            return None
        name = self.current and self.current.name
        with self._hold_lock():
            previous = self._take_back()
            self._taken_back.symlink_to(f"{name}")  # For `shinpan doctor`; a link needs no room on a full disk.
        return previous

    def sweep(self) -> None:
        """Delete what neither the current nor the previous version needs."""
        needed = {path for path in (self.current, self.before) if path is not None}
        for entry in [*_list_folder(self._versions), self._home / "venv", *_list_folder(self._backups)]:
            if entry not in needed and entry.name not in {
                path.name for path in needed if path.parent == self._versions
            }:
                shutil.rmtree(entry, ignore_errors=True)

    def _build_version(self, source: Path, version: str) -> Path:
        """Build a version, in an environment that sees the system's packages, because only the system has a Pi's
        camera."""
        tested = _read_constraints(source)
        number = 1 + max(
            (int(match[1]) for path in _list_folder(self._versions) if (match := NUMBERED.fullmatch(path.name))),
            default=0,
        )
        environment, work = self._versions / f"{version}-{number}", self._versions / f"work-{number}"
        work.mkdir(parents=True)
        print_progress(f"{environment.name} is made")
        self._run(self._python, "-m", "venv", "--system-site-packages", environment)
        pip = (environment / "bin/python", "-m", "pip", "install", "-q", "--disable-pip-version-check")
        (work / "limits").write_text(pip_constraints(tested, _find_camera_numpy(environment)))
        self._run(*pip, "-c", work / "limits", _copy_source(source, work))
        if (
            _is_pi()
            and not _has_module(environment, "lgpio")
            and not self._can_run(*pip, "--only-binary", ":all:", LGPIO)
        ):
            print_progress(
                "lamps and buttons will not work: lgpio is missing here; Raspberry Pi OS has it as python3-lgpio"
            )
        return environment

    def _back_up(self, environment: Path) -> None:
        """Back up games, settings and other data: journals consistently, though the box goes on, or else file by
        file."""
        to = self._backups / environment.name
        to.mkdir(parents=True, mode=0o700)
        print_progress(f"what the box keeps is copied to {to}")
        whole = self._data.is_dir() and self._can_run(environment / "bin/shinpan", "backup", to, "--data", self._data)
        copied = {path.stem for path in to.glob("*.journal")}
        for path in [*_list_folder(self._data), *_list_folder(self._settings.parent)]:
            game = ".journal" in path.name or path.suffix == ".sgf"
            is_saved = game and (whole or path.name.partition(".")[0] in copied)
            if path.is_file() and not path.is_symlink() and not is_saved:
                shutil.copy2(path, to / path.name)

    def _test_version(self, environment: Path, other_rulings: bool) -> None:
        """Test a version: it finds nothing wrong here, referees a simulated game, and replays games with the same
        rulings."""
        shinpan = ("nice", environment / "bin/shinpan")
        settings = ("--settings", self._settings) if self._settings.is_file() else ()
        print_progress("shinpan doctor looks at it")
        self._run(*self._as_user(), *shinpan, "doctor", "--beside", *settings)
        print_progress("it referees a game on a drawn table, for half a minute")
        self._run(*self._as_user(), *shinpan, "demo", "--rehearsal", "--port", "0")
        for journal in sorted((self._backups / environment.name).glob("*.journal"), key=_age_key)[-REPLAYED:]:
            if not other_rulings and not self._can_run(*shinpan, "verify", journal) and self._is_sound(journal):
                raise CannotUpdate(
                    f"{environment.name} rules {journal.stem} otherwise than it was ruled; --other-rulings allows it."
                )

    def _is_sound(self, journal: Path) -> bool:
        """Return True if the current version accepts the journal: a damaged one is no fault of the new version."""
        return self.current is not None and self._can_run(self.current / "bin/shinpan", "verify", journal)

    def _prepare_switch(self, environment: Path) -> None:
        """Prepare all but the switch, synced to disk: the link to the previous version, and the program that
        restores it."""
        if self.current is not None:
            (environment / "before").symlink_to(os.path.relpath(self.current, environment))
        if not (self._home / "before").is_symlink():
            (self._home / "before").symlink_to("current/before")
        shutil.copy(_own_file(environment), self._home / ".versions.py")
        (self._home / ".versions.py").replace(self._home / "versions.py")
        _sync()

    def _switch_to(self, to: Path) -> None:
        """Switch atomically to a version; nothing else changes the installation."""
        self._taken_back.unlink(missing_ok=True)
        if self._data.is_dir():
            with suppress(OSError):
                write_starts(self._starts, {})
        draft = self._home / ".current"
        draft.unlink(missing_ok=True)
        draft.symlink_to(os.path.relpath(to, self._home))
        draft.replace(self._link)
        _sync()

    def _take_back(self) -> Path:
        previous = self.before
        if previous is None:
            raise CannotUpdate(NOTHING_BEFORE)
        self._switch_to(previous)
        return previous

    def _restart_service(self) -> bool:
        """Restart the service if systemd runs; return True if it runs again."""
        if not (self._root / "run/systemd/system").is_dir():
            return True
        return self._can_run("systemctl", "try-restart", UNIT)

    def _check_user(self) -> None:
        """Raise CannotUpdate if nothing was set up on this machine: a new version is tried as the box's own user."""
        if self._root == Path("/") and UNIT not in _user_names():
            raise CannotUpdate(
                "No box is set up on this machine; sudo sh hardware/install.sh in the project does that."
            )

    def _as_user(self) -> tuple[str, ...]:
        """Return the command prefix to run as the box's own user, if it has one."""
        return ("runuser", "-u", UNIT, "--", "env", f"HOME={self._data}") if self._root == Path("/") else ()

    @contextmanager
    def _hold_lock(self) -> Iterator[None]:
        """Hold the lock of updates. A step that outlives a killed update keeps the lock until it has ended too."""
        self._versions.mkdir(parents=True, exist_ok=True)
        with (self._versions.parent / "lock").open("w") as lock:
            try:
                _lock_file(lock.fileno())
            except BlockingIOError:
                raise CannotUpdate("Another update is under way; wait until it has ended.") from None
            self._lock = lock.fileno()
            yield

    def _can_run(self, *command: object) -> bool:
        try:
            self._run(*command)
        except CannotUpdate:
            return False
        return True

    def _run(self, *command: object) -> None:
        words = [str(word) for word in command]
        try:
            subprocess.run(
                words,
                check=True,
                text=True,
                errors="replace",
                timeout=PATIENCE,
                pass_fds=(self._lock,),
                stdin=subprocess.DEVNULL,
                stdout=subprocess.PIPE,
                stderr=subprocess.STDOUT,
            )
        except subprocess.CalledProcessError as error:
            raise CannotUpdate(f"`{' '.join(words)}` failed:\n{error.stdout.strip()[-4000:]}") from error
        except (OSError, subprocess.TimeoutExpired) as error:
            raise CannotUpdate(f"`{' '.join(words)}` failed: {error}.") from error


def read_starts(path: Path) -> dict[str, object]:
    """Return what the file of failed starts holds; nothing if it cannot be read."""
    with suppress(OSError, ValueError, RecursionError):
        handle = os.open(path, os.O_RDONLY | _OPEN_FLAGS)
        with os.fdopen(handle, "rb") as file:
            starts = json.loads(file.read(ROOM))
            return starts if isinstance(starts, dict) else {}
    return {}


def read_count(starts: Mapping[str, object], key: str) -> int:
    """Return a number of starts that the file holds, 0 if there is none."""
    count = starts.get(key)
    return count if isinstance(count, int) and not isinstance(count, bool) and 0 <= count < 10**6 else 0


def write_starts(path: Path, starts: Mapping[str, object]) -> None:
    """Write the file of failed starts in place, so that it needs no more room. Raises OSError.

    root writes it too, in a folder of the box's own user: no link is followed, and only a regular file is written.
    """
    why = f"{starts.get('why', '')}"[:LONGEST_WHY]
    data = json.dumps({**starts, "why": why}, ensure_ascii=False).encode(errors="replace").ljust(ROOM)
    if path.is_symlink() or (path.exists() and not path.is_file()):
        path.unlink()
    handle = os.open(path, os.O_RDWR | os.O_CREAT | _OPEN_FLAGS, 0o644)
    try:
        status, owner = os.fstat(handle), path.parent.stat()
        if not stat.S_ISREG(status.st_mode) or status.st_nlink > 1:
            raise OSError(f"{path} is no file of its own")
        os.write(handle, data)
        os.ftruncate(handle, ROOM)
        os.fsync(handle)
        if sys.platform != "win32" and os.geteuid() == 0 and status.st_uid != owner.st_uid:
            os.fchown(handle, owner.st_uid, owner.st_gid)
    finally:
        os.close(handle)


def version_in(source: Path) -> str:
    """Return the version of a project's folder or of a wheel; raises CannotUpdate for anything else, such as a wheel
    that holds another version than its name says."""
    wheel = re.fullmatch(r"shinpan-([^-]+)-.*\.whl", source.name)
    if wheel is not None and source.is_file():
        _check_wheel(source, wheel[1])
        return wheel[1]
    _check_files(source)
    try:
        project = tomllib.loads(_read_text(source / "pyproject.toml"))["project"]
        if project["name"] == "shinpan" and re.fullmatch(r"[\w.+!]+", project["version"]):
            return str(project["version"])
    except (OSError, ValueError, KeyError, TypeError):
        pass
    raise CannotUpdate(f"{source}: this is neither a folder with shinpan nor a wheel of it.")


def _check_wheel(wheel: Path, version: str) -> None:
    """Raise CannotUpdate unless the wheel holds this version; pip refuses what is no whole wheel."""
    try:
        with zipfile.ZipFile(wheel) as file:
            abouts = [name for name in file.namelist() if re.fullmatch(r"[^/]+\.dist-info/METADATA", name)]
            texts = [file.open(name).read(MOST_ABOUT) for name in abouts]
    except (OSError, ValueError, RuntimeError, zlib.error, zipfile.BadZipFile, NotImplementedError):
        return
    metadata = message_from_bytes(texts[0] if len(texts) == 1 else b"")
    if not metadata["Name"] or not metadata["Version"]:
        raise CannotUpdate(f"{wheel}: it does not say which version it holds; copy it once more.")
    if (metadata["Name"], metadata["Version"]) != ("shinpan", version):
        contents = f"{metadata['Name']} {metadata['Version']}"
        raise CannotUpdate(f"{wheel}: its name says {version}, and it holds {contents}; copy it once more.")


def pip_constraints(constraints: str, camera_numpy: str) -> str:
    """Return pip's constraints.

    constraints: the tested versions
    camera_numpy: the system's numpy, if the system has a camera library, which was built for it
    """
    if not camera_numpy:
        return constraints
    lines = [line for line in constraints.splitlines() if line.partition("==")[0] not in FROM_THE_SYSTEM]
    return "\n".join([*lines, f"numpy<{int(camera_numpy.partition('.')[0]) + 1}"]) + "\n"


def print_progress(sentence: str) -> None:
    """Print a progress message."""
    print(f"shinpan: {sentence}", file=sys.stderr, flush=True)


def _read_constraints(source: Path) -> str:
    """Return the project's constraints, or those beside a wheel."""
    path = source / "hardware/constraints.txt" if source.is_dir() else source.with_name("constraints.txt")
    try:
        return _read_text(path) if os.path.lexists(path) else ""
    except UnicodeDecodeError:
        raise CannotUpdate(f"{path}: it is not text in UTF-8; copy it once more.") from None


def _read_text(path: Path) -> str:
    """Return the text of a small regular file, as `read_stored` of device/files.py does, which does not exist yet here.

    Raises CannotUpdate for a link, a pipe, a device or a large file.
    """
    if not stat.S_ISREG(path.lstat().st_mode):
        raise CannotUpdate(f"{path}: this is no file; {AGAIN}.")
    handle = os.open(path, os.O_RDONLY | _OPEN_FLAGS)
    with os.fdopen(handle, "rb") as file:
        data = file.read(LARGEST_TEXT + 1)
    if len(data) > LARGEST_TEXT:
        raise CannotUpdate(f"{path}: this is larger than {LARGEST_TEXT >> 20} MiB; {AGAIN}.")
    return data.decode("utf-8")


def _check_files(source: Path) -> None:
    """Raise CannotUpdate if anything that root would copy is a link, a pipe or a device."""
    for name in PARTS:
        for path in [source / name, *(source / name).rglob("*")]:
            mode = path.lstat().st_mode if os.path.lexists(path) else stat.S_IFREG
            if not stat.S_ISREG(mode) and not stat.S_ISDIR(mode):
                raise CannotUpdate(f"{path}: this is neither a file nor a folder; {AGAIN}.")


def _copy_source(source: Path, work: Path) -> Path:
    """Copy the source to a writable folder; a wheel is used in place."""
    if source.is_file():
        return source
    for name in PARTS:
        part, to = source / name, work / "source" / name
        to.parent.mkdir(exist_ok=True)
        if part.is_dir():
            shutil.copytree(part, to, ignore=shutil.ignore_patterns("__pycache__"))
        elif part.is_file():
            shutil.copy(part, to)
    return work / "source"


def _find_camera_numpy(environment: Path) -> str:
    """Return the version of the system's numpy, if the system has a camera library too."""
    script = "from importlib.util import find_spec as has; from importlib.metadata import version; "
    script += "print(version('numpy') if has('picamera2') else '')"
    return subprocess.run([environment / "bin/python", "-c", script], capture_output=True, text=True).stdout.strip()


def _has_module(environment: Path, module: str) -> bool:
    return subprocess.run([environment / "bin/python", "-c", f"import {module}"], capture_output=True).returncode == 0


def _is_pi(model: Path = Path("/proc/device-tree/model")) -> bool:
    return os.environ.get("SHINPAN_FOR") == "pi" or (
        model.is_file() and "Raspberry Pi" in model.read_text(errors="replace")
    )


def _age_key(journal: Path) -> tuple[bool, str]:
    """Return the sort key of journals, the oldest first, as in device/journal/names.py: numbered ones are newer."""
    return re.match("[0-9]{5,12}_", journal.name) is not None, journal.name


def _own_file(environment: Path) -> Path:
    """Return this file in a version; in those before 0.4 it lies in a package `device` beside others' packages."""
    paths = [path for within in WITHIN for path in environment.glob(f"lib/python*/site-packages/{within}")]
    if not paths:
        raise CannotUpdate(f"{environment.name} has no {WITHIN[0]}; {AGAIN}.")
    return paths[0]


def _list_folder(folder: Path) -> list[Path]:
    return sorted(folder.iterdir()) if folder.is_dir() else []


def _seconds_since_ready() -> float:
    """Return seconds since the service was ready, by systemd; 0 if it was not ready since its last start."""
    command = [
        "systemctl",
        "show",
        UNIT,
        "-p",
        "ActiveEnterTimestampMonotonic",
        "-p",
        "ExecMainStartTimestampMonotonic",
    ]
    output = subprocess.run(command, capture_output=True, text=True).stdout
    times = {name: int(value or 0) / 1e6 for name, _, value in (line.partition("=") for line in output.split())}
    ready_at, started_at = (
        times.get("ActiveEnterTimestampMonotonic", 0.0),
        times.get("ExecMainStartTimestampMonotonic", 0.0),
    )
    return time.monotonic() - ready_at if ready_at > started_at else 0.0


def main(argv: Sequence[str], environment: Mapping[str, str]) -> int:
    """Run `install SOURCE [--unrehearsed]`, as install.sh does; `rollback`; or `ended`, as systemd does. SHINPAN_ROOT
    replaces /."""
    versions = Versions(Path(environment.get("SHINPAN_ROOT", "/")))
    os.umask(0o022)
    try:
        if argv[:1] == ["ended"]:
            start = environment.get("INVOCATION_ID", "")
            previous = versions.note_end(environment.get("SERVICE_RESULT", ""), _seconds_since_ready(), start)
            if previous is not None:
                print_progress(f"three starts failed in a row; {previous.name} is taken back")
        elif argv[:1] == ["rollback"]:
            print_progress(f"{versions.roll_back().name} runs again")
        else:
            rehearsed = "--unrehearsed" not in argv
            print_progress(f"{versions.update(Path(argv[1]), restart=False, rehearsed=rehearsed).name} is installed")
    except (CannotUpdate, OSError) as error:
        print_progress(f"{error}")
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:], os.environ))
