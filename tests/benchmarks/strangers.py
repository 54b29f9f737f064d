"""List shinpan's answers to every file in ../shared/cases/outside and programs: `python -m tests.benchmarks.strangers`.

One line a file and command: the answer in a few words, and the first note; at the end, how many answers had which exit
status. One game is also asked in the formats of servers, and packed. `--tree FOLDER` asks the shinpan of another
checkout, so that an older version's answers stand beside today's.
"""

from __future__ import annotations

import argparse
import gzip
import json
import os
import subprocess
import sys
import tempfile
import zipfile
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

from tests.benchmarks.parts.server_formats import Move, gib, ngf, ugf
from tests.support import ROOT
from tests.support.shared import SHARED

LIMIT_S = 300
MOST = 90
"""Characters of an answer."""
RECORDS = (".sgf", ".jsonl", ".gib", ".ngf", ".ugf", ".gz", ".zip")
FILMS = (".mp4", ".webm")
GAME: list[Move] = [("B", 15, 3), ("W", 3, 15), ("B", 15, 15), ("W", 3, 3), ("B", -1, -1), ("W", -1, -1)]
PAIRINGS = """
import sys
from pathlib import Path
from device.hall.csv_pairings import Listed
from device.hall.macmahon import MacMahon
from device.hall.opengotha import OpenGotha
path = Path(sys.argv[1])
kind = Listed if path.suffix == ".csv" else MacMahon if "macmahon" in path.name else OpenGotha
games = kind(path, path.with_name("made")).pull()
print(len(games), "games:", *(f"{g.black}-{g.white} h{g.handicap} k{g.komi} {g.ended.score.value}" for g in games[:3]))
"""


def main() -> int:
    """Print the table; 0 always, because right answers are the tests' matter."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--tree", type=Path, default=ROOT, help="the checkout that is asked")
    tree = parser.parse_args().tree
    statuses = Counter[str]()
    with tempfile.TemporaryDirectory() as scratch:
        write_server_formats(Path(scratch))
        cases = SHARED / "cases"
        for folder in (cases / "outside", cases / "programs", Path(scratch)):
            for path in sorted(folder.rglob("*.*")):
                for name, words in commands(path):
                    answer = ask(tree, words, path if path.suffix == ".gtp" else None)
                    statuses[f"{name} {answer.partition(' ')[0]}"] += 1
                    print(f"{path.relative_to(folder)} | {name} | {answer}", flush=True)
    print("; ".join(f"{status}: {count}" for status, count in sorted(statuses.items())))
    return 0


def write_server_formats(folder: Path) -> None:
    """Write one game as servers write it, and packed as people keep it."""
    for write in (gib, ngf, ugf):
        (folder / f"game.{write.__name__}").write_text(write(GAME))
    text = gib(GAME).encode()
    (folder / "game.gib.gz").write_bytes(gzip.compress(text, mtime=0))
    with zipfile.ZipFile(folder / "games.zip", "w") as packed:
        packed.writestr("game.gib", text)


def commands(path: Path) -> Iterator[tuple[str, list[str]]]:
    """The commands that a file of its kind is for."""
    shinpan, kind = ["-m", "device"], path.suffix
    if kind in RECORDS:
        yield "judge", [*shinpan, "judge", str(path)]
        yield "score", [*shinpan, "score", str(path), "--json"]
    elif kind == ".gtp":
        yield "gtp", [*shinpan, "gtp", "--rules", "chinese"]
    elif kind in (".csv", ".xml"):
        yield "hall", ["-c", PAIRINGS, str(path)]
    elif kind in (".avif", ".jpg"):
        yield "look", [*shinpan, "look", "--json", str(path)]
    elif kind in FILMS:
        yield "watch", [*shinpan, "watch", str(path), "--rules", "chinese"]


def ask(tree: Path, words: list[str], stdin: Path | None) -> str:
    """The answer to a command, in a few words."""
    done = subprocess.run(
        [sys.executable, *words],
        cwd=tree,
        env={**os.environ, "PYTHONPATH": str(tree)},
        input=stdin.read_text() if stdin else "",
        capture_output=True,
        text=True,
        timeout=LIMIT_S,
    )
    lines = done.stderr.strip().splitlines()
    note = lines[-1] if lines and done.returncode == 1 else lines[0] if lines else ""
    return f"{done.returncode} | {summary(done.stdout)[:MOST]} | {note.replace(str(SHARED), '')[: 2 * MOST]}"


def summary(out: str) -> str:
    """The lines of an answer, each in a word or two."""
    return ", ".join(map(_word, filter(None, out.splitlines())))


def _word(line: str) -> str:
    try:
        answer = json.loads(line)
    except ValueError:
        return line
    if not isinstance(answer, dict):
        return line
    if "method" in answer:
        return str(answer["result"])
    if "size" in answer:
        return " ".join(answer["rows"])
    if "status" in answer:
        return f"{answer['player']} {answer.get('place') or answer['status']}"
    if "error" in answer:
        return "error"
    if not answer.get("legal"):
        return f"!{answer.get('player')} {answer.get('reason')}"
    return f"{answer['player']}{answer['turn']}"


if __name__ == "__main__":
    sys.exit(main())
