"""Every wrong input of the table gets one sentence that names it, and nothing is written."""

from __future__ import annotations

import io
import json
import os
import re
import shlex
import shutil
import socket
import sqlite3
import stat
import subprocess
import sys
import tempfile
import zipfile
from collections.abc import Iterator
from contextlib import ExitStack, closing, contextmanager
from dataclasses import dataclass
from pathlib import Path

import cv2
import numpy as np
import pytest

from device.__main__ import main
from tests.support import ROOT
from tests.support.sentences import import_modules
from tests.support.tiers import LONG as LONG_TIER
from web.language_traits import CODES

# Mistaken inputs to every command, the words that each sentence has to name, and the command's exit status.
#
# The words of a line are those after `shinpan`; names are those that `furnish` puts there. If a line says `given.toml`
# (or another ending), `given` is what is in that file.

# A folder full of things that people name by mistake, and a few that are right beside them.

NOBODY = 65534
LONG = "x" * 300
"""A longer name than file systems have."""
MATCH = "00001_2026-05-01T10-00-00"
GRID = {"size": 9, "corners": [[10, 10], [90, 10], [90, 90], [10, 90]], "lids": []}
PRESS = '{"t":1,"side":1,"button":"done"}'


def furnish(folder: Path) -> None:
    """Put all of them there."""
    for name in (
        "folder",
        "folders/a",
        "folders/b",
        "texts",
        "home/.local/share/shinpan",
        "data",
        "torn",
        "backups",
        "closed",
    ):
        (folder / name).mkdir(parents=True)
    _texts(folder)
    _pictures(folder)
    _journals(folder)
    _make_odd_files(folder)
    _closed(folder)


def _texts(folder: Path) -> None:
    for name in ("text.txt", "text.jpg", "text.mp4", "text.toml", "text.json", "text.sgf", "text.journal", "text.zip"):
        (folder / name).write_text("This is a letter to my aunt.\n")
    for name in ("empty.jpg", "empty.mp4", "empty.json", "empty.sgf", "empty.txt", "empty.journal", "empty.zip"):
        (folder / name).touch()
    (folder / "texts/letter.txt").write_text("Dear aunt,\n")
    (folder / "latin1.txt").write_bytes("Käse\n".encode("latin-1"))
    (folder / "binary.bin").write_bytes(bytes(range(256)) * 9)
    (folder / "grid.json").write_text(json.dumps(GRID))
    (folder / "presses.jsonl").write_text(f"{PRESS}\n")
    (folder / "game.sgf").write_text("(;GM[1]SZ[9]RU[chinese];B[ee];W[cc])")
    (folder / "club.toml").write_text('[page]\nhost = "0.0.0.0"\n')
    (folder / "shinpan-9.9.9-py3-none-any.whl").write_text("This is a letter to my aunt.\n")


