"""Attacks on what is kept: the wrong match taken up, damage that is not told, copies, edited journals, litter."""

from __future__ import annotations

import random
import re
import shutil
import sqlite3
import subprocess
import time
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path

from tests.benchmarks.attack.camera import Feed, seeing
from tests.support.attack.boxes import NO_TABLE, AttackedBox, Ground, Outcome, Status, play
from tests.support.attack.clock import NO_COMPILER, SetBack, can_set_back

TURNS = 24
HAND = 2.5
"""Seconds that somebody takes from the last turn to the copy."""
_TURNS = re.compile(r"(\d+) turns")
_DAMAGE = re.compile("journal|damaged")


def clock_back(ground: Ground) -> Outcome:
    """A second match begun under a clock that was set back, and killed: is it taken up, and named the newest?"""
    if not can_set_back():
        return Outcome(skipped=NO_COMPILER)
    outcome, clock = Outcome(), SetBack(ground.folder("clock"))
    for number in range(ground.many(6)):
        folder = ground.folder(f"back {number}")
        data, rng = folder / "data", ground.rng
        when = clock.to_1970() if number % 2 == 0 else clock.anywhere(rng)
        with AttackedBox(ground, data) as box:
            play(box, 4, rng, black="First")
        with AttackedBox(ground, data, pin=box.pin, environment=when) as box:
            before = play(box, 3, rng, black="Second")
        with AttackedBox(ground, data, pin=box.pin, environment=when if number % 3 else None) as box:
            after, sgf = box.status(), box.ask("GET", "/game.sgf")[1].decode()
        has_held = after["moves"] == before["moves"] and "Second" in sgf
        outcome.case(has_held, f"{len(after['moves'])} turns of another match are taken up, and nothing is said")
        newest = max(data.glob("*.journal"), key=lambda path: path.stat().st_ctime).stem
        code, output = ground.run("bundle", "--data", data, "--out", folder / "match.zip")
        outcome.case(code == 0 and newest in output, f"the bundle of the newest match is another's: {output}")
    return outcome


def flips(ground: Ground) -> Outcome:
    """One byte flipped, cut or missing anywhere: is a beginning of what was shown taken up, and told where less?"""
    outcome = Outcome()
    with killed(ground, "whole", TURNS) as (whole, before, pin):
        for kind, usual in (("-wal", 12), (".journal", 12), ("", 12)):
            for number in range(ground.many(usual)):
                folder = ground.folder(f"flip {kind}{number}")
                shutil.copytree(whole, folder / "data")
                damage = damage_file(_some_file(folder / "data", kind, ground.rng), ground.rng)
                outcome.case(*_taken_up(ground, folder / "data", before, pin, damage))
                shutil.rmtree(folder)
    return outcome


def _some_file(data: Path, kind: str, rng: random.Random) -> Path:
    """A file of this kind; without a kind any file but the log and what SQLite makes anew."""
    left = (".log", "-shm", "lock", *(() if kind else (".journal", "-wal")))
    paths = sorted(p for p in data.rglob(f"*{kind}") if p.is_file() and not p.name.endswith(left) and p.stat().st_size)
    return rng.choice(paths)


def damage_file(path: Path, rng: random.Random) -> str:
    """Flip a bit, cut the file, or take a byte away; what was done, in words."""
    data = bytearray(path.read_bytes())
    at, how = rng.randrange(len(data)), rng.choice(("flipped", "flipped", "flipped", "cut", "missing"))
    if how == "flipped":
        data[at] ^= 1 << rng.randrange(8)
    elif how == "cut":
        del data[at:]
    else:
        del data[at]
    path.write_bytes(data)
    return f"{path.name} {how} at {at}"


def _taken_up(ground: Ground, data: Path, before: Status, pin: str, damage: str) -> tuple[bool, str]:
    """Return whether the box takes up a beginning of what was shown, and says so if it is less; verify too."""
    copy = data.with_name("copy")
    shutil.copytree(data, copy)
    checked = ground.verified(sorted(copy.glob("*.journal")))
    refused = not checked or any(code != 0 for code, _ in checked)
    try:
        with AttackedBox(ground, data, pin=pin) as box:
            after = box.status()
    except OSError as error:
        return False, f"{damage}: {error}"
    is_told = any(_DAMAGE.search(text) for text in (*after["faults"], after["notice"] or ""))
    crash = any("Traceback" in text for _, text in checked) or "Traceback" in box.said
    same = (
        after["moves"] == before["moves"] and after["rulings"] == before["rulings"] and after["rows"] == before["rows"]
    )
    prefix = after["moves"] == before["moves"][: len(after["moves"])]
    has_held = not crash and (same or (prefix and is_told and refused))
    words = f"{damage}: {len(after['moves'])} of {len(before['moves'])} turns, told {is_told}, verify refuses {refused}"
    return has_held, words + (", a traceback" if crash else "")


