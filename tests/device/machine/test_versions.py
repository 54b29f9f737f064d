"""Versions side by side: nothing changes before a new one was tried, whatever happens; the one before comes back."""

import fcntl
import os
import pwd
import re
import shutil
import subprocess
import sys
import time
import zipfile
from contextlib import suppress
from pathlib import Path

import pytest

from device.__main__ import main
from device.machine import versions as module
from device.machine.checks import Mark, check_version
from device.machine.start_counter import StartCounter
from device.machine.versions import DIED, CannotUpdate, Versions, pip_constraints, version_in
from tests.support import ROOT
from tests.support.device.installed import InstalledMachine, environment, stand_in_environment
from tests.support.faulty_disk import NO_MOUNT, fill, small_disk

pytestmark = pytest.mark.slow


@pytest.fixture(params=[stand_in_environment])
def machine(request, tmp_path, monkeypatch):
    """A machine on which nothing is installed."""
    machine = InstalledMachine(tmp_path, request.param(tmp_path / "template"))
    for name, value in machine.environment.items():
        monkeypatch.setenv(name, value)
    monkeypatch.delenv("PYTHONPATH", raising=False)
    return machine


@pytest.fixture
def updated(machine):
    """A machine on which 0.3.0 runs, and 0.2.0 ran before."""
    machine.lay("0.2.0-1")
    machine.lay("0.3.0-2", before="0.2.0-1")
    shutil.copy(module.__file__, machine.home)
    return machine


@pytest.fixture
def running_machine(machine):
    """A machine on which 0.2.0 runs and has kept a match and a PIN."""
    machine.lay("0.2.0-1")
    shutil.copy(ROOT / "tests/data/journals/demo.journal", machine.data / "2026-11-01T10-00-00.journal")
    (machine.data / "pin").write_text("hashed")
    return machine


WITH_PIP = pytest.mark.parametrize("machine", [environment], indirect=True)
"""Versions are installed by pip, in environments that run."""


@WITH_PIP
def test_a_first_version_is_tried_and_then_runs(machine):
    machine.versions.update(machine.wheel("0.2.0"))
    assert machine.installed() == {"current": "0.2.0-1", "before": None, "there": "0.2.0-1"}
    assert (machine.home / "current").readlink() == Path("versions/0.2.0-1")
    backup = str(machine.root / "var/backups/shinpan/0.2.0-1")
    assert machine.asked == [
        ["0.2.0-1", "backup", backup, "--data", str(machine.data)],
        ["0.2.0-1", "doctor", "--beside"],
        ["0.2.0-1", "demo", "--rehearsal", "--port", "0"],
        ["systemctl", "try-restart"],
    ]
    result = subprocess.run([machine.home / "current/bin/shinpan", "rules"], capture_output=True, text=True)
    assert result.stdout == "rules says 0\n"


@pytest.mark.long
@WITH_PIP
def test_an_image_is_installed_without_a_rehearsal(machine):
    assert (
        module.main(["install", str(machine.wheel("0.2.0")), "--unrehearsed"], {"SHINPAN_ROOT": str(machine.root)}) == 0
    )
    assert machine.installed()["current"] == "0.2.0-1"
    assert [words[1] for words in machine.asked] == ["backup"]


def test_an_update_keeps_the_version_before_and_what_the_box_kept(running_machine):
    running_machine.versions.update(running_machine.wheel("0.3.0"))
    assert running_machine.installed() == {"current": "0.3.0-2", "before": "0.2.0-1", "there": "0.2.0-1 0.3.0-2"}
    assert (running_machine.home / "before/bin/shinpan").is_file()
    backup = running_machine.root / "var/backups/shinpan/0.3.0-2"
    assert {path.name for path in backup.iterdir()} == {"2026-11-01T10-00-00.journal", "pin"}
    assert backup.stat().st_mode & 0o777 == 0o700
    assert [words[0] for words in running_machine.asked if words[1] == "verify"] == ["0.3.0-2"]
    running_machine.versions.update(running_machine.wheel("0.4.0"))
    assert running_machine.installed() == {"current": "0.4.0-3", "before": "0.3.0-2", "there": "0.3.0-2 0.4.0-3"}
    assert sorted(path.name for path in backup.parent.iterdir()) == ["0.3.0-2", "0.4.0-3"]


