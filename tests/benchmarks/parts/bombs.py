"""Attacks by files: pictures, game records, settings and lines that are small and grow, or that nest without end.

Held is what ends within LASTS seconds of processor time and MOST bytes of memory, without a traceback.
"""

from __future__ import annotations

import json
import os
import struct
import subprocess
import sys
import zlib
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path

import cv2
import numpy as np

from tests.support import ROOT
from tests.support.attack.boxes import Ground, Outcome

LASTS = 5.0
STARTS = 2.0
"""Processor seconds that any command may take to start, besides."""
MOST = 600 * 2**20
GIVEN_UP = 90.0
LEVELS = 100_000


@dataclass(frozen=True)
class Bomb:
    """A file, how its bytes are made, and the command that is given it."""

    name: str
    made: Callable[[], bytes]
    command: tuple[str, ...]
    more: tuple[str, ...] = ()


def bombs(ground: Ground) -> Outcome:
    """Every one of them."""
    outcome, folder = Outcome(), ground.folder("bombs")
    for bomb in BOMBS[:: max(1, round(1 / ground.share))]:
        path = folder / bomb.name.replace(" ", "-")
        # Made elsewhere: the memory of who starts a process counts as its own.
        subprocess.run([sys.executable, "-m", "tests.benchmarks.parts.bombs", bomb.name, path], cwd=ROOT, check=True)
        outcome.case(*_set_off(ground, bomb, path))
        path.unlink()
    return outcome


def _set_off(ground: Ground, bomb: Bomb, path: Path) -> tuple[bool, str]:
    command = ground.command(*bomb.command, path, *bomb.more)
    with (output_file := path.with_name("said")).open("wb") as out:
        process = subprocess.Popen(
            command, cwd=ground.scratch, env=ground.environment(), stdin=subprocess.DEVNULL, stdout=out, stderr=out
        )
        limit = subprocess.Popen(["sh", "-c", f"sleep {GIVEN_UP}; kill -9 {process.pid}"], process_group=0)
        _, status, used = os.wait4(process.pid, 0)
    process.returncode = os.waitstatus_to_exitcode(status)
    os.killpg(limit.pid, 9)
    limit.wait()
    words, seconds, size = output_file.read_text(errors="replace"), used.ru_utime + used.ru_stime, used.ru_maxrss * 1024
    within = seconds <= LASTS + STARTS and size <= MOST
    has_held = process.returncode in (0, 1, 2, 3) and within and "Traceback" not in words
    summary = "a traceback" if "Traceback" in words else words.strip()[-120:]
    return has_held, f"{bomb.name}: exit {process.returncode}, {seconds:.1f} s, {size >> 20} MiB, {summary}"


# Pictures


