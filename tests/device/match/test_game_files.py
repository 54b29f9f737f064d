"""Files in UTF-16, as Windows writes them: SGF and JSON lines, whatever the order of their bytes."""

from __future__ import annotations

import codecs
import json
from pathlib import Path

import pytest

from device.__main__ import main
from device.match.game_files import LARGEST_SGF

SGF = "(;GM[1]FF[4]SZ[5]RU[Chinese]KM[0]PB[\u5409\u7530]\n;B[cc]\n;W[bb]\n;B[])"
LINES = '{"rules":"chinese","size":5}\n\n{"player":"B","place":"C3"}\n{"player":"W","place":"B4"}\n'
ENCODINGS = {"utf-16-le": codecs.BOM_UTF16_LE, "utf-16-be": codecs.BOM_UTF16_BE, "utf-8": codecs.BOM_UTF8}


@pytest.mark.parametrize("encoding", ENCODINGS)
@pytest.mark.parametrize("ends", ["\n", "\r\n"])
def test_a_game_is_judged_and_counted_as_in_utf_8(tmp_path, capsys, encoding, ends):
    outputs = {}
    for name, mark in (("plain", b""), (encoding, ENCODINGS[encoding])):
        for kind, text in (("sgf", SGF), ("jsonl", LINES)):
            path = tmp_path / f"{name}.{kind}"
            path.write_bytes(mark + text.replace("\n", ends).encode("utf-8" if name == "plain" else encoding))
            assert main(["judge", str(path)]) == 0
            assert main(["score", str(path), "--json"]) == 0 or kind == "jsonl"
            outputs.setdefault(kind, []).append(capsys.readouterr().out)
    assert all(one == other and one.count("\n") >= 2 for one, other in outputs.values())


@pytest.mark.parametrize(
    ("data", "said"),
    [
        (codecs.BOM_UTF16_LE, "holds no game"),
        (codecs.BOM_UTF16_LE + SGF.encode("utf-16-le") + b"x", "is not the text in UTF-16 that it begins as"),
        (codecs.BOM_UTF16_BE + b"\xd8\x00\x00(", "is not the text in UTF-16 that it begins as"),
        (codecs.BOM_UTF16_LE + "no game".encode("utf-16-le"), "This is not JSON"),
        (codecs.BOM_UTF16_LE + bytes(LARGEST_SGF + 2), "larger than any game record (8 MiB)"),
        (b"(;;]", "The SGF cannot be read"),
    ],
)
def test_what_is_no_game_gets_one_sentence(tmp_path, capsys, data, said):
    path = Path(tmp_path / "game")
    path.write_bytes(data)
    assert main(["judge", str(path)]) == 2
    out, err = capsys.readouterr()
    assert said in err + out and "Traceback" not in err
    assert err.count("\n") <= 1 and all("error" in json.loads(line) for line in out.splitlines())