@pytest.mark.long
@pytest.mark.parametrize("machine", [stand_in_environment, environment], indirect=True)
def test_versions_of_either_layout_follow_one_another(running_machine):
    """Before 0.4 the packages lay beside others' in site-packages; a box goes on and back between the two."""
    keeper = running_machine.home / "versions.py"
    for number in ("0.3.0", "0.4.0"):
        keeper.unlink(missing_ok=True)
        running_machine.versions.update(running_machine.wheel(number), restart=False)
        assert keeper.read_bytes() == Path(module.__file__).read_bytes()
    assert running_machine.installed()["current"] == "0.4.0-3"
    back = [sys.executable, "-I", keeper, "rollback"]
    rollback = subprocess.run(back, env=running_machine.environment, capture_output=True, text=True)
    assert (rollback.stderr, running_machine.versions.current.name) == ("shinpan: 0.3.0-2 runs again\n", "0.3.0-2")
    running_machine.versions.update(running_machine.wheel("0.4.1"), restart=False)
    assert running_machine.installed() == {"current": "0.4.1-3", "before": "0.3.0-2", "there": "0.3.0-2 0.4.1-3"}
    running_machine.versions.update(running_machine.wheel("0.3.1"), restart=False)
    assert running_machine.installed()["current"] == "0.3.1-4"
    result = subprocess.run([running_machine.home / "before/bin/shinpan", "rules"], capture_output=True, text=True)
    assert result.stdout == "rules says 0\n"


def test_a_version_without_the_file_that_takes_it_back_is_refused(running_machine, monkeypatch):
    wheel = running_machine.wheel("0.4.0")
    shutil.rmtree(f"{wheel}.unpacked/lib")
    before = running_machine.installed()
    with pytest.raises(CannotUpdate, match=r"^0\.4\.0-2 has no shinpan/device/machine/versions\.py; copy"):
        running_machine.versions.update(wheel)
    assert running_machine.installed() == before


def test_where_a_version_cannot_copy_the_games_they_are_copied_as_they_are(running_machine):
    running_machine.does(v0_3_0_backup=2)
    running_machine.versions.update(running_machine.wheel("0.3.0"))
    backup = running_machine.root / "var/backups/shinpan/0.3.0-2/2026-11-01T10-00-00.journal"
    assert backup.read_bytes() == (running_machine.data / backup.name).read_bytes()


def test_a_versions_copy_that_lacks_a_game_is_not_overwritten(running_machine):
    running_machine.does(v0_3_0_backup=1, v0_3_0_backup_skips="00002")
    sound, damaged = "2026-11-01T10-00-00", "00002_2026-11-02T10-00-00"
    for ending in (".journal-wal", ".sgf"):
        (running_machine.data / f"{sound}{ending}").write_text("being written")
    for ending in (".journal", ".sgf"):
        (running_machine.data / f"{damaged}{ending}").write_text("damaged")
    running_machine.versions.update(running_machine.wheel("0.3.0"))
    backup = running_machine.root / "var/backups/shinpan/0.3.0-2"
    assert {path.name for path in backup.iterdir()} == {
        f"{sound}.journal",
        f"{damaged}.journal",
        f"{damaged}.sgf",
        "pin",
    }


@pytest.mark.parametrize("source", ["folder", "wheel"])
def test_tested_versions_that_are_no_text_are_told_before_anything_is_made(running_machine, tmp_path, capsys, source):
    project = tmp_path / "project"
    (project / "hardware").mkdir(parents=True)
    (project / "pyproject.toml").write_text('[project]\nname = "shinpan"\nversion = "0.3.0"\n')
    wheel = shutil.copy(running_machine.wheel("0.3.0"), project)
    tested = project / ("hardware/constraints.txt" if source == "folder" else "constraints.txt")
    tested.write_bytes(b"numpy==2\xff\xfe")
    assert main(["update", str(project if source == "folder" else wheel)]) == 1
    assert capsys.readouterr().err == (
        f"shinpan: {tested}: it is not text in UTF-8; copy it once more; nothing was changed.\n"
    )


