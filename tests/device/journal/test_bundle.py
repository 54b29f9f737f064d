"""A dispute bundle that somebody changed: `shinpan verify` names the part, and takes nothing for granted."""

from __future__ import annotations

import io
import json
import shutil
import warnings
import zipfile
from collections.abc import Callable
from pathlib import Path

import pytest

from device.__main__ import main
from device.journal.archive import write_bundle
from tests.support import ROOT
from tests.support.device.player import Player
from tests.support.table import B, W

Parts = list[tuple[str, bytes]]
LOOK = b'{"entry": 3}\n'


@pytest.fixture(scope="module")
def whole(tmp_path_factory) -> Path:
    """The bundle of a match with a legal turn, a press and two others, as it was written."""
    folder = tmp_path_factory.mktemp("bundle")
    player = Player(folder / "games").look().put(B, "C3").press(1).look().put(W, "D4").press(2).look()
    player.put(B, "E5").press(1).look()
    player.box.close()
    frames = player.journal.with_suffix(".frames")
    frames.mkdir(exist_ok=True)
    (frames / "000004.legal.json").write_text("{}")
    (frames / "000004.legal.jpg").write_bytes(b"old, without sums")
    write_bundle(player.folder.path, player.journal.stem, folder / "whole.zip")
    return folder / "whole.zip"


def rewrite_bundle(whole: Path, to: Path, change: Callable[[Parts], Parts]) -> Path:
    """Write the bundle once more with other parts."""
    with zipfile.ZipFile(whole) as file:
        parts = change([(name, file.read(name)) for name in file.namelist()])
    with warnings.catch_warnings(), zipfile.ZipFile(to, "w", zipfile.ZIP_DEFLATED) as file:
        warnings.simplefilter("ignore")  # zipfile warns of names that are there twice.
        for name, data in parts:
            file.writestr(name, data)
    return to


def replaced(name: str, make: Callable[[bytes], bytes]) -> Callable[[Parts], Parts]:
    return lambda parts: [(part, make(data) if part == name else data) for part, data in parts]


def added(name: str, data: bytes, at: int = 99) -> Callable[[Parts], Parts]:
    return lambda parts: [*parts[:at], (name, data), *parts[at:]]


def without(name: str) -> Callable[[Parts], Parts]:
    return lambda parts: [(part, data) for part, data in parts if part != name]


def test_as_it_was_written_it_is_whole_and_says_what_nobody_can_check(whole, capsys):
    assert main(["verify", str(whole)]) == 0
    output = capsys.readouterr().out
    assert (
        "whole and unchanged" in output and "Nothing vouches for frames, shinpan.log: no journal holds them." in output
    )
    assert "Other sentences" not in output


def test_the_same_parts_written_again_are_whole(whole, tmp_path, capsys):
    assert main(["verify", str(rewrite_bundle(whole, tmp_path / "a.zip", list))]) == 0


