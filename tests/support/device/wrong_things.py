"""A folder full of things that people name by mistake, and a few that are right beside them."""

from __future__ import annotations

import json
import os
import shutil
import socket
import sqlite3
import stat
import zipfile
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path

import cv2
import numpy as np

from tests.support import ROOT

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
    _odd(folder)
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
    kept = ROOT / "tests/data/journals"
    shutil.copy(kept / "chinese-director.journal", folder / "data" / f"{MATCH}.journal")
    whole = (kept / "demo.journal").read_bytes()
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


def _odd(folder: Path) -> None:
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
    os.setegid(NOBODY)
    os.seteuid(NOBODY)
    try:
        yield
    finally:
        os.seteuid(0)
        os.setegid(0)


def tree(folder: Path) -> dict[str, tuple[int, ...]]:
    """All that lies in the folder: type and permissions; of what is no folder, size and when it was written to."""
    found = ((path, path.lstat()) for path in folder.rglob("*"))
    return {
        str(path.relative_to(folder)): (
            (at.st_mode,) if stat.S_ISDIR(at.st_mode) else (at.st_mode, at.st_size, at.st_mtime_ns)
        )
        for path, at in found
    }