def test_what_is_no_version_among_the_versions_is_left_alone(running_machine):
    for name in ("notes", "notes-old", "0.1.0-x7"):
        (running_machine.home / "versions" / name).write_text("kept")
    running_machine.versions.update(running_machine.wheel("0.3.0"))
    assert running_machine.installed()["there"] == "0.1.0-x7 0.2.0-1 0.3.0-2 notes notes-old"


def test_what_a_step_says_is_told_whatever_its_encoding(running_machine):
    running_machine.does(v0_3_0_doctor="\xff")
    with pytest.raises(CannotUpdate, match="doctor says"):
        running_machine.versions.update(running_machine.wheel("0.3.0"))


@pytest.mark.parametrize("kind", ["damaged", "a link", "a pipe"])
def test_a_count_of_failed_starts_that_cannot_be_used_does_not_stop_it(updated, kind):
    count, victim = updated.data / "starts", updated.root / "victim"
    victim.write_text("kept")
    if kind == "a link":
        count.symlink_to(victim)
    elif kind == "a pipe":
        os.mkfifo(count)
    else:
        count.write_bytes(b"\xff\nexit-code")
    results = [updated.versions.note_end("exit-code", 0.0) for _ in range(3)]
    assert results[:2] == [None, None] and results[2].name == "0.2.0-1" and victim.read_text() == "kept"


def test_a_start_that_the_box_counted_is_not_counted_twice(updated, monkeypatch):
    results = []
    for start in ("a", "b", "c"):
        monkeypatch.setenv("INVOCATION_ID", start)
        starts = StartCounter(updated.data)
        starts.begin()
        starts.fail("No camera.")
        starts.begin()
        starts.fail("No camera.")
        results.append(updated.versions.note_end("exit-code", 25.0, start))
    assert results[:2] == [None, None] and results[2].name == "0.2.0-1" and StartCounter(updated.data).failed == 0


def test_a_start_that_ended_without_a_word_is_counted_once(updated, monkeypatch):
    monkeypatch.setenv("INVOCATION_ID", "a")
    StartCounter(updated.data).begin()
    assert updated.versions.note_end("signal", 0.0, "a") is None
    assert (StartCounter(updated.data).failed, StartCounter(updated.data).why) == (1, DIED)


def test_a_stopped_service_reverts_nothing_and_still_says_why(updated):
    for _ in range(4):
        StartCounter(updated.data).fail("No camera.")
        assert updated.versions.note_end("success", 900.0) is None
    assert StartCounter(updated.data).failed == 4
    assert [updated.versions.note_end("exit-code", 0.0) for _ in range(2)] == [None, None]


@pytest.fixture
def small(monkeypatch, tmp_path):
    """A machine on a small disk of its own, on which 0.3.0 runs, and 0.2.0 ran before."""
    try:
        disk = small_disk(tmp_path / "disk")
        with disk as folder:
            machine = InstalledMachine(folder, stand_in_environment(folder / "template"))
            machine.lay("0.2.0-1")
            machine.versions.update(machine.wheel("0.3.0"), restart=False)
            yield machine
    except OSError as error:
        if str(error) != NO_MOUNT:
            raise
        pytest.skip(NO_MOUNT)


