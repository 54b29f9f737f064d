"""The box's own key: made once, kept to itself, and the signatures that others can check."""

from __future__ import annotations

import re
from types import SimpleNamespace

import pytest

from device.__main__ import main
from device.journal.archive import bundle
from device.journal.store import Entry, Journal, JournalError, Kind, read_journal
from device.machine.identity import FILE, SET_ASIDE, Identity, is_signed
from tests.support.device.player import Player
from tests.support.table import B
from tests.support.wording import english, raises


def test_it_is_made_once_and_only_its_user_can_read_it(tmp_path):
    made = Identity(tmp_path)
    assert Identity(tmp_path).public == made.public and made.fault is None
    assert (tmp_path / FILE).stat().st_mode & 0o777 == 0o600
    assert re.fullmatch(r"([A-Z2-7]{4}-){3}[A-Z2-7]{4}", made.short)


def test_what_it_signs_is_checked_with_the_public_key(tmp_path):
    identity = Identity(tmp_path)
    signature = identity.sign(b"head")
    assert is_signed(b"head", signature, identity.public)
    assert not is_signed(b"other", signature, identity.public)
    assert not is_signed(b"head", "00" * 64, identity.public) and not is_signed(b"head", signature, "no key")


@pytest.mark.parametrize("at", range(0, 130, 9))
def test_a_damaged_key_is_told_and_set_aside(tmp_path, at):
    before = Identity(tmp_path).public
    data = bytearray((tmp_path / FILE).read_bytes())
    data[at] ^= 1
    (tmp_path / FILE).write_bytes(data)
    anew = Identity(tmp_path)
    assert anew.fault is not None and "was damaged" in english(anew.fault) and anew.public != before
    assert (tmp_path / SET_ASIDE).read_bytes() == data and Identity(tmp_path).public == anew.public


def played(tmp_path) -> Player:
    player = Player(tmp_path / "games").look().put(B, "C3").press(1).look()
    player.box.close()
    return player


def test_one_who_edits_a_journal_and_recomputes_its_chain_is_found_out(tmp_path, capsys):
    player = played(tmp_path)
    public = player.folder.identity.public
    pretended = SimpleNamespace(public=public, sign=lambda data: player.folder.identity.sign(b"older"))
    forged = Journal(tmp_path / "forged.journal", pretended)
    forged.write([*read_journal(player.journal)[:-1], Entry(Kind.ANSWERED, 9.0, {})])
    with raises(JournalError, "signature is not the box's"):
        read_journal(forged.path)
    forged.close()
    for path in (forged.path, tmp_path / "forged.journal-head"):
        path.unlink()
    Journal(forged.path).write(read_journal(player.journal))
    assert main(["verify", str(forged.path)]) == 0 and "not signed" in capsys.readouterr().out
    assert main(["verify", str(forged.path), "--key", public]) == 2
    assert "not signed with this key" in capsys.readouterr().err


def test_a_journal_and_its_bundle_are_verified_with_the_boxs_key(tmp_path, capsys):
    player = played(tmp_path)
    (tmp_path / "public").write_text(player.folder.identity.public + "\n")
    bundle(player.folder.path, player.journal.stem, tmp_path / "out.zip")
    for given in (player.journal, tmp_path / "out.zip"):
        for key in (player.folder.identity.public, str(tmp_path / "public")):
            assert main(["verify", str(given), "--key", key]) == 0
            assert f"signed by the box {player.folder.identity.short}" in capsys.readouterr().out
    assert main(["verify", str(player.journal), "--key", Identity(tmp_path).public]) == 2
    assert main(["verify", str(player.journal), "--key", "my key"]) == 2
    assert "no public key" in capsys.readouterr().err


def test_a_page_of_a_box_with_a_new_key_goes_on_with_the_match(tmp_path):
    player = played(tmp_path)
    (player.folder.path / FILE).unlink()
    player.folder = type(player.folder)(player.folder.path)
    player.restarted().look()
    assert player.now.game.turn == 1 and main(["verify", str(player.journal)]) == 0