def _pictures(folder: Path) -> None:
    shutil.copy(ROOT / "tests/pictures/club-9.jpg", folder / "board.jpg")
    whole = (folder / "board.jpg").read_bytes()
    (folder / "cut.jpg").write_bytes(whole[: len(whole) // 2])
    (folder / "torn.jpg").write_bytes(whole[:9000] + b"\0" * 9000 + whole[18000:])
    for name, shape in (("blank.png", (480, 640, 3)), ("tiny.png", (5, 5, 3)), ("folders/a/1.png", (64, 64, 3))):
        (folder / name).write_bytes(cv2.imencode(".png", np.full(shape, 90, np.uint8))[1].tobytes())
    small = bytearray((folder / "tiny.png").read_bytes())
    small[16:24] = (60000).to_bytes(4, "big") * 2  # It says that it is 60,000 pixels wide and high.
    (folder / "bomb.png").write_bytes(small)
    film = cv2.VideoWriter(str(folder / "film.avi"), cv2.VideoWriter.fourcc(*"MJPG"), 10, (160, 120))
    for _ in range(5):
        film.write(np.full((120, 160, 3), 90, np.uint8))
    film.release()
    (folder / "cut.avi").write_bytes((folder / "film.avi").read_bytes()[:100])


def _journals(folder: Path) -> None:
    journals = ROOT / "tests/data/journals"
    shutil.copy(journals / "chinese-director.journal", folder / "data" / f"{MATCH}.journal")
    whole = (journals / "demo.journal").read_bytes()
    (folder / "torn" / f"{MATCH}.journal").write_bytes(whole)
    with closing(sqlite3.connect(folder / "torn" / f"{MATCH}.journal")) as base, base:
        base.execute("UPDATE entries SET body = replace(body, '1', '2') WHERE number = 5")
    (folder / "cut.journal").write_bytes(whole[:6000])
    with closing(sqlite3.connect(folder / "other.journal")) as base:
        base.execute("CREATE TABLE recipes (name TEXT)")
    with zipfile.ZipFile(folder / "other.zip", "w") as file:
        file.writestr("letter.txt", "Dear aunt,\n")
    with zipfile.ZipFile(folder / "changed.zip", "w") as file:
        file.write(folder / "torn" / f"{MATCH}.journal", "match.journal")
    with zipfile.ZipFile(folder / "torn.zip", "w") as file:
        file.writestr("match.journal", whole)
    data = bytearray((folder / "torn.zip").read_bytes())
    at = data.index(b"CREATE TABLE")
    data[at : at + 6] = b"create"  # Its sum is no longer right.
    (folder / "torn.zip").write_bytes(data)
    (folder / "short.key").write_text("abcd\n")


def _make_odd_files(folder: Path) -> None:
    for name in ("huge.jpg", "huge.json", "huge.sgf", "huge.txt", "huge.toml", "huge.journal"):
        (folder / name).touch()
        os.truncate(folder / name, 6 << 30)  # It takes no room: nothing has been written in it.
    os.mkfifo(folder / "pipe.jpg")
    (folder / "loop.jpg").symlink_to("loop.jpg")
    (folder / "gone.jpg").symlink_to("nowhere.jpg")
    with closing(socket.socket(socket.AF_UNIX)) as there:
        there.bind(os.path.relpath(folder / "socket.jpg"))
    if os.geteuid() == 0:
        for name, minor in (("null.svg", 3), ("full.svg", 7)):
            os.mknod(folder / name, stat.S_IFCHR | 0o666, os.makedev(1, minor))


def _closed(folder: Path) -> None:
    """Make files and a folder that nobody but their owner may read or write."""
    for name, source in (("secret.jpg", "board.jpg"), ("secret.toml", "club.toml"), ("secret.sgf", "game.sgf")):
        shutil.copy(folder / source, folder / name)
        (folder / name).chmod(0o000)
    shutil.copy(folder / "data" / f"{MATCH}.journal", folder / "secret.journal")
    (folder / "secret.journal").chmod(0o000)
    (folder / "closed").chmod(0o500 if os.geteuid() else 0o700)


@contextmanager
def as_nobody() -> Iterator[None]:
    """As a user who may not do everything: permissions do not bind an administrator."""
    if os.geteuid():
        yield
        return
    # What a command imports only when it needs it may lie where nobody else may read.
    list(import_modules())
    os.setegid(NOBODY)
    os.seteuid(NOBODY)
    try:
        yield
    finally:
        os.seteuid(0)
        os.setegid(0)


def tree(folder: Path) -> dict[str, tuple[int, ...]]:
    """All that lies in the folder: type and permissions; of what is no folder, size and when it was written to."""
    paths = (f"{place}/{name}" for place, inner, files in os.walk(folder) for name in (*inner, *files))
    stats = ((path, os.lstat(path)) for path in paths)
    return {
        path: ((at.st_mode,) if stat.S_ISDIR(at.st_mode) else (at.st_mode, at.st_size, at.st_mtime_ns))
        for path, at in stats
    }


BAD_USE, NOT_WELL, NO_BOARD, DONE = 2, 1, 3, 0


@dataclass(frozen=True)
class WrongLine:
    """A line that cannot be used. names: what the sentence says, whatever the case of its letters.

    stdin: what is typed, or comes through a pipe. answered: the sentence is an answer, on standard output. nobody: as a
    user who may not do everything. administrator: only root can try it. usage: how the command is used is shown first.
    real: in a process of its own, through a shell, after `shinpan`. long: in the tier `all` alone, because another row
    asks the same, and both take long.
    """

    line: str
    names: tuple[str, ...]
    status: int = BAD_USE
    given: str | bytes | None = None
    stdin: bytes = b""
    answered: bool = False
    nobody: bool = False
    administrator: bool = False
    usage: bool = False
    real: bool = False
    long: bool = False


def wrong(line: str, *names: str, **what: object) -> WrongLine:
    """A row; LONG stands for a long name."""
    return WrongLine(line.replace("LONG", LONG), names, **what)  # type: ignore[arg-type]


def used(line: str, *names: str) -> WrongLine:
    """A row whose options or arguments no command has."""
    return wrong(line, *names, usage=True)


def settings(content: str | bytes, *names: str) -> WrongLine:
    """A row of settings that cannot be used."""
    return wrong("run --settings given.toml", "given.toml", *names, given=content)


LOOK = (
    used("look", "IMAGE"),
    used("look ''", "empty"),
    used("look --nope board.jpg", "--nope"),
    used("look board.jpg --size 10", "--size", "10", "9"),
    used("look board.jpg --size nine", "--size", "nine"),
    used("look board.jpg --size ''", "--size"),
    used("look board.jpg --size 99999999999999999999", "--size", "99999999999999999999"),
    used("look board.jpg --calibration ''", "--calibration", "empty"),
    used("look board.jpg --overlay ''", "--overlay", "empty"),
    wrong("look nope.jpg", "nope.jpg", "no such file"),
    wrong("look board.jpg nope.jpg", "nope.jpg", "no such file"),
    wrong("look 'ünï-棋 ☃.jpg'", "ünï-棋 ☃.jpg", "no such file"),
    wrong("look folder", "folder", "shinpan watch"),
    wrong("look LONG.jpg", LONG, "too long"),
    wrong("look text.txt/x.jpg", "text.txt/x.jpg", "no such file"),
    wrong("look loop.jpg", "loop.jpg", "circle"),
    wrong("look gone.jpg", "gone.jpg", "no such file"),
    wrong("look pipe.jpg", "pipe.jpg", "no file", status=NO_BOARD),
    wrong("look socket.jpg", "socket.jpg", "no file", status=NO_BOARD),
    wrong("look /dev/null", "/dev/null", "no file", status=NO_BOARD),
    wrong("look /dev/zero", "/dev/zero", "no file", status=NO_BOARD),
    wrong("look closed/x.jpg", "closed/x.jpg", "may not", nobody=True),
    wrong("look secret.jpg", "secret.jpg", "may not", status=NO_BOARD, nobody=True),
    wrong("look empty.jpg", "empty.jpg", "empty", status=NO_BOARD),
    wrong("look text.jpg", "text.jpg", "JPEG or PNG", status=NO_BOARD),
    wrong("look huge.jpg", "huge.jpg", "larger", status=NO_BOARD),
    wrong("look cut.jpg", "cut.jpg", "cut short", status=NO_BOARD),
    wrong("look bomb.png", "bomb.png", status=NO_BOARD),
    wrong("look tiny.png", "tiny.png", "5x5", status=NO_BOARD),
    wrong("look blank.png", "blank.png", "no board", status=NO_BOARD),
    wrong("look board.jpg --overlay nope/seen.jpg", "nope/seen.jpg", "folder nope"),
    wrong("look board.jpg --overlay folder", "folder", ".png or .jpg"),
    wrong("look board.jpg --overlay text.txt/seen.jpg", "text.txt/seen.jpg", "no folder"),
    wrong("look board.jpg --overlay seen.txt", "seen.txt", ".png or .jpg"),
    wrong("look board.jpg --overlay seen", "seen", ".png or .jpg"),
    wrong("look board.jpg --overlay /proc/seen.jpg", "/proc/seen.jpg"),
    wrong("look board.jpg --overlay closed/seen.jpg", "closed/seen.jpg", "may not", nobody=True),
    wrong("look board.jpg --overlay board.jpg", "board.jpg", "another"),
)

CALIBRATION = (
    *(
        wrong("look board.jpg --calibration given.json", "given.json", *names, given=given)
        for given, *names in (
            ("", "empty"),
            ("Dear aunt,", "line 1"),
            ("[]", "object", "[]"),
            ('{"size":9}', "corners"),
            ('{"size":"nine","corners":[[1,1],[9,1],[9,9],[1,9]]}', "size", "nine"),
            ('{"size":9,"corners":[[1,1],[9,1]]}', "corners", "four points"),
            ('{"size":9,"corners":[[1,1],[9,9],[9,1],[1,9]]}', "corners"),
            ('{"size":9,"corners":[[NaN,1],[9,1],[9,9],[1,9]]}', "corners"),
            ('{"size":9,"corners":[[1,1],[9,1],[9,9],[1,9]],"lids":[[1,1,9,9]]}', "lids"),
            ('{"size":9,"corners":[[1,1],[9,1],[9,9],[1,9]],"klids":[]}', "klids"),
            ("[" * 9999, "nested"),
            ('{"size":9' + "9" * 9999 + "}", "a number in it is too long"),
            ("Käse".encode("latin-1"), "UTF-8"),
        )
    ),
    wrong("look board.jpg --calibration nope.json", "nope.json", "no such file"),
    wrong("look board.jpg --calibration folder", "folder", "is a folder"),
    wrong("look board.jpg --calibration board.jpg", "board.jpg", "UTF-8"),
    wrong("look board.jpg --calibration huge.json", "huge.json", "larger"),
    wrong("look board.jpg --calibration /dev/zero", "/dev/zero", "larger"),
    wrong(
        "look board.jpg --calibration given.json",
        *("given.json", "size", "25", "2 to 21"),
        given='{"size": 25, "corners": [[80, 60], [560, 60], [600, 420], [40, 420]]}',
    ),
    wrong("look board.jpg --calibration pipe.jpg", "pipe.jpg", "it is a pipe"),
    wrong("look board.jpg --calibration socket.jpg", "socket.jpg", "no file"),
    wrong("look board.jpg --calibration secret.toml", "secret.toml", "may not", nobody=True),
    wrong("look board.jpg --calibration grid.json --size 19", "grid.json", "9 lines", "19"),
)

CALIBRATE = (
    wrong("calibrate ''", "No camera is named"),
    wrong("calibrate board.jpg --corners 1,1 2,2 3,3", "--corners", "4"),
    used("calibrate board.jpg --up left-ish", "--up", "left-ish"),
    used("calibrate board.jpg --write ''", "--write", "empty"),
    wrong("calibrate nope.jpg", "nope.jpg"),
    wrong("calibrate folder", "folder", "no pictures"),
    wrong("calibrate texts", "texts", "no pictures"),
    wrong("calibrate text.jpg", "text.jpg", "JPEG or PNG"),
    wrong("calibrate text.txt", "text.txt", "not a video"),
    wrong("calibrate cut.avi", "cut.avi"),
    wrong("calibrate huge.jpg", "huge.jpg", "larger"),
    wrong("calibrate pipe.jpg", "pipe.jpg", "no file"),
    wrong("calibrate blank.png", "no board", status=NO_BOARD, long=True),
    used("calibrate board.jpg --corners 1,1 2,2 3,3 x,y --size 9", "--corners", "x,y"),
    used("calibrate board.jpg --corners 1,1 2,2 3,3 nan,3 --size 9", "--corners", "nan"),
    wrong("calibrate board.jpg --corners 1,1 1,1 1,1 1,1 --size 9", "--corners", "four points"),
    wrong("calibrate board.jpg --corners 1,1 9,1 9,9 1,9", "--corners", "--size"),
    used("calibrate board.jpg --lids 1,1,9 2,2,2,2", "--lids", "1,1,9"),
    used("calibrate board.jpg --lids 1,1,-9,9 2,2,2,2", "--lids", "-9"),
    used("calibrate board.jpg --lids 1,1,inf,9 2,2,2,2", "--lids", "inf"),
    wrong("calibrate board.jpg --calibration nope.json", "nope.json", "no such file"),
    wrong("calibrate board.jpg --calibration text.json", "text.json", "line 1"),
    wrong("calibrate board.jpg --write folder", "folder", "is a folder"),
    wrong("calibrate board.jpg --write nope/t.json", "nope/t.json", "folder nope"),
    wrong("calibrate board.jpg --write board.jpg", "board.jpg", "another"),
    wrong("calibrate board.jpg --overlay seen.txt", "seen.txt", ".png or .jpg"),
    wrong("calibrate board.jpg --overlay nope/seen.png", "nope/seen.png", "folder nope"),
    wrong("calibrate board.jpg --overlay board.jpg", "board.jpg", "another"),
    wrong("calibrate board.jpg --overlay new.jpg --write new.jpg", "new.jpg", "another"),
    wrong("calibrate board.jpg --write closed/t.json", "closed/t.json", "may not", nobody=True),
)

WATCH = (
    used("watch", "SOURCE"),
    used("watch film.avi --size 10", "--size", "10"),
    used("watch film.avi --to-play X", "--to-play", "X"),
    used("watch film.avi --black-lid 3", "--black-lid", "3"),
    used("watch film.avi --black-lid one", "--black-lid", "one"),
    used("watch film.avi --sgf ''", "--sgf", "empty"),
    wrong("watch film.avi --sgf game.sgf --names Ada", "--names", "2"),
    used("watch film.avi --sgf game.sgf --names Ada ''", "--names", "empty"),
    wrong("watch film.avi --names Ada Ben", "--names", "--sgf"),
    wrong("watch film.avi --names Ada Ben --evening nope", "--names", "--evening", "leave one"),
    wrong("watch nope.mp4", "nope.mp4", "there is no such"),
    wrong("watch 'ünï-棋 ☃'", "ünï-棋 ☃", "there is no such"),
    wrong("watch LONG", LONG, "too long"),
    wrong("watch loop.jpg", "loop.jpg", "circle"),
    wrong("watch pipe.jpg", "pipe.jpg", "no file"),
    wrong("watch folder", "folder", "no pictures"),
    wrong("watch folders", "folders", "such as a"),
    wrong("watch texts", "texts", "no pictures"),
    wrong("watch text.txt", "text.txt", "not a video"),
    wrong("watch text.mp4", "text.mp4", "not a video"),
    wrong("watch empty.mp4", "empty.mp4", "empty"),
    wrong("watch cut.avi", "cut.avi"),
    wrong("watch huge.journal", "huge.journal", "not a video"),
    wrong("watch secret.journal", "secret.journal", "may not", nobody=True),
    wrong("watch film.avi", "no board", status=NO_BOARD),
    wrong("watch film.avi --rules nope", "nope", "shinpan rules lists all"),
    used("watch film.avi --rules ''", "--rules", "empty"),
    wrong("watch film.avi --calibration folder", "folder", "is a folder"),
    wrong("watch film.avi --sgf folder", "folder", "is a folder"),
    wrong("watch film.avi --sgf nope/g.sgf", "nope/g.sgf", "folder nope"),
    wrong("watch film.avi --sgf film.avi", "film.avi", "another"),
    wrong("watch film.avi --jsonl folder", "folder", "is a folder"),
    wrong("watch film.avi --jsonl nope/g.jsonl", "nope/g.jsonl", "folder nope"),
    wrong("watch film.avi --jsonl film.avi", "film.avi", "another"),
    wrong("watch film.avi --presses presses.jsonl --jsonl presses.jsonl", "presses.jsonl", "another"),
    wrong("watch film.avi --sgf same --jsonl same", "same", "another"),
    wrong("watch film.avi --sgf same --jsonl folder/../same", "same", "another"),
    wrong("watch film.avi --sgf presses.jsonl --jsonl presses.jsonl", "presses.jsonl", "another"),
    wrong("watch folders/a --overlay folders/../folders/a", "folders/a", "another"),
    wrong("watch film.avi --overlay text.txt", "text.txt", "is a file"),
    wrong("watch film.avi --overlay text.txt/seen", "text.txt/seen"),
    wrong("watch film.avi --overlay /proc/seen", "/proc/seen"),
    wrong("watch film.avi --overlay closed", "closed", "may not", nobody=True),
    wrong("watch film.avi --presses nope.jsonl", "nope.jsonl", "no such file"),
    wrong("watch film.avi --presses folder", "folder", "is a folder"),
    wrong("watch film.avi --presses latin1.txt", "latin1.txt", "UTF-8"),
    wrong("watch film.avi --presses huge.txt", "huge.txt", "larger"),
    *(
        wrong("watch film.avi --presses given.jsonl", "given.jsonl", "line 1", *names, given=given)
        for given, *names in (
            ("Dear aunt,", "a press"),
            ("[]", "a press"),
            ('{"t":1}', "a press"),
            ('{"t":1,"side":1,"button":"dance"}', "dance"),
            ('{"t":1,"side":3,"button":"done"}', "side"),
            ('{"t":-1,"side":1,"button":"done"}', "t "),
            ('{"t":1e999,"side":1,"button":"done"}', "t "),
            ('{"t":"soon","side":1,"button":"done"}', "soon"),
            ('{"t":1,"side":1,"button":"done","held":"yes"}', "held"),
            ("[" * 9999, "a press"),
        )
    ),
)

CAMERAS = (
    *(
        wrong(f"{command} {camera}", *names)
        for command in ("watch", "calibrate", "run --camera")
        for camera, *names in (
            ("99999999999999999999", "99999999999999999999"),
            ("/dev/null", "/dev/null", "no camera"),
            ("/dev/nope", "/dev/nope"),
            ("ftp://192.168.1.9/stream", "ftp://192.168.1.9/stream", "http, https or rtsp"),
            ("nowhere", "nowhere", "there is no such"),
            ("text.txt", "text.txt", "not a video"),
            ("texts", "texts", "no pictures"),
            ("huge.txt", "huge.txt", "not a video"),
            ("LONG", LONG, "too long"),
        )
    ),
    wrong("watch ''", "No camera is named"),
    wrong("run --camera ''", "--camera", "empty"),
    wrong("run --camera board.jpg", "board.jpg", "single picture"),
    wrong("watch /dev/video7", "/dev/video7"),
    wrong("calibrate /dev/video7", "/dev/video7"),
)


NO_COMMAND = (
    used("lok board.jpg", "lok", "look"),
    used("'' board.jpg", "command"),
    used("--nope", "--nope"),
    used("棋", "棋"),
    used("voice", f"Choose from: {', '.join(CODES)}."),
    used("completion", "Choose from: bash, zsh, fish."),
)

JUDGE_AND_SCORE = tuple(
    row
    for command in ("judge", "score")
    for row in (
        used(f"{command}", "FILE"),
        used(f"{command} ''", "empty"),
        wrong(f"{command} nope.sgf", "nope.sgf", "no such file"),
        wrong(f"{command} folder", "folder", "is a folder"),
        wrong(f"{command} LONG", LONG, "too long"),
        wrong(f"{command} secret.sgf", "secret.sgf", "may not", nobody=True),
        wrong(f"{command} empty.sgf", "empty.sgf", "no game"),
        wrong(f"{command} binary.bin", "binary.bin", "SGF"),
        wrong(f"{command} board.jpg", "board.jpg", "SGF"),
        wrong(f"{command} latin1.txt", "latin1.txt", "SGF"),
        wrong(f"{command} -", "standard input", "no game"),
        wrong(f"{command} huge.sgf", "huge.sgf", "SGF"),
        wrong(f"{command} game.sgf --rules nope", "nope", "shinpan rules lists all"),
        used(f"{command} game.sgf --rules ''", "--rules", "empty"),
        wrong(f"{command} game.sgf --rules '棋'", "棋", "shinpan rules lists all"),
        *(
            wrong(f"{command} given.sgf", "given.sgf", *names, given=given)
            for given, *names in (
                ("(", "SGF"),
                ("(;;]", "SGF"),
                ("(;GM[1]SZ[99];B[ee])", "size", "99"),
                ("(;GM[1]SZ[nine];B[ee])", "size", "nine"),
                ("(;GM[2]SZ[8];B[ee])", "GM"),
                ("(;GM[1]SZ[9]HA[999];B[ee])", "999"),
                ("(;GM[1]SZ[9]RU[nope];B[ee])", "nope"),
                ("(;GM[1]SZ[9]AB[ee]AW[ee];B[cc])", "E5"),
                ("(" * 9999, "SGF"),
                (b"\xff\xfe(\x00;\x00\x00", "UTF-16"),
            )
        ),
        *(
            wrong(f"{command} given.jsonl", "given.jsonl", *names, given=given)
            for given, *names in (
                ('{"rules":"nope"}', "nope"),
                ('{"size":9}', "rules"),
                ('{"rules":"chinese","size":99}', "99x99"),
                ('{"rules":"chinese","komi":"much"}', "komi", "much"),
                ('{"rules":"chinese","sise":9}', "sise"),
                ('{"rules":"chinese","board":["XO","X"]}', "row"),
            )
        ),
    )
)

JUDGE = tuple(
    wrong("judge given.jsonl", "line 1", *names, given=given, answered=True)
    for given, *names in (
        ("Dear aunt,", "JSON"),
        ("[1,2]", "JSON object"),
        ('{"player":"X","place":"D4"}', "X"),
        ('{"player":"B","place":7}', "7"),
        ('{"player":"B"}', "player"),
        ("[" * 9999, "brackets"),
    )
)

SCORE = (
    used("score game.sgf --method guess", "--method", "guess"),
    wrong("score game.sgf --dead Z99", "Z99"),
    wrong("score game.sgf --dead 'E5 Käse'", "Käse"),
    wrong("score game.sgf --dead A1", "A1"),
    wrong("score game.sgf --seki Z99", "Z99"),
    wrong("score game.sgf --one-sided X:D4 --method expedited", "--one-sided", "X:D4"),
    wrong("score game.sgf --supply B:x,W:14 --method fill-in", "--supply", "B:12"),
    wrong("score game.sgf --supply B:99999999999,W:1 --method fill-in", "--supply", "B:12"),
    wrong("score given.sgf", "ended", "W+R", given="(;GM[1]SZ[9]RU[chinese]KM[7.5];B[ee];W[cc];RS[B])"),
    wrong("score given.jsonl", "given.jsonl", "line 1", given="Dear aunt,"),
)

ANALYSE = (
    used("analyse game.sgf --sgf ''", "--sgf", "empty"),
    wrong("analyse game.sgf --seconds 0 --sgf game.sgf", "game.sgf", "another"),
    wrong("analyse game.sgf --seconds 0 --sgf nope/g.sgf", "nope/g.sgf", "folder nope"),
    wrong("analyse - --turn 1", "line 1", stdin=b"x\n", answered=True),
    wrong("analyse - --sgf new.sgf", "line 1", stdin=b"x\n", answered=True),
    *(wrong(f"{command} pipe.jpg", "pipe.jpg", "it is a pipe", "or -") for command in ("judge", "score", "analyse")),
    *(wrong(f"{command} socket.jpg", "socket.jpg", "no file") for command in ("judge", "score", "analyse")),
    wrong("analyse - --seconds 0 --sgf folder", "folder", "is a folder"),
)

RULES = (
    used("rules chinese japanese", "japanese"),
    wrong("rules nope", "nope", "shinpan rules lists all"),
    used("rules ''", "empty"),
    wrong("rules 棋 --json", "棋", "shinpan rules lists all"),
    wrong("rules LONG", "shinpan rules lists all"),
)

GTP = (
    wrong("gtp --rules nope", "nope", "shinpan rules lists all"),
    used("gtp --rules ''", "--rules", "empty"),
    *(
        wrong("gtp", *names, stdin=f"{line}\nquit\n".encode(), answered=True, status=DONE)
        for line, *names in (
            ("loadsgf nope.sgf", "nope.sgf", "no such file"),
            ("loadsgf folder", "folder", "is a folder"),
            ("loadsgf empty.sgf", "empty.sgf"),
            ("loadsgf text.sgf", "text.sgf", "SGF"),
            ("loadsgf huge.sgf", "huge.sgf", "larger"),
            ("loadsgf game.sgf soon", "syntax error"),
            ("boardsize nine", "boardsize not an integer"),
            ("shinpan-rules nope", "nope", "shinpan rules lists all"),
            ("shinpan-rules chinese ko=nope", "nope"),
            ("shinpan-rules chinese compensation=much", "much"),
        )
    ),
)

SETTINGS = (
    settings("Dear aunt,", "TOML", "line 1"),
    settings("[game\n", "TOML", "line 1"),
    settings("Käse".encode("latin-1"), "UTF-8"),
    settings("[game]".encode("utf-16"), "UTF-8"),
    settings("[gmae]", "[gmae]", "game"),
    settings("size = 9", "size", "game"),
    settings("game = 9", "game", "section"),
    settings("[[game]]", "game", "section"),
    settings("[game]\nsise = 9", "[game]", "sise"),
    settings("[game]\nsize = 'nine'", "[game] size", "nine", "2 to 25"),
    settings("[game]\nsize = 99", "[game] size", "99", "2 to 25"),
    settings("[game]\nrules = 'nope'", "[game] rules", "nope"),
    settings("[game]\nrules = ''", "[game] rules"),
    settings("[game]\nkomi = nan", "[game] komi"),
    settings("[game]\nkomi = 0.3", "[game] komi", "0.3"),
    settings("[game]\nhandicap = 999", "[game] handicap", "999"),
    settings("[game]\nhandicap = 50\nsize = 5", "[game] handicap", "50"),
    settings("[game]\noptions = {ko = 'nope'}", "[game] options", "ko", "nope"),
    settings("[game]\noptions = {kko = 'simple'}", "[game] options", "kko"),
    settings("[game]\noptions = 3", "[game] options", "3"),
    settings("[game]\nblack_side = 3", "[game] black_side", "3"),
    settings("[game]\namendments = 'yes'", "[game] amendments", "yes"),
    settings("[time]\ncontrol = 'soon'", "[time] control", "soon"),
    settings("[time]\ncontrol = ''", "[time] control"),
    settings("[time]\nprocedures = 1", "[time] procedures", "1"),
    settings("[table]\nturns = 'never'", "[table] turns", "never"),
    settings("[table]\nsteady = -1", "[table] steady", "-1"),
    settings("[camera]\nwidth = 1e9", "[camera] width"),
    settings("[camera]\ncalibration = 'nope.json'", "[camera] calibration", "nope.json"),
    settings("[camera]\ncalibration = 'folder'", "[camera] calibration", "folder", "is a folder"),
    settings("[camera]\ncalibration = 'text.json'", "[camera] calibration", "text.json", "line 1"),
    settings("[camera]\ncalibration = 'grid.json'\n[game]\nsize = 19", "[camera] calibration", "grid.json", "19"),
    settings("[panel]\nkind = 'lamps'", "[panel] kind", "lamps"),
    settings("[page]\nport = 70000", "[page] port", "70000"),
    settings("[page]\nnames = 'box'", "[page] names", "box"),
    settings("[data]\nfolder = '~nobodyhere/games'", "[data] folder", "~nobodyhere"),
    wrong("run --settings given.toml", "text.txt", "is a file", given="[data]\nfolder = 'text.txt'"),
    settings("[data]\nframes = -1", "[data] frames", "-1"),
    settings("[data]\ncopies = 3", "[data] copies", "3"),
    settings("presets = 3", "presets"),
    settings("[presets]\nblitz = 3", "blitz"),
    settings("[presets.blitz]\nrules = 'nope'", "[presets.blitz] rules", "nope"),
    settings("[presets.blitz]\ncontrol = 'soon'", "[presets.blitz] control", "soon"),
    settings("[presets.blitz]\nport = 1", "[presets.blitz]", "port"),
    settings("[presets.blitz]\nbutton = 'done'", "[presets.blitz] button", "done"),
    settings("[presets.a]\nbutton = 'pause'\n[presets.b]\nbutton = 'pause'", "presets", "pause"),
    settings("a = " + "[" * 5000, "nested"),
    settings("[game]\nhandicap = " + "9" * 4000, "[game] handicap"),
    settings("[game]\nsize = 9\nsize = 13", "TOML"),
)

RUN = (
    used("run --settings ''", "--settings", "empty"),
    used("run --port x", "--port", "x"),
    used("run --port -1", "--port", "-1"),
    used("run --port 65536", "--port", "65536"),
    used("run --port 99999999999999999999", "--port", "99999999999999999999"),
    used("run --port ''", "--port"),
    used("run table.toml", "table.toml"),
    wrong("run --settings nope.toml", "nope.toml", "no such file"),
    wrong("run --settings folder", "folder", "is a folder"),
    wrong("run --settings huge.toml", "huge.toml", "larger"),
    wrong("run --settings pipe.jpg", "pipe.jpg", "it is a pipe"),
    wrong("run --settings board.jpg", "board.jpg", "UTF-8"),
    wrong("run --settings secret.toml", "secret.toml", "may not", nobody=True),
    wrong("run --data text.txt", "text.txt", "is a file"),
    wrong("run --data text.txt/games", "text.txt/games"),
    used("run --data ''", "--data", "empty"),
    wrong("run --data /proc/games", "/proc/games"),
    wrong("run --data closed", "closed", "may not", nobody=True),
    wrong("run --data '~nobodyhere'", "~nobodyhere"),
    wrong("run --data LONG", LONG, "too long"),
    wrong("run --preset nope", "preset", "nope"),
    used("run --preset '' --settings club.toml", "--preset"),
)

DEMO = (
    used("demo --speed 0", "--speed", "0"),
    used("demo --speed x", "--speed", "x"),
    used("demo --speed nan", "--speed", "nan"),
    used("demo --speed -1", "--speed", "-1"),
    used("demo --speed 1e9", "--speed", "1e9"),
    used("demo --port 65536", "--port", "65536"),
    used("demo --script ''", "--script", "empty"),
    wrong("demo --script nope", "nope", "no such file"),
    wrong("demo --script folder", "folder", "is a folder", long=True),
    wrong("demo --script latin1.txt", "latin1.txt", "UTF-8", long=True),
    wrong("demo --script huge.txt", "huge.txt", "larger", long=True),
    wrong("demo --script empty.txt", "empty.txt", long=True),
    *(
        wrong("demo --script given.script", "given.script", "line 1", *names, given=given, long=given != "Dear aunt,")
        for given, *names in (
            ("Dear aunt,", "Dear aunt"),
            ("size nine", "9, 13 or 19"),
            ("B play Z99", "Z99"),
            ("B press nose", "nose"),
            ("B lift D4 nowhere", "nowhere"),
            ("wait long", "long"),
            ("B", "B"),
            ("X play E5", "X"),
        )
    ),
    wrong("demo --script given.script", "given.script", "line 2", "B fly E5", given="size 9\nB fly E5\n"),
    wrong("demo --script given.script", "step 2", "E5", given="size 9\nB play E5\nW play E5\n", long=True),
    wrong("demo --data text.txt", "text.txt", "is a file"),
    used("demo --data ''", "--data", "empty"),
    wrong("demo --data /proc/games", "/proc/games", long=True),
)

VERIFY = (
    used("verify ''", "empty"),
    used("verify data folder", "folder"),
    wrong("verify nope.journal", "nope.journal", "no such"),
    wrong("verify LONG.journal", LONG, "too long"),
    wrong("verify folder", "folder", "no journal"),
    wrong("verify text.journal", "text.journal", ".journal"),
    wrong("verify empty.journal", "empty.journal"),
    wrong("verify other.journal", "other.journal"),
    wrong("verify cut.journal", "cut.journal"),
    wrong("verify torn", "torn", MATCH),
    wrong("verify huge.journal", "huge.journal", ".journal"),
    wrong("verify board.jpg", "board.jpg", ".journal"),
    *(
        wrong(f"{command} --data gone.jpg", "gone.jpg", "is a link to nowhere.jpg, and nothing is there", "name")
        for command in ("verify", "bundle", "poster", "pin", "backup folder", "panel --learn", "label --result")
    ),
    wrong("backup gone.jpg --data data", "gone.jpg", "is a link to nowhere.jpg, and nothing is there"),
    wrong("restore gone.jpg --data data", "gone.jpg", "is a link to nowhere.jpg, and nothing is there"),
    wrong("run --data gone.jpg", "gone.jpg", "is a link to nowhere.jpg, and nothing is there", "name another"),
    wrong("run --data gone.jpg/games", "gone.jpg/games", "gone.jpg is a link to nowhere.jpg", "name another"),
    wrong("verify pipe.jpg", "pipe.jpg", "no file"),
    wrong("verify /dev/null", "/dev/null"),
    wrong("verify other.zip", "other.zip", "shinpan bundle"),
    wrong("verify torn.zip", "torn.zip"),
    wrong("verify changed.zip", "changed.zip", "entry 5"),
    wrong("verify text.zip", "text.zip"),
    wrong("verify secret.journal", "secret.journal", "may not", nobody=True),
    wrong("verify --data nope", "nope", "--data"),
    wrong("verify --data folder", "folder", "--data"),
    wrong("verify --data text.txt", "text.txt", "--data"),
    wrong("verify --settings nope.toml", "nope.toml", "no such file"),
    wrong("verify data --key nope", "nope", "64 digits"),
    used("verify data --key ''", "--key", "empty"),
    wrong("verify data --key short.key", "short.key", "64 digits"),
    wrong("verify data --key empty.txt", "empty.txt", "64 digits"),
    wrong("verify data --key folder", "folder", "64 digits"),
    wrong("verify data --key huge.txt", "huge.txt", "64 digits"),
    used("verify data --seal ''", "--seal", "empty"),
    wrong("verify data --seal nope", "nope"),
)

BUNDLE = (
    used("bundle ''", "empty"),
    used("bundle --out ''", "--out", "empty"),
    wrong("bundle nope --data data", "nope", MATCH),
    wrong("bundle nope --data nowhere", "nowhere", "--data"),
    wrong("bundle --data folder", "folder", "--data"),
    wrong("bundle ../data/x --data data", "../data/x", MATCH),
    wrong("bundle LONG --data data", MATCH),
    wrong("bundle --data text.txt", "text.txt", "--data"),
    wrong("bundle --data torn", MATCH),
    wrong("bundle --data data --out folder", "folder", "is a folder"),
    wrong("bundle --data data --out nope/b.zip", "nope/b.zip", "folder nope"),
    wrong("bundle --data data --out /proc/b.zip", "/proc/b.zip"),
    wrong(f"bundle --data data --out data/{MATCH}.journal", MATCH, "another"),
    wrong("bundle --data data --settings nope.toml --out b.zip", "nope.toml", "no such file"),
    wrong("bundle --data data --out closed/b.zip", "closed/b.zip", "may not", nobody=True),
)

BACKUP_AND_RESTORE = (
    used("backup", "FOLDER"),
    used("backup ''", "empty"),
    used("restore", "FOLDER"),
    used("restore ''", "empty"),
    wrong("backup nope --data data", "nope", "stick"),
    wrong("backup text.txt --data data", "text.txt", "is a file"),
    wrong("backup backups --data nope", "nope", "--data"),
    wrong("backup backups --data folder", "folder", "no match"),
    wrong("backup data --data data", "data", "another"),
    wrong("backup backups --data text.txt", "text.txt"),
    wrong("backup /proc --data data", "/proc"),
    wrong("backup closed --data data", "closed", "may not", nobody=True),
    wrong("restore nope --data data", "nope", "stick"),
    wrong("restore text.txt --data data", "text.txt", "is a file"),
    wrong("restore folder --data data", "folder", "no match"),
    wrong("restore data --data text.txt", "text.txt"),
    wrong("restore data --data data", "data", "another"),
    wrong("restore torn --data backups", MATCH, status=NOT_WELL),
    wrong("restore data --data closed", "closed", "may not", nobody=True),
    wrong("restore data --settings nope.toml", "nope.toml", "no such file"),
)

FORGET = (
    used("forget", "NAME"),
    wrong("forget A --data data", "2 to 200 letters"),
    wrong("forget Ada --data data --also nope", "nope", "there is no such folder"),
    wrong("forget Ada --data text.txt", "text.txt", "is a file"),
)

PIN = (
    used("pin 1234", "1234"),
    wrong("pin --data text.txt", "text.txt", "is a file"),
    used("pin --data ''", "--data", "empty"),
    wrong("pin --data /proc/x", "/proc/x"),
    wrong("pin --data '~nobodyhere'", "~nobodyhere"),
    wrong("pin --data closed", "closed", "may not", nobody=True),
    wrong("pin --settings nope.toml", "nope.toml", "no such file"),
    wrong("pin --settings given.toml", "given.toml", "[data] folder", given="[data]\nfolder = 3"),
)

LABEL = (
    used("label --wifi Club --access-point", "--wifi", "--access-point"),
    used("label --out ''", "--out", "empty"),
    wrong("label", "host", "--address"),
    wrong("label --settings nope.toml", "nope.toml", "no such file"),
    wrong("label --settings club.toml --out folder", "folder", "is a folder"),
    wrong("label --settings club.toml --out nope/l.svg", "nope/l.svg", "folder nope"),
    wrong("label --settings club.toml --out l.pdf", "l.pdf", "svg"),
    wrong("label --settings club.toml --out l.png", "l.png", "svg"),
    wrong("label --settings club.toml --out club.toml", "club.toml", "another"),
    wrong("label --settings club.toml --out closed/l.svg", "closed/l.svg", "may not", nobody=True),
    wrong("label --address nope", "nope", "http://"),
    wrong("label --address ''", "address", "http://"),
    wrong("label --address http://LONG", "http://", "120"),
    wrong("label --address 'http://a b'", "http://a b"),
    used("label --settings club.toml --wifi ''", "--wifi"),
    wrong("label --settings club.toml --wifi LONG", "network's name", "120"),
    wrong("label --settings club.toml --access-point", "nmcli"),
    wrong("label --result nope --data data", "nope", MATCH),
    wrong("label --result --data nope", "nope", "--data"),
    wrong("label --result --data folder", "folder", "--data"),
    wrong("label --result --data torn", MATCH),
    wrong(f"label --result --data data --out data/{MATCH}.journal", MATCH, "is read"),
)

POSTER = (
    used("poster --out ''", "--out", "empty"),
    wrong("poster --data folder --out p.svg", "folder", "--data"),
    wrong("poster --data data --out nope/p.svg", "nope/p.svg", "folder nope"),
    wrong("poster --data data --out p.png", "p.png", ".svg", ".pdf"),
    wrong("poster --data data --out p", "p", ".svg", ".pdf"),
    wrong(f"poster --data data --out data/{MATCH}.journal", MATCH, "another"),
)

NETWORK = (
    used("network dance", "dance"),
    wrong("network", "nmcli"),
    wrong("network --settings nope.toml", "nope.toml", "no such file"),
)

UPDATE = (
    used("update", "SOURCE"),
    used("update ''", "empty"),
    used("rollback now", "now"),
    wrong("update nope", "nope", "wheel", status=NOT_WELL),
    wrong("update folder", "folder", "wheel", status=NOT_WELL),
    wrong("update text.zip", "text.zip", "wheel", status=NOT_WELL),
    wrong("update huge.toml", "huge.toml", "wheel", status=NOT_WELL),
    wrong("update LONG", LONG, status=NOT_WELL),
    wrong("rollback", "no version before", status=NOT_WELL),
)

CLOSED_DOORS = (
    wrong("rules >/dev/full", "standard output", "No space", real=True),
    wrong("rules 1</dev/null", "standard output", "opened for reading", real=True),
    wrong("look board.jpg >/dev/full", "standard output", "No space", real=True, long=True),
    wrong("look board.jpg --overlay /dev/full", "/dev/full", ".png or .jpg"),
    wrong("watch film.avi --jsonl /dev/full", "no board", status=NO_BOARD, long=True),
    wrong("watch film.avi --sgf /dev/null --jsonl /dev/null", "no board", status=NO_BOARD, long=True),
    wrong("label --settings club.toml --out full.svg", "full.svg", "No space", administrator=True),
    wrong("label --settings club.toml --out null.svg", "leads to", status=DONE, administrator=True),
    wrong("judge - <&-", "standard input", real=True),
    wrong("gtp <&-", "standard input", real=True, long=True),
    wrong("look $'\\xff\\xfe.jpg'", "no such file", real=True, long=True),
    wrong("look $'two\\nlines\\e[31m.jpg'", "no such file", real=True),
)

DOCTOR = (
    used("doctor --nope", "--nope"),
    used("doctor --settings ''", "--settings", "empty"),
    *(
        wrong(
            "doctor --beside --settings given.toml",
            "given.toml",
            *names,
            given=given,
            answered=True,
            status=NOT_WELL,
            long=given == "Dear aunt,",
        )
        for given, *names in (
            ("Dear aunt,", "TOML"),
            ("[game]\nrules = 'nope'", "[game] rules", "nope"),
            ("[camera]\ncalibration = 'nope.json'", "[camera] calibration", "nope.json"),
        )
    ),
)

HALL = (
    used("hall tables.toml --add ''", "--add", "empty"),
    wrong("hall tables.toml --add nope.jpg", "nope.jpg", "no such file"),
    wrong("hall tables.toml --add board.jpg", "board.jpg", "no code can be read"),
    wrong("hall tables.toml --add text.txt", "lines of a box's desk"),
)
ROWS = (
    *NO_COMMAND, *LOOK, *CALIBRATION, *CALIBRATE, *WATCH, *JUDGE_AND_SCORE, *JUDGE, *SCORE, *ANALYSE, *RULES, *GTP,
    *SETTINGS, *RUN, *DEMO, *VERIFY, *BUNDLE, *BACKUP_AND_RESTORE, *FORGET, *PIN, *LABEL, *POSTER, *NETWORK, *UPDATE,
    *DOCTOR, *CAMERAS, *HALL, *CLOSED_DOORS,
)  # fmt: skip


RAW = re.compile(
    r"Traceback|Errno|Expecting|\b[A-Z]\w*(Error|Exception)\b|NoneType|object at 0x|<class|Posix|codec|literal|"
    r"sqlite|OpenCV|cv::|GStreamer|FFMPEG|V4L|\[ ?(WARN|ERROR)|\bint\b|\bfloat\b|\bstr\b|\bdict\b|\bNone\b|moov|Qt"
)
"""Words that only programmers can read: of Python, of its libraries and of OpenCV."""
USAGE = re.compile(r"Usage: (shinpan.*\n)(?: +.*\n)*")
LONGEST = 1000
furnished = dict[Path, object]()


@pytest.fixture(scope="module")
def junk():
    """A folder with all sorts of things, in which everybody may read and write what is not closed."""
    with tempfile.TemporaryDirectory(prefix="shinpan-wrong-") as name:
        folder = Path(name)
        folder.chmod(0o777)
        before = Path.cwd()
        os.chdir(folder)
        yield folder
        os.chdir(before)


@pytest.fixture
def things(junk):
    """The same with all in it as it belongs there: what a row has spoiled is no other's fault."""
    if tree(junk) != furnished.get(junk):
        for path in junk.iterdir():
            shutil.rmtree(path) if path.is_dir() and not path.is_symlink() else path.unlink()
        furnish(junk)
        furnished[junk] = tree(junk)
    return junk


@pytest.fixture
def given(request, things):
    """A row, with the file that it is about."""
    row: WrongLine = request.param
    if row.administrator and os.geteuid():
        pytest.skip("only root can make a device")
    match = re.search(r"\bgiven\.\w+", row.line)
    if match is None:
        return row
    path = things / match[0]
    path.write_bytes(row.given if isinstance(row.given, bytes) else str(row.given).encode())
    request.addfinalizer(path.unlink)
    return row


TAKEN = "shinpan: No rules are named, so Ultimate Go was taken. For others: --rules NAME (see shinpan rules).\n"
"""The line before the first answer to a game that does not begin with its rules."""


def only_sentence(row: WrongLine, out: str, err: str) -> str:
    """The one sentence that is said; AssertionError where it is not one."""
    usage = USAGE.match(err)
    assert row.usage == (usage is not None), f"usage: {err}"
    sentence = err[usage.end() :] if usage else err
    if row.answered:
        assert sentence in ("", TAKEN)
        (line,) = re.findall(r'^\{"error": "(.*)"\}$|^\? (.*)$|^WRONG +settings +(.*)$', out, re.MULTILINE)
        return "".join(line)
    assert re.fullmatch(r"shinpan: .+[.?]\n", sentence), sentence
    return sentence.removeprefix("shinpan: ").removesuffix("\n")


def check(row: WrongLine, status: int, out: str, err: str) -> None:
    sentence = only_sentence(row, out, err)
    missing = [name for name in row.names if name.lower() not in sentence.lower()]
    assert not missing, f"{missing} in {sentence}"
    assert not RAW.search(sentence.replace(LONG, "")), sentence
    assert status == row.status, sentence
    assert len(sentence) < LONGEST and sentence.isprintable()
    assert row.answered or row.status == NOT_WELL or out == "", out


def in_process(row: WrongLine, monkeypatch, capfd) -> tuple[int, str, str]:
    monkeypatch.setenv("PATH", "")  # No program of the machine's is asked, such as nmcli.
    monkeypatch.setattr("sys.stdin", io.TextIOWrapper(io.BytesIO(row.stdin), encoding="utf-8"))
    capfd.readouterr()
    with ExitStack() as stack:
        if row.nobody:
            stack.enter_context(as_nobody())
        try:
            status = main(shlex.split(row.line))
        except SystemExit as end:
            status = int(end.code or 0)
    return status, *capfd.readouterr()


def in_a_shell(row: WrongLine) -> tuple[int, str, str]:
    line = f"exec {shlex.quote(sys.executable)} -m device {row.line}"
    done = subprocess.run(["bash", "-c", line], capture_output=True, env={**os.environ, "PYTHONPATH": str(ROOT)})
    return done.returncode, done.stdout.decode(), done.stderr.decode()


def named(row: WrongLine) -> str:
    return row.line[:60].encode("unicode_escape").decode()


def marked(row: WrongLine) -> object:
    """The rows for which another program starts or a board is searched for are left out by `make check`."""
    starts = row.real or row.line.startswith(("demo --script", "demo --data", "doctor --beside"))
    is_slow = starts or "no board" in row.names
    return pytest.param(row, marks=LONG_TIER if row.long else pytest.mark.slow) if row.long or is_slow else row


@pytest.mark.parametrize("given", [*map(marked, ROWS)], indirect=True, ids=[*map(named, ROWS)])
def test_one_sentence(given, things, monkeypatch, capfd):
    for name, value in (("HOME", str(things / "home")), ("SHINPAN_ROOT", str(things / "folder"))):
        monkeypatch.setenv(name, value)
    before = tree(things)
    status, out, err = in_a_shell(given) if given.real else in_process(given, monkeypatch, capfd)
    check(given, status, out, err)
    assert tree(things) == before