def test_a_version_that_cannot_start_while_the_disk_is_full_is_taken_back(small, monkeypatch):
    for name, value in small.environment.items():
        monkeypatch.setenv(name, value)
    ended(small, "success", 0, 0)
    assert fill(small.root.parent).stat().st_size and (small.home / "versions.py").is_file()
    command = [sys.executable, "-I", small.home / "versions.py", "ended"]
    environment = small.environment | {"SERVICE_RESULT": "exit-code"}
    errors = [subprocess.run(command, env=environment, capture_output=True, text=True).stderr for _ in range(3)]
    assert errors == ["", "", "shinpan: three starts failed in a row; 0.2.0-1 is taken back\n"]
    assert small.versions.current.name == "0.2.0-1"
    (check,) = check_version(small.home / "versions/0.2.0-1")
    assert "0.3.0-2 failed to start three times" in check.sentence


@pytest.mark.parametrize("step", ["doctor", "demo"])
def test_a_version_that_fails_its_trial_changes_nothing(running_machine, step):
    running_machine.does(**{f"v0_3_0_{step}": 1})
    before = running_machine.installed()
    with pytest.raises(CannotUpdate, match=rf"(?s){step}.*{step} says 1"):
        running_machine.versions.update(running_machine.wheel("0.3.0"))
    assert running_machine.installed() == before
    assert list((running_machine.root / "var/backups/shinpan").iterdir()) == []


@WITH_PIP
def test_a_wheel_that_cannot_be_installed_changes_nothing(running_machine):
    before = running_machine.installed()
    with pytest.raises(CannotUpdate, match="pip"):
        running_machine.versions.update(running_machine.broken_wheel("0.3.0"))
    assert running_machine.installed() == before


@pytest.mark.parametrize("step", ["venv", "backup", "doctor", "demo", "verify"])
def test_a_killed_update_changes_nothing_and_is_swept_next_time(running_machine, step):
    before = running_machine.installed()
    running_machine.does(**{f"v0_3_0_{step}": "kill"})
    running_machine.kill_in_venv(step == "venv")
    assert running_machine.killed_update("0.3.0") == -9
    left = running_machine.installed()
    running_machine.does()
    running_machine.kill_in_venv(False)
    assert len(left["there"].split()) == 3 and {**left, "there": ""} == {**before, "there": ""}
    with pytest.raises(CannotUpdate, match="pip"):
        running_machine.versions.update(running_machine.broken_wheel("0.3.1"))
    assert running_machine.installed() == before


@pytest.mark.parametrize(("act", "last"), [("symlink_to", 1), ("symlink_to", 2), ("symlink_to", 3), ("replace", 2)])
def test_an_update_that_ends_within_its_last_acts_has_changed_nothing(running_machine, act, last, monkeypatch):
    """Links and files are changed one after the other; the one named is not done any more."""

    class Dead(BaseException):
        pass

    wheel, done = running_machine.wheel("0.3.0"), list[Path]()
    real = getattr(module.Path, act)

    def dies(path, *args):
        done.append(path)
        if len(done) == last:
            raise Dead
        return real(path, *args)

    with monkeypatch.context() as patched:
        patched.setattr(module.Versions, "sweep", lambda self: None)
        patched.setattr(module.Path, act, dies)
        with suppress(Dead):
            running_machine.versions.update(wheel)
    assert len(done) == last
    assert running_machine.versions.current.name == "0.2.0-1" and running_machine.versions.before is None
    running_machine.versions.sweep()
    assert running_machine.installed()["there"] == "0.2.0-1"


def test_a_version_that_rules_stored_games_otherwise_is_refused(running_machine):
    running_machine.does(v0_3_0_verify=2)
    with pytest.raises(CannotUpdate, match="rules 2026-11-01T10-00-00 otherwise"):
        running_machine.versions.update(running_machine.wheel("0.3.0"))
    running_machine.versions.update(running_machine.wheel("0.3.0"), other_rulings=True)
    assert running_machine.versions.current.name.startswith("0.3.0")


def test_a_journal_that_was_damaged_before_is_no_fault_of_a_new_version(running_machine):
    running_machine.does(v0_3_0_verify=2, v0_2_0_verify=2)
    running_machine.versions.update(running_machine.wheel("0.3.0"))
    assert running_machine.versions.current.name.startswith("0.3.0")


