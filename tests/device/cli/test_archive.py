"""The commands on the folder of games: `shinpan verify`, `bundle`, `backup`, `restore` and `pin`."""

from __future__ import annotations

from pathlib import Path

import pytest

from device.__main__ import main
from tests.support.device.player import Player
from tests.support.table import B


@pytest.fixture
def player(tmp_path) -> Player:
    """Before a box with a game of one turn."""
    return Player(tmp_path / "games").look().put(B, "C3").press(1).look()


@pytest.fixture
def stick(tmp_path) -> Path:
    (tmp_path / "stick").mkdir()
    return tmp_path / "stick"


def test_the_command_says_how_many(player, stick, capsys):
    assert main(["backup", str(stick), "--data", str(player.folder.path)]) == 0
    assert capsys.readouterr().out == f"{stick}: 1 game copied, 0 there already.\n"


@pytest.mark.parametrize("command", ["backup", "restore"])
def test_a_stick_that_is_not_there_gets_a_sentence(command, tmp_path, capsys):
    assert main([command, str(tmp_path / "nowhere"), "--data", str(tmp_path / "games")]) == 2
    assert "is the stick plugged in?" in capsys.readouterr().err


def test_a_folder_without_journals_is_not_called_unchanged(tmp_path, capsys):
    assert main(["verify", str(tmp_path)]) == 2
    assert capsys.readouterr().err.endswith("there is no journal in this folder; name one with games, or a journal.\n")
