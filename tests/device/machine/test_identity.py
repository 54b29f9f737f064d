"""The box's own key: made once, kept to itself, and the signatures that others can check."""

from __future__ import annotations

import re
from types import SimpleNamespace

import pytest

from device.__main__ import main
from device.journal.archive import write_bundle
from device.journal.store import Entry, Journal, JournalError, Kind, read_journal
from device.machine.identity import FILE, PUBLIC, SET_ASIDE, Identity, is_signed
from referee.table.display_state import Phase
from referee.table.events import Button
from tests.support.device.player import Player
from tests.support.table import B
from tests.support.vision.pictures import read
from tests.support.wording import english, raises
from web.page.status import status_of


def test_it_is_made_once_and_only_its_user_can_read_it(tmp_path):
    identity = Identity(tmp_path)
    assert Identity(tmp_path).public == identity.public and identity.fault is None
    assert (tmp_path / FILE).stat().st_mode & 0o777 == 0o600
    assert re.fullmatch(r"([A-Z2-7]{4}-){3}[A-Z2-7]{4}", identity.short)


def test_what_it_signs_is_checked_with_the_public_key(tmp_path):
    identity = Identity(tmp_path)
    signature = identity.sign(b"head")
    assert is_signed(b"head", signature, identity.public)
    assert not is_signed(b"other", signature, identity.public)
    assert not is_signed(b"head", "00" * 64, identity.public) and not is_signed(b"head", signature, "no key")


# The points of order 1, 2, 4 and 8 as RFC 8032 encodes them, and the encodings of the same points that it forbids.
SMALL_ORDER = [
    "01" + "00" * 31,
    "ec" + "ff" * 30 + "7f",
    "00" * 32,
    "00" * 31 + "80",
    "26e8958fc2b227b045c3f489f2ef98f0d5dfac05d3c63339b13802886d53fc05",
    "26e8958fc2b227b045c3f489f2ef98f0d5dfac05d3c63339b13802886d53fc85",
    "c7176a703d4dd84fba3c0b760d10670f2a2053fa2c39ccc64ec7fd7792ac037a",
    "c7176a703d4dd84fba3c0b760d10670f2a2053fa2c39ccc64ec7fd7792ac03fa",
]
NOT_CANONICAL = [
    *("01" + "00" * 30 + "80", "ec" + "ff" * 31),
    *(first + "ff" * 30 + last for first in ("ed", "ee") for last in ("7f", "ff")),
]


@pytest.mark.parametrize("key", [*SMALL_ORDER, *NOT_CANONICAL])
def test_a_key_under_which_anybody_can_sign_is_none(key: str):
    """R of small order and s = 0 is a valid signature of one text in eight at least."""
    forged = (f"{point}{'00' * 32}" for point in SMALL_ORDER)
    assert not any(is_signed(b"%d" % text, one, key) for one in forged for text in range(64))


def test_a_key_and_a_signature_have_one_spelling(tmp_path):
    identity = Identity(tmp_path)
    signature = identity.sign(b"head")
    assert not is_signed(b"head", signature, f" {identity.public}")
    assert not is_signed(b"head", f"{signature[:64]} {signature[64:]}", identity.public)
    assert not is_signed(b"head", "AB" + signature[2:], identity.public)
    assert not is_signed(b"head", signature.upper(), identity.public)


@pytest.mark.parametrize("at", range(0, 130, 9))
def test_a_damaged_key_is_told_and_set_aside(tmp_path, at):
    before = Identity(tmp_path).public
    data = bytearray((tmp_path / FILE).read_bytes())
    data[at] ^= 1
    (tmp_path / FILE).write_bytes(data)
    anew = Identity(tmp_path)
    assert anew.fault is not None and "was damaged" in english(anew.fault) and anew.public != before
    assert (tmp_path / SET_ASIDE).read_bytes() == data and Identity(tmp_path).public == anew.public


def play_one_turn(tmp_path) -> Player:
    player = Player(tmp_path / "games").look().put(B, "C3").press(1).look()
    player.box.close()
    return player


def test_one_who_edits_a_journal_and_recomputes_its_chain_is_found_out(tmp_path, capsys):
    player = play_one_turn(tmp_path)
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
    player = play_one_turn(tmp_path)
    write_bundle(player.folder.path, player.journal.stem, tmp_path / "out.zip")
    for path in (player.journal, tmp_path / "out.zip"):
        for key in (player.folder.identity.public, str(player.folder.path / PUBLIC)):
            assert main(["verify", str(path), "--key", key]) == 0
            assert f"signed by the box {player.folder.identity.short}" in capsys.readouterr().out
    assert main(["verify", str(player.journal), "--key", Identity(tmp_path).public]) == 2
    assert main(["verify", str(player.journal), "--key", "my key"]) == 2
    assert "no public key" in capsys.readouterr().err


def test_a_page_of_a_box_with_a_new_key_goes_on_with_the_match(tmp_path):
    player = play_one_turn(tmp_path)
    (player.folder.path / FILE).unlink()
    player.folder = type(player.folder)(player.folder.path)
    player.restarted().look()
    assert player.now.game.turn == 1 and main(["verify", str(player.journal)]) == 0


def test_the_seal_is_shown_with_the_result_and_leads_back_to_the_journal(tmp_path, capsys):
    player = Player(tmp_path).look().put(B, "C3").press(1).look()
    assert (
        player.now.archive_name == player.now.seal == "" != player.box.seal
        and f"SEAL[{player.box.seal}]".encode() in player.box.sgf_record
    )
    player.press(2, Button.CALL, 2.5).press(2)
    noted = player.now.seal
    assert player.box.journal is not None and player.now.archive_name == player.box.journal.stem
    assert player.now.game.result == "B+R" and status_of(player.now)["seal"] == noted == player.box.seal
    assert f"SEAL[{noted}]".encode() in player.journal.with_suffix(".sgf").read_bytes()
    player.press(1).press(2)
    assert player.now.phase is Phase.FINAL and player.now.seal != noted
    assert main(["verify", str(player.journal), "--seal", noted.lower()]) == 0
    entries = len(read_journal(player.journal))
    at = re.search(r"The seal is that of entry ([0-9]+)\.", capsys.readouterr().out)
    assert at is not None and 0 < int(at[1]) < entries
    assert main(["verify", str(player.journal), "--seal", "ABCD-EFGH-IJKL-MNOP"]) == 2
    assert "at none of its entries has it the seal ABCD-EFGH-IJKL-MNOP" in capsys.readouterr().err


def test_the_results_label_holds_result_and_seal(tmp_path, capsys):
    player = Player(tmp_path).look().put(B, "C3").press(1).look()
    command = ["label", "--data", str(player.folder.path), "--result"]
    assert main(command) == 2 and "no result with a seal yet" in capsys.readouterr().err
    player.press(2, Button.CALL, 2.5).press(2)
    for match in ([], [player.journal.stem]):
        assert main([*command, *match]) == 0
        (read_there,) = read(capsys.readouterr().out)
        lines = read_there.split("\n")
        assert lines[0] == "Black wins by resignation" and player.journal.stem in lines
        assert lines[-2:] == [f"Seal {player.now.seal}", f"Box {player.folder.identity.short}"]