def test_the_newest_journals_are_those_with_the_highest_numbers(running_machine):
    for name in ("2026-10-01T10-00-00", *(f"{number:05}_1970-01-01T00-00-00" for number in range(1, 12))):
        shutil.copy(ROOT / "tests/data/journals/demo.journal", running_machine.data / f"{name}.journal")
    running_machine.versions.update(running_machine.wheel("0.3.0"))
    tried = [Path(words[2]).name[:5] for words in running_machine.asked if words[1] == "verify"]
    assert tried == [f"{number:05}" for number in range(2, 12)]


def test_a_version_that_does_not_start_is_taken_back(running_machine):
    running_machine.systemd(starts=False)
    with pytest.raises(CannotUpdate, match=r"0\.3\.0-2 did not start; the version before it runs again"):
        running_machine.versions.update(running_machine.wheel("0.3.0"))
    assert running_machine.versions.current.name == "0.2.0-1"
    assert [words[1] for words in running_machine.asked[-2:]] == ["try-restart", "try-restart"]


def test_rolled_back_is_to_the_version_before_once(updated):
    updated.versions.roll_back()
    assert updated.versions.current.name == "0.2.0-1" and updated.asked[-1] == ["systemctl", "try-restart"]
    with pytest.raises(CannotUpdate, match="no version before"):
        updated.versions.roll_back()


def test_three_failed_starts_in_a_row_take_the_version_before_back(updated):
    starts = [("exit-code", 0.0), ("signal", 3.0), ("success", 1.0), ("exit-code", 0.0), ("watchdog", 900.0)]
    starts += [("exit-code", 0.0), ("timeout", 0.0)]
    assert [updated.versions.note_end(*start) for start in starts] == [None] * len(starts)
    assert updated.versions.current.name == "0.3.0-2"
    assert updated.versions.note_end("core-dump", 59.0).name == "0.2.0-1" == updated.versions.current.name
    (check,) = check_version(updated.versions.current)
    assert check.mark is Mark.NOTE and "0.3.0-2 failed to start three times" in check.sentence
    assert [updated.versions.note_end("exit-code", 0.0) for _ in range(5)] == [None] * 5
    updated.versions.update(updated.wheel("0.3.1"))
    (check,) = check_version(updated.versions.current)
    assert (check.mark, check.sentence) == (Mark.OK, f"{updated.versions.current.name}; before it 0.2.0-1.")


def ended(machine, result, ready, started):
    show = f"ActiveEnterTimestampMonotonic={ready * 1e6:.0f}\nExecMainStartTimestampMonotonic={started * 1e6:.0f}\n"
    machine.systemd(show=show)
    command = [sys.executable, "-I", machine.home / "versions.py", "ended"]
    environment = machine.environment | {"SERVICE_RESULT": result}
    return subprocess.run(command, env=environment, capture_output=True, text=True)


def test_systemd_says_what_became_of_a_start(updated):
    """The copy that belongs to no version is run alone: what stands beside a version cannot break it."""
    now = time.monotonic
    results = [ended(updated, "exit-code", now() - 5, now() - 6), ended(updated, "timeout", now() - 900, now() - 120)]
    assert [one.stderr for one in results] == ["", ""] and updated.versions.current.name == "0.3.0-2"
    assert ended(updated, "exit-code", now() - 900, now() - 901).stderr == ""
    results = [ended(updated, "exit-code", 0, now() - 1).stderr for _ in range(3)]
    assert results == ["", "", "shinpan: three starts failed in a row; 0.2.0-1 is taken back\n"]


def test_what_was_installed_the_old_way_is_the_version_before(machine):
    (machine.home / "venv").mkdir(parents=True)
    machine.versions.update(machine.wheel("0.2.0"))
    assert machine.versions.before == machine.home / "venv"
    machine.versions.roll_back()
    assert machine.versions.current == machine.home / "venv"
    machine.lay("0.2.1-5", before="0.2.0-1")
    machine.versions.sweep()
    assert not (machine.home / "venv").exists() and machine.installed()["there"] == "0.2.0-1 0.2.1-5"