def _png(width: int, height: int, bits: int, kind: int) -> bytes:
    """A black PNG file. kind: 0 grey, 2 colours, 6 with transparency."""
    row = bytes(1 + width * {0: 1, 2: 3, 6: 4}[kind] * bits // 8)
    return _png_of(width, height, bits, kind, _packed(row, height))


def _packed(row: bytes, height: int) -> Iterator[bytes]:
    packing = zlib.compressobj(9)
    for _ in range(height):
        yield packing.compress(row)
    yield packing.flush()


def _png_of(width: int, height: int, bits: int, kind: int, data: Iterator[bytes]) -> bytes:
    head = struct.pack(">IIBBBBB", width, height, bits, kind, 0, 0, 0)
    chunks = ((b"IHDR", head), (b"IDAT", b"".join(data)), (b"IEND", b""))
    parts = [struct.pack(">I", len(d)) + t + d + struct.pack(">I", zlib.crc32(t + d)) for t, d in chunks]
    return b"\x89PNG\r\n\x1a\n" + b"".join(parts)


def _jpeg(width: int, height: int) -> bytes:
    """A small JPEG file whose header says that it is larger."""
    data = cv2.imencode(".jpg", np.zeros((16, 16, 3), np.uint8))[1].tobytes()
    at = data.index(b"\xff\xc0") + 5
    return data[:at] + struct.pack(">HH", height, width) + data[at + 4 :]


def _bmp(width: int, height: int) -> bytes:
    """A BMP file of nothing but a header."""
    return b"BM" + struct.pack("<IHHIIiiHHIIiiII", 54, 0, 0, 54, 40, width, height, 1, 24, 0, 0, 0, 0, 0, 0)


# Game records


def _nodes() -> bytes:
    moves = [f";{'BW'[n % 2]}[{'abcdefghi'[n % 9]}{'abcdefghi'[n // 9 % 9]}]" for n in range(1_000_000)]
    return f"(;SZ[9]{''.join(moves)})".encode()


def _stones() -> bytes:
    return b"(;SZ[19]AB" + b"[dd]" * 100_000 + b")"


def _setups() -> bytes:
    return b"(;SZ[19]" + b";AE[dd]AB[dd]" * 100_000 + b")"


BOMBS = (
    Bomb("twenty thousand.png", lambda: _png(20_000, 20_000, 8, 0), ("look",)),
    Bomb("one bit.png", lambda: _png(30_000, 30_000, 1, 0), ("look",)),
    Bomb("colours.png", lambda: _png(16_000, 16_000, 8, 2), ("look",)),
    Bomb("sixteen bits.png", lambda: _png(9_900, 9_900, 16, 6), ("look",)),
    Bomb("empty.png", lambda: _png_of(2**31 - 1, 2**31 - 1, 8, 2, iter(())), ("look",)),
    Bomb("wide.png", lambda: _png(1_000_000, 100, 8, 0), ("look",)),
    Bomb("large.jpg", lambda: _jpeg(65_000, 65_000), ("look",)),
    Bomb("large.bmp", lambda: _bmp(60_000, 60_000), ("look",)),
    Bomb("picture.png", lambda: _png(20_000, 20_000, 8, 0), ("watch",)),
    Bomb("million nodes.sgf", _nodes, ("judge",)),
    Bomb("stones.sgf", _stones, ("judge",)),
    Bomb("set up again.sgf", _setups, ("score",)),
    Bomb("variations.sgf", lambda: b"(;SZ[9]" + b"(;B[aa]" * LEVELS + b")" * (LEVELS + 1), ("judge",)),
    Bomb("rectangles.sgf", lambda: b"(;SZ[19]AB" + b"[aa:ss]" * LEVELS + b")", ("judge",)),
    Bomb("size.sgf", lambda: b"(;SZ[52]HA[999999999]KM[1e999];B[aa])", ("judge",)),
    Bomb("comment.sgf", lambda: b"(;SZ[9]C[" + b"\\]" * 5_000_000 + b"];B[aa])", ("judge",)),
    Bomb("nested.toml", lambda: b"[game]\nsize = " + b"[" * LEVELS + b"]" * LEVELS, ("run", "--settings")),
    Bomb("tables.toml", lambda: b"[" + b"a." * LEVELS + b"b]\n", ("doctor", "--settings")),
    Bomb("host.toml", lambda: f'[page]\nhost = "{"a" * 300}"\n'.encode(), ("run", "--settings"), ("--data", "data")),
    Bomb("nested.jsonl", lambda: b'{"rules":"chinese"}\n' + b"[" * LEVELS + b"\n", ("judge",)),
    Bomb("digits.jsonl", lambda: b'{"rules":"chinese","komi":' + b"9" * 50_000 + b"}\n", ("judge",)),
    Bomb("calibration.json", lambda: b'{"size":' + b"[" * LEVELS, ("look", str(os.devnull), "--calibration")),
    Bomb("board.jsonl", lambda: json.dumps({"rules": "chinese", "size": [10**9, 10**9]}).encode(), ("judge",)),
)


def utf16(ground: Ground) -> Outcome:
    """A game record in UTF-16, as some programs write it, and in other encodings that it names or shows."""
    outcome, folder = Outcome(), ground.folder("utf16")
    text = "(;GM[1]FF[4]SZ[9]PB[Müller]PW[本因坊];B[ee];W[cc])"
    for encoding in ("utf-16", "utf-16-le", "utf-16-be", "utf-8-sig"):
        marked = "\ufeff" if encoding in ("utf-16-le", "utf-16-be") else ""
        (path := folder / f"{encoding}.sgf").write_bytes((marked + text).encode(encoding))
        code, output = ground.run("judge", path)
        outcome.case(code == 0 and '"turn":2' in output.replace(" ", ""), f"{encoding}: exit {code}, {output[-150:]}")
    return outcome


if __name__ == "__main__":
    Path(sys.argv[2]).write_bytes(next(bomb for bomb in BOMBS if bomb.name == sys.argv[1]).made())