@pytest.mark.parametrize(
    ("change", "said"),
    [
        (replaced("rulings.jsonl", lambda data: data.replace(b"legal", b"illegal", 1)), "rulings.jsonl is not what"),
        (replaced("rulings.jsonl", lambda data: b""), "rulings.jsonl is not what"),
        (replaced("rulings.jsonl", lambda data: b"\xff"), "rulings.jsonl is not what"),
        (replaced("rulings.jsonl", lambda data: b"[" * 9999), "rulings.jsonl is not what"),
        (replaced("answers.jsonl", lambda data: data + LOOK), "answers.jsonl is not what"),
        (replaced("readings.jsonl", lambda data: data.replace(b"X", b"O")), "readings.jsonl is not what"),
        (replaced("match.sgf", lambda data: data.replace(b"[cc]", b"[aa]")), "the game record is not"),
        (replaced("frames/000004.legal.json", lambda data: b'{"sum": "1"}'), "frames/000004.legal.json"),
        (without("rulings.jsonl"), "rulings.jsonl is not what"),
        (without("README.txt"), "no bundle"),
        (without("match.journal"), "no bundle"),
        (without("frames/000004.legal.json"), "frames/000004.legal.jpg' is no part of a bundle"),
        (added("match.journal", b"another", 0), "match.journal is in it 2 times"),
        (added("rulings.jsonl", b"another"), "rulings.jsonl is in it 2 times"),
        (added("match.jsonl", b"another"), "two game records"),
        (added("verdict.pdf", b"White won"), "'verdict.pdf' is no part of a bundle"),
        (added("../../etc/passwd", b"x"), "is no part of a bundle"),
        (added("frames/../x.jpg", b"x"), "is no part of a bundle"),
        (added("Match.journal", b"x"), "'Match.journal' is no part of a bundle"),
        (added("frames/000009.legal.jpg", b"x"), "is no part of a bundle"),
    ],
)
def test_what_was_changed_is_named(whole, tmp_path, capsys, change, said):
    assert main(["verify", str(rewrite_bundle(whole, tmp_path / "a.zip", change))]) == 2
    err = capsys.readouterr().err
    assert said in err and str(tmp_path / "a.zip") in err and err.count("\n") == 1


def hidden_before(data: bytes) -> bytes:
    return b"PK\3\4 another archive" + data


def hidden_behind(data: bytes) -> bytes:
    return data + b"and more"


def hidden_between(data: bytes) -> bytes:
    """Another part, of which the list at the end does not speak, before the first."""
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w") as file:
        file.writestr("match.journal", b"another")
    local = buffer.getvalue()[: buffer.getvalue().index(b"PK\1\2")]
    with zipfile.ZipFile(io.BytesIO(data)) as file:
        start = file.start_dir
    moved = bytearray(data[start:])
    at = -1
    while (at := moved.find(b"PK\1\2", at + 1)) >= 0:
        offset = int.from_bytes(moved[at + 42 : at + 46], "little") + len(local)
        moved[at + 42 : at + 46] = offset.to_bytes(4, "little")
    moved[-6:-2] = (start + len(local)).to_bytes(4, "little")
    return local + data[:start] + bytes(moved)


@pytest.mark.parametrize("hide", [hidden_before, hidden_behind, hidden_between])
def test_nothing_hides_where_another_program_would_find_it(whole, tmp_path, capsys, hide):
    (tmp_path / "a.zip").write_bytes(hide(whole.read_bytes()))
    assert main(["verify", str(tmp_path / "a.zip")]) == 2
    assert str(tmp_path / "a.zip") in capsys.readouterr().err


def test_other_sentences_are_reported_as_of_another_version(whole, tmp_path, capsys):
    def reworded(data: bytes) -> bytes:
        lines = [json.loads(line) for line in data.splitlines()]
        return "".join(json.dumps({**line, "text": "As it was said then."}) + "\n" for line in lines).encode()

    assert main(["verify", str(rewrite_bundle(whole, tmp_path / "a.zip", replaced("rulings.jsonl", reworded)))]) == 0
    assert "Other sentences than this version's are in rulings.jsonl." in capsys.readouterr().out
    assert (
        main(["verify", str(rewrite_bundle(whole, tmp_path / "b.zip", replaced("README.txt", lambda data: b"?")))]) == 0
    )
    assert "are in README.txt." in capsys.readouterr().out


def test_a_journal_without_a_head_vouches_for_its_record_too(tmp_path, capsys):
    (games := tmp_path / "games").mkdir()
    shutil.copy(ROOT / "tests/data/journals/demo.journal", games / "2026-05-01T10-00-00.journal")
    write_bundle(games, "2026-05-01T10-00-00", tmp_path / "whole.zip")
    assert main(["verify", str(tmp_path / "whole.zip")]) == 0
    change = added("match.sgf", b"(;FF[4]GM[1]SZ[9];B[aa])")
    assert main(["verify", str(rewrite_bundle(tmp_path / "whole.zip", tmp_path / "a.zip", change))]) == 2
    assert "the game record is not" in capsys.readouterr().err
