"""List shinpan's answers to every file in ../shared/cases/outside and programs: `python -m tests.benchmarks.strangers`.

One line a file and command: the answer in a few words, and the first note. `--tree FOLDER` asks the shinpan of another
checkout, so that an older version's answers stand beside today's.
"""

from __future__ import annotations

import argparse
import json
import os
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

from tests.support import ROOT
from tests.support.shared import SHARED

LIMIT_S = 300
MOST = 90
"""Characters of an answer."""
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
    for folder in ("outside", "programs"):
        for path in sorted((SHARED / "cases" / folder).rglob("*.*")):
            for name, words in commands(path):
                said = asked(tree, words, path if path.suffix == ".gtp" else None)
                print(f"{path.relative_to(SHARED / 'cases')} | {name} | {said}", flush=True)
    return 0


def commands(path: Path) -> Iterator[tuple[str, list[str]]]:
    """The commands that a file of its kind is for."""
    shinpan, kind = ["-m", "device"], path.suffix
    if kind in (".sgf", ".jsonl"):
        yield "judge", [*shinpan, "judge", str(path)]
        yield "score", [*shinpan, "score", str(path), "--json"]
    elif kind == ".gtp":
        yield "gtp", [*shinpan, "gtp", "--rules", "chinese"]
    elif kind in (".csv", ".xml"):
        yield "hall", ["-c", PAIRINGS, str(path)]
    elif kind in (".avif", ".jpg"):
        yield "look", [*shinpan, "look", "--json", str(path)]
    elif kind == ".mp4":
        yield "watch", [*shinpan, "watch", str(path), "--rules", "chinese"]


def asked(tree: Path, words: list[str], stdin: Path | None) -> str:
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
    told = done.stderr.strip().splitlines()
    note = told[-1] if told and done.returncode == 1 else told[0] if told else ""
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
