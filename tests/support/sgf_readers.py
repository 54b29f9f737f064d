"""Other programs that read SGF: each tells a record's main line as it sees it."""

from __future__ import annotations

import json
import subprocess
from pathlib import Path

from sgfmill import sgf, sgf_moves

from tests.support.gtp_client import Refused, gnugo
from tests.support.wanting import SABAKI, program, wanting

Moves = list[tuple[str, str]]
"""Colour's letter and SGF's point, empty for a pass."""
_SABAKI = """
const { parse } = require("@sabaki/sgf");
let node = parse(require("fs").readFileSync(0, "utf8"))[0];
let branches = 0;
const moves = [];
for (; node; node = node.children[0]) {
  branches += Math.max(node.children.length - 1, 0);
  for (const colour of ["B", "W"]) if (node.data[colour]) moves.push([colour, node.data[colour][0]]);
}
console.log(JSON.stringify({ moves, branches }));
"""


def by_sgfmill(data: bytes) -> tuple[Moves, int]:
    """The moves of the main line, and how many variations leave it. Stones are set up and played as sgfmill does."""
    game = sgf.Sgf_game.from_bytes(data)
    sgf_moves.get_setup_and_moves(game)
    line = game.get_main_sequence()
    moves = [(colour.upper(), node.get_raw(colour.upper()).decode()) for node in line if (colour := node.get_move()[0])]
    return moves, sum(max(len(node) - 1, 0) for node in line)


def by_sabaki(data: bytes) -> tuple[Moves, int]:
    """The same by Sabaki's parser; skips where it is not installed."""
    node = program("node", SABAKI)
    read = subprocess.run([node, "-e", _SABAKI], input=data, capture_output=True, check=False)
    if b"Cannot find module" in read.stderr:
        wanting(SABAKI)
    assert read.returncode == 0 and not read.stderr, read.stderr
    found = json.loads(read.stdout)
    return [(colour, point) for colour, point in found["moves"]], found["branches"]


def by_gnugo(path: Path) -> str | None:
    """Return GNU Go's reason to refuse the file, None if it loads it; skip if it is not installed."""
    with gnugo() as engine:
        try:
            engine.ask(f"loadsgf {path}")
        except Refused as refusal:
            return str(refusal)
    return None