def test_two_updates_at_a_time_are_one_too_many(running_machine):
    with (running_machine.home / "lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        with pytest.raises(CannotUpdate, match="under way"):
            running_machine.versions.update(running_machine.wheel("0.3.0"))


@pytest.mark.parametrize(
    ("inside", "about", "said"),
    [
        ("shinpan-4.0.0", "Name: shinpan\nVersion: 4.0.0\n", "its name says 5.0.0, and it holds shinpan 4.0.0"),
        ("shinpan-5.0.0", "Name: other\nVersion: 5.0.0\n", "its name says 5.0.0, and it holds other 5.0.0"),
        ("shinpan-5.0.0", "\n\nVersion: 5.0.0\n", "it does not say which version it holds"),
    ],
)
def test_a_wheel_of_another_version_than_its_name_is_refused(running_machine, capsys, inside, about, said):
    before = running_machine.installed()
    wheel = running_machine.root.parent / "shinpan-5.0.0-py3-none-any.whl"
    with zipfile.ZipFile(wheel, "w") as file:
        file.writestr(f"{inside}.dist-info/METADATA", f"Metadata-Version: 2.1\n{about}\nVersion: 5.0.0\n")
    assert main(["update", str(wheel)]) == 1
    assert capsys.readouterr().err == f"shinpan: {wheel}: {said}; copy it once more; nothing was changed.\n"
    assert running_machine.installed() == before and running_machine.asked == []


def test_what_is_no_version_is_told(tmp_path):
    (tmp_path / "pyproject.toml").write_text('[project]\nname = "other"\nversion = "1"\n')
    for source in (tmp_path, tmp_path / "none", tmp_path / "shinpan-1-py3-none-any.whl"):
        with pytest.raises(CannotUpdate, match="neither a folder with shinpan nor a wheel"):
            version_in(source)
    assert version_in(ROOT)[0].isdigit()


def test_beside_a_camera_of_the_system_its_numpy_decides():
    tested = "numpy==2.4.6\nopencv-python==5.0.0.93\nFlask==3.1.3\n"
    assert pip_constraints(tested, "") == tested
    assert pip_constraints(tested, "1.24.2") == "Flask==3.1.3\nnumpy<2\n"


def odd_project(folder: Path, part: str, kind: str) -> Path:
    """A project's folder in which a part is a link to somebody's secret, a pipe, or without an end."""
    (folder / "device").mkdir(parents=True)
    (folder / "hardware").mkdir()
    (folder / "pyproject.toml").write_text('[project]\nname = "shinpan"\nversion = "9.0.0"\n')
    path = folder / part
    path.unlink(missing_ok=True)
    if kind == "pipe":
        os.mkfifo(path)
    else:
        path.symlink_to({"link": "/etc/passwd", "link to a folder": "/etc", "device": "/dev/zero"}[kind])
    return folder


@pytest.mark.parametrize("part", ["pyproject.toml", "device/secret.py", "hardware/constraints.txt", "web"])
@pytest.mark.parametrize("kind", ["link", "link to a folder", "device", "pipe"])
def test_root_copies_nothing_but_files_and_folders(running_machine, tmp_path, capsys, part, kind):
    source = odd_project(tmp_path / "stick", part, kind)
    assert main(["update", str(source)]) == 1
    err = capsys.readouterr().err
    assert re.search(rf"{source / part}: this is n\w+ .*; nothing was changed\.\n", err)
    assert running_machine.installed()["current"] == "0.2.0-1" and not list(running_machine.home.glob("versions/work*"))


def test_on_a_machine_without_a_box_that_is_said_first(tmp_path):
    if "shinpan" in {user.pw_name for user in pwd.getpwall()}:
        pytest.skip("this machine is a box")
    with pytest.raises(CannotUpdate, match="No box is set up on this machine"):
        Versions(Path("/")).update(tmp_path)