@contextmanager
def killed(ground: Ground, name: str, turns: int) -> Iterator[tuple[Path, Status, str]]:
    """The folder of a box that was killed after so many turns, what it had shown, and its PIN."""
    data = ground.folder(name) / "data"
    with AttackedBox(ground, data) as box:
        play(box, 3, ground.rng, black="Before")
        status = play(box, turns, ground.rng)
    yield data, status, box.pin


def stick(ground: Ground) -> Outcome:
    """Only `*.journal` copied to a stick, while the box runs and after a kill: is it the whole match?"""
    outcome = Outcome()
    for number in range(ground.many(4)):
        folder = ground.folder(f"stick {number}")
        with seeing(ground, folder / "data", Feed(folder / "pictures")) as box:
            status = play(box, ground.rng.randrange(2, TURNS), ground.rng)
            time.sleep(HAND)
            running = copied(folder / "data", folder / "while it runs")
        killed = copied(folder / "data", folder / "after a kill")
        for (code, output), when in zip(
            ground.verified([running, killed]), ("while it runs", "after a kill"), strict=True
        ):
            match = _TURNS.search(output)
            has_held = code == 0 and match is not None and int(match[1]) == status["turn"]
            outcome.case(has_held, f"copied {when}: {status['turn']} turns were shown; verify: {output}")
    return outcome


def copied(data: Path, to: Path) -> Path:
    """The newest journal alone, in another folder."""
    to.mkdir()
    path = max(data.glob("*.journal"), key=lambda path: path.stat().st_ctime)
    return Path(shutil.copy2(path, to / path.name))


def read_only(ground: Ground) -> Outcome:
    """`verify` on a medium that cannot be written to."""
    with killed(ground, "medium", 6) as (data, _, _):
        try:
            subprocess.run(["mount", "--bind", data, data], check=True, capture_output=True)
        except (OSError, subprocess.CalledProcessError):
            return Outcome(skipped="only an administrator can mount a folder read-only")
        try:
            subprocess.run(["mount", "-o", "remount,bind,ro", data], check=True)
            outcome = Outcome()
            for code, output in ground.verified(sorted(data.glob("*.journal"))):
                outcome.case(code == 0, output)
        finally:
            subprocess.run(["umount", data], check=True)
    return outcome


def unbegun(ground: Ground) -> Outcome:
    """A journal whose box was killed before the first entry: are it and all others checked, and is play taken up?"""
    outcome = Outcome()
    for name in ("no byte", "no table", "no entry"):
        with killed(ground, f"unbegun {name}", 4) as (data, before, pin):
            last = max(data.glob("*.journal"))
            newest = data / _next(last.stem)
            _begin(newest, name, last)
            ((_, output),) = ground.verified([newest])
            outcome.case("Traceback" not in output and "first entry" in output, f"{name}: {output}")
            _, output = ground.run("verify", data)
            outcome.case(f"{before['turn']} turns" in output, f"{name}, the whole folder: {output}")
            with AttackedBox(ground, data, pin=pin) as box:
                after = box.status()
            outcome.case(after["moves"] == before["moves"], f"{name}: {len(after['moves'])} turns are taken up")
    return outcome


def _next(name: str) -> str:
    """A name after this one: with a number or a year that is one higher."""
    digits = re.match(r"\d+", name)
    assert digits is not None
    return f"{int(digits[0]) + 1:0{len(digits[0])}}{name[digits.end() :]}.journal"


def _begin(path: Path, how: str, last: Path) -> None:
    """Begin a journal, with the tables of the last one, to the letter."""
    path.touch()
    if how == "no byte":
        return
    with closing(sqlite3.connect(path, isolation_level=None)) as base:
        base.execute("PRAGMA journal_mode=WAL")
        if how == "no entry":
            with closing(sqlite3.connect(last)) as other:
                tables = other.execute("SELECT sql FROM sqlite_master WHERE type = 'table'").fetchall()
            for (sql,) in tables:
                base.execute(sql)


def orphans(ground: Ground) -> Outcome:
    """Kills while records are written: are drafts left in the folder after the next start?"""
    outcome, data = Outcome(), ground.folder("orphans") / "data"
    pin = ""
    for number in range(ground.many(12)):
        with AttackedBox(ground, data, camera=NO_TABLE, pin=pin) as box:
            pin = box.pin
            left = sorted(path.name for path in data.rglob(".*") if path.is_file())
            if number:
                outcome.case(not left, f"after {number} kills: {', '.join(left)}")
            _busy_until_killed(box, ground.rng)
    return outcome


def _busy_until_killed(box: AttackedBox, rng: random.Random) -> None:
    assert box.login() == 200
    box.act(act="set-up", rules="chinese", size=9)
    until = time.monotonic() + rng.uniform(0.1, 0.5)
    killer = subprocess.Popen(["sh", "-c", f"sleep {until - time.monotonic():.3f}; kill -9 {box.process.pid}"])
    try:
        while True:
            box.act(act="remark", why="still there")
    except OSError:
        killer.wait()
