"""The examples in docs/commands.md, run: `python -m tests.support.examples` writes what they print into that page.

Every example is run as a person at a terminal would, in a folder with what it names: board.jpg, three pictures of a
game in stills/, game.sgf, game.jsonl, late.jsonl, club.toml, and a match in games/ with its copy in stick/.
"""

from __future__ import annotations

import os
import re
import shutil
import signal
import subprocess
import sys
import tempfile
from pathlib import Path

import cv2

from device.journal.archive import back_up
from tests.support import ROOT
from tests.support.terminal import seen_at, terminal
from vision.render.looks import club_look
from vision.render.scene import Scene
from vision.render.table import Table

PAGE = ROOT / "docs" / "commands.md"
BLOCK = re.compile(r"^```console\n\$ ([^\n]+)\n(.*?)^```$", re.M | re.S)
NOT_RUN = {"network": "it needs NetworkManager", "update": "it needs another version"}
"""Commands whose example is written by hand, and why."""
RUNNING = "Ctrl-C ends"
MATCH = "00001_2026-10-03T14-00-00"
GAME = "(;GM[1]SZ[5]RU[Chinese]KM[2.5];B[cc];W[dc];B[cb];W[db];B[cd];W[dd];B[ca];W[da];B[ce];W[de];B[];W[])\n"
KO = """{"size":5,"rules":"aga","board":[".....",".XO..","X.XO.",".XO..","....."],"to_play":"W"}
{"player":"W","place":"B3"}
{"player":"B","place":"C3"}
"""
LATE = """{"rules":"fundamental","size":[4,1]}
{"player":"B","place":"A1"}
{"player":"W","place":"C1"}
"""
CLUB = """[game]
rules = "chinese"
size = 9
"""
SHORT = """size 9
look 1
black 2
wait 2
B play E5; B press done
W hold call
W press done
wait 2
B press done
W press done
"""
VARIES = (
    (r"^(ok|note|WRONG) +(\S+) .*$", r"\2"),
    (r"PIN is \d+", "PIN is N"),
    (r"127\.0\.0\.1:\d+", "127.0.0.1:N"),
    (r"-?\d+\.\d+", "N"),
    (r" \(\d+% sure\)", ""),
    (r"^.* (thing is|things are|Nothing is) wrong\.$", ""),
    (r"^Nothing is wrong\.$", ""),
)
"""Text that differs at another time or on another machine, and what stands for it when it is compared."""


def examples(page: str) -> dict[str, str]:
    """Return the printed text, by the command line."""
    return dict(BLOCK.findall(page))


def lay_out(folder: Path) -> None:
    """Put there what the examples name."""
    shutil.copy(ROOT / "tests/pictures/club-9.jpg", folder / "board.jpg")
    for name, text in (
        ("game.sgf", GAME),
        ("game.jsonl", KO),
        ("late.jsonl", LATE),
        ("club.toml", CLUB),
        ("short.script", SHORT),
    ):
        (folder / name).write_text(text)
    for name in ("games", "stick", "stills"):
        (folder / name).mkdir()
    shutil.copy(ROOT / "tests/data/journals/demo.journal", folder / "games" / f"{MATCH}.journal")
    back_up(folder / "games", folder / "stick")
    _draw(folder / "stills")


def _draw(folder: Path) -> None:
    """An empty board, and after each of two moves."""
    table, rows = Table(club_look(3, 9, 1280, 720)), [["."] * 9 for _ in range(9)]
    for number, (row, column, stone) in enumerate([(0, 0, "."), (4, 4, "X"), (2, 6, "O")]):
        rows[row][column] = stone
        cv2.imwrite(str(folder / f"{number}.jpg"), table.draw(Scene(tuple(map("".join, rows))), number).pixels)


def run_line(line: str, folder: Path) -> str:
    """Return a command line's output there: that for a person, then that beside it. A box is ended once it runs."""
    command = ["bash", "-c", f'shinpan() {{ exec "{sys.executable}" -m device "$@"; }}; {line}']
    environment = {**os.environ, "PYTHONPATH": str(ROOT), "NO_COLOR": "1", "HOME": str(folder), "COLUMNS": "100"}
    environment["SHINPAN_ROOT"] = str(folder)
    ours, theirs = terminal()
    with subprocess.Popen(
        command, stdin=subprocess.DEVNULL, stdout=theirs, stderr=subprocess.PIPE, cwd=folder, env=environment, text=True
    ) as process:
        os.close(theirs)
        beside = _read_stderr(process, ends=line.split()[1] != "run")
        screen = seen_at(ours)
    return beside + screen if RUNNING in beside else screen + beside


def _read_stderr(process: subprocess.Popen[str], ends: bool) -> str:
    """Return what is told beside the answer, but for the panel; ends: it ends by itself."""
    assert process.stderr is not None
    lines = []
    for line in process.stderr:
        lines.append(line)
        if RUNNING in line and not ends:
            process.send_signal(signal.SIGINT)
    return "".join(line for line in lines if line.startswith(("shinpan: ", "Usage: ")))


def alike(text: str) -> str:
    """The text without what varies."""
    for varying, instead in VARIES:
        text = re.sub(varying, instead, text, flags=re.M)
    return text


def page_anew(page: str) -> str:
    """Run every example, and return the page with what it prints where that has changed."""
    for line, before in examples(page).items():
        if line.split()[1] in NOT_RUN:
            continue
        with tempfile.TemporaryDirectory(prefix="shinpan-examples-") as scratch:
            lay_out(Path(scratch))
            now = run_line(line, Path(scratch))
        if alike(now) != alike(before):
            page = page.replace(f"```console\n$ {line}\n{before}```", f"```console\n$ {line}\n{now}```")
    return page


if __name__ == "__main__":
    PAGE.write_text(page_anew(PAGE.read_text()))
