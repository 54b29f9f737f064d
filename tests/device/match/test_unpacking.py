"""Packed records: read if they are small, refused in a sentence if they are not."""

from __future__ import annotations

import gzip
import io
import json
import zipfile
from pathlib import Path

import pytest

from device.__main__ import main
from device.match.unpacking import LARGEST, MOST_FILES, unpack_record
from referee.game.errors import BadRecord

SGF = b"(;SZ[9]RU[Chinese]KM[7];B[cc];W[dd])"


def zipped(files: dict[str, bytes]) -> bytes:
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, data in files.items():
            archive.writestr(name, data)
    return buffer.getvalue()


PACKED = {
    "game.sgf.gz": (gzip.compress(SGF), ""),
    "game.zip": (zipped({"readme.txt": b"hello", "a/game.SGF": SGF, "__MACOSX/a/._game.SGF": b"x"}), ""),
    "games.zip": (zipped({"game10.sgf": b"(;SZ[19];B[aa])", "game2.sgf": SGF}), "2 records; the first, 'game2.sgf'"),
}


@pytest.mark.parametrize("name", PACKED)
@pytest.mark.parametrize("command", ["judge", "score"])
def test_packed_records_are_read(command: str, name: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    data, note = PACKED[name]
    (tmp_path / name).write_bytes(data)
    assert main([command, str(tmp_path / name), "--json"]) == 0
    output = capsys.readouterr()
    assert note in output.err and json.loads(output.out.splitlines()[-1])


def test_a_packed_record_is_loaded_by_gtp(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "game.zip").write_bytes(PACKED["game.zip"][0])
    commands = f"loadsgf {tmp_path / 'game.zip'}\nquit\n"
    monkeypatch.setattr("sys.stdin", io.TextIOWrapper(io.BytesIO(commands.encode())))
    assert main(["gtp"]) == 0 and capsys.readouterr().out.startswith("=")


@pytest.mark.parametrize(
    ("data", "why"),
    [
        (gzip.compress(b" " * (LARGEST + 1)), "larger than any game record"),
        (zipped({"game.sgf": b" " * (LARGEST + 1)}), "larger than any game record"),
        (zipped({"readme.txt": b"x"}), "no game record"),
        (zipped({"inner.zip": zipped({"game.sgf": SGF})}), "no game record"),
        (b"PK\x03\x04" + b"PK\x01\x02" * (MOST_FILES + 1), "more than 5000 files"),
        (gzip.compress(SGF)[:-9], "damaged"),
        (zipped({"game.sgf": SGF})[:-9], "damaged"),
        (b"\x1f\x8b\x08", "damaged"),
    ],
    ids=["gzip-bomb", "zip-bomb", "no-record", "nested", "many", "cut-gzip", "cut-zip", "head"],
)
def test_what_cannot_be_unpacked_is_refused_in_a_sentence(data: bytes, why: str) -> None:
    with pytest.raises(BadRecord, match=why) as refusal:
        unpack_record(data)
    assert str(refusal.value).count(".") <= 5 and "\n" not in str(refusal.value)
