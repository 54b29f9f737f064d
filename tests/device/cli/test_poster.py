"""`shinpan poster`: the story of an archived game on one sheet, for print and phone."""

from __future__ import annotations

from xml.etree import ElementTree

from device.__main__ import main
from tests.support.device.player import Player

SVG = "{http://www.w3.org/2000/svg}"


def texts(drawing: str) -> str:
    return " ".join("".join(text.itertext()) for text in ElementTree.fromstring(drawing).iter(f"{SVG}text"))


def test_the_command_writes_both_kinds(tmp_path, capsys):
    player = Player(tmp_path / "games", rules="chinese", control="5m")
    player.look().press(2)
    player.box.close()
    for name in ("poster.svg", "poster.pdf"):
        assert main(["poster", "--data", str(tmp_path / "games"), "--out", str(tmp_path / name)]) == 0
    assert (tmp_path / "poster.pdf").read_bytes().startswith(b"%PDF")
    assert "Chinese rules" in texts((tmp_path / "poster.svg").read_text())
    assert f"the poster of {player.journal.stem} is in" in capsys.readouterr().err
